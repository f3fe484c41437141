//! Fog integrated along a column in f64: the twin of `shaders/bench/integrate_column.wesl` and
//! `shaders/bench/integrate_wave.wesl`.

use super::fog::FogSlice;
use wavelerp::model::reference::composite::{Composite, over};

/// Fog between the camera and the far side of each slice: scattered light and transmittance. `slices` run front to
/// back.
pub fn integrals(slices: &[FogSlice], path_per_depth: f64) -> Vec<Composite> {
    let further = |sum: &mut Composite, slice: &FogSlice| {
        let optical_depth = slice.extinction * (slice.far - slice.near) * path_per_depth;
        let opacity = -(-optical_depth).exp_m1();
        let own = Composite {
            rgb: slice.source.map(|source| source * opacity),
            transmittance: 1.0 - opacity,
        };
        *sum = over(*sum, own);
        Some(*sum)
    };
    slices.iter().scan(Composite::EMPTY, further).collect()
}

/// Error bound of a stored integral relative to [`integrals`]: red, green, blue, transmittance. `integral` is the true
/// value, over the `n` slices given.
///
/// Storing as half floats loses `2⁻¹⁰` of the value with any rounding mode, or `2⁻²⁴` if the half is denormal. Before
/// that, f32 arithmetic with `r = 2⁻²⁴` has an error of `24 r` in each opacity (see [`super::fog::error_bound`]), which
/// moves a prefix by at most `24 r` of the largest radiance. Compositing has an error of `(3n + 4) r`.
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
