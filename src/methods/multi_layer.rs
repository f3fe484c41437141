//! Multi-layer alpha blending and adaptive transparency (`shaders/methods/mlab.wesl` and `adaptive.wesl`).

use crate::gpu::shader::Variant;
use crate::model::methods::{Method, PixelBytes};
use crate::model::options::MethodOptions;
use crate::model::reference::oit::mlab::Storage;

use super::any_order::{AnyOrder, DRAWN_SUMS, NUMBER, TURNS_PER_LAYER, pixel_bytes, with};
use super::specialization::Specialization;

/// Bytes of a node of `shaders/methods/nodes.wesl`: light in four numbers, depth and item.
pub(super) const NODE: u32 = 6 * NUMBER;
/// Bytes of a node as engines store it: light in 8 bits a channel, depth in 32.
pub(super) const DRAWN_NODE: u32 = 8;

pub(super) struct MultiLayer;

impl AnyOrder for MultiLayer {
    fn own_constants(&self, spec: &Specialization, variant: Variant) -> Variant {
        variant
            .with("KEPT", spec.options.method.kept)
            .with("STORAGE", spec.options.method.node_storage as u32)
    }

    fn bench_options(&self, method: Method, usual: MethodOptions) -> Vec<MethodOptions> {
        let kept = |kept| MethodOptions { kept, ..usual };
        let mut places = [8, 4, 16].map(kept).to_vec();
        if method == Method::Mlab {
            let stored = |storage| with(usual, |own| own.node_storage = storage);
            places.extend([Storage::F16, Storage::U8].map(stored));
        }
        places
    }

    /// Steps have one number of light, and sums beside them.
    fn bytes(&self, spec: &Specialization) -> PixelBytes {
        let kept = spec.options.method.kept;
        let (node, [sums, drawn_sums]) = match spec.runs {
            Method::Adaptive => (3 * NUMBER, [5 * NUMBER, DRAWN_SUMS]),
            _ => (NODE, [0, 0]),
        };
        pixel_bytes(kept * node + sums, kept * DRAWN_NODE + drawn_sums)
    }

    fn takes_any_order(&self, _spec: &Specialization) -> bool {
        false
    }

    fn words(&self, spec: &Specialization) -> Option<String> {
        let method = spec.options.method;
        let storage = match (spec.runs, method.node_storage) {
            (Method::Adaptive, _) | (_, Storage::F32) => String::new(),
            (_, storage) => format!(" {storage}"),
        };
        Some(format!("{}{storage}", method.kept))
    }

    /// Two walks where steps are made before they are used.
    fn turns(&self, spec: &Specialization) -> u32 {
        let walks = if spec.runs == Method::Adaptive { 2 } else { 1 };
        walks * TURNS_PER_LAYER
    }
}
