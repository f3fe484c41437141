//! What the window shows and the panes change. Knows neither winit nor wgpu.

use std::path::Path;

use clap::ValueEnum;

use crate::error::{Error, Result};
use crate::gpu::shader::provenance::Provenance;
use crate::input::Disk;
use crate::model::methods::Method;
use crate::model::scene::{CameraPreset, Scene, SplatColors, SplatSpec, ToneCurve, Viewpoint};
use crate::model::settings::{Purpose, Request, Settings, defaults_in};
use crate::model::{Capabilities, scene};
use crate::report::range::{DifferenceRange, RangeChoice};
use crate::runs::verify::self_test::MethodStatus;

use super::action::Action;
use super::code::CodePage;
use super::dock::{Dock, Pane};
use super::flip::Flip;
use super::held::{Compared, HeldRange};
use super::kept::{Recent, whole};
use super::loading::{Load, Loaded};
use super::maps::MapPage;
use super::messages::{Messages, Severity};
use super::picking::{Pick, is_record};
use super::placement::{Room, Zoom};
use super::preset;
use super::preset::{Compare, Preset};
use super::times::{Book, Order};
use super::view::{Layout, View};

/// Seconds that blinking shows each method.
const BLINK: f32 = 0.5;

/// How the scene's time goes on. The time itself is one of the settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    /// Whether it runs.
    pub running: bool,
    /// Scene seconds per second.
    pub speed: f32,
}

/// Which pixel is probed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProbeState {
    /// Whether any is.
    pub on: bool,
    /// The pixel that the probe is locked to.
    pub locked: Option<[u32; 2]>,
    /// The pixel under the mouse.
    pub hovered: Option<[u32; 2]>,
}

impl ProbeState {
    /// The probed pixel, if there is one.
    pub fn pixel(&self) -> Option<[u32; 2]> {
        self.locked.or(self.hovered).filter(|_| self.on)
    }

    /// Locks to `pixel`.
    pub fn lock(&mut self, pixel: [u32; 2]) {
        self.on = true;
        self.locked = Some(pixel);
    }

    /// Locks to the pixel under the mouse, or lets go.
    pub fn toggle_lock(&mut self) {
        self.locked = match self.locked {
            Some(_) => None,
            None => self.hovered,
        };
        self.on |= self.locked.is_some();
    }
}

/// The picture pane: its place in the window and what part of the picture it shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PicturePane {
    /// Its place; nothing while another tab is in front of it.
    pub room: Option<Room>,
    /// Physical pixels per point.
    pub pixels_per_point: f32,
    /// The part of the picture that is seen.
    pub zoom: Zoom,
    /// The pixel under the mouse with the values of A and B, where pixels are large.
    pub pointed_at: Option<String>,
}

/// The files of the scene shown, and of the next one.
#[derive(Default)]
pub struct SceneFiles {
    /// The scene that is read next, while this one is shown.
    pub next: Option<Load>,
    /// The scene's splat files as the pane has them; where they differ from what is shown, they are read.
    pub splats: Vec<SplatSpec>,
    /// The splat files that the scene itself names.
    pub own: Vec<SplatSpec>,
    /// Splat files that are added to the list once nothing is being read.
    added: Vec<String>,
    /// The file that the pane "Scene" opens or adds.
    pub typed: String,
    /// The files that were opened last.
    pub recent: Recent,
    /// Whether the scene is shown in outline: what is in its files is still being read.
    pub is_outline: bool,
}

/// The panes: where they are, how they look and what is open over them.
#[derive(Clone, Debug, Default)]
pub struct Panes {
    /// Whether they are there beside the picture.
    pub open: bool,
    /// Which there are, and where.
    pub dock: Dock,
    /// The one with the picture.
    pub picture: PicturePane,
    /// Whether they are bright.
    pub is_light: bool,
    /// How the table of passes is sorted.
    pub passes_by: Order,
    /// Whether the window with all keys is open.
    pub keys_open: bool,
    /// Whether the card with six things to try is open.
    pub card_open: bool,
}

/// Everything that keys and panes change.
pub struct State {
    pub scene: Scene,
    /// Changes whenever the scene does.
    pub scene_number: u64,
    /// The files of scenes.
    pub files: SceneFiles,
    /// All that a capture needs: time, camera, size, counts, options.
    pub settings: Settings,
    /// The values that reset buttons restore: this scene's settings on this adapter.
    pub defaults: Settings,
    /// The scene's clock.
    pub clock: Clock,
    /// Cameras stored by the user.
    pub cameras: Vec<Viewpoint>,
    /// Methods and how they are compared.
    pub compare: Compare,
    /// The range that fits the differences on screen.
    pub fitted_range: HeldRange,
    /// Whether the reference key is held.
    pub hold_reference: bool,
    /// Seconds since blinking last began with A.
    blink_time: f32,
    pub probe: ProbeState,
    /// Whether presenting waits for the display.
    pub vsync: bool,
    /// The times of methods, newest each.
    pub times: Book,
    /// Whether one further method is timed in every frame.
    pub keeps_measuring: bool,
    /// Name or path of the preset that is saved and loaded.
    pub preset_name: String,
    /// What the pane "Map" holds.
    pub map: MapPage,
    /// How different A and B looked when that was asked for last.
    pub flip: Option<Flip>,
    /// What the pane "Code" holds.
    pub code: CodePage,
    /// The shaders shown.
    pub shaders: Provenance,
    /// Every method and whether it can be used here.
    pub statuses: Vec<MethodStatus>,
    /// The adapter.
    pub caps: Capabilities,
    /// What is around the picture.
    pub panes: Panes,
    /// What is said.
    pub messages: Messages,
    /// What keys and panes ask for: done once the next frame is drawn, in order.
    pub asked: Vec<Action>,
}

impl State {
    /// The state that a window opens with.
    pub fn new(
        scene: Scene,
        settings: Settings,
        statuses: Vec<MethodStatus>,
        caps: Capabilities,
    ) -> Result<Self> {
        // A scene without this camera is refused here, so that it is always found later.
        settings.camera_in(&scene)?;
        let own = scene.splats.clone();
        Ok(Self {
            clock: Clock {
                running: true,
                speed: 1.0,
            },
            cameras: Vec::new(),
            compare: Compare::default(),
            fitted_range: HeldRange::default(),
            hold_reference: false,
            blink_time: 0.0,
            probe: ProbeState::default(),
            vsync: true,
            times: Book::default(),
            keeps_measuring: !caps.is_cpu,
            preset_name: "my-preset".to_owned(),
            map: MapPage::default(),
            flip: None,
            code: CodePage::default(),
            shaders: Provenance::default(),
            statuses,
            panes: Panes {
                open: true,
                ..Panes::default()
            },
            messages: Messages::default(),
            asked: Vec::new(),
            defaults: defaults_in(
                &settings.scene,
                scene.clone(),
                &Disk,
                &caps,
                Purpose::Window,
            )?,
            caps,
            scene,
            scene_number: 0,
            files: SceneFiles {
                splats: own.clone(),
                own,
                ..SceneFiles::default()
            },
            settings,
        })
    }

    /// Whether `method` can be used here.
    pub fn is_usable(&self, method: Method) -> bool {
        self.statuses
            .iter()
            .any(|status| status.method == method && status.reason().is_none())
    }

    /// Whether `method` is yet to be tested.
    pub fn is_untested(&self, method: Method) -> bool {
        let mut statuses = self.statuses.iter();
        statuses.any(|status| status.method == method && status.is_untested)
    }

    /// Whether an action has to wait for tests: it is about a method that is untested, or about all.
    pub fn waits_for_tests(&self, action: &Action) -> bool {
        match action {
            Action::PickMethod(method) => self.is_untested(*method),
            Action::NextOther
            | Action::Measure
            | Action::SmallBenchmark
            | Action::ComparisonSet
            | Action::Use(Pick::SaveSet, _) => {
                self.statuses.iter().any(|status| status.is_untested)
            }
            _ => false,
        }
    }

    /// Takes in how the test of a method ended. If it is shown and cannot run here, another one takes its place.
    pub fn take_status(&mut self, status: MethodStatus) {
        let of_method = |before: &&mut MethodStatus| before.method == status.method;
        let Some(before) = self.statuses.iter_mut().find(of_method) else {
            return;
        };
        if !before.is_untested {
            return;
        }
        *before = status.clone();
        let Some(reason) = status.unavailable else {
            return;
        };
        let compare = &mut self.compare;
        let shown = [&mut compare.a, &mut compare.b, &mut compare.reference];
        let mut gave_way = false;
        for shown in shown.into_iter().filter(|shown| **shown == status.method) {
            (*shown, gave_way) = (Method::PixelLoop, true);
        }
        if gave_way {
            let (method, other) = (status.method, Method::PixelLoop);
            let line = format!("{method} cannot run here: {reason}; {other} is shown instead");
            self.messages.announce(Severity::Warning, line);
        }
    }

    /// The methods that can be used here, in order.
    pub fn usable(&self) -> Vec<Method> {
        Method::all()
            .filter(|method| self.is_usable(*method))
            .collect()
    }

    /// Picks method A. If the method cannot be used here, says why instead.
    pub fn pick(&mut self, method: Method) {
        match self.statuses.iter().find(|status| status.method == method) {
            Some(MethodStatus {
                unavailable: Some(reason),
                ..
            }) => {
                let line = format!("{method} cannot run here: {reason}");
                self.messages.announce(Severity::Warning, line);
            }
            _ => self.compare.a = method,
        }
    }

    /// The next usable method for B.
    pub fn next_other(&mut self) {
        let usable = self.usable();
        let at = usable.iter().position(|method| *method == self.compare.b);
        if let Some(next) = usable.get(at.map_or(0, |at| at + 1) % usable.len().max(1)) {
            self.compare.b = *next;
        }
    }

    /// Probes `pixel`, and shows its pane.
    pub fn probe_at(&mut self, pixel: [u32; 2]) {
        self.probe.lock(pixel);
        self.panes.dock.open(Pane::Probe);
    }

    /// Starts or stops probing; the probe's pane is shown when it starts.
    pub fn toggle_probe(&mut self) {
        self.probe.on = !self.probe.on;
        if self.probe.on {
            self.panes.dock.open(Pane::Probe);
        }
    }

    /// Closes what floats on top, if anything does: the list of keys, which opens over the card, then the card.
    pub fn close_top(&mut self) {
        if self.panes.keys_open {
            self.panes.keys_open = false;
        } else {
            self.panes.card_open = false;
        }
    }

    /// Asks for something that is done once the next frame is drawn.
    pub fn ask(&mut self, action: Action) {
        self.asked.push(action);
    }

    /// What was asked for since the last call.
    pub fn take_asked(&mut self) -> Vec<Action> {
        std::mem::take(&mut self.asked)
    }

    /// Lets the scene's time go on by `seconds` of real time, if its clock runs.
    pub fn advance_time(&mut self, seconds: f32) {
        if self.clock.running {
            self.settings.time += seconds * self.clock.speed;
        }
    }

    /// Takes the scene's time forward by one frame of a 60 Hz display.
    pub fn step_time(&mut self) {
        self.settings.time += 1.0 / 60.0;
    }

    /// Goes on with blinking, by `seconds` of real time.
    pub fn advance_blink(&mut self, seconds: f32) {
        self.blink_time = (self.blink_time + seconds) % (2.0 * BLINK);
    }

    /// Goes to another scene: its first camera, its best moment; size and dials stay. One with files is read first,
    /// on a thread, and shown when that is done.
    ///
    /// # Errors
    /// No such scene.
    pub fn go_to_scene(&mut self, name: &str) -> Result<()> {
        let load = Load::Open(name.to_owned());
        if scene::outline(name, &Disk)?.names_files() {
            self.files.next = Some(load);
            return Ok(());
        }
        let loaded = load.read(&self.settings, &self.caps, &mut |_| Ok(()))?;
        self.show(loaded).map(drop)
    }

    /// Opens a file, however the user has named it: a scene, splats, a model, a preset or a benchmark record.
    ///
    /// # Errors
    /// It is not there or cannot be read. One of the files opened last that is gone is taken off their list.
    pub fn open(&mut self, path: &Path) -> Result<()> {
        let name = text_of(path)?;
        if !path.exists() && self.files.recent.forget(name) {
            return Err(Error::usage(format!(
                "{name}: the file is gone; removed it from the recent files"
            )));
        }
        if is_record(name) {
            self.map.path = name.to_owned();
            self.panes.dock.open(Pane::Map);
            self.ask(Action::OpenRecord);
            Ok(())
        } else if preset::is_preset(path) {
            self.preset_name = name.to_owned();
            self.load_preset()
        } else if scene::names().contains(&name) {
            self.go_to_scene(name)
        } else {
            // Settings outlive the working directory.
            self.go_to_scene(&whole(name))
        }
    }

    /// Shows a scene in outline until what is in its files is read; `request` is the command line, if that named it.
    pub fn read_the_rest(&mut self, request: Option<Request>) {
        if self.scene.names_files() {
            self.files.next = Some(Load::Rest(request.map(Box::new)));
            self.files.is_outline = true;
            let name = self.settings.scene_name();
            self.messages
                .announce(Severity::Note, format!("opening {name}"));
        }
    }

    /// Adds a splat file to the scene at its default place; another thread reads it.
    ///
    /// # Errors
    /// Its path is not text.
    pub fn add_file(&mut self, path: &Path) -> Result<()> {
        // Settings outlive the working directory.
        self.files.added.push(whole(text_of(path)?));
        Ok(())
    }

    /// What to read after splat files were added, removed or moved.
    pub fn placing(&mut self) -> Option<Load> {
        let colors = match self.scene.tone_curve {
            ToneCurve::Encoded => SplatColors::Linear,
            _ => SplatColors::Srgb,
        };
        for file in self.files.added.drain(..) {
            self.files.splats.push(SplatSpec::new(&file, colors));
        }
        if self.files.is_outline || self.files.splats == self.scene.splats {
            return None;
        }
        Some(Load::Place(Box::new(Scene {
            splats: self.files.splats.clone(),
            ..self.scene.clone()
        })))
    }

    /// After a scene could not be read: the one before stays.
    pub fn load_failed(&mut self) {
        self.files.is_outline = false;
        self.files.splats.clone_from(&self.scene.splats);
    }

    /// Shows a scene that was read; what there is to say about that.
    ///
    /// # Errors
    /// Same as [`Loaded::settings`]; nothing is changed then.
    pub fn show(&mut self, loaded: Loaded) -> Result<Option<String>> {
        let settings = loaded.settings(&self.settings)?;
        let (scene, defaults) = (loaded.scene().clone(), loaded.defaults().clone());
        self.files.is_outline = false;
        if let Load::Place(placed) = loaded.load() {
            let known = |file: &str| self.scene.splats.iter().any(|spec| spec.file == file);
            let added = placed.splats.iter().filter(|spec| !known(&spec.file));
            added.for_each(|spec| self.files.recent.note(&spec.file));
        }
        self.files.own = loaded.own().to_vec();
        match loaded.load() {
            Load::Preset(preset, path) => {
                self.apply_in(Preset::clone(preset), scene, defaults);
                self.files.recent.note(&path.to_string_lossy());
                return Ok(Some(format!("loaded {}", path.display())));
            }
            Load::Open(name) => {
                self.probe.locked = None;
                if !scene::names().contains(&name.as_str()) {
                    self.files.recent.note(name);
                }
            }
            Load::Rest(_) => {}
            // The pane may be further by now.
            Load::Place(placed) if placed.splats != self.files.splats => {
                let wanted = std::mem::take(&mut self.files.splats);
                self.enter(scene, settings, defaults);
                self.files.splats = wanted;
                return Ok(None);
            }
            Load::Place(_) => {}
        }
        self.enter(scene, settings, defaults);
        Ok(None)
    }

    fn enter(&mut self, scene: Scene, settings: Settings, defaults: Settings) {
        self.scene_number += 1;
        self.scene = scene;
        self.files.splats.clone_from(&self.scene.splats);
        self.settings = settings;
        self.defaults = defaults;
        self.say_remarks();
    }

    /// Says what the scene's files have and is not shown.
    fn say_remarks(&mut self) {
        for remark in self.scene.remarks().to_vec() {
            self.messages.say(Severity::Warning, remark);
        }
    }

    /// Goes to camera preset `index` of the scene.
    pub fn go_to_camera(&mut self, index: usize) {
        if let Some(preset) = self.scene.cameras.get(index) {
            self.settings.look_from(&self.scene, preset);
        }
    }

    /// Where the camera is and looks.
    ///
    /// # Errors
    /// The settings name no camera of the scene. Both are only replaced together, so this is a bug.
    pub fn camera(&self) -> Result<Viewpoint> {
        let preset = self.settings.camera_in(&self.scene)?;
        Ok(preset.viewpoint())
    }

    /// Moves the camera. It keeps the name of the scene's camera that it came from.
    pub fn move_camera(&mut self, change: impl FnOnce(&mut Viewpoint)) {
        if let Ok(mut camera) = self.camera() {
            change(&mut camera);
            let preset = camera.named(&self.settings.camera);
            self.settings.look_from(&self.scene, &preset);
        }
    }

    /// Goes to the next camera: those of the scene, then the stored ones.
    pub fn next_camera(&mut self) {
        let presets = self.scene.cameras.iter().map(CameraPreset::viewpoint);
        let all: Vec<Viewpoint> = presets.chain(self.cameras.iter().copied()).collect();
        let now = self.camera().ok();
        let at = all.iter().position(|camera| Some(camera) == now.as_ref());
        let next = at.map_or(0, |at| (at + 1) % all.len().max(1));
        match all.get(next) {
            Some(camera) if next >= self.scene.cameras.len() => {
                self.move_camera(|now| *now = *camera);
            }
            _ => self.go_to_camera(next),
        }
    }

    /// Stores the camera as it is.
    pub fn store_camera(&mut self) {
        self.cameras.extend(self.camera());
        let line = format!("stored camera {}", self.cameras.len());
        self.messages.announce(Severity::Note, line);
    }

    /// The preset that brings this state back.
    pub fn preset(&self) -> Preset {
        Preset {
            settings: self.settings.clone(),
            compare: self.compare.clone(),
            running: self.clock.running,
            speed: self.clock.speed,
            vsync: self.vsync,
            cameras: self.cameras.clone(),
            panes: self.panes.dock.text(),
            is_light: self.panes.is_light,
            keeps_measuring: Some(self.keeps_measuring),
            remarks: Vec::new(),
        }
    }

    /// Saves the settings under the preset's name.
    ///
    /// # Errors
    /// The name is empty, or the file cannot be written.
    pub fn save_preset(&mut self) -> Result<()> {
        let path = preset::file_of(&self.preset_name)?;
        self.preset().save_as(&path)?;
        let line = format!("saved {}", path.display());
        self.messages.announce(Severity::Note, line);
        Ok(())
    }

    /// Saves the settings in a file that the user has named, under which name they are saved from then on.
    ///
    /// # Errors
    /// Its path is not text.
    pub fn name_preset(&mut self, path: &Path) -> Result<()> {
        text_of(path)?.clone_into(&mut self.preset_name);
        self.ask(Action::SavePreset);
        Ok(())
    }

    /// Loads the preset of that name. If its scene has files, it takes effect once they are read.
    ///
    /// # Errors
    /// Same as [`Preset::load`] and [`State::apply`]; nothing is changed then.
    pub fn load_preset(&mut self) -> Result<()> {
        let path = preset::file_of(&self.preset_name)?;
        let preset = Preset::load(&path)?;
        let adds = preset.settings.splats.is_some();
        if adds || scene::outline(&preset.settings.scene, &Disk)?.names_files() {
            self.files.next = Some(Load::Preset(Box::new(preset), path));
            return Ok(());
        }
        self.apply(preset)?;
        self.files.recent.note(&path.to_string_lossy());
        let line = format!("loaded {}", path.display());
        self.messages.announce(Severity::Note, line);
        Ok(())
    }

    /// Takes over a preset. Of its methods, those that cannot run here are not taken over; the log says so.
    ///
    /// # Errors
    /// Its scene is not there or has no such camera; nothing is changed then. An arrangement of the panes that
    /// cannot be used is no error: the default one takes its place, and the log says why.
    pub fn apply(&mut self, preset: Preset) -> Result<()> {
        let (scene, _) = preset.settings.load(&Disk)?;
        self.take_over(preset, scene)
    }

    /// Like [`State::apply`], with the scene in outline where it has files.
    ///
    /// # Errors
    /// Same as [`State::apply`], except errors in such files.
    pub fn apply_in_outline(&mut self, preset: Preset) -> Result<()> {
        preset.settings.check()?;
        let mut scene = scene::outline(&preset.settings.scene, &Disk)?;
        if let Some(splats) = &preset.settings.splats {
            scene.splats.clone_from(splats);
        }
        preset.settings.camera_in(&scene)?;
        self.take_over(preset, scene)
    }

    fn take_over(&mut self, preset: Preset, scene: Scene) -> Result<()> {
        let name = &preset.settings.scene;
        self.files.own = scene::outline(name, &Disk)?.splats;
        let defaults = defaults_in(name, scene.clone(), &Disk, &self.caps, Purpose::Window)?;
        self.apply_in(preset, scene, defaults);
        Ok(())
    }

    fn apply_in(&mut self, preset: Preset, scene: Scene, defaults: Settings) {
        let before = self.compare.clone();
        self.clock = Clock {
            running: preset.running,
            speed: preset.speed,
        };
        self.scene_number += 1;
        self.scene = scene;
        self.files.splats.clone_from(&self.scene.splats);
        self.settings = preset.settings;
        self.defaults = defaults;
        self.compare = preset.compare;
        self.vsync = preset.vsync;
        self.cameras = preset.cameras;
        self.panes.is_light = preset.is_light;
        self.keeps_measuring = preset.keeps_measuring.unwrap_or(self.keeps_measuring);
        self.panes.dock = Dock::parse(&preset.panes).unwrap_or_else(|error| {
            let line = format!("panes: {error}; the default arrangement is used");
            self.messages.say(Severity::Warning, line);
            Dock::default()
        });
        for remark in preset.remarks {
            self.messages.say(Severity::Warning, remark);
        }
        self.say_remarks();
        self.probe.locked = None;
        let mut may_run: Vec<Method> = Method::all().collect();
        may_run.retain(|method| self.is_usable(*method) || self.is_untested(*method));
        let Compare {
            a, b, reference, ..
        } = &mut self.compare;
        let mut missing = Vec::new();
        for (method, old) in [(a, before.a), (b, before.b), (reference, before.reference)] {
            if !may_run.contains(method) {
                missing.push(*method);
                *method = old;
            }
        }
        for method in missing {
            let line = format!("the preset's {method} cannot run here");
            self.messages.say(Severity::Warning, line);
        }
    }

    /// The range of the colours of the difference log10.
    pub fn difference_range(&self) -> DifferenceRange {
        match self.compare.difference_range {
            RangeChoice::Auto => self.fitted_range.range(),
            RangeChoice::Fixed(range) => range,
        }
    }

    /// The range that a picture of what is shown has, if differences are shown in one that is known.
    pub fn range_shown(&self) -> Option<DifferenceRange> {
        let is_fixed = self.compare.difference_range != RangeChoice::Auto;
        let is_known = is_fixed || self.fitted_range.is_fitted();
        let is_shown = self.view_shown() == View::Log;
        (is_shown && is_known).then(|| self.difference_range())
    }

    /// What the differences on screen are of; `None` without two methods.
    pub fn compared(&self) -> Option<Compared> {
        let specialize = |method| self.settings.options.specialize(method);
        Some(Compared {
            scene: self.scene_number,
            methods: [self.left(), self.right()?].map(specialize),
        })
    }

    /// Whether the range of the differences on screen is yet to be fitted.
    pub fn is_to_fit(&self) -> bool {
        let is_held = |compared: &Compared| self.fitted_range.is_of(compared);
        self.compare.difference_range == RangeChoice::Auto
            && self.view_shown() == View::Log
            && self.compared().is_some_and(|compared| !is_held(&compared))
    }

    /// The method shown on the left: the reference while its key is held.
    pub fn left(&self) -> Method {
        if self.hold_reference {
            self.compare.reference
        } else {
            self.compare.a
        }
    }

    /// Method B, if anything that is shown needs it.
    pub fn right(&self) -> Option<Method> {
        let compare = &self.compare;
        let beside = compare.split_on || compare.blink || compare.layout == Layout::SideBySide;
        let needed = self.view_shown().is_difference()
            || compare.metrics
            || (beside && !self.hold_reference);
        needed.then_some(compare.b)
    }

    /// The part of the picture's width that A has, 0…1; 1 and more: all of it.
    pub fn split_now(&self) -> f32 {
        let compare = &self.compare;
        let is_picture = compare.view == View::Picture || compare.layout != Layout::Single;
        if !is_picture || self.hold_reference {
            2.0
        } else if compare.blink {
            if self.blink_time < BLINK { 2.0 } else { 0.0 }
        } else if compare.split_on {
            compare.split
        } else {
            2.0
        }
    }

    /// The command line that opens this view again, clock stopped.
    pub fn command(&self) -> String {
        let mut command = self.settings.command("run", &[self.left()]) + " --paused";
        if self.right().is_some() {
            command += &format!(" --against {}", self.compare.b);
        }
        let compare = &self.compare;
        if let Some(layout) = compare.layout.to_possible_value() {
            command += &format!(" --layout {}", layout.get_name());
        }
        if compare.view != View::Picture {
            command += &format!(" --view {}", compare.view.flag());
        }
        if let Some(range) = self.range_shown() {
            command += &format!(" --difference-range {range}");
        }
        if compare.split_on {
            command += &format!(" --split {}", compare.split);
        }
        command + &self.shaders.flag()
    }
}

/// A path as text, as settings keep it.
fn text_of(path: &Path) -> Result<&str> {
    let text = path.to_str();
    text.ok_or_else(|| Error::usage("the path of the file is not UTF-8: rename it"))
}
