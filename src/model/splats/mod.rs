//! Gaussian splats read from files: which kind of file it is, and what every reader makes of one. Knows nothing of
//! scenes or of the GPU. docs/splats.md says which kinds are read and what their axes are.

mod antimatter;
mod compressed;
mod inria;
mod ply;
mod records;
mod spz;

use std::io::BufRead;
use std::path::Path;

use glam::{Quat, Vec3};

use crate::error::{Error, Result};
use crate::model::files::Opened;
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
    /// Centres, file space.
    pub positions: Vec<Vec3>,
    /// Unit quaternions, local axes to file space. A file's quaternion of length zero is the identity here.
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

impl Splats {
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Coefficients of the spherical harmonics that every splat has.
    pub fn coefficients(&self) -> usize {
        coefficients(self.degree)
    }

    /// What all the arrays hold together, bytes.
    pub fn bytes(&self) -> u64 {
        (self.len() * bytes_of_splat(self.degree)) as u64
    }

    /// Checks what readers promise: arrays of one length, finite numbers, scales that are not negative, opacities from
    /// 0 to 1 and unit quaternions.
    ///
    /// # Errors
    /// The first splat that violates this, by its index, and the value.
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
        for index in 0..count {
            let wrong = |what: &str, value: &dyn std::fmt::Display| {
                Err(format!("splat {index} has {what} of {value}"))
            };
            if !self.positions[index].is_finite() {
                return wrong("a position", &self.positions[index]);
            }
            let scale = self.scales[index];
            if !scale.is_finite() {
                return wrong("scales", &scale);
            }
            if scale.min_element() < 0.0 {
                return wrong("negative scales", &scale);
            }
            let rotation = self.rotations[index];
            if !rotation.is_finite() {
                return wrong("a rotation", &rotation);
            }
            if !rotation.is_normalized() {
                return wrong("a rotation that is not a unit quaternion", &rotation);
            }
            let opacity = self.opacities[index];
            if !(0.0..=1.0).contains(&opacity) {
                return wrong("an opacity", &opacity);
            }
            let start = index * coefficients;
            let harmonics = &self.harmonics[start..start + coefficients];
            if let Some(term) = harmonics.iter().position(|term| !term.is_finite()) {
                let what = format!("a coefficient {term} of its colour");
                return wrong(&what, &harmonics[term]);
            }
        }
        Ok(())
    }

    /// No splats of a degree, with room for `count`, or that there is not as much memory.
    fn with_room(count: usize, degree: u8) -> Result<Self, Fault> {
        let mut splats = Self {
            degree,
            ..Self::default()
        };
        splats.make_room(count)?;
        Ok(splats)
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
            "its {count} splats take {} MiB, more memory than there is",
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

/// Reads a splat file of any format; `name` is what messages call it. Beside the splats, reading takes less memory than
/// the file has bytes, and a few MiB.
///
/// # Errors
/// The file cannot be read, is of no kind that is known, or is not what its kind asks for; the message names the file
/// and the place in it. Nothing is returned of a file that is wrong anywhere. Errors of `progress` end the reading and
/// are passed on.
pub fn read(mut file: Opened, name: &str, progress: Listener) -> Result<Splats> {
    let mut told = Told {
        listener: progress,
        next: format!("read {name}"),
        shown: 0,
    };
    let file = File {
        bytes: &mut file.bytes,
        length: file.length,
        name,
    };
    let splats = of_kind(file, &mut told).and_then(|splats| match splats.check() {
        Ok(()) => Ok(splats),
        Err(reason) => Err(Fault::Bad(reason)),
    });
    splats.map_err(|fault| match fault {
        Fault::Bad(reason) => Error::usage(format!("{name}: {reason}")),
        Fault::Ended(error) => error,
    })
}

/// An open file: its bytes, how many there are, and its name.
struct File<'a> {
    bytes: &'a mut dyn BufRead,
    length: u64,
    name: &'a str,
}

/// Why reading ended.
enum Fault {
    /// The file is wrong; in words that do not name it.
    Bad(String),
    /// Whoever is told of the progress wants no more of it.
    Ended(Error),
}

impl Fault {
    fn bad(reason: impl Into<String>) -> Self {
        Self::Bad(reason.into())
    }
}

/// Who is told how far reading has come, and what was told last.
struct Told<'a> {
    listener: Listener<'a>,
    next: String,
    shown: u64,
}

impl Told<'_> {
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
}

/// Reads a file by the reader of its kind. What a file begins with decides, and for `.splat`, which begins with
/// nothing in particular, its name.
fn of_kind(file: File, told: &mut Told) -> Result<Splats, Fault> {
    let is_splat = Path::new(file.name)
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("splat"));
    let start = file.bytes.fill_buf();
    let start = start.map_err(|error| Fault::bad(error.to_string()))?;
    match start {
        [] => Err(Fault::bad("it is empty")),
        [b'p', b'l', b'y', b'\n' | b'\r', ..] => of_ply(file, told),
        _ if start.starts_with(&spz::MAGIC) => spz::read_streams(file, told),
        _ if is_splat => antimatter::read(file, told),
        [0x1f, 0x8b, ..] => spz::read_gzip(file, told),
        _ => Err(Fault::bad(
            "it is not a known splat file; PLY (from training, or compressed), .splat and .spz can be read",
        )),
    }
}

/// Reads a PLY file: compressed if it has chunks, else as training writes it.
fn of_ply(file: File, told: &mut Told) -> Result<Splats, Fault> {
    let (elements, mut rows) = ply::open(file)?;
    let splats = if elements.iter().any(|element| element.name == "chunk") {
        compressed::read(&elements, &mut rows, told)
    } else {
        inria::read(&elements, &mut rows, told)
    }?;
    rows.end(elements.len())?;
    Ok(splats)
}

/// A quaternion of length one, or the identity for one of length zero. One that is not finite stays, to be found by
/// [`Splats::check`].
fn unit(quaternion: Quat) -> Quat {
    let largest = glam::Vec4::from(quaternion).abs().max_element();
    if !quaternion.is_finite() {
        quaternion
    } else if largest == 0.0 {
        Quat::IDENTITY
    } else {
        // Divided first, so that no square is too large or too small.
        (quaternion * (1.0 / largest).min(f32::MAX)).normalize()
    }
}

/// The opacity of a logit.
fn logistic(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}
