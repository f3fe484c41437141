//! Only layers that miss a patch of a tile are skipped there: pictures are equal to the bit if the same kernels treat
//! every layer as reaching every patch (`shaders/methods/slots.wesl`).

use wavelerp::gpu::Pipelines;
use wavelerp::methods::Specialization;
use wavelerp::model::items::KINDS;
use wavelerp::model::methods::{Kinds, Method, Source, Stored};
use wavelerp::model::options::{Dial, Options, Precision};
use wavelerp::model::scene::Scene;

use super::cloud::{cloud_of, drawn_by};
use super::gaussians::splats_alone;
use crate::harness::{Harness, edited, scene, settings};

/// Size of a frame with tiles of 16 pixels, some of which the frame's edge cuts off.
const SIZE: [u32; 2] = [53, 29];
const TILE: u32 = 16;
/// Methods and dials with which several patches share a tile.
const DIALS: [(Method, Dial); 3] = [
    (Method::PixelLoopStaged, Dial::Threads(1)),
    (Method::PixelLoopStaged, Dial::Pixels(2)),
    (Method::PixelLoopStaged, Dial::Pixels(4)),
];

type Bits = Vec<[u32; 4]>;

fn options(dial: Dial) -> Options {
    Options::default()
        .with_frame(|frame| {
            frame.tile = TILE;
            frame.early_out = 0.0;
        })
        .at(dial)
}

fn has_patches(harness: &Harness, specialization: &Specialization) -> bool {
    let variant = specialization.variant(&harness.gpu.caps);
    variant.key().contains("+patches")
}

/// Shader code that decides whether a layer reaches a patch.
const CONDITION: &str = "u32(reaches(fetched, corner, first, last))";

/// Pipelines of shaders with a different [`CONDITION`].
fn with_condition(replace: &'static str) -> Pipelines {
    edited("methods/slots", CONDITION, replace)
}

/// Asserts that `drawn`, a picture for each dial, stays the same if nothing is skipped, and changes if the last pixels
/// of each patch are forgotten.
fn check(what: &str, mut drawn: impl FnMut(&Pipelines) -> Vec<Bits>) {
    let found = drawn(&with_condition(CONDITION));
    let all = drawn(&with_condition("u32(slot < SLOTS)"));
    let wrong = drawn(&with_condition(
        "u32(reaches(fetched, corner, first, last - 3.0))",
    ));
    for (i, (method, dial)) in DIALS.into_iter().enumerate() {
        let what = format!("{what}, {method} {dial}");
        assert!(found[i] == all[i], "{what}: a layer is missing");
        assert!(wrong[i] != all[i], "{what}: nothing is skipped");
    }
}

fn bits(pixels: &[[f32; 4]]) -> Bits {
    pixels.iter().map(|pixel| pixel.map(f32::to_bits)).collect()
}

/// A frame with more particles than fog.
const CROWD: Source = Source::Frame(Kinds {
    crowd: true,
    items: [false; KINDS],
    integrated: false,
});

fn check_scene(scene: &Scene, of: Source) {
    let harness = Harness::new();
    let (particles, slices) = if of == CROWD { (600, 7) } else { (0, 0) };
    let mut settings = settings(scene, SIZE, particles, slices);
    settings.options = options(Dial::default());
    check(&scene.name, |pipelines| {
        let mut capture = harness.capture_by(pipelines, scene, &settings);
        assert_eq!(capture.frame.shape().layers(), of, "{}", scene.name);
        let by = |(method, dial): (Method, Dial)| {
            let specialization = Specialization {
                source: of,
                ..options(dial).specialize(method)
            };
            assert!(has_patches(&harness, &specialization), "{method} {dial}");
            capture.settings.options.method = capture.settings.options.method.at(dial);
            bits(&capture.picture(method).expect("a picture").composite.pixels)
        };
        DIALS.into_iter().map(by).collect()
    });
}

#[test]
fn patches_of_a_frame_of_more_particles_than_fog_miss_no_layer() {
    check_scene(&scene("stress"), CROWD);
}

#[test]
fn patches_of_splats_of_files_miss_no_layer() {
    check_scene(&splats_alone(90, 0.4, 2), Source::Gaussians(Stored::Whole));
}

#[test]
fn patches_of_a_cloud_miss_no_layer() {
    let harness = Harness::new();
    let (_, cloud) = cloud_of(&harness, 1.0, 0.6, Precision::Full, TILE);
    check("a cloud", |pipelines| {
        let by = |(method, dial): (Method, Dial)| {
            let specialization = options(dial).specialize(method);
            bits(&drawn_by(&harness, pipelines, &cloud, specialization))
        };
        DIALS.into_iter().map(by).collect()
    });
}

#[test]
fn frames_of_more_fog_than_particles_and_small_tiles_have_no_patches() {
    let harness = Harness::new();
    for (method, dial) in DIALS {
        for (source, tile) in [(Source::default(), TILE), (CROWD, 8), (Source::Table, TILE)] {
            let options = options(dial).with_frame(|frame| frame.tile = tile);
            let specialization = Specialization {
                source,
                ..options.specialize(method)
            };
            let has = has_patches(&harness, &specialization);
            assert!(!has, "{method} {dial}, {source:?}");
        }
    }
}
