//! A kernel with a buffer that no other method has.

use crate::error::Result;
use crate::gpu::{Binds, Recorder, storage_buffer};
use crate::model::passes::Label;

use super::composite::Computed;
use super::family::{Made, Making};

/// Such a kernel, ready to record.
pub(super) struct WithBuffer {
    composite: Computed,
    buffer: wgpu::Buffer,
    binds: Binds,
    /// Whether it holds sums of frames.
    adds_up: bool,
}

impl WithBuffer {
    /// With a buffer of so many bytes, which begins as zeros, under the name that its shader knows it by.
    pub fn boxed(
        making: Making,
        (name, bytes): (&'static str, u64),
        adds_up: bool,
    ) -> Result<Box<dyn Made>> {
        let buffer = storage_buffer(making.gpu, name, bytes);
        let checked = making.gpu.check();
        checked.map_err(|error| error.context(format!("the buffer of {}", making.of.method)))?;
        Ok(Box::new(Self {
            composite: Computed::new(making)?,
            binds: Binds::new([(name, buffer.as_entire_binding())]),
            buffer,
            adds_up,
        }))
    }
}

impl Made for WithBuffer {
    fn record(
        &self,
        recorder: &mut Recorder,
        label: Label,
        resources: &[&Binds],
        times: u32,
    ) -> Result<()> {
        let binds: Vec<&Binds> = resources.iter().copied().chain([&self.binds]).collect();
        self.composite.record(recorder, label, &binds, times)
    }

    fn begin_anew(&self, encoder: &mut wgpu::CommandEncoder) {
        if self.adds_up {
            encoder.clear_buffer(&self.buffer, 0, None);
        }
    }

    fn bytes(&self) -> u64 {
        self.buffer.size()
    }
}
