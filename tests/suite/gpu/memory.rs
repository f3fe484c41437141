//! What frames take of the adapter's memory is what is said of them.

use wavelerp::render::memory::bytes_per;
use wavelerp::render::{Frame, frame_input};

use crate::harness::{Harness, scene, settings};

/// So few that the digit counts are those of the entries.
const PARTICLES: u32 = 1 << 12;
const ENTRIES: u32 = 1 << 20;

/// Bytes of all buffers and textures of a frame, and of its digit counts.
fn taken(harness: &Harness, particles: u32, entries: u32, slices: u32) -> [f64; 2] {
    let scene = harness.drawable(&scene("stress"));
    let settings = settings(&scene, [160, 96], particles, slices);
    let mut input = frame_input(&scene, &scene.cameras[0], &settings, &harness.gpu.caps);
    input.uniform.entry_capacity = entries;
    let frame = Frame::new(&harness.gpu, &harness.pipelines, input).expect("a frame");
    let memory = frame.resources.memory();
    let counts = memory.iter().find(|(label, _)| *label == "histograms");
    let counts = counts.expect("digit counts").1;
    let all: u64 = memory.iter().map(|(_, bytes)| bytes).sum();
    [(all - counts) as f64, counts as f64]
}

#[test]
fn a_particle_and_an_entry_take_the_bytes_that_are_stated() {
    let harness = Harness::new();
    for slices in [0, 8] {
        let scene = scene("stress");
        let settings = settings(&scene, [160, 96], PARTICLES, slices);
        let input = frame_input(&scene, &scene.cameras[0], &settings, &harness.gpu.caps);
        let stated = bytes_per(&harness.gpu.caps, &input.uniform);
        let once = taken(&harness, PARTICLES, ENTRIES, slices);
        let particles = taken(&harness, 2 * PARTICLES, ENTRIES, slices);
        let entries = taken(&harness, PARTICLES, 2 * ENTRIES, slices);
        let per_particle = (particles[0] - once[0]) / f64::from(PARTICLES);
        let per_entry = (entries[0] - once[0]) / f64::from(ENTRIES);
        let counts = (entries[1] - once[1]) / f64::from(ENTRIES);
        assert!((per_entry + counts - stated.entry).abs() < 1e-6);
        let shared = stated.particle - per_particle;
        assert!(
            (0.0..1.01).contains(&shared),
            "{shared} bytes of digit counts a particle"
        );
    }
}
