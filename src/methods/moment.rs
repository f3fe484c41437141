//! Moment-based transparency (`shaders/methods/moment.wesl`).

use crate::gpu::shader::Variant;
use crate::model::methods::{Method, PixelBytes};
use crate::model::options::{MethodOptions, Moments};
use crate::model::reference::oit::moment::{Basis, OVERESTIMATION};
use crate::model::reference::oit::{Range, of_method};

use super::any_order::{AnyOrder, DRAWN_SUMS, NUMBER, TURNS_PER_LAYER, pixel_bytes};
use super::specialization::Specialization;

pub(super) struct Moment;

impl AnyOrder for Moment {
    fn own_constants(&self, spec: &Specialization, variant: Variant) -> Variant {
        // Constants do not depend on depths.
        let technique = of_method::moment(&spec.options, Range::new(1.0, 2.0));
        variant
            .with("MOMENT_PAIRS", technique.half as u32)
            .with_bool("TRIGONOMETRIC", technique.basis == Basis::Trigonometric)
            .with_f32("MOMENT_BIAS", technique.bias as f32)
            .with_f32("OVERESTIMATION", OVERESTIMATION as f32)
    }

    fn bench_options(&self, _method: Method, usual: MethodOptions) -> Vec<MethodOptions> {
        Moments::ALL
            .map(|moments| MethodOptions { moments, ..usual })
            .to_vec()
    }

    fn bytes(&self, spec: &Specialization) -> PixelBytes {
        let technique = of_method::moment(&spec.options, Range::new(1.0, 2.0));
        let moments = 2 * technique.half as u32;
        pixel_bytes(
            (moments + 1 + 5) * NUMBER,
            (moments + 1) * NUMBER + DRAWN_SUMS,
        )
    }

    fn words(&self, spec: &Specialization) -> Option<String> {
        Some(spec.options.method.moments.to_string())
    }

    fn turns(&self, _spec: &Specialization) -> u32 {
        2 * TURNS_PER_LAYER
    }
}
