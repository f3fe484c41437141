//! Timing all methods against each other, one interleaved round per frame, without ever waiting.

use crate::methods::Method;

/// Times of methods, as far as they have come back.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measurement {
    /// The methods in the order asked for.
    pub methods: Vec<Method>,
    /// The wave size each ran at; absent where it is not known (yet).
    pub wave_sizes: Vec<Option<u32>>,
    /// Rounds before the first that counts.
    pub warm_up_rounds: u32,
    /// Rounds that count.
    pub rounds: u32,
    /// Rounds that count and whose times have come back.
    pub rounds_done: u32,
    /// GPU times, ms, per method and round.
    pub samples: Vec<Vec<f64>>,
    /// Whether nothing more will come.
    pub finished: bool,
}
