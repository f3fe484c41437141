//! The nearest layers, walk by walk (`shaders/methods/peeling.wesl`).

use crate::gpu::shader::Variant;
use crate::model::methods::{Method, PixelBytes};
use crate::model::options::MethodOptions;

use super::any_order::{AnyOrder, NUMBER};
use super::multi_layer::NODE;
use super::specialization::Specialization;

pub(super) struct Peeling;

/// How often a method walks a list, and how many of the nearest layers it takes each time.
fn walks_and_taken(spec: &Specialization) -> [u32; 2] {
    let method = spec.options.method;
    match spec.runs {
        Method::ABuffer => [method.passes, method.capacity],
        _ => [method.peels, 1],
    }
}

impl AnyOrder for Peeling {
    fn own_constants(&self, spec: &Specialization, variant: Variant) -> Variant {
        let [walks, taken] = walks_and_taken(spec);
        variant.with("WALKS", walks).with("TAKEN", taken)
    }

    fn bench_options(&self, method: Method, usual: MethodOptions) -> Vec<MethodOptions> {
        let passes = |passes| MethodOptions { passes, ..usual };
        let peels = |peels| MethodOptions { peels, ..usual };
        match method {
            Method::ABuffer => [1, 4].map(passes).to_vec(),
            _ => [4, 16].map(peels).to_vec(),
        }
    }

    /// Drawn, peeling has the depths of two walks and what is composited of it, and an A-buffer stores every layer.
    fn bytes(&self, spec: &Specialization) -> PixelBytes {
        let [_, taken] = walks_and_taken(spec);
        PixelBytes {
            state: taken * NODE + 4 * NUMBER,
            drawn: (spec.runs == Method::Peeling).then_some(2 * 4 + 8),
        }
    }

    fn words(&self, spec: &Specialization) -> Option<String> {
        let [walks, taken] = walks_and_taken(spec);
        Some(match taken {
            1 => walks.to_string(),
            _ => format!("{walks} x {taken}"),
        })
    }

    /// Each walk finds a layer's place by fours, the first four without a loop.
    fn turns(&self, spec: &Specialization) -> u32 {
        let [walks, taken] = walks_and_taken(spec);
        1 + walks * (1 + taken.div_ceil(4))
    }
}
