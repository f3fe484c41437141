//! Projects items to splats, culls them, and counts the splats per macro tile, with one dispatch per kind.

use std::sync::Arc;

use crate::error::Result;
use crate::gpu::shader::Variant;
use crate::gpu::{ComputePipeline, Gpu, Pipelines};
use crate::model::items::ItemKind;
use crate::model::methods::Stored;
use crate::model::{Capabilities, Feature};

use super::layers::layer_kind;
use super::resources::Resources;
use super::shape::FrameShape;

/// As in `shaders/frame/project/item.wesl`.
pub const PROJECT_GROUP: u32 = 128;

/// Variant and entry point of the kernel that projects items of a kind.
pub fn project_variant(
    caps: &Capabilities,
    shape: &FrameShape,
    kind: ItemKind,
) -> (Variant, &'static str) {
    let (module, entry) = layer_kind(kind).project;
    let variant = shape.stored.features(Variant::new(module));
    let variant = variant
        .with("TILE", shape.tile)
        .feature(Feature::Gaussians, shape.counts.has(ItemKind::Gaussian))
        .feature(Feature::Mip, shape.mip)
        .feature(Feature::ByDistance, shape.is_by_distance())
        .feature(Feature::Wave, caps.waves);
    (variant, entry)
}

impl Stored {
    /// Adds the shader feature that selects the storage.
    pub fn features(self, variant: Variant) -> Variant {
        variant.feature(Feature::HalfSplats, self == Stored::Halves)
    }
}

pub(super) struct Project(Vec<(ItemKind, Arc<ComputePipeline>)>);

impl Project {
    pub fn new(gpu: &Gpu, pipelines: &Pipelines, shape: &FrameShape) -> Result<Self> {
        let kernel = |kind| {
            let (variant, entry) = project_variant(&gpu.caps, shape, kind);
            Ok((kind, pipelines.compute(gpu, &variant, entry)?))
        };
        Ok(Self(
            shape.counts.kinds().map(kernel).collect::<Result<_>>()?,
        ))
    }

    pub fn record(
        &self,
        pass: &mut wgpu::ComputePass,
        resources: &Resources,
        shape: &FrameShape,
    ) -> Result<()> {
        self.0.iter().try_for_each(|(kind, kernel)| {
            let groups = shape.counts.of(*kind).div_ceil(PROJECT_GROUP);
            kernel.dispatch(pass, &[resources.binds()], groups)
        })
    }
}
