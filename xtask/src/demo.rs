//! `cargo xtask demo`: packages, a release build, and the program itself. Writes nothing of its own.

use crate::consent::Consent;
use crate::process::{self, Failure};
use crate::setup::{self, DEMO};
use std::ffi::OsString;
use std::process::{Command, ExitCode};

/// Help below the summary.
pub const HELP: &str = "
Usage: cargo xtask demo [--yes | --no-install] [-- OPTIONS]

Opens the demo in a window. Without a display it captures the default scene with every method and ends
with the list of files written. Options after `--` are those of `wavelerp run`, or without a display
those of `wavelerp capture`; relative paths start at the workspace's folder.

Options:
  --yes         Install missing system packages without asking
  --no-install  List missing system packages and stop

Examples:
  cargo xtask demo
  cargo xtask demo -- --size 640x360 --methods pixel-loop,wave-lerp-ballot
  cargo xtask demo -- --help";

const BUILD: [&str; 4] = ["build", "--release", "--package", "wavelerp"];
/// After the build, cargo only starts the program: it knows where the target folder is.
const START: [&str; 6] = ["run", "--quiet", "--release", "--package", "wavelerp", "--"];

/// `cargo xtask demo`.
pub fn run(arguments: &[String]) -> Result<ExitCode, Failure> {
    let (consent, rest) = Consent::take(arguments)?;
    let extra = passed_on("demo", &rest)?;
    setup::install(DEMO, consent)?;
    build()?;
    let has_display = !cfg!(target_os = "linux") || is_display_named(|name| std::env::var_os(name));
    let (notice, subcommand) = start(has_display);
    eprintln!("{notice}");
    let code = process::exit_code_of(program().arg(subcommand).args(extra))?;
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

/// A command that starts the wavelerp that was built. The caller adds the arguments.
pub fn program() -> Command {
    let mut program = process::command(process::cargo());
    program.args(START);
    program
}

/// What the demo shows: a line that says so, and the subcommand of wavelerp.
fn start(has_display: bool) -> (&'static str, &'static str) {
    if has_display {
        return ("Opening the demo in a window.", "run");
    }
    (
        "There is no display (DISPLAY and WAYLAND_DISPLAY are unset): capturing the default scene to files.",
        "capture",
    )
}

/// Whether the environment names an X11 or Wayland display.
fn is_display_named(environment: impl Fn(&str) -> Option<OsString>) -> bool {
    let is_set = |name: &str| environment(name).is_some_and(|value| !value.is_empty());
    is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
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

    #[test]
    fn with_a_display_the_demo_is_a_window_and_without_one_it_says_so_and_captures() {
        assert_eq!(start(true).1, "run");
        let (notice, subcommand) = start(false);
        assert!(notice.contains("no display") && subcommand == "capture");
    }

    #[test]
    fn a_display_is_an_x11_or_a_wayland_one() {
        let only = |set: &'static str, value: &'static str| {
            is_display_named(|name| (name == set).then(|| value.into()))
        };
        assert!(only("DISPLAY", ":0") && only("WAYLAND_DISPLAY", "wayland-0"));
        assert!(!only("TERM", "xterm") && !only("DISPLAY", ""));
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
