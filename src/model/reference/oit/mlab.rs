//! Multi-layer alpha blending (Salvi and Vaidyanathan, I3D 2014) and adaptive transparency (Salvi, Montgomery and Lefohn,
//! HPG 2011): K nodes, and a rule for what to do with one more.
//!
//! **Both depend on the order of the list**: which layers meet in a node is decided when the next one comes.

use serde::Serialize;

use super::{Believed, Layer, Technique, counting, unorm};
use crate::model::flag_value::written_as_in_flags;
use crate::model::reference::composite::ROUNDOFF;
use crate::model::reference::half::LARGEST as LARGEST_HALF;

/// How nodes are stored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Storage {
    /// f32; the twin does not round.
    #[value(help = "Single precision")]
    #[default]
    F32,
    /// Half floats, rounded at every merge; colours above 65504 are cut off.
    #[value(help = "Half floats, rounded at every blend")]
    F16,
    /// 8 bits for each channel and for transmittance, as shipped: rounded at every merge, and colours above 1 are cut off.
    #[value(
        help = "8 bits, rounded at every blend, for displayed colours: they end at 1, and faint layers are lost"
    )]
    U8,
}

impl Storage {
    /// Whether f32 arithmetic may round a number to the other neighbour.
    fn is_near_tie(self, value: f64) -> bool {
        let (most, step, slack) = match self {
            Self::F32 => return false,
            Self::F16 => {
                let step = (value.log2().floor().max(-14.0) - 10.0).exp2();
                (LARGEST_HALF, step, 4.0 * ROUNDOFF * value / step)
            }
            Self::U8 => (1.0, 1.0 / 255.0, 1e-4),
        };
        let steps = 0.5 + value / step;
        (0.0..=most).contains(&value) && (steps - steps.round()).abs() < slack
    }

    fn rounded(self, value: f64) -> f64 {
        match self {
            Self::F32 => value,
            Self::F16 => ::half::f16::from_f64(value.clamp(0.0, LARGEST_HALF)).to_f64(),
            Self::U8 => unorm(value, 8),
        }
    }
}

/// Multi-layer alpha blending: K nodes of premultiplied colour and transmittance; of one too many the two farthest merge.
///
/// One walk. Exact on lists that are sorted either way, and up to K layers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mlab {
    /// K, 2 to 16, default 4 (Unreal's).
    pub nodes: u32,
    pub storage: Storage,
}

impl Mlab {
    pub fn new(nodes: u32, storage: Storage) -> Self {
        Self { nodes, storage }
    }
}

/// A run of layers that is blended.
struct Node {
    /// The layer whose place in depth the node has.
    nearest: usize,
    rgb: [f64; 3],
    transmittance: f64,
    /// Its place among all nodes that there ever were.
    number: usize,
}

impl Node {
    fn of(layers: &[Layer], index: usize, number: usize) -> Self {
        let alpha = layers[index].alpha();
        Self {
            nearest: index,
            rgb: layers[index].colour.map(|colour| colour * alpha),
            transmittance: 1.0 - alpha,
            number,
        }
    }

    fn rounded(mut self, storage: Storage) -> Self {
        self.rgb = self.rgb.map(|value| storage.rounded(value));
        self.transmittance = storage.rounded(self.transmittance);
        self
    }

    fn near_ties(&self, storage: Storage) -> u32 {
        let values = self.rgb.into_iter().chain([self.transmittance]);
        values.filter(|value| storage.is_near_tie(*value)).count() as u32
    }
}

/// Of each node that there ever was the one that it went into, and what that lets through in front of it.
#[derive(Default)]
struct Joined(Vec<(usize, f64)>);

impl Joined {
    fn next(&mut self) -> usize {
        self.0.push((self.0.len(), 1.0));
        self.0.len() - 1
    }

    fn over(&mut self, mut front: Node, behind: Node) -> Node {
        let number = self.next();
        self.0[front.number] = (number, 1.0);
        self.0[behind.number] = (number, front.transmittance);
        for (sum, value) in front.rgb.iter_mut().zip(behind.rgb) {
            *sum += front.transmittance * value;
        }
        front.transmittance *= behind.transmittance;
        Node { number, ..front }
    }

    /// How much of each node is seen in the last one.
    fn seen(&self) -> Vec<f64> {
        let mut seen = vec![1.0; self.0.len()];
        for (number, &(into, through)) in self.0.iter().enumerate().rev() {
            seen[number] = seen[into] * through;
        }
        seen
    }
}

impl Technique for Mlab {
    fn believe(&self, layers: &[Layer]) -> Believed {
        let most = self.nodes.clamp(2, 16) as usize;
        let (mut nodes, mut joined) = (Vec::<Node>::new(), Joined::default());
        let (mut numbers, mut near_ties) = (Vec::new(), 0);
        for index in counting(layers) {
            let behind = |node: &Node| layers[node.nearest].order(&layers[index]).is_gt();
            let place = nodes.iter().position(behind).unwrap_or(nodes.len());
            let node = Node::of(layers, index, joined.next());
            numbers.push((index, node.number));
            near_ties += node.near_ties(self.storage);
            nodes.insert(place, node.rounded(self.storage));
            if nodes.len() > most
                && let (Some(last), Some(before)) = (nodes.pop(), nodes.pop())
            {
                let blended = joined.over(before, last);
                near_ties += blended.near_ties(self.storage);
                nodes.push(blended.rounded(self.storage));
            }
        }
        let mut shares = vec![0.0; layers.len()];
        let nodes = nodes.into_iter();
        let Some(all) = nodes.reduce(|front, behind| joined.over(front, behind)) else {
            return Believed::of(layers, shares, 1.0);
        };
        let seen = joined.seen();
        for (index, number) in numbers {
            shares[index] = layers[index].alpha() * seen[number];
        }
        let [red, green, blue] = all.rgb;
        Believed {
            result: [red, green, blue, all.transmittance],
            near_ties,
            ..Believed::of(layers, shares, all.transmittance)
        }
    }
}

/// Adaptive transparency: K steps of T over depth; of one too many the step goes that changes the area under them least.
///
/// A first walk builds the steps, a second one adds up `c·α·T(z)`, which is not normalised. Step i, removed, is taken by the
/// step before it: T is never too large, and T behind everything is exact. Any step may go but the nearest, which has none before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Adaptive {
    /// K, 2 to 16, default 8.
    pub nodes: u32,
}

/// A step of T.
#[derive(Clone, Copy)]
struct Step {
    /// The layer whose depth it has.
    layer: usize,
    /// T behind it.
    left: f64,
    /// The same as a kernel rounds it: which step goes is decided in f32.
    rounded: f32,
}

impl Adaptive {
    /// The steps, and how many choices were close.
    fn steps(&self, layers: &[Layer]) -> (Vec<Step>, u32) {
        let most = self.nodes.clamp(2, 16) as usize;
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

/// The area under T that goes with a step, and what a kernel may be off: it may round T and a difference at once, and flush what is
/// not normal.
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
    fn believe(&self, layers: &[Layer]) -> Believed {
        let (steps, near_ties) = self.steps(layers);
        let share = |layer: &Layer| {
            let is_nearer = |step: &&Step| layers[step.layer].order(layer).is_lt();
            let nearer = steps.iter().rev().find(is_nearer);
            layer.alpha() * nearer.map_or(1.0, |step| step.left)
        };
        let shares = layers.iter().map(share).collect();
        let left = steps.last().map_or(1.0, |step| step.left);
        let believed = Believed {
            near_ties,
            ..Believed::of(layers, shares, left)
        };
        let curve = steps.into_iter().rev();
        let curve = curve.map(|step| (f64::from(layers[step.layer].depth), step.left));
        let curve: Vec<(f64, f64)> = curve.collect();
        believed.with_curve(move |depth| {
            let nearer = curve.iter().find(|(at, _)| *at < depth);
            nearer.map_or(1.0, |(_, left)| *left)
        })
    }
}

written_as_in_flags!(Storage);

#[cfg(test)]
mod tests {
    use super::super::exact;
    use super::super::tests::{apart, layer, layers, stack};
    use super::*;

    #[test]
    fn eight_bit_nodes_cut_off_colours_and_lose_faint_layers() {
        let list = layers(40, 3, 0.1..0.5);
        let [whole, bytes] = [Storage::F32, Storage::U8].map(|storage| Mlab::new(4, storage));
        let [before, after] = [whole, bytes].map(|technique| technique.believe(&list).result);
        assert!((1e-6..0.1).contains(&apart(before, after)));
        assert_eq!(bytes.believe(&[layer(1.0, 8.0, 0.5, 0)]).result[0], 1.0);
        let fog = stack(128, 0.5, 0.0019);
        assert_eq!(bytes.believe(&fog).result[3], 1.0);
    }

    #[test]
    fn adaptive_steps_never_let_too_much_through_and_end_exactly() {
        let list = layers(40, 4, 0.05..0.4);
        let (believed, truth) = (Adaptive { nodes: 8 }.believe(&list), exact(&list));
        assert!((believed.result[3] - truth.result[3]).abs() < 1e-12);
        for depth in (0..400).map(|step| 1.0 + f64::from(step) * 0.25) {
            assert!(believed.transmittance(depth) <= truth.transmittance(depth) + 1e-12);
        }
    }
}
