//! Projects and culls items to splats, and counts them per macro tile.

use crate::gpu::shader::Variant;
use crate::model::methods::Stored;
use crate::model::{Capabilities, Feature};

use super::shape::FrameShape;

/// Workgroup size of the kernel that projects items; as in `shaders/frame/project/item.wesl`.
pub const PROJECT_GROUP: u32 = 128;

/// Variant of the kernel that projects items.
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
    /// Adds the corresponding shader feature.
    pub fn features(self, variant: Variant) -> Variant {
        variant.feature(Feature::HalfSplats, self == Stored::Halves)
    }
}
