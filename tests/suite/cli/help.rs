//! `--help` of everything: grouped, with defaults and examples.

use super::Desk;

#[test]
fn help_has_groups_defaults_and_examples() {
    let desk = Desk::new();
    let capture = "Scene and methods:|Results:|Adapter and messages:|Examples:|[default: temple]|\
                   [default: 1280x720; 640x360 on a CPU adapter]|[default: 1]|auto|8|16|\
                   [default: all]|[default: pixel-loop]|[default: driver]|[default: 0]|\
                   [default: auto]|--force|--quiet|--out <DIR>|--format|--camera|--time|--particles|\
                   --fog-slices|--fog-density|--particle-opacity|--particle-size|--eye|--target|--fov|\
                   --early-out|--pixels-per-wave|--seed|--adapter|--backend|--renderdoc|--trace <FILE>|\
                   captures/ with --renderdoc";
    let probe = "--pixel <X,Y>|--json <FILE>|--particle-size|--fov|Examples:|[default: temple]|Adapter and messages:";
    let verify = "--break <FAULT>|last-lane|swap|carry|pixel|prefix|append|inactive|--values|--json|Examples:|[default: all]";
    let shader = "[METHOD]...|--emit|spirv-asm|--ops|--library|--half|--output|--entry|--wave-size|--opcodes|\
                  --runtime-checks|--pixels-per-wave|--pixels-per-thread|--threads-per-pixel|--layers-per-batch|--tail|--hazard|--early-out|--tile|--size|\
                  --shaders|Options of the code:|Assumptions:|Examples:|[default: standard output]";
    for (command, parts) in [
        (
            "",
            "Examples:|Exit codes:|run|capture|verify|probe|shader|list",
        ),
        (
            "run",
            "--paused|--fog-density|--eye|[default: temple]|Examples:|Adapter and messages:|\
             --shaders <DIR>|reload when a file changes",
        ),
        ("capture", capture),
        ("probe", probe),
        ("verify", verify),
        ("shader", shader),
        ("list", "--json <FILE>|Examples:|Adapter and messages:"),
        ("completions", "<SHELL>|bash|zsh|fish|Examples:"),
        ("manual", "<DIR>|Examples:|Adapter and messages:"),
    ] {
        let run = desk.run(&format!("{command} --help")).good();
        assert_eq!(run.stderr, "", "{run}");
        let text = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        for part in parts.split('|') {
            assert!(text.contains(part), "`{part}`: {run}");
        }
    }
    assert!(desk.everything().is_empty());
}

/// Parts of a text that are the source's, not the reader's.
fn leaks(text: &str) -> Vec<&'static str> {
    let parts = ["::", "[`", "](", ".rs", "src/", ".wesl"];
    parts
        .into_iter()
        .filter(|part| text.contains(part))
        .collect()
}

#[test]
fn no_help_shows_paths_or_links_of_the_source() {
    let desk = Desk::new();
    let commands = "run capture verify bench calibrate probe still shader list completions manual";
    for command in [""].into_iter().chain(commands.split(' ')) {
        for form in ["-h", "--help"] {
            let run = desk.run(&format!("{command} {form}")).good();
            assert_eq!(leaks(&run.stdout), [""; 0], "{run}");
        }
    }
    // Every command is among them.
    let all = desk.run("--help").good().stdout;
    let listed = all.lines().skip_while(|line| *line != "Commands:").skip(1);
    let listed = listed.take_while(|line| !line.is_empty());
    let names: Vec<&str> = listed
        .filter_map(|line| line.split_whitespace().next())
        // Its own help is the same as that without a command.
        .filter(|name| *name != "help")
        .collect();
    assert_eq!(names.join(" "), commands, "{all}");
    // Negative control: a link as rustdoc has it.
    assert_eq!(
        leaks("which take it ([`Trait::TakesHalf`](super::Trait))").len(),
        3
    );
}

#[test]
fn the_manual_is_written_whole_or_not_at_all_and_shells_get_their_script() {
    let desk = Desk::new();
    let run = desk.run("manual deep/man1").good();
    assert_eq!(run.stdout, "", "{run}");
    let names = desk.names("deep/man1");
    for name in ["wavelerp.1", "wavelerp-capture.1", "wavelerp-manual.1"] {
        assert!(names.contains(name), "{names:?}");
    }
    desk.write("file", "");
    std::fs::create_dir_all(desk.path("pages/wavelerp.1")).expect("a folder");
    desk.refuses("manual file/below", 2, &["file/below", "another one"]);
    desk.refuses("manual pages", 2, &["pages/wavelerp.1", "this is a folder"]);
    desk.refuses("completions tcsh", 2, &["tcsh", "possible values"]);
    let script = desk.run("completions bash").good().stdout;
    assert!(script.contains("complete -F _wavelerp"), "{script}");
}

#[test]
fn the_version_is_that_of_the_package() {
    let run = Desk::new().run("--version").good();
    assert_eq!(
        run.stdout,
        concat!("wavelerp ", env!("CARGO_PKG_VERSION"), "\n")
    );
}

#[test]
fn the_window_needs_a_display_and_its_absence_names_capture() {
    let desk = Desk::new();
    // Alone, with flags alone, and by name: all of them are the window.
    for line in ["", "--scene two", "run --paused"] {
        let run = desk.run_with(line, &[("DISPLAY", ""), ("WAYLAND_DISPLAY", "")]);
        assert_eq!((run.code, run.stdout.as_str()), (3, ""), "{run}");
        assert_eq!(run.stderr.lines().count(), 1, "{run}");
        assert!(run.stderr.contains("wavelerp capture"), "{run}");
    }
    let run = desk.run_with("--scene tow", &[("DISPLAY", ""), ("WAYLAND_DISPLAY", "")]);
    assert_eq!(run.code, 2, "bad input comes first: {run}");
    assert!(desk.everything().is_empty());
}
