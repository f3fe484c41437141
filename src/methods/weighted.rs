//! Weighted blended transparency (`shaders/methods/weighted.wesl`).

use crate::error::Result;
use crate::gpu::shader::Variant;
use crate::gpu::{Gpu, Pipelines};
use crate::model::Capabilities;
use crate::model::passes::Inputs;
use crate::model::reference::oit::weighted::{Storage, Weight};

use crate::frame::Extent;

use super::any_order;
use super::composite::Computed;
use super::family::{Family, Made};
use super::specialization::{Geometry, Specialization};

/// Methods that weight layers by their own depth and opacity.
pub(super) struct Weighted;

impl Family for Weighted {
    fn inputs(&self, of: &Specialization) -> Inputs {
        any_order::inputs(of)
    }

    fn geometry(&self, of: &Specialization, _caps: &Capabilities) -> Geometry {
        any_order::geometry(of)
    }

    fn constants(&self, of: &Specialization, _caps: &Capabilities, variant: Variant) -> Variant {
        let method = of.options.method;
        let is_it = |weight: &Weight| *weight == method.weight;
        let number = Weight::ALL.iter().position(is_it).unwrap_or_default();
        any_order::constants(of, variant)
            .with("WEIGHT", number as u32)
            .with_f32("DEPTH_SCALE", method.weight_scale)
            .with_bool("OPACITY_IN_WEIGHT", method.weight_opacity.is_in_weight())
            .with_bool("HALF_STORAGE", method.weight_storage == Storage::F16U8)
            .with("WEIGHT_SLICES", method.weight_slices)
    }

    fn place(&self, of: &Specialization) -> Option<String> {
        let method = of.options.method;
        let slices =
            (method.weight_slices > 1).then(|| format!(" {} slices", method.weight_slices));
        Some(method.weight.name().to_owned() + &slices.unwrap_or_default())
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
