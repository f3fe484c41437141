//! Renders a scene with several methods and measures them, for `wavelerp capture`, the window and tests. [`set`] makes
//! a comparison set, and [`trace`] writes the times for a trace viewer.

mod metadata;
mod pictures;
pub mod set;
pub mod trace;

use std::path::{Path, PathBuf};
use web_time::Instant;

use crate::error::{Error, Result};
use crate::frame::{Counters, Frame, frame_input};
use crate::gpu::device::renderdoc::Recording;
use crate::gpu::{Gpu, Key, Pipelines, Profiler, Recorder, Span, read_buffer, read_texture};
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
use crate::report::comparison::Report;
use crate::report::page::capture::PagePictures;
use crate::report::range::RangeChoice;
use crate::runs::{LONG_PASS, Set, Timer};
use crate::timing::{IN_FRAMES, PassSamples, Rounds, Samples, Timed, Times};

/// From this number of pixels on, a CPU adapter never repeats a composite. The run that makes its picture is timed
/// instead.
const MANY_PIXELS: u32 = 1 << 16;

/// Folder of RenderDoc recordings in the working directory. git ignores it.
pub const RECORDINGS: &str = "captures";

/// A scene drawn up to the inputs of methods, ready to be composited.
pub struct Capture<'a> {
    gpu: &'a Gpu,
    pipelines: &'a Pipelines,
    /// Names the passes for debuggers, and times them if pictures are timed.
    profiler: Profiler,
    times_pictures: bool,
    pub frame: Frame,
    pub settings: Settings,
    /// Sizes of the frame's lists, if it has any.
    pub counters: Counters,
}

#[derive(Clone)]
pub struct MethodPicture {
    pub method: Method,
    /// Milliseconds of the method's composite, if pictures are timed.
    pub milliseconds: Option<f64>,
    pub composite: Picture,
    pub resolved: Canvas,
    /// Wave size of the kernel in lanes. `None` if the kernel could not determine it.
    pub wave_size: Option<u32>,
    /// Number of pixels with a sum at the largest half float, or with more layers than there is room for.
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

    /// Like [`Capture::new`], but makes only what `methods` need, if there are any. Their shaders and those of the
    /// frame are compiled in parallel. `auto` comes later, because its choice depends on the lists.
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
            times_pictures: false,
            frame,
            settings,
            counters,
        })
    }

    /// Times pictures as they are drawn, if their composites run only once.
    pub fn time_pictures(&mut self) -> Result<()> {
        let [width, height] = self.settings.size;
        self.times_pictures = self.gpu.caps.is_cpu && width * height >= MANY_PIXELS;
        if self.times_pictures {
            self.profiler = Profiler::timed(self.gpu)?;
        }
        Ok(())
    }

    pub fn times_pictures(&self) -> bool {
        self.times_pictures
    }

    /// Lets the driver compile a composite that is about to be timed. The composite runs in one tile, or as a whole if
    /// it has no sections.
    pub fn warm_up(&mut self, composite: &Composite) -> Result<()> {
        if !self.times_pictures {
            return Ok(());
        }
        let (frame, target) = (&self.frame, &self.frame.target);
        let ([width, height], tile) = (self.settings.size, frame.shape().tile);
        target.set_section(self.gpu, [0, 0, tile, tile]);
        let mut recorder = Recorder::new(self.gpu, &mut self.profiler, "warm-up");
        let recorded =
            frame.record_composite(&mut recorder, composite, target, composite.label(), 1);
        let commands = recorder.finish();
        let ran = recorded.and_then(|()| self.profiler.submit_and_wait(self.gpu, commands));
        // Reset even after a failure. The next method composites the whole picture.
        target.set_section(self.gpu, [0, 0, width, height]);
        ran.map(drop)
    }

    pub fn composite(&self, method: Method) -> Result<Composite> {
        self.composite_of(self.settings.options.specialize(method))
    }

    /// A composite for this frame. The rule chooses for `auto`.
    pub fn composite_of(&self, specialization: Specialization) -> Result<Composite> {
        self.composite_as(self.choice(specialization).specialization)
    }

    /// A composite for this frame with exactly this specialization, even for `auto`.
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
                "{} needs {which}, but the frame was drawn without them",
                composite.label()
            )));
        }
        Ok(composite)
    }

    pub fn facts(&self) -> Facts {
        self.frame.facts(&self.counters)
    }

    /// The rule's choice for `auto` on this frame, with its reason. Other methods are returned unchanged.
    pub fn choice(&self, specialization: Specialization) -> Choice {
        auto::choice(&self.gpu.caps, specialization, &self.facts())
    }

    /// The specialization that runs for a method on this frame.
    fn runs(&self, method: Method) -> Specialization {
        let asked = self.settings.options.specialize(method);
        self.choice(asked).specialization
    }

    pub fn picture(&mut self, method: Method) -> Result<MethodPicture> {
        let composite = self.composite(method)?;
        self.warm_up(&composite)?;
        self.picture_by(method, &composite)
    }

    /// Runs a composite of this frame under the name of `method`, and reads the picture back.
    pub fn picture_by(&mut self, method: Method, composite: &Composite) -> Result<MethodPicture> {
        let mut recorder = Recorder::new(self.gpu, &mut self.profiler, method.name());
        let (target, frames) = (&self.frame.target, composite.frames());
        let own = Some(Key::default());
        recorder.key = own;
        self.frame
            .record_composite(&mut recorder, composite, target, composite.label(), frames)?;
        recorder.key = None;
        self.frame.record_resolve(&mut recorder, target)?;
        let recorded = recorder.finish();
        let spans = self.profiler.submit_and_wait(self.gpu, recorded)?.spans;
        let spans = spans.iter().filter(|span| span.key == own);
        let milliseconds = spans.map(Span::milliseconds).reduce(|all, of| all + of);
        let [wave_size, overflowed] = self.frame.read_reports(self.gpu)?;
        let bytes = read_texture(self.gpu, &self.frame.target.resolved)?;
        let size = self.settings.size;
        Ok(MethodPicture {
            method,
            milliseconds: milliseconds.map(|all| all / f64::from(frames)),
            composite: Picture::new(size, self.frame.read_composite(self.gpu)?)?,
            resolved: Canvas::from_rgba8(size, &bytes)?,
            wave_size: (wave_size > 0).then_some(wave_size),
            overflowed,
            bytes: composite.bytes(),
        })
    }

    /// Linear colour behind all layers, for each pixel.
    pub fn backgrounds(&self) -> Result<Vec<[f32; 4]>> {
        let (gpu, size) = (self.gpu, self.settings.size);
        let pass = inspect::BehindPass::new(gpu, self.pipelines, size)?;
        gpu.compute_and_wait("behind", |compute| pass.record(compute, &self.frame))?;
        read_buffer(gpu, &pass.backgrounds, (size[0] * size[1]) as usize)
    }

    /// Times all methods in frames, as benchmarks do. A method that failed has a reason instead of times.
    pub fn times(&self, methods: &[Method]) -> Result<Times> {
        let is_cpu = self.gpu.caps.is_cpu;
        let rounds = Rounds::from(if is_cpu { 1 } else { IN_FRAMES }, is_cpu);
        let mut timer = self.gpu.finish(Timer::new(self.gpu, rounds, LONG_PASS))?;
        let made: Vec<Result<Composite>> = methods.iter().map(|of| self.composite(*of)).collect();
        let failures: Vec<Option<Error>> =
            made.iter().map(|of| of.as_ref().err().cloned()).collect();
        let composites: Vec<Composite> = made.into_iter().flatten().collect();
        let set = self.set(&composites);
        let mut times = self.gpu.finish(timer.time_with_pilots(&set))?;
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

    /// Times of pictures that were timed as they were drawn, and of the passes that they share.
    pub fn times_of_pictures(&mut self, pictures: &[(Method, Option<f64>)]) -> Times {
        let timed = |of: &(Method, Option<f64>)| Timed {
            dispatches: 1,
            samples: of.1.into_iter().collect(),
            ..Timed::default()
        };
        let subjects = pictures.iter().map(timed).collect();
        let options = &self.settings.options;
        let inputs = pictures.iter().map(|of| options.specialize(of.0).inputs());
        let shared = self.shared_passes(Inputs::of(inputs).unwrap_or_default());
        Times {
            subjects,
            ended: shared.as_ref().err().cloned(),
            shared: shared.unwrap_or_default(),
            ..Times::default()
        }
    }

    /// Times of the passes before and after a frame's composite, drawn once.
    fn shared_passes(&mut self, inputs: Inputs) -> Result<Vec<PassSamples>> {
        let spans = draw_frame(self.gpu, &self.frame, &mut self.profiler, inputs, None)?;
        let mut shared = Samples::default();
        let passes = spans.iter().map(|span| (span.label, span.milliseconds()));
        shared.add(&passes.collect::<Vec<_>>());
        Ok(shared.passes)
    }

    /// A set to time. Each of `composites` is the composite pass of one frame, which makes the inputs of all.
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

    /// Draws the whole frame with one method, as a window does, and returns the times of the frame's passes.
    pub fn whole_frame(&self, timer: &mut Profiler, method: Method) -> Result<Vec<Span>> {
        let composite = self.composite(method)?;
        let inputs = composite.inputs;
        draw_frame(self.gpu, &self.frame, timer, inputs, Some(&composite))
    }

    /// Records the whole frame with one method into a RenderDoc file. The frame is drawn once before, so that the
    /// recording contains no one-time work. Passes that could reuse results of the first frame are drawn again, so that
    /// the recording shows all passes.
    pub fn record(&self, method: Method, file: &Path) -> Result<PathBuf> {
        let mut untimed = Profiler::untimed(self.gpu)?;
        self.whole_frame(&mut untimed, method)?;
        let recording = Recording::start(file)?;
        self.frame.draw_all_next();
        self.whole_frame(&mut untimed, method)?;
        recording.finish()
    }

    /// Largest radiance of all visible layers. 0 without lists.
    pub fn largest_radiance(&self) -> Result<f32> {
        inspect::largest_radiance(self.gpu, self.pipelines, &self.frame, &self.counters)
    }

    /// Bytes per pixel of a method's input lists and of the method's `own` buffers.
    pub fn list_bytes(&self, inputs: Inputs, own: u64) -> f64 {
        let [width, height] = self.settings.size.map(f64::from);
        (self.frame.list_bytes(inputs) + own) as f64 / (width * height)
    }

    /// Mean number of layers per list over all tiles, including fog slices.
    pub fn mean_list(&self) -> f64 {
        f64::from(self.counters.listed_layers) / f64::from(self.frame.tiles())
    }
}

/// Draws a frame up to `inputs`, the composite if there is one, and the passes after it. Returns the passes' times.
fn draw_frame(
    gpu: &Gpu,
    frame: &Frame,
    profiler: &mut Profiler,
    inputs: Inputs,
    composite: Option<&Composite>,
) -> Result<Vec<Span>> {
    let (mut recorder, target) = (Recorder::new(gpu, profiler, "frame"), &frame.target);
    frame.record_scene(gpu, &mut recorder, inputs)?;
    if let Some(composite) = composite {
        frame.record_composite(&mut recorder, composite, target, composite.label(), 1)?;
    }
    frame.record_resolve(&mut recorder, target)?;
    let recorded = recorder.finish();
    Ok(profiler.submit_and_wait(gpu, recorded)?.spans)
}

pub struct SetRequest {
    pub scene: Scene,
    pub settings: Settings,
    pub reference: Method,
    pub methods: Vec<Method>,
    /// Range of the difference colours of all methods.
    pub difference_range: RangeChoice,
    /// True to also write float composites as OpenEXR files.
    pub exr: bool,
    pub page: PagePictures,
    /// True to trace one frame of each method.
    pub traced: bool,
    /// Shader folder to name in the command that makes a picture again.
    pub shaders_folder: Option<PathBuf>,
}

const COMPOSITING: &str = "compositing by ";

struct Steps<'a> {
    progress: Listener<'a>,
    /// Each step with its start time.
    begun: Vec<(String, Instant)>,
    all: usize,
}

impl<'a> Steps<'a> {
    fn new(methods: usize, progress: Listener<'a>) -> Self {
        Self {
            progress,
            begun: Vec::new(),
            all: methods + 5,
        }
    }

    fn next(&mut self, what: &str) -> Result<()> {
        let done = self.begun.len();
        self.begun.push((what.to_owned(), Instant::now()));
        (self.progress)(Progress::step(what.to_owned(), done, self.all))
    }

    /// Lines with the seconds of each step. A method's line also has the seconds of its composite.
    fn spent(&self, report: &Report) -> Vec<String> {
        let ends = self.begun.iter().skip(1).map(|of| of.1);
        let ends = ends.chain([Instant::now()]);
        let composite = |step: &str| {
            let name = step.strip_prefix(COMPOSITING)?;
            let of = report.methods.iter().find(|of| of.method == name)?;
            let time = of.time.wall_ms.as_ref().or(of.time.gpu_ms.as_ref())?;
            Some(format!(", its composite {:.2} s", time.median / 1e3))
        };
        let line = |((step, begun), end): (&(String, Instant), Instant)| {
            let own = composite(step).unwrap_or_default();
            format!("{:6.2} s  {step}{own}", (end - *begun).as_secs_f64())
        };
        self.begun.iter().zip(ends).map(line).collect()
    }
}
