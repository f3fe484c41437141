//! The nearest layers, walk by walk (`shaders/methods/peeling.wesl`).

use crate::gpu::shader::Variant;
use crate::model::methods::Method;

use super::any_order::AnyOrder;
use super::specialization::Specialization;

/// Methods that take the next layers with every walk.
pub(super) struct Peeling;

/// How often a method walks a list, and how many layers it takes each time.
fn walks_and_taken(of: &Specialization) -> [u32; 2] {
    let method = of.options.method;
    match of.runs {
        Method::ABuffer => [method.passes, method.capacity],
        _ => [method.peels, 1],
    }
}

impl AnyOrder for Peeling {
    fn own_constants(&self, of: &Specialization, variant: Variant) -> Variant {
        let [walks, taken] = walks_and_taken(of);
        variant.with("WALKS", walks).with("TAKEN", taken)
    }

    fn words(&self, of: &Specialization) -> Option<String> {
        let [walks, taken] = walks_and_taken(of);
        Some(match taken {
            1 => walks.to_string(),
            _ => format!("{walks} x {taken}"),
        })
    }

    /// Each walk finds a layer's place by fours, the first four without a loop.
    fn turns(&self, of: &Specialization) -> u32 {
        let [walks, taken] = walks_and_taken(of);
        1 + walks * (1 + taken.div_ceil(4))
    }
}
