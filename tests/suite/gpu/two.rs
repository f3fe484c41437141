//! The scene `two`, calculated by hand: tiles, lists and numbers from the comment in `assets/scenes/two.ron`, and
//! every pixel from first principles in f64.

use wavelerp::frame::BufferId;
use wavelerp::gpu::read_buffer;
use wavelerp::live::inspect::FOG;
use wavelerp::model::methods::Method;

use crate::harness::{Harness, error_over_bound, scene, settings, shown_splats};
use crate::tile_lists::TileLists;

/// First and last tile (inclusive) of a particle, as columns and rows.
struct Tiles {
    columns: [u32; 2],
    rows: [u32; 2],
}

impl Tiles {
    fn hold(&self, tile: [u32; 2]) -> bool {
        let within = |[first, last]: [u32; 2], at: u32| (first..=last).contains(&at);
        within(self.columns, tile[0]) && within(self.rows, tile[1])
    }
}

const fn tiles(columns: [u32; 2], rows: [u32; 2]) -> Tiles {
    Tiles { columns, rows }
}

/// A frame size, and the tiles of the particles A and B at that size.
struct Case {
    size: [u32; 2],
    tile: u32,
    a: Tiles,
    b: Tiles,
    centers: [[f32; 2]; 2],
    radii: [f32; 2],
}

const LARGE: Case = Case {
    size: [1280, 720],
    tile: 8,
    a: tiles([67, 83], [32, 48]),
    b: tiles([75, 92], [37, 55]),
    centers: [[604.0, 324.0], [670.0, 372.0]],
    radii: [66.0, 69.0],
};

const SMALL: Case = Case {
    size: [160, 90],
    tile: 8,
    a: tiles([8, 10], [4, 6]),
    b: tiles([9, 11], [4, 6]),
    centers: [[75.5, 40.5], [83.75, 46.5]],
    radii: [8.25, 8.625],
};

const CASES: [Case; 4] = [
    LARGE,
    Case {
        tile: 16,
        a: tiles([33, 41], [16, 24]),
        b: tiles([37, 46], [18, 27]),
        ..LARGE
    },
    SMALL,
    Case {
        tile: 16,
        a: tiles([4, 5], [2, 3]),
        b: tiles([4, 5], [2, 3]),
        ..SMALL
    },
];

const A: u32 = 0;
const B: u32 = 1;

fn list_of(case: &Case, tile: [u32; 2]) -> Vec<u32> {
    let [f0, f1, f2, f3] = [0, 1, 2, 3].map(|slice| FOG | slice);
    match (case.a.hold(tile), case.b.hold(tile)) {
        (false, false) => vec![f0, f1, f2, f3],
        (true, false) => vec![f0, A, f1, f2, f3],
        (false, true) => vec![f0, f1, B, f2, f3],
        (true, true) => vec![f0, A, f1, B, f2, f3],
    }
}

fn near(found: f32, expected: f32) -> bool {
    (found - expected).abs() <= 1e-6 * expected.abs()
}

#[test]
fn lists_depths_and_centres_are_those_worked_out_by_hand() {
    let harness = Harness::new();
    let scene = scene("two");
    for case in CASES {
        let mut settings = settings(&scene, case.size, 2, 4);
        settings.options.frame.tile = case.tile;
        let capture = harness.capture(&scene, &settings);
        let frame = &capture.frame;
        let splats = shown_splats(&harness.gpu, frame);
        assert_eq!(capture.counters.visible, 2);
        assert_eq!([splats[0].depth, splats[1].depth], [3.0, 6.0]);
        for (particle, splat) in splats.iter().enumerate() {
            let [x, y] = case.centers[particle];
            assert!(near(splat.center[0], x) && near(splat.center[1], y));
            assert!(near(1.0 / splat.inverse_radius, case.radii[particle]));
            assert_eq!(splat.slice, particle as u32 + 1);
        }
        assert_eq!(splats[0].color, [0.25, 0.25, 0.25]);
        assert_eq!(splats[1].color, [0.375, 0.25, 0.5]);

        let lists = TileLists::read(&harness.gpu, frame);
        let total = capture.counters.entries + 4 * frame.tiles();
        let layers = frame.resources.buffer(BufferId::Layers);
        let layers: Vec<u32> = read_buffer(&harness.gpu, layers, total as usize).expect("layers");
        let across = frame.shape().tiles()[0];
        for tile in 0..frame.tiles() {
            let [first, count] = lists.layers[tile as usize].map(|word| word as usize);
            let place = [tile % across, tile / across];
            let list = &layers[first..first + count];
            let expected = list_of(&case, place);
            assert_eq!(list, expected, "tile {place:?} of {:?}", case.size);
        }
    }
}

/// A pixel's (rgb, T), computed from the physics of the light that reaches the camera. Fog of 1/16 per metre from 1 m
/// to 16 m scatters F everywhere; a particle adds its radiance and dims everything behind it.
fn from_first_principles(case: &Case, pixel: [u32; 2]) -> [f64; 4] {
    const FOG_RADIANCE: [f64; 3] = [0.125, 0.25, 0.5];
    let [x, y] = pixel.map(|place| f64::from(place) + 0.5);
    let half = [f64::from(case.size[0]) / 2.0, f64::from(case.size[1]) / 2.0];
    // With a fov of 90°, half the height is one metre at a depth of one metre.
    let slope = [(x - half[0]) / half[1], (y - half[1]) / half[1]];
    let path = (1.0 + slope[0] * slope[0] + slope[1] * slope[1]).sqrt();
    let is_in = |center: [f64; 2], radius: f64| {
        (x - center[0]).powi(2) + (y - center[1]).powi(2) < radius * radius
    };
    // (x, y, depth), radius, radiance, opacity.
    let particles = [
        ([-0.3, 0.3, 3.0], 0.55, [0.25, 0.25, 0.25], 0.5),
        ([0.5, -0.2, 6.0], 1.15, [0.375, 0.25, 0.5], 0.75),
    ];
    let (mut rgb, mut through, mut reached) = ([0.0; 3], 1.0, 1.0);
    let mut fog_until = |depth: f64, rgb: &mut [f64; 3], through: &mut f64| {
        let clear = (-(depth - reached) * path / 16.0).exp();
        for channel in 0..3 {
            rgb[channel] += *through * (1.0 - clear) * FOG_RADIANCE[channel];
        }
        *through *= clear;
        reached = depth;
    };
    for ([px, py, depth], radius, radiance, opacity) in particles {
        let scale = half[1] / depth;
        let center = [half[0] + px * scale, half[1] - py * scale];
        if !is_in(center, radius * scale) {
            continue;
        }
        fog_until(depth, &mut rgb, &mut through);
        for channel in 0..3 {
            rgb[channel] += through * opacity * radiance[channel];
        }
        through *= 1.0 - opacity;
    }
    fog_until(16.0, &mut rgb, &mut through);
    [rgb[0], rgb[1], rgb[2], through]
}

#[test]
fn every_pixel_by_every_method_is_what_physics_says() {
    let harness = Harness::new();
    let scene = scene("two");
    let mut capture = harness.capture(&scene, &settings(&scene, SMALL.size, 2, 4));
    for method in harness.methods_in_f32() {
        let picture = capture.picture(method).expect("a picture").composite;
        let mut both = 0;
        for (index, &found) in picture.pixels.iter().enumerate() {
            let pixel = [
                index as u32 % picture.size[0],
                index as u32 / picture.size[0],
            ];
            let expected = from_first_principles(&SMALL, pixel);
            // Six layers with a few roundings each, and radiance below 1.
            let error = error_over_bound(expected, [1.0; 4], found);
            let what = format!("{method} at {pixel:?}: {found:?} for {expected:?}");
            assert!(error < 1e-6, "{what}");
            both += u32::from(expected[3] < 0.05);
        }
        assert!(both > 10, "{both} pixels show both particles");
    }
    // Negative control: the numbers of the next pixel, on the other side of B's rim.
    let picture = capture.picture(Method::PixelLoop).expect("a picture");
    let found = picture.composite.at([92, 46]);
    let expected = from_first_principles(&SMALL, [91, 46]);
    assert!(error_over_bound(expected, [1.0; 4], found) > 1e-3);
}

#[test]
fn the_middle_of_the_picture_is_as_worked_out_by_hand() {
    const BY_HAND: [f64; 4] = [0.242626184, 0.237762324, 0.365212536, 0.048950703];
    const OVER_THE_SKY: [f64; 3] = [0.248745022, 0.25, 0.389687887];
    let harness = Harness::new();
    let scene = scene("two");
    // The comment's paths: 1 + 2e-6 and 1 + 1.2e-4 metres per metre.
    for (case, methods, tolerance) in [
        (LARGE, vec![Method::PixelLoop], 2e-6),
        (SMALL, harness.methods_in_f32(), 3e-5),
    ] {
        let pixel = case.size.map(|edge| edge / 2);
        let mut capture = harness.capture(&scene, &settings(&scene, case.size, 2, 4));
        let sky = harness
            .probe(&capture.frame, pixel)
            .background
            .map(f64::from);
        assert_eq!(sky, [0.125, 0.25, 0.5]);
        for method in methods {
            let picture = capture.picture(method).expect("a picture");
            let found = picture.composite.at(pixel);
            let error = error_over_bound(BY_HAND, [1.0; 4], found);
            assert!(error < tolerance, "{method}: {found:?}");
            for channel in 0..3 {
                let over = f64::from(found[channel]) + f64::from(found[3]) * sky[channel];
                let off = (over - OVER_THE_SKY[channel]).abs();
                assert!(off < tolerance, "{method}: {over}");
            }
        }
    }
}
