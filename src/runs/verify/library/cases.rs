//! Test cases for the wave library: sets of active lanes, and the values of every lane. Inactive lanes contain poison,
//! so an intrinsic that reads one cannot return the correct result.

use serde::Serialize;

use super::table::Type;
use crate::model::flag_value::written_as_in_flags;
use crate::model::reference::stress::Random;

/// Values of a lane in a check of the wave library: the four vectors of `shaders/check/case.wesl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct LaneInput {
    /// Numbers in the type of the check, with half floats stored as f32. Their sums are exact in any order.
    pub values: [u32; 4],
    /// Numbers with nonzero products that are exact in any order.
    pub factors: [u32; 4],
    /// Words that differ in only a few bits, so that their bitwise AND and OR are meaningful.
    pub bits: [u32; 4],
    /// 1 if the lane votes true.
    pub vote: u32,
    pub quad_lane: u32,
    /// Number of items to append, less than 8.
    pub items: u32,
    /// The lane to read. It is active, and the same in the whole wave.
    pub lane_read: u32,
}

/// Number of lanes in a workgroup, which consists of whole waves of any size.
pub const PLACES: usize = 128;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum MaskKind {
    Full,
    /// The first lanes.
    Ragged,
    /// Every other lane.
    Alternating,
    Single,
    Random,
}

written_as_in_flags!(MaskKind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// Every lane has a different value.
    Mixed,
    Equal,
    /// All values are equal, except for one component of one lane.
    OneApart,
}

/// A set of active lanes, the same in every wave of the case, and the values of the lanes.
#[derive(Clone, Debug)]
pub struct Case {
    pub kind: MaskKind,
    /// Bit i is set if lane i is active.
    pub bits: u128,
    /// Values of the lanes, wave after wave.
    pub rows: Vec<LaneInput>,
}

impl Random {
    fn next(&mut self) -> u32 {
        (self.bits() >> 32) as u32
    }

    fn below(&mut self, bound: u32) -> u32 {
        self.next() % bound.max(1)
    }

    fn one_of(&mut self, lanes: &[u32]) -> u32 {
        lanes[self.below(lanes.len() as u32) as usize]
    }
}

/// Every set of active lanes with every pattern, in cases of `places` lanes. If `quads` is true, the sets consist of
/// whole quads.
pub fn cases(width: u32, quads: bool, ty: Type, places: usize, seed: u32) -> Vec<Case> {
    let mut random = Random(u64::from(seed) << 32 | u64::from(width));
    let mut all = Vec::new();
    for (kind, bits) in masks(width, quads, &mut random) {
        for pattern in [Pattern::Mixed, Pattern::Equal, Pattern::OneApart] {
            let waves = places / width as usize;
            let rows = (0..waves).flat_map(|_| rows(bits, width, ty, pattern, &mut random));
            let rows = rows.collect();
            all.push(Case { kind, bits, rows });
        }
    }
    all
}

/// Sets of active lanes. If `quads` is true, a bit is four lanes until the last step.
fn masks(width: u32, quads: bool, random: &mut Random) -> Vec<(MaskKind, u128)> {
    let units = if quads { width / 4 } else { width };
    let all = u128::MAX >> (128 - units);
    let mut masks = vec![(MaskKind::Full, all)];
    for count in [1, 2, 3, units / 2, units / 2 + 1, units - 1] {
        if (1..units).contains(&count) {
            masks.push((MaskKind::Ragged, all >> (units - count)));
        }
    }
    let even = u128::MAX / 3;
    masks.push((MaskKind::Alternating, even));
    masks.push((MaskKind::Alternating, even << 1));
    for unit in [0, 1, 31, 32, 63, 64, 95, 96, units / 2, units - 1] {
        masks.push((MaskKind::Single, if unit < units { 1 << unit } else { 0 }));
    }
    for _ in 0..8 {
        let bits = (0..4).fold(0, |bits, _| bits << 32 | u128::from(random.next()));
        masks.push((MaskKind::Random, bits));
    }
    masks
        .into_iter()
        .map(|(kind, bits)| (kind, bits & all))
        .filter(|(_, bits)| *bits != 0)
        .map(|(kind, bits)| (kind, if quads { whole_quads(bits) } else { bits }))
        .collect()
}

fn whole_quads(bits: u128) -> u128 {
    (0..32).fold(0, |lanes, quad| {
        lanes | ((bits >> quad & 1) * 0xf) << (4 * quad)
    })
}

fn rows(bits: u128, width: u32, ty: Type, pattern: Pattern, random: &mut Random) -> Vec<LaneInput> {
    let is_active = |lane: u32| bits >> lane & 1 == 1;
    let active: Vec<u32> = (0..width).filter(|&lane| is_active(lane)).collect();
    let shared = lively(ty, random);
    let lane_read = random.one_of(&active);
    let mut rows: Vec<LaneInput> = (0..width)
        .map(|lane| match (is_active(lane), pattern) {
            (false, _) => poison(ty, lane, shared.vote),
            (true, Pattern::Mixed) => lively(ty, random),
            (true, _) => shared,
        })
        .collect();
    if pattern == Pattern::OneApart {
        let lane = random.one_of(&active) as usize;
        let component = random.below(4) as usize;
        let other = lively(ty, random);
        rows[lane].values[component] = other.values[component];
        rows[lane].vote ^= 1;
        rows[lane].items = (shared.items + 1) % 6;
    }
    for component in 0..4 {
        spread_factors(&mut rows, &active, ty, component, random);
        flip_bits(&mut rows, &active, component, random);
    }
    for &lane in &active {
        rows[lane as usize].quad_lane = random.below(4);
        rows[lane as usize].lane_read = lane_read;
    }
    rows
}

fn lively(ty: Type, random: &mut Random) -> LaneInput {
    LaneInput {
        values: std::array::from_fn(|_| number(ty, random)),
        vote: random.below(2),
        items: random.below(8).saturating_sub(2),
        ..LaneInput::default()
    }
}

/// A random number. The sum of 128 such numbers is exact. They are multiples of 1/64 up to 512, or small integers for
/// half floats.
fn number(ty: Type, random: &mut Random) -> u32 {
    match ty {
        Type::F32 => ((random.below(65_536) as f32 - 32_768.0) / 64.0).to_bits(),
        Type::F16 => (random.below(15) as f32 - 7.0).to_bits(),
        Type::I32 | Type::U32 => random.next(),
    }
}

/// Spreads factors over the lanes. Integers are odd. Floats are 1 and -1, with at most eight each of 2 and 1/2, so that
/// no partial product leaves the range of a half float.
fn spread_factors(
    rows: &mut [LaneInput],
    lanes: &[u32],
    ty: Type,
    component: usize,
    random: &mut Random,
) {
    let mut left = [8, 8];
    for &lane in lanes {
        let draw = random.below(8);
        let power = (draw / 2) as usize;
        let size = match left.get_mut(power) {
            Some(left) if *left > 0 => {
                *left -= 1;
                [2.0, 0.5][power]
            }
            _ => 1.0f32,
        };
        let sign = if draw.is_multiple_of(2) { size } else { -size };
        rows[lane as usize].factors[component] = match ty.is_float() {
            true => sign.to_bits(),
            false => random.next() | 1,
        };
    }
}

/// Gives all active lanes of the wave the same random word, and flips a dozen of its bits, each in a random lane.
fn flip_bits(rows: &mut [LaneInput], lanes: &[u32], component: usize, random: &mut Random) {
    let word = random.next();
    for &lane in lanes {
        rows[lane as usize].bits[component] = word;
    }
    for _ in 0..12 {
        let lane = random.one_of(lanes) as usize;
        rows[lane].bits[component] ^= 1 << random.below(32);
    }
}

/// Values of an inactive lane. Floats are NaN and numbers far from all others. Integers are the ends of their range,
/// and 0, which spoils a product or a bitwise AND. The lane votes against the others.
fn poison(ty: Type, lane: u32, vote: u32) -> LaneInput {
    let word = match ty.is_float() {
        true => [f32::NAN, 3e38, -3e38][lane as usize % 3].to_bits(),
        false => [0, u32::MAX, 1 << 31, u32::MAX >> 1][lane as usize % 4],
    };
    LaneInput {
        values: [word; 4],
        factors: [word; 4],
        bits: [[0, u32::MAX][lane as usize % 2]; 4],
        vote: vote ^ 1,
        quad_lane: 0,
        items: 7,
        lane_read: 0,
    }
}
