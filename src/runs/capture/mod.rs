//! Renders a scene by several methods and measures them, for `wavelerp capture`, the window and tests. [`set`]
//! makes a comparison set, [`trace`] writes the times for a trace viewer.

mod metadata;
mod pictures;
pub mod set;
pub mod trace;

use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::frame::{Counters, Frame, frame_input};
use crate::gpu::device::renderdoc::Recording;
use crate::gpu::{Gpu, Pipelines, Profiler, Recorder, Span, read_buffer, read_texture};
use crate::live::inspect;
use crate::methods::auto::{self, Choice, Facts};
use crate::methods::composite::compile;
use crate::methods::{Composite, Specialization};
use crate::model::methods::Method;
use crate::model::passes::Inputs;
use crate::model::scene::Scene;
use crate::model::settings::Settings;
use crate::progress::{Listener, Progress};
use crate::report::Picture;
use crate::report::canvas::Canvas;
use crate::report::page::capture::Held;
use crate::report::range::RangeChoice;
use crate::runs::{LONG_PASS, Set, Timer};
use crate::timing::{IN_FRAMES, Rounds, Timed, Times};

/// From this many pixels on a composite takes long enough on a CPU adapter that it is never repeated.
const MANY_PIXELS: u32 = 1 << 16;
/// The time that such a composite is taken to need, milliseconds.
const LONG: f64 = 100.0;

/// The folder for RenderDoc recordings, below the working directory; git ignores it.
pub const RECORDINGS: &str = "captures";

/// A scene drawn up to the inputs of methods, ready to be composited by them.
pub struct Capture<'a> {
    gpu: &'a Gpu,
    pipelines: &'a Pipelines,
    /// Names passes for debuggers; takes no times.
    profiler: Profiler,
    pub frame: Frame,
    pub settings: Settings,
    /// The size of its lists, if it made them.
    pub counters: Counters,
}

pub struct MethodPicture {
    pub method: Method,
    pub composite: Picture,
    pub resolved: Canvas,
    /// Wave size, in lanes, that the kernel ran at; `None` where it could not tell.
    pub wave_size: Option<u32>,
    /// Pixels with a sum at the largest half float, or with more layers than room.
    pub overflowed: u32,
    /// Bytes of GPU memory that it has of its own, beside the frame's.
    pub bytes: u64,
}

impl<'a> Capture<'a> {
    /// Draws the scene until nothing is missing from its lists, for any method.
    pub fn new(
        gpu: &'a Gpu,
        pipelines: &'a Pipelines,
        scene: &Scene,
        settings: Settings,
    ) -> Result<Self> {
        Self::expecting(gpu, pipelines, scene, settings, &[])
    }

    /// Like [`Capture::new`], but makes what `methods` need and no more, if there are any. Compiles their shaders beside those
    /// of the frame, except for `auto`, whose choice needs the lists.
    pub fn expecting(
        gpu: &'a Gpu,
        pipelines: &'a Pipelines,
        scene: &Scene,
        settings: Settings,
        methods: &[Method],
    ) -> Result<Self> {
        let options = settings.options;
        let needed = methods.iter().map(|of| options.specialize(*of).inputs());
        let inputs = Inputs::of(needed).unwrap_or(Inputs::LISTS);
        let camera = settings.camera_in(scene)?;
        let input = frame_input(scene, &camera, &settings, &gpu.caps);
        let layers = input.shape.layers();
        pipelines.ahead(|pipelines| {
            for method in methods.iter().filter(|of| **of != Method::Auto) {
                // It fails when it is asked for.
                drop(compile(gpu, pipelines, options.specialize(*method), layers));
            }
        });
        let mut frame = Frame::new(gpu, pipelines, input)?;
        let mut profiler = Profiler::untimed(gpu)?;
        let counters = frame.draw_scene_complete(gpu, pipelines, &mut profiler, inputs)?;
        Ok(Self {
            gpu,
            pipelines,
            profiler,
            frame,
            settings,
            counters,
        })
    }

    fn composite(&self, method: Method) -> Result<Composite> {
        self.composite_of(self.settings.options.specialize(method))
    }

    /// A composite for this frame; what `auto` runs is chosen by the rule.
    pub fn composite_of(&self, specialization: Specialization) -> Result<Composite> {
        self.composite_as(self.choice(specialization).specialization)
    }

    /// A composite for this frame by exactly this specialization, also of `auto`.
    pub fn composite_as(&self, specialization: Specialization) -> Result<Composite> {
        let (gpu, pipelines) = (self.gpu, self.pipelines);
        let counters = &self.counters;
        let composite = self
            .frame
            .composite(gpu, pipelines, specialization, counters)?;
        if !counters.made.have(composite.inputs) {
            let which = match composite.inputs {
                Inputs::UNSORTED_LISTS => "unsorted tile lists",
                Inputs::COARSE_LISTS => "coarse tile lists",
                Inputs::ANY_LISTS => "tile lists in any order",
                _ => "tile lists",
            };
            return Err(Error::failed(format!(
                "{} needs {which}, and the frame was drawn without",
                composite.label()
            )));
        }
        Ok(composite)
    }

    pub fn facts(&self) -> Facts {
        self.frame.facts(&self.counters)
    }

    /// What the rule chooses for `auto` on this frame, and why; any other method is its own choice.
    pub fn choice(&self, specialization: Specialization) -> Choice {
        auto::choice(&self.gpu.caps, specialization, &self.facts())
    }

    /// Composites by one method and reads the picture back.
    pub fn picture(&mut self, method: Method) -> Result<MethodPicture> {
        let composite = self.composite(method)?;
        self.picture_by(method, &composite)
    }

    /// Composites as a method by one of this frame's composites, and reads the picture back.
    pub fn picture_by(&mut self, method: Method, composite: &Composite) -> Result<MethodPicture> {
        let mut recorder = Recorder::new(self.gpu, &mut self.profiler, method.name());
        let target = &self.frame.target;
        self.frame.record_composite(
            &mut recorder,
            composite,
            target,
            composite.label(),
            composite.frames(),
        )?;
        self.frame.record_resolve(&mut recorder, target)?;
        let recorded = recorder.finish();
        self.profiler.submit_and_wait(self.gpu, recorded)?;
        let [wave_size, overflowed] = self.frame.read_reports(self.gpu)?;
        let bytes = read_texture(self.gpu, &self.frame.target.resolved)?;
        let size = self.settings.size;
        Ok(MethodPicture {
            method,
            composite: Picture::new(size, self.frame.read_composite(self.gpu)?)?,
            resolved: Canvas::from_rgba8(size, &bytes)
                .ok_or_else(|| Error::failed("the picture read back has the wrong size"))?,
            wave_size: (wave_size > 0).then_some(wave_size),
            overflowed,
            bytes: composite.bytes(),
        })
    }

    /// What lies behind all layers of each pixel, linear.
    pub fn backgrounds(&self) -> Result<Vec<[f32; 4]>> {
        let (gpu, size) = (self.gpu, self.settings.size);
        let pass = inspect::BehindPass::new(gpu, self.pipelines, size)?;
        gpu.compute_and_wait("behind", |compute| pass.record(compute, &self.frame))?;
        read_buffer(gpu, &pass.backgrounds, (size[0] * size[1]) as usize)
    }

    /// Times all methods in frames, as benchmarks do. One that fails has its reason instead of times.
    pub fn times(&self, methods: &[Method]) -> Result<Times> {
        let is_cpu = self.gpu.caps.is_cpu;
        let rounds = Rounds::from(if is_cpu { 1 } else { IN_FRAMES }, is_cpu);
        let mut timer = self.gpu.finish(Timer::new(self.gpu, rounds, LONG_PASS))?;
        let made: Vec<Result<Composite>> = methods.iter().map(|of| self.composite(*of)).collect();
        let failures: Vec<Option<Error>> =
            made.iter().map(|of| of.as_ref().err().cloned()).collect();
        let composites: Vec<Composite> = made.into_iter().flatten().collect();
        let set = self.set(&composites);
        // One run of a composite that takes long needs no other to tell how often to repeat it: pictures of all of them were
        // drawn before.
        let [width, height] = self.settings.size;
        let is_long = rounds.most == 1 && width * height >= MANY_PIXELS;
        let mut times = match is_long {
            true => self
                .gpu
                .finish(timer.time(&set, &vec![LONG; composites.len()]))?,
            false => self.gpu.finish(timer.time_with_pilots(&set))?,
        };
        let mut timed = times.subjects.into_iter();
        let of_method = |failure: Option<Error>| match failure {
            Some(_) => Timed {
                failure,
                ..Timed::default()
            },
            None => timed.next().unwrap_or_default(),
        };
        times.subjects = failures.into_iter().map(of_method).collect();
        Ok(times)
    }

    /// A set to time: each of `composites` as the composite pass of the same frame, which makes what they need.
    pub fn set<'s>(&'s self, composites: &'s [Composite]) -> Set<'s> {
        let (gpu, frame) = (self.gpu, &self.frame);
        let subjects = composites.iter().map(|of| frame.subject(of));
        let inputs = Inputs::of(composites.iter().map(|of| of.inputs)).unwrap_or_default();
        Set {
            subjects: subjects.collect(),
            frame: Some([
                Box::new(move |recorder| frame.record_scene(gpu, recorder, inputs)),
                Box::new(move |recorder| frame.record_resolve(recorder, &frame.target)),
            ]),
        }
    }

    /// Draws the whole frame by one method, as a window would, and says when its passes ran.
    pub fn whole_frame(&self, timer: &mut Profiler, method: Method) -> Result<Vec<Span>> {
        let composite = self.composite(method)?;
        let (frame, target) = (&self.frame, &self.frame.target);
        let mut recorder = Recorder::new(self.gpu, timer, "frame");
        frame.record_scene(self.gpu, &mut recorder, composite.inputs)?;
        let label = composite.label();
        frame.record_composite(&mut recorder, &composite, target, label, 1)?;
        frame.record_resolve(&mut recorder, target)?;
        let recorded = recorder.finish();
        Ok(timer.submit_and_wait(self.gpu, recorded)?.spans)
    }

    /// Records the whole frame by one method into a file for RenderDoc. The frame is drawn once before,
    /// so that the recording has no work in it that is done only once. Passes whose results would be kept from that
    /// frame are drawn again, so that the recording shows all of them.
    pub fn record(&self, method: Method, file: &Path) -> Result<PathBuf> {
        let mut untimed = Profiler::untimed(self.gpu)?;
        self.whole_frame(&mut untimed, method)?;
        let recording = Recording::start(file)?;
        self.frame.draw_all_next();
        self.whole_frame(&mut untimed, method)?;
        recording.finish()
    }

    /// The largest radiance of all layers that show; 0 where no lists say which do.
    pub fn largest_radiance(&self) -> Result<f32> {
        inspect::largest_radiance(self.gpu, self.pipelines, &self.frame, &self.counters)
    }

    /// Bytes for a pixel of the lists among a method's inputs, and of what it has of its own.
    pub fn bound(&self, inputs: Inputs, own: u64) -> f64 {
        let [width, height] = self.settings.size.map(f64::from);
        (self.frame.list_bytes(inputs) + own) as f64 / (width * height)
    }

    /// Mean number of layers in a list over all tiles, fog slices included.
    pub fn mean_list(&self) -> f64 {
        f64::from(self.counters.listed_layers) / f64::from(self.frame.tiles())
    }
}

pub struct SetRequest {
    pub scene: Scene,
    /// Size, moment, camera and dials.
    pub settings: Settings,
    pub reference: Method,
    pub methods: Vec<Method>,
    /// The range of the differences' colours, one for all of them.
    pub difference_range: RangeChoice,
    /// Whether the float composites are written too, as OpenEXR.
    pub exr: bool,
    pub page: Held,
    /// Whether one frame by each method is traced.
    pub traced: bool,
    /// The folder of the shaders, for the command that makes a picture again.
    pub shaders_folder: Option<PathBuf>,
}

/// The steps of a set, as its listener hears of them.
struct Steps<'a> {
    progress: Listener<'a>,
    done: usize,
    all: usize,
}

impl<'a> Steps<'a> {
    fn new(methods: usize, progress: Listener<'a>) -> Self {
        Self {
            progress,
            done: 0,
            all: methods + 5,
        }
    }

    fn next(&mut self, what: &str) -> Result<()> {
        self.done += 1;
        (self.progress)(Progress::step(what.to_owned(), self.done - 1, self.all))
    }
}
