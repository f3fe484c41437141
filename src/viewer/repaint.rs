//! Finds the areas of the window that changed since the last painting. A CPU adapter repaints only those areas.

use std::hash::{DefaultHasher, Hash, Hasher};

use egui::epaint::Primitive;

/// Maximum number of areas that are painted separately.
const MOST_AREAS: usize = 6;
/// Height in pixels of the bands of a pane that are compared separately: often only a number in a pane changes.
const BAND: u32 = 32;

/// An area in window pixels: left, top, and the exclusive right and bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Area {
    pub low: [u32; 2],
    pub high: [u32; 2],
}

impl Area {
    pub fn whole(size: [u32; 2]) -> Self {
        Self {
            low: [0; 2],
            high: size,
        }
    }

    /// Pixels that a rectangle touches, in a window of `size` pixels.
    fn around(low: [f32; 2], high: [f32; 2], size: [u32; 2]) -> Self {
        let pixel = |place: f32, axis: usize| (place.max(0.0) as u32).min(size[axis]);
        Self {
            low: [0, 1].map(|axis| pixel(low[axis].floor(), axis)),
            high: [0, 1].map(|axis| pixel(high[axis].ceil(), axis)),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.low[0] >= self.high[0] || self.low[1] >= self.high[1]
    }

    fn pixels(&self) -> u64 {
        let edges = [0, 1].map(|axis| u64::from(self.high[axis].saturating_sub(self.low[axis])));
        edges[0] * edges[1]
    }

    fn with(&self, other: &Self) -> Self {
        Self {
            low: [0, 1].map(|axis| self.low[axis].min(other.low[axis])),
            high: [0, 1].map(|axis| self.high[axis].max(other.high[axis])),
        }
    }

    pub fn within(&self, other: &Self) -> Self {
        Self {
            low: [0, 1].map(|axis| self.low[axis].max(other.low[axis])),
            high: [0, 1].map(|axis| self.high[axis].min(other.high[axis])),
        }
    }
}

/// A painted piece: its area, and a hash of its appearance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub area: Area,
    pub look: u64,
}

impl Piece {
    pub fn of(area: Area, look: impl Hash) -> Self {
        let mut hasher = DefaultHasher::new();
        look.hash(&mut hasher);
        Self {
            area,
            look: hasher.finish(),
        }
    }

    /// Pieces of one primitive of the panes, in a window of `size` pixels: its bands, from the top.
    pub fn of_panes(of: &egui::ClippedPrimitive, scale: f32, size: [u32; 2]) -> Vec<Self> {
        let clip = of.clip_rect * scale;
        // The painter of the panes rounds in the same way.
        let clip = Area::around(
            [clip.min.x.round(), clip.min.y.round()],
            [clip.max.x.round(), clip.max.y.round()],
            size,
        );
        match &of.primitive {
            Primitive::Mesh(mesh) => {
                let (first, end) = (clip.low[1] / BAND, clip.high[1].div_ceil(BAND).max(1));
                let band = |_| (egui::Rangef::NOTHING, DefaultHasher::new());
                let mut bands: Vec<_> = (first..end).map(band).collect();
                for corners in mesh.indices.chunks_exact(3) {
                    let corners = [0, 1, 2].map(|at| mesh.vertices[corners[at] as usize]);
                    let mut bounds = egui::Rect::NOTHING;
                    corners
                        .iter()
                        .for_each(|corner| bounds.extend_with(corner.pos * scale));
                    let rows = bounds.y_range();
                    let last = (rows.max.max(0.0) as u32 / BAND + 1).clamp(first, end);
                    let touched = (rows.min.max(0.0) as u32 / BAND).clamp(first, last)..last;
                    for band in touched {
                        let (columns, hasher) = &mut bands[(band - first) as usize];
                        columns.min = columns.min.min(bounds.min.x);
                        columns.max = columns.max.max(bounds.max.x);
                        bytemuck::bytes_of(&corners).hash(hasher);
                    }
                }
                let piece = |(band, (columns, hasher)): (u32, (egui::Rangef, DefaultHasher))| {
                    let rows = [band * BAND, (band + 1) * BAND];
                    let low = [columns.min.max(0.0), rows[0] as f32];
                    let area = Area::around(low, [columns.max, rows[1] as f32], size);
                    let look = (clip.low, clip.high, mesh.texture_id, hasher.finish());
                    Self::of(clip.within(&area), look)
                };
                (first..end).zip(bands).map(piece).collect()
            }
            Primitive::Callback(_) => vec![Self::of(clip, ())],
        }
    }
}

/// The last painting, from back to front.
#[derive(Default)]
pub(super) struct Painted(Vec<Piece>);

impl Painted {
    /// Stores the pieces painted now. Returns the changed areas, which do not overlap.
    pub fn follow(&mut self, now: Vec<Piece>, size: [u32; 2]) -> Vec<Area> {
        let before = std::mem::replace(&mut self.0, now);
        if before.is_empty() {
            return vec![Area::whole(size)];
        }
        let now = &self.0;
        let is_same = |(a, b): &(&Piece, &Piece)| a == b;
        // Lists of equal length are compared piece by piece. Otherwise everything between the equal ends has changed.
        let changed: Vec<&Piece> = if before.len() == now.len() {
            let both = before.iter().zip(now).filter(|both| !is_same(both));
            both.flat_map(|(a, b)| [a, b]).collect()
        } else {
            let shorter = before.len().min(now.len());
            let first = before.iter().zip(now).take_while(is_same).count();
            let last = before.iter().rev().zip(now.iter().rev());
            let last = last.take_while(is_same).count().min(shorter - first);
            let of = |pieces: &'_ Vec<Piece>| first..pieces.len() - last;
            before[of(&before)].iter().chain(&now[of(now)]).collect()
        };
        apart(changed.into_iter().map(|piece| piece.area))
    }
}

/// A small number of areas that cover the given ones and do not overlap.
fn apart(areas: impl Iterator<Item = Area>) -> Vec<Area> {
    let mut all = disjoint(areas);
    loop {
        let pairs = (1..all.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
        let between = |&(a, b): &(usize, usize)| {
            let apart = all[a].pixels() + all[b].pixels();
            all[a].with(&all[b]).pixels().saturating_sub(apart)
        };
        // Merges the areas with the smallest gap first.
        let nearest = pairs.min_by_key(between);
        let goes = |pair: &(usize, usize)| all.len() > MOST_AREAS || between(pair) == 0;
        let Some((a, b)) = nearest.filter(goes) else {
            return all;
        };
        let other = all.swap_remove(b);
        all[a] = all[a].with(&other);
        all = disjoint(all.into_iter());
    }
}

fn disjoint(areas: impl Iterator<Item = Area>) -> Vec<Area> {
    let mut all: Vec<Area> = Vec::new();
    for mut area in areas.filter(|area| !area.is_empty()) {
        while let Some(place) = all.iter().position(|other| !other.within(&area).is_empty()) {
            area = area.with(&all.swap_remove(place));
        }
        all.push(area);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: [u32; 2] = [100, 50];

    fn piece(low: [u32; 2], high: [u32; 2], look: u64) -> Piece {
        Piece {
            area: Area { low, high },
            look,
        }
    }

    #[test]
    fn only_what_looks_different_is_painted_again() {
        let one = piece([0, 0], [10, 10], 1);
        let two = piece([20, 0], [30, 10], 2);
        let three = piece([40, 0], [50, 10], 3);
        let mut painted = Painted::default();
        assert_eq!(
            painted.follow(vec![one, two, three], SIZE),
            [Area::whole(SIZE)]
        );
        assert!(painted.follow(vec![one, two, three], SIZE).is_empty());
        let other = Piece { look: 9, ..two };
        assert_eq!(painted.follow(vec![one, other, three], SIZE), [two.area]);
        assert_eq!(
            painted.follow(vec![one, three], SIZE),
            [two.area],
            "it is gone"
        );
        assert_eq!(
            painted.follow(vec![one, two, three], SIZE),
            [two.area],
            "it is back"
        );
        // A moved piece is painted at its old and at its new position.
        let moved = piece([60, 0], [70, 10], 2);
        assert_eq!(
            painted.follow(vec![one, moved, three], SIZE),
            [two.area, moved.area]
        );
        // Overlapping areas are merged.
        let wide = piece([55, 5], [65, 20], 2);
        let both = painted.follow(vec![one, wide, three], SIZE);
        assert_eq!(both, [moved.area.with(&wide.area)]);
    }

    #[test]
    fn of_a_pane_only_the_rows_are_painted_again_in_which_something_has_changed() {
        let pane = |places: [f32; 2], color| {
            let mut mesh = egui::Mesh::default();
            for place in places {
                let corner = egui::pos2(10.0, place);
                let text = egui::Rect::from_min_size(corner, egui::vec2(20.0, 8.0));
                mesh.add_colored_rect(text, color);
            }
            let clip_rect = egui::Rect::from_min_max(egui::Pos2::ZERO, egui::pos2(90.0, 400.0));
            let primitive = Primitive::Mesh(mesh);
            let pane = egui::ClippedPrimitive {
                clip_rect,
                primitive,
            };
            Piece::of_panes(&pane, 1.0, [100, 400])
        };
        let white = egui::Color32::WHITE;
        let mut painted = Painted::default();
        painted.follow(pane([4.0, 200.0], white), [100, 400]);
        let moved = painted.follow(pane([4.0, 300.0], white), [100, 400]);
        let rows: Vec<_> = moved
            .iter()
            .map(|area| [area.low[1], area.high[1]])
            .collect();
        assert_eq!(rows, [[192, 224], [288, 320]], "{moved:?}");
        assert!(
            moved
                .iter()
                .all(|area| area.low[0] == 10 && area.high[0] == 30)
        );
        let all = painted.follow(pane([4.0, 300.0], egui::Color32::RED), [100, 400]);
        assert_eq!(all.len(), 2, "{all:?}");
    }

    #[test]
    fn many_areas_become_a_few_that_cover_no_more_than_they_must() {
        let area = |x: u32, y: u32| Area {
            low: [x, y],
            high: [x + 2, y + 2],
        };
        // Two rows of five areas, far from each other.
        let all: Vec<Area> = (0..10).map(|at| area(at % 5 * 3, at / 5 * 40)).collect();
        let few = apart(all.iter().copied());
        let is_of_one_row = |area: &Area| area.high[1] - area.low[1] == 2;
        assert!(few.len() <= MOST_AREAS && few.iter().all(is_of_one_row));
        let is_covered = |of: &Area| few.iter().any(|area| of.within(area) == *of);
        assert!(all.iter().all(is_covered));
    }
}
