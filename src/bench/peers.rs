//! The cases `cloud` and `sort`, timed: whole pipelines of several passes.

use super::cloud::{Cloud, Peer};
use super::record::{PassSamples, Row, Work};
use super::sort::SortCase;
use super::timer::{Rounds, Subject, Timer};
use super::warmth::Warmth;
use crate::error::Result;
use crate::gpu::{Gpu, Pipelines, Profiler, Recorder, finish_frame};
use crate::methods::{Dial, Method, Specialization};
use crate::render::{Composite, passes};

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
    peer: &Peer,
    rounds: Rounds,
) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for tile in TILES {
        let cloud = Cloud::new(gpu, pipelines, peer.spec(), tile)?;
        let composites = runners()
            .into_iter()
            .map(|runner| {
                let composite = cloud.composite(gpu, pipelines, runner)?;
                Ok((format!("{} tile {tile}", runner.label()), composite))
            })
            .collect::<Result<Vec<_>>>()?;
        rows.extend(timed_cloud(gpu, &cloud, &composites, peer, rounds)?);
    }
    Ok(rows)
}

/// What composites clouds: threads for one pixel or several.
fn runners() -> Vec<Specialization> {
    let dials = [Dial::Threads(1), Dial::Pixels(2), Dial::Pixels(4)];
    dials
        .map(|dial| Specialization {
            dial,
            ..Specialization::new(Method::PixelLoopStaged)
        })
        .to_vec()
}

fn timed_cloud(
    gpu: &Gpu,
    cloud: &Cloud,
    composites: &[(String, Composite)],
    peer: &Peer,
    rounds: Rounds,
) -> Result<Vec<Row>> {
    let lists = [passes::PROJECT, passes::SORT, passes::LISTS];
    let mut list_times = vec![Vec::new(); lists.len()];
    let mut times = vec![Vec::new(); composites.len()];
    let mut profiler = Profiler::timed(gpu)?;
    let (mut warmth, mut warm, mut counted) = (Warmth::new(&gpu.caps), 0, 0);
    let mut at_once = 1;
    while counted < rounds.counted {
        let is_cold = warm < rounds.warm_up || warmth.is_cold(rounds);
        let mut recorder = Recorder::new(gpu, &mut profiler, "cloud");
        for _ in 0..if is_cold { at_once } else { 1 } {
            cloud.frame.record_lists(gpu, &mut recorder)?;
            for (label, composite) in composites {
                let target = &cloud.frame.target;
                cloud
                    .frame
                    .record_composite(gpu, &mut recorder, composite, target, label)?;
            }
        }
        warmth.begin();
        gpu.submit_and_wait(recorder.finish())?;
        let measured = finish_frame(gpu, &mut profiler)?;
        warmth.add(measured.iter().map(|pass| pass.1));
        if is_cold {
            warm += 1;
            let took: f64 = measured.iter().map(|pass| pass.1).sum();
            at_once = Warmth::at_once(took / f64::from(at_once));
            continue;
        }
        counted += 1;
        for (label, time) in measured {
            if let Some(index) = lists.iter().position(|name| *name == label) {
                list_times[index].push(time * 1e3);
            } else if let Some(index) = composites.iter().position(|of| of.0 == label) {
                times[index].push(time * 1e3);
            }
        }
    }
    let rows = composites.iter().zip(times);
    Ok(rows
        .map(|((name, composite), times)| {
            let stages = list_times.iter().chain([&times]);
            let labels = lists.iter().chain([&passes::COMPOSITE]);
            let passes: Vec<PassSamples> = labels
                .zip(stages)
                .map(|(label, samples)| PassSamples {
                    label: (*label).to_owned(),
                    samples: samples.clone(),
                })
                .collect();
            let whole = |round: usize| passes.iter().map(|pass| pass.samples[round]).sum();
            let work = Work::Case {
                name: cloud_name(peer),
            };
            let method = Some(composite.specialization.method);
            Row {
                dispatches: 1,
                samples: (0..times.len()).map(whole).collect(),
                passes,
                facts: facts(cloud, peer),
                ..Row::new(work, method, name.clone())
            }
        })
        .collect())
}

/// What the lists came to, and what the peer took, µs.
fn facts(cloud: &Cloud, peer: &Peer) -> Vec<(String, f64)> {
    let tiles = f64::from(cloud.frame.tiles());
    vec![
        ("list entries".to_owned(), cloud.counters.entries.into()),
        (
            "mean list".to_owned(),
            f64::from(cloud.counters.entries) / tiles,
        ),
        ("gsplat whole, µs".to_owned(), peer.whole * 1e3),
        ("gsplat list entries".to_owned(), peer.entries),
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
    let subject = Subject {
        slow: 1.0,
        record: Box::new(|recorder, repeats, prefix| {
            (0..repeats).try_for_each(|_| {
                case.reset(&mut recorder.encoder);
                recorder.compute(&format!("{prefix}sort"), |pass| case.record(gpu, pass))
            })
        }),
    };
    let pilot = timer.pilot(&subject)?;
    case.check(gpu)?;
    let timed = timer.time(std::slice::from_ref(&subject), &[pilot])?;
    let timed = timed.into_iter().next().unwrap_or_default();
    let work = Work::Case {
        name: format!("sort {pairs} pairs by {bits} bits"),
    };
    Ok(vec![timed.into_row(Row {
        facts: vec![("passes over the pairs".to_owned(), case.passes() as f64)],
        ..Row::new(work, None, "radix sort".to_owned())
    })])
}
