//! The pixel under the mouse and the probed pixel: description, lock and mark.

use egui::PointerButton;

use wavelerp::model::methods::Method;
use wavelerp::viewer::dock::Pane;
use wavelerp::viewer::images::Image;
use wavelerp::viewer::view::Layout;

use super::headless::{WITH_PANES, Window, in_window};
use super::{SIZE, WIDE};

/// Turns on the probe, and shows A, B and their difference side by side.
fn probing(window: &mut Window) {
    let chosen = &mut window.state().comparison.chosen;
    (chosen.a, chosen.layout) = (Method::ReadLaneLoop, Layout::SideBySide);
    window.keys(&["i"]);
    window.frame();
    assert!(window.state().panes.dock.shows(Pane::Probe));
}

fn images(window: &mut Window) -> Vec<Image> {
    let state = window.state();
    state.comparison.images(&state.panes.picture, SIZE)
}

/// Position in the window of the centre of a picture's pixel.
fn place(window: &mut Window, image: usize, pixel: [u32; 2]) -> [u32; 2] {
    let placement = images(window)[image].placement;
    let corner = placement.corner_of(pixel);
    corner.map(|along| (along + placement.pixel_edge() / 2.0) as u32)
}

/// A position on the probe pane.
const ON_THE_PANE: [u32; 2] = [200, 650];

#[test]
fn the_probed_pixel_stays_when_the_mouse_leaves_and_is_locked_by_key_and_by_click() {
    in_window(WITH_PANES, |window| {
        probing(window);
        let probe =
            |window: &mut Window| (window.state().probe.pixel(), window.state().probe.is_locked);
        for (image, pixel) in [(0, [30, 20]), (1, [31, 40]), (2, [100, 50])] {
            let at = place(window, image, pixel);
            window.point(at);
            assert_eq!(probe(window), (Some(pixel), false));
        }
        window.point(ON_THE_PANE);
        assert_eq!(window.state().probe.hovered, None);
        assert_eq!(probe(window), (Some([100, 50]), false), "the probe stays");
        window.keys(&["l"]);
        assert_eq!(probe(window), (Some([100, 50]), true));
        let other = place(window, 1, [60, 60]);
        window.point(other);
        assert_eq!(probe(window), (Some([100, 50]), true), "locked");
        window.click(other);
        assert_eq!(probe(window), (Some([60, 60]), true));
        window.keys(&["l"]);
        let at = place(window, 0, [10, 10]);
        window.point(at);
        assert_eq!(probe(window), (Some([10, 10]), false), "the probe follows");
        // Without the probe a click does nothing.
        window.keys(&["i"]);
        window.click(at);
        assert!(!window.state().probe.on && !window.state().probe.is_locked);
    });
}

#[test]
fn a_drag_turns_the_camera_by_all_of_its_way_and_locks_nothing_and_a_click_turns_nothing() {
    in_window(WITH_PANES, |window| {
        probing(window);
        let camera = |window: &mut Window| window.state().subject.camera().expect("a camera");
        let before = camera(window);
        let from = place(window, 0, [80, 45]);
        window.point(from);
        window.press(from, PointerButton::Primary, true);
        let near = [from[0] + 2, from[1] + 1];
        window.point(near);
        window.press(near, PointerButton::Primary, false);
        window.frame();
        assert_eq!(camera(window), before, "an unsteady click");
        assert!(window.state().probe.is_locked);
        window.keys(&["l"]);
        window.drag(from, [from[0] + 40, from[1]], PointerButton::Primary);
        assert!(!window.state().probe.is_locked);
        let mut turned = before;
        turned.orbit(20.0, 0.0);
        turned.orbit(20.0, 0.0);
        assert_eq!(camera(window), turned);
    });
}

/// The yellow of the ring around a locked pixel.
const YELLOW: [u8; 3] = [255, 217, 77];

#[test]
fn the_probed_pixel_is_marked_in_every_picture() {
    in_window(WITH_PANES, |window| {
        probing(window);
        let pixel = [70, 40];
        let at = place(window, 0, pixel);
        window.click(at);
        window.point(ON_THE_PANE);
        window.frame();
        for layout in [Layout::SideBySide, Layout::WithDifference, Layout::Single] {
            window.state().comparison.chosen.layout = layout;
            window.state().comparison.chosen.split_on = false;
            window.frame();
            window.frame();
            let picture = window.grab();
            for image in 0..images(window).len() {
                let [x, y] = place(window, image, pixel);
                let is_marked = |reach: u32| {
                    let colour = picture.at([x + reach, y]);
                    let mut channels = colour.iter().zip(YELLOW);
                    channels.all(|(now, yellow)| now.abs_diff(yellow) < 60)
                };
                assert!((8..14).any(is_marked), "{layout:?} {image}");
            }
        }
    });
}

#[test]
fn a_line_has_the_values_of_a_and_b_and_their_difference_wherever_the_mouse_is() {
    in_window(WITH_PANES, |window| {
        probing(window);
        window.keys(&["i"]);
        for image in 0..3 {
            let at = place(window, image, [50 + image as u32, 30]);
            window.point(at);
            let said = window.until("the values are shown", |window| {
                let said = window.state().panes.picture.pointed_at.clone()?;
                said.contains("A - B").then_some(said)
            });
            let pixel = format!("pixel {},30  A rgb ", 50 + image);
            assert!(said.starts_with(&pixel), "{said}");
            let numbers = |part: &str| -> Vec<f32> {
                let words = part.split(' ');
                words.filter_map(|word| word.parse().ok()).collect()
            };
            let parts: Vec<_> = said.split("  ").skip(1).map(numbers).collect();
            let [a, b, difference] = &parts[..] else {
                panic!("{said}")
            };
            assert_eq!([a.len(), b.len(), difference.len()], [4; 3], "{said}");
            assert!(a[3] > 0.0, "the pixel has layers: {said}");
            for channel in 0..4 {
                let is_same = difference[channel] == 0.0;
                assert_eq!(a[channel] == b[channel], is_same, "{said}");
            }
        }
        window.point(ON_THE_PANE);
        window.frame();
        assert_eq!(window.state().panes.picture.pointed_at, None);
    });
}

#[test]
fn the_arrangement_picture_has_the_largest_picture_that_the_window_holds() {
    in_window(WITH_PANES, |window| {
        probing(window);
        for size in [WIDE, [1000, 1000], [1600, 500]] {
            window.resize(size);
            window.keys(&["F8"]);
            window.frame();
            window.frame();
            let all = images(window);
            assert_eq!(all.len(), 1);
            let edge = all[0].placement.pixel_edge();
            let shown = SIZE.map(|length| length as f32 * edge);
            // The bar at the top takes 34 points.
            let room = [size[0] as f32, size[1] as f32 - 34.0];
            let fills = (0..2).any(|axis| shown[axis] > room[axis] - 2.0);
            assert!(fills, "{shown:?} in {size:?}");
            // A single key restores the arrangement.
            window.keys(&["F6"]);
            window.frame();
            assert_eq!(images(window).len(), 2);
        }
    });
}
