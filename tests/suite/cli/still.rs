//! `wavelerp still`, which saves a picture of the window without opening a window.

use super::{Desk, png_pixels, png_text};

/// Flags of a small scene.
const SMALL: &str = "still --scene two --size 160x90 --out window.png";

#[test]
fn the_window_is_drawn_without_a_display_and_at_the_size_that_is_asked_for() {
    let desk = Desk::new();
    let picture = |flags: &str| {
        desk.run(&format!("{SMALL} {flags}")).good();
        let bytes = desk.read("window.png");
        let software = concat!("wavelerp ", env!("CARGO_PKG_VERSION"));
        assert_eq!(png_text(&bytes, "Software").as_deref(), Some(software));
        png_pixels(&bytes)
    };
    let (size, pixels) = picture("--light --window-size 1280x720 --scale 2");
    assert_eq!(size, [1280, 720]);
    let corner = pixels[1276 / 2 * 1280 + 4];
    assert!(corner.iter().all(|channel| *channel > 200), "{corner:?}");
}

#[test]
fn the_window_shows_differences_in_the_range_that_a_capture_gives_them() {
    let desk = Desk::new();
    let frame = "--scene temple --size 48x27 --particles 60 --fog-slices 4 --tile 16 --quiet";
    let capture = "--methods wave-lerp-deferred --reference pixel-loop --out a";
    desk.run(&format!("capture {frame} {capture}")).good();
    let report = desk.json("a/report.json");
    let fitted = report["difference_range"].as_str().expect("a range");
    let show = |range: &str| {
        let view = "--methods wave-lerp-deferred --against pixel-loop --view log --bare";
        let window = "--window-size 96x54 --out a.png --difference-range";
        desk.run(&format!("still {frame} {view} {window} {range}"))
            .good();
        png_pixels(&desk.read("a.png"))
    };
    let seen = show("auto");
    assert!(seen == show(fitted), "{fitted}");
    assert_ne!(fitted, "1e-9..1", "the range for no difference");
}

#[test]
fn what_cannot_be_drawn_or_written_is_refused_before_the_work() {
    let desk = Desk::new();
    desk.refuses_all(
        "
still --scene two --out window.png --scale 9 | 0.5 to 4
still --scene two --out window.png --split 2 | 0 to 1
still --scene two --out window.png --against nothing | nothing
still --scene two --out window.png --window-size 99999x99999 | is too large
still --scene two --out no/such/window.png | no/such/window.png
",
    );
    assert!(desk.everything().is_empty());
}
