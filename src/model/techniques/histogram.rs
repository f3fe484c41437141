//! A histogram of absorbance over logarithmic depth, per pixel or per block of pixels.
//!
//! A first walk splits each layer's absorbance between the two nearest bins. Prefix sums of the bins are A(z) at the bins'
//! depths, and A is linear in between. A second walk resolves N(w) with `w = e^{-A(z)}`, without the layer's own absorbance.
//! With N = 2^(R+1) bins this is the Haar wavelet transparency of rank R (Aizenshtein, McGuire and others, arXiv
//! 2201.00094), with two adds per layer instead of R+2. A histogram per block of pixels is the idea of AVBOIT (Drobot,
//! SIGGRAPH 2025); it errs where neighbouring pixels differ.

use super::bounds::{ABSORBANCE_ERROR, Weights, error_behind, unit_error};
use super::layers::{LEAST_WEIGHT, Layer, OitResult, Range, resolved};
use super::{Seen, TURNS, Technique};
use crate::model::Feature;
use crate::model::constant::Constant;
use crate::model::flag_value::flag_values;
use crate::model::methods::entry::{APPROXIMATE, DRAWN_SUMS, Entry, NUMBER, PixelBytes, Trait};
use crate::model::options::rows::{Among, Any, own_options};
use crate::model::reference::composite::ROUNDOFF;

pub const HISTOGRAM: Entry = Entry {
    name: "histogram",
    module: "methods/histogram",
    traits: &[Trait::SharesPixels],
    mapping: "as average, twice: absorbance into depth bins (--bins), then colours weighted by the bins' transmittance",
    cost: "n evaluations per pixel, and n of opacity alone; no sort; 8 to 32 numbers of state in workgroup memory",
    guarantee: "no order, exact transmittance; layers less than two bins apart blend into one another",
    origin: "wavelet transparency (Aizenshtein, McGuire and others 2022) in its histogram form",
    bench_options: "bins=16 bin_range=camera | bins=8 bin_range=camera | bins=32 bin_range=camera | bins=16 bin_range=frame | bins=16 bin_range=tile | bin_block=4 | bin_block=8",
    ..APPROXIMATE
};

own_options! {
    "Approximate: histogram"
    pub struct HistogramOptions {
        /// Depth bins of `histogram`: 8, 16 or 32
        pub bins in "COUNT": u32 = 16, Among(&[8, 16, 32]), ["histogram"];
        /// Depth range of the bins of `histogram`: of the `camera`, of the items of the `frame`, which costs a pass, or of each
        /// `tile`'s list, which costs a walk of its depths
        pub bin_range: BinRange = BinRange::default(), Any, ["histogram"];
        /// Edge of the squares of pixels that share the bins of `histogram`: 1, 2, 4 or 8 pixels
        pub bin_block in "PIXELS": u32 = 1, Among(&[1, 2, 4, 8]), ["histogram"];
    }
}

flag_values! {
    pub enum BinRange {
        /// Between the planes of the camera.
        #[default]
        Camera,
        /// Between the nearest and the farthest item of the frame.
        Frame,
        /// Between the nearest and the farthest item of the tile's list.
        Tile,
    }
}

/// Bytes of a workgroup's bins: together with the staged layers, the bins fit into the 16 KiB that WebGPU guarantees.
const BYTES_OF_BINS: u32 = 8192;
/// Minimum number of bins per thread to allocate if the threads of a pixel join their sums.
const LEAST_JOINED_BINS: u32 = 16;

/// The largest absorbance of a layer: only opacities that f32 cannot distinguish from 1 reach it.
pub const MOST_ABSORBANCE: f64 = 24.0 * std::f64::consts::LN_2;

/// A depth histogram. Shared bins are fixed-point sums with [`point`] fractional bits, so the order of adds is irrelevant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Histogram {
    pub own: HistogramOptions,
    /// Depths of the first and the last bin.
    pub range: Range,
}

/// Number of fractional bits that leaves room in 32 bits for the absorbance of `layers`.
pub fn point(layers: usize) -> u32 {
    let most = u32::try_from(layers).unwrap_or(u32::MAX);
    most.saturating_mul(18).leading_zeros().min(24)
}

impl Histogram {
    pub fn new(bins: u32, range: Range) -> Self {
        let own = HistogramOptions {
            bins,
            ..HistogramOptions::default()
        };
        Self { own, range }
    }

    pub fn of(own: HistogramOptions, seen: &Seen) -> Self {
        let range = match own.bin_range {
            BinRange::Frame => seen.items,
            BinRange::Camera | BinRange::Tile => seen.planes,
        };
        Self { own, range }
    }

    fn is_shared(&self) -> bool {
        self.own.bin_block > 1
    }

    /// True if the bins of a pixel depend only on its own list.
    pub fn is_of_one_list(&self) -> bool {
        self.own.bin_range != BinRange::Frame && !self.is_shared()
    }

    /// The histogram, with the depth range of the list if the options request it.
    fn over(mut self, layers: &[Layer]) -> Self {
        if self.own.bin_range == BinRange::Tile {
            // The walk that finds the range reads only depths, so invisible layers count too.
            self.range = Range::over(layers.iter().map(|layer| layer.depth));
        }
        self
    }

    /// The bin of a depth, and the fraction of the way to the next bin.
    fn place(&self, depth: f64) -> (usize, f64) {
        let place = self.range.unit(depth) * f64::from(self.own.bins - 1);
        (place.floor() as usize, place.fract())
    }

    fn gather(&self, layers: &[Layer]) -> Vec<f64> {
        let mut bins = vec![0.0; self.own.bins as usize];
        let scale = f64::from(point(layers.len())).exp2();
        let rounded = |value: f64| match self.is_shared() {
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

    /// A(z), the absorbance in front of a depth.
    fn absorbance(&self, bins: &[f64], depth: f64) -> f64 {
        let (bin, along) = self.place(depth);
        bins.iter().take(bin).sum::<f64>() + along * bins.get(bin).unwrap_or(&0.0)
    }

    /// Weight of each layer: the light that reaches the layer according to the bins.
    fn weights_by(&self, bins: &[f64], layers: &[Layer]) -> Vec<f64> {
        let weight = |layer: &Layer| {
            let depth = f64::from(layer.depth);
            let (_, along) = self.place(depth);
            let own = layer.absorbance(MOST_ABSORBANCE) * along * (1.0 - along);
            let before = (self.absorbance(bins, depth) - own).max(0.0);
            (-before).exp().max(LEAST_WEIGHT)
        };
        layers.iter().map(weight).collect()
    }

    /// The weights with their errors. Bins are filled and read linearly, so an error in a layer's place moves only nearby
    /// absorbance, and no decision can be close to a tie. A sum of absorbances rounds once per term.
    fn reconstructed(&self, layers: &[Layer]) -> Weights {
        let bins = self.gather(layers);
        let (count, steps) = (layers.len() as f64, (bins.len() - 1) as f64);
        // Each of the two adds may round to the other neighbour.
        let of_fixed_point = match self.is_shared() {
            true => 2.0 * count / f64::from(point(layers.len())).exp2(),
            false => 0.0,
        };
        let place_error = steps * (unit_error(self.range) + 2.0 * ROUNDOFF);
        let error = |layer: &Layer| {
            let bin = (self.range.unit(f64::from(layer.depth)) * steps) as usize;
            let sum = |from, to| bins.iter().take(to).skip(from).sum::<f64>();
            let nearby = sum(bin.saturating_sub(2), bin + 4);
            let before = sum(0, bin + 3);
            let of_sums = (count + steps + 9.0) * ROUNDOFF + ABSORBANCE_ERROR;
            let off = 3.0 * place_error * nearby + of_sums * before + of_fixed_point;
            error_behind(before, off)
        };
        Weights {
            each: self.weights_by(&bins, layers),
            errors: layers.iter().map(error).collect(),
        }
    }
}

impl Technique for Histogram {
    fn composite(&self, layers: &[Layer]) -> OitResult {
        let it = self.over(layers);
        let bins = it.gather(layers);
        let weights = it.weights_by(&bins, layers);
        let curve = move |depth| (-it.absorbance(&bins, depth)).exp();
        resolved(layers, &weights).with_curve(curve)
    }

    fn bound(&self, layers: &[Layer], _: &OitResult) -> [f64; 4] {
        let weights = self.over(layers).reconstructed(layers);
        weights.expected(layers).bound
    }

    fn weights(&self, layers: &[Layer]) -> Option<Weights> {
        Some(self.over(layers).reconstructed(layers))
    }

    fn bytes(&self) -> PixelBytes {
        let bins = (self.own.bins * NUMBER).div_ceil(self.own.bin_block.pow(2));
        PixelBytes::new(bins + 5 * NUMBER, bins + DRAWN_SUMS)
    }

    fn constants(&self) -> Vec<(&'static str, Constant)> {
        let mut constants = vec![
            ("BINS", self.own.bins.into()),
            ("TILE_RANGE", (self.own.bin_range == BinRange::Tile).into()),
        ];
        if self.is_shared() {
            constants.push(("BLOCK", self.own.bin_block.into()));
        }
        constants
    }

    fn features(&self) -> Vec<Feature> {
        let shared = self.is_shared().then_some(Feature::SharedBins);
        shared.into_iter().collect()
    }

    fn words(&self) -> Option<String> {
        let range = match self.own.bin_range {
            BinRange::Camera => "",
            BinRange::Frame => " frame",
            BinRange::Tile => " tile",
        };
        let block = match self.own.bin_block {
            1 => "",
            block => &format!(" by {block}"),
        };
        Some(format!("{} bins{block}{range}", self.own.bins))
    }

    /// The threads of a block of pixels already share its bins.
    fn shares_pixels(&self) -> bool {
        !self.is_shared()
    }

    /// With only 8 bins for each of 256 threads there would be no room to join the sums of a pixel's threads.
    fn most_threads(&self, sharers: u32) -> u32 {
        let least = if sharers > 1 { LEAST_JOINED_BINS } else { 0 };
        BYTES_OF_BINS / (4 * self.own.bins.max(least)) * self.own.bin_block.pow(2)
    }

    fn reads_frame_range(&self) -> bool {
        self.own.bin_range == BinRange::Frame
    }

    fn turns(&self) -> u32 {
        2 * TURNS + u32::from(self.own.bin_range == BinRange::Tile)
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
        // Slices lie just behind each bin, so that the rounding of depths never puts a slice one bin too near.
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
        fixed.own.bin_block = 2;
        assert_eq!(fixed.gather(&list), fixed.gather(&shuffled(&list, 1)));
        let off = apart(
            fixed.composite(&list).result,
            with(16).composite(&list).result,
        );
        assert!(off > 0.0 && off < 1e-3, "{off}");
    }
}
