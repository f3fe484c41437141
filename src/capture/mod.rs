//! Renders a scene by several methods and measures them: what `capture` and the window write and
//! tests check. [`set`] makes a comparison set of it, [`folder`] writes one, [`trace`] lays its times out
//! for a trace viewer.

pub mod folder;
pub mod set;
pub mod trace;

use std::path::{Path, PathBuf};

use crate::auto::{Choice, Rule};
use crate::compare::Picture;
use crate::compare::canvas::Canvas;
use crate::compare::report::timing;
use crate::compare::samples::Summary;
use crate::error::{Error, Result};
use crate::gpu::renderdoc::Recording;
use crate::gpu::{
    Capabilities, Gpu, Pipelines, Profiler, Recorder, Span, finish_frame, finish_spans,
    read_texture,
};
use crate::methods::{Method, Specialization};
use crate::render::{Composite, Counters, Frame, frame_input, inspect};
use crate::scene::Scene;
use crate::settings::Settings;

/// Where recordings for RenderDoc go, below the working directory; git-ignored.
pub const RECORDINGS: &str = "captures";

/// Timed rounds; every round runs each method once, so that drift hits all alike.
const ROUNDS: usize = 30;
/// Rounds before the first that counts.
const WARM_UP_ROUNDS: usize = 5;

/// A scene drawn up to its lists, ready to be composited by any method.
pub struct Capture<'a> {
    gpu: &'a Gpu,
    pipelines: &'a Pipelines,
    /// Names passes.
    profiler: Profiler,
    /// Times them, once that was asked for.
    timer: Option<Profiler>,
    /// The frame.
    pub frame: Frame,
    /// Its settings.
    pub settings: Settings,
    /// What its lists came to.
    pub counters: Counters,
    /// How `auto` chooses.
    pub rule: Rule,
}

/// A method's picture.
pub struct MethodPicture {
    /// The method.
    pub method: Method,
    /// The float composite.
    pub composite: Picture,
    /// Tone mapped.
    pub resolved: Canvas,
    /// Wave size the kernel ran at; absent where it could not tell.
    pub wave_size: Option<u32>,
}

/// Times by the adapter's clock: of each method's composite and of each other pass.
#[derive(Default)]
pub struct Times {
    /// Per method, in the order asked for, ms.
    pub methods: Vec<Vec<f64>>,
    /// Per pass, in frame order.
    pub passes: Vec<(String, Vec<f64>)>,
}

impl Times {
    /// The statistics of method `index`, if there are enough samples.
    pub fn of_method(&self, index: usize) -> Option<Summary> {
        timing(self.methods.get(index)?)
    }
}

impl<'a> Capture<'a> {
    /// The adapter.
    pub fn caps(&self) -> &Capabilities {
        &self.gpu.caps
    }

    /// Draws the scene until nothing is missing from its lists.
    ///
    /// # Errors
    /// No such camera, sizes beyond the adapter (exit code 2), the device failed (1).
    pub fn new(
        gpu: &'a Gpu,
        pipelines: &'a Pipelines,
        scene: &Scene,
        settings: Settings,
    ) -> Result<Self> {
        let camera = settings.camera_in(scene)?;
        let input = frame_input(scene, &camera, &settings, &gpu.caps);
        let mut frame = Frame::new(gpu, pipelines, input)?;
        let mut profiler = Profiler::untimed(gpu)?;
        let counters = frame.draw_scene_complete(gpu, &mut profiler)?;
        Ok(Self {
            gpu,
            pipelines,
            profiler,
            timer: None,
            frame,
            settings,
            counters,
            rule: Rule::default(),
        })
    }

    fn composite(&self, method: Method) -> Result<Composite> {
        self.composite_of(self.settings.specialization(method))
    }

    /// A method specialised for this frame; `auto` by the rule.
    ///
    /// # Errors
    /// The shader does not compile (exit code 1).
    pub fn composite_of(&self, specialization: Specialization) -> Result<Composite> {
        self.frame.composite(
            self.gpu,
            self.pipelines,
            self.choice(specialization).specialization,
            &self.counters,
            self.settings.early_out,
        )
    }

    /// What the rule makes of `auto` here, and why; of any other method itself.
    pub fn choice(&self, specialization: Specialization) -> Choice {
        let facts = self.frame.facts(&self.counters);
        self.rule.choose(&self.gpu.caps, specialization, &facts)
    }

    /// Composites by one method and reads the picture back.
    ///
    /// # Errors
    /// The shader does not compile or the device failed (exit code 1).
    pub fn picture(&mut self, method: Method) -> Result<MethodPicture> {
        let composite = self.composite(method)?;
        let mut recorder = Recorder::new(self.gpu, &mut self.profiler, method.name());
        let target = &self.frame.target;
        self.frame.record_composite(
            self.gpu,
            &mut recorder,
            &composite,
            target,
            composite.label(),
        )?;
        self.frame.record_resolve(self.gpu, &mut recorder, target)?;
        self.gpu.submit_and_wait(recorder.finish())?;
        finish_frame(self.gpu, &mut self.profiler)?;
        let wave_size = self.frame.read_wave_size(self.gpu)?;
        let bytes = read_texture(self.gpu, &self.frame.target.resolved)?;
        let size = self.settings.size;
        Ok(MethodPicture {
            method,
            composite: Picture::new(size, self.frame.read_composite(self.gpu)?)
                .map_err(|error| Error::failed(error.to_string()))?,
            resolved: Canvas::from_rgba8(size, &bytes)
                .ok_or_else(|| Error::failed("the picture read back has the wrong size"))?,
            wave_size: (wave_size > 0).then_some(wave_size),
        })
    }

    /// Times all methods, interleaved, after warming up; on a CPU adapter in one round without
    /// warm-up.
    ///
    /// # Errors
    /// The device failed (exit code 1).
    pub fn times(&mut self, methods: &[Method]) -> Result<Times> {
        let timed = methods
            .iter()
            .map(|&method| Ok((method.name().to_owned(), self.composite(method)?)))
            .collect::<Result<Vec<_>>>()?;
        let (warm_up, rounds) = match self.gpu.caps.is_cpu {
            true => (0, 1),
            false => (WARM_UP_ROUNDS, ROUNDS),
        };
        self.times_of(&timed, warm_up, rounds)
    }

    /// Times composites under labels of which each is unique, interleaved, in so many rounds after
    /// those of the warm-up.
    ///
    /// # Errors
    /// The device failed (exit code 1).
    pub fn times_of(
        &mut self,
        composites: &[(String, Composite)],
        warm_up: usize,
        rounds: usize,
    ) -> Result<Times> {
        let mut times = Times {
            methods: vec![Vec::new(); composites.len()],
            passes: Vec::new(),
        };
        for round in 0..warm_up + rounds {
            // Each follows every other in turn: the first finds caches as the lists left them.
            let (last, first) = composites.split_at(round % composites.len().max(1));
            let spans = self.timed_frame("timed round", first.iter().chain(last))?;
            let measured = spans.into_iter().map(Span::milliseconds).collect();
            if round >= warm_up {
                times.add(composites, measured);
            }
        }
        Ok(times)
    }

    /// Draws a whole frame with these composites one after the other, each under its label, and says when
    /// its passes ran.
    fn timed_frame<'c>(
        &mut self,
        name: &str,
        composites: impl IntoIterator<Item = &'c (String, Composite)>,
    ) -> Result<Vec<Span>> {
        let (frame, target) = (&self.frame, &self.frame.target);
        let timer = match &mut self.timer {
            Some(timer) => timer,
            none => none.insert(Profiler::timed(self.gpu)?),
        };
        let mut recorder = Recorder::new(self.gpu, timer, name);
        frame.record_scene(self.gpu, &mut recorder)?;
        for (label, composite) in composites {
            frame.record_composite(self.gpu, &mut recorder, composite, target, label)?;
        }
        frame.record_resolve(self.gpu, &mut recorder, target)?;
        self.gpu.submit_and_wait(recorder.finish())?;
        finish_spans(self.gpu, timer)
    }

    /// Draws the whole frame by one method, as a window would, and says when its passes ran. The composite's
    /// passes are named after the method that ran.
    ///
    /// # Errors
    /// The shader does not compile or the device failed (exit code 1).
    pub fn whole_frame(&mut self, method: Method) -> Result<Vec<Span>> {
        let composite = self.composite(method)?;
        let label = composite.label().to_owned();
        self.timed_frame("frame", &[(label, composite)])
    }

    /// Records the whole frame by one method into a file for RenderDoc. The frame is drawn once before,
    /// so that nothing in the file is there for the first time.
    ///
    /// # Errors
    /// As [`Capture::whole_frame`] and [`Recording`].
    pub fn record(&mut self, method: Method, file: &Path) -> Result<PathBuf> {
        self.whole_frame(method)?;
        let recording = Recording::start(file)?;
        self.whole_frame(method)?;
        recording.finish()
    }

    /// The largest radiance of all layers that show.
    ///
    /// # Errors
    /// The device failed (exit code 1).
    pub fn largest_radiance(&self) -> Result<f32> {
        inspect::largest_radiance(self.gpu, self.pipelines, &self.frame, &self.counters)
    }

    /// Mean list length over all tiles, fog slices included.
    pub fn mean_list(&self) -> f64 {
        f64::from(self.counters.listed_layers) / f64::from(self.frame.tiles())
    }
}

impl Times {
    fn add(&mut self, composites: &[(String, Composite)], measured: Vec<(String, f64)>) {
        let of_composite = |label: &str| {
            // A drawn method has parts besides its draw: "label (stream)".
            let is_part = |name: &str| {
                let rest = label.strip_prefix(name);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(" ("))
            };
            composites.iter().position(|of| is_part(&of.0))
        };
        let mut sums = vec![None; composites.len()];
        for (label, time) in measured {
            if let Some(index) = of_composite(&label) {
                *sums[index].get_or_insert(0.0) += time;
                continue;
            }
            match self.passes.iter_mut().find(|pass| pass.0 == label) {
                Some(pass) => pass.1.push(time),
                None => self.passes.push((label, vec![time])),
            }
        }
        for (samples, sum) in self.methods.iter_mut().zip(sums) {
            samples.extend(sum);
        }
    }
}
