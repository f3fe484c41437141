//! The technique that each method computes, with the options that its kernel is compiled with.

use super::baselines::{Average, ListOrder};
use super::histogram::Histogram;
use super::kbuffer::{KBuffer, Tail};
use super::mlab::{Adaptive, Mlab};
use super::moment::{Basis, Moment, Storage};
use super::weighted::Weighted;
use super::{Exact, Range, Technique};
use crate::model::methods::{Approximate, Family, Method};
use crate::model::options::{BinRange, Moments, Options};

/// The technique of a method, between the planes of the camera.
#[must_use]
pub fn technique(method: Method, options: &Options, planes: Range) -> Box<dyn Technique> {
    let Family::Approximate(family) = method.entry().family else {
        return Box::new(Exact);
    };
    match family {
        Approximate::Baselines if method == Method::ListOrder => Box::new(ListOrder),
        Approximate::Baselines => Box::new(Average),
        Approximate::Weighted => Box::new(weighted(options, planes)),
        Approximate::Histogram => Box::new(histogram(options, planes)),
        Approximate::KBuffer => Box::new(k_buffer(method, options)),
        Approximate::MultiLayer if method == Method::Mlab => {
            Box::new(Mlab::new(options.method.kept, options.method.node_storage))
        }
        Approximate::MultiLayer => Box::new(Adaptive {
            nodes: options.method.kept,
        }),
        Approximate::Moment => Box::new(moment(options, planes)),
    }
}

/// Weighted blending under these options.
#[must_use]
pub fn weighted(options: &Options, planes: Range) -> Weighted {
    let method = options.method;
    Weighted {
        depth_scale: f64::from(method.weight_scale),
        opacity_in_weight: method.weight_opacity.is_in_weight(),
        storage: method.weight_storage,
        slices: method.weight_slices,
        ..Weighted::new(method.weight, planes)
    }
}

/// A depth histogram under these options.
#[must_use]
pub fn histogram(options: &Options, planes: Range) -> Histogram {
    let method = options.method;
    Histogram {
        is_of_list: method.bin_range == BinRange::Tile,
        ..Histogram::new(method.bins, planes)
    }
}

/// k-buffer or hybrid transparency under these options.
#[must_use]
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

/// Moments under these options.
#[must_use]
pub fn moment(options: &Options, planes: Range) -> Moment {
    let (half, basis) = match options.method.moments {
        Moments::Power4 => (2, Basis::Power),
        Moments::Power6 => (3, Basis::Power),
        Moments::Power8 => (4, Basis::Power),
        Moments::Trig2 => (2, Basis::Trigonometric),
        Moments::Trig3 => (3, Basis::Trigonometric),
        Moments::Trig4 => (4, Basis::Trigonometric),
    };
    Moment::new(half, basis, Storage::F32, planes)
}
