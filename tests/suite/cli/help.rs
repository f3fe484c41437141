//! `--help` of all commands has examples and no terms from the source code.

use super::Desk;

/// Fragments of a help text that belong only in source code.
fn leaks(text: &str) -> Vec<&'static str> {
    let parts = ["::", "[`", "](", ".rs", "src/", ".wesl"];
    parts
        .into_iter()
        .filter(|part| text.contains(part))
        .collect()
}

#[test]
fn every_help_has_examples_and_shows_no_paths_or_links_of_the_source() {
    let desk = Desk::new();
    let commands =
        "run capture page compare verify bench probe still shader list completions manual";
    for command in [""].into_iter().chain(commands.split(' ')) {
        for form in ["-h", "--help"] {
            let run = desk.run(&format!("{command} {form}")).good();
            assert_eq!(leaks(&run.stdout), [""; 0], "{run}");
            run.prints("\nExamples:\n | \nAdapter and messages:\n");
        }
    }
    // Files come first, and options of a technique are grouped.
    let help = desk.run("help capture").good().stdout;
    let headings = help
        .lines()
        .filter(|line| line.ends_with(':') && !line.starts_with(' '));
    let headings: Vec<&str> = headings.collect();
    assert_eq!(
        headings[..5],
        ["Arguments:", "Options:", "Files:", "Frame:", "Methods:"]
    );
    let techniques = headings
        .iter()
        .filter(|line| line.starts_with("Approximate: "));
    assert_eq!(techniques.count(), 8, "{headings:?}");
    assert!(help.contains("Arguments:\n  [FILE]"), "{help}");
    // The help of the program lists every command.
    let all = desk.run("--help").good().stdout;
    let listed = all.lines().skip_while(|line| *line != "Commands:").skip(1);
    let listed = listed.take_while(|line| !line.is_empty());
    let names: Vec<&str> = listed
        .filter_map(|line| line.split_whitespace().next())
        // `help help` prints the same as `help` without a command.
        .filter(|name| *name != "help")
        .collect();
    assert_eq!(names.join(" "), commands, "{all}");
    assert!(all.contains("\nExit codes:"), "{all}");
    // Negative control: a rustdoc link.
    let link = "which take it ([`Trait::TakesHalf`](super::Trait))";
    assert_eq!(leaks(link).len(), 3);
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
    desk.folder("pages/wavelerp.1");
    desk.refuses("manual file/below", 2, "file/below | another one");
    desk.refuses("manual pages", 2, "pages/wavelerp.1 | this is a folder");
    desk.refuses("completions tcsh", 2, "tcsh | possible values");
    let script = desk.run("completions bash").good();
    script.prints("complete -F _wavelerp");
}

#[test]
fn the_window_needs_a_display_and_its_absence_names_capture() {
    let desk = Desk::new();
    // No arguments, only flags, and the command's name all open the window.
    let nowhere = [("DISPLAY", ""), ("WAYLAND_DISPLAY", "")];
    for line in ["", "--scene two", "run --paused"] {
        let run = desk.run_with(line, &nowhere);
        assert_eq!((run.code, run.stdout.as_str()), (3, ""), "{run}");
        assert_eq!(run.stderr.lines().count(), 1, "{run}");
        run.warns("wavelerp capture");
    }
    let run = desk.run_with("--scene tow", &nowhere);
    assert_eq!(run.code, 2, "bad input comes first: {run}");
    assert!(desk.everything().is_empty());
}
