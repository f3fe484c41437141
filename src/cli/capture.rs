//! `wavelerp capture`: pictures, differences and a report of one frame, or RenderDoc recordings of the frame.

use std::path::{Path, PathBuf};
use web_time::Instant;

use super::common::Common;
use super::output::{about_out, check_file, write_file};
use crate::console::{print, say};
use crate::error::Result;
use crate::gpu::device::renderdoc;
use crate::gpu::{Gpu, Pipelines, clock};
use crate::model::methods::Method;
use crate::model::settings::{Purpose, SceneArgs};
use crate::report::folder::Output;
use crate::report::markdown;
use crate::report::page::capture::{Contents, PagePictures};
use crate::report::range::RangeChoice;
use crate::runs::capture::SetRequest;
use crate::runs::capture::set::{ComparisonSet, SET};
use crate::runs::capture::{Capture, RECORDINGS};
use crate::runs::verify::self_test::{choose, named};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  wavelerp capture
  wavelerp capture --scene stress --methods pixel-loop,wave-lerp-deferred --tile 16
  wavelerp capture --scene my-scene.ron --size 1920x1080 --out my-scene
  wavelerp capture --scene stress --hazard division --out nan --format exr
  wavelerp capture --difference-range 1e-9..1e-3
  wavelerp capture --page pixel-loop,wave-tree
  wavelerp capture --size 1920x1080 --trace frame.json
  ENABLE_VULKAN_RENDERDOC_CAPTURE=1 wavelerp capture --renderdoc --methods pixel-loop,wave-tree")]
pub struct CaptureArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// Method to compare all others with
    #[arg(
        long,
        default_value = "pixel-loop",
        value_name = "NAME",
        help_heading = "Methods"
    )]
    reference: String,
    /// Folder to create for the results [default: a new numbered one under screenshots/local/, or captures/ with
    /// --renderdoc]
    #[arg(long, value_name = "DIR", help_heading = "Files")]
    out: Option<PathBuf>,
    /// Write into an existing folder: replace an older set there, keep other files
    #[arg(long, help_heading = "Files")]
    force: bool,
    /// Picture format: `exr` also writes the linear float results, besides the PNGs
    #[arg(long, value_parser = ["png", "exr"], default_value = "png", help_heading = "Files")]
    format: String,
    /// Pictures in index.html: `none` (no page), `all` (with as many float values as fit in 20 MB, or those of the methods
    /// that --methods names), or names of methods, separated by commas (with their float values)
    #[arg(
        long,
        default_value_t,
        value_name = "none|all|NAMES",
        help_heading = "Files"
    )]
    page: PagePictures,
    /// Colour range of all difference pictures: `auto` fits it to the differences; a range such as 1e-7..1e-3 is fixed
    #[arg(
        long,
        default_value_t,
        value_name = "auto|LOW..HIGH",
        allow_hyphen_values = true,
        help_heading = "Files"
    )]
    difference_range: RangeChoice,
    /// Also write a Chrome trace of GPU passes, one frame per method, for ui.perfetto.dev or chrome://tracing
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    trace: Option<PathBuf>,
    /// Print the time of each step on stderr
    #[arg(long, help_heading = "Files")]
    verbose: bool,
    /// Only record one frame per method with RenderDoc (must be attached), into SCENE_METHOD.rdc
    #[arg(
        long,
        conflicts_with_all = ["reference", "difference_range", "format", "page", "trace"],
        help_heading = "Files"
    )]
    renderdoc: bool,
}

pub(super) fn run(args: &CaptureArgs, common: &Common) -> Result<()> {
    let began = Instant::now();
    let request = common.read(&args.scene)?;
    let reference =
        Method::by_name(&args.reference).map_err(|error| error.context("--reference"))?;
    let scene = &request.scene.name;
    let folder = args.recordings();
    let may_exist = args.force || (args.renderdoc && args.out.is_none());
    let out = args.out.as_deref().or(folder);
    let mut output = Output::choose(SET, out, scene, may_exist).map_err(about_out)?;
    if let Some(file) = &args.trace {
        check_file("--trace", file)?;
    }

    let gpu = common.open()?;
    if args.renderdoc {
        renderdoc::require()?;
    }
    let pipelines = common.pipelines();
    let (settings, notice) = request.settle(&gpu.caps, Purpose::Capture)?;
    common.progress(format_args!(
        "adapter: {}, driver {}",
        gpu.caps.name, gpu.caps.driver
    ));
    if let Some(notice) = &notice {
        common.progress(notice);
    }
    let mut tested = named(request.methods())?;
    tested.push(reference);
    let statuses = common.self_test(&gpu, &pipelines, &tested, &settings.options)?;
    let methods = choose(request.methods(), &statuses)?;
    settings.options.frame.precision.check(&methods)?;
    choose(std::slice::from_ref(&args.reference), &statuses)?;

    let has_names = !request.methods().iter().any(|word| Method::is_group(word));
    let wanted = SetRequest {
        scene: request.scene,
        settings,
        reference,
        page: match args.page {
            PagePictures::All if has_names => PagePictures::Named(methods.clone()),
            _ => args.page.clone(),
        },
        methods,
        difference_range: args.difference_range,
        exr: args.format == "exr",
        traced: args.trace.is_some(),
        shaders_folder: common.shaders.clone(),
    };
    if let Some(folder) = folder {
        return record(&gpu, &pipelines, wanted, folder, common);
    }
    // Fails before anything is drawn if timestamps are requested but wrong.
    clock(&gpu)?;
    let mut progress = common.listener();
    let tested = began.elapsed().as_secs_f64();
    let set = ComparisonSet::make(
        &gpu,
        &pipelines,
        &wanted,
        &statuses,
        notice,
        &mut output,
        &mut progress,
    )?;
    if args.verbose {
        say(format!(
            "{tested:6.2} s  opening the adapter and testing the methods"
        ));
        set.spent.iter().for_each(say);
    }
    let mut written = set.files;
    if let (Some(file), Some(trace)) = (&args.trace, &set.trace) {
        write_file("--trace", file, format!("{trace:#}\n").as_bytes())?;
        written.push(file.clone());
    }
    let mut text = markdown::report(&set.report) + "\n";
    if let Some(page) = &set.page {
        text += &format!("{}\n", about_page(page));
    }
    for path in written {
        text += &format!("{}\n", path.display());
    }
    print(&text)?;
    set.failure.map_or(Ok(()), Err)
}

/// Describes the pictures on the page with their sizes, largest first.
pub(super) fn about_page(page: &Contents) -> String {
    let list = |pictures: &[(String, u64)]| {
        let one = |(name, bytes): &(String, u64)| format!("{name} {}", megabytes(*bytes));
        let (large, small): (Vec<_>, Vec<_>) = pictures.iter().partition(|(_, bytes)| *bytes > 0);
        let mut parts: Vec<String> = large.into_iter().map(one).collect();
        if !small.is_empty() {
            let names: Vec<&str> = small.iter().map(|(name, _)| name.as_str()).collect();
            parts.push(format!("without extra bytes: {}", names.join(", ")));
        }
        parts.join(", ")
    };
    let all: u64 = page.iter().map(|(_, bytes)| bytes).sum();
    let held = list(page);
    match page.is_empty() {
        true => String::new(),
        false => format!("pictures in the page, {}: {held}\n", megabytes(all)),
    }
}

/// Formats a size, for example as "13.12 MB".
fn megabytes(bytes: u64) -> String {
    format!("{:.2} MB", bytes as f64 / 1e6)
}

impl CaptureArgs {
    /// Folder for RenderDoc recordings, if they are requested.
    fn recordings(&self) -> Option<&Path> {
        let folder = self.out.as_deref().unwrap_or(Path::new(RECORDINGS));
        self.renderdoc.then_some(folder)
    }
}

/// Records a frame of each method with RenderDoc, and prints the name of each file as soon as it is written.
fn record(
    gpu: &Gpu,
    pipelines: &Pipelines,
    wanted: SetRequest,
    folder: &Path,
    common: &Common,
) -> Result<()> {
    let name = wanted.settings.scene_name();
    common.progress(format_args!("drawing {name}"));
    let capture = Capture::new(gpu, pipelines, &wanted.scene, wanted.settings)?;
    for method in wanted.methods {
        common.progress(format_args!("recording {method}"));
        let file = folder.join(renderdoc::recording_name(&name, method.name()));
        let path = capture.record(method, &file)?;
        print(format!("{}\n", path.display()))?;
    }
    Ok(())
}
