//! The images in the picture pane: their number, content and position.

use crate::live::Region;

use super::comparison::Comparison;
use super::placement::{PicturePane, Placement, Room};
use super::view::{Layout, ONLY_A, ONLY_B, View};

/// Gap between two pictures in window pixels, at scale factor 1.
const GAP: f32 = 4.0;
/// Minimum edge of a pixel, in points, for its values to fit inside.
pub const VALUES_FROM: f32 = 62.0;
/// Pixels around the mouse that are also read back, so that their values are ready when the mouse moves.
const AROUND: u32 = 4;
/// The blue of A and the orange of B on dark backgrounds, for example for names on pictures.
pub const SIDE_COLORS: [[u8; 3]; 2] = [[120, 184, 224], [244, 178, 96]];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Both,
    A,
    B,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Image {
    pub view: View,
    pub side: Side,
    /// Fraction of the width that shows A, 0…1; [`ONLY_A`] and [`ONLY_B`] lie outside that range.
    pub split: f32,
    /// Area of the window that the image may cover.
    pub room: Room,
    pub placement: Placement,
    pub cell: [u32; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamePlace {
    /// In the corner of an image that shows only one method.
    Corner,
    LeftOfLine,
    RightOfLine,
}

impl Image {
    /// Methods named on the image (0 for A, 1 for B), and where the names are.
    pub fn names(&self) -> &'static [(usize, NamePlace)] {
        use NamePlace::{Corner, LeftOfLine, RightOfLine};
        match (self.side, self.split) {
            _ if self.view != View::Picture => &[],
            (Side::Both, split) if split > 0.0 && split < 1.0 => {
                &[(0, LeftOfLine), (1, RightOfLine)]
            }
            (Side::B, _) | (Side::Both, ..=0.0) => &[(1, Corner)],
            _ => &[(0, Corner)],
        }
    }

    /// Picture coordinates of the room's top left and bottom right corners.
    fn in_room(&self) -> [[f32; 2]; 2] {
        let Room { origin, size } = self.room;
        let end = [0, 1].map(|axis| origin[axis] + size[axis]);
        [origin, end].map(|corner| self.placement.point_at(corner))
    }

    /// Visible part of the picture of A (0) or B (1), as fractions of the picture's edges: left, top, right, bottom.
    pub fn seen(&self, method: usize) -> Option<[f32; 4]> {
        let shows = self.view == View::Picture && self.side != [Side::B, Side::A][method];
        let edges = self.placement.size.map(|edge| edge as f32);
        let part = |point: [f32; 2]| [0, 1].map(|axis| (point[axis] / edges[axis]).clamp(0.0, 1.0));
        let [[left, top], [right, bottom]] = self.in_room().map(part);
        let (left, right) = match method {
            0 => (left, right.min(self.split)),
            _ => (left.max(self.split), right),
        };
        (shows && left < right && top < bottom).then_some([left, top, right, bottom])
    }
}

impl Comparison {
    pub fn names(&self) -> [String; 2] {
        [
            format!("A  {}", self.left()),
            format!("B  {}", self.chosen.b),
        ]
    }

    /// Pixels to read values of: all visible pixels if values fit into them, otherwise the pixels around the mouse.
    pub fn region_with_values(
        &self,
        pane: &PicturePane,
        size: [u32; 2],
        hovered: Option<[u32; 2]>,
    ) -> Option<Region> {
        let images = self.images(pane, size);
        let image = images.first()?;
        let edge = image.placement.pixel_edge();
        if edge < VALUES_FROM * pane.pixels_per_point {
            return hovered.map(|pixel| Region {
                origin: pixel.map(|place| place.saturating_sub(AROUND)),
                size: [2 * AROUND + 1; 2],
            });
        }
        let [first, end] = image.in_room();
        let origin = first.map(|place| place.max(0.0) as u32);
        let size = [0, 1].map(|axis| {
            let end = (end[axis].ceil().max(0.0) as u32).min(size[axis]);
            end.saturating_sub(origin[axis])
        });
        Some(Region { origin, size })
    }

    pub fn images(&self, pane: &PicturePane, size: [u32; 2]) -> Vec<Image> {
        let picture = (View::Picture, Side::Both, self.split_now());
        let beside = (self.view_beside(), Side::A, ONLY_A);
        let shown = match self.chosen.layout {
            _ if self.hold_reference => vec![picture],
            Layout::Single if self.chosen.view == View::Picture => vec![picture],
            Layout::Single => vec![beside],
            Layout::WithDifference => vec![picture, beside],
            Layout::SideBySide => vec![
                (View::Picture, Side::A, ONLY_A),
                (View::Picture, Side::B, ONLY_B),
                beside,
            ],
        };
        let Some(room) = pane.room.filter(|_| !size.contains(&0)) else {
            return Vec::new();
        };
        let (rooms, columns) = room.divided(shown.len(), size, GAP * pane.pixels_per_point);
        let places = rooms.into_iter().enumerate();
        let image = |((view, side, split), (index, room)): (_, (usize, Room))| Image {
            view,
            side,
            split,
            placement: Placement::fit(room, size, pane.zoom),
            room,
            cell: [(index % columns) as u32, (index / columns) as u32],
        };
        shown.into_iter().zip(places).map(image).collect()
    }
}
