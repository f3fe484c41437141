//! Weighted blended transparency (`shaders/methods/weighted.wesl`).

use clap::ValueEnum as _;

use crate::gpu::shader::Variant;
use crate::model::methods::{Method, PixelBytes};
use crate::model::options::MethodOptions;
use crate::model::reference::oit::weighted::Weight;

use super::any_order::{AnyOrder, NUMBER, pixel_bytes, with};
use super::specialization::Specialization;

/// What a shader is compiled with that weights layers so.
pub(super) fn constants_of_weight(spec: &Specialization, variant: Variant) -> Variant {
    let method = spec.options.method;
    variant
        .with("WEIGHT", method.weight as u32)
        .with_f32("DEPTH_SCALE", method.weight_scale)
}

pub(super) struct Weighted;

impl AnyOrder for Weighted {
    fn own_constants(&self, spec: &Specialization, variant: Variant) -> Variant {
        constants_of_weight(spec, variant).with("WEIGHT_SLICES", spec.options.method.weight_slices)
    }

    fn bench_options(&self, _method: Method, usual: MethodOptions) -> Vec<MethodOptions> {
        let weights = Weight::value_variants().iter();
        let weights = weights.map(|&weight| MethodOptions { weight, ..usual });
        let sliced = with(usual, |own| own.weight_slices = 16);
        weights.chain([sliced]).collect()
    }

    fn bytes(&self, spec: &Specialization) -> PixelBytes {
        let sums = spec.options.method.weight_slices * 5 * NUMBER;
        pixel_bytes(sums, sums)
    }

    fn words(&self, spec: &Specialization) -> Option<String> {
        let method = spec.options.method;
        let words = [
            Some(method.weight.to_string()),
            (method.weight_scale != 1.0).then(|| format!("x{}", method.weight_scale)),
            (method.weight_slices > 1).then(|| format!("{} slices", method.weight_slices)),
        ];
        Some(words.into_iter().flatten().collect::<Vec<_>>().join(" "))
    }
}
