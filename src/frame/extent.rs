use crate::model::methods::Source;

/// Extent of a composite: pixels, tiles and layers of the lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// Frame size in pixels.
    pub size: [u32; 2],
    /// Number of particles, cells and Gaussians that may become splats; 0 for a table.
    pub items: u32,
    /// Bits of the sort keys of splats; 0 for a table.
    pub key_bits: u32,
    /// Kind of layers for which a frame's methods are compiled.
    pub layers: Source,
    /// Number of fog slices; 0 for a table.
    pub slices: u32,
    pub tiles: u32,
    pub longest_list: u32,
    pub listed_layers: u32,
}
