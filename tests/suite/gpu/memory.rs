//! Memory that particles and tile entries take on the adapter.

use wavelerp::frame::{Frame, frame_input};
use wavelerp::model::layout::{Particle, Splat, SplatPlace};

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
fn a_particle_takes_what_it_is_and_an_entry_a_few_words() {
    let harness = Harness::new();
    let of_particle = size_of::<Particle>() + size_of::<Splat>() + size_of::<SplatPlace>();
    // A tile entry needs half a macro-tile entry (8 bytes, stored twice), its share of 16 words per 1024 entries, and the
    // index of the splat.
    let of_entry = 8.0 + 16.0 * 4.0 / 1024.0 + 4.0;
    // Lists merged with slices contain the index again.
    for (slices, again) in [(0, 0.0), (8, 4.0)] {
        let once = taken(&harness, PARTICLES, ENTRIES, slices);
        let particles = taken(&harness, 2 * PARTICLES, ENTRIES, slices);
        let entries = taken(&harness, PARTICLES, 2 * ENTRIES, slices);
        let per_particle = (particles - once) / f64::from(PARTICLES);
        let per_entry = (entries - once) / f64::from(ENTRIES);
        assert!((per_entry - of_entry - again).abs() < 1e-6, "{per_entry}");
        let is_right = (per_particle - of_particle as f64).abs() < 1e-6;
        assert!(is_right, "{per_particle}");
    }
}
