//! The twin against hand-computed rectangles, and against an f32 port of the shader that stands in
//! for a GPU.

#![expect(clippy::unwrap_used, reason = "tests")]

use super::*;
use wavelerp::frame::moment::frame_uniform;
use wavelerp::frame::{FrameShape, Moment};
use wavelerp::input::Disk;
use wavelerp::model::scene;

fn frame_of(scene: &scene::Scene, size: [u32; 2], tile: u32) -> FrameUniform {
    let camera = scene::Camera::new(&scene.cameras[0], size);
    let shape = FrameShape {
        size,
        tile,
        near: scene.near,
        far: scene.far,
        ..FrameShape::default()
    };
    let moment = Moment {
        camera,
        ..Moment::default()
    };
    frame_uniform(&moment, &shape)
}

fn still(position: [f32; 3], radius: f32) -> Particle {
    Particle {
        position,
        radius,
        albedo: [0.9, 0.8, 0.7],
        opacity: 0.5,
        emission: [0.1, 0.2, 0.3],
        softness: 0.25,
    }
}

/// The shader's arithmetic in f32.
fn stand_in(
    index: u32,
    particle: &Particle,
    frame: &FrameUniform,
    bounds: &[f32],
    tile: u32,
) -> Option<Shown> {
    let relative: [f32; 3] = std::array::from_fn(|i| particle.position[i] - frame.eye[i]);
    let dot =
        |axis: [f32; 3]| relative[0] * axis[0] + relative[1] * axis[1] + relative[2] * axis[2];
    let view = [dot(frame.right), dot(frame.up), dot(frame.forward)];
    let hidden = particle.opacity <= 0.0 || particle.radius <= 0.0;
    if view[2] <= frame.near || view[2] >= frame.far || hidden {
        return None;
    }
    let half = frame.size.map(|pixels| 0.5 * pixels as f32);
    let center = [
        (view[0] / (view[2] * frame.tan_x) + 1.0) * half[0],
        (-view[1] / (view[2] * frame.tan_y) + 1.0) * half[1],
    ];
    let radius = particle.radius / (view[2] * frame.tan_y) * half[1];
    let on_grid = |edge: f32, axis: usize| edge.clamp(0.0, frame.tiles[axis] as f32) as u32;
    let low = [0, 1].map(|i| on_grid(((center[i] - radius) / tile as f32).floor(), i));
    let high = [0, 1].map(|i| on_grid(((center[i] + radius) / tile as f32).ceil(), i));
    let slice = bounds[1..].partition_point(|far| *far <= view[2]);
    (low[0] < high[0] && low[1] < high[1]).then(|| Shown {
        particle: index,

        center,
        depth: view[2],
        inverse_radius: 1.0 / radius,
        color: particle.albedo,
        opacity: particle.opacity,
        softness: particle.softness,
        slice: u32::try_from(slice).unwrap(),
        tiles_x: low[0] | high[0] << 16,
        tiles_y: low[1] | high[1] << 16,
        ..Default::default()
    })
}

/// Particles in and around what the first camera of `stress` sees, from a fixed sequence.
fn crowd() -> Vec<Particle> {
    let number = |index: u32, stream: u32| super::super::simulate::random(9, index, stream) as f32;
    let one = |index| {
        let at = |stream, half: f32| (number(index, stream) * 2.0 - 1.0) * half;
        let position = [at(0, 12.0), at(1, 8.0), at(2, 10.0) - 8.0];
        still(position, 0.01 + number(index, 3).powi(4))
    };
    (0..20_000).map(one).collect()
}

struct Seen {
    frame: FrameUniform,
    bounds: Vec<f32>,
    particles: Vec<Particle>,
    splats: Vec<Shown>,
    tile: u32,
}

impl Seen {
    fn new(camera_target: Option<[f32; 3]>, size: [u32; 2], tile: u32) -> Self {
        let mut scene = scene::load("stress", &Disk).unwrap();
        if let Some(target) = camera_target {
            scene.cameras[0].eye = [1.0, 2.0, 3.0];
            scene.cameras[0].target = target;
        }
        let frame = frame_of(&scene, size, tile);
        let bounds = scene::slice_bounds(scene.near, scene.far, scene.fog_slices);
        let particles = crowd();
        let splats = (0..)
            .zip(&particles)
            .filter_map(|(index, particle)| stand_in(index, particle, &frame, &bounds, tile))
            .collect();
        Self {
            frame,
            bounds,
            particles,
            splats,
            tile,
        }
    }

    fn difference(&self, splats: &[Shown]) -> Option<String> {
        first_difference(
            splats,
            &self.particles,
            &self.frame,
            &self.bounds,
            self.tile,
        )
    }
}

/// The table in `assets/scenes/two.ron`.
#[test]
fn the_two_particles_lie_where_the_hand_computation_says() {
    let scene = scene::load("two", &Disk).unwrap();
    let particles = [0, 1].map(|i| {
        let emitter = &scene.emitters[i];
        still(emitter.origin, emitter.radius_start)
    });
    // Size, tile, particle, centre, radius, first and last column, first and last row.
    let table = [
        ([1280, 720], 8, 0, [604.0, 324.0], 66.0, [67, 83], [32, 48]),
        ([1280, 720], 8, 1, [670.0, 372.0], 69.0, [75, 92], [37, 55]),
        ([1280, 720], 16, 0, [604.0, 324.0], 66.0, [33, 41], [16, 24]),
        ([1280, 720], 16, 1, [670.0, 372.0], 69.0, [37, 46], [18, 27]),
        ([160, 90], 8, 0, [75.5, 40.5], 8.25, [8, 10], [4, 6]),
        ([160, 90], 8, 1, [83.75, 46.5], 8.625, [9, 11], [4, 6]),
        ([160, 90], 16, 0, [75.5, 40.5], 8.25, [4, 5], [2, 3]),
        ([160, 90], 16, 1, [83.75, 46.5], 8.625, [4, 5], [2, 3]),
    ];
    for (size, tile, which, center, radius, columns, rows) in table {
        let seen = project(&particles[which], &frame_of(&scene, size, tile), tile);
        assert_eq!(seen.visible, Visible::Yes);
        assert_eq!(seen.depth.value, [3.0, 6.0][which]);
        for (bounded, expected) in seen.center.into_iter().zip(center) {
            assert!((bounded.value - expected).abs() < 1e-4, "{seen:?}");
            assert!(bounded.error < 1e-3, "{seen:?}");
        }
        assert!((seen.radius.value - radius).abs() < 1e-4, "{seen:?}");
        for (axis, [first, last]) in [columns, rows].into_iter().enumerate() {
            let only = |tile| TileEdge {
                least: tile,
                most: tile,
            };
            assert_eq!(seen.tile_min[axis], only(first));
            assert_eq!(seen.tile_max[axis], only(last + 1));
        }
    }
}

#[test]
fn f32_meets_the_bounds_from_any_side() {
    let targets = [None, Some([-2.0, -1.0, -9.0]), Some([1.0, -7.0, 3.0])];
    for target in targets {
        for (size, tile) in [([1280, 720], 8), ([161, 91], 16)] {
            let seen = Seen::new(target, size, tile);
            assert!(seen.splats.len() > 500, "{}", seen.splats.len());
            assert_eq!(seen.difference(&seen.splats), None);
        }
    }
}

#[test]
fn hardly_a_particle_lies_within_rounding_of_an_edge() {
    let seen = Seen::new(Some([-2.0, -1.0, -9.0]), [1280, 720], 8);
    let unsure = |particle: &&Particle| {
        let twin = project(particle, &seen.frame, seen.tile);
        let edges = twin.tile_min.iter().chain(&twin.tile_max);
        twin.visible == Visible::Either || edges.into_iter().any(|edge| edge.least != edge.most)
    };
    let count = seen.particles.iter().filter(unsure).count();
    assert!(
        count * 100 < seen.splats.len(),
        "{count} of {}",
        seen.splats.len()
    );
}

#[test]
fn every_wrong_field_is_noticed() {
    let seen = Seen::new(None, [1280, 720], 8);
    let faults: [fn(&mut Shown); 13] = [
        |s| s.center[0] += 0.01,
        |s| s.center[1] -= 0.01,
        |s| s.center[0] = f32::NAN,
        |s| s.depth *= 1.00001,
        |s| s.inverse_radius *= 1.00001,
        |s| s.opacity = s.opacity.next_up(),
        |s| s.softness = 0.5,
        |s| s.slice += 1,
        |s| s.tiles_x += 1,
        |s| s.tiles_x += 1 << 16,
        |s| s.tiles_y += 1,
        |s| s.tiles_y += 1 << 16,
        |s| s.particle += 1,
    ];
    for (number, fault) in faults.iter().enumerate() {
        let mut splats = seen.splats.clone();
        fault(&mut splats[100]);
        assert!(seen.difference(&splats).is_some(), "fault {number}");
    }
    let particle = &seen.particles[seen.splats[0].particle as usize];
    let mut splat = seen.splats[0];
    assert_eq!(color_differs(&splat, particle), None);
    splat.color[1] = 0.0;
    assert!(color_differs(&splat, particle).is_some());
}

#[test]
fn a_splat_missing_added_or_out_of_order_is_noticed() {
    let seen = Seen::new(None, [1280, 720], 8);
    let mut missing = seen.splats.clone();
    missing.remove(100);
    let mut swapped = seen.splats.clone();
    swapped.swap(100, 101);
    let mut twice = seen.splats.clone();
    twice.insert(100, twice[100]);
    let mut stray = seen.splats.clone();
    stray.push(Shown {
        particle: u32::MAX,
        ..stray[0]
    });
    let hidden = (0..).find(|index| seen.splats.iter().all(|s| s.particle != *index));
    let mut added = seen.splats.clone();
    added.push(Shown {
        particle: hidden.unwrap(),
        ..added[0]
    });
    added.sort_by_key(|splat| splat.particle);
    for splats in [missing, swapped, twice, stray, added, Vec::new()] {
        assert!(seen.difference(&splats).is_some());
    }
}

#[test]
fn what_is_before_near_behind_far_transparent_or_outside_is_not_visible() {
    let scene = scene::load("two", &Disk).unwrap();
    let frame = frame_of(&scene, [1280, 720], 8);
    let seen = |particle: Particle| project(&particle, &frame, 8).visible;
    assert_eq!(seen(still([0.0, 0.0, -3.0], 0.1)), Visible::Yes);
    assert_eq!(seen(still([0.0, 0.0, -0.9], 0.1)), Visible::No);
    assert_eq!(seen(still([0.0, 0.0, 3.0], 0.1)), Visible::No);
    assert_eq!(seen(still([0.0, 0.0, -16.1], 0.1)), Visible::No);
    assert_eq!(seen(still([0.0, 0.0, -1.0], 0.1)), Visible::Either);
    assert_eq!(seen(still([0.0, 0.0, -16.0], 0.1)), Visible::Either);
    assert_eq!(seen(still([0.0, 0.0, -3.0], 0.0)), Visible::No);
    assert_eq!(seen(still([9.0, 0.0, -3.0], 0.1)), Visible::No);
    assert_eq!(seen(still([0.0, -4.0, -3.0], 0.1)), Visible::No);
    let mut transparent = still([0.0, 0.0, -3.0], 0.1);
    transparent.opacity = 0.0;
    assert_eq!(seen(transparent), Visible::No);
    transparent.opacity = 1e-40;
    assert_eq!(seen(transparent), Visible::Either);
}

#[test]
fn an_edge_on_a_tile_boundary_may_go_either_way_and_one_beside_it_may_not() {
    let scene = scene::load("two", &Disk).unwrap();
    let frame = frame_of(&scene, [1280, 720], 8);
    // Centre (640, 360) and 80 pixels: columns 70 to 89, each edge on a boundary.
    let on = project(&still([0.0, 0.0, -4.5], 1.0), &frame, 8);
    assert_eq!((on.tile_min[0].least, on.tile_min[0].most), (69, 70));
    assert_eq!((on.tile_max[0].least, on.tile_max[0].most), (90, 91));
    let beside = project(&still([0.0, 0.0, -4.5], 1.0001), &frame, 8);
    assert_eq!(
        (beside.tile_min[0].least, beside.tile_min[0].most),
        (69, 69)
    );
    assert_eq!(
        (beside.tile_max[0].least, beside.tile_max[0].most),
        (91, 91)
    );
}

#[test]
fn a_splat_at_a_slice_bound_lies_behind_it() {
    let bounds = [1.0, 2.0, 4.0];
    let slices = [1.5, 2.0, 3.9, 4.0, 9.0].map(|depth| slice_of(depth, &bounds));
    assert_eq!(slices, [0, 1, 1, 2, 2]);
    assert_eq!(slice_of(3.0, &[1.0]), 0);
}
