//! A cheaper sort: compositing in the order of depth keys of few bits (`shaders/methods/coarse.wesl`).

use crate::gpu::shader::Variant;
use crate::model::Feature;
use crate::model::methods::{Method, PixelBytes};
use crate::model::options::{ListOrder, MethodOptions};
use crate::model::passes::Inputs;

use super::any_order::{AnyOrder, NUMBER, pixel_bytes, with};
use super::multi_layer::NODE;
use super::specialization::Specialization;

pub(super) struct Coarse;

impl AnyOrder for Coarse {
    fn unsorted(&self) -> Inputs {
        Inputs::COARSE_LISTS
    }

    fn own_constants(&self, spec: &Specialization, variant: Variant) -> Variant {
        let method = spec.options.method;
        variant
            .with("KEY_BITS", spec.options.frame.key_bits)
            .feature(Feature::OrderCamera, spec.options.frame.order_age > 0)
            .with("KEPT", method.window.max(1))
            .with_f32("STOP_BELOW", method.stop_below)
            .with("FIRST_LAYERS", method.first_layers)
    }

    fn bench_options(&self, _method: Method, usual: MethodOptions) -> Vec<MethodOptions> {
        let stop = |stop_below| with(usual, |own| own.stop_below = stop_below);
        let first = with(usual, |own| own.first_layers = 64);
        let windows = [2, 4, 8, 16].map(|window| with(usual, |own| own.window = window));
        let mut places = vec![usual, stop(1.0 / 255.0), stop(0.1), first];
        places.extend(windows);
        places
    }

    /// Drawn, it blends into the picture.
    fn bytes(&self, spec: &Specialization) -> PixelBytes {
        let method = spec.options.method;
        let counts = u32::from(method.first_layers > 0);
        let window = if method.window > 1 { method.window } else { 0 };
        pixel_bytes((4 + counts) * NUMBER + window * NODE, 0)
    }

    fn takes_any_order(&self, _spec: &Specialization) -> bool {
        false
    }

    fn words(&self, spec: &Specialization) -> Option<String> {
        let (frame, method) = (spec.options.frame, spec.options.method);
        let keys = match frame.order {
            ListOrder::Sorted => "sorted".to_owned(),
            ListOrder::Item | ListOrder::Shuffled | ListOrder::Any => match frame.order_age {
                0 => format!("{} bits", frame.key_bits),
                age => format!("{} bits age {age}", frame.key_bits),
            },
        };
        let window = (method.window > 1).then(|| format!("window {}", method.window));
        let stop = (method.stop_below > 0.0).then(|| format!("T<{}", method.stop_below));
        let first = (method.first_layers > 0).then(|| format!("first {}", method.first_layers));
        let words = [Some(keys), window, stop, first];
        Some(words.into_iter().flatten().collect::<Vec<_>>().join(" "))
    }
}
