//! Writers of files of splats, for round trips. They share no code with the readers.

use glam::{Quat, Vec3};
use wavelerp::splats::Splats;

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
        rotations: vec![Quat::IDENTITY; 5],
        scales: vec![Vec3::splat(0.1); 5],
        opacities: vec![0.5; 5],
        degree,
        harmonics: vec![Vec3::splat(0.25); 5 * terms],
    }
}
