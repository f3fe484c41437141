//! `.splat`: 32 bytes per splat and nothing else. Positions and linear scales are in floating point; colour, opacity
//! and quaternion take a byte per component.
//!
//! Source: K. Kwok, "antimatter15/splat" (2023).

use glam::{Quat, Vec3};

use super::arrays::{CONSTANT_TERM, Splats, unit};
use super::reading::Reading;
use super::records::{blocks, vector};
use crate::model::files::{Fault, Opened, ensure};

const SIZE: usize = 32;

pub(super) fn read(mut file: Opened, reading: &mut Reading) -> Result<Splats, Fault> {
    let rest = file.length % SIZE as u64;
    ensure!(
        file.length >= SIZE as u64,
        "it has {} bytes; a splat has {SIZE}",
        file.length
    );
    if rest != 0 {
        reading.remark(format!(
            "its last {rest} bytes are not a whole splat: left out"
        ));
    }
    let count = usize::try_from(file.length / SIZE as u64).unwrap_or(usize::MAX);
    let mut splats = reading.room(count, 0)?;
    let rows = (count, SIZE);
    blocks(&mut file.bytes, rows, "its splats", |first, block| {
        for (_, record) in reading.kept(first, block, SIZE) {
            append(record, &mut splats);
        }
        reading.at((first + block.len() / SIZE) as u64, count as u64)
    })?;
    Ok(splats)
}

fn append(record: &[u8], splats: &mut Splats) {
    let byte = |at: usize| f32::from(record[at]);
    splats.positions.push(vector(record, 0));
    splats.scales.push(vector(record, 12));
    let colour = Vec3::from([24, 25, 26].map(byte)) / 255.0;
    splats.harmonics.push((colour - 0.5) / CONSTANT_TERM);
    splats.opacities.push(byte(27) / 255.0);
    // The real part comes first; 128 stands for 0.
    let [w, x, y, z] = [28, 29, 30, 31].map(|at| byte(at) - 128.0);
    splats.rotations.push(unit(Quat::from_xyzw(x, y, z, w)));
}
