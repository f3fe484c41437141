//! A picture is displayed correctly when moved, magnified or at any scale, and the commands stored in it reproduce it.

use std::path::Path;

use egui::PointerButton;

use wavelerp::model::methods::Method;

use super::headless::{BARE, Window, in_window};
use super::program::command_in;
use super::{Picture, SIZE, WINDOW};
use crate::cli::Desk;
use crate::harness::{entries, name_of};

/// Runs a `wavelerp capture` line and returns the method's picture.
fn captured(line: &str, method: &str) -> Picture {
    let desk = Desk::new();
    let line = line.strip_prefix("wavelerp ").expect("a command");
    desk.run(&format!("{line} --out made")).good();
    Picture::read(&desk.path("made").join(format!("{method}.png")))
}

#[test]
fn a_camera_moved_by_hand_is_in_the_command() {
    in_window(BARE, |window| {
        let plain = window.shot();
        let middle = [SIZE[0] / 2, WINDOW[1] / 2];
        let there = [middle[0] + 40, middle[1] + 10];
        window.drag(middle, there, PointerButton::Primary);
        window.keys(&["1"]);
        let moved = window.shot();
        assert!(moved.picture.share_changed(&plain.picture) > 0.5);
        let same = captured(&moved.command, "pixel-loop");
        assert!(same == moved.picture, "capture makes another picture");
    });
}

#[test]
fn the_command_of_a_difference_view_opens_the_window_on_it_again() {
    in_window(BARE, |window| {
        window.keys(&["2", "f", "f", "f", "."]);
        let shot = window.shot();
        assert_eq!(shot.of, "read-lane-loop-red on grey-pixel-loop");
        window.shows(&shot.picture);
        // The test opens the same window as `run`, except for the display and the stopped clock.
        let line = shot.command.strip_prefix("wavelerp run ").expect("run");
        let line = line.replace("--paused", "");
        let [width, height] = WINDOW;
        let desk = Desk::new();
        let window = format!("--bare --window-size {width}x{height} --out again.png");
        desk.run(&format!("still {line} {window}")).good();
        let (again, _) = Picture::read(&desk.path("again.png")).area(SIZE);
        assert!(again == shot.picture);
    });
}

#[test]
fn at_scale_factor_2_the_picture_is_as_large_as_the_window_has_pixels() {
    let mut window = Window::open(WINDOW.map(|edge| 2 * edge), 2.0, |_| {});
    let plain = window.shot().picture;
    assert_eq!(window.shows(&plain), 2);
    for size in [[723, 359], [5, 3]] {
        window.resize(size);
        assert!(window.shot().picture == plain, "{size:?}");
    }
    window.resize([SIZE[0], 640]);
    assert_eq!(window.shows(&plain), 1);
}

#[test]
fn a_comparison_set_has_a_folder_of_its_own_and_one_that_is_stopped_leaves_nothing() {
    in_window(BARE, |window| {
        let parent = window.path("sets");
        std::fs::create_dir(&parent).expect("a folder");
        window.save_set(&parent);
        window.keys(&["Backspace"]);
        window.until_it("the log says that writing was stopped", |window| {
            window.has_said("comparison set: stopped")
        });
        assert!(entries(&parent).is_empty());

        // The set has all exact methods, and A of any kind.
        window.state().comparison.chosen.a = Method::Average;
        let of_methods = Method::exact()
            .chain([Method::Average])
            .map(|method| [format!("{method}.png"), format!("diff_{method}.png")]);
        let mut expected: Vec<String> = of_methods.flatten().collect();
        expected.extend(["index.html", "report.md", "report.json"].map(str::to_owned));
        expected.sort();
        window.save_set(&parent);
        window.until_it("the set is written", |window| window.has_said("saved "));
        window.save_set(&parent);
        window.until_it("another set is written", |_| {
            let mut folders = entries(&parent);
            // A set is written in a hidden folder, which gets its final name once the set is complete.
            folders.retain(|folder| !name_of(folder).starts_with('.'));
            let names_in = |folder: &Path| -> Vec<_> {
                entries(folder).iter().map(|path| name_of(path)).collect()
            };
            folders.len() == 2 && folders.iter().all(|folder| names_in(folder) == expected)
        });
        // The set uses the folder's shaders, and its commands name the folder.
        let picture = entries(&parent).swap_remove(0).join("read-lane-loop.png");
        let same = captured(&command_in(&picture), "read-lane-loop");
        assert!(same == Picture::read(&picture));
    });
}
