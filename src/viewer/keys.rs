//! Table of keys, used by input handling, the window's help and the documentation.

use egui::{Key as K, Modifiers};

use crate::model::methods::Method;

use super::action::{Action, Pick};
use super::dock::{Arrangement, Pane};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum With {
    Nothing,
    Shift,
    /// Ctrl; on macOS also Cmd.
    Ctrl,
}

#[derive(Clone, Debug)]
pub struct Key {
    /// Key on an English keyboard.
    pub code: K,
    pub with: With,
    pub name: &'static str,
    pub action: Action,
    /// Empty for keys that pick a method, because the method's name suffices.
    help: &'static str,
}

impl Key {
    pub fn help(&self) -> &'static str {
        match self.action {
            Action::PickMethod(method) => method.name(),
            _ => self.help,
        }
    }
}

const fn key(code: K, with: With, name: &'static str, action: Action, help: &'static str) -> Key {
    Key {
        code,
        with,
        name,
        action,
        help,
    }
}

#[rustfmt::skip]
pub static KEYS: &[Key] = {
    use Action as A;
    use Method as M;
    use With::{Ctrl, Nothing, Shift};
    &[
        key(K::Num1, Nothing, "1", A::PickMethod(M::PixelLoop), ""),
        key(K::Num2, Nothing, "2", A::PickMethod(M::ReadLaneLoop), ""),
        key(K::Num3, Nothing, "3", A::PickMethod(M::WaveLerpProduct), ""),
        key(K::Num4, Nothing, "4", A::PickMethod(M::WaveLerpBallot), ""),
        key(K::Num5, Nothing, "5", A::PickMethod(M::WaveLerpBallotScalar), ""),
        key(K::Num6, Nothing, "6", A::PickMethod(M::WaveLerpFindMsb), ""),
        key(K::Num7, Nothing, "7", A::PickMethod(M::WaveLerpDeferred), ""),
        key(K::Num8, Nothing, "8", A::PickMethod(M::PixelLoopStaged), ""),
        key(K::Num9, Nothing, "9", A::PickMethod(M::WaveTree), ""),
        key(K::Num0, Nothing, "0", A::PickMethod(M::SplitDepth), ""),
        key(K::Num1, Shift, "Shift+1", A::PickMethod(M::FixedFunction), ""),
        key(K::Num2, Shift, "Shift+2", A::PickMethod(M::FixedFunctionF16), ""),
        key(K::Num3, Shift, "Shift+3", A::PickMethod(M::Auto), ""),
        key(K::Num4, Shift, "Shift+4", A::PickMethod(M::WaveLerpKnownLast), ""),
        key(K::Num5, Shift, "Shift+5", A::PickMethod(M::SplitBatches), ""),
        key(K::B, Nothing, "B", A::NextOther, "next method B, to compare with"),
        key(K::Space, Nothing, "Space", A::TogglePause, "pause or play"),
        key(K::Period, Nothing, ".", A::Step, "one frame forward"),
        key(K::X, Nothing, "X", A::ToggleSplit, "split view on or off"),
        key(K::Z, Nothing, "Z", A::ToggleBlink, "blink between A and B"),
        key(K::R, Nothing, "R", A::HoldReference, "hold: show the reference"),
        key(K::F, Nothing, "F", A::NextDifference, "next difference view"),
        key(K::V, Nothing, "V", A::NextDebug, "next debug view"),
        key(K::N, Nothing, "N", A::ToggleMetrics, "metrics of A against B on or off"),
        key(K::I, Nothing, "I", A::ToggleProbe, "probe the pixel under the mouse"),
        key(K::L, Nothing, "L", A::LockProbe, "lock or unlock the probe"),
        key(K::M, Nothing, "M", A::Measure, "measure all methods"),
        key(K::Backspace, Nothing, "Backspace", A::CancelWork, "stop the current task"),
        key(K::C, Nothing, "C", A::NextCamera, "next camera: the scene's, then stored ones"),
        key(K::C, Shift, "Shift+C", A::StoreCamera, "store the camera"),
        key(K::C, Ctrl, "Ctrl+C", A::CopyCommand, "copy the command line of this view"),
        key(K::U, Nothing, "U", A::TurnSplats, "next axes of the splat files: y down, y up, z up"),
        key(K::P, Nothing, "P", A::TogglePanes, "panes on or off"),
        // Panes are in the order of their tabs.
        key(K::Num1, Ctrl, "Ctrl+1", A::OpenPane(Pane::Methods), "open Methods"),
        key(K::Num2, Ctrl, "Ctrl+2", A::OpenPane(Pane::Scene), "open Scene"),
        key(K::Num3, Ctrl, "Ctrl+3", A::OpenPane(Pane::Options), "open Options"),
        key(K::Num4, Ctrl, "Ctrl+4", A::OpenPane(Pane::Files), "open Files"),
        key(K::Num5, Ctrl, "Ctrl+5", A::OpenPane(Pane::Adapter), "open Adapter"),
        key(K::Num6, Ctrl, "Ctrl+6", A::OpenPane(Pane::Frame), "open Frame"),
        key(K::Num7, Ctrl, "Ctrl+7", A::OpenPane(Pane::Compare), "open Compare"),
        key(K::Num8, Ctrl, "Ctrl+8", A::OpenPane(Pane::Probe), "open Probe"),
        key(K::Num9, Ctrl, "Ctrl+9", A::OpenPane(Pane::Errors), "open Errors"),
        key(K::E, Ctrl, "Ctrl+E", A::OpenPane(Pane::Errors), "the same"),
        key(K::Num0, Ctrl, "Ctrl+0", A::OpenPane(Pane::Code), "open Code"),
        key(K::L, Ctrl, "Ctrl+L", A::OpenPane(Pane::Log), "open Log"),
        key(K::F6, Nothing, "F6", A::Arrange(Arrangement::Compare), "arrangement: compare"),
        key(K::F7, Nothing, "F7", A::Arrange(Arrangement::Profile), "arrangement: profile"),
        key(K::F8, Nothing, "F8", A::Arrange(Arrangement::Picture), "arrangement: picture"),
        key(K::G, Nothing, "G", A::NextLayout, "next layout of picture and difference"),
        key(K::H, Nothing, "H", A::ToggleLabels, "labels on the picture on or off"),
        key(K::O, Nothing, "O", A::ResetZoom, "reset the zoom"),
        key(K::T, Nothing, "T", A::ToggleTheme, "light/dark theme"),
        key(K::F1, Nothing, "F1", A::ToggleKeys, "help: keys, words, things to try"),
        key(K::Slash, Shift, "?", A::ToggleKeys, "the same"),
        key(K::F2, Nothing, "F2", A::Screenshot, "save the picture"),
        key(K::F2, Shift, "Shift+F2", A::ComparisonSet, "save the comparison set, like capture"),
        key(K::F2, Ctrl, "Ctrl+F2", A::ScreenshotOfWindow, "save the whole window"),
        key(K::O, Ctrl, "Ctrl+O", A::Browse(Pick::Open), "open a scene, splats, a model or a preset"),
        key(K::F5, Nothing, "F5", A::SavePreset, "save all settings as the preset named in Files"),
        key(K::F9, Nothing, "F9", A::LoadPreset, "load that preset"),
        key(K::F12, Nothing, "F12", A::Record, "record a RenderDoc frame of each shown method"),
        key(K::Escape, Nothing, "Esc", A::CloseTop, "close the topmost: menu, help, card"),
        key(K::Q, Ctrl, "Ctrl+Q", A::Quit, "quit"),
    ]
};

pub fn key_of(method: Method) -> &'static str {
    key_for(&Action::PickMethod(method))
}

/// Tooltip text followed by the action's key, if any.
pub fn with_key(text: &str, action: &Action) -> String {
    let stop = if text.ends_with('.') { "" } else { "." };
    match key_for(action) {
        "none" => text.to_owned(),
        key => format!("{text}{stop} Key: {key}"),
    }
}

pub fn key_for(action: &Action) -> &'static str {
    let row = KEYS.iter().find(|row| row.action == *action);
    row.map_or("none", |row| row.name)
}

/// Action of a key. Keys are identified by `place`, but letters of Latin keyboards with Ctrl as `written`.
pub fn action_of(place: K, written: K, is_latin: bool, modifiers: Modifiers) -> Option<Action> {
    let is_digit = (K::Num0..=K::Num9).contains(&place);
    let written = match is_latin || (K::A..=K::Z).contains(&written) {
        true => written,
        false => place,
    };
    let (with, code) = match (modifiers.shift, modifiers.command || modifiers.ctrl) {
        (false, false) => (With::Nothing, place),
        (true, false) => (With::Shift, place),
        (false, true) if is_digit => (With::Ctrl, place),
        (false, true) => (With::Ctrl, written),
        (true, true) => return None,
    };
    let row = KEYS.iter().find(|row| row.code == code && row.with == with);
    row.map(|row| row.action.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ValueEnum;

    #[test]
    fn no_key_stands_for_two_things_and_every_exact_method_and_pane_has_one() {
        for (index, a) in KEYS.iter().enumerate() {
            for b in &KEYS[index + 1..] {
                let differ = (a.code, a.with) != (b.code, b.with) && a.name != b.name;
                assert!(differ, "{} and {} share a key", a.help(), b.help());
            }
        }
        for method in Method::exact() {
            assert_ne!(key_of(method), "none", "{method}");
        }
        for pane in Pane::value_variants() {
            let has_key = key_for(&Action::OpenPane(*pane)) != "none";
            assert_eq!(has_key, *pane != Pane::Picture, "{pane:?}");
        }
    }

    #[test]
    fn letters_count_as_written_with_ctrl_and_all_other_keys_by_place() {
        let ctrl = Modifiers::CTRL;
        // On a French keyboard, 1 needs Shift, and A, which selects all, is in the place of Q.
        let first = action_of(K::Num1, K::Quote, true, ctrl);
        assert_eq!(first, Some(Action::OpenPane(Pane::Methods)));
        assert_eq!(action_of(K::Q, K::A, true, ctrl), None);
        assert_eq!(action_of(K::A, K::Q, true, ctrl), Some(Action::Quit));
        // In the place of Q, a Greek keyboard has a semicolon, and a Dvorak keyboard a quote.
        assert_eq!(
            action_of(K::Q, K::Semicolon, false, ctrl),
            Some(Action::Quit)
        );
        assert_eq!(action_of(K::Q, K::Quote, true, ctrl), None);
        for key in [K::W, K::A, K::S, K::D, K::Q, K::E] {
            for held in [Modifiers::NONE, Modifiers::SHIFT, Modifiers::ALT] {
                assert_eq!(
                    action_of(key, key, true, held),
                    None,
                    "one flies by {key:?}"
                );
            }
        }
    }
}
