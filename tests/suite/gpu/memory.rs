//! What frames take of the adapter's memory is what is said of them.

use wavelerp::frame::memory::bytes_per;
use wavelerp::frame::{Frame, frame_input};

use crate::harness::{Harness, scene, settings};

const PARTICLES: u32 = 1 << 12;
const ENTRIES: u32 = 1 << 20;

/// Bytes of all buffers and textures of a frame.
fn taken(harness: &Harness, particles: u32, entries: u32, slices: u32) -> f64 {
    let scene = harness.drawable(&scene("stress"));
    let settings = settings(&scene, [160, 96], particles, slices);
    let mut input = frame_input(&scene, &scene.cameras[0], &settings, &harness.gpu.caps);
    input.shape.entry_capacity = entries;
    let frame = Frame::new(&harness.gpu, &harness.pipelines, input).expect("a frame");
    let memory = frame.resources.memory();
    memory.iter().map(|(_, bytes)| *bytes).sum::<u64>() as f64
}

#[test]
fn a_particle_and_an_entry_take_the_bytes_that_are_stated() {
    let harness = Harness::new();
    for slices in [0, 8] {
        let scene = scene("stress");
        let settings = settings(&scene, [160, 96], PARTICLES, slices);
        let input = frame_input(&scene, &scene.cameras[0], &settings, &harness.gpu.caps);
        let stated = bytes_per(&input.shape);
        let once = taken(&harness, PARTICLES, ENTRIES, slices);
        let particles = taken(&harness, 2 * PARTICLES, ENTRIES, slices);
        let entries = taken(&harness, PARTICLES, 2 * ENTRIES, slices);
        let per_particle = (particles - once) / f64::from(PARTICLES);
        let per_entry = (entries - once) / f64::from(ENTRIES);
        assert!((per_entry - stated.entry).abs() < 1e-6);
        assert!((per_particle - stated.particle).abs() < 1e-6);
    }
}
