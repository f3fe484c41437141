//! Adaptive transparency (Salvi, Montgomery and Lefohn, HPG 2011): K steps of transmittance. When there is one too many,
//! one is removed.
//!
//! **It depends on the order of the list**: the step to remove is chosen when the next layer comes.

use super::bounds::{SECOND_ORDER, bound_of_shares};
use super::keeping::DRAWN_NODE;
use super::layers::{Layer, OitResult, counting, exact};
use super::{TURNS, Technique};
use crate::model::constant::Constant;
use crate::model::methods::entry::{APPROXIMATE, DRAWN_SUMS, Entry, NUMBER, PixelBytes};

pub const ADAPTIVE: Entry = Entry {
    name: "adaptive",
    module: "methods/adaptive",
    mapping: "as list-order, twice; steps of transmittance, then layers weighted by them (--kept)",
    cost: "two walks, the first without colour; no sort; up to 4 K steps per layer, 3 K numbers of state",
    guarantee: "exact up to K layers, exact transmittance; depends on the order of the list, and only darkens",
    origin: "adaptive transparency (Salvi, Montgomery and Lefohn 2011)",
    bench_options: "kept=8 | kept=4 | kept=16",
    ..APPROXIMATE
};

/// K steps of T over depth. If there is one too many, the step whose removal changes the area under T least is removed.
///
/// A first walk builds the steps; a second walk adds up `c·α·T(z)`, which is not normalised. A removed step merges into
/// the step before it, so T is never too large, and T behind everything is exact. The nearest step always stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Adaptive {
    pub nodes: u32,
}

#[derive(Clone, Copy)]
struct Step {
    layer: usize,
    /// T behind the step.
    left: f64,
    /// T as a kernel rounds it: f32 decides which step is removed.
    rounded: f32,
}

impl Adaptive {
    /// The steps, and the number of close choices.
    fn steps(&self, layers: &[Layer]) -> (Vec<Step>, u32) {
        let most = self.nodes as usize;
        let (mut steps, mut near_ties): (Vec<Step>, u32) = (Vec::new(), 0);
        for index in counting(layers) {
            let behind = |step: &Step| layers[step.layer].order(&layers[index]).is_gt();
            let place = steps.iter().position(behind).unwrap_or(steps.len());
            let before = steps[..place].last();
            let step = Step {
                layer: index,
                left: before.map_or(1.0, |before| before.left),
                rounded: before.map_or(1.0, |before| before.rounded),
            };
            steps.insert(place, step);
            for step in &mut steps[place..] {
                step.left *= 1.0 - layers[index].alpha();
                step.rounded *= 1.0 - layers[index].opacity.min(1.0);
            }
            if steps.len() <= most {
                continue;
            }
            let areas = (1..=most).map(|at| area(layers, &steps[at - 1], &steps[at]));
            let areas: Vec<[f32; 2]> = areas.collect();
            let mut least = 0;
            for (at, [area, _]) in areas.iter().enumerate() {
                if *area < areas[least][0] {
                    least = at;
                }
            }
            let is_close = |(at, [area, doubt]): (usize, &[f32; 2])| {
                let [smallest, its_doubt] = areas[least];
                let doubt = doubt + its_doubt;
                at != least && doubt > 0.0 && *area <= smallest + doubt
            };
            near_ties += u32::from(areas.iter().enumerate().any(is_close));
            let gone = steps.remove(1 + least);
            steps[least].left = gone.left;
            steps[least].rounded = gone.rounded;
        }
        (steps, near_ties)
    }
}

/// Area under T that is lost with a step, and the kernel's error in that area, from two roundings and flushed numbers.
fn area(layers: &[Layer], before: &Step, step: &Step) -> [f32; 2] {
    let depth = layers[step.layer].depth - layers[before.layer].depth;
    if depth == 0.0 || before.rounded == 0.0 {
        return [0.0; 2];
    }
    let least = 4.0 * f32::MIN_POSITIVE;
    let doubt = depth * (f32::EPSILON * before.rounded + least) + least;
    [depth * (before.rounded - step.rounded), doubt]
}

impl Technique for Adaptive {
    fn composite(&self, layers: &[Layer]) -> OitResult {
        let (steps, near_ties) = self.steps(layers);
        let share = |layer: &Layer| {
            let is_nearer = |step: &&Step| layers[step.layer].order(layer).is_lt();
            let nearer = steps.iter().rev().find(is_nearer);
            layer.alpha() * nearer.map_or(1.0, |step| step.left)
        };
        let shares = layers.iter().map(share).collect();
        let left = steps.last().map_or(1.0, |step| step.left);
        let found = OitResult {
            near_ties,
            ..OitResult::of(layers, shares, left)
        };
        let curve = steps.into_iter().rev();
        let curve = curve.map(|step| (f64::from(layers[step.layer].depth), step.left));
        let curve: Vec<(f64, f64)> = curve.collect();
        found.with_curve(move |depth| {
            let nearer = curve.iter().find(|(at, _)| *at < depth);
            nearer.map_or(1.0, |(_, left)| *left)
        })
    }

    /// The sum has `2n` roundings of T, two of a term and `n` of the sum itself. If a choice of steps is close, T is
    /// still never too large: both results are between nothing and the exact result.
    fn bound(&self, layers: &[Layer], found: &OitResult) -> [f64; 4] {
        let mut bound = bound_of_shares(layers, found, 3.0 * layers.len() as f64 + 6.0);
        if found.near_ties > 0 {
            let rgb = bound.iter_mut().zip(exact(layers).result).take(3);
            rgb.for_each(|(bound, most)| *bound += most * SECOND_ORDER);
        }
        bound
    }

    /// A step stores light as a single number; the sums are separate.
    fn bytes(&self) -> PixelBytes {
        PixelBytes::new(
            self.nodes * 3 * NUMBER + 5 * NUMBER,
            self.nodes * DRAWN_NODE + DRAWN_SUMS,
        )
    }

    fn constants(&self) -> Vec<(&'static str, Constant)> {
        vec![("KEPT", self.nodes.into())]
    }

    fn words(&self) -> Option<String> {
        Some(self.nodes.to_string())
    }

    fn takes_any_order(&self) -> bool {
        false
    }

    /// One walk makes the steps; another walk uses them.
    fn turns(&self) -> u32 {
        2 * TURNS
    }
}

#[cfg(test)]
mod tests {
    use super::super::layers::exact;
    use super::super::tests::layers;
    use super::*;

    #[test]
    fn adaptive_steps_never_let_too_much_through_and_end_exactly() {
        let list = layers(40, 4, 0.05..0.4);
        let (found, truth) = (Adaptive { nodes: 8 }.composite(&list), exact(&list));
        assert!((found.result[3] - truth.result[3]).abs() < 1e-12);
        for depth in (0..400).map(|step| 1.0 + f64::from(step) * 0.25) {
            assert!(found.transmittance(depth) <= truth.transmittance(depth) + 1e-12);
        }
    }
}
