//! `wavelerp run`, also what `wavelerp` alone does: the demo in a window.

use super::Common;
use crate::app::{self, Start};
use crate::error::Result;
use crate::settings::SceneArgs;

/// Arguments of `run`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  wavelerp run --scene temple --paused\n  wavelerp run --scene stress --size 1920x1080 --methods wave-lerp-padded\n\nF1 in the window lists all keys."
)]
pub struct RunArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// Start with the clock stopped
    #[arg(long, help_heading = "Scene and methods")]
    paused: bool,
}

pub(super) fn run(args: &RunArgs, common: &Common) -> Result<()> {
    app::run(Start {
        request: args.scene.check()?,
        adapter: common.request(),
        pipelines: common.pipelines()?,
        paused: args.paused,
    })
}
