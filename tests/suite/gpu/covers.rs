//! Opacity and depth of a layer, with and without colour: opacities and colours equal those of evaluated layers to
//! the bit, depths match the twins, and lists are ordered by the depths.

use glam::DVec2;
use wavelerp::gpu::shader::{Edit, Variant};
use wavelerp::gpu::{Binds, Pipelines, read_buffer, storage_buffer, uniform_buffer};
use wavelerp::live::inspect::{LayerId, ProbedLayer};
use wavelerp::model::Feature;
use wavelerp::model::items::ItemKind;
use wavelerp::model::layout::{FrameUniform, Particle, Range};
use wavelerp::model::options::{Precision, SplatOrder};
use wavelerp::model::scene::{MeshSpec, Scene};
use wavelerp::runs::capture::Capture;

use super::gaussians::{SIZE, mixed, small, splats_alone};
use super::particles::particles_of;
use crate::harness::{Harness, rows};
use crate::oracles::project::project;
use crate::oracles::{gaussians, sheets};
use crate::shaders::test_source;

/// View depth of the wall behind everything, in metres.
const WALL: f32 = 11.0;
/// Number of fog slices in a frame with fog.
const SLICES: u32 = 7;
/// Relative error of a depth without a specific bound: about ten f32 operations, one of which may cancel.
const RELATIVE: f64 = 1e-5;

/// A layer of a pixel, as written by `tests/shaders/covers.wesl`.
struct Covered {
    pixel: [u32; 2],
    word: u32,
    /// Bit set of the calls whose results differ.
    differs: u32,
    opacity: f32,
    depth: f32,
}

/// All layers of all lists at all pixels.
fn covered(harness: &Harness, pipelines: &Pipelines, capture: &Capture) -> Vec<Covered> {
    let (gpu, frame) = (&harness.gpu, &capture.frame);
    let (shape, longest) = (frame.shape(), capture.counters.longest_list);
    let variant = Variant::new("covers")
        .with("TILE", shape.tile)
        .with("PIXELS_PER_WAVE", 1)
        .with_bool("EARLY_OUT", false);
    let variant = shape.layers().features(variant);
    let variant = variant.feature(Feature::Ordered, true);
    let pipeline = pipelines
        .compute(gpu, &variant, "cover_all")
        .expect("the shader compiles");
    let range = Range {
        layer_count: u32::MAX,
        batch: longest,
        ..Range::default()
    };
    let range = uniform_buffer(gpu, "range", &range);
    let count = (SIZE[0] * SIZE[1] * longest) as usize;
    let covers = storage_buffer(gpu, "covers", 16 * count as u64);
    let own = Binds::new([
        ("range", range.as_entire_binding()),
        ("covers", covers.as_entire_binding()),
    ]);
    let groups = (frame.tiles() * shape.tile * shape.tile).div_ceil(64);
    let binds = [frame.resources.binds(), &own];
    let done = gpu.compute_and_wait("covers", |pass| pipeline.dispatch(pass, &binds, groups));
    done.expect("the work runs");
    let rows: Vec<[u32; 4]> = read_buffer(gpu, &covers, count).expect("read-back");
    let layer = |(index, row): (u32, [u32; 4])| {
        let pixel = index / longest;
        let [word, differs, opacity, depth] = row;
        Some(Covered {
            pixel: [pixel % SIZE[0], pixel / SIZE[0]],
            word: word.checked_sub(1)?,
            differs,
            opacity: f32::from_bits(opacity),
            depth: f32::from_bits(depth),
        })
    };
    (0..).zip(rows).filter_map(layer).collect()
}

/// Input from which the twin computes the depths of a frame's layers in f64.
struct Twin<'a> {
    capture: &'a Capture<'a>,
    uniform: FrameUniform,
    particles: Vec<Particle>,
}

impl<'a> Twin<'a> {
    fn new(harness: &Harness, capture: &'a Capture<'a>) -> Self {
        Self {
            capture,
            uniform: capture.frame.input().uniform(),
            particles: particles_of(harness, capture),
        }
    }

    fn kind(&self, layer: &Covered) -> LayerId {
        let layer = ProbedLayer {
            word: layer.word,
            ..ProbedLayer::default()
        };
        layer.id(&self.capture.frame.shape().counts)
    }

    /// True if the depth of a visible layer is right. If distances are scaled between slices, only the order of the
    /// depths is known.
    fn admits(&self, layer: &Covered) -> bool {
        let input = self.capture.frame.input();
        let by_distance = self.uniform.by_distance > 0;
        if by_distance && input.shape.slices > 0 {
            return true;
        }
        let near = |depth: f64| (f64::from(layer.depth) - depth).abs() <= RELATIVE * depth;
        match self.kind(layer) {
            LayerId::Slice(slice) => {
                layer.depth == input.slice_bounds[slice as usize + 1].next_down()
            }
            LayerId::Item(ItemKind::Particle, number) => {
                let particle = &self.particles[number as usize];
                let twin = project(particle, &self.uniform, input.shape.tile);
                twin.depth.admits(layer.depth)
            }
            LayerId::Item(ItemKind::Cell, number) => {
                let cell = sheets::cells(&input.sheets).nth(number as usize);
                let cell = cell.expect("a cell");
                let sheet = &input.sheets[cell.sheet as usize];
                let tile = input.shape.tile;
                let twin = sheets::project_cell(sheet, cell.place, &self.uniform, tile);
                twin.depth.admits(layer.depth)
            }
            LayerId::Item(ItemKind::Gaussian, number) => {
                let gaussian = &input.splats.gaussians[number as usize];
                let set = &input.splats.sets[gaussian.of_set as usize];
                let seen = gaussians::see(gaussian, set, &self.uniform);
                seen.is_some_and(|seen| match by_distance {
                    true => near(seen.depth * ray_length(seen.center, &self.uniform)),
                    false => near(seen.depth),
                })
            }
        }
    }
}

/// Length of the ray through a screen position at view depth 1.
fn ray_length(place: DVec2, frame: &FrameUniform) -> f64 {
    let size = DVec2::new(frame.size[0].into(), frame.size[1].into());
    let across = 2.0 * place / size - 1.0;
    (across * DVec2::new(frame.tan_x.into(), frame.tan_y.into()))
        .extend(1.0)
        .length()
}

/// Number of visible layers of each kind (particles, cells, Gaussians, slices), or a description of the fault.
fn checked(
    harness: &Harness,
    pipelines: &Pipelines,
    capture: &Capture,
) -> Result<[usize; 4], String> {
    let twin = Twin::new(harness, capture);
    let mut shown = [0; 4];
    let mut before = ([0; 2], 0.0);
    for layer in covered(harness, pipelines, capture) {
        let kind = twin.kind(&layer);
        let wrong = |what: &str| Err(format!("{kind:?} at {:?}: {what}", layer.pixel));
        if before.0 == layer.pixel && before.1 > layer.depth {
            return wrong("its place in the list");
        }
        before = (layer.pixel, layer.depth);
        if layer.differs & !4 != 0 {
            return wrong("its opacity or its colour");
        }
        if layer.opacity <= 0.0 {
            continue;
        }
        if layer.differs != 0 {
            return wrong("the depth that comes with its colour");
        }
        if !twin.admits(&layer) {
            return wrong("its depth");
        }
        shown[match kind {
            LayerId::Item(kind, _) => kind as usize,
            LayerId::Slice(_) => 3,
        }] += 1;
    }
    Ok(shown)
}

/// A scene with layers of every kind in front of a wall and behind it.
fn walled() -> Scene {
    let mut scene = mixed(6);
    scene.meshes.push(MeshSpec::Box {
        center: [0.0, 0.0, -WALL - 1.0],
        half_size: [100.0, 100.0, 1.0],
        albedo: [0.5; 3],
        emission: 0.0,
    });
    scene
}

#[test]
fn a_layer_has_one_opacity_colour_and_depth_whatever_is_asked_for() {
    let harness = Harness::new();
    let pipelines = Pipelines::new(test_source());
    for (slices, splat_order) in [
        (0, SplatOrder::Depth),
        (SLICES, SplatOrder::Depth),
        (SLICES, SplatOrder::Distance),
    ] {
        let scene = walled();
        let mut settings = small(&scene, slices);
        settings.options.frame.splat_order = splat_order;
        let capture = harness.capture(&scene, &settings);
        let shown = checked(&harness, &pipelines, &capture);
        let [particles, cells, gaussians, fog] = shown.expect("all are right");
        let least = particles.min(cells).min(gaussians);
        assert!(least > 50, "{particles} {cells} {gaussians}");
        assert_eq!(fog > 0, slices > 0);
    }
    for (precision, splat_order) in [
        (Precision::Full, SplatOrder::Depth),
        (Precision::Half, SplatOrder::Depth),
        (Precision::Half, SplatOrder::Distance),
    ] {
        let scene = splats_alone(60, 0.6, 2);
        let mut settings = small(&scene, 0);
        settings.options.frame.precision = precision;
        settings.options.frame.splat_order = splat_order;
        let capture = harness.capture(&scene, &settings);
        let shown = checked(&harness, &pipelines, &capture);
        let [_, _, gaussians, _] = shown.expect("all are right");
        assert!(gaussians > 200);
    }
}

mod controls {
    use super::*;

    /// Faults with their expected messages, in frames ordered by depth and by distance.
    const FAULTS: [(&str, SplatOrder); 2] = [
        (
            "
layers/sources/frame | bitcast<u32>(order_of_slice(slice)) | bitcast<u32>(front_of(slice)) | Slice
layers/order | - 1u); | ); | Slice
layers/sources/frame | order_of_item(splat_places[layer], splat.depth)) | splat.depth * 1.0001) | its depth
layers/sources/frame | return splat_opacity(splat, offset_of(splat, ray), ray); | return splat.opacity; | Particle
layers/sources/frame | opacity_of(fetched, ray), order_of(fetched)) | opacity_of(fetched, ray), order_of(fetched) * 1.0001) | comes with its colour
",
            SplatOrder::Depth,
        ),
        (
            "
layers/order | if frame.by_distance == 0u | if true | its place in the list
layers/order | min(mix(front, front_of(slice + 1u), along), order_of_slice(slice)) | distance | its place in the list
",
            SplatOrder::Distance,
        ),
    ];

    #[test]
    fn depths_and_opacities_that_are_wrong_are_found() {
        let harness = Harness::new();
        let scene = walled();
        for (faults, splat_order) in FAULTS {
            let mut settings = small(&scene, SLICES);
            settings.options.frame.splat_order = splat_order;
            let capture = harness.capture(&scene, &settings);
            for [module, find, replace, what] in rows(faults) {
                let mut source = test_source();
                source.edits.push(Edit::new(module, find, replace));
                let wrong = checked(&harness, &Pipelines::new(source), &capture);
                let wrong = wrong.expect_err(replace);
                assert!(wrong.contains(what), "{replace}: {wrong}");
            }
        }
    }
}
