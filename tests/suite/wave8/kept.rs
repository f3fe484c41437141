//! Passes that depend on neither time nor camera are drawn only when an input has changed, and pictures equal those of
//! frames that draw such passes every time.

use wavelerp::frame::Target;
use wavelerp::gpu::Pipelines;
use wavelerp::gpu::shader::Edit;
use wavelerp::model::passes::Pass;
use wavelerp::model::scene::{Scene, sun_clip_from_world};

use crate::harness::{Harness, scene, source};
use crate::on_screen::{FRAMES, Screen};

/// A small frame whose counters have arrived.
fn drawn<'a>(harness: &'a Harness, pipelines: &'a Pipelines, scene: &Scene) -> Screen<'a> {
    let mut screen = Screen::new(harness, pipelines, scene);
    for _ in 0..FRAMES {
        draw(&mut screen);
    }
    screen
}

/// Draws a frame. Returns the passes that were skipped.
fn draw(screen: &mut Screen) -> Vec<Pass> {
    screen.draw().expect("a frame");
    screen.live.shown.frame.unchanged_passes()
}

/// Picture of a frame that draws every pass.
fn picture_of_all(screen: &mut Screen) -> Vec<u8> {
    screen.wanted.draws_all = true;
    assert_eq!(draw(screen), []);
    screen.wanted.draws_all = false;
    screen.shown()
}

#[test]
fn the_shadow_map_is_drawn_again_where_the_sun_is_another_and_the_camera_moves_freely() {
    let (harness, pipelines) = (Harness::new(), Pipelines::new(source([])));
    let scene = scene("temple");
    let mut screen = drawn(&harness, &pipelines, &scene);
    let first = screen.shown();
    assert_eq!(draw(&mut screen), [Pass::Shadow]);
    assert!(screen.shown() == first, "nothing has changed");
    assert!(
        picture_of_all(&mut screen) == first,
        "the same if all is drawn"
    );

    screen.wanted.moment.camera.eye[0] += 0.5;
    screen.wanted.moment.time += 1.0;
    assert_eq!(draw(&mut screen), [Pass::Shadow], "still the same sun");
    let moved = screen.shown();
    assert!(moved != first);
    assert!(moved == picture_of_all(&mut screen));

    let vertices = screen.live.shown.frame.input().vertices.iter();
    let positions = vertices.map(|vertex| vertex.position);
    screen.wanted.moment.sun_clip_from_world = sun_clip_from_world([0.5, 0.6, 0.3], positions);
    assert_eq!(draw(&mut screen), [], "another sun");
    let lit = screen.shown();
    assert_eq!(draw(&mut screen), [Pass::Shadow], "the new map is kept");
    assert!(lit == screen.shown() && lit == picture_of_all(&mut screen));
    assert!(lit != moved, "an old map would be visible");
}

#[test]
fn the_shadow_map_is_drawn_in_every_frame_by_an_edited_shader() {
    let (harness, pipelines) = (Harness::new(), Pipelines::new(source([])));
    let first = drawn(&harness, &pipelines, &scene("temple")).shown();
    let sun = "return frame.sun_clip_from_world * vec4f(position, 1.0);";
    let at_noon = "return frame.sun_clip_from_world * vec4f(position.x, 0.0, position.z, 1.0);";
    let edit = Edit::new("frame/opaque", sun, at_noon);
    let edited = pipelines.edited(source([edit])).pipelines;
    let mut screen = drawn(&harness, &edited, &scene("temple"));
    let flat = screen.shown();
    assert!(flat != first, "the edited shader is used");
    assert_eq!(draw(&mut screen), [], "an edited shader may depend on time");
    assert!(flat == screen.shown());
    // Negative control: the program's own shaders are used again.
    let back = edited.edited(source([])).pipelines;
    let mut screen = drawn(&harness, &back, &scene("temple"));
    assert!(screen.shown() == first);
    assert_eq!(draw(&mut screen), [Pass::Shadow]);
}

#[test]
fn without_solids_their_passes_are_drawn_once() {
    let (harness, pipelines) = (Harness::new(), Pipelines::new(source([])));
    let mut scene = scene("temple");
    scene.meshes.clear();
    let mut screen = drawn(&harness, &pipelines, &scene);
    let first = screen.shown();
    assert_eq!(draw(&mut screen), [Pass::Opaque, Pass::Shadow]);
    assert!(screen.shown() == first && picture_of_all(&mut screen) == first);
    screen.wanted.moment.camera.eye[0] += 0.5;
    assert_eq!(draw(&mut screen), [Pass::Opaque, Pass::Shadow]);
    let moved = screen.shown();
    assert!(moved != first && moved == picture_of_all(&mut screen));
}

#[test]
fn everything_is_drawn_again_after_a_frame_that_failed() {
    let (harness, pipelines) = (Harness::alone(), Pipelines::new(source([])));
    let mut screen = drawn(&harness, &pipelines, &scene("temple"));
    assert_eq!(draw(&mut screen), [Pass::Shadow]);
    // The first frame with a destroyed buffer never runs, and the device reports the error.
    screen.live.shown.frame.target.ran_at.destroy();
    assert!(screen.draw().is_err());
    let size = screen.live.shown.frame.shape().size;
    screen.live.shown.frame.target = Target::new(&harness.gpu, size);
    assert_eq!(draw(&mut screen), []);
    assert_eq!(draw(&mut screen), [Pass::Shadow]);
}
