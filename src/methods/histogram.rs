//! Transparency by a histogram of absorbance over depth (`shaders/methods/histogram.wesl`).

use crate::error::Result;
use crate::gpu::shader::Variant;
use crate::gpu::{Gpu, Pipelines};
use crate::model::Capabilities;
use crate::model::options::BinRange;
use crate::model::passes::Inputs;

use crate::frame::Extent;

use super::any_order;
use super::composite::Computed;
use super::family::{Family, Made};
use super::specialization::{Geometry, Specialization};

/// Bytes of a workgroup's bins: beside staged layers they fit into what WebGPU promises of every adapter, 16 KiB.
const BYTES_OF_BINS: u32 = 8192;

/// Methods that reconstruct transmittance from bins.
pub(super) struct Histogram;

impl Family for Histogram {
    fn inputs(&self, of: &Specialization) -> Inputs {
        any_order::inputs(of)
    }

    fn geometry(&self, of: &Specialization, _caps: &Capabilities) -> Geometry {
        any_order::geometry_within(of, BYTES_OF_BINS / (4 * of.options.method.bins))
    }

    fn constants(&self, of: &Specialization, _caps: &Capabilities, variant: Variant) -> Variant {
        let method = of.options.method;
        any_order::constants(of, variant)
            .with("BINS", method.bins)
            .with_bool("TILE_RANGE", method.bin_range == BinRange::Tile)
    }

    fn place(&self, of: &Specialization) -> Option<String> {
        let method = of.options.method;
        let range = match method.bin_range {
            BinRange::Camera => "",
            BinRange::Tile => " tile",
        };
        Some(format!("{} bins{range}", method.bins))
    }

    fn turns_per_layer(&self, of: &Specialization) -> Option<u32> {
        let of_depths = u32::from(of.options.method.bin_range == BinRange::Tile);
        Some(2 * any_order::TURNS_PER_LAYER + of_depths)
    }

    fn make(
        &self,
        gpu: &Gpu,
        pipelines: &Pipelines,
        of: Specialization,
        extent: &Extent,
    ) -> Result<Box<dyn Made>> {
        any_order::check(gpu, &of, extent)?;
        Ok(Box::new(Computed::new(gpu, pipelines, &of, extent)?))
    }
}
