//! Writes splats as SPZ of version 3: attributes one after the other, in bytes, by gzip. docs/splats.md names the source.

use std::io::Write;

use flate2::{Compression, GzBuilder};
use glam::DVec3;

use super::Splat;

/// Bits of a coordinate behind the point: a sixteenth of a millimetre.
const FRACTION: u8 = 14;
/// Harmonics are rounded to so many of the 256 steps of a byte, so that they compress.
const STEP: f64 = 4.0;

/// The bytes of the file.
pub fn file(splats: &[Splat]) -> Vec<u8> {
    let mut bytes = b"NGSP".to_vec();
    bytes.extend(3_u32.to_le_bytes());
    bytes.extend((splats.len() as u32).to_le_bytes());
    bytes.extend([2, FRACTION, 0, 0]);
    for splat in splats {
        for part in splat.position.to_array() {
            let number = (part * f64::from(1 << FRACTION)).round() as i32;
            bytes.extend(&number.to_le_bytes()[..3]);
        }
    }
    bytes.extend(splats.iter().map(|splat| byte(255.0 * splat.opacity)));
    for splat in splats {
        bytes.extend(three(splat.harmonics[0], |part| {
            byte(255.0 * (0.15 * part + 0.5))
        }));
    }
    for splat in splats {
        bytes.extend(three(splat.scales, |part| byte(16.0 * (part.ln() + 10.0))));
    }
    for splat in splats {
        bytes.extend(rotation(splat.rotation.to_array()).to_le_bytes());
    }
    for splat in splats {
        for term in &splat.harmonics[1..] {
            bytes.extend(three(*term, |part| {
                byte((128.0 * part / STEP).round() * STEP + 128.0)
            }));
        }
    }
    let mut encoder = GzBuilder::new().write(Vec::new(), Compression::best());
    encoder.write_all(&bytes).expect("memory takes all bytes");
    encoder.finish().expect("memory takes all bytes")
}

fn byte(value: f64) -> u8 {
    value.round().clamp(0.0, 255.0) as u8
}

fn three(values: DVec3, of: impl Fn(f64) -> u8) -> [u8; 3] {
    values.to_array().map(of)
}

/// A quaternion (x, y, z, w) without its largest component: which it is, then sign and size of the others.
fn rotation(parts: [f64; 4]) -> u32 {
    let mut largest = 0;
    for index in 1..4 {
        if parts[index].abs() > parts[largest].abs() {
            largest = index;
        }
    }
    let sign = parts[largest].signum();
    let mut word = largest as u32;
    for (_, part) in parts
        .into_iter()
        .enumerate()
        .filter(|(index, _)| *index != largest)
    {
        let size = (511.0 * part.abs() * 2.0_f64.sqrt()).round().min(511.0) as u32;
        word = word << 10 | u32::from(sign * part < 0.0) << 9 | size;
    }
    word
}
