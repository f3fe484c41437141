//! `cargo xtask demo`: packages, a release build, and the program itself. Writes nothing of its own.

use crate::packages::Purpose;
use crate::process::{self, Failure};
use crate::setup;
use std::process::{Command, ExitCode};

/// Help below the summary.
pub const HELP: &str = "
Usage: cargo xtask demo [-- OPTIONS]

Opens the demo in a window. Without a display it captures the default scene with every method and ends
with the list of files written. Options after `--` are those of `wavelerp run`, or without a display
those of `wavelerp capture`; relative paths start at the workspace's folder.

Examples:
  cargo xtask demo
  cargo xtask demo -- --size 640x360 --methods pixel-loop,wave-lerp-ballot
  cargo xtask demo -- --help";

const BUILD: [&str; 4] = ["build", "--release", "--package", "wavelerp"];
/// After the build, cargo only starts the program: it knows where the target folder is.
const START: [&str; 6] = ["run", "--quiet", "--release", "--package", "wavelerp", "--"];

/// `cargo xtask demo`.
pub fn run(arguments: &[String]) -> Result<ExitCode, Failure> {
    let extra = passed_on("demo", arguments)?;
    setup::install(Purpose::Demo)?;
    build()?;
    let (notice, start) = demo_arguments(has_display(cfg!(target_os = "linux"), &|name| {
        std::env::var_os(name)
    }));
    eprintln!("{notice}");
    let code = process::exit_code_of(program().args(start).args(extra))?;
    Ok(ExitCode::from(code))
}

/// Builds wavelerp in release.
pub fn build() -> Result<(), Failure> {
    eprintln!("Building wavelerp in release: the first time takes minutes.");
    match process::exit_code_of(process::command(process::cargo()).args(BUILD))? {
        0 => Ok(()),
        _ => Err(Failure::new(
            "the release build failed: see the messages above",
        )),
    }
}

/// wavelerp as it was built; what is added are its arguments.
pub fn program() -> Command {
    let mut program = process::command(process::cargo());
    program.args(START);
    program
}

/// The one place that decides what the demo shows: a line that says so, and wavelerp's arguments.
fn demo_arguments(has_display: bool) -> (&'static str, &'static [&'static str]) {
    match has_display {
        true => ("Opening the demo in a window.", &["run"]),
        false => (
            "There is no display (DISPLAY and WAYLAND_DISPLAY are unset): capturing the default scene to files.",
            &["capture"],
        ),
    }
}

/// macOS and Windows count as having a display; elsewhere the environment names one.
fn has_display(named_by_environment: bool, environment: crate::vulkan::Environment) -> bool {
    let is_set = |name: &&str| environment(name).is_some_and(|value| !value.is_empty());
    !named_by_environment || ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(is_set)
}

/// The arguments of `command` after `--`; anything before it is a mistake.
pub fn passed_on<'a>(command: &str, arguments: &'a [String]) -> Result<&'a [String], Failure> {
    match arguments.split_first() {
        None => Ok(&[]),
        Some((separator, rest)) if separator == "--" => Ok(rest),
        Some((other, _)) => Err(Failure::usage(format!(
            "`{command}` does not know `{other}`: options for wavelerp go after `--`"
        ))),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use std::ffi::OsString;

    #[test]
    fn with_a_display_the_demo_is_a_window_and_without_one_it_says_so_and_captures() {
        let (notice, arguments) = demo_arguments(false);
        assert!(notice.contains("no display"));
        assert_eq!(arguments[0], "capture");
        let (notice, arguments) = demo_arguments(true);
        assert!(!notice.contains("no display"));
        assert_eq!(arguments, ["run"]);
    }

    #[test]
    fn a_display_is_an_x11_or_a_wayland_one() {
        let only =
            |set: &'static str| move |name: &str| (name == set).then(|| OsString::from(":0"));
        assert!(has_display(true, &only("DISPLAY")));
        assert!(has_display(true, &only("WAYLAND_DISPLAY")));
        assert!(!has_display(true, &only("TERM")));
        assert!(!has_display(true, &|_| Some(OsString::new())));
        assert!(has_display(false, &only("TERM")));
    }

    #[test]
    fn options_reach_the_program_only_after_the_separator() {
        let words = |list: &[&str]| list.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(
            passed_on("demo", &words(&["--", "--size", "64x64"])),
            Ok(&words(&["--size", "64x64"])[..])
        );
        assert_eq!(passed_on("demo", &[]), Ok(&[][..]));
        let failure = passed_on("demo", &words(&["--size", "64x64"])).unwrap_err();
        assert!(failure.code == 2 && failure.message.contains("--size"));
    }
}
