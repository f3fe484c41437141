//! A comparison set: one frame by several methods as pictures, differences, a sheet and a report.
//! `wavelerp capture` writes it, and so does the window, on a thread of its own.

use std::path::PathBuf;

use super::trace;
use super::{Capture, MethodPicture};
use crate::auto::Rule;
use crate::compare::canvas::Canvas;
use crate::compare::heat::{self, HeatCaption};
use crate::compare::layout::{grouped, three_digits};
use crate::compare::metrics::Metrics;
use crate::compare::report::{FrameReport, MethodReport, PassReport, Report, fill_ratios, timing};
use crate::compare::sheet::{ContactSheet, SheetCell};
use crate::compare::{exr_file, markdown, png_file};
use crate::error::{Error, Result};
use crate::gpu::provenance::Provenance;
use crate::gpu::shader::ShaderSource;
use crate::gpu::{AdapterRequest, Capabilities, Clock, Gpu, Pipelines, clock};
use crate::methods::Method;
use crate::progress::{Listener, Progress};
use crate::render::passes;
use crate::scene::Scene;
use crate::settings::Settings;
use crate::timing::{Times, is_plausible, not_settled};
use crate::verify::self_test::{MethodStatus, choose, self_test};
use crate::writing::folder::{Kind, Output};

/// The files of a comparison set.
pub const SET: Kind = Kind {
    parent: "screenshots/local",
    record: "report.json",
    belongs,
};

fn belongs(name: &str) -> bool {
    if ["sheet.png", "report.json", "report.md"].contains(&name) {
        return true;
    }
    let picture = name.strip_suffix(".png").or(name.strip_suffix(".exr"));
    let method = picture.map(|name| name.strip_prefix("diff_").unwrap_or(name));
    method.is_some_and(|name| Method::by_name(name).is_ok())
}

/// What a comparison set shows.
pub struct SetRequest {
    /// The scene that the settings name.
    pub scene: Scene,
    /// Size, moment, camera and dials.
    pub settings: Settings,
    /// Method that all others are compared with.
    pub reference: Method,
    /// Methods to show, in order.
    pub methods: Vec<Method>,
    /// Whether the float composites are written too, as OpenEXR.
    pub exr: bool,
    /// The rule by which `auto` chooses.
    pub rule: Rule,
    /// Whether one frame by each method is traced.
    pub traced: bool,
    /// The folder of the shaders, for the command that makes a picture again.
    pub shaders_folder: Option<PathBuf>,
}

/// Everything drawn and measured, before it becomes files. Nothing in it names a folder.
pub struct ComparisonSet {
    settings: Settings,
    shaders: Provenance,
    exr: bool,
    reference: MethodPicture,
    pictures: Vec<(MethodPicture, Metrics)>,
    report: Report,
    trace: Option<serde_json::Value>,
}

/// Draws a comparison set on a device of its own, writes its files and returns their paths. It waits for the GPU
/// and shares nothing with a window, so it can run on another thread. `progress` is told each step.
///
/// # Errors
/// There is no such adapter, or a method cannot run on it; a usage error for sizes beyond the adapter or a folder
/// that cannot be written; the error with which `progress` ends the work; otherwise the device failed. In all cases
/// nothing is written.
pub fn comparison_set(
    adapter: &AdapterRequest,
    shaders: ShaderSource,
    wanted: &SetRequest,
    mut output: Output,
    progress: Listener,
) -> Result<Vec<PathBuf>> {
    let gpu = Gpu::open(adapter)?;
    let pipelines = Pipelines::new(shaders);
    let methods = wanted.methods.iter().chain([&wanted.reference]);
    let methods: Vec<Method> = methods.copied().collect();
    let statuses = self_test(&gpu, &pipelines, &methods)?;
    let names: Vec<String> = methods.iter().map(ToString::to_string).collect();
    choose(&names, &statuses)?;
    let set = ComparisonSet::make(&gpu, &pipelines, wanted, &statuses, None, progress)?;
    progress(Progress::step("writing", 1, 1))?;
    output.write(&set.files()?)
}

impl ComparisonSet {
    /// Draws, compares and times the methods. The report lists those methods of `statuses` that are unavailable,
    /// and its first note is `notice`.
    ///
    /// # Errors
    /// A usage error if there is no such camera or the size is beyond the adapter; otherwise the device failed.
    pub fn make(
        gpu: &Gpu,
        pipelines: &Pipelines,
        wanted: &SetRequest,
        statuses: &[MethodStatus],
        notice: Option<String>,
        progress: Listener,
    ) -> Result<Self> {
        let (settings, methods) = (wanted.settings.published(), &wanted.methods);
        // The scene, each method, times.
        let all = methods.len() + 2;
        progress(Progress::step(
            format!("drawing {}", settings.scene),
            0,
            all,
        ))?;
        let mut capture = Capture::new(gpu, pipelines, &wanted.scene, settings.clone())?;
        capture.rule = wanted.rule.clone();
        let reference = capture.picture(wanted.reference)?;
        let mut pictures = Vec::new();
        for (index, &method) in methods.iter().enumerate() {
            let next = format!("compositing by {method}");
            progress(Progress::step(next, index + 1, all))?;
            let picture = capture.picture(method)?;
            let metrics = Metrics::between(&reference.composite, &picture.composite)
                .map_err(|error| Error::failed(error.to_string()))?;
            pictures.push((picture, metrics));
        }
        progress(Progress::step("timing", all - 1, all))?;
        let times = capture.times(methods)?;
        let trace = if wanted.traced {
            Some(trace::of_methods(&capture, methods)?)
        } else {
            None
        };
        let clock = clock(gpu)?;
        // After all is drawn: a file that did not work is not in use.
        let shaders = Provenance::of(&pipelines.source(), wanted.shaders_folder.as_deref());
        let mut settings_rows = settings.facts();
        settings_rows.push(("shaders".to_owned(), shaders.to_string()));
        let report = Report {
            settings: to_value(&settings)?,
            shaders: shaders.digest.clone(),
            adapter: to_value(&gpu.caps)?,
            clock: to_value(clock)?,
            settings_rows,
            conditions: conditions(&times),
            adapter_rows: adapter_rows(&gpu.caps, clock, &gpu_clock(gpu, &times)),
            reference: wanted.reference.name().to_owned(),
            frame: frame_report(&capture, &pictures)?,
            methods: method_reports(&pictures, &times, statuses),
            passes: pass_reports(&capture, &times),
            notes: choice_note(&capture, methods)
                .into_iter()
                .chain(unchanged_note(&capture))
                .chain(notes(gpu, &pictures, &times, notice))
                .collect(),
        };
        Ok(Self {
            settings,
            shaders,
            exr: wanted.exr,
            reference,
            pictures,
            report,
            trace,
        })
    }

    /// The GPU times of the frames as a Chrome trace; `None` unless it was asked for.
    pub fn trace(&self) -> Option<&serde_json::Value> {
        self.trace.as_ref()
    }

    /// The numbers.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The names and bytes of all files.
    ///
    /// # Errors
    /// A picture cannot be encoded, which is a bug.
    pub fn files(&self) -> Result<Vec<(String, Vec<u8>)>> {
        let mut files = Vec::new();
        let mut cells = Vec::new();
        for (picture, metrics) in &self.pictures {
            let name = picture.method.name();
            let metadata = self.metadata(&[picture.method]);
            let difference = heat::difference(&self.reference.composite, &picture.composite)
                .map_err(|error| Error::failed(error.to_string()))?;
            let caption = HeatCaption {
                method: name,
                reference: self.reference.method.name(),
                metrics,
            };
            let page = heat::page(&difference, caption)
                .map_err(|error| Error::failed(error.to_string()))?;
            files.push((format!("{name}.png"), png(&picture.resolved, &metadata)?));
            files.push((format!("diff_{name}.png"), png(&page, &metadata)?));
            if self.exr {
                let shaders = &self.shaders;
                let comment = format!(
                    "{}{}; shaders {}",
                    self.settings.flags(),
                    shaders.flag(),
                    shaders.digest
                );
                let exr = exr_file::encode_exr(&picture.composite, &comment)
                    .map_err(|error| Error::failed(error.to_string()))?;
                files.push((format!("{name}.exr"), exr));
            }
            cells.push(SheetCell {
                label: name.to_owned(),
                note_lines: self.note_lines(picture, metrics),
                picture: picture.resolved.clone(),
                difference,
            });
        }
        files.push(("sheet.png".to_owned(), self.sheet(cells)?));
        let json = self
            .report
            .to_json()
            .map_err(|error| Error::failed(format!("JSON: {error}")))?;
        files.push(("report.json".to_owned(), json.into_bytes()));
        let markdown = markdown::report(&self.report).into_bytes();
        files.push(("report.md".to_owned(), markdown));
        Ok(files)
    }

    /// The settings as text metadata, with the command that makes the picture again.
    fn metadata(&self, methods: &[Method]) -> Vec<(String, String)> {
        let reference = self.reference.method;
        self.settings
            .metadata(methods, Some(reference), &self.shaders)
    }

    fn note_lines(&self, picture: &MethodPicture, metrics: &Metrics) -> Vec<String> {
        let mut wave = picture
            .wave_size
            .map_or("no waves".to_owned(), |size| format!("wave {size}"));
        if picture.method == self.reference.method {
            wave += " · the reference";
        }
        let max_abs = three_digits(metrics.max_abs);
        let nan_count = grouped(metrics.nan_count);
        vec![wave, format!("max abs {max_abs} · {nan_count} NaN")]
    }

    fn sheet(&self, cells: Vec<SheetCell>) -> Result<Vec<u8>> {
        let mut facts = self.settings.facts();
        // The title says it.
        facts.retain(|(name, _)| name != "scene");
        let reference = self.reference.method.name().to_owned();
        facts.push(("reference".to_owned(), reference));
        let missing = |method: &MethodReport| {
            let reason = method.unavailable.as_ref()?;
            Some(format!("{} did not run: {reason}", method.method))
        };
        let sheet = ContactSheet {
            title: self.settings.scene_name(),
            facts,
            cells,
            notes: self.report.methods.iter().filter_map(missing).collect(),
        };
        let canvas = sheet
            .draw()
            .map_err(|error| Error::failed(error.to_string()))?;
        let methods: Vec<Method> = self.pictures.iter().map(|(p, _)| p.method).collect();
        png(&canvas, &self.metadata(&methods))
    }
}

fn png(canvas: &Canvas, metadata: &[(String, String)]) -> Result<Vec<u8>> {
    png_file::encode_png(canvas, metadata).map_err(|error| Error::failed(error.to_string()))
}

fn to_value(value: &impl serde::Serialize) -> Result<serde_json::Value> {
    serde_json::to_value(value).map_err(|error| Error::failed(format!("JSON: {error}")))
}

/// The reports of the methods that ran, then of those that could not.
fn method_reports(
    pictures: &[(MethodPicture, Metrics)],
    times: &Times,
    statuses: &[MethodStatus],
) -> Vec<MethodReport> {
    let measured = |(index, (picture, metrics)): (usize, &(MethodPicture, Metrics))| {
        let time = times.subjects.get(index);
        let time = time.and_then(|timed| timing(&timed.samples));
        MethodReport::measured(
            picture.method.name(),
            picture.wave_size,
            time,
            metrics.clone(),
        )
    };
    let mut reports: Vec<MethodReport> = pictures.iter().enumerate().map(measured).collect();
    fill_ratios(&mut reports);
    reports.extend(statuses.iter().filter_map(|status| {
        let reason = status.unavailable.as_ref()?;
        Some(MethodReport::not_run(status.method.name(), reason))
    }));
    reports
}

/// The clock of the GPU in words, or the reason why it is not known.
fn gpu_clock(gpu: &Gpu, times: &Times) -> String {
    let about = gpu.monitor().about();
    match times.conditions {
        Some(conditions) => format!("{conditions} ({about})"),
        None => about.to_owned(),
    }
}

/// Clock and temperature of the GPU, and the sum of the passes over the time of the frame by the wall clock.
fn conditions(times: &Times) -> serde_json::Value {
    serde_json::json!({
        "gpu": times.conditions,
        "passes_to_wall": times.passes_to_wall,
    })
}

/// The passes in frame order: those that were timed, and those that were not drawn, which have no time.
fn pass_reports(capture: &Capture, times: &Times) -> Vec<PassReport> {
    let unchanged = capture.frame.unchanged_passes();
    let report = |label: &str| {
        let timed = times.shared.iter().find(|pass| pass.label == label);
        let is_known = timed.is_some() || unchanged.contains(&label);
        is_known.then(|| PassReport {
            pass: label.to_owned(),
            gpu_ms: timed.and_then(|pass| timing(&pass.samples)),
        })
    };
    passes::ALL.into_iter().filter_map(report).collect()
}

fn frame_report(capture: &Capture, pictures: &[(MethodPicture, Metrics)]) -> Result<FrameReport> {
    let waves = pictures.iter().filter_map(|(picture, _)| picture.wave_size);
    let wave = waves.max().unwrap_or(1);
    let counters = &capture.counters;
    Ok(FrameReport {
        mean_list: capture.mean_list(),
        longest_list: counters.longest_list.into(),
        groups: counters.longest_list.div_ceil(wave).into(),
        largest_radiance: capture.largest_radiance()?.into(),
        layers_dropped: counters.dropped().into(),
    })
}

/// A note that says what `auto` chose and why; `None` if it is not among `methods`.
fn choice_note(capture: &Capture, methods: &[Method]) -> Option<String> {
    let auto = methods.iter().find(|method| **method == Method::Auto)?;
    let choice = capture.choice(capture.settings.knobs.specialize(*auto));
    Some(format!(
        "auto ran {}: {} ({}).",
        choice.specialization.label(),
        choice.why,
        capture.rule.origin()
    ))
}

/// A note that names the passes that the timed frames did not have; `None` if they had all.
fn unchanged_note(capture: &Capture) -> Option<String> {
    let unchanged = capture.frame.unchanged_passes();
    let names = (!unchanged.is_empty()).then(|| unchanged.join(", "))?;
    Some(format!(
        "Not drawn again in the timed frames, because nothing that it is made of had changed: {names}."
    ))
}

/// Notes on what a reader must know to read the numbers right.
fn notes(
    gpu: &Gpu,
    pictures: &[(MethodPicture, Metrics)],
    times: &Times,
    notice: Option<String>,
) -> Vec<String> {
    let mut notes: Vec<String> = notice.into_iter().collect();
    let mut sizes: Vec<u32> = pictures
        .iter()
        .filter_map(|(picture, _)| picture.wave_size)
        .collect();
    sizes.sort_unstable();
    sizes.dedup();
    if sizes.len() > 1 {
        notes.push(format!(
            "The methods ran at different wave sizes ({sizes:?}): compare their times with care."
        ));
    }
    if gpu.checks_shaders {
        notes.push("Debug build: shaders carry run-time checks; times mean little.".to_owned());
    }
    if gpu.caps.is_cpu {
        let names = pictures.iter().map(|(picture, _)| picture.method.name());
        let methods = names.zip(&times.subjects);
        let passes = times.shared.iter();
        notes.push(format!(
            "One timed run each, not a GPU measurement: {}; passes: {}.",
            once(methods.map(|(name, timed)| (name, timed.samples.as_slice()))),
            once(passes.map(|pass| (pass.label.as_str(), pass.samples.as_slice()))),
        ));
        return notes;
    }
    if let Some(ratio) = times.passes_to_wall.filter(|ratio| !is_plausible(*ratio)) {
        notes.push(format!(
            "Implausible: the passes of a frame sum to {} of the time that the frame took by the wall clock; do not \
             use these times.",
            three_digits(ratio)
        ));
    }
    let unsettled = pictures.iter().zip(&times.subjects);
    let unsettled = unsettled.filter(|(_, timed)| !timed.settled);
    let unsettled: Vec<&str> = unsettled
        .map(|((picture, _), _)| picture.method.name())
        .collect();
    notes.extend(not_settled(&unsettled));
    notes
}

/// The first sample of each name, as text.
fn once<'a>(samples: impl Iterator<Item = (&'a str, &'a [f64])>) -> String {
    let times = samples.filter_map(|(name, samples)| {
        let time = samples.first()?;
        Some(format!("{name} {time:.1} ms"))
    });
    times.collect::<Vec<_>>().join(", ")
}

/// The properties of the adapter that `report.md` lists; `report.json` has all of them.
fn adapter_rows(caps: &Capabilities, clock: &Clock, gpu: &str) -> Vec<(String, String)> {
    let yes_or_no = |fact: bool| if fact { "yes" } else { "no" }.to_owned();
    let mut rows = vec![
        ("name", caps.name.clone()),
        ("driver", caps.driver.clone()),
        ("back end", caps.backend.clone()),
        ("kind", caps.kind.clone()),
        ("wave size", caps.wave_text()),
        (
            "native find-MSB and broadcast",
            yes_or_no(caps.native_spirv),
        ),
        ("clock", clock.to_string()),
        ("GPU clock", gpu.to_owned()),
        (
            "largest buffer",
            format!("{} bytes", grouped(caps.max_binding_bytes)),
        ),
    ];
    if let Some(turns) = caps.loop_turns {
        rows.push((
            "loop turns before a shader is stopped",
            grouped(turns.into()),
        ));
    }
    for missing in &caps.features_missing {
        rows.push(("missing", missing.clone()));
    }
    let owned = |(name, value): (&str, String)| (name.to_owned(), value);
    rows.into_iter().map(owned).collect()
}
