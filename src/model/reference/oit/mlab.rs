//! Multi-layer alpha blending (Salvi and Vaidyanathan, I3D 2014) and adaptive transparency (Salvi, Montgomery and Lefohn,
//! HPG 2011): K nodes, and a rule for what to do with one more.
//!
//! **Both depend on the order of the list**: which layers meet in a node is decided when the next one comes.

use super::{Believed, Layer, Technique, counting, unorm};

/// How nodes are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Storage {
    /// f32; the twin does not round.
    #[default]
    F32,
    /// 8 bits for each channel and for transmittance, as shipped: rounded at every merge, and colours above 1 are cut off.
    U8,
}

/// Multi-layer alpha blending: K nodes of premultiplied colour and transmittance; of one too many the two farthest merge.
///
/// One walk. Exact on lists that are sorted either way, and up to K layers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mlab {
    /// K, 2 to 16, default 4 (Unreal's).
    pub nodes: u32,
    /// Default f32.
    pub storage: Storage,
}

impl Mlab {
    /// K nodes of a storage.
    #[must_use]
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
    /// The layers in it with their shares.
    shares: Vec<(usize, f64)>,
}

impl Node {
    fn of(layers: &[Layer], index: usize) -> Self {
        let alpha = layers[index].alpha();
        Self {
            nearest: index,
            rgb: layers[index].colour.map(|colour| colour * alpha),
            transmittance: 1.0 - alpha,
            shares: vec![(index, alpha)],
        }
    }

    fn rounded(mut self, storage: Storage) -> Self {
        if storage == Storage::U8 {
            self.rgb = self.rgb.map(|value| unorm(value, 8));
            self.transmittance = unorm(self.transmittance, 8);
        }
        self
    }

    fn over(mut self, behind: Self) -> Self {
        for (sum, value) in self.rgb.iter_mut().zip(behind.rgb) {
            *sum += self.transmittance * value;
        }
        let seen = |(index, share)| (index, self.transmittance * share);
        self.shares.extend(behind.shares.into_iter().map(seen));
        self.transmittance *= behind.transmittance;
        self
    }
}

impl Technique for Mlab {
    fn believe(&self, layers: &[Layer]) -> Believed {
        let most = self.nodes.clamp(2, 16) as usize;
        let mut nodes: Vec<Node> = Vec::new();
        for index in counting(layers) {
            let behind = |node: &Node| layers[node.nearest].order(&layers[index]).is_gt();
            let place = nodes.iter().position(behind).unwrap_or(nodes.len());
            nodes.insert(place, Node::of(layers, index).rounded(self.storage));
            if nodes.len() > most
                && let (Some(last), Some(before)) = (nodes.pop(), nodes.pop())
            {
                nodes.push(before.over(last).rounded(self.storage));
            }
        }
        let mut shares = vec![0.0; layers.len()];
        let Some(all) = nodes.into_iter().reduce(Node::over) else {
            return Believed::of(layers, shares, 1.0);
        };
        all.shares
            .iter()
            .for_each(|&(index, share)| shares[index] = share);
        let mut believed = Believed::of(layers, shares, all.transmittance);
        believed.result[..3].copy_from_slice(&all.rgb);
        believed
    }
}

/// Adaptive transparency: K steps of T over depth; of one too many the step goes that changes the area under them least.
///
/// A first walk builds the steps, a second one adds up `c·α·T(z)`, which is not normalised. Step i, removed, is taken by the
/// step before it: T is never too large, and T behind everything is exact. As in Intel's sample the nearest step stays, and
/// with 8 or more the nearer half.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Adaptive {
    /// K, 2 to 16, default 8.
    pub nodes: u32,
}

impl Adaptive {
    /// The steps: the layer whose depth each has, and T behind it; and how many choices were close.
    fn steps(&self, layers: &[Layer]) -> (Vec<(usize, f64)>, u32) {
        let most = self.nodes.clamp(2, 16) as usize;
        let first = if most < 8 { 1 } else { most / 2 };
        let (mut steps, mut near_ties): (Vec<(usize, f64)>, u32) = (Vec::new(), 0);
        for index in counting(layers) {
            let behind = |step: &(usize, f64)| layers[step.0].order(&layers[index]).is_gt();
            let place = steps.iter().position(behind).unwrap_or(steps.len());
            let before = if place == 0 { 1.0 } else { steps[place - 1].1 };
            steps.insert(place, (index, before));
            let kept = 1.0 - layers[index].alpha();
            steps[place..].iter_mut().for_each(|step| step.1 *= kept);
            if steps.len() <= most {
                continue;
            }
            let depth = |at: usize| f64::from(layers[steps[at].0].depth);
            let area = |at: usize| (depth(at) - depth(at - 1)) * (steps[at - 1].1 - steps[at].1);
            let (mut least, mut smallest) = (first, area(first));
            for at in first + 1..most {
                if area(at) < smallest {
                    (least, smallest) = (at, area(at));
                }
            }
            let is_close = |&at: &usize| at != least && area(at) <= smallest * (1.0 + 1e-5);
            near_ties += u32::from((first..most).any(|at| is_close(&at)));
            steps[least - 1].1 = steps[least].1;
            steps.remove(least);
        }
        (steps, near_ties)
    }
}

impl Technique for Adaptive {
    fn believe(&self, layers: &[Layer]) -> Believed {
        let (steps, near_ties) = self.steps(layers);
        let share = |layer: &Layer| {
            let nearer = steps
                .iter()
                .rev()
                .find(|step| layers[step.0].order(layer).is_lt());
            layer.alpha() * nearer.map_or(1.0, |step| step.1)
        };
        let shares = layers.iter().map(share).collect();
        let left = steps.last().map_or(1.0, |step| step.1);
        let mut believed = Believed::of(layers, shares, left);
        believed.near_ties = near_ties;
        let curve: Vec<(f64, f64)> = steps
            .iter()
            .map(|step| (f64::from(layers[step.0].depth), step.1))
            .collect();
        believed.with_curve(move |depth| {
            let nearer = curve.iter().rev().find(|(at, _)| *at < depth);
            nearer.map_or(1.0, |(_, left)| *left)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::exact;
    use super::super::tests::{apart, error, layer, layers, stack};
    use super::*;

    #[test]
    fn lists_in_random_order_can_be_far_off() {
        let technique = Mlab::new(2, Storage::F32);
        let errors = (0..200).map(|seed| error(&technique, &layers(8, seed, 0.3..0.99)));
        assert!(errors.fold(0.0, f64::max) > 0.2);
    }

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

    #[test]
    fn the_step_of_the_least_area_goes() {
        let technique = Adaptive { nodes: 3 };
        let at = |third| {
            let depths = [1.0, 2.0, third, 9.0].into_iter().zip(0..);
            let list: Vec<Layer> = depths.map(|(z, i)| layer(z, 1.0, 0.5, i)).collect();
            technique.believe(&list)
        };
        let near = at(2.01);
        // The step at 2 has taken the one at 2.01.
        assert_eq!(near.transmittance(2.005), 0.125);
        assert_eq!(near.transmittance(1.5), 0.5);
        assert_eq!(near.near_ties, 0);
        // (2 - 1) / 4 and (4 - 2) / 8 are alike.
        assert_eq!(at(4.0).near_ties, 1);
    }
}
