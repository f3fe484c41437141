//! Planted faults in splats and their shaders, which the tests in the parent module must find.

use super::{TOLERANCE, difference, small, splats_alone, splats_of, worst};
use crate::harness::{Harness, edited, rows};
use crate::oracles::Shown;

fn scaled(bits: u32, factor: f32) -> u32 {
    (f32::from_bits(bits) * factor).to_bits()
}

#[test]
fn an_ellipse_that_is_wrong_missing_doubled_or_out_of_order_is_found() {
    let harness = Harness::new();
    let scene = splats_alone(200, 0.6, 3);
    let capture = harness.capture(&scene, &small(&scene, 5));
    let splats = splats_of(&harness, &capture);
    assert_eq!(difference(&capture, &splats), None);
    let faults: [fn(&mut Vec<Shown>); 13] = [
        |splats| _ = splats.remove(50),
        |splats| splats.insert(50, splats[50]),
        |splats| splats.swap(50, 51),
        |splats| splats.truncate(splats.len() - 1),
        |splats| splats[50].center[0] += 0.01,
        |splats| splats[50].depth *= 1.0001,
        |splats| splats[50].inverse_radius = 1.0,
        |splats| splats[50].axis = scaled(splats[50].axis, 1.001),
        |splats| splats[50].shade ^= 1 << 31,
        |splats| splats[50].look = scaled(splats[50].look, 0.999),
        |splats| splats[50].color[1] += 0.002 * (1.0 + splats[50].color.iter().sum::<f32>()),
        |splats| splats[50].slice_or_mask = 0,
        |splats| splats[50].slice += 1,
    ];
    for (number, fault) in faults.iter().enumerate() {
        let mut wrong = splats.clone();
        fault(&mut wrong);
        let found = difference(&capture, &wrong);
        assert!(found.is_some(), "fault {number} is not found");
    }
}

#[test]
fn a_tile_that_an_ellipse_shows_in_and_is_not_listed_in_or_the_other_way_round_is_found() {
    let harness = Harness::new();
    let scene = splats_alone(200, 0.6, 3);
    for [module, find, replace] in rows(
        "
frame/project/gaussian | const MARGIN: f32 = 0.03125 | const MARGIN: f32 = -0.5
frame/project/gaussian | const MARGIN: f32 = 0.03125 | const MARGIN: f32 = 2.0
frame/project/gaussian | -across.x, across.y | across.x, across.y
frame/project/gaussian | -farthest, farthest | farthest, -farthest
frame/project/gaussian | let slant = -falloff.y | let slant = falloff.y
frame/project/gaussian | max(mask, 1u) | max(mask & 0xfffffffeu, 1u)
",
    ) {
        let pipelines = edited(module, find, replace);
        let capture = harness.capture_by(&pipelines, &scene, &small(&scene, 5));
        let found = difference(&capture, &splats_of(&harness, &capture));
        assert!(found.is_some(), "{replace} is not found");
    }
}

#[test]
fn wrong_projection_harmonics_and_coverage_are_found() {
    let harness = Harness::new();
    let scene = splats_alone(60, 0.6, 1);
    for [module, find, replace] in rows(
        "
common/ellipse | variances = squares + frame.dilation | variances = squares
common/ellipse | bent.x * frame.forward | 0.0 * frame.forward
common/gaussian | - rotation.w * v | + rotation.w * v
common/harmonics | - d.x * from_upper(h1.x, h1.y) | + d.x * from_upper(h1.x, h1.y)
layers/splat | exponent >= LEAST_EXPONENT | exponent >= LEAST_EXPONENT + 2.0
",
    ) {
        let pipelines = edited(module, find, replace);
        let mut capture = harness.capture_by(&pipelines, &scene, &small(&scene, 0));
        let worst = worst(&mut capture);
        assert!(worst > 2.0 * TOLERANCE, "{replace}: {worst}");
    }
}
