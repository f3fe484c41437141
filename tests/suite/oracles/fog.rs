//! Fog and particles along a pixel's ray in f64, without lists: fog is integrated to each particle's depth and
//! applied to that particle. This is the oracle for fog as layers.
//!
//! Fog is constant in each slice. There are no layers, merged lists, or particles seen through part of a slice: the
//! ray is cut at slice bounds, particles and the surface, and the scattering of all pieces is added up.

use wavelerp::model::reference::composite::Composite;

/// An interval of uniform fog. Depths are view depths in metres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FogSlice {
    pub near: f64,
    pub far: f64,
    /// Linear rgb source radiance.
    pub source: [f64; 3],
    /// Extinction per metre of path.
    pub extinction: f64,
}

/// A particle at a pixel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FogParticle {
    /// View depth in metres.
    pub depth: f64,
    /// Linear rgb radiance of the particle, before any fog.
    pub radiance: [f64; 3],
    /// Opacity of the particle at the pixel, 0…1.
    pub opacity: f64,
}

/// A pixel's ray.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FogRay {
    /// Metres of path per metre of view depth.
    pub path_per_depth: f64,
    /// View depth of the opaque surface in metres; infinite if there is none.
    pub surface: f64,
}

/// Optical depth of the fog between two view depths along the ray.
pub fn optical_depth(slices: &[FogSlice], ray: FogRay, from: f64, to: f64) -> f64 {
    let within = |slice: &FogSlice| (slice.far.min(to) - slice.near.max(from)).max(0.0);
    let sum: f64 = slices.iter().map(|s| s.extinction * within(s)).sum();
    sum * ray.path_per_depth
}

/// Light that fog and particles in front of the surface add and transmit. `slices` and `particles` may be in any
/// order; of particles at the same depth, the first counts as nearer.
///
/// All fog and particles in front of a particle dim it. Each piece of fog between two cuts scatters
/// `source (1 - exp(-depth))`, which is dimmed in the same way.
pub fn composite(slices: &[FogSlice], particles: &[FogParticle], ray: FogRay) -> Composite {
    let mut seen: Vec<&FogParticle> = particles
        .iter()
        .filter(|particle| particle.opacity > 0.0 && particle.depth < ray.surface)
        .collect();
    seen.sort_by(|a, b| a.depth.total_cmp(&b.depth));
    let mut sum = Composite::EMPTY;
    let mut clear = 1.0;
    for particle in &seen {
        let dimmed = clear * (-optical_depth(slices, ray, 0.0, particle.depth)).exp();
        add(&mut sum, particle.radiance, particle.opacity * dimmed);
        clear *= 1.0 - particle.opacity;
    }
    for slice in slices {
        add_fog(&mut sum, slice, slices, &seen, ray);
    }
    sum.transmittance = clear * (-optical_depth(slices, ray, 0.0, ray.surface)).exp();
    sum
}

fn add(sum: &mut Composite, radiance: [f64; 3], weight: f64) {
    for (rgb, radiance) in sum.rgb.iter_mut().zip(radiance) {
        *rgb += radiance * weight;
    }
}

/// Scattering of one slice, cut at the particles inside; `seen` is sorted by ascending depth.
fn add_fog(
    sum: &mut Composite,
    slice: &FogSlice,
    slices: &[FogSlice],
    seen: &[&FogParticle],
    ray: FogRay,
) {
    let end = slice.far.min(ray.surface);
    let inside = seen.iter().map(|particle| particle.depth);
    let mut cuts = vec![slice.near];
    cuts.extend(inside.filter(|depth| (slice.near..end).contains(depth)));
    cuts.push(end);
    for piece in cuts.windows(2).filter(|piece| piece[0] < piece[1]) {
        let in_front = seen
            .iter()
            .take_while(|particle| particle.depth <= piece[0]);
        let clear: f64 = in_front.map(|particle| 1.0 - particle.opacity).product();
        let before = optical_depth(slices, ray, 0.0, piece[0]);
        let depth = slice.extinction * (piece[1] - piece[0]) * ray.path_per_depth;
        let weight = clear * (-before).exp() * -(-depth).exp_m1();
        add(sum, slice.source, weight);
    }
}

/// Error bound of an f32 composite of fog and particles as layers, relative to [`composite`]: red, green, blue,
/// transmittance. `n` is the number of layers with any opacity, `r` = 2⁻²⁴.
///
/// Fog's opacity has a relative error of at most 24 r: 16 r (a millionth) from the function of optical depth, 8 r from
/// optical depth. A particle's opacity has an absolute error of 4 r times `nominal`, its opacity at the disc's centre,
/// because the opacity vanishes at the rim. Let `C` be the largest radiance of any layer; the weights `a T` never sum
/// to more than 1. Then an error of an opacity moves a pixel by `C` times the error times the layer's transmittance. A
/// particle's colour behind part of a slice also has an error of 24 r of `C`, plus 4 r. Compositing adds `(3n + 4) r`
/// of the result, as in `wavelerp::model::reference::composite::error_bound`. For the transmittance, `C` is 1.
pub fn error_bound(slices: &[FogSlice], particles: &[FogParticle], nominal: &[f64]) -> [f64; 4] {
    let rounding = 1.0 / f64::from(1u32 << 24);
    let radiances = slices.iter().map(|slice| slice.source);
    let radiances = radiances.chain(particles.iter().map(|particle| particle.radiance));
    let largest = radiances.flatten().fold(0.0, f64::max);
    let layers = (slices.len() + particles.len()) as f64;
    let mut in_order: Vec<(&FogParticle, &f64)> = particles.iter().zip(nominal).collect();
    in_order.sort_by(|a, b| a.0.depth.total_cmp(&b.0.depth));
    let (mut clear, mut rims) = (1.0, 0.0);
    for (particle, nominal) in in_order {
        rims += clear * nominal;
        clear *= 1.0 - particle.opacity;
    }
    let share = rounding * (52.0 + 4.0 * rims + 3.0 * layers + 4.0);
    let underflow = layers * f64::from(f32::MIN_POSITIVE);
    let color = (share + underflow) * largest;
    [color, color, color, share + underflow]
}
