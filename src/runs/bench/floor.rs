//! The floor: what the arithmetic of compositing alone takes on this adapter
//! (`shaders/bench/arithmetic_floor.wesl`).

use std::sync::Arc;

use super::lists::{ListSpec, Lists};
use super::sweep::SweepCell;
use crate::error::Result;
use crate::gpu::shader::Variant;
use crate::gpu::{Binds, ComputePipeline, Gpu, Pipelines, uniform_buffer};
use crate::model::layout::gpu_struct;
use crate::model::methods::{Cost, ListKind, Source};
use crate::model::passes::Pass;
use crate::model::samples::Summary;
use crate::model::{Capabilities, Feature};
use crate::report::bench::groups::FLOOR;
use crate::report::bench::record::Row;
use crate::runs::{Set, Subject, Timer};
use crate::timing::Timed;

/// The numbers of pixels per thread that are tried; the least time is the floor.
pub const PIXELS_PER_THREAD: [u32; 4] = [1, 2, 4, 8];

gpu_struct! {
    /// `FloorJob` of `shaders/bench/arithmetic_floor.wesl`.
    FloorJob {
        /// As in [`SyntheticLayer`](super::lists::SyntheticLayer).
        place: [f32; 4],
        /// As in [`SyntheticLayer`](super::lists::SyntheticLayer).
        light: [f32; 4],
        /// From layer to layer, pixels.
        step: [f32; 2],
        /// Layers per pixel.
        layers: u32,
        /// Unused.
        pad: u32,
    }
}

/// The arithmetic of lists, ready to be dispatched.
pub struct Floor {
    pipeline: Arc<ComputePipeline>,
    job: wgpu::Buffer,
    workgroups: u32,
}

impl Floor {
    /// Prepares the arithmetic of lists like `spec` whose layers cost `cost`.
    pub fn new(
        gpu: &Gpu,
        pipelines: &Pipelines,
        spec: &ListSpec,
        cost: Cost,
        pixels_per_thread: u32,
    ) -> Result<Self> {
        let variant = variant(&gpu.caps, spec, cost, pixels_per_thread);
        let light = match spec.kind {
            ListKind::Fog => 0.01,
            // log2 of an opacity of 1/16.
            ListKind::Particles | ListKind::Mixed => -4.0,
        };
        let job = FloorJob {
            place: [0.5, 0.5, -0.1, 0.5],
            light: [0.3, 0.6, 0.9, light],
            step: [7.0 / 1024.0, 5.0 / 1024.0],
            layers: spec.layers.next_multiple_of(4),
            pad: 0,
        };
        let pixels = spec.outputs[0] * spec.outputs[1];
        Ok(Self {
            pipeline: pipelines.compute(gpu, &variant, "arithmetic_floor")?,
            job: uniform_buffer(gpu, "floor job", &job),
            workgroups: pixels.div_ceil(64 * pixels_per_thread),
        })
    }

    /// Dispatches the arithmetic once, over the outputs of `lists`.
    pub fn record(&self, pass: &mut wgpu::ComputePass, lists: &Lists) -> Result<()> {
        let job = Binds::new([("job", self.job.as_entire_binding())]);
        self.pipeline
            .dispatch(pass, &[&lists.binds(), &job], self.workgroups)
    }
}

/// Times the floor of a cell: the least time over several numbers of pixels per thread.
pub fn row(gpu: &Gpu, pipelines: &Pipelines, timer: &mut Timer, cell: &SweepCell) -> Result<Row> {
    let (spec, cost) = (&cell.spec, cell.cost);
    // The floor takes nothing from lists but the buffer for its results.
    let lists = Lists::new(gpu, pipelines, ListSpec { layers: 1, ..*spec })?;
    let floors = PIXELS_PER_THREAD
        .iter()
        .map(|&pixels| Floor::new(gpu, pipelines, spec, cost, pixels))
        .collect::<Result<Vec<_>>>()?;
    let lists = &lists;
    let subject = |floor| {
        Subject::new(move |recorder, times| {
            recorder.compute(Pass::Floor, |pass| {
                (0..times).try_for_each(|_| Floor::record(floor, pass, lists))
            })
        })
    };
    let times = timer.time_with_pilots(&Set::alone(floors.iter().map(subject)));
    let median = |timed: &Timed| Summary::of(&timed.samples).map_or(f64::MAX, |s| s.median);
    let row = Row::new(cell.work(), None, FLOOR.to_owned());
    let all = times.subjects.iter().zip(PIXELS_PER_THREAD);
    let best = all.min_by(|a, b| median(a.0).total_cmp(&median(b.0)));
    Ok(match best {
        None => row,
        Some((timed, pixels)) => Row {
            facts: vec![("pixels per thread".to_owned(), f64::from(pixels))],
            ..row.timed(timed, &times)
        },
    })
}

/// The shader of the floor, which evaluates and folds layers as methods do on lists like `spec`.
pub fn variant(
    caps: &Capabilities,
    spec: &ListSpec,
    cost: Cost,
    pixels_per_thread: u32,
) -> Variant {
    Source::Synthetic(cost, spec.kind).features(
        Variant::new("bench/arithmetic_floor")
            .with("TILE", spec.tile)
            .with("PIXELS_PER_THREAD", pixels_per_thread)
            .feature(Feature::OnePixel, pixels_per_thread == 1)
            .feature(Feature::Fused, caps.fuses()),
    )
}
