//! Gaussians from splat files.

use crate::frame::buffer_row::{BufferRow, Content, WRITTEN, bytes_of};
use crate::frame::counters::ELEMENT_BLOCK;
use crate::gpu::pipeline::pipelines::spread;
use crate::gpu::shader::Variant;
use crate::model::items::ItemKind;

use super::kind::LayerKind;

#[rustfmt::skip]
static BUFFERS: [BufferRow; 3] = [
    BufferRow::new("splats of files", &["gaussians"], WRITTEN,
        Content::Given(|input| bytes_of(&input.splats.gaussians))),
    BufferRow::new("splat files", &["splat_sets"], WRITTEN,
        Content::Given(|input| bytes_of(&input.splats.sets))),
    BufferRow::new("harmonics", &["harmonics"], WRITTEN,
        Content::Given(|input| bytes_of(&input.splats.harmonics))),
];

pub static GAUSSIANS: LayerKind = LayerKind {
    buffers: &BUFFERS,
    project: ("frame/project/gaussian", "project_gaussians"),
    // Only Gaussians of lit files need light. Others emit the light stored in their file.
    light: |input| {
        let variant = Variant::new("frame/gaussian_light");
        let is_lit = input.splats.sets.iter().any(|set| set.lit > 0);
        is_lit.then(|| (input.shape.stored.features(variant), "light_gaussians"))
    },
    light_groups: |of| spread(of.counts.of(ItemKind::Gaussian).div_ceil(ELEMENT_BLOCK)),
    lit_every: |_| 1,
};
