//! The passes simulate and project on the GPU agree with their f64 twins within the twins' bounds.

use wavelerp::gpu::{Profiler, read_buffer};
use wavelerp::model::items::ItemKind;
use wavelerp::model::layout::Particle;
use wavelerp::model::passes::Inputs;
use wavelerp::model::scene::Scene;
use wavelerp::runs::capture::Capture;

use crate::harness::{Harness, all_scenes, scene, settings, shown_splats};
use crate::oracles::{Shown, project, sheets, simulate};

const SIZE: [u32; 2] = [83, 45];

pub fn particles_of(harness: &Harness, capture: &Capture) -> Vec<Particle> {
    let count = capture.frame.shape().counts.of(ItemKind::Particle) as usize;
    let particles = capture.frame.resources.named("particles");
    read_buffer(&harness.gpu, particles.expect("a buffer"), count).expect("particles")
}

fn splats_of(harness: &Harness, capture: &Capture) -> Vec<Shown> {
    let splats = shown_splats(&harness.gpu, &capture.frame);
    assert_eq!(splats.len(), capture.counters.visible as usize);
    splats
}

/// All cameras of the scene by name.
fn from_every_camera<'a>(
    harness: &'a Harness,
    scene: &Scene,
    particles: u32,
    tile: u32,
) -> Vec<(String, Capture<'a>)> {
    let mut settings = settings(scene, SIZE, particles, 16);
    settings.options.frame.tile = tile;
    let cameras = scene.cameras.iter();
    cameras
        .map(|camera| {
            settings.camera.clone_from(&camera.name);
            (camera.name.clone(), harness.capture(scene, &settings))
        })
        .collect()
}

/// The first particle that differs from its twin.
fn simulated_wrong(capture: &Capture, particles: &[Particle]) -> Option<String> {
    let input = capture.frame.input();
    let (seed, time) = (input.moment.look.seed, input.moment.time);
    (0u32..)
        .zip(particles)
        .find_map(|(index, gpu)| simulate::differs(&input.emitters, seed, time, index, gpu))
}

#[test]
fn every_particle_is_where_its_twin_is() {
    let harness = Harness::new();
    for (scene, count) in all_scenes() {
        let name = &scene.name;
        for time in [0.0, scene.best_time, 1234.567] {
            let mut settings = settings(&scene, [16, 16], count, 2);
            settings.time = time;
            let capture = harness.capture(&scene, &settings);
            let particles = particles_of(&harness, &capture);
            assert_eq!(particles.len() as u32, count);
            let wrong = simulated_wrong(&capture, &particles);
            assert_eq!(wrong, None, "{name} at {time} s");
        }
    }
}

/// The first splat of a particle or cell that is wrong, missing, superfluous or out of order.
fn projected_wrong(capture: &Capture, splats: &[Shown], particles: &[Particle]) -> Option<String> {
    let input = capture.frame.input();
    let (uniform, bounds) = (&input.uniform(), &input.slice_bounds);
    let before = |kind| {
        let first = input.shape.counts.first(kind);
        splats.partition_point(|splat| splat.particle < first)
    };
    let (cell, gaussian) = (before(ItemKind::Cell), before(ItemKind::Gaussian));
    // Splats of files are tested elsewhere.
    let (splats, cells) = (&splats[..cell], &splats[cell..gaussian]);
    project::first_difference(splats, particles, uniform, bounds, input.shape.tile).or_else(|| {
        sheets::first_difference(cells, &input.sheets, uniform, bounds, input.shape.tile)
    })
}

#[test]
fn splats_are_complete_in_particle_order_and_where_their_twins_are() {
    let harness = Harness::new();
    for ((scene, count), tile) in all_scenes().into_iter().zip([8, 16].into_iter().cycle()) {
        let name = &scene.name;
        for (camera, capture) in from_every_camera(&harness, &scene, count, tile) {
            let particles = particles_of(&harness, &capture);
            let splats = splats_of(&harness, &capture);
            let wrong = projected_wrong(&capture, &splats, &particles);
            assert_eq!(wrong, None, "{name} from {camera}, tile {tile}");
            assert!(splats.is_sorted_by_key(|splat| splat.particle));
            assert_eq!(splats.is_empty(), camera == "away", "{name} from {camera}");
        }
    }
}

#[test]
fn rounding_decides_few_of_the_splats() {
    // Each fault must violate the bounds.
    let harness = Harness::new();
    let scene = scene("stress");
    let capture = harness.capture(&scene, &settings(&scene, SIZE, 12_000, 16));
    let uniform = capture.frame.input().uniform();
    let particles = particles_of(&harness, &capture);
    let is_open = |of: &&Particle| project::project(of, &uniform, 8).is_open();
    let open = particles.iter().filter(is_open).count();
    assert!(open < 20, "{open} of {}", particles.len());
}

mod controls {
    use super::*;

    #[test]
    fn a_particle_that_is_off_by_little_is_found() {
        let harness = Harness::new();
        let scene = scene("temple");
        let capture = harness.capture(&scene, &settings(&scene, [16, 16], 4000, 2));
        let particles = particles_of(&harness, &capture);
        assert_eq!(simulated_wrong(&capture, &particles), None);
        let faults: [fn(&mut Particle); 5] = [
            |particle| particle.position[1] += 0.01,
            |particle| particle.radius *= 1.00001,
            |particle| particle.albedo[2] += 1e-5,
            |particle| particle.opacity += 1e-4,
            |particle| particle.softness = 1.0f32.next_down(),
        ];
        for (number, fault) in faults.iter().enumerate() {
            let mut wrong = particles.clone();
            fault(&mut wrong[1234]);
            let found = simulated_wrong(&capture, &wrong);
            assert!(found.is_some(), "fault {number} was not found");
        }
        let mut swapped = particles;
        swapped.swap(10, 11);
        assert!(simulated_wrong(&capture, &swapped).is_some());
    }

    #[test]
    fn a_splat_that_is_wrong_missing_doubled_or_out_of_order_is_found() {
        let harness = Harness::new();
        let scene = scene("stress");
        let capture = harness.capture(&scene, &settings(&scene, SIZE, 12_000, 16));
        let particles = particles_of(&harness, &capture);
        let splats = splats_of(&harness, &capture);
        assert_eq!(projected_wrong(&capture, &splats, &particles), None);
        let faults: [fn(&mut Vec<Shown>); 19] = [
            |splats| _ = splats.remove(700),
            |splats| splats.insert(700, splats[700]),
            |splats| splats.swap(700, 701),
            |splats| splats.truncate(splats.len() - 1),
            |splats| splats.clear(),
            // The splat of an invisible particle.
            |splats| {
                let next = |pair: &[Shown]| pair[0].particle + 1 < pair[1].particle;
                let gap = splats
                    .windows(2)
                    .position(next)
                    .expect("an invisible particle");
                let mut added = splats[gap];
                added.particle += 1;
                splats.insert(gap + 1, added);
            },
            |splats| splats[700].particle += 1,
            |splats| splats[700].center[0] += 0.01,
            |splats| splats[700].center[1] -= 0.01,
            |splats| splats[700].center[0] = f32::NAN,
            |splats| splats[700].depth *= 1.00001,
            |splats| splats[700].inverse_radius *= 1.00001,
            |splats| splats[700].opacity = splats[700].opacity.next_up(),
            |splats| splats[700].softness = splats[700].softness.next_up(),
            |splats| splats[700].tiles_x += 1,
            |splats| splats[700].tiles_x += 1 << 16,
            |splats| splats[700].tiles_y += 1,
            |splats| splats[700].tiles_y += 1 << 16,
            |splats| splats[700].slice += 1,
        ];
        for (number, fault) in faults.iter().enumerate() {
            let mut wrong = splats.clone();
            fault(&mut wrong);
            let found = projected_wrong(&capture, &wrong, &particles);
            assert!(found.is_some(), "fault {number} was not found");
        }
    }
}

#[test]
fn a_splat_in_white_light_has_its_particles_albedo_bit_by_bit() {
    let harness = Harness::new();
    let mut scene = scene("stress");
    scene.sun.irradiance = [0.0; 3];
    scene.lights.clear();
    scene.ambient = [1.0; 3];
    for emitter in &mut scene.emitters {
        emitter.emission = [0.0; 3];
    }
    let capture = harness.capture(&scene, &settings(&scene, SIZE, 12_000, 16));
    let particles = particles_of(&harness, &capture);
    let splats = splats_of(&harness, &capture);
    let of = |splat: &Shown| &particles[splat.particle as usize];
    for splat in &splats {
        assert_eq!(project::color_differs(splat, of(splat)), None);
    }
    let mut wrong = splats[700];
    wrong.color[2] = wrong.color[2].next_up();
    assert!(project::color_differs(&wrong, of(&wrong)).is_some());
}

#[test]
fn drawing_a_frame_again_gives_the_same_splats_bit_by_bit() {
    let harness = Harness::new();
    let scene = scene("temple");
    let capture = harness.capture(&scene, &settings(&scene, SIZE, 14_000, 8));
    let first = splats_of(&harness, &capture);
    let mut profiler = Profiler::untimed(&harness.gpu).expect("a profiler");
    let frame = &capture.frame;
    let drawn = frame.draw_scene(&harness.gpu, &mut profiler, Inputs::LISTS);
    drawn.expect("drawn");
    let second = splats_of(&harness, &capture);
    assert_eq!(first, second);
}
