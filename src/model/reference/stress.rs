//! Lists of layers that bring out the mistakes a compositing method can make.
//!
//! Deterministic: the same arguments give the same lists on every machine. It touches nothing else.

use super::composite::Layer;
use crate::model::options::ListOrder;

/// A list of layers with the name of what makes it hard.
#[derive(Debug, Clone, PartialEq)]
pub struct StressList {
    /// What the list holds, as in `random`.
    pub kind: &'static str,
    /// The layers, front to back.
    pub layers: Vec<Layer>,
}

/// The kinds of stress list, in the order in which [`stress_lists`] gives them.
pub const KINDS: [&str; 9] = [
    "random",
    "thin",
    "transparent",
    "opaque-front",
    "opaque-middle",
    "opaque-back",
    "one-ulp-under-opaque",
    "tiny-opacity",
    "huge-and-denormal",
];

/// The kind of [`few_layers`].
pub const CLOSE_PAIR: &str = "close-pair";

/// The list lengths that meet every case of a tail at wave width `width` (lanes), and those of few layers.
pub fn stress_lengths(width: usize) -> [usize; 10] {
    let below = width.saturating_sub(1);
    [0, 1, 4, 5, 6, below, width, width + 1, 3 * width + 5, 1000]
}

/// Every kind of stress list at every length of [`stress_lengths`].
pub fn stress_lists(width: usize, seed: u32) -> Vec<StressList> {
    let of_length = |count| KINDS.map(|kind| stress_list(kind, count, seed));
    let lists = stress_lengths(width).into_iter().flat_map(of_length);
    lists.collect()
}

/// One stress list of `count` layers; a kind that [`KINDS`] lacks gives `random`.
pub fn stress_list(kind: &'static str, count: usize, seed: u32) -> StressList {
    // Opaque lists are thin around the opaque layer, so that what lies in front and behind weighs.
    let thin = 4.0 / count.max(4) as f32;
    let with_opaque = |at: usize| {
        let mut layers = random_layers(count, seed, thin);
        if let Some(layer) = layers.get_mut(at) {
            layer.opacity = 1.0;
        }
        layers
    };
    let layers = match kind {
        "thin" => random_layers(count, seed, thin),
        "transparent" => random_layers(count, seed, 0.0),
        "opaque-front" => with_opaque(0),
        "opaque-middle" => with_opaque(count / 2),
        "opaque-back" => with_opaque(count.saturating_sub(1)),
        "one-ulp-under-opaque" => nearly_opaque(count, seed, thin),
        "tiny-opacity" => tiny(count, seed),
        "huge-and-denormal" => huge_and_denormal(count, seed, thin),
        _ => random_layers(count, seed, 1.0),
    };
    StressList { kind, layers }
}

/// Layers of lists that have few, and how many further ones there are of each length.
const FEW: [usize; 3] = [4, 5, 6];
const FURTHER: u32 = 24;

/// Random lists of few layers, of which two are close to each other in depth.
pub fn few_layers(seed: u32) -> impl Iterator<Item = StressList> {
    let seeds = (0..FURTHER).map(move |number| seed.wrapping_mul(FURTHER).wrapping_add(number));
    seeds.flat_map(|seed| FEW.map(|count| stress_list(CLOSE_PAIR, count, seed)))
}

/// The planes between which [`depths`] lie, metres.
pub const PLANES: [f32; 2] = [0.1, 200.0];

/// The time at which lists are composited, seconds: noise is one of its own at each time.
pub const TIME: f32 = 1.0;

/// View depths of a list's layers, metres, between [`PLANES`]: every third is that of the one in front of it, and where they are few
/// each list has depths of its own. They ascend in sorted lists; in others the first layer is the nearest, the last the farthest,
/// and those between are in any order.
pub fn depths(layers: &[Layer], order: ListOrder) -> Vec<f32> {
    let count = layers.len();
    let [near, far] = PLANES;
    let at = |part: f32| near * (far / near).powf(part);
    let depth = |index: usize| {
        let place = if index % 3 == 2 { index - 1 } else { index };
        at((place as f32 + 0.5) / count as f32)
    };
    let mut depths: Vec<f32> = (0..count).map(depth).collect();
    if FEW.contains(&count) {
        let bits = layers
            .iter()
            .map(|layer| u64::from(layer.opacity.to_bits()));
        let mut random = Random(bits.fold(0, |all, bits| (all << 11) ^ bits));
        depths.fill_with(|| at(0.5 * random.unit()));
        // Behind others a pair that is so near to each other is the hardest for moments.
        depths[0] = at(0.99 - 0.2 * random.unit());
        depths[1] = depths[0] / [1.01, 1.001, 1.0][(random.bits() % 3) as usize];
        depths.sort_by(f32::total_cmp);
    }
    let mut random = Random(count as u64);
    let between = match order {
        ListOrder::Sorted => 1..1,
        ListOrder::Item | ListOrder::Shuffled | ListOrder::Any => 1..count.saturating_sub(1),
    };
    for index in between {
        depths.swap(index, 1 + (random.bits() % index as u64) as usize);
    }
    depths
}

/// Random layers: colours in `[0.25, 4.25)`, opacities in `[0, largest_opacity)`.
pub fn random_layers(count: usize, seed: u32, largest_opacity: f32) -> Vec<Layer> {
    let mut random = Random(u64::from(seed) << 20 | count as u64);
    let layer = |_| Layer {
        color: std::array::from_fn(|_| 0.25 + 4.0 * random.unit()),
        opacity: largest_opacity * random.unit(),
    };
    (0..count).map(layer).collect()
}

/// Every seventh layer is one step of f32 under opaque.
fn nearly_opaque(count: usize, seed: u32, thin: f32) -> Vec<Layer> {
    let mut layers = random_layers(count, seed, thin);
    for layer in layers.iter_mut().skip(2).step_by(7) {
        layer.opacity = 1.0f32.next_down();
    }
    layers
}

/// Opacities from 1e-38 to 1e-5, all magnitudes alike; colours of at least 1, so that a product that
/// is flushed to zero has lost no more than the underflow term of the bound.
fn tiny(count: usize, seed: u32) -> Vec<Layer> {
    let mut layers = random_layers(count, seed, 1.0);
    for layer in &mut layers {
        layer.opacity = 10f32.powf(-38.0 + 33.0 * layer.opacity);
        layer.color = layer.color.map(|c| c + 1.0);
    }
    layers
}

/// Colours of 2¹²⁰, ordinary ones and denormals in turn; the nearest layer is huge.
fn huge_and_denormal(count: usize, seed: u32, thin: f32) -> Vec<Layer> {
    let mut layers = random_layers(count, seed, thin);
    for (index, layer) in layers.iter_mut().enumerate() {
        match index % 3 {
            0 => layer.color = [2f32.powi(120); 3],
            1 => layer.color = layer.color.map(|c| c * 1e-39),
            _ => {}
        }
    }
    layers
}

/// The splitmix64 generator: the crate's tests need the same numbers for ever.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// Uniform in `[0, 1)`, a multiple of 2⁻²⁴.
    pub(crate) fn unit(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / 16_777_216.0
    }
}
