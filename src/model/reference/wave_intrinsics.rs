//! The HLSL wave intrinsics on the model of a wave: queries, votes, reductions, scans, quads, ordered append.
//!
//! In lane order and by the specification's words, so that nothing here looks like the shaders it is
//! compared with. Vectors are for the caller: one component at a time, but for equality.

use std::ops::{BitAnd, BitOr, BitXor};

use super::wave_model::{Lanes, Wave, WaveError};

/// A number that can be added, multiplied and compared: f32 by IEEE, integers wrapping around.
pub trait Number: Copy + PartialEq {
    /// The sum of nothing.
    const ZERO: Self;
    /// The product of nothing.
    const ONE: Self;
    #[must_use]
    fn plus(self, other: Self) -> Self;
    #[must_use]
    fn times(self, other: Self) -> Self;
    #[must_use]
    fn lesser(self, other: Self) -> Self;
    #[must_use]
    fn greater(self, other: Self) -> Self;
}

impl Number for f32 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
    fn plus(self, other: Self) -> Self {
        self + other
    }
    fn times(self, other: Self) -> Self {
        self * other
    }
    fn lesser(self, other: Self) -> Self {
        self.min(other)
    }
    fn greater(self, other: Self) -> Self {
        self.max(other)
    }
}

/// Integers of 32 bits.
macro_rules! integer {
    ($ty:ty) => {
        impl Number for $ty {
            const ZERO: Self = 0;
            const ONE: Self = 1;
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            fn times(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
            fn lesser(self, other: Self) -> Self {
                Ord::min(self, other)
            }
            fn greater(self, other: Self) -> Self {
                Ord::max(self, other)
            }
        }
    };
}
integer!(i32);
integer!(u32);

/// Places that one wave reserves in a list: how many in all, and how many lie before each lane's first.
#[derive(Clone, Debug, PartialEq)]
pub struct Append {
    /// Places of the whole wave.
    pub total: u32,
    /// Places of the active lanes below each lane.
    pub offset: Lanes<u32>,
}

/// Queries and votes. Errors of all: [`WaveError::Poison`] if an active lane has no value.
impl Wave {
    /// `WaveIsFirstLane`: true in the active lane with the smallest index.
    pub fn is_first_lane(&self) -> Lanes<bool> {
        let first = self.active_lanes().next();
        self.load(|lane| Some(lane) == first)
    }

    /// `WaveGetLaneIndex`.
    pub fn lane_index(&self) -> Lanes<u32> {
        self.load(|lane| lane)
    }

    /// `WaveActiveAnyTrue` (early: WaveAnyTrue).
    pub fn any_true(&self, vote: &Lanes<bool>) -> Result<bool, WaveError> {
        self.fold(vote, false, |any, own| any | own)
    }

    /// `WaveActiveAllTrue` (early: WaveAllTrue).
    pub fn all_true(&self, vote: &Lanes<bool>) -> Result<bool, WaveError> {
        self.fold(vote, true, |all, own| all & own)
    }

    /// `WaveActiveAllEqual` (early: WaveAllEqual, WaveAllEqualBool): whether every active lane holds what
    /// the first one holds. A vector is an array here, and gets one answer.
    pub fn all_equal<T: Copy + PartialEq>(&self, value: &Lanes<T>) -> Result<bool, WaveError> {
        let first = self.read_lane_first(value)?;
        self.fold(value, true, |all, own| all & (own == first))
    }

    /// `WaveActiveCountBits` (early: WaveAllCountBits).
    pub fn count_bits(&self, vote: &Lanes<bool>) -> Result<u32, WaveError> {
        self.fold(vote, 0, |count, own| count + u32::from(own))
    }

    /// `WavePrefixCountBits`: how many active lanes below each lane hold true.
    pub fn prefix_count_bits(&self, vote: &Lanes<bool>) -> Result<Lanes<u32>, WaveError> {
        let ones = self.compute(|lane| Ok(u32::from(vote.get(lane)?)))?;
        self.prefix_sum(&ones)
    }
}

/// Reductions over the active lanes.
impl Wave {
    /// `WaveActiveSum` (early: WaveAllSum), added in lane order.
    ///
    /// # Errors
    /// [`WaveError::Poison`] if an active lane has no value; so in all reductions and scans below.
    pub fn active_sum<T: Number>(&self, value: &Lanes<T>) -> Result<T, WaveError> {
        self.fold(value, T::ZERO, T::plus)
    }

    /// `WaveActiveProduct` (early: WaveAllProduct), multiplied in lane order.
    pub fn active_product<T: Number>(&self, value: &Lanes<T>) -> Result<T, WaveError> {
        self.fold(value, T::ONE, T::times)
    }

    /// `WaveActiveMin` (early: WaveAllMin).
    pub fn active_min<T: Number>(&self, value: &Lanes<T>) -> Result<T, WaveError> {
        self.fold(value, self.read_lane_first(value)?, T::lesser)
    }

    /// `WaveActiveMax` (early: WaveAllMax).
    pub fn active_max<T: Number>(&self, value: &Lanes<T>) -> Result<T, WaveError> {
        self.fold(value, self.read_lane_first(value)?, T::greater)
    }

    /// `WaveActiveBitAnd` (early: WaveAllBitAnd).
    pub fn active_bit_and<T>(&self, value: &Lanes<T>) -> Result<T, WaveError>
    where
        T: Copy + BitAnd<Output = T>,
    {
        self.fold(value, self.read_lane_first(value)?, T::bitand)
    }

    /// `WaveActiveBitOr` (early: WaveAllBitOr).
    pub fn active_bit_or<T>(&self, value: &Lanes<T>) -> Result<T, WaveError>
    where
        T: Copy + BitOr<Output = T>,
    {
        self.fold(value, self.read_lane_first(value)?, T::bitor)
    }

    /// `WaveActiveBitXor` (early: WaveAllBitXor).
    pub fn active_bit_xor<T>(&self, value: &Lanes<T>) -> Result<T, WaveError>
    where
        T: Copy + Default + BitXor<Output = T>,
    {
        self.fold(value, T::default(), T::bitxor)
    }

    fn fold<T: Copy, R>(
        &self,
        value: &Lanes<T>,
        start: R,
        combine: impl Fn(R, T) -> R,
    ) -> Result<R, WaveError> {
        self.active_lanes()
            .try_fold(start, |all, lane| Ok(combine(all, value.get(lane)?)))
    }
}

/// Scans: each lane gets what the active lanes below it make.
impl Wave {
    /// `WavePrefixSum`: the sum of the active lanes below each lane, its own not included.
    pub fn prefix_sum<T: Number>(&self, value: &Lanes<T>) -> Result<Lanes<T>, WaveError> {
        self.scan(value, T::ZERO, T::plus)
    }

    /// `WavePrefixProduct`: as [`Wave::prefix_sum`].
    pub fn prefix_product<T: Number>(&self, value: &Lanes<T>) -> Result<Lanes<T>, WaveError> {
        self.scan(value, T::ONE, T::times)
    }

    fn scan<T: Number>(
        &self,
        value: &Lanes<T>,
        identity: T,
        combine: impl Fn(T, T) -> T,
    ) -> Result<Lanes<T>, WaveError> {
        let mut exclusive = Lanes::poison();
        let mut running = identity;
        for lane in self.active_lanes() {
            exclusive.set(lane, running);
            running = combine(running, value.get(lane)?);
        }
        Ok(exclusive)
    }
}

/// Reads within quads, four lanes of one index / 4. Errors of all: [`WaveError::InactiveLane`] unless the
/// lane that is read is active.
impl Wave {
    /// `QuadReadAcrossX`: from the lane in the other column of the same row.
    pub fn quad_read_across_x<T: Copy>(&self, value: &Lanes<T>) -> Result<Lanes<T>, WaveError> {
        self.quad_read(value, |number| [1, 0, 3, 2][number])
    }

    /// `QuadReadAcrossY`: from the lane in the other row of the same column.
    pub fn quad_read_across_y<T: Copy>(&self, value: &Lanes<T>) -> Result<Lanes<T>, WaveError> {
        self.quad_read(value, |number| [2, 3, 0, 1][number])
    }

    /// `QuadReadAcrossDiagonal`: from the lane in the other row and column.
    pub fn quad_read_across_diagonal<T: Copy>(
        &self,
        value: &Lanes<T>,
    ) -> Result<Lanes<T>, WaveError> {
        self.quad_read(value, |number| [3, 2, 1, 0][number])
    }

    /// `QuadReadLaneAt`: from lane `number`, 0 to 3, of the own quad; each lane may ask for another one.
    pub fn quad_read_lane_at<T: Copy>(
        &self,
        value: &Lanes<T>,
        number: &Lanes<u32>,
    ) -> Result<Lanes<T>, WaveError> {
        self.compute(|lane| self.read_lane_at(value, lane / 4 * 4 + number.get(lane)?))
    }

    fn quad_read<T: Copy>(
        &self,
        value: &Lanes<T>,
        from: impl Fn(usize) -> u32,
    ) -> Result<Lanes<T>, WaveError> {
        let number = self.load(|lane| from(lane as usize % 4));
        self.quad_read_lane_at(value, &number)
    }
}

impl Wave {
    /// One item, or none, per lane.
    ///
    /// # Errors
    /// [`WaveError::Poison`] if an active lane has no value.
    pub fn append_one(&self, has_item: &Lanes<bool>) -> Result<Append, WaveError> {
        Ok(Append {
            total: self.count_bits(has_item)?,
            offset: self.prefix_count_bits(has_item)?,
        })
    }

    /// Any number of items per lane.
    ///
    /// # Errors
    /// [`WaveError::Poison`] if an active lane has no value.
    pub fn append_counts(&self, items: &Lanes<u32>) -> Result<Append, WaveError> {
        Ok(Append {
            total: self.active_sum(items)?,
            offset: self.prefix_sum(items)?,
        })
    }
}

#[cfg(test)]
#[path = "wave_intrinsics_tests.rs"]
mod tests;
