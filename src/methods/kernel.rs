//! What methods are to the rest of the program: one trait, which every file beside this one implements once, and the pass that most
//! of them are. Knows frames by their extent alone, and layers by plain facts (bytes that they take when staged, features of shaders).

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

/// Methods that run alike. What an implementation leaves out is that of a thread per pixel.
pub trait Kernel: Sync {
    /// What the frame has to have made before its pass: frames leave out what none of their methods needs.
    fn inputs(&self, _spec: &Specialization) -> Inputs {
        Inputs::LISTS
    }

    /// How the method is dispatched on an adapter.
    fn geometry(&self, spec: &Specialization, caps: &Capabilities) -> Geometry {
        let workgroup = Specialization::workgroup(caps);
        Geometry {
            workgroup,
            pixels: workgroup / caps.wave_max * self.pixels_of_wave(spec, caps),
            staged: 0,
        }
    }

    /// Pixels of a wave, where waves work alone.
    fn pixels_of_wave(&self, _spec: &Specialization, caps: &Capabilities) -> u32 {
        caps.wave_max
    }

    /// Adds the constants and features that only these methods have.
    fn constants(&self, _spec: &Specialization, _caps: &Capabilities, variant: Variant) -> Variant {
        variant
    }

    /// The place of the dial at which the methods run, if they have one.
    fn dial(&self, _options: &MethodOptions) -> Option<Dial> {
        None
    }

    /// That place, or whatever else tells two specialisations apart, in few words.
    fn place(&self, spec: &Specialization) -> Option<String> {
        self.dial(&spec.options.method).map(|dial| dial.to_string())
    }

    /// The options at which a benchmark times `spec`, whose own hold for all but what `at` varies.
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

    /// Whether the methods are timed at this place of the dial.
    fn has(&self, _dial: Dial, _caps: &Capabilities) -> bool {
        false
    }

    /// What a pixel takes in memory, of a method that approximates.
    fn pixel_bytes(&self, _spec: &Specialization) -> Option<PixelBytes> {
        None
    }

    /// Most times that an invocation goes through its loops for each layer of the list; none where there is no loop over
    /// layers.
    fn turns_per_layer(&self, _spec: &Specialization) -> Option<u32> {
        Some(1)
    }

    /// The entry points, the one that evaluates layers first.
    fn parts(&self, spec: &Specialization, caps: &Capabilities) -> Vec<Part> {
        vec![Part::composite(spec, caps)]
    }

    fn compile(&self, gpu: &Gpu, pipelines: &Pipelines, spec: Specialization) -> Result<()> {
        Computed::pipeline(gpu, pipelines, &spec).map(drop)
    }

    /// Makes a method ready to record, with whatever it has of its own.
    fn make(&self, context: PassContext) -> Result<Box<dyn CompositePass>> {
        Ok(Box::new(Computed::new(context)?))
    }
}

/// What a method is made of, by what, and for lists of what extent.
#[derive(Clone, Copy)]
pub struct PassContext<'a> {
    pub gpu: &'a Gpu,
    pub pipelines: &'a Pipelines,
    pub spec: &'a Specialization,
    pub extent: &'a Extent,
}

/// What a method composites.
#[derive(Clone, Copy)]
pub struct Work<'a> {
    /// What its pass is timed as; further passes are parts of it.
    pub label: Label,
    /// The frame or the table, and where results go.
    pub resources: &'a [&'a Binds],
    /// How many times over.
    pub times: u32,
}

/// A method that is ready to record.
pub trait CompositePass: Send + Sync {
    fn record(&self, recorder: &mut Recorder, work: Work) -> Result<()>;

    /// Forgets the sums of frames before.
    fn begin_anew(&self, _encoder: &mut wgpu::CommandEncoder) {}

    /// Frames of a scene that stands still whose sums are added up.
    fn frames(&self) -> u32 {
        1
    }

    /// Bytes of what it has of its own.
    fn bytes(&self) -> u64 {
        0
    }
}

/// What a benchmark varies.
#[derive(Clone, Copy, Debug, Default)]
pub struct BenchAxes<'a> {
    /// Pixels that a wave walks; none: as the options say.
    pub pixels_per_wave: &'a [u32],
    pub dials: &'a [Dial],
    /// Whether approximate methods are at all places that differ in error or time.
    pub approximations: bool,
}

pub struct Part {
    pub variant: Variant,
    /// Entry points that are compiled together.
    pub together: &'static [&'static str],
    /// The entry point, which is one of those.
    pub entry: &'static str,
    /// Its stage, and how often it runs.
    pub runs: &'static str,
}

impl Part {
    /// The only one that most methods have.
    pub(super) fn composite(spec: &Specialization, caps: &Capabilities) -> Self {
        let runs = "compute, the whole method";
        Self::alone(spec.variant(caps), &["composite"], runs)
    }

    /// One that is compiled alone.
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

/// Dispatches of `workgroups` workgroups, one dispatch per range of list entries.
pub(super) struct Computed {
    pipeline: Arc<ComputePipeline>,
    workgroups: u32,
    ranges: Vec<Binds>,
}

impl Computed {
    pub fn new(context: PassContext) -> Result<Self> {
        let (gpu, spec, extent) = (context.gpu, context.spec, context.extent);
        Ok(Self {
            pipeline: Self::pipeline(gpu, context.pipelines, spec)?,
            workgroups: workgroups(&gpu.caps, spec, extent.tiles),
            ranges: ranges(gpu, spec, extent, 0),
        })
    }

    pub fn pipeline(
        gpu: &Gpu,
        pipelines: &Pipelines,
        spec: &Specialization,
    ) -> Result<Arc<ComputePipeline>> {
        pipelines.compute(gpu, &spec.variant(&gpu.caps), "composite")
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

/// The ranges of list entries that the dispatches of a method cover, one each.
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

/// The part of a driver's limit on loop turns that a method may use.
const TURN_BUDGET: f64 = 0.9;

/// Most list entries that one dispatch may walk without meeting the driver's limit on loop turns.
///
/// The turn that finds a loop over counts too. Per entry an invocation turns at most
/// [`Kernel::turns_per_layer`] times, twice for each of its pixels per group of at least 4
/// entries (the group itself, the end of the loop over its lanes), and a few times more.
pub fn layers_per_dispatch(caps: &Capabilities, specialization: &Specialization) -> u32 {
    let turns = specialization.kernel().turns_per_layer(specialization);
    let (Some(limit), Some(turns)) = (caps.loop_turns, turns) else {
        return u32::MAX;
    };
    let per_pixel = f64::from(limit) * TURN_BUDGET / f64::from(turns);
    ((per_pixel - 8.0) / 2.0).max(1.0) as u32
}

/// Workgroups that cover all tiles.
fn workgroups(caps: &Capabilities, specialization: &Specialization, tiles: u32) -> u32 {
    let pixels = tiles * specialization.options.frame.pixels_of_tile();
    pixels.div_ceil(specialization.geometry(caps).pixels)
}
