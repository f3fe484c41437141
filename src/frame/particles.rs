//! Project and cull: from items to splats, and how many each macro tile has.

use crate::gpu::shader::Variant;
use crate::model::methods::Stored;
use crate::model::{Capabilities, Feature};

use super::shape::FrameShape;

/// Invocations of a workgroup of the kernel that projects items; `shaders/frame/project/item.wesl` has the same.
pub const PROJECT_GROUP: u32 = 128;

/// What the kernel that projects items is specialised to.
pub fn project_variant(caps: &Capabilities, shape: &FrameShape) -> Variant {
    let variant = shape.stored.features(Variant::new("frame/project"));
    variant
        .with("TILE", shape.tile)
        .feature(Feature::Gaussians, shape.gaussians > 0)
        .feature(Feature::Mip, shape.mip)
        .feature(Feature::ByDistance, shape.is_by_distance())
        .feature(Feature::Wave, caps.waves)
}

impl Stored {
    /// Adds the feature by which shaders know it.
    pub fn features(self, variant: Variant) -> Variant {
        variant.feature(Feature::HalfSplats, self == Stored::Halves)
    }
}
