//! One wave for one or several pixels (`shaders/methods/pixel.wesl` and the modules that import it).

use crate::gpu::shader::Variant;
use crate::model::methods::Trait;
use crate::model::options::{Options, Tail};
use crate::model::{Capabilities, Feature};

use super::kernel::{BenchAxes, Kernel};
use super::specialization::Specialization;

pub(super) struct PerWave;

impl Kernel for PerWave {
    fn pixels_of_wave(&self, spec: &Specialization, _caps: &Capabilities) -> u32 {
        spec.options.method.pixels_per_wave
    }

    fn constants(&self, spec: &Specialization, _caps: &Capabilities, variant: Variant) -> Variant {
        let method = spec.options.method;
        variant
            .with("PIXELS_PER_WAVE", method.pixels_per_wave)
            .feature(Feature::Four, takes_four(spec))
            .with_bool("PADDED", method.tail == Tail::Padded)
    }

    fn place(&self, spec: &Specialization) -> Option<String> {
        let method = spec.options.method;
        let is_padded = method.tail == Tail::Padded && spec.runs.has(Trait::Ragged);
        let tail = if is_padded { " padded" } else { "" };
        Some(format!("P={}{tail}", method.pixels_per_wave))
    }

    fn timed_at(
        &self,
        spec: &Specialization,
        at: &BenchAxes<'_>,
        _caps: &Capabilities,
    ) -> Vec<Options> {
        let plain = spec.options;
        let walking = |&pixels_per_wave: &u32| {
            plain.with_method(|method| method.pixels_per_wave = pixels_per_wave)
        };
        match at.pixels_per_wave {
            [] => vec![plain],
            counts => counts.iter().map(walking).collect(),
        }
    }

    fn turns_per_layer(&self, spec: &Specialization) -> Option<u32> {
        Some(spec.options.method.pixels_per_wave)
    }
}

/// True if a wave composites four pixels side by side, which share the layers that its lanes fetch. Ragged groups with
/// a loop over lanes gain more from additional waves than from registers for four pixels.
fn takes_four(spec: &Specialization) -> bool {
    let method = spec.options.method;
    let is_ragged_loop = spec.runs.has(Trait::LoopsOverLanes) && method.tail == Tail::Own;
    method.pixels_per_wave >= 4 && !is_ragged_loop
}
