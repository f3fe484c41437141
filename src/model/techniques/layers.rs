//! Layers of a pixel, and a technique's result for them.

use std::cell::OnceCell;
use std::cmp::Ordering;

/// One translucent contribution at a pixel, as a kernel evaluates it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Layer {
    /// View depth, positive in front of the camera. For a fog slice it is the depth of the far side.
    pub depth: f32,
    /// Linear rgb radiance, not multiplied by the opacity.
    pub colour: [f64; 3],
    /// Opacity in `[0, 1]`.
    pub opacity: f32,
    /// Number of the item, independent of the list's order; used for ties and hashes.
    pub item: u32,
}

impl Layer {
    pub fn counts(&self) -> bool {
        self.opacity > 0.0
    }

    /// Opacity, clamped to `[0, 1]`.
    pub fn alpha(&self) -> f64 {
        match self.counts() {
            true => f64::from(self.opacity.min(1.0)),
            false => 0.0,
        }
    }

    /// `-ln(1-α)`, at most `most`, because the absorbance of an opaque layer is infinite.
    pub fn absorbance(&self, most: f64) -> f64 {
        (-(-self.alpha()).ln_1p()).min(most)
    }

    /// Orders layers by depth, then by item. NaN is behind everything.
    pub fn order(&self, other: &Self) -> Ordering {
        let depth = |layer: &Self| match layer.depth.is_nan() {
            true => f32::INFINITY,
            // Adding 0 turns -0 into 0.
            false => layer.depth + 0.0,
        };
        let by_depth = depth(self).total_cmp(&depth(other));
        by_depth.then(self.item.cmp(&other.item))
    }
}

/// Depth range that a technique resolves: the range of the camera, the frame or a tile.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    near: f32,
    far: f32,
}

impl Default for Range {
    fn default() -> Self {
        Self::new(1.0, 2.0)
    }
}

impl Range {
    /// Minimum near depth: logarithms need a positive depth.
    pub const LEAST: f32 = 1e-6;

    /// Range from `near` to `far`, both raised if necessary so that `0 < near < far`.
    pub fn new(near: f32, far: f32) -> Self {
        let near = near.clamp(Self::LEAST, 1e37);
        let near = if near.is_nan() { Self::LEAST } else { near };
        // If one number is NaN, `max` takes the other.
        let far = far.min(f32::MAX).max(near * 1.0001);
        Self { near, far }
    }

    pub fn ends(self) -> [f32; 2] {
        [self.near, self.far]
    }

    /// Number of times that depth doubles from one end to the other.
    pub fn octaves(self) -> f64 {
        let [near, far] = self.ends().map(f64::from);
        (far / near).log2()
    }

    pub fn over(depths: impl Iterator<Item = f32>) -> Self {
        let (near, far) = depths.fold((f32::MAX, 0f32), |(near, far), depth| {
            (near.min(depth), far.max(depth))
        });
        Self::new(near, far)
    }

    /// Logarithmic depth, from 0 at the near end to 1 at the far end, clamped. NaN counts as far.
    pub fn unit(self, depth: f64) -> f64 {
        let (near, far) = (f64::from(self.near), f64::from(self.far));
        if depth.is_nan() {
            return 1.0;
        }
        (depth.clamp(near, far) / near).ln() / (far / near).ln()
    }

    /// Depth as in a depth buffer, 0 at the near plane and 1 at the far plane.
    pub fn window_depth(self, depth: f64) -> f64 {
        let (near, far) = (f64::from(self.near), f64::from(self.far));
        let depth = if depth.is_nan() { far } else { depth };
        let depth = depth.clamp(near, far);
        far * (depth - near) / (depth * (far - near))
    }

    /// Slice of a depth among `count` slices. Slices are evenly spaced in the bit pattern of f32, which makes them
    /// nearly logarithmic (linear within each octave), and u32 arithmetic decides the same way on every machine.
    pub fn slice(self, depth: f32, count: u32) -> u32 {
        let (near, far) = (self.near.to_bits(), self.far.to_bits());
        let depth = if depth.is_nan() { self.far } else { depth };
        let bits = depth.clamp(self.near, self.far).to_bits();
        (bits - near) / ((far - near) / count.max(1) + 1)
    }
}

pub struct OitResult {
    /// Red, green, blue and transmittance: a pixel is `rgb + transmittance · background`.
    pub result: [f64; 4],
    /// Fraction of each layer's colour in the result, in list order; without the rounding of sums.
    pub shares: Vec<f64>,
    /// Number of decisions so close that f32 arithmetic may decide differently.
    pub near_ties: u32,
    pub(super) curve: Box<dyn Fn(f64) -> f64>,
}

impl OitResult {
    /// The result with the given shares; the curve has a step at each layer's depth.
    pub fn of(layers: &[Layer], shares: Vec<f64>, transmittance: f64) -> Self {
        let mut result = [0.0, 0.0, 0.0, transmittance];
        for (layer, &share) in layers.iter().zip(&shares) {
            // A share of 0 must hide even an infinite colour.
            if share != 0.0 {
                let rgb = result.iter_mut().zip(layer.colour);
                rgb.for_each(|(sum, colour)| *sum += share * colour);
            }
        }
        let depths = layers.iter().map(|layer| f64::from(layer.depth));
        let steps: Vec<(f64, f64)> = depths.zip(shares.iter().copied()).collect();
        // Most callers do not use the curve.
        let sums = OnceCell::new();
        let curve = Box::new(move |depth: f64| {
            let sums = sums.get_or_init(|| summed(&steps));
            let nearer = sums.partition_point(|(at, _)| *at < depth);
            1.0 - nearer.checked_sub(1).map_or(0.0, |last| sums[last].1)
        });
        Self {
            result,
            shares,
            near_ties: 0,
            curve,
        }
    }

    /// The same result with the technique's own curve.
    pub fn with_curve(self, curve: impl Fn(f64) -> f64 + 'static) -> Self {
        let curve = Box::new(curve);
        Self { curve, ..self }
    }

    /// T(z): transmittance from the camera to `depth` in this technique, without layers at `depth` itself.
    ///
    /// Techniques that reconstruct T return their reconstruction. Weighted blending returns its weight, scaled as in
    /// N(w), which may exceed 1. All others return `1 - Σ share` over nearer layers, which is the true staircase if the
    /// shares are exact.
    pub fn transmittance(&self, depth: f64) -> f64 {
        (self.curve)(depth)
    }
}

/// Sorts steps by depth, and replaces each share with the sum up to that step. Drops NaN depths.
fn summed(steps: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut steps = steps.to_vec();
    steps.retain(|(at, _)| !at.is_nan());
    steps.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut sum = 0.0;
    for (_, share) in &mut steps {
        sum += *share;
        *share = sum;
    }
    steps
}

/// `Π (1-α)`.
pub fn transmittance(layers: &[Layer]) -> f64 {
    layers.iter().map(|layer| 1.0 - layer.alpha()).product()
}

/// Smallest divisor `Σ w·α`. f32 may flush smaller ones to zero, and then no colour is added.
pub const LEAST_SUM: f64 = f32::MIN_POSITIVE as f64;

/// Smallest weight of techniques that reconstruct T: behind an absorbance of 42 they average.
pub const LEAST_WEIGHT: f64 = 1.0 / (1u64 << 60) as f64;

/// `covered·w·α / Σ w·α` for each layer.
pub fn shares(layers: &[Layer], weights: &[f64], covered: f64) -> Vec<f64> {
    let product = |(layer, weight): (&Layer, &f64)| layer.alpha() * weight;
    let sum: f64 = layers.iter().zip(weights).map(product).sum();
    let scale = if sum < LEAST_SUM { 0.0 } else { covered / sum };
    let products = layers.iter().zip(weights).map(product);
    products.map(|product| product * scale).collect()
}

/// N(w): colours averaged with weight `w·α`, over the exact transmittance.
pub fn resolved(layers: &[Layer], weights: &[f64]) -> OitResult {
    let kept = transmittance(layers);
    OitResult::of(layers, shares(layers, weights, 1.0 - kept), kept)
}

/// Shares and transmittance of the layers in `order`, front to back. All other layers have no share.
pub fn in_order(layers: &[Layer], order: impl IntoIterator<Item = usize>) -> (Vec<f64>, f64) {
    let (mut shares, mut kept) = (vec![0.0; layers.len()], 1.0);
    for index in order {
        let alpha = layers[index].alpha();
        shares[index] = kept * alpha;
        kept *= 1.0 - alpha;
    }
    (shares, kept)
}

pub fn composited(layers: &[Layer], order: impl IntoIterator<Item = usize>) -> OitResult {
    let (shares, kept) = in_order(layers, order);
    OitResult::of(layers, shares, kept)
}

/// Indices of visible layers, sorted by depth and item.
pub fn sorted(layers: &[Layer]) -> Vec<usize> {
    let mut order: Vec<usize> = counting(layers).collect();
    order.sort_by(|&a, &b| layers[a].order(&layers[b]));
    order
}

/// Indices of visible layers, in list order.
pub fn counting(layers: &[Layer]) -> impl Iterator<Item = usize> {
    (0..layers.len()).filter(|&index| layers[index].counts())
}

pub fn exact(layers: &[Layer]) -> OitResult {
    composited(layers, sorted(layers))
}

/// Rounds a value like a `unorm` texture of `2^bits` levels, or like `pack4x8unorm`, in f32.
pub fn unorm(value: f64, bits: u32) -> f64 {
    let most = ((1u32 << bits) - 1) as f32;
    let steps = (0.5 + most * (value as f32).clamp(0.0, 1.0)).floor();
    f64::from(steps) / f64::from(most)
}

/// A sum computed in f32 and stored as a half float.
pub fn half_sum(sum: f64, term: f64) -> f64 {
    ::half::f16::from_f32(sum as f32 + term as f32).to_f64()
}
