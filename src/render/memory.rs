//! Adapter memory per particle and per tile entry, by the table of a frame's buffers.

use crate::gpu::Capabilities;
use crate::gpu::layout::FrameUniform;
use crate::methods::Stored;

use super::frame_table::{BUFFERS, Content, Counts};

/// Bytes of GPU memory that one more of a thing takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BytesPer {
    /// Per particle, or pane cell less what a particle is in world space.
    pub particle: f64,
    /// Per tile entry there is room for.
    pub entry: f64,
}

/// What particles and tile entries take in a frame of these constants, without what single methods hold.
#[must_use]
pub fn bytes_per(caps: &Capabilities, uniform: &FrameUniform) -> BytesPer {
    const MANY: u32 = 1 << 30;
    let none = FrameUniform {
        particles: 0,
        cells: 0,
        entry_capacity: 0,
        ..*uniform
    };
    let more = |with: &dyn Fn(u32) -> FrameUniform| {
        let [once, twice] = [MANY, 2 * MANY].map(|count| room(caps, &with(count)));
        (twice - once) as f64 / f64::from(MANY)
    };
    BytesPer {
        particle: more(&|particles| FrameUniform { particles, ..none }),
        entry: more(&|entry_capacity| FrameUniform {
            entry_capacity,
            ..none
        }),
    }
}

/// Bytes of all buffers that the GPU fills.
fn room(caps: &Capabilities, uniform: &FrameUniform) -> u64 {
    let counts = Counts::of(caps, uniform, Stored::Whole, false);
    let bytes = BUFFERS.iter().map(|row| match row.content {
        Content::Room(bytes) => bytes(&counts),
        Content::Given(_) => 0,
    });
    bytes.sum()
}
