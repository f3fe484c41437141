//! A pass that finds the depth range of everything a frame may list (`shaders/methods/frame_range.wesl`). It runs
//! before the method's own pass and counts as a part of the method.

use std::sync::Arc;

use crate::error::Result;
use crate::gpu::shader::Variant;
use crate::gpu::{Binds, ComputePipeline, Recorder, UNIFORM, buffer};
use crate::model::methods::Source;

use crate::frame::counters::ELEMENT_BLOCK;

use super::kernel::Computed;
use super::kernel::{CompositePass, Part, PassContext, Work};
use super::specialization::Specialization;

pub(super) fn part(spec: &Specialization) -> Part {
    let variant = spec.source.features(Variant::new("methods/frame_range"));
    let runs = "compute, before, once per item and slice";
    Part::alone(variant, &["find_range"], runs)
}

pub(super) struct WithFrameRange {
    find: Arc<ComputePipeline>,
    groups: u32,
    range: wgpu::Buffer,
    binds: Binds,
    composite: Computed,
}

impl WithFrameRange {
    pub fn new(context: PassContext) -> Result<Self> {
        let (gpu, spec, extent) = (context.gpu, context.spec, context.extent);
        let listed = match spec.source {
            Source::Table | Source::Synthetic(..) => extent.listed_layers,
            Source::Frame(_) | Source::Gaussians(_) | Source::Cloud(_) => {
                extent.items.saturating_add(extent.slices)
            }
        };
        let range = buffer(gpu, "frame range", 16, UNIFORM);
        let part = part(spec);
        Ok(Self {
            find: (context.pipelines).compute(gpu, &part.variant, part.entry)?,
            groups: listed.div_ceil(ELEMENT_BLOCK).max(1),
            binds: Binds::new([("frame_range", range.as_entire_binding())]),
            range,
            composite: Computed::new(context)?,
        })
    }
}

impl CompositePass for WithFrameRange {
    fn record(&self, recorder: &mut Recorder, work: Work) -> Result<()> {
        let resources = &[work.resources, &[&self.binds]].concat()[..];
        recorder.encoder.clear_buffer(&self.range, 0, None);
        recorder.compute(work.label.part("range"), |pass| {
            let mut turns = 0..work.times;
            turns.try_for_each(|_| self.find.dispatch(pass, resources, self.groups))
        })?;
        self.composite.record(recorder, Work { resources, ..work })
    }

    fn bytes(&self) -> u64 {
        self.range.size()
    }
}
