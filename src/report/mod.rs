//! Turns float composites into numbers, pictures and reports. All code here runs on the CPU and is independent of wgpu,
//! windows and the clock.
//!
//! Reading order: [`metrics`] (distance between two composites), [`errors`] (error statistics of methods),
//! [`comparison`] and [`markdown`] (the numbers as JSON and Markdown). Then come the parts: [`canvas`], [`range`],
//! [`scale`] (colours of differences), [`palette`], [`axis`] and [`drawing`] (charts), and the files ([`png_file`],
//! [`exr_file`]).

pub mod axis;
pub mod bench;
pub mod canvas;
pub mod comparison;
pub mod drawing;
pub mod errors;
pub mod exr_file;
pub mod flip;
pub mod folder;
pub mod markdown;
pub mod metrics;
pub mod page;
pub mod palette;
pub mod png_file;
pub mod range;
pub mod scale;
pub mod table;

use crate::error::{Error, Result};

/// A float composite: a method's output before tone mapping.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    pub size: [u32; 2],
    /// `size[0] * size[1]` pixels, row by row, top row first. Channels 0 to 2 are linear rgb premultiplied by coverage.
    /// Channel 3 is the transmittance T. The final pixel is `rgb + T * background`.
    pub pixels: Vec<[f32; 4]>,
}

impl Picture {
    /// A picture of `size` (width, height) from its pixels, top row first.
    pub fn new(size: [u32; 2], pixels: Vec<[f32; 4]>) -> Result<Self> {
        let picture = Self { size, pixels };
        picture.check()?;
        Ok(picture)
    }

    pub fn at(&self, [x, y]: [u32; 2]) -> [f32; 4] {
        self.pixels[(y * self.size[0] + x) as usize]
    }

    /// Checks that the number of pixels fits the size. Both fields are public, so code that uses a picture must check.
    pub(crate) fn check(&self) -> Result<()> {
        match self.pixels.len() {
            count if count == pixel_count(self.size) => Ok(()),
            count => Err(wrong_count(self.size, count)),
        }
    }
}

pub(crate) fn check_pair(reference: &Picture, picture: &Picture) -> Result<()> {
    reference.check()?;
    picture.check()?;
    check_sizes(reference.size, picture.size)
}

fn check_sizes(reference: [u32; 2], picture: [u32; 2]) -> Result<()> {
    if reference == picture {
        return Ok(());
    }
    let [[width, height], [w, h]] = [picture, reference];
    Err(Error::failed(format!(
        "a picture of {width}x{height} cannot be compared with a reference of {w}x{h}: render both at one size"
    )))
}

fn wrong_count([width, height]: [u32; 2], pixels: usize) -> Error {
    Error::failed(format!(
        "a picture of {width}x{height} pixels got {pixels} pixels"
    ))
}

pub(crate) fn pixel_count(size: [u32; 2]) -> usize {
    size[0] as usize * size[1] as usize
}

/// Column and row of pixel `index` in a picture of `size`. `[0, 0]` for a width of 0.
pub(crate) fn position_in(size: [u32; 2], index: usize) -> [u32; 2] {
    let width = (size[0] as usize).max(1);
    let to_u32 = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
    [to_u32(index % width), to_u32(index / width)]
}
