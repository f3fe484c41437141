//! Scenes end to end: every method on the same lists of a frame, and the frame's passes.

use super::record::{PassSamples, Row, Work};
use super::sweep::{Plan, runner_name};
use super::timer::Rounds;
use super::warmth::Warmth;
use crate::auto::Rule;
use crate::capture::{Capture, Times};
use crate::error::Result;
use crate::gpu::{Capabilities, Gpu, Pipelines};
use crate::methods::{DialKind, Specialization};
use crate::render::{Composite, passes};
use crate::scene;
use crate::settings::{Purpose, Settings, default_settings};

/// A composite that took longer in its first round, µs, is left out of the others.
const LONGEST: f64 = 200e3;
/// Rounds of a scene should not take longer than this, µs, unless there would be fewer than five.
const LONGEST_SCENE: f64 = 6e6;

/// A scene at a size; without one at the adapter's default.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneJob {
    /// Its name, or the path of its file.
    pub name: String,
    /// Pixels in x and y.
    pub size: Option<[u32; 2]>,
}

/// Times all methods of `plan` on a scene.
///
/// # Errors
/// No such scene (exit code 2), the device failed (1).
pub fn run(
    gpu: &Gpu,
    pipelines: &Pipelines,
    job: &SceneJob,
    plan: &Plan,
    rounds: Rounds,
    rule: &Rule,
) -> Result<Vec<Row>> {
    let defaults = default_settings(&job.name, &gpu.caps, Purpose::Capture)?;
    let settings = Settings {
        size: job.size.unwrap_or(defaults.size),
        tile: plan.tile,
        ..defaults
    };
    let mut capture = Capture::new(gpu, pipelines, &scene::load(&job.name)?, settings)?;
    capture.rule = rule.clone();
    let mut composites = runners(plan, &gpu.caps, &capture.settings)
        .into_iter()
        .map(|asked| {
            let composite = capture.composite_of(asked)?;
            Ok((runner_name(&composite.specialization), composite))
        })
        .collect::<Result<Vec<_>>>()?;
    let mut warmth = Warmth::new(&gpu.caps);
    let first = loop {
        warmth.begin();
        let times = capture.times_of(&composites, 0, 1)?;
        let passes = times.passes.iter().map(|pass| &pass.1);
        warmth.add(times.methods.iter().chain(passes).flatten().copied());
        if !warmth.is_cold(rounds) {
            break times;
        }
    };
    let pilot = |index: usize| first.methods[index].first().map_or(0.0, |ms| ms * 1e3);
    let work = Work::Scene {
        name: capture.settings.scene_name(),
        size: capture.settings.size,
    };
    let row = |name: &str, composite: &Composite| {
        let method = Some(composite.specialization.method);
        Row::new(work.clone(), method, name.to_owned())
    };
    let mut rows = Vec::new();
    let mut index = 0;
    composites.retain(|(name, composite)| {
        let time = pilot(index);
        index += 1;
        if time > LONGEST {
            let reason = format!("its first composite took {:.0} ms", time * 1e-3);
            rows.push(Row {
                skipped: Some(reason),
                ..row(name, composite)
            });
        }
        time <= LONGEST
    });
    let round: f64 = (0..first.methods.len())
        .map(pilot)
        .filter(|t| *t <= LONGEST)
        .sum();
    let counted = rounds
        .counted
        .min(((LONGEST_SCENE / round.max(1.0)) as u32).max(5));
    let times = capture.times_of(&composites, rounds.warm_up as usize, counted as usize)?;
    let facts = facts(&capture);
    for (index, (name, composite)) in composites.iter().enumerate() {
        rows.push(Row {
            dispatches: 1,
            samples: microseconds(&times.methods[index]),
            passes: frame_passes(&times, index),
            facts: facts.clone(),
            ..row(name, composite)
        });
    }
    Ok(rows)
}

/// The methods with the dials that scenes are timed at.
fn runners(plan: &Plan, caps: &Capabilities, settings: &Settings) -> Vec<Specialization> {
    let mut runners = Vec::new();
    for &method in &plan.methods {
        let plain = settings.specialization(method);
        match method.entry().dial {
            kind @ (DialKind::PixelsPerThread | DialKind::ThreadsPerPixel) => {
                let own = plan.dials.iter().filter(|dial| dial.is_of(kind, caps));
                runners.extend(own.map(|&dial| Specialization { dial, ..plain }));
            }
            _ => runners.push(plain),
        }
    }
    runners
}

fn microseconds(milliseconds: &[f64]) -> Vec<f64> {
    milliseconds.iter().map(|ms| ms * 1e3).collect()
}

/// The passes of a frame with method `index`, in their order.
fn frame_passes(times: &Times, index: usize) -> Vec<PassSamples> {
    let mut all = Vec::new();
    for label in passes::ALL {
        let samples = match label == passes::COMPOSITE {
            true => Some(&times.methods[index]),
            false => times
                .passes
                .iter()
                .find(|pass| pass.0 == label)
                .map(|pass| &pass.1),
        };
        all.extend(samples.map(|samples| PassSamples {
            label: label.to_owned(),
            samples: microseconds(samples),
        }));
    }
    all
}

/// What the frame's lists came to.
fn facts(capture: &Capture) -> Vec<(String, f64)> {
    let counters = &capture.counters;
    vec![
        ("visible".to_owned(), counters.visible.into()),
        ("list entries".to_owned(), counters.entries.into()),
        ("mean list".to_owned(), capture.mean_list()),
        ("longest list".to_owned(), counters.longest_list.into()),
    ]
}
