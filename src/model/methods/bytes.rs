//! What techniques keep of a pixel, in this program and as engines ship them.

use serde::{Deserialize, Serialize};

/// What a technique keeps of a pixel, bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PixelBytes {
    /// In this program's kernel: registers, or a thread's column of workgroup memory.
    pub state: u32,
    /// In the targets that engines draw it into, beside the picture: sums in half floats, `T` and colours in 8 bits a channel,
    /// depths in 32, unless options say otherwise. None where it depends on how many layers a pixel has.
    pub drawn: Option<u32>,
}
