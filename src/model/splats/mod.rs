//! Gaussian splats read from files: which kind of file it is, and what every reader makes of one. Knows nothing of
//! scenes or of the GPU. docs/splats.md says which kinds are read and what their axes are.

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

/// The highest degree of spherical harmonics that is read.
pub const HIGHEST_DEGREE: u8 = 3;

/// Half a turn about x: from the axes of [`Splats`], whose y is down, to those of scenes, whose y is up.
pub const UPRIGHT: Quat = Quat::from_xyzw(1.0, 0.0, 0.0, 0.0);

/// The value of the first term of spherical harmonics, which is the same in all directions: 1 / (2 √π).
const CONSTANT_TERM: f32 = 0.282_094_79;

/// Gaussian splats of one file, as structure of arrays; index i of every array is splat i of the file.
///
/// Positions and rotations are in the units of the file and in the axes of INRIA's files: x to the right, y down and z
/// ahead of the camera that a scene was trained from. Readers of kinds with other axes turn what they read into these.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Splats {
    /// Where [`Splats::positions`] count from; not the file's own origin where splats are far away from that.
    pub origin: DVec3,
    /// From these axes to those of training, where the file's vertical axis is not its second.
    pub turn: Quat,
    /// Where the axes of the file point; the arrays have those of training, but for [`Splats::turn`].
    pub axes: Axes,
    /// How small ones were shown in training.
    pub filter: SplatFilter,
    /// Whether the colours are linear, and not those of photographs.
    pub is_linear: bool,
    /// Whether they are to be sorted by their distance from the eye, and not by depth.
    pub by_distance: bool,
    pub has_meshes: bool,
    /// What was left out or guessed, a line each, which does not name the file.
    pub remarks: Vec<String>,
    /// Which of the file's splats these are.
    pub numbers: Numbers,
    /// Centres, file space.
    pub positions: Vec<Vec3>,
    /// Unit quaternions, local axes to file space.
    pub rotations: Vec<Quat>,
    /// Standard deviations along the local axes, linear, in the file's units; 0 is a flat splat.
    pub scales: Vec<Vec3>,
    /// Opacity at the centre, 0 to 1.
    pub opacities: Vec<f32>,
    /// Degree of the spherical harmonics, 0 to [`HIGHEST_DEGREE`].
    pub degree: u8,
    /// `(degree + 1)²` coefficients (red, green, blue) of every splat, constant term first, in the order and with the
    /// signs of INRIA's files; the colour in a direction is 0.5 plus the sum of the terms.
    pub harmonics: Vec<Vec3>,
}

/// Which of a file's splats were read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Numbers {
    /// Every so many; 0 is all of them, as 1 is.
    pub every: u32,
    /// Those of these that were left out, in order, counted after that.
    pub left_out: Vec<u32>,
}

impl Numbers {
    /// The number in the file of a splat that was read.
    pub fn in_file(&self, index: u32) -> u32 {
        let mut before = 0;
        let mut after = self.left_out.len();
        // How many were left out before it grows with the number by at most as much.
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

    /// Checks what readers promise: arrays of one length, finite numbers, scales that are not negative, opacities from
    /// 0 to 1 and unit quaternions.
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

    /// What is wrong with a splat.
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

    /// Makes every array long enough for `count` splats altogether.
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

/// Coefficients of spherical harmonics up to a degree, per colour.
fn coefficients(degree: u8) -> usize {
    (usize::from(degree) + 1).pow(2)
}

/// What a splat takes in the arrays of [`Splats`], bytes.
fn bytes_of_splat(degree: u8) -> usize {
    let vectors = 2 + coefficients(degree);
    vectors * size_of::<Vec3>() + size_of::<Quat>() + size_of::<f32>()
}

#[derive(Clone, Copy, Default)]
pub struct How<'a> {
    /// Where its axes point, if not where it says or files of its kind have them.
    pub axes: Option<Axes>,
    /// How small Gaussians are shown, if not as it says.
    pub filter: Option<SplatFilter>,
    /// One of so many splats is read; 0 is all of them, as 1 is.
    pub keep_every: u32,
    /// The most bytes that one buffer of its splats may have on the GPU.
    pub largest: Option<u64>,
    /// Where the files are that it names.
    pub folder: Option<Folder<'a>>,
}

/// Vectors of four words that the harmonics of a splat take on the GPU, as half floats.
pub fn vectors_of(degree: u8) -> usize {
    (3 * coefficients(degree)).div_ceil(8)
}

/// Reads a splat file of any format; `name` is what messages call it. Beside the splats, reading takes less memory than
/// the file has bytes, and a few MiB. Splats that have no place, no size or no rotation are left out. Errors of `progress`
/// end the reading.
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

/// What a reader is asked for, and what it finds out beside the splats.
struct Reading<'a> {
    /// Who is told how far reading has come, and what was told last.
    listener: Listener<'a>,
    next: String,
    shown: u64,
    how: How<'a>,
    /// That of SPZ.
    version: u32,
    /// The comments of a PLY.
    words: String,
    /// The axes that the file itself names.
    said: Option<Axes>,
    /// How small Gaussians were shown in training, if the file says it.
    filter: Option<SplatFilter>,
    /// Positions that are finer than those of the splats; empty where none are.
    doubles: Vec<DVec3>,
    remarks: Vec<String>,
}

impl Reading<'_> {
    /// Tells of each of 64 parts of the work once; `done` of `all` bytes or rows are read.
    fn at(&mut self, done: u64, all: u64) -> Result<(), Fault> {
        let part = done.saturating_mul(64) / all.max(1);
        if part <= self.shown {
            return Ok(());
        }
        self.shown = part;
        let progress = Progress::step(self.next.clone(), done as usize, all as usize);
        (self.listener)(progress).map_err(Fault::Ended)
    }

    /// Says what was left out or guessed, once.
    fn remark(&mut self, line: impl Into<String>) {
        let line = line.into();
        if !self.remarks.contains(&line) {
            self.remarks.push(line);
        }
    }

    fn every(&self) -> usize {
        self.how.keep_every.max(1) as usize
    }

    /// No splats, with room for those of a file with `count`.
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
        // In the largest buffer that has something of each: as it stands in the scene or in the picture, or its harmonics.
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

    /// The wanted records of a block and their numbers, which start at `first`.
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

    /// How many of the first `count` splats are wanted.
    fn kept_of(&self, count: usize) -> usize {
        count.div_ceil(self.every())
    }
}

/// Reads a file by the reader of its kind.
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

/// Reads a PLY file: compressed if it has chunks, else as training writes it.
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

/// A quaternion of length one. One of length zero or that is not finite stays, and is left out in the end.
fn unit(quaternion: Quat) -> Quat {
    let largest = glam::Vec4::from(quaternion).abs().max_element();
    if !quaternion.is_finite() || largest == 0.0 {
        quaternion
    } else {
        // Divided first, so that no square is too large or too small.
        (quaternion * (1.0 / largest).min(f32::MAX)).normalize()
    }
}

/// All parts of a unit quaternion of which the largest, number `missing`, is left out.
fn completed(others: [f32; 3], missing: usize) -> [f32; 4] {
    let squares: f32 = others.iter().map(|part| part * part).sum();
    let largest = (1.0 - squares).max(0.0).sqrt();
    let mut others = others.into_iter();
    std::array::from_fn(|part| {
        let next = (part != missing).then(|| others.next());
        next.flatten().unwrap_or(largest)
    })
}

/// The opacity of a logit.
fn logistic(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}
