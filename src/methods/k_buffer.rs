//! The k-buffer and hybrid transparency (`shaders/methods/k_buffer.wesl`).

use crate::gpu::shader::Variant;
use crate::model::reference::oit::kbuffer::Tail;
use crate::model::reference::oit::of_method::k_buffer;

use super::any_order::AnyOrder;
use super::specialization::Specialization;

/// Methods that keep the nearest layers.
pub(super) struct KBuffer;

impl AnyOrder for KBuffer {
    fn own_constants(&self, of: &Specialization, variant: Variant) -> Variant {
        let technique = k_buffer(of.runs, &of.options);
        variant
            .with("KEPT", technique.core)
            .with("REST", technique.tail as u32)
            .with_f32("CORE_OPACITY", technique.threshold)
    }

    fn words(&self, of: &Specialization) -> Option<String> {
        let technique = k_buffer(of.runs, &of.options);
        let mut place = technique.core.to_string();
        if ![Tail::Drop, Tail::default()].contains(&technique.tail) {
            place += &format!(" {}", technique.tail.name());
        }
        if technique.threshold > 0.0 {
            place += &format!(" from {}", technique.threshold);
        }
        Some(place)
    }
}
