//! Expected words of every intrinsic in every active lane, computed in lane order according to the HLSL specification.
//! The code deliberately shares nothing with the shaders that it checks.

use std::collections::BTreeMap;
use std::iter::{Product, Sum};
use std::num::Wrapping;

use bytemuck::cast;

use super::cases::LaneInput;
use super::table::{Operation, Type};

/// Number of words that a kernel writes per intrinsic and lane: a scalar, a vec2, a vec3 and a vec4.
pub const WORDS: usize = 10;

/// Vector component of each word.
const COMPONENTS: [usize; WORDS] = [0, 0, 1, 0, 1, 2, 0, 1, 2, 3];

/// Vector width of each word.
pub const WIDTHS: [usize; WORDS] = [1, 2, 2, 3, 3, 3, 4, 4, 4, 4];

/// The words of a lane. `None` for a word that is not written.
pub type Words = [Option<u32>; WORDS];

/// Values of the active lanes of a wave, in lane order. Inactive lanes have no value, so that an intrinsic that depends
/// on an inactive lane cannot pass by luck.
pub type Lanes<T> = BTreeMap<u32, T>;

/// Words that `operation` in type `ty` must write in the active lanes of a wave. `rows` has an entry for every lane.
pub fn expected(
    operation: Operation,
    ty: Type,
    active: u128,
    rows: &[LaneInput],
) -> Result<Lanes<Words>, String> {
    use Operation as O;
    let lanes = (0..).take(rows.len());
    let lanes: Vec<u32> = lanes.filter(|lane| active >> lane & 1 == 1).collect();
    let each = |value: &dyn Fn(u32) -> u32| -> Lanes<u32> {
        lanes.iter().map(|&lane| (lane, value(lane))).collect()
    };
    let votes = each(&|lane| u32::from(rows[lane as usize].vote == 1));
    let ones: u32 = votes.values().sum();
    let same = |word: u32| each(&|_| word);
    let flag = |flag: bool| same(u32::from(flag));
    let words = match operation {
        O::IsFirstLane => each(&|lane| u32::from(Some(&lane) == lanes.first())),
        O::LaneCount => same(rows.len() as u32),
        O::LaneIndex => each(&|lane| lane),
        O::AnyTrue => flag(ones > 0),
        O::AllTrue => flag(ones as usize == lanes.len()),
        O::AllEqualBool => flag(ones == 0 || ones as usize == lanes.len()),
        O::CountBits => same(ones),
        O::PrefixCountBits => scan(&votes),
        O::Ballot => {
            let set = votes.iter().filter(|(_, vote)| **vote == 1);
            let ballot = set.fold(0u128, |bits, (lane, _)| bits | 1 << lane);
            let word = |word: usize| (word < 4).then(|| (ballot >> (32 * word)) as u32);
            return Ok(lanes
                .iter()
                .map(|&lane| (lane, std::array::from_fn(word)))
                .collect());
        }
        O::AllEqual => {
            let answers = all_equal(ty, &lanes, rows);
            return Ok(lanes.iter().map(|&lane| (lane, answers)).collect());
        }
        _ => {
            return match ty {
                // Half floats are exact here, so they can be computed in f32.
                Type::F32 | Type::F16 => numbers::<f32>(operation, &lanes, rows),
                Type::I32 => numbers::<Wrapping<i32>>(operation, &lanes, rows),
                Type::U32 => numbers::<Wrapping<u32>>(operation, &lanes, rows),
            };
        }
    };
    let alone = |word| std::array::from_fn(|index| (index == 0).then_some(word));
    Ok(words
        .into_iter()
        .map(|(lane, word)| (lane, alone(word)))
        .collect())
}

/// One answer for each vector width, stored in the first component of the vector.
fn all_equal(ty: Type, lanes: &[u32], rows: &[LaneInput]) -> Words {
    let mut answers = [None; WORDS];
    for (first, width) in [(0, 1), (1, 2), (3, 3), (6, 4)] {
        let words = |lane: u32| &rows[lane as usize].values[..width];
        let equal = |a: &u32, b: &u32| match ty.is_float() {
            true => f32::from_bits(*a) == f32::from_bits(*b),
            false => a == b,
        };
        let is_first = |lane: &u32| {
            let mut pairs = words(*lane).iter().zip(words(lanes[0]));
            pairs.all(|(own, first)| equal(own, first))
        };
        answers[first] = Some(u32::from(lanes.iter().all(is_first)));
    }
    answers
}

/// Numbers as stored in buffers: words of 32 bits.
trait Number: PartialOrd + Sum + Product + bytemuck::Pod {}
impl<T: PartialOrd + Sum + Product + bytemuck::Pod> Number for T {}

/// Results of intrinsics that return a number of their own type, component by component.
fn numbers<T: Number>(
    operation: Operation,
    lanes: &[u32],
    rows: &[LaneInput],
) -> Result<Lanes<Words>, String> {
    let components = (0..4).map(|at| component::<T>(operation, lanes, rows, at));
    let components = components.collect::<Result<Vec<_>, _>>()?;
    let words = |lane| COMPONENTS.map(|component| Some(cast(components[component][&lane])));
    Ok(lanes.iter().map(|&lane| (lane, words(lane))).collect())
}

fn component<T: Number>(
    operation: Operation,
    lanes: &[u32],
    rows: &[LaneInput],
    at: usize,
) -> Result<Lanes<T>, String> {
    use Operation as O;
    let row = |lane: u32| &rows[lane as usize];
    let each = |value: &dyn Fn(&LaneInput) -> u32| -> Lanes<T> {
        lanes
            .iter()
            .map(|&lane| (lane, cast(value(row(lane)))))
            .collect()
    };
    let values = each(&|row| row.values[at]);
    let factors = each(&|row| row.factors[at]);
    let bits = lanes.iter().map(|&lane| row(lane).bits[at]);
    let read = |lane: u32| {
        let value = values.get(&lane).copied();
        value.ok_or_else(|| format!("lane {lane} is read but is not active"))
    };
    let reads = |from: &dyn Fn(u32) -> u32| {
        let read = |&lane: &u32| Ok((lane, read(from(lane))?));
        lanes.iter().map(read).collect()
    };
    let quad = |from: [u32; 4]| reads(&|lane| lane / 4 * 4 + from[lane as usize % 4]);
    let first = read(lanes[0])?;
    let best = |is_better: fn(&T, &T) -> bool| {
        let better = |best, own| if is_better(&own, &best) { own } else { best };
        values.values().copied().fold(first, better)
    };
    let number = match operation {
        O::ReadLaneAt => return reads(&|lane| row(lane).lane_read),
        O::QuadAcrossX => return quad([1, 0, 3, 2]),
        O::QuadAcrossY => return quad([2, 3, 0, 1]),
        O::QuadAcrossDiagonal => return quad([3, 2, 1, 0]),
        O::QuadLaneAt => return reads(&|lane| lane / 4 * 4 + row(lane).quad_lane),
        O::PrefixSum => return Ok(scan(&values)),
        O::PrefixProduct => {
            let below = |lane| factors.range(..lane).map(|(_, factor)| *factor);
            return Ok(lanes
                .iter()
                .map(|&lane| (lane, below(lane).product()))
                .collect());
        }
        O::Sum => values.values().copied().sum(),
        O::Product => factors.values().copied().product(),
        O::Min => best(T::lt),
        O::Max => best(T::gt),
        O::BitAnd => cast(bits.fold(u32::MAX, |all, own| all & own)),
        O::BitOr => cast(bits.fold(0, |any, own| any | own)),
        O::BitXor => cast(bits.fold(0, |odd, own| odd ^ own)),
        _ => first,
    };
    Ok(lanes.iter().map(|&lane| (lane, number)).collect())
}

/// Sum of the values of all active lanes below each lane.
fn scan<T: Copy + Sum>(values: &Lanes<T>) -> Lanes<T> {
    let below = |lane: u32| values.range(..lane).map(|(_, value)| *value).sum();
    values.keys().map(|&lane| (lane, below(lane))).collect()
}
