//! SOG: a `meta.json` and WebP pictures with a pixel per splat, in a ZIP or in a folder.
//!
//! Version 2 looks up scales and colours in codebooks of 256 numbers; version 1 interpolates between two ends.
//!
//! Source: PlayCanvas, "The SOG Format" (developer.playcanvas.com), and splat-transform 3.7.

use std::f32::consts::SQRT_2;
use std::io::{Cursor, Read};
use std::path::Path;

use glam::{DVec3, Quat, Vec3};
use image::codecs::webp::WebPDecoder;
use image::{DynamicImage, ImageDecoder as _};
use rawzip::{CompressionMethod, ZipArchive};
use serde::Deserialize;

use super::arrays::{HIGHEST_DEGREE, Splats, coefficients, completed, logistic, unit};
use super::filter::SplatFilter;
use super::reading::Reading;
use crate::model::files::{Fault, Folder, Opened, bail, ensure};
use crate::model::kind::without_mark;

const LONGEST_META: u64 = 16 << 20;
const LONGEST_PICTURE: u64 = 1 << 30;
/// Pixels that a picture may have in addition to [`PIXELS_A_BYTE`] for each byte of its file.
const FREE_PIXELS: u64 = 1 << 18;
/// Maximum number of pixels per byte of WebP: a denser file cannot store distinct positions.
const PIXELS_A_BYTE: u64 = 64;
const A_ROW: usize = 64;

#[derive(Deserialize)]
struct Meta {
    /// `None` in version 1.
    version: Option<u32>,
    /// Its `antialiased` is true after training with a Mip-Splatting filter.
    #[serde(default)]
    model: serde_json::Value,
    count: Option<u64>,
    means: Channel,
    scales: Channel,
    quats: Channel,
    sh0: Channel,
    #[serde(rename = "shN")]
    rest: Option<Rest>,
}

#[derive(Deserialize)]
struct Channel {
    /// In version 1, the number of splats comes first.
    #[serde(default)]
    shape: Vec<u64>,
    #[serde(default)]
    mins: Vec<f64>,
    #[serde(default)]
    maxs: Vec<f64>,
    #[serde(default)]
    codebook: Vec<f32>,
    files: Vec<String>,
}

/// Higher harmonics, as a palette.
#[derive(Deserialize)]
struct Rest {
    bands: Option<usize>,
    mins: Option<f32>,
    maxs: Option<f32>,
    #[serde(default)]
    codebook: Vec<f32>,
    files: Vec<String>,
}

enum Parts<'a> {
    /// A ZIP in memory, and the folder within the ZIP.
    Zip(&'a [u8], String),
    Folder(Folder<'a>),
}

pub(super) fn read_zip(mut file: Opened, reading: &mut Reading) -> Result<Splats, Fault> {
    let bytes = all_of(&mut file.bytes, file.length.min(4 * LONGEST_PICTURE), "it")?;
    let names = names_of(&bytes)?;
    let meta = names.iter().filter(|name| {
        Path::new(name)
            .file_name()
            .is_some_and(|name| name == "meta.json")
    });
    // The topmost meta.json counts, not one in a subfolder.
    let meta = meta.min_by_key(|name| name.len()).ok_or(
        "it is a ZIP archive without the meta.json of a SOG; unpack it, and name the file of splats in it",
    )?;
    let below = meta.strip_suffix("meta.json").unwrap_or_default();
    let parts = Parts::Zip(&bytes, below.to_owned());
    let meta = parts.get("meta.json", LONGEST_META)?;
    read(&meta, &parts, reading)
}

/// Reads a `meta.json` with the pictures in the same folder.
pub(super) fn read_meta(mut file: Opened, reading: &mut Reading) -> Result<Splats, Fault> {
    let meta = all_of(&mut file.bytes, LONGEST_META, "its meta.json")?;
    let folder = reading.how.folder;
    let folder = folder.ok_or("its pictures are in other files")?;
    read(&meta, &Parts::Folder(folder), reading)
}

/// Reads all bytes; more than `most` bytes are an error.
fn all_of(bytes: &mut dyn Read, most: u64, what: &str) -> Result<Vec<u8>, Fault> {
    let mut all = Vec::new();
    let read = bytes.take(most + 1).read_to_end(&mut all);
    read.map_err(|error| format!("{what}: {error}"))?;
    let limit = most >> 20;
    ensure!(
        all.len() as u64 <= most,
        "{what} is too long: the limit is {limit} MiB"
    );
    Ok(all)
}

fn broken_zip(error: impl std::fmt::Display) -> Fault {
    Fault::bad(format!("the ZIP archive of this SOG: {error}"))
}

/// File names in a ZIP, from its central directory.
fn names_of(bytes: &[u8]) -> Result<Vec<String>, Fault> {
    let archive = ZipArchive::from_slice(bytes).map_err(broken_zip)?;
    let mut entries = archive.entries();
    let mut names = Vec::new();
    while let Some(entry) = entries.next_entry().map_err(broken_zip)? {
        names.push(String::from_utf8_lossy(entry.file_path().as_ref()).into_owned());
    }
    Ok(names)
}

impl Parts<'_> {
    fn get(&self, name: &str, most: u64) -> Result<Vec<u8>, Fault> {
        if name.contains(['/', '\\', ':']) || name.starts_with('.') {
            bail!("it names `{name}`, which is not a file next to its meta.json");
        }
        match self {
            Parts::Folder(folder) => {
                let opened = folder.files.open(&folder.path.join(name));
                let mut opened = opened.map_err(|why| format!("{name}: {why}"))?;
                all_of(&mut opened.bytes, most, name)
            }
            Parts::Zip(bytes, below) => in_zip(bytes, &format!("{below}{name}"), most),
        }
    }
}

fn in_zip(bytes: &[u8], name: &str, most: u64) -> Result<Vec<u8>, Fault> {
    let archive = ZipArchive::from_slice(bytes).map_err(broken_zip)?;
    let mut entries = archive.entries();
    while let Some(entry) = entries.next_entry().map_err(broken_zip)? {
        if entry.file_path().as_ref() != name.as_bytes() {
            continue;
        }
        let stored = archive.get_entry(entry.wayfinder()).map_err(broken_zip)?;
        return match entry.compression_method() {
            CompressionMethod::STORE => all_of(&mut stored.data(), most, name),
            CompressionMethod::DEFLATE => {
                let decoder = flate2::bufread::DeflateDecoder::new(stored.data());
                all_of(&mut stored.verifying_reader(decoder), most, name)
            }
            other => bail!("{name} is compressed by method {other:?} of ZIP; store or deflate it"),
        };
    }
    bail!("the ZIP archive of this SOG has no {name}")
}

struct Picture {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
}

impl Picture {
    /// Picture of a channel, with one pixel per splat.
    fn of(parts: &Parts, files: &[String], number: usize, count: usize) -> Result<Self, Fault> {
        let name = files.get(number);
        let name = name.ok_or("its meta.json names too few pictures")?;
        let picture = Self::decoded(&parts.get(name, LONGEST_PICTURE)?, name)?;
        let Self { width, height, .. } = picture;
        ensure!(
            width * height >= count,
            "{name} has {width} x {height} pixels, and there are {count} splats"
        );
        Ok(picture)
    }

    fn decoded(bytes: &[u8], name: &str) -> Result<Self, Fault> {
        let broken = |error: &dyn std::fmt::Display| Fault::bad(format!("{name}: {error}"));
        let decoder = WebPDecoder::new(Cursor::new(bytes)).map_err(|error| broken(&error))?;
        let (width, height) = decoder.dimensions();
        let pixels = u64::from(width) * u64::from(height);
        let count = bytes.len() as u64;
        ensure!(
            pixels <= FREE_PIXELS + PIXELS_A_BYTE * count,
            "{name}: its {count} bytes would become {width} x {height} pixels"
        );
        let image = DynamicImage::from_decoder(decoder).map_err(|error| broken(&error))?;
        Ok(Self {
            width: width as usize,
            height: height as usize,
            pixels: image.into_rgba8().into_raw(),
        })
    }

    fn at(&self, pixel: usize) -> [u8; 4] {
        std::array::from_fn(|part| self.pixels[4 * pixel + part])
    }
}

fn ends<'a>(of: &'a Channel, parts: usize, what: &str) -> Result<[&'a [f64]; 2], Fault> {
    let count = of.mins.len().min(of.maxs.len());
    ensure!(
        count >= parts,
        "its {what} have {count} mins and maxs of {parts}"
    );
    Ok([&of.mins, &of.maxs])
}

/// Decoded value of every byte, for each component of a channel.
fn books_of(
    of: &Channel,
    is_first: bool,
    parts: usize,
    what: &str,
) -> Result<Vec<[f32; 256]>, Fault> {
    if is_first {
        let [low, high] = ends(of, parts, what)?;
        let value = |part: usize, byte: usize| {
            (low[part] + (high[part] - low[part]) * byte as f64 / 255.0) as f32
        };
        let book = |part| std::array::from_fn(|byte| value(part, byte));
        return Ok((0..parts).map(book).collect());
    }
    let book = of.codebook.first_chunk().ok_or_else(|| {
        let count = of.codebook.len();
        format!("the codebook of its {what} has {count} numbers instead of 256")
    })?;
    Ok(vec![*book; parts])
}

fn read(meta: &[u8], parts: &Parts, reading: &mut Reading) -> Result<Splats, Fault> {
    let text = without_mark(meta);
    let meta: Meta =
        serde_json::from_slice(text).map_err(|error| format!("its meta.json: {error}"))?;
    let version = meta.version.unwrap_or(1);
    reading.filter = (meta.model == "antialiased").then_some(SplatFilter::Mip);
    let is_first = version == 1;
    ensure!(
        version <= 2,
        "it is SOG version {version}; versions 1 and 2 can be read"
    );
    let count = meta.count.or(meta.means.shape.first().copied());
    let count = count.ok_or("its meta.json has no count")? as usize;
    reading.check_count(count, 0)?;
    // The size of the picture confirms the number of splats before memory is allocated.
    let means = &meta.means.files;
    let low = Picture::of(parts, means, 0, count)?;
    let high = Picture::of(parts, means, 1, count)?;
    let palette = meta.rest.map(|rest| Palette::of(&rest, parts, count));
    let palette = palette.transpose()?;
    let degree = palette.as_ref().map_or(0, |palette| palette.degree);
    let mut splats = reading.room(count, degree)?;
    let every = reading.every();
    let pixels = || (0..count).step_by(every);

    let [from, to] = ends(&meta.means, 3, "means")?;
    // The stored values are logarithms of 1 plus the distance, with signs.
    let place = |part: usize, low: u8, high: u8| {
        let step = f64::from(u16::from_le_bytes([low, high])) / 65535.0;
        let number = from[part] + (to[part] - from[part]) * step;
        number.signum() * number.abs().exp_m1()
    };
    let is_far = from.iter().chain(to).any(|end| end.abs() > 7.0);
    for pixel in pixels() {
        let (low, high) = (low.at(pixel), high.at(pixel));
        let there = DVec3::from([0, 1, 2].map(|part| place(part, low[part], high[part])));
        splats.positions.push(there.as_vec3());
        if is_far {
            reading.doubles.push(there);
        }
    }
    drop((low, high));
    reading.at(1, 5)?;

    let quats = Picture::of(parts, &meta.quats.files, 0, count)?;
    splats
        .rotations
        .extend(pixels().map(|pixel| rotation(quats.at(pixel))));
    drop(quats);
    reading.at(2, 5)?;

    let scales = Picture::of(parts, &meta.scales.files, 0, count)?;
    let books = books_of(&meta.scales, is_first, 3, "scales")?;
    for pixel in pixels() {
        let bytes = scales.at(pixel);
        let scale = Vec3::from([0, 1, 2].map(|part| books[part][usize::from(bytes[part])]));
        splats.scales.push(scale.exp());
    }
    drop(scales);
    reading.at(3, 5)?;

    let colours = Picture::of(parts, &meta.sh0.files, 0, count)?;
    let books = books_of(&meta.sh0, is_first, 4, "sh0")?;
    for pixel in pixels() {
        let bytes = colours.at(pixel);
        let constant = [0, 1, 2].map(|part| books[part][usize::from(bytes[part])]);
        splats.harmonics.push(constant.into());
        splats.opacities.push(match is_first {
            true => logistic(books[3][usize::from(bytes[3])]),
            false => f32::from(bytes[3]) / 255.0,
        });
        if let Some(palette) = &palette {
            palette.append(pixel, &mut splats.harmonics);
        }
    }
    reading.at(5, 5)?;
    Ok(splats)
}

/// Quaternion stored without its largest component, whose index is in the last byte. The real part comes first.
fn rotation([a, b, c, tag]: [u8; 4]) -> Quat {
    let Some(missing) = tag.checked_sub(252) else {
        return Quat::IDENTITY;
    };
    let rest = [a, b, c].map(|byte| (f32::from(byte) / 255.0 * 2.0 - 1.0) / SQRT_2);
    let [w, x, y, z] = completed(rest, usize::from(missing));
    unit(Quat::from_xyzw(x, y, z, w))
}

/// Shared harmonics, and the palette label of each splat.
struct Palette {
    degree: u8,
    terms: usize,
    entries: Picture,
    labels: Picture,
    /// Decoded value of every byte in an entry.
    book: [f32; 256],
}

impl Palette {
    fn of(rest: &Rest, parts: &Parts, count: usize) -> Result<Self, Fault> {
        let entries = Picture::of(parts, &rest.files, 0, 0)?;
        let terms = entries.width / A_ROW;
        let degree = (1..=HIGHEST_DEGREE).find(|degree| coefficients(*degree) - 1 == terms);
        let degree = degree
            .filter(|degree| rest.bands.is_none_or(|bands| bands == usize::from(*degree)))
            .ok_or_else(|| {
                let width = entries.width;
                format!("its harmonics are {width} pixels wide; those of degree 1, 2 and 3 are 192, 512 and 960")
            })?;
        let book = match (rest.codebook.first_chunk(), rest.mins, rest.maxs) {
            (Some(book), ..) => *book,
            (None, Some(low), Some(high)) => {
                std::array::from_fn(|byte| low + (high - low) * byte as f32 / 255.0)
            }
            _ => {
                bail!("its harmonics have neither a codebook nor mins and maxs");
            }
        };
        Ok(Self {
            degree,
            terms,
            entries,
            labels: Picture::of(parts, &rest.files, 1, count)?,
            book,
        })
    }

    /// Adds the harmonics of a splat; zeros if the splat's label is not in the palette.
    fn append(&self, pixel: usize, harmonics: &mut Vec<Vec3>) {
        let [low, high, ..] = self.labels.at(pixel);
        let label = usize::from(u16::from_le_bytes([low, high]));
        let row = label / A_ROW;
        let first = row * self.entries.width + label % A_ROW * self.terms;
        for term in 0..self.terms {
            harmonics.push(match row < self.entries.height {
                true => {
                    let bytes = self.entries.at(first + term);
                    Vec3::from([0, 1, 2].map(|part| self.book[usize::from(bytes[part])]))
                }
                false => Vec3::ZERO,
            });
        }
    }
}
