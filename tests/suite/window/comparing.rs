//! Methods, comparisons and what floats over the picture, by keys and mouse: each picture that F2 saves
//! says in its name what it shows, and is what the window shows.

use clap::ValueEnum;
use wavelerp::model::methods::Method;
use wavelerp::viewer::keys::key_of;
use wavelerp::viewer::view::View;

use super::display::wait;
use super::program::{Program, Shot};
use super::{Desk, SIZE, TEMPLE, WIDE, WINDOW, with_panes};

/// The split line's colour.
const LINE: [u8; 3] = [255, 217, 77];

/// Takes pictures until the window shows exactly the newest: what a debug view's colours stand for comes
/// back from the GPU a few frames late.
fn settled(program: &mut Program) -> Shot {
    let settled = wait(|| {
        let shot = program.shot();
        let (area, _) = program.picture_area(SIZE)?;
        (area == shot.picture).then_some(shot)
    });
    settled.unwrap_or_else(|| program.fail("the view does not come to rest"))
}

fn is_line(colour: [u8; 3]) -> bool {
    let mut pairs = colour.iter().zip(LINE);
    pairs.all(|(channel, of_line)| channel.abs_diff(of_line) <= 1)
}

#[test]
fn every_method_is_a_key_away_and_shows_the_same_picture() {
    let desk = Desk::new();
    let mut program = desk.open(TEMPLE, WINDOW);
    let mut first = None;
    for method in Method::all() {
        program.keys(&[&key_of(method).replace("Shift", "shift")]);
        let shot = program.shot();
        assert!(
            shot.is_of(method.name()),
            "{method}: {}",
            shot.path.display()
        );
        assert_eq!(program.shows(&shot.picture), 1, "{method}");
        assert!(shot.picture.is_lively(), "{method}");
        let difference = first
            .get_or_insert(shot.picture.clone())
            .difference(&shot.picture);
        // Half floats are seen in the picture: a few steps of 255, not more.
        let most = if method.rounds_to_half() { 8 } else { 1 };
        assert!(difference <= most, "{method} differs by {difference}");
    }
    // Half a second later it is another picture: the comparison can fail.
    program.keys(&["period"; 30]);
    let later = program.shot();
    let first = first.expect("there are methods");
    assert!(first.difference(&later.picture) > 8);
    program.close();
}

#[test]
fn split_blink_and_the_reference_show_another_method() {
    let desk = Desk::new();
    let mut program = desk.open(TEMPLE, WINDOW);
    program.keys(&["7"]);
    let plain = program.shot();
    assert!(plain.is_of("wave-lerp-deferred"));

    program.keys(&["x"]);
    let split = program.shot();
    assert!(split.is_of("wave-lerp-deferred-beside-pixel-loop"));
    program.shows(&split.picture);
    assert!(is_line(split.picture.at([80, 45])));
    assert!(!is_line(split.picture.at([120, 45])));

    let top = (WINDOW[1] - SIZE[1]) / 2;
    let at = |x: u32| [x, top + 45];
    program.drag(at(80), at(120), "1");
    let dragged = program.shot();
    assert!(is_line(dragged.picture.at([120, 45])));
    assert!(!is_line(dragged.picture.at([80, 45])));

    program.keys(&["b"]);
    let other = program.shot();
    assert!(other.is_of("wave-lerp-deferred-beside-read-lane-loop"));

    program.keys(&["x", "z"]);
    let shows_b = |program: &mut Program| {
        let shot = program.shot();
        shot.is_of("wave-lerp-deferred-beside-read-lane-loop")
    };
    for b in [true, false, true] {
        wait(|| (shows_b(&mut program) == b).then_some(()))
            .unwrap_or_else(|| program.fail("the window does not blink"));
    }
    program.keys(&["z"]);
    let back = program.shot();
    assert!(back.is_of("wave-lerp-deferred"));
    assert!(back.picture == plain.picture);

    program.hold("r", true);
    let held = program.shot();
    program.hold("r", false);
    assert!(held.is_of("pixel-loop"));
    assert!(program.shot().is_of("wave-lerp-deferred"));
    program.close();
}

#[test]
fn difference_and_debug_views_are_on_screen_one_after_the_other() {
    let desk = Desk::new();
    let mut program = desk.open(TEMPLE, WINDOW);
    program.keys(&["3"]);
    let plain = program.shot();
    for (key, belongs) in [
        ("f", View::is_difference as fn(View) -> bool),
        ("v", |view| view.debug().is_some()),
    ] {
        for view in View::value_variants()
            .iter()
            .copied()
            .filter(|view| belongs(*view))
        {
            program.keys(&[key]);
            let shot = settled(&mut program);
            let name = view.name().replace(' ', "-");
            assert!(
                shot.is_of(&format!("wave-lerp-product-{name}-pixel-loop")),
                "{view:?}: {}",
                shot.path.display()
            );
            let changed = shot.picture.share_changed(&plain.picture);
            assert!(changed > 0.5, "{view:?} changes {changed} of the picture");
        }
        program.keys(&[key]);
        let back = program.shot();
        assert!(back.is_of("wave-lerp-product"));
        assert!(back.picture == plain.picture, "{key} comes back");
    }

    // The two do differ, and pixel-loop does not differ from itself.
    let black = |shot: &Shot| shot.picture.pixels.iter().all(|pixel| *pixel == [0; 3]);
    program.keys(&["f"]);
    assert!(!black(&program.shot()));
    program.keys(&["1"]);
    assert!(black(&program.shot()));
    program.close();
}

#[test]
fn what_floats_over_the_picture_and_the_panes_leave_it_as_it_was() {
    let desk = Desk::new();
    let mut program = desk.open(TEMPLE, WINDOW);
    let plain = program.shot().picture;
    program.shows(&plain);
    for key in ["F1", "h"] {
        program.keys(&[key]);
        program.shows_more_than(&plain, 0.02);
        program.keys(&[key]);
        program.shows(&plain);
    }
    let against = "--against pixel-loop";
    assert!(
        program.shot_by("ctrl+F2").command.contains(against),
        "metrics need B"
    );
    program.keys(&["n"]);
    assert!(!program.shot_by("ctrl+F2").command.contains(against));
    program.shows(&plain);

    program.resize([8 * SIZE[0], 8 * SIZE[1]]);
    assert_eq!(program.shows(&plain), 8);
    program.keys(&["p"]);
    program.shows_more_than(&plain.enlarged(1), 0.2);
    program.keys(&["p"]);
    assert_eq!(program.shows(&plain), 8);
    program.close();
}

#[test]
fn measuring_is_seen_and_can_be_stopped() {
    let desk = Desk::new();
    let mut program = desk.open(&with_panes(), WIDE);
    // Times change from frame to frame while nothing is measured too: what counts is the bar of its progress.
    let plain = program.shot().picture;
    program.keys(&["m", "m"]);
    assert!(program.shot().picture == plain);
    program.close();
}

#[test]
fn the_mouse_moves_the_camera_and_c_brings_it_back() {
    let desk = Desk::new();
    let mut program = desk.open(TEMPLE, WINDOW);
    let plain = program.shot().picture;
    let middle = [SIZE[0] / 2, WINDOW[1] / 2];
    for button in ["1", "2", "3"] {
        program.drag(middle, [middle[0] + 60, middle[1] + 20], button);
        let moved = program.shot();
        let changed = moved.picture.share_changed(&plain);
        assert!(changed > 0.5, "button {button}: {changed}");
        program.shows(&moved.picture);
        program.keys(&["c"]);
        assert!(program.shot().picture == plain);
    }
    program.close();
}

#[test]
fn the_range_of_a_difference_is_fitted_also_without_metrics_and_held_while_the_scene_runs() {
    let desk = Desk::new();
    let mut program = desk.open(TEMPLE, WINDOW);
    program.keys(&["7", "n", "f", "f", "f", "f"]);
    let range = |shot: &Shot| {
        let (_, rest) = shot.command.split_once("--difference-range ")?;
        rest.split(' ').next().map(str::to_owned)
    };
    let fitted = wait(|| range(&program.shot()));
    let fitted = fitted.unwrap_or_else(|| program.fail("no range is fitted"));
    assert_ne!(fitted, "1e-9..1", "that of nothing");
    program.keys(&["period"; 20]);
    assert_eq!(range(&settled(&mut program)), Some(fitted.clone()));
    // Half floats are far off; the range is another one.
    program.keys(&["shift+2"]);
    let other = wait(|| range(&program.shot()).filter(|range| *range != fitted));
    assert!(other.is_some(), "negative control: {fitted}");
    program.close();
}
