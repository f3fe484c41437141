//! Pictures that are being read back from the GPU, and tasks on other threads. Neither delays a frame.

use std::path::{Path, PathBuf};
use web_time::Instant;

use clap::ValueEnum as _;

use crate::error::{Error, Result};
use crate::gpu::Gpu;
use crate::progress::{Listener, Progress};
use crate::report::folder::Output;
use crate::report::page::capture::PagePictures;
use crate::runs::capture::{SetRequest, set};

use super::background::{Background, TaskKind, TaskResult};
use super::dock::Pane;
use super::files::{folder_of, free_path, name_of};
use super::flip::Pair;
use super::grab::Grab;
use super::moving;
use super::moving::Simplification;
use super::painter::What;
use super::screenshot::Shot;
use super::session::Session;
use super::staging::Stage;
use super::state::State;

#[derive(Default)]
pub(super) struct Outbox {
    /// Picture to take of the next frame, and its file if the user named one.
    pub wanted: Option<(What, Option<PathBuf>)>,
    shots: Vec<Shot>,
    pub pair: Option<Pair>,
    pub background: Background,
}

impl Outbox {
    /// Starts reading the requested scene when no long task runs. Cancels the reading of a scene that it replaces.
    pub fn load_next(&mut self, session: &Session, state: &mut State) -> Result<()> {
        if self.background.is_loading() && state.files.next.is_some() {
            self.background.cancel();
        }
        if self.background.busy().is_some() || session.is_measuring() {
            return Ok(());
        }
        let (files, scene) = (&mut state.files, &state.subject.scene);
        let Some(load) = files.next.take().or_else(|| files.placing(scene)) else {
            return Ok(());
        };
        #[cfg(target_arch = "wasm32")]
        if !load.has_files(&state.subject.settings)? {
            state.files.next = Some(load);
            return Ok(());
        }
        let (shown, caps) = (state.subject.settings.clone(), state.machine.caps.clone());
        let stage = session.stage(state);
        let name = load.name(&shown);
        let work = move |progress: Listener| {
            let loaded = load.read(&shown, &caps, progress)?;
            progress(Progress::step("to the GPU", 19, 20))?;
            let stage = Stage {
                settings: loaded.settings(&shown)?,
                ..stage
            };
            let staged = stage.make(&loaded.scene, |_| ())?;
            Ok(TaskResult::Scene(Box::new((loaded, staged))))
        };
        let job = (TaskKind::Scene, Pane::Scene);
        self.background.start(job, &name, work)
    }

    /// Starts preparing smaller frames for motion, if there are none for the current view.
    pub fn ease(&mut self, session: &mut Session, state: &State) -> Result<()> {
        let Some((stage, _)) = session.wants_moving(state) else {
            return Ok(());
        };
        let is_lacking = session.moving.lacks(&stage, Instant::now());
        if !is_lacking || !self.background.has_time_ahead() {
            return Ok(());
        }
        session.moving.ask_for(stage.clone());
        let (scene, by) = (state.subject.scene.clone(), session.moving.simplified);
        let work = move |progress: Listener| {
            let by = by.unwrap_or(Simplification::value_variants());
            let made = moving::make(stage, &scene, by, progress)?;
            Ok(TaskResult::Moving(Box::new(made)))
        };
        let job = (TaskKind::Ahead, Pane::Adapter);
        self.background.start(job, "smaller frames", work)
    }

    /// Starts the next change of shaders, if any.
    pub fn change_shaders(
        &mut self,
        session: &mut Session,
        state: &State,
        format: wgpu::TextureFormat,
    ) -> Result<()> {
        if self.background.is_changing_shaders() {
            return Ok(());
        }
        let Some((change, wanted)) = session.next_change(state)? else {
            return Ok(());
        };
        let (stage, scene) = (session.stage(state), state.subject.scene.clone());
        let work = move |progress: Listener| {
            let changed = stage.change(change, (&scene, &wanted), format, progress)?;
            Ok(TaskResult::Shaders(Box::new(changed)))
        };
        let job = (TaskKind::Shaders, Pane::Adapter);
        self.background.start(job, "shaders", work)
    }

    /// Requests pictures of the next frame. `file` is the destination if the user named one.
    pub fn want_view(&mut self, state: &State, file: Option<PathBuf>) {
        let labelled = state.comparison.chosen.labels && state.comparison.chosen.labels_saved;
        let part = state.panes.picture.room.filter(|_| labelled);
        self.wanted = Some((part.map_or(What::View, What::Part), file));
    }

    pub fn wanted_picture(&self) -> Option<What> {
        self.wanted.as_ref().map(|wanted| wanted.0)
    }

    pub fn waits_for_a_picture(&self) -> bool {
        self.wanted.is_some() || !self.shots.is_empty() || self.pair.is_some()
    }

    pub fn take_picture(&mut self, grab: Option<Grab>, state: &State) {
        let wanted = self.wanted.take();
        if let (Some(grab), Some((what, file))) = (grab, wanted) {
            self.shots.push(Shot::new(grab, what, file, state));
        }
    }

    /// Drops pictures that a lost device did not read back. Returns true if there were any.
    pub fn forget_pictures(&mut self) -> bool {
        self.pair = None;
        self.shots.drain(..).count() > 0
    }

    pub fn write_pictures(&mut self) -> Result<()> {
        let mut waiting = Vec::new();
        let mut failed = Ok(());
        for shot in self.shots.drain(..) {
            let started = match shot.take() {
                None => {
                    waiting.push(shot);
                    Ok(())
                }
                Some(work) => work.and_then(|work| {
                    let job = (TaskKind::File, Pane::Files);
                    self.background.start(job, "picture", move |_| work())
                }),
            };
            // If one picture fails, the others are still written.
            failed = failed.and(started);
        }
        self.shots = waiting;
        if let Some(work) = self.pair.as_ref().and_then(Pair::take) {
            self.pair = None;
            let job = (TaskKind::File, Pane::Compare);
            let started = work.and_then(|work| {
                let made = move |_: Listener| Ok(TaskResult::Flip(Box::new(work()?)));
                self.background.start(job, "FLIP", made)
            });
            failed = failed.and(started);
        }
        failed
    }

    /// Writes every method's picture and the report of `capture` to a new folder in `parent`, or in the scene's folder.
    pub fn write_comparison_set(
        &mut self,
        session: &Session,
        state: &State,
        parent: Option<&Path>,
    ) -> Result<()> {
        if cfg!(target_arch = "wasm32") {
            let why = "a page saves single pictures; comparison sets need the desktop program";
            return Err(Error::unavailable(why));
        }
        let (adapter, shaders, shaders_folder) = session.for_pictures();
        let chosen = &state.comparison.chosen;
        let wanted = SetRequest {
            scene: state.subject.scene.clone(),
            settings: state.subject.settings.clone(),
            reference: chosen.reference,
            methods: state.machine.compared(&[chosen.a, chosen.b]),
            difference_range: chosen.difference_range,
            exr: false,
            page: PagePictures::default(),
            traced: false,
            shaders_folder,
        };
        let name = format!("set_{}", name_of(&wanted.settings, "exact"));
        let scene = wanted.settings.scene_name();
        let parent = parent.map_or_else(|| folder_of(&scene), Path::to_owned);
        let folder = free_path(&parent, &name, "");
        let output = Output::choose(set::SET, Some(&folder), &scene, false)?;
        let work = move |progress: Listener| {
            let written = set::comparison_set(&adapter, shaders, &wanted, output, progress)?;
            let count = written.len();
            Ok(TaskResult::Files(format!("saved {count} files in"), folder))
        };
        let job = (TaskKind::Files, Pane::Files);
        self.background.start(job, "comparison set", work)
    }

    /// Waits for files that are being written. Returns messages about cancelled and failed work.
    pub fn close(&mut self, gpu: &Gpu) -> Vec<String> {
        let mut said = Vec::new();
        if self.wanted.take().is_some() {
            said.push("a picture was dropped: the window could not show its frame".to_owned());
        }
        while !self.shots.is_empty() {
            let waited = gpu.wait();
            let before = self.shots.len();
            let written = self.write_pictures();
            let failures = [waited.err(), written.err()].into_iter().flatten();
            said.extend(failures.map(|error| error.to_string()));
            if self.shots.len() == before {
                said.push(format!(
                    "{before} pictures were dropped: they were not read back"
                ));
                break;
            }
        }
        if let Some(cut) = self.background.close() {
            said.push(format!("stopped: {cut}"));
        }
        // Results of preparations are not reported, because no user requested them.
        let finished = self.background.finished().into_iter();
        let asked_for = finished.filter(|((work, _), _)| !work.is_preparation());
        let failures = asked_for.filter_map(|(_, made)| made.err());
        said.extend(failures.map(|error| error.to_string()));
        said
    }
}
