//! Models placed in a scene. GPU triangles are generated only during upload, so each triangle is stored only once.

use std::sync::Arc;

use glam::{DQuat, DVec3, EulerRot, Vec3};

use crate::model::layout::{Material, TriangleMaterial, Vertex};
use crate::model::meshes::{Mesh, Pane, Stack, Triangle};

#[derive(Debug, Default, PartialEq)]
pub struct PlacedMeshes {
    pub(super) placed: Vec<PlacedMesh>,
    pub materials: Vec<Material>,
    pub pictures: Stack,
    /// Panes from the files, in world space.
    pub panes: Vec<Pane>,
    /// Remarks on ignored contents, with the name of the file.
    pub remarks: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pose {
    pub origin: DVec3,
    pub turn: DQuat,
    pub scale: f64,
}

/// Rotation in degrees about x, then y, then z of the world.
pub(super) fn turn_of(rotation: [f32; 3]) -> DQuat {
    let [x, y, z] = rotation.map(|angle| f64::from(angle).to_radians());
    // The rotation that is applied last comes first in the product.
    DQuat::from_euler(EulerRot::ZYX, z, y, x)
}

impl Pose {
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

#[derive(Debug, PartialEq)]
pub(super) struct PlacedMesh {
    pub place: Pose,
    pub mesh: Arc<Mesh>,
    pub first_material: u32,
    /// True for each material that is one-sided and fully opaque.
    pub plain: Vec<bool>,
}

impl PlacedMesh {
    fn vertices(&self, triangle: &Triangle) -> [Vertex; 3] {
        let corners = self.mesh.corners_of(triangle);
        corners.map(|corner| Vertex {
            position: self.place.point(corner.position).to_array(),
            normal: self.place.direction(corner.normal).to_array(),
            albedo: corner.albedo.to_array(),
            emission: 0.0,
        })
    }

    fn material_of(&self, triangle: &Triangle) -> TriangleMaterial {
        let corners = self.mesh.corners_of(triangle);
        let [place_a, place_b, place_c] = corners.map(|corner| corner.place.to_array());
        TriangleMaterial {
            place_a,
            place_b,
            place_c,
            material: self.first_material + triangle.material,
            ..TriangleMaterial::default()
        }
    }

    fn is_plain(&self, triangle: &Triangle) -> bool {
        self.plain[triangle.material as usize]
    }
}

impl PlacedMeshes {
    /// Triangles of the models: one-sided, fully opaque triangles first.
    fn triangles(&self) -> impl Iterator<Item = (&PlacedMesh, &Triangle)> {
        let all = self.placed.iter();
        let all = all.flat_map(|of| of.mesh.triangles.iter().map(move |triangle| (of, triangle)));
        let others = all.clone().filter(|(of, triangle)| !of.is_plain(triangle));
        all.filter(|(of, triangle)| of.is_plain(triangle))
            .chain(others)
    }

    /// World-space vertices, three per triangle: one-sided, fully opaque triangles first.
    pub fn vertices(&self) -> impl Iterator<Item = Vertex> {
        self.triangles()
            .flat_map(|(of, triangle)| of.vertices(triangle))
    }

    pub fn triangle_materials(&self) -> impl Iterator<Item = TriangleMaterial> {
        self.triangles()
            .map(|(of, triangle)| of.material_of(triangle))
    }

    pub fn count(&self) -> usize {
        let counts = self.placed.iter().map(|of| of.mesh.triangles.len());
        counts.sum()
    }

    pub fn plain_count(&self) -> usize {
        let is_plain = |(of, triangle): &(&PlacedMesh, &Triangle)| of.is_plain(triangle);
        self.triangles().filter(is_plain).count()
    }

    /// World-space positions of the triangles' corners, in any order.
    pub fn positions(&self) -> impl Iterator<Item = [f32; 3]> {
        self.placed.iter().flat_map(|of| {
            let corners = of.mesh.corners.iter();
            corners.map(|corner| of.place.point(corner.position).to_array())
        })
    }
}
