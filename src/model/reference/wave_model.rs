//! A CPU model of one wave of 4 to 128 lanes, with inactive lanes and four-word ballots. What waves compute
//! (votes, reductions, scans, quads) is in [`super::wave_intrinsics`].
//!
//! Plain arithmetic, in lane order; it touches nothing else. A lane's value is present or poison: reading an
//! inactive lane, or a value that was never written, gives an error instead of a number, so that a method
//! that relies on an inactive lane cannot pass by luck.

pub const MAX_LANES: u32 = 128;

/// A use of the model that a real wave would answer with an undefined value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WaveError {
    #[error("a wave has 4 to 128 lanes, not {0}")]
    Width(u32),
    /// The mask has no active lane, or one at or above the width.
    #[error("the active-lane mask does not fit a wave of {0} lanes")]
    Mask(u32),
    #[error("lane {0} is read but is not active")]
    InactiveLane(u32),
    /// An active lane's value was read before it was written.
    #[error("lane {0} holds poison")]
    Poison(u32),
}

/// One register of the wave: a value per lane, poison where none was written.
#[derive(Debug, Clone, PartialEq)]
pub struct Lanes<T>(Vec<Option<T>>);

impl<T: Copy> Lanes<T> {
    pub fn poison() -> Self {
        Self(vec![None; MAX_LANES as usize])
    }

    pub fn get(&self, lane: u32) -> Result<T, WaveError> {
        let slot = self.0.get(lane as usize).copied().flatten();
        slot.ok_or(WaveError::Poison(lane))
    }

    pub(super) fn set(&mut self, lane: u32, value: T) {
        if let Some(slot) = self.0.get_mut(lane as usize) {
            *slot = Some(value);
        }
    }
}

/// A wave and which of its lanes are active.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wave {
    width: u32,
    /// Lane i is bit i.
    active: u128,
}

impl Wave {
    /// A wave of `width` lanes with the mask `active` (lane i is bit i).
    pub fn new(width: u32, active: u128) -> Result<Self, WaveError> {
        if !(4..=MAX_LANES).contains(&width) {
            return Err(WaveError::Width(width));
        }
        if active == 0 || active & !lowest_bits(width) != 0 {
            return Err(WaveError::Mask(width));
        }
        Ok(Self { width, active })
    }

    /// The number of lanes, active or not: HLSL's `WaveGetLaneCount`.
    pub fn width(&self) -> u32 {
        self.width
    }

    pub fn is_active(&self, lane: u32) -> bool {
        lane < self.width && self.active >> lane & 1 == 1
    }

    /// The active lanes in ascending order.
    pub fn active_lanes(&self) -> impl Iterator<Item = u32> + use<> {
        let wave = *self;
        (0..wave.width).filter(move |&lane| wave.is_active(lane))
    }

    /// A register computed in every active lane; the others hold poison.
    pub fn load<T: Copy>(&self, value: impl Fn(u32) -> T) -> Lanes<T> {
        let mut lanes = Lanes::poison();
        self.active_lanes()
            .for_each(|lane| lanes.set(lane, value(lane)));
        lanes
    }

    /// Like [`Wave::load`], from other registers.
    pub fn compute<T: Copy>(
        &self,
        value: impl Fn(u32) -> Result<T, WaveError>,
    ) -> Result<Lanes<T>, WaveError> {
        let mut lanes = Lanes::poison();
        for lane in self.active_lanes() {
            lanes.set(lane, value(lane)?);
        }
        Ok(lanes)
    }

    /// `WaveActiveBallot`: one bit per active lane whose predicate holds.
    pub fn ballot(&self, predicate: &Lanes<bool>) -> Result<[u32; 4], WaveError> {
        let mut bits = 0u128;
        for lane in self.active_lanes() {
            bits |= u128::from(predicate.get(lane)?) << lane;
        }
        Ok(as_words(bits))
    }

    /// `WaveReadLaneAt`: the value of `lane`.
    pub fn read_lane_at<T: Copy>(&self, value: &Lanes<T>, lane: u32) -> Result<T, WaveError> {
        match self.is_active(lane) {
            true => value.get(lane),
            false => Err(WaveError::InactiveLane(lane)),
        }
    }

    /// `WaveReadLaneFirst`: the value of the first active lane.
    pub fn read_lane_first<T: Copy>(&self, value: &Lanes<T>) -> Result<T, WaveError> {
        self.read_lane_at(value, self.active.trailing_zeros())
    }
}

/// A mask as four words: lane i is bit i % 32 of word i / 32.
pub fn as_words(bits: u128) -> [u32; 4] {
    std::array::from_fn(|word| (bits >> (32 * word)) as u32)
}

fn lowest_bits(count: u32) -> u128 {
    1u128.unbounded_shl(count).wrapping_sub(1)
}
