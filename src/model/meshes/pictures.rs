//! The pictures of a model: PNG and JPEG, decoded and made small enough.

use std::io::Cursor;

use image::imageops::FilterType;
use image::{ImageFormat, ImageReader, Limits};

use super::accessors::Buffers;
use super::document::{Document, missing};
use super::uri;
use crate::model::files::Folder;

pub const MOST_PICTURES: usize = 256;
/// The longest edge of a picture that is read, texels.
const MOST_EDGE: u32 = 8192;
/// The longest edge that is kept, texels.
const MOST_KEPT_EDGE: u32 = 2048;
/// The most bytes of all pictures that are kept, without smaller copies of them.
const MOST_KEPT_BYTES: usize = 256 << 20;
/// The most bytes of a picture's file.
const MOST_BYTES: u64 = 256 << 20;
/// The most bytes that a decoder may use for itself.
const MOST_DECODER_BYTES: u64 = 1 << 30;

/// A picture: rows from the top, four bytes per texel (red, green, blue in sRGB, and alpha).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    /// Width and height in texels, both above 0.
    pub size: [u32; 2],
    pub texels: Vec<u8>,
}

/// The longest edge of `count` pictures that are kept together, texels: a power of two.
#[must_use]
pub fn most_edge(count: usize) -> u32 {
    let mut edge = MOST_KEPT_EDGE;
    while count * 4 * (edge as usize).pow(2) > MOST_KEPT_BYTES && edge > 1 {
        edge /= 2;
    }
    edge
}

/// Finds out which pictures are wanted, and reads them.
pub struct Reader<'a> {
    document: &'a Document,
    buffers: &'a Buffers<'a>,
    folder: Folder<'a>,
    /// Indices of images of the file.
    wanted: Vec<usize>,
    /// The picture of each image of the file, if it is wanted.
    numbers: Vec<Option<u32>>,
}

impl<'a> Reader<'a> {
    /// None is wanted yet; files are looked for in `folder`.
    pub fn new(document: &'a Document, buffers: &'a Buffers<'a>, folder: Folder<'a>) -> Self {
        Self {
            document,
            buffers,
            folder,
            wanted: Vec::new(),
            numbers: vec![None; document.images.len()],
        }
    }

    /// The number that the picture of an image of the file gets.
    pub fn wanted(&mut self, image: usize) -> Result<u32, String> {
        let number = self
            .numbers
            .get_mut(image)
            .ok_or_else(|| missing("images", image))?;
        if let Some(number) = number {
            return Ok(*number);
        }
        if self.wanted.len() == MOST_PICTURES {
            return Err(format!("more than {MOST_PICTURES} pictures"));
        }
        let next = self.wanted.len() as u32;
        *number = Some(next);
        self.wanted.push(image);
        Ok(next)
    }

    /// Reads what is wanted.
    pub fn finish(self) -> Result<Vec<Picture>, String> {
        let most = most_edge(self.wanted.len());
        let read = |index: &usize| {
            let picture = self.picture(*index, most);
            picture.map_err(|what| format!("images[{index}]: {what}"))
        };
        self.wanted.iter().map(read).collect()
    }

    /// An image of the file that is there, with edges of at most so many texels.
    fn picture(&self, index: usize, most: u32) -> Result<Picture, String> {
        let image = &self.document.images[index];
        let read;
        let bytes = match (&image.uri, image.buffer_view) {
            (Some(uri), _) => {
                read = uri::bytes(uri, self.folder, MOST_BYTES)?;
                read.as_slice()
            }
            (None, Some(view)) => self.buffers.view(view)?.0,
            (None, None) => return Err("it has neither `uri` nor `bufferView`".to_owned()),
        };
        decoded(bytes, most)
    }
}

/// Decodes a picture, and makes it smaller where its edges have more than `most` texels.
fn decoded(bytes: &[u8], most: u32) -> Result<Picture, String> {
    let format = match image::guess_format(bytes) {
        Ok(format @ (ImageFormat::Png | ImageFormat::Jpeg)) => format,
        _ => return Err("it is neither PNG nor JPEG".to_owned()),
    };
    let reader = || ImageReader::with_format(Cursor::new(bytes), format);
    let wrong = |error: image::ImageError| error.to_string();
    let (width, height) = reader().into_dimensions().map_err(wrong)?;
    if width == 0 || height == 0 || width > MOST_EDGE || height > MOST_EDGE {
        return Err(format!(
            "it has {width} x {height} texels; each edge must have 1 to {MOST_EDGE}"
        ));
    }
    let mut limits = Limits::default();
    limits.max_alloc = Some(MOST_DECODER_BYTES);
    let mut reader = reader();
    reader.limits(limits);
    let mut picture = reader.decode().map_err(wrong)?.into_rgba8();
    if width > most || height > most {
        let (width, height) = (width.min(most), height.min(most));
        picture = image::imageops::resize(&picture, width, height, FilterType::Triangle);
    }
    Ok(Picture {
        size: [picture.width(), picture.height()],
        texels: picture.into_raw(),
    })
}
