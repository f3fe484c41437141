//! Opaque solids.

use serde::Deserialize;

use super::ranges::{OutOfRange, PART, PLACE, RADIANCE, SCALE, SENTENCE, SIZE, TURN, ranges};
use crate::model::meshes::MOST_TRIANGLES;

pub(in crate::model::scene) const SIDES_PER_FLUTE: u32 = 6;

/// An opaque solid, or a model file.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum MeshSpec {
    /// An axis-aligned box.
    Box {
        /// World space, metres.
        center: [f32; 3],
        /// Half the lengths of the edges, metres.
        half_size: [f32; 3],
        /// 0…1.
        albedo: [f32; 3],
        /// Factor from the albedo to emitted light.
        #[serde(default)]
        emission: f32,
    },
    /// An upright closed cylinder.
    Cylinder {
        /// World-space centre of the bottom disc, metres.
        base: [f32; 3],
        /// Metres.
        radius: f32,
        /// Metres.
        height: f32,
        #[serde(default = "default_segments")]
        segments: u32,
        /// Number of grooves from top to bottom; 0 for none.
        #[serde(default)]
        flutes: u32,
        /// 0…1.
        albedo: [f32; 3],
        /// Factor from the albedo to emitted light.
        #[serde(default)]
        emission: f32,
    },
    /// A horizontal rectangle, visible from above.
    Plane {
        /// World space, metres.
        center: [f32; 3],
        /// Half the lengths of the edges along x and z, metres.
        half_size: [f32; 2],
        /// 0…1.
        albedo: [f32; 3],
    },
    File {
        /// Path, relative to the folder of the scene file.
        file: String,
        /// World-space position of the file's origin, metres.
        #[serde(default)]
        position: [f32; 3],
        /// Rotation in degrees about x, then y, then z of the world.
        #[serde(default)]
        rotation: [f32; 3],
        /// Metres per unit of the file.
        #[serde(default = "super::ranges::one")]
        scale: f32,
    },
}

ranges!(MeshSpec:
    Self::Box {
        center: PLACE,
        half_size: SIZE,
        albedo: PART,
        emission: RADIANCE,
    }
    Self::Cylinder {
        base: PLACE,
        radius: SIZE,
        height: SIZE,
        segments: 3..=256,
        flutes: 0..=64,
        albedo: PART,
        emission: RADIANCE,
    }
    Self::Plane {
        center: PLACE,
        half_size: SIZE,
        albedo: PART,
    }
    Self::File {
        file: SENTENCE,
        position: PLACE,
        rotation: TURN,
        scale: SCALE,
    }
);

impl MeshSpec {
    /// The number of triangles that [`vertices`](crate::model::scene::vertices) makes of the solid.
    pub(in crate::model::scene) fn triangles(&self) -> u64 {
        match self {
            Self::Box { .. } => 12,
            Self::Plane { .. } => 2,
            Self::File { .. } => 0,
            Self::Cylinder {
                segments, flutes, ..
            } => {
                let sides = match flutes {
                    0 => *segments,
                    _ => flutes * SIDES_PER_FLUTE,
                };
                4 * u64::from(sides)
            }
        }
    }

    /// A model from a file, without rotation.
    pub(in crate::model::scene) fn file(file: &str, position: [f32; 3], scale: f32) -> Self {
        Self::File {
            file: file.to_owned(),
            position,
            rotation: [0.0; 3],
            scale,
        }
    }
}

/// All solids together must fit into a buffer that every adapter can bind.
pub(super) fn few_triangles(meshes: &[MeshSpec]) -> Result<(), OutOfRange> {
    let count: u64 = meshes.iter().map(MeshSpec::triangles).sum();
    if count <= MOST_TRIANGLES as u64 {
        return Ok(());
    }
    let allowed = format!("at most {MOST_TRIANGLES} triangles: fewer solids, segments or flutes");
    Err(OutOfRange::of(format!("{count} triangles"), allowed))
}

fn default_segments() -> u32 {
    24
}
