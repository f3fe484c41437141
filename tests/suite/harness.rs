//! Shared resources of tests on an adapter: the open device with compiled shaders, and small scenes and settings. A
//! test hands its device, with the compiled shaders, to the next test of the process.

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use wavelerp::frame::{BufferId, Frame};
use wavelerp::gpu::shader::{Edit, ShaderSource};
use wavelerp::gpu::{AdapterRequest, Gpu, Pipelines, read_buffer};
use wavelerp::input::Disk;
use wavelerp::live::inspect::{Probed, probe};
use wavelerp::model::files;
use wavelerp::model::layout::{Splat, SplatPlace};
use wavelerp::model::methods::Method;
use wavelerp::model::options::Options;
use wavelerp::model::passes::Pass;
use wavelerp::model::reference::stress::StressList;
use wavelerp::model::scene::{Factors, Scene, SheetSpec};
use wavelerp::model::settings::Settings;
use wavelerp::model::splats::Splats;
use wavelerp::model::{scene, splats};
use wavelerp::runs::capture::Capture;
use wavelerp::runs::verify::checks::{Check, run};

use crate::oracles::Shown;

/// Wave size at which shaders are compiled with run-time checks, as in debug builds. At all other sizes they have none,
/// as in release builds.
const CHECKED_WAVE: u32 = 8;

/// Harmless message of the validation layers: old layers do not support WGSL as a source language in debug information.
const HARMLESS: &str = "Invalid source language operand: 10";

/// Logged messages that have not failed a test yet.
static MESSAGES: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Collects errors logged by wgpu, including messages of the validation layers.
struct Collector;

impl log::Log for Collector {
    fn enabled(&self, metadata: &log::Metadata) -> bool {
        metadata.level() <= log::Level::Error
    }

    fn log(&self, record: &log::Record) {
        let message = record.args().to_string();
        // After a message comes a line that lists its objects. naga returns its errors as well as logging them.
        let is_message = !message.starts_with("\tobjects:")
            && !message.contains(HARMLESS)
            && !record.target().starts_with("naga");
        if self.enabled(record.metadata()) && is_message {
            // The test runner names threads after their tests.
            let thread = std::thread::current();
            let test = thread.name().unwrap_or("a thread without a name");
            messages().push(format!("while {test} ran: {message}"));
        }
    }

    fn flush(&self) {}
}

fn messages() -> MutexGuard<'static, Vec<String>> {
    MESSAGES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An open device with the program's shaders. Dropping it fails the test if the validation layers have reported
/// anything.
pub struct Harness {
    pub gpu: Gpu,
    /// The program's shaders, with coarse fog unless the test asks for fine fog.
    pub pipelines: Arc<Pipelines>,
    /// Returned to the pool on drop; `None` if the device is the test's own.
    shared: Option<Opened>,
}

/// Splats of all items of a frame, as the last passes left them.
pub fn splats_of_items(gpu: &Gpu, frame: &Frame) -> Vec<Shown> {
    let items = frame.shape().items() as usize;
    let buffer = |id| frame.resources.buffer(id);
    let splats: Vec<Splat> = read_buffer(gpu, buffer(BufferId::Splats), items).expect("splats");
    let places: Vec<SplatPlace> =
        read_buffer(gpu, buffer(BufferId::SplatPlaces), items).expect("their places");
    let all = (0..).zip(splats.iter().zip(&places));
    all.map(|(item, (splat, place))| Shown::new(item, splat, place))
        .collect()
}

/// Splats of the visible items of a frame.
pub fn shown_splats(gpu: &Gpu, frame: &Frame) -> Vec<Shown> {
    let mut splats = splats_of_items(gpu, frame);
    splats.retain(Shown::is_visible);
    splats
}

struct Opened {
    gpu: Gpu,
    coarse: Arc<Pipelines>,
    fine: Arc<Pipelines>,
}

/// Idle devices, at most as many as tests run in parallel. Each test has a device to itself.
static IDLE: Mutex<Vec<Opened>> = Mutex::new(Vec::new());

impl Opened {
    /// Opens the adapter named by WAVELERP_ADAPTER. A missing adapter is a failure, never a skip.
    fn new() -> Self {
        let _ = log::set_logger(&Collector).map(|()| log::set_max_level(log::LevelFilter::Error));
        let request = AdapterRequest {
            adapter: std::env::var("WAVELERP_ADAPTER").ok(),
            ..AdapterRequest::default()
        };
        let mut gpu =
            Gpu::open(&request).expect("tests need an adapter: cargo xtask test installs one");
        gpu.checks_shaders = gpu.caps.wave_max == CHECKED_WAVE;
        Self {
            gpu,
            coarse: Arc::new(Pipelines::new(source([]))),
            fine: Arc::new(Pipelines::new(crate::shaders::source())),
        }
    }
}

impl Harness {
    /// Takes a device that tests of this process use one after the other.
    pub fn new() -> Self {
        let idle = idle().pop();
        let opened = idle.unwrap_or_else(Opened::new);
        Self {
            gpu: opened.gpu.clone(),
            pipelines: Arc::clone(&opened.coarse),
            shared: Some(opened),
        }
    }

    /// Takes a shared device, with the program's own fog, for tests of the fog's light.
    pub fn with_fine_fog() -> Self {
        let mut harness = Self::new();
        if let Some(opened) = &harness.shared {
            harness.pipelines = Arc::clone(&opened.fine);
        }
        harness
    }

    /// Opens a device for this test alone, which may break it, provoke errors or count its memory.
    pub fn alone() -> Self {
        let Opened { gpu, coarse, .. } = Opened::new();
        Self {
            gpu,
            pipelines: coarse,
            shared: None,
        }
    }

    /// Draws a scene up to its lists.
    pub fn capture(&self, scene: &Scene, settings: &Settings) -> Capture<'_> {
        self.capture_by(&self.pipelines, scene, settings)
    }

    /// Draws a scene up to the inputs of `methods`.
    pub fn capture_for(
        &self,
        scene: &Scene,
        settings: &Settings,
        methods: &[Method],
    ) -> Capture<'_> {
        self.capture_for_by(&self.pipelines, scene, settings, methods)
    }

    /// Draws a scene up to the inputs of `methods` with other pipelines.
    pub fn capture_for_by<'a>(
        &'a self,
        pipelines: &'a Pipelines,
        scene: &Scene,
        settings: &Settings,
        methods: &[Method],
    ) -> Capture<'a> {
        let (gpu, scene) = (&self.gpu, self.drawable(scene));
        let capture = Capture::expecting(gpu, pipelines, &scene, settings.clone(), methods);
        capture.expect("the scene draws")
    }

    /// Draws a scene up to its lists with other pipelines, for example of edited shaders.
    pub fn capture_by<'a>(
        &'a self,
        pipelines: &'a Pipelines,
        scene: &Scene,
        settings: &Settings,
    ) -> Capture<'a> {
        let scene = self.drawable(scene);
        Capture::new(&self.gpu, pipelines, &scene, settings.clone()).expect("the scene draws")
    }

    /// The scene, without solids if the adapter cannot draw them: with 512-bit vectors (wave 16) Mesa 22.3's llvmpipe
    /// crashes when it compiles any draw with a depth buffer, because its depth swizzle supports only 4 and 8 lanes.
    /// Compute passes are unaffected.
    pub fn drawable(&self, scene: &Scene) -> Scene {
        let mut scene = scene.clone();
        if !self.gpu.caps.draws_with_depth {
            scene.meshes.clear();
            scene.placed_meshes = Default::default();
        }
        scene
    }

    /// A pixel of a frame, with its layers.
    pub fn probe(&self, frame: &Frame, pixel: [u32; 2]) -> Probed {
        probe(&self.gpu, &self.pipelines, frame, pixel).expect("a pixel")
    }

    fn methods_that(&self, are_wanted: impl Fn(Method) -> bool) -> Vec<Method> {
        let runs = |method: &Method| method.missing_on(&self.gpu.caps).is_none();
        let methods = Method::all().filter(runs);
        methods.filter(|method| are_wanted(*method)).collect()
    }

    pub fn methods(&self) -> Vec<Method> {
        self.methods_that(|_| true)
    }

    /// All exact methods that this adapter supports. Their results agree with the plain loop within their bounds.
    pub fn exact_methods(&self) -> Vec<Method> {
        self.methods_that(Method::is_exact)
    }

    /// Runs the checks of `verify` on the given lists, with the given shaders.
    pub fn checks(
        &self,
        pipelines: &Pipelines,
        methods: &[Method],
        options: &Options,
        lists: &[StressList],
    ) -> Vec<Check> {
        let told = &mut |_| Ok(());
        let checks = run(&self.gpu, pipelines, methods, (options, &[]), lists, told);
        checks.expect("the checks run")
    }

    /// Exact methods that are kernels, not draws.
    pub fn exact_kernels(&self) -> Vec<Method> {
        self.methods_that(|method| method.is_exact() && !method.is_drawn())
    }

    /// Exact methods that compute in f32 throughout.
    pub fn methods_in_f32(&self) -> Vec<Method> {
        self.methods_that(|method| method.is_exact() && !method.rounds_to_half())
    }

    pub fn computed_methods(&self) -> Vec<Method> {
        self.methods_that(|method| !method.is_drawn())
    }
}

impl Drop for Harness {
    fn drop(&mut self) {
        let messages = std::mem::take(&mut *messages());
        if std::thread::panicking() {
            return;
        }
        assert!(messages.is_empty(), "validation messages: {messages:#?}");
        idle().extend(self.shared.take());
    }
}

fn idle() -> MutexGuard<'static, Vec<Opened>> {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Edits that light fog columns at few points. In a small frame, the program's 128 cells per column with four taps each
/// take nine tenths of the time, but do not affect lists or methods.
const COARSE_COLUMNS: [Edit; 2] = [
    in_fog(
        "const CELLS_PER_COLUMN: u32 = 128u;",
        "const CELLS_PER_COLUMN: u32 = 8u;",
    ),
    in_fog("const SUN_TAPS: u32 = 4u;", "const SUN_TAPS: u32 = 1u;"),
];

const fn in_fog(find: &'static str, replace: &'static str) -> Edit {
    Edit::new("frame/fog", find, replace)
}

/// Rows of a table in a test, one per line, with cells separated by bars; `\n` means a line break.
pub fn rows<const N: usize>(table: &str) -> impl Iterator<Item = [&'static str; N]> {
    table.trim_matches('\n').lines().map(|line| {
        let line = line.replace("\\n", "\n").leak();
        let cells: Vec<&str> = line.split(" | ").collect();
        let cells = cells.try_into();
        cells.unwrap_or_else(|cells| panic!("{cells:?} are not {N} cells"))
    })
}

/// Fails unless a text contains all of the parts, which are separated by bars.
#[track_caller]
pub fn says(text: impl AsRef<str>, parts: impl AsRef<str>) {
    let text = text.as_ref();
    for part in parts.as_ref().split(" | ") {
        assert!(text.contains(part), "`{part}` is not in: {text}");
    }
}

/// Entries of a folder, sorted; empty if the folder does not exist.
pub fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// All files and folders below a folder.
pub fn below(folder: &Path) -> Vec<PathBuf> {
    let with_its_own = |path: PathBuf| [below(&path), vec![path]].concat();
    entries(folder).into_iter().flat_map(with_its_own).collect()
}

pub fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// Pipelines of the program's shaders with coarse fog and one edit.
pub fn edited(module: &'static str, find: &'static str, replace: &'static str) -> Pipelines {
    Pipelines::new(source([Edit::new(module, find, replace)]))
}

/// Edit that swaps adjacent layers of the lists that `verify` checks.
pub const SWAPPED: Edit = Edit::new(
    "layers/sources/table",
    "table[layer])",
    "table[layer ^ 1u])",
);
/// Edit that stores results one pixel away from where they belong.
pub const ASIDE: Edit = Edit::new(
    "methods/list",
    "pixel.x] = composite;",
    "(pixel.x ^ 1u)] = composite;",
);

/// Largest error of four channels, each divided by its bound; infinite for NaN. Channels without a bound are ignored.
pub fn error_over_bound(expected: [f64; 4], bound: [f64; 4], found: [f32; 4]) -> f64 {
    let channels = expected.into_iter().zip(bound).zip(found);
    let bounded = channels.filter(|((_, bound), _)| bound.is_finite());
    let excess = bounded.map(|((expected, bound), found)| {
        let excess = (expected - f64::from(found)).abs() / bound.max(f64::MIN_POSITIVE);
        if excess.is_nan() {
            f64::INFINITY
        } else {
            excess
        }
    });
    excess.fold(0.0, f64::max)
}

/// Largest difference over all channels.
pub fn apart(a: &[[f32; 4]], b: &[[f32; 4]]) -> f32 {
    let channels = a.iter().flatten().zip(b.iter().flatten());
    channels.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

/// Largest difference over max(1, |reference|) over all channels.
pub fn greatest(reference: &[[f32; 4]], found: &[[f32; 4]]) -> f32 {
    let channels = reference.iter().flatten().zip(found.iter().flatten());
    let off = channels.map(|(a, b)| (a - b).abs() / a.abs().max(1.0));
    off.fold(0.0, f32::max)
}

/// The program's shaders with coarse fog and additional edits.
pub fn source(edits: impl IntoIterator<Item = Edit>) -> ShaderSource {
    ShaderSource {
        edits: COARSE_COLUMNS.into_iter().chain(edits).collect(),
        ..crate::shaders::source()
    }
}

/// Writes the program's shaders, with coarse fog, to a folder for programs that a test starts.
pub fn write_shaders(folder: &Path) {
    crate::shaders::write(&source([]), folder);
}

pub fn scene(name: &str) -> Scene {
    scene::load(name, &Disk).expect("built-in scenes load")
}

/// A built-in scene with every two-hundredth splat, for a quick test on a CPU adapter.
pub fn thinned_scene(name: &str) -> Scene {
    let mut scene = scene(name);
    if name == "statue" {
        static FEW: LazyLock<Splats> = LazyLock::new(few_splats);
        scene.place_splats(std::slice::from_ref(&FEW));
    }
    scene
}

fn few_splats() -> Splats {
    let file = files::Opened::of(include_bytes!("../../assets/scenes/statue.spz"));
    let all = splats::read(file, "statue.spz", splats::How::default(), &mut |_| Ok(()))
        .expect("the statue is read");
    let (mut few, each) = (Splats::default(), all.harmonics.len() / all.len());
    few.degree = all.degree;
    for index in (0..all.len()).step_by(200) {
        few.positions.push(all.positions[index]);
        few.rotations.push(all.rotations[index]);
        // The splats are so large that many overlap at a pixel.
        few.scales.push(7.0 * all.scales[index]);
        few.opacities.push(all.opacities[index]);
        few.harmonics
            .extend_from_slice(&all.harmonics[index * each..][..each]);
    }
    few
}

/// Every built-in scene, with particles and splats limited for a quick test on a CPU adapter.
pub fn all_scenes() -> Vec<(Scene, u32)> {
    let quick = |name| {
        let scene = thinned_scene(name);
        let most = match name {
            "temple" | "stress" => 12_000,
            _ => 3_000,
        };
        let particles = scene.particles.min(most);
        (scene, particles)
    };
    scene::names().into_iter().map(quick).collect()
}

/// Settings for a small frame of a scene, quick on a CPU adapter.
pub fn settings(scene: &Scene, size: [u32; 2], particles: u32, fog_slices: u32) -> Settings {
    Settings {
        scene: scene.name.clone(),
        size,
        time: scene.best_time,
        seed: 1,
        camera: scene.cameras[0].name.clone(),
        moved_camera: None,
        particles,
        fog_slices,
        factors: Factors::default(),
        splats: None,
        options: Options::default().with_method(|method| method.pixels_per_wave = 8),
    }
}

/// A self-luminous pane across the view of `two`.
pub fn pane(center: [f32; 3], half: [f32; 2], emission: [f32; 3], opacity: f32) -> SheetSpec {
    SheetSpec {
        center,
        half_u: [half[0], 0.0, 0.0],
        half_v: [0.0, half[1], 0.0],
        cells: [3, 2],
        albedo: [0.0; 3],
        emission,
        opacity,
        transmission: 0.5,
        fade: 0.0,
        rim: 0.0,
        rim_opacity: 1.0,
    }
}

/// Passes of a frame that draws only exact methods.
pub fn usual_passes() -> impl Iterator<Item = Pass> {
    let passes = Pass::ALL.into_iter();
    passes.filter(|pass| ![Pass::UnsortedLists, Pass::CoarseLists].contains(pass))
}
