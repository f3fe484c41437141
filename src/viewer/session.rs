//! The device, its pipelines, and the live frame with its read-backs.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use web_time::{Duration, Instant};

use crate::error::{Error, Result};
use crate::gpu::shader::ShaderSource;
use crate::gpu::{AdapterRequest, Gpu, Pipelines};
use crate::live::{Live, LiveMetrics, ProbeWanted, Wanted};
use crate::model::layout::{ENLARGED, PresentUniform};
use crate::model::methods::Method;
use crate::model::scene::Scene;
use crate::model::settings::Settings;

use super::camera::LastCameras;
use super::comparison::ComparedPair;
use super::images::Image;
use super::messages::Severity;
use super::moving::{Moving, Sides};
use super::painter::{Painter, ShownImage, ShownPictures};
use super::placement::Room;
use super::readings::Readings;
use super::reload::Reloading;
use super::staging::{Change, Changed, Stage, Staged, wanted_of};
use super::state::State;
use super::times::same_work;
use super::view::{ONLY_A, ONLY_B, RAMP, View};

const METRICS_HISTORY: usize = 240;
/// Number of device losses after which no other device is opened.
const MOST_LOSSES: u32 = 3;

pub(super) struct Session {
    pub adapter: AdapterRequest,
    pub gpu: Gpu,
    shaders: Reloading,
    pub live: Live,
    made: Stage,
    /// Number of frames drawn before `live`.
    drawn_before: u64,
    /// Settings of the last frame drawn. The frame in `live` has the same sizes and counts.
    pub drawn: Settings,
    /// Settings at the start of the last measurement.
    measured: Settings,
    /// Changes whenever anything other than the scene's time changes.
    work: u64,
    scene: Scene,
    pub staged: Option<Staged>,
    pub changed: Option<Changed>,
    pub moving: Moving,
    cameras: LastCameras,
    metrics: MetricsHistory,
    /// Number of device losses, and of failures to open a device afterwards.
    losses: u32,
}

#[derive(Default)]
struct MetricsHistory {
    values: VecDeque<[f64; 2]>,
    /// Number of the latest result in `values`.
    newest: u64,
}

impl MetricsHistory {
    fn follow<'a>(&mut self, live: &'a Live) -> Option<&'a LiveMetrics> {
        let is_new = live.looking.metrics_frame != self.newest;
        let found = live.looking.metrics.as_ref().filter(|_| is_new)?;
        self.newest = live.looking.metrics_frame;
        self.values.push_back([found.shown_max, found.shown_rmse]);
        if self.values.len() > METRICS_HISTORY {
            self.values.pop_front();
        }
        Some(found)
    }
}

impl Session {
    /// Creates the frame for `state`, and starts watching the shader folder.
    pub fn new(
        adapter: AdapterRequest,
        gpu: Gpu,
        shaders: Reloading,
        state: &mut State,
    ) -> Result<Self> {
        let stage = Stage::of(&gpu, &shaders.pipelines, &state.subject);
        let Staged { live, stage } = stage.make(&state.subject.scene, |_| ())?;
        let mut session = Self {
            adapter,
            live,
            made: stage,
            drawn_before: 0,
            drawn: state.subject.settings.clone(),
            measured: state.subject.settings.clone(),
            work: 0,
            scene: state.subject.scene.clone(),
            staged: None,
            changed: None,
            moving: Moving::default(),
            cameras: LastCameras::default(),
            metrics: MetricsHistory::default(),
            losses: 0,
            gpu,
            shaders,
        };
        session.shaders.watch(state);
        Ok(session)
    }

    pub fn is_measuring(&self) -> bool {
        self.live.is_measuring()
    }

    /// Adapter, shaders and their folder, for drawing the current view on another device.
    pub fn for_pictures(&self) -> (AdapterRequest, ShaderSource, Option<PathBuf>) {
        let folder = self.shaders.shaders.folder.clone();
        (self.adapter.clone(), self.shaders.shown(), folder)
    }

    pub fn readings(&self) -> Readings<'_> {
        Readings {
            clock: self.live.clock.as_ref(),
            times: &self.live.shown.times.passes,
            unchanged: self.live.shown.frame.unchanged_passes(),
            counters: self.live.shown.counters,
            missing_layers: self.live.shown.missing_layers(),
            size: self.drawn.size,
            tiles: self.live.shown.frame.tiles(),
            counts: self.live.shown.frame.shape().counts,
            wave_sizes: self.live.shown.wave_sizes,
            overflowed: self.live.shown.overflowed,
            metrics: self.live.looking.metrics.as_ref(),
            metrics_history: self.metrics.values.clone(),
            probe: self.live.looking.probe.as_ref(),
            values: self.live.looking.values.as_ref(),
            measurement: self.live.measurement(),
            is_timing: self.live.shown.is_timing(),
            memory: self.live.memory(),
            debug_range: self.live.looking.debug_range(&self.live.shown),
            choice: self.live.choice(),
            shaders: Some(&self.shaders.status),
            moving: self.moving.shown().map(|(_, size)| size),
            ..Readings::default()
        }
    }

    pub fn notes_a_loss(&mut self, state: &mut State) -> Result<bool> {
        if !self.gpu.is_lost() {
            return Ok(false);
        }
        self.losses += 1;
        if self.losses >= MOST_LOSSES {
            return Err(Error::failed(format!(
                "the device was lost {MOST_LOSSES} times, so the window closes; restart with a \
                smaller --size or fewer --particles, or try another driver"
            )));
        }
        let cut_off = if self.is_measuring() {
            "; the measurement is aborted"
        } else {
            ""
        };
        let line = format!("the device was lost; reopening it{cut_off}");
        state.messages.announce(Severity::Warning, line);
        Ok(true)
    }

    /// Switches to another device and recreates everything there. Returns a painter for targets of this format.
    ///
    /// # Errors
    /// The scene does not fit on the other device, or a shader does not compile. Nothing is changed in that case.
    pub fn change_device(
        &mut self,
        gpu: Gpu,
        format: wgpu::TextureFormat,
        state: &mut State,
    ) -> Result<Painter> {
        let pipelines = Arc::new(Pipelines::new(self.shaders.shown()));
        let stage = Stage::of(&gpu, &pipelines, &state.subject);
        let made = stage.make(&state.subject.scene, |_| ())?;
        let painter = Painter::new(&gpu, &pipelines, format)?;
        self.gpu = gpu;
        self.show(made);
        self.drawn = state.subject.settings.clone();
        self.scene = state.subject.scene.clone();
        self.changed = None;
        self.shaders.change_device(pipelines, state);
        Ok(painter)
    }

    fn show(&mut self, made: Staged) {
        // The version of the pictures must keep growing.
        self.drawn_before += self.live.drawn() + 1;
        (self.live, self.made) = (made.live, made.stage);
        self.metrics = MetricsHistory::default();
    }

    /// The next change of shaders, if any, and the frame to try it with. `None` during a measurement.
    pub fn next_change(&mut self, state: &State) -> Result<Option<(Change, Wanted)>> {
        if self.is_measuring() || !self.made.fits(&self.stage(state)) {
            return Ok(None);
        }
        let Some(change) = self.shaders.change() else {
            return Ok(None);
        };
        let wanted = Wanted {
            // Only the picture is needed.
            untimed: true,
            ..self.wanted(state)?
        };
        Ok(Some((change, wanted)))
    }

    /// Switches to changed shaders, unless methods are being measured.
    pub fn take_up_shaders(&mut self, painter: &mut Painter, state: &mut State) {
        let is_usable = |changed: &Changed| !changed.gpu.is_lost();
        let may = !self.is_measuring();
        let changed = self.changed.take_if(|_| may).filter(is_usable);
        if let Some(changed) = changed
            && self.shaders.take_up(&changed, state)
        {
            match changed.first {
                Ok(Some((staged, images))) => {
                    painter.change(images);
                    self.staged = Some(staged);
                }
                // No pipeline of the current frame changed.
                _ => self.made.pipelines = changed.edited.pipelines,
            }
        }
        self.shaders.report(state);
    }

    /// Draws the frame of `state`, or only the method `recorded` for RenderDoc. A moving picture
    /// is drawn at a smaller size if `may_be_smaller`. If a frame `waits`, it is not redrawn only to be timed.
    pub fn draw(
        &mut self,
        state: &mut State,
        recorded: Option<Method>,
        [may_be_smaller, waits]: [bool; 2],
    ) -> Result<()> {
        let adopts = self.follow_settings(state);
        let mut wanted = self.wanted(state)?;
        let order_age = self.drawn.options.frame.order_age;
        wanted.moment.order_camera = self.cameras.follow(wanted.moment.camera, order_age);
        if (adopts || waits) && recorded.is_none() && self.live.has_picture(&wanted) {
            return Ok(());
        }
        // A GPU needs no moving frames.
        let moves = self.gpu.caps.is_cpu && self.moving.follow(&wanted, Instant::now());
        if moves && may_be_smaller && self.draw_moving(state)? {
            return Ok(());
        }
        // Drawn in pieces, a frame that always changes would never be complete.
        let rests = may_be_smaller && state.machine.eases && !moves;
        let in_pieces = rests && wanted.once && self.live.drawn() > 0;
        let wanted = match recorded {
            None => Wanted {
                in_pieces,
                untimed: in_pieces && self.moving.was_lately(Instant::now()),
                ..wanted
            },
            Some(method) => Wanted {
                moment: wanted.moment,
                emitters: wanted.emitters,
                work: wanted.work,
                methods: [Some(self.drawn.options.specialize(method)), None],
                draws_all: true,
                ..Wanted::default()
            },
        };
        let drawn = self.live.draw(&self.gpu, &self.shaders.pipelines, &wanted);
        // The moving frame replaces the full frame until the full frame is complete.
        if !self.live.is_under_way() {
            self.moving.end();
        }
        drawn
    }

    /// The frame that needs moving frames, and its visible parts. `None` if moving frames are off.
    pub fn wants_moving(&self, state: &State) -> Option<(Stage, Sides)> {
        let is_wanted = self.gpu.caps.is_cpu
            && state.machine.eases
            && !self.is_measuring()
            && !state.times.keeps_measuring
            && !state.machine.is_testing();
        is_wanted.then(|| {
            let sides = self.sides(state);
            let stage = Stage {
                settings: self.drawn.clone(),
                methods: sides.iter().flatten().map(|of| of.0).collect(),
                ..self.made.clone()
            };
            (stage, sides)
        })
    }

    fn sides(&self, state: &State) -> Sides {
        let comparison = &state.comparison;
        let images = comparison.images(&state.panes.picture, self.drawn.size);
        let seen = |side| {
            let of = |image: &Image| Some((image.seen(side)?, image.split));
            images.iter().find_map(of)
        };
        let both = comparison.shown();
        [0, 1].map(|side| {
            let (seen, split) = seen(side)?;
            Some((both[side]?, seen, split))
        })
    }

    fn draw_moving(&mut self, state: &State) -> Result<bool> {
        let Some((stage, sides)) = self.wants_moving(state) else {
            return Ok(false);
        };
        let of = (&state.subject.scene, sides);
        self.moving.draw(&stage, of, Instant::now())
    }

    /// Called after a frame was presented or failed. Keeps or reverts the shaders, and processes readings.
    pub fn end_frame(&mut self, drawn: Result<()>, state: &mut State) {
        match drawn {
            Ok(()) => {}
            // The lost device caused the error, and not the shaders.
            Err(error) if self.gpu.is_lost() => {
                state.messages.say(Severity::Error, error.to_string())
            }
            Err(error) => self.shaders.doubt(&error, state),
        }
        let difference = self.metrics.follow(&self.live);
        if let (Some(metrics), [Some(a), Some(b)]) = (difference, self.live.looking.metrics_of) {
            // Metrics arrive some frames late, so they may belong to other settings.
            if self.live.looking.metrics_work == self.work {
                let times = &mut state.times;
                times.follow_difference([a, b], metrics, &self.drawn);
            }
        }
        self.fit_range(state);
    }

    fn fit_range(&self, state: &mut State) {
        let looking = &self.live.looking;
        let (Some(metrics), [Some(a), Some(b)]) = (&looking.metrics, looking.metrics_of) else {
            return;
        };
        let measured = ComparedPair {
            scene: self.made.scene,
            methods: [a, b],
        };
        // The range is not fitted to the reference, which is shown only while its key is held.
        if !state.comparison.hold_reference && state.compared() == Some(measured) {
            let range = &mut state.comparison.fitted_range;
            range.follow(measured, &metrics.differences);
        }
    }

    pub fn stage(&self, state: &State) -> Stage {
        Stage {
            methods: state.comparison.shown().into_iter().flatten().collect(),
            ..Stage::of(&self.gpu, &self.shaders.pipelines, &state.subject)
        }
    }

    /// Adopts the prepared frame, or creates one, if the scene, sizes, counts or shaders have changed.
    fn follow_settings(&mut self, state: &mut State) -> bool {
        let subject = &mut state.subject;
        subject.settings.options = subject.settings.settled(subject.settings.options);
        let stage = Stage::of(&self.gpu, &self.shaders.pipelines, subject);
        let staged = self.staged.take();
        let adopts = !self.made.fits(&stage);
        if adopts {
            let is_another = stage.scene != self.made.scene;
            let staged = staged.filter(|staged| staged.stage.fits(&stage));
            match staged.map_or_else(|| stage.make(&subject.scene, |_| ()), Ok) {
                Ok(made) => {
                    self.show(made);
                    if is_another {
                        self.cameras = LastCameras::default();
                    }
                    self.scene.clone_from(&subject.scene);
                }
                Err(error) => {
                    // Reverts to a state that can be drawn, so that the failure does not recur in every frame.
                    state.messages.fail(&error);
                    self.shaders.pipelines = Arc::clone(&self.made.pipelines);
                    subject.settings = self.drawn.clone();
                    (subject.scene, subject.number) = (self.scene.clone(), self.made.scene);
                }
            }
        }
        if !same_work(&self.drawn, &subject.settings) {
            self.work += 1;
        }
        self.drawn.clone_from(&subject.settings);
        adopts
    }

    fn wanted(&self, state: &State) -> Result<Wanted> {
        let settings = &state.subject.settings;
        let specialize = |method| settings.options.specialize(method);
        let metrics = state.comparison.chosen.metrics || state.is_to_fit();
        let (scene, methods) = (&state.subject.scene, state.comparison.shown());
        Ok(Wanted {
            work: self.work,
            further: self.further(state).map(specialize),
            metrics: metrics.then(|| 10f32.powf(state.comparison.chosen.threshold_log10)),
            debug: state.comparison.view_shown().debug(),
            region: state.comparison.region_with_values(
                &state.panes.picture,
                self.drawn.size,
                state.probe.hovered,
            ),
            // An unchanged frame is not drawn again, so that a CPU core stays free for the panes.
            once: self.gpu.caps.is_cpu && !state.times.keeps_measuring,
            probe: self.probed_pixel(state).map(|pixel| ProbeWanted {
                pixel,
                methods: compared(state).into_iter().map(specialize).collect(),
            }),
            ..wanted_of(&self.live, scene, settings, methods)?
        })
    }

    /// The hidden method to time next, if one is due: the one with the oldest time.
    fn further(&self, state: &State) -> Option<Method> {
        if !state.times.keeps_measuring {
            return None;
        }
        let now = Instant::now();
        let shown = state.comparison.shown();
        let hidden = compared(state).into_iter();
        let hidden = hidden.filter(|method| !shown.contains(&Some(*method)));
        // A method that has no time for these settings is due first.
        let age_if_due = |method: Method| match state.times.current(method, &self.drawn) {
            None => Some(Duration::MAX),
            Some(time) => time.is_due(now).then(|| time.age(now)),
        };
        let due = hidden.filter_map(|method| Some((age_if_due(method)?, method)));
        due.max_by_key(|(age, _)| *age).map(|(_, method)| method)
    }

    fn probed_pixel(&self, state: &State) -> Option<[u32; 2]> {
        let [x, y] = state.probe.pixel()?;
        let [width, height] = self.drawn.size;
        let last = |edge: u32| edge.saturating_sub(1);
        Some([x.min(last(width)), y.min(last(height))])
    }

    pub fn shown(&self, state: &State, images: &[Image]) -> ShownPictures<'_> {
        let compare = &state.comparison.chosen;
        let differences = state.comparison.difference_range().exponents();
        let ends = |image: &Image| match image.view {
            View::Log => differences.map(|exponent| exponent as f32),
            _ => self.live.looking.debug_range(&self.live.shown),
        };
        let smaller = self.moving.shown();
        let is_smaller = smaller.is_some();
        let (live, size) = smaller.unwrap_or((&self.live, self.drawn.size));
        let along = |axis: usize| size[axis] as f32 / self.drawn.size[axis] as f32;
        let shown = |image: &Image| ShownImage {
            room: image.room,
            cell: image.cell,
            uniform: PresentUniform {
                origin: image.placement.origin,
                scale: [0, 1].map(|axis| image.placement.scale[axis] * along(axis)),
                size,
                mode: if is_smaller {
                    ENLARGED
                } else {
                    image.view.mode()
                },
                split: image.split * size[0] as f32,
                unused: 0,
                amplify: 10f32.powf(compare.amplify_log10),
                low: ends(image)[0],
                high: ends(image)[1],
                ramp: RAMP.map(|[r, g, b]| [r, g, b, 1.0]),
            },
        };
        // No differences are computed for a smaller frame.
        let images = images
            .iter()
            .filter(|of| !is_smaller || of.view == View::Picture);
        ShownPictures {
            images: images.map(shown).collect(),
            pictures: live.pictures(),
            frame: self.frame(),
        }
    }

    /// Numbers of the last full frame and the last moving frame. At least one changes with every new picture.
    pub fn frame(&self) -> [u64; 2] {
        let moving = &self.moving;
        let of_moving = moving.shown().map_or(0, |_| moving.drawn);
        [self.drawn_before + self.live.drawn(), of_moving]
    }

    pub fn pair(&self) -> ShownPictures<'_> {
        let size = self.drawn.size;
        let whole = |column: u32, split: f32| ShownImage {
            room: Room::default(),
            cell: [column, 0],
            uniform: PresentUniform {
                size,
                mode: View::Picture.mode(),
                split: split * size[0] as f32,
                ..PresentUniform::default()
            },
        };
        ShownPictures {
            images: vec![whole(0, ONLY_A), whole(1, ONLY_B)],
            pictures: self.live.pictures(),
            frame: self.frame(),
        }
    }

    pub fn keep_times(&self, state: &mut State) {
        if self.moving.shown().is_some() {
            return;
        }
        let (live, settings) = (&self.live, &self.drawn);
        let measured = live.measurement().map(|of| (of, &self.measured));
        let (times, now) = (&mut state.times, Instant::now());
        times.follow(&live.shown.times.methods, measured, settings, now);
    }

    pub fn start_measuring(&mut self, methods: &[Method]) -> Result<()> {
        self.measured.clone_from(&self.drawn);
        let options = self.drawn.options;
        let specialized = methods.iter().map(|method| options.specialize(*method));
        self.live
            .start_measuring(&self.gpu, &self.shaders.pipelines, specialized.collect())
    }

    pub fn stop_measuring(&mut self) {
        if self.is_measuring() {
            self.live.stop_measuring();
        }
    }
}

fn compared(state: &State) -> Vec<Method> {
    let chosen = &state.comparison.chosen;
    state.machine.compared(&[chosen.a, chosen.b])
}
