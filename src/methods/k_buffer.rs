//! The k-buffer and hybrid transparency (`shaders/methods/k_buffer.wesl`).

use crate::error::Result;
use crate::gpu::shader::Variant;
use crate::gpu::{Gpu, Pipelines};
use crate::model::Capabilities;
use crate::model::passes::Inputs;
use crate::model::reference::oit::kbuffer::Tail;
use crate::model::reference::oit::of_method::k_buffer;

use crate::frame::Extent;

use super::any_order;
use super::composite::Computed;
use super::family::{Family, Made};
use super::specialization::{Geometry, Specialization};

/// Methods that keep the nearest layers.
pub(super) struct KBuffer;

impl Family for KBuffer {
    fn inputs(&self, of: &Specialization) -> Inputs {
        any_order::inputs(of)
    }

    fn geometry(&self, of: &Specialization, _caps: &Capabilities) -> Geometry {
        any_order::geometry(of)
    }

    fn constants(&self, of: &Specialization, _caps: &Capabilities, variant: Variant) -> Variant {
        let technique = k_buffer(of.runs, &of.options);
        any_order::constants(of, variant)
            .with("KEPT", technique.core)
            .with("REST", technique.tail as u32)
            .with_f32("CORE_OPACITY", technique.threshold)
    }

    fn place(&self, of: &Specialization) -> Option<String> {
        let technique = k_buffer(of.runs, &of.options);
        let mut place = technique.core.to_string();
        if ![Tail::Drop, Tail::default()].contains(&technique.tail) {
            place += &format!(" {}", technique.tail.name());
        }
        if technique.threshold > 0.0 {
            place += &format!(" from {}", technique.threshold);
        }
        Some(place)
    }

    fn turns_per_layer(&self, _of: &Specialization) -> Option<u32> {
        Some(any_order::TURNS_PER_LAYER)
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
