//! Gaussians of splat files.

use crate::error::Result;
use crate::frame::buffer_row::{BufferRow, Content, WRITTEN, bytes_of};
use crate::frame::counters::ELEMENT_BLOCK;
use crate::frame::input::FrameInput;
use crate::frame::shape::FrameShape;
use crate::gpu::shader::Variant;
use crate::gpu::{Binds, ComputePipeline};
use crate::model::items::ItemKind;

use super::kind::LayerKind;

pub(super) struct Gaussians;

#[rustfmt::skip]
static BUFFERS: [BufferRow; 3] = [
    BufferRow::new("splats of files", &["gaussians"], WRITTEN,
        Content::Given(|input| bytes_of(&input.splats.gaussians))),
    BufferRow::new("splat files", &["splat_sets"], WRITTEN,
        Content::Given(|input| bytes_of(&input.splats.sets))),
    BufferRow::new("harmonics", &["harmonics"], WRITTEN,
        Content::Given(|input| bytes_of(&input.splats.harmonics))),
];

impl LayerKind for Gaussians {
    fn buffers(&self) -> &'static [BufferRow] {
        &BUFFERS
    }

    fn project(&self) -> (&'static str, &'static str) {
        ("frame/project/gaussian", "project_gaussians")
    }

    /// Only of files that are lit; others emit the light in the file.
    fn light(&self, input: &FrameInput) -> Option<(Variant, &'static str)> {
        let variant = input
            .shape
            .stored
            .features(Variant::new("frame/gaussian_light"));
        let is_lit = input.splats.sets.iter().any(|set| set.lit > 0);
        is_lit.then_some((variant, "light_gaussians"))
    }

    fn dispatch_light(
        &self,
        light: &ComputePipeline,
        pass: &mut wgpu::ComputePass,
        binds: &[&Binds],
        shape: &FrameShape,
    ) -> Result<()> {
        let items = shape.counts.of(ItemKind::Gaussian);
        light.dispatch(pass, binds, items.div_ceil(ELEMENT_BLOCK))
    }
}
