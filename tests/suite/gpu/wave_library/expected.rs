//! What every function of the wave library must give in every active lane, by the CPU model.

use std::sync::LazyLock;

use wavelerp::model::reference::composite::GUARD;
use wavelerp::model::reference::wave_model::{Lanes, Wave, WaveError};

use crate::oracles::wave_methods::{
    Hazard, Lerp, ballot_find_msb, combine_leading_bits, first_bit_high, inclusive_product,
    read_lane_last, wave_active_lerp, wave_prefix_lerp,
};

/// Words per lane that the kernel writes, in its order.
pub static FIELDS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let of_function = |line: &'static str| {
        let (name, parts) = line.split_once(": ").unwrap_or((line, ""));
        let named = move |part| format!("{name} {part}").trim_end().to_owned();
        parts.split(' ').map(named)
    };
    FUNCTIONS.trim().lines().flat_map(of_function).collect()
});

/// The library's functions, with the parts of their results.
const FUNCTIONS: &str = "
wave_active_lerp_f32
wave_active_lerp_rgb: r g b
wave_active_lerp_carry_f32: value transmittance
wave_active_lerp_carry_rgb: value.r value.g value.b transmittance
wave_active_lerp_last_f32: value transmittance
wave_active_lerp_last_rgb: value.r value.g value.b transmittance
wave_prefix_lerp_f32: value transmittance
wave_prefix_lerp_rgb: value.r value.g value.b transmittance
wave_prefix_product_driver
wave_prefix_product_division
wave_prefix_product_division: guarded
wave_last_lane_ballot
wave_last_lane_ballot_scalar
wave_last_lane_find_msb
wave_read_uniform_lane_f32
native_broadcast_f32: r g b
wave_read_uniform_lane_vec4f: r g b a
native_broadcast_vec4f: r g b a
wave_prefix_count_bits
wave_prefix_product_driver_vec4f
wave_prefix_product_division_vec4f
wave_prefix_product_division_vec4f: guarded
wave_lerp_from_prefix_vec4f: r g b of_no_opacity
wave_active_lerp_carry_rgb_four: r g b transmittance
wave_active_lerp_last_rgb_four: r g b transmittance
";

/// What the driver is known to do with an opaque layer.
#[derive(Clone, Copy, Debug)]
pub struct Driver {
    /// Its exclusive product behind a zero is zero.
    pub survives_zero: bool,
    /// Its 0/0 is NaN.
    pub divides_to_nan: bool,
}

/// What a word must be.
#[derive(Clone, Copy, Debug)]
pub enum Expected {
    /// These bits.
    Bits(u32),
    /// An f32 within `relative` of it.
    Near { value: f32, relative: f64 },
    /// Any NaN.
    Nan,
    /// Not said: this driver is known to do as it likes here.
    Anything,
}

impl Expected {
    /// Whether the GPU's word is as expected.
    pub fn holds(self, word: u32) -> bool {
        let got = f32::from_bits(word);
        match self {
            Self::Bits(bits) => word == bits,
            Self::Near { value, relative } => {
                let (got, value) = (f64::from(got), f64::from(value));
                (got - value).abs() <= relative * value.abs()
            }
            Self::Nan => got.is_nan(),
            Self::Anything => true,
        }
    }
}

/// Collects a lane's expected words.
struct Words {
    words: Vec<Expected>,
    relative: f64,
}

impl Words {
    fn near(&mut self, value: f32) {
        let relative = self.relative;
        self.words.push(match value.is_nan() {
            true => Expected::Nan,
            false => Expected::Near { value, relative },
        });
    }

    /// As `near` where `known`, else whatever the driver does.
    fn near_if(&mut self, known: bool, value: f32) {
        match known {
            true => self.near(value),
            false => self.words.push(Expected::Anything),
        }
    }

    fn bits(&mut self, bits: u32) {
        self.words.push(Expected::Bits(bits));
    }
}

/// One register per channel, poison where a lane is not active.
struct Rows {
    rgb: [Lanes<f32>; 3],
    t: Lanes<f32>,
    /// Whether it is known what a scan of the factors gives.
    known: bool,
    driver: Driver,
}

/// The expected words of every active lane of one wave, whose lane i holds `rows[i]` = (r, g, b, t).
///
/// Tolerance: with n active lanes a result is made of at most n factors 1-t, n terms of a sum, and
/// four further operations, a division (2.5 ULP) among them; each rounds by 2^-24, on the GPU and in
/// the model alike, whatever the order. No sum cancels, as all terms are positive.
pub fn expected(
    wave: &Wave,
    rows: &[[f32; 4]],
    driver: Driver,
) -> Result<Vec<(u32, Vec<Expected>)>, WaveError> {
    let channel = |index: usize| wave.load(|lane| rows[lane as usize][index]);
    let has_zero = (wave.active_lanes()).any(|lane| rows[lane as usize][3] == 1.0);
    let input = Rows {
        rgb: [channel(0), channel(1), channel(2)],
        t: channel(3),
        known: driver.survives_zero || !has_zero,
        driver,
    };
    let count = wave.active_lanes().count() as f64;
    let relative = 2.0 * (2.0 * count + 8.0) * (-24f64).exp2();
    wave.active_lanes()
        .map(|lane| {
            let mut out = Words {
                words: Vec::new(),
                relative,
            };
            let [r, g, b] = lerps(wave, &input, lane, &mut out)?;
            products(wave, &input, lane, &mut out)?;
            lanes(wave, &input, lane, &mut out)?;
            // Fields 41 to 47: of four outputs, those of which one output knows.
            products(wave, &input, lane, &mut out)?;
            let known = input.known;
            for value in [r.value, g.value, b.value, 0.0] {
                out.near_if(known, value);
            }
            // Fields 48 to 55: the third of four pixels, by either form of the carry.
            for by_scan in [false, true] {
                for value in [r.value, g.value, b.value] {
                    out.near_if(known, value);
                }
                out.near_if(known || !by_scan, r.transmittance);
            }
            Ok((lane, out.words))
        })
        .collect()
}

/// Fields 0 to 21; returns the lerps of the channels.
fn lerps(wave: &Wave, input: &Rows, lane: u32, out: &mut Words) -> Result<[Lerp; 3], WaveError> {
    let known = input.known;
    let lerp =
        |channel: usize| wave_active_lerp(wave, &input.rgb[channel], &input.t, Hazard::Driver);
    let lerps @ [r, g, b] = [lerp(0)?, lerp(1)?, lerp(2)?];
    for value in [r, r, g, b] {
        out.near_if(known, value.value);
    }
    // Twice with continuation: the carry by an active product, the carry from the last lane. The
    // active product needs no exclusive scan.
    for by_scan in [false, true] {
        out.near_if(known, r.value);
        out.near_if(known || !by_scan, r.transmittance);
        for value in [r, g, b] {
            out.near_if(known, value.value);
        }
        out.near_if(known || !by_scan, r.transmittance);
    }
    let prefix =
        |channel: usize| wave_prefix_lerp(wave, &input.rgb[channel], &input.t, Hazard::Driver);
    let [r, g, b] = [prefix(0)?, prefix(1)?, prefix(2)?];
    let transmittance = r.transmittance.get(lane)?;
    out.near_if(known, r.value.get(lane)?);
    out.near_if(known, transmittance);
    for value in [&r, &g, &b] {
        out.near_if(known, value.value.get(lane)?);
    }
    out.near_if(known, transmittance);
    Ok(lerps)
}

/// Fields 22 to 24, and 41 to 43: the three forms of the exclusive product.
fn products(wave: &Wave, input: &Rows, lane: u32, out: &mut Words) -> Result<(), WaveError> {
    let factor = wave.compute(|lane| Ok(1.0 - input.t.get(lane)?))?;
    out.near_if(input.known, wave.prefix_product(&factor)?.get(lane)?);
    let quotient = inclusive_product(wave, &factor)?.get(lane)? / factor.get(lane)?;
    let known = input.driver.divides_to_nan || !quotient.is_nan();
    out.near_if(known, quotient);
    let guarded = wave.compute(|lane| Ok(factor.get(lane)?.max(GUARD)))?;
    out.near(inclusive_product(wave, &guarded)?.get(lane)? / guarded.get(lane)?);
    Ok(())
}

/// Fields 25 to 40: what needs no rounding.
fn lanes(wave: &Wave, input: &Rows, lane: u32, out: &mut Words) -> Result<(), WaveError> {
    let ballot = wave.active_ballot();
    let bits = wave.load(|_| ballot.map(first_bit_high));
    out.bits(combine_leading_bits(ballot.map(first_bit_high)));
    out.bits(combine_leading_bits(wave.read_lane_first(&bits)?));
    out.bits(ballot_find_msb(ballot));

    let [r, g, b] = &input.rgb;
    for channel in [r, r, g, b, r, g, b, &input.t] {
        out.bits(read_lane_last(wave, channel)?.to_bits());
    }
    for channel in [r, g, b, &input.t] {
        let hash = wave.active_lanes().try_fold(0u32, |hash, lane| {
            let read = wave.read_lane_at(channel, lane)?.to_bits();
            Ok(hash.wrapping_mul(31).wrapping_add(read))
        })?;
        out.bits(hash);
    }
    let votes = wave.compute(|lane| Ok(g.get(lane)? < b.get(lane)?))?;
    out.bits(wave.prefix_count_bits(&votes)?.get(lane)?);
    Ok(())
}
