//! `cargo xtask renderdoc`: RenderDoc, a release build, and the program with RenderDoc attached. Writes
//! nothing of its own.

use crate::consent::Consent;
use crate::demo;
use crate::process::{self, Failure};
use crate::setup::{self, Purpose};
use std::process::ExitCode;

/// Help below the summary.
pub const HELP: &str = "
Usage: cargo xtask renderdoc [--yes | --no-install] [-- ARGUMENTS]

Runs wavelerp with RenderDoc attached: F12 in the window, or `capture --renderdoc`, then records frames
into captures/, which `qrenderdoc FILE` opens. Debian and Ubuntu: installs RenderDoc if it is missing;
elsewhere it must be installed. Arguments after `--` are those of wavelerp; relative paths start at the
workspace's folder.

Options:
  --yes         Install missing system packages without asking
  --no-install  List missing system packages and stop

Examples:
  cargo xtask renderdoc
  cargo xtask renderdoc -- run --scene stack
  cargo xtask renderdoc -- capture --renderdoc --methods pixel-loop,wave-lerp-ballot";

/// On Linux, RenderDoc's Vulkan layer attaches itself where this is set.
const ATTACH: (&str, &str) = ("ENABLE_VULKAN_RENDERDOC_CAPTURE", "1");
/// Elsewhere RenderDoc starts the program and puts itself into it.
const LAUNCHER: &str = "renderdoccmd";
const PURPOSES: &[Purpose] = &[Purpose::Vulkan, Purpose::Window, Purpose::RenderDoc];

/// `cargo xtask renderdoc`.
pub fn run(arguments: &[String]) -> Result<ExitCode, Failure> {
    let (consent, rest) = Consent::take(arguments)?;
    let extra = demo::passed_on("renderdoc", &rest)?;
    setup::install(PURPOSES, consent)?;
    if cfg!(target_os = "macos") {
        return Err(Failure::new(
            "RenderDoc does not exist for macOS: Xcode has a profiler for Metal",
        ));
    }
    demo::build()?;
    let mut program = if cfg!(windows) {
        let mut launcher = process::command(LAUNCHER);
        launcher.args(["capture", "--wait-for-exit"]);
        launcher.arg(process::target_folder().join("release/wavelerp.exe"));
        launcher
    } else {
        let mut program = demo::program();
        program.env(ATTACH.0, ATTACH.1);
        program
    };
    eprintln!("Starting wavelerp with RenderDoc attached.");
    Ok(ExitCode::from(process::exit_code_of(program.args(extra))?))
}
