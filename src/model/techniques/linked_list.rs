//! Per-pixel linked lists (Yang and others, EGSR 2010): each pixel stores its visible layers in memory in list order, and
//! sorts them at the end.
//!
//! The result is exact while all layers fit. Otherwise the last layers of the list do not fit, even if they are near, so
//! the result depends on order.

use super::keeping::{NODE, Rest, behind_core, bound_of_core};
use super::layers::{Layer, OitResult, counting, sorted};
use super::{OwnBuffer, Technique};
use crate::model::Feature;
use crate::model::constant::Constant;
use crate::model::methods::entry::{APPROXIMATE, Entry, NUMBER, PixelBytes};
use crate::model::options::rows::{Within, own_options};

pub const LINKED_LIST: Entry = Entry {
    name: "linked-list",
    module: "methods/linked_list",
    mapping: "as list-order; each pixel stores its visible layers in a list in memory (--list-room), then sorts it",
    cost: "n evaluations per pixel; no sort of tiles' lists; 24 bytes of memory per pixel and layer that there is room for",
    guarantee: "exact while there is room; layers later in the list are averaged, or treated differently (--rest), however near",
    origin: "per-pixel linked lists (Yang et al. 2010)",
    bench_options: "list_room=16 | list_room=32 | rest=drop",
    ..APPROXIMATE
};

own_options! {
    "Approximate: k-buffer, hybrid, mlab, adaptive, linked-list"
    pub struct LinkedListOptions {
        /// Layers that a pixel of `linked-list` can store in memory, 4 to 64, 24 bytes each
        pub list_room in "COUNT": u32 = 16, Within(ROOMS), ["linked-list"];
    }
}

const ROOMS: [u32; 2] = [4, 64];
/// Bytes of a node in engines (colour, depth, pointer; some store more), and of the first pointer of a pixel.
const DRAWN_NODE: u32 = 16;
const DRAWN_POINTER: u32 = 4;
/// Maximum number of nodes of a pixel that are sorted at a time.
const MOST_TAKEN: u32 = 8;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinkedList {
    pub room: u32,
    /// Treatment of layers that do not fit. Engines drop such layers.
    pub rest: Rest,
}

impl LinkedList {
    pub fn new(room: u32, rest: Rest) -> Self {
        Self { room, rest }
    }

    fn taken(&self) -> u32 {
        self.room.min(MOST_TAKEN)
    }

    /// The stored layers, front to back, and the other layers in list order.
    fn split(&self, layers: &[Layer]) -> (Vec<usize>, Vec<usize>) {
        let rest: Vec<usize> = counting(layers).skip(self.room as usize).collect();
        let end = rest.first().copied().unwrap_or(layers.len());
        (sorted(&layers[..end]), rest)
    }
}

impl Technique for LinkedList {
    fn composite(&self, layers: &[Layer]) -> OitResult {
        let (stored, rest) = self.split(layers);
        behind_core(layers, &stored, &rest, self.rest)
    }

    fn bound(&self, layers: &[Layer], _: &OitResult) -> [f64; 4] {
        bound_of_core(self.split(layers), self.rest, layers)
    }

    /// Nodes in memory are counted with the method's own buffer.
    fn bytes(&self) -> PixelBytes {
        let [rest, drawn_rest] = self.rest.bytes();
        PixelBytes::new(
            self.taken() * NODE + 5 * NUMBER + rest,
            self.room * DRAWN_NODE + DRAWN_POINTER + drawn_rest,
        )
    }

    fn constants(&self) -> Vec<(&'static str, Constant)> {
        vec![
            ("ROOM", self.room.into()),
            ("TAKEN", self.taken().into()),
            ("REST", (self.rest as u32).into()),
        ]
    }

    /// Tables in uniform buffers free a storage buffer for the nodes.
    fn features(&self) -> Vec<Feature> {
        vec![Feature::UniformTables]
    }

    fn words(&self) -> Option<String> {
        Some(match self.rest == Rest::default() {
            true => self.room.to_string(),
            false => format!("{} {}", self.room, self.rest),
        })
    }

    fn takes_any_order(&self) -> bool {
        false
    }

    fn buffer(&self) -> Option<OwnBuffer> {
        let remedy = |most| match most / u64::from(NODE) {
            room if room >= u64::from(ROOMS[0]) => format!("--list-room {room} fits"),
            _ => "choose a smaller size".to_owned(),
        };
        Some(OwnBuffer {
            name: "nodes",
            bytes: u64::from(self.room * NODE),
            frames: 1,
            remedy,
        })
    }
}
