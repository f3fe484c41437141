//! Axes of splat files, and their conversion to the axes of training: x right, y down, z forward.

use std::fmt;
use std::str::FromStr;

use glam::{Mat3, Vec3};
use serde::{Deserialize, Serialize};

use crate::model::flag_value::read_and_written_as_text;
use crate::model::kind::SplatKind;

/// Directions of a file's x, y and z, each as the initial of `right`, `left`, `up`, `down`, `front` or `back`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Axes([u8; 3]);

/// Axes of training, and of PLY and most other files.
const OF_TRAINING: Axes = Axes(*b"rdf");
/// Axes of glTF, and of SPZ according to its specification.
const UPRIGHT: Axes = Axes(*b"rub");
/// z up, as in programs for surveying and architecture.
const Z_UP: Axes = Axes(*b"rfu");

impl Axes {
    /// Axes of a file, and true if the axes are a guess; `words` are the comments of the file.
    pub(super) fn of_file(kind: SplatKind, version: u32, words: &str) -> (Self, bool) {
        match kind {
            SplatKind::Ply => (
                words.lines().find_map(Self::said).unwrap_or(OF_TRAINING),
                false,
            ),
            SplatKind::Antimatter | SplatKind::Ksplat => (OF_TRAINING, false),
            SplatKind::Sog | SplatKind::SogMeta => (OF_TRAINING, false),
            SplatKind::Gltf => (UPRIGHT, false),
            // These are the axes of the specification and of the programs that wrote most files.
            SplatKind::Spz if version < 4 => (UPRIGHT, true),
            // splat-transform 3 and SuperSplat use the axes of PLY, and version 4 appeared together with them.
            SplatKind::Spz => (OF_TRAINING, true),
        }
    }

    /// Axes that a comment names, such as `Vertical Axis: z`, `up_axis = +Z` or `z-up`.
    fn said(comment: &str) -> Option<Self> {
        let lower = comment.to_lowercase().replace("-up", " up");
        let words = lower.split(|c: char| !c.is_alphanumeric() && c != '-');
        let fillers = ["", "-", "axis", "direction", "vector", "is", "the"];
        let words: Vec<&str> = words.filter(|word| !fillers.contains(word)).collect();
        let is_up = |word: &str| matches!(word, "up" | "upaxis" | "up-axis" | "vertical");
        words.windows(2).find_map(|pair| {
            let axis = match pair {
                [up, axis] | [axis, up] if is_up(up) => *axis,
                _ => return None,
            };
            Some(match axis {
                "z" => Z_UP,
                "-z" => Self(*b"rbd"),
                "y" => UPRIGHT,
                "-y" => OF_TRAINING,
                _ => return None,
            })
        })
    }

    /// Axes for a number in the SPZ extension that states the axes.
    pub(super) fn of_spz(number: u32) -> Option<Self> {
        const NAMES: [&[u8; 3]; 16] = [
            b"ldb", b"rdb", b"lub", b"rub", b"ldf", b"rdf", b"luf", b"ruf", b"lfd", b"rfd", b"lfu",
            b"rfu", b"lbd", b"rbd", b"lbu", b"rbu",
        ];
        let at = number.checked_sub(1)? as usize;
        NAMES.get(at).map(|name| Self(**name))
    }

    /// Common axes of files, in the order of [`Axes::next`], with descriptions.
    pub const COMMON: [(Self, &str); 3] = [
        (OF_TRAINING, "right, down, front: as in PLY"),
        (UPRIGHT, "right, up, back: as in glTF"),
        (Z_UP, "right, front, up"),
    ];

    /// The next common axes in a cycle: as in PLY, y up, z up.
    pub fn next(self) -> Self {
        let at = Self::COMMON.iter().position(|(axes, _)| *axes == self);
        Self::COMMON[at.map_or(0, |at| (at + 1) % Self::COMMON.len())].0
    }

    /// Matrix from a file's axes to the axes of training.
    pub(super) fn matrix(self) -> Mat3 {
        let [x, y, z] = self.0.map(|way| match way {
            b'l' => Vec3::NEG_X,
            b'u' => Vec3::NEG_Y,
            b'd' => Vec3::Y,
            b'f' => Vec3::Z,
            b'b' => Vec3::NEG_Z,
            _ => Vec3::X,
        });
        Mat3::from_cols(x, y, z)
    }
}

impl Default for Axes {
    fn default() -> Self {
        OF_TRAINING
    }
}

impl FromStr for Axes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let lower = text.to_ascii_lowercase();
        let wrong = || {
            format!(
                "`{text}` is not three axes: give the directions of x, y and z, such as rdf for right, down, front (as in PLY), \
                 rub for right, up, back, or rfu if z is up"
            )
        };
        let axes: [u8; 3] = lower.as_bytes().try_into().map_err(|_| wrong())?;
        let once = |pair: [u8; 2]| axes.iter().filter(|way| pair.contains(way)).count() == 1;
        match [*b"rl", *b"ud", *b"fb"].into_iter().all(once) {
            true => Ok(Self(axes)),
            false => Err(wrong()),
        }
    }
}

read_and_written_as_text!(Axes);

impl fmt::Display for Axes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.0))
    }
}
