//! `wavelerp calibrate`: what `auto` needs to know of this adapter.

use std::path::PathBuf;

use super::Common;
use super::output::{check_file, else_printed, print, write_file};
use crate::error::Result;
use crate::methods::Specialization;
use crate::methods::auto::{Calibration, Rule};
use crate::model::methods::{Method, Source};
use crate::model::options::Options;
use crate::model::{Adapter, Capabilities};
use crate::runs::calibrate::{Scope, calibrate, store};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  wavelerp calibrate
  wavelerp calibrate --out mine.json && wavelerp capture --methods auto --calibration mine.json")]
pub struct CalibrateArgs {
    /// File to write [default: the one kept for this adapter and driver, used from then on]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Measure only frames: enough for the window and captures
    #[arg(long)]
    frames: bool,
    /// Measure nothing: forget what is kept for this adapter and driver
    #[arg(long, conflicts_with_all = ["out", "frames"])]
    forget: bool,
}

pub(super) fn run(args: &CalibrateArgs, common: &Common) -> Result<()> {
    if args.forget {
        let gpu = common.open()?;
        let forgotten = store::forget(&Adapter::of(&gpu.caps))?;
        return print(match forgotten {
            true => "forgotten; auto chooses by its built-in rule\n",
            false => "no calibration is kept for this adapter and driver\n",
        });
    }
    match &args.out {
        Some(path) => check_file("--out", path)?,
        None => store::check_kept()?,
    }
    let gpu = common.open()?;
    let pipelines = common.pipelines();
    let scope = match args.frames {
        true => Scope::Frames,
        false => Scope::All,
    };
    let calibration = calibrate(&gpu, &pipelines, scope, &mut common.listener())?;
    let file = store::text(&calibration)?;
    let written = match &args.out {
        Some(path) => write_file("--out", path, file.as_bytes()).map(|()| path.clone()),
        None => store::keep(&calibration),
    };
    let path = else_printed(written, &file)?;
    let text = summary(&gpu.caps, &calibration);
    print(&format!(
        "{text}\nmeasured in {:.1} s\n{}\n",
        calibration.seconds,
        path.display()
    ))
}

/// What `auto` chooses at the points that were measured, in a line each.
fn summary(caps: &Capabilities, calibration: &Calibration) -> String {
    let rule = Rule::from(calibration.clone());
    let mut text = String::new();
    for map in &calibration.maps {
        let (source, title) = match map.synthetic {
            Some((cost, kind)) => (Source::Synthetic(cost, kind), format!("{cost} {kind}\n")),
            None => (Source::default(), "frames\n".to_owned()),
        };
        text += &title;
        for point in &map.points {
            let options = Options::default().with_frame(|frame| frame.tile = map.tile);
            let asked = Specialization {
                source,
                ..options.specialize(Method::Auto)
            };
            let chosen = rule.choose(caps, asked, &point.facts).specialization;
            text += &format!(
                "  {:>8} pixels, {:>6.0} layers: {}\n",
                point.facts.pixels,
                point.facts.mean,
                chosen.label()
            );
        }
    }
    text
}
