//! A continuously drawn frame, and everything read back from it. Drawing never waits for the GPU, so readings are two
//! or three frames old. Four parts own their data: `shown` (the scene and methods A and B), `choosing` (choices of
//! `auto`), `looking` (metrics, a probed pixel, a region, a debug view) and `measuring` (times of all methods).

mod choosing;
mod looking;
mod measuring;
mod readback;
mod record;
mod shown;
mod wanted;

use std::time::Duration;

use crate::error::{Error, Result};
use crate::frame::FrameInput;
use crate::frame::target::Target;
use crate::gpu::{Binds, Gpu, Pieces, Pipelines, Profiler, known_clock};
use crate::methods::Specialization;
use crate::methods::auto::Choice;
use crate::methods::composite::compile;
use crate::model::Clock;
use crate::model::passes::Inputs;
use choosing::Choosing;
use measuring::Measuring;

pub use choosing::PATIENCE;
pub use looking::{
    DebugView, LiveMetrics, LiveProbe, Looking, MOST_REGION, ProbeResult, ProbeWanted, Region,
    Values, debug, definition, inspect, metrics,
};
pub use measuring::Measurement;
pub use shown::{ENOUGH, LiveFrame, MethodTimes, PassTimes, Times};
pub use wanted::Wanted;

/// Minimum interval between frames timed by the wall clock. Each pass of such a frame is a separate submission, which
/// is slower.
const TIMED_EVERY: Duration = Duration::from_secs(1);
/// After this time in one call, no further piece of a frame is started.
const PIECES_WITHIN: Duration = Duration::from_millis(25);
/// Maximum number of frames drawn to get a complete one. Its lists may have to grow twice.
const MOST_DRAWN: u32 = 3;

struct UnderWay {
    pieces: Pieces,
    /// The request, as made and as drawn.
    asked: Wanted,
    wanted: Wanted,
    inputs: Inputs,
}

#[derive(Clone, Copy, PartialEq)]
enum Next {
    /// The scene, and all requested inspections.
    Frame,
    /// One method drawn again, only to time it.
    Times,
    Round,
    Nothing,
}

/// A frame on screen, and everything that belongs to it.
pub struct Live {
    pub shown: LiveFrame,
    pub looking: Looking,
    /// Clock of all times. `None` until the adapter's clock has been tested. Nothing is timed before.
    pub clock: Option<Clock>,
    choosing: Choosing,
    measuring: Measuring,
    /// True if frames are timed as soon as there is a clock.
    is_timed: bool,
    profiler: Profiler,
    untimed: Profiler,
    under_way: Option<UnderWay>,
    /// Number of frames dropped before their last piece was drawn.
    dropped: u64,
    /// Target of composites that are not displayed: of probes, measurements and the further method.
    scratch: Option<Target>,
    pictures: Binds,
}

fn passes_timer(gpu: &Gpu, clock: Option<&Clock>) -> Result<Profiler> {
    match clock {
        Some(clock) => Profiler::by(gpu, clock, TIMED_EVERY),
        None => Profiler::untimed(gpu),
    }
}

fn pictures([a, b]: [&Target; 2], debug_values: &wgpu::Buffer) -> Binds {
    use wgpu::BindingResource::TextureView;
    Binds::new([
        ("composites_a", a.composites.as_entire_binding()),
        ("composites_b", b.composites.as_entire_binding()),
        ("debug_values", debug_values.as_entire_binding()),
        ("resolved_a", TextureView(&a.resolved_view)),
        ("resolved_b", TextureView(&b.resolved_view)),
    ])
}

impl Live {
    /// Allocates the frame and its read-backs. Frames are timed only after the adapter's clock has been tested.
    pub fn new(gpu: &Gpu, pipelines: &Pipelines, input: FrameInput) -> Result<Self> {
        let size = input.shape.size;
        let shown = LiveFrame::new(gpu, pipelines, input)?;
        let looking = Looking::new(gpu, size);
        Ok(Self {
            pictures: pictures(shown.targets(), &looking.debug_values),
            clock: known_clock(gpu).cloned(),
            profiler: passes_timer(gpu, known_clock(gpu))?,
            untimed: Profiler::untimed(gpu)?,
            under_way: None,
            dropped: 0,
            measuring: Measuring::new(gpu),
            choosing: Choosing::default(),
            is_timed: true,
            scratch: None,
            shown,
            looking,
        })
    }

    /// Like [`Live::new`], and also compiles `methods` for the first frame.
    pub fn compiled(
        gpu: &Gpu,
        pipelines: &Pipelines,
        input: FrameInput,
        methods: &[Specialization],
    ) -> Result<Self> {
        let live = Self::new(gpu, pipelines, input)?;
        for asked in methods {
            let facts = live.shown.facts();
            let chosen = live.choosing.current(&gpu.caps, *asked, &facts);
            compile(gpu, pipelines, chosen, live.shown.frame.shape().layers())?;
        }
        Ok(live)
    }

    /// Turns off timing, which slows frames down.
    pub fn leave_untimed(&mut self, gpu: &Gpu) -> Result<()> {
        (self.is_timed, self.clock) = (false, None);
        self.profiler = Profiler::untimed(gpu)?;
        Ok(())
    }

    /// Results of A and B and values of the debug view, named as in `inspect/present.wesl`.
    pub fn pictures(&self) -> &Binds {
        &self.pictures
    }

    /// Draws and submits a frame: the scene, each method into its target, and the requested inspections. During a
    /// measurement, draws a round of the measurement instead. `pipelines` must be the same as in [`Live::new`].
    ///
    /// # Errors
    /// A shader does not compile, a resource is missing, or the device reported an error (which names the resource and
    /// its shader). Also an error if lists outgrow the adapter, reported once, after which the layers stay missing.
    pub fn draw(&mut self, gpu: &Gpu, pipelines: &Pipelines, wanted: &Wanted) -> Result<()> {
        self.take_up_clock(gpu)?;
        self.poll(gpu)?;
        if let Some(under_way) = &mut self.under_way {
            // A frame begun without times is finished without them.
            under_way.asked.untimed = wanted.untimed;
            if under_way.asked == *wanted {
                return self.go_on(gpu);
            }
            self.drop_under_way(gpu)?;
        }
        let asked = wanted;
        let is_measuring = self.measuring.is_under_way();
        let inputs = match is_measuring {
            true => self.measuring.inputs(),
            false => wanted.inputs(),
        };
        let mut wanted = self.choose(gpu, wanted);
        if is_measuring && self.shown.scene > 0 {
            // The measured scene must not change.
            wanted.moment = self.shown.frame.input().moment;
            wanted
                .emitters
                .clone_from(&self.shown.frame.input().emitters);
        }
        // An unchanged frame can also supply values of other pixels.
        self.looking.want_values(wanted.region.take());
        let wanted = &wanted;
        let next = self.next(wanted, inputs);
        if matches!(next, Next::Nothing | Next::Times) {
            self.looking.read_values(gpu, &self.shown, wanted.methods);
        }
        let recorded = match next {
            Next::Nothing => return Ok(()),
            Next::Round => {
                let scratch = self.scratch.as_ref();
                self.measuring
                    .record(gpu, pipelines, &mut self.shown, scratch)
            }
            Next::Times => self.record_times(gpu, wanted),
            Next::Frame => {
                self.shown.frame.prepare(gpu, pipelines, inputs)?;
                self.prepare(gpu, pipelines, wanted)?;
                self.record(gpu, wanted, inputs).map(Some)
            }
        };
        match recorded {
            Ok(None) => Ok(()),
            Ok(Some(recorded)) if next == Next::Round => self.measuring.submit(gpu, recorded),
            Ok(Some(recorded)) if next == Next::Times => self.profiler.submit(gpu, recorded),
            Ok(Some(recorded)) if wanted.in_pieces => {
                self.under_way = Some(UnderWay {
                    pieces: Pieces::of(recorded),
                    asked: asked.clone(),
                    wanted: wanted.clone(),
                    inputs,
                });
                self.go_on(gpu)
            }
            Ok(Some(recorded)) => {
                let submitted = self.profiler_of(wanted).submit(gpu, recorded);
                self.note_submitted();
                submitted?;
                self.note_drawn(wanted, inputs);
                Ok(())
            }
            Err(error) => {
                self.shown.forget_drawn();
                // Timers of passes that are never submitted would never finish.
                self.profiler = passes_timer(gpu, self.clock.as_ref())?;
                self.measuring.forget_recorded(gpu)?;
                Err(error)
            }
        }
    }

    /// Draws a frame and waits for it. Draws again while layers are missing, because the first frame only counts the
    /// lists.
    pub fn draw_whole(&mut self, gpu: &Gpu, pipelines: &Pipelines, wanted: &Wanted) -> Result<()> {
        for _ in 0..MOST_DRAWN {
            self.draw(gpu, pipelines, wanted)?;
            gpu.wait()?;
            self.poll(gpu)?;
            if self.shown.is_complete(wanted.inputs()) {
                break;
            }
        }
        Ok(())
    }

    /// True if the last picture is the requested one. Its times and readings may still be missing.
    pub fn has_picture(&self, wanted: &Wanted) -> bool {
        let drawn = self.shown.drawn.as_ref().map(|drawn| &drawn.wanted);
        let alike = drawn.map(|drawn| Wanted {
            region: None,
            in_pieces: drawn.in_pieces,
            untimed: drawn.untimed,
            ..wanted.clone()
        });
        alike.is_some_and(|alike| self.shown.shows(&alike, wanted.inputs()))
    }

    pub fn is_under_way(&self) -> bool {
        self.under_way.is_some()
    }

    pub fn drawn(&self) -> u64 {
        self.shown.scene - self.dropped - u64::from(self.is_under_way())
    }

    fn profiler_of(&mut self, wanted: &Wanted) -> &mut Profiler {
        match wanted.untimed {
            true => &mut self.untimed,
            false => &mut self.profiler,
        }
    }

    fn drop_under_way(&mut self, gpu: &Gpu) -> Result<()> {
        self.under_way = None;
        self.dropped += 1;
        self.shown.forget_drawn();
        // The passes of that frame never end.
        self.profiler = passes_timer(gpu, self.clock.as_ref())?;
        self.untimed = Profiler::untimed(gpu)?;
        Ok(())
    }

    fn go_on(&mut self, gpu: &Gpu) -> Result<()> {
        let Some(mut of) = self.under_way.take() else {
            return Ok(());
        };
        if let Err(error) = of.pieces.go_on(gpu, PIECES_WITHIN) {
            self.drop_under_way(gpu)?;
            return Err(error);
        }
        if of.pieces.is_done() {
            self.profiler_of(&of.wanted).end_pieces(of.pieces)?;
            self.note_submitted();
            self.note_drawn(&of.wanted, of.inputs);
        } else {
            self.under_way = Some(of);
        }
        Ok(())
    }

    fn note_submitted(&mut self) {
        self.shown.readbacks.submitted();
        self.looking.readbacks.submitted();
    }

    fn note_drawn(&mut self, wanted: &Wanted, inputs: Inputs) {
        self.shown.note_drawn(wanted, inputs);
        self.measuring.note_frame();
    }

    fn next(&mut self, wanted: &Wanted, inputs: Inputs) -> Next {
        let is_timed = self.clock.is_some();
        let interval = match wanted.once || self.measuring.is_under_way() {
            true => Duration::ZERO,
            false => TIMED_EVERY,
        };
        self.profiler.set_interval(interval);
        if self.measuring.is_under_way() {
            return match self.shown.is_counted(inputs) {
                _ if self.measuring.is_compiling() => Next::Nothing,
                true if self.measuring.wants_frame() => Next::Frame,
                true => Next::Round,
                // The scene's counters have not arrived yet.
                false if !self.shown.readbacks.is_idle() => Next::Nothing,
                false => Next::Frame,
            };
        }
        if !wanted.once || !self.shown.shows(wanted, inputs) {
            return Next::Frame;
        }
        let is_back = self.shown.readbacks.is_idle() && self.looking.readbacks.is_idle();
        if !is_back || self.profiler.is_pending() {
            return Next::Nothing;
        }
        if !self.shown.is_complete(inputs)
            || self.shown.lacks_frames(wanted)
            || !self.looking.is_complete(wanted)
            || is_timed && self.shown.times.wants_frame()
        {
            return Next::Frame;
        }
        if is_timed && self.shown.wants_times(wanted).is_some() {
            return Next::Times;
        }
        Next::Nothing
    }

    fn take_up_clock(&mut self, gpu: &Gpu) -> Result<()> {
        if self.is_timed
            && self.clock.is_none()
            && let Some(clock) = known_clock(gpu)
        {
            self.profiler = passes_timer(gpu, Some(clock))?;
            self.clock = Some(clock.clone());
            // A frame that is drawn only once must be drawn again for its times.
            self.shown.forget_drawn();
        }
        Ok(())
    }

    /// Receives everything that has arrived, and enlarges buffers that were too small.
    fn poll(&mut self, gpu: &Gpu) -> Result<()> {
        let polled = gpu.device.poll(wgpu::PollType::Poll);
        gpu.check()?;
        polled.map_err(|error| Error::failed(format!("the device: {error}")))?;
        while let Some(spans) = self.profiler.take_spans(gpu) {
            self.shown.times.take(spans);
        }
        self.measuring.take(gpu, &self.shown.times)?;
        if let Some((asked, fastest)) = self.measuring.take_fastest() {
            let facts = self.shown.facts();
            self.choosing.take_measured(asked, fastest, facts);
        }
        self.shown.take_readings()?;
        self.looking.take_readings()?;
        self.shown.grow(gpu)
    }

    /// The request as drawn: without a probe outside the frame, and with every `auto` replaced.
    fn choose(&mut self, gpu: &Gpu, wanted: &Wanted) -> Wanted {
        let mut wanted = wanted.clone();
        let [width, height] = self.shown.frame.shape().size;
        let is_in_frame = |[x, y]: [u32; 2]| x < width && y < height;
        wanted.probe = wanted.probe.filter(|probe| is_in_frame(probe.pixel));
        let (facts, counted) = (self.shown.facts(), self.shown.has_counters());
        self.choosing.resolve(&gpu.caps, wanted, &facts, counted)
    }

    fn prepare(&mut self, gpu: &Gpu, pipelines: &Pipelines, wanted: &Wanted) -> Result<()> {
        self.shown.prepare(gpu, wanted)?;
        self.looking.prepare(gpu, pipelines, wanted, &self.shown)?;
        let composites = &mut self.shown.composites;
        for of in wanted.composites() {
            composites.make(gpu, pipelines, of)?;
        }
        if wanted.has_hidden() {
            self.make_scratch(gpu);
        }
        Ok(())
    }

    fn make_scratch(&mut self, gpu: &Gpu) {
        let size = self.shown.frame.shape().size;
        self.scratch.get_or_insert_with(|| Target::new(gpu, size));
    }

    pub fn choice(&self) -> Option<&Choice> {
        self.choosing.choice()
    }

    /// Starts measuring `methods` (each at most once) on the scene of the next frame. The scene is then not drawn
    /// again, and the picture on screen stays.
    ///
    /// # Errors
    /// The adapter's clock has not been tested yet.
    pub fn start_measuring(
        &mut self,
        gpu: &Gpu,
        pipelines: &Pipelines,
        methods: Vec<Specialization>,
    ) -> Result<()> {
        let Some(clock) = &self.clock else {
            return Err(Error::usage(
                "the adapter's clock is still being tested; measure again in a moment",
            ));
        };
        let of = (&self.shown, &self.choosing);
        self.measuring.start(gpu, pipelines, of, clock, methods)?;
        self.make_scratch(gpu);
        Ok(())
    }

    /// Results so far. After the measurement they are kept until the next start or stop.
    pub fn measurement(&self) -> Option<&Measurement> {
        self.measuring.measurement()
    }

    pub fn is_measuring(&self) -> bool {
        self.measuring.is_under_way()
    }

    pub fn stop_measuring(&mut self) {
        self.measuring.stop();
    }

    /// Labels and sizes in bytes of all buffers and textures of the frame, its targets and its read-backs.
    pub fn memory(&self) -> Vec<(&'static str, u64)> {
        let shown = &self.shown;
        let mut all = shown.frame.memory();
        all.push(("target A", shown.frame.target.bytes()));
        all.push(("target B", shown.other.bytes()));
        if let Some(scratch) = &self.scratch {
            all.push(("target of hidden methods", scratch.bytes()));
        }
        let drawn = shown.composites.bytes();
        if drawn > 0 {
            all.push(("targets of drawn methods", drawn));
        }
        all.extend(self.looking.memory());
        let errors = self.measuring.bytes_of_errors();
        if errors > 0 {
            all.push(("errors of methods", errors));
        }
        let read_back =
            self.measuring.bytes() + shown.readbacks.bytes() + self.looking.readbacks.bytes();
        all.push(("read-backs", read_back));
        all
    }
}
