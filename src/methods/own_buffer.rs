//! A kernel with a buffer that no other method has.

use crate::error::{Error, Result};
use crate::gpu::{Binds, Recorder, storage_buffer};

use crate::frame::Extent;
use crate::model::Capabilities;

use super::kernel::Computed;
use super::kernel::{CompositePass, PassContext, Work};
use super::specialization::Specialization;

/// Bytes of a buffer with `each` for every pixel.
///
/// # Errors
/// Unavailable: no buffer of the adapter is so large; `remedy` says what to do, given the bytes of a pixel that fit.
pub(super) fn bytes_of_pixels(
    (spec, extent, caps): (&Specialization, &Extent, &Capabilities),
    each: u64,
    remedy: impl FnOnce(u64) -> String,
) -> Result<u64> {
    let pixels = u64::from(extent.tiles) * u64::from(spec.options.frame.pixels_of_tile());
    let (bytes, most) = (pixels * each, caps.max_binding_bytes);
    if bytes <= most {
        return Ok(bytes);
    }
    let (method, remedy) = (spec.method, remedy(most / pixels));
    Err(Error::unavailable(format!(
        "{method}: {each} bytes for each of {pixels} pixels are {bytes}, and a buffer of {} has at most {most}; {remedy}",
        caps.name
    )))
}

pub(super) struct WithBuffer {
    composite: Computed,
    buffer: wgpu::Buffer,
    binds: Binds,
    /// Frames whose sums it holds; 1: none.
    frames: u32,
}

impl WithBuffer {
    /// With a buffer of so many bytes, which begins as zeros, under the name that its shader knows it by.
    pub fn boxed(
        context: PassContext,
        (name, bytes): (&'static str, u64),
        frames: u32,
    ) -> Result<Box<dyn CompositePass>> {
        let buffer = storage_buffer(context.gpu, name, bytes);
        let checked = context.gpu.check();
        checked.map_err(|error| error.context(format!("the buffer of {}", context.spec.method)))?;
        Ok(Box::new(Self {
            composite: Computed::new(context)?,
            binds: Binds::new([(name, buffer.as_entire_binding())]),
            buffer,
            frames,
        }))
    }
}

impl CompositePass for WithBuffer {
    fn record(&self, recorder: &mut Recorder, work: Work) -> Result<()> {
        let resources = &[work.resources, &[&self.binds]].concat()[..];
        self.composite.record(recorder, Work { resources, ..work })
    }

    fn begin_anew(&self, encoder: &mut wgpu::CommandEncoder) {
        if self.frames > 1 {
            encoder.clear_buffer(&self.buffer, 0, None);
        }
    }

    fn frames(&self) -> u32 {
        self.frames
    }

    fn bytes(&self) -> u64 {
        self.buffer.size()
    }
}
