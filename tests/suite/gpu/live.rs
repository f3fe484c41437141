//! The frame that is drawn again and again: it never waits, and gets to what a capture shows.

use wavelerp::capture::MethodPicture;
use wavelerp::gpu::{Gpu, read_buffer};
use wavelerp::methods::Method;
use wavelerp::render::frame_input;
use wavelerp::render::live::{Live, Wanted};
use wavelerp::scene::Scene;
use wavelerp::settings::Settings;

use super::{Harness, scene, settings};

/// Frames within which counters have come back and buffers have grown.
const FRAMES: usize = 12;

fn live(harness: &Harness, scene: &Scene, settings: &Settings, capacity: u32) -> Live {
    let scene = harness.drawable(scene);
    let mut input = frame_input(&scene, &scene.cameras[0], settings, &harness.gpu.caps);
    input.uniform.entry_capacity = capacity;
    Live::new(&harness.gpu, &harness.pipelines, input).expect("a live frame")
}

/// Draws frames until the counters are back; the test waits where the window never does.
fn draw(harness: &Harness, live: &mut Live, settings: &Settings, methods: [Option<Method>; 2]) {
    let uniform = *live.frame.uniform();
    for _ in 0..FRAMES {
        let methods = methods.map(|method| method.map(|method| settings.specialization(method)));
        let wanted = Wanted {
            uniform,
            emitters: live.frame.input().emitters.clone(),
            methods,
            early_out: settings.early_out,
            ..Wanted::default()
        };
        live.draw(&harness.gpu, &harness.pipelines, &wanted)
            .expect("a frame");
        harness.gpu.wait().expect("the device goes on");
    }
}

fn pixels(gpu: &Gpu, buffer: &wgpu::Buffer, size: [u32; 2]) -> Vec<[u32; 4]> {
    read_buffer(gpu, buffer, (size[0] * size[1]) as usize).expect("pixels")
}

/// The bits of a captured composite.
fn bits(picture: &MethodPicture) -> Vec<[u32; 4]> {
    let pixels = picture.composite.pixels.iter();
    pixels.map(|pixel| pixel.map(f32::to_bits)).collect()
}

#[test]
fn two_methods_side_by_side_are_what_captures_of_them_are() {
    let harness = Harness::new();
    let scene = scene("temple");
    let settings = settings(&scene, [97, 55], 600, 8);
    let mut live = live(&harness, &scene, &settings, 1 << 16);
    let (a, b) = (Method::WaveLerpPadded, Method::PixelLoop);
    draw(&harness, &mut live, &settings, [Some(a), Some(b)]);
    let shown = [&live.frame.target.composites, &live.other.composites]
        .map(|buffer| pixels(&harness.gpu, buffer, settings.size));
    let mut capture = harness.capture(&scene, &settings);
    for (method, shown) in [a, b].into_iter().zip(&shown) {
        let picture = capture.picture(method).expect("a picture");
        let captured = bits(&picture);
        assert!(*shown == captured, "{method} differs from its capture");
    }
    assert_ne!(shown[0], shown[1], "rounding tells the methods apart");
}

#[test]
fn buffers_that_are_too_small_say_so_and_grow_within_a_few_frames() {
    let harness = Harness::new();
    let scene = scene("temple");
    let settings = settings(&scene, [97, 55], 600, 8);
    let mut live = live(&harness, &scene, &settings, 16);
    let methods = [Some(Method::PixelLoop), None];
    draw(&harness, &mut live, &settings, methods);
    assert_eq!(live.missing_layers(), 0);
    assert!(live.frame.uniform().entry_capacity > 16);
    assert_eq!(live.counters.entries, live.counters.entries_needed);
    let grown = pixels(&harness.gpu, &live.frame.target.composites, settings.size);
    let mut capture = harness.capture(&scene, &settings);
    let picture = capture.picture(Method::PixelLoop).expect("a picture");
    let captured = bits(&picture);
    assert!(grown == captured, "a grown frame shows all layers");
}

#[test]
fn every_pass_gets_its_times_where_there_are_timestamps() {
    let harness = Harness::new();
    let scene = scene("two");
    let settings = settings(&scene, [64, 36], 2, 4);
    let mut live = live(&harness, &scene, &settings, 1 << 12);
    draw(
        &harness,
        &mut live,
        &settings,
        [Some(Method::PixelLoop), None],
    );
    let labels: Vec<&str> = live
        .times
        .iter()
        .map(|times| times.label.as_str())
        .collect();
    match harness.gpu.caps.timestamps {
        false => assert!(labels.is_empty()),
        true => {
            for pass in ["simulate", "sort", "lists", "fog", "pixel-loop", "resolve"] {
                assert!(labels.contains(&pass), "{pass} is not among {labels:?}");
            }
        }
    }
}
