//! The one table of keys: input handling, the list of keys in the window and the documentation use it, and a
//! test finds duplicates. Knows no window and no state, only names.

use std::sync::LazyLock;

use egui::{Key as K, Modifiers};

use crate::model::methods::Method;

use super::action::Action;
use super::dock::{Arrangement, Pane};
use super::picking::Pick;

/// What is held with a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum With {
    /// Neither Shift nor Ctrl.
    Nothing,
    Shift,
    /// Ctrl; on macOS also Cmd.
    Ctrl,
}

#[derive(Clone, Debug)]
pub struct Key {
    /// The key on an English keyboard.
    pub code: K,
    /// What must be held.
    pub with: With,
    /// How the key is written.
    pub name: &'static str,
    pub action: Action,
    /// What it does, in words.
    pub help: &'static str,
}

/// The keys of the methods: a method, its key, what must be held with it, and how it is written.
#[rustfmt::skip]
const METHOD_KEYS: &[(Method, K, With, &str)] = {
    use Method as M;
    use With::{Nothing, Shift};
    &[
        (M::PixelLoop, K::Num1, Nothing, "1"),
        (M::ReadLaneLoop, K::Num2, Nothing, "2"),
        (M::WaveLerpProduct, K::Num3, Nothing, "3"),
        (M::WaveLerpBallot, K::Num4, Nothing, "4"),
        (M::WaveLerpBallotScalar, K::Num5, Nothing, "5"),
        (M::WaveLerpFindMsb, K::Num6, Nothing, "6"),
        (M::WaveLerpDeferred, K::Num7, Nothing, "7"),
        (M::PixelLoopStaged, K::Num8, Nothing, "8"),
        (M::WaveTree, K::Num9, Nothing, "9"),
        (M::SplitDepth, K::Num0, Nothing, "0"),
        (M::FixedFunction, K::Num1, Shift, "Shift+1"),
        (M::FixedFunctionF16, K::Num2, Shift, "Shift+2"),
        (M::Auto, K::Num3, Shift, "Shift+3"),
        (M::WaveLerpKnownLast, K::Num4, Shift, "Shift+4"),
        (M::SplitBatches, K::Num5, Shift, "Shift+5"),
    ]
};

/// All other keys: the key, what must be held with it, how it is written, its action, and what it does.
#[rustfmt::skip]
const OTHER_KEYS: &[(K, With, &str, Action, &str)] = {
    use Action as A;
    use With::{Ctrl, Nothing, Shift};
    &[
        (K::B, Nothing, "B", A::NextOther, "next method B, to compare with"),
        (K::Space, Nothing, "Space", A::TogglePause, "pause or play"),
        (K::Period, Nothing, ".", A::Step, "one frame forward"),
        (K::X, Nothing, "X", A::ToggleSplit, "split view on or off"),
        (K::Z, Nothing, "Z", A::ToggleBlink, "blink between A and B"),
        (K::R, Nothing, "R", A::HoldReference, "hold: show the reference"),
        (K::F, Nothing, "F", A::NextDifference, "next difference view"),
        (K::V, Nothing, "V", A::NextDebug, "next debug view"),
        (K::N, Nothing, "N", A::ToggleMetrics, "metrics of A against B on or off"),
        (K::I, Nothing, "I", A::ToggleProbe, "probe the pixel under the mouse"),
        (K::L, Nothing, "L", A::LockProbe, "lock or unlock the probe"),
        (K::M, Nothing, "M", A::Measure, "measure all methods"),
        (K::Backspace, Nothing, "Backspace", A::CancelWork, "stop what the window is busy with"),
        (K::C, Nothing, "C", A::NextCamera, "next camera: the scene's, then stored ones"),
        (K::C, Shift, "Shift+C", A::StoreCamera, "store the camera"),
        (K::C, Ctrl, "Ctrl+C", A::CopyCommand, "copy the command line of this view"),
        (K::U, Nothing, "U", A::TurnSplats, "next axes of the splat files: y down, y up, z up"),
        (K::P, Nothing, "P", A::TogglePanes, "panes on or off"),
        // Panes in the order of their tabs.
        (K::Num1, Ctrl, "Ctrl+1", A::OpenPane(Pane::Methods), "open Methods"),
        (K::Num2, Ctrl, "Ctrl+2", A::OpenPane(Pane::Scene), "open Scene"),
        (K::Num3, Ctrl, "Ctrl+3", A::OpenPane(Pane::Wave), "open Wave"),
        (K::Num4, Ctrl, "Ctrl+4", A::OpenPane(Pane::Files), "open Files"),
        (K::Num5, Ctrl, "Ctrl+5", A::OpenPane(Pane::Adapter), "open Adapter"),
        (K::Num6, Ctrl, "Ctrl+6", A::OpenPane(Pane::Frame), "open Frame"),
        (K::Num7, Ctrl, "Ctrl+7", A::OpenPane(Pane::Compare), "open Compare"),
        (K::Num8, Ctrl, "Ctrl+8", A::OpenPane(Pane::Probe), "open Probe"),
        (K::Num9, Ctrl, "Ctrl+9", A::OpenPane(Pane::Errors), "open Errors"),
        (K::E, Ctrl, "Ctrl+E", A::OpenPane(Pane::Errors), "the same"),
        (K::Num0, Ctrl, "Ctrl+0", A::OpenPane(Pane::Code), "open Code"),
        (K::L, Ctrl, "Ctrl+L", A::OpenPane(Pane::Log), "open Log"),
        (K::F6, Nothing, "F6", A::Arrange(Arrangement::Compare), "arrangement: compare"),
        (K::F7, Nothing, "F7", A::Arrange(Arrangement::Profile), "arrangement: profile"),
        (K::F8, Nothing, "F8", A::Arrange(Arrangement::Picture), "arrangement: picture"),
        (K::G, Nothing, "G", A::NextLayout, "next layout of picture and difference"),
        (K::H, Nothing, "H", A::ToggleLabels, "labels on the picture on or off"),
        (K::O, Nothing, "O", A::ResetZoom, "reset the zoom"),
        (K::T, Nothing, "T", A::ToggleTheme, "light/dark theme"),
        (K::F1, Nothing, "F1", A::ToggleKeys, "help: keys, words, things to try"),
        (K::Slash, Shift, "?", A::ToggleKeys, "the same"),
        (K::F2, Nothing, "F2", A::Screenshot, "save the picture"),
        (K::F2, Shift, "Shift+F2", A::ComparisonSet, "save the comparison set, like capture"),
        (K::F2, Ctrl, "Ctrl+F2", A::ScreenshotOfWindow, "save the whole window"),
        (K::O, Ctrl, "Ctrl+O", A::Browse(Pick::Open), "open a scene, splats, a model or a preset"),
        (K::F5, Nothing, "F5", A::SavePreset, "save all settings as the preset named in Files"),
        (K::F9, Nothing, "F9", A::LoadPreset, "load that preset"),
        (K::F12, Nothing, "F12", A::Record, "record a RenderDoc frame of each shown method"),
        (K::Escape, Nothing, "Esc", A::CloseTop, "close the topmost: menu, help, card"),
        (K::Q, Ctrl, "Ctrl+Q", A::Quit, "quit"),
    ]
};

pub static KEYS: LazyLock<Vec<Key>> = LazyLock::new(|| {
    let methods = METHOD_KEYS.iter().map(|(method, code, with, name)| Key {
        code: *code,
        with: *with,
        name,
        action: Action::PickMethod(*method),
        help: method.name(),
    });
    let others = OTHER_KEYS
        .iter()
        .map(|(code, with, name, action, help)| Key {
            code: *code,
            with: *with,
            name,
            action: action.clone(),
            help,
        });
    methods.chain(others).collect()
});

/// How the key of a method is written, if it has one.
pub fn key_of(method: Method) -> &'static str {
    key_for(&Action::PickMethod(method))
}

/// A text that says what an action is for, and its key, if it has one.
pub fn with_key(text: &str, action: &Action) -> String {
    let stop = if text.ends_with('.') { "" } else { "." };
    match key_for(action) {
        "none" => text.to_owned(),
        key => format!("{text}{stop} Key: {key}"),
    }
}

/// How the key of an action is written, if it has one.
pub fn key_for(action: &Action) -> &'static str {
    let row = KEYS.iter().find(|row| row.action == *action);
    row.map_or("none", |row| row.name)
}

/// What a key does with these modifiers. Keys count by their `place`; with Ctrl letters count as they are `written`.
pub fn action_of(place: K, written: K, modifiers: Modifiers) -> Option<Action> {
    let is_digit = (K::Num0..=K::Num9).contains(&place);
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
    fn no_key_stands_for_two_things() {
        for (index, a) in KEYS.iter().enumerate() {
            for b in &KEYS[index + 1..] {
                assert!(
                    (a.code, a.with) != (b.code, b.with) && a.name != b.name,
                    "{} and {} share a key",
                    a.help,
                    b.help
                );
            }
        }
    }

    #[test]
    fn every_exact_method_has_a_key() {
        for method in Method::all() {
            let has_key = key_of(method) != "none";
            assert!(has_key || !method.is_exact(), "{method}");
        }
    }

    #[test]
    fn every_pane_beside_the_picture_has_a_key() {
        for pane in Pane::value_variants() {
            let has_key = key_for(&Action::OpenPane(*pane)) != "none";
            assert_eq!(has_key, *pane != Pane::Picture, "{pane:?}");
        }
        // By its place: on a French keyboard a 1 takes Shift.
        let first = action_of(K::Num1, K::Quote, Modifiers::CTRL);
        assert_eq!(first, Some(Action::OpenPane(Pane::Methods)));
    }

    #[test]
    fn no_key_that_one_flies_by_does_anything_else_while_one_flies() {
        for key in [K::W, K::A, K::S, K::D, K::Q, K::E] {
            for held in [Modifiers::NONE, Modifiers::SHIFT, Modifiers::ALT] {
                assert_eq!(action_of(key, key, held), None, "{key:?}");
            }
        }
    }

    #[test]
    fn ctrl_q_quits_by_the_letter_on_the_key_on_every_layout() {
        let ctrl = Modifiers::CTRL;
        assert_eq!(action_of(K::Q, K::Q, ctrl), Some(Action::Quit));
        // On a French keyboard A, which selects all, is where Q is on an English one.
        assert_eq!(action_of(K::Q, K::A, ctrl), None);
        assert_eq!(action_of(K::A, K::Q, ctrl), Some(Action::Quit));
        let escape = action_of(K::Escape, K::Escape, Modifiers::NONE);
        assert_eq!(escape, Some(Action::CloseTop));
    }
}
