//! Live frames, as the window draws them, for tests.

use std::time::{Duration, Instant};

use wavelerp::error::Result;
use wavelerp::frame::frame_input;
use wavelerp::gpu::{Gpu, Pipelines, clock, read_buffer, read_texture};
use wavelerp::live::{Live, Wanted};
use wavelerp::model::methods::Method;
use wavelerp::model::passes::Label;
use wavelerp::model::scene::Scene;
use wavelerp::model::settings::Settings;
use wavelerp::runs::capture::MethodPicture;

use crate::harness::{Harness, scene, settings};

/// Number of frames after which counters have arrived and buffers have grown.
pub const FRAMES: usize = 6;

/// Tests the clock, and makes a live frame of a scene with an initial capacity of `capacity` tile entries.
pub fn live(harness: &Harness, scene: &Scene, settings: &Settings, capacity: u32) -> Live {
    clock(&harness.gpu).expect("a clock");
    live_without_clock(harness, scene, settings, capacity)
}

/// Makes a live frame of a scene without testing the clock first.
pub fn live_without_clock(
    harness: &Harness,
    scene: &Scene,
    settings: &Settings,
    capacity: u32,
) -> Live {
    let scene = harness.drawable(scene);
    let mut input = frame_input(&scene, &scene.cameras[0], settings, &harness.gpu.caps);
    input.shape.entry_capacity = capacity;
    Live::new(&harness.gpu, &harness.pipelines, input).expect("a live frame")
}

/// A small live frame of `two` or `temple`, with an initial capacity of `capacity` tile entries, and a request for the
/// given methods.
pub fn small(
    harness: &Harness,
    name: &str,
    capacity: u32,
    methods: [Option<Method>; 2],
) -> (Scene, Settings, Live, Wanted) {
    let scene = scene(name);
    let settings = match name {
        "two" => settings(&scene, [64, 36], 2, 4),
        _ => settings(&scene, [97, 55], 600, 8),
    };
    let live = live(harness, &scene, &settings, capacity);
    let wanted = wanted(&live, &settings, methods);
    (scene, settings, live, wanted)
}

/// A request to draw only the scene, with the given methods.
pub fn wanted(live: &Live, settings: &Settings, methods: [Option<Method>; 2]) -> Wanted {
    Wanted {
        moment: live.shown.frame.input().moment,
        emitters: live.shown.frame.input().emitters.clone(),
        methods: methods.map(|method| method.map(|method| settings.options.specialize(method))),
        ..Wanted::default()
    }
}

/// A small live frame, drawn with pipelines whose shaders a test may change.
pub struct Screen<'a> {
    pub harness: &'a Harness,
    pub pipelines: &'a Pipelines,
    pub live: Live,
    pub wanted: Wanted,
}

impl<'a> Screen<'a> {
    pub fn new(harness: &'a Harness, pipelines: &'a Pipelines, scene: &Scene) -> Self {
        let scene = harness.drawable(scene);
        let settings = settings(&scene, [64, 36], 100, 4);
        let input = frame_input(&scene, &scene.cameras[0], &settings, &harness.gpu.caps);
        let live = Live::new(&harness.gpu, pipelines, input).expect("a live frame");
        let wanted = wanted(&live, &settings, [Some(Method::PixelLoop), None]);
        Self {
            harness,
            pipelines,
            live,
            wanted,
        }
    }

    /// Draws a frame and waits until the GPU has finished it.
    pub fn draw(&mut self) -> Result<()> {
        let gpu = &self.harness.gpu;
        let drawn = self.live.draw(gpu, self.pipelines, &self.wanted);
        drawn.and(gpu.wait())
    }

    /// The latest picture: surfaces, and the layers in front of them.
    pub fn shown(&self) -> Vec<u8> {
        let texture = &self.live.shown.frame.target.resolved;
        read_texture(&self.harness.gpu, texture).expect("a picture")
    }
}

/// Draws one frame and waits for the GPU, which the window never does.
pub fn draw_once(harness: &Harness, live: &mut Live, wanted: &Wanted) {
    draw_once_by(harness, &harness.pipelines, live, wanted);
}

fn draw_once_by(harness: &Harness, pipelines: &Pipelines, live: &mut Live, wanted: &Wanted) {
    live.draw(&harness.gpu, pipelines, wanted).expect("a frame");
    harness.gpu.wait().expect("the device is not lost");
}

/// Draws frames until counters and all other readings have arrived.
pub fn draw(harness: &Harness, live: &mut Live, wanted: &Wanted) {
    draw_by(harness, &harness.pipelines, live, wanted);
}

/// Draws frames with other pipelines, for example of edited shaders, until all readings have arrived.
pub fn draw_by(harness: &Harness, pipelines: &Pipelines, live: &mut Live, wanted: &Wanted) {
    for _ in 0..FRAMES {
        draw_once_by(harness, pipelines, live, wanted);
    }
}

/// Draws frames until each of `labels` has a time; returns the labels that have none after half a minute. With the wall
/// clock only some frames are timed, and a pass that takes no longer than an empty submission gets no time.
pub fn untimed(
    harness: &Harness,
    live: &mut Live,
    wanted: &Wanted,
    labels: &[Label],
) -> Vec<Label> {
    let started = Instant::now();
    let mut missing = labels.to_vec();
    while !missing.is_empty() && started.elapsed() < Duration::from_secs(120) {
        draw(harness, live, wanted);
        let times = &live.shown.times.passes;
        missing.retain(|label| times.iter().all(|times| times.label != *label));
    }
    missing
}

/// Bits of method A's composite.
pub fn shown(harness: &Harness, live: &Live) -> Vec<[u32; 4]> {
    let frame = &live.shown.frame;
    pixels(&harness.gpu, &frame.target.composites, frame.shape().size)
}

/// Bits of the composite in `buffer`, four channels per pixel, in row order.
pub fn pixels(gpu: &Gpu, buffer: &wgpu::Buffer, size: [u32; 2]) -> Vec<[u32; 4]> {
    read_buffer(gpu, buffer, (size[0] * size[1]) as usize).expect("pixels")
}

/// Bits of a captured composite.
pub fn bits(picture: &MethodPicture) -> Vec<[u32; 4]> {
    let pixels = picture.composite.pixels.iter();
    pixels.map(|pixel| pixel.map(f32::to_bits)).collect()
}
