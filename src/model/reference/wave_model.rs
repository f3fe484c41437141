//! A CPU model of one wave of 4 to 128 lanes, with inactive lanes and four-word ballots. [`super::wave_intrinsics`] has votes,
//! reductions, scans and quads.
//!
//! Plain arithmetic in lane order. Reading an inactive lane, or a value that was never written (poison), is an error, so that
//! a method that relies on an inactive lane cannot pass by luck.

pub const MAX_LANES: u32 = 128;

/// A use of the model that is undefined on a real wave.
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

/// A wave and its active lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wave {
    width: u32,
    /// Lane i is bit i.
    active: u128,
}

impl Wave {
    pub fn new(width: u32, active: u128) -> Result<Self, WaveError> {
        if !(4..=MAX_LANES).contains(&width) {
            return Err(WaveError::Width(width));
        }
        if active == 0 || active & !lowest_bits(width) != 0 {
            return Err(WaveError::Mask(width));
        }
        Ok(Self { width, active })
    }

    /// Number of lanes, active or not.
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
        let value = |lane| self.is_active(lane).then(|| value(lane));
        Lanes((0..MAX_LANES).map(value).collect())
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

    /// One bit per active lane with a true predicate.
    pub fn ballot(&self, predicate: &Lanes<bool>) -> Result<[u32; 4], WaveError> {
        let mut bits = 0u128;
        for lane in self.active_lanes() {
            bits |= u128::from(predicate.get(lane)?) << lane;
        }
        Ok(as_words(bits))
    }

    pub fn read_lane_at<T: Copy>(&self, value: &Lanes<T>, lane: u32) -> Result<T, WaveError> {
        match self.is_active(lane) {
            true => value.get(lane),
            false => Err(WaveError::InactiveLane(lane)),
        }
    }

    /// The value of the first active lane.
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
