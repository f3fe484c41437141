//! Particles of emitters.

use crate::frame::buffer_row::{BufferRow, Content, STORAGE, WRITTEN, bytes_of};
use crate::frame::counters::ELEMENT_BLOCK;
use crate::gpu::pipeline::pipelines::spread;
use crate::gpu::shader::Variant;
use crate::model::items::ItemKind;
use crate::model::layout::Particle;

use super::kind::LayerKind;

#[rustfmt::skip]
static BUFFERS: [BufferRow; 2] = [
    BufferRow::new("emitters", &["emitters"], WRITTEN,
        Content::Given(|input| bytes_of(&input.emitters))),
    BufferRow::new("particles", &["particles", "lit_particles"], STORAGE,
        Content::Room(|of| u64::from(of.counts.of(ItemKind::Particle).max(1)) * size_of::<Particle>() as u64)),
];

pub static PARTICLES: LayerKind = LayerKind {
    buffers: &BUFFERS,
    project: ("frame/project/particle", "project_particles"),
    light: |_| Some((Variant::new("frame/particle_light"), "light_particles")),
    light_groups: |of| spread(of.counts.of(ItemKind::Particle).div_ceil(ELEMENT_BLOCK)),
    lit_every: |_| 1,
};
