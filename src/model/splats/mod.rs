//! Gaussian splats read from files: dispatch by kind of file, and the common result. Independent of scenes and the
//! GPU. docs/splats.md lists the kinds and their axes.

mod antimatter;
mod axes;
mod compressed;
mod filter;
mod finish;
mod gltf;
mod harmonics;
mod inria;
mod ksplat;
mod ply;
mod records;
mod sog;
mod spz;

use glam::{DVec3, Quat, Vec3};

pub use axes::Axes;
pub use filter::SplatFilter;

use crate::error::Result;
use crate::model::files::{Fault, Folder, Opened};
use crate::model::kind::{Kind, READABLE, RECORD, SplatKind, kind_at_start};
use crate::model::layout::Gaussian;
use crate::progress::{Listener, Progress};

/// Highest degree of spherical harmonics read.
pub const HIGHEST_DEGREE: u8 = 3;

/// Half a turn about x: from the axes of [`Splats`], with y down, to those of scenes, with y up.
pub const UPRIGHT: Quat = Quat::from_xyzw(1.0, 0.0, 0.0, 0.0);

/// Constant first term of spherical harmonics: 1 / (2 √π).
const CONSTANT_TERM: f32 = 0.282_094_79;

/// Gaussian splats of one file, as a structure of arrays; index i of every array is splat i.
///
/// Positions and rotations are in the file's units and in the axes of INRIA's files: x right, y down and z forward
/// from the camera used for training. Readers of other kinds convert to these axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Splats {
    /// Origin of [`Splats::positions`]; differs from the file's own if splats are far from that.
    pub origin: DVec3,
    /// Rotation from these axes to those of training, if the file's vertical axis is not its second.
    pub turn: Quat,
    /// Axes of the file; the arrays have those of training, except for [`Splats::turn`].
    pub axes: Axes,
    /// Treatment of small ones in training.
    pub filter: SplatFilter,
    /// True if the colours are linear instead of photographic.
    pub is_linear: bool,
    /// True to sort by distance from the eye instead of depth.
    pub by_distance: bool,
    pub has_meshes: bool,
    /// Contents that were left out or guessed, a line each, without the file's name.
    pub remarks: Vec<String>,
    /// File indices of these splats.
    pub numbers: Numbers,
    /// Centres, file space.
    pub positions: Vec<Vec3>,
    /// Unit quaternions, local axes to file space.
    pub rotations: Vec<Quat>,
    /// Standard deviations along the local axes, linear, in the file's units; 0 for a flat splat.
    pub scales: Vec<Vec3>,
    /// Opacity at the centre, 0 to 1.
    pub opacities: Vec<f32>,
    /// Degree of the spherical harmonics, 0 to [`HIGHEST_DEGREE`].
    pub degree: u8,
    /// `(degree + 1)²` coefficients (red, green, blue) of every splat, constant term first, in the order and with the
    /// signs of INRIA's files; the colour in a direction is 0.5 plus the sum of the terms.
    pub harmonics: Vec<Vec3>,
}

/// Indices of the splats that were read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Numbers {
    /// Every nth splat; 0 and 1 mean all.
    pub every: u32,
    /// Indices left out, in order, counted after subsampling.
    pub left_out: Vec<u32>,
}

impl Numbers {
    /// File index of a splat that was read.
    pub fn in_file(&self, index: u32) -> u32 {
        let mut before = 0;
        let mut after = self.left_out.len();
        // The count of omitted ones grows at most as fast as the index.
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

    /// Checks the guarantees of readers: arrays of equal length, finite numbers, no negative scales, opacities from 0
    /// to 1, and unit quaternions.
    pub fn check(&self) -> Result<(), String> {
        let count = self.len();
        if self.degree > HIGHEST_DEGREE {
            return Err(format!(
                "harmonics of degree {}; {HIGHEST_DEGREE} is the highest",
                self.degree
            ));
        }
        let coefficients = self.coefficients();
        let lengths = [
            ("rotations", self.rotations.len(), count),
            ("scales", self.scales.len(), count),
            ("opacities", self.opacities.len(), count),
            ("harmonics", self.harmonics.len(), count * coefficients),
        ];
        for (what, length, expected) in lengths {
            if length != expected {
                return Err(format!("{length} {what} for {count} splats"));
            }
        }
        let broken = (0..count).find_map(|index| Some((index, self.fault_of(index)?)));
        match broken {
            Some((index, fault)) => Err(format!("splat {index} has {fault}")),
            None => Ok(()),
        }
    }

    /// Fault of a splat, if any.
    fn fault_of(&self, index: usize) -> Option<&'static str> {
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

    /// Reserves room for `count` splats in every array.
    fn make_room(&mut self, count: usize) -> Result<(), Fault> {
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
        if is_there {
            return Ok(());
        }
        let bytes = (count as u64).saturating_mul(bytes_of_splat(self.degree) as u64);
        Err(Fault::bad(format!(
            "its {count} splats take {} MiB, more than the available memory",
            bytes >> 20
        )))
    }
}

/// Number of coefficients of spherical harmonics up to a degree, per colour.
fn coefficients(degree: u8) -> usize {
    (usize::from(degree) + 1).pow(2)
}

/// Bytes of a splat in the arrays of [`Splats`].
fn bytes_of_splat(degree: u8) -> usize {
    let vectors = 2 + coefficients(degree);
    vectors * size_of::<Vec3>() + size_of::<Quat>() + size_of::<f32>()
}

#[derive(Clone, Copy, Default)]
pub struct How<'a> {
    /// Axes; by default as the file says, or as usual for its kind.
    pub axes: Option<Axes>,
    /// Treatment of small Gaussians; by default as the file says.
    pub filter: Option<SplatFilter>,
    /// Reads every nth splat; 0 and 1 mean all.
    pub keep_every: u32,
    /// Maximum bytes of a GPU buffer of splats.
    pub largest: Option<u64>,
    /// Folder of the files that it names.
    pub folder: Option<Folder<'a>>,
}

/// Vectors of four words for a splat's harmonics on the GPU, as half floats.
pub fn vectors_of(degree: u8) -> usize {
    (3 * coefficients(degree)).div_ceil(8)
}

/// Reads a splat file of any format; `name` identifies it in messages. In addition to the splats, this takes less
/// memory than the file's size plus a few MiB. Leaves out splats without position, size or rotation. Errors of
/// `progress` end the reading.
pub fn read(file: Opened, name: &str, how: How, progress: Listener) -> Result<Splats> {
    let mut reading = Reading {
        listener: progress,
        next: format!("read {name}"),
        shown: 0,
        how,
        version: 0,
        words: String::new(),
        said: None,
        filter: None,
        doubles: Vec::new(),
        remarks: Vec::new(),
    };
    of_kind(file, name, &mut reading).map_err(|fault| fault.of_file(name))
}

/// Request to a reader, and its findings about the file.
struct Reading<'a> {
    /// Progress listener, and the last report.
    listener: Listener<'a>,
    next: String,
    shown: u64,
    how: How<'a>,
    /// Version of an SPZ.
    version: u32,
    /// Comments of a PLY.
    words: String,
    /// Axes named by the file itself.
    said: Option<Axes>,
    /// Treatment of small Gaussians in training, if stated.
    filter: Option<SplatFilter>,
    /// Positions in double precision; empty if not needed.
    doubles: Vec<DVec3>,
    remarks: Vec<String>,
}

impl Reading<'_> {
    /// Reports each of 64 steps of the work once; `done` of `all` bytes or rows are read.
    fn at(&mut self, done: u64, all: u64) -> Result<(), Fault> {
        let part = done.saturating_mul(64) / all.max(1);
        if part <= self.shown {
            return Ok(());
        }
        self.shown = part;
        let progress = Progress::step(self.next.clone(), done as usize, all as usize);
        (self.listener)(progress).map_err(Fault::Ended)
    }

    /// Adds a remark on something left out or guessed, once.
    fn remark(&mut self, line: impl Into<String>) {
        let line = line.into();
        if !self.remarks.contains(&line) {
            self.remarks.push(line);
        }
    }

    fn every(&self) -> usize {
        self.how.keep_every.max(1) as usize
    }

    /// Empty splats with room for a file of `count`.
    fn room(&self, count: usize, degree: u8) -> Result<Splats, Fault> {
        self.check_count(count, degree)?;
        let mut splats = Splats {
            degree,
            ..Splats::default()
        };
        splats.make_room(self.kept_of(count))?;
        Ok(splats)
    }

    fn check_count(&self, count: usize, degree: u8) -> Result<(), Fault> {
        if count == 0 {
            return Err(Fault::bad("it holds no splats"));
        }
        let Some(largest) = self.how.largest else {
            return Ok(());
        };
        let kept = self.kept_of(count) as u64;
        // Largest buffer per splat: placed in the scene, projected, or its harmonics.
        let each = size_of::<Gaussian>().max(size_of::<[u32; 4]>() * vectors_of(degree));
        let fit = largest / each as u64;
        if kept <= fit || fit == 0 {
            return Ok(());
        }
        let every = (count as u64).div_ceil(fit);
        Err(Fault::bad(format!(
            "{kept} Gaussians are more than this adapter can hold: its buffer limit of {largest} bytes allows {fit} of \
             these; --keep-every {every} shows {}",
            (count as u64).div_ceil(every)
        )))
    }

    fn keeps(&self, index: usize) -> bool {
        index.is_multiple_of(self.every())
    }

    /// Wanted records of a block with their indices, which start at `first`.
    fn kept<'a>(
        &self,
        first: usize,
        block: &'a [u8],
        size: usize,
    ) -> impl Iterator<Item = (usize, &'a [u8])> + use<'a> {
        let every = self.every();
        let numbered = (first..).zip(block.chunks_exact(size));
        numbered.filter(move |(number, _)| number.is_multiple_of(every))
    }

    /// Number of wanted splats among the first `count`.
    fn kept_of(&self, count: usize) -> usize {
        count.div_ceil(self.every())
    }
}

/// Reads a file with the reader for its kind.
fn of_kind(mut file: Opened, name: &str, reading: &mut Reading) -> Result<Splats, Fault> {
    let unread = |error: std::io::Error| Fault::bad(error.to_string());
    let kind = match kind_at_start(&mut file, name).map_err(unread)? {
        Kind::Splats(kind) => kind,
        Kind::Model => return Err(Fault::bad("it is a model without Gaussian splats")),
        Kind::Scene => return Err(Fault::bad(format!("it is text; {READABLE}"))),
        Kind::Record => return Err(Fault::bad(RECORD)),
        Kind::Other(reason) => return Err(Fault::Bad(reason)),
    };
    let start = file.bytes.fill_buf().map_err(unread)?;
    let splats = match kind {
        SplatKind::Ply => of_ply(file, reading),
        SplatKind::Spz if start.starts_with(&spz::MAGIC) => spz::read_streams(file, reading),
        SplatKind::Spz => spz::read_gzip(file, reading),
        SplatKind::Antimatter => antimatter::read(file, reading),
        SplatKind::Sog => sog::read_zip(file, reading),
        SplatKind::SogMeta => sog::read_meta(file, reading),
        SplatKind::Ksplat => ksplat::read(file, reading),
        SplatKind::Gltf => gltf::read(file, reading),
    }?;
    finish::finish(splats, kind, reading)
}

/// Reads a PLY file: compressed if it has chunks, otherwise that of training.
fn of_ply(file: Opened, reading: &mut Reading) -> Result<Splats, Fault> {
    let (elements, mut rows, comments) = ply::open(file)?;
    reading.filter = SplatFilter::of_comments(&comments);
    reading.words = comments;
    if elements.iter().any(|element| element.name == "chunk") {
        compressed::read(&elements, &mut rows, reading)
    } else {
        inria::read(&elements, &mut rows, reading)
    }
}

/// A quaternion normalised to length one. Zero or non-finite ones stay, to be dropped later.
fn unit(quaternion: Quat) -> Quat {
    let largest = glam::Vec4::from(quaternion).abs().max_element();
    if !quaternion.is_finite() || largest == 0.0 {
        quaternion
    } else {
        // Divided first, to avoid overflow and underflow of squares.
        (quaternion * (1.0 / largest).min(f32::MAX)).normalize()
    }
}

/// Completes a unit quaternion without its largest component, number `missing`.
fn completed(others: [f32; 3], missing: usize) -> [f32; 4] {
    let squares: f32 = others.iter().map(|part| part * part).sum();
    let largest = (1.0 - squares).max(0.0).sqrt();
    let mut others = others.into_iter();
    std::array::from_fn(|part| {
        let next = (part != missing).then(|| others.next());
        next.flatten().unwrap_or(largest)
    })
}

/// Opacity of a logit.
fn logistic(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}
