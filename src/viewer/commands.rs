//! Executes actions, and processes the results of tasks.

use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::gpu::device::renderdoc;
use crate::model::methods::Method;
use crate::progress::Listener;

use super::action::{Action, Pick};
use super::background::{TaskKind, TaskResult};
use super::dock::{Dock, Pane};
use super::files::open_folder;
use super::flip::Pair;
use super::frame::Viewer;
use super::link;
use super::measured::Table;
use super::messages::Severity;
use super::painter::What;
use super::placement::Zoom;
use super::preset;
use super::preset::Compare;
use super::state::State;
use super::window_state::whole;

impl State {
    /// Performs actions that change only the state. Returns an action that needs files, the device or the host.
    pub fn act(&mut self, action: Action) -> Result<Option<Action>> {
        let flip = |flag: &mut bool| *flag = !*flag;
        let (subject, chosen) = (&mut self.subject, &mut self.comparison.chosen);
        match action {
            Action::PickMethod(method) => self.pick(method, |chosen| &mut chosen.a),
            Action::PickOther(method) => self.pick(method, |chosen| &mut chosen.b),
            Action::NextOther => self.comparison.next_other(&self.machine.usable()),
            Action::TogglePause => flip(&mut subject.clock.running),
            Action::Step => subject.settings.time += 1.0 / 60.0,
            Action::ToggleSplit => flip(&mut chosen.split_on),
            Action::ToggleBlink => flip(&mut chosen.blink),
            Action::NextDifference => self.comparison.next_difference(),
            Action::NextDebug => chosen.view = chosen.view.next_debug(),
            Action::ToggleMetrics => flip(&mut chosen.metrics),
            Action::ToggleLabels => flip(&mut chosen.labels),
            Action::NextLayout => chosen.layout = chosen.layout.next(),
            Action::FitRange => self.comparison.fit_range(),
            Action::ToggleProbe => {
                flip(&mut self.probe.on);
                if self.probe.on {
                    self.panes.dock.open(Pane::Probe);
                }
            }
            Action::LockProbe => self.probe.toggle_lock(),
            Action::ProbeAt(pixel) => self.probe_at(pixel),
            Action::NextCamera => subject.next_camera(),
            Action::GoToCamera(index) => subject.go_to_camera(index),
            Action::GoToStored(index) => subject.go_to_stored(index),
            Action::StoreCamera => {
                let line = format!("stored camera {}", subject.store_camera());
                self.messages.announce(Severity::Note, line);
            }
            Action::ForgetCameras => subject.cameras.clear(),
            Action::GoToScene(name) => {
                let gone = self.go_to_scene(&name);
                gone.map_err(|error| error.context(&name))?;
            }
            Action::RemoveSplats(index) => self.files.remove(index),
            Action::TurnSplats => self.files.turn(&self.subject.scene.placed_splats.axes),
            Action::ForgetRecent => self.files.recent.clear(),
            Action::TogglePanes => flip(&mut self.panes.open),
            Action::TogglePane(pane) if self.panes.dock.has(pane) => self.panes.dock.close(pane),
            Action::TogglePane(pane) => self.panes.dock.open(pane),
            Action::OpenPane(pane) => {
                self.panes.dock.open(pane);
                self.panes.open = true;
                self.panes.entered = Some(pane);
            }
            Action::Dismiss(pane) => drop(self.messages.faults.remove(&pane)),
            Action::Arrange(arrangement) => {
                self.panes.dock = Dock::from(arrangement);
                chosen.layout = arrangement.layout(chosen.layout);
                self.panes.open = true;
            }
            Action::ResetZoom => self.panes.picture.zoom = Zoom::default(),
            Action::ToggleTheme => flip(&mut self.panes.is_light),
            Action::ToggleKeys => flip(&mut self.panes.keys_open),
            // The help is above the card and closes first.
            Action::CloseTop if self.panes.keys_open => self.panes.keys_open = false,
            Action::CloseTop => self.panes.card_open = false,
            more => return Ok(Some(more)),
        }
        Ok(None)
    }

    pub(super) fn note_saved(&mut self, what: &str, path: &Path) {
        let path = whole(&path.to_string_lossy());
        let line = format!("{what} {path}");
        self.messages.announce(Severity::Note, line);
        self.saved.note(&path);
    }

    fn pick(&mut self, method: Method, side: impl FnOnce(&mut Compare) -> &mut Method) {
        match self.machine.refusal(method) {
            None => *side(&mut self.comparison.chosen) = method,
            Some(reason) => {
                let line = format!("{method} cannot run here: {reason}");
                self.messages.announce(Severity::Warning, line);
            }
        }
    }
}

impl Viewer {
    pub(super) fn perform(&mut self, action: Action) {
        let pane = action.pane();
        if let Action::Use(..) | Action::LoadPreset = action {
            self.state.panes.named_in = pane;
        }
        let done = match self.state.act(action) {
            Ok(Some(more)) => self.try_to(more),
            done => done.map(drop),
        };
        self.state.messages.end(pane, done.map(|()| None));
    }

    fn try_to(&mut self, action: Action) -> Result<()> {
        let (state, session, outbox) = (&mut self.state, &mut self.session, &mut self.outbox);
        match action {
            Action::Measure if session.is_measuring() => session.stop_measuring(),
            Action::Measure => {
                return self.try_to(Action::MeasureOnly(Method::all().collect()));
            }
            Action::MeasureOnly(methods) => {
                outbox.background.refuse_while_busy()?;
                let mut usable = state.machine.usable();
                usable.retain(|method| methods.contains(method));
                session.start_measuring(&usable)?;
                state.panes.dock.open(Pane::Methods);
            }
            Action::SaveTimes => {
                if let Some(measurement) = session.live.measurement() {
                    let (times, settings) = (&state.times, &state.subject.settings);
                    let table = Table::new(times, measurement, settings, &state.machine);
                    let path = table.save()?;
                    state.note_saved("saved", &path);
                }
            }
            Action::Flip => {
                let [Some(a), Some(b)] = state.comparison.shown() else {
                    return Err(Error::usage("FLIP compares A with B: choose a method B"));
                };
                outbox.pair = Some(Pair {
                    grab: self.painter.grab_alone(&session.gpu, &session.pair())?,
                    of: [a, b],
                    settings: state.subject.settings.clone(),
                });
            }
            Action::CancelWork => {
                session.stop_measuring();
                outbox.background.cancel();
            }
            Action::Use(pick, path) => match pick {
                Pick::Open | Pick::OpenPreset => state.open(&path)?,
                Pick::Add => state.add_file(&path)?,
                Pick::SavePicture => outbox.want_view(state, Some(path)),
                Pick::SaveSet => outbox.write_comparison_set(session, state, Some(&path))?,
                Pick::SavePreset => state.name_preset(&path)?,
            },
            Action::Screenshot => outbox.want_view(state, None),
            Action::ScreenshotOfWindow => outbox.wanted = Some((What::Window, None)),
            Action::ComparisonSet => outbox.write_comparison_set(session, state, None)?,
            Action::Record => {
                renderdoc::require()?;
                if session.is_measuring() {
                    return Err(Error::usage("methods are being measured; stop that first"));
                }
                outbox.background.refuse_while_busy()?;
                self.recorder.want(state);
            }
            Action::SavePreset => {
                state.save_preset()?;
                self.presets = preset::names();
            }
            Action::LoadPreset => state.load_preset()?,
            Action::CopyCommand => return self.try_to(Action::Copy(self.state.command())),
            Action::CopyLink => {
                let link = link::of(&self.state.command());
                return self.try_to(Action::Copy(link));
            }
            Action::Copy(text) => {
                self.context.copy_text(text);
                state.messages.announce(Severity::Note, "copied");
            }
            Action::OpenFolder(path) => open_folder(&path)?,
            Action::Quit => self.start_closing(),
            // Input handling shows the reference, and the host opens dialogs.
            Action::HoldReference | Action::Browse(_) => {}
            other => {
                let what = format!("no code handles the action {other:?}");
                return Err(Error::failed(what));
            }
        }
        Ok(())
    }

    pub(super) fn take(&mut self, made: TaskResult) -> Result<Option<String>> {
        Ok(match made {
            TaskResult::Files(what, path) => {
                self.state.note_saved(&what, &path);
                None
            }
            TaskResult::Chosen(pick, path) => {
                let action = path.map(|path| Action::Use(pick, path));
                self.state.asked.extend(action);
                None
            }
            TaskResult::Flip(flip) => {
                self.state.comparison.flip = Some(*flip);
                None
            }
            TaskResult::Moving(made) => {
                self.session.moving.take(*made);
                None
            }
            TaskResult::Scene(made) => {
                let (loaded, mut staged) = *made;
                let said = self.state.show(loaded)?;
                staged.stage.scene = self.state.subject.number;
                self.session.staged = Some(staged);
                said
            }
            TaskResult::Shaders(changed) => {
                self.session.changed = Some(*changed);
                None
            }
        })
    }

    /// Shows a file dialog on another thread.
    pub fn browse(
        &mut self,
        pick: Pick,
        dialog: impl FnOnce() -> Result<Option<PathBuf>> + Send + 'static,
    ) {
        let pane = pick.pane();
        self.state.panes.named_in = Some(pane);
        let show = move |_: Listener| Ok(TaskResult::Chosen(pick, dialog()?));
        let job = (TaskKind::Dialog, pane);
        let shown = self.outbox.background.start(job, "dialog", show);
        self.state.messages.end(Some(pane), shown.map(|()| None));
    }
}
