//! Multi-layer alpha blending (Salvi and Vaidyanathan, I3D 2014): K nodes of premultiplied colour and transmittance.
//! The two farthest nodes merge to make room for a layer.
//!
//! There is only one walk. The result is exact on lists sorted either way, and for up to K layers. **Otherwise it
//! depends on the order of the list**: the nodes to merge are chosen when the next layer comes.

use super::Technique;
use super::bounds::{LEAST, bound_of_shares};
use super::keeping::{DRAWN_NODE, NODE};
use super::layers::{Layer, OitResult, counting, unorm};
use crate::model::constant::Constant;
use crate::model::flag_value::flag_values;
use crate::model::methods::entry::{APPROXIMATE, Entry, PixelBytes};
use crate::model::options::rows::{Any, own_options};
use crate::model::reference::composite::ROUNDOFF;
use crate::model::reference::half::{LARGEST as LARGEST_HALF, ROUNDOFF as HALF_STEP};

pub const MLAB: Entry = Entry {
    name: "mlab",
    module: "methods/mlab",
    mapping: "as list-order; nodes of a pixel in registers, in order; the two farthest blend to make room (--kept)",
    cost: "n sequential evaluations per pixel; no sort; up to K exchanges and a blend per layer, 6 K numbers of state",
    guarantee: "exact on sorted lists and up to K layers, exact transmittance in f32; depends on the order of the list",
    origin: "multi-layer alpha blending (Salvi and Vaidyanathan 2014)",
    bench_options: "kept=8 | kept=4 | kept=16 | node_storage=f16 | node_storage=u8",
    ..APPROXIMATE
};

own_options! {
    "Approximate: k-buffer, hybrid, mlab, adaptive, linked-list"
    pub struct MlabOptions {
        /// Number format of the nodes of `mlab`: `f32`, or `f16` or `u8`, rounded at every blend
        pub node_storage: Storage = Storage::default(), Any, ["mlab"];
    }
}

flag_values! {
    pub enum Storage {
        #[value(help = "Single precision")]
        #[default]
        F32,
        // Colours above 65504 are cut off.
        #[value(help = "Half floats, rounded at every blend")]
        F16,
        #[value(
            help = "8 bits, rounded at every blend, for displayed colours: they end at 1, and faint layers are lost"
        )]
        U8,
    }
}

impl Storage {
    /// True if f32 arithmetic may round a number to the other neighbour.
    fn is_near_tie(self, value: f64) -> bool {
        let (most, step, slack) = match self {
            Self::F32 => return false,
            Self::F16 => {
                let step = (value.log2().floor().max(-14.0) - 10.0).exp2();
                (LARGEST_HALF, step, 4.0 * ROUNDOFF * value / step)
            }
            Self::U8 => (1.0, 1.0 / 255.0, 1e-4),
        };
        let steps = 0.5 + value / step;
        (0.0..=most).contains(&value) && (steps - steps.round()).abs() < slack
    }

    fn rounded(self, value: f64) -> f64 {
        match self {
            Self::F32 => value,
            Self::F16 => ::half::f16::from_f64(value.clamp(0.0, LARGEST_HALF)).to_f64(),
            Self::U8 => unorm(value, 8),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mlab {
    pub nodes: u32,
    pub storage: Storage,
}

impl Mlab {
    pub fn new(nodes: u32, storage: Storage) -> Self {
        Self { nodes, storage }
    }
}

struct Node {
    nearest: usize,
    rgb: [f64; 3],
    transmittance: f64,
    /// Index of the node among all nodes ever made.
    number: usize,
}

impl Node {
    fn of(layers: &[Layer], index: usize, number: usize) -> Self {
        let alpha = layers[index].alpha();
        Self {
            nearest: index,
            rgb: layers[index].colour.map(|colour| colour * alpha),
            transmittance: 1.0 - alpha,
            number,
        }
    }

    fn rounded(mut self, storage: Storage) -> Self {
        self.rgb = self.rgb.map(|value| storage.rounded(value));
        self.transmittance = storage.rounded(self.transmittance);
        self
    }

    fn near_ties(&self, storage: Storage) -> u32 {
        let values = self.rgb.into_iter().chain([self.transmittance]);
        values.filter(|value| storage.is_near_tie(*value)).count() as u32
    }
}

/// For each node ever made, the node that it was merged into, and the transmittance in front of it in that node.
#[derive(Default)]
struct Joined(Vec<(usize, f64)>);

impl Joined {
    fn next(&mut self) -> usize {
        self.0.push((self.0.len(), 1.0));
        self.0.len() - 1
    }

    fn over(&mut self, mut front: Node, behind: Node) -> Node {
        let number = self.next();
        self.0[front.number] = (number, 1.0);
        self.0[behind.number] = (number, front.transmittance);
        for (sum, value) in front.rgb.iter_mut().zip(behind.rgb) {
            *sum += front.transmittance * value;
        }
        front.transmittance *= behind.transmittance;
        Node { number, ..front }
    }

    /// Fraction of each node that is visible in the last node.
    fn seen(&self) -> Vec<f64> {
        let mut seen = vec![1.0; self.0.len()];
        for (number, &(into, through)) in self.0.iter().enumerate().rev() {
            seen[number] = seen[into] * through;
        }
        seen
    }
}

impl Technique for Mlab {
    fn composite(&self, layers: &[Layer]) -> OitResult {
        let most = self.nodes as usize;
        let (mut nodes, mut joined) = (Vec::<Node>::new(), Joined::default());
        let (mut numbers, mut near_ties) = (Vec::new(), 0);
        for index in counting(layers) {
            let behind = |node: &Node| layers[node.nearest].order(&layers[index]).is_gt();
            let place = nodes.iter().position(behind).unwrap_or(nodes.len());
            let node = Node::of(layers, index, joined.next());
            numbers.push((index, node.number));
            near_ties += node.near_ties(self.storage);
            nodes.insert(place, node.rounded(self.storage));
            if nodes.len() > most
                && let (Some(last), Some(before)) = (nodes.pop(), nodes.pop())
            {
                let blended = joined.over(before, last);
                near_ties += blended.near_ties(self.storage);
                nodes.push(blended.rounded(self.storage));
            }
        }
        let mut shares = vec![0.0; layers.len()];
        let nodes = nodes.into_iter();
        let Some(all) = nodes.reduce(|front, behind| joined.over(front, behind)) else {
            return OitResult::of(layers, shares, 1.0);
        };
        let seen = joined.seen();
        for (index, number) in numbers {
            shares[index] = layers[index].alpha() * seen[number];
        }
        let [red, green, blue] = all.rgb;
        OitResult {
            result: [red, green, blue, all.transmittance],
            near_ties,
            ..OitResult::of(layers, shares, all.transmittance)
        }
    }

    /// In f32, `n` layers blend in at most `n` steps of two roundings, seen through a product of `n` differences.
    ///
    /// In 8 bits a blend is never near a tie, because `ij/255` is never closer than 1/510 to a tie, so only the last
    /// blends round. If a layer is rounded near a tie, each layer and each blend may be off by two steps. The same
    /// holds for half floats, where blends may be near a tie too.
    fn bound(&self, layers: &[Layer], found: &OitResult) -> [f64; 4] {
        let count = layers.len() as f64;
        let steps = |value: f64| match (found.near_ties, self.storage) {
            (0, _) => 0.0,
            (_, Storage::F16) => 4.0 * count * (2.0 * HALF_STEP * value + ROUNDOFF),
            _ => 4.0 * count / 255.0,
        };
        match self.storage {
            Storage::F32 => bound_of_shares(layers, found, 4.0 * count + 4.0),
            Storage::F16 | Storage::U8 => {
                (found.result).map(|value| 72.0 * ROUNDOFF * value + LEAST + steps(value))
            }
        }
    }

    fn bytes(&self) -> PixelBytes {
        PixelBytes::new(self.nodes * NODE, self.nodes * DRAWN_NODE)
    }

    fn constants(&self) -> Vec<(&'static str, Constant)> {
        vec![
            ("KEPT", self.nodes.into()),
            ("STORAGE", (self.storage as u32).into()),
        ]
    }

    fn words(&self) -> Option<String> {
        Some(match self.storage {
            Storage::F32 => self.nodes.to_string(),
            storage => format!("{} {storage}", self.nodes),
        })
    }

    fn takes_any_order(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{apart, layer, layers, stack};
    use super::*;

    #[test]
    fn eight_bit_nodes_cut_off_colours_and_lose_faint_layers() {
        let list = layers(40, 3, 0.1..0.5);
        let [whole, bytes] = [Storage::F32, Storage::U8].map(|storage| Mlab::new(4, storage));
        let [before, after] = [whole, bytes].map(|technique| technique.composite(&list).result);
        assert!((1e-6..0.1).contains(&apart(before, after)));
        assert_eq!(bytes.composite(&[layer(1.0, 8.0, 0.5, 0)]).result[0], 1.0);
        let fog = stack(128, 0.5, 0.0019);
        assert_eq!(bytes.composite(&fog).result[3], 1.0);
    }
}
