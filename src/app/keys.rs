//! The one table of keys: it drives handling, the key window, the README section and a test that
//! finds duplicates. Knows no window and no state, only names.

use winit::keyboard::{KeyCode, ModifiersState, PhysicalKey};

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Composite by the method of this number in the table's order.
    PickMethod(usize),
    /// Composite the right side of the split by the next method.
    NextOther,
    /// Pause or run the clock.
    TogglePause,
    /// One frame forward while paused.
    Step,
    /// Split view on or off.
    ToggleSplit,
    /// Next difference mode.
    NextDifference,
    /// Show the reference for as long as the key is held.
    HoldReference,
    /// Next camera preset of the scene.
    NextCamera,
    /// Panel on or off.
    TogglePanel,
    /// Key window on or off.
    ToggleKeys,
    /// Save the view without the panel.
    Screenshot,
    /// Close the window.
    Quit,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// The physical key.
    pub code: KeyCode,
    /// Whether Shift must be held.
    pub shift: bool,
    /// How it is written for people.
    pub name: &'static str,
    /// What it does.
    pub action: Action,
    /// The same for people.
    pub help: &'static str,
}

const fn key(code: KeyCode, name: &'static str, action: Action, help: &'static str) -> Key {
    Key {
        code,
        shift: false,
        name,
        action,
        help,
    }
}

/// Every key.
pub const KEYS: &[Key] = &[
    key(KeyCode::Digit1, "1", Action::PickMethod(0), "pixel-loop"),
    key(
        KeyCode::Digit2,
        "2",
        Action::PickMethod(1),
        "read-lane-loop",
    ),
    key(
        KeyCode::Digit3,
        "3",
        Action::PickMethod(2),
        "wave-lerp-product",
    ),
    key(
        KeyCode::Digit4,
        "4",
        Action::PickMethod(3),
        "wave-lerp-ballot",
    ),
    key(
        KeyCode::Digit5,
        "5",
        Action::PickMethod(4),
        "wave-lerp-ballot-scalar",
    ),
    key(
        KeyCode::Digit6,
        "6",
        Action::PickMethod(5),
        "wave-lerp-find-msb",
    ),
    key(
        KeyCode::Digit7,
        "7",
        Action::PickMethod(6),
        "wave-lerp-padded",
    ),
    key(
        KeyCode::KeyB,
        "B",
        Action::NextOther,
        "next method on the right side",
    ),
    key(KeyCode::Space, "Space", Action::TogglePause, "pause or run"),
    key(KeyCode::Period, ".", Action::Step, "one frame forward"),
    key(
        KeyCode::KeyX,
        "X",
        Action::ToggleSplit,
        "split view on or off",
    ),
    key(
        KeyCode::KeyF,
        "F",
        Action::NextDifference,
        "next difference mode",
    ),
    key(
        KeyCode::KeyR,
        "R",
        Action::HoldReference,
        "hold: show the reference",
    ),
    key(KeyCode::KeyC, "C", Action::NextCamera, "next camera preset"),
    key(KeyCode::KeyP, "P", Action::TogglePanel, "panel on or off"),
    key(KeyCode::F1, "F1", Action::ToggleKeys, "this list"),
    key(
        KeyCode::F2,
        "F2",
        Action::Screenshot,
        "save the view as a picture",
    ),
    key(KeyCode::Escape, "Esc", Action::Quit, "close"),
];

/// What a key does with these modifiers held, if anything.
pub fn action_of(key: PhysicalKey, modifiers: ModifiersState) -> Option<Action> {
    let PhysicalKey::Code(code) = key else {
        return None;
    };
    KEYS.iter()
        .find(|row| row.code == code && row.shift == modifiers.shift_key())
        .map(|row| row.action)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods::Method;

    #[test]
    fn no_key_stands_for_two_things() {
        for (index, a) in KEYS.iter().enumerate() {
            for b in &KEYS[index + 1..] {
                assert!(
                    (a.code, a.shift) != (b.code, b.shift) && a.name != b.name,
                    "{} and {} share a key",
                    a.help,
                    b.help
                );
            }
        }
    }

    #[test]
    fn the_digits_pick_the_methods_in_the_tables_order() {
        for (number, method) in Method::all().enumerate() {
            let row = KEYS
                .iter()
                .find(|row| row.action == Action::PickMethod(number));
            assert_eq!(row.map(|row| row.help), Some(method.name()));
            assert_eq!(
                row.map(|row| row.name.to_owned()),
                Some((number + 1).to_string())
            );
        }
    }
}
