//! The nearest layers, walk by walk (`shaders/methods/peeling.wesl`).

use crate::error::Result;
use crate::gpu::shader::Variant;
use crate::gpu::{Gpu, Pipelines};
use crate::model::Capabilities;
use crate::model::methods::Method;
use crate::model::passes::Inputs;

use crate::frame::Extent;

use super::any_order;
use super::composite::Computed;
use super::family::{Family, Made};
use super::specialization::{Geometry, Specialization};

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

impl Family for Peeling {
    fn inputs(&self, of: &Specialization) -> Inputs {
        any_order::inputs(of)
    }

    fn geometry(&self, of: &Specialization, _caps: &Capabilities) -> Geometry {
        any_order::geometry(of)
    }

    fn constants(&self, of: &Specialization, _caps: &Capabilities, variant: Variant) -> Variant {
        let [walks, taken] = walks_and_taken(of);
        any_order::constants(of, variant)
            .with("WALKS", walks)
            .with("TAKEN", taken)
    }

    fn place(&self, of: &Specialization) -> Option<String> {
        let [walks, taken] = walks_and_taken(of);
        Some(match taken {
            1 => walks.to_string(),
            _ => format!("{walks} x {taken}"),
        })
    }

    /// Each walk finds a layer's place by fours, the first four without a loop.
    fn turns_per_layer(&self, of: &Specialization) -> Option<u32> {
        let [walks, taken] = walks_and_taken(of);
        Some(1 + walks * (1 + taken.div_ceil(4)))
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
