//! What a family of methods is to the rest of the program: one trait, of which every file beside this one holds one. Knows
//! frames by their extent alone, and layers by plain facts (bytes that they take when staged, features of shaders).

use crate::error::Result;
use crate::gpu::shader::Variant;
use crate::gpu::{Binds, Gpu, Pipelines, Recorder};
use crate::model::Capabilities;
use crate::model::methods::{self, Approximate, Method, PixelBytes};
use crate::model::options::{Dial, MethodOptions, Options};
use crate::model::passes::{Inputs, Label};

use crate::frame::Extent;

use super::composite::Computed;
use super::specialization::{Geometry, Specialization};
use super::{
    any_order, batches, blended, coarse, histogram, k_buffer, linked_list, moment, multi_layer,
    peeling, per_wave, split_depth, staged, stochastic, weighted, weighted_sum,
};

/// Methods that run alike.
pub trait Family: Sync {
    /// What the frame has to have made before its pass: frames leave out what none of their methods needs.
    fn inputs(&self, _of: &Specialization) -> Inputs {
        Inputs::LISTS
    }

    /// How the method is dispatched on an adapter.
    fn geometry(&self, of: &Specialization, caps: &Capabilities) -> Geometry {
        let workgroup = Specialization::workgroup(caps);
        Geometry {
            workgroup,
            pixels: workgroup / caps.wave_max * self.pixels_of_wave(of, caps),
            staged: 0,
        }
    }

    /// Pixels of a wave, where waves work alone.
    fn pixels_of_wave(&self, _of: &Specialization, caps: &Capabilities) -> u32 {
        caps.wave_max
    }

    /// Adds the constants and features that only these methods have.
    fn constants(&self, _of: &Specialization, _caps: &Capabilities, variant: Variant) -> Variant {
        variant
    }

    /// The place of the dial at which the methods run, if they have one.
    fn dial(&self, _options: &MethodOptions) -> Option<Dial> {
        None
    }

    /// That place, or whatever else tells two specialisations apart, in few words.
    fn place(&self, of: &Specialization) -> Option<String> {
        self.dial(&of.options.method).map(|dial| dial.to_string())
    }

    /// The options at which a benchmark times `of`, whose own hold for all but what `at` varies.
    fn timed_at(&self, of: &Specialization, at: &Varied<'_>, caps: &Capabilities) -> Vec<Options> {
        let plain = of.options;
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
    fn pixel_bytes(&self, _of: &Specialization) -> Option<PixelBytes> {
        None
    }

    /// Most times that an invocation goes through its loops for each layer of the list; none where there is no loop over
    /// layers.
    fn turns_per_layer(&self, _of: &Specialization) -> Option<u32> {
        Some(1)
    }

    /// The entry points, the one that evaluates layers first.
    fn parts(&self, of: &Specialization, caps: &Capabilities) -> Vec<Part> {
        vec![Part::composite(of, caps)]
    }

    fn compile(&self, gpu: &Gpu, pipelines: &Pipelines, of: Specialization) -> Result<()> {
        Computed::pipeline(gpu, pipelines, &of).map(drop)
    }

    /// Makes a method ready to record, with whatever it has of its own.
    fn make(&self, making: Making) -> Result<Box<dyn Made>> {
        Ok(Box::new(Computed::new(making)?))
    }
}

/// A thread per pixel (`shaders/methods/pixel_loop.wesl`).
struct PerPixel;

impl Family for PerPixel {}

/// What a method is made of, by what, and for lists of what extent.
#[derive(Clone, Copy)]
pub struct Making<'a> {
    pub gpu: &'a Gpu,
    pub pipelines: &'a Pipelines,
    pub of: &'a Specialization,
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
pub trait Made: Send + Sync {
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
pub struct Varied<'a> {
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
    pub(super) fn composite(of: &Specialization, caps: &Capabilities) -> Self {
        let runs = "compute, the whole method";
        Self::alone(of.variant(caps), &["composite"], runs)
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

/// The family of a method. Until a rule has chosen, `auto` runs as its shader does.
pub fn of(method: Method) -> &'static dyn Family {
    match method.entry().family {
        methods::Family::PerPixel | methods::Family::Auto => &PerPixel,
        methods::Family::PerWave => &per_wave::PerWave,
        methods::Family::Staged => &staged::Staged,
        methods::Family::SplitDepth => &split_depth::SplitDepth,
        methods::Family::Batches => &batches::Batches,
        methods::Family::Blended => &blended::Blended,
        methods::Family::Approximate(approximate) => match approximate {
            Approximate::Baselines => &any_order::Baselines,
            Approximate::Weighted => &weighted::Weighted,
            Approximate::WeightedDrawn => &blended::Blended,
            Approximate::Histogram => &histogram::Histogram,
            Approximate::KBuffer => &k_buffer::KBuffer,
            Approximate::MultiLayer => &multi_layer::MultiLayer,
            Approximate::Moment => &moment::Moment,
            Approximate::WeightedSum => &weighted_sum::WeightedSum,
            Approximate::Stochastic => &stochastic::Stochastic,
            Approximate::Peeling => &peeling::Peeling,
            Approximate::LinkedList => &linked_list::LinkedList,
            Approximate::Coarse => &coarse::Coarse,
        },
    }
}
