use crate::model::methods::Source;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// Frame size in pixels.
    pub size: [u32; 2],
    /// Number of particles, cells and Gaussians that may become splats. 0 in a table.
    pub items: u32,
    /// Bits of the splats' sort keys. 0 in a table.
    pub key_bits: u32,
    /// Methods are compiled for this kind of layers.
    pub layers: Source,
    /// Number of fog slices. 0 in a table.
    pub slices: u32,
    pub tiles: u32,
    pub longest_list: u32,
    pub listed_layers: u32,
}
