//! Adapter memory per particle and per tile entry, by the table of a frame's buffers.

use super::frame_table::{BUFFERS, Content};
use super::shape::FrameShape;

/// Bytes of GPU memory that one more of a thing takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BytesPer {
    /// Per particle, or cell of a sheet less what a particle is in world space.
    pub particle: f64,
    /// Per tile entry there is room for.
    pub entry: f64,
}

/// What particles and tile entries take in a frame of this shape, without what single methods hold.
#[must_use]
pub fn bytes_per(shape: &FrameShape) -> BytesPer {
    const MANY: u32 = 1 << 30;
    let none = FrameShape {
        particles: 0,
        cells: 0,
        entry_capacity: 0,
        ..*shape
    };
    let more = |with: &dyn Fn(u32) -> FrameShape| {
        let [once, twice] = [MANY, 2 * MANY].map(|count| room(&with(count)));
        (twice - once) as f64 / f64::from(MANY)
    };
    BytesPer {
        particle: more(&|particles| FrameShape { particles, ..none }),
        entry: more(&|entry_capacity| FrameShape {
            entry_capacity,
            ..none
        }),
    }
}

/// Bytes of all buffers that the GPU fills.
fn room(shape: &FrameShape) -> u64 {
    let bytes = BUFFERS.iter().map(|row| match row.content {
        Content::Room(bytes) => bytes(shape),
        Content::Given(_) => 0,
    });
    bytes.sum()
}
