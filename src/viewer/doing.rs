//! What each action does, and what becomes of what threads have made.

use std::path::PathBuf;

use crate::error::{Error, Result};
use crate::gpu::device::renderdoc;

use super::action::Action;
use super::background::Made;
use super::dock::{Dock, Pane};
use super::flip::Pair;
use super::frame::Viewer;
use super::measured::Table;
use super::messages::Severity;
use super::painter::What;
use super::picking::Pick;
use super::placement::Zoom;
use super::preset;

impl Viewer {
    /// Does what a key or a pane asks for; what cannot be done is announced.
    pub(super) fn perform(&mut self, action: Action) {
        let pane = action.pane();
        let done = self.try_to(action);
        self.state.messages.end(pane, done.map(|()| None));
    }

    fn try_to(&mut self, action: Action) -> Result<()> {
        let Self {
            state,
            session,
            outbox,
            recorder,
            context,
            painter,
            presets,
            ..
        } = self;
        let flip = |flag: &mut bool| *flag = !*flag;
        match action {
            Action::PickMethod(method) => state.pick(method),
            Action::NextOther => state.next_other(),
            Action::TogglePause => flip(&mut state.clock.running),
            Action::Step => state.step_time(),
            Action::ToggleSplit => flip(&mut state.compare.split_on),
            Action::ToggleBlink => flip(&mut state.compare.blink),
            Action::NextDifference => state.compare.view = state.compare.view.next_difference(),
            Action::NextDebug => state.compare.view = state.compare.view.next_debug(),
            // It lasts as long as its key is held, which is the input's to know.
            Action::HoldReference => {}
            Action::ToggleMetrics => flip(&mut state.compare.metrics),
            Action::ToggleProbe => state.toggle_probe(),
            Action::LockProbe => state.probe.toggle_lock(),
            Action::NextCamera => state.next_camera(),
            Action::StoreCamera => state.store_camera(),
            Action::TogglePanes => flip(&mut state.panes.open),
            Action::Arrange(arrangement) => {
                state.panes.dock = Dock::from(arrangement);
                state.panes.open = true;
            }
            Action::ToggleLabels => flip(&mut state.compare.labels),
            Action::NextLayout => state.compare.layout = state.compare.layout.next(),
            Action::ResetZoom => state.panes.picture.zoom = Zoom::default(),
            Action::ToggleTheme => flip(&mut state.panes.is_light),
            Action::ToggleKeys => flip(&mut state.panes.keys_open),
            Action::Measure if session.is_measuring() => session.stop_measuring(),
            Action::Measure => {
                outbox.refuse_while_busy()?;
                session.start_measuring(state)?;
                state.panes.dock.open(Pane::Methods);
            }
            Action::SaveTimes => {
                if let Some(measurement) = session.measurement() {
                    let (settings, shaders) = (&state.settings, &state.shaders);
                    let table = Table::new(measurement, settings, shaders, &state.caps);
                    let path = table.save()?;
                    let line = format!("saved {}", path.display());
                    state.messages.announce(Severity::Note, line);
                }
            }
            Action::Flip => {
                let Some(b) = state.right() else {
                    return Err(Error::usage("FLIP compares A with B: choose a method B"));
                };
                let (of, settings) = ([state.left(), b], state.settings.clone());
                let grab = painter.grab_alone(session.gpu(), &session.pair())?;
                outbox.compare_looks(Pair::new(grab, of, settings));
            }
            Action::Calibrate => outbox.calibrate(session)?,
            Action::CancelWork => {
                session.stop_measuring();
                outbox.cancel();
            }
            // A dialog is the host's to open.
            Action::Browse(_) => {}
            Action::Use(pick, path) => match pick {
                Pick::Open | Pick::OpenPreset | Pick::OpenRecord => state.open(&path)?,
                Pick::Add => state.add_file(&path)?,
                Pick::SavePicture => outbox.want_view(state, Some(path)),
                Pick::SaveSet => outbox.write_comparison_set(session, state, Some(&path))?,
                Pick::SavePreset => state.name_preset(&path)?,
            },
            Action::OpenRecord => outbox.open_record(state)?,
            Action::SmallBenchmark => outbox.run_small_benchmark(session, state)?,
            Action::Screenshot => outbox.want_view(state, None),
            Action::ScreenshotOfWindow => outbox.want_picture(What::Window),
            Action::ComparisonSet => outbox.write_comparison_set(session, state, None)?,
            Action::Record => {
                renderdoc::require()?;
                session.refuse_while_measuring()?;
                outbox.refuse_while_busy()?;
                recorder.want(state);
            }
            Action::SavePreset => {
                state.save_preset()?;
                *presets = preset::names();
            }
            Action::LoadPreset => state.load_preset()?,
            Action::CopyCommand => {
                context.copy_text(state.command());
                state.messages.announce(Severity::Note, "copied");
            }
            Action::Copy(text) => {
                context.copy_text(text);
                state.messages.announce(Severity::Note, "copied");
            }
            Action::CloseTop => state.close_top(),
            Action::Quit => self.start_closing(),
        }
        Ok(())
    }

    /// Takes in what a thread made; what there is to say about it.
    pub(super) fn take(&mut self, made: Made) -> Result<Option<String>> {
        Ok(match made {
            Made::Files(line) => Some(line),
            Made::Chosen(pick, path) => {
                let action = path.map(|path| Action::Use(pick, path));
                self.state.asked.extend(action);
                None
            }
            Made::Calibration(calibration, kept) => {
                Some(self.session.take_calibration(*calibration, kept))
            }
            Made::Maps(maps) => {
                let line = format!("opened {}", maps.file.display());
                self.state.map.open(maps);
                Some(line)
            }
            Made::Flip(flip) => {
                self.state.flip = Some(flip);
                None
            }
            Made::Scene(made) => {
                let (loaded, staged) = *made;
                let said = self.state.show(loaded)?;
                self.session.take_staged(staged);
                said
            }
        })
    }

    /// Waits for a dialog that asks for `pick` beside the frames: it returns the path that was chosen, or nothing
    /// where the user has cancelled. If another one is open, says so instead.
    pub fn browse(
        &mut self,
        pick: Pick,
        dialog: impl FnOnce() -> Result<Option<PathBuf>> + Send + 'static,
    ) {
        let shown = self.outbox.browse(pick, dialog);
        self.state
            .messages
            .end(Some(pick.pane()), shown.map(|()| None));
    }
}
