//! What every intrinsic must give in every active lane, by the CPU model of a wave.

use std::iter::{Product, Sum};
use std::num::Wrapping;

use bytemuck::cast;

use super::cases::LaneInput;
use super::table::{Operation, Type};
use crate::model::reference::wave_model::{Lanes, Wave, WaveError};

/// Words that a kernel writes per intrinsic and lane: a scalar, a vec2, a vec3, a vec4.
pub const WORDS: usize = 10;

/// The components of those words.
const COMPONENTS: [usize; WORDS] = [0, 0, 1, 0, 1, 2, 0, 1, 2, 3];

/// The width of the vector that a word is of.
pub const WIDTHS: [usize; WORDS] = [1, 2, 2, 3, 3, 3, 4, 4, 4, 4];

/// A lane's words; none where nothing is written.
pub type Words = [Option<u32>; WORDS];

/// The words that `operation` in type `ty` must write, in every active lane of one wave.
pub fn expected(
    operation: Operation,
    ty: Type,
    wave: &Wave,
    rows: &[LaneInput],
) -> Result<Lanes<Words>, WaveError> {
    use Operation as O;
    let votes = wave.load(|lane| rows[lane as usize].vote == 1);
    let same = |word: u32| wave.load(|_| word);
    let flag = |flag: bool| same(u32::from(flag));
    let words = match operation {
        O::IsFirstLane => {
            let first = wave.is_first_lane();
            wave.compute(|lane| Ok(u32::from(first.get(lane)?)))?
        }
        O::LaneCount => same(wave.width()),
        O::LaneIndex => wave.lane_index(),
        O::AnyTrue => flag(wave.any_true(&votes)?),
        O::AllTrue => flag(wave.all_true(&votes)?),
        O::AllEqualBool => flag(wave.all_equal(&votes)?),
        O::CountBits => same(wave.count_bits(&votes)?),
        O::PrefixCountBits => wave.prefix_count_bits(&votes)?,
        O::Ballot => {
            let ballot = wave.ballot(&votes)?;
            return Ok(wave.load(|_| std::array::from_fn(|word| ballot.get(word).copied())));
        }
        O::AllEqual => return all_equal(ty, wave, rows),
        _ => {
            return match ty {
                // Half floats are exact here, so that they compute as f32 does.
                Type::F32 | Type::F16 => numbers::<f32>(operation, wave, rows),
                Type::I32 => numbers::<Wrapping<i32>>(operation, wave, rows),
                Type::U32 => numbers::<Wrapping<u32>>(operation, wave, rows),
            };
        }
    };
    wave.compute(|lane| {
        let word = words.get(lane)?;
        Ok(std::array::from_fn(|index| (index == 0).then_some(word)))
    })
}

/// One answer per width, where the first component of that width would be.
fn all_equal(ty: Type, wave: &Wave, rows: &[LaneInput]) -> Result<Lanes<Words>, WaveError> {
    let mut answers = [None; WORDS];
    for (first, width) in [(0, 1), (1, 2), (3, 3), (6, 4)] {
        let words = |lane: u32| {
            let mut words = rows[lane as usize].values;
            words[width..].fill(0);
            words
        };
        let equal = match ty.is_float() {
            true => wave.all_equal(&wave.load(|lane| words(lane).map(f32::from_bits)))?,
            false => wave.all_equal(&wave.load(words))?,
        };
        answers[first] = Some(u32::from(equal));
    }
    Ok(wave.load(|_| answers))
}

/// Numbers as the buffers hold them: words of 32 bits.
trait Number: PartialOrd + Sum + Product + bytemuck::Pod {}
impl<T: PartialOrd + Sum + Product + bytemuck::Pod> Number for T {}

/// Intrinsics that give a number of their own type, component by component.
fn numbers<T: Number>(
    operation: Operation,
    wave: &Wave,
    rows: &[LaneInput],
) -> Result<Lanes<Words>, WaveError> {
    let components = (0..4).map(|at| component::<T>(operation, wave, rows, at));
    let components = components.collect::<Result<Vec<_>, _>>()?;
    wave.compute(|lane| {
        let mut words = [None; WORDS];
        for (word, component) in words.iter_mut().zip(COMPONENTS) {
            *word = Some(cast(components[component].get(lane)?));
        }
        Ok(words)
    })
}

fn component<T: Number>(
    operation: Operation,
    wave: &Wave,
    rows: &[LaneInput],
    component: usize,
) -> Result<Lanes<T>, WaveError> {
    use Operation as O;
    let row = |lane: u32| &rows[lane as usize];
    let value = wave.load(|lane| cast::<u32, T>(row(lane).values[component]));
    let factor = wave.load(|lane| cast::<u32, T>(row(lane).factors[component]));
    let bits = wave.load(|lane| row(lane).bits[component]);
    let same = |number: T| wave.load(|_| number);
    let word = |word: u32| same(cast(word));
    match operation {
        O::ReadLaneAt => wave.compute(|lane| wave.read_lane_at(&value, row(lane).lane_read)),
        O::Sum => wave.active_sum(&value).map(same),
        O::Product => wave.active_product(&factor).map(same),
        O::Min => wave.active_min(&value).map(same),
        O::Max => wave.active_max(&value).map(same),
        O::BitAnd => wave.active_bit_and(&bits).map(word),
        O::BitOr => wave.active_bit_or(&bits).map(word),
        O::BitXor => wave.active_bit_xor(&bits).map(word),
        O::PrefixSum => wave.prefix_sum(&value),
        O::PrefixProduct => wave.prefix_product(&factor),
        O::QuadAcrossX => wave.quad_read_across_x(&value),
        O::QuadAcrossY => wave.quad_read_across_y(&value),
        O::QuadAcrossDiagonal => wave.quad_read_across_diagonal(&value),
        O::QuadLaneAt => {
            let numbers = wave.load(|lane| row(lane).quad_lane);
            wave.quad_read_lane_at(&value, &numbers)
        }
        _ => wave.read_lane_first(&value).map(same),
    }
}
