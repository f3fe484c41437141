//! Rendering by a weighted sum (`shaders/methods/weighted_sum.wesl`).

use crate::error::Result;
use crate::gpu::shader::Variant;
use crate::gpu::{Gpu, Pipelines};
use crate::model::Capabilities;
use crate::model::passes::Inputs;

use crate::frame::Extent;

use super::any_order;
use super::composite::Computed;
use super::family::{Family, Made};
use super::specialization::{Geometry, Specialization};

/// Sums in which the background is one more layer.
pub(super) struct WeightedSum;

impl Family for WeightedSum {
    fn inputs(&self, of: &Specialization) -> Inputs {
        any_order::inputs(of)
    }

    fn geometry(&self, of: &Specialization, _caps: &Capabilities) -> Geometry {
        any_order::geometry(of)
    }

    fn constants(&self, of: &Specialization, _caps: &Capabilities, variant: Variant) -> Variant {
        let method = of.options.method;
        any_order::constants(of, variant)
            .with_f32("SUM_REACH", method.sum_reach)
            .with_f32("SUM_SCALE", method.sum_scale)
            .with_f32("SUM_BACKGROUND", method.sum_background)
    }

    fn place(&self, of: &Specialization) -> Option<String> {
        Some(format!("{} m", of.options.method.sum_reach))
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
