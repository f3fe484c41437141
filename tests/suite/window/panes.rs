//! The panes of the real window: arranged by mouse and keys, kept for the next start, refused where they are broken;
//! and pixels enlarged until their values can be read.

use wavelerp::viewer::dock::{Arrangement, Dock};

use super::display::wait;
use super::{Desk, TEMPLE, WIDE, WINDOW, with_panes};
use crate::cli::{BINARY, png_texts};

/// Flags of the scene with panes, whose settings are kept.
fn kept() -> String {
    with_panes().replace("--fresh", "")
}

/// The arrangement in the file of the last run.
fn last_panes(desk: &Desk) -> String {
    let file = desk.path("config/wavelerp/last.ron");
    let text = std::fs::read_to_string(file).expect("the settings are kept");
    let line = text
        .lines()
        .find_map(|line| line.trim().strip_prefix("panes: \""));
    let line = line.expect("it has panes");
    line.trim_end_matches(',').trim_end_matches('"').to_owned()
}

#[test]
fn a_dragged_border_and_an_arrangement_are_found_again_after_a_restart() {
    let desk = Desk::new();
    let mut program = desk.open(&kept(), WIDE);
    let border = (0.31 * WIDE[0] as f32) as u32;
    // A picture between two steps makes sure that a frame has seen the first.
    program.shot();
    program.point([border, 500]);
    program.shot();
    program.press("1", true);
    program.shot();
    program.point([border + 100, 500]);
    program.shot();
    program.point([border + 200, 500]);
    program.shot();
    program.press("1", false);
    program.close();
    let dragged = last_panes(&desk);
    assert_ne!(dragged, Dock::from(Arrangement::Compare).text());
    assert!(Dock::parse(&dragged).is_ok(), "{dragged}");

    let program = desk.open("--paused", WIDE);
    program.close();
    assert_eq!(last_panes(&desk), dragged);

    let program = desk.open("--paused", WIDE);
    program.keys(&["F7"]);
    program.close();
    assert_eq!(last_panes(&desk), Dock::from(Arrangement::Profile).text());
}

#[test]
fn a_broken_arrangement_of_the_last_run_is_replaced_by_the_default_one() {
    let desk = Desk::new();
    let program = desk.open(&kept().replace("--view picture", ""), WINDOW);
    program.keys(&["5"]);
    program.close();
    let file = desk.path("config/wavelerp/last.ron");
    let text = std::fs::read_to_string(&file).expect("the settings are kept");
    let broken = text.replace(&last_panes(&desk), "Row([(1.0,Garden)])");
    assert_ne!(broken, text);
    std::fs::write(&file, broken).expect("the test's file is written");
    let mut program = desk.open("--paused", WIDE);
    // All else is as it was.
    assert!(
        program
            .shot()
            .path
            .to_string_lossy()
            .contains("wave-lerp-ballot-scalar")
    );
    program.close();
    assert_eq!(last_panes(&desk), Dock::default().text());
}

#[test]
fn an_enlarged_pixel_has_the_value_that_the_probe_finds() {
    let desk = Desk::new();
    let mut program = desk.open(TEMPLE, WINDOW);
    program.keys(&["1"]);
    // Before the first frame there is no picture under the mouse.
    program.shot();
    let middle = [WINDOW[0] / 2, WINDOW[1] / 2];
    program.point(middle);
    program.hold("ctrl", true);
    for _ in 0..4 {
        program.scroll(middle, false);
    }
    program.hold("ctrl", false);
    // What is said of the pixel comes back from the GPU a few frames late.
    let pointed_at = wait(|| {
        let shot = program.shot();
        let bytes = std::fs::read(&shot.path).expect("the picture is read");
        let mut texts = png_texts(&bytes).into_iter();
        let text = texts.find(|(key, _)| key == "pixel")?.1;
        text.contains(" A ").then_some(text)
    });
    let pointed_at = pointed_at.unwrap_or_else(|| program.fail("no pixel is said"));
    let mut words = pointed_at.split_whitespace().skip(1);
    let pixel = words.next().expect("a pixel");
    let shown: Vec<f32> = words
        .take_while(|word| *word != "B")
        .filter_map(|word| word.parse().ok())
        .collect();

    let mut probe = desk.command(BINARY);
    probe.args("probe --scene temple --size 160x90 --particles 300 --fog-slices 4".split(' '));
    probe.args(["--methods", "pixel-loop", "--json", "-", "--pixel", pixel]);
    let output = probe.output().expect("the binary starts");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let found = &json["methods"][0];
    let rgb = found["rgb"].as_array().expect("three numbers").iter();
    let found = rgb.chain([&found["transmittance"]]);
    let found: Vec<f64> = found.filter_map(|value| value.as_f64()).collect();
    assert_eq!((shown.len(), found.len()), (4, 4), "{pointed_at} {json}");
    for (shown, found) in shown.iter().zip(&found) {
        // To the digits that are shown.
        assert!(
            (f64::from(*shown) - found).abs() < 1e-5,
            "{pointed_at}: {found}"
        );
    }
    assert!(found[3] > 0.0, "there is something to see");
    program.close();
}
