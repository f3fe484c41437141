//! Times the case `splats`: splats of a file from projection to picture.

use super::cloud_times::{rows_of, runners};
use super::scenes::{SceneJob, facts};
use super::splats::STOP;
use crate::error::{Error, Result};
use crate::gpu::{Gpu, Pipelines};
use crate::input::Disk;
use crate::model::options::Precision;
use crate::model::scene;
use crate::model::settings::{Purpose, Settings, default_settings};
use crate::report::bench::record::{Row, Work};
use crate::runs::Timer;
use crate::runs::capture::Capture;

/// Rejects scenes without Gaussians.
pub fn check(name: &str) -> Result<()> {
    if scene::load(name, &Disk)?.placed_splats.count() > 0 {
        return Ok(());
    }
    Err(Error::usage(format!(
        "{name} has no Gaussians to time; name a splat file, or a scene with one"
    )))
}

/// Times the splats with tiles of 8 and 16 pixels and one, two and four pixels per thread; on a CPU adapter with one
/// of these. A pixel stops at the transmittance at which splat rasterisers stop. Samples of a row are sums over the
/// passes.
pub fn rows(
    gpu: &Gpu,
    pipelines: &Pipelines,
    timer: &mut Timer,
    job: &SceneJob,
    precision: Precision,
    work: &Work,
) -> Result<Vec<Row>> {
    let defaults = default_settings(&job.name, &Disk, &gpu.caps, Purpose::Capture)?;
    let scene = scene::load(&job.name, &Disk)?;
    let tiles: &[u32] = if gpu.caps.is_cpu { &[8] } else { &[8, 16] };
    let mut rows = Vec::new();
    for &tile in tiles {
        let settings = Settings {
            size: job.size.unwrap_or(defaults.size),
            options: defaults.options.with_frame(|frame| {
                frame.tile = tile;
                frame.early_out = STOP as f32;
                frame.precision = precision;
            }),
            ..defaults.clone()
        };
        let capture = Capture::new(gpu, pipelines, &scene, settings)?;
        let runners = runners(capture.settings.options);
        let few = if gpu.caps.is_cpu { 2 } else { 0 };
        let composites = runners[few..]
            .iter()
            .map(|runner| capture.composite_of(*runner))
            .collect::<Result<Vec<_>>>()?;
        let (set, facts) = (capture.set(&composites), facts(&capture));
        rows.extend(rows_of(timer, &set, &composites, (tile, work), &facts)?);
    }
    Ok(rows)
}
