//! Compressed PLY: 16 bytes per splat, in chunks of 256 splats that share ranges of positions, scales and colours, and
//! a byte per coefficient of the higher harmonics.
//!
//! Source: PlayCanvas, "Compressed PLY" (the format of SuperSplat and splat-transform).

use std::f32::consts::SQRT_2;

use glam::{Quat, Vec3};

use super::arrays::{CONSTANT_TERM, Splats, completed, unit};
use super::inria::degree_of;
use super::ply::{Column, Element, Rows};
use super::reading::Reading;
use crate::model::files::{Fault, bail, ensure};
use crate::model::number::Scalar;

const CHUNK: usize = 256;

struct Ranges {
    positions: [Vec3; 2],
    /// Logarithms.
    scales: [Vec3; 2],
    colours: [Vec3; 2],
}

/// Reads the elements `chunk`, `vertex` and, if present, `sh`.
pub(super) fn read(
    elements: &[Element],
    rows: &mut Rows,
    reading: &mut Reading,
) -> Result<Splats, Fault> {
    let named = |name| elements.iter().find(|element| element.name == name);
    let vertex = named("vertex").ok_or_else(|| {
        Fault::bad("it has an element chunk, like compressed PLY, but no element vertex")
    })?;
    let words = vertex.columns([
        "packed_position",
        "packed_rotation",
        "packed_scale",
        "packed_color",
    ])?;
    is_type(vertex, &words, Scalar::U32, "uint")?;
    let rest = match named("sh") {
        Some(harmonics) => {
            let rest = harmonics.numbered("f_rest_")?;
            is_type(harmonics, &rest, Scalar::U8, "uchar")?;
            rest
        }
        None => Vec::new(),
    };
    let degree = degree_of(rest.len())?;
    let count = vertex.count;
    let counts = [("chunk", count.div_ceil(CHUNK)), ("sh", count)];
    for (name, expected) in counts {
        if let Some(element) = named(name).filter(|element| element.count != expected) {
            bail!(
                "its {name} element has {} rows; {count} splats need {expected}",
                element.count
            );
        }
    }
    let mut splats = reading.room(count, degree)?;
    let mut chunks = Vec::new();
    let last = if rest.is_empty() { "vertex" } else { "sh" };
    let mut is_read = false;
    for element in elements {
        match element.name.as_str() {
            "chunk" => chunks = ranges(element, rows)?,
            "vertex" if chunks.is_empty() => {
                bail!("its element chunk comes after vertex");
            }
            "vertex" => {
                is_read = true;
                rows.of(element, |first, block, size| {
                    for (index, row) in reading.kept(first, block, size) {
                        let words = words.map(|word| word.word(row));
                        append(words, &chunks[index / CHUNK], &mut splats);
                    }
                    reading.at((first + block.len() / size) as u64, count as u64)
                })?;
            }
            "sh" if !is_read => {
                bail!("its element sh comes before vertex");
            }
            "sh" if !rest.is_empty() => rows.of(element, |first, block, size| {
                for (index, row) in reading.kept(first, block, size) {
                    harmonics(&rest, row, index / reading.every(), &mut splats);
                }
                Ok(())
            })?,
            _ => rows.skip(element)?,
        }
        if element.name == last {
            break;
        }
    }
    Ok(splats)
}

fn is_type(element: &Element, columns: &[Column], kind: Scalar, name: &str) -> Result<(), Fault> {
    let (is_it, element) = (columns.iter().all(|of| of.kind == kind), &element.name);
    ensure!(
        is_it,
        "the packed properties of its {element} element are not of type {name}"
    );
    Ok(())
}

/// Reads the ranges of all chunks. Older files lack the ranges of colours, which then span 0 to 1.
fn ranges(element: &Element, rows: &mut Rows) -> Result<Vec<Ranges>, Fault> {
    let places = element.columns([
        "min_x",
        "min_y",
        "min_z",
        "max_x",
        "max_y",
        "max_z",
        "min_scale_x",
        "min_scale_y",
        "min_scale_z",
        "max_scale_x",
        "max_scale_y",
        "max_scale_z",
    ])?;
    let names = ["min_r", "min_g", "min_b", "max_r", "max_g", "max_b"];
    let colours = match element.column(names[0]) {
        Some(_) => Some(element.columns(names)?),
        None => None,
    };
    let mut chunks = Vec::with_capacity(element.count);
    rows.of(element, |_, block, size| {
        for row in block.chunks_exact(size) {
            let pair = |columns: &[Column]| {
                let three = |from: usize| {
                    Vec3::from([0, 1, 2].map(|axis| columns[from + axis].number(row)))
                };
                [three(0), three(3)]
            };
            chunks.push(Ranges {
                positions: pair(&places[..6]),
                scales: pair(&places[6..]),
                colours: colours.map_or([Vec3::ZERO, Vec3::ONE], |colours| pair(&colours)),
            });
        }
        Ok(())
    })?;
    Ok(chunks)
}

/// Unpacks a splat; higher harmonics are set to 0.
fn append([position, rotation, scale, colour]: [u32; 4], ranges: &Ranges, splats: &mut Splats) {
    // An infinite end of a range must not affect values at the other end.
    let share = |end, part: Vec3| Vec3::select(part.cmpeq(Vec3::ZERO), Vec3::ZERO, end * part);
    let between =
        |[low, high]: [Vec3; 2], part: Vec3| share(low, Vec3::ONE - part) + share(high, part);
    splats
        .positions
        .push(between(ranges.positions, three(position)));
    splats
        .scales
        .push(between(ranges.scales, three(scale)).exp());
    splats.rotations.push(turn(rotation));
    let [red, green, blue, opacity] = [24, 16, 8, 0].map(|shift| part(colour, shift, 8));
    splats.opacities.push(opacity);
    let colour = between(ranges.colours, Vec3::new(red, green, blue));
    splats.harmonics.push((colour - 0.5) / CONSTANT_TERM);
    let all = splats.len() * splats.coefficients();
    splats.harmonics.resize(all, Vec3::ZERO);
}

/// Bits of a word, as a fraction of their maximum value.
fn part(word: u32, shift: u32, bits: u32) -> f32 {
    let most = (1 << bits) - 1;
    (word >> shift & most) as f32 / most as f32
}

/// Three fractions, stored in 11, 10 and 11 bits.
fn three(word: u32) -> Vec3 {
    Vec3::new(part(word, 21, 11), part(word, 11, 10), part(word, 0, 11))
}

/// A quaternion stored without its largest component, whose index takes two bits. The real part comes first.
fn turn(word: u32) -> Quat {
    let rest = [20, 10, 0].map(|shift| (part(word, shift, 10) - 0.5) * SQRT_2);
    let [w, x, y, z] = completed(rest, (word >> 30) as usize);
    unit(Quat::from_xyzw(x, y, z, w))
}

/// Unpacks the higher harmonics: all of red, then green, then blue. The first and the last of the 256 steps are the ends
/// of the range; the other steps are the middles of their intervals.
fn harmonics(rest: &[Column], row: &[u8], index: usize, splats: &mut Splats) {
    let terms = rest.len() / 3;
    let start = index * (terms + 1) + 1;
    for term in 0..terms {
        let value = |colour: usize| {
            let byte = rest[colour * terms + term].number(row);
            let part = match byte {
                0.0 => 0.0,
                255.0 => 1.0,
                _ => (byte + 0.5) / 256.0,
            };
            (part - 0.5) * 8.0
        };
        splats.harmonics[start + term] = Vec3::from([0, 1, 2].map(value));
    }
}
