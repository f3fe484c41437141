//! Lists in any order, staged through workgroup memory (`shaders/methods/any_order.wesl`): what the families of approximate
//! methods share, and the baselines among them (`shaders/methods/baselines.wesl`).

use crate::error::{Error, Result};
use crate::gpu::shader::Variant;
use crate::gpu::{Gpu, Pipelines};
use crate::model::methods::{Method, Source};
use crate::model::passes::Inputs;
use crate::model::{Capabilities, Feature};

use crate::frame::Extent;

use super::composite::{Computed, layers_per_dispatch};
use super::family::{Family, Made};
use super::specialization::{Geometry, Specialization};
use super::staged::several;

/// The lists that a method reads.
pub(super) fn inputs(of: &Specialization) -> Inputs {
    of.options.frame.order.inputs()
}

/// A thread per pixel, which stages as one of pixel-loop-staged does.
pub(super) fn geometry(of: &Specialization) -> Geometry {
    several(of, 1)
}

/// The same in workgroups of at most `threads`, of which several may then share a tile.
pub(super) fn geometry_within(of: &Specialization, threads: u32) -> Geometry {
    let whole = geometry(of);
    let workgroup = whole.workgroup.min(threads);
    Geometry {
        workgroup,
        pixels: workgroup,
        ..whole
    }
}

/// What `shaders/methods/any_order.wesl` is compiled with.
pub(super) fn constants(of: &Specialization, variant: Variant) -> Variant {
    // Lists that are no frame's have one order.
    let is_frame = matches!(of.source, Source::Frame(_) | Source::Ellipses(_));
    variant
        .with("PIXELS_PER_THREAD", 1)
        .with("STAGED", geometry(of).staged)
        .feature(
            Feature::Unsorted,
            is_frame && inputs(of) == Inputs::UnsortedLists,
        )
}

/// Most times that an invocation goes through its loops for each layer of a walk: that of the layers, and those that stage them.
pub(super) const TURNS_PER_LAYER: u32 = 3;

/// Refuses lists that one dispatch cannot walk: what a pixel has in the middle of its list is not kept.
pub(super) fn check(gpu: &Gpu, of: &Specialization, extent: &Extent) -> Result<()> {
    let (most, longest) = (layers_per_dispatch(&gpu.caps, of), extent.longest_list);
    if longest <= most {
        return Ok(());
    }
    Err(Error::unavailable(format!(
        "{}: a list has {longest} layers, and {} lets a method walk at most {most} at once; choose fewer particles or smaller \
         tiles",
        of.method, gpu.caps.name
    )))
}

/// Methods that go by colour and opacity alone.
pub(super) struct Baselines;

impl Family for Baselines {
    fn inputs(&self, of: &Specialization) -> Inputs {
        inputs(of)
    }

    fn geometry(&self, of: &Specialization, _caps: &Capabilities) -> Geometry {
        geometry(of)
    }

    fn constants(&self, of: &Specialization, _caps: &Capabilities, variant: Variant) -> Variant {
        constants(of, variant).feature(Feature::ListOrder, of.runs == Method::ListOrder)
    }

    fn turns_per_layer(&self, _of: &Specialization) -> Option<u32> {
        Some(TURNS_PER_LAYER)
    }

    fn make(
        &self,
        gpu: &Gpu,
        pipelines: &Pipelines,
        of: Specialization,
        extent: &Extent,
    ) -> Result<Box<dyn Made>> {
        check(gpu, &of, extent)?;
        Ok(Box::new(Computed::new(gpu, pipelines, &of, extent)?))
    }
}
