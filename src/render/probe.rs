//! A pixel looked into while the frame runs.

use crate::methods::{Method, Specialization};

use super::inspect::ProbedLayer;

/// Layers of a list that a probe shows at most.
pub const SHOWN_LAYERS: usize = 4096;

/// A pixel to look into.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProbeWanted {
    /// Column and row.
    pub pixel: [u32; 2],
    /// Methods whose value there is asked for; one is composited per frame, in turn.
    pub methods: Vec<Specialization>,
}

/// A pixel's newest layers, and the methods' values there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LiveProbe {
    /// Column and row.
    pub pixel: [u32; 2],
    /// Number of the frame that the layers are of.
    pub frame: u64,
    /// Linear radiance behind all layers.
    pub background: [f32; 3],
    /// Layers in the pixel's list.
    pub list_length: u32,
    /// The first [`SHOWN_LAYERS`] of them, front to back; [`ProbedLayer::is_fog`] and
    /// [`ProbedLayer::index`] say what each is.
    pub layers: Vec<ProbedLayer>,
    /// In the order asked for, those that have come back. Dropped with the first reading after the
    /// pixel, the camera or a specialization changed.
    pub results: Vec<ProbeResult>,
}

/// A method's value at the pixel in the last frame that was its turn.
#[derive(Clone, Debug, PartialEq)]
pub struct ProbeResult {
    /// The method.
    pub method: Method,
    /// The wave size it ran at; absent where the kernel could not tell.
    pub wave_size: Option<u32>,
    /// Linear rgb premultiplied, and transmittance T.
    pub value: [f32; 4],
    /// The same in f64 from the layers of the same frame.
    pub expected: [f64; 4],
    /// Greatest channel's |value - expected| in ULP of max(|expected|, 2^-14); infinite where the
    /// value is not finite; absent where the list is too long to be read back.
    pub error_ulp: Option<f64>,
    /// Number of the frame it is of.
    pub frame: u64,
}
