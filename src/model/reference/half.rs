//! Error bounds of compositing in half floats relative to [`composite`]: back to front, or front to back in runs.
//!
//! [`composite`]: super::composite::composite

use super::composite::Layer;

/// Maximum layers of a run composited in half floats before it is joined in f32. The bound also holds for shorter runs: a
/// join starts from exact numbers, and rounds far less than a step.
pub const MOST_RUN: usize = 128;

/// Largest relative error of rounding to a half float, in any direction.
pub const ROUNDOFF: f64 = 1.0 / 1024.0;
/// Smallest normal half float; hardware may flush smaller ones to zero.
const LEAST: f64 = 1.0 / 16_384.0;
pub const LARGEST: f64 = 65_504.0;
/// Largest relative error of joining two runs in f32, in eight operations.
const JOIN: f64 = 8.0 / 16_777_216.0;

/// Error bound of compositing front to back in half floats: red, green, blue, transmittance.
///
/// Opacities `a` and colours `c` are rounded to halves. A run of at most [`MOST_RUN`] layers starts with `v = 0`, `t = 1`. Each
/// layer computes `w = a t`, `v' = v + c w`, `t' = t - w`, with every operation rounded in any direction; product and sum may
/// round once or twice. Runs are joined in f32: `V' = V + T v`, `T' = T t`. The largest error of every number is propagated
/// through these steps in f64.
///
/// Infinite for a channel that may exceed the largest half, 65 504.
pub fn error_bound_half_runs(layers: &[Layer]) -> [f64; 4] {
    let [red, green, blue] = [0, 1, 2].map(|channel| errors(layers, channel));
    [red[0], green[0], blue[0], red[1]]
}

/// Error bound of compositing back to front with half floats as inputs and result of every step, as in a blending target of
/// 16 bits: red, green, blue, transmittance.
///
/// A step takes `V` behind a layer to `V' = s + (1-a) V`, `s = |c| a`. `u = 2⁻¹⁰` covers rounding in any direction: `s` is off
/// by `u s`; `a`, and therefore `1-a`, by `u a`; `1-a` by another `u (1-a)`; its product with `V` by `u (1-a) V`; and `V'` by
/// `u V'`. To first order that is `u (2 V' + V)`, and the error of `V` has the weight `1-a`. The recursion below includes the
/// higher orders, and `2⁻¹⁴` for denormal halves, which hardware may flush to zero.
///
/// Infinite for a channel that may exceed the largest half, 65 504, at some step.
pub fn error_bound_half(layers: &[Layer]) -> [f64; 4] {
    let rgb = |channel: usize| half_error(layers, 0.0, |layer| layer.color[channel].abs());
    [rgb(0), rgb(1), rgb(2), half_error(layers, 1.0, |_| 0.0)]
}

/// Error of one channel, given the value `start` behind all layers.
fn half_error(layers: &[Layer], start: f64, magnitude: impl Fn(&Layer) -> f32) -> f64 {
    const UP: f64 = 1.0 + ROUNDOFF;
    let (mut value, mut error) = (start, 0.0);
    for layer in layers.iter().rev() {
        let opacity = f64::from(layer.opacity);
        let source = f64::from(magnitude(layer)) * opacity;
        let factor = 1.0 - opacity;
        let factor_error = (ROUNDOFF * opacity + LEAST) * UP + ROUNDOFF * factor;
        let most_kept = (factor + factor_error) * (value + error) * UP + LEAST;
        let kept_error = most_kept - factor * value;
        value = source + factor * value;
        let source_error = ROUNDOFF * source + LEAST;
        error = (kept_error + source_error) * UP + ROUNDOFF * value + LEAST;
        if value + error > LARGEST {
            return f64::INFINITY;
        }
    }
    error
}

/// A number of at least 0, and its error bound.
#[derive(Clone, Copy)]
struct Uncertain {
    value: f64,
    error: f64,
}

impl Uncertain {
    fn exact(value: f64) -> Self {
        Self { value, error: 0.0 }
    }

    fn most(self) -> f64 {
        self.value + self.error
    }

    fn rounding(self) -> f64 {
        let flushed = match self.value - self.error < LEAST {
            true => LEAST.min(self.most()),
            false => 0.0,
        };
        (ROUNDOFF * self.most()).max(flushed)
    }

    fn rounded(self) -> Self {
        self.off_by(self.rounding())
    }

    fn off_by(self, error: f64) -> Self {
        Self {
            error: self.error + error,
            ..self
        }
    }

    fn times(self, other: Self) -> Self {
        let value = self.value * other.value;
        Self {
            value,
            error: self.most() * other.most() - value,
        }
    }

    fn plus(self, other: Self) -> Self {
        Self {
            value: self.value + other.value,
            error: self.error + other.error,
        }
    }
}

fn errors(layers: &[Layer], channel: usize) -> [f64; 2] {
    let (mut sum, mut kept) = (Uncertain::exact(0.0), Uncertain::exact(1.0));
    let mut is_in_range = true;
    for layers in layers.chunks(MOST_RUN) {
        let (mut color, mut through) = (Uncertain::exact(0.0), Uncertain::exact(1.0));
        for layer in layers {
            let opacity = Uncertain::exact(f64::from(layer.opacity)).rounded();
            let radiance = Uncertain::exact(f64::from(layer.color[channel].abs())).rounded();
            let weight = opacity.times(through).rounded();
            color = color.plus(radiance.times(weight).rounded()).rounded();
            // Subtracting `weight` from `through` would be wrong, because their errors are not independent: t (1 - a), and the rounding of `weight`.
            let clear = Uncertain {
                value: 1.0 - opacity.value,
                error: opacity.error,
            };
            let rounding = opacity.times(through).rounding();
            through = through.times(clear).off_by(rounding).rounded();
            is_in_range &= radiance.most() <= LARGEST && color.most() <= LARGEST;
        }
        let join = |number: Uncertain| number.off_by(JOIN * number.most());
        sum = join(sum.plus(kept.times(color)));
        kept = join(kept.times(through));
    }
    let error = match is_in_range {
        true => sum.error,
        false => f64::INFINITY,
    };
    [error, kept.error]
}

#[cfg(test)]
mod tests {
    use super::super::composite::{Composite, composite, over};
    use super::super::stress::random_layers;
    use super::*;

    /// The half float next to `value`, towards zero or away from it; 0 for small values if they are flushed.
    fn as_half(value: f64, away: bool, flushes: bool) -> f64 {
        if flushes && value.abs() < LEAST {
            return 0.0;
        }
        let exponent = value.abs().max(LEAST).log2().floor();
        let step = 2f64.powf(exponent - 10.0);
        let steps = value / step;
        step * if away { steps.ceil() } else { steps.floor() }
    }

    /// Results of compositing in halves with all rounding towards zero, all away from it, and alternating.
    fn each_way(
        flushes: bool,
        composited: impl Fn(&mut dyn FnMut(f64) -> f64) -> Composite,
    ) -> [Composite; 3] {
        [[false, false], [true, true], [true, false]].map(|away| {
            let mut away = away.into_iter().cycle();
            composited(&mut |value| as_half(value, away.next() == Some(true), flushes))
        })
    }

    fn back_to_front(layers: &[Layer], half: &mut dyn FnMut(f64) -> f64) -> Composite {
        let mut result = Composite::EMPTY;
        for layer in layers.iter().rev() {
            let opacity = half(f64::from(layer.opacity));
            let factor = half(1.0 - opacity);
            for (rgb, color) in result.rgb.iter_mut().zip(layer.color) {
                let source = half(f64::from(color) * f64::from(layer.opacity));
                let kept = half(factor * *rgb);
                *rgb = half(source + kept);
            }
            result.transmittance = half(factor * result.transmittance);
        }
        result
    }

    /// Composites front to back in runs of `most_run` layers.
    fn in_runs(layers: &[Layer], most_run: usize, half: &mut dyn FnMut(f64) -> f64) -> Composite {
        let mut result = Composite::EMPTY;
        for layers in layers.chunks(most_run) {
            let mut run = Composite::EMPTY;
            for layer in layers {
                let opacity = half(f64::from(layer.opacity));
                let weight = half(opacity * run.transmittance);
                for (rgb, color) in run.rgb.iter_mut().zip(layer.color) {
                    let color = half(f64::from(color));
                    let added = half(color * weight);
                    *rgb = half(*rgb + added);
                }
                run.transmittance = half(run.transmittance - weight);
            }
            result = over(result, run);
        }
        result
    }

    /// Largest error of a channel, in units of the channel's bound.
    fn of_bound(layers: &[Layer], found: Composite, bound: [f64; 4]) -> f64 {
        let (found, expected) = (found.channels(), composite(layers).channels());
        let errors = (0..4).map(|at| (found[at] - expected[at]).abs() / bound[at]);
        errors.fold(0.0, f64::max)
    }

    #[test]
    fn both_ways_in_halves_stay_within_their_bounds_and_use_them() {
        let mut used = [0f64; 2];
        for (count, most) in [(1, 1.0), (10, 1.0), (100, 0.1), (1000, 0.01), (1000, 1.0)] {
            let layers = random_layers(count, 5, most);
            let mut within = |way: usize, found, bound| {
                let error = of_bound(&layers, found, bound);
                used[way] = used[way].max(error);
                assert!(error <= 1.0, "{count} {most} {way}: {error}");
            };
            for found in each_way(false, |half| back_to_front(&layers, half)) {
                within(0, found, error_bound_half(&layers));
            }
            for (run, flushes) in [(MOST_RUN, false), (MOST_RUN, true), (16, true), (7, false)] {
                for found in each_way(flushes, |half| in_runs(&layers, run, half)) {
                    within(1, found, error_bound_half_runs(&layers));
                }
            }
        }
        assert!(
            used.iter().all(|used| *used > 0.1),
            "{used:?} of the bounds"
        );
    }

    #[test]
    fn nothing_is_promised_beyond_the_range_of_halves() {
        let layer = |color, opacity| Layer {
            color: [color; 3],
            opacity,
        };
        for bound in [error_bound_half, error_bound_half_runs] {
            let bright = bound(&[layer(1.0, 0.5), layer(200_000.0, 0.5)]);
            assert!(bright[0].is_infinite() && bright[3] < 0.01);
            assert!(bound(&[layer(1.0, 0.5), layer(20_000.0, 0.5)])[0] < 100.0);
        }
        assert_eq!(error_bound_half_runs(&[]), [0.0; 4]);
    }
}
