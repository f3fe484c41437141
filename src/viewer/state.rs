//! State that the window shows and the panes change, divided into groups. Independent of winit and wgpu.

use crate::error::Result;
use crate::model::Capabilities;
use crate::model::methods::Method;
use crate::model::scene::Scene;
use crate::model::settings::Settings;
use crate::report::range::RangeChoice;
use crate::runs::verify::self_test::MethodStatus;

use super::action::{Action, Pick};
use super::code::CodePage;
use super::comparison::{ComparedPair, Comparison};
use super::dock::{Dock, Pane};
use super::machine::Machine;
use super::messages::{Messages, Severity};
use super::method_order::MethodOrder;
use super::placement::PicturePane;
use super::scene_files::SceneFiles;
use super::subject::Subject;
use super::times::{Order, Times};
use super::view::View;
use super::window_state::Recent;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProbeState {
    pub on: bool,
    /// The probed pixel: the last pixel under the mouse, unless the probe is locked.
    pub at: Option<[u32; 2]>,
    /// True if the probe stays when the mouse moves on.
    pub is_locked: bool,
    pub hovered: Option<[u32; 2]>,
}

impl ProbeState {
    pub fn pixel(&self) -> Option<[u32; 2]> {
        self.at.filter(|_| self.on)
    }

    pub fn lock(&mut self, pixel: [u32; 2]) {
        (self.on, self.at, self.is_locked) = (true, Some(pixel), true);
    }

    pub fn toggle_lock(&mut self) {
        self.is_locked = !self.is_locked && self.at.is_some();
        self.on |= self.is_locked;
    }

    /// Moves the probe to the pixel under the mouse, if any.
    pub fn hover(&mut self, pixel: Option<[u32; 2]>) {
        self.hovered = pixel;
        if !self.is_locked {
            self.at = pixel.or(self.at);
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HelpPage {
    #[default]
    Keys,
    Words,
    Tries,
}

#[derive(Default)]
pub struct Panes {
    pub open: bool,
    pub dock: Dock,
    pub picture: PicturePane,
    pub is_light: bool,
    pub methods_by: MethodOrder,
    pub passes_by: Order,
    pub code: CodePage,
    /// The pane that was opened with a key, until Tab enters it.
    pub entered: Option<Pane>,
    /// The pane in which the user last named a file, in a field or a dialog.
    pub named_in: Option<Pane>,
    pub preset_name: String,
    pub keys_open: bool,
    pub help: HelpPage,
    pub card_open: bool,
}

pub struct State {
    pub subject: Subject,
    pub files: SceneFiles,
    pub saved: Recent,
    pub comparison: Comparison,
    pub probe: ProbeState,
    pub times: Times,
    pub machine: Machine,
    pub panes: Panes,
    pub messages: Messages,
    /// Actions requested by keys and panes. They are performed in order after the next frame is drawn.
    pub asked: Vec<Action>,
}

impl State {
    pub fn new(
        scene: Scene,
        settings: Settings,
        statuses: Vec<MethodStatus>,
        caps: Capabilities,
    ) -> Result<Self> {
        Ok(Self {
            files: SceneFiles::of(&scene),
            saved: Recent::default(),
            subject: Subject::new(scene, settings, &caps)?,
            comparison: Comparison::default(),
            probe: ProbeState::default(),
            times: Times::new(!caps.is_cpu),
            machine: Machine::new(caps, statuses),
            panes: Panes {
                open: true,
                preset_name: "my-preset".to_owned(),
                ..Panes::default()
            },
            messages: Messages::default(),
            asked: Vec::new(),
        })
    }

    pub fn ask(&mut self, action: Action) {
        self.asked.push(action);
    }

    pub fn take_asked(&mut self) -> Vec<Action> {
        std::mem::take(&mut self.asked)
    }

    /// True if an action must wait for tests: it concerns an untested method, or all methods.
    pub fn waits_for_tests(&self, action: &Action) -> bool {
        match action {
            Action::PickMethod(method) | Action::PickOther(method) => {
                self.machine.is_untested(*method)
            }
            Action::NextOther
            | Action::Measure
            | Action::MeasureOnly(_)
            | Action::ComparisonSet
            | Action::Use(Pick::SaveSet, _) => self.machine.is_testing(),
            _ => false,
        }
    }

    /// Records the result of a method's test. A method that is shown and cannot run on this machine is replaced.
    pub fn take_status(&mut self, status: &MethodStatus) {
        if let Some(reason) = self.machine.take_status(status) {
            self.replace(status.method, &reason);
        }
    }

    /// Replaces methods that are shown although the adapter lacks what they need.
    pub fn replace_missing(&mut self) {
        for status in self.machine.statuses.clone() {
            if let Some(reason) = &status.unavailable {
                self.replace(status.method, reason);
            }
        }
    }

    fn replace(&mut self, method: Method, reason: &str) {
        let other = Method::PixelLoop;
        if self.comparison.chosen.replace(method, other) {
            let line = format!("{method} cannot run here: {reason}; {other} is shown instead");
            self.messages.announce(Severity::Warning, line);
        }
    }

    pub fn probe_at(&mut self, pixel: [u32; 2]) {
        self.probe.lock(pixel);
        self.panes.dock.open(Pane::Probe);
    }

    pub fn compared(&self) -> Option<ComparedPair> {
        let [Some(a), Some(b)] = self.comparison.shown() else {
            return None;
        };
        Some(ComparedPair {
            scene: self.subject.number,
            methods: [a, b].map(|method| self.subject.settings.options.specialize(method)),
        })
    }

    pub fn is_to_fit(&self) -> bool {
        let comparison = &self.comparison;
        let is_held = |compared: &ComparedPair| comparison.fitted_range.is_of(compared);
        comparison.chosen.difference_range == RangeChoice::Auto
            && comparison.view_shown() == View::Log
            && self.compared().is_some_and(|compared| !is_held(&compared))
    }

    pub fn command(&self) -> String {
        self.command_of(&self.subject.settings)
    }

    /// Command that opens this view with the current `settings`, or with their published form.
    pub fn command_of(&self, settings: &Settings) -> String {
        let comparison = &self.comparison;
        settings.command("run", &[comparison.left()])
            + " --paused"
            + &comparison.flags()
            + &self.machine.shaders.flag()
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::input::Disk;
    use crate::model::scene;
    use crate::model::settings::{Purpose, default_settings};

    #[test]
    fn what_an_adapter_lacks_is_not_shown_even_before_the_methods_are_tested() {
        for waves in [false, true] {
            let caps = Capabilities {
                waves,
                wave_min: 8,
                wave_max: 8,
                ..Capabilities::default()
            };
            let settings = default_settings("two", &Disk, &caps, Purpose::Window).unwrap();
            let statuses = Method::all().map(|method| MethodStatus::untested(method, &caps));
            let scene = scene::load("two", &Disk).unwrap();
            let mut state = State::new(scene, settings, statuses.collect(), caps.clone()).unwrap();
            let before = state.comparison.chosen.b;
            state.replace_missing();
            let now = state.comparison.chosen.b;
            let expected = if waves { before } else { Method::PixelLoop };
            assert_eq!(now, expected);
            assert_eq!(state.messages.has("cannot run here"), !waves);
        }
    }
}
