//! Particles of emitters.

use crate::error::Result;
use crate::frame::buffer_row::{BufferRow, Content, STORAGE, WRITTEN, bytes_of};
use crate::frame::counters::ELEMENT_BLOCK;
use crate::frame::input::FrameInput;
use crate::frame::shape::FrameShape;
use crate::gpu::shader::Variant;
use crate::gpu::{Binds, ComputePipeline};
use crate::model::items::ItemKind;
use crate::model::layout::Particle;

use super::kind::LayerKind;

pub(super) struct Particles;

fn count(shape: &FrameShape) -> u32 {
    shape.counts.of(ItemKind::Particle)
}

#[rustfmt::skip]
static BUFFERS: [BufferRow; 2] = [
    BufferRow::new("emitters", &["emitters"], WRITTEN,
        Content::Given(|input| bytes_of(&input.emitters))),
    BufferRow::new("particles", &["particles", "lit_particles"], STORAGE,
        Content::Room(|of| u64::from(count(of).max(1)) * size_of::<Particle>() as u64)),
];

impl LayerKind for Particles {
    fn buffers(&self) -> &'static [BufferRow] {
        &BUFFERS
    }

    fn project(&self) -> (&'static str, &'static str) {
        ("frame/project/particle", "project_particles")
    }

    fn light(&self, _input: &FrameInput) -> Option<(Variant, &'static str)> {
        Some((Variant::new("frame/particle_light"), "light_particles"))
    }

    fn dispatch_light(
        &self,
        light: &ComputePipeline,
        pass: &mut wgpu::ComputePass,
        binds: &[&Binds],
        shape: &FrameShape,
    ) -> Result<()> {
        light.dispatch(pass, binds, count(shape).div_ceil(ELEMENT_BLOCK))
    }
}
