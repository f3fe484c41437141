//! Multi-layer alpha blending and adaptive transparency (`shaders/methods/mlab.wesl` and `adaptive.wesl`).

use crate::error::Result;
use crate::gpu::shader::Variant;
use crate::gpu::{Gpu, Pipelines};
use crate::model::Capabilities;
use crate::model::methods::Method;
use crate::model::passes::Inputs;
use crate::model::reference::oit::mlab::Storage;

use crate::frame::Extent;

use super::any_order;
use super::composite::Computed;
use super::family::{Family, Made};
use super::specialization::{Geometry, Specialization};

/// Methods that make room for a layer by joining two.
pub(super) struct MultiLayer;

impl Family for MultiLayer {
    fn inputs(&self, of: &Specialization) -> Inputs {
        any_order::inputs(of)
    }

    fn geometry(&self, of: &Specialization, _caps: &Capabilities) -> Geometry {
        any_order::geometry(of)
    }

    fn constants(&self, of: &Specialization, _caps: &Capabilities, variant: Variant) -> Variant {
        any_order::constants(of, variant)
            .with("KEPT", of.options.method.kept)
            .with_bool("EIGHT_BITS", is_in_eight_bits(of))
    }

    fn place(&self, of: &Specialization) -> Option<String> {
        let storage = if is_in_eight_bits(of) { " u8" } else { "" };
        Some(format!("{}{storage}", of.options.method.kept))
    }

    /// Two walks where steps are made before they are used.
    fn turns_per_layer(&self, of: &Specialization) -> Option<u32> {
        let walks = if of.runs == Method::Adaptive { 2 } else { 1 };
        Some(walks * any_order::TURNS_PER_LAYER)
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

fn is_in_eight_bits(of: &Specialization) -> bool {
    of.runs == Method::Mlab && of.options.method.node_storage == Storage::U8
}
