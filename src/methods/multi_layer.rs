//! Multi-layer alpha blending and adaptive transparency (`shaders/methods/mlab.wesl` and `adaptive.wesl`).

use crate::gpu::shader::Variant;
use crate::model::methods::Method;
use crate::model::reference::oit::mlab::Storage;

use super::any_order::{AnyOrder, TURNS_PER_LAYER};
use super::specialization::Specialization;

/// Methods that make room for a layer by joining two.
pub(super) struct MultiLayer;

impl AnyOrder for MultiLayer {
    fn own_constants(&self, of: &Specialization, variant: Variant) -> Variant {
        variant
            .with("KEPT", of.options.method.kept)
            .with_bool("EIGHT_BITS", is_in_eight_bits(of))
    }

    fn words(&self, of: &Specialization) -> Option<String> {
        let storage = if is_in_eight_bits(of) { " u8" } else { "" };
        Some(format!("{}{storage}", of.options.method.kept))
    }

    /// Two walks where steps are made before they are used.
    fn turns(&self, of: &Specialization) -> u32 {
        let walks = if of.runs == Method::Adaptive { 2 } else { 1 };
        walks * TURNS_PER_LAYER
    }
}

fn is_in_eight_bits(of: &Specialization) -> bool {
    of.runs == Method::Mlab && of.options.method.node_storage == Storage::U8
}
