//! Passes that depend on neither time nor camera: they are drawn when something that they are made of has changed, and
//! the pictures are those of frames that draw them every time.

use wavelerp::frame::{Target, frame_input};
use wavelerp::gpu::shader::{Texts, folder};
use wavelerp::gpu::{Pipelines, read_texture};
use wavelerp::live::{Live, Wanted};
use wavelerp::model::methods::Method;
use wavelerp::model::passes::Pass;
use wavelerp::model::scene::{Scene, sun_clip_from_world};

use crate::harness::{Harness, scene, settings, source};
use crate::on_screen::{FRAMES, wanted};
use crate::shaders;

/// A small frame on screen, by pipelines whose shaders a test may change.
struct Screen<'h> {
    harness: &'h Harness,
    pipelines: Pipelines,
    live: Live,
    wanted: Wanted,
}

impl<'h> Screen<'h> {
    fn new(harness: &'h Harness, scene: &Scene) -> Self {
        let settings = settings(scene, [64, 36], 100, 4);
        let pipelines = Pipelines::new(source([]));
        let input = frame_input(scene, &scene.cameras[0], &settings, &harness.gpu.caps);
        let live = Live::new(&harness.gpu, &pipelines, input).expect("a live frame");
        let wanted = wanted(&live, &settings, [Some(Method::PixelLoop), None]);
        let mut screen = Self {
            harness,
            pipelines,
            live,
            wanted,
        };
        for _ in 0..FRAMES {
            screen.draw();
        }
        screen
    }

    /// Draws a frame. Says which passes it left as they were.
    fn draw(&mut self) -> Vec<Pass> {
        self.try_to_draw().expect("a frame");
        self.live.shown.frame.unchanged_passes()
    }

    fn try_to_draw(&mut self) -> wavelerp::error::Result<()> {
        let gpu = &self.harness.gpu;
        let drawn = self.live.draw(gpu, &self.pipelines, &self.wanted);
        drawn.and(gpu.wait())
    }

    /// What was drawn last: surfaces, and the layers in front of them.
    fn picture(&self) -> Vec<u8> {
        let texture = &self.live.shown.frame.target.resolved;
        read_texture(&self.harness.gpu, texture).expect("a picture")
    }

    /// The picture of a frame that draws every pass.
    fn picture_of_all(&mut self) -> Vec<u8> {
        self.wanted.draws_all = true;
        assert_eq!(self.draw(), []);
        self.wanted.draws_all = false;
        self.picture()
    }
}

#[test]
fn the_shadow_map_is_drawn_again_where_the_sun_is_another_and_the_camera_moves_freely() {
    let harness = Harness::new();
    let scene = scene("temple");
    let mut screen = Screen::new(&harness, &scene);
    let first = screen.picture();
    assert_eq!(screen.draw(), [Pass::Shadow]);
    assert!(screen.picture() == first, "nothing has changed");
    assert!(screen.picture_of_all() == first, "nor if all is drawn");

    screen.wanted.moment.camera.eye[0] += 0.5;
    screen.wanted.moment.time += 1.0;
    assert_eq!(screen.draw(), [Pass::Shadow], "eye and time are no matter");
    let moved = screen.picture();
    assert!(moved != first);
    assert!(moved == screen.picture_of_all());

    let vertices = screen.live.shown.frame.input().vertices.iter();
    let positions = vertices.map(|vertex| vertex.position);
    screen.wanted.moment.sun_clip_from_world = sun_clip_from_world([0.5, 0.6, 0.3], positions);
    assert_eq!(screen.draw(), [], "another sun");
    let lit = screen.picture();
    assert_eq!(screen.draw(), [Pass::Shadow], "which is drawn once");
    assert!(lit == screen.picture() && lit == screen.picture_of_all());
    assert!(lit != moved, "an old map would be seen");
}

#[test]
fn the_shadow_map_is_drawn_again_where_its_shader_is_another_and_in_every_frame_by_an_edited_one() {
    let harness = Harness::new();
    let mut screen = Screen::new(&harness, &scene("temple"));
    let first = screen.picture();
    let original = folder::read(&shaders::folder());
    let mut edited = original.clone();
    let sun = "return frame.sun_clip_from_world * vec4f(position, 1.0);";
    let at_noon = "return frame.sun_clip_from_world * vec4f(position.x, 0.0, position.z, 1.0);";
    let text = edited.get_mut("frame/opaque").expect("the file is there");
    assert!(text.contains(sun));
    *text = text.replacen(sun, at_noon, 1);
    let take_up = |screen: &Screen, texts: &Texts| {
        let pipelines = &screen.pipelines;
        let rebuilt = pipelines.rebuild(texts.clone(), || true);
        assert!(pipelines.take_up(rebuilt.expect("nobody stops it")));
    };
    take_up(&screen, &edited);
    assert_eq!(screen.draw(), [], "the shader is another");
    let flat = screen.picture();
    assert!(flat != first, "an old map would be seen");
    assert_eq!(screen.draw(), [], "it may read what changes");
    assert!(flat == screen.picture());
    take_up(&screen, &original);
    assert_eq!(screen.draw(), [], "the program's own again");
    assert!(screen.picture() == first);
    assert_eq!(screen.draw(), [Pass::Shadow]);
}

#[test]
fn without_solids_their_passes_are_drawn_once() {
    let harness = Harness::new();
    let mut scene = scene("temple");
    scene.meshes.clear();
    let mut screen = Screen::new(&harness, &scene);
    let first = screen.picture();
    assert_eq!(screen.draw(), [Pass::Opaque, Pass::Shadow]);
    assert!(screen.picture() == first && screen.picture_of_all() == first);
    screen.wanted.moment.camera.eye[0] += 0.5;
    assert_eq!(screen.draw(), [Pass::Opaque, Pass::Shadow]);
    let moved = screen.picture();
    assert!(moved != first && moved == screen.picture_of_all());
}

#[test]
fn everything_is_drawn_again_after_a_frame_that_failed() {
    let harness = Harness::alone();
    let mut screen = Screen::new(&harness, &scene("temple"));
    assert_eq!(screen.draw(), [Pass::Shadow]);
    // The first frame with a buffer that is gone never runs, and the device says so.
    screen.live.shown.frame.target.ran_at.destroy();
    assert!(screen.try_to_draw().is_err());
    screen.live.shown.frame.target =
        Target::new(&harness.gpu, screen.live.shown.frame.shape().size);
    assert_eq!(screen.draw(), []);
    assert_eq!(screen.draw(), [Pass::Shadow]);
}
