//! Weighted blended transparency (`shaders/methods/weighted.wesl`).

use clap::ValueEnum as _;

use crate::gpu::shader::Variant;
use crate::model::methods::{Method, PixelBytes};
use crate::model::options::{MethodOptions, OpacityCounts};
use crate::model::reference::oit::weighted::{Storage, Weight};

use super::any_order::{AnyOrder, DRAWN_SUMS, NUMBER, with};
use super::specialization::Specialization;

/// What a shader is compiled with that weights layers so.
pub(super) fn constants_of_weight(of: &Specialization, variant: Variant) -> Variant {
    let method = of.options.method;
    variant
        .with("WEIGHT", method.weight as u32)
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

    fn places(&self, _method: Method, usual: MethodOptions) -> Vec<MethodOptions> {
        let weights = Weight::value_variants().iter();
        let weights = weights.map(|&weight| MethodOptions { weight, ..usual });
        let others = [
            with(usual, |own| own.weight_opacity = OpacityCounts::Once),
            with(usual, |own| own.weight_storage = Storage::F16U8),
            with(usual, |own| own.weight_slices = 16),
        ];
        weights.chain(others).collect()
    }

    fn bytes(&self, of: &Specialization) -> PixelBytes {
        let method = of.options.method;
        let sums = 5 * NUMBER;
        let drawn = match method.weight_storage {
            Storage::F32 => sums,
            Storage::F16U8 => DRAWN_SUMS,
        };
        PixelBytes {
            state: method.weight_slices * sums,
            drawn: Some(method.weight_slices * drawn),
        }
    }

    fn words(&self, of: &Specialization) -> Option<String> {
        let method = of.options.method;
        let is_once = method.weight.is_of_paper() && !method.weight_opacity.is_in_weight();
        let words = [
            Some(method.weight.to_string()),
            (method.weight_scale != 1.0).then(|| format!("x{}", method.weight_scale)),
            is_once.then(|| "once".to_owned()),
            (method.weight_storage != Storage::F32).then(|| method.weight_storage.to_string()),
            (method.weight_slices > 1).then(|| format!("{} slices", method.weight_slices)),
        ];
        Some(words.into_iter().flatten().collect::<Vec<_>>().join(" "))
    }
}
