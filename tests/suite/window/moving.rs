//! Smaller frames while something moves, on a CPU adapter.

use super::WINDOW;
use super::headless::Window;

/// Rows of the window that no message covers; the picture is in the middle.
const ROWS: u32 = 500;

/// A frame a moment later; the size of the smaller one that is shown, if one is.
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
    let mut window = Window::open(WINDOW, 1.0, |_| ());
    assert_eq!(step(&mut window), None, "nobody looks at this window");
    window.host.viewer.eases = true;
    let [width, height] = window.until("there are smaller frames", step);
    assert!((64..160).contains(&width) && (36..90).contains(&height));
    // What is saved meanwhile is of the full frame.
    assert_eq!(window.shot().picture.size, [160, 90]);
    assert!(step(&mut window).is_some(), "it moves on");
    let moving = seen(&window);
    window.until_it("all rests", |window| window.host.viewer.moving().is_none());
    let rested = seen(&window);
    assert!(moving != rested, "a smaller frame is another picture");
    // The same moment, come to by full frames alone.
    let time = window.state().subject.settings.time;
    window.state().machine.eases = false;
    for _ in 0..3 {
        assert_eq!(step(&mut window), None, "it is turned off");
    }
    window.state().subject.settings.time = time;
    window.frame();
    assert!(seen(&window) == rested, "the full frame to the bit");
}
