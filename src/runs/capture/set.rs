//! A comparison set: pictures, differences and a report of one frame drawn by several methods. `wavelerp capture` or
//! another thread of the window writes it. Pictures are compared, encoded and written on all cores while the GPU works
//! on the next method. Methods are timed afterwards.

use std::path::PathBuf;

use super::pictures::{DrawnMethod, Finisher};
use super::{Capture, SetRequest, Steps, trace};
use crate::error::{Error, Result};
use crate::gpu::shader::ShaderSource;
use crate::gpu::shader::provenance::{COMMIT, Provenance};
use crate::gpu::{AdapterRequest, Gpu, Pipelines, clock};
use crate::model::format::{grouped, three_digits};
use crate::model::methods::Method;
use crate::model::passes::Pass;
use crate::model::samples::distinct;
use crate::model::{Capabilities, Clock, ClockSource};
use crate::progress::{Listener, Progress};
use crate::report::comparison::{
    FrameReport, MethodReport, PassReport, PassTime, Report, fill_ratios, fill_totals,
};
use crate::report::flip::DisplayedPicture;
use crate::report::folder::{FileSet, Output, OutputKind};
use crate::report::markdown;
use crate::report::page;
use crate::report::page::capture::{Candidate, CapturePage, Contents, PagePictures, Pictures};
use crate::report::range::RangeChoice;
use crate::runs::verify::self_test::{MethodStatus, choose, self_test};
use crate::timing::{Conditions, Timed, Times, is_plausible, not_settled};

pub const SET: OutputKind = OutputKind {
    parent: "screenshots/local",
    record: "report.json",
    belongs,
};

fn belongs(name: &str) -> bool {
    if [page::FILE, "report.json", "report.md"].contains(&name) {
        return true;
    }
    let picture = name.strip_suffix(".png").or(name.strip_suffix(".exr"));
    let method = picture.map(|name| name.strip_prefix("diff_").unwrap_or(name));
    method.is_some_and(|name| Method::by_name(name).is_ok())
}

pub struct ComparisonSet {
    pub report: Report,
    pub page: Option<Contents>,
    /// GPU times of the frames as a Chrome trace, if requested.
    pub trace: Option<serde_json::Value>,
    /// Seconds of each step, one per line. A method's line also has the time of its composite.
    pub spent: Vec<String>,
    /// Paths of the files in writing order. The report comes last.
    pub files: Vec<PathBuf>,
    /// First failure of a method, or the loss of the device.
    pub failure: Option<Error>,
}

/// Draws a comparison set on a separate device, writes the files and returns their paths. It waits for the GPU but
/// shares nothing with a window, so it can run on any thread. `progress` gets each step.
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
    let options = &wanted.settings.options;
    let mut tested = |_| progress(Progress::step("testing the methods", 0, 1));
    let statuses = self_test(&gpu, &pipelines, &methods, options, &mut tested)?;
    let names: Vec<String> = methods.iter().map(ToString::to_string).collect();
    choose(&names, &statuses)?;
    let (gpu, pipelines) = (&gpu, &pipelines);
    let set = ComparisonSet::make(
        gpu,
        pipelines,
        wanted,
        &statuses,
        None,
        &mut output,
        progress,
    )?;
    set.failure.map_or(Ok(set.files), Err)
}

impl ComparisonSet {
    /// Draws, compares and times the methods, and writes the files. The report lists the unavailable methods among
    /// `statuses`, and its first note is `notice`. A failed method does not affect the others. If the device is lost,
    /// all finished results are written.
    ///
    /// # Errors
    /// Usage: there is no such camera, the size exceeds the adapter's limits, or a file cannot be written. Other
    /// errors: `progress` returned one, or the reference or all other methods failed. After an error there is no set.
    pub fn make(
        gpu: &Gpu,
        pipelines: &Pipelines,
        wanted: &SetRequest,
        statuses: &[MethodStatus],
        notice: Option<String>,
        output: &mut Output,
        progress: Listener,
    ) -> Result<Self> {
        let (settings, methods) = (&wanted.settings.published(), &wanted.methods);
        let mut steps = Steps::new(methods.len(), progress);
        let clock = clock(gpu)?;
        steps.next(&format!("drawing {}", settings.scene))?;
        let expected: Vec<Method> = methods.iter().chain([&wanted.reference]).copied().collect();
        let scene = &wanted.scene;
        let mut capture = Capture::expecting(gpu, pipelines, scene, settings.clone(), &expected)?;
        let largest_radiance = capture.largest_radiance()?;
        capture.time_pictures()?;
        let known = capture.picture(wanted.reference)?;
        // Broken shader files have already been set aside.
        let shaders = Provenance::of(&pipelines.source(), wanted.shaders_folder.as_deref());
        let files = output.begin()?;
        let (reference, seen) = (
            &known.composite,
            &DisplayedPicture::new(known.resolved.clone()),
        );
        let pictures = (wanted.page != PagePictures::NoPage).then(|| {
            let waiting = files.waiting();
            let (page, others) = (&wanted.page, methods.len());
            waiting.and_then(|file| Pictures::new(reference, seen.picture(), file, page, others))
        });
        let pictures = pictures
            .transpose()
            .map_err(files.cannot_write(page::FILE))?;
        let finisher = Finisher {
            wanted,
            settings,
            shaders: &shaders,
            reference,
            backgrounds: &capture.backgrounds()?,
            seen,
            files: &files,
            page: pictures.as_ref(),
        };
        let (compared, failures) = finisher.draw(gpu, &mut capture, &known, &mut steps)?;
        if compared.is_empty() {
            let first = failures.into_iter().next();
            return Err(first.map_or_else(|| Error::failed("no method was requested"), |of| of.1));
        }
        steps.next("colouring the differences")?;
        let (finished, range) = finisher.colour(compared)?;
        steps.next("timing")?;
        let drawn: Vec<Method> = finished.iter().map(|of| of.method).collect();
        let times = if gpu.is_lost() {
            Times {
                ended: gpu.check().err(),
                ..Times::default()
            }
        } else if capture.times_pictures() {
            let pictures = finished.iter().map(|of| (of.method, of.milliseconds));
            capture.times_of_pictures(&pictures.collect::<Vec<_>>())
        } else {
            capture.times(&drawn)?
        };
        let trace = (wanted.traced && !gpu.is_lost())
            .then(|| trace::of_methods(&capture, &drawn))
            .transpose()?;
        let mut settings_rows = settings.facts();
        settings_rows.extend(scene.noted());
        settings_rows.push(("shaders".to_owned(), shaders.to_string()));
        let origin = match wanted.difference_range {
            RangeChoice::Auto => "fits the differences",
            RangeChoice::Fixed(_) => "fixed",
        };
        let range_row = format!("{} ({origin})", range.text());
        settings_rows.push(("difference range".to_owned(), range_row));
        let by_wall_clock = clock.source == ClockSource::Wall;
        let mut reports = method_reports(&capture, &finished, &times, by_wall_clock);
        let passes = pass_reports(&capture, &times, by_wall_clock);
        let inputs = finished.iter().map(|of| capture.runs(of.method).inputs());
        fill_totals(&mut reports, &passes, inputs);
        let failed = failures.iter();
        reports.extend(failed.map(|(of, why)| MethodReport::not_run(of.name(), &why.message)));
        reports.extend(statuses.iter().filter_map(|status| {
            let reason = status.unavailable.as_ref()?;
            Some(MethodReport::not_run(status.method.name(), reason))
        }));
        let command = settings.command("capture", methods);
        let reference = wanted.reference;
        let command = format!("{command} --reference {reference}{}", shaders.flag());
        let report = Report {
            program: format!("wavelerp {} ({COMMIT})", env!("CARGO_PKG_VERSION")),
            command,
            settings: to_value(settings)?,
            shaders: shaders.digest.clone(),
            adapter: to_value(&gpu.caps)?,
            clock: to_value(clock)?,
            by_wall_clock,
            settings_rows,
            conditions: serde_json::json!({
                "gpu": times.conditions,
                "passes_to_wall": times.passes_to_wall,
            }),
            adapter_rows: adapter_rows(&gpu.caps, clock, &times.conditions.unwrap_or_default()),
            reference: wanted.reference.name().to_owned(),
            difference_range: range,
            frame: frame_report(&capture, &finished, largest_radiance),
            methods: reports,
            passes,
            notes: notes(gpu, &capture, &finished, &times, notice),
        };
        steps.next("writing the report")?;
        files.write("report.md", markdown::report(&report).as_bytes())?;
        let json = report.to_json()?;
        let page = pictures.map(|pictures| {
            steps.next("writing the page")?;
            write_page(&files, &pictures, &finished, &report, wanted.reference)
        });
        let page = page.transpose()?;
        let untimed = times.subjects.into_iter().find_map(|timed| timed.failure);
        let failed = failures.into_iter().map(|of| of.1).next();
        Ok(Self {
            files: files.finish(json.as_bytes())?,
            failure: failed.or(times.ended).or(untimed),
            spent: steps.spent(&report),
            report,
            page,
            trace,
        })
    }
}

fn write_page(
    files: &FileSet<'_>,
    pictures: &Pictures<'_>,
    finished: &[DrawnMethod],
    report: &Report,
    reference: Method,
) -> Result<Contents> {
    let candidate = |method, packed| Candidate::new(0, "", method, packed);
    let is_reference = |of: &DrawnMethod| of.method == reference;
    // The page includes the reference even if it was not requested.
    let missing = !finished.iter().any(is_reference);
    let missing = missing.then(|| candidate(reference, None));
    let shown = finished.iter();
    let shown = shown.filter(|of| of.packed.is_some() || is_reference(of));
    let shown = shown.map(|of| candidate(of.method, of.packed));
    let candidates: Vec<Candidate> = missing.into_iter().chain(shown).collect();
    let capture_page = CapturePage::of(&[(String::new(), report)], Vec::new());
    files.write_by(page::FILE, |file| {
        capture_page.write(file, Some(pictures), &candidates)
    })
}

fn to_value(value: &impl serde::Serialize) -> Result<serde_json::Value> {
    serde_json::to_value(value).map_err(Error::json)
}

fn method_reports(
    capture: &Capture,
    finished: &[DrawnMethod],
    times: &Times,
    by_wall_clock: bool,
) -> Vec<MethodReport> {
    let never = Timed::default();
    let measured = |(index, of): (usize, &DrawnMethod)| {
        let timed = times.subjects.get(index).unwrap_or(&never);
        let time = PassTime::of(&timed.samples, by_wall_clock);
        let (asked, bytes) = (
            capture.settings.options.specialize(of.method),
            of.report.bytes,
        );
        let drawing_part = of.method.drawing_part(&capture.gpu.caps.name);
        let own = bytes.filter(|_| of.report.errors.is_some());
        MethodReport {
            runs: Some(capture.runs(of.method).label()),
            time,
            untimed: times.why_untimed(timed).map(str::to_owned),
            drawing_part: drawing_part.map(str::to_owned),
            list_bytes: own.map(|own| capture.list_bytes(asked.inputs(), own)),
            pixel_bytes: asked.kernel().pixel_bytes(&asked),
            ..of.report.clone()
        }
    };
    let mut reports: Vec<MethodReport> = finished.iter().enumerate().map(measured).collect();
    fill_ratios(&mut reports);
    reports
}

/// Passes in frame order. A pass that was not drawn has no time.
fn pass_reports(capture: &Capture, times: &Times, by_wall_clock: bool) -> Vec<PassReport> {
    let unchanged = capture.frame.unchanged_passes();
    let report = |pass: Pass| {
        let timed = times.shared.iter().find(|of| of.label == pass.into());
        let is_known = timed.is_some() || unchanged.contains(&pass);
        let samples = timed.map_or(&[][..], |pass| &pass.samples);
        is_known.then(|| PassReport {
            pass,
            time: PassTime::of(samples, by_wall_clock),
        })
    };
    Pass::ALL.into_iter().filter_map(report).collect()
}

fn frame_report(capture: &Capture, finished: &[DrawnMethod], largest_radiance: f32) -> FrameReport {
    let waves = finished.iter().filter_map(|of| of.report.wave_size);
    let wave = waves.max().unwrap_or(1);
    let counters = &capture.counters;
    let longest = counters.has_lists().then_some(counters.longest_list);
    FrameReport {
        mean_list: longest.map(|_| capture.mean_list()),
        longest_list: longest.map(u64::from),
        groups: longest.map(|longest| longest.div_ceil(wave).into()),
        largest_radiance: longest.map(|_| largest_radiance.into()),
        layers_dropped: counters.dropped().into(),
    }
}

/// A caveat if the methods ran at different wave sizes.
pub fn note_on_wave_sizes(sizes: impl Iterator<Item = u32>) -> Option<String> {
    let sizes = distinct(sizes);
    (sizes.len() > 1).then(|| {
        format!(
            "The methods ran at different wave sizes ({sizes:?}): compare their times with care."
        )
    })
}

fn notes(
    gpu: &Gpu,
    capture: &Capture,
    finished: &[DrawnMethod],
    times: &Times,
    notice: Option<String>,
) -> Vec<String> {
    let mut notes = Vec::new();
    if finished.iter().any(|of| of.method == Method::Auto) {
        let choice = capture.choice(capture.settings.options.specialize(Method::Auto));
        let runs = choice.specialization.label();
        notes.push(format!("auto ran {runs}: {}.", choice.why));
    }
    let unchanged = capture.frame.unchanged_passes();
    if !unchanged.is_empty() {
        let names: Vec<&str> = unchanged.iter().map(|pass| pass.label()).collect();
        let what = "Not redrawn in the timed frames, because no input had changed";
        notes.push(format!("{what}: {}.", names.join(", ")));
    }
    notes.extend(notice);
    let methods = finished.iter().map(|of| of.method);
    notes.extend(Method::not_compared(methods, &gpu.caps.name));
    if let Some(error) = &times.ended {
        notes.push(format!("The measurement ended early: {error}."));
    }
    let sizes = finished.iter().filter_map(|of| of.report.wave_size);
    notes.extend(note_on_wave_sizes(sizes));
    if gpu.checks_shaders {
        notes.push("Debug build: run-time checks in shaders make times unreliable.".to_owned());
    }
    if gpu.caps.is_cpu {
        notes.push("CPU adapter: each time is one run, not a GPU measurement.".to_owned());
        return notes;
    }
    if let Some(ratio) = times.passes_to_wall.filter(|ratio| !is_plausible(*ratio)) {
        notes.push(format!(
            "Implausible: a frame's passes sum to {} of its wall-clock time; do not use these times.",
            three_digits(ratio)
        ));
    }
    let unsettled = finished.iter().zip(&times.subjects);
    let unsettled = unsettled.filter(|(_, timed)| !timed.settled && timed.failure.is_none());
    let unsettled: Vec<&str> = unsettled.map(|(of, _)| of.method.name()).collect();
    notes.extend(not_settled(&unsettled));
    notes
}

/// Properties of the adapter in `report.md`. `report.json` contains all.
fn adapter_rows(caps: &Capabilities, clock: &Clock, gpu: &Conditions) -> Vec<(String, String)> {
    let native = if caps.native_spirv { "yes" } else { "no" };
    let largest = grouped(caps.max_binding_bytes);
    let mut rows = vec![
        ("name", caps.name.clone()),
        ("driver", caps.driver.clone()),
        ("back end", caps.backend.clone()),
        ("kind", caps.kind.clone()),
        ("wave size", caps.wave_text()),
        ("native find-MSB and broadcast", native.to_owned()),
        ("clock", clock.to_string()),
        ("GPU speed", gpu.to_string()),
        ("largest buffer", format!("{largest} bytes")),
    ];
    let turns = caps.loop_turns.map(|turns| grouped(turns.into()));
    rows.extend(turns.map(|turns| ("loop turns before a shader is stopped", turns)));
    rows.extend(
        caps.features_missing
            .iter()
            .map(|of| ("missing", of.clone())),
    );
    let owned = |(name, value): (&str, String)| (name.to_owned(), value);
    rows.into_iter().map(owned).collect()
}
