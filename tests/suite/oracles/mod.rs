//! CPU twins of the frame's stages: slow, plain definitions of the result of each GPU stage.
//!
//! Nothing here may use wgpu or a GPU, or share code with the checked stage: only struct layouts, inputs, and the
//! oracles of `verify` (`wavelerp::model::reference`) come from the program.

pub mod cloud;
pub mod fog;
pub mod gaussians;
pub mod integrate;
pub mod lists;
pub mod project;
pub mod sheets;
pub mod simulate;
pub mod solids;

use wavelerp::model::items::ItemKind;
use wavelerp::model::layout::{Splat, SplatPlace};

/// The splat and the tile rectangle of an item.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shown {
    /// Index of the particle; for a cell: number of particles + index of the cell; for a splat of a file: number of
    /// particles and cells + index of the splat.
    pub particle: u32,
    pub center: [f32; 2],
    pub depth: f32,
    pub inverse_radius: f32,
    pub color: [f32; 3],
    pub opacity: f32,
    pub axis: u32,
    pub shade: u32,
    pub look: u32,
    pub softness: f32,
    pub order_key: u32,
    pub slice: u32,
    pub slice_or_mask: u32,
    /// Columns of the tile rectangle, as min | max << 16.
    pub tiles_x: u32,
    pub tiles_y: u32,
}

impl Shown {
    /// The splat of item `particle`.
    pub fn new(particle: u32, splat: &Splat, place: &SplatPlace) -> Self {
        let tiles = |word: u32| word & 0x1fff | (word >> 13 & 0x1fff) << 16;
        Self {
            particle,
            center: splat.center,
            depth: splat.depth,
            inverse_radius: splat.inverse_radius,
            color: splat.color,
            opacity: splat.opacity,
            axis: splat.axis,
            shade: splat.shade,
            look: splat.look,
            softness: splat.softness,
            order_key: place.order_key,
            slice: place.tiles_x >> 26 | place.tiles_y >> 26 << 6,
            slice_or_mask: place.slice_or_mask,
            tiles_x: tiles(place.tiles_x),
            tiles_y: tiles(place.tiles_y),
        }
    }

    /// True if the item is visible.
    pub fn is_visible(&self) -> bool {
        self.order_key != u32::MAX
    }
}

/// Describes the first difference between all of the GPU's `splats` of some items and the twins: a splat that
/// `differs`, is missing although it `is_needed`, is superfluous, or is out of order. `first` is the index of the first
/// item.
fn first_difference<T>(
    splats: &[Shown],
    first: u32,
    twins: impl IntoIterator<Item = T>,
    differs: impl Fn(&Shown, &T) -> Option<String>,
    is_needed: impl Fn(&T) -> bool,
) -> Option<String> {
    let mut rest = splats.iter().peekable();
    for (item, twin) in (first..).zip(twins) {
        let wrong = match rest.next_if(|splat| splat.particle == item) {
            Some(splat) => differs(splat, &twin),
            None => is_needed(&twin).then(|| "it has no splat".to_owned()),
        };
        if let Some(wrong) = wrong {
            return Some(format!("item {item}: {wrong}"));
        }
    }
    let rest = rest.next()?;
    Some(format!("{rest:?} is out of order or belongs to no item"))
}

/// Twin of `tag_of` in `shaders/common/items.wesl`.
fn tag_of(kind: ItemKind) -> f32 {
    -f32::from(kind as u8)
}
