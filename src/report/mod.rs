//! The comparison half of the library: float composites go in, numbers, pictures and reports come
//! out. Everything here runs on the CPU and knows nothing of wgpu, windows or the clock.
//!
//! Reading order: [`metrics`] (how far two composites are apart), [`heat`] (where), [`errors`] (how techniques err), [`comparison`] and [`markdown`] (the
//! numbers as JSON and Markdown), then the means: [`canvas`], [`range`], [`scale`], [`palette`], [`svg`], [`drawing`] and
//! [`front`] (charts), and the files ([`png_file`], [`exr_file`]).

pub mod bench;
pub mod canvas;
pub mod comparison;
pub mod drawing;
pub mod errors;
pub mod exr_file;
pub mod flip;
pub mod folder;
pub mod front;
pub mod heat;
pub mod markdown;
pub mod metrics;
pub mod page;
pub mod palette;
pub mod png_file;
pub mod range;
pub mod scale;
pub mod svg;
pub mod table;

use thiserror::Error;

/// A float composite: what a method wrote, before tone mapping.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// `size[0] * size[1]` pixels, row by row, top row first. Channels 0 to 2 are linear rgb
    /// premultiplied by coverage, channel 3 is the transmittance T: the final pixel is
    /// `rgb + T * background`.
    pub pixels: Vec<[f32; 4]>,
}

/// Why pictures cannot be compared or stored.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PictureError {
    /// The pixel count is not width times height.
    #[error("a picture of {}x{} pixels got {pixels} pixels", size[0], size[1])]
    PixelCount { size: [u32; 2], pixels: usize },
    /// Two pictures to compare differ in size.
    #[error(
        "a picture of {}x{} cannot be compared with a reference of {}x{}: render both at one size",
        picture[0], picture[1], reference[0], reference[1]
    )]
    SizeMismatch {
        reference: [u32; 2],
        picture: [u32; 2],
    },
}

impl Picture {
    /// A picture of `size` (width, height) from its pixels, top row first.
    pub fn new(size: [u32; 2], pixels: Vec<[f32; 4]>) -> Result<Self, PictureError> {
        let picture = Self { size, pixels };
        picture.check()?;
        Ok(picture)
    }

    /// The column and row of the pixel at `index`.
    pub fn position(&self, index: usize) -> [u32; 2] {
        position_in(self.size, index)
    }

    /// The pixel in a column and a row.
    pub fn at(&self, [x, y]: [u32; 2]) -> [f32; 4] {
        self.pixels[(y * self.size[0] + x) as usize]
    }

    /// Whether the pixel count fits the size; the fields are public, so users of a picture ask.
    pub(crate) fn check(&self) -> Result<(), PictureError> {
        if self.pixels.len() == pixel_count(self.size) {
            return Ok(());
        }
        Err(PictureError::PixelCount {
            size: self.size,
            pixels: self.pixels.len(),
        })
    }
}

/// Checks that two pictures are whole and of one size.
pub(crate) fn check_pair(reference: &Picture, picture: &Picture) -> Result<(), PictureError> {
    reference.check()?;
    picture.check()?;
    if reference.size == picture.size {
        return Ok(());
    }
    Err(PictureError::SizeMismatch {
        reference: reference.size,
        picture: picture.size,
    })
}

pub(crate) fn pixel_count(size: [u32; 2]) -> usize {
    size[0] as usize * size[1] as usize
}

/// Column and row of pixel `index` in a picture of `size` (`[0, 0]` where the width is 0).
pub(crate) fn position_in(size: [u32; 2], index: usize) -> [u32; 2] {
    let width = (size[0] as usize).max(1);
    let to_u32 = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
    [to_u32(index % width), to_u32(index / width)]
}
