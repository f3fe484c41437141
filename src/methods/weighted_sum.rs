//! Rendering by a weighted sum (`shaders/methods/weighted_sum.wesl`).

use crate::gpu::shader::Variant;
use crate::model::methods::PixelBytes;

use super::any_order::{AnyOrder, NUMBER, pixel_bytes};
use super::specialization::Specialization;

pub(super) struct WeightedSum;

impl AnyOrder for WeightedSum {
    fn own_constants(&self, spec: &Specialization, variant: Variant) -> Variant {
        let method = spec.options.method;
        variant
            .with_f32("SUM_REACH", method.sum_reach)
            .with_f32("SUM_SCALE", method.sum_scale)
            .with_f32("SUM_BACKGROUND", method.sum_background)
    }

    fn bytes(&self, _spec: &Specialization) -> PixelBytes {
        pixel_bytes(4 * NUMBER, 8)
    }

    fn words(&self, spec: &Specialization) -> Option<String> {
        Some(format!("{} m", spec.options.method.sum_reach))
    }
}
