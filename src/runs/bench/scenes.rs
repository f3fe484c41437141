//! Scenes end to end: every method on the same lists of a frame, and the frame's passes.

use super::errors;
use super::runners::{Candidates, by_rule, runner_name, settled};
use super::sweep::Plan;
use crate::error::Result;
use crate::gpu::{Gpu, Pipelines};
use crate::input::Disk;
use crate::methods::{BenchAxes, Composite, Specialization, auto, kernel_of};
use crate::model::methods::Method;
use crate::model::options::{FrameOptions, ListOrder};
use crate::model::passes::{Inputs, Pass};
use crate::model::settings::{Purpose, Settings, default_settings};
use crate::model::{Capabilities, scene};
use crate::report::bench::record::{Row, Work, frame_passes};
use crate::report::errors::{Linear, shown};
use crate::runs::Timer;
use crate::runs::capture::Capture;

/// A method is not timed further if its first composite takes more milliseconds than this.
const LONGEST: f64 = 200.0;

/// Values of `--weight-scale` tried for the best `weighted` in a scene.
const WEIGHT_SCALES: [f32; 9] = [0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0];

#[derive(Clone, Debug, PartialEq)]
pub struct SceneJob {
    /// Name of the scene, or path of its file.
    pub name: String,
    /// Frame size in pixels. `None` for the adapter's default size.
    pub size: Option<[u32; 2]>,
    pub tile: Option<u32>,
    /// Bits of the depth keys of `coarse`, and age of the keys in frames. `None` for the defaults.
    pub keys: Option<[u32; 2]>,
    /// Order of the lists that approximate methods read.
    pub order: ListOrder,
    /// Methods to time. If any is approximate, the errors of all are measured.
    pub methods: Vec<Method>,
    /// True to run approximate methods at several values of their options.
    pub approximations: bool,
}

/// Times methods on a scene, with the dials of `plan`. `before` contains the rows of earlier sittings.
pub fn run(
    gpu: &Gpu,
    pipelines: &Pipelines,
    timer: &mut Timer,
    job: &SceneJob,
    plan: &Plan,
    before: &[Row],
) -> Result<Vec<Row>> {
    let defaults = default_settings(&job.name, &Disk, &gpu.caps, Purpose::Capture)?;
    let mut settings = Settings {
        size: job.size.unwrap_or(defaults.size),
        options: defaults.options.with_frame(|frame| {
            frame.auto_tile = job.tile.is_none();
            frame.tile = job.tile.unwrap_or(defaults.options.frame.tile);
            frame.precision = plan.options.frame.precision;
            frame.fog = plan.options.frame.fog;
            frame.order = job.order;
            if let Some(keys) = job.keys {
                [frame.key_bits, frame.order_age] = keys;
            }
        }),
        ..defaults
    };
    settings.options = settings.settled(settings.options);
    let scene = scene::load(&job.name, &Disk)?;
    let tells = job.methods.iter().any(|of| !of.is_exact());
    let exact: &[Method] = if tells { &[Method::PixelLoop] } else { &[] };
    let needed = [&*job.methods, exact].concat();
    let mut capture = Capture::expecting(gpu, pipelines, &scene, settings, &needed)?;
    let work = Work::Scene {
        name: capture.settings.scene_name(),
        size: capture.settings.size,
        tile: capture.settings.options.frame.tile,
        fog: capture.settings.options.frame.fog,
    };
    let row = |composite: &Composite| {
        let specialization = &composite.specialization;
        let name = runner_name(specialization);
        Row::new(work.clone(), Some(specialization.method), name)
    };
    let mut rows = Vec::new();
    let (mut hopeful, mut pilots, mut slow) = (Vec::new(), Vec::new(), Vec::new());
    let mut runners = runners(job, plan, &gpu.caps, &capture.settings);
    let weighted = runners.iter().rposition(|of| of.method == Method::Weighted);
    if let Some(last) = weighted.filter(|_| job.approximations) {
        match best_weighted(&mut capture) {
            Ok(best) if !runners.contains(&best) => runners.insert(last + 1, best),
            Err(error) if gpu.is_lost() => return Err(error),
            // Other rows give the reason why `weighted` cannot be made.
            _ => {}
        }
    }
    for &asked in &runners {
        let made = fastest(gpu, timer, &capture, asked, (before, &work));
        let made = made.and_then(|composite| {
            let pilot = gpu.finish(timer.pilot(&capture.frame.subject(&composite)))?;
            Ok((composite, pilot))
        });
        match made {
            Err(error) if gpu.is_lost() => return Err(error),
            Err(error) => rows.push(Row {
                skipped: Some(error.message),
                ..Row::new(work.clone(), Some(asked.method), runner_name(&asked))
            }),
            Ok((composite, pilot)) if pilot > LONGEST => slow.push((composite, pilot)),
            Ok((composite, pilot)) => {
                hopeful.push(composite);
                pilots.push(pilot);
            }
        }
    }
    // Pictures are the same in every sitting, so errors are measured only once.
    let is_told = |composite: &Composite| {
        let name = runner_name(&composite.specialization);
        let mut before = before.iter().filter(|row| row.work == work);
        before.any(|row| row.runner == name && row.errors.is_some())
    };
    let made = hopeful.iter().chain(slow.iter().map(|of| &of.0));
    let untold = made.filter(|of| tells && !is_told(of));
    let untold: Vec<&Composite> = untold.collect();
    let mut errors = errors::of(gpu, pipelines, &scene, &mut capture, &untold)?.into_iter();
    let mut with_errors = |composite: &Composite| {
        let of = &composite.specialization;
        let tells_now = tells && !is_told(composite);
        Row {
            errors: tells_now.then(|| errors.next()).flatten(),
            list_bytes: tells.then(|| capture.list_bytes(composite.inputs, composite.bytes())),
            pixel_bytes: kernel_of(of.runs).pixel_bytes(of).filter(|_| tells),
            ..row(composite)
        }
    };
    // The rule's choice for `auto` is timed in the same rounds, as the last subject.
    let count = hopeful.len();
    let asked_auto = runners.iter().find(|of| of.method == Method::Auto);
    let rule = asked_auto.and_then(|asked| capture.composite_of(*asked).ok());
    if let Some(rule) = rule.filter(|_| hopeful.iter().any(is_auto)) {
        pilots.push(gpu.finish(timer.pilot(&capture.frame.subject(&rule)))?);
        hopeful.push(rule);
    }
    let times = gpu.finish(timer.time(&capture.set(&hopeful), &pilots))?;
    let unchanged = capture.frame.unchanged_passes();
    let unchanged: Vec<String> = unchanged.iter().map(|of| of.label().to_owned()).collect();
    for (composite, timed) in hopeful[..count].iter().zip(&times.subjects) {
        let rule = hopeful.get(count).zip(times.subjects.get(count));
        let rule = rule.filter(|_| is_auto(composite));
        let rule_time = rule.and_then(|(rule, timed)| by_rule(&rule.specialization, timed));
        let passes = Pass::ALL.into_iter();
        let passes = passes.filter(|pass| is_of(*pass, composite.inputs));
        rows.push(Row {
            passes: frame_passes(&times, timed, &passes.collect::<Vec<_>>()),
            unchanged: unchanged.clone(),
            facts: facts(&capture).into_iter().chain(rule_time).collect(),
            ..with_errors(composite).timed(timed, &times)
        });
    }
    for (composite, pilot) in &slow {
        rows.push(Row {
            skipped: Some(format!("its first composite took {pilot:.0} ms")),
            ..with_errors(composite)
        });
    }
    Ok(rows)
}

/// The method `weighted` at the depth scale with the smallest error in this frame.
fn best_weighted(capture: &mut Capture) -> Result<Specialization> {
    let options = capture.settings.options;
    let backgrounds = capture.backgrounds()?;
    let mut composite = |of: Specialization| {
        let composite = capture.composite_as(of)?;
        Ok(capture.picture_by(of.method, &composite)?.composite)
    };
    let exact = composite(options.exact())?;
    let mut best = (f64::INFINITY, options.specialize(Method::Weighted));
    for scale in WEIGHT_SCALES {
        let of = options.with_method(|own| own.weighted.weight_scale = scale);
        let of = of.specialize(Method::Weighted);
        let shown = shown(&exact, &composite(of)?, &backgrounds)?;
        let error = Linear::of_picture(&shown, options.frame.tile)?.rmse;
        if error < best.0 {
            best = (error, of);
        }
    }
    Ok(best.1)
}

/// True for `auto` as requested, without early-out.
fn is_auto(composite: &Composite) -> bool {
    let of = &composite.specialization;
    of.method == Method::Auto && of.options.frame.early_out == 0.0
}

/// True if a frame has this pass when its composite needs only `inputs`.
fn is_of(pass: Pass, inputs: Inputs) -> bool {
    let of = |inputs: Inputs| inputs.passes().any(|of| of == pass);
    of(inputs) || !of(Inputs::ALL)
}

/// Composite of a method. For `auto`, that of the fastest candidate, or of an earlier sitting's choice.
fn fastest(
    gpu: &Gpu,
    timer: &mut Timer,
    capture: &Capture,
    asked: Specialization,
    (before, work): (&[Row], &Work),
) -> Result<Composite> {
    if asked.method != Method::Auto {
        return capture.composite_as(asked);
    }
    let all = auto::candidates(&gpu.caps, asked, &capture.facts());
    if let Some(settled) = settled(&all, before, work) {
        return capture.composite_as(settled);
    }
    let candidates = Candidates::new(gpu, &all, |candidate| {
        let composite = capture.composite_as(candidate)?;
        let pilot = gpu.finish(timer.pilot(&capture.frame.subject(&composite)))?;
        Ok((pilot <= LONGEST).then_some((composite, pilot)))
    })?;
    let fastest = candidates.fastest(timer, &capture.set(&candidates.made))?;
    capture.composite_as(fastest)
}

fn runners(
    job: &SceneJob,
    plan: &Plan,
    caps: &Capabilities,
    settings: &Settings,
) -> Vec<Specialization> {
    let axes = BenchAxes {
        dials: &plan.dials,
        approximations: job.approximations,
        ..BenchAxes::default()
    };
    let mut runners = Vec::new();
    for &method in &job.methods {
        let of = settings.options.specialize(method);
        let options = kernel_of(method).timed_at(&of, &axes, caps);
        runners.extend(options.iter().map(|options| options.specialize(method)));
    }
    if job.approximations && job.methods.contains(&Method::Auto) {
        // The threshold is the same as in a row of `coarse`.
        let early = |frame: &mut FrameOptions| frame.early_out = 1.0 / 255.0;
        runners.push(settings.options.with_frame(early).specialize(Method::Auto));
    }
    runners
}

pub(super) fn facts(capture: &Capture) -> Vec<(String, f64)> {
    let counters = &capture.counters;
    vec![
        ("visible".to_owned(), counters.visible.into()),
        ("list entries".to_owned(), counters.entries.into()),
        ("mean list".to_owned(), capture.mean_list()),
        ("longest list".to_owned(), counters.longest_list.into()),
    ]
}
