//! Common properties of all techniques, and lists for their tests.

use std::fmt::Debug;

use clap::ValueEnum as _;

use super::Technique;
use super::adaptive::Adaptive;
use super::baselines::{Average, Exact, Listed};
use super::coarse::{self, Coarse};
use super::histogram::Histogram;
use super::k_buffer::KBuffer;
use super::keeping::Rest;
use super::layers::{Layer, Range, exact, sorted, transmittance};
use super::linked_list::LinkedList;
use super::mlab::{self, Mlab};
use super::moment::{Moment, MomentKind};
use super::peeling::Peeling;
use super::stochastic::{Mode, Stochastic};
use super::weighted::{Weight, Weighted};
use super::weighted_sum::WeightedSum;
use crate::model::reference::stress::Random;

pub(super) fn range() -> Range {
    Range::new(1.0, 100.0)
}

/// Random layers: log-uniform depths from 1 to 100, colours in `[0, 1)`.
pub(super) fn layers(count: usize, seed: u64, opacity: std::ops::Range<f32>) -> Vec<Layer> {
    let mut random = Random(seed << 32 | count as u64);
    let layer = |item| {
        let depth = 100f32.powf(random.unit());
        let colour = std::array::from_fn(|_| f64::from(random.unit()));
        let opacity = opacity.start + (opacity.end - opacity.start) * random.unit();
        Layer {
            depth,
            colour,
            opacity,
            item,
        }
    };
    (0..count as u32).map(layer).collect()
}

pub(super) fn layer(depth: f32, grey: f64, opacity: f32, item: u32) -> Layer {
    let colour = [grey; 3];
    Layer {
        depth,
        colour,
        opacity,
        item,
    }
}

/// Grey layers at depths of 1, 2, 3 and so on.
pub(super) fn stack(count: u32, grey: f64, opacity: f32) -> Vec<Layer> {
    let layers = (0..count).map(|i| layer(1.0 + i as f32, grey, opacity, i));
    layers.collect()
}

pub(super) fn in_depth(layers: &[Layer]) -> Vec<Layer> {
    sorted(layers).iter().map(|&index| layers[index]).collect()
}

pub(super) fn shuffled(layers: &[Layer], seed: u64) -> Vec<Layer> {
    let (mut list, mut random) = (layers.to_vec(), Random(seed));
    for end in (1..list.len()).rev() {
        list.swap(end, (random.bits() % (end as u64 + 1)) as usize);
    }
    list
}

/// The largest difference; NaN if any difference is NaN.
pub(super) fn apart(a: [f64; 4], b: [f64; 4]) -> f64 {
    let differences = (0..4).map(|at| (a[at] - b[at]).abs());
    differences.fold(0.0, |most, new| if new <= most { most } else { new })
}

pub(super) fn error(technique: &dyn Technique, list: &[Layer]) -> f64 {
    apart(technique.composite(list).result, exact(list).result)
}

/// Properties of techniques. T: the transmittance is the exact product. ORDER: permuting a list changes only rounding.
/// COLOUR: layers of a single colour are exact. SORTED: sorted lists are exact. If K is not 0, lists of up to K layers
/// are exact.
const T: u32 = 1;
const ORDER: u32 = 2;
const COLOUR: u32 = 4;
const SORTED: u32 = 8;
/// Properties of techniques that composite layers in the order of their list.
const IN_ORDER: u32 = T | COLOUR | SORTED;
/// Properties of techniques that use sums over layers.
const SUMS: u32 = T | ORDER | COLOUR;

struct Case {
    name: String,
    holds: u32,
    /// K: lists of up to this many layers are exact; 0 if none are.
    exact_up_to: usize,
    technique: Box<dyn Technique>,
}

impl Case {
    fn error(&self, list: &[Layer]) -> f64 {
        error(self.technique.as_ref(), list)
    }

    /// Requires a small error if the technique has a property.
    fn demand(&self, property: u32, error: f64, most: f64) {
        let is_met = self.holds & property == 0 || error < most;
        assert!(is_met, "{}: {error}", self.name);
    }
}

fn every() -> Vec<Case> {
    let mut cases = Cases(Vec::new());
    cases.add(IN_ORDER, 0, Coarse::new(coarse::Order::Listed));
    cases.add(IN_ORDER, 0, Listed);
    cases.add(SUMS, 0, Exact);
    cases.add(SUMS, 0, Average);
    for &weight in Weight::value_variants() {
        let mut technique = Weighted::new(weight, range());
        cases.add(SUMS, 0, technique);
        technique.own.weight_slices = 16;
        cases.add(SUMS, 0, technique);
        technique.is_drawn = true;
        cases.add(0, 0, technique);
    }
    for kind in MomentKind::ALL {
        cases.add(SUMS, 0, Moment::of(kind, range()));
    }
    for bins in [2, 16, 128] {
        let mut technique = Histogram::new(bins, range());
        cases.add(SUMS, 0, technique);
        technique.own.bin_block = 2;
        cases.add(SUMS, 0, technique);
    }
    for core in [2, 8, 16] {
        cases.add(ORDER, core, KBuffer::new(core, Rest::Drop));
        cases.add(SUMS, core, KBuffer::new(core, Rest::Average));
        cases.add(SUMS, core, KBuffer::new(core, Rest::Weighted));
        cases.add(IN_ORDER, core, KBuffer::new(core, Rest::ListOrder));
        cases.add(IN_ORDER, core, Mlab::new(core, mlab::Storage::F32));
        cases.add(0, 0, Mlab::new(core, mlab::Storage::U8));
        cases.add(T, core, Adaptive { nodes: core });
        cases.add(ORDER, core, Peeling::new(core, 1));
        cases.add(0, core, LinkedList::new(core, Rest::Drop));
        cases.add(T | COLOUR, core, LinkedList::new(core, Rest::Average));
    }
    for samples in [1, 8, 64] {
        cases.add(ORDER, 0, Stochastic::new(samples, Mode::Mean));
        cases.add(T | ORDER, 0, Stochastic::new(samples, Mode::Corrected));
        cases.add(SUMS, 0, Stochastic::new(samples, Mode::Depth));
    }
    cases.add(T | COLOUR, 0, Coarse::keys(4, range()));
    cases.add(T | COLOUR, 0, Coarse::keys(16, range()));
    let mut early = Coarse::new(coarse::Order::Exact);
    early.own.stop_below = 0.1;
    cases.add(ORDER, 0, early);
    cases.add(ORDER, 0, WeightedSum(Default::default()));
    cases.0
}

struct Cases(Vec<Case>);

impl Cases {
    fn add(&mut self, holds: u32, exact_up_to: u32, technique: impl Technique + Debug + 'static) {
        self.0.push(Case {
            name: format!("{technique:?}"),
            holds,
            exact_up_to: exact_up_to as usize,
            technique: Box::new(technique),
        });
    }
}

#[test]
fn every_technique_is_among_the_cases() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/model/techniques");
    let cases = every();
    let mut count = 0;
    for file in std::fs::read_dir(folder).expect("the techniques") {
        let text = std::fs::read_to_string(file.expect("a file").path()).expect("a source");
        let names = text
            .lines()
            .filter_map(|line| line.strip_prefix("impl Technique for "));
        for name in names.map(|name| name.trim_end_matches(" {")) {
            assert!(
                cases.iter().any(|case| case.name.starts_with(name)),
                "{name}"
            );
            count += 1;
        }
    }
    assert!(count > 10, "{count}");
}

#[test]
fn a_transparent_layer_changes_nothing() {
    let list = layers(20, 1, 0.05..0.9);
    for case in every() {
        let with = |added: &[Layer]| case.technique.composite(&[added, &list].concat()).result;
        for opacity in [0.0, -1.0, f32::NAN] {
            let added = layer(0.5, f64::INFINITY, opacity, 99);
            assert_eq!(with(&[]), with(&[added]), "{} {opacity}", case.name);
        }
        let nearer = layer(0.9, 3.0, 1.0, 99);
        assert_ne!(with(&[]), with(&[nearer]), "{}", case.name);
    }
}

#[test]
fn transmittance_and_single_colours_are_exact_where_a_technique_keeps_them() {
    let list = layers(40, 2, 0.01..0.2);
    let mut grey = list.clone();
    grey.iter_mut()
        .for_each(|layer| layer.colour = [0.25, 0.5, 2.0]);
    let mut off = [0; 2];
    for case in every() {
        let found = case.technique.composite(&list).result[3];
        let errors = [(found - transmittance(&list)).abs(), case.error(&grey)];
        for (error, (off, bit)) in errors.iter().zip(off.iter_mut().zip([T, COLOUR])) {
            case.demand(bit, *error, 1e-12);
            *off += u32::from(*error > 1e-3);
        }
        for opacity in [1e-6, 0.002, 0.5, 0.97, 1.0] {
            let one = case.error(&[layer(7.0, 5.0, opacity, 3)]);
            case.demand(COLOUR, one, 1e-12);
        }
    }
    assert!(off.iter().all(|count| *count > 5), "the control: {off:?}");
}

#[test]
fn order_and_ties_matter_only_where_a_technique_says_so() {
    let mut list = layers(40, 3, 0.05..0.5);
    // Layers at the same depth are ordered by item.
    list[..9].iter_mut().for_each(|layer| layer.depth = 0.5);
    let permuted = shuffled(&list, 5);
    let mut moved = 0;
    for case in every() {
        let [here, there] = [&list, &permuted].map(|list| case.technique.composite(list).result);
        // Moments of nearly equal layers leave few significant digits.
        let off = apart(here, there);
        case.demand(ORDER, off, 1e-7);
        moved += u32::from(off > 1e-3);
    }
    assert!(moved > 5, "only {moved} techniques depend on order");
    let truth = exact(&list).result;
    assert!(apart(truth, exact(&permuted).result) < 1e-12);
    list.iter_mut()
        .for_each(|layer| layer.item = 100 - layer.item);
    assert!(apart(truth, exact(&list).result) > 0.01);
}

#[test]
fn cores_are_exact_up_to_k_layers() {
    for case in every().into_iter().filter(|case| case.exact_up_to > 0) {
        let full = case.error(&layers(case.exact_up_to, 1, 0.1..0.99));
        let over = case.error(&layers(3 * case.exact_up_to, 1, 0.02..0.1));
        assert!(full < 1e-12 && over > 1e-9, "{}: {full} {over}", case.name);
    }
}

#[test]
fn sorted_lists_are_exact_where_a_technique_says_so() {
    let list = layers(60, 1, 0.02..0.4);
    let mut order = in_depth(&list);
    for case in every().iter().filter(|case| case.holds & SORTED != 0) {
        case.demand(SORTED, case.error(&order), 1e-12);
        assert!(case.error(&list) > 1e-7, "{}: the control", case.name);
    }
    order.reverse();
    // A list from back to front is exact as well.
    assert!(error(&Mlab::new(2, mlab::Storage::F32), &order) < 1e-12);
}

/// Lists that make numbers overflow, underflow or divide by zero. All numbers are finite, and opacities are in range.
fn hostile() -> Vec<Vec<Layer>> {
    let of = |count: u32, make: &dyn Fn(f32) -> (f32, f64, f32)| -> Vec<Layer> {
        let layer_at = |item| {
            let (depth, grey, opacity) = make(item as f32);
            layer(depth, grey, opacity, item)
        };
        (0..count).map(layer_at).collect()
    };
    vec![
        Vec::new(),
        of(5, &|_| (2.0, 1e30, 0.0)),
        of(50, &|i| (1.0 + i, 1.0, 1.0)),
        of(1, &|_| (9.0, 1e30, 1.0)),
        of(30, &|i| (2.0 + 0.001 * i, 1.0, 1.0f32.next_down())),
        of(100, &|_| (5.0, 1.0, 1e-38)),
        of(9, &|i| (1.0 + i, 1e30, 0.5)),
        of(9, &|_| (-1e30, 1.0, 0.5)),
        of(9, &|_| (1e30, 1e30, 1.0)),
        of(40, &|i| (10f32.powf(i - 20.0), 1.0, 0.1)),
        of(3000, &|i| (100.0 - 0.03 * i, 1.0, 1.0)),
    ]
}

#[test]
fn nothing_is_nan_over_hostile_lists() {
    let cases = every();
    for (number, list) in hostile().iter().enumerate() {
        for case in &cases {
            let found = case.technique.composite(list);
            let depths = [-1.0, 0.0, 1.0, 3.3, 1e30, f64::INFINITY];
            let curve = depths.map(|depth| found.transmittance(depth));
            let mut values = found.result.iter().chain(&found.shares).chain(&curve);
            let is_finite = values.all(|value| value.is_finite());
            let is_in_range = (-1e-9..1.0 + 1e-9).contains(&found.result[3]);
            assert!(is_finite && is_in_range, "{} {number}", case.name);
        }
    }
}

#[test]
fn no_number_makes_a_technique_panic() {
    let infinity = f32::INFINITY;
    let numbers = [f32::NAN, infinity, -infinity, f32::MAX, -0.0, 1.0];
    let grid = (0..36).map(|at| {
        let [depth, opacity, grey] = [at / 6, at % 6, (at + at / 6) % 6].map(|i| numbers[i]);
        layer(depth, f64::from(grey), opacity, at as u32)
    });
    let list: Vec<Layer> = grid.collect();
    for case in every() {
        let found = case.technique.composite(&list);
        assert_eq!(found.shares.len(), list.len());
        let _ = found.transmittance(f64::NAN);
    }
}
