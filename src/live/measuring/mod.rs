//! Measures methods on an unchanging scene, one round per frame, while the window keeps running. Errors against the
//! exact result come first, then times.

mod errors;
mod run;

use std::time::Duration;

use super::choosing::Choosing;
use super::readback::{ReadBackPart, Readbacks};
use super::shown::{LiveFrame, Times};
use crate::error::Result;
use crate::frame::target::Target;
use crate::gpu::{Gpu, Pipelines, Precompile, Profiler, Recorded, Recorder, storage_buffer};
use crate::methods::Specialization;
use crate::methods::auto::{self, Choice};
use crate::methods::composite::compile;
use crate::model::Clock;
use crate::model::methods::TABLE;
use crate::model::passes::Inputs;
use crate::timing::Clocks;
use errors::ErrorMeasurement;
use run::MeasurementRun;

pub use run::Measurement;

/// Maximum number of subjects, including candidates of `auto`.
const MOST_SUBJECTS: u64 = 2 * TABLE.len() as u64;

pub(super) struct Measuring {
    state: Option<MeasurementRun>,
    /// Shaders of each method, until all are compiled.
    compiling: Vec<Precompile>,
    /// True after [`Measuring::take_fastest`] has returned the fastest candidate of `auto`.
    is_taken: bool,
    /// Created for the first measurement. Most frames are never measured.
    timing: Option<Timing>,
    erring: Option<ErrorMeasurement>,
    /// Wave size of each method in a round.
    sizes: wgpu::Buffer,
    readbacks: Readbacks<()>,
}

struct Timing {
    profiler: Profiler,
    clocks: Clocks,
}

impl Measuring {
    pub fn new(gpu: &Gpu) -> Self {
        Self {
            state: None,
            compiling: Vec::new(),
            is_taken: false,
            timing: None,
            erring: None,
            sizes: storage_buffer(gpu, "wave sizes", 4 * MOST_SUBJECTS),
            readbacks: Readbacks::new("round read-back"),
        }
    }

    pub fn start(
        &mut self,
        gpu: &Gpu,
        pipelines: &Pipelines,
        (shown, choosing): (&LiveFrame, &Choosing),
        clock: &Clock,
        methods: Vec<Specialization>,
    ) -> Result<()> {
        let layers = shown.frame.shape().layers();
        if let Some(first) = methods.first() {
            compile(gpu, pipelines, first.options.exact(), layers)?;
        }
        let run = |asked| choosing.current(&gpu.caps, asked, &shown.facts());
        // A compile error is reported when the method is recorded.
        let ahead = |of| pipelines.ahead(|asked| drop(compile(gpu, asked, of, layers)));
        self.compiling = methods.iter().map(|asked| ahead(run(*asked))).collect();
        (self.is_taken, self.erring) = (false, None);
        if self.timing.is_none() {
            self.timing = Some(Timing {
                profiler: Profiler::by(gpu, clock, Duration::ZERO)?,
                clocks: Clocks::new(gpu, clock)?,
            });
        }
        self.state = Some(MeasurementRun::new(&gpu.caps, clock.clone(), methods));
        Ok(())
    }

    pub fn measurement(&self) -> Option<&Measurement> {
        self.state.as_ref().map(|state| &state.measurement)
    }

    /// Inputs of the measured methods. Candidates of `auto` can need lists.
    pub fn inputs(&self) -> Inputs {
        let measured = self.measurement().into_iter().flat_map(|of| &of.of);
        let needed = measured.map(Specialization::inputs);
        needed.fold(Inputs::LISTS, Inputs::with)
    }

    pub fn stop(&mut self) {
        (self.state, self.erring) = (None, None);
    }

    pub fn is_under_way(&self) -> bool {
        self.measurement()
            .is_some_and(|measurement| !measurement.finished)
    }

    /// True while shaders are being compiled. Nothing is drawn during that time.
    pub fn is_compiling(&mut self) -> bool {
        let all = self.compiling.len();
        let done = self.compiling.iter().filter(|of| of.is_over()).count();
        if let Some(state) = self.state.as_mut().filter(|_| done < all) {
            state.measurement.doing = format!("compiling {done} of {all}");
        }
        done < all
    }

    /// True if the scene must be drawn again before the first round.
    pub fn wants_frame(&self) -> bool {
        self.state.as_ref().is_some_and(MeasurementRun::wants_frame)
    }

    pub fn note_frame(&mut self) {
        if let Some(state) = &mut self.state {
            state.note_frame();
        }
    }

    pub fn record(
        &mut self,
        gpu: &Gpu,
        pipelines: &Pipelines,
        shown: &mut LiveFrame,
        scratch: Option<&Target>,
    ) -> Result<Option<Recorded>> {
        let (Some(state), Some(scratch), Some(timing)) =
            (&mut self.state, scratch, &mut self.timing)
        else {
            return Ok(None);
        };
        // Rounds in flight are limited to frames in flight, so that the GPU does not fall behind.
        if !self.readbacks.has_room() {
            return Ok(None);
        }
        if state.is_new {
            let candidates = |asked| auto::candidates(&gpu.caps, asked, &shown.facts());
            state.begin(state.asked_auto().map_or_else(Vec::new, candidates));
        }
        let erring = match &mut self.erring {
            Some(erring) => erring,
            erring => {
                let size = shown.frame.shape().size;
                erring.insert(ErrorMeasurement::new(gpu, pipelines, size, scratch)?)
            }
        };
        if !erring.readbacks.has_room() {
            return Ok(None);
        }
        if let Some(next) = state.next_error() {
            let recorded = erring.record(gpu, pipelines, shown, scratch, next);
            if recorded.is_err() {
                state.schedule.fail(next.0);
                state.take_error(next.0, None);
            }
            return Ok(None);
        }
        let mut round = state.next_passes(gpu.caps.is_cpu);
        // A method's loops may be too long for the driver, for example.
        round.retain(|pass| {
            let made = shown.composites.make(gpu, pipelines, pass.specialization);
            if made.is_err() {
                state.schedule.fail(pass.index);
            }
            made.is_ok()
        });
        if round.is_empty() {
            return Ok(None);
        }
        let mut recorder = Recorder::new(gpu, &mut timing.profiler, "round");
        timing.clocks.record(&mut recorder)?;
        for pass in &round {
            recorder.key = Some(pass.key);
            shown.record_composite(&mut recorder, pass.specialization, scratch, 1)?;
            let (ran_at, index) = (&scratch.ran_at, pass.index as u64);
            let encoder = &mut recorder.encoder;
            encoder.copy_buffer_to_buffer(ran_at, 0, &self.sizes, 4 * index, 4);
        }
        let sizes = ReadBackPart::first(&self.sizes, self.sizes.size());
        self.readbacks
            .record(gpu, &mut recorder.encoder, &[Some(sizes)], ());
        Ok(Some(recorder.finish()))
    }

    pub fn submit(&mut self, gpu: &Gpu, recorded: Recorded) -> Result<()> {
        let timing = self.timing.as_mut();
        let submitted = timing.map_or(Ok(()), |of| of.profiler.submit(gpu, recorded));
        self.readbacks.submitted();
        submitted
    }

    pub fn take(&mut self, gpu: &Gpu, times: &Times) -> Result<()> {
        if let Some(Timing { profiler, clocks }) = &mut self.timing {
            while let Some(mut spans) = profiler.take_spans(gpu) {
                let moment = clocks.take(&mut spans);
                if let Some(state) = &mut self.state {
                    state.take_times(&spans, moment);
                }
            }
        }
        while let Some(arrived) = self.readbacks.take()? {
            if let Some(state) = &mut self.state {
                state.take_wave_sizes(&arrived.part(0));
            }
        }
        self.take_errors(times)
    }

    /// Adds errors that have arrived. Ends the measurement if nothing else was missing.
    fn take_errors(&mut self, times: &Times) -> Result<()> {
        let Some(state) = self.state.as_mut().filter(|of| !of.measurement.finished) else {
            return Ok(());
        };
        while let Some((place, error)) = self
            .erring
            .as_mut()
            .map_or(Ok(None), ErrorMeasurement::take)?
        {
            state.take_error(place, Some(error));
        }
        state.settle();
        if state.measurement.finished {
            state.take_inputs(times);
            self.erring = None;
        }
        Ok(())
    }

    /// Drops a round that was recorded but never submitted. Its timers would never finish.
    pub fn forget_recorded(&mut self, gpu: &Gpu) -> Result<()> {
        if let (Some(timing), Some(state)) = (&mut self.timing, &self.state) {
            timing.profiler = Profiler::by(gpu, &state.measurement.clock, Duration::ZERO)?;
        }
        Ok(())
    }

    pub fn bytes(&self) -> u64 {
        self.readbacks.bytes()
    }

    /// Bytes of the comparison with the exact result.
    pub fn bytes_of_errors(&self) -> u64 {
        self.erring.as_ref().map_or(0, ErrorMeasurement::bytes)
    }

    /// The requested `auto` and its fastest candidate, if a measurement has just finished.
    pub fn take_fastest(&mut self) -> Option<(Specialization, Choice)> {
        let state = self.state.as_ref().filter(|of| of.measurement.finished)?;
        if std::mem::replace(&mut self.is_taken, true) {
            return None;
        }
        Some((state.asked_auto()?, state.fastest()?))
    }
}
