//! The window used with the keyboard alone.

use std::collections::BTreeSet;
use std::time::Duration;

use egui::{Event, Key, Modifiers};
use wavelerp::error::Error;
use wavelerp::viewer::action::Pick;
use wavelerp::viewer::dock::{Arrangement, Pane};

use super::headless::{WITH_PANES, Window, in_window};

/// Colour of the focus ring in the dark theme, as in `src/viewer/panes/style.rs`.
const RING: [u8; 3] = [255, 214, 64];

/// The focused control.
fn focused(window: &Window) -> Option<egui::Response> {
    let context = window.host.viewer.context();
    context.read_response(context.memory(|memory| memory.focused())?)
}

/// True if a row of pixels near `y` has the ring's colour at `x`.
fn has_ring(window: &Window, [x, y]: [f32; 2]) -> bool {
    let picture = window.grab();
    let near = |row: i32| {
        let pixel = picture.at([x as u32, (y as i32 + row).max(0) as u32]);
        pixel.iter().zip(RING).all(|(a, b)| a.abs_diff(b) < 40)
    };
    (-2..=2).any(near)
}

#[test]
fn whatever_has_the_keyboard_is_in_sight_and_has_a_ring() {
    in_window(WITH_PANES, |window| {
        let mut seen = BTreeSet::new();
        for stop in 0..14 {
            window.keys(&["Tab"]);
            // The control is scrolled into view.
            for _ in 0..3 {
                window.frame_after(Duration::from_millis(300), Vec::new());
            }
            let control = focused(window).expect("Tab moves the focus");
            let rect = control.interact_rect;
            let out = format!("stop {stop} is out of sight: {:?}", control.rect);
            assert!(rect.is_positive(), "{out}");
            let top = [rect.center().x, rect.top()];
            assert!(has_ring(window, top), "stop {stop} at {rect:?}");
            seen.insert(control.id.value());
        }
        assert!(seen.len() > 12, "{}", seen.len());
    });
}

#[test]
fn ctrl_and_a_digit_open_a_pane_also_while_a_control_has_the_keyboard() {
    in_window(WITH_PANES, |window| {
        for (key, pane) in [
            ("ctrl+2", Pane::Scene),
            ("ctrl+7", Pane::Compare),
            ("ctrl+0", Pane::Code),
        ] {
            assert!(!window.state().panes.dock.shows(pane));
            window.keys(&["Tab", key]);
            window.frame();
            assert!(window.state().panes.dock.shows(pane), "{key}");
        }
        window.keys(&["Escape", "p", "ctrl+1"]);
        assert!(window.state().panes.open, "hidden panes come back");
    });
}

#[test]
fn function_keys_count_also_while_a_control_has_the_keyboard_and_letters_do_not() {
    in_window(WITH_PANES, |window| {
        window.keys(&["Tab"]);
        window.frame();
        let split = window.state().comparison.chosen.split_on;
        window.keys(&["x", "F8"]);
        window.frame();
        assert_eq!(window.state().comparison.chosen.split_on, split);
        let lit = window.state().panes.dock.arrangement();
        assert_eq!(lit, Some(Arrangement::Picture));
    });
}

#[test]
fn tab_goes_into_the_pane_that_a_key_has_opened_and_other_keys_go_on_before_it() {
    in_window(WITH_PANES, |window| {
        let place = |window: &Window| focused(window).map(|of| of.rect);
        window.keys(&["ctrl+2"]);
        window.frame();
        assert_eq!(place(window), None);
        let split = window.state().comparison.chosen.split_on;
        window.keys(&["x"]);
        assert_ne!(window.state().comparison.chosen.split_on, split);
        let pane = egui::Rect::from_x_y_ranges(0.0..=400.0, 50.0..=430.0);
        for _ in 0..2 {
            window.keys(&["Tab"]);
            window.frame();
            let place = place(window).expect("a control");
            let is_inside = pane.contains_rect(place);
            assert!(is_inside && place.height() < 40.0, "{place}");
        }
        // This also works from a control of another pane.
        window.keys(&["ctrl+7", "Tab"]);
        window.frame();
        let other = place(window).expect("a control");
        assert!(other.top() > 430.0 && other.left() < 400.0, "{other}");
    });
}

#[test]
fn a_path_that_failed_can_be_mended_at_once() {
    in_window(WITH_PANES, |window| {
        window.keys(&["ctrl+2"]);
        let said = |window: &mut Window| window.state().messages.faults.get(&Pane::Scene).cloned();
        let no_dialog = || Err(Error::failed("no file dialog can open"));
        window.state().panes.dock.open(Pane::Methods);
        window.host.viewer.browse(Pick::Open, no_dialog);
        window.until("the dialog's failure is shown", said);
        window.frame();
        // The focus is in a field for a path.
        assert!(window.state().panes.dock.shows(Pane::Scene));
        let mut typed = String::new();
        for part in ["gone/a", ".pl", "y"] {
            window.frame();
            window.keys(&["End"]);
            window.frame_of(vec![Event::Text(part.to_owned())]);
            typed += part;
            assert_eq!(window.state().files.typed, typed);
            window.keys(&["Enter"]);
            window.until("the missing file is reported", |window| {
                said(window).filter(|said| said.contains(&typed))
            });
        }
    });
}

#[test]
fn where_letters_are_not_latin_keys_with_ctrl_count_by_their_place() {
    in_window(WITH_PANES, |window| {
        // The key E of a QWERTY keyboard is the full stop on a Dvorak keyboard, and may be anything on a Greek keyboard.
        let ctrl = Modifiers::CTRL | Modifiers::COMMAND;
        let key = |pressed| Event::Key {
            key: Key::Period,
            physical_key: Some(Key::E),
            pressed,
            repeat: false,
            modifiers: ctrl,
        };
        for (text, opens) in [("x", false), ("λ", true), ("é", false)] {
            window.state().panes.dock = Default::default();
            window.frame_of(vec![Event::Text(text.to_owned())]);
            window.frame_of(vec![Event::ModifiersChanged(ctrl), key(true), key(false)]);
            window.frame_of(vec![Event::ModifiersChanged(Modifiers::NONE)]);
            assert_eq!(
                window.state().panes.dock.shows(Pane::Errors),
                opens,
                "{text}"
            );
        }
    });
}
