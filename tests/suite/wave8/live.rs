//! The live frame: it never waits, and reaches the state that a capture shows.

use std::time::{Duration, Instant};

use wavelerp::frame::{BufferId, Target, lists};
use wavelerp::gpu::Binds;
use wavelerp::live::{DebugView, ENOUGH, Live, Region, Wanted};
use wavelerp::methods::composite::Composites;
use wavelerp::model::methods::Method;
use wavelerp::model::options::{FrameOptions, Options, Solids};
use wavelerp::model::passes::{Label, Pass};

use crate::harness::{Harness, scene, settings};
use crate::on_screen::{
    FRAMES, bits, draw, draw_once, live, pixels, shown, small, untimed, wanted,
};

#[test]
fn two_methods_side_by_side_are_what_captures_of_them_are_and_so_are_their_wave_sizes() {
    let harness = Harness::new();
    let (a, b) = (Method::WaveLerpDeferred, Method::PixelLoop);
    let (scene, settings, mut live, both) = small(&harness, "temple", 1 << 16, [Some(a), Some(b)]);
    draw(&harness, &mut live, &both);
    let targets = [&live.shown.frame.target, &live.shown.other];
    let shown = targets.map(|of| pixels(&harness.gpu, &of.composites, settings.size));
    let mut capture = harness.capture(&scene, &settings);
    let captured = [a, b].map(|method| capture.picture(method).expect("a picture"));
    for (captured, shown) in captured.iter().zip(&shown) {
        assert!(*shown == bits(captured), "{}", captured.method);
    }
    assert_ne!(shown[0], shown[1], "the methods differ by rounding");
    assert!(captured[0].wave_size.is_some());
    assert_eq!(live.shown.wave_sizes, captured.map(|of| of.wave_size));
    // Negative control: a side that is not drawn has no picture.
    let one = wanted(&live, &settings, [Some(a), None]);
    draw(&harness, &mut live, &one);
    assert_eq!(live.shown.wave_sizes[1], None);
}

#[test]
fn buffers_that_are_too_small_say_so_and_grow_within_a_few_frames() {
    let harness = Harness::new();
    let (scene, settings, mut live, one) =
        small(&harness, "temple", 16, [Some(Method::PixelLoop), None]);
    draw(&harness, &mut live, &one);
    assert_eq!(live.shown.missing_layers(), 0);
    assert!(live.shown.frame.shape().entry_capacity > 16);
    assert_eq!(live.shown.counters.dropped(), 0);
    assert!(live.shown.counters.entries > 16);
    let grown = shown(&harness, &live);
    let mut capture = harness.capture(&scene, &settings);
    let picture = capture.picture(Method::PixelLoop).expect("a picture");
    assert!(grown == bits(&picture), "a grown frame shows all layers");
}

#[test]
fn a_cpu_adapter_composites_the_tiles_that_are_wanted_and_leaves_the_rest_as_it_was() {
    let harness = Harness::new();
    let methods = [
        Method::PixelLoop,
        Method::PixelLoopStaged,
        Method::SplitDepth,
        Method::SplitBatches,
        Method::WaveLerpProduct,
        Method::Average,
        Method::Coarse,
        Method::Peeling,
    ];
    let section = [16, 16, 48, 32];
    let scene = scene("temple");
    let settings = settings(&scene, [64, 48], 300, 8);
    let mut live = live(&harness, &scene, &settings, 1 << 16);
    for method in methods {
        let mut at = |time: f32, section: Option<[u32; 4]>| {
            let mut wanted = wanted(&live, &settings, [None, Some(method)]);
            wanted.moment.time = time;
            wanted.sections = [None, section];
            draw(&harness, &mut live, &wanted);
            pixels(&harness.gpu, &live.shown.other.composites, settings.size)
        };
        let later = at(1.0, None);
        let before = at(0.0, None);
        let both = at(1.0, Some(section));
        for (index, now) in both.iter().enumerate() {
            let [x, y] = [index as u32 % 64, index as u32 / 64];
            let is_inside = x >= section[0] && x < section[2] && y >= section[1] && y < section[3];
            let expected = match is_inside || !harness.gpu.caps.is_cpu {
                true => later[index],
                false => before[index],
            };
            assert_eq!(*now, expected, "{method} at {x}, {y}");
        }
        assert!(both != before, "{method}: the section changes with time");
        let is_whole = !harness.gpu.caps.is_cpu;
        assert_eq!(both == later, is_whole, "{method}: outside the section");
    }
}

#[test]
fn a_frame_in_pieces_is_the_frame_drawn_at_once_and_is_dropped_where_another_is_wanted() {
    let harness = Harness::new();
    let (_, settings, mut live, both) = small(&harness, "temple", 1 << 16, BOTH);
    let at = |time: f32, in_pieces| {
        let mut wanted = both.clone();
        (wanted.moment.time, wanted.once) = (time, true);
        // Composites are also cut into pieces when nothing is timed.
        (wanted.in_pieces, wanted.untimed) = (in_pieces, in_pieces);
        wanted
    };
    let seen = |live: &Live| {
        [&live.shown.frame.target, &live.shown.other]
            .map(|target| pixels(&harness.gpu, &target.composites, settings.size))
    };
    let whole = [1.0, 2.0].map(|time| {
        draw(&harness, &mut live, &at(time, false));
        seen(&live)
    });
    assert!(whole[0] != whole[1]);
    // A frame that was begun at one time does not change a later frame of another time.
    draw_once(&harness, &mut live, &at(1.0, true));
    for (time, whole) in [(2.0, &whole[1]), (1.0, &whole[0])] {
        let scene = live.shown.scene;
        draw_once(&harness, &mut live, &at(time, true));
        while live.is_under_way() {
            draw_once(&harness, &mut live, &at(time, true));
        }
        assert_eq!(
            live.shown.scene,
            scene + 1,
            "one frame, however many pieces"
        );
        assert!(seen(&live) == *whole, "at {time} s");
    }
    // A later run that serves only to measure time also draws the whole picture.
    draw(&harness, &mut live, &at(1.0, false));
    assert!(seen(&live) == whole[0]);
}

/// True if a frame stops being drawn within some seconds. With the wall clock, which replaces unreliable timestamps, few
/// frames are timed, and drawing continues until one is timed.
fn comes_to_rest(results: &mut dyn FnMut(&Wanted) -> u64, wanted: &Wanted) -> bool {
    let start = Instant::now();
    while results(wanted) > 0 {
        if start.elapsed() > Duration::from_secs(20) {
            return false;
        }
    }
    true
}

const BOTH: [Option<Method>; 2] = [Some(Method::WaveLerpDeferred), Some(Method::PixelLoop)];

#[test]
fn a_frame_that_is_wanted_once_is_left_as_it_is_until_something_else_is_wanted() {
    let harness = Harness::new();
    let (.., mut live, mut once) = small(&harness, "two", 16, BOTH);
    once.metrics = Some(1e-6);
    once.once = true;
    draw(&harness, &mut live, &once);
    assert_eq!(live.shown.missing_layers(), 0, "the lists have grown");
    assert!(live.looking.metrics.is_some() && !live.shown.times.passes.is_empty());
    let mut results = |wanted: &Wanted| {
        let before = live.looking.metrics_frame;
        draw(&harness, &mut live, wanted);
        live.looking.metrics_frame - before
    };
    assert!(comes_to_rest(&mut results, &once), "nothing changed");
    once.moment.look.exposure *= 0.5;
    assert!(results(&once) > 0, "another exposure");
    assert!(
        comes_to_rest(&mut results, &once),
        "the frame is drawn once"
    );
    // Negative control: by default it is drawn continuously.
    let again = Wanted {
        once: false,
        ..once
    };
    assert!(results(&again) >= FRAMES as u64 - 1);
}

#[test]
fn the_times_of_a_frame_at_rest_are_of_all_its_passes_also_if_it_is_drawn_in_pieces() {
    let harness = Harness::new();
    for in_pieces in [false, true] {
        times_at_rest(&harness, in_pieces);
    }
}

fn times_at_rest(harness: &Harness, in_pieces: bool) {
    let scene = scene("temple");
    let settings = settings(&scene, [160, 90], 300, 8);
    let mut live = live(harness, &scene, &settings, 1 << 16);
    let methods = [Method::WaveLerpDeferred, Method::PixelLoop];
    let mut once = wanted(&live, &settings, methods.map(Some));
    (once.once, once.in_pieces) = (true, in_pieces);
    let has_enough = |live: &Live, method: Method| {
        let mut times = live.shown.times.methods.iter();
        times.any(|times| times.of.method == method && times.samples.len() >= ENOUGH)
    };
    let start = Instant::now();
    while !methods.iter().all(|method| has_enough(&live, *method)) {
        draw(harness, &mut live, &once);
        assert!(start.elapsed() < Duration::from_secs(60));
    }
    // With the wall clock, a pass that ends unobserved has no time in that frame.
    let of_scene = [
        Pass::Simulate,
        Pass::Bin,
        Pass::Lists,
        Pass::Light,
        Pass::Resolve,
    ]
    .map(Label::from);
    let all: Vec<Label> = methods.map(Label::of).into_iter().chain(of_scene).collect();
    let missing = untimed(harness, &mut live, &once, &all);
    assert!(missing.is_empty(), "{missing:?}, in pieces: {in_pieces}");
}

#[test]
fn values_of_other_pixels_come_back_of_a_frame_that_stays_as_it_is() {
    let harness = Harness::new();
    let (_, settings, mut live, mut once) = small(&harness, "two", 16, BOTH);
    once.metrics = Some(1e-6);
    once.once = true;
    let drawn = |live: &mut Live, wanted: &Wanted| {
        let before = live.looking.metrics_frame;
        draw(&harness, live, wanted);
        live.looking.metrics_frame - before
    };
    assert!(comes_to_rest(&mut |wanted| drawn(&mut live, wanted), &once));
    let region = Region {
        origin: [30, 33],
        size: [9, 9],
    };
    for region in [
        region,
        Region {
            origin: [2, 3],
            ..region
        },
    ] {
        once.region = Some(region);
        assert_eq!(drawn(&mut live, &once), 0, "nothing is drawn");
        let values = live.looking.values.clone().expect("values are read back");
        assert_eq!(values.region.origin, region.origin);
        let targets = [&live.shown.frame.target, &live.shown.other];
        for (side, target) in targets.into_iter().enumerate() {
            let all = pixels(&harness.gpu, &target.composites, settings.size);
            let [x, y] = region.origin;
            let there = all[(y * settings.size[0] + x) as usize];
            let value = values.at(side, region.origin);
            assert_eq!(value.map(|value| value.map(f32::to_bits)), Some(there));
            // Below the lowest row is the frame's edge.
            assert_eq!(values.at(side, [x, 36]), None);
        }
    }
    once.region = None;
    assert_eq!(drawn(&mut live, &once), 0);
    assert_eq!(live.looking.values, None);
}

#[test]
fn lists_are_made_and_counted_only_while_something_needs_them() {
    let harness = Harness::new();
    if !harness.methods().contains(&Method::FixedFunction) {
        return;
    }
    let drawn = Some(Method::FixedFunction);
    // The lists need more room than 16 entries; buffers grow only if lists are made.
    let (_, settings, mut live, alone) = small(&harness, "temple", 16, [drawn, None]);
    let beside = wanted(&live, &settings, [drawn, Some(Method::PixelLoop)]);
    let probed = Wanted {
        debug: Some(DebugView::ListLength),
        ..alone.clone()
    };
    let auto = wanted(&live, &settings, [Some(Method::Auto), None]);
    draw(&harness, &mut live, &alone);
    assert!(live.shown.counters.visible > 0 && !live.shown.counters.has_lists());
    assert_eq!(live.shown.missing_layers(), 0);
    assert_eq!(live.shown.frame.shape().entry_capacity, 16);
    let without = shown(&harness, &live);
    for needs in [&beside, &probed, &auto] {
        draw(&harness, &mut live, needs);
        assert!(live.shown.counters.has_lists() && live.shown.counters.listed_layers > 0);
        assert_eq!(live.shown.missing_layers(), 0);
        draw(&harness, &mut live, &alone);
        assert!(!live.shown.counters.has_lists(), "no stale lists");
        assert_eq!(live.shown.counters.listed_layers, 0);
        assert!(shown(&harness, &live) == without);
    }
    // Any method can be measured.
    let methods = vec![settings.options.specialize(Method::PixelLoop)];
    live.start_measuring(&harness.gpu, &harness.pipelines, methods)
        .expect("a clock");
    let mut frames = (0..FRAMES).map(|_| {
        draw_once(&harness, &mut live, &alone);
        live.shown.counters.has_lists()
    });
    assert!(frames.any(|has_lists| has_lists));
}

#[test]
fn changed_emitters_are_drawn_and_other_numbers_of_them_are_refused() {
    let harness = Harness::new();
    let methods = [Some(Method::PixelLoop), None];
    let (.., mut live, mut one) = small(&harness, "two", 1 << 12, methods);
    let picture = |live: &mut Live, wanted: &Wanted| {
        draw(&harness, live, wanted);
        shown(&harness, live)
    };
    let before = picture(&mut live, &one);
    assert!(before == picture(&mut live, &one), "the same picture again");
    for emitter in &mut one.emitters {
        emitter.opacity *= 0.5;
    }
    assert!(before != picture(&mut live, &one), "fainter particles");
    one.emitters.pop();
    let refused = live.draw(&harness.gpu, &harness.pipelines, &one);
    assert!(refused.is_err_and(|error| error.message.contains("emitters")));
}

#[test]
fn memory_lists_what_the_driver_gave() {
    let harness = Harness::alone();
    let scene = scene("temple");
    let settings = settings(&scene, [97, 55], 600, 8);
    let allocated = || {
        let report = harness.gpu.device.generate_allocator_report();
        let report = report.expect("this back end reports its allocations");
        let sizes = report.allocations.iter().map(|allocation| allocation.size);
        sizes.sum::<u64>()
    };
    let before = allocated();
    let live = live(&harness, &scene, &settings, 1 << 16);
    // After this, uploads have left the queue's staging buffers.
    harness.gpu.queue.submit([]);
    harness.gpu.wait().expect("the device is not lost");
    let given = allocated() - before;
    let listed: u64 = live.memory().iter().map(|entry| entry.1).sum();
    // Drivers round sizes up, and passes have job constants of a few bytes each.
    assert!(listed <= given, "{listed} of {given}");
    assert!(given - listed < given / 10, "{listed} of {given}");
    // Negative control: without the shadow map, the difference would be larger.
    let memory = live.memory();
    let is_large = |entry: &(&str, u64)| entry.0 == "shadow map" && entry.1 > given / 10;
    assert!(memory.iter().any(is_large), "{memory:?}");
}

#[test]
fn an_error_of_the_device_names_what_failed() {
    let harness = Harness::alone();
    let (.., mut live, one) = small(&harness, "two", 1 << 12, [Some(Method::PixelLoop), None]);
    draw(&harness, &mut live, &one);
    let failure = |live: &mut Live| {
        let drawn = live.draw(&harness.gpu, &harness.pipelines, &one);
        let later = harness.gpu.wait();
        drawn.and(later).expect_err("a failure").message
    };
    // Fault: a destroyed buffer.
    live.shown.frame.target.ran_at.destroy();
    let message = failure(&mut live);
    assert!(message.contains("wave size"), "{message}");
    live.shown.frame.target = Target::new(&harness.gpu, live.shown.frame.shape().size);
    draw(&harness, &mut live, &one);
    // Faults: a binding that does not fit its shader, and an invalid dispatch.
    let (gpu, frame) = (&harness.gpu, &live.shown.frame);
    let failure = |layers: &wgpu::Buffer, arguments: &wgpu::Buffer| {
        let variant = lists::variant("frame/lists", &gpu.caps, frame.shape());
        let pipeline = harness.pipelines.compute(gpu, &variant, "list_tiles");
        let pipeline = pipeline.expect("the shader compiles");
        let own = Binds::new([("layers", layers.as_entire_binding())]);
        let sets = [&own, frame.resources.binds()];
        let mut encoder = gpu.encoder("frame");
        let mut pass = encoder.begin_compute_pass(&Default::default());
        let dispatched = pipeline.dispatch_indirect(&mut pass, &sets, arguments, 0);
        drop(pass);
        gpu.queue.submit([encoder.finish()]);
        let failed = dispatched.and(gpu.wait());
        failed.expect_err("a failure").message
    };
    let unfit = |label: &str, usage: wgpu::BufferUsages| {
        let descriptor = wgpu::BufferDescriptor {
            label: Some(label),
            size: 1024,
            usage,
            mapped_at_creation: false,
        };
        gpu.device.create_buffer(&descriptor)
    };
    let [layers, arguments] =
        [BufferId::Layers, BufferId::Arguments].map(|id| frame.resources.buffer(id));
    let names = |message: &str, parts: &[&str]| parts.iter().all(|part| message.contains(part));
    let no_storage = unfit("no storage", wgpu::BufferUsages::COPY_DST);
    let message = failure(&no_storage, arguments);
    assert!(names(&message, &["no storage", "lists.wgsl"]), "{message}");
    let no_arguments = unfit("no arguments", wgpu::BufferUsages::STORAGE);
    let message = failure(layers, &no_arguments);
    // For errors inside a pass, wgpu names the encoder, the command and the resource, not the pass.
    assert!(names(&message, &["no arguments", "frame"]), "{message}");
}

#[test]
fn a_lost_device_is_an_error_of_the_frame_and_is_noticed() {
    let harness = Harness::alone();
    let (.., mut live, one) = small(&harness, "two", 1 << 10, [Some(Method::PixelLoop), None]);
    draw(&harness, &mut live, &one);
    let (gpu, pipelines) = (&harness.gpu, &harness.pipelines);
    // Timers and counters of this frame are pending when the device is lost.
    live.draw(gpu, pipelines, &one).expect("a frame");
    assert!(!gpu.is_lost());
    gpu.device.destroy();
    // Work that was submitted earlier finishes first.
    let frames = (0..FRAMES).map(|_| [live.draw(gpu, pipelines, &one), gpu.wait()]);
    let errors: Vec<_> = frames.flatten().filter_map(Result::err).collect();
    assert!(!errors.is_empty());
    assert!(gpu.is_lost());
}

/// Methods of a frame coexist. After the frame's options have changed, the first new method replaces all of them.
#[test]
fn composites_of_other_frame_options_do_not_pile_up() {
    let harness = Harness::new();
    let (gpu, pipelines) = (&harness.gpu, &harness.pipelines);
    let mut composites = Composites::default();
    let mut options = Options::default();
    let [a, b] = [Method::PixelLoop, Method::PixelLoopStaged];
    let changes: [fn(&mut FrameOptions); 3] = [
        |frame| frame.early_out = 0.5,
        |frame| frame.solids = Solids::Draw,
        |frame| frame.key_bits = 12,
    ];
    for change in changes {
        let old = [a, b].map(|method| options.specialize(method));
        for of in old {
            composites
                .make(gpu, pipelines, of)
                .expect("the shader compiles");
        }
        assert!(old.iter().all(|of| composites.has(*of)));
        change(&mut options.frame);
        let new = composites.make(gpu, pipelines, options.specialize(a));
        new.expect("the shader compiles");
        assert!(!old.iter().any(|of| composites.has(*of)));
    }
}
