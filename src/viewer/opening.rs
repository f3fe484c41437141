//! Opens scenes and presets: finds them by name, reads them here or on a thread, and adopts them.

use std::path::Path;

use crate::error::{Error, Result};
use crate::input::{Disk, exists};
use crate::model::scene;
use crate::model::scene::{Scene, SplatSpec};
use crate::model::settings::{Purpose, Request, Settings, defaults_in};

use super::action::Action;
use super::dock::Dock;
use super::loading::{Load, Loaded};
use super::messages::Severity;
use super::preset;
use super::preset::{Compare, Preset};
use super::state::State;
use super::subject::Clock;
use super::window_state::whole;

impl State {
    pub fn go_to_scene(&mut self, name: &str) -> Result<()> {
        let load = Load::Open(name.to_owned());
        if scene::outline(name, &Disk)?.names_files() {
            self.files.next = Some(load);
            return Ok(());
        }
        self.load(load).map(drop)
    }

    /// Reads a scene that has no files, and shows it. Returns a message, if any.
    fn load(&mut self, load: Load) -> Result<Option<String>> {
        let loaded = load.read(&self.subject.settings, &self.machine.caps, &mut |_| Ok(()))?;
        self.show(loaded)
    }

    /// Opens a file that the user named: a scene, splats, a model or a preset.
    ///
    /// # Errors
    /// The file does not exist or is unreadable. A missing file is removed from the list of recent files.
    pub fn open(&mut self, path: &Path) -> Result<()> {
        let name = text_of(path)?;
        if !exists(path) && self.files.recent.forget(name) {
            return Err(Error::usage(format!(
                "{name}: the file is gone; removed it from the recent files"
            )));
        }
        if preset::is_preset(path) {
            self.panes.preset_name = name.to_owned();
            self.load_preset()
        } else if scene::names().contains(&name) {
            self.go_to_scene(name)
        } else {
            // Settings may be read from another working directory.
            self.go_to_scene(&whole(name))
        }
    }

    /// Starts reading the files of the scene shown in outline. `request` is the command line, if it names the scene.
    pub fn read_the_rest(&mut self, request: Option<Request>) {
        if self.subject.scene.names_files() {
            self.files.next = Some(Load::Rest(request.map(Box::new)));
            self.files.is_outline = true;
            let name = self.subject.settings.scene_name();
            self.messages
                .announce(Severity::Note, format!("opening {name}"));
        }
    }

    /// Shows a scene that has been read. Returns a message, if any.
    pub fn show(&mut self, loaded: Loaded) -> Result<Option<String>> {
        let settings = loaded.settings(&self.subject.settings)?;
        let Loaded {
            load,
            scene,
            defaults,
            own,
        } = loaded;
        self.files.is_outline = false;
        self.files.own = own;
        match load {
            Load::Preset(preset, path) => {
                self.apply_in(*preset, scene, defaults);
                self.files.recent.note(&path.to_string_lossy());
                return Ok(Some(format!("loaded {}", path.display())));
            }
            Load::Open(name) => {
                self.probe.is_locked = false;
                if !scene::names().contains(&name.as_str()) {
                    self.files.recent.note(&name);
                }
            }
            Load::Rest(_) => {}
            Load::Place(placed) => {
                let before = &self.subject.scene.splats;
                let is_new = |spec: &&SplatSpec| before.iter().all(|known| known.file != spec.file);
                for spec in placed.splats.iter().filter(is_new) {
                    self.files.recent.note(&spec.file);
                    if whole(self.files.typed.trim()) == spec.file {
                        self.files.typed.clear();
                    }
                }
                // The user may have changed the list in the pane meanwhile.
                let wanted = std::mem::take(&mut self.files.splats);
                self.enter(scene, settings, defaults);
                if placed.splats != wanted {
                    self.files.splats = wanted;
                }
                return Ok(None);
            }
        }
        self.enter(scene, settings, defaults);
        Ok(None)
    }

    fn enter(&mut self, scene: Scene, settings: Settings, defaults: Settings) {
        self.files.splats.clone_from(&scene.splats);
        self.subject.enter(scene, settings, defaults);
        // The log lists the contents of the scene's files that were ignored.
        for remark in self.subject.scene.remarks() {
            self.messages.say(Severity::Warning, remark.clone());
        }
    }

    pub fn add_file(&mut self, path: &Path) -> Result<()> {
        // Settings may be read from another working directory.
        self.files.add(whole(text_of(path)?));
        Ok(())
    }

    pub fn preset(&self) -> Preset {
        Preset {
            settings: self.subject.settings.clone(),
            compare: self.comparison.chosen.clone(),
            running: self.subject.clock.running,
            speed: self.subject.clock.speed,
            vsync: self.machine.vsync,
            eases: self.machine.eases,
            cameras: self.subject.cameras.clone(),
            panes: self.panes.dock.text(),
            is_light: self.panes.is_light,
            keeps_measuring: Some(self.times.keeps_measuring),
            remarks: Vec::new(),
        }
    }

    pub fn save_preset(&mut self) -> Result<()> {
        let path = preset::file_of(&self.panes.preset_name)?;
        self.preset().save_as(&path)?;
        self.note_saved("saved", &path);
        Ok(())
    }

    /// Saves the settings to a file, and keeps its name for the next save.
    pub fn name_preset(&mut self, path: &Path) -> Result<()> {
        text_of(path)?.clone_into(&mut self.panes.preset_name);
        self.ask(Action::SavePreset);
        Ok(())
    }

    /// Loads the named preset. If its scene has files, the preset takes effect after they are read.
    pub fn load_preset(&mut self) -> Result<()> {
        let path = preset::file_of(&self.panes.preset_name)?;
        let preset = Preset::load(&path)?;
        let adds = preset.settings.splats.is_some();
        let has_files = adds || scene::outline(&preset.settings.scene, &Disk)?.names_files();
        let load = Load::Preset(Box::new(preset), path);
        if has_files {
            self.files.next = Some(load);
        } else if let Some(line) = self.load(load)? {
            self.messages.announce(Severity::Note, line);
        }
        Ok(())
    }

    /// Adopts a preset. Methods that cannot run on this machine are ignored, with a line in the log.
    ///
    /// # Errors
    /// The preset's scene does not exist, or has no such camera. Nothing is changed in that case.
    pub fn apply(&mut self, preset: Preset) -> Result<()> {
        let (scene, _) = preset.settings.load(&Disk)?;
        self.take_over(preset, scene)
    }

    /// Like [`State::apply`], but shows the scene in outline if it has files.
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
        let caps = &self.machine.caps;
        let defaults = defaults_in(name, scene.clone(), &Disk, caps, Purpose::Window)?;
        self.apply_in(preset, scene, defaults);
        Ok(())
    }

    fn apply_in(&mut self, preset: Preset, scene: Scene, defaults: Settings) {
        let subject = &mut self.subject;
        subject.clock = Clock {
            running: preset.running,
            speed: preset.speed,
        };
        subject.cameras = preset.cameras;
        self.machine.vsync = preset.vsync;
        self.machine.eases = preset.eases;
        self.panes.is_light = preset.is_light;
        self.panes.dock = Dock::parse(&preset.panes).unwrap_or_else(|error| {
            let line = format!("panes: {error}; the default arrangement is used");
            self.messages.say(Severity::Warning, line);
            Dock::default()
        });
        if let Some(keeps_measuring) = preset.keeps_measuring {
            self.times.keeps_measuring = keeps_measuring;
        }
        for remark in preset.remarks {
            self.messages.say(Severity::Warning, remark);
        }
        self.enter(scene, preset.settings, defaults);
        self.probe.is_locked = false;
        self.compare_as(preset.compare);
    }

    /// Adopts a preset's comparison, except methods that cannot run on this machine.
    fn compare_as(&mut self, chosen: Compare) {
        let machine = &self.machine;
        let may_run = |method| machine.refusal(method).is_none() || machine.is_untested(method);
        let before = std::mem::replace(&mut self.comparison.chosen, chosen);
        let Compare {
            a, b, reference, ..
        } = &mut self.comparison.chosen;
        for (method, old) in [(a, before.a), (b, before.b), (reference, before.reference)] {
            if !may_run(*method) {
                let line = format!("the preset's {method} cannot run here");
                self.messages.say(Severity::Warning, line);
                *method = old;
            }
        }
    }
}

fn text_of(path: &Path) -> Result<&str> {
    let text = path.to_str();
    text.ok_or_else(|| Error::usage("the path of the file is not UTF-8: rename it"))
}
