//! The window can have odd sizes, tiny sizes, and none at all while it is minimised.

use super::{Desk, SIZE, TEMPLE, WINDOW};

#[test]
fn a_window_of_any_size_draws_without_stretching_and_lives_on_minimised() {
    let desk = Desk::new();
    let mut program = desk.open(TEMPLE, WINDOW);
    let plain = program.shot().picture;
    for size in [[683, 601], [17, 13], [1, 1]] {
        program.resize(size);
        // Saving a picture requires a presented frame.
        assert!(program.shot().picture == plain, "{size:?}");
    }
    program.resize([3 * SIZE[0], 700]);
    assert_eq!(program.shows(&plain), 3);
    program.minimise();
    assert!(program.grab().is_none(), "the window is off the screen");
    // Nothing should happen, so the test can only wait.
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert!(program.is_minimised() && program.runs());
    program.focus();
    program.shows(&plain);
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
    // The window has a title bar, and fills the rest of the screen.
    assert!(outer[1] > size[1] && outer[1] == screen[1], "{size:?}");
    program.close();
}
