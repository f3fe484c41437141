//! Tests that need an adapter. `cargo xtask test` runs them once per wave size of software Vulkan;
//! WAVELERP_EXPECT_WAVE says which size a shader must then read, WAVELERP_ADAPTER names the adapter.

use std::sync::Mutex;

use wavelerp::capture::Capture;
use wavelerp::gpu::{AdapterRequest, Gpu, Pipelines};
use wavelerp::methods::{Dial, Hazard, Method, Tail};
use wavelerp::scene::{self, Factors, Scene};
use wavelerp::settings::Settings;

mod auto;
mod cloud;
mod debug;
mod fixed_function;
mod fog;
mod integrate;
mod lists;
mod live;
mod look;
mod measure;
mod memory;
mod metamorphic;
mod methods;
mod metrics;
mod particles;
mod pictures;
mod probe;
mod reload;
mod sheets;
mod sort;
mod two;
mod values;
mod wave_intrinsics;
mod wave_library;

/// Messages of the validation layers that are known to be harmless: old layers do not know WGSL as a
/// source language in debug information.
const HARMLESS: &str = "Invalid source language operand: 10";

static MESSAGES: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Keeps errors that wgpu logs: the validation layers' messages among them.
struct Collector;

impl log::Log for Collector {
    fn enabled(&self, metadata: &log::Metadata) -> bool {
        metadata.level() <= log::Level::Error
    }

    fn log(&self, record: &log::Record) {
        let message = record.args().to_string();
        // A message is followed by a line that lists its objects. What naga logs it also returns.
        let is_message = !message.starts_with("\tobjects:")
            && !message.contains(HARMLESS)
            && !record.target().starts_with("naga");
        if self.enabled(record.metadata()) && is_message {
            MESSAGES
                .lock()
                .expect("no test panics while logging")
                .push(message);
        }
    }

    fn flush(&self) {}
}

/// An open adapter; dropping it fails the test if the validation layers had anything to say.
pub struct Harness {
    pub gpu: Gpu,
    pub pipelines: Pipelines,
}

impl Harness {
    /// The adapter that WAVELERP_ADAPTER names. There being none is a failure, never a skip.
    pub fn new() -> Self {
        let _ = log::set_logger(&Collector).map(|()| log::set_max_level(log::LevelFilter::Error));
        let gpu = Gpu::open(&AdapterRequest {
            adapter: std::env::var("WAVELERP_ADAPTER").ok(),
            backend: None,
        })
        .expect("tests need an adapter: cargo xtask test installs one");
        Self {
            gpu,
            pipelines: Pipelines::new(crate::shaders::source()),
        }
    }

    /// A scene drawn up to its lists.
    pub fn capture(&self, scene: &Scene, settings: &Settings) -> Capture<'_> {
        self.capture_by(&self.pipelines, scene, settings)
    }

    /// The same as [`Harness::capture`] with other pipelines, of edited shaders for example.
    pub fn capture_by<'a>(
        &'a self,
        pipelines: &'a Pipelines,
        scene: &Scene,
        settings: &Settings,
    ) -> Capture<'a> {
        let scene = self.drawable(scene);
        Capture::new(&self.gpu, pipelines, &scene, settings.clone()).expect("the scene draws")
    }

    /// The scene, without its solids where they cannot be drawn: with 512-bit vectors (wave 16)
    /// Mesa 22.3's llvmpipe crashes when it compiles any draw with a depth buffer, because its depth
    /// swizzle knows 4 and 8 lanes only. Compute passes are as everywhere.
    pub fn drawable(&self, scene: &Scene) -> Scene {
        let mut scene = scene.clone();
        if !self.gpu.caps.draws_with_depth {
            scene.meshes.clear();
        }
        scene
    }

    /// Every method that this adapter can run.
    pub fn methods(&self) -> Vec<Method> {
        Method::all()
            .filter(|method| method.missing_on(&self.gpu.caps).is_none())
            .collect()
    }

    /// Those of them that compute in f32 throughout.
    pub fn methods_in_f32(&self) -> Vec<Method> {
        let mut methods = self.methods();
        methods.retain(|method| !method.rounds_to_half());
        methods
    }

    /// Those of them that are kernels, not draws.
    pub fn computed_methods(&self) -> Vec<Method> {
        let mut methods = self.methods();
        methods.retain(|method| !method.is_drawn());
        methods
    }
}

impl Drop for Harness {
    fn drop(&mut self) {
        let messages = MESSAGES
            .lock()
            .map(|messages| messages.clone())
            .unwrap_or_default();
        if !std::thread::panicking() {
            assert!(messages.is_empty(), "validation messages: {messages:#?}");
        }
    }
}

/// A built-in scene.
pub fn scene(name: &str) -> Scene {
    scene::load(name).expect("built-in scenes load")
}

/// Every built-in scene, each with as many particles as a quick test allows on a CPU adapter.
pub fn all_scenes() -> Vec<(Scene, u32)> {
    let quick = |name| {
        let scene = scene(name);
        let most = match name {
            "temple" | "stress" => 12_000,
            _ => 3_000,
        };
        let particles = scene.particles.min(most);
        (scene, particles)
    };
    scene::names().into_iter().map(quick).collect()
}

/// Small settings for a scene, quick on a CPU adapter.
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
        tile: 8,
        hazard: Hazard::Driver,
        early_out: 0.0,
        pixels_per_wave: 8,
        dial: Dial::default(),
        tail: Tail::default(),
    }
}
