//! Methods, comparisons and overlays, chosen with keys and mouse: each saved picture names its content, and equals the
//! picture in the window.

use std::path::Path;
use std::time::Duration;

use clap::ValueEnum;
use egui::PointerButton;
use wavelerp::model::methods::Method;
use wavelerp::viewer::images::SIDE_COLORS;
use wavelerp::viewer::keys::key_of;
use wavelerp::viewer::view::{Layout, View};

use super::grab::Picture;
use super::headless::{BARE, Shot, WITH_PANES, Window, in_window};
use super::{SIZE, WINDOW};

/// Colour of the split line.
const LINE: [u8; 3] = [255, 217, 77];

/// Takes pictures until the window shows exactly the latest one: the colour range of a debug view arrives from the GPU
/// a few frames late.
fn settled(window: &mut Window) -> Shot {
    window.until("the view comes to rest", |window| {
        let shot = window.shot();
        // The message about the saved file would cover the picture.
        window.state().messages = Default::default();
        let (area, _) = window.grab().area(SIZE);
        (area == shot.picture).then_some(shot)
    })
}

fn is_line(colour: [u8; 3]) -> bool {
    let mut pairs = colour.iter().zip(LINE);
    pairs.all(|(channel, of_line)| channel.abs_diff(of_line) <= 1)
}

#[test]
fn every_exact_method_is_a_key_away_and_shows_the_same_picture() {
    in_window(BARE, |window| {
        let mut first = None;
        for method in Method::exact() {
            window.keys(&[&key_of(method).replace("Shift", "shift")]);
            let shot = window.shot();
            assert_eq!(shot.of, method.name());
            assert_eq!(window.shows(&shot.picture), 1, "{method}");
            assert!(shot.picture.is_lively(), "{method}");
            let difference = first
                .get_or_insert(shot.picture.clone())
                .difference(&shot.picture);
            // Half floats are visible in the picture: a few steps of 255, not more.
            let most = if method.rounds_to_half() { 8 } else { 1 };
            assert!(difference <= most, "{method} differs by {difference}");
        }
        // Half a second later the picture differs: the comparison can fail.
        window.keys(&["."; 30]);
        let later = window.shot();
        let first = first.expect("there are methods");
        assert!(first.difference(&later.picture) > 8);
    });
}

#[test]
fn split_blink_and_the_reference_show_another_method() {
    in_window(BARE, |window| {
        window.keys(&["7"]);
        let plain = window.shot();
        assert_eq!(plain.of, "wave-lerp-deferred");

        window.keys(&["x"]);
        let split = window.shot();
        assert_eq!(split.of, "wave-lerp-deferred-beside-pixel-loop");
        window.shows(&split.picture);
        assert!(is_line(split.picture.at([80, 45])));
        assert!(!is_line(split.picture.at([120, 45])));

        let top = (WINDOW[1] - SIZE[1]) / 2;
        let at = |x: u32| [x, top + 45];
        window.drag(at(80), at(120), PointerButton::Primary);
        let dragged = window.shot();
        assert!(is_line(dragged.picture.at([120, 45])));
        assert!(!is_line(dragged.picture.at([80, 45])));

        window.keys(&["b"]);
        let other = window.shot();
        assert_eq!(other.of, "wave-lerp-deferred-beside-read-lane-loop");

        window.keys(&["x", "z"]);
        let shows_b = |window: &mut Window| {
            let shot = window.shot();
            shot.of == "wave-lerp-deferred-beside-read-lane-loop"
        };
        for b in [true, false, true] {
            window.frame_after(Duration::from_millis(500), Vec::new());
            assert_eq!(shows_b(window), b, "the window does not blink");
        }
        window.keys(&["z"]);
        let back = window.shot();
        assert_eq!(back.of, "wave-lerp-deferred");
        assert!(back.picture == plain.picture);

        window.hold("r", true);
        let held = window.shot();
        window.hold("r", false);
        assert_eq!(held.of, "pixel-loop");
        assert_eq!(window.shot().of, "wave-lerp-deferred");
    });
}

#[test]
fn difference_and_debug_views_are_on_screen_one_after_the_other() {
    in_window(BARE, |window| {
        window.keys(&["3"]);
        let plain = window.shot();
        for (key, belongs) in [
            ("f", View::is_difference as fn(View) -> bool),
            ("v", |view| view.debug().is_some()),
        ] {
            let views = View::value_variants().iter().copied();
            for view in views.filter(|view| belongs(*view)) {
                window.keys(&[key]);
                let shot = settled(window);
                let name = view.name();
                assert_eq!(shot.of, format!("wave-lerp-product-{name}-pixel-loop"));
                let changed = shot.picture.share_changed(&plain.picture);
                assert!(changed > 0.5, "{view:?} changes {changed} of the picture");
            }
            window.keys(&[key]);
            let back = window.shot();
            assert_eq!(back.of, "wave-lerp-product");
            assert!(back.picture == plain.picture, "{key} comes back");
        }

        // The two methods differ, and pixel-loop does not differ from itself.
        let black = |shot: &Shot| shot.picture.pixels.iter().all(|pixel| *pixel == [0; 3]);
        window.keys(&["f"]);
        assert!(!black(&window.shot()));
        window.keys(&["1"]);
        assert!(black(&window.shot()));
    });
}

#[test]
fn what_floats_over_the_picture_and_the_panes_leave_it_as_it_was() {
    in_window(BARE, |window| {
        let plain = window.shot().picture;
        window.shows(&plain);
        for key in ["F1", "h"] {
            window.keys(&[key]);
            window.shows_more_than(&plain, 0.02);
            window.keys(&[key]);
            window.shows(&plain);
        }
        let against = "--against pixel-loop";
        assert!(window.state().command().contains(against), "metrics need B");
        window.keys(&["n"]);
        assert!(!window.state().command().contains(against));
        window.shows(&plain);

        window.resize([8 * SIZE[0], 8 * SIZE[1]]);
        assert_eq!(window.shows(&plain), 8);
        window.keys(&["p"]);
        window.shows_more_than(&plain.enlarged(1), 0.2);
        window.keys(&["p"]);
        assert_eq!(window.shows(&plain), 8);
    });
}

#[test]
fn measuring_is_seen_and_can_be_stopped() {
    in_window(WITH_PANES, |window| {
        let picture = window.shot().picture;
        // The button and the progress bar of the methods pane are here.
        let pane = |window: &Window| window.grab().part([0, 75], [390, 45]);
        let plain = pane(window);
        window.keys(&["m"]);
        window.frame();
        assert!(window.host.viewer.is_measuring());
        assert!(pane(window).share_changed(&plain) > 0.02);
        window.keys(&["m"]);
        assert!(!window.host.viewer.is_measuring());
        assert!(window.shot().picture == picture);
    });
}

#[test]
fn the_mouse_moves_the_camera_and_c_brings_it_back() {
    in_window(BARE, |window| {
        let plain = window.shot().picture;
        let middle = [SIZE[0] / 2, WINDOW[1] / 2];
        use PointerButton::{Middle, Primary, Secondary};
        for button in [Primary, Secondary, Middle] {
            window.drag(middle, [middle[0] + 60, middle[1] + 20], button);
            let moved = window.shot();
            let changed = moved.picture.share_changed(&plain);
            assert!(changed > 0.5, "{button:?}: {changed}");
            window.shows(&moved.picture);
            window.keys(&["c"]);
            assert!(window.shot().picture == plain);
        }
    });
}

#[test]
fn the_range_of_a_difference_is_fitted_also_without_metrics_and_held_while_the_scene_runs() {
    in_window(BARE, |window| {
        window.keys(&["7", "n", "f", "f", "f", "f"]);
        let range = |shot: &Shot| {
            let (_, rest) = shot.command.split_once("--difference-range ")?;
            rest.split(' ').next().map(str::to_owned)
        };
        window.until_it("a range is fitted", |window| !window.state().is_to_fit());
        let fitted = range(&settled(window)).expect("a range of differences");
        assert_ne!(fitted, "1e-9..1", "the range for no difference");
        window.keys(&["."; 20]);
        assert_eq!(range(&settled(window)), Some(fitted.clone()));
        // Half floats have large differences, so the range changes.
        window.keys(&["shift+2"]);
        window.until("negative control: a different range is fitted", |window| {
            range(&window.shot()).filter(|range| *range != fitted)
        });
    });
}

#[test]
fn a_saved_split_picture_has_the_names_of_a_and_b_in_their_colors() {
    in_window(WITH_PANES, |window| {
        window.keys(&["2"]);
        let chosen = &mut window.state().comparison.chosen;
        (chosen.layout, chosen.split_on, chosen.labels_saved) = (Layout::Single, true, false);
        let named = window.shot().picture;
        window.state().comparison.chosen.labels = false;
        let plain = window.shot().picture;
        let [width, _] = plain.size;
        let middle = width / 2;
        let has = |of: &Picture, color: [u8; 3], columns: std::ops::Range<u32>| {
            columns.into_iter().any(|x| of.at([x, 6]) == color)
        };
        for (color, columns) in [(SIDE_COLORS[0], 0..middle), (SIDE_COLORS[1], middle..width)] {
            assert!(has(&named, color, columns.clone()) && !has(&plain, color, columns));
        }
        // Nothing is written below the names.
        let rest = |of: &Picture| of.part([0, 32], [width, 58]);
        assert!(rest(&named) == rest(&plain));
    });
}

#[test]
fn a_saved_picture_is_listed_by_its_whole_path() {
    in_window(WITH_PANES, |window| {
        window.keys(&["F2"]);
        let path = window.until("the file is listed", |window| {
            window.state().saved.paths().first().cloned()
        });
        assert!(Path::new(&path).is_absolute(), "{path}");
        assert!(window.has_said(&path), "{path}");
        std::fs::remove_file(&path).expect("the file exists");
    });
}
