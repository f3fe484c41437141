//! Transparency by a histogram of absorbance over depth (`shaders/methods/histogram.wesl`).

use crate::gpu::shader::Variant;
use crate::model::methods::{Method, PixelBytes};
use crate::model::options::{BinRange, MethodOptions};

use super::any_order::{AnyOrder, DRAWN_SUMS, NUMBER, TURNS_PER_LAYER};
use super::specialization::Specialization;

/// Bytes of a workgroup's bins: beside staged layers they fit into what WebGPU promises of every adapter, 16 KiB.
const BYTES_OF_BINS: u32 = 8192;

/// Methods that reconstruct transmittance from bins.
pub(super) struct Histogram;

impl AnyOrder for Histogram {
    fn most_threads(&self, of: &Specialization) -> u32 {
        BYTES_OF_BINS / (4 * of.options.method.bins)
    }

    fn own_constants(&self, of: &Specialization, variant: Variant) -> Variant {
        let method = of.options.method;
        variant
            .with("BINS", method.bins)
            .with_bool("TILE_RANGE", method.bin_range == BinRange::Tile)
    }

    fn places(&self, _method: Method, usual: MethodOptions) -> Vec<MethodOptions> {
        let with = |bins, bin_range| MethodOptions {
            bins,
            bin_range,
            ..usual
        };
        let of_camera = [16, 8, 32].map(|bins| with(bins, BinRange::Camera));
        let of_others = [BinRange::Frame, BinRange::Tile].map(|range| with(16, range));
        of_camera.into_iter().chain(of_others).collect()
    }

    fn bytes(&self, of: &Specialization) -> PixelBytes {
        let bins = of.options.method.bins * NUMBER;
        PixelBytes {
            state: bins + 5 * NUMBER,
            drawn: Some(bins + DRAWN_SUMS),
        }
    }

    fn words(&self, of: &Specialization) -> Option<String> {
        let method = of.options.method;
        let range = match method.bin_range {
            BinRange::Camera => "",
            BinRange::Frame => " frame",
            BinRange::Tile => " tile",
        };
        Some(format!("{} bins{range}", method.bins))
    }

    fn reads_frame_range(&self, of: &Specialization) -> bool {
        of.options.method.bin_range == BinRange::Frame
    }

    fn turns(&self, of: &Specialization) -> u32 {
        let of_depths = u32::from(of.options.method.bin_range == BinRange::Tile);
        2 * TURNS_PER_LAYER + of_depths
    }
}
