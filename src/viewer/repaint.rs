//! What of the window has changed since it was painted last: a CPU adapter paints only that, because every pixel costs it. Pure.

use std::hash::{DefaultHasher, Hash, Hasher};

use egui::epaint::Primitive;

/// Areas that are painted apart, at most.
const MOST_AREAS: usize = 6;

/// Pixels of the window: left, top, and the first ones to the right of them and below.
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

    /// The pixels that a rectangle touches, in a window of `size`.
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

/// Something that is painted: where, and a number that is another one when it looks different.
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

    /// A piece of the panes, in a window of so many pixels.
    pub fn of_panes(of: &egui::ClippedPrimitive, scale: f32, size: [u32; 2]) -> Self {
        let clip = of.clip_rect * scale;
        // As the painter of the panes rounds it.
        let clip = Area::around(
            [clip.min.x.round(), clip.min.y.round()],
            [clip.max.x.round(), clip.max.y.round()],
            size,
        );
        match &of.primitive {
            Primitive::Mesh(mesh) => {
                let bounds = mesh.calc_bounds() * scale;
                let bounds = Area::around(bounds.min.into(), bounds.max.into(), size);
                let vertices: &[u8] = bytemuck::cast_slice(&mesh.vertices);
                let look = (
                    clip.low,
                    clip.high,
                    mesh.texture_id,
                    vertices,
                    &mesh.indices,
                );
                Self::of(clip.within(&bounds), look)
            }
            Primitive::Callback(_) => Self::of(clip, ()),
        }
    }
}

/// What was painted last, from back to front.
#[derive(Default)]
pub(super) struct Painted(Vec<Piece>);

impl Painted {
    /// Takes over the pieces that are painted now. Returns the areas in which they look different, which do not overlap.
    pub fn follow(&mut self, now: Vec<Piece>, size: [u32; 2]) -> Vec<Area> {
        let before = std::mem::replace(&mut self.0, now);
        if before.is_empty() {
            return vec![Area::whole(size)];
        }
        let now = &self.0;
        let is_same = |(a, b): &(&Piece, &Piece)| a == b;
        // Pieces of equal lists are compared one by one; of others what stands between equal ones counts as changed.
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

/// Areas that cover these and do not overlap.
fn apart(areas: impl Iterator<Item = Area>) -> Vec<Area> {
    let mut all: Vec<Area> = Vec::new();
    for mut area in areas.filter(|area| !area.is_empty()) {
        while let Some(place) = all.iter().position(|other| !other.within(&area).is_empty()) {
            area = area.with(&all.swap_remove(place));
        }
        all.push(area);
    }
    if all.len() > MOST_AREAS {
        let union = all.iter().copied().reduce(|a, b| a.with(&b));
        return union.into_iter().collect();
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
        // Something that moves is painted where it was and where it is.
        let moved = piece([60, 0], [70, 10], 2);
        assert_eq!(
            painted.follow(vec![one, moved, three], SIZE),
            [two.area, moved.area]
        );
        // Areas that overlap are one.
        let wide = piece([55, 5], [65, 20], 2);
        let both = painted.follow(vec![one, wide, three], SIZE);
        assert_eq!(both, [moved.area.with(&wide.area)]);
    }
}
