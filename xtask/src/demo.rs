//! `cargo xtask demo` installs packages, builds in release and runs the program. It writes no files of its own.

use crate::process::{Consent, Result};
use crate::setup::DEMO;
use crate::{process, setup};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

/// Install what is missing, build in release and run the demo
///
/// Opens the demo in a window. Without a display it captures the default scene with every method and lists the files
/// written.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask demo
  cargo xtask demo -- --size 640x360 --methods pixel-loop,wave-lerp-ballot
  cargo xtask demo -- --help")]
pub struct Demo {
    #[command(flatten)]
    consent: Consent,
    /// Options of `wavelerp run` or, without a display, of `wavelerp capture`; relative paths start at the workspace root
    #[arg(last = true, value_name = "ARGUMENTS")]
    pub rest: Vec<OsString>,
}

impl Demo {
    pub fn run(self) -> Result<u8> {
        setup::install(DEMO, self.consent)?;
        build()?;
        let (notice, subcommand) = start(has_display(|name| std::env::var_os(name)));
        eprintln!("{notice}");
        process::exit_code_of(program().arg(subcommand).args(self.rest))
    }
}

/// Builds wavelerp in release. Returns the program's path.
pub fn build() -> Result<PathBuf> {
    eprintln!("Building wavelerp in release: the first time takes minutes.");
    process::run(
        &mut process::command_of("cargo build --release --package wavelerp"),
        "the release build failed",
    )?;
    let name = format!("wavelerp{}", std::env::consts::EXE_SUFFIX);
    Ok(process::target_folder().join("release").join(name))
}

/// A command that starts the built wavelerp through cargo, which finds the target folder. The caller adds arguments.
pub fn program() -> Command {
    process::command_of("cargo run --quiet --release --package wavelerp --")
}

/// The announcement to print, and the subcommand of wavelerp to run.
fn start(has_display: bool) -> (&'static str, &'static str) {
    if has_display {
        return ("Opening the demo in a window.", "run");
    }
    (
        "There is no display (DISPLAY and WAYLAND_DISPLAY are unset): capturing the default scene to files.",
        "capture",
    )
}

/// True if there is a display. On Linux, the environment must name a display of X11 or Wayland.
fn has_display(environment: impl Fn(&str) -> Option<OsString>) -> bool {
    let is_set = |name: &&str| environment(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(is_set)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn with_a_display_the_demo_is_a_window_and_without_one_it_says_so_and_captures() {
        assert_eq!(start(true).1, "run");
        let (notice, subcommand) = start(false);
        assert!(notice.contains("no display") && subcommand == "capture");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_display_is_an_x11_or_a_wayland_one() {
        let only = |set: &'static str, value: &'static str| {
            has_display(|name| (name == set).then(|| value.into()))
        };
        assert!(only("DISPLAY", ":0") && only("WAYLAND_DISPLAY", "wayland-0"));
        assert!(!only("TERM", "xterm") && !only("DISPLAY", ""));
    }
}
