//! What keys and panel ask of the window beyond the next frame: pictures, measurements, presets. None of
//! it makes a frame wait.

use crate::auto::Rule;
use crate::capture::folder::Output;
use crate::capture::set;
use crate::compare::atomic_file::write_atomically;
use crate::error::{Error, Result};
use crate::gpu::shader::ShaderSource;

use super::background::Made;
use super::demo::Demo;
use super::graphics::What;
use super::measured::Table;
use super::preset::{self, Preset};
use super::screenshot::{Grab, Shot, folder_of, free_path, name_of};
use super::state::Task;
use super::view::View;

impl Demo {
    /// Does what was asked for since the last frame, and says what was finished. True to close.
    pub(super) fn do_tasks(&mut self) -> bool {
        let tasks = std::mem::take(&mut self.state.tasks);
        let quit = tasks.contains(&Task::Quit);
        for task in tasks {
            if let Err(error) = self.perform(task) {
                self.state.announce(error.to_string());
            }
        }
        if let Err(error) = self.write_shots() {
            self.state.announce(error.to_string());
        }
        for finished in self.background.finished() {
            match finished {
                Ok(made) => self.take(made),
                Err(error) => self.state.announce(error.to_string()),
            }
        }
        quit
    }

    /// Takes in what a thread has made.
    fn take(&mut self, made: Made) {
        match made {
            Made::Files(line) => self.state.announce(line),
            Made::Calibration(calibration, kept) => self.take_calibration(*calibration, kept),
            Made::Maps(maps) => {
                let line = format!("opened {}", maps.file.display());
                self.state.map.open(maps);
                self.state.announce(line);
            }
        }
    }

    fn perform(&mut self, task: Task) -> Result<()> {
        match task {
            Task::Screenshot => self.wanted_grab = Some(What::View),
            Task::ScreenshotWithPanel => self.wanted_grab = Some(What::Window),
            Task::ComparisonSet => self.comparison_set()?,
            Task::Record => self.ask_for_recordings()?,
            Task::Measure => self.measure()?,
            Task::SaveTimes => self.save_times()?,
            Task::Calibrate => self.calibrate()?,
            Task::OpenRecord => self.open_record()?,
            Task::SmallBenchmark => self.small_benchmark()?,
            Task::Copy(text) => {
                self.ui.egui_ctx().copy_text(text);
                self.state.announce("copied");
            }
            Task::SavePreset => {
                let path = preset::file_of(&self.state.preset_name)?;
                self.state.preset().save(&path)?;
                self.list_presets();
                self.state.announce(format!("saved {}", path.display()));
            }
            Task::LoadPreset => {
                let path = preset::file_of(&self.state.preset_name)?;
                self.state.apply(Preset::load(&path)?)?;
                self.state.announce(format!("loaded {}", path.display()));
            }
            Task::Quit => {}
        }
        Ok(())
    }

    /// Keeps a picture until it has come back, with what there is to say about it.
    pub(super) fn keep(&mut self, grab: Grab, what: What) {
        let state = &self.state;
        let settings = state.settings_now().published();
        let method = state.left();
        let methods = std::iter::once(method).chain(state.right()).collect();
        let plain = state.compare.view == View::Picture && state.split_now() > 1.0;
        let (what, command) = match (what, plain) {
            (What::View, true) => (
                method.name().to_owned(),
                settings.command("capture", &[method]) + &state.shaders_flag(),
            ),
            (What::View, false) => {
                let view = match state.compare.view {
                    View::Picture => "beside",
                    view => view.name(),
                };
                let what = format!("{method}-{view}-{}", state.compare.b);
                (what, state.command())
            }
            (What::Window, _) => (format!("window-{method}"), state.command()),
        };
        self.shots.push(Shot {
            grab,
            settings,
            methods,
            what,
            command,
        });
    }

    /// Hands pictures that have come back to a thread that writes them.
    fn write_shots(&mut self) -> Result<()> {
        let mut waiting = Vec::new();
        for shot in self.shots.drain(..) {
            match shot.take() {
                None => waiting.push(shot),
                Some(work) => self.background.start(work?)?,
            }
        }
        self.shots = waiting;
        Ok(())
    }

    fn comparison_set(&mut self) -> Result<()> {
        let state = &self.state;
        let wanted = set::Wanted {
            scene: state.scene.clone(),
            settings: state.settings_now(),
            reference: state.compare.reference,
            methods: state.usable(),
            exr: false,
            // As `capture` has it, so that its command makes the same pictures.
            rule: Rule::BuiltIn,
            traced: false,
        };
        let name = format!("set_{}", name_of(&wanted.settings, "all"));
        let scene = wanted.settings.scene_name();
        let folder = free_path(&folder_of(&scene), &name, "");
        let output = Output::choose(Some(&folder), &scene, false)?;
        // What the window shows, edited or not.
        let shaders = ShaderSource::clone(&self.pipelines.source());
        let adapter = self.adapter.clone();
        self.background.occupy("comparison set", move |progress| {
            let written = set::comparison_set(&adapter, shaders, &wanted, output, progress)?;
            Ok(Made::Files(format!(
                "saved {} files in {}",
                written.len(),
                folder.display()
            )))
        })
    }

    fn measure(&mut self) -> Result<()> {
        if self.measuring() {
            self.live.stop_measuring();
            return Ok(());
        }
        if let Some(busy) = self.background.busy() {
            return Err(Error::usage(format!("still at work: {busy}")));
        }
        let settings = &self.state.settings;
        let methods = self.state.usable();
        let specialized = methods
            .into_iter()
            .map(|method| settings.knobs.specialize(method));
        self.live.start_measuring(
            &self.gpu,
            &self.pipelines,
            specialized.collect(),
            settings.knobs.early_out,
        )?;
        self.state.measured_open = true;
        Ok(())
    }

    fn save_times(&mut self) -> Result<()> {
        let Some(measurement) = self.live.measurement() else {
            return Ok(());
        };
        let settings = self.state.settings_now();
        let table = Table::new(measurement, &settings, &self.state.caps);
        let json = serde_json::to_string_pretty(&table)
            .map_err(|error| Error::failed(format!("JSON: {error}")))?;
        let folder = folder_of(&settings.scene_name());
        std::fs::create_dir_all(&folder).map_err(|error| {
            Error::usage(format!("cannot create {}: {error}", folder.display()))
        })?;
        let path = free_path(&folder, &name_of(&settings, "times"), ".json");
        write_atomically(&path, (json + "\n").as_bytes())
            .map_err(|error| Error::usage(error.to_string()))?;
        self.state.announce(format!("saved {}", path.display()));
        Ok(())
    }

    /// Looks up which presets there are.
    pub(super) fn list_presets(&mut self) {
        self.presets = preset::names();
    }

    /// Before the window goes: what is being written is finished, and the settings are kept.
    pub(super) fn close(&mut self) {
        // A picture that was asked for just before is still on its way.
        for _ in 0..100 {
            if self.shots.is_empty() || self.gpu.wait().is_err() || self.write_shots().is_err() {
                break;
            }
        }
        self.background.close();
        let Some(path) = preset::last_file().filter(|_| self.remember) else {
            return;
        };
        if let Err(error) = self.state.preset().save(&path) {
            eprintln!("the settings are not kept: {error}");
        }
    }
}
