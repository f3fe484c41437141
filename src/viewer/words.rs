//! Glossary of this program's terms, a sentence each.

pub fn meanings() -> impl Iterator<Item = (&'static str, &'static str)> {
    WORDS.lines().filter_map(|line| line.split_once(": "))
}

const WORDS: &str = "\
A, B: The two methods that are compared: A left of the yellow line, B right of it.
layer: One translucent thing as seen at a pixel: a colour, an opacity and a depth.
composite: Blend a pixel's layers into one colour; methods differ only in how they do this.
T: Transmittance: how much light the layers so far let through, from 1 (all) to 0 (none).
item: Anything projected and listed: a particle, a cell of a pane, or a Gaussian.
fog slice: The fog between two depths; every pixel has one layer of each slice.
tile: A square of 8x8 or 16x16 pixels that share one list of layers, sorted by depth.
wave: The threads that a GPU runs in lockstep, 4 to 128 of them; also called warp or subgroup.
lane: One thread of a wave.
carry: The T behind one group of layers, with which the next group starts.
tail: The last group of a list, which has fewer layers than the wave has lanes.
hazard: The division 0/0 that a method may run into behind an opaque layer, and the ways to avoid it.
dial: How work is divided: pixels per wave or thread, threads per pixel, or layers per batch.
early out: Stopping at a layer behind which T is so small that nothing would be visible.
precision: Number format for compositing: 32-bit floats or 16-bit half floats.
baseline: The method that ratios compare with: its ratio is 1.
ULP: Unit in the last place: the step from one float to the next, in which errors are counted.";
