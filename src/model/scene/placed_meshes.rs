//! Models as the GPU reads them, in world space. Knows neither files nor scenes.

use std::sync::Arc;

use crate::model::layout::{Coat, CoatMaterial, Vertex};
use crate::model::meshes::{Pane, Stack};

/// The models of all files of a scene as the GPU reads them. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct PlacedMeshes(pub(super) Arc<PackedMeshes>);

/// See [`PlacedMeshes`].
#[derive(Debug, Default, PartialEq)]
pub struct PackedMeshes {
    /// Three of each triangle.
    pub vertices: Vec<Vertex>,
    /// One of each triangle.
    pub coats: Vec<Coat>,
    /// Triangles that are seen from their front alone, and hide what is behind them everywhere. They come first.
    pub plain: usize,
    /// What triangles are made of.
    pub materials: Vec<CoatMaterial>,
    /// The pictures of the materials.
    pub pictures: Stack,
    /// Panes of the files, world space.
    pub panes: Vec<Pane>,
    /// What files have and is not shown, and in which.
    pub remarks: Vec<String>,
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
