//! Moment-based transparency (`shaders/methods/moment.wesl`).

use crate::gpu::shader::Variant;
use crate::model::reference::oit::moment::Basis;
use crate::model::reference::oit::{Range, of_method};

use super::any_order::{AnyOrder, TURNS_PER_LAYER};
use super::specialization::Specialization;

/// Methods that reconstruct transmittance from moments.
pub(super) struct Moment;

impl AnyOrder for Moment {
    fn own_constants(&self, of: &Specialization, variant: Variant) -> Variant {
        // Constants do not depend on depths.
        let technique = of_method::moment(&of.options, Range::new(1.0, 2.0));
        variant
            .with("MOMENT_PAIRS", technique.half as u32)
            .with_bool("TRIGONOMETRIC", technique.basis == Basis::Trigonometric)
            .with_f32("MOMENT_BIAS", technique.bias as f32)
            .with_f32("OVERESTIMATION", technique.overestimation as f32)
    }

    fn words(&self, of: &Specialization) -> Option<String> {
        Some(of.options.method.moments.name().to_owned())
    }

    fn turns(&self, _of: &Specialization) -> u32 {
        2 * TURNS_PER_LAYER
    }
}
