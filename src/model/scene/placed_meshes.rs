//! Models that stand in a scene. Their triangles are made as the GPU reads them when they are sent to it, so that they
//! are held once. Knows neither files nor scenes.

use std::sync::Arc;

use glam::{DQuat, DVec3, Vec3};

use crate::model::layout::{Coat, CoatMaterial, Vertex};
use crate::model::meshes::{Mesh, Pane, Stack};

/// The models of all files of a scene. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct PlacedMeshes(pub(super) Arc<PackedMeshes>);

/// See [`PlacedMeshes`].
#[derive(Debug, Default, PartialEq)]
pub struct PackedMeshes {
    pub(super) placed: Vec<PlacedMesh>,
    /// What triangles are made of.
    pub materials: Vec<CoatMaterial>,
    /// The pictures of the materials.
    pub pictures: Stack,
    /// Panes of the files, world space.
    pub panes: Vec<Pane>,
    /// What files have and is not shown, and in which.
    pub remarks: Vec<String>,
}

/// Where something stands, world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    pub origin: DVec3,
    pub turn: DQuat,
    pub scale: f64,
}

impl Place {
    fn point(&self, point: Vec3) -> Vec3 {
        (self.origin + self.turn * (self.scale * point.as_dvec3())).as_vec3()
    }

    fn direction(&self, direction: Vec3) -> Vec3 {
        (self.turn * direction.as_dvec3()).as_vec3()
    }

    pub fn pane(&self, pane: &Pane) -> Pane {
        let scale = self.scale as f32;
        Pane {
            center: self.point(pane.center),
            half_u: scale * self.direction(pane.half_u),
            half_v: scale * self.direction(pane.half_v),
            ..*pane
        }
    }
}

/// The triangles of a model, and where they stand.
#[derive(Debug, PartialEq)]
pub(super) struct PlacedMesh {
    pub place: Place,
    pub mesh: Arc<Mesh>,
    /// The index of its first material in [`PackedMeshes::materials`].
    pub first_material: u32,
    /// Of each of its materials, whether its triangles are seen from their front alone, and hide what is behind them
    /// everywhere.
    pub plain: Vec<bool>,
}

impl PlacedMesh {
    /// Its plain triangles, or its others.
    fn triangles(&self, plain: bool) -> impl Iterator<Item = ([Vertex; 3], Coat)> {
        let all = self.mesh.triangles.iter();
        all.filter(move |triangle| self.plain[triangle.material as usize] == plain)
            .map(|triangle| {
                let corners = self.mesh.corners_of(triangle);
                let vertices = corners.map(|corner| Vertex {
                    position: self.place.point(corner.position).to_array(),
                    normal: self.place.direction(corner.normal).to_array(),
                    albedo: corner.albedo.to_array(),
                    emission: 0.0,
                });
                let [place_a, place_b, place_c] = corners.map(|corner| corner.place.to_array());
                let coat = Coat {
                    place_a,
                    place_b,
                    place_c,
                    material: self.first_material + triangle.material,
                    ..Coat::default()
                };
                (vertices, coat)
            })
    }
}

impl PackedMeshes {
    /// Its triangles, world space: first those that are seen from their front alone, and hide what is behind them
    /// everywhere.
    pub fn triangles(&self) -> impl Iterator<Item = ([Vertex; 3], Coat)> {
        let of = |plain| {
            self.placed
                .iter()
                .flat_map(move |mesh| mesh.triangles(plain))
        };
        of(true).chain(of(false))
    }

    /// How many triangles it has.
    pub fn count(&self) -> usize {
        let counts = self.placed.iter().map(|of| of.mesh.triangles.len());
        counts.sum()
    }

    /// How many of its triangles come first.
    pub fn plain_count(&self) -> usize {
        let is_plain = |of: &PlacedMesh, material: u32| of.plain[material as usize];
        let plain = |of: &PlacedMesh| {
            let all = of.mesh.triangles.iter();
            all.filter(|triangle| is_plain(of, triangle.material))
                .count()
        };
        self.placed.iter().map(plain).sum()
    }

    /// Where its corners are, world space, in any order.
    pub fn positions(&self) -> impl Iterator<Item = [f32; 3]> {
        self.placed.iter().flat_map(|of| {
            let corners = of.mesh.corners.iter();
            corners.map(|corner| of.place.point(corner.position).to_array())
        })
    }
}

impl std::ops::Deref for PlacedMeshes {
    type Target = PackedMeshes;

    fn deref(&self) -> &PackedMeshes {
        &self.0
    }
}

impl PartialEq for PlacedMeshes {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}
