//! Splats of files: projection, colours and coverage are compared with f64, also in scenes that mix all kinds of
//! layers.

use std::collections::HashSet;

use glam::{Quat, Vec3};
use wavelerp::frame::macro_tiles::CHUNK;
use wavelerp::frame::{Frame, frame_input};
use wavelerp::live::inspect::{self, ProbedLayer};
use wavelerp::model::items::ItemKind;
use wavelerp::model::methods::{Method, Source, Stored};
use wavelerp::model::options::{Dial, Hazard, Precision, SplatOrder};
use wavelerp::model::scene::{Amount, EmitterSpec, Scene, SheetSpec, SplatColors, SplatSpec};
use wavelerp::model::settings::Settings;
use wavelerp::model::splats::{SplatFilter, Splats};
use wavelerp::runs::capture::Capture;

use super::{lists, pictures};
use crate::harness::{
    Harness, apart, greatest, pane, scene, settings, shown_splats, splats_of_items,
};
use crate::oracles::Shown;
use crate::oracles::gaussians as twin;
use crate::oracles::gaussians::Files;
use crate::oracles::lists::Splat;
use crate::tile_lists::{TileLists, read_list};

mod controls;

pub(super) const SIZE: [u32; 2] = [53, 29];

/// Random splats in front of the camera of `two` and around it. They are at most `scale` metres large. Some are flat or
/// thin; some are behind the camera, outside its view, or too faint to see.
fn random_splats(count: usize, degree: u8, scale: f32, seed: u64) -> Splats {
    let mut random = fastrand::Rng::with_seed(seed);
    let coefficients = (usize::from(degree) + 1).pow(2);
    let mut splats = Splats {
        degree,
        ..Splats::default()
    };
    for index in 0..count {
        let mut signed = || 2.0 * random.f32() - 1.0;
        let depth = 6.0 + 7.0 * signed();
        // The file's y points down and its z forward.
        let aside = Vec3::new(2.2 * signed() * depth, 1.3 * signed() * depth, depth);
        let rotation = Quat::from_xyzw(signed(), signed(), signed(), signed() + 1e-3);
        let factor = |part: f32| scale * 10f32.powf(-1.5 * part.abs());
        let mut scales = Vec3::new(factor(signed()), factor(signed()), factor(signed()));
        if index % 7 == 0 {
            scales.z = 0.0;
        }
        splats.positions.push(aside);
        splats.rotations.push(rotation.normalize());
        splats.scales.push(scales);
        splats.opacities.push((signed().abs() * 1.3).min(1.0));
        for place in 0..coefficients {
            let size = if place == 0 { 1.5 } else { 0.4 };
            splats
                .harmonics
                .push(size * Vec3::new(signed(), signed(), signed()));
        }
    }
    splats
}

fn placed(rotation: [f32; 3], colors: SplatColors) -> SplatSpec {
    SplatSpec {
        rotation,
        ..SplatSpec::new("random.ply", colors)
    }
}

/// `two` without fog and particles, with two sets of splats.
pub(super) fn splats_alone(count: usize, scale: f32, seed: u64) -> Scene {
    let mut scene = scene("two");
    scene.fog.extinction = 0.0;
    scene.emitters.clear();
    let turned = SplatSpec {
        position: [0.5, -0.25, 1.0],
        scale: 1.25,
        opacity: 0.75,
        radiance: 2.0,
        ..placed([5.0, -10.0, 30.0], SplatColors::Srgb)
    };
    scene.splats = vec![placed([0.0; 3], SplatColors::Linear), turned];
    let degree = (seed % 4) as u8;
    scene.place_splats(&[
        random_splats(count, degree, scale, seed),
        random_splats(count, 3 - degree, scale, seed + 100),
    ]);
    scene
}

/// Every kind of layer: particles, intersecting panes, fog slices, and splats in front of, between and behind them.
pub(super) fn mixed(seed: u64) -> Scene {
    let alone = splats_alone(60, 0.5, seed);
    let mut scene = scene("two");
    scene.fog.extinction = 0.08;
    scene.emitters[0].extent = [1.5, 1.0, 1.5];
    scene.emitters[0].amount = Amount::Exactly(40);
    (scene.splats, scene.placed_splats) = (alone.splats, alone.placed_splats);
    let sheet = |half_u| SheetSpec {
        half_u,
        half_v: [0.0, 1.0, 0.25],
        albedo: [0.5, 0.75, 0.25],
        ..pane([0.0, 0.0, -4.0], [0.0; 2], [0.25, 0.0, 0.125], 0.4)
    };
    scene.sheets = vec![sheet([1.0, 0.0, -0.75]), sheet([1.0, 0.0, 0.75])];
    scene
}

/// Number of splats at which a chunk overflows in a picture of [`SIZE`], which has two macro tiles.
const CROWD: u32 = 2 * CHUNK;

/// Adds enough splats to a scene that more than [`CROWD`] are visible.
fn place_crowd(scene: &mut Scene) {
    scene.place_splats(&[
        random_splats(4000, 0, 1.0, 9),
        random_splats(4000, 0, 0.5, 10),
    ]);
}

pub(super) fn small(scene: &Scene, slices: u32) -> Settings {
    settings(scene, SIZE, 42, slices)
}

fn splats_of(harness: &Harness, capture: &Capture) -> Vec<Shown> {
    let splats = shown_splats(&harness.gpu, &capture.frame);
    let first = capture.frame.shape().counts.first(ItemKind::Gaussian);
    let is_gaussian = |splat: &Shown| splat.particle >= first;
    splats.into_iter().filter(is_gaussian).collect()
}

/// Composite of a method.
fn pixels(capture: &mut Capture, method: Method) -> Vec<[f32; 4]> {
    let picture = capture.picture(method).expect("a picture");
    picture.composite.pixels
}

fn files_of<'a>(capture: &'a Capture) -> Files<'a> {
    let placed = &capture.frame.input().splats;
    Files {
        gaussians: &placed.gaussians,
        sets: &placed.sets,
        harmonics: &placed.harmonics,
    }
}

fn difference(capture: &Capture, splats: &[Shown]) -> Option<String> {
    difference_from(capture, splats, files_of(capture))
}

fn difference_from(capture: &Capture, splats: &[Shown], files: Files) -> Option<String> {
    let input = capture.frame.input();
    let bounds = &input.slice_bounds;
    twin::first_difference(splats, files, &input.uniform(), bounds, &input.shape)
}

#[test]
fn ellipses_are_complete_in_order_where_their_twins_are_and_of_their_colours() {
    let harness = Harness::new();
    let wide = [211, 117];
    for (seed, tile, size) in [
        (0, 8, SIZE),
        (1, 16, SIZE),
        // More than 32 tiles in a rectangle.
        (4, 8, wide),
    ] {
        let scene = splats_alone(400, 0.6, seed);
        for camera in &scene.cameras {
            let mut settings = settings(&scene, size, 42, 5);
            settings.camera.clone_from(&camera.name);
            settings.options.frame.tile = tile;
            let capture = harness.capture(&scene, &settings);
            let splats = splats_of(&harness, &capture);
            let what = format!("seed {seed} from {}", camera.name);
            assert_eq!(difference(&capture, &splats), None, "{what}");
            let count = splats.len();
            assert!(count > 100 || camera.name == "away", "{what}: {count}");
        }
    }
}

/// Largest difference between a picture and f64, except for pixels where rounding decides visibility.
fn worst(capture: &mut Capture) -> f64 {
    let pixels = pixels(capture, Method::PixelLoop);
    let (files, uniform) = (files_of(capture), capture.frame.input().uniform());
    let (mut worst, mut compared) = (0.0f64, 0);
    for (at, found) in (0..).zip(pixels) {
        let Some(expected) = twin::pixel(files, &uniform, [at % SIZE[0], at / SIZE[0]]) else {
            continue;
        };
        compared += 1;
        for (expected, found) in expected.into_iter().zip(found) {
            worst = worst.max((expected - f64::from(found)).abs());
        }
    }
    assert!(compared * 10 > 8 * SIZE[0] * SIZE[1], "{compared} pixels");
    worst
}

/// Allowed difference between a picture of splats and f64: a pixel has some tens of layers.
const TOLERANCE: f64 = 1e-3;

#[test]
fn a_picture_of_splats_is_that_of_f64() {
    let harness = Harness::new();
    for seed in [0, 1] {
        let scene = splats_alone(60, 0.6, seed);
        let mut capture = harness.capture(&scene, &small(&scene, 0));
        let worst = worst(&mut capture);
        assert!(worst < TOLERANCE, "seed {seed}: {worst}");
    }
}

/// Scene of [`splats_alone`] whose second set was trained with a filter.
fn filtered(count: usize, scale: f32, seed: u64) -> Scene {
    let mut scene = splats_alone(count, scale, seed);
    let [first, second] = [seed, seed + 100].map(|seed| random_splats(count, 1, scale, seed));
    let second = Splats {
        filter: SplatFilter::Mip,
        ..second
    };
    scene.place_splats(&[first, second]);
    scene
}

#[test]
fn splats_that_were_trained_with_a_filter_are_fainter_the_smaller_they_are() {
    let harness = Harness::new();
    let mut scene = splats_alone(1, 1.0, 0);
    scene.splats.truncate(1);
    let ball = |filter, radius| Splats {
        positions: vec![Vec3::new(0.0, 0.0, 8.0)],
        rotations: vec![Quat::IDENTITY],
        scales: vec![Vec3::splat(radius)],
        opacities: vec![0.5],
        harmonics: vec![Vec3::ONE],
        filter,
        ..Splats::default()
    };
    for radius in [0.05, 0.1, 0.3, 1.0] {
        let [classic, mip] = [SplatFilter::Classic, SplatFilter::Mip].map(|filter| {
            scene.place_splats(&[ball(filter, radius)]);
            let capture = harness.capture(&scene, &small(&scene, 0));
            let uniform = capture.frame.input().uniform();
            let shown = splats_of(&harness, &capture);
            // Pixels per metre at its depth.
            let pixels = 0.5 * SIZE[1] as f32 / (uniform.tan_y * shown[0].depth);
            (shown[0].opacity, (pixels * radius).powi(2), shown[0].center)
        });
        assert_eq!((classic.0, classic.2), (0.5, mip.2));
        let expected = 0.5 * mip.1 / (mip.1 + scene.splat_dilation);
        let off = (mip.0 / expected - 1.0).abs();
        assert!(off < 1e-3, "{radius} m: {} for {expected}", mip.0);
    }
}

#[test]
fn filtered_splats_beside_others_are_those_of_their_twins_and_in_the_picture_of_f64() {
    let harness = Harness::new();
    for seed in [0, 1] {
        let scene = filtered(400, 0.1, seed);
        let capture = harness.capture(&scene, &small(&scene, 5));
        let splats = splats_of(&harness, &capture);
        assert_eq!(difference(&capture, &splats), None, "seed {seed}");
        // Negative control: if the set is not marked as filtered, its twins differ.
        let mut sets = capture.frame.input().splats.sets.clone();
        sets[1].mip = 0;
        let files = Files {
            sets: &sets,
            ..files_of(&capture)
        };
        let found = difference_from(&capture, &splats, files);
        assert!(found.is_some(), "seed {seed}");
    }
    let scene = filtered(60, 0.2, 2);
    let mut whole = harness.capture(&scene, &small(&scene, 0));
    let worst = worst(&mut whole);
    assert!(worst < TOLERANCE, "{worst}");
    let mut settings = small(&scene, 0);
    settings.options.frame.precision = Precision::Half;
    let mut halves = harness.capture(&scene, &settings);
    let [whole, halves] = [&mut whole, &mut halves].map(|of| pixels(of, Method::PixelLoop));
    let most = greatest(&whole, &halves);
    assert!((1e-6..HALF).contains(&most), "{most}");
}

#[test]
fn every_method_draws_splats_alone_as_the_plain_loop_does() {
    let harness = Harness::new();
    let scene = splats_alone(60, 0.6, 2);
    let settings = small(&scene, 0);
    let layers = harness.capture(&scene, &settings).frame.shape().layers();
    assert_eq!(layers, Source::Gaussians(Stored::Whole));
    pictures::every_method_agrees(&harness, &scene, settings, &[8]);
}

#[test]
fn a_frame_that_has_nothing_but_splats_is_drawn_as_with_a_particle_that_does_not_show() {
    let harness = Harness::new();
    let scene = splats_alone(60, 0.6, 3);
    let mut with_more = scene.clone();
    with_more.emitters = vec![EmitterSpec {
        opacity: 0.0,
        amount: Amount::Exactly(1),
        ..self::scene("two").emitters[0].clone()
    }];
    let [alone, mixed] = [&scene, &with_more].map(|scene| {
        let mut capture = harness.capture(scene, &small(scene, 0));
        let pixels = pixels(&mut capture, Method::PixelLoop);
        (capture.frame.shape().layers(), pixels)
    });
    assert_eq!(alone.0, Source::Gaussians(Stored::Whole));
    assert!(matches!(mixed.0, Source::Frame(kinds) if kinds.has(ItemKind::Gaussian)));
    assert!(alone.1 == mixed.1);
}

/// Some pixels with many layers, and the last pixel.
const PIXELS: [[u32; 2]; 6] = [[26, 14], [20, 12], [33, 16], [8, 5], [45, 24], [52, 28]];

#[test]
fn every_method_meets_the_f64_bound_on_the_layers_of_a_mixed_scene() {
    let harness = Harness::new();
    let scene = mixed(6);
    let mut capture = harness.capture(&scene, &small(&scene, 7));
    let layers = PIXELS.map(|pixel| pictures::layers_at(&harness, &capture, pixel));
    let counts = capture.frame.shape().counts;
    let shown = |pixel| {
        let layers = harness.probe(&capture.frame, pixel).layers.into_iter();
        let shown = layers.filter(|layer| layer.opacity > 0.0);
        shown.map(|layer| layer.id(&counts).kind_name())
    };
    let kinds: HashSet<_> = PIXELS.into_iter().flat_map(shown).collect();
    assert_eq!(kinds.len(), 4, "slices, particles, cells and splats");
    for method in harness.exact_methods() {
        let picture = capture.picture(method).expect("a picture").composite;
        for (pixel, layers) in PIXELS.into_iter().zip(&layers) {
            let found = picture.at(pixel);
            let excess = |found| pictures::excess(method, Hazard::Driver, layers, found);
            assert!(excess(found) <= 1.0, "{method} at {pixel:?}");
            // Negative control.
            let mut wrong = found;
            wrong[3] += 0.001;
            let is_seen = method.rounds_to_half() || excess(wrong) > 1.0;
            assert!(is_seen, "{method}: the fault is not detected");
        }
    }
}

#[test]
fn splats_and_mixed_scenes_in_half_floats_meet_their_bound_and_not_that_of_f32() {
    let harness = Harness::new();
    for (scene, slices) in [(splats_alone(60, 0.6, 2), 0), (mixed(6), 7)] {
        for dial in [Dial::Threads(1), Dial::Pixels(4)] {
            let mut settings = small(&scene, slices);
            settings.options.method = settings.options.method.at(dial);
            settings.options.frame.precision = Precision::Half;
            let mut capture = harness.capture(&scene, &settings);
            let method = Method::PixelLoopStaged;
            let picture = capture.picture(method).expect("a picture").composite;
            let mut beyond_f32 = 0;
            for pixel in PIXELS {
                let layers = pictures::layers_at(&harness, &capture, pixel);
                let found = picture.at(pixel);
                let excess = pictures::excess_in_half(&layers, found);
                assert!(excess <= 1.0, "{dial} at {pixel:?}: {excess} of the bound");
                let full = pictures::excess(method, Hazard::Driver, &layers, found);
                beyond_f32 += usize::from(full > 1.0);
                // Negative control: without the most important layer.
                let mut fewer = layers.clone();
                fewer.retain(|layer| layer.opacity < 0.2);
                let shows_less = fewer.len() < layers.len();
                assert!(!shows_less || pictures::excess_in_half(&fewer, found) > 1.0);
            }
            assert!(beyond_f32 > 0, "{dial}: composited in f32");
        }
    }
}

/// Largest channel difference between splats stored as half floats and as full floats, for a few dozen layers.
const HALF: f32 = 6e-3;

#[test]
fn splats_stored_in_half_floats_are_where_whole_ones_are_and_their_picture_by_every_method() {
    let harness = Harness::new();
    for (seed, lit, splat_order) in [
        (0, false, SplatOrder::Depth),
        (1, true, SplatOrder::Depth),
        (2, true, SplatOrder::Distance),
    ] {
        let mut scene = splats_alone(60, 0.6, seed);
        let placed = [0, 1].map(|set| random_splats(60, 1, 0.6, seed + set));
        scene.splats.iter_mut().for_each(|set| set.lit = lit);
        scene.place_splats(&placed);
        let mut settings = small(&scene, 0);
        settings.options.frame.splat_order = splat_order;
        let mut whole = harness.capture(&scene, &settings);
        settings.options.frame.precision = Precision::Half;
        let mut halves = harness.capture(&scene, &settings);
        let layers = halves.frame.shape().layers();
        assert_eq!(layers, Source::Gaussians(Stored::Halves));
        let expected = pixels(&mut whole, Method::PixelLoop);
        for method in harness.exact_methods() {
            let most = greatest(&expected, &pixels(&mut halves, method));
            let what = format!("{method}, seed {seed}: {most}");
            assert!((1e-6..HALF).contains(&most), "{what}");
        }
        for pixel in [[26, 14], [20, 12], [33, 16]] {
            let [wholes, halves] =
                [&whole, &halves].map(|capture| harness.probe(&capture.frame, pixel).layers);
            let is_same = |(a, b): (&ProbedLayer, &ProbedLayer)| {
                let color = |layer: &ProbedLayer| Vec3::from_array(layer.own);
                a.word == b.word
                    && (a.depth - b.depth).abs() < 1e-5 * a.depth
                    && (color(a) - color(b)).abs().max_element()
                        < 2e-3 * (1.0 + color(a).max_element())
            };
            assert!(!wholes.is_empty() && wholes.len() == halves.len());
            let are_same = wholes.iter().zip(&halves).all(is_same);
            assert!(are_same, "{pixel:?}, seed {seed}");
        }
    }
}

#[test]
fn lists_of_mixed_scenes_are_in_the_twins_order_whatever_is_in_them() {
    let harness = Harness::new();
    for seed in 0..6 {
        let mut scene = mixed(seed);
        // Sets with splats at the same depths, and an empty set.
        if seed == 2 {
            let splats = random_splats(40, 0, 0.5, 9);
            scene.splats[1] = scene.splats[0].clone();
            scene.place_splats(&[splats.clone(), splats]);
        }
        if seed == 3 {
            scene.place_splats(&[Splats::default(), random_splats(50, 1, 0.5, 9)]);
        }
        let mut settings = small(&scene, [7, 0, 1, 16][seed as usize % 4]);
        if seed == 4 {
            // Rectangles cover more than 32 tiles and more than 32 macro tiles; the picture has 9 by 5 macro tiles.
            settings.size = [520, 136];
            scene.place_splats(&[random_splats(60, 0, 0.5, 9), random_splats(60, 0, 8.0, 10)]);
        }
        if seed == 5 {
            place_crowd(&mut scene);
        }
        let lists = lists::checked(&harness, &scene, &settings);
        let least = if seed == 5 { CROWD } else { 40 };
        assert!(lists.counters.visible > least, "{:?}", lists.counters);
    }
}

#[test]
fn more_splats_than_the_adapter_holds_are_refused_with_the_limit_and_how_many_would_fit() {
    let mut harness = Harness::new();
    let scene = splats_alone(100, 0.5, 3);
    // Degrees 3 and 0: 96 and 16 bytes of harmonics, 56 on average; a splat on the screen has 48.
    harness.gpu.caps.max_binding_bytes = 56 * 150;
    let camera = scene.cameras[0].clone();
    let settings = small(&scene, 0);
    let input = frame_input(&scene, &camera, &settings, &harness.gpu.caps);
    let error = Frame::new(&harness.gpu, &harness.pipelines, input);
    let message = error.err().expect("too many").message;
    for part in ["200 Gaussians", "8400 bytes", "allows 150"] {
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn a_lit_splat_has_the_light_of_a_particle_at_its_place_and_an_unlit_one_its_own() {
    let harness = Harness::new();
    let mut scene = scene("two");
    scene.fog.extinction = 0.0;
    scene.fog.anisotropy = 0.6;
    scene.sun.direction_to_sun = [0.2, 0.5, -1.0];
    scene.sun.irradiance = [3.0, 2.0, 1.0];
    scene.lights = self::scene("harbour").lights;
    scene.lights.truncate(2);
    let particle = scene.emitters[0].clone();
    let albedo = Vec3::from_array(particle.albedo_start);
    // The file's axes have y and z reversed.
    let [x, y, z] = particle.origin;
    let there = Splats {
        positions: vec![Vec3::new(x, -y, -z)],
        rotations: vec![Quat::IDENTITY],
        scales: vec![Vec3::splat(0.1)],
        opacities: vec![0.5],
        harmonics: vec![(albedo - 0.5) / 0.282_094_79],
        ..Splats::default()
    };
    let colors = |is_lit: bool| {
        let mut scene = scene.clone();
        let unlit = placed([0.0; 3], SplatColors::Linear);
        scene.splats = vec![SplatSpec {
            lit: is_lit,
            ..unlit
        }];
        scene.place_splats(std::slice::from_ref(&there));
        let capture = harness.capture(&scene, &small(&scene, 0));
        let all = splats_of_items(&harness.gpu, &capture.frame);
        [all[0].color, all[2].color].map(Vec3::from_array)
    };
    let [of_particle, of_splat] = colors(true);
    let what = format!("{of_particle} for a particle, {of_splat} for a splat");
    assert!(of_particle.min_element() > 0.0, "{what}");
    let off = of_particle.distance(of_splat);
    assert!(off < 2e-3 * albedo.length(), "{what}");
    assert!(colors(false)[1].distance(albedo) < 1e-3);
    assert!(of_splat.distance(albedo) > 0.05, "{of_splat}");
}

#[test]
fn long_thin_splats_are_in_half_floats_where_they_are_in_floats() {
    let harness = Harness::new();
    let mut scene = splats_alone(1, 0.6, 0);
    // Needles less than a pixel wide lie tilted across the picture, with centres far outside it.
    let needles = |count: usize| {
        let turns: Vec<f32> = (0..count).map(|i| 0.4 + 0.1 * i as f32).collect();
        let center = |turn: &f32| {
            let along = Vec3::new(turn.cos(), turn.sin(), 0.0);
            Vec3::new(0.0, 0.0, 6.0) - 50.0 * along
        };
        Splats {
            positions: turns.iter().map(center).collect(),
            rotations: turns.iter().copied().map(Quat::from_rotation_z).collect(),
            scales: vec![Vec3::new(60.0, 0.02, 0.02); count],
            opacities: vec![0.8; count],
            harmonics: vec![Vec3::new(1.0, 0.5, 0.2); count],
            ..Splats::default()
        }
    };
    scene.place_splats(&[needles(10), needles(1)]);
    let mut settings = small(&scene, 0);
    let [full, half] = [Precision::Full, Precision::Half].map(|precision| {
        settings.options.frame.precision = precision;
        let mut capture = harness.capture(&scene, &settings);
        pixels(&mut capture, Method::PixelLoopStaged)
    });
    let worst = apart(&full, &half);
    assert!((1e-5..5e-3).contains(&worst), "{worst}");
}

/// Reports splats that are not ordered by slice and, within a slice, by distance from the eye; or lists that are not
/// these splats with the slices between them, up to the slice of a tile's limit.
fn wrong_by_distance(harness: &Harness, capture: &Capture) -> Option<String> {
    let (gpu, frame) = (&harness.gpu, &capture.frame);
    let (uniform, shape) = (frame.input().uniform(), frame.shape());
    let splats = splats_of_items(gpu, frame);
    let visible = splats.iter().filter(|splat| splat.is_visible());
    let mut order: Vec<u32> = visible.map(|splat| splat.particle).collect();
    order.sort_by_key(|index| splats[*index as usize].order_key);
    let key = |index: &u32| {
        let splat = &splats[*index as usize];
        let half = |axis: usize| 0.5 * f64::from(uniform.size[axis]);
        let across = |axis: usize, tangent: f32| {
            (f64::from(splat.center[axis]) / half(axis) - 1.0) * f64::from(tangent)
        };
        let (x, y) = (across(0, uniform.tan_x), across(1, uniform.tan_y));
        (
            splat.slice,
            f64::from(splat.depth) * (1.0 + x * x + y * y).sqrt(),
        )
    };
    for pair in order.windows(2) {
        let [(slice, near), (next, far)] = [key(&pair[0]), key(&pair[1])];
        if slice > next || slice == next && near > far * (1.0 + 1e-5) {
            let what = format!("{near} in {slice} before {far} in {next}");
            return Some(format!("{pair:?}: {what}"));
        }
    }
    let bounds = &frame.input().slice_bounds;
    let has_solids = frame.input().shape.has_triangles();
    let table = TileLists::read(gpu, frame);
    for tile in 0..frame.tiles() {
        let place = [tile % uniform.tiles[0], tile / uniform.tiles[0]];
        let limit = table.limits[tile as usize];
        let fronts = bounds.iter().take(uniform.slices as usize);
        let slices = match has_solids {
            true => fronts.filter(|front| **front < limit).count() as u32,
            false => uniform.slices,
        };
        let covers = |index: &&u32| Splat::of(&splats[**index as usize], shape).covers(place);
        let is_listed =
            |index: &&u32| slices == uniform.slices || splats[**index as usize].slice < slices;
        let mut expected: Vec<u32> = Vec::new();
        let mut next = 0;
        for index in order.iter().filter(covers).filter(is_listed) {
            let slice = splats[*index as usize].slice;
            expected.extend((next..slice).map(|slice| inspect::FOG | slice));
            next = next.max(slice);
            expected.push(*index);
        }
        expected.extend((next..slices).map(|slice| inspect::FOG | slice));
        let found = read_list(gpu, frame, tile);
        if found != expected {
            return Some(format!("tile {tile}: {found:x?} for {expected:x?}"));
        }
    }
    None
}

#[test]
fn by_distance_splats_are_in_order_of_slice_and_distance_and_none_that_shows_is_left_out() {
    let harness = Harness::new();
    for (seed, slices, is_solid) in [
        (0, 7, false),
        (1, 7, true),
        (2, 0, true),
        (3, 0, false),
        (4, 1, true),
        (5, 7, true),
    ] {
        let mut scene = mixed(seed);
        if seed == 5 {
            place_crowd(&mut scene);
        }
        if is_solid {
            scene.meshes = self::scene("panes").meshes;
            for emitter in &mut scene.emitters {
                emitter.origin[1] += 1.0;
            }
        }
        let mut settings = small(&scene, slices);
        settings.options.frame.splat_order = SplatOrder::Distance;
        let capture = harness.capture(&scene, &settings);
        let least = if seed == 5 { CROWD } else { 40 };
        assert!(capture.counters.visible > least, "{:?}", capture.counters);
        assert_eq!(wrong_by_distance(&harness, &capture), None, "seed {seed}");
        // Negative control: the order by depth differs.
        settings.options.frame.splat_order = SplatOrder::Depth;
        let capture = harness.capture(&scene, &settings);
        let wrong = wrong_by_distance(&harness, &capture);
        assert!(wrong.is_some(), "seed {seed}");
    }
}
