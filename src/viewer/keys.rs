//! The one table of keys: input handling, the list of keys in the window and the documentation use it, and a
//! test finds duplicates. Knows no window and no state, only names.

use std::sync::LazyLock;

use winit::keyboard::{Key as Written, KeyCode, ModifiersState, PhysicalKey};

use crate::model::methods::Method;

use super::action::Action;
use super::dock::Arrangement;
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

/// A row of the table.
#[derive(Clone, Debug)]
pub struct Key {
    /// The physical key.
    pub code: KeyCode,
    /// What must be held.
    pub with: With,
    /// How the key is written.
    pub name: &'static str,
    /// What it does.
    pub action: Action,
    /// What it does, in words.
    pub help: &'static str,
}

/// The keys of the methods: a method, its key, what must be held with it, and how it is written.
#[rustfmt::skip]
const METHOD_KEYS: &[(Method, KeyCode, With, &str)] = {
    use KeyCode as K;
    use Method as M;
    use With::{Nothing, Shift};
    &[
        (M::PixelLoop, K::Digit1, Nothing, "1"),
        (M::ReadLaneLoop, K::Digit2, Nothing, "2"),
        (M::WaveLerpProduct, K::Digit3, Nothing, "3"),
        (M::WaveLerpBallot, K::Digit4, Nothing, "4"),
        (M::WaveLerpBallotScalar, K::Digit5, Nothing, "5"),
        (M::WaveLerpFindMsb, K::Digit6, Nothing, "6"),
        (M::WaveLerpDeferred, K::Digit7, Nothing, "7"),
        (M::PixelLoopStaged, K::Digit8, Nothing, "8"),
        (M::WaveTree, K::Digit9, Nothing, "9"),
        (M::SplitDepth, K::Digit0, Nothing, "0"),
        (M::FixedFunction, K::Digit1, Shift, "Shift+1"),
        (M::FixedFunctionF16, K::Digit2, Shift, "Shift+2"),
        (M::Auto, K::Digit3, Shift, "Shift+3"),
        (M::WaveLerpKnownLast, K::Digit4, Shift, "Shift+4"),
        (M::SplitBatches, K::Digit5, Shift, "Shift+5"),
    ]
};

/// All other keys: the key, what must be held with it, how it is written, its action, and what it does.
#[rustfmt::skip]
const OTHER_KEYS: &[(KeyCode, With, &str, Action, &str)] = {
    use Action as A;
    use KeyCode as K;
    use With::{Ctrl, Nothing, Shift};
    &[
        (K::KeyB, Nothing, "B", A::NextOther, "next method B, to compare with"),
        (K::Space, Nothing, "Space", A::TogglePause, "pause or play"),
        (K::Period, Nothing, ".", A::Step, "one frame forward"),
        (K::KeyX, Nothing, "X", A::ToggleSplit, "split view on or off"),
        (K::KeyZ, Nothing, "Z", A::ToggleBlink, "blink between A and B"),
        (K::KeyR, Nothing, "R", A::HoldReference, "hold: show the reference"),
        (K::KeyF, Nothing, "F", A::NextDifference, "next difference view"),
        (K::KeyV, Nothing, "V", A::NextDebug, "next debug view"),
        (K::KeyN, Nothing, "N", A::ToggleMetrics, "metrics of A against B on or off"),
        (K::KeyI, Nothing, "I", A::ToggleProbe, "probe the pixel under the mouse"),
        (K::KeyL, Nothing, "L", A::LockProbe, "lock or unlock the probe"),
        (K::KeyM, Nothing, "M", A::Measure, "measure all methods"),
        (K::KeyK, Nothing, "K", A::Calibrate, "calibrate auto for this adapter"),
        (K::Backspace, Nothing, "Backspace", A::CancelWork, "stop a measurement, calibration, \
            benchmark or comparison set"),
        (K::KeyC, Nothing, "C", A::NextCamera, "next camera: the scene's, then stored ones"),
        (K::KeyC, Shift, "Shift+C", A::StoreCamera, "store the camera"),
        (K::KeyC, Ctrl, "Ctrl+C", A::CopyCommand, "copy the command line of this view"),
        (K::KeyP, Nothing, "P", A::TogglePanes, "panes on or off"),
        (K::F6, Nothing, "F6", A::Arrange(Arrangement::Compare), "pane arrangement: compare"),
        (K::F7, Nothing, "F7", A::Arrange(Arrangement::Profile), "pane arrangement: profile"),
        (K::F8, Nothing, "F8", A::Arrange(Arrangement::Picture), "pane arrangement: picture"),
        (K::KeyG, Nothing, "G", A::NextLayout, "one picture, with the difference, or A, B and the difference"),
        (K::KeyH, Nothing, "H", A::ToggleLabels, "names, scales and marks on the picture on or off"),
        (K::KeyO, Nothing, "O", A::ResetZoom, "reset the zoom"),
        (K::KeyT, Nothing, "T", A::ToggleTheme, "light/dark theme"),
        (K::F1, Nothing, "F1", A::ToggleKeys, "this list"),
        (K::Slash, Shift, "?", A::ToggleKeys, "this list"),
        (K::F2, Nothing, "F2", A::Screenshot, "save the picture"),
        (K::F2, Shift, "Shift+F2", A::ComparisonSet, "save the comparison set, like capture"),
        (K::F2, Ctrl, "Ctrl+F2", A::ScreenshotOfWindow, "save the whole window"),
        (K::KeyO, Ctrl, "Ctrl+O", A::Browse(Pick::Open), "open a scene, splats, a model or a preset"),
        (K::F5, Nothing, "F5", A::SavePreset, "save all settings as the preset named in pane Files"),
        (K::F9, Nothing, "F9", A::LoadPreset, "load that preset"),
        (K::F12, Nothing, "F12", A::Record, "record a RenderDoc frame of each shown method"),
        (K::Escape, Nothing, "Esc", A::CloseTop, "close the topmost: menu, this list, card"),
        (K::KeyQ, Ctrl, "Ctrl+Q", A::Quit, "quit"),
    ]
};

/// Every key.
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

/// How the key of an action is written, if it has one.
pub fn key_for(action: &Action) -> &'static str {
    let row = KEYS.iter().find(|row| row.action == *action);
    row.map_or("none", |row| row.name)
}

/// What a key does with these modifiers held, if anything. Keys count by their place, as those that one flies by; with
/// Ctrl letters count as they are `written`, as in every program.
pub fn action_of(key: PhysicalKey, written: &Written, modifiers: ModifiersState) -> Option<Action> {
    let PhysicalKey::Code(code) = key else {
        return None;
    };
    let is_ctrl = modifiers.control_key() || (cfg!(target_os = "macos") && modifiers.super_key());
    let with = match (modifiers.shift_key(), is_ctrl) {
        (false, false) => With::Nothing,
        (true, false) => With::Shift,
        (false, true) => With::Ctrl,
        (true, true) => return None,
    };
    let is_pressed = |row: &&Key| match (with, written) {
        (With::Ctrl, Written::Character(text)) if text.is_ascii() => {
            let name = row.name.strip_prefix("Ctrl+");
            name.is_some_and(|name| name.eq_ignore_ascii_case(text))
        }
        _ => row.code == code && row.with == with,
    };
    KEYS.iter().find(is_pressed).map(|row| row.action.clone())
}

#[cfg(test)]
mod tests {
    use winit::keyboard::NamedKey;

    use super::*;

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
    fn every_method_has_a_key() {
        for method in Method::all() {
            assert_ne!(key_of(method), "none", "{method}");
        }
    }

    /// What a key of the usual layout does.
    fn action(code: KeyCode, written: &str, modifiers: ModifiersState) -> Option<Action> {
        let written = Written::Character(written.into());
        action_of(PhysicalKey::Code(code), &written, modifiers)
    }

    #[test]
    fn a_modifier_makes_another_key_of_it() {
        let c = |modifiers| action(KeyCode::KeyC, "c", modifiers);
        assert_eq!(c(ModifiersState::empty()), Some(Action::NextCamera));
        assert_eq!(c(ModifiersState::SHIFT), Some(Action::StoreCamera));
        assert_eq!(c(ModifiersState::CONTROL), Some(Action::CopyCommand));
        assert_eq!(c(ModifiersState::SHIFT | ModifiersState::CONTROL), None);
        let f2 = PhysicalKey::Code(KeyCode::F2);
        let f2 = action_of(f2, &Written::Named(NamedKey::F2), ModifiersState::CONTROL);
        assert_eq!(f2, Some(Action::ScreenshotOfWindow));
    }

    #[test]
    fn no_key_that_one_flies_by_does_anything_else_while_one_flies() {
        for (code, written) in [
            (KeyCode::KeyW, "w"),
            (KeyCode::KeyA, "a"),
            (KeyCode::KeyS, "s"),
            (KeyCode::KeyD, "d"),
            (KeyCode::KeyQ, "q"),
            (KeyCode::KeyE, "e"),
        ] {
            for held in [
                ModifiersState::empty(),
                ModifiersState::SHIFT,
                ModifiersState::ALT,
            ] {
                assert_eq!(action(code, written, held), None, "{written}");
            }
        }
    }

    #[test]
    fn ctrl_q_quits_by_the_letter_on_the_key_on_every_layout() {
        let ctrl = ModifiersState::CONTROL;
        assert_eq!(action(KeyCode::KeyQ, "q", ctrl), Some(Action::Quit));
        // On a French keyboard A, which selects all, is where Q is on an English one.
        assert_eq!(action(KeyCode::KeyQ, "a", ctrl), None);
        assert_eq!(action(KeyCode::KeyA, "q", ctrl), Some(Action::Quit));
        // Letters that are not Latin count by their place.
        assert_eq!(action(KeyCode::KeyQ, "й", ctrl), Some(Action::Quit));
        let escape = PhysicalKey::Code(KeyCode::Escape);
        let written = Written::Named(NamedKey::Escape);
        let none = ModifiersState::empty();
        assert_eq!(action_of(escape, &written, none), Some(Action::CloseTop));
    }
}
