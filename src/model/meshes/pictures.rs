//! Pictures of a model, decoded and scaled down.

use std::borrow::Cow;
use std::io::Cursor;

use image::imageops::FilterType;
use image::{ImageFormat, ImageReader, Limits};

use super::accessors::Buffers;
use super::document::{Document, missing};
use super::remarks::Remarks;
use super::uri;
use crate::error::one_line;
use crate::model::files::{Folder, bail};

pub const MOST_PICTURES: usize = 256;
/// Maximum number of texels of a picture, and of all pictures together.
const MOST_TEXELS: u64 = 1 << 28;
const MOST_TEXELS_OF_ALL: u64 = 1 << 32;
/// Longest edge scaled with a smooth filter (16 bytes per texel); longer pictures are first reduced with a simple one.
const MOST_SMOOTH_EDGE: u32 = 8192;
/// Longest edge of a stored picture, in texels.
const MOST_KEPT_EDGE: u32 = 2048;
/// Maximum size in bytes of all stored pictures, without mip levels.
const MOST_KEPT_BYTES: usize = 256 << 20;
const MOST_BYTES: u64 = 256 << 20;
const MOST_DECODER_BYTES: u64 = 1 << 30;

/// A picture: rows from the top, four bytes per texel (sRGB and alpha).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    /// Width and height in texels, both above 0.
    pub size: [u32; 2],
    pub texels: Vec<u8>,
}

/// Longest edge in texels when `count` pictures are stored: a power of two.
pub fn most_edge(count: usize) -> u32 {
    let mut edge = MOST_KEPT_EDGE;
    while count * 4 * (edge as usize).pow(2) > MOST_KEPT_BYTES && edge > 1 {
        edge /= 2;
    }
    edge
}

const PLAIN: &str = "its materials are shown in their plain colour";

/// Collects the requested pictures and reads them.
pub struct Reader<'a> {
    document: &'a Document,
    buffers: &'a Buffers<'a>,
    folder: Folder<'a>,
    /// Indices of the requested images in the file.
    wanted: Vec<usize>,
    /// For each image of the file, its number among the requested images.
    numbers: Vec<Option<u32>>,
}

impl<'a> Reader<'a> {
    /// Creates a reader without requests; `folder` holds external files.
    pub fn new(document: &'a Document, buffers: &'a Buffers<'a>, folder: Folder<'a>) -> Self {
        Self {
            document,
            buffers,
            folder,
            wanted: Vec::new(),
            numbers: vec![None; document.images.len()],
        }
    }

    /// Requests an image of the file and returns its number.
    pub fn wanted(&mut self, image: usize) -> Result<u32, String> {
        let number = (self.numbers.get_mut(image)).ok_or_else(|| missing("images", image))?;
        Ok(*number.get_or_insert_with(|| {
            self.wanted.push(image);
            self.wanted.len() as u32 - 1
        }))
    }

    /// Reads the requested pictures, in the order of their numbers; `None`, with a remark, for unreadable pictures.
    pub fn finish(self, remarks: &mut Remarks) -> Result<Vec<Option<Picture>>, String> {
        let most = most_edge(self.wanted.len().min(MOST_PICTURES));
        let mut pictures = Vec::with_capacity(self.wanted.len());
        let mut texels = 0;
        for (number, index) in self.wanted.iter().enumerate() {
            if number >= MOST_PICTURES {
                remarks.add("pictures beyond the first 256", PLAIN);
                pictures.push(None);
                continue;
            }
            let name = format!("images[{index}]");
            let read = self.bytes(*index);
            let read = read.map_err(|why| format!("{name}: {why}"))?;
            let hint = &self.document.images[*index];
            let mut names = [&hint.uri, &hint.mime_type].into_iter().flatten();
            let is_tga = names.any(|name| name.to_ascii_lowercase().ends_with("tga"));
            let picture = read.and_then(|bytes| decoded(&bytes, is_tga, most, &mut texels));
            if let Err(why) = &picture {
                remarks.add(&format!("{name}: {why}"), PLAIN);
            }
            pictures.push(picture.ok());
        }
        Ok(pictures)
    }

    /// Bytes of an existing image of the file, or the reason for their absence. The outer error rejects the whole file.
    fn bytes(&self, index: usize) -> Result<Result<Cow<'_, [u8]>, String>, String> {
        let image = &self.document.images[index];
        match (&image.uri, image.buffer_view) {
            (Some(uri), _) => {
                let read = uri::found(uri, self.folder, MOST_BYTES)?;
                Ok(read.map(Cow::from))
            }
            (None, Some(view)) => Ok(Ok(self.buffers.view(view)?.0.into())),
            (None, None) => Ok(Err("it has neither `uri` nor `bufferView`".to_owned())),
        }
    }
}

/// Decodes a picture and scales it down to edges of at most `most` texels. `texels` counts the texels of all pictures.
fn decoded(bytes: &[u8], is_tga: bool, most: u32, texels: &mut u64) -> Result<Picture, String> {
    use ImageFormat::{Bmp, Gif, Jpeg, Png, Tga, WebP};
    let format = match image::guess_format(bytes) {
        Ok(format @ (Png | Jpeg | WebP | Gif | Bmp)) => format,
        // Nothing in a TGA file identifies the format.
        Err(_) if is_tga => Tga,
        _ if bytes.starts_with(b"\xabKTX 20") => {
            return Err(
                "it is KTX2; `gltf-transform ktxdecompress` (npm @gltf-transform/cli) converts it"
                    .to_owned(),
            );
        }
        _ => return Err("it is not PNG, JPEG, WebP, GIF, BMP or TGA".to_owned()),
    };
    let reader = || ImageReader::with_format(Cursor::new(bytes), format);
    let wrong = |error: image::ImageError| one_line(&error);
    let (width, height) = reader().into_dimensions().map_err(wrong)?;
    let count = u64::from(width) * u64::from(height);
    *texels += count;
    if count == 0 || count > MOST_TEXELS || *texels > MOST_TEXELS_OF_ALL {
        let [most, all] = [MOST_TEXELS, MOST_TEXELS_OF_ALL].map(|most| most >> 20);
        bail!(
            "it has {width} x {height} texels; the limit is {most} million, and {all} million for all pictures"
        );
    }
    let mut limits = Limits::default();
    limits.max_alloc = Some(MOST_DECODER_BYTES);
    let mut reader = reader();
    reader.limits(limits);
    let mut picture = reader.decode().map_err(wrong)?;
    if width.max(height) > MOST_SMOOTH_EDGE {
        let [width, height] = [width, height].map(|edge| edge.min(MOST_SMOOTH_EDGE));
        picture = picture.thumbnail_exact(width, height);
    }
    let mut picture = picture.into_rgba8();
    if width > most || height > most {
        let (width, height) = (width.min(most), height.min(most));
        picture = image::imageops::resize(&picture, width, height, FilterType::Triangle);
    }
    Ok(Picture {
        size: [picture.width(), picture.height()],
        texels: picture.into_raw(),
    })
}
