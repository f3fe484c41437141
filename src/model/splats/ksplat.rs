//! `.ksplat`: sections of splats in 32, 16 or 8 bits, in buckets; positions are relative to the centres of the buckets.
//!
//! Source: M. Kellogg, "GaussianSplats3D" (2023), and splat-transform 3.7.

use glam::{Quat, Vec3};
use half::f16;

use super::arrays::{CONSTANT_TERM, HIGHEST_DEGREE, Splats, coefficients, unit};
use super::reading::Reading;
use super::records::{blocks, bytes_at, float, vector, whole, word};
use crate::model::files::{Fault, Opened, bail, ensure};

/// Bytes of the file header, followed by the bytes of a section header.
const HEADER: usize = 4096;
const SECTION: usize = 1024;

struct Packing {
    is_wide: bool,
    /// Bytes of position, scales, rotation and colour together.
    size: usize,
    /// Bytes per coefficient of the harmonics, and the range of 8-bit coefficients.
    of_harmonics: usize,
    ends: [f32; 2],
}

struct Section {
    count: usize,
    room: usize,
    capacity: usize,
    buckets: usize,
    block: f32,
    bucket_size: usize,
    range: f32,
    full: usize,
    partial: usize,
    degree: u8,
}

fn short(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(bytes_at(bytes, at))
}

pub(super) fn read(mut file: Opened, reading: &mut Reading) -> Result<Splats, Fault> {
    let header = part(&mut file.bytes, HEADER, file.length, "header")?;
    let [major, minor] = [header[0], header[1]];
    if major != 0 || minor == 0 {
        bail!("it is .ksplat version {major}.{minor}; 0.1 can be read; save it as .ply");
    }
    let level = short(&header, 20);
    let or = |value: f32, otherwise: f32| if value == 0.0 { otherwise } else { value };
    let packing = Packing {
        is_wide: level == 0,
        size: if level == 0 { 44 } else { 24 },
        of_harmonics: match level {
            0 => 4,
            1 => 2,
            2 => 1,
            _ => {
                bail!("its level of compression is {level}; 0, 1 and 2 can be read");
            }
        },
        ends: [or(float(&header, 36), -1.5), or(float(&header, 40), 1.5)],
    };
    let all = word(&header, 16) as usize;
    let sections = (word(&header, 4) as usize).saturating_mul(SECTION);
    let sections = part(&mut file.bytes, sections, file.length, "list of sections")?;
    let sections: Result<Vec<Section>, Fault> = sections
        .chunks_exact(SECTION)
        .map(|bytes| Section::of(bytes, &packing))
        .collect();
    let sections = sections?;
    let count: usize = sections.iter().map(|section| section.count).sum();
    reading.check_count(count.min(all), 0)?;
    let least = sections
        .iter()
        .map(|of| (of.room * of.size(&packing)) as u64);
    let least = least.fold(0, u64::saturating_add);
    ensure!(
        least <= file.length,
        "it ends too early: its splats need at least {least} bytes, and it has {}",
        file.length
    );
    let degree = sections.iter().map(|section| section.degree).max();
    let mut splats = reading.room(count, degree.unwrap_or(0))?;
    let mut before = 0;
    for section in &sections {
        let middles = section.middles(&mut file.bytes, file.length)?;
        let size = section.size(&packing);
        let rows = (section.room, size);
        blocks(&mut file.bytes, rows, "its splats", |first, block| {
            let kept = reading.kept(before + first, block, size);
            for (index, row) in kept.take_while(|(index, _)| *index < before + section.count) {
                section.append(row, middles.of(index - before), &packing, &mut splats);
            }
            reading.at((before + first) as u64, count as u64)
        })?;
        before += section.count;
    }
    reading.at(count as u64, count as u64)?;
    Ok(splats)
}

/// The next bytes of the file, limited to the file's length.
fn part(
    bytes: &mut dyn std::io::BufRead,
    length: usize,
    most: u64,
    what: &str,
) -> Result<Vec<u8>, Fault> {
    let what = format!("its {what}");
    ensure!(length as u64 <= most, "it ends too early, in {what}");
    let mut part = vec![0; length];
    whole(bytes, &mut part, &what)?;
    Ok(part)
}

/// Centres of a section's buckets, and sizes of the buckets.
struct Middles {
    capacity: usize,
    full: usize,
    /// End of each partly filled bucket, as a number of splats.
    ends: Vec<usize>,
    places: Vec<Vec3>,
}

impl Middles {
    fn of(&self, index: usize) -> Vec3 {
        let bucket = match index < self.full * self.capacity {
            true => index / self.capacity.max(1),
            false => self.full + self.ends.partition_point(|end| *end <= index),
        };
        self.places.get(bucket).copied().unwrap_or_default()
    }
}

impl Section {
    fn of(bytes: &[u8], packing: &Packing) -> Result<Self, Fault> {
        let number = |at| word(bytes, at) as usize;
        let range = match word(bytes, 24) {
            0 if packing.is_wide => 1,
            0 => 32767,
            range => range,
        };
        let degree = short(bytes, 40);
        ensure!(
            degree <= u16::from(HIGHEST_DEGREE),
            "its harmonics have degree {degree}; up to degree {HIGHEST_DEGREE} can be read"
        );
        Ok(Self {
            count: number(0),
            room: number(4).max(number(0)),
            capacity: number(8),
            buckets: number(12),
            block: float(bytes, 16),
            bucket_size: usize::from(short(bytes, 20)),
            range: range as f32,
            full: number(32),
            partial: number(36),
            degree: degree as u8,
        })
    }

    fn size(&self, packing: &Packing) -> usize {
        packing.size + 3 * (coefficients(self.degree) - 1) * packing.of_harmonics
    }

    fn middles(&self, bytes: &mut dyn std::io::BufRead, most: u64) -> Result<Middles, Fault> {
        let lengths = part(bytes, self.partial.saturating_mul(4), most, "buckets")?;
        let mut end = self.full.saturating_mul(self.capacity);
        let ends = lengths.chunks_exact(4).map(|length| {
            end = end.saturating_add(word(length, 0) as usize);
            end
        });
        let ends = ends.collect();
        let each = self.bucket_size;
        let places = part(bytes, self.buckets.saturating_mul(each), most, "buckets")?;
        let places = match each {
            12.. => places.chunks_exact(each).map(|at| vector(at, 0)).collect(),
            _ => Vec::new(),
        };
        Ok(Middles {
            capacity: self.capacity,
            full: self.full,
            ends,
            places,
        })
    }

    fn append(&self, row: &[u8], middle: Vec3, packing: &Packing, splats: &mut Splats) {
        let half = |at: usize| f16::from_bits(short(row, at)).to_f32();
        let (position, scales, [w, x, y, z], colour) = if packing.is_wide {
            let rotation = [24, 28, 32, 36].map(|at| float(row, at));
            (vector(row, 0), vector(row, 12), rotation, 40)
        } else {
            let step = self.block / 2.0 / self.range;
            let place = [0, 2, 4].map(|at| (f32::from(short(row, at)) - self.range) * step);
            let scales = [6, 8, 10].map(half);
            let rotation = [12, 14, 16, 18].map(half);
            (Vec3::from(place) + middle, scales.into(), rotation, 20)
        };
        splats.positions.push(position);
        splats.scales.push(scales);
        splats.rotations.push(unit(Quat::from_xyzw(x, y, z, w)));
        let byte = |at: usize| f32::from(row[colour + at]) / 255.0;
        let constant = Vec3::from([0, 1, 2].map(byte));
        splats.harmonics.push((constant - 0.5) / CONSTANT_TERM);
        splats.opacities.push(byte(3));
        let value = |number: usize| {
            let at = packing.size + number * packing.of_harmonics;
            match packing.of_harmonics {
                4 => float(row, at),
                2 => half(at),
                _ => {
                    let [low, high] = packing.ends;
                    low + (high - low) * f32::from(row[at]) / 255.0
                }
            }
        };
        // Coefficients come band by band, and within a band all of red, then green, then blue.
        let mut first = 0;
        for degree in 1..=usize::from(self.degree) {
            let terms = 2 * degree + 1;
            let term = |term: usize| {
                Vec3::from([0, 1, 2].map(|colour| value(first + colour * terms + term)))
            };
            splats.harmonics.extend((0..terms).map(term));
            first += 3 * terms;
        }
        let all = splats.positions.len() * splats.coefficients();
        splats.harmonics.resize(all, Vec3::ZERO);
    }
}
