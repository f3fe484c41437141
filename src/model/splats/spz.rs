//! SPZ: one attribute after another for all splats, in bytes and compressed: in versions 1 to 3 with gzip as a whole,
//! in version 4 with Zstandard per attribute. Decompression is incremental, so a file never takes more memory than its
//! actual splats.
//!
//! An extension may name the axes; [`super::axes`] has the defaults.
//!
//! Source: Niantic, "SPZ" (README and extensions of github.com/nianticlabs/spz).

use std::f32::consts::FRAC_1_SQRT_2;
use std::io::{BufRead, Read};

use flate2::bufread::GzDecoder;
use glam::{Quat, Vec3};
use half::f16;
use ruzstd::decoding::StreamingDecoder;

use super::arrays::{HIGHEST_DEGREE, Splats, coefficients, completed, unit};
use super::axes::Axes;
use super::filter::SplatFilter;
use super::reading::Reading;
use super::records::{blocks, bytes_at, filled, is_more, whole, word};
use crate::model::files::{Fault, Opened, bail, ensure};

/// Signature of version 4, and of the content inside the gzip of older versions.
pub(super) const MAGIC: [u8; 4] = *b"NGSP";
/// The version with separately compressed attributes.
const OF_STREAMS: u32 = 4;
const VERSIONS: std::ops::RangeInclusive<u32> = 1..=OF_STREAMS;
const SHORT_HEADER: usize = 16;
const LONG_HEADER: usize = 32;
/// Flag of files trained with a Mip-Splatting filter.
const IS_MIP: u8 = 1;
const HAS_EXTENSIONS: u8 = 2;
const AXES_NAMED: u32 = 0xadbe_0003;
/// Highest degree of harmonics in a file; only a part of such harmonics is read.
const MOST_DEGREE: u8 = 4;
/// Maximum number of fractional bits in a coordinate, which has 24 bits including its sign.
const MOST_FRACTION: u8 = 30;
/// Zstandard window in bytes that every stream may use: encoders choose up to this size if the input length is unknown.
const LEAST_WINDOW: u64 = 8 << 20;
/// Maximum Zstandard window in bytes.
const MOST_WINDOW: u64 = 128 << 20;

struct Header {
    version: u32,
    count: usize,
    degree: u8,
    fraction: u8,
    flags: u8,
    streams: u8,
}

struct Attribute {
    name: &'static str,
    /// Bytes per splat.
    size: fn(&Header) -> usize,
    take: fn(&Header, index: usize, &[u8], &mut Splats),
}

const ATTRIBUTES: [Attribute; 6] = [
    Attribute {
        name: "positions",
        size: |header| if header.version == 1 { 6 } else { 9 },
        take: position,
    },
    Attribute {
        name: "opacities",
        size: |_| 1,
        take: |_, _, bytes, splats| splats.opacities.push(f32::from(bytes[0]) / 255.0),
    },
    Attribute {
        name: "colours",
        size: |_| 3,
        take: colour,
    },
    Attribute {
        name: "scales",
        size: |_| 3,
        take: |_, _, bytes, splats| splats.scales.push((three(bytes) / 16.0 - 10.0).exp()),
    },
    Attribute {
        name: "rotations",
        size: |header| if header.version <= 2 { 3 } else { 4 },
        take: rotation,
    },
    Attribute {
        name: "harmonics",
        size: |header| 3 * (coefficients(header.degree) - 1),
        take: harmonics,
    },
];

/// Reads a file that starts with the signature of version 4.
pub(super) fn read_streams(mut file: Opened, reading: &mut Reading) -> Result<Splats, Fault> {
    let mut bytes = [0; LONG_HEADER];
    let header = header(&mut file.bytes, &mut bytes, reading)?;
    ensure!(
        header.version == OF_STREAMS,
        "it is SPZ version {} without this version's gzip",
        header.version
    );
    let table = u64::from(word(&bytes, 16));
    if table < LONG_HEADER as u64 || table > file.length {
        bail!(
            "its header puts the table of streams at byte {table} of {}",
            file.length
        );
    }
    let mut zone = Read::take(&mut *file.bytes, table - LONG_HEADER as u64);
    if header.flags & HAS_EXTENSIONS != 0 {
        reading.said = extensions(&mut zone)?;
    }
    std::io::copy(&mut zone, &mut std::io::sink())?;
    let attributes: Vec<&Attribute> = attributes(&header).collect();
    ensure!(
        usize::from(header.streams) == attributes.len(),
        "it has {} streams; splats with harmonics of degree {} have {}",
        header.streams,
        header.degree,
        attributes.len()
    );
    let mut lengths = Vec::new();
    for attribute in &attributes {
        lengths.push(entry(&mut file.bytes, attribute, &header)?);
    }
    let end = table + 16 * lengths.len() as u64;
    let all = lengths
        .iter()
        .fold(end, |sum, length| sum.saturating_add(*length));
    ensure!(
        all <= file.length,
        "it has {} bytes; its table of streams needs {all}",
        file.length
    );
    let mut splats = Splats {
        degree: header.degree.min(HIGHEST_DEGREE),
        ..Splats::default()
    };
    for (attribute, length) in attributes.into_iter().zip(lengths) {
        let mut stream = Read::take(&mut *file.bytes, length);
        let expected = header.count as u64 * (attribute.size)(&header) as u64;
        let window = expected.clamp(LEAST_WINDOW, MOST_WINDOW);
        let broken = |error: &dyn std::fmt::Display| {
            Fault::bad(format!("the stream of its {}: {error}", attribute.name))
        };
        let decoder = StreamingDecoder::new_with_max_window_size(&mut stream, window);
        let mut decoder = decoder.map_err(|error| broken(&error))?;
        take(attribute, &header, &mut decoder, &mut splats, reading)?;
        let more = is_more(&mut decoder).map_err(|error| broken(&error))?;
        drop(decoder);
        if more || stream.limit() > 0 {
            return Err(broken(&"it has more data than its splats"));
        }
    }
    Ok(splats)
}

/// Compressed length of an attribute's stream, from its table entry.
fn entry(bytes: &mut dyn BufRead, attribute: &Attribute, header: &Header) -> Result<u64, Fault> {
    let mut entry = [0; 16];
    whole(bytes, &mut entry, "its table of streams")?;
    let number = |at: usize| u64::from_le_bytes(bytes_at(&entry, at));
    let expected = header.count as u64 * (attribute.size)(header) as u64;
    ensure!(
        number(8) == expected,
        "its {} have {} bytes in its table of streams; {} splats need {expected}",
        attribute.name,
        number(8),
        header.count
    );
    Ok(number(0))
}

/// Reads a file that starts with the signature of gzip.
pub(super) fn read_gzip(file: Opened, reading: &mut Reading) -> Result<Splats, Fault> {
    let mut decoder = GzDecoder::new(file.bytes);
    let mut bytes = [0; SHORT_HEADER];
    let header = header(&mut decoder, &mut bytes, reading)?;
    ensure!(
        header.version != OF_STREAMS,
        "it is SPZ version 4 in gzip, which version 4 does not use"
    );
    let mut splats = Splats {
        degree: header.degree.min(HIGHEST_DEGREE),
        ..Splats::default()
    };
    for attribute in attributes(&header) {
        take(attribute, &header, &mut decoder, &mut splats, reading)?;
    }
    if header.flags & HAS_EXTENSIONS != 0 {
        reading.said = extensions(&mut decoder)?;
    }
    // Reading the end of the stream verifies its checksum. Anything after the splats is not decompressed.
    let more = is_more(&mut decoder);
    if more.map_err(|error| format!("the end of its gzip: {error}"))? {
        let text = format!("data after its {} splats: left out", header.count);
        reading.remark(text);
    }
    Ok(splats)
}

/// Reads a header into `bytes`; its first 16 bytes are the same in all versions.
fn header(from: &mut dyn Read, bytes: &mut [u8], reading: &mut Reading) -> Result<Header, Fault> {
    let read = filled(from, bytes)
        .map_err(|error| format!("its compressed data is incomplete: {error}"))?;
    ensure!(
        bytes.starts_with(&MAGIC),
        "it is gzip, but its content is not SPZ; unpack it first"
    );
    ensure!(
        read >= bytes.len(),
        "it ends too early: its header has {read} bytes of {}",
        bytes.len()
    );
    let (version, count) = (word(bytes, 4), word(bytes, 8) as usize);
    let [degree, fraction, flags, streams] = bytes_at(bytes, 12);
    ensure!(
        VERSIONS.contains(&version),
        "it is SPZ version {version}; versions 1 to {OF_STREAMS} can be read"
    );
    ensure!(
        degree <= MOST_DEGREE,
        "its harmonics have degree {degree}; up to degree {MOST_DEGREE} can be read"
    );
    if degree > HIGHEST_DEGREE {
        reading.remark(format!(
            "the harmonics of degree {degree}: left out; up to degree {HIGHEST_DEGREE} are shown"
        ));
    }
    reading.version = version;
    reading.filter = (flags & IS_MIP != 0).then_some(SplatFilter::Mip);
    reading.check_count(count, degree.min(HIGHEST_DEGREE))?;
    ensure!(
        fraction <= MOST_FRACTION,
        "its coordinates have {fraction} fractional bits; the limit is {MOST_FRACTION}"
    );
    Ok(Header {
        version,
        count,
        degree,
        fraction,
        flags,
        streams,
    })
}

fn attributes(header: &Header) -> impl Iterator<Item = &'static Attribute> {
    ATTRIBUTES
        .iter()
        .filter(|attribute| (attribute.size)(header) > 0)
}

fn take(
    attribute: &Attribute,
    header: &Header,
    bytes: &mut dyn Read,
    splats: &mut Splats,
    reading: &mut Reading,
) -> Result<(), Fault> {
    let size = (attribute.size)(header);
    let sizes: usize = attributes(header)
        .map(|attribute| (attribute.size)(header))
        .sum();
    let all = header.count as u64 * sizes as u64;
    let what = format!("its {}", attribute.name);
    let is_first = splats.positions.is_empty();
    // Only the positions themselves confirm the number of splats, so room grows as they arrive.
    if !is_first && splats.rotations.capacity() == 0 {
        splats.make_room(reading.kept_of(header.count))?;
    }
    blocks(bytes, (header.count, size), &what, |first, block| {
        if is_first {
            let more = (block.len() / size).max(first).min(header.count - first);
            let more = reading.kept_of(more);
            let room = splats.positions.try_reserve_exact(more);
            room.map_err(|_| "it needs more memory than is available")?;
        }
        for (index, record) in reading.kept(first, block, size) {
            (attribute.take)(header, index / reading.every(), record, splats);
        }
        reading.done += block.len() as u64;
        reading.at(reading.done, all)
    })
}

/// Decodes a position: half floats in version 1, fixed point in later versions.
fn position(header: &Header, _: usize, bytes: &[u8], splats: &mut Splats) {
    if header.version == 1 {
        let number = |at: usize| f16::from_le_bytes([bytes[at], bytes[at + 1]]).to_f32();
        splats.positions.push(Vec3::from([0, 2, 4].map(number)));
        return;
    }
    let step = 0.5_f32.powi(i32::from(header.fraction));
    let number = |at: usize| {
        // Shifting up and down extends the sign of 24 bits to 32.
        let word = i32::from_le_bytes([0, bytes[at], bytes[at + 1], bytes[at + 2]]);
        (word >> 8) as f32 * step
    };
    splats.positions.push(Vec3::from([0, 3, 6].map(number)));
}

/// Decodes the constant term, and reserves room for the other terms.
fn colour(_: &Header, index: usize, bytes: &[u8], splats: &mut Splats) {
    let coefficients = splats.coefficients();
    splats.harmonics.push((three(bytes) / 255.0 - 0.5) / 0.15);
    splats
        .harmonics
        .resize((index + 1) * coefficients, Vec3::ZERO);
}

fn harmonics(_: &Header, index: usize, bytes: &[u8], splats: &mut Splats) {
    let coefficients = splats.coefficients();
    let start = index * coefficients + 1;
    for (term, bytes) in bytes.chunks_exact(3).take(coefficients - 1).enumerate() {
        splats.harmonics[start + term] = (three(bytes) - 128.0) / 128.0;
    }
}

/// Decodes a rotation. Versions 1 and 2 omit the real part; later versions omit the largest component.
fn rotation(header: &Header, _: usize, bytes: &[u8], splats: &mut Splats) {
    let rotation = if header.version <= 2 {
        let vector = three(bytes) / 127.5 - 1.0;
        let real = (1.0 - vector.length_squared()).max(0.0).sqrt();
        Quat::from_xyzw(vector.x, vector.y, vector.z, real)
    } else {
        let word = word(bytes, 0);
        let rest = [20, 10, 0].map(|shift| {
            let size = (word >> shift & 0x1ff) as f32 / 511.0 * FRAC_1_SQRT_2;
            if word >> shift & 0x200 == 0 {
                size
            } else {
                -size
            }
        });
        Quat::from_array(completed(rest, (word >> 30) as usize))
    };
    splats.rotations.push(unit(rotation));
}

fn three(bytes: &[u8]) -> Vec3 {
    Vec3::from([0, 1, 2].map(|at| f32::from(bytes[at])))
}

/// Reads all extensions; only the axes matter here.
fn extensions(bytes: &mut dyn Read) -> Result<Option<Axes>, Fault> {
    let broken = |error: std::io::Error| format!("its extensions: {error}");
    let mut axes = None;
    loop {
        let mut start = [0; 8];
        match filled(bytes, &mut start).map_err(broken)? {
            0 => return Ok(axes),
            8 => {}
            _ => bail!("it ends too early, in its extensions"),
        }
        let length = u64::from(word(&start, 4));
        if word(&start, 0) == AXES_NAMED && length == 4 {
            let mut value = [0; 4];
            whole(bytes, &mut value, "its extensions")?;
            axes = match u32::from_le_bytes(value) {
                0 => None,
                number => Some(
                    Axes::of_spz(number)
                        .ok_or_else(|| format!("its extension has unknown axes number {number}"))?,
                ),
            };
        } else {
            let skipped = std::io::copy(&mut Read::take(&mut *bytes, length), &mut std::io::sink());
            ensure!(
                skipped.map_err(broken)? >= length,
                "it ends too early, in its extensions"
            );
        }
    }
}
