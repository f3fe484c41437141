//! Compositing of an ordered list of layers in f64, and the error bound of f32 methods.
//!
//! A list runs front to back, index 0 nearest. The result is premultiplied: a pixel is `rgb + transmittance * background`.

/// One translucent contribution at a pixel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Layer {
    /// Linear rgb radiance, not multiplied by the opacity.
    pub color: [f32; 3],
    /// In `[0, 1]`: the interpolant `t` of the lerp.
    pub opacity: f32,
}

/// Effect of a run of layers on everything behind the run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Composite {
    /// Added linear rgb radiance, premultiplied.
    pub rgb: [f64; 3],
    /// Fraction of the radiance behind the run that is transmitted.
    pub transmittance: f64,
}

impl Default for Composite {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Composite {
    pub const EMPTY: Self = Self {
        rgb: [0.0; 3],
        transmittance: 1.0,
    };

    /// Red, green, blue, transmittance.
    pub fn channels(self) -> [f64; 4] {
        let [red, green, blue] = self.rgb;
        [red, green, blue, self.transmittance]
    }
}

/// Lower limit of the factor `1 - t` in the guarded forms of the prefix product (f32, as in a shader).
pub const GUARD: f32 = 1e-5;

/// Unit roundoff of f32: the relative error of one correctly rounded operation.
pub const ROUNDOFF: f64 = 1.0 / 16_777_216.0;

/// Composites `layers` front to back: `rgb = Σ c·a·Π_{j<i}(1-a_j)`, `transmittance = Π(1-a)`.
pub fn composite(layers: &[Layer]) -> Composite {
    accumulate(layers, 0.0)
}

/// Like [`composite`], with every factor `1-a` raised to at least [`GUARD`]: the result of a guarded hazard without rounding.
///
/// Layers leak through an opaque layer with weight [`GUARD`]. Without opacities above `1 - GUARD` it equals [`composite`].
pub fn composite_guarded(layers: &[Layer]) -> Composite {
    accumulate(layers, f64::from(GUARD))
}

fn accumulate(layers: &[Layer], least_factor: f64) -> Composite {
    let mut sum = Composite::EMPTY;
    for layer in layers {
        let opacity = f64::from(layer.opacity);
        for (rgb, color) in sum.rgb.iter_mut().zip(layer.color) {
            *rgb += f64::from(color) * opacity * sum.transmittance;
        }
        sum.transmittance *= (1.0 - opacity).max(least_factor);
    }
    sum
}

/// The run `front` followed by the run `back`: associative, not commutative, with the neutral element [`Composite::EMPTY`].
pub fn over(front: Composite, back: Composite) -> Composite {
    Composite {
        rgb: std::array::from_fn(|i| front.rgb[i] + front.transmittance * back.rgb[i]),
        transmittance: front.transmittance * back.transmittance,
    }
}

/// Error bound of an f32 method relative to [`composite`]: red, green, blue, transmittance.
///
/// With `n` layers, a colour channel is off by at most `(3n+4)·2⁻²⁴·Σ|c·a·T_before| + n·2⁻¹²⁶·max|c|` (sum and maximum over
/// that channel): a lerp has three rounded operations, and a weight that underflows or is flushed to zero loses up to `2⁻¹²⁶`
/// of its colour. Transmittance is a product of rounded factors, with an error relative to its value:
/// `(3n+4)·2⁻²⁴·T + n·2⁻¹²⁶`.
///
/// The bound assumes that each channel's largest colour is well above denormal numbers, which round more coarsely.
pub fn error_bound(layers: &[Layer]) -> [f64; 4] {
    bound_around(layers, composite)
}

/// Like [`error_bound`], relative to [`composite_guarded`], with guarded weights.
pub fn error_bound_guarded(layers: &[Layer]) -> [f64; 4] {
    bound_around(layers, composite_guarded)
}

fn bound_around(layers: &[Layer], oracle: fn(&[Layer]) -> Composite) -> [f64; 4] {
    // `Σ|c·a·T_before|` per channel, and T.
    let magnitudes = layers.iter().map(|layer| Layer {
        color: layer.color.map(f32::abs),
        opacity: layer.opacity,
    });
    let magnitude = oracle(&magnitudes.collect::<Vec<_>>());
    let count = layers.len() as f64;
    let rounding = (3.0 * count + 4.0) * ROUNDOFF;
    let underflow = count * f64::from(f32::MIN_POSITIVE);
    let largest = |channel: usize| {
        let colors = layers.iter().map(|layer| layer.color[channel].abs());
        f64::from(colors.fold(0.0, f32::max))
    };
    let rgb = |channel: usize| rounding * magnitude.rgb[channel] + underflow * largest(channel);
    let transmittance = rounding * magnitude.transmittance + underflow;
    [rgb(0), rgb(1), rgb(2), transmittance]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::reference::stress::random_layers;
    use proptest::prelude::*;

    fn layer(color: f32, opacity: f32) -> Layer {
        Layer {
            color: [color; 3],
            opacity,
        }
    }

    fn close(a: Composite, b: Composite) -> bool {
        let near = |x: f64, y: f64| (x - y).abs() <= 1e-12 * (1.0 + x.abs().max(y.abs()));
        near(a.transmittance, b.transmittance) && (0..3).all(|i| near(a.rgb[i], b.rgb[i]))
    }

    /// An independent form of [`composite`]: the loop `result = lerp(result, value, t)` from far to near, starting with black.
    /// Transmittance is the same loop on a white background behind black layers.
    fn lerp_loop(layers: &[Layer]) -> Composite {
        let lerp = |from: f64, to: f64, t: f64| from * (1.0 - t) + to * t;
        let mut result = Composite::EMPTY;
        for layer in layers.iter().rev() {
            let t = f64::from(layer.opacity);
            for (rgb, color) in result.rgb.iter_mut().zip(layer.color) {
                *rgb = lerp(*rgb, f64::from(color), t);
            }
            result.transmittance = lerp(result.transmittance, 0.0, t);
        }
        result
    }

    #[test]
    fn zero_layers_is_the_background() {
        assert_eq!(composite(&[]), Composite::EMPTY);
        assert_eq!(lerp_loop(&[]), Composite::EMPTY);
        assert_eq!(error_bound(&[])[0], 0.0);
    }

    #[test]
    fn order_matters() {
        let (a, b) = (layer(8.0, 0.25), layer(2.0, 0.5));
        assert!(!close(composite(&[a, b]), composite(&[b, a])));
        let (a, b) = (composite(&[a]), composite(&[b]));
        assert!(!close(over(a, b), over(b, a)));
    }

    #[test]
    fn nothing_shows_behind_an_opaque_layer_unless_it_is_guarded() {
        let hidden = [layer(1.0, 1.0), layer(1000.0, 1.0)];
        assert_eq!(composite(&hidden).rgb, [1.0; 3]);
        assert_eq!(composite(&hidden).transmittance, 0.0);
        let leak = composite_guarded(&hidden).rgb[0] - 1.0;
        assert!((leak - 1000.0 * f64::from(GUARD)).abs() < 1e-12);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn the_sum_and_the_lerp_loop_agree(count in 0usize..300, seed: u32) {
            let layers = random_layers(count, seed, 1.0);
            prop_assert!(close(composite(&layers), lerp_loop(&layers)));
        }

        #[test]
        fn splitting_a_list_anywhere_gives_the_same_result(seed: u32, at in 0usize..=60) {
            let layers = random_layers(60, seed, 0.2);
            let (front, back) = layers.split_at(at);
            prop_assert!(close(composite(&layers), over(composite(front), composite(back))));
        }

        #[test]
        fn a_transparent_layer_changes_nothing(seed: u32, at in 0usize..=20) {
            let mut layers = random_layers(20, seed, 0.5);
            let without = composite(&layers);
            layers.insert(at, layer(1e30, 0.0));
            prop_assert_eq!(composite(&layers), without);
            layers[at].opacity = 0.5;
            prop_assert!(composite(&layers) != without);
        }
    }
}
