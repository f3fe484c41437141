//! The range of a list that a dispatch composites.

use super::gpu_struct;

gpu_struct! {
    /// `Range` of `shaders/methods/list.wesl`.
    Range {
        /// First list entry of the dispatch.
        first_layer: u32,
        /// Maximum entries per list in this dispatch.
        layer_count: u32,
        /// Transmittance below which further layers may be skipped.
        early_out: f32,
        /// Layers per batch, if lists are cut into batches.
        batch: u32,
    }
}
