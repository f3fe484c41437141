//! Layers that miss a patch of a tile are skipped there, and no others: pictures are those of the plain loop bit by
//! bit, from every source of layers that has patches (`shaders/composite/slots.wesl`).

use wavelerp::bench::cloud::Cloud;
use wavelerp::bench::splats::CloudSpec;
use wavelerp::gpu::Pipelines;
use wavelerp::gpu::shader::{Edit, ShaderSource};
use wavelerp::methods::{Dial, Knobs, Method, Source, Specialization};
use wavelerp::scene::Scene;

use super::cloud::{SPEC, drawn_by};
use super::ellipses::splats_alone;
use crate::harness::{Harness, scene, settings};

/// Tiles of 16, some of them cut off by the frame's edge.
const SIZE: [u32; 2] = [53, 29];
const TILE: u32 = 16;
/// The dials at which several patches share a tile.
const DIALS: [(Method, Dial); 3] = [
    (Method::PixelLoopStaged, Dial::Threads(1)),
    (Method::SplitDepth, Dial::Pixels(2)),
    (Method::PixelLoopStaged, Dial::Pixels(4)),
];

fn knobs(dial: Dial) -> Knobs {
    Knobs {
        dial,
        tile: TILE,
        early_out: 0.0,
        ..Knobs::default()
    }
}

fn has_patches(harness: &Harness, specialization: &Specialization) -> bool {
    specialization
        .variant(&harness.gpu.caps)
        .key()
        .contains("+patches")
}

/// Shaders that take the last pixels of every patch for empty.
fn blind() -> Pipelines {
    Pipelines::new(ShaderSource {
        edits: vec![Edit {
            module: "composite/slots",
            find: "reaches(fetched, corner, first, last)",
            replace: "reaches(fetched, corner, first, last - 3.0)",
        }],
        ..crate::shaders::source()
    })
}

fn bits(pixels: &[[f32; 4]]) -> Vec<[u32; 4]> {
    pixels.iter().map(|pixel| pixel.map(f32::to_bits)).collect()
}

/// Number of pixels of a scene that differ from the plain loop's, by each of the dials.
fn different(harness: &Harness, pipelines: &Pipelines, scene: &Scene, of: Source) -> Vec<usize> {
    let (particles, slices) = match of {
        Source::Ellipses => (0, 0),
        _ => (600, 7),
    };
    let mut settings = settings(scene, SIZE, particles, slices);
    settings.knobs = knobs(Dial::default());
    let mut capture = harness.capture_by(pipelines, scene, &settings);
    assert_eq!(capture.frame.input().layers(), of, "{}", scene.name);
    let expected = capture.picture(Method::PixelLoop).expect("a picture");
    let expected = bits(&expected.composite.pixels);
    let by = |(method, dial): (Method, Dial)| {
        let specialization = Specialization {
            source: of,
            ..knobs(dial).specialize(method)
        };
        assert!(has_patches(harness, &specialization), "{method} {dial}");
        capture.settings.knobs.dial = dial;
        let found = capture.picture(method).expect("a picture").composite;
        let found = bits(&found.pixels);
        let pairs = expected.iter().zip(&found);
        pairs.filter(|(expected, found)| expected != found).count()
    };
    DIALS.into_iter().map(by).collect()
}

fn check(harness: &Harness, scene: &Scene, of: Source) {
    let name = &scene.name;
    let found = different(harness, &harness.pipelines, scene, of);
    assert_eq!(found, [0; DIALS.len()], "{name}");
    let found = different(harness, &blind(), scene, of);
    assert!(found.iter().all(|count| *count > 0), "{name}: {found:?}");
}

#[test]
fn a_frame_of_more_particles_than_fog_is_drawn_as_by_the_plain_loop_bit_by_bit() {
    let harness = Harness::new();
    check(&harness, &scene("panes"), Source::Crowd);
}

#[test]
fn splats_of_files_alone_are_drawn_as_by_the_plain_loop_bit_by_bit() {
    let harness = Harness::new();
    check(&harness, &splats_alone(90, 0.4, 2), Source::Ellipses);
}

#[test]
fn a_cloud_is_drawn_as_by_the_plain_loop_bit_by_bit() {
    let harness = Harness::new();
    for (sigma, opacity) in [(0.3, 0.9), (4.0, 0.1)] {
        let spec = CloudSpec {
            sigma,
            opacity,
            ..SPEC
        };
        let cloud = Cloud::new(&harness.gpu, &harness.pipelines, spec, TILE).expect("a cloud");
        let by = |pipelines: &Pipelines, method, dial| {
            bits(&drawn_by(
                &harness,
                pipelines,
                &cloud,
                knobs(dial).specialize(method),
            ))
        };
        let expected = by(&harness.pipelines, Method::PixelLoop, Dial::default());
        for (method, dial) in DIALS {
            let found = by(&harness.pipelines, method, dial);
            assert!(found == expected, "{method} {dial}, {spec:?}");
            let wrong = by(&blind(), method, dial);
            assert!(
                wrong != expected,
                "{method} {dial}, {spec:?}: layers are not skipped"
            );
        }
    }
}

#[test]
fn frames_of_more_fog_than_particles_and_small_tiles_have_no_patches() {
    let harness = Harness::new();
    for (method, dial) in DIALS {
        for (source, tile) in [
            (Source::Frame, TILE),
            (Source::Crowd, 8),
            (Source::Table, TILE),
        ] {
            let knobs = Knobs {
                tile,
                ..knobs(dial)
            };
            let specialization = Specialization {
                source,
                ..knobs.specialize(method)
            };
            assert!(
                !has_patches(&harness, &specialization),
                "{method} {dial}, {source:?}"
            );
        }
    }
}
