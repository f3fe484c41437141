//! Times the cases `cloud` and `splats`: Gaussian splats from projection to picture, at several tile sizes and dials.

use super::cloud::{Cloud, Peer};
use super::scenes;
use super::scenes::SceneJob;
use super::splats::STOP;
use crate::error::{Error, Result};
use crate::gpu::{Gpu, Pipelines};
use crate::input::Disk;
use crate::methods::{Composite, Specialization};
use crate::model::methods::Method;
use crate::model::options::{Dial, Options, Precision};
use crate::model::scene;
use crate::model::settings::{Purpose, Settings, default_settings};
use crate::report::bench::record::{CLOUD_PASSES, Row, Work, frame_passes};
use crate::runs::capture::Capture;
use crate::runs::{Set, Timer};
use crate::timing::Timed;

/// Edges of tiles in pixels.
const TILES: [u32; 2] = [8, 16];

pub fn of_cloud(
    gpu: &Gpu,
    pipelines: &Pipelines,
    timer: &mut Timer,
    peer: &Peer,
    precision: Precision,
    work: &Work,
) -> Result<Vec<Row>> {
    let options = Options::default().with_frame(|frame| frame.precision = precision);
    let mut rows = Vec::new();
    for tile in TILES {
        let cloud = Cloud::new(gpu, pipelines, peer.spec, precision, tile)?;
        let composites = runners(options)
            .into_iter()
            .map(|runner| cloud.composite(gpu, pipelines, runner))
            .collect::<Result<Vec<_>>>()?;
        let facts = facts(&cloud, peer);
        let set = cloud.set(&composites);
        rows.extend(rows_of(timer, &set, &composites, (tile, work), &facts)?);
    }
    Ok(rows)
}

/// A row for each composite of a set, with tiles of `tile` pixels. Samples are sums over the passes.
fn rows_of(
    timer: &mut Timer,
    set: &Set,
    composites: &[Composite],
    (tile, work): (u32, &Work),
    facts: &[(String, f64)],
) -> Result<Vec<Row>> {
    let times = timer.gpu.finish(timer.time_with_pilots(set))?;
    let row = |(composite, timed): (&Composite, &Timed)| {
        let of = &composite.specialization;
        let name = format!("{} tile {tile}", of.label());
        let row = Row::new(work.clone(), Some(of.method), name).timed(timed, &times);
        let passes = frame_passes(&times, timed, &CLOUD_PASSES);
        // A pass that took no longer than an empty submission has no time in that round.
        let sum = |round: usize| {
            let of_round = passes.iter().filter_map(|pass| pass.samples.get(round));
            of_round.sum()
        };
        Row {
            samples: (0..row.samples.len()).map(sum).collect(),
            facts: facts.to_vec(),
            passes,
            ..row
        }
    };
    Ok(composites.iter().zip(&times.subjects).map(row).collect())
}

/// Methods and dials for clouds, with one or several pixels per thread.
fn runners(options: Options) -> [Specialization; 3] {
    let dials = [Dial::Threads(1), Dial::Pixels(2), Dial::Pixels(4)];
    dials.map(|dial| options.at(dial).specialize(Method::PixelLoopStaged))
}

/// Sizes of the lists, and the times of other renderers for the same cloud, in µs.
fn facts(cloud: &Cloud, peer: &Peer) -> Vec<(String, f64)> {
    let tiles = f64::from(cloud.frame.tiles());
    vec![
        ("list entries".to_owned(), cloud.counters.entries.into()),
        (
            "mean list".to_owned(),
            f64::from(cloud.counters.entries) / tiles,
        ),
        ("gsplat kernels, µs".to_owned(), peer.gsplat * 1e3),
        ("HiGS kernels, µs".to_owned(), peer.higs * 1e3),
    ]
}

pub fn check(name: &str) -> Result<()> {
    if scene::load(name, &Disk)?.placed_splats.count() > 0 {
        return Ok(());
    }
    Err(Error::usage(format!(
        "{name} has no Gaussians to time; name a splat file, or a scene with one"
    )))
}

/// Times the splats with tiles of 8 and 16 pixels and with one, two and four pixels per thread. A CPU adapter gets one
/// of these combinations. A pixel stops at the transmittance at which splat rasterisers stop. A row's samples are sums
/// over the passes.
pub fn of_file(
    gpu: &Gpu,
    pipelines: &Pipelines,
    timer: &mut Timer,
    job: &SceneJob,
    precision: Precision,
    work: &Work,
) -> Result<Vec<Row>> {
    let defaults = default_settings(&job.name, &Disk, &gpu.caps, Purpose::Capture)?;
    let scene = scene::load(&job.name, &Disk)?;
    let tiles: &[u32] = if gpu.caps.is_cpu { &[8] } else { &TILES };
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
        let (set, facts) = (capture.set(&composites), scenes::facts(&capture));
        rows.extend(rows_of(timer, &set, &composites, (tile, work), &facts)?);
    }
    Ok(rows)
}
