//! The HLSL wave intrinsics on the model of a wave: queries, votes, reductions, scans, quads.
//!
//! Follows the specification in lane order, unlike the shaders compared with it. All but equality take one component of
//! a vector at a time. Integers that wrap around are [`std::num::Wrapping`]. Every intrinsic fails with
//! [`WaveError::Poison`] if an active lane has no value.

use std::iter::{Product, Sum};

use super::wave_model::{Lanes, Wave, WaveError};

/// Queries and votes.
impl Wave {
    /// True in the active lane with the smallest index.
    pub fn is_first_lane(&self) -> Lanes<bool> {
        let first = self.active_lanes().next();
        self.load(|lane| Some(lane) == first)
    }

    pub fn lane_index(&self) -> Lanes<u32> {
        self.load(|lane| lane)
    }

    pub fn any_true(&self, vote: &Lanes<bool>) -> Result<bool, WaveError> {
        self.fold(vote, false, |any, own| any | own)
    }

    pub fn all_true(&self, vote: &Lanes<bool>) -> Result<bool, WaveError> {
        self.fold(vote, true, |all, own| all & own)
    }

    /// True if every active lane has the value of the first. A vector is an array here, with one answer.
    pub fn all_equal<T: Copy + PartialEq>(&self, value: &Lanes<T>) -> Result<bool, WaveError> {
        let first = self.read_lane_first(value)?;
        self.fold(value, true, |all, own| all & (own == first))
    }

    pub fn count_bits(&self, vote: &Lanes<bool>) -> Result<u32, WaveError> {
        self.fold(vote, 0, |count, own| count + u32::from(own))
    }

    /// Number of active lanes below each lane with a true vote.
    pub fn prefix_count_bits(&self, vote: &Lanes<bool>) -> Result<Lanes<u32>, WaveError> {
        let ones = self.compute(|lane| Ok(u32::from(vote.get(lane)?)))?;
        self.prefix_sum(&ones)
    }
}

/// Reductions over the active lanes, in lane order.
impl Wave {
    pub fn active_sum<T: Copy + Sum>(&self, value: &Lanes<T>) -> Result<T, WaveError> {
        self.values(value).sum()
    }

    pub fn active_product<T: Copy + Product>(&self, value: &Lanes<T>) -> Result<T, WaveError> {
        self.values(value).product()
    }

    pub fn active_min<T: Copy + PartialOrd>(&self, value: &Lanes<T>) -> Result<T, WaveError> {
        self.chosen(value, |own, least| own < least)
    }

    pub fn active_max<T: Copy + PartialOrd>(&self, value: &Lanes<T>) -> Result<T, WaveError> {
        self.chosen(value, |own, most| own > most)
    }

    pub fn active_bit_and(&self, value: &Lanes<u32>) -> Result<u32, WaveError> {
        self.fold(value, u32::MAX, |all, own| all & own)
    }

    pub fn active_bit_or(&self, value: &Lanes<u32>) -> Result<u32, WaveError> {
        self.fold(value, 0, |any, own| any | own)
    }

    pub fn active_bit_xor(&self, value: &Lanes<u32>) -> Result<u32, WaveError> {
        self.fold(value, 0, |odd, own| odd ^ own)
    }

    /// The first value that none is better than.
    fn chosen<T: Copy>(
        &self,
        value: &Lanes<T>,
        is_better: impl Fn(T, T) -> bool,
    ) -> Result<T, WaveError> {
        let first = self.read_lane_first(value)?;
        self.fold(value, first, |best, own| match is_better(own, best) {
            true => own,
            false => best,
        })
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

/// Scans over the active lanes below each lane, without its own value.
impl Wave {
    pub fn prefix_sum<T: Copy + Sum>(&self, value: &Lanes<T>) -> Result<Lanes<T>, WaveError> {
        self.scan(value, |below| below.iter().copied().sum())
    }

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

/// Reads within quads, which are four lanes with equal index / 4. All fail with [`WaveError::InactiveLane`] if the lane read
/// is inactive.
impl Wave {
    pub fn quad_read_across_x<T: Copy>(&self, value: &Lanes<T>) -> Result<Lanes<T>, WaveError> {
        self.quad_read(value, [1, 0, 3, 2])
    }

    pub fn quad_read_across_y<T: Copy>(&self, value: &Lanes<T>) -> Result<Lanes<T>, WaveError> {
        self.quad_read(value, [2, 3, 0, 1])
    }

    pub fn quad_read_across_diagonal<T: Copy>(
        &self,
        value: &Lanes<T>,
    ) -> Result<Lanes<T>, WaveError> {
        self.quad_read(value, [3, 2, 1, 0])
    }

    /// From lane `number`, 0 to 3, of the own quad; each lane may ask for another one.
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
