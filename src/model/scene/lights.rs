//! Point lights as the GPU reads them, and the flicker of fire.

use super::file::Scene;
use super::random::random;
use crate::model::layout::PointLight;

/// The two frequencies of a flicker in hertz, with their weights.
const BEATS: [(f64, f64); 2] = [(2.7, 0.6), (8.3, 0.4)];

/// The scene's point lights at full intensity, in file order.
pub fn lights(scene: &Scene) -> Vec<PointLight> {
    let gpu_light = |light: &super::file::PointLight| PointLight {
        position: light.position,
        radius: light.radius,
        intensity: light.intensity,
        flicker: light.flicker,
        glow: light.glow,
        ..Default::default()
    };
    scene.lights.iter().map(gpu_light).collect()
}

/// Lights at `time` seconds: each intensity is multiplied by a smooth factor between `1 - flicker` and 1 that differs
/// from light to light. Equal times give equal bits.
pub fn flickering(lights: &[PointLight], time: f32) -> Vec<PointLight> {
    let at_time = |(index, light): (u32, &PointLight)| {
        let low: f64 = BEATS
            .iter()
            .map(|(beats, part)| part * smooth_noise(index, f64::from(time) * beats))
            .sum();
        let factor = 1.0 - f64::from(light.flicker) * low;
        PointLight {
            intensity: light.intensity.map(|i| (f64::from(i) * factor) as f32),
            ..*light
        }
    };
    (0..).zip(lights).map(at_time).collect()
}

/// Smooth noise, 0…1, along `place`: random values at integers, with eased interpolation.
fn smooth_noise(light: u32, place: f64) -> f64 {
    let whole = place.floor();
    let at = |place: f64| random(light, place.rem_euclid(4_294_967_296.0) as u32, 0);
    let part = place - whole;
    let eased = part * part * (3.0 - 2.0 * part);
    at(whole) * (1.0 - eased) + at(whole + 1.0) * eased
}
