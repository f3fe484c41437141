//! Units of a frame's radiance and extinction, which let half floats represent both at any exposure and distance. Units
//! are powers of two, so scaling a normal, finite half float keeps its digits.

use std::f32::consts::{FRAC_1_PI, PI};

use super::file::{MeshSpec, Scene};

/// Exposures at which radiance is stored unscaled.
const PLAIN_EXPOSURES: [f32; 2] = [0.125, 8.0];
/// Half of the largest half float, and half of that to allow for rounding down to a power of two.
const LARGEST: f32 = 16_384.0;
/// Maximum ratio of a scene's radiance unit to its exposure: 65,504 units are then millions of times as bright as
/// white, and dim light is rounded by at most 1/4096 of white.
const MOST_OVER_EXPOSURE: f32 = 1024.0;

/// Minimum extinction stored unscaled, 1/m, in fog of limited depth.
const PLAIN_EXTINCTION: f32 = 1.0 / 256.0;
/// View depth in metres up to which the rounding of such an extinction makes no visible difference.
const PLAIN_FAR: f32 = 8192.0;

pub fn radiance_unit(scene: &Scene) -> f32 {
    let [low, high] = PLAIN_EXPOSURES;
    let exposure = scene.exposure.max(1e-18);
    let shown = exposure.clamp(low, high) / exposure;
    let needed = brightest(scene) / LARGEST;
    power_of_two(needed.clamp(shown, MOST_OVER_EXPOSURE * shown))
}

/// Extinction that froxels store as 1, 1/m. Noise may double the scene's extinction.
pub fn extinction_unit(scene: &Scene) -> f32 {
    let extinction = scene.fog.extinction;
    let is_plain = extinction >= PLAIN_EXTINCTION && scene.far <= PLAIN_FAR;
    if is_plain || extinction <= 0.0 {
        return 1.0;
    }
    power_of_two(extinction.max(1e-30) / (0.5 * LARGEST))
}

fn brightest(scene: &Scene) -> f32 {
    let lamps = (scene.lights.iter()).map(|of| most(of.intensity) / (of.radius * of.radius));
    let g = scene.fog.anisotropy.abs();
    // Accounts for forward scattering; a surface reflects 1/pi.
    let scattered = FRAC_1_PI.max((1.0 + g) / (4.0 * PI * (1.0 - g) * (1.0 - g)));
    let from_all_sides = most(scene.ambient).max(most(scene.ground.unwrap_or_default()));
    let light = scattered * (most(scene.sun.irradiance) + lamps.sum::<f32>()) + from_all_sides;
    let glow = |mesh: &MeshSpec| match mesh {
        MeshSpec::Box { emission, .. } | MeshSpec::Cylinder { emission, .. } => *emission,
        // Unlit materials have a radiance of up to 1.
        MeshSpec::Plane { .. } | MeshSpec::File { .. } => 1.0,
    };
    let meshes = &scene.placed_meshes;
    let own = (scene.emitters.iter().map(|of| most(of.emission)))
        .chain(scene.sheets.iter().map(|of| most(of.emission)))
        .chain(scene.meshes.iter().map(glow))
        .chain(scene.splats.iter().map(|of| of.radiance))
        .chain(meshes.materials.iter().map(|of| most(of.emission)))
        .chain(meshes.panes.iter().map(|of| of.emission.max_element()));
    light + own.fold(0.0, f32::max)
}

fn most(color: [f32; 3]) -> f32 {
    color.into_iter().fold(0.0, f32::max)
}

/// Largest power of two that does not exceed a normal positive number.
fn power_of_two(number: f32) -> f32 {
    f32::from_bits(number.to_bits() & f32::INFINITY.to_bits())
}
