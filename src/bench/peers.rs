//! The cases `cloud` and `sort`, timed: whole pipelines of several passes.

use super::cloud::{Cloud, LABELS, Peer};
use super::record::{Row, Work, frame_passes};
use super::sort::SortCase;
use crate::error::Result;
use crate::gpu::{Gpu, Pipelines};
use crate::methods::{Dial, Knobs, Method, Specialization};
use crate::render::passes;
use crate::timing::{Set, Subject, Timer};

/// Pairs that are sorted, and the bits of their keys.
pub const SORTS: [(u32, u32); 3] = [(1 << 20, 32), (1_000_000, 27), (4_000_000, 27)];
/// Tiles that clouds are composited in.
const TILES: [u32; 2] = [8, 16];

/// The case's name: splats, standard deviation in pixels, opacity.
pub fn cloud_name(peer: &Peer) -> String {
    format!("cloud {} {} {}", peer.splats, peer.sigma, peer.opacity)
}

/// Times a cloud, whole and by pass, with several tiles and dials; the samples are of the whole.
///
/// # Errors
/// It is larger than the adapter allows (exit code 2), a shader or the device failed (1).
pub fn cloud_rows(
    gpu: &Gpu,
    pipelines: &Pipelines,
    timer: &mut Timer,
    peer: &Peer,
) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for tile in TILES {
        let cloud = Cloud::new(gpu, pipelines, peer.spec(), tile)?;
        let composites = runners()
            .into_iter()
            .map(|runner| cloud.composite(gpu, pipelines, runner))
            .collect::<Result<Vec<_>>>()?;
        let set = cloud.set(gpu, &composites);
        let pilots = timer.pilots(&set.subjects)?;
        let times = timer.time(&set, &pilots)?;
        for (composite, timed) in composites.iter().zip(&times.subjects) {
            let name = format!("{} tile {tile}", composite.specialization.label());
            let work = Work::Case {
                name: cloud_name(peer),
            };
            let method = Some(composite.specialization.method);
            let passes = frame_passes(&times, timed, &LABELS);
            let whole = |round: usize| passes.iter().map(|pass| pass.samples[round]).sum();
            rows.push(Row {
                samples: (0..timed.samples.len()).map(whole).collect(),
                facts: facts(&cloud, peer),
                passes,
                ..Row::new(work, method, name).timed(timed, &times)
            });
        }
    }
    Ok(rows)
}

/// What composites clouds: threads for one pixel or several.
fn runners() -> Vec<Specialization> {
    let dials = [Dial::Threads(1), Dial::Pixels(2), Dial::Pixels(4)];
    dials
        .map(|dial| {
            let knobs = Knobs {
                dial,
                ..Knobs::default()
            };
            knobs.specialize(Method::PixelLoopStaged)
        })
        .to_vec()
}

/// What the lists came to, and what the peers took, µs.
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

/// Times a sort of random pairs, after checking its result.
///
/// # Errors
/// More than the adapter's buffers hold (exit code 2); the result is wrong, a shader or the device
/// failed (1).
pub fn sort_rows(
    gpu: &Gpu,
    pipelines: &Pipelines,
    timer: &mut Timer,
    (pairs, bits): (u32, u32),
) -> Result<Vec<Row>> {
    let case = SortCase::new(gpu, pipelines, pairs, bits)?;
    let sort = Subject::new(|recorder, times| {
        (0..times).try_for_each(|_| {
            case.reset(&mut recorder.encoder);
            recorder.compute(passes::SORT, |pass| case.record(gpu, pass))
        })
    });
    let pilot = timer.pilot(&sort)?;
    case.check(gpu)?;
    let set = Set {
        subjects: vec![sort],
        frame: None,
    };
    let times = timer.time(&set, &[pilot])?;
    let work = Work::Case {
        name: format!("sort {pairs} pairs by {bits} bits"),
    };
    let row = Row {
        facts: vec![("passes over the pairs".to_owned(), case.passes() as f64)],
        ..Row::new(work, None, "radix sort".to_owned())
    };
    let timed = times.subjects.iter();
    Ok(timed
        .map(|timed| row.clone().timed(timed, &times))
        .collect())
}
