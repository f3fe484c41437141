//! A model as read from a file: triangles, materials, pictures and panes.

use std::sync::Arc;

use glam::{Vec2, Vec3};

use super::pictures::Picture;

/// Maximum number of triangles: keeps their buffer below the 128 MiB that every adapter can bind.
pub const MOST_TRIANGLES: usize = 1_000_000;

/// Content of a file: right-handed, y up, in the file's units, which should be metres.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    pub mesh: Arc<Mesh>,
    pub materials: Vec<Material>,
    /// Pictures of the materials, at most [`MOST_PICTURES`].
    pub pictures: Vec<Picture>,
    pub panes: Vec<Pane>,
    /// Remarks on ignored contents of the file, one line per kind.
    pub remarks: Vec<String>,
    pub is_whole: bool,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    pub corners: Vec<Corner>,
    pub triangles: Vec<Triangle>,
}

impl Mesh {
    pub fn corners_of(&self, triangle: &Triangle) -> [Corner; 3] {
        triangle.corners.map(|corner| self.corners[corner as usize])
    }
}

/// A triangle, counter-clockwise seen from its front.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle {
    pub corners: [u32; 3],
    pub material: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Corner {
    /// Finite.
    pub position: Vec3,
    /// Unit vector on the front side.
    pub normal: Vec3,
    /// Linear, 0…1: the base colour of the material times the corner's own colour.
    pub albedo: Vec3,
    /// Texture coordinates; (0, 0) is the corner of the first texel. Finite.
    pub place: Vec2,
}

/// Material of triangles, without the colours stored in their corners.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Material {
    /// Emitted radiance, or the factor on the emission picture.
    pub emission: Vec3,
    pub picture: Option<Layer>,
    /// Picture that multiplies the emission.
    pub glow: Option<Layer>,
    /// The surface is invisible where `alpha` times the picture's alpha is below this; `None`: visible everywhere.
    pub cutoff: Option<f32>,
    /// Factor on the picture's alpha.
    pub alpha: f32,
    pub double_sided: bool,
    /// True if the colour is the radiance itself, independent of lights.
    pub unlit: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layer {
    pub picture: u32,
    pub wrap: [Wrap; 2],
}

/// Behaviour of a picture beyond its edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wrap {
    #[default]
    Repeat,
    Clamp,
    Mirror,
}

/// A flat translucent surface: a parallelogram.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pane {
    pub center: Vec3,
    /// From the centre to the middle of an edge.
    pub half_u: Vec3,
    /// From the centre to the middle of the adjacent edge.
    pub half_v: Vec3,
    /// Linear, 0…1.
    pub albedo: Vec3,
    pub emission: Vec3,
    /// 0…1.
    pub opacity: f32,
}
