//! Result of a method on a probed pixel by its definition in f64, and the light it assumes at each depth.

use super::inspect::ProbedLayer;
use crate::frame::Frame;
use crate::methods::Specialization;
use crate::model::methods::Method;
use crate::model::options::{BinRange, ListOrder};
use crate::model::reference::oit::coarse::{self, Coarse};
use crate::model::reference::oit::of_method::{self, Seen};
use crate::model::reference::oit::{Believed, Layer, Range, technique};
use crate::model::reference::order::Unsorted;

/// Inputs of methods besides a pixel's layers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scope {
    seen: Seen,
    planes: [f32; 2],
    counts: [u32; 2],
}

impl Scope {
    pub fn of(frame: &Frame, pixel: [u32; 2]) -> Self {
        let (shape, moment) = (frame.shape(), &frame.input().moment);
        Self {
            seen: Seen {
                pixel,
                time: moment.time,
            },
            planes: [shape.near, shape.far],
            counts: [shape.items(), shape.listed_slices()],
        }
    }

    /// Result of `of` on the pixel's layers, front to back; `None` if it also depends on other pixels.
    pub fn believed(self, of: &Specialization, layers: &[ProbedLayer]) -> Option<Believed> {
        let frame = of.options.frame;
        let method = of.options.method;
        let is_alone = method.bin_range != BinRange::Frame && method.bin_block == 1;
        if of.runs == Method::Histogram && !is_alone {
            return None;
        }
        let [near, far] = self.planes;
        let planes = Range::new(near, far);
        let mut technique = technique(of.runs, &of.options, planes, self.seen);
        let mut read: Vec<&ProbedLayer> = layers.iter().collect();
        if frame.order != ListOrder::Sorted {
            let lists = Unsorted {
                counts: self.counts,
                shuffled: frame.order.is_shuffled(),
            };
            read.sort_by_key(|layer| lists.place(layer.index(), layer.is_fog()));
            if of.runs == Method::Coarse && frame.order_age > 0 {
                read.sort_by_key(|layer| planes.slice(layer.order_depth, 1 << frame.key_bits));
                technique = Box::new(Coarse {
                    order: coarse::Order::Listed,
                    ..of_method::coarse(&of.options, planes)
                });
            }
        }
        let read: Vec<Layer> = read.into_iter().map(layer).collect();
        Some(technique.believe(&read))
    }
}

/// A layer as seen by methods. Its number is the list's word, which separates slices from items.
fn layer(probed: &ProbedLayer) -> Layer {
    Layer {
        depth: probed.order,
        colour: probed.color.map(f64::from),
        opacity: probed.opacity,
        item: probed.word,
    }
}

pub fn curve(believed: &Believed, layers: &[ProbedLayer]) -> Vec<[f64; 2]> {
    let shows = layers.iter().filter(|layer| layer.opacity > 0.0);
    let shows: Vec<&ProbedLayer> = shows.collect();
    let step = shows.len().div_ceil(MOST_POINTS).max(1);
    let both = shows.into_iter().step_by(step).flat_map(|layer| {
        let at = |order: f32| {
            [
                f64::from(layer.depth),
                believed.transmittance(f64::from(order)),
            ]
        };
        [at(layer.order), at(layer.order.next_up())]
    });
    both.collect()
}

/// Maximum points of a curve; layers beyond that are thinned out evenly.
const MOST_POINTS: usize = 512;
