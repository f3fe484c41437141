//! Writers of files of splats, for round trips. They share no code with the readers.

use std::io::Write as _;

use glam::Vec3;
use wavelerp::model::splats::Splats;

/// How the numbers of a PLY are written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Format {
    Little,
    Big,
    Text,
    /// Little-endian, in 64 bits, with a property and an element before and one behind that mean nothing.
    Doubles,
}

/// Splats as training writes them. Their quaternions may have any length.
pub fn inria(splats: &Splats, format: Format) -> Vec<u8> {
    let terms = splats.coefficients() - 1;
    let (name, kind) = match format {
        Format::Little => ("binary_little_endian", "float"),
        Format::Big => ("binary_big_endian", "float32"),
        Format::Text => ("ascii", "float"),
        Format::Doubles => ("binary_little_endian", "double"),
    };
    let mut names: Vec<String> = "x y z nx ny nz f_dc_0 f_dc_1 f_dc_2"
        .split(' ')
        .map(str::to_owned)
        .collect();
    names.extend((0..3 * terms).map(|number| format!("f_rest_{number}")));
    names.extend(
        "opacity scale_0 scale_1 scale_2 rot_0 rot_1 rot_2 rot_3"
            .split(' ')
            .map(str::to_owned),
    );
    let mut header = format!("ply\nformat {name} 1.0\ncomment a test\n");
    if format == Format::Doubles {
        header += "element camera 2\nproperty short a\nproperty uchar b\n";
    }
    header += &format!("element vertex {}\n", splats.len());
    for name in &names {
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

/// A few splats that differ, for files that are then broken.
pub fn some_splats(degree: u8) -> Splats {
    let terms = (usize::from(degree) + 1).pow(2);
    let number = |index: usize| index as f32;
    Splats {
        positions: (0..5)
            .map(|index| Vec3::new(number(index), 1.0, -2.0))
            .collect(),
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
        let constant = splats.harmonics[index * splats.coefficients()];
        let colour = constant
            .to_array()
            .map(|part| byte(255.0 * (0.5 + C0 * part)));
        bytes.extend(colour);
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
    let range = |list: &[Vec3]| {
        let low = list.iter().copied().reduce(Vec3::min).unwrap_or_default();
        [
            low,
            list.iter().copied().reduce(Vec3::max).unwrap_or_default(),
        ]
    };
    let ranges = [&positions, &scales, &colours].map(|list| range(list));
    let mut header = "ply\nformat binary_little_endian 1.0\nelement chunk 1\n".to_owned();
    for what in ["min_", "max_", "min_scale_", "max_scale_"] {
        header += &["x", "y", "z"]
            .map(|axis| format!("property float {what}{axis}\n"))
            .concat();
    }
    for what in ["min_", "max_"] {
        header += &["r", "g", "b"]
            .map(|axis| format!("property float {what}{axis}\n"))
            .concat();
    }
    header += &format!("element vertex {}\n", splats.len());
    for what in ["position", "rotation", "scale", "color"] {
        header += &format!("property uint packed_{what}\n");
    }
    if terms > 1 {
        header += &format!("element sh {}\n", splats.len());
        header += &(0..3 * (terms - 1))
            .map(|number| format!("property uchar f_rest_{number}\n"))
            .collect::<String>();
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
        for (_, part) in parts
            .into_iter()
            .enumerate()
            .filter(|(at, _)| *at != largest)
        {
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
            bytes.extend(
                harmonics[1..]
                    .iter()
                    .map(|term| ((term[colour] / 8.0 + 0.5) * 256.0) as u8),
            );
        }
    }
    bytes
}

/// Which part of a quaternion is the largest, and its sign.
fn largest(parts: [f32; 4]) -> (usize, f32) {
    let mut largest = 0;
    for at in 1..4 {
        if parts[at].abs() > parts[largest].abs() {
            largest = at;
        }
    }
    (largest, parts[largest].signum())
}

/// How SPZ is written.
#[derive(Clone, Debug)]
pub struct Spz {
    pub version: u32,
    /// Records of extensions, as they stand in the file.
    pub extensions: Vec<u8>,
    /// Bits of the header's flags, beside the one for extensions.
    pub flags: u8,
    /// Added to the number of splats in the header, and in the lengths of the streams that follow from it.
    pub more: i64,
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
        streams[2].extend(
            harmonics[0]
                .to_array()
                .map(|part| byte(255.0 * (0.15 * part + 0.5))),
        );
        streams[3].extend(
            splats.scales[index]
                .to_array()
                .map(|part| byte(16.0 * (part.ln() + 10.0))),
        );
        let parts = splats.rotations[index].to_array();
        if how.version <= 2 {
            let sign = if parts[3] < 0.0 { -127.5 } else { 127.5 };
            streams[4].extend([0, 1, 2].map(|at| byte(127.5 + sign * parts[at])));
        } else {
            let (largest, sign) = largest(parts);
            let mut word = largest as u32;
            for (_, part) in parts
                .into_iter()
                .enumerate()
                .filter(|(at, _)| *at != largest)
            {
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

/// Bytes in gzip.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

/// Bytes in Zstandard.
pub fn zstandard(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}

/// The extension that says what a file's axes are.
pub fn axes(number: u32) -> Vec<u8> {
    [0xadbe_0003_u32, 4, number]
        .into_iter()
        .flat_map(u32::to_le_bytes)
        .collect()
}
