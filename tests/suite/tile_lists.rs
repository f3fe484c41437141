//! Lists of a frame, read back from the GPU.

use wavelerp::frame::frame_table::TILE_LIST_ROWS;
use wavelerp::frame::{BufferId, Frame};
use wavelerp::gpu::{Gpu, read_buffer};

/// Properties of every tile's list, as in the rows of `shaders/common/tile_list.wesl`.
pub struct TileLists {
    /// First layer and number of layers of each list, including fog slices.
    pub layers: Vec<[u32; 2]>,
    /// First entry and number of entries of each list.
    pub entries: Vec<[u32; 2]>,
    /// View depth in metres beyond which nothing is visible; only in frames with solids.
    pub limits: Vec<f32>,
}

impl TileLists {
    /// Reads the properties of all lists of a frame.
    pub fn read(gpu: &Gpu, frame: &Frame) -> Self {
        let tiles = frame.tiles() as usize;
        let table = frame.resources.buffer(BufferId::TileLists);
        let table = read_buffer::<[u32; 2]>(gpu, table, TILE_LIST_ROWS as usize * tiles);
        let table = table.expect("read-back");
        let (layers, rest) = table.split_at(tiles);
        let (entries, limits) = rest.split_at(tiles);
        Self {
            layers: layers.to_vec(),
            entries: entries.to_vec(),
            limits: limits
                .iter()
                .map(|[depth, _]| f32::from_bits(*depth))
                .collect(),
        }
    }
}

/// The list of `tile` as layer words: a splat index, or `inspect::FOG` | slice.
pub fn read_list(gpu: &Gpu, frame: &Frame, tile: u32) -> Vec<u32> {
    let lists = TileLists::read(gpu, frame);
    let [first, count] = lists.layers[tile as usize].map(|word| word as usize);
    let all = read_buffer::<u32>(gpu, frame.resources.listed(), first + count);
    all.expect("read-back")[first..].to_vec()
}
