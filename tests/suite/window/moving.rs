//! Smaller frames during motion, on a CPU adapter. docs/window.md has a table of their errors. This command makes it:
//!
//!     UPDATE_TABLES=1 cargo test errors_of_moving_frames

use std::time::{Duration, Instant};

use clap::ValueEnum as _;
use wavelerp::model::scene;
use wavelerp::report::canvas::Canvas;
use wavelerp::report::flip::DisplayedPicture;
use wavelerp::viewer::moving::Simplification;
use wavelerp::viewer::view::Layout;

use super::WINDOW;
use super::headless::{Window, request};
use crate::docs::root;

/// Number of rows of the window that messages never cover; the picture is in the middle.
const ROWS: u32 = 500;

/// Draws a frame a moment later. Returns the size of the smaller frame if one is shown.
fn step(window: &mut Window) -> Option<[u32; 2]> {
    window.state().subject.settings.time += 0.01;
    window.frame();
    window.host.viewer.moving()
}

fn seen(window: &Window) -> Vec<[u8; 3]> {
    let all = window.grab();
    all.pixels[..(ROWS * all.size[0]) as usize].to_vec()
}

#[test]
fn what_moves_is_drawn_smaller_and_at_rest_and_in_saved_pictures_it_is_the_full_frame() {
    let log = tempfile::NamedTempFile::new().expect("a file");
    let mut window = Window::open(WINDOW, 1.0, |start| {
        start.frame_log = Some(log.path().to_owned());
    });
    assert_eq!(step(&mut window), None, "smaller frames are off");
    window.host.viewer.eases = true;
    let [width, height] = window.until("there are smaller frames", step);
    assert!((64..160).contains(&width) && (36..90).contains(&height));
    // Pictures that are saved during motion come from the full frame.
    assert_eq!(window.shot().picture.size, [160, 90]);
    assert!(step(&mut window).is_some(), "motion continues");
    let moving = seen(&window);
    window.until_it("motion ends", |window| {
        window.host.viewer.moving().is_none()
    });
    let rested = seen(&window);
    assert!(moving != rested, "a smaller frame is another picture");
    // The same moment is now reached with full frames only.
    let time = window.state().subject.settings.time;
    window.state().machine.eases = false;
    for _ in 0..3 {
        let frame = window.host.viewer.drawn();
        assert_eq!(step(&mut window), None, "smaller frames are off");
        assert_eq!(window.host.viewer.drawn(), frame + 1, "each frame is whole");
    }
    window.state().subject.settings.time = time;
    window.frame();
    assert!(seen(&window) == rested, "equal to the full frame");
    // The log has a line per frame that names the drawn frame.
    let lines = std::fs::read_to_string(log.path()).expect("the log was written");
    let mut drawn = lines.lines().filter_map(|line| line.split(',').nth(1));
    assert_eq!(drawn.next(), Some("drawn"));
    let drawn: std::collections::BTreeSet<&str> = drawn.collect();
    let small = format!("{width}x{height}");
    assert!(
        drawn.contains("160x90") && drawn.contains(&*small),
        "{drawn:?}"
    );
}

#[test]
fn a_change_during_a_full_frame_is_shown_between_its_pieces() {
    let mut window = Window::open(WINDOW, 1.0, |start| {
        start.request = request("--scene temple --size 640x360");
        start.shaders.folder = None;
    });
    window.host.viewer.eases = true;
    window.until("there are smaller frames", step);
    let (full, changed) = (window.host.viewer.drawn(), Instant::now());
    // After this time the full frame begins.
    while changed.elapsed() < Duration::from_millis(160) {
        window.frame();
    }
    window.frame();
    assert!(
        window.host.viewer.moving().is_some(),
        "the smaller frame is still shown"
    );
    let asked = Instant::now();
    assert!(
        step(&mut window).is_some(),
        "the next frame is a smaller frame"
    );
    let answered = asked.elapsed();
    assert_eq!(
        window.host.viewer.drawn(),
        full,
        "the full frame was dropped"
    );
    // Negative control: a frame that is drawn to completion takes longer.
    let began = Instant::now();
    window.until_it("motion ends", |window| {
        window.host.viewer.moving().is_none()
    });
    assert!(began.elapsed() > answered, "{answered:?}");
    assert_eq!(window.host.viewer.drawn(), full + 1);
}

/// Size of the smallest frame of a scene at the window's defaults, and the difference between that frame and the full
/// frame at the same moment: RMSE of displayed values, 0 to 1, and the mean FLIP.
fn errors(scene: &str, by: &'static [Simplification]) -> ([u32; 2], f64, f64) {
    let mut window = Window::open([320, 180], 1.0, |start| {
        start.request = request(&format!("--scene {scene}"));
        start.shaders.folder = None;
        (start.flags.bare, start.flags.layout) = (true, Some(Layout::Single));
    });
    window.state().comparison.chosen.split_on = false;
    window.host.viewer.simplify_by(by);
    window.host.viewer.eases = true;
    let size = window.until("there are smaller frames", step);
    let picture = |window: &Window| window.host.picture().expect("the window is read back");
    let moving = picture(&window);
    window.until_it("motion ends", |window| {
        window.host.viewer.moving().is_none()
    });
    let rested = picture(&window);
    let flip = DisplayedPicture::new(rested.clone()).mean_difference(&moving);
    (
        size,
        rmse(&rested, &moving),
        flip.expect("pictures of one size"),
    )
}

fn rmse(a: &Canvas, b: &Canvas) -> f64 {
    let both = a.pixels().iter().zip(b.pixels());
    let squares = both.flat_map(|(a, b)| {
        let square = |at: usize| ((f64::from(a[at]) - f64::from(b[at])) / 255.0).powi(2);
        [0, 1, 2].map(square)
    });
    (squares.sum::<f64>() / (3 * a.pixels().len()) as f64).sqrt()
}

/// A row of the table: all simplifications together, and the RMSE of each alone if it affects the scene.
fn row(name: &str) -> String {
    let ([width, height], rmse, flip) = errors(name, Simplification::value_variants());
    let scene = crate::harness::scene(name);
    let alone = Simplification::value_variants()
        .chunks(1)
        .map(|by| match by[0] {
            of if of.concerns(&scene) => format!(" {:.3} |", errors(name, by).1),
            _ => " – |".to_owned(),
        });
    let alone: String = alone.collect();
    format!("| `{name}` | {width}x{height} | {rmse:.3} | {flip:.3} |{alone}\n")
}

#[test]
fn errors_of_moving_frames_are_stated_for_each_scene() {
    const HEAD: &str = "| scene | smallest frame | RMSE | FLIP |";
    let path = root().join("docs/window.md");
    let text = std::fs::read_to_string(&path).expect("the document");
    let head = text.find(HEAD).expect("its table");
    let start = head + text[head..].match_indices('\n').nth(1).expect("its rows").0 + 1;
    let end = start + text[start..].find("\n\n").expect("its end") + 1;
    let scenes = scene::names();
    if std::env::var_os("UPDATE_TABLES").is_some() {
        let rows: String = scenes.iter().map(|name| row(name)).collect();
        let text = format!("{}{rows}{}", &text[..start], &text[end..]);
        std::fs::write(path, text).expect("the document is written");
        return;
    }
    let rows: Vec<&str> = text[start..end].lines().collect();
    assert_eq!(rows.len(), scenes.len());
    for (row, name) in rows.iter().zip(scenes) {
        assert!(row.starts_with(&format!("| `{name}` | ")), "{row}");
    }
    // The row that takes the least time is computed again.
    let (_, rmse, flip) = errors("two", Simplification::value_variants());
    let two = rows.iter().find(|row| row.starts_with("| `two`"));
    let stated: Vec<f64> = two
        .into_iter()
        .flat_map(|row| row.split('|').filter_map(|cell| cell.trim().parse().ok()))
        .collect();
    for (measured, stated) in [rmse, flip].into_iter().zip(stated) {
        assert!(
            (measured - stated).abs() < 0.25 * stated,
            "{measured}: {stated}"
        );
    }
    assert!(rmse > 0.0, "a smaller frame is another picture");
}
