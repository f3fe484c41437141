//! The k-buffer and hybrid transparency (`shaders/methods/k_buffer.wesl`).

use crate::gpu::shader::Variant;
use crate::model::methods::{Method, PixelBytes};
use crate::model::options::MethodOptions;
use crate::model::reference::oit::kbuffer::Tail;
use crate::model::reference::oit::of_method::k_buffer;

use super::any_order::{AnyOrder, DRAWN_SUMS, NUMBER, pixel_bytes, with};
use super::multi_layer::{DRAWN_NODE, NODE};
use super::specialization::Specialization;

/// Bytes of what a thread has of layers that it does not keep, and of the targets that engines draw them into.
pub(super) fn bytes_of_rest(rest: Tail) -> [u32; 2] {
    match rest {
        Tail::Drop => [0, 0],
        _ => [5 * NUMBER, DRAWN_SUMS],
    }
}

pub(super) struct KBuffer;

impl AnyOrder for KBuffer {
    fn own_constants(&self, spec: &Specialization, variant: Variant) -> Variant {
        let technique = k_buffer(spec.runs, &spec.options);
        variant
            .with("KEPT", technique.core)
            .with("REST", technique.tail as u32)
            .with_f32("CORE_OPACITY", technique.threshold)
    }

    fn bench_options(&self, method: Method, usual: MethodOptions) -> Vec<MethodOptions> {
        let kept = [8, 4, 16].map(|kept| MethodOptions { kept, ..usual });
        let rests = [Tail::Weighted, Tail::ListOrder].map(|rest| MethodOptions { rest, ..usual });
        let mut places = kept.to_vec();
        if method == Method::Hybrid {
            places.extend(rests);
        }
        places.push(with(usual, |own| own.core_opacity = 0.05));
        places
    }

    fn bytes(&self, spec: &Specialization) -> PixelBytes {
        let technique = k_buffer(spec.runs, &spec.options);
        let rest = bytes_of_rest(technique.tail);
        pixel_bytes(
            technique.core * NODE + rest[0],
            technique.core * DRAWN_NODE + rest[1],
        )
    }

    fn takes_any_order(&self, spec: &Specialization) -> bool {
        k_buffer(spec.runs, &spec.options).tail != Tail::ListOrder
    }

    fn words(&self, spec: &Specialization) -> Option<String> {
        let technique = k_buffer(spec.runs, &spec.options);
        let mut place = technique.core.to_string();
        if ![Tail::Drop, Tail::default()].contains(&technique.tail) {
            place += &format!(" {}", technique.tail);
        }
        if technique.threshold > 0.0 {
            place += &format!(" from {}", technique.threshold);
        }
        Some(place)
    }
}
