//! A frame that is drawn again and again: two methods side by side, and everything that is read back of it:
//! counters that let buffers grow, times, metrics, a probed pixel, a measurement. It never waits for the GPU, so
//! readings are two or three frames old.

mod choosing;
pub mod debug;
pub mod inspect;
mod measure;
pub mod metrics;
mod probe;
mod readback;
mod record;
mod take;
mod times;
mod trial;

use std::sync::Arc;
use std::time::Duration;

use crate::error::Result;
use crate::gpu::shader::ShaderSource;
use crate::gpu::{Binds, Gpu, Key, Pipelines, Profiler, Recorded, clock, storage_buffer};
use crate::methods::Specialization;
use crate::methods::auto::{Choice, Facts, Rule};
use crate::model::Clock;
use crate::model::layout::Emitter;
use crate::model::methods::TABLE;
use crate::timing::Clocks;

use crate::frame::Frame;
use crate::frame::counters::Counters;
use crate::frame::target::Target;
use crate::frame::{FrameInput, Moment};
use crate::methods::composite::{Composites, compile};
use choosing::Choosing;
use debug::DebugPass;
use inspect::ProbePass;
use measure::Measuring;
use metrics::MetricsPass;
use probe::{MOST_LAYERS, ProbeNote, ProbeTurns};
use readback::Readbacks;

pub use choosing::PATIENCE;
pub use debug::DebugView;
pub use measure::Measurement;
pub use metrics::LiveMetrics;
pub use probe::{LiveProbe, ProbeResult, ProbeWanted};
pub use times::PassTimes;

/// Lists are taken to grow by at most this much before the next counters arrive.
const LIST_MARGIN: f32 = 1.5;

/// The least time between two frames that are timed by the wall clock: their passes are submissions of their own, and
/// together take longer than in one.
const TIMED_EVERY: Duration = Duration::from_secs(1);

/// What a live frame draws.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wanted {
    /// Camera, light and time.
    pub moment: Moment,
    /// Written to the GPU where they differ from what is there; as many as the frame was made with.
    pub emitters: Vec<Emitter>,
    /// Method A into the frame's own target, method B into the other.
    pub methods: [Option<Specialization>; 2],
    /// A method that is not shown, composited only for its time; ignored where it is one of those shown.
    pub further: Option<Specialization>,
    /// What `auto` chooses by.
    pub rule: Arc<Rule>,
    /// Measures A against B; pixels further apart than this are counted. Needs both methods.
    pub metrics: Option<f32>,
    /// What goes into [`Live::debug_values`].
    pub debug: Option<DebugView>,
    /// Which pixel is looked into; ignored outside the frame.
    pub probe: Option<ProbeWanted>,
    /// Whose values come back of both methods; what lies outside the frame is left out.
    pub region: Option<Region>,
    /// Whether the frame is drawn once and then left as it is, until something else is wanted; otherwise it is drawn
    /// again and again, which keeps its times current.
    pub once: bool,
    /// Whether passes are drawn also where nothing that they are made of has changed: for a recording that is to show
    /// all of them.
    pub draws_all: bool,
}

/// A rectangle of pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Region {
    /// The top left pixel.
    pub origin: [u32; 2],
    /// Width and height, at most [`MOST_REGION`].
    pub size: [u32; 2],
}

/// The longest edge of a region whose values come back, pixels.
pub const MOST_REGION: u32 = 48;

impl Region {
    /// The part of it that is inside a frame of `size` pixels and no larger than [`MOST_REGION`].
    fn inside(self, size: [u32; 2]) -> Option<Self> {
        let part = |axis: usize| {
            let left = size[axis].saturating_sub(self.origin[axis]);
            self.size[axis].min(left).min(MOST_REGION)
        };
        let size = [part(0), part(1)];
        (size[0] > 0 && size[1] > 0).then_some(Self { size, ..self })
    }
}

/// The composites of A and B at some pixels.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values {
    /// Which pixels.
    pub region: Region,
    /// r, g, b and T per pixel of the region, row by row, of A and of B; nothing where the method was not drawn.
    pub of: [Vec<[f32; 4]>; 2],
}

impl Values {
    /// The value of A (0) or B (1) at a pixel.
    pub fn at(&self, side: usize, pixel: [u32; 2]) -> Option<[f32; 4]> {
        let [x, y] = [0, 1].map(|axis| pixel[axis].checked_sub(self.region.origin[axis]));
        let (x, y) = (x?, y?);
        let inside = x < self.region.size[0] && y < self.region.size[1];
        let index = (y * self.region.size[0] + x) as usize;
        self.of.get(side)?.get(index).copied().filter(|_| inside)
    }
}

impl Wanted {
    /// The early-out threshold, which is one for all methods; 0 where no method is shown.
    fn early_out(&self) -> f32 {
        let mut shown = self.methods.iter().flatten();
        shown.next().map_or(0.0, |of| of.options.frame.early_out)
    }
}

/// A frame on screen.
pub struct Live {
    /// The frame; its own target shows method A.
    pub frame: Frame,
    /// Where method B goes.
    pub other: Target,
    /// What the newest counters said.
    pub counters: Counters,
    /// GPU times per pass, in frame order.
    pub times: Vec<PassTimes>,
    /// Wave sizes that A and B ran at; absent where the kernel could not tell.
    pub wave_sizes: [Option<u32>; 2],
    /// How far A is from B; stays until there is a newer result or metrics are no longer wanted.
    pub metrics: Option<LiveMetrics>,
    /// The methods that `metrics` are of, as they were asked for.
    pub metrics_of: [Option<Specialization>; 2],
    /// Grows by one with every new result in `metrics`.
    pub metrics_frame: u64,
    /// The pixel looked into, until none is wanted.
    pub probe: Option<LiveProbe>,
    /// Values of pixels, until none are wanted.
    pub values: Option<Values>,
    /// One f32 per pixel, row-major, as the debug view wanted last says.
    pub debug_values: wgpu::Buffer,
    pictures: Binds,
    /// What `times` and measurements are read from.
    pub clock: Clock,
    profiler: Profiler,
    /// Times the rounds of measurements.
    round_profiler: Profiler,
    /// Made for the first measurement: most frames are never measured.
    clocks: Option<Clocks>,
    readbacks: Readbacks<Note>,
    composites: Composites,
    metrics_pass: Option<MetricsPass>,
    debug_pass: Option<DebugPass>,
    debug: Option<DebugView>,
    probe_pass: Option<ProbePass>,
    probe_turns: ProbeTurns,
    /// For composites that are not shown: those of probes, measurements, trials of `auto` and the further method.
    scratch: Option<Target>,
    metrics_wanted: bool,
    probe_wanted: bool,
    measuring: Option<Measuring>,
    round_composites: Composites,
    round_sizes: wgpu::Buffer,
    round_readbacks: Readbacks<()>,
    choosing: Choosing,
    /// What the frame composites for a trial of `auto`, with the keys of the times.
    tried: Vec<(Key, Specialization)>,
    /// The methods shown, as they were asked for.
    shown: [Option<Specialization>; 2],
    /// Number of the scene last drawn, or that is to be drawn where it is gone.
    scene: u64,
    /// Number of the scene that `counters` are of.
    counted: u64,
    /// Most entries that buffers were to grow to, so that a failure is reported once.
    asked_entries: u32,
    /// Frames whose times have come back.
    timed_frames: u64,
    /// What was submitted last, if it is still to be seen.
    drawn: Option<Drawn>,
}

/// A frame that was submitted.
struct Drawn {
    wanted: Wanted,
    shaders: Arc<ShaderSource>,
    /// The timed frames before the first of those in which the same was wanted.
    timed_before: u64,
}

/// Times the passes of live frames.
fn passes_timer(gpu: &Gpu) -> Result<Profiler> {
    Profiler::timed_every(gpu, TIMED_EVERY)
}

/// What `slot` holds, made now if it is the first time that it is wanted.
fn made<T>(slot: &mut Option<T>, make: impl FnOnce() -> Result<T>) -> Result<&mut T> {
    Ok(match slot {
        Some(made) => made,
        None => slot.insert(make()?),
    })
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

/// What a frame's read-back is of.
struct Note {
    scene: u64,
    methods: [Option<Specialization>; 2],
    /// As they were asked for: `auto` is among `methods` as what it ran.
    asked: [Option<Specialization>; 2],
    has_metrics: bool,
    probe: Option<ProbeNote>,
    region: Option<Region>,
}

impl Drawn {
    fn shows(&self, wanted: &Wanted, shaders: &Arc<ShaderSource>) -> bool {
        self.wanted == *wanted && Arc::ptr_eq(&self.shaders, shaders)
    }
}

impl Live {
    /// Allocates the frame and all that goes with showing it.
    pub fn new(gpu: &Gpu, pipelines: &Pipelines, input: FrameInput) -> Result<Self> {
        let size = input.shape.size;
        let frame = Frame::new(gpu, pipelines, input)?;
        let other = Target::new(gpu, size);
        let pixels = u64::from(size[0]) * u64::from(size[1]);
        let debug_values = storage_buffer(gpu, "debug values", 4 * pixels);
        Ok(Self {
            pictures: pictures([&frame.target, &other], &debug_values),
            counters: Counters::default(),
            times: Vec::new(),
            wave_sizes: [None; 2],
            metrics: None,
            metrics_of: [None; 2],
            metrics_frame: 0,
            probe: None,
            values: None,
            clock: clock(gpu)?.clone(),
            profiler: passes_timer(gpu)?,
            round_profiler: Profiler::timed(gpu)?,
            clocks: None,
            readbacks: Readbacks::new("frame read-back"),
            composites: Composites::default(),
            metrics_pass: None,
            debug_values,
            debug_pass: None,
            debug: None,
            probe_pass: None,
            probe_turns: ProbeTurns::default(),
            scratch: None,
            metrics_wanted: false,
            probe_wanted: false,
            measuring: None,
            round_composites: Composites::default(),
            round_sizes: storage_buffer(gpu, "wave sizes", 4 * TABLE.len() as u64),
            round_readbacks: Readbacks::new("round read-back"),
            choosing: Choosing::default(),
            tried: Vec::new(),
            shown: [None; 2],
            scene: 0,
            counted: 0,
            asked_entries: 0,
            timed_frames: 0,
            drawn: None,
            frame,
            other,
        })
    }

    /// Like [`Live::new`], with `methods` compiled as the first frame needs them.
    ///
    /// # Errors
    /// Same as [`Live::new`], or one of the methods does not compile.
    pub fn compiled(
        gpu: &Gpu,
        pipelines: &Pipelines,
        input: FrameInput,
        methods: &[Specialization],
    ) -> Result<Self> {
        let live = Self::new(gpu, pipelines, input)?;
        for asked in methods {
            let chosen = live.choosing.current(&gpu.caps, *asked, &live.facts());
            compile(gpu, pipelines, chosen, live.frame.shape().layers())?;
        }
        Ok(live)
    }

    /// The results of A and B and the debug view's values, as `inspect/present.wesl` names them.
    pub fn pictures(&self) -> &Binds {
        &self.pictures
    }

    /// Draws and submits a frame: the scene, each of the methods into its target, and what else is
    /// wanted of them. While a measurement is under way it draws one of its rounds instead.
    ///
    /// # Errors
    /// A shader does not compile, a resource is missing, or the device reported an error, which names
    /// the resource and the shader it was bound for; lists outgrow the adapter (once:
    /// their layers stay missing).
    pub fn draw(&mut self, gpu: &Gpu, pipelines: &Pipelines, wanted: &Wanted) -> Result<()> {
        self.poll(gpu)?;
        let wanted = &self.choose(gpu, wanted);
        let shaders = pipelines.source();
        if wanted.once && (self.has_all_of(wanted, &shaders) || self.awaits(wanted, &shaders)) {
            return Ok(());
        }
        let is_round = self.is_measuring() && self.scene_is_counted();
        let recorded = if is_round {
            self.round(gpu, pipelines)
        } else if self.is_measuring() && !self.readbacks.is_idle() {
            // The scene's counters are on their way.
            return Ok(());
        } else {
            self.prepare(gpu, pipelines, wanted)?;
            self.record(gpu, wanted).map(Some)
        };
        match recorded {
            Ok(None) => Ok(()),
            Ok(Some(recorded)) => {
                self.submit(gpu, recorded, is_round)?;
                if !is_round {
                    self.note_drawn(wanted, shaders);
                }
                Ok(())
            }
            Err(error) => {
                self.drawn = None;
                self.frame.draw_all_next();
                // Timers of passes that are never submitted would be waited for.
                self.profiler = passes_timer(gpu)?;
                self.round_profiler = Profiler::timed(gpu)?;
                Err(error)
            }
        }
    }

    /// Notes what was submitted.
    fn note_drawn(&mut self, wanted: &Wanted, shaders: Arc<ShaderSource>) {
        let before = self.drawn.take();
        let same = before.filter(|drawn| drawn.shows(wanted, &shaders));
        self.drawn = Some(Drawn {
            wanted: wanted.clone(),
            shaders,
            timed_before: same.map_or(self.timed_frames, |same| same.timed_before),
        });
    }

    /// Whether the frame that was drawn last is the one wanted, and all its readings are back.
    fn has_all_of(&self, wanted: &Wanted, shaders: &Arc<ShaderSource>) -> bool {
        let Some(drawn) = &self.drawn else {
            return false;
        };
        let probed = |asked: &ProbeWanted| {
            let reading = self.probe.as_ref();
            reading.is_some_and(|reading| reading.results.len() >= asked.methods.len())
        };
        !self.is_measuring()
            && drawn.shows(wanted, shaders)
            && self.readbacks.is_idle()
            && self.scene_is_counted()
            && self.missing_layers() == 0
            && self.timed_frames > drawn.timed_before
            && self.probe_in_frame(wanted).is_none_or(probed)
    }

    /// Whether the frame wanted was drawn and is on its way: another one would come no sooner.
    fn awaits(&self, wanted: &Wanted, shaders: &Arc<ShaderSource>) -> bool {
        let drawn = self.drawn.as_ref();
        !self.is_measuring()
            && drawn.is_some_and(|drawn| drawn.shows(wanted, shaders))
            && (!self.readbacks.is_idle() || self.profiler.is_pending())
    }

    /// The request, with every `auto` replaced by the rule's choice.
    fn choose(&mut self, gpu: &Gpu, wanted: &Wanted) -> Wanted {
        self.choosing.begin_frame(&wanted.rule);
        self.shown = wanted.methods;
        let (facts, counted) = (self.facts(), self.counted > 0);
        let mut choose = |asked| {
            let choosing = &mut self.choosing;
            choosing.specialization(&gpu.caps, asked, &facts, counted)
        };
        let mut wanted = wanted.clone();
        wanted.methods = wanted.methods.map(|asked| asked.map(&mut choose));
        let shown = wanted.methods.map(|shown| shown.map(|of| of.method));
        let further = wanted.further.map(&mut choose);
        wanted.further = further.filter(|further| !shown.contains(&Some(further.method)));
        if let Some(probe) = &mut wanted.probe {
            probe.methods = probe.methods.iter().copied().map(choose).collect();
        }
        wanted
    }

    /// What `auto` goes by; of the lists only their slices before the first counters are back.
    fn facts(&self) -> Facts {
        let facts = self.frame.facts(&self.counters);
        Facts {
            longest: facts.longest.max(self.frame.shape().slices),
            ..facts
        }
    }

    /// What `auto` chose for the methods shown, if it is one of them.
    pub fn choice(&self) -> Option<&Choice> {
        let mut shown = self.shown.iter().flatten();
        shown.find_map(|asked| self.choosing.choice(*asked))
    }

    /// Submits the commands of a frame or of a round and starts their read-backs.
    fn submit(&mut self, gpu: &Gpu, recorded: Recorded, is_round: bool) -> Result<()> {
        let profiler = if is_round {
            &mut self.round_profiler
        } else {
            &mut self.profiler
        };
        let submitted = profiler.submit(gpu, recorded);
        self.readbacks.submitted();
        self.round_readbacks.submitted();
        submitted
    }

    /// Makes and writes what the frame needs.
    fn prepare(&mut self, gpu: &Gpu, pipelines: &Pipelines, wanted: &Wanted) -> Result<()> {
        self.frame.fit_macro_tiles(gpu, &self.counters);
        self.frame.set_moment(gpu, wanted.moment);
        self.frame.set_emitters(gpu, &wanted.emitters)?;
        self.fit_lists();
        let longest = self.composites.extent().longest_list;
        self.debug = wanted.debug;
        if wanted.debug.is_some() {
            let (values, shape) = (&self.debug_values, self.frame.shape());
            let make = || DebugPass::new(gpu, pipelines, values, shape);
            let pass = made(&mut self.debug_pass, make)?;
            pass.cover(gpu, longest, wanted.early_out());
        }
        if wanted.region.is_none() {
            self.values = None;
        }
        self.metrics_wanted = wanted.metrics.is_some();
        if self.metrics_wanted {
            let size = self.frame.shape().size;
            let pictures = [&self.frame.target.composites, &self.other.composites];
            let make = || MetricsPass::new(gpu, pipelines, size, pictures);
            made(&mut self.metrics_pass, make)?;
        } else {
            self.metrics = None;
        }
        let probe = self.probe_in_frame(wanted);
        self.probe_wanted = probe.is_some();
        let probed = probe.iter().flat_map(|probe| &probe.methods);
        let shown = wanted.methods.iter().flatten();
        for &specialization in shown.chain(probed).chain(&wanted.further) {
            self.composites.make(gpu, pipelines, specialization)?;
        }
        self.prepare_trial(gpu, pipelines, wanted);
        if wanted.further.is_some() || !self.tried.is_empty() {
            self.make_scratch(gpu);
        }
        if probe.is_none() {
            self.probe = None;
            return Ok(());
        }
        let capacity = longest.min(MOST_LAYERS);
        if self.probe_pass.as_ref().map(|pass| pass.capacity) != Some(capacity) {
            let shape = self.frame.shape();
            self.probe_pass = Some(ProbePass::new(gpu, pipelines, shape, capacity)?);
        }
        self.make_scratch(gpu);
        Ok(())
    }

    /// Prepares a trial of `auto`: one candidate per frame, because compiling takes long; later frames
    /// composite all of them. Frames that are drawn once (a trial takes several) or recorded try nothing.
    fn prepare_trial(&mut self, gpu: &Gpu, pipelines: &Pipelines, wanted: &Wanted) {
        self.tried.clear();
        if wanted.once || wanted.draws_all {
            return;
        }
        let tried = self.choosing.tried();
        let mut missing = tried.iter().filter(|(_, of)| !self.composites.has(*of));
        match missing.next() {
            None => self.tried = tried,
            Some((_, of)) => {
                if self.composites.make(gpu, pipelines, *of).is_err() {
                    self.choosing.end_trial();
                }
            }
        }
    }

    /// Makes sure that methods cover the lists.
    fn fit_lists(&mut self) {
        let longest = self.counters.longest_list.max(self.frame.shape().slices);
        let before = self.composites.extent();
        let fitting = |now: u32, before_now: u32| {
            if before.tiles > 0 && now <= before_now {
                before_now
            } else {
                (now as f32 * LIST_MARGIN) as u32 + 64
            }
        };
        let longest = fitting(longest, before.longest_list);
        let listed = fitting(self.counters.listed_layers, before.listed_layers);
        self.composites.fit(self.frame.extent(longest, listed));
    }

    fn make_scratch(&mut self, gpu: &Gpu) {
        let size = self.frame.shape().size;
        self.scratch.get_or_insert_with(|| Target::new(gpu, size));
    }

    fn probe_in_frame<'a>(&self, wanted: &'a Wanted) -> Option<&'a ProbeWanted> {
        let [width, height] = self.frame.shape().size;
        let is_in_frame = |[x, y]: [u32; 2]| x < width && y < height;
        let probe = wanted.probe.as_ref();
        probe.filter(|probe| is_in_frame(probe.pixel))
    }

    /// The values of [`Live::debug_values`] at the ends of the colour scale.
    pub fn debug_range(&self) -> [f32; 2] {
        let wave = self.wave_sizes[0].unwrap_or(1);
        self.debug.map_or([0.0, 1.0], |view| {
            view.range(self.frame.shape(), &self.counters, wave)
        })
    }

    /// Layers missing from the picture on screen: tile entries without room, or list ends beyond
    /// what the composite covers. 0 within a few frames.
    pub fn missing_layers(&self) -> u32 {
        let covered = self.composites.covered_layers();
        let beyond = self.counters.longest_list.saturating_sub(covered);
        self.counters.dropped() + beyond
    }

    /// Starts to measure `methods` (each at most once) on the scene as it is drawn next, instead of
    /// drawing it again; the picture on screen stays.
    pub fn start_measuring(
        &mut self,
        gpu: &Gpu,
        pipelines: &Pipelines,
        methods: Vec<Specialization>,
    ) -> Result<()> {
        for asked in &methods {
            let specialization = self.choosing.current(&gpu.caps, *asked, &self.facts());
            compile(gpu, pipelines, specialization, self.frame.shape().layers())?;
        }
        self.make_scratch(gpu);
        if self.clocks.is_none() {
            self.clocks = Some(Clocks::new(gpu)?);
        }
        let clock = self.clock.clone();
        self.measuring = Some(Measuring::new(&gpu.caps, clock, methods));
        Ok(())
    }

    /// What has been measured so far; stays when finished, until the next start or stop.
    pub fn measurement(&self) -> Option<&Measurement> {
        self.measuring.as_ref().map(|state| &state.measurement)
    }

    /// Ends measuring and forgets its results.
    pub fn stop_measuring(&mut self) {
        self.measuring = None;
    }

    fn is_measuring(&self) -> bool {
        self.measurement()
            .is_some_and(|measurement| !measurement.finished)
    }

    /// Whether the scene last drawn is still there, and its counters are back.
    fn scene_is_counted(&self) -> bool {
        self.scene > 0 && self.scene == self.counted
    }

    /// Label and bytes of every buffer and texture of the frame, its targets and its read-backs.
    pub fn memory(&self) -> Vec<(&'static str, u64)> {
        let mut all = self.frame.resources.memory();
        all.push(("target A", self.frame.target.bytes()));
        all.push(("target B", self.other.bytes()));
        if let Some(scratch) = &self.scratch {
            all.push(("target of what is not shown", scratch.bytes()));
        }
        let drawn = self.composites.bytes() + self.round_composites.bytes();
        if drawn > 0 {
            all.push(("targets of drawn methods", drawn));
        }
        all.push(("debug values", self.debug_values.size()));
        if let Some(metrics) = &self.metrics_pass {
            all.push(("metrics", metrics.parts.size()));
        }
        if let Some(probe) = &self.probe_pass {
            all.push(("probed layers", probe.probed.size()));
        }
        let read_back = self.readbacks.bytes() + self.round_readbacks.bytes();
        all.push(("read-backs", read_back));
        all
    }
}
