//! Kinds of items, one module each: the buffers of the kind, and how its items are projected to splats and lit.
//! Evaluation at a pixel is in `shaders/layers`; names and numbers are in [`crate::model::items`].

pub mod cell;
pub mod gaussian;
mod kind;
pub mod particle;

use crate::model::items::ItemKind;

use kind::LayerKind;

pub(super) fn layer_kind(kind: ItemKind) -> &'static LayerKind {
    match kind {
        ItemKind::Particle => &particle::PARTICLES,
        ItemKind::Cell => &cell::CELLS,
        ItemKind::Gaussian => &gaussian::GAUSSIANS,
    }
}
