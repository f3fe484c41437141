//! The technique that each method computes, with the options that its kernel is compiled with.

use super::coarse::{Coarse, Order};
use super::histogram::Histogram;
use super::kbuffer::{KBuffer, Tail};
use super::linked_list::LinkedList;
use super::mlab::{Adaptive, Mlab};
use super::moment::{Basis, Moment};
use super::peeling::Peeling;
use super::stochastic::Stochastic;
use super::weighted::{Average, Weighted};
use super::weighted_sum::WeightedSum;
use super::{Range, Technique};
use crate::model::methods::{Approximate, Group, Method};
use crate::model::options::{BinRange, ListOrder, Moments, Options};

/// Where and when a pixel is seen: noise is a hash of both.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Seen {
    /// x and y.
    pub pixel: [u32; 2],
    /// The frame's, seconds.
    pub time: f32,
}

/// The technique of a method at a pixel, between the planes of the camera.
pub fn technique(
    method: Method,
    options: &Options,
    planes: Range,
    seen: Seen,
) -> Box<dyn Technique> {
    let Group::Approximate(family) = method.entry().group else {
        return Box::new(Coarse::new(Order::Exact));
    };
    match family {
        Approximate::Baselines if method == Method::ListOrder => {
            Box::new(Coarse::new(Order::Listed))
        }
        Approximate::Baselines => Box::new(Average),
        Approximate::Weighted => Box::new(weighted(options, planes)),
        Approximate::WeightedDrawn => Box::new(weighted_drawn(options, planes)),
        Approximate::Histogram => Box::new(histogram(options, planes)),
        Approximate::KBuffer => Box::new(k_buffer(method, options)),
        Approximate::MultiLayer if method == Method::Mlab => {
            Box::new(Mlab::new(options.method.kept, options.method.node_storage))
        }
        Approximate::MultiLayer => Box::new(Adaptive {
            nodes: options.method.kept,
        }),
        Approximate::Moment => Box::new(moment(options, planes)),
        Approximate::WeightedSum => Box::new(weighted_sum(options)),
        Approximate::Stochastic => Box::new(stochastic(options, seen)),
        Approximate::Peeling => Box::new(peeling(method, options)),
        Approximate::LinkedList => Box::new(linked_list(options)),
        Approximate::Coarse => Box::new(coarse(options, planes)),
    }
}

pub fn weighted(options: &Options, planes: Range) -> Weighted {
    let method = options.method;
    Weighted {
        depth_scale: f64::from(method.weight_scale),
        slices: method.weight_slices,
        ..Weighted::new(method.weight, planes)
    }
}

/// The same as it is drawn: in half floats and 8 bits, in one slice.
pub fn weighted_drawn(options: &Options, planes: Range) -> Weighted {
    Weighted {
        is_drawn: true,
        slices: 1,
        ..weighted(options, planes)
    }
}

/// A depth histogram under these options. One over the range of the frame's items needs that for `planes`.
pub fn histogram(options: &Options, planes: Range) -> Histogram {
    let method = options.method;
    Histogram {
        is_of_list: method.bin_range == BinRange::Tile,
        is_whole: method.bin_block > 1,
        ..Histogram::new(method.bins, planes)
    }
}

pub fn k_buffer(method: Method, options: &Options) -> KBuffer {
    let dials = options.method;
    KBuffer {
        core: dials.kept,
        tail: match method {
            Method::KBuffer => Tail::Drop,
            _ => dials.rest,
        },
        threshold: dials.core_opacity,
    }
}

pub fn moment(options: &Options, planes: Range) -> Moment {
    let (half, basis) = match options.method.moments {
        Moments::Power4 => (2, Basis::Power),
        Moments::Power6 => (3, Basis::Power),
        Moments::Power8 => (4, Basis::Power),
        Moments::Trig2 => (2, Basis::Trigonometric),
        Moments::Trig3 => (3, Basis::Trigonometric),
        Moments::Trig4 => (4, Basis::Trigonometric),
    };
    Moment::new(half, basis, planes)
}

pub fn weighted_sum(options: &Options) -> WeightedSum {
    let method = options.method;
    WeightedSum {
        reach: f64::from(method.sum_reach),
        scale: f64::from(method.sum_scale),
        background: f64::from(method.sum_background),
    }
}

pub fn stochastic(options: &Options, seen: Seen) -> Stochastic {
    let method = options.method;
    Stochastic {
        pixel: seen.pixel,
        seed: seen.time.to_bits(),
        frames: method.accumulate,
        ..Stochastic::new(method.samples, method.estimate)
    }
}

/// What `peeling` or `a-buffer` takes under these options.
pub fn peeling(method: Method, options: &Options) -> Peeling {
    let of = options.method;
    let walks = match method {
        Method::ABuffer => of.passes * of.capacity,
        _ => of.peels,
    };
    Peeling { walks }
}

pub fn linked_list(options: &Options) -> LinkedList {
    LinkedList::new(options.method.list_room, options.method.rest)
}

pub fn coarse(options: &Options, planes: Range) -> Coarse {
    let Options { frame, method } = options;
    let order = match frame.order {
        ListOrder::Sorted => Order::Exact,
        ListOrder::Item | ListOrder::Shuffled | ListOrder::Any => Order::Keys {
            bits: frame.key_bits,
            range: planes,
        },
    };
    Coarse {
        window: method.window,
        early_out: method.stop_below,
        most: (method.first_layers > 0).then_some(method.first_layers),
        ..Coarse::new(order)
    }
}
