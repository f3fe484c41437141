//! Gaussians in world space, as the GPU reads them. Independent of files and scenes.

use std::fmt;

use glam::DVec3;
use serde::Serialize;

use crate::model::layout::{Gaussian, SplatSet};
use crate::model::splats::{Axes, Numbers, SplatFilter, vectors_of};

#[derive(Debug, Default, PartialEq)]
pub struct PlacedSplats {
    /// Splats set by set, each set in file order.
    pub gaussians: Vec<Gaussian>,
    /// One set per file.
    pub sets: Vec<SplatSet>,
    /// Indices that each set's splats have in the file.
    pub numbers: Vec<Numbers>,
    pub is_linear: bool,
    /// True if every file requests sorting by distance from the eye.
    pub by_distance: bool,
    /// True if the first file also contains triangles and is not moved.
    pub has_meshes: bool,
    pub axes: Vec<Axes>,
    /// Remarks on contents of the files that were left out or guessed, a line each.
    pub remarks: Vec<String>,
    /// Position of the first far-away file, which becomes the origin of all such files.
    pub(super) far: DVec3,
    /// Harmonics in half floats, two to a word: [`vectors_of`] vectors of words per splat.
    pub harmonics: Vec<[u32; 4]>,
}

impl PlacedSplats {
    pub fn count(&self) -> u32 {
        u32::try_from(self.gaussians.len()).unwrap_or(u32::MAX)
    }

    /// Every nth Gaussian of each file, enlarged by √n so that together they still cover the same surface.
    pub fn every(&self, n: u32) -> Self {
        let mut few = Self {
            is_linear: self.is_linear,
            by_distance: self.by_distance,
            has_meshes: self.has_meshes,
            far: self.far,
            ..Self::default()
        };
        for (index, set) in self.sets.iter().enumerate() {
            let each = vectors_of(u8::try_from(set.degree).unwrap_or(u8::MAX));
            few.sets.push(SplatSet {
                first: few.count(),
                vectors: few.harmonics.len() as u32,
                ..*set
            });
            let count = self.of_set(index).map_or(0, |(count, _)| count);
            for number in (0..count).step_by(n.max(1) as usize) {
                let mut gaussian = self.gaussians[(set.first + number) as usize];
                gaussian.scales = gaussian.scales.map(|scale| scale * (n as f32).sqrt());
                few.gaussians.push(gaussian);
                let vectors = set.vectors as usize + number as usize * each;
                few.harmonics
                    .extend_from_slice(&self.harmonics[vectors..][..each]);
            }
        }
        few
    }

    /// Treatment of small splats of a file; `None` if there is no such file.
    pub fn filter_of(&self, set: usize) -> Option<SplatFilter> {
        let set = self.sets.get(set)?;
        Some(match set.mip {
            0 => SplatFilter::Classic,
            _ => SplatFilter::Mip,
        })
    }

    /// Number of splats of a file, and their size in bytes in memory and on the GPU; `None` if there is no such file.
    pub fn of_set(&self, set: usize) -> Option<(u32, u64)> {
        let first = self.sets.get(set)?.first;
        let next = self.sets.get(set + 1).map_or(self.count(), |set| set.first);
        let degree = u8::try_from(self.sets[set].degree).unwrap_or(u8::MAX);
        let each = size_of::<Gaussian>() + size_of::<[u32; 4]>() * vectors_of(degree);
        let count = next.saturating_sub(first);
        Some((count, u64::from(count) * each as u64))
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Splatted {
    pub file: String,
    pub index: u32,
    /// World space, metres.
    pub position: [f32; 3],
    /// Standard deviations along the splat's own axes, metres.
    pub scales: [f32; 3],
    /// Opacity at the centre, 0…1.
    pub opacity: f32,
}

impl fmt::Display for Splatted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (index, file, opacity) = (self.index, &self.file, self.opacity);
        let ([x, y, z], [a, b, c]) = (self.position, self.scales);
        write!(
            f,
            "splat {index} of {file}: at {x:.4},{y:.4},{z:.4} m, scales {a:.4e},{b:.4e},{c:.4e} m, opacity {opacity:.4}"
        )
    }
}
