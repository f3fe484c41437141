//! `cargo xtask soak`: the one test of the window that takes half an hour. Writes only what tests write.

use crate::process::Result;
use crate::setup::Consent;
use crate::setup::Purpose::{Test, Vulkan, Window, WindowTest};
use crate::steps::{Quick, Step};
use crate::{setup, test};

/// Use the real window at random for half an hour and watch its memory
///
/// Opens the real window under a virtual X server, on llvmpipe at wave 8, and does random things to it: keys, clicks, drags,
/// the wheel, other sizes, presets. It fails if the program ends, says anything on standard error, or holds more memory in
/// the last third of the time than in the first.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Environment:
  WAVELERP_SOAK_MINUTES  How long, in minutes; 30 unless given, at least 6")]
pub struct Soak {
    #[command(flatten)]
    consent: Consent,
}

/// What runs; it is no step of the tests.
const SOAK: Step = Step {
    name: "soak",
    what: "random use of the window",
    wave: Some(8),
    needs: &[Vulkan, Window, Test, WindowTest],
    quick: Quick::Nothing,
    calls: &["test --package wavelerp --test suite -- --ignored --nocapture window::soak"],
};

impl Soak {
    pub fn run(self) -> Result<u8> {
        setup::install(SOAK.needs, self.consent)?;
        test::run_step(&SOAK, false, true)?;
        Ok(0)
    }
}
