//! The article's compositing methods, run on the CPU model of a wave.
//!
//! Works on `wavelerp::model::reference::wave_model` alone, in f32. Lane 0 of each group holds the nearest layer. The
//! results say what a method must give at a wave width that no device at hand has, and that it reads
//! no inactive lane on the way.

pub use wavelerp::model::options::Hazard;
use wavelerp::model::reference::composite::{GUARD, Layer};
use wavelerp::model::reference::wave_model::{Lanes, Wave, WaveError};

/// A way to composite a list with a wave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Method {
    /// A loop of lane reads and lerps, far to near within each group.
    ReadLaneLoop,
    /// Wave lerp, carry by the active product.
    WaveLerpProduct,
    /// Wave lerp, carry from the last lane of the ballot.
    WaveLerpBallot,
    /// Wave lerp, carry from the last lane of the ballot, whose bits are read from the first lane.
    WaveLerpBallotScalar,
    /// Wave lerp, carry from the last lane, which one instruction finds in the ballot.
    WaveLerpFindMsb,
    /// Wave lerp, tail padded with transparent layers, carry from lane W-1.
    WaveLerpKnownLast,
    /// As `WaveLerpKnownLast`; each lane adds up its part of all groups, and one sum joins the lanes.
    WaveLerpDeferred,
}

impl Method {
    const ALL: [Self; 7] = [
        Self::ReadLaneLoop,
        Self::WaveLerpProduct,
        Self::WaveLerpBallot,
        Self::WaveLerpBallotScalar,
        Self::WaveLerpFindMsb,
        Self::WaveLerpKnownLast,
        Self::WaveLerpDeferred,
    ];

    /// Whether lanes without a layer stay, with a transparent one.
    fn is_padded(self) -> bool {
        matches!(self, Self::WaveLerpKnownLast | Self::WaveLerpDeferred)
    }
}

/// A mistake planted on purpose, to show that the checks see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// The carry is read one lane before the last.
    LastLaneEarly,
    /// The carry is read one lane behind the last.
    LastLaneLate,
    /// Groups are added without the carry.
    DroppedCarry,
}

/// The lerp of a wave's layers from 0, premultiplied, and the transmittance of them all: the product of `1-t`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lerp {
    pub value: f32,
    pub transmittance: f32,
}

/// All inclusive prefixes of a wave's lerp; lane i composites the active lanes 0 to i.
#[derive(Debug, Clone, PartialEq)]
pub struct PrefixLerp {
    pub value: Lanes<f32>,
    pub transmittance: Lanes<f32>,
}

/// The factors `1-t` and their exclusive prefix product.
struct Prefix {
    factor: Lanes<f32>,
    product: Lanes<f32>,
}

fn prefix(wave: &Wave, t: &Lanes<f32>, hazard: Hazard) -> Result<Prefix, WaveError> {
    let least = if hazard.guards() { GUARD } else { 0.0 };
    let factor = wave.compute(|lane| Ok((1.0 - t.get(lane)?).max(least)))?;
    let product = if hazard.divides() {
        let inclusive = inclusive_product(wave, &factor)?;
        wave.compute(|lane| Ok(inclusive.get(lane)? / factor.get(lane)?))?
    } else {
        wave.prefix_product(&factor)?
    };
    Ok(Prefix { factor, product })
}

/// `value * t * (transmittance of the nearer lanes)` in each lane.
fn weighted(
    wave: &Wave,
    value: &Lanes<f32>,
    t: &Lanes<f32>,
    prefix: &Prefix,
) -> Result<Lanes<f32>, WaveError> {
    wave.compute(|lane| Ok(value.get(lane)? * t.get(lane)? * prefix.product.get(lane)?))
}

/// The article's WaveActiveLerp with continuation, the carry by the active product.
pub fn wave_active_lerp(
    wave: &Wave,
    value: &Lanes<f32>,
    t: &Lanes<f32>,
    hazard: Hazard,
) -> Result<Lerp, WaveError> {
    let prefix = prefix(wave, t, hazard)?;
    Ok(Lerp {
        value: wave.active_sum(&weighted(wave, value, t, &prefix)?)?,
        transmittance: wave.active_product(&prefix.factor)?,
    })
}

/// Every inclusive prefix of the lerp.
pub fn wave_prefix_lerp(
    wave: &Wave,
    value: &Lanes<f32>,
    t: &Lanes<f32>,
    hazard: Hazard,
) -> Result<PrefixLerp, WaveError> {
    let prefix = prefix(wave, t, hazard)?;
    Ok(PrefixLerp {
        value: inclusive_sum(wave, &weighted(wave, value, t, &prefix)?)?,
        transmittance: inclusive(wave, &prefix)?,
    })
}

/// The exclusive product times the lane's own factor.
fn inclusive(wave: &Wave, prefix: &Prefix) -> Result<Lanes<f32>, WaveError> {
    wave.compute(|lane| Ok(prefix.product.get(lane)? * prefix.factor.get(lane)?))
}

/// Composites `layers`, front to back, by `method` on waves of `width` lanes: red, green, blue, transmittance.
///
/// All methods but the padded ones keep a ragged tail: in the last group the lanes at or above the number of
/// layers left are inactive. `hazard` does not concern the read-lane loop; `fault` is a mistake to plant.
///
/// # Errors
/// [`WaveError::Width`] unless `width` is 4 to 128, and [`WaveError::InactiveLane`] where the mistake reads such a lane. Any
/// other error is a fault of the method.
fn composite_list(
    method: Method,
    width: u32,
    hazard: Hazard,
    fault: Option<Fault>,
    layers: &[Layer],
) -> Result<[f32; 4], WaveError> {
    let all = Wave::full(width)?;
    let mut rgb: [Lanes<f32>; 3] = std::array::from_fn(|_| all.load(|_| 0.0));
    let mut carry = all.load(|_| 1.0);
    for group in layers.chunks(width as usize) {
        // The ragged loop's lanes leave it one by one; lane 0 stays longest, and only its registers
        // are whole at the end.
        let wave = if method.is_padded() {
            all
        } else {
            first_lanes(width, group.len() as u32)?
        };
        let lerp = lerp_group(method, &wave, hazard, fault, group)?;
        for (sum, value) in rgb.iter_mut().zip(&lerp.0) {
            let weight = |lane| match fault {
                Some(Fault::DroppedCarry) => Ok(1.0),
                _ => carry.get(lane),
            };
            let next =
                wave.compute(|lane| Ok(sum.get(lane)? + weight(lane)? * value.get(lane)?))?;
            wave.store(sum, &next)?;
        }
        let next = wave.compute(|lane| Ok(carry.get(lane)? * lerp.1))?;
        wave.store(&mut carry, &next)?;
    }
    let of_lanes = |lanes: &Lanes<f32>| match method {
        Method::WaveLerpDeferred => all.active_sum(lanes),
        _ => lanes.get(0),
    };
    let [r, g, b] = &rgb;
    Ok([of_lanes(r)?, of_lanes(g)?, of_lanes(b)?, carry.get(0)?])
}

/// One group: what each lane adds to each channel, and the group's transmittance. A method that sums in every
/// group has the sum in every lane.
fn lerp_group(
    method: Method,
    wave: &Wave,
    hazard: Hazard,
    fault: Option<Fault>,
    group: &[Layer],
) -> Result<([Lanes<f32>; 3], f32), WaveError> {
    // A lane behind the group's end is active only where the tail is padded: a transparent layer.
    let of = |lane: u32| group.get(lane as usize);
    let values: [Lanes<f32>; 3] =
        std::array::from_fn(|i| wave.load(|lane| of(lane).map_or(0.0, |layer| layer.color[i])));
    let t = wave.load(|lane| of(lane).map_or(0.0, |layer| layer.opacity));
    if method == Method::ReadLaneLoop {
        let (rgb, transmittance) = read_lane_loop(wave, &values, &t, group.len() as u32)?;
        return Ok((rgb.map(|sum| wave.load(|_| sum)), transmittance));
    }

    let prefix = prefix(wave, &t, hazard)?;
    let mut rgb = values;
    for lanes in &mut rgb {
        *lanes = weighted(wave, lanes, &t, &prefix)?;
        if method != Method::WaveLerpDeferred {
            let sum = wave.active_sum(lanes)?;
            *lanes = wave.load(|_| sum);
        }
    }
    let transmittance = match last_lane(method, wave)? {
        None => wave.active_product(&prefix.factor)?,
        Some(last) => {
            let lane = match fault {
                Some(Fault::LastLaneEarly) => last.saturating_sub(1),
                Some(Fault::LastLaneLate) => last + 1,
                _ => last,
            };
            wave.read_lane_at(&inclusive(wave, &prefix)?, lane)?
        }
    };
    Ok((rgb, transmittance))
}

/// A wave whose first `count` lanes are active: the last group of a ragged loop.
fn first_lanes(width: u32, count: u32) -> Result<Wave, WaveError> {
    Wave::new(width, 1u128.unbounded_shl(count).wrapping_sub(1))
}

/// The sum of the active lanes up to each lane, its own included.
fn inclusive_sum(wave: &Wave, value: &Lanes<f32>) -> Result<Lanes<f32>, WaveError> {
    let below = wave.prefix_sum(value)?;
    wave.compute(|lane| Ok(below.get(lane)? + value.get(lane)?))
}

/// The product of the active lanes up to each lane, its own included.
pub fn inclusive_product(wave: &Wave, value: &Lanes<f32>) -> Result<Lanes<f32>, WaveError> {
    let below = wave.prefix_product(value)?;
    wave.compute(|lane| Ok(below.get(lane)? * value.get(lane)?))
}

/// `WaveReadLaneLast`, by the article's last-lane index.
pub fn read_lane_last<T: Copy>(wave: &Wave, value: &Lanes<T>) -> Result<T, WaveError> {
    let bits = wave.active_ballot().map(first_bit_high);
    wave.read_lane_at(value, combine_leading_bits(bits))
}

/// What [`first_bit_high`] gives for a word without set bits.
const NO_BIT: u32 = u32::MAX;

/// `firstbithigh`: the index of the highest set bit, [`NO_BIT`] (-1) if there is none.
pub fn first_bit_high(word: u32) -> u32 {
    word.checked_ilog2().unwrap_or(NO_BIT)
}

/// The article's last-lane index from the highest bit of each ballot word: the greatest of them with
/// offsets 0, 32, 64, 96, a word without bits counting as lane 0.
pub fn combine_leading_bits(bits: [u32; 4]) -> u32 {
    let lane = |word: usize| match bits[word] {
        NO_BIT => 0,
        bit => bit + 32 * word as u32,
    };
    lane(0).max(lane(1)).max(lane(2)).max(lane(3))
}

/// `OpGroupNonUniformBallotFindMSB` on a ballot with at least one bit: the highest bit's index.
pub fn ballot_find_msb(ballot: [u32; 4]) -> u32 {
    let words = ballot.iter().zip([0, 32, 64, 96]).rev();
    let mut found = words.filter_map(|(word, first)| Some(first + word.checked_ilog2()?));
    found.next().unwrap_or(NO_BIT)
}

/// The last active lane as `method` finds it; `None` for the method that does without.
fn last_lane(method: Method, wave: &Wave) -> Result<Option<u32>, WaveError> {
    let ballot = wave.active_ballot();
    Ok(match method {
        Method::ReadLaneLoop | Method::WaveLerpProduct => None,
        Method::WaveLerpBallot => Some(combine_leading_bits(ballot.map(first_bit_high))),
        Method::WaveLerpBallotScalar => {
            let bits = wave.load(|_| ballot.map(first_bit_high));
            Some(combine_leading_bits(wave.read_lane_first(&bits)?))
        }
        Method::WaveLerpFindMsb => Some(ballot_find_msb(ballot)),
        Method::WaveLerpKnownLast | Method::WaveLerpDeferred => Some(wave.width() - 1),
    })
}

/// `result = lerp(result, value, t)` over the group's lanes, farthest first.
fn read_lane_loop(
    wave: &Wave,
    values: &[Lanes<f32>; 3],
    t: &Lanes<f32>,
    count: u32,
) -> Result<([f32; 3], f32), WaveError> {
    let mut rgb = [0.0; 3];
    let mut transmittance = 1.0;
    for lane in (0..count).rev() {
        let t = wave.read_lane_at(t, lane)?;
        for (result, value) in rgb.iter_mut().zip(values) {
            *result = *result * (1.0 - t) + wave.read_lane_at(value, lane)? * t;
        }
        transmittance *= 1.0 - t;
    }
    Ok((rgb, transmittance))
}

#[path = "wave_methods_tests.rs"]
mod tests;
