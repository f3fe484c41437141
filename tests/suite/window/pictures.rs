//! Pictures that the window saves: the view, the comparison set, the window itself.

use std::path::Path;

use super::display::text;
use super::program::{all_pictures, command_in, entries};
use super::{Desk, Picture, SIZE, TEMPLE, WIDE, WINDOW, with_panes};
use crate::cli::BINARY;

/// Runs a `wavelerp capture` line as it stands, with `--out FOLDER` behind it, and returns the method's
/// picture.
fn captured(desk: &Desk, line: &str, folder: &str, method: &str) -> Picture {
    assert!(line.starts_with("wavelerp capture "), "{line}");
    let programs = Path::new(BINARY).parent().expect("it is in a folder");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = [programs.into()]
        .into_iter()
        .chain(std::env::split_paths(&path));
    let mut shell = desk.command("sh");
    shell.args(["-c", &format!("{line} --out {folder}")]);
    shell.env("PATH", std::env::join_paths(path).expect("a PATH"));
    // The command names the shaders itself.
    shell.env_remove("WAVELERP_SHADERS");
    let output = shell.output().expect("there is a shell");
    assert!(output.status.success(), "{line}: {}", text(&output.stderr));
    Picture::read(&desk.path(folder).join(format!("{method}.png")))
}

#[test]
fn f2_saves_what_is_on_screen_and_its_command_makes_the_same_picture() {
    let desk = Desk::new();
    let mut program = desk.open(TEMPLE, WINDOW);
    program.keys(&["4"]);
    let shot = program.shot();
    assert!(shot.path.starts_with(desk.path("screenshots/local/temple")));
    assert!(shot.is_of("wave-lerp-ballot"));
    assert_eq!(program.shows(&shot.picture), 1);
    let same = captured(&desk, &shot.command, "same", "wave-lerp-ballot");
    assert!(same == shot.picture, "capture makes another picture");

    // Taken while the clock runs, it says at which moment.
    program.keys(&["space"]);
    let running = program.shot();
    program.keys(&["space"]);
    assert_ne!(running.command, shot.command);
    let same = captured(&desk, &running.command, "running", "wave-lerp-ballot");
    assert!(same == running.picture, "capture makes another picture");

    // Another moment is another picture.
    let (before, rest) = shot.command.split_once("--time ").expect("the time");
    let (time, after) = rest.split_once(' ').expect("more flags");
    let time: f32 = time.parse().expect("a number");
    let later = format!("{before}--time {} {after}", time + 1.0);
    let other = captured(&desk, &later, "other", "wave-lerp-ballot");
    assert!(other.difference(&shot.picture) > 8);
    program.close();
}

#[test]
fn a_camera_moved_by_hand_is_in_the_command() {
    let desk = Desk::new();
    let mut program = desk.open(TEMPLE, WINDOW);
    let plain = program.shot();
    let middle = [SIZE[0] / 2, WINDOW[1] / 2];
    program.drag(middle, [middle[0] + 40, middle[1] + 10], "1");
    program.keys(&["1"]);
    let moved = program.shot();
    assert!(moved.picture.share_changed(&plain.picture) > 0.5);
    let same = captured(&desk, &moved.command, "moved", "pixel-loop");
    assert!(same == moved.picture, "capture makes another picture");
    program.close();
}

#[test]
fn the_command_of_a_difference_view_opens_the_window_on_it_again() {
    let desk = Desk::new();
    let mut program = desk.open(TEMPLE, WINDOW);
    program.keys(&["2", "f", "f", "f", "period"]);
    let shot = program.shot();
    assert!(shot.is_of("read-lane-loop-red-on-grey-pixel-loop"));
    program.close();

    let arguments = shot.command.strip_prefix("wavelerp run ").expect("run");
    let mut again = desk.open(&format!("{arguments} --fresh --bare"), WINDOW);
    let same = again.shot();
    assert_eq!(same.command, shot.command);
    assert!(same.picture == shot.picture);
    again.shows(&shot.picture);
    again.close();
}

#[test]
fn ctrl_f2_saves_the_window_with_its_panes_and_f2_with_labels_what_is_on_screen() {
    let desk = Desk::new();
    let mut program = desk.open(TEMPLE, WINDOW);
    let plain = program.shot().picture;
    program.shows(&plain);
    let window = program.shot_by("ctrl+F2").picture;
    assert_eq!(window.size, WINDOW);
    let top = (WINDOW[1] - SIZE[1]) / 2;
    assert!(window.part([0, top], SIZE) == plain);
    program.close();

    let mut program = desk.open(&with_panes(), WIDE);
    let window = program.shot_by("ctrl+F2").picture;
    assert_eq!(window.size, WIDE);
    assert!(window.part([0, 0], [300, WIDE[1]]).is_lively());
    program.close();
}

#[test]
fn a_comparison_set_that_is_stopped_leaves_nothing_and_the_window_goes_on() {
    let desk = Desk::new();
    let mut program = desk.open(TEMPLE, WINDOW);
    program.keys(&["shift+F2", "BackSpace"]);
    program.shot();
    // Closing would finish a set that is under way: the test of endings is the negative control.
    program.keys(&["ctrl+q"]);
    let said = program.ended();
    let is_told = said.is_empty() || said.contains("comparison set: stopped");
    assert!(is_told, "{said}");
    let left = entries(&desk.path("screenshots/local/temple"));
    assert_eq!(left, all_pictures(&desk), "the one picture");
}

#[test]
fn shift_f2_writes_the_comparison_set_into_a_folder_of_its_own() {
    let desk = Desk::new();
    let program = desk.open(TEMPLE, WINDOW);
    let methods: Vec<_> = wavelerp::model::methods::Method::all().collect();
    let of_methods = methods
        .iter()
        .flat_map(|method| [format!("{method}.png"), format!("diff_{method}.png")]);
    let mut expected: Vec<String> = of_methods.collect();
    expected.extend(["sheet.png", "report.md", "report.json"].map(str::to_owned));
    expected.sort();
    for number in 1..=2 {
        program.keys(&["shift+F2"]);
        program.until("the comparison set is there", || {
            let folders = entries(&desk.path("screenshots/local/temple"));
            let complete = folders.iter().all(|folder| {
                let files = entries(folder);
                let names = files.iter().filter_map(|path| path.file_name());
                let mut names: Vec<_> = names.map(|name| name.to_string_lossy()).collect();
                names.sort();
                names == expected
            });
            (folders.len() == number && complete).then_some(())
        });
    }
    assert!(all_pictures(&desk).is_empty(), "no picture beside the sets");
    program.close();
    // The set is by the folder's shaders, and its commands say so.
    let folder = entries(&desk.path("screenshots/local/temple")).swap_remove(0);
    let picture = folder.join("read-lane-loop.png");
    let same = captured(&desk, &command_in(&picture), "same", "read-lane-loop");
    assert!(same == Picture::read(&picture));
}
