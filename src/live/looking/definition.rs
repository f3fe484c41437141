//! Computes a method's result at a probed pixel in f64, from the method's definition, and the light that the method
//! assumes at each depth.

use super::inspect::ProbedLayer;
use crate::frame::Frame;
use crate::methods::Specialization;
use crate::model::methods::Method;
use crate::model::options::{ListOrder, Options};
use crate::model::reference::order::Unsorted;
use crate::model::techniques::Seen;
use crate::model::techniques::coarse::{self, Coarse};
use crate::model::techniques::histogram::Histogram;
use crate::model::techniques::layers::{Layer, OitResult, Range};

/// Inputs of a method besides the pixel's layers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scope {
    seen: Seen,
    counts: [u32; 2],
}

impl Scope {
    pub fn of(frame: &Frame, pixel: [u32; 2]) -> Self {
        let (shape, moment) = (frame.shape(), &frame.input().moment);
        Self {
            seen: Seen {
                pixel,
                time: moment.time,
                planes: Range::new(shape.near, shape.far),
                items: Range::default(),
            },
            counts: [shape.items(), shape.listed_slices()],
        }
    }

    /// Result of `spec` on the pixel's layers, front to back. `None` if the result also depends on other pixels.
    pub fn composite(self, spec: &Specialization, layers: &[ProbedLayer]) -> Option<OitResult> {
        let Options { frame, method } = &spec.options;
        let planes = self.seen.planes;
        let is_alone = Histogram::of(method.histogram, &self.seen).is_of_one_list();
        if spec.runs == Method::Histogram && !is_alone {
            return None;
        }
        let mut technique = spec.runs.technique(&spec.options, &self.seen);
        let mut read: Vec<&ProbedLayer> = layers.iter().collect();
        if frame.order != ListOrder::Sorted {
            let lists = Unsorted {
                counts: self.counts,
                shuffled: frame.order.is_shuffled(),
            };
            read.sort_by_key(|layer| lists.place(layer.index(), layer.is_fog()));
            if spec.runs == Method::Coarse && frame.order_age > 0 {
                read.sort_by_key(|layer| planes.slice(layer.order_depth, 1 << frame.key_bits));
                technique = Box::new(Coarse {
                    order: coarse::Order::Listed,
                    ..Coarse::of(frame, method.coarse, planes)
                });
            }
        }
        let read: Vec<Layer> = read.into_iter().map(layer).collect();
        Some(technique.composite(&read))
    }
}

/// A layer as methods read it. Its number is the word in the list, which distinguishes slices from items.
fn layer(probed: &ProbedLayer) -> Layer {
    Layer {
        depth: probed.order,
        colour: probed.color.map(f64::from),
        opacity: probed.opacity,
        item: probed.word,
    }
}

pub fn curve(result: &OitResult, layers: &[ProbedLayer]) -> Vec<[f64; 2]> {
    let shows = layers.iter().filter(|layer| layer.opacity > 0.0);
    let shows: Vec<&ProbedLayer> = shows.collect();
    let step = shows.len().div_ceil(MOST_POINTS).max(1);
    let both = shows.into_iter().step_by(step).flat_map(|layer| {
        let at = |order: f32| {
            [
                f64::from(layer.depth),
                result.transmittance(f64::from(order)),
            ]
        };
        [at(layer.order), at(layer.order.next_up())]
    });
    both.collect()
}

/// Maximum number of points of a curve. More layers are thinned out evenly.
const MOST_POINTS: usize = 512;
