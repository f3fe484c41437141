//! All particles at a given time, in f64: the twin of `shaders/frame/simulate.wesl`.
//!
//! Hashes are integers and bitwise equal, and the numbers made from them are exact in f32 and f64. Everything else is
//! plain f64, with a bound per field for a GPU that computes in f32 according to Vulkan's rules: addition and
//! multiplication are correctly rounded, division has 2.5 ULP, and sine an absolute error of 2⁻¹¹ within ±π. Vulkan
//! promises nothing beyond ±π; the bound lets the error of sine grow in proportion to the argument. Only the struct
//! layouts are shared with the GPU code.

use std::f64::consts::{PI, TAU};
use wavelerp::model::layout::{Emitter, Particle};

/// Half a ULP of 1 in f32: the largest relative error of one rounding.
const ROUNDING: f64 = 1.0 / (1 << 24) as f64;
/// Smallest f32 value that is not flushed to 0.
const SMALLEST_NORMAL: f64 = f32::MIN_POSITIVE as f64;
/// Error of Vulkan's sine within ±π.
const SINE: f64 = 1.0 / 2048.0;

/// A particle in world space, or the error bounds of its fields. Units are as in [`Particle`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SimulatedParticle {
    /// Position in world space, in metres.
    pub position: [f64; 3],
    /// Radius in metres.
    pub radius: f64,
    /// Linear RGB albedo.
    pub albedo: [f64; 3],
    /// Opacity at the centre, 0…1.
    pub opacity: f64,
    /// Linear RGB radiance.
    pub emission: [f64; 3],
    /// Softness, from 0 (a hard disc) to 1 (soft up to the rim).
    pub softness: f64,
}

impl SimulatedParticle {
    /// Numbers of the particle in the layout of [`Particle`].
    fn words(&self) -> [f64; 12] {
        let ([x, y, z], [r, g, b], [red, green, blue]) =
            (self.position, self.albedo, self.emission);
        let (radius, opacity, softness) = (self.radius, self.opacity, self.softness);
        [
            x, y, z, radius, r, g, b, opacity, red, green, blue, softness,
        ]
    }
}

/// Phase of a particle's life, and its f32 error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Phase {
    /// Phase: 0 at birth, 1 at the end of life.
    pub value: f64,
    /// Error of the phase: `7 r q + 2 r` after `q` lives since time 0, for division, sum and margin, where
    /// `r` = 2⁻²⁴ is one rounding.
    pub error: f64,
}

impl Phase {
    /// True if rounding may put the GPU on the other side of the jump from 1 to 0.
    pub fn is_within_rounding_of_rebirth(&self) -> bool {
        self.value < self.error || self.value > 1.0 - self.error
    }
}

/// Describes a difference beyond the bound between the GPU's particle `index` and the twin.
///
/// If rounding decides whether a particle is reborn, either end of its life is accepted, but no mixture.
pub fn differs(
    emitters: &[Emitter],
    seed: u32,
    time: f32,
    index: u32,
    gpu: &Particle,
) -> Option<String> {
    let Some(emitter) = emitter_of(emitters, index) else {
        return Some(format!("particle {index} belongs to no emitter"));
    };
    let phase = phase(emitter, seed, time, index);
    let wrong_at = |phase: Phase| {
        let twin = at_phase(emitter, seed, index, phase.value);
        let bound = bound_at_phase(emitter, seed, index, phase);
        first_difference(&twin, &bound, gpu)
    };
    let wrong = if phase.is_within_rounding_of_rebirth() {
        // The twin and the GPU may be on opposite sides, each off by at most the error.
        let error = 2.0 * phase.error;
        let [at_birth, at_end] = [0.0, 1.0].map(|value| wrong_at(Phase { value, error }));
        at_birth.and(at_end)
    } else {
        wrong_at(phase)
    };
    wrong.map(|what| format!("particle {index} at phase {}: {what}", phase.value))
}

/// The emitter of particle `index`, which is the last one that starts at or before `index`.
pub fn emitter_of(emitters: &[Emitter], index: u32) -> Option<&Emitter> {
    emitters.iter().rev().find(|emitter| emitter.first <= index)
}

/// Phase of life of particle `index` of `emitter` at `time` seconds.
pub fn phase(emitter: &Emitter, seed: u32, time: f32, index: u32) -> Phase {
    if emitter.lifetime <= 0.0 {
        return Phase {
            value: 0.5,
            error: 0.0,
        };
    }
    let lives = f64::from(time) / f64::from(emitter.lifetime);
    let begun = lives + random(seed, index, 0);
    Phase {
        value: begun - begun.floor(),
        error: ROUNDING * (7.0 * lives.abs() + 2.0),
    }
}

/// Particle `index` of `emitter` at a phase of its life, 0…1.
pub fn at_phase(emitter: &Emitter, seed: u32, index: u32, phase: f64) -> SimulatedParticle {
    let age = age_at(emitter, phase);
    let vary = variation(emitter, seed, index);
    let axis_position = |axis: usize| {
        let place = signed(seed, index, 1 + axis as u32);
        let throw = signed(seed, index, 4 + axis as u32);
        let start = wide(emitter.origin[axis]) + wide(emitter.extent[axis]) * place;
        let velocity = wide(emitter.velocity[axis]) + wide(emitter.spread) * throw;
        let fallen = 0.5 * wide(emitter.acceleration[axis]) * age * age;
        let swing = swing_angle(seed, index, axis, phase).sin();
        start + velocity * age + fallen + wide(emitter.turbulence) * phase * swing
    };
    SimulatedParticle {
        position: [0, 1, 2].map(axis_position),
        radius: mix(emitter.radius_start, emitter.radius_end, phase) * vary,
        albedo: [0, 1, 2].map(|c| mix(emitter.albedo_start[c], emitter.albedo_end[c], phase)),
        opacity: wide(emitter.opacity) * shown(emitter, phase),
        emission: emitter.emission.map(|e| wide(e) * (1.0 - phase)),
        softness: wide(emitter.softness),
    }
}

/// f32 error bound of [`at_phase`] on a GPU, field by field, for a phase within `phase.error` of `phase.value`. With
/// one rounding `r` = 2⁻²⁴ and the phase's error `d`:
///
/// * position: `8 r` of the sum of all terms' magnitudes, plus speed times the error of the age, `lifetime (d + r)`,
///   plus turbulence times the errors of phase, angle and sine.
/// * radius: `(|end - start| d + 8 r (start + end)) (1 + variation)`.
/// * albedo: `|end - start| d + 4 r (start + end)`. Emission: `emission (d + 3 r)`.
/// * opacity: `opacity ((d + r) / fade + 7 r)`. Softness: exact.
///
/// Every bound also includes the smallest normal f32, for GPUs that flush smaller ones to 0.
pub fn bound_at_phase(emitter: &Emitter, seed: u32, index: u32, phase: Phase) -> SimulatedParticle {
    let off = phase.error;
    let mixed = |start: f32, end: f32, roundings: f64| {
        let size = wide(start).abs() + wide(end).abs();
        (wide(end) - wide(start)).abs() * off + roundings * ROUNDING * size + SMALLEST_NORMAL
    };
    let faded = match emitter.fade {
        fade if fade > 0.0 => ((off + ROUNDING) / wide(fade)).min(1.0),
        _ => 0.0,
    };
    SimulatedParticle {
        position: [0, 1, 2].map(|axis| position_bound(emitter, seed, index, axis, phase)),
        radius: mixed(emitter.radius_start, emitter.radius_end, 8.0)
            * (1.0 + wide(emitter.radius_variation)),
        albedo: [0, 1, 2].map(|c| mixed(emitter.albedo_start[c], emitter.albedo_end[c], 4.0)),
        opacity: wide(emitter.opacity) * (faded + 7.0 * ROUNDING) + SMALLEST_NORMAL,
        emission: emitter
            .emission
            .map(|e| wide(e) * (off + 3.0 * ROUNDING) + SMALLEST_NORMAL),
        softness: 0.0,
    }
}

fn position_bound(emitter: &Emitter, seed: u32, index: u32, axis: usize, phase: Phase) -> f64 {
    let age = age_at(emitter, phase.value);
    let age_off = wide(emitter.lifetime) * (phase.error + ROUNDING);
    let speed = wide(emitter.velocity[axis]).abs() + wide(emitter.spread);
    let pull = wide(emitter.acceleration[axis]).abs();
    let turbulence = wide(emitter.turbulence);
    let sizes = wide(emitter.origin[axis]).abs()
        + wide(emitter.extent[axis])
        + speed * age
        + 0.5 * pull * age * age
        + turbulence;
    let angle = swing_angle(seed, index, axis, phase.value).abs();
    // The angle grows by at most a turn while the phase goes from 0 to 1.
    let sine_off = TAU * phase.error + 4.0 * ROUNDING * angle + SINE * (angle / PI).max(1.0);
    let swing_off = turbulence * (phase.error + phase.value * sine_off);
    8.0 * ROUNDING * sizes
        + (speed + pull * (age + age_off)) * age_off
        + swing_off
        + SMALLEST_NORMAL
}

fn first_difference(
    twin: &SimulatedParticle,
    bound: &SimulatedParticle,
    gpu: &Particle,
) -> Option<String> {
    const NAMES: &str = "position x, position y, position z, radius, red albedo, green albedo, blue albedo, opacity, \
                         red emission, green emission, blue emission, softness";
    let gpu: [f32; 12] = bytemuck::cast(*gpu);
    let expected = twin.words().into_iter().zip(bound.words());
    let mut fields = NAMES.split(", ").zip(gpu).zip(expected);
    fields.find_map(|((name, gpu), (twin, bound))| {
        let off = (wide(gpu) - twin).abs();
        let wrong = off.is_nan() || off > bound;
        wrong.then(|| format!("{name} is {gpu} for {twin} ± {bound:e}"))
    })
}

fn age_at(emitter: &Emitter, phase: f64) -> f64 {
    phase * wide(emitter.lifetime).max(0.0)
}

fn variation(emitter: &Emitter, seed: u32, index: u32) -> f64 {
    1.0 + wide(emitter.radius_variation) * signed(seed, index, 10)
}

/// Angle of the swing in radians.
fn swing_angle(seed: u32, index: u32, axis: usize, phase: f64) -> f64 {
    let swirl = |axis: usize| signed(seed, index, 7 + (axis % 3) as u32);
    (swirl(axis) + phase * swirl(axis + 1)) * TAU
}

fn shown(emitter: &Emitter, phase: f64) -> f64 {
    match emitter.fade {
        fade if fade > 0.0 => (phase.min(1.0 - phase) / wide(fade)).clamp(0.0, 1.0),
        _ => 1.0,
    }
}

fn mix(start: f32, end: f32, part: f64) -> f64 {
    wide(start) * (1.0 - part) + wide(end) * part
}

fn wide(value: f32) -> f64 {
    f64::from(value)
}

/// The same PCG hash as in `shaders/common/random.wesl`, equal to the bit.
pub fn pcg(value: u32) -> u32 {
    let state = value.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    let word = ((state >> ((state >> 28) + 4)) ^ state).wrapping_mul(277_803_737);
    (word >> 22) ^ word
}

/// Random number `stream` of particle `index`, uniform in [0, 1) and a multiple of 2⁻²⁴.
pub fn random(seed: u32, index: u32, stream: u32) -> f64 {
    let bits = pcg(pcg(pcg(seed) ^ index).wrapping_add(stream));
    f64::from(bits >> 8) / f64::from(1 << 24)
}

/// Random number `stream` of particle `index`, uniform in [-1, 1).
fn signed(seed: u32, index: u32, stream: u32) -> f64 {
    random(seed, index, stream) * 2.0 - 1.0
}
