//! A kernel with a buffer that only its method uses.

use crate::error::{Error, Result};
use crate::gpu::{Binds, Recorder, storage_buffer};

use crate::frame::Extent;
use crate::model::Capabilities;
use crate::model::techniques::OwnBuffer;

use super::kernel::{CompositePass, Computed, PassContext, Work};
use super::specialization::Specialization;

/// Size in bytes of the buffer for all pixels. If the size exceeds the adapter's limit, the error suggests a remedy.
fn bytes_of_pixels(
    (spec, extent, caps): (&Specialization, &Extent, &Capabilities),
    OwnBuffer {
        bytes: each,
        remedy,
        ..
    }: OwnBuffer,
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
    frames: u32,
}

impl WithBuffer {
    pub fn new(context: PassContext, own: OwnBuffer) -> Result<Self> {
        let (gpu, spec) = (context.gpu, context.spec);
        let bytes = bytes_of_pixels((spec, context.extent, &gpu.caps), own)?;
        let buffer = storage_buffer(gpu, own.name, bytes);
        let checked = gpu.check();
        checked.map_err(|error| error.context(format!("the buffer of {}", spec.method)))?;
        Ok(Self {
            composite: Computed::new(context)?,
            binds: Binds::new([(own.name, buffer.as_entire_binding())]),
            buffer,
            frames: own.frames,
        })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods::any_order::technique;
    use crate::model::methods::Method;

    #[test]
    fn room_that_no_buffer_has_is_refused_and_the_message_names_what_fits() {
        let caps = Capabilities {
            max_binding_bytes: 1 << 27,
            ..Capabilities::default()
        };
        let spec = Specialization::new(Method::LinkedList);
        let pixels = u64::from(spec.options.frame.pixels_of_tile());
        let nodes = technique(&spec).buffer().expect("nodes");
        let mut extent = Extent::default();
        let most = ((1 << 27) / (nodes.bytes * pixels)) as u32;
        for (tiles, remedy) in [
            (most + 1, "--list-room 15 fits"),
            (4 * most, "--list-room 4 fits"),
            (5 * most, "choose a smaller size"),
        ] {
            extent.tiles = tiles;
            let refused = bytes_of_pixels((&spec, &extent, &caps), nodes).expect_err("too large");
            assert!(refused.message.ends_with(remedy), "{refused}");
        }
    }
}
