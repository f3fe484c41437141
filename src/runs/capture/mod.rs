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
use crate::report::Picture;
use crate::report::canvas::Canvas;
use crate::runs::{LONG_PASS, Set, Timer};
use crate::timing::{IN_FRAMES, Rounds, Timed, Times};

/// Number of pixels from which a composite on a CPU adapter takes long enough never to be repeated.
const MANY_PIXELS: u32 = 1 << 16;
/// Assumed milliseconds of such a composite.
const LONG: f64 = 100.0;

/// Folder of RenderDoc recordings in the working directory; git ignores it.
pub const RECORDINGS: &str = "captures";

/// A scene drawn up to the inputs of methods, ready to be composited.
pub struct Capture<'a> {
    gpu: &'a Gpu,
    pipelines: &'a Pipelines,
    /// Labels passes for debuggers; takes no times.
    profiler: Profiler,
    pub frame: Frame,
    pub settings: Settings,
    /// Sizes of its lists, if it made them.
    pub counters: Counters,
}

pub struct MethodPicture {
    pub method: Method,
    pub composite: Picture,
    pub resolved: Canvas,
    /// Wave size of the kernel in lanes; `None` if it could not tell.
    pub wave_size: Option<u32>,
    /// Pixels with a sum at the largest half float, or with more layers than fit.
    pub overflowed: u32,
    /// GPU memory in bytes that only this method uses.
    pub bytes: u64,
}

impl<'a> Capture<'a> {
    /// Draws the scene with complete lists, for any method.
    pub fn new(
        gpu: &'a Gpu,
        pipelines: &'a Pipelines,
        scene: &Scene,
        settings: Settings,
    ) -> Result<Self> {
        Self::expecting(gpu, pipelines, scene, settings, &[])
    }

    /// Like [`Capture::new`], but makes only what `methods` need, if any. Compiles their shaders in parallel with
    /// those of the frame, except for `auto`, whose choice needs the lists.
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
                // The failure is reported when the method is used.
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

    /// A composite for this frame; the rule chooses for `auto`.
    pub fn composite_of(&self, specialization: Specialization) -> Result<Composite> {
        self.composite_as(self.choice(specialization).specialization)
    }

    /// A composite for this frame by exactly this specialization, even for `auto`.
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

    /// The rule's choice for `auto` on this frame, with its reason; other methods are their own choice.
    pub fn choice(&self, specialization: Specialization) -> Choice {
        auto::choice(&self.gpu.caps, specialization, &self.facts())
    }

    /// Composites by one method and reads the picture back.
    pub fn picture(&mut self, method: Method) -> Result<MethodPicture> {
        let composite = self.composite(method)?;
        self.picture_by(method, &composite)
    }

    /// Composites by an existing composite of this frame, under a method's name, and reads the picture back.
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

    /// Linear colour behind all layers of each pixel.
    pub fn backgrounds(&self) -> Result<Vec<[f32; 4]>> {
        let (gpu, size) = (self.gpu, self.settings.size);
        let pass = inspect::BehindPass::new(gpu, self.pipelines, size)?;
        gpu.compute_and_wait("behind", |compute| pass.record(compute, &self.frame))?;
        read_buffer(gpu, &pass.backgrounds, (size[0] * size[1]) as usize)
    }

    /// Times all methods in frames, as benchmarks do. A failed method has a reason instead of times.
    pub fn times(&self, methods: &[Method]) -> Result<Times> {
        let is_cpu = self.gpu.caps.is_cpu;
        let rounds = Rounds::from(if is_cpu { 1 } else { IN_FRAMES }, is_cpu);
        let mut timer = self.gpu.finish(Timer::new(self.gpu, rounds, LONG_PASS))?;
        let made: Vec<Result<Composite>> = methods.iter().map(|of| self.composite(*of)).collect();
        let failures: Vec<Option<Error>> =
            made.iter().map(|of| of.as_ref().err().cloned()).collect();
        let composites: Vec<Composite> = made.into_iter().flatten().collect();
        let set = self.set(&composites);
        // A single run of a slow composite tells how often to repeat it: all of them have already drawn pictures.
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

    /// A set to time: each of `composites` as the composite pass of one frame, which makes their inputs.
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

    /// Draws the whole frame by one method, as a window would, and returns the times of its passes.
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

    /// Records the whole frame by one method into a RenderDoc file. Draws the frame once before, so that the
    /// recording contains no one-time work. Passes that would keep their results from that frame are drawn again, so
    /// that the recording shows all passes.
    pub fn record(&self, method: Method, file: &Path) -> Result<PathBuf> {
        let mut untimed = Profiler::untimed(self.gpu)?;
        self.whole_frame(&mut untimed, method)?;
        let recording = Recording::start(file)?;
        self.frame.draw_all_next();
        self.whole_frame(&mut untimed, method)?;
        recording.finish()
    }

    /// Largest radiance of all visible layers; 0 without lists.
    pub fn largest_radiance(&self) -> Result<f32> {
        inspect::largest_radiance(self.gpu, self.pipelines, &self.frame, &self.counters)
    }

    /// Bytes per pixel of a method's input lists and of its `own` buffers.
    pub fn bound(&self, inputs: Inputs, own: u64) -> f64 {
        let [width, height] = self.settings.size.map(f64::from);
        (self.frame.list_bytes(inputs) + own) as f64 / (width * height)
    }

    /// Mean number of layers per list over all tiles, including fog slices.
    pub fn mean_list(&self) -> f64 {
        f64::from(self.counters.listed_layers) / f64::from(self.frame.tiles())
    }
}
