//! Transparency by a histogram of absorbance over depth (`shaders/methods/histogram.wesl`).

use crate::gpu::shader::Variant;
use crate::model::Feature;
use crate::model::methods::{Method, PixelBytes};
use crate::model::options::{BINS, BinRange, MethodOptions};

use super::any_order::{AnyOrder, DRAWN_SUMS, NUMBER, TURNS_PER_LAYER, pixel_bytes};
use super::specialization::Specialization;

/// Bytes of a workgroup's bins: beside staged layers they fit into what WebGPU promises of every adapter, 16 KiB.
const BYTES_OF_BINS: u32 = 8192;

pub(super) struct Histogram;

impl AnyOrder for Histogram {
    /// The threads of a block of pixels share its list as they are.
    fn shares_pixels(&self, spec: &Specialization) -> bool {
        spec.options.method.bin_block == 1
    }

    /// Beside 8 bins for each of 256 threads there is no room for what threads of a pixel join.
    fn most_threads(&self, spec: &Specialization) -> u32 {
        let method = spec.options.method;
        let sharers = method.bin_block * method.bin_block;
        let least = if self.threads(spec) > 1 { BINS[1] } else { 0 };
        BYTES_OF_BINS / (4 * method.bins.max(least)) * sharers
    }

    fn own_constants(&self, spec: &Specialization, variant: Variant) -> Variant {
        let method = spec.options.method;
        let variant = variant
            .with("BINS", method.bins)
            .with_bool("TILE_RANGE", method.bin_range == BinRange::Tile);
        match method.bin_block {
            1 => variant,
            block => variant
                .with("BLOCK", block)
                .feature(Feature::SharedBins, true),
        }
    }

    fn bench_options(&self, _method: Method, usual: MethodOptions) -> Vec<MethodOptions> {
        let with = |bins, bin_range| MethodOptions {
            bins,
            bin_range,
            ..usual
        };
        let of_camera = [16, 8, 32].map(|bins| with(bins, BinRange::Camera));
        let of_others = [BinRange::Frame, BinRange::Tile].map(|range| with(16, range));
        let blocks = [4, 8].map(|bin_block| MethodOptions { bin_block, ..usual });
        let all = of_camera.into_iter().chain(of_others);
        all.chain(blocks).collect()
    }

    fn bytes(&self, spec: &Specialization) -> PixelBytes {
        let method = spec.options.method;
        let bins = (method.bins * NUMBER).div_ceil(method.bin_block * method.bin_block);
        pixel_bytes(bins + 5 * NUMBER, bins + DRAWN_SUMS)
    }

    fn words(&self, spec: &Specialization) -> Option<String> {
        let method = spec.options.method;
        let range = match method.bin_range {
            BinRange::Camera => "",
            BinRange::Frame => " frame",
            BinRange::Tile => " tile",
        };
        let block = match method.bin_block {
            1 => "",
            block => &format!(" by {block}"),
        };
        Some(format!("{} bins{block}{range}", method.bins))
    }

    fn reads_frame_range(&self, spec: &Specialization) -> bool {
        spec.options.method.bin_range == BinRange::Frame
    }

    fn turns(&self, spec: &Specialization) -> u32 {
        let of_depths = u32::from(spec.options.method.bin_range == BinRange::Tile);
        2 * TURNS_PER_LAYER + of_depths
    }
}
