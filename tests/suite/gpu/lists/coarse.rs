//! Coarse lists are compared with unsorted lists that the CPU sorts by key, and pictures of coarse lists with the twin
//! of each pixel's layers.

use std::collections::{HashMap, HashSet};

use glam::DVec3;
use wavelerp::frame::moment::Moment;
use wavelerp::frame::unsorted::UnsortedKind;
use wavelerp::frame::{BufferId, Frame, frame_input};
use wavelerp::gpu::{Gpu, Pipelines, Profiler, read_buffer};
use wavelerp::live::inspect::{FOG, ProbedLayer};
use wavelerp::model::layout::Splat;
use wavelerp::model::methods::Method;
use wavelerp::model::options::{ListOrder, SplatOrder};
use wavelerp::model::passes::Inputs;
use wavelerp::model::scene::{Camera, Scene};
use wavelerp::model::settings::Settings;
use wavelerp::model::techniques::Technique;
use wavelerp::model::techniques::coarse::Coarse;
use wavelerp::model::techniques::layers::{Layer, Range};

use super::unsorted::listed;
use crate::harness::{Harness, all_scenes, edited, rows, scene, settings};

/// View depths of the items in list words, from the camera and from the camera that orders lists.
struct Depths {
    splats: Vec<Splat>,
    slice_bounds: Vec<f32>,
    moment: Moment,
    size: [f64; 2],
}

impl Depths {
    fn new(harness: &Harness, frame: &Frame) -> Self {
        let splats = frame.resources.buffer(BufferId::Splats);
        let items = frame.shape().items() as usize;
        Self {
            splats: read_buffer(&harness.gpu, splats, items).expect("splats"),
            slice_bounds: frame.input().slice_bounds.clone(),
            moment: frame.input().moment,
            size: frame.shape().size.map(f64::from),
        }
    }

    /// Depth from the camera that orders lists, computed from the position in the world.
    fn in_order(&self, word: u32) -> f64 {
        let depth = f64::from(self.of(word));
        if word & FOG != 0 {
            return depth;
        }
        let Moment {
            camera,
            order_camera,
            ..
        } = self.moment;
        let wide = |of: [f32; 3]| DVec3::from_array(of.map(f64::from));
        let center = self.splats[word as usize].center.map(f64::from);
        let x = (2.0 * center[0] / self.size[0] - 1.0) * f64::from(camera.tan_x);
        let y = (1.0 - 2.0 * center[1] / self.size[1]) * f64::from(camera.tan_y);
        let ray = wide(camera.forward) + wide(camera.right) * x + wide(camera.up) * y;
        let place = wide(camera.eye) + ray * depth;
        (place - wide(order_camera.eye)).dot(wide(order_camera.forward))
    }

    /// Smallest and largest key that a word may have, depending on how the GPU rounds its depth.
    fn keys(&self, word: u32, frame: &Frame) -> [u64; 2] {
        let bits = frame.shape().key_bits;
        let depth = self.in_order(word);
        [-1e-5, 1e-5].map(|off| key((depth + off * depth.abs().max(1.0)) as f32, frame, bits))
    }

    fn of(&self, word: u32) -> f32 {
        match word & FOG {
            0 => self.splats[word as usize].depth,
            _ => self.slice_bounds[(word & !FOG) as usize + 1],
        }
    }
}

/// Key of a depth: the fraction of all floats in the range that are nearer, in 2^bits steps.
fn key(depth: f32, frame: &Frame, bits: u32) -> u64 {
    let [near, far] = [frame.shape().near, frame.shape().far].map(|of| u64::from(of.to_bits()));
    let part = (far - near) / (1 << bits) + 1;
    let place = u64::from(depth.to_bits()).clamp(near, far) - near;
    place / part
}

/// The first tile whose coarse list is not its unsorted list sorted by key, and the number of list neighbours with
/// equal keys.
fn wrong(
    harness: &Harness,
    pipelines: &Pipelines,
    scene: &Scene,
    settings: &Settings,
) -> (Option<usize>, usize) {
    let gpu = &harness.gpu;
    let mut frame = harness.capture(scene, settings).frame;
    let mut draw = |inputs| {
        let mut profiler = Profiler::untimed(gpu).expect("a profiler");
        let counters = frame.draw_scene_complete(gpu, pipelines, &mut profiler, inputs);
        let mut counters = counters.expect("drawn");
        counters.made = Inputs::LISTS;
        counters
    };
    let alone = draw(Inputs::COARSE_LISTS);
    let together = draw(Inputs::ALL);
    let [unsorted, coarse] =
        [UnsortedKind::Unsorted, UnsortedKind::Coarse].map(|kind| listed(harness, &frame, kind));
    let (depths, bits) = (Depths::new(harness, &frame), frame.shape().key_bits);
    let key_of = |word: &u32| key(depths.of(*word), &frame, bits);
    let mut equal = 0;
    let wrong = unsorted
        .into_iter()
        .zip(&coarse)
        .position(|(mut expected, found)| {
            // Slices without a word are merged in by readers of the list, and follow the items in both lists.
            let items = expected.iter().position(|word| word & FOG != 0);
            let is_whole = settings.options.frame.order == ListOrder::Shuffled;
            let items = items.filter(|_| !is_whole).unwrap_or(expected.len());
            expected[..items].sort_by_key(key_of);
            let pairs = expected[..items].windows(2);
            equal += pairs
                .filter(|pair| key_of(&pair[0]) == key_of(&pair[1]))
                .count();
            expected != *found
        });
    // Lists of all kinds have equal lengths.
    let is_alike = alone == together;
    (wrong.or((!is_alike).then_some(0)), equal)
}

/// Draws the scene with lists ordered by a camera that is rotated, stands higher and looks elsewhere, so that every
/// component of the depth matters.
fn draw_by_other_camera(gpu: &Gpu, pipelines: &Pipelines, scene: &Scene, frame: &mut Frame) {
    let mut other = scene.cameras[0].viewpoint().around_target(20.0);
    other.eye.y += 0.2 * other.eye.distance(other.target);
    let moment = Moment {
        order_camera: Camera::new(&other.named("other"), frame.shape().size),
        ..frame.input().moment
    };
    frame.set_moment(gpu, moment);
    let mut profiler = Profiler::untimed(gpu).expect("a profiler");
    let drawn = frame.draw_scene_complete(gpu, pipelines, &mut profiler, Inputs::ALL);
    drawn.expect("drawn");
}

/// Returns two values. The first is true if a coarse list has the words of `unsorted` in an order that fits their possible
/// keys, where words with certainly equal keys keep their order. The second is true if the order differs from the order of
/// depths from the camera.
fn by_other_camera(depths: &Depths, frame: &Frame, unsorted: &[u32], coarse: &[u32]) -> [bool; 2] {
    let places: HashMap<u32, usize> = unsorted.iter().copied().zip(0..).collect();
    let items = coarse.iter().take_while(|word| *word & FOG == 0);
    let items: Vec<u32> = items.copied().collect();
    let mut is_right = coarse.len() == unsorted.len();
    is_right &= coarse.iter().collect::<HashSet<_>>() == unsorted.iter().collect();
    let mut is_another = false;
    for pair in items.windows(2) {
        let [a, b] = [pair[0], pair[1]].map(|word| depths.keys(word, frame));
        let are_equal = a == b && a[0] == a[1];
        is_right &= a[0] <= b[1] && (!are_equal || places[&pair[0]] < places[&pair[1]]);
        let [near, far] = [pair[0], pair[1]].map(|word| key(depths.of(word), frame, 8));
        is_another |= near > far;
    }
    [is_right, is_another]
}

/// Returns two values: true if a scene's lists are in the order of another camera, and true if that order differs from
/// the order of the scene's camera.
fn seen_by_other_camera(harness: &Harness, pipelines: &Pipelines, scene: &Scene) -> [bool; 2] {
    let mut settings = settings(scene, [97, 55], 700, 7);
    settings.options.frame.order_age = 1;
    let mut frame = harness.capture(scene, &settings).frame;
    draw_by_other_camera(&harness.gpu, pipelines, scene, &mut frame);
    let [unsorted, coarse] =
        [UnsortedKind::Unsorted, UnsortedKind::Coarse].map(|kind| listed(harness, &frame, kind));
    let depths = Depths::new(harness, &frame);
    let lists = unsorted.iter().zip(&coarse);
    let found = lists.map(|(unsorted, coarse)| by_other_camera(&depths, &frame, unsorted, coarse));
    found.fold([true, false], |all, [right, another]| {
        [all[0] && right, all[1] || another]
    })
}

#[test]
fn lists_may_be_in_the_order_that_another_camera_sees() {
    let harness = Harness::new();
    for name in ["temple", "panes", "stress"] {
        let found = seen_by_other_camera(&harness, &harness.pipelines, &scene(name));
        assert_eq!(found, [true; 2], "{name}");
    }
}

#[test]
fn coarse_lists_are_unsorted_ones_in_the_order_of_keys_and_of_items_where_these_are_equal() {
    let harness = Harness::new();
    let orders = [
        (0, SplatOrder::Depth, ListOrder::Item, 8),
        (7, SplatOrder::Distance, ListOrder::Item, 4),
        (7, SplatOrder::Depth, ListOrder::Shuffled, 16),
        (0, SplatOrder::Distance, ListOrder::Shuffled, 6),
    ];
    let mut all_equal = 0;
    for (number, (scene, particles)) in all_scenes().into_iter().enumerate() {
        let (slices, splat_order, order, bits) = orders[number % 4];
        let mut settings = settings(&scene, [97, 55], particles.min(700), slices);
        let options = &mut settings.options.frame;
        (options.splat_order, options.order, options.key_bits) = (splat_order, order, bits);
        let (wrong, equal) = wrong(&harness, &harness.pipelines, &scene, &settings);
        assert_eq!(wrong, None, "{} {:?}", scene.name, settings.options.frame);
        all_equal += equal;
    }
    assert!(all_equal > 100, "{all_equal}");
}

/// Layers that a pixel sees: items in item order, then slices.
fn layers_at(harness: &Harness, frame: &Frame, depths: &Depths, pixel: [u32; 2]) -> Vec<Layer> {
    let layer = |layer: &ProbedLayer| Layer {
        depth: depths.of(layer.word),
        colour: layer.color.map(f64::from),
        opacity: layer.opacity,
        item: layer.word,
    };
    let probed = harness.probe(frame, pixel);
    let mut layers: Vec<Layer> = probed.layers.iter().map(layer).collect();
    layers.sort_by_key(|layer| layer.item);
    layers
}

/// Largest difference between pixels and their twins, and between the twins and the exact result.
fn far_from_twin(harness: &Harness, pipelines: &Pipelines, settings: &Settings) -> [f64; 2] {
    let scene = harness.drawable(&scene(&settings.scene));
    let methods = [Method::PixelLoop, Method::Coarse];
    let gpu = &harness.gpu;
    let mut capture = harness.capture_for_by(pipelines, &scene, settings, &methods);
    if settings.options.frame.order_age > 0 {
        draw_by_other_camera(gpu, pipelines, &scene, &mut capture.frame);
    }
    let picture = capture.picture(Method::Coarse).expect("a picture");
    let (frame, options) = (&capture.frame, settings.options);
    let depths = Depths::new(harness, frame);
    let range = Range::new(frame.shape().near, frame.shape().far);
    let twin = Coarse {
        own: options.method.coarse,
        ..Coarse::keys(options.frame.key_bits, range)
    };
    let mut most = [0f64; 2];
    let mut close = 0;
    for pixel in (0..97 * 55).step_by(37).map(|at| [at % 97, at / 97]) {
        let layers = layers_at(harness, frame, &depths, pixel);
        let seen = layers.iter().filter(|layer| layer.counts());
        let mut keys = seen.map(|layer| depths.keys(layer.item, frame));
        if options.frame.order_age > 0 && keys.any(|[least, most]| least != most) {
            close += 1;
            continue;
        }
        let in_order = layers.iter().map(|layer| Layer {
            depth: depths.in_order(layer.item) as f32,
            ..*layer
        });
        let believed = twin.composite(&in_order.collect::<Vec<_>>());
        let exact = wavelerp::model::techniques::layers::exact(&layers).result;
        let far = |of: [f64; 4], from: [f64; 4]| {
            let apart = of.iter().zip(from);
            let apart = apart.map(|(a, b)| (a - b).abs() / b.abs().max(1.0));
            apart.fold(0.0, f64::max)
        };
        if believed.near_ties == 0 {
            let found = picture.composite.at(pixel).map(f64::from);
            most[0] = most[0].max(far(found, believed.result));
        }
        most[1] = most[1].max(far(believed.result, exact));
    }
    assert!(close < 97 * 55 / 37 / 4, "{close} pixels are not known");
    most
}

fn in_scene(name: &str, bits: u32, stop_below: f32, first_layers: u32) -> Settings {
    let mut settings = settings(&scene(name), [97, 55], 900, 9);
    settings.options.frame.key_bits = bits;
    let method = &mut settings.options.method;
    (method.coarse.stop_below, method.coarse.first_layers) = (stop_below, first_layers);
    settings
}

/// Settings with which lists are in the order of earlier frames.
fn old() -> Settings {
    let mut old = in_scene("panes", 8, 0.0, 0);
    old.options.frame.order_age = 60;
    old
}

/// Settings with which lists are in the wrong order except within the window.
fn windowed() -> Settings {
    let mut windowed = in_scene("panes", 4, 0.0, 0);
    windowed.options.method.coarse.window = 4;
    windowed
}

#[test]
fn a_frames_pixels_are_the_twin_of_their_layers_with_fog_between_items() {
    let harness = Harness::new();
    for settings in [
        in_scene("temple", 8, 0.1, 0),
        in_scene("temple", 6, 0.0, 9),
        in_scene("temple", 16, 0.0, 0),
        old(),
        windowed(),
    ] {
        let [off, from_exact] = far_from_twin(&harness, &harness.pipelines, &settings);
        assert!(off < 1e-4, "{:?}: {off}", settings.options);
        let is_exact = settings.options.frame.key_bits == 16;
        assert_eq!(from_exact < 1e-3, is_exact, "{from_exact}");
    }
}

#[test]
fn keys_that_do_not_fit_beside_the_number_of_a_macro_tile_are_refused_with_how_many_bits_do() {
    let harness = Harness::new();
    let scene = harness.drawable(&scene("stress"));
    let settings = settings(&scene, [97, 55], 10, 0);
    let mut input = frame_input(&scene, &scene.cameras[0], &settings, &harness.gpu.caps);
    // 24 bits have the same effect as 16 bits with many more macro tiles.
    input.shape.key_bits = 24;
    let (gpu, pipelines) = (&harness.gpu, &harness.pipelines);
    let mut frame = Frame::new(gpu, pipelines, input).expect("a frame");
    let refused = frame.prepare(gpu, pipelines, Inputs::COARSE_LISTS);
    let said = refused.expect_err("a refusal").to_string();
    assert!(said.contains("the nearest is 21"), "{said}");
}

mod controls {
    use super::*;

    #[test]
    fn keys_that_lose_a_bit_are_not_there_or_are_of_another_place_are_found() {
        let harness = Harness::new();
        let scene = scene("temple");
        let settings = settings(&scene, [97, 55], 700, 7);
        for (module, find, replace) in [
            (
                "frame/unsorted_pairs",
                "<< KEY_BITS) |",
                "<< KEY_BITS) | 1u |",
            ),
            ("frame/unsorted_pairs", "| key_of_word(word)", ""),
            ("frame/append_tiles", ">> KEY_BITS <", ">> KEY_BITS <="),
        ] {
            let (wrong, _) = wrong(&harness, &edited(module, find, replace), &scene, &settings);
            assert!(wrong.is_some(), "{find}");
        }
        for [find, replace] in rows(
            "
order_axis.w + | 0.0 +
depth * dot | dot
through(center) | through(vec2f(-center.x, center.y))
through(center) | through(vec2f(center.x, -center.y))
",
        ) {
            let pipelines = edited("common/order_depth", find, replace);
            let [is_right, _] = seen_by_other_camera(&harness, &pipelines, &scene);
            assert!(!is_right, "{find}");
        }
    }

    #[test]
    fn slices_in_other_places_and_layers_that_do_not_count_are_found() {
        let harness = Harness::new();
        let [all, first] =
            [(4, 0), (6, 9)].map(|(bits, first)| in_scene("temple", bits, 0.0, first));
        for (module, find, replace, settings) in [
            ("methods/coarse_list", "<= key {", "< key {", &all),
            ("methods/coarse_list", "] < index {", "] <= index {", &all),
            ("methods/coarse_list", "+ index - low]", "+ index]", &all),
            ("methods/coarse", "layer.a <= 0.0", "layer.a < 0.0", &first),
            (
                "layers/sources/frame",
                "return bitcast<f32>(fetched.d.w);",
                "return bitcast<f32>(fetched.a.x);",
                &windowed(),
            ),
            (
                "methods/coarse_list",
                "return order_depth(depth, splats[layer].center)",
                "return depth",
                &old(),
            ),
        ] {
            let [off, _] = far_from_twin(&harness, &edited(module, find, replace), settings);
            assert!(off > 1e-3, "{find}: {off}");
        }
    }
}
