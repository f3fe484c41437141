//! The interface between methods and the program: a trait with one implementation per group of methods, and the pass
//! that most methods consist of. It depends only on the extent of frames and on plain facts about layers (bytes when
//! staged, shader features).

use std::sync::Arc;

use crate::error::Result;
use crate::gpu::shader::Variant;
use crate::gpu::{Binds, ComputePipeline, Gpu, Pipelines, Recorder, uniform_buffer};
use crate::model::Capabilities;
use crate::model::layout::Range;
use crate::model::methods::PixelBytes;
use crate::model::options::{Dial, MethodOptions, Options};
use crate::model::passes::{Inputs, Label};

use crate::frame::Extent;

use super::specialization::{Geometry, Specialization};

/// Methods that run in the same way. The defaults are for one thread per pixel.
pub trait Kernel: Sync {
    /// Inputs of the method's pass. A frame makes only the inputs that its methods need.
    fn inputs(&self, _spec: &Specialization) -> Inputs {
        Inputs::LISTS
    }

    fn geometry(&self, spec: &Specialization, caps: &Capabilities) -> Geometry {
        let workgroup = Specialization::workgroup(caps);
        Geometry {
            workgroup,
            pixels: workgroup / caps.wave_max * self.pixels_of_wave(spec, caps),
            staged: 0,
        }
    }

    /// Number of pixels per wave, if waves work independently.
    fn pixels_of_wave(&self, _spec: &Specialization, caps: &Capabilities) -> u32 {
        caps.wave_max
    }

    /// Adds constants and features that only this group of methods uses.
    fn constants(&self, _spec: &Specialization, _caps: &Capabilities, variant: Variant) -> Variant {
        variant
    }

    fn dial(&self, _options: &MethodOptions) -> Option<Dial> {
        None
    }

    /// Distinguishes specialisations in a few words, for example by the position of the dial.
    fn place(&self, spec: &Specialization) -> Option<String> {
        self.dial(&spec.options.method).map(|dial| dial.to_string())
    }

    /// Options at which a benchmark times `spec`: its own options, with the variations in `at`.
    fn timed_at(
        &self,
        spec: &Specialization,
        at: &BenchAxes<'_>,
        caps: &Capabilities,
    ) -> Vec<Options> {
        let plain = spec.options;
        let own = at.dials.iter().filter(|dial| self.has(**dial, caps));
        match self.dial(&plain.method) {
            Some(_) => own.map(|dial| plain.at(*dial)).collect(),
            None => vec![plain],
        }
    }

    /// True if a benchmark times the methods at the given dial.
    fn has(&self, _dial: Dial, _caps: &Capabilities) -> bool {
        false
    }

    /// Memory per pixel of an approximate method.
    fn pixel_bytes(&self, _spec: &Specialization) -> Option<PixelBytes> {
        None
    }

    /// Maximum number of loop iterations of an invocation per layer of the list. `None` if no loop runs over layers.
    fn turns_per_layer(&self, _spec: &Specialization) -> Option<u32> {
        Some(1)
    }

    /// The entry points. The first one evaluates layers.
    fn parts(&self, spec: &Specialization, caps: &Capabilities) -> Vec<Part> {
        vec![Part::composite(spec, caps)]
    }

    fn compile(&self, gpu: &Gpu, pipelines: &Pipelines, spec: Specialization) -> Result<()> {
        self.parts(&spec, &gpu.caps).iter().try_for_each(|part| {
            let pipeline = pipelines.compute(gpu, &part.variant, part.entry);
            pipeline.map(drop)
        })
    }

    /// Creates the method's resources and makes it ready to record.
    fn make(&self, context: PassContext) -> Result<Box<dyn CompositePass>> {
        Ok(Box::new(Computed::new(context)?))
    }
}

#[derive(Clone, Copy)]
pub struct PassContext<'a> {
    pub gpu: &'a Gpu,
    pub pipelines: &'a Pipelines,
    pub spec: &'a Specialization,
    pub extent: &'a Extent,
}

#[derive(Clone, Copy)]
pub struct Work<'a> {
    /// Label of the timed pass. Further passes are parts of the label.
    pub label: Label,
    /// The frame or the table, and the destination of the results.
    pub resources: &'a [&'a Binds],
    pub times: u32,
}

pub trait CompositePass: Send + Sync {
    fn record(&self, recorder: &mut Recorder, work: Work) -> Result<()>;

    /// Clears the sums of earlier frames.
    fn begin_anew(&self, _encoder: &mut wgpu::CommandEncoder) {}

    /// Number of frames that the pass accumulates while nothing moves.
    fn frames(&self) -> u32 {
        1
    }

    fn bytes(&self) -> u64 {
        0
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub struct BenchAxes<'a> {
    /// Numbers of pixels per wave to try. If empty, the options decide.
    pub pixels_per_wave: &'a [u32],
    pub dials: &'a [Dial],
    /// True to vary all options of approximate methods that change error or time.
    pub approximations: bool,
}

pub struct Part {
    pub variant: Variant,
    pub together: &'static [&'static str],
    pub entry: &'static str,
    /// Stage and frequency, as text.
    pub runs: &'static str,
}

impl Part {
    /// The only part of most methods.
    pub(super) fn composite(spec: &Specialization, caps: &Capabilities) -> Self {
        let runs = "compute, the whole method";
        Self::alone(spec.variant(caps), &["composite"], runs)
    }

    pub(super) fn alone(
        variant: Variant,
        entry: &'static [&'static str; 1],
        runs: &'static str,
    ) -> Self {
        Self {
            variant,
            together: entry,
            entry: entry[0],
            runs,
        }
    }
}

/// Dispatches `workgroups` workgroups for each range of list entries.
pub(super) struct Computed {
    pipeline: Arc<ComputePipeline>,
    workgroups: u32,
    ranges: Vec<Binds>,
}

impl Computed {
    pub fn new(context: PassContext) -> Result<Self> {
        let (gpu, spec, extent) = (context.gpu, context.spec, context.extent);
        Ok(Self {
            pipeline: (context.pipelines).compute(gpu, &spec.variant(&gpu.caps), "composite")?,
            workgroups: workgroups(&gpu.caps, spec, extent.tiles),
            ranges: ranges(gpu, spec, extent, 0),
        })
    }
}

impl CompositePass for Computed {
    fn record(&self, recorder: &mut Recorder, work: Work) -> Result<()> {
        recorder.compute(work.label, |pass| {
            for range in (0..work.times).flat_map(|_| &self.ranges) {
                let sets = [work.resources, &[range]].concat();
                self.pipeline.dispatch(pass, &sets, self.workgroups)?;
            }
            Ok(())
        })
    }
}

pub(super) fn ranges(gpu: &Gpu, spec: &Specialization, extent: &Extent, batch: u32) -> Vec<Binds> {
    let per_dispatch = layers_per_dispatch(&gpu.caps, spec);
    let range = |index| {
        let range = Range {
            first_layer: index * per_dispatch,
            layer_count: per_dispatch,
            early_out: spec.options.frame.early_out,
            batch,
        };
        let buffer = uniform_buffer(gpu, "composite range", &range);
        Binds::new([("range", buffer.as_entire_binding())])
    };
    (0..dispatches(per_dispatch, extent)).map(range).collect()
}

pub(super) fn dispatches(per_dispatch: u32, extent: &Extent) -> u32 {
    extent.longest_list.div_ceil(per_dispatch).max(1)
}

/// Fraction of a driver's limit on loop iterations that a method may use.
const TURN_BUDGET: f64 = 0.9;

/// Maximum number of list entries per dispatch within the driver's limit on loop iterations.
///
/// The check that ends a loop counts as an iteration. An invocation needs at most [`Kernel::turns_per_layer`]
/// iterations per entry, two per pixel and group of at least 4 entries, and a few more. The two are the group itself
/// and the end of the loop over its lanes.
pub fn layers_per_dispatch(caps: &Capabilities, spec: &Specialization) -> u32 {
    let turns = spec.kernel().turns_per_layer(spec);
    let (Some(limit), Some(turns)) = (caps.loop_turns, turns) else {
        return u32::MAX;
    };
    let per_pixel = f64::from(limit) * TURN_BUDGET / f64::from(turns);
    ((per_pixel - 8.0) / 2.0).max(1.0) as u32
}

fn workgroups(caps: &Capabilities, spec: &Specialization, tiles: u32) -> u32 {
    let pixels = tiles * spec.options.frame.pixels_of_tile();
    pixels.div_ceil(spec.geometry(caps).pixels)
}
