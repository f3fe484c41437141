//! `cargo xtask renderdoc` installs RenderDoc, builds in release and runs the program with RenderDoc attached.

use crate::process::{Consent, Result};
use crate::setup::Purpose;
use crate::{demo, process, setup};
use std::ffi::OsString;

/// Install RenderDoc if it is missing, build in release and run the program under it
///
/// F12 in the window, or `capture --renderdoc`, then records frames into captures/, which `qrenderdoc FILE` opens. Debian
/// and Ubuntu: installs RenderDoc if it is missing; elsewhere it must be installed.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask renderdoc
  cargo xtask renderdoc -- run --scene stack
  cargo xtask renderdoc -- capture --renderdoc --methods pixel-loop,wave-lerp-ballot")]
pub struct Renderdoc {
    #[command(flatten)]
    consent: Consent,
    /// Arguments of wavelerp; relative paths start at the workspace root
    #[arg(last = true, value_name = "ARGUMENTS")]
    rest: Vec<OsString>,
}

impl Renderdoc {
    pub fn run(self) -> Result<u8> {
        let purposes = [Purpose::Vulkan, Purpose::Window, Purpose::RenderDoc];
        setup::install(&purposes, self.consent)?;
        if cfg!(target_os = "macos") {
            return Err(
                "RenderDoc does not support macOS: use the Metal profiler of Xcode".to_owned(),
            );
        }
        let built = demo::build()?;
        let mut program = demo::program();
        if cfg!(windows) {
            // On Windows, RenderDoc starts the program and injects itself.
            program = process::command("renderdoccmd");
            program.args(["capture", "--wait-for-exit"]).arg(built);
        } else {
            // On Linux, this variable makes RenderDoc's Vulkan layer attach itself.
            program.env("ENABLE_VULKAN_RENDERDOC_CAPTURE", "1");
        }
        eprintln!("Starting wavelerp with RenderDoc attached.");
        process::exit_code_of(program.args(self.rest))
    }
}
