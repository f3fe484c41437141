//! Kinds of items, one module each. A module lists the kind's buffers, and the shaders that project and light its
//! items. `shaders/layers` evaluates items at a pixel, and [`crate::model::items`] has their names and numbers.

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
