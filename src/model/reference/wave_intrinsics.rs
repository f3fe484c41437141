//! The HLSL wave intrinsics on the model of a wave: queries, votes, reductions, scans, quads.
//!
//! In lane order and by the specification's words, so that nothing here looks like the shaders it is
//! compared with. Vectors are for the caller: one component at a time, but for equality. Integers that wrap around are
//! [`std::num::Wrapping`].

use std::iter::{Product, Sum};

use super::wave_model::{Lanes, Wave, WaveError};

/// Queries and votes. Errors of these and of all below: [`WaveError::Poison`] if an active lane has no value.
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
    pub fn active_sum<T: Copy + Sum>(&self, value: &Lanes<T>) -> Result<T, WaveError> {
        self.values(value).sum()
    }

    /// `WaveActiveProduct` (early: WaveAllProduct), multiplied in lane order.
    pub fn active_product<T: Copy + Product>(&self, value: &Lanes<T>) -> Result<T, WaveError> {
        self.values(value).product()
    }

    /// `WaveActiveMin` (early: WaveAllMin).
    pub fn active_min<T: Copy + PartialOrd>(&self, value: &Lanes<T>) -> Result<T, WaveError> {
        let first = self.read_lane_first(value)?;
        self.fold(
            value,
            first,
            |least, own| if own < least { own } else { least },
        )
    }

    /// `WaveActiveMax` (early: WaveAllMax).
    pub fn active_max<T: Copy + PartialOrd>(&self, value: &Lanes<T>) -> Result<T, WaveError> {
        let first = self.read_lane_first(value)?;
        self.fold(
            value,
            first,
            |most, own| if own > most { own } else { most },
        )
    }

    /// `WaveActiveBitAnd` (early: WaveAllBitAnd).
    pub fn active_bit_and(&self, value: &Lanes<u32>) -> Result<u32, WaveError> {
        self.fold(value, u32::MAX, |all, own| all & own)
    }

    /// `WaveActiveBitOr` (early: WaveAllBitOr).
    pub fn active_bit_or(&self, value: &Lanes<u32>) -> Result<u32, WaveError> {
        self.fold(value, 0, |any, own| any | own)
    }

    /// `WaveActiveBitXor` (early: WaveAllBitXor).
    pub fn active_bit_xor(&self, value: &Lanes<u32>) -> Result<u32, WaveError> {
        self.fold(value, 0, |odd, own| odd ^ own)
    }

    fn fold<T: Copy, R>(
        &self,
        value: &Lanes<T>,
        start: R,
        combine: impl Fn(R, T) -> R,
    ) -> Result<R, WaveError> {
        let mut values = self.values(value);
        values.try_fold(start, |all, own| Ok(combine(all, own?)))
    }

    fn values<T: Copy>(&self, value: &Lanes<T>) -> impl Iterator<Item = Result<T, WaveError>> {
        self.active_lanes().map(move |lane| value.get(lane))
    }
}

/// Scans: each lane gets what the active lanes below it make.
impl Wave {
    /// `WavePrefixSum`: the sum of the active lanes below each lane, its own not included.
    pub fn prefix_sum<T: Copy + Sum>(&self, value: &Lanes<T>) -> Result<Lanes<T>, WaveError> {
        self.scan(value, |below| below.iter().copied().sum())
    }

    /// `WavePrefixProduct`: as [`Wave::prefix_sum`].
    pub fn prefix_product<T: Copy + Product>(
        &self,
        value: &Lanes<T>,
    ) -> Result<Lanes<T>, WaveError> {
        self.scan(value, |below| below.iter().copied().product())
    }

    fn scan<T: Copy>(
        &self,
        value: &Lanes<T>,
        combined: impl Fn(&[T]) -> T,
    ) -> Result<Lanes<T>, WaveError> {
        let (mut below, mut exclusive) = (Vec::new(), Lanes::poison());
        for lane in self.active_lanes() {
            exclusive.set(lane, combined(&below));
            below.push(value.get(lane)?);
        }
        Ok(exclusive)
    }
}

/// Reads within quads, four lanes of one index / 4. Errors of all: [`WaveError::InactiveLane`] unless the
/// lane that is read is active.
impl Wave {
    /// `QuadReadAcrossX`: from the lane in the other column of the same row.
    pub fn quad_read_across_x<T: Copy>(&self, value: &Lanes<T>) -> Result<Lanes<T>, WaveError> {
        self.quad_read(value, [1, 0, 3, 2])
    }

    /// `QuadReadAcrossY`: from the lane in the other row of the same column.
    pub fn quad_read_across_y<T: Copy>(&self, value: &Lanes<T>) -> Result<Lanes<T>, WaveError> {
        self.quad_read(value, [2, 3, 0, 1])
    }

    /// `QuadReadAcrossDiagonal`: from the lane in the other row and column.
    pub fn quad_read_across_diagonal<T: Copy>(
        &self,
        value: &Lanes<T>,
    ) -> Result<Lanes<T>, WaveError> {
        self.quad_read(value, [3, 2, 1, 0])
    }

    /// `QuadReadLaneAt`: from lane `number`, 0 to 3, of the own quad; each lane may ask for another one.
    pub fn quad_read_lane_at<T: Copy>(
        &self,
        value: &Lanes<T>,
        number: &Lanes<u32>,
    ) -> Result<Lanes<T>, WaveError> {
        self.compute(|lane| self.read_lane_at(value, lane / 4 * 4 + number.get(lane)?))
    }

    fn quad_read<T: Copy>(&self, value: &Lanes<T>, from: [u32; 4]) -> Result<Lanes<T>, WaveError> {
        let number = self.load(|lane| from[lane as usize % 4]);
        self.quad_read_lane_at(value, &number)
    }
}
