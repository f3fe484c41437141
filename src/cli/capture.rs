//! `wavelerp capture`: pictures, differences and a report of one frame by several methods.

use std::path::PathBuf;

use super::output::{Output, print};
use super::{Common, wave_text};
use crate::capture::{Capture, MethodPicture, Times};
use crate::compare::heat::{self, HeatCaption};
use crate::compare::layout::{grouped, three_digits};
use crate::compare::metrics::Metrics;
use crate::compare::report::{FrameReport, MethodReport, PassReport, Report, Timing, fill_ratios};
use crate::compare::sheet::{Sheet, SheetCell};
use crate::compare::{exr_file, png_file};
use crate::error::{Error, Result};
use crate::gpu::{Capabilities, Gpu};
use crate::methods::Method;
use crate::settings::{Purpose, SceneArgs, Settings};
use crate::verify::self_test::{MethodStatus, choose, self_test};

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

/// Everything measured, before it becomes files.
struct Captured {
    settings: Settings,
    reference: MethodPicture,
    pictures: Vec<(MethodPicture, Metrics)>,
    report: Report,
}

pub(super) fn run(args: &CaptureArgs, common: &Common) -> Result<()> {
    let request = args.scene.check()?;
    let reference =
        Method::by_name(&args.reference).map_err(|error| error.context("--reference"))?;
    let output = Output::choose(args.out.as_deref(), &request.scene.name, args.force)?;

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

    common.progress(format_args!("drawing {}", settings.scene_name()));
    let mut capture = Capture::new(&gpu, &pipelines, &request.scene, settings)?;
    let reference = capture.picture(reference)?;
    let mut pictures = Vec::new();
    for &method in &methods {
        common.progress(format_args!("compositing by {method}"));
        let picture = capture.picture(method)?;
        let metrics = Metrics::between(&reference.composite, &picture.composite)
            .map_err(|error| Error::failed(error.to_string()))?;
        pictures.push((picture, metrics));
    }
    common.progress("timing");
    let times = capture.times(&methods)?;
    let report = report(args, &gpu, &capture, &pictures, &times, &statuses, notice)?;
    let captured = Captured {
        settings: capture.settings.clone(),
        reference,
        pictures,
        report,
    };
    common.progress("writing");
    let written = output.write(&captured.files(args)?)?;
    let mut text = captured.report.to_markdown() + "\n";
    for path in written {
        text += &format!("{}\n", path.display());
    }
    print(&text)
}

fn report(
    args: &CaptureArgs,
    gpu: &Gpu,
    capture: &Capture,
    pictures: &[(MethodPicture, Metrics)],
    times: &Times,
    statuses: &[MethodStatus],
    notice: Option<String>,
) -> Result<Report> {
    let mut methods: Vec<MethodReport> = pictures
        .iter()
        .enumerate()
        .map(|(index, (picture, metrics))| {
            let time = times.of_method(index);
            MethodReport::measured(picture.method.name(), picture.wave_size, time, metrics)
        })
        .collect();
    fill_ratios(&mut methods);
    methods.extend(statuses.iter().filter_map(|status| {
        let reason = status.unavailable.as_ref()?;
        Some(MethodReport::not_run(status.method.name(), reason))
    }));
    let passes = times
        .passes
        .iter()
        .map(|(pass, samples)| PassReport {
            pass: pass.clone(),
            gpu_ms: Timing::from_samples(samples),
        })
        .collect();
    let wave = pictures
        .iter()
        .filter_map(|(picture, _)| picture.wave_size)
        .max();
    Ok(Report {
        settings: to_value(&capture.settings.published())?,
        adapter: to_value(&gpu.caps)?,
        settings_rows: capture.settings.facts(),
        adapter_rows: adapter_rows(&gpu.caps),
        reference: args.reference.clone(),
        frame: FrameReport {
            mean_list: capture.mean_list(),
            longest_list: capture.counters.longest_list.into(),
            groups: capture
                .counters
                .longest_list
                .div_ceil(wave.unwrap_or(1))
                .into(),
            largest_radiance: capture.largest_radiance()?.into(),
            layers_dropped: capture.counters.dropped().into(),
        },
        methods,
        passes,
        notes: notes(gpu, pictures, times, notice),
    })
}

fn to_value(value: &impl serde::Serialize) -> Result<serde_json::Value> {
    serde_json::to_value(value).map_err(|error| Error::failed(format!("JSON: {error}")))
}

/// What a reader of the numbers must know.
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
    if cfg!(debug_assertions) {
        notes.push("Debug build: shaders carry run-time checks; times mean little.".to_owned());
    }
    if !gpu.caps.timestamps {
        notes.push("This adapter has no timestamps: no times.".to_owned());
    } else if gpu.caps.is_cpu {
        let names = pictures.iter().map(|(picture, _)| picture.method.name());
        let methods = names.zip(&times.methods);
        let passes = times.passes.iter();
        notes.push(format!(
            "One timed run each, not a GPU measurement: {}; passes: {}.",
            once(methods.map(|(name, samples)| (name, samples.as_slice()))),
            once(passes.map(|(name, samples)| (name.as_str(), samples.as_slice()))),
        ));
    }
    notes
}

/// The first sample of each, in words.
fn once<'a>(samples: impl Iterator<Item = (&'a str, &'a [f64])>) -> String {
    let times = samples.filter_map(|(name, samples)| {
        let time = samples.first()?;
        Some(format!("{name} {time:.1} ms"))
    });
    times.collect::<Vec<_>>().join(", ")
}

/// What a reader of a report wants to know of the adapter; the JSON has all of it.
fn adapter_rows(caps: &Capabilities) -> Vec<(String, String)> {
    let yes_or_no = |fact: bool| if fact { "yes" } else { "no" }.to_owned();
    let mut rows = vec![
        ("name", caps.name.clone()),
        ("driver", caps.driver.clone()),
        ("back end", caps.backend.clone()),
        ("kind", caps.kind.clone()),
        ("wave size", wave_text(caps)),
        (
            "native find-MSB and broadcast",
            yes_or_no(caps.native_spirv),
        ),
        ("timestamps", yes_or_no(caps.timestamps)),
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

impl Captured {
    /// All files of the capture: name and bytes.
    fn files(&self, args: &CaptureArgs) -> Result<Vec<(String, Vec<u8>)>> {
        let mut files = Vec::new();
        let mut cells = Vec::new();
        for (picture, metrics) in &self.pictures {
            let name = picture.method.name();
            let metadata = self
                .settings
                .metadata(&[picture.method], Some(self.reference.method));
            let difference = heat::difference(&self.reference.composite, &picture.composite)
                .map_err(|error| Error::failed(error.to_string()))?;
            let caption = HeatCaption {
                method: name,
                reference: &args.reference,
                metrics,
            };
            let page = heat::page(&difference, caption)
                .map_err(|error| Error::failed(error.to_string()))?;
            files.push((format!("{name}.png"), png(&picture.resolved, &metadata)?));
            files.push((format!("diff_{name}.png"), png(&page, &metadata)?));
            if args.format == "exr" {
                let exr =
                    exr_file::encode_exr(&picture.composite, &self.settings.published().flags())
                        .map_err(|error| Error::failed(error.to_string()))?;
                files.push((format!("{name}.exr"), exr));
            }
            let mut wave = picture
                .wave_size
                .map_or("no waves".to_owned(), |size| format!("wave {size}"));
            if name == args.reference {
                wave += " · the reference";
            }
            cells.push(SheetCell {
                label: name.to_owned(),
                note_lines: vec![
                    wave,
                    format!(
                        "max abs {} · {} NaN",
                        three_digits(metrics.max_abs),
                        grouped(metrics.nan_count)
                    ),
                ],
                picture: picture.resolved.clone(),
                difference,
            });
        }
        let sheet = self.sheet(args, cells)?;
        files.push(("sheet.png".to_owned(), sheet));
        let json = self
            .report
            .to_json()
            .map_err(|error| Error::failed(format!("JSON: {error}")))?;
        files.push(("report.json".to_owned(), json.into_bytes()));
        files.push((
            "report.md".to_owned(),
            self.report.to_markdown().into_bytes(),
        ));
        Ok(files)
    }

    fn sheet(&self, args: &CaptureArgs, cells: Vec<SheetCell>) -> Result<Vec<u8>> {
        let mut facts = self.settings.facts();
        // The title says it.
        facts.retain(|(name, _)| name != "scene");
        facts.push(("reference".to_owned(), args.reference.clone()));
        let notes = self
            .report
            .methods
            .iter()
            .filter_map(|method| {
                let reason = method.unavailable.as_ref()?;
                Some(format!("{} did not run: {reason}", method.method))
            })
            .collect();
        let sheet = Sheet {
            title: self.settings.scene_name(),
            facts,
            cells,
            notes,
        };
        let canvas = sheet
            .draw()
            .map_err(|error| Error::failed(error.to_string()))?;
        let methods: Vec<Method> = self.pictures.iter().map(|(p, _)| p.method).collect();
        png(
            &canvas,
            &self
                .settings
                .metadata(&methods, Some(self.reference.method)),
        )
    }
}

fn png(canvas: &crate::compare::canvas::Canvas, metadata: &[(String, String)]) -> Result<Vec<u8>> {
    png_file::encode_png(canvas, metadata).map_err(|error| Error::failed(error.to_string()))
}
