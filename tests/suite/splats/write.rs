//! Writers of splat files, for round trips. They share no code with the readers.

use std::io::{Read as _, Write as _};

use glam::Vec3;
use wavelerp::model::splats::Splats;

/// Encoding of a PLY's numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Format {
    Little,
    Big,
    Text,
    /// Little-endian numbers of 64 bits, with meaningless properties and elements before and after.
    Doubles,
}

/// Splats as training programs write them, in PLY. Quaternions may have any length.
pub fn inria(splats: &Splats, format: Format) -> Vec<u8> {
    let terms = splats.coefficients() - 1;
    let (name, kind) = match format {
        Format::Little => ("binary_little_endian", "float"),
        Format::Big => ("binary_big_endian", "float32"),
        Format::Text => ("ascii", "float"),
        Format::Doubles => ("binary_little_endian", "double"),
    };
    let mut names = "x y z nx ny nz f_dc_0 f_dc_1 f_dc_2 ".to_owned();
    names.extend((0..3 * terms).map(|number| format!("f_rest_{number} ")));
    names += "opacity scale_0 scale_1 scale_2 rot_0 rot_1 rot_2 rot_3";
    let mut header = format!("ply\nformat {name} 1.0\ncomment a test\n");
    if format == Format::Doubles {
        header += "element camera 2\nproperty short a\nproperty uchar b\n";
    }
    header += &format!("element vertex {}\n", splats.len());
    for name in names.split(' ') {
        header += &format!("property {kind} {name}\n");
    }
    if format == Format::Doubles {
        header += "property uint flags\nelement tail 1\nproperty char c\n";
    }
    let mut bytes = (header + "end_header\n").into_bytes();
    if format == Format::Doubles {
        bytes.extend([7; 2 * 3]);
    }
    for index in 0..splats.len() {
        let harmonics = &splats.harmonics[index * (terms + 1)..][..terms + 1];
        let mut row: Vec<f32> = splats.positions[index].to_array().into();
        row.extend([0.0; 3]);
        row.extend(harmonics[0].to_array());
        for colour in 0..3 {
            row.extend(harmonics[1..].iter().map(|term| term[colour]));
        }
        let opacity = f64::from(splats.opacities[index]);
        row.push((opacity / (1.0 - opacity)).ln() as f32);
        row.extend(splats.scales[index].map(f32::ln).to_array());
        let [x, y, z, w] = splats.rotations[index].to_array();
        row.extend([w, x, y, z]);
        for number in &row {
            match format {
                Format::Little => bytes.extend(number.to_le_bytes()),
                Format::Big => bytes.extend(number.to_be_bytes()),
                Format::Text => bytes.extend(format!("{number} ").into_bytes()),
                Format::Doubles => bytes.extend(f64::from(*number).to_le_bytes()),
            }
        }
        match format {
            Format::Text => bytes.push(b'\n'),
            Format::Doubles => bytes.extend(9_u32.to_le_bytes()),
            _ => {}
        }
    }
    if format == Format::Doubles {
        bytes.push(1);
    }
    bytes
}

/// Length of a PLY's header in bytes.
pub fn header_of(ply: &[u8]) -> usize {
    let end = b"end_header\n";
    let found = ply.windows(end.len()).position(|part| part == end);
    found.expect("a header") + end.len()
}

/// A few different splats for files that a test makes invalid.
pub fn some_splats(degree: u8) -> Splats {
    let terms = (usize::from(degree) + 1).pow(2);
    let place = |index: u8| Vec3::new(f32::from(index), 1.0, -2.0);
    Splats {
        positions: (0..5).map(place).collect(),
        rotations: vec![glam::Quat::IDENTITY; 5],
        scales: vec![Vec3::splat(0.1); 5],
        opacities: vec![0.5; 5],
        degree,
        harmonics: vec![Vec3::splat(0.25); 5 * terms],
        ..Splats::default()
    }
}

/// Splats as `.splat`: 32 bytes each, without harmonics beyond the constant term.
pub fn antimatter(splats: &Splats) -> Vec<u8> {
    let mut bytes = Vec::new();
    for index in 0..splats.len() {
        let numbers = splats.positions[index].to_array().into_iter();
        for number in numbers.chain(splats.scales[index].to_array()) {
            bytes.extend(number.to_le_bytes());
        }
        let constant = splats.harmonics[index * splats.coefficients()].to_array();
        bytes.extend(constant.map(|part| byte(255.0 * (0.5 + C0 * part))));
        bytes.push(byte(255.0 * splats.opacities[index]));
        let [x, y, z, w] = splats.rotations[index].to_array();
        bytes.extend([w, x, y, z].map(|part| byte(128.0 + 128.0 * part)));
    }
    bytes
}

/// Value of the constant term of the harmonics.
const C0: f32 = 0.282_094_79;

fn byte(value: f32) -> u8 {
    value.round().clamp(0.0, 255.0) as u8
}

/// Splats as compressed PLY, in one chunk.
pub fn compressed(splats: &Splats) -> Vec<u8> {
    assert!(splats.len() <= 256, "one chunk");
    let terms = splats.coefficients();
    let list = |of: &dyn Fn(usize) -> Vec3| (0..splats.len()).map(of).collect::<Vec<Vec3>>();
    let positions = list(&|index| splats.positions[index]);
    let scales = list(&|index| splats.scales[index].map(f32::ln));
    let colours = list(&|index| splats.harmonics[index * terms] * C0 + 0.5);
    let ranges = [&positions, &scales, &colours].map(|list| {
        let all = || list.iter().copied();
        [all().reduce(Vec3::min), all().reduce(Vec3::max)].map(Option::unwrap_or_default)
    });
    let mut header = "ply\nformat binary_little_endian 1.0\nelement chunk 1\n".to_owned();
    for (what, axes) in [("", "xyz"), ("scale_", "xyz"), ("", "rgb")] {
        for end in ["min", "max"] {
            header.extend(
                axes.chars()
                    .map(|axis| format!("property float {end}_{what}{axis}\n")),
            );
        }
    }
    header += &format!("element vertex {}\n", splats.len());
    for what in ["position", "rotation", "scale", "color"] {
        header += &format!("property uint packed_{what}\n");
    }
    if terms > 1 {
        header += &format!("element sh {}\n", splats.len());
        let numbers = 0..3 * (terms - 1);
        header.extend(numbers.map(|number| format!("property uchar f_rest_{number}\n")));
    }
    let mut bytes = (header + "end_header\n").into_bytes();
    for number in ranges.iter().flatten().flat_map(|vector| vector.to_array()) {
        bytes.extend(number.to_le_bytes());
    }
    let part = |value: Vec3, [low, high]: [Vec3; 2], steps: [f32; 3]| {
        let part = (value - low) / (high - low).max(Vec3::splat(1e-9));
        [0, 1, 2].map(|axis| (part[axis] * steps[axis]).round() as u32)
    };
    for index in 0..splats.len() {
        let fine = [2047.0, 1023.0, 2047.0];
        let packed = |[x, y, z]: [u32; 3]| x << 21 | y << 11 | z;
        let [x, y, z, w] = splats.rotations[index].to_array();
        let parts = [w, x, y, z];
        let (largest, sign) = largest(parts);
        let mut rotation = largest as u32;
        for part in parts_but(parts, largest) {
            let scaled = (sign * part / 2.0_f32.sqrt() + 0.5) * 1023.0;
            rotation = rotation << 10 | scaled.round().clamp(0.0, 1023.0) as u32;
        }
        let [r, g, b] = part(colours[index], ranges[2], [255.0; 3]);
        let opacity = u32::from(byte(splats.opacities[index] * 255.0));
        for word in [
            packed(part(positions[index], ranges[0], fine)),
            rotation,
            packed(part(scales[index], ranges[1], fine)),
            r << 24 | g << 16 | b << 8 | opacity,
        ] {
            bytes.extend(word.to_le_bytes());
        }
    }
    for harmonics in splats.harmonics.chunks(terms) {
        for colour in 0..3 {
            let parts = harmonics[1..].iter().map(|term| term[colour]);
            bytes.extend(parts.map(|part| ((part / 8.0 + 0.5) * 256.0) as u8));
        }
    }
    bytes
}

/// Index of the largest part of a quaternion, and its sign.
pub fn largest(parts: [f32; 4]) -> (usize, f32) {
    let mut largest = 0;
    for at in 1..4 {
        if parts[at].abs() > parts[largest].abs() {
            largest = at;
        }
    }
    (largest, parts[largest].signum())
}

/// The three parts of a quaternion other than the largest.
pub fn parts_but(parts: [f32; 4], largest: usize) -> impl Iterator<Item = f32> {
    let others = (0..4).filter(move |at| *at != largest);
    others.map(move |at| parts[at])
}

/// Parameters of a written SPZ.
#[derive(Clone, Debug)]
pub struct Spz {
    pub version: u32,
    /// Extension records, as in the file.
    pub extensions: Vec<u8>,
    /// Flags in the header, besides the flag for extensions.
    pub flags: u8,
    /// Number that is added to the count of splats in the header, and so to the stream lengths.
    pub more: i64,
}

impl Spz {
    /// Parameters of a version without extensions, flags or faults.
    pub fn of(version: u32) -> Self {
        Self {
            version,
            extensions: Vec::new(),
            flags: 0,
            more: 0,
        }
    }

    /// Adds extension records.
    pub fn with(self, extensions: Vec<u8>) -> Self {
        Self { extensions, ..self }
    }
}

/// Splats as SPZ, without a change of axes.
pub fn spz(splats: &Splats, how: &Spz) -> Vec<u8> {
    let terms = splats.coefficients();
    let count = (splats.len() as i64 + how.more) as u32;
    let mut streams = vec![Vec::new(); 6];
    for index in 0..splats.len() {
        for part in splats.positions[index].to_array() {
            if how.version == 1 {
                streams[0].extend(half::f16::from_f32(part).to_le_bytes());
                continue;
            }
            let number = (f64::from(part) * 4096.0).round() as i32;
            streams[0].extend(&number.to_le_bytes()[..3]);
        }
        streams[1].push(byte(255.0 * splats.opacities[index]));
        let harmonics = &splats.harmonics[index * terms..][..terms];
        let colour = harmonics[0].to_array();
        streams[2].extend(colour.map(|part| byte(255.0 * (0.15 * part + 0.5))));
        let scales = splats.scales[index].to_array();
        streams[3].extend(scales.map(|part| byte(16.0 * (part.ln() + 10.0))));
        let parts = splats.rotations[index].to_array();
        if how.version <= 2 {
            let sign = if parts[3] < 0.0 { -127.5 } else { 127.5 };
            streams[4].extend([0, 1, 2].map(|at| byte(127.5 + sign * parts[at])));
        } else {
            let (largest, sign) = largest(parts);
            let mut word = largest as u32;
            for part in parts_but(parts, largest) {
                let size = (511.0 * part.abs() * 2.0_f32.sqrt()).round().min(511.0) as u32;
                let negative = u32::from(sign * part < 0.0);
                word = word << 10 | negative << 9 | size;
            }
            streams[4].extend(word.to_le_bytes());
        }
        for term in &harmonics[1..] {
            streams[5].extend(term.to_array().map(|part| byte(128.0 + 128.0 * part)));
        }
    }
    streams.retain(|stream| !stream.is_empty());
    let flags = how.flags | if how.extensions.is_empty() { 0 } else { 2 };
    let mut bytes = b"NGSP".to_vec();
    bytes.extend(how.version.to_le_bytes());
    bytes.extend(count.to_le_bytes());
    bytes.extend([splats.degree, 12, flags]);
    if how.version < 4 {
        bytes.push(0);
        streams.iter().for_each(|stream| bytes.extend(stream));
        bytes.extend(&how.extensions);
        return gzip(&bytes);
    }
    bytes.push(streams.len() as u8);
    bytes.extend((32 + how.extensions.len() as u32).to_le_bytes());
    bytes.extend([0; 12]);
    bytes.extend(&how.extensions);
    let packed: Vec<Vec<u8>> = streams.iter().map(|stream| zstandard(stream)).collect();
    for (stream, packed) in streams.iter().zip(&packed) {
        let length = stream.len() as u64 / splats.len() as u64 * u64::from(count);
        bytes.extend((packed.len() as u64).to_le_bytes());
        bytes.extend(length.to_le_bytes());
    }
    packed.iter().for_each(|stream| bytes.extend(stream));
    bytes
}

/// Compresses bytes with gzip.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

/// Content of gzip data.
pub fn gunzip(gzip: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let read = flate2::read::GzDecoder::new(gzip).read_to_end(&mut bytes);
    read.expect("gzip");
    bytes
}

/// Compresses bytes with Zstandard.
pub fn zstandard(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}

/// Extension record that names a file's axes.
pub fn axes(number: u32) -> Vec<u8> {
    let words = [0xadbe_0003_u32, 4, number];
    words.map(u32::to_le_bytes).concat()
}
