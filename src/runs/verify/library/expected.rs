//! What every intrinsic must give in every active lane, by the CPU model of a wave.

use super::cases::LaneInput;
use super::table::{Operation, Type};
use crate::model::reference::wave_intrinsics::Number;
use crate::model::reference::wave_model::{Lanes, Wave, WaveError};

/// Words that a kernel writes per intrinsic and lane: a scalar, a vec2, a vec3, a vec4.
pub const WORDS: usize = 10;

/// The components of those words.
const COMPONENTS: [usize; WORDS] = [0, 0, 1, 0, 1, 2, 0, 1, 2, 3];

/// The width of the vector that a word is of.
pub const WIDTHS: [usize; WORDS] = [1, 2, 2, 3, 3, 3, 4, 4, 4, 4];

/// A lane's words; none where nothing is written.
pub type Words = [Option<u32>; WORDS];

/// Numbers as the buffers hold them.
trait Word: Number {
    fn from_word(word: u32) -> Self;
    fn to_word(self) -> u32;
}

impl Word for f32 {
    fn from_word(word: u32) -> Self {
        f32::from_bits(word)
    }
    fn to_word(self) -> u32 {
        self.to_bits()
    }
}

impl Word for i32 {
    fn from_word(word: u32) -> Self {
        word as i32
    }
    fn to_word(self) -> u32 {
        self as u32
    }
}

impl Word for u32 {
    fn from_word(word: u32) -> Self {
        word
    }
    fn to_word(self) -> u32 {
        self
    }
}

/// The words that `operation` in type `ty` must write, in every active lane of one wave.
///
/// # Errors
/// The rows have poison where the operation reads: a mistake in the cases.
pub fn expected(
    operation: Operation,
    ty: Type,
    wave: &Wave,
    rows: &[LaneInput],
) -> Result<Lanes<Words>, WaveError> {
    use Operation as O;
    match operation {
        O::IsFirstLane | O::LaneCount | O::LaneIndex | O::AnyTrue | O::AllTrue => {
            lane_words(operation, wave, rows)
        }
        O::AllEqualBool | O::CountBits | O::PrefixCountBits => lane_words(operation, wave, rows),
        O::Ballot => {
            let ballot = wave.ballot(&votes(wave, rows))?;
            Ok(wave.load(|_| std::array::from_fn(|word| ballot.get(word).copied())))
        }
        O::AllEqual => all_equal(ty, wave, rows),
        _ => match ty {
            // Half floats are exact here, so that they compute as f32 does.
            Type::F32 | Type::F16 => numbers::<f32>(operation, wave, rows),
            Type::I32 => numbers::<i32>(operation, wave, rows),
            Type::U32 => numbers::<u32>(operation, wave, rows),
        },
    }
}

pub fn votes(wave: &Wave, rows: &[LaneInput]) -> Lanes<bool> {
    wave.load(|lane| rows[lane as usize].vote == 1)
}

/// Intrinsics with one word.
fn lane_words(
    operation: Operation,
    wave: &Wave,
    rows: &[LaneInput],
) -> Result<Lanes<Words>, WaveError> {
    use Operation as O;
    let votes = votes(wave, rows);
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
        _ => wave.prefix_count_bits(&votes)?,
    };
    wave.compute(|lane| {
        let word = words.get(lane)?;
        Ok(std::array::from_fn(|index| (index == 0).then_some(word)))
    })
}

/// One answer per width, where the first component of that width would be.
fn all_equal(ty: Type, wave: &Wave, rows: &[LaneInput]) -> Result<Lanes<Words>, WaveError> {
    let mut words = [None; WORDS];
    for (first, width) in [(0, 1), (1, 2), (3, 3), (6, 4)] {
        let word = |lane: u32, component: usize| {
            if component < width {
                rows[lane as usize].values[component]
            } else {
                0
            }
        };
        let equal = match ty.is_float() {
            true => wave.all_equal(&wave.load(|lane| {
                std::array::from_fn::<f32, 4, _>(|c| f32::from_bits(word(lane, c)))
            }))?,
            false => wave.all_equal(
                &wave.load(|lane| std::array::from_fn::<u32, 4, _>(|c| word(lane, c))),
            )?,
        };
        words[first] = Some(u32::from(equal));
    }
    Ok(wave.load(|_| words))
}

/// Intrinsics that give a number of their own type, component by component.
fn numbers<T: Word>(
    operation: Operation,
    wave: &Wave,
    rows: &[LaneInput],
) -> Result<Lanes<Words>, WaveError> {
    let mut components = Vec::with_capacity(4);
    for component in 0..4 {
        components.push(match operation {
            Operation::BitAnd | Operation::BitOr | Operation::BitXor => {
                bits(operation, wave, rows, component)?
            }
            _ => {
                let numbers = component_of::<T>(operation, wave, rows, component)?;
                wave.compute(|lane| Ok(numbers.get(lane)?.to_word()))?
            }
        });
    }
    wave.compute(|lane| {
        let mut words = [None; WORDS];
        for (word, component) in words.iter_mut().zip(COMPONENTS) {
            *word = Some(components[component].get(lane)?);
        }
        Ok(words)
    })
}

fn component_of<T: Word>(
    operation: Operation,
    wave: &Wave,
    rows: &[LaneInput],
    component: usize,
) -> Result<Lanes<T>, WaveError> {
    use Operation as O;
    let row = |lane: u32| &rows[lane as usize];
    let value = wave.load(|lane| T::from_word(row(lane).values[component]));
    let factor = wave.load(|lane| T::from_word(row(lane).factors[component]));
    let same = |number: T| wave.load(|_| number);
    match operation {
        O::ReadLaneAt => wave.compute(|lane| wave.read_lane_at(&value, row(lane).lane_read)),
        O::Sum => wave.active_sum(&value).map(same),
        O::Product => wave.active_product(&factor).map(same),
        O::Min => wave.active_min(&value).map(same),
        O::Max => wave.active_max(&value).map(same),
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

fn bits(
    operation: Operation,
    wave: &Wave,
    rows: &[LaneInput],
    component: usize,
) -> Result<Lanes<u32>, WaveError> {
    let words = wave.load(|lane| rows[lane as usize].bits[component]);
    let result = match operation {
        Operation::BitAnd => wave.active_bit_and(&words)?,
        Operation::BitOr => wave.active_bit_or(&words)?,
        _ => wave.active_bit_xor(&words)?,
    };
    Ok(wave.load(|_| result))
}
