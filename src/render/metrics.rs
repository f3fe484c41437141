//! How far method A is from method B, measured on the GPU.

use crate::compare::metrics::Metrics;

/// A's distance from B (the reference), in the numbers and by the rules of [`Metrics`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LiveMetrics {
    /// As a capture has them.
    pub metrics: Metrics,
    /// Pixels with a channel further from the reference than the threshold, or not finite.
    pub over_threshold: u64,
    /// Largest finite magnitude of any channel of the reference.
    pub peak: f64,
    /// 20 log10(peak / rmse), dB; absent where the rmse (or the peak) is 0.
    pub psnr: Option<f64>,
}
