//! Compositing of the layers that matter, in a nearly correct order from a cheaper sort.
//!
//! The techniques here are the shortcuts of splat viewers: depth keys of few bits, the order of an earlier frame,
//! stopping when little light remains, and only the first K layers of a sorted list. There is no second walk, and
//! errors occur only where layers are close in depth.

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
    // Options of the depth keys are frame options.
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

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Order {
    /// By depth and item.
    Exact,
    /// By a key of `bits` bits over a range ([`Range::slice`] with `2^bits` slices); equal keys keep list order.
    Keys { bits: u32, range: Range },
    /// List order, first layer nearest: as in programs without a sort, or with the sort of an earlier frame.
    Listed,
}

/// A coarse order, corrected by a window. When the window is full, its nearest layer leaves it; of equally near layers,
/// the first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coarse {
    pub order: Order,
    pub own: CoarseOptions,
    /// Bits of the depth keys that lists are sorted by.
    pub bits: u32,
    pub age: u32,
}

impl Coarse {
    /// Composites all layers.
    pub fn new(order: Order) -> Self {
        Self {
            order,
            own: CoarseOptions::default(),
            bits: 0,
            age: 0,
        }
    }

    pub fn of(frame: &FrameOptions, own: CoarseOptions, range: Range) -> Self {
        let bits = frame.key_bits;
        Self {
            order: match frame.order {
                ListOrder::Sorted => Order::Exact,
                _ => Order::Keys { bits, range },
            },
            own,
            bits,
            age: frame.order_age,
        }
    }

    pub fn keys(bits: u32, range: Range) -> Self {
        Self::new(Order::Keys { bits, range })
    }

    fn most(&self) -> usize {
        match self.own.first_layers {
            0 => usize::MAX,
            first => first as usize,
        }
    }

    /// Visible layers in coarse order, before any limit.
    fn ordered(&self, layers: &[Layer]) -> Vec<usize> {
        let order = match self.order {
            Order::Exact => sorted(layers),
            Order::Listed => counting(layers).collect(),
            Order::Keys { bits, range } => {
                let key = |&index: &usize| range.slice(layers[index].depth, 1 << bits);
                let mut order: Vec<usize> = counting(layers).collect();
                order.sort_by_key(key);
                order
            }
        };
        through_window(layers, order, self.own.window as usize)
    }
}

impl Technique for Coarse {
    fn composite(&self, layers: &[Layer]) -> OitResult {
        let order = self.ordered(layers);
        let (kept, near_ties) = cut(layers, &order, self.most(), self.own.stop_below);
        OitResult {
            near_ties,
            ..composited(layers, order[..kept].iter().copied())
        }
    }

    /// Integer comparisons decide the order. The kernel's T after `i` layers has a relative error of `(2i+2) u`, so the
    /// kernel may stop at any layer where that error decides; the bound allows for the light between the first and the
    /// last such layer.
    fn bound(&self, layers: &[Layer], _: &OitResult) -> [f64; 4] {
        let order = self.ordered(layers);
        let stop_below = f64::from(self.own.stop_below);
        let (mut taken, mut through, mut bound) = (Vec::new(), 1.0, [0.0; 4]);
        for (number, &index) in order.iter().take(self.most()).enumerate() {
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

    /// An engine blends straight into the picture, so it needs no further targets.
    fn bytes(&self) -> PixelBytes {
        let counts = u32::from(self.own.first_layers > 0);
        let window = self.own.window;
        let window = if window > 1 { window } else { 0 };
        PixelBytes::new((4 + counts) * NUMBER + window * NODE, 0)
    }

    fn constants(&self) -> Vec<(&'static str, Constant)> {
        vec![
            ("KEY_BITS", self.bits.into()),
            ("KEPT", self.own.window.max(1).into()),
            ("STOP_BELOW", self.own.stop_below.into()),
            ("FIRST_LAYERS", self.own.first_layers.into()),
        ]
    }

    fn features(&self) -> Vec<Feature> {
        let late = (self.age > 0).then_some(Feature::OrderCamera);
        late.into_iter().collect()
    }

    fn words(&self) -> Option<String> {
        let CoarseOptions {
            window,
            stop_below,
            first_layers,
        } = self.own;
        let mut words = match (self.order, self.age) {
            (Order::Keys { bits, .. }, 0) => format!("{bits} bits"),
            (Order::Keys { bits, .. }, age) => format!("{bits} bits age {age}"),
            _ => "sorted".to_owned(),
        };
        if window > 1 {
            words += &format!(" window {window}");
        }
        if stop_below > 0.0 {
            words += &format!(" T<{stop_below}");
        }
        if first_layers > 0 {
            words += &format!(" first {first_layers}");
        }
        Some(words)
    }

    fn takes_any_order(&self) -> bool {
        false
    }

    fn reads_coarse_lists(&self) -> bool {
        true
    }
}

/// The order in which layers leave a window. It is exact if each layer comes after fewer than `most` layers behind it.
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

/// Number of layers, at most `most`, until T is below `stop_below`, and the number of close decisions. A decision is close
/// if T is within 1e-5 of the limit, because the kernel's product in f32 may be on the other side.
fn cut(layers: &[Layer], order: &[usize], most: usize, stop_below: f32) -> (usize, u32) {
    let (mut left, mut near_ties) = (1.0, 0);
    let bound = f64::from(stop_below);
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
            technique.own.stop_below = early_out;
            let found = error(&technique, &list);
            assert!(found > 0.0 && found <= f64::from(early_out));
        }
        for (early_out, ties) in [(0.25, 1), (0.24, 0)] {
            technique.own.stop_below = early_out;
            assert_eq!(technique.composite(&stack(4, 1.0, 0.5)).near_ties, ties);
        }
    }
}
