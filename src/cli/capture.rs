//! `wavelerp capture`: pictures, differences and a report of one frame by several methods.

use std::path::PathBuf;

use super::Common;
use super::output::print;
use crate::auto::{Rule, store};
use crate::bench::record::Adapter;
use crate::capture::folder::Output;
use crate::capture::set::{ComparisonSet, Wanted};
use crate::error::{Error, Result};
use crate::methods::Method;
use crate::settings::{Purpose, SceneArgs};
use crate::verify::self_test::{choose, self_test};

/// Arguments of `capture`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  wavelerp capture
  wavelerp capture --scene stress --methods pixel-loop,wave-lerp-padded --tile 16
  wavelerp capture --scene my-scene.ron --size 1920x1080 --out my-scene
  wavelerp capture --scene stress --hazard division --out nan --format exr")]
pub struct CaptureArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// Method that all others are compared with
    #[arg(
        long,
        default_value = "pixel-loop",
        value_name = "NAME",
        help_heading = "Results"
    )]
    reference: String,
    /// How `auto` chooses: a file that `calibrate` made [default: the built-in rule, so that pictures
    /// do not depend on the machine]
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    calibration: Option<PathBuf>,
    /// Folder to make and write [default: a new numbered one under screenshots/local/]
    #[arg(long, value_name = "DIR", help_heading = "Results")]
    out: Option<PathBuf>,
    /// Write into the folder even if it exists; other files in it stay
    #[arg(long, help_heading = "Results")]
    force: bool,
    /// `exr` writes the linear float results too, besides the PNGs
    #[arg(long, value_parser = ["png", "exr"], default_value = "png", help_heading = "Results")]
    format: String,
}

pub(super) fn run(args: &CaptureArgs, common: &Common) -> Result<()> {
    let request = args.scene.check()?;
    let reference =
        Method::by_name(&args.reference).map_err(|error| error.context("--reference"))?;
    let scene = &request.scene.name;
    let output = Output::choose(args.out.as_deref(), scene, args.force).map_err(about_out)?;

    let gpu = common.open()?;
    let pipelines = common.pipelines()?;
    let (settings, notice) = request.settle(&gpu.caps, Purpose::Capture)?;
    common.progress(format_args!(
        "adapter: {}, driver {}",
        gpu.caps.name, gpu.caps.driver
    ));
    if let Some(notice) = &notice {
        common.progress(notice);
    }
    let statuses = self_test(&gpu, &pipelines)?;
    let methods = choose(request.methods(), &statuses)?;
    choose(std::slice::from_ref(&args.reference), &statuses)?;

    let rule = match &args.calibration {
        Some(file) => store::rule_from(file, &Adapter::of(&gpu.caps))?,
        None => Rule::BuiltIn,
    };
    let wanted = Wanted {
        scene: request.scene,
        settings,
        reference,
        methods,
        exr: args.format == "exr",
        rule,
    };
    let mut progress = |step: String| common.progress(step);
    let set = ComparisonSet::make(&gpu, &pipelines, &wanted, &statuses, notice, &mut progress)?;
    common.progress("writing");
    let written = output.write(&set.files()?).map_err(about_out)?;
    let mut text = set.report().to_markdown() + "\n";
    for path in written {
        text += &format!("{}\n", path.display());
    }
    print(&text)
}

/// The folder's error as one of the flag that names it.
fn about_out(error: Error) -> Error {
    Error {
        message: format!("--out {}", error.message),
        ..error
    }
}
