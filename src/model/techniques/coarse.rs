//! A cheaper sort: compositing in an order that is nearly right, of as many layers as matter.
//!
//! What splat viewers ship: depth keys of few bits, the order of a frame ago, an end once little light is left, the first
//! K of a sorted list. It costs no second walk and errs only where layers are close in depth.

use super::Technique;
use super::bounds::{SECOND_ORDER, bound_of_order};
use super::keeping::NODE;
use super::layers::{Layer, OitResult, Range, composited, counting, sorted};
use crate::model::Feature;
use crate::model::constant::Constant;
use crate::model::methods::entry::{APPROXIMATE, Entry, NUMBER, PixelBytes};
use crate::model::options::frame::{FrameOptions, ListOrder};
use crate::model::options::rows::{Factor, Within, own_options};
use crate::model::reference::composite::ROUNDOFF;

/// Row of `coarse`.
pub const COARSE: Entry = Entry {
    name: "coarse",
    module: "methods/coarse",
    mapping: "as list-order, in the order of depth keys of few bits (--key-bits)",
    cost: "at most n sequential evaluations per pixel (--stop-below, --first-layers), W exchanges each in a window (--window); lists sorted by short keys",
    guarantee: "exact where keys differ, exact transmittance unless it stops early; within a key depends on the order of the list",
    origin: "as viewers of Gaussian splats do",
    bench_options: " | stop_below=0.003921569 | stop_below=0.1 | first_layers=64 | window=2 | window=4 | window=8 | window=16",
    ..APPROXIMATE
};

own_options! {
    /// Options of `coarse`, beside those of its keys, which are the frame's.
    "Approximate: coarse"
    pub struct CoarseOptions {
        /// Layers of a sliding window that corrects the order of `coarse` within short keys, 2 to 16; 0: none
        pub window in "COUNT": u32 = 0, Within([0, 16]), ["coarse"];
        /// Stop a pixel of `coarse` when its transmittance falls below this, 0 (off) to 0.1; exact methods use `--early-out`
        pub stop_below in "TRANSMITTANCE": f32 = 0.0, Factor([0.0, 0.1]), ["coarse"];
        /// Maximum layers that `coarse` composites per pixel, 1 to 1024; 0: all
        pub first_layers in "COUNT": u32 = 0, Within([0, 1024]), ["coarse"];
    }
}

/// In what order layers are composited.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Order {
    /// By depth and item.
    Exact,
    /// By a key of `bits` bits, 4 to 16, over a range ([`Range::slice`] of `2^bits` slices); equal keys in list order.
    Keys {
        /// Bits of a key, default 8.
        bits: u32,
        /// The range of the keys.
        range: Range,
    },
    /// As the list is, first layer nearest: programs that do not sort, and those that sort by the camera of n frames ago.
    Listed,
}

/// A cheaper sort and its dials.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coarse {
    pub order: Order,
    /// W, the layers of a window through which they go in this order: of one too many the nearest leaves it, equal depths as they
    /// came. 2 to 16, default 0: none.
    pub window: u32,
    /// T at which compositing ends, 0 to 0.1, default 0: never. 1/255 to 0.1 are in use.
    pub early_out: f32,
    /// K, the first layers of the order that are composited, 1 or more; `None` for all.
    pub most: Option<u32>,
    /// Bits of the keys by which lists are made.
    pub bits: u32,
    /// Frames by which these keys are late.
    pub age: u32,
}

impl Coarse {
    /// An order and nothing left out.
    pub fn new(order: Order) -> Self {
        Self {
            order,
            window: 0,
            early_out: 0.0,
            most: None,
            bits: 0,
            age: 0,
        }
    }

    /// Under these options.
    pub fn of(frame: &FrameOptions, own: &CoarseOptions, range: Range) -> Self {
        let bits = frame.key_bits;
        Self {
            window: own.window,
            early_out: own.stop_below,
            most: (own.first_layers > 0).then_some(own.first_layers),
            bits,
            age: frame.order_age,
            ..Self::new(match frame.order {
                ListOrder::Sorted => Order::Exact,
                ListOrder::Item | ListOrder::Shuffled | ListOrder::Any => {
                    Order::Keys { bits, range }
                }
            })
        }
    }

    /// By keys of `bits` bits, and nothing left out.
    pub fn keys(bits: u32, range: Range) -> Self {
        Self::new(Order::Keys { bits, range })
    }

    /// The layers that count, in its order, also those behind its end.
    pub fn ordered(&self, layers: &[Layer]) -> Vec<usize> {
        let order = match self.order {
            Order::Exact => sorted(layers),
            Order::Listed => counting(layers).collect(),
            Order::Keys { bits, range } => {
                let key = |&index: &usize| range.slice(layers[index].depth, 1 << bits.clamp(4, 16));
                let mut order: Vec<usize> = counting(layers).collect();
                order.sort_by_key(key);
                order
            }
        };
        through_window(layers, order, self.window as usize)
    }
}

impl Technique for Coarse {
    fn composite(&self, layers: &[Layer]) -> OitResult {
        let order = self.ordered(layers);
        let most = self.most.map_or(usize::MAX, |most| most.max(1) as usize);
        let (kept, near_ties) = cut(layers, &order, most, self.early_out);
        OitResult {
            near_ties,
            ..composited(layers, order[..kept].iter().copied())
        }
    }

    /// Comparisons of integers decide in what order layers are.
    fn bound(&self, layers: &[Layer], _: &OitResult) -> [f64; 4] {
        let order = self.ordered(layers);
        let most = self.most.map_or(order.len(), |most| most as usize);
        let stop_below = f64::from(self.early_out);
        let (mut taken, mut through, mut bound) = (Vec::new(), 1.0, [0.0; 4]);
        for (number, &index) in order.iter().take(most).enumerate() {
            let off = SECOND_ORDER * (2.0 * number as f64 + 2.0) * ROUNDOFF;
            if through * (1.0 + off) < stop_below {
                break;
            }
            let layer = layers[index];
            let alpha = layer.alpha();
            if through * (1.0 - off) < stop_below {
                let [red, green, blue] = layer.colour.map(f64::abs);
                let seen = bound.iter_mut().zip([red, green, blue, 1.0]);
                seen.for_each(|(bound, most)| *bound += through * alpha * most);
            }
            through *= 1.0 - alpha;
            taken.push(layer);
        }
        let rounding = bound_of_order(&taken);
        std::array::from_fn(|channel| bound[channel] + rounding[channel])
    }

    /// Drawn, it blends into the picture.
    fn bytes(&self) -> PixelBytes {
        let counts = u32::from(self.most.is_some());
        let window = if self.window > 1 { self.window } else { 0 };
        PixelBytes::new((4 + counts) * NUMBER + window * NODE, 0)
    }

    fn constants(&self) -> Vec<(&'static str, Constant)> {
        vec![
            ("KEY_BITS", self.bits.into()),
            ("KEPT", self.window.max(1).into()),
            ("STOP_BELOW", self.early_out.into()),
            ("FIRST_LAYERS", self.most.unwrap_or(0).into()),
        ]
    }

    fn features(&self) -> Vec<Feature> {
        let late = (self.age > 0).then_some(Feature::OrderCamera);
        late.into_iter().collect()
    }

    fn words(&self) -> Option<String> {
        let keys = match (self.order, self.age) {
            (Order::Keys { bits, .. }, 0) => format!("{bits} bits"),
            (Order::Keys { bits, .. }, age) => format!("{bits} bits age {age}"),
            _ => "sorted".to_owned(),
        };
        let window = (self.window > 1).then(|| format!("window {}", self.window));
        let stop = (self.early_out > 0.0).then(|| format!("T<{}", self.early_out));
        let first = self.most.map(|most| format!("first {most}"));
        let words = [Some(keys), window, stop, first];
        Some(words.into_iter().flatten().collect::<Vec<_>>().join(" "))
    }

    fn takes_any_order(&self) -> bool {
        false
    }

    fn reads_coarse_lists(&self) -> bool {
        true
    }
}

/// The order in which layers leave a window of so many: exact where none comes behind so many others that it is in front of.
fn through_window(layers: &[Layer], order: Vec<usize>, most: usize) -> Vec<usize> {
    if most < 2 {
        return order;
    }
    let (mut held, mut left) = (Vec::new(), Vec::new());
    for index in order {
        let is_nearer =
            |&other: &usize| layers[other].depth.total_cmp(&layers[index].depth).is_le();
        held.insert(held.partition_point(is_nearer), index);
        if held.len() > most {
            left.push(held.remove(0));
        }
    }
    left.extend(held);
    left
}

/// How many layers are in front after which T is under `early_out`, `most` at the most, and how many decisions were close.
///
/// The kernel's T is a product in f32: one that is within 1e-5 of the bound, relative to it, is a near tie.
fn cut(layers: &[Layer], order: &[usize], most: usize, early_out: f32) -> (usize, u32) {
    let (mut left, mut near_ties) = (1.0, 0);
    let bound = f64::from(early_out);
    for (at, &index) in order.iter().enumerate() {
        if at >= most || left < bound {
            return (at, near_ties);
        }
        left *= 1.0 - layers[index].alpha();
        near_ties += u32::from((left - bound).abs() < 1e-5 * bound);
    }
    (order.len(), near_ties)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{error, layer, layers, range, shuffled, stack};
    use super::*;

    fn keys(bits: u32) -> Coarse {
        Coarse::keys(bits, range())
    }

    #[test]
    fn more_bits_err_less_and_layers_apart_by_a_key_not_at_all() {
        let lists: Vec<Vec<Layer>> = (0..50).map(|seed| layers(24, seed, 0.1..0.6)).collect();
        let sum = |bits| {
            let errors = lists.iter().map(|list| error(&keys(bits), list));
            errors.sum::<f64>()
        };
        let errors = [4, 6, 8, 12, 16].map(sum);
        assert!(errors.is_sorted_by(|few, many| few > many), "{errors:?}");
        assert!(errors[0] > 1.0 && errors[4] < 0.05, "{errors:?}");
        let apart = |i| layer(1.1f32.powi(i), 0.1 * f64::from(i), 0.2, i as u32);
        let list: Vec<Layer> = (0..40).map(apart).collect();
        let list = shuffled(&list, 1);
        assert!(error(&keys(8), &list) < 1e-12 && error(&keys(4), &list) > 1e-3);
    }

    #[test]
    fn an_end_errs_by_what_was_left_and_is_counted_where_it_is_close() {
        let mut technique = Coarse::new(Order::Exact);
        let list = layers(40, 2, 0.1..0.4);
        for early_out in [0.1, 1.0 / 255.0] {
            technique.early_out = early_out;
            let found = error(&technique, &list);
            assert!(found > 0.0 && found <= f64::from(early_out));
        }
        for (early_out, ties) in [(0.25, 1), (0.24, 0)] {
            technique.early_out = early_out;
            assert_eq!(technique.composite(&stack(4, 1.0, 0.5)).near_ties, ties);
        }
        let mut first = Coarse::new(Order::Exact);
        first.most = Some(5);
        let shares = first.composite(&list).shares;
        assert_eq!(shares.iter().filter(|share| **share > 0.0).count(), 5);
    }
}
