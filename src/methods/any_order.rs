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
use super::family::{Family, Made, Part};
use super::frame_range::{self, WithFrameRange};
use super::specialization::{Geometry, Specialization};
use super::staged::several;

/// A family whose kernel is one walk, or several, through such a list: what is its own.
pub(super) trait AnyOrder: Sync {
    /// What its shader is compiled with beside what all have.
    fn own_constants(&self, of: &Specialization, variant: Variant) -> Variant;

    /// Its options in a few words, behind the method's name.
    fn words(&self, _of: &Specialization) -> Option<String> {
        None
    }

    /// Most threads of a workgroup; several then share a tile.
    fn most_threads(&self, _of: &Specialization) -> u32 {
        u32::MAX
    }

    /// Whether it reads between which depths the frame's items lie.
    fn reads_frame_range(&self, _of: &Specialization) -> bool {
        false
    }

    /// Most times that an invocation goes through its loops for each layer of the list.
    fn turns(&self, _of: &Specialization) -> u32 {
        TURNS_PER_LAYER
    }
}

impl<F: AnyOrder> Family for F {
    fn inputs(&self, of: &Specialization) -> Inputs {
        of.options.frame.order.inputs()
    }

    /// A thread per pixel, which stages as one of pixel-loop-staged does.
    fn geometry(&self, of: &Specialization, _caps: &Capabilities) -> Geometry {
        let whole = several(of, 1);
        let workgroup = whole.workgroup.min(self.most_threads(of));
        Geometry {
            workgroup,
            pixels: whole.pixels.min(workgroup),
            ..whole
        }
    }

    fn constants(&self, of: &Specialization, _caps: &Capabilities, variant: Variant) -> Variant {
        // Lists that are no frame's have one order.
        let is_frame = matches!(of.source, Source::Frame(_) | Source::Ellipses(_));
        let is_unsorted = is_frame && self.inputs(of) == Inputs::UnsortedLists;
        let variant = variant
            .with("PIXELS_PER_THREAD", 1)
            .with("STAGED", several(of, 1).staged)
            .feature(Feature::Unsorted, is_unsorted)
            .feature(Feature::FrameRange, self.reads_frame_range(of));
        self.own_constants(of, variant)
    }

    fn place(&self, of: &Specialization) -> Option<String> {
        self.words(of)
    }

    fn turns_per_layer(&self, of: &Specialization) -> Option<u32> {
        Some(self.turns(of))
    }

    fn parts(&self, of: &Specialization, caps: &Capabilities) -> Vec<Part> {
        let before = self.reads_frame_range(of).then(|| frame_range::part(of));
        Vec::from_iter([Part::composite(of, caps)].into_iter().chain(before))
    }

    fn compile(&self, gpu: &Gpu, pipelines: &Pipelines, of: Specialization) -> Result<()> {
        if self.reads_frame_range(&of) {
            frame_range::pipeline(gpu, pipelines, &of)?;
        }
        Computed::pipeline(gpu, pipelines, &of).map(drop)
    }

    /// Refuses lists that one dispatch cannot walk: what a pixel has in the middle of its list is not kept.
    fn make(
        &self,
        gpu: &Gpu,
        pipelines: &Pipelines,
        of: Specialization,
        extent: &Extent,
    ) -> Result<Box<dyn Made>> {
        let (most, longest) = (layers_per_dispatch(&gpu.caps, &of), extent.longest_list);
        if longest > most {
            return Err(Error::unavailable(format!(
                "{}: a list has {longest} layers, and {} lets a method walk at most {most} at once; choose fewer particles or \
                 smaller tiles",
                of.method, gpu.caps.name
            )));
        }
        Ok(match self.reads_frame_range(&of) {
            false => Box::new(Computed::new(gpu, pipelines, &of, extent)?),
            true => Box::new(WithFrameRange::new(gpu, pipelines, &of, extent)?),
        })
    }
}

/// Most times that an invocation goes through its loops for each layer of a walk: that of the layers, and those that stage them.
pub(super) const TURNS_PER_LAYER: u32 = 3;

/// Methods that go by colour and opacity alone.
pub(super) struct Baselines;

impl AnyOrder for Baselines {
    fn own_constants(&self, of: &Specialization, variant: Variant) -> Variant {
        variant.feature(Feature::ListOrder, of.runs == Method::ListOrder)
    }
}
