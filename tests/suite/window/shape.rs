//! The window's size: odd ones, tiny ones, none at all while it is minimised, and a scale factor.

use super::program::Program;
use super::{Desk, SIZE, TEMPLE, WIDE, WINDOW};

#[test]
fn a_window_of_any_size_draws_and_the_picture_is_never_stretched() {
    let desk = Desk::new();
    let mut program = desk.open(TEMPLE, WINDOW);
    let plain = program.shot().picture;
    for size in [[683, 601], [361, 97], [17, 13], [1, 1], [1700, 1000]] {
        program.resize(size);
        // Saving a picture takes a frame that was presented.
        assert!(program.shot().picture == plain, "{size:?}");
    }
    program.resize([3 * SIZE[0], 700]);
    assert_eq!(program.shows(&plain), 3);
    program.resize(WINDOW);
    assert_eq!(program.shows(&plain), 1);
    program.close();
}

#[test]
fn a_minimised_window_lives_on_and_comes_back() {
    let desk = Desk::new();
    let mut program = desk.open(TEMPLE, WINDOW);
    let plain = program.shot().picture;
    program.shows(&plain);
    for _ in 0..2 {
        assert!(!program.is_minimised());
        program.minimise();
        assert!(program.grab().is_none(), "nothing of it is on screen");
        // Nothing is to happen: there is only time to wait for.
        std::thread::sleep(std::time::Duration::from_millis(500));
        assert!(program.is_minimised() && program.runs());
        program.focus();
        program.shows(&plain);
    }
    program.close();
}

#[test]
fn on_a_small_screen_the_window_opens_with_all_of_its_frame_on_it() {
    let screen = [1366, 768];
    let desk = Desk::with_screen(screen);
    let program = desk.open_as_it_opens(TEMPLE);
    let ([corner, outer], size) = program.place();
    let is_inside = |axis: usize| corner[axis] + outer[axis] <= screen[axis];
    assert!(is_inside(0) && is_inside(1), "{corner:?} {outer:?}");
    // It has a title bar, and all the room beside that.
    assert!(outer[1] > size[1] && outer[1] == screen[1], "{size:?}");
    program.close();
}

#[test]
fn the_window_has_the_size_again_that_it_was_closed_with() {
    let desk = Desk::new();
    let arguments = TEMPLE.replace("--fresh", "");
    desk.open(&arguments, WIDE).close();
    let program = desk.open_as_it_opens(&arguments);
    assert_eq!(program.place().1, WIDE);
    program.close();
    // Asked not to, it has not.
    let program = desk.open_as_it_opens(TEMPLE);
    assert_eq!(program.place().1, [1600, 900]);
    program.close();
}

#[test]
fn at_scale_factor_2_the_picture_is_as_large_as_the_window_has_pixels() {
    // With less room the window would be maximised, and have no other size.
    let desk = Desk::with_screen([3840, 2400]);
    let double = [("WINIT_X11_SCALE_FACTOR", "2")];
    let mut program = desk.open_with(TEMPLE, WINDOW.map(|edge| 2 * edge), &double);
    let plain = program.shot().picture;
    assert_eq!(program.shows(&plain), 2);
    let resized = |program: &mut Program, size| {
        program.resize(size);
        assert!(program.shot().picture == plain, "{size:?}");
    };
    resized(&mut program, [723, 359]);
    resized(&mut program, [5, 3]);
    program.resize([SIZE[0], 640]);
    assert_eq!(program.shows(&plain), 1);
    program.close();
}
