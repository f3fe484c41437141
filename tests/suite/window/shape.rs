//! The window's size: odd ones, tiny ones, none at all while it is minimised, and a scale factor.

use super::program::Program;
use super::{Desk, SIZE, TEMPLE, WINDOW};

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
fn at_scale_factor_2_the_picture_is_as_large_as_the_window_has_pixels() {
    let desk = Desk::new();
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
