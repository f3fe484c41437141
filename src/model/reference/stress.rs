//! Lists of layers that reveal mistakes of compositing methods. Equal arguments give equal lists on every machine.

use super::composite::Layer;
use crate::model::options::ListOrder;

#[derive(Debug, Clone, PartialEq)]
pub struct StressList {
    /// Kind of difficulty: one of [`KINDS`], or [`CLOSE_PAIR`].
    pub kind: &'static str,
    /// Front to back.
    pub layers: Vec<Layer>,
}

/// Kinds of stress lists, in the order of [`stress_lists`].
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

pub const CLOSE_PAIR: &str = "close-pair";

/// List lengths that cover every case of a partial last wave of `width` lanes, and short lists.
pub fn stress_lengths(width: usize) -> [usize; 10] {
    let below = width.saturating_sub(1);
    [0, 1, 4, 5, 6, below, width, width + 1, 3 * width + 5, 1000]
}

pub fn stress_lists(width: usize, seed: u32) -> Vec<StressList> {
    let of_length = |count| KINDS.map(|kind| stress_list(kind, count, seed));
    let lists = stress_lengths(width).into_iter().flat_map(of_length);
    lists.collect()
}

/// A stress list of `count` layers; a kind that is not in [`KINDS`] gives a `random` list.
pub fn stress_list(kind: &'static str, count: usize, seed: u32) -> StressList {
    // The layers around an opaque layer are thin, so that layers in front and behind matter.
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

/// Lengths of short lists, and the number of additional lists of each length.
const FEW: [usize; 3] = [4, 5, 6];
const FURTHER: u32 = 24;

/// Short random lists with two layers close in depth.
pub fn few_layers(seed: u32) -> impl Iterator<Item = StressList> {
    let seeds = (0..FURTHER).map(move |number| seed.wrapping_mul(FURTHER).wrapping_add(number));
    seeds.flat_map(|seed| FEW.map(|count| stress_list(CLOSE_PAIR, count, seed)))
}

/// Range of [`depths`], metres.
pub const PLANES: [f32; 2] = [0.1, 200.0];

/// Time at which lists are composited, seconds. Noise depends on it.
pub const TIME: f32 = 1.0;

/// View depths of a list's layers, metres, within [`PLANES`]. Every third depth equals the one before; short lists have
/// random depths. Depths ascend in sorted lists. In other lists the first layer is the nearest, the last is the
/// farthest, and the rest are in any order.
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
        let bits = layers.iter().map(|of| u64::from(of.opacity.to_bits()));
        let mut random = Random(bits.fold(0, |all, bits| (all << 11) ^ bits));
        depths.fill_with(|| at(0.5 * random.unit()));
        // A close pair behind other layers is the hardest case for moments.
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

/// Layers with colours in `[0.25, 4.25)` and opacities in `[0, largest_opacity)`.
pub fn random_layers(count: usize, seed: u32, largest_opacity: f32) -> Vec<Layer> {
    let mut random = Random(u64::from(seed) << 20 | count as u64);
    let layer = |_| Layer {
        color: std::array::from_fn(|_| 0.25 + 4.0 * random.unit()),
        opacity: largest_opacity * random.unit(),
    };
    (0..count).map(layer).collect()
}

/// Layers; every seventh is one f32 step below opaque.
fn nearly_opaque(count: usize, seed: u32, thin: f32) -> Vec<Layer> {
    let mut layers = random_layers(count, seed, thin);
    for layer in layers.iter_mut().skip(2).step_by(7) {
        layer.opacity = 1.0f32.next_down();
    }
    layers
}

/// Layers with log-uniform opacities from 1e-38 to 1e-5. Colours are at least 1, so that a product flushed to zero
/// loses no more than the underflow term of the bound.
fn tiny(count: usize, seed: u32) -> Vec<Layer> {
    let mut layers = random_layers(count, seed, 1.0);
    for layer in &mut layers {
        layer.opacity = 10f32.powf(-38.0 + 33.0 * layer.opacity);
        layer.color = layer.color.map(|c| c + 1.0);
    }
    layers
}

/// Colours of 2¹²⁰, ordinary ones and denormals in turn, nearest first.
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

/// The splitmix64 generator, written out here because tests need the same numbers forever.
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
