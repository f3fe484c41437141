//! Sheets: panes are compared with calculations by hand, cells meet without a seam, and match their CPU twin.

use glam::DVec3;
use wavelerp::model::items::ItemKind;
use wavelerp::model::methods::Method;
use wavelerp::model::scene::{PointLight, Scene, SheetSpec};
use wavelerp::runs::capture::Capture;

use crate::harness::{Harness, apart, edited, pane, scene, settings, shown_splats};
use crate::oracles::Shown;
use crate::oracles::sheets as twin;

const SIZE: [u32; 2] = [160, 90];
/// Pixels per metre at a distance of 1 m; the camera of `two` sees 90°.
const FOCAL: f64 = 45.0;

/// `two` without fog and particles, with `sheets`.
fn with_sheets(sheets: Vec<SheetSpec>) -> Scene {
    let mut scene = scene("two");
    scene.fog.extinction = 0.0;
    scene.emitters.clear();
    scene.sheets = sheets;
    scene
}

fn composite(capture: &mut Capture, method: Method) -> Vec<[f32; 4]> {
    let picture = capture.picture(method).expect("a picture");
    picture.composite.pixels
}

fn plain(harness: &Harness, scene: &Scene) -> Vec<[f32; 4]> {
    let mut capture = harness.capture(scene, &settings(scene, SIZE, 100, 4));
    composite(&mut capture, Method::PixelLoop)
}

/// True if a pane across the view covers a pixel; `None` within two pixels of the pane's edge.
fn covers(sheet: &SheetSpec, pixel: [f64; 2]) -> Option<bool> {
    let scale = FOCAL / -f64::from(sheet.center[2]);
    let beyond = |axis: usize, half: f32| {
        let flip = [1.0, -1.0][axis];
        let middle = f64::from(SIZE[axis]) / 2.0 + flip * f64::from(sheet.center[axis]) * scale;
        (pixel[axis] - middle).abs() - f64::from(half) * scale
    };
    let beyond = beyond(0, sheet.half_u[0]).max(beyond(1, sheet.half_v[1]));
    (beyond.abs() > 2.0).then_some(beyond < 0.0)
}

/// Largest difference between the picture and the sum of the panes, nearest first.
fn worst(pixels: &[[f32; 4]], nearest_first: &[&SheetSpec]) -> f64 {
    let mut worst = 0.0f64;
    let mut compared = 0;
    for (index, found) in pixels.iter().enumerate() {
        let [x, y] = [index % SIZE[0] as usize, index / SIZE[0] as usize];
        let pixel = [x as f64 + 0.5, y as f64 + 0.5];
        let is_near_an_edge = |sheet: &&SheetSpec| covers(sheet, pixel).is_none();
        if nearest_first.iter().any(is_near_an_edge) {
            continue;
        }
        let mut expected = [0.0, 0.0, 0.0, 1.0];
        let is_covered = |sheet: &&&SheetSpec| covers(sheet, pixel) == Some(true);
        for sheet in nearest_first.iter().filter(is_covered) {
            let opacity = f64::from(sheet.opacity);
            for channel in 0..3 {
                expected[channel] += expected[3] * opacity * f64::from(sheet.emission[channel]);
            }
            expected[3] *= 1.0 - opacity;
        }
        compared += 1;
        for channel in 0..4 {
            worst = worst.max((expected[channel] - f64::from(found[channel])).abs());
        }
    }
    assert!(compared > 9000, "{compared} pixels");
    worst
}

#[test]
fn two_panes_are_seen_through_one_another_and_change_places_when_one_is_moved() {
    let harness = Harness::new();
    let red = pane([-0.4, 0.2, -3.0], [1.1, 1.0], [1.0, 0.25, 0.0], 0.5);
    let blue = pane([0.9, -0.3, -5.0], [1.9, 1.7], [0.0, 0.5, 2.0], 0.25);
    // A pane twice as far and twice as large covers the same pixels, behind the other pane.
    let mut moved = red.clone();
    for vector in [&mut moved.center, &mut moved.half_u, &mut moved.half_v] {
        *vector = vector.map(|part| 2.0 * part);
    }
    // Both panes cover the middle: 0.5 red + 0.5 * 0.25 blue, and 0.25 blue + 0.75 * 0.5 red.
    let by_hand = [[0.5, 0.1875, 0.25, 0.375], [0.375, 0.21875, 0.5, 0.375]];
    let cases = [[&red, &blue], [&blue, &moved]];
    for (order, expected) in cases.iter().zip(by_hand) {
        let scene = with_sheets(vec![order[1].clone(), order[0].clone()]);
        let mut capture = harness.capture(&scene, &settings(&scene, SIZE, 0, 4));
        for method in harness.methods_in_f32() {
            let pixels = composite(&mut capture, method);
            assert_eq!(pixels[45 * 160 + 80], expected, "{method}");
            assert!(worst(&pixels, order) < 1e-6, "{method}");
            // Negative controls: the other order, and a missing pane.
            assert!(worst(&pixels, &[order[1], order[0]]) > 0.1, "{method}");
            assert!(worst(&pixels, &order[..1]) > 0.1, "{method}");
        }
    }
}

#[test]
fn a_particle_between_two_panes_is_behind_the_one_and_before_the_other() {
    let harness = Harness::new();
    let front = pane([0.0, 0.0, -3.0], [2.0, 1.0], [1.0, 0.0, 0.0], 0.5);
    let back = pane([0.0, 0.0, -6.0], [4.0, 2.0], [0.0, 1.0, 0.0], 0.5);
    let mut scene = with_sheets(vec![back, front]);
    scene.emitters = self::scene("two").emitters;
    scene.emitters.truncate(1);
    let emitter = &mut scene.emitters[0];
    (emitter.origin, emitter.albedo_start) = ([0.0, 0.0, -4.5], [0.0; 3]);
    (emitter.emission, emitter.opacity) = ([0.0, 0.0, 2.0], 0.5);
    let mut at = |depth: f32| {
        scene.emitters[0].origin[2] = -depth;
        plain(&harness, &scene)[45 * 160 + 80]
    };
    // At mid-life, half of the emission remains.
    assert_eq!(at(2.0), [0.25, 0.125, 0.5, 0.125]);
    assert_eq!(at(4.5), [0.5, 0.125, 0.25, 0.125]);
    assert_eq!(at(7.0), [0.5, 0.25, 0.125, 0.125]);
}

/// A tilted pane in sun and lamplight, with fade and rim.
fn slanted() -> Scene {
    let mut sheet = pane([0.1, -0.1, -4.0], [2.0, 0.0], [0.25, 0.0, 0.125], 0.5);
    (sheet.half_u, sheet.half_v) = ([1.9, 0.3, -1.4], [-0.2, 1.7, 0.9]);
    (sheet.albedo, sheet.transmission) = ([0.9, 0.6, 0.3], 0.75);
    (sheet.fade, sheet.rim, sheet.rim_opacity) = (0.05, 0.2, 0.9);
    let mut scene = with_sheets(vec![sheet]);
    scene.sun.direction_to_sun = [0.3, 0.6, -0.5];
    scene.sun.irradiance = [3.0, 2.5, 2.0];
    scene.lights = vec![PointLight {
        position: [0.5, 0.3, -3.0],
        radius: 0.1,
        intensity: [2.0, 3.0, 4.0],
        flicker: 0.0,
        glow: 1.0,
    }];
    scene
}

#[test]
fn cells_meet_without_a_seam() {
    let harness = Harness::new();
    let mut scene = slanted();
    let cut = |scene: &mut Scene, cells| {
        scene.sheets[0].cells = cells;
        plain(&harness, scene)
    };
    let whole = cut(&mut scene, [1, 1]);
    let seen = whole.iter().filter(|pixel| pixel[3] < 1.0).count();
    assert!(seen > 1500, "{seen} pixels");
    for cells in [[8, 8], [7, 5], [64, 1], [33, 64]] {
        let off = apart(&whole, &cut(&mut scene, cells));
        assert!(off <= 1e-6, "{cells:?}: {off}");
    }
    // Uniformly lit uniform fog does not depend on the cells either.
    scene.fog.extinction = 0.0625;
    scene.lights.clear();
    let whole = cut(&mut scene, [1, 1]);
    assert!(apart(&whole, &cut(&mut scene, [8, 8])) <= 1e-3);
}

/// Sheet coordinates, 0…1, at which the ray through `pixel` meets a sheet of `two`, seen from the origin along -z.
fn met(sheet: &SheetSpec, pixel: [f64; 2]) -> [f64; 2] {
    let [center, half_u, half_v] = [sheet.center, sheet.half_u, sheet.half_v]
        .map(|vector| DVec3::from_array(vector.map(f64::from)));
    let off = [0, 1].map(|axis| (pixel[axis] - f64::from(SIZE[axis]) / 2.0) / FOCAL);
    let ray = DVec3::new(off[0], -off[1], -1.0);
    // Cramer's rule for center + a half_u + b half_v = t ray.
    let whole = ray.dot(half_u.cross(half_v));
    let along_u = ray.dot(half_v.cross(center)) / whole;
    let along_v = ray.dot(center.cross(half_u)) / whole;
    [along_u, along_v].map(|along| 0.5 + 0.5 * along)
}

/// Opacity of a sheet of `two` at a pixel, as if pixels were `width` times as wide.
fn opacity_at(sheet: &SheetSpec, pixel: [f64; 2], width: f64) -> f64 {
    let place = met(sheet, pixel);
    let step = 1e-3;
    let [mut shown, mut inner] = [1.0, 1.0];
    for (axis, half) in [sheet.half_u, sheet.half_v].into_iter().enumerate() {
        let edge = 2.0 * DVec3::from_array(half.map(f64::from)).length();
        let moved = |by: [f64; 2]| {
            let at = |side: f64| met(sheet, [pixel[0] + side * by[0], pixel[1] + side * by[1]]);
            ((at(1.0)[axis] - at(-1.0)[axis]) / 2.0 / step).abs()
        };
        let metres = edge * width * (moved([step, 0.0]) + moved([0.0, step]));
        let to_edge = edge * place[axis].min(1.0 - place[axis]);
        shown *= (to_edge / f64::from(sheet.fade).max(0.5 * metres)).clamp(0.0, 1.0);
        inner *= ((to_edge - f64::from(sheet.rim)) / metres + 0.5).clamp(0.0, 1.0);
    }
    let [rim, opacity] = [sheet.rim_opacity, sheet.opacity].map(f64::from);
    (rim + (opacity - rim) * inner) * shown
}

#[test]
fn rim_and_edge_of_a_pane_at_a_slant_are_a_pixel_soft() {
    let harness = Harness::new();
    let mut scene = slanted();
    // The pane is seen from one side, from the other, and with an edge that no fade softens.
    let mut turned = scene.sheets[0].clone();
    turned.half_u = turned.half_u.map(|part| -part);
    let mut sharp = scene.sheets[0].clone();
    (sharp.fade, sharp.center) = (0.0, [1.3, 0.4, -3.5]);
    for sheet in [scene.sheets[0].clone(), turned, sharp] {
        scene.sheets = vec![sheet.clone()];
        let pixels = plain(&harness, &scene);
        let worst = |width: f64| {
            let off = pixels.iter().enumerate().map(|(index, found)| {
                let [x, y] = [index % SIZE[0] as usize, index / SIZE[0] as usize];
                let pixel = [x as f64 + 0.5, y as f64 + 0.5];
                (1.0 - f64::from(found[3]) - opacity_at(&sheet, pixel, width)).abs()
            });
            off.fold(0.0, f64::max)
        };
        assert!(worst(1.0) < 1e-4, "{} off", worst(1.0));
        // Negative control: pixels are a tenth wider.
        assert!(worst(1.1) > 1e-3);
    }
}

#[test]
fn cells_that_overlap_or_leave_gaps_are_found() {
    let harness = Harness::new();
    let mut scene = slanted();
    scene.sheets[0].cells = [8, 8];
    let whole = plain(&harness, &scene);
    let find = "all(floor((0.5 + place) * seen_sheets[sheet].cells) == vec2f(cell.place))";
    // Faults: a point on the edge of two cells is in both cells, or in neither.
    for replace in [
        "all(abs((0.5 + place) * seen_sheets[sheet].cells - vec2f(cell.place) - 0.5) < vec2f(0.55))",
        "all(abs((0.5 + place) * seen_sheets[sheet].cells - vec2f(cell.place) - 0.5) < vec2f(0.45))",
    ] {
        let pipelines = edited("layers/sheet_cell", find, replace);
        let settings = settings(&scene, SIZE, 0, 4);
        let mut capture = harness.capture_by(&pipelines, &scene, &settings);
        let pixels = composite(&mut capture, Method::PixelLoop);
        assert!(apart(&whole, &pixels) > 1e-3, "{replace}");
    }
}

#[test]
fn a_pane_scatters_light_to_both_sides_as_its_transmission_says() {
    let harness = Harness::new();
    let mut sheet = pane([0.0, 0.0, -3.0], [1.0, 1.0], [0.0; 3], 1.0);
    (sheet.albedo, sheet.transmission) = ([1.0, 0.5, 0.25], 0.75);
    let mut scene = with_sheets(vec![sheet]);
    scene.ambient = [0.0; 3];
    let pi = std::f32::consts::PI;
    // From the camera's side, from behind, and at 60° from behind.
    let sixty = [0.75f32.sqrt(), 0.0, -0.5];
    let cases = [
        ([0.0, 0.0, 1.0], 0.25),
        ([0.0, 0.0, -1.0], 0.75),
        (sixty, 0.375),
    ];
    for (direction, part) in cases {
        scene.sun.direction_to_sun = direction;
        scene.sun.irradiance = [pi; 3];
        let found = plain(&harness, &scene)[45 * 160 + 80];
        for (channel, albedo) in [1.0, 0.5, 0.25].into_iter().enumerate() {
            // Half floats have 11 significant bits.
            let expected = part * albedo;
            let off = (found[channel] - expected).abs();
            assert!(off < 1e-3 * expected, "{found:?}");
        }
    }
    // One lamp of 4π W/sr and radius 0 is a metre in front of the pane, and one is behind.
    scene.sun.irradiance = [0.0; 3];
    for (z, part) in [(-2.0, 0.25), (-4.0, 0.75)] {
        scene.lights = vec![PointLight {
            position: [0.0, 0.0, z],
            radius: 0.001,
            intensity: [4.0 * pi; 3],
            flicker: 0.0,
            glow: 1.0,
        }];
        let found = plain(&harness, &scene)[45 * 160 + 80];
        assert!((found[0] - 4.0 * part).abs() < 0.02, "{found:?}");
    }
}

#[test]
fn a_cell_that_is_wrong_missing_doubled_or_out_of_order_is_found() {
    let harness = Harness::new();
    let scene = scene("panes");
    let capture = harness.capture(&scene, &settings(&scene, [161, 91], 100, 16));
    let input = capture.frame.input();
    let difference = |splats: &[Shown]| {
        let (sheets, bounds) = (&input.sheets, &input.slice_bounds);
        twin::first_difference(splats, sheets, &input.uniform(), bounds, input.shape.tile)
    };
    let mut cells = shown_splats(&harness.gpu, &capture.frame);
    cells.retain(|splat| splat.particle >= input.shape.counts.first(ItemKind::Cell));
    assert!(cells.len() > 200, "{} cells", cells.len());
    assert_eq!(difference(&cells), None);
    let faults: [fn(&mut Vec<Shown>); 11] = [
        |cells| _ = cells.remove(100),
        |cells| cells.insert(100, cells[100]),
        |cells| cells.swap(100, 101),
        |cells| cells.truncate(cells.len() - 1),
        |cells| cells[100].center[0] += 0.01,
        |cells| cells[100].depth *= 1.00001,
        |cells| cells[100].inverse_radius = 1.0,
        |cells| cells[100].tiles_y += 1 << 16,
        |cells| cells[100].slice += 1,
        |cells| cells[100].look += 1,
        |cells| cells[100].opacity = cells[100].opacity.next_up(),
    ];
    for (number, fault) in faults.iter().enumerate() {
        let mut wrong = cells.clone();
        fault(&mut wrong);
        assert!(difference(&wrong).is_some(), "fault {number} is not found");
    }
}

#[test]
fn a_pane_that_reaches_the_camera_is_whole_and_one_behind_it_is_not_seen() {
    let harness = Harness::new();
    // A floor reaches from 1 m behind the camera to 13 m in front; `near`, at 1 m, cuts its cells.
    let mut floor = pane([0.0, -0.5, -6.0], [6.0, 0.0], [1.0, 1.0, 1.0], 1.0);
    (floor.half_v, floor.cells) = ([0.0, 0.0, -7.0], [1, 14]);
    let scene = with_sheets(vec![floor.clone()]);
    let pixels = plain(&harness, &scene);
    // 0.5 m below the eye, the floor is at 1 m half-way down to the lower edge, row 67.5.
    let is_shown = |row: usize| pixels[row * 160 + 80][3] == 0.0;
    let rows = [40, 48, 60, 66, 70, 89].map(is_shown);
    assert_eq!(rows, [false, true, true, true, false, false]);
    floor.center[2] = 8.0;
    let pixels = plain(&harness, &with_sheets(vec![floor]));
    assert!(pixels.iter().all(|pixel| pixel[3] == 1.0));
}
