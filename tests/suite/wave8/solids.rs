//! Triangles visible to the camera, found by the GPU's rasteriser and in compute: both match the CPU twin, and the
//! pictures are almost equal.

use wavelerp::frame::{FrameInput, frame_input};
use wavelerp::gpu::{Pipelines, read_buffer, read_texture};
use wavelerp::live::{DebugView, Live};
use wavelerp::model::methods::Method;

use crate::harness::{Harness, edited, rows, scene, settings};
use crate::on_screen::{draw_by, wanted};
use crate::oracles::solids::{Bounds, depths};

const SIZE: [u32; 2] = [97, 55];
/// Relative error of a depth.
const ERROR: f64 = 1e-4;

/// View depths and picture of a frame.
struct Seen {
    depths: Vec<f32>,
    picture: Vec<u8>,
}

fn seen(
    harness: &Harness,
    pipelines: &Pipelines,
    input: &FrameInput,
    computes_solids: bool,
) -> Seen {
    let gpu = &harness.gpu;
    let mut input = input.clone();
    input.shape.computes_solids = computes_solids;
    let mut live = Live::new(gpu, pipelines, input).expect("a live frame");
    let settings = settings(&scene("temple"), SIZE, 0, 0);
    let mut wanted = wanted(&live, &settings, [Some(Method::PixelLoop), None]);
    wanted.debug = Some(DebugView::OpaqueDepth);
    draw_by(harness, pipelines, &mut live, &wanted);
    let count = (SIZE[0] * SIZE[1]) as usize;
    Seen {
        depths: read_buffer(gpu, &live.looking.debug_values, count).expect("values"),
        picture: read_texture(gpu, &live.shown.frame.target.resolved).expect("a picture"),
    }
}

/// Number of pixels with depths outside their bounds.
fn wrong(depths: &[f32], bounds: &[Bounds], far: f32) -> usize {
    let is_wrong = |(depth, [least, most]): &(&f32, &Bounds)| {
        let (depth, far) = (f64::from(**depth), f64::from(far));
        depth < least.min(far) * (1.0 - ERROR) || depth > most.min(far) * (1.0 + ERROR)
    };
    depths.iter().zip(bounds).filter(is_wrong).count()
}

/// Fraction of pixels that differ by more than 2 of 255 in a channel.
fn differing(a: &[u8], b: &[u8]) -> f64 {
    let pixels = a.chunks(4).zip(b.chunks(4));
    let differs = |(a, b): &(&[u8], &[u8])| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 2);
    pixels.clone().filter(differs).count() as f64 / pixels.len() as f64
}

/// Scenes and cameras with near and far solids, corners behind the eye, and columns of triangles narrower than a pixel.
const VIEWS: [(&str, usize); 4] = [("temple", 0), ("temple", 1), ("temple", 4), ("stack", 0)];

fn input_of(harness: &Harness, (name, camera): (&str, usize)) -> FrameInput {
    let scene = scene(name);
    let settings = settings(&scene, SIZE, 0, 0);
    frame_input(&scene, &scene.cameras[camera], &settings, &harness.gpu.caps)
}

#[test]
fn solids_by_compute_are_where_their_twin_has_them_and_the_picture_is_the_drawn_one() {
    let harness = Harness::new();
    let pipelines = &harness.pipelines;
    for view in VIEWS {
        let input = input_of(&harness, view);
        let bounds = depths(&input.vertices, &input.uniform());
        let far = input.shape.far;
        let [drawn, computed] = [false, true].map(|by| seen(&harness, pipelines, &input, by));
        assert_eq!(wrong(&computed.depths, &bounds, far), 0, "{view:?}");
        let surfaces = computed.depths.iter().filter(|depth| **depth < far).count();
        assert!(surfaces > 400, "{view:?}: {surfaces}");
        // The rasteriser snaps edges to a grid of 1/256 of a pixel.
        assert!(wrong(&drawn.depths, &bounds, far) < 10, "{view:?}, drawn");
        let part = differing(&drawn.picture, &computed.picture);
        assert!(part < 0.005, "{view:?}: {:.2} % differ", 100.0 * part);
    }
}

/// Planted faults of the shader, each of which must be found.
const FAULTS: &str = "
edge.x * x + (edge.y * y + edge.z) | edge.x * x + (edge.y * y + 0.999 * edge.z)
(here > depth) | (here < depth)
side_of(three.xyz, x, y) | side_of(two.xyz, x, y)
min(begin + ROOM, frame.first_model_triangle) | min(begin + ROOM, frame.first_model_triangle - 1000u)
";

#[test]
fn planted_faults_of_solids_by_compute_are_found() {
    let harness = Harness::new();
    let input = input_of(&harness, VIEWS[0]);
    let bounds = depths(&input.vertices, &input.uniform());
    for [find, replace] in rows(FAULTS) {
        let pipelines = edited("frame/solids", find, replace);
        let computed = seen(&harness, &pipelines, &input, true);
        let wrong = wrong(&computed.depths, &bounds, input.shape.far);
        assert!(wrong > 10, "{replace}: {wrong} pixels");
    }
}
