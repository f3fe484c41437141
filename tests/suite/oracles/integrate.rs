//! Fog integrated along a column in f64: the twin of `shaders/bench/integrate_column.wesl` and
//! `shaders/bench/integrate_wave.wesl`, and of the composite that looks their result up.
//!
//! Pure arithmetic on slices of numbers.

use super::fog::{FogParticle, FogRay, FogSlice};
use wavelerp::model::reference::composite::Composite;

/// What the fog between the camera and the far side of each slice scatters and lets through. `slices`
/// run front to back.
pub fn integrals(slices: &[FogSlice], path_per_depth: f64) -> Vec<Composite> {
    let mut sum = Composite::EMPTY;
    let step = |slice: &FogSlice| {
        sum = beyond(sum, slice, slice.far, path_per_depth);
        sum
    };
    slices.iter().map(step).collect()
}

/// The integral from the camera to `depth`, `before` being that to the near side of `slice`.
fn beyond(before: Composite, slice: &FogSlice, depth: f64, path_per_depth: f64) -> Composite {
    let optical_depth = slice.extinction * (depth - slice.near) * path_per_depth;
    let opacity = -(-optical_depth).exp_m1();
    Composite {
        rgb: std::array::from_fn(|channel| {
            before.rgb[channel] + slice.source[channel] * opacity * before.transmittance
        }),
        transmittance: before.transmittance * (1.0 - opacity),
    }
}

/// The integral from the camera to `depth`, looked up in [`integrals`] of the same slices: to the near
/// side of the slice there, and on by that slice's exponential.
pub fn look_up(
    slices: &[FogSlice],
    integrals: &[Composite],
    path_per_depth: f64,
    depth: f64,
) -> Composite {
    let index = slices.partition_point(|slice| slice.far <= depth);
    let before = match index.checked_sub(1) {
        Some(last) => integrals[last],
        None => Composite::EMPTY,
    };
    match slices.get(index) {
        Some(slice) => beyond(before, slice, depth.max(slice.near), path_per_depth),
        None => before,
    }
}

/// Particles (front to back) in fog, no slice being a layer: each is seen through the fog integrated
/// to its depth, and the rest of the fog through all of them.
pub fn composite(slices: &[FogSlice], particles: &[FogParticle], ray: FogRay) -> Composite {
    let integrals = integrals(slices, ray.path_per_depth);
    let to = |depth| look_up(slices, &integrals, ray.path_per_depth, depth);
    let mut sum = Composite::EMPTY;
    let mut add = |radiance: [f64; 3], opacity: f64, fog: Composite| {
        for (channel, rgb) in sum.rgb.iter_mut().enumerate() {
            let seen = fog.rgb[channel] + fog.transmittance * radiance[channel];
            *rgb += seen * opacity * sum.transmittance;
        }
        sum.transmittance *= 1.0 - opacity;
    };
    for particle in particles.iter().filter(|one| one.depth < ray.surface) {
        add(particle.radiance, particle.opacity, to(particle.depth));
    }
    // What is left of the light behind the surface's fog is the background's.
    let through = sum.transmittance;
    let fog = to(ray.surface);
    Composite {
        rgb: std::array::from_fn(|channel| sum.rgb[channel] + through * fog.rgb[channel]),
        transmittance: through * fog.transmittance,
    }
}

/// How far a stored integral may be from [`integrals`]: red, green, blue, transmittance; `n` slices up
/// to and with it, `integral` being the true one.
///
/// Stored as half floats: `2⁻¹⁰` of the value however a driver rounds, or `2⁻²⁴` where the half is
/// denormal. Before that, in f32 with `r = 2⁻²⁴`: `24 r` in each opacity (see
/// [`super::fog::error_bound`]), which moves a prefix by no more than `24 r` of the largest radiance
/// each, and `(3n + 4) r` in compositing.
pub fn error_bound(slices: &[FogSlice], integral: &Composite) -> [f64; 4] {
    let rounding = 1.0 / f64::from(1u32 << 24);
    let count = slices.len() as f64;
    let sources = slices.iter().flat_map(|slice| slice.source);
    let largest = sources.fold(0.0, f64::max);
    let bound = |value: f64, scale: f64| {
        let summed = rounding * (24.0 * count * scale + (3.0 * count + 4.0) * value);
        summed + (value + summed) / 1024.0 + rounding
    };
    let [r, g, b] = integral.rgb.map(|value| bound(value, largest));
    [r, g, b, bound(integral.transmittance, 1.0)]
}

/// How far a picture by integrated fog may be from one by slices, on the axis of a column: of rgb and
/// of transmittance, `largest` being the largest radiance of any layer (or 1, if that is more).
///
/// A pixel is a mean of looked-up radiances `F + T c`, weights at most 1 together. `F` is at most
/// `largest` and is off by its half float, `2⁻¹⁰ largest`; so is `T c`; `2⁻²⁴` and a thousand
/// roundings of f32 are far below. Transmittance is off by `2⁻¹⁰`.
pub fn picture_bound(largest: f64) -> [f64; 2] {
    let half = 1.0 / 1024.0;
    [2.2 * half * largest.max(1.0), 1.1 * half]
}

mod tests {
    use super::super::fog;
    use super::*;

    const RAY: FogRay = FogRay {
        path_per_depth: 1.25,
        surface: 5.5,
    };

    fn slices() -> Vec<FogSlice> {
        let slice = |index: u32| FogSlice {
            near: f64::from(1 + index),
            far: f64::from(2 + index),
            source: [f64::from(3 + index * index), 1.0, 0.5],
            extinction: 0.3 * f64::from(index % 3),
        };
        (0..6).map(slice).collect()
    }

    fn particles() -> Vec<FogParticle> {
        let particle = |index: u32| FogParticle {
            depth: 0.5 + 0.7 * f64::from(index),
            radiance: [f64::from(10 - index), 2.0, f64::from(index)],
            opacity: 0.05 * f64::from(1 + index % 4),
        };
        (0..9).map(particle).collect()
    }

    fn close(a: Composite, b: Composite) -> bool {
        let same = |x: f64, y: f64| (x - y).abs() < 1e-12;
        (0..3).all(|i| same(a.rgb[i], b.rgb[i])) && same(a.transmittance, b.transmittance)
    }

    #[test]
    fn an_integral_is_all_fog_in_front_of_a_depth() {
        let slices = slices();
        let integrals = integrals(&slices, RAY.path_per_depth);
        for depth in [0.0, 1.0, 1.5, 3.0, 4.9, 7.0, 9.0] {
            let ray = FogRay {
                surface: depth,
                ..RAY
            };
            let expected = fog::composite(&slices, &[], ray);
            let found = look_up(&slices, &integrals, RAY.path_per_depth, depth);
            assert!(close(found, expected), "{depth}: {found:?} {expected:?}");
        }
        assert!(close(look_up(&slices, &integrals, 1.25, 7.0), integrals[5]));
    }

    #[test]
    fn integrated_fog_gives_the_picture_of_fog_cut_at_every_particle() {
        let (slices, particles) = (slices(), particles());
        let expected = fog::composite(&slices, &particles, RAY);
        assert!(close(composite(&slices, &particles, RAY), expected));
        // Negative controls: the order of particles, and a look-up without the way inside a slice.
        let mut swapped = particles.clone();
        swapped.swap(3, 4);
        assert!(!close(composite(&slices, &swapped, RAY), expected));
        let mut moved = particles;
        moved[4].depth = moved[4].depth.floor();
        assert!(!close(composite(&slices, &moved, RAY), expected));
    }

    #[test]
    fn without_fog_there_is_nothing_to_integrate() {
        assert!(integrals(&[], 1.0).is_empty());
        assert!(close(look_up(&[], &[], 1.0, 3.0), Composite::EMPTY));
        assert_eq!(error_bound(&[], &Composite::EMPTY)[0], 2f64.powi(-24));
    }
}
