//! Weighted blended transparency (`shaders/methods/weighted.wesl`).

use crate::gpu::shader::Variant;
use crate::model::reference::oit::weighted::{Storage, Weight};

use super::any_order::AnyOrder;
use super::specialization::Specialization;

/// What a shader is compiled with that weights layers so.
pub(super) fn constants_of_weight(of: &Specialization, variant: Variant) -> Variant {
    let method = of.options.method;
    let is_it = |weight: &Weight| *weight == method.weight;
    let number = Weight::ALL.iter().position(is_it).unwrap_or_default();
    variant
        .with("WEIGHT", number as u32)
        .with_f32("DEPTH_SCALE", method.weight_scale)
        .with_bool("OPACITY_IN_WEIGHT", method.weight_opacity.is_in_weight())
}

/// Methods that weight layers by their own depth and opacity.
pub(super) struct Weighted;

impl AnyOrder for Weighted {
    fn own_constants(&self, of: &Specialization, variant: Variant) -> Variant {
        let method = of.options.method;
        constants_of_weight(of, variant)
            .with_bool("HALF_STORAGE", method.weight_storage == Storage::F16U8)
            .with("WEIGHT_SLICES", method.weight_slices)
    }

    fn words(&self, of: &Specialization) -> Option<String> {
        let method = of.options.method;
        let slices =
            (method.weight_slices > 1).then(|| format!(" {} slices", method.weight_slices));
        Some(method.weight.name().to_owned() + &slices.unwrap_or_default())
    }
}
