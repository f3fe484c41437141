//! Contents of a recording: the program records frames under Debian's RenderDoc on software Vulkan, and
//! `tests/renderdoc/read_capture.py` replays them. `cargo xtask test` installs RenderDoc and the driver; without them
//! the tests fail.

use std::path::Path;
use std::process::{Command, Output};

use crate::cli::Desk;
use crate::docs::root;
use crate::harness::{says, usual_passes};
use wavelerp::model::methods::Method;
use wavelerp::model::passes::Pass;

/// Environment variable that attaches RenderDoc to a program on Linux.
pub const ATTACHED: [(&str, &str); 1] = [("ENABLE_VULKAN_RENDERDOC_CAPTURE", "1")];
/// Documented names of some of a frame's resources. Equal samplers share the name of the newer one: in a window, the
/// froxels' sampler has the name of egui's sampler.
const RESOURCES: &str = "frame constants | emitters | particles | splats | tile lists | layers | counters | \
                         indirect arguments | composites | froxels | shadow map | opaque depth | resolved | \
                         shadow sampler";

/// The script's listing of a recording. Debian's module needs the system's Python.
pub fn replay(path: &Path) -> String {
    let replayed = || {
        let mut python = Command::new("/usr/bin/python3");
        python.arg(root().join("tests/renderdoc/read_capture.py"));
        let output = python.arg(path).output();
        output.expect("python3 is needed, `cargo xtask setup --test` installs it")
    };
    // RenderDoc's module occasionally crashes on exit, while a thread of the module reads the environment.
    let by_signal = |output: &Output| output.status.code().is_none();
    let first = replayed();
    let output = if by_signal(&first) { replayed() } else { first };
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "python3-renderdoc is needed, `cargo xtask setup --test` installs it: {stderr}"
    );
    String::from_utf8(output.stdout).expect("the script writes text")
}

/// Checks the listing of a frame drawn with `method`, which must have the given passes.
pub fn check(recording: &str, passes: &[&str], method: &str) -> Result<(), String> {
    let (actions, labels) = recording.split_once("\n\n").ok_or("no resources")?;
    let is_top = |line: &&str| !line.starts_with(' ') && !line.starts_with("vk");
    let groups: Vec<&str> = actions.lines().filter(is_top).collect();
    if groups != passes {
        return Err(format!("{groups:?} are not {passes:?}"));
    }
    let is_work = |line: &&str| {
        ["vkCmdDispatch", "vkCmdDraw"]
            .iter()
            .any(|of| line.contains(of))
    };
    for work in actions.lines().filter(is_work) {
        let has_text = work.contains(" lines]") && !work.contains(", 0 lines");
        if !work.starts_with(' ') || !has_text {
            return Err(format!("without a group or a text: {work}"));
        }
    }
    let file = format!("[methods.{}.wgsl", method.replace('-', "_"));
    let composite = format!("\n{}\n  {method}\n", Pass::Composite.label());
    let below = actions
        .split_once(&composite)
        .map_or("", |(_, below)| below);
    let below = below.lines().take_while(|line| line.starts_with("    "));
    let of_method: Vec<&str> = below.filter(is_work).collect();
    if of_method.is_empty() || !of_method.iter().all(|work| work.contains(&file)) {
        return Err(format!("{method} does not run {file}: {of_method:?}"));
    }
    check_labels(labels)
}

/// Checks that every buffer, texture, sampler and pipeline has a label.
fn check_labels(labels: &str) -> Result<(), String> {
    let lists = labels.lines().filter(|line| line.contains("s: "));
    if lists.count() < 4 || labels.contains("(no label)") || labels.contains(": ,") {
        return Err(format!(
            "a resource without a label, or none at all: {labels}"
        ));
    }
    Ok(())
}

const SMALL: &str = "--scene temple --size 64x36 --particles 200 --fog-slices 4 --quiet";

/// Records a frame of each method; returns the replayed files.
fn record(desk: &Desk, methods: &[&str]) -> Vec<String> {
    let methods_flag = methods.join(",");
    let line = format!("capture --renderdoc {SMALL} --methods {methods_flag}");
    let run = desk.run_with(&line, &ATTACHED).good();
    let files = methods.iter().map(|m| format!("captures/temple_{m}.rdc"));
    let files: Vec<String> = files.collect();
    assert_eq!(run.stdout.lines().collect::<Vec<_>>(), files, "{run}");
    assert_eq!(run.stderr, "", "{run}");
    assert_eq!(desk.everything().len(), 1 + files.len(), "no other files");
    files.iter().map(|file| replay(&desk.path(file))).collect()
}

#[test]
fn a_stranger_finds_every_pass_the_method_its_text_and_all_labels() {
    let passes: Vec<&str> = usual_passes().map(Pass::label).collect();
    // One method is compiled by wgpu, one from our own SPIR-V, and one is drawn.
    let drawn = Method::FixedFunction.name();
    let methods = ["wave-lerp-ballot", "wave-lerp-find-msb", drawn];
    let recordings = record(&Desk::new(), &methods);
    for (recording, method) in recordings.iter().zip(&methods[..2]) {
        check(recording, &passes, method).expect(method);
        says(recording, RESOURCES);
    }
    // Parts of a drawn method bear the method's name.
    for part in ["", " (stream)", " (store)"] {
        says(&recordings[2], format!("\ncomposite{part}\n"));
        says(&recordings[2], format!("\n  {drawn}{part}\n"));
    }
    // Any change to a good recording must be detected.
    let good = &recordings[0];
    assert!(check(good, &passes, methods[1]).is_err(), "another method");
    for (from, to) in [
        ("\nbin\n", "\nrenamed\n"),
        ("\nbin\n  ", "\nbin\n"),
        ("\nlight\n", "\nlight\nlight\n"),
        ("shadow map", "(no label)"),
        ("methods.wave_lerp_ballot", "methods.wave_tree"),
        (" lines]", ", 0 lines]"),
    ] {
        let changed = good.replacen(from, to, 1);
        assert!(check(&changed, &passes, methods[0]).is_err(), "{from}");
    }
}

#[test]
fn without_renderdoc_one_line_says_how_to_start_it() {
    let parts = "ENABLE_VULKAN_RENDERDOC_CAPTURE=1 | renderdoccmd capture | cargo xtask renderdoc";
    let line = format!("capture --renderdoc {}", SMALL.replace("--quiet", ""));
    Desk::new().refuses(&line, 1, parts);
}
