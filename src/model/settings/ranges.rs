//! Ranges of all settings, and messages for values outside their ranges, shared by flags and files.

use glam::Vec3;

use crate::error::{Error, Result};
use crate::model::options::{Fields, FrameOptions, Options};
use crate::model::scene::{Checked as _, Factors, MOST_SLICES, Viewpoint};

/// Default frame size in pixels, x and y.
pub const SIZE: [u32; 2] = [1280, 720];

/// Times beyond this, in seconds, are too coarse in f32 for smooth motion.
const MOST_TIME: f32 = 1e5;
const MOST_FACTOR: f32 = 16.0;

/// Naming of values in messages: as a flag, or as a field of a file.
#[derive(Clone, Copy)]
pub enum Words {
    /// `--fog-slices`.
    Flags,
    /// `fog_slices`.
    Fields,
}

pub(super) fn splits_tile(pixels: u32, frame: &FrameOptions) -> bool {
    pixels.is_power_of_two() && pixels <= frame.pixels_of_tile()
}

pub(super) fn divisors_of_tile(frame: &FrameOptions) -> String {
    let most = frame.pixels_of_tile();
    format!("a power of two from 1 to {most} (the pixels of a tile)")
}

impl Words {
    pub(super) fn wrong(self, field: &str, value: impl std::fmt::Display, allowed: &str) -> Error {
        let name = match self {
            Words::Flags => format!("--{}", field.replace('_', "-")),
            Words::Fields => field.to_owned(),
        };
        Error::usage(format!("{name} {value}: must be {allowed}"))
    }

    fn demand(
        self,
        holds: bool,
        field: &str,
        value: impl std::fmt::Display,
        allowed: &str,
    ) -> Result<()> {
        let fault = || self.wrong(field, value, allowed);
        holds.then_some(()).ok_or_else(fault)
    }

    pub(super) fn size(self, [width, height]: [u32; 2]) -> Result<()> {
        let value = format_args!("{width}x{height}");
        let holds = width > 0 && height > 0;
        self.demand(holds, "size", value, "at least 1 pixel each way")
    }

    pub(super) fn time(self, time: f32) -> Result<()> {
        let holds = (-MOST_TIME..=MOST_TIME).contains(&time);
        let allowed = format!("-{MOST_TIME} to {MOST_TIME} seconds");
        self.demand(holds, "time", time, &allowed)
    }

    pub(super) fn fog_slices(self, slices: u32) -> Result<()> {
        let allowed = format!("0 to {MOST_SLICES}");
        self.demand(slices <= MOST_SLICES, "fog_slices", slices, &allowed)
    }

    pub(super) fn factors(self, factors: &Factors) -> Result<()> {
        let allowed = format!("0 to {MOST_FACTOR}");
        factors.named().into_iter().try_for_each(|(name, factor)| {
            let holds = (0.0..=MOST_FACTOR).contains(&factor);
            self.demand(holds, &name.replace(' ', "_"), factor, &allowed)
        })
    }

    pub fn options(self, options: &Options) -> Result<()> {
        let Options { frame, method } = options;
        let wrong = |field: &str, value: String, allowed: &str| self.wrong(field, value, allowed);
        frame.check(&wrong)?;
        let pixels = method.pixels_per_wave;
        let allowed = divisors_of_tile(frame);
        let holds = splits_tile(pixels, frame);
        self.demand(holds, "pixels_per_wave", pixels, &allowed)?;
        method.check(&wrong)
    }

    /// Checks a viewpoint against the rules of scene files.
    pub fn camera(self, camera: &Viewpoint) -> Result<()> {
        let Err(fault) = camera.check() else {
            return Ok(());
        };
        let (field, of_coordinate) = match fault.path.split_once('[') {
            Some((field, _)) => (field, true),
            None => (fault.path.as_str(), false),
        };
        let [eye, target] = [camera.eye, camera.target].map(place);
        let (field, value) = match (field, self) {
            ("eye", _) => (field, eye),
            ("target", _) if of_coordinate => (field, target),
            ("target", _) => {
                let flag = match self {
                    Words::Flags => "--",
                    Words::Fields => "",
                };
                return Err(Error::usage(format!(
                    "{flag}eye {eye} and {flag}target {target} are the same place: they must be apart by more than a millionth of their coordinates"
                )));
            }
            (_, Words::Flags) => ("fov", fault.value),
            (_, Words::Fields) => (field, fault.value),
        };
        let allowed = match of_coordinate {
            true => format!("{} in each coordinate", fault.allowed),
            false => fault.allowed,
        };
        Err(self.wrong(field, value, &allowed))
    }
}

/// A position in the syntax of `--eye` and `--target`, with all significant digits.
pub(super) fn place(place: Vec3) -> String {
    place
        .to_array()
        .map(|coordinate| coordinate.to_string())
        .join(",")
}
