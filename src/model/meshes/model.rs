//! What a file of a model holds, as it is read.

use std::sync::Arc;

use glam::{Vec2, Vec3};

use super::pictures::Picture;

/// The most triangles: their buffer then stays below the 128 MiB that every adapter can bind.
pub const MOST_TRIANGLES: usize = 1_000_000;

/// What a file holds: right-handed, y up, in the file's units, which should be metres.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// Opaque triangles.
    pub mesh: Arc<Mesh>,
    /// What they are made of.
    pub materials: Vec<Material>,
    /// What their materials show, at most [`MOST_PICTURES`].
    pub pictures: Vec<Picture>,
    /// Flat translucent surfaces.
    pub panes: Vec<Pane>,
    /// What the file has and is not shown, a line for each kind.
    pub remarks: Vec<String>,
    /// Whether everything stands in the file itself.
    pub is_whole: bool,
}

/// Triangles that share their corners.
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
    /// Unit vector to the front.
    pub normal: Vec3,
    /// Linear, 0…1: the base colour of its material times its own.
    pub albedo: Vec3,
    /// Where it is on the pictures of its material; (0, 0) is the first texel's corner, finite.
    pub place: Vec2,
}

/// What triangles are made of, beside the colour that stands in their corners.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Material {
    /// Own light: radiance, or the factor on that of its picture.
    pub emission: Vec3,
    /// Factor on the colour.
    pub picture: Option<Layer>,
    /// Factor on the own light.
    pub glow: Option<Layer>,
    /// Where `alpha` times that of the picture is below this, nothing is seen; none: seen everywhere.
    pub cutoff: Option<f32>,
    /// Factor on the alpha of the picture.
    pub alpha: f32,
    pub double_sided: bool,
    /// Whether its colour is its light, whatever shines on it.
    pub unlit: bool,
}

/// A picture on a material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layer {
    pub picture: u32,
    /// How it goes on beyond its edges, along x and y.
    pub wrap: [Wrap; 2],
}

/// How a picture goes on beyond its edges.
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
    /// From the centre to the middle of the edge beside it.
    pub half_v: Vec3,
    /// Linear, 0…1.
    pub albedo: Vec3,
    /// Own light, radiance.
    pub emission: Vec3,
    /// 0…1.
    pub opacity: f32,
}
