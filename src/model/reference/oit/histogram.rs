//! A histogram of absorbance over logarithmic depth, of a pixel or of a block of pixels.
//!
//! A first walk deals each layer's absorbance out to the two nearest bins; prefix sums of the bins are A(z) at the bins'
//! depths, and between them A is linear. A second walk resolves N(w) with `w = e^{-A(z)}`, less what the layer itself put
//! in. With N = 2^(R+1) bins this is the Haar wavelet transparency of rank R (Aizenshtein, McGuire and others, arXiv
//! 2201.00094) in two adds a layer for its R+2. A histogram per block of pixels is the idea of AVBOIT (Drobot, SIGGRAPH
//! 2025): its error is that of neighbours.

use super::{Believed, LEAST_WEIGHT, Layer, Range, Technique, resolved};

/// The largest absorbance of a layer: only opacities that f32 cannot tell from 1 reach it.
pub const MOST_ABSORBANCE: f64 = 24.0 * std::f64::consts::LN_2;

/// A depth histogram and its dials.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Histogram {
    /// Bins, 2 to 128, default 16. Powers of two have a wavelet form.
    pub bins: u32,
    /// The depths of the first and of the last bin: the camera's or the frame's.
    pub range: Range,
    /// Whether the range is that of the list, for an extra walk.
    pub is_of_list: bool,
    /// Whether sums are whole numbers, with [`point`] bits behind the point, so that atomic adds do not depend on order.
    pub is_whole: bool,
}

/// The bits behind the point that leave room in 32 bits for the absorbances of so many layers.
pub fn point(layers: usize) -> u32 {
    let most = u32::try_from(layers).unwrap_or(u32::MAX);
    most.saturating_mul(18).leading_zeros().min(24)
}

impl Histogram {
    /// With sums in f32.
    pub fn new(bins: u32, range: Range) -> Self {
        Self {
            bins,
            range,
            is_of_list: false,
            is_whole: false,
        }
    }

    /// The same with the range that a list has.
    pub fn over(mut self, layers: &[Layer]) -> Self {
        if self.is_of_list {
            // A walk of depths alone does not know which layers count.
            self.range = Range::over(layers.iter().map(|layer| layer.depth));
        }
        self
    }

    fn count(&self) -> usize {
        self.bins.clamp(2, 128) as usize
    }

    /// The bin of a depth, and how far it is on the way to the next.
    fn place(&self, depth: f64) -> (usize, f64) {
        let place = self.range.unit(depth) * (self.count() - 1) as f64;
        (place.floor() as usize, place.fract())
    }

    /// The bins after the first walk over a pixel, which is one of those of a block.
    pub fn gather(&self, layers: &[Layer]) -> Vec<f64> {
        let mut bins = vec![0.0; self.count()];
        let scale = f64::from(point(layers.len())).exp2();
        let rounded = |value: f64| match self.is_whole {
            true => (value * scale).round() / scale,
            false => value,
        };
        for layer in layers {
            let absorbance = layer.absorbance(MOST_ABSORBANCE);
            let (bin, along) = self.place(f64::from(layer.depth));
            bins[bin] += rounded(absorbance * (1.0 - along));
            if along > 0.0 {
                bins[bin + 1] += rounded(absorbance * along);
            }
        }
        bins
    }

    /// A(z): the absorbance before a depth.
    pub fn absorbance(&self, bins: &[f64], depth: f64) -> f64 {
        let (bin, along) = self.place(depth);
        bins.iter().take(bin).sum::<f64>() + along * bins.get(bin).unwrap_or(&0.0)
    }

    /// The weight of each layer: the light that reaches it, by the bins.
    pub fn weights(&self, bins: &[f64], layers: &[Layer]) -> Vec<f64> {
        let weight = |layer: &Layer| {
            let depth = f64::from(layer.depth);
            let (_, along) = self.place(depth);
            let own = layer.absorbance(MOST_ABSORBANCE) * along * (1.0 - along);
            let before = (self.absorbance(bins, depth) - own).max(0.0);
            (-before).exp().max(LEAST_WEIGHT)
        };
        layers.iter().map(weight).collect()
    }
}

impl Technique for Histogram {
    fn believe(&self, layers: &[Layer]) -> Believed {
        let it = self.over(layers);
        let bins = it.gather(layers);
        let weights = it.weights(&bins, layers);
        let curve = move |depth| (-it.absorbance(&bins, depth)).exp();
        resolved(layers, &weights).with_curve(curve)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{apart, error, layer, layers, range, shuffled};
    use super::*;

    fn with(bins: u32) -> Histogram {
        Histogram::new(bins, range())
    }

    #[test]
    fn layers_two_bins_apart_and_fog_on_the_bins_are_exact() {
        let at =
            |place: f32, opacity, i| layer(100f32.powf(place / 15.0), f64::from(i), opacity, i);
        let places = [12.7, 1.3, 9.5, 3.9, 5.2].into_iter().zip(0..);
        let list: Vec<Layer> = places.map(|(place, i)| at(place, 0.6, i)).collect();
        assert!(error(&with(16), &list) < 1e-12 && error(&with(8), &list) > 0.01);
        // Just behind each bin, so that the rounding of depths cannot put a slice one bin too near.
        let fog = |off| Vec::from_iter((0..16).map(|i| at(i as f32 + off, 0.1, i)));
        assert!(error(&with(16), &fog(2e-5)) < 1e-4 && error(&with(16), &fog(0.5)) > 1e-3);
    }

    #[test]
    fn whole_numbers_have_room_and_do_not_depend_on_order() {
        for layers in [0, 1, 128, 3000, 100_000_000] {
            let scale = f64::from(point(layers)).exp2();
            let largest = layers as f64 * (MOST_ABSORBANCE * scale + 2.0);
            assert!(largest < 2f64.powi(32), "{layers}: {largest}");
        }
        let (list, mut fixed) = (layers(50, 1, 0.01..0.9), with(16));
        fixed.is_whole = true;
        assert_eq!(fixed.gather(&list), fixed.gather(&shuffled(&list, 1)));
        let off = apart(fixed.believe(&list).result, with(16).believe(&list).result);
        assert!(off > 0.0 && off < 1e-3, "{off}");
    }
}
