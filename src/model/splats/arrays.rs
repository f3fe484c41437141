//! Gaussian splats as arrays, and the numbers that all readers share.

use glam::{DVec3, Quat, Vec3};

use super::axes::Axes;
use super::filter::SplatFilter;
use crate::model::files::{Fault, ensure};

pub const HIGHEST_DEGREE: u8 = 3;

/// Constant first term of spherical harmonics: 1 / (2 √π).
pub(super) const CONSTANT_TERM: f32 = 0.282_094_79;

/// Gaussian splats of one file, as a structure of arrays; index i of every array is splat i.
///
/// Positions and rotations are in the file's units and in the axes of INRIA's files: x right, y down and z forward
/// from the camera used for training. Readers of other kinds convert to these axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Splats {
    /// Origin of [`Splats::positions`]; differs from the file's own origin if the splats are far from it.
    pub origin: DVec3,
    /// Rotation from the axes of the arrays to those of training, if the file's vertical axis is not its second axis.
    pub turn: Quat,
    /// Axes of the file; the arrays use the axes of training, except for [`Splats::turn`].
    pub axes: Axes,
    /// Treatment of small splats during training.
    pub filter: SplatFilter,
    pub is_linear: bool,
    /// True if splats are sorted by distance from the eye instead of by depth.
    pub by_distance: bool,
    pub has_meshes: bool,
    /// Remarks on contents that were left out or guessed, a line each, without the name of the file.
    pub remarks: Vec<String>,
    pub numbers: Numbers,
    /// Centres in file space.
    pub positions: Vec<Vec3>,
    /// Unit quaternions that rotate local axes to file space.
    pub rotations: Vec<Quat>,
    /// Standard deviations along the local axes, linear, in the file's units; 0 for a flat splat.
    pub scales: Vec<Vec3>,
    /// Opacity at the centre, 0 to 1.
    pub opacities: Vec<f32>,
    /// Degree of the spherical harmonics, 0 to [`HIGHEST_DEGREE`].
    pub degree: u8,
    /// `(degree + 1)²` coefficients (red, green, blue) per splat, constant term first, in the order and with the signs
    /// of INRIA's files; the colour in a direction is 0.5 plus the sum of the terms.
    pub harmonics: Vec<Vec3>,
}

/// Indices that the splats have in the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Numbers {
    /// Subsampling to every nth splat; 0 and 1 mean all.
    pub every: u32,
    /// Indices of splats left out, in ascending order, counted after subsampling.
    pub left_out: Vec<u32>,
}

impl Numbers {
    /// Index in the file of a splat that was read.
    pub fn in_file(&self, index: u32) -> u32 {
        let mut before = 0;
        let mut after = self.left_out.len();
        // The number of splats left out grows at most as fast as the index.
        while before < after {
            let middle = before.midpoint(after);
            match self.left_out[middle] - middle as u32 <= index {
                true => before = middle + 1,
                false => after = middle,
            }
        }
        (index + before as u32).saturating_mul(self.every.max(1))
    }
}

impl Splats {
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    pub fn coefficients(&self) -> usize {
        coefficients(self.degree)
    }

    pub fn bytes(&self) -> u64 {
        (self.len() * bytes_of_splat(self.degree)) as u64
    }

    /// Checks that arrays have equal lengths, and that all values are finite and in range.
    pub fn check(&self) -> Result<(), String> {
        let count = self.len();
        ensure!(
            self.degree <= HIGHEST_DEGREE,
            "harmonics of degree {}; {HIGHEST_DEGREE} is the highest",
            self.degree
        );
        let coefficients = self.coefficients();
        let lengths = [
            ("rotations", self.rotations.len(), count),
            ("scales", self.scales.len(), count),
            ("opacities", self.opacities.len(), count),
            ("harmonics", self.harmonics.len(), count * coefficients),
        ];
        for (what, length, expected) in lengths {
            ensure!(length == expected, "{length} {what} for {count} splats");
        }
        let broken = (0..count).find_map(|index| Some((index, self.fault_of(index)?)));
        match broken {
            Some((index, fault)) => Err(format!("splat {index} has {fault}")),
            None => Ok(()),
        }
    }

    pub(super) fn fault_of(&self, index: usize) -> Option<&'static str> {
        let (scale, rotation) = (self.scales[index], self.rotations[index]);
        let coefficients = self.coefficients();
        let harmonics = &self.harmonics[index * coefficients..][..coefficients];
        let is_finite = self.positions[index].is_finite()
            && scale.is_finite()
            && rotation.is_finite()
            && !self.opacities[index].is_nan()
            && harmonics.iter().all(|term| term.is_finite());
        if !is_finite {
            Some("values that are not finite")
        } else if !rotation.is_normalized() {
            Some("no rotation")
        } else if scale.min_element() < 0.0 {
            Some("negative scales")
        } else if !(0.0..=1.0).contains(&self.opacities[index]) {
            Some("opacities that are not from 0 to 1")
        } else {
            None
        }
    }

    pub(super) fn make_room(&mut self, count: usize) -> Result<(), Fault> {
        fn grow<T>(array: &mut Vec<T>, count: usize) -> bool {
            let more = count.saturating_sub(array.len());
            array.try_reserve_exact(more).is_ok()
        }
        let is_there = grow(&mut self.positions, count)
            && grow(&mut self.rotations, count)
            && grow(&mut self.scales, count)
            && grow(&mut self.opacities, count)
            && grow(
                &mut self.harmonics,
                count.saturating_mul(coefficients(self.degree)),
            );
        let bytes = (count as u64).saturating_mul(bytes_of_splat(self.degree) as u64);
        let size = bytes >> 20;
        ensure!(
            is_there,
            "its {count} splats take {size} MiB, more than the available memory"
        );
        Ok(())
    }
}

/// Number of coefficients of spherical harmonics up to a degree, per colour.
pub(super) fn coefficients(degree: u8) -> usize {
    (usize::from(degree) + 1).pow(2)
}

fn bytes_of_splat(degree: u8) -> usize {
    let vectors = 2 + coefficients(degree);
    vectors * size_of::<Vec3>() + size_of::<Quat>() + size_of::<f32>()
}

/// Number of four-word vectors that hold a splat's harmonics on the GPU, as half floats.
pub fn vectors_of(degree: u8) -> usize {
    (3 * coefficients(degree)).div_ceil(8)
}

/// A quaternion normalised to length one. Zero and non-finite quaternions stay unchanged and are dropped later.
pub(super) fn unit(quaternion: Quat) -> Quat {
    let largest = glam::Vec4::from(quaternion).abs().max_element();
    if !quaternion.is_finite() || largest == 0.0 {
        quaternion
    } else {
        // Dividing first avoids overflow and underflow of the squares.
        (quaternion * (1.0 / largest).min(f32::MAX)).normalize()
    }
}

/// Completes a unit quaternion that lacks its largest component, number `missing`.
pub(super) fn completed(others: [f32; 3], missing: usize) -> [f32; 4] {
    let squares: f32 = others.iter().map(|part| part * part).sum();
    let largest = (1.0 - squares).max(0.0).sqrt();
    let mut others = others.into_iter();
    std::array::from_fn(|part| {
        let next = (part != missing).then(|| others.next());
        next.flatten().unwrap_or(largest)
    })
}

pub(super) fn logistic(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}
