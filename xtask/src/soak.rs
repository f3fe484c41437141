//! `cargo xtask soak`: the one test of the window that takes half an hour. Writes only what tests write.

use crate::consent::Consent;
use crate::process::Failure;
use crate::setup;
use crate::setup::Purpose::{Test, Vulkan, Window, WindowTest};
use crate::steps::{Quick, Step};
use crate::test;
use crate::times::Times;
use std::process::ExitCode;

/// Help below the summary.
pub const HELP: &str = "
Usage: cargo xtask soak [--yes | --no-install]

Opens the real window under a virtual X server, on llvmpipe at wave 8, and does random things to it: keys,
clicks, drags, the wheel, other sizes, presets. It fails if the program ends, says anything on standard error,
or holds more memory in the last third of the time than in the first.

Environment:
  WAVELERP_SOAK_MINUTES  How long, in minutes; 30 unless given, at least 6

Options:
  --yes         Install missing system packages without asking
  --no-install  List missing system packages and stop";

/// What runs; it is no step of the tests.
const SOAK: Step = Step {
    name: "soak",
    what: "random use of the window",
    wave: Some(8),
    needs: &[Vulkan, Window, Test, WindowTest],
    quick: Quick::Nothing,
    calls: &["test --package wavelerp --test suite -- --ignored --nocapture window::soak"],
};

/// `cargo xtask soak`.
pub fn run(arguments: &[String]) -> Result<ExitCode, Failure> {
    let (consent, rest) = Consent::take(arguments)?;
    if !rest.is_empty() {
        let given = rest.join(" ");
        return Err(Failure::usage(format!(
            "`soak` takes `--yes` or `--no-install`, not `{given}`"
        )));
    }
    setup::install(SOAK.needs, consent)?;
    test::run_step(&SOAK, false, true, &mut Times::new(1))?;
    Ok(ExitCode::SUCCESS)
}
