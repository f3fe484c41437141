//! How visible solids are found: rasterised or ray-tested.

use crate::model::flag_value::flag_values;

flag_values! {
    /// How the visible opaque triangle of a pixel is found. Pictures differ only in pixels at edges.
    pub enum Solids {
        /// Whichever is known to be faster on the adapter.
        #[default]
        Auto,
        /// By the rasteriser.
        Draw,
        /// By compute, in scenes without model files and with at most some ten thousand triangles.
        Compute,
    }
}
