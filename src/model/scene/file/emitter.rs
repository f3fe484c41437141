//! Particle emitters.

use serde::Deserialize;

use super::ranges::{
    ACCELERATION, LENGTH, OutOfRange, PART, PLACE, RADIANCE, Rule as _, SIZE, VELOCITY, above, any,
    from, part,
};

#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub enum Amount {
    /// This many particles, taken before shares are computed; fewer if there are too few.
    Exactly(u32),
    /// Share of the remaining particles, relative to the other shares.
    Share(f32),
}

part! {
    /// Source of particles, and their life.
    pub struct EmitterSpec {
        pub amount: Amount => some;
        /// World-space centre of the spawn box, metres.
        pub origin: [f32; 3] => PLACE;
        /// Half-size of the spawn box, metres.
        #[serde(default)]
        pub extent: [f32; 3] => LENGTH;
        /// Lifetime in seconds; 0 for particles that stand still in the middle of their life.
        #[serde(default)]
        pub lifetime: f32 => lifetime_is_short_or_none;
        /// World-space velocity, m/s.
        #[serde(default)]
        pub velocity: [f32; 3] => VELOCITY;
        /// World-space acceleration, m/s².
        #[serde(default)]
        pub acceleration: [f32; 3] => ACCELERATION;
        /// Random velocity per axis, ± m/s.
        #[serde(default)]
        pub spread: f32 => from(0.0, 1e3, " m/s");
        /// Sideways swing at the end of life, metres.
        #[serde(default)]
        pub turbulence: f32 => LENGTH;
        /// Albedo at birth, 0…1.
        pub albedo_start: [f32; 3] => PART;
        /// Albedo at the end of life, 0…1; defaults to the albedo at birth.
        #[serde(default)]
        pub albedo_end: Option<[f32; 3]> => PART;
        /// Radiance at birth, falling to 0 at the end of life.
        #[serde(default)]
        pub emission: [f32; 3] => RADIANCE;
        /// Opacity at the centre, 0…1.
        pub opacity: f32 => PART;
        /// 0 for a hard disc, 1 for a disc that is soft up to the rim.
        #[serde(default = "super::ranges::one")]
        pub softness: f32 => PART;
        /// Fraction of life over which opacity rises at birth and falls at the end, 0…0.5.
        #[serde(default)]
        pub fade: f32 => from(0.0, 0.5, "");
        /// Radius at birth, metres.
        pub radius_start: f32 => SIZE;
        /// Radius at the end of life, metres; defaults to the radius at birth.
        #[serde(default)]
        pub radius_end: Option<f32> => SIZE;
        /// Random variation of the radius, 0…1.
        #[serde(default)]
        pub radius_variation: f32 => PART;
        #[serde(default)]
        pub shape: Shape => any;
        /// Rotations of a puff per second, in a random direction.
        #[serde(default)]
        pub spin: f32 => from(0.0, 100.0, " turns/s");
        /// Fraction of a puff eroded at the end of life, 0…1.
        #[serde(default)]
        pub erosion: f32 => PART;
        /// Optical depth of the emitter's whole cloud for self-shadowing; 0 for none.
        #[serde(default)]
        pub self_shadow: f32 => from(0.0, 100.0, "");
        /// Distance to a surface over which particles fade, metres; 0 to cut particles off at the surface.
        #[serde(default)]
        pub soften: f32 => LENGTH;
        /// Seconds of motion over which a particle is stretched; the particle thins out accordingly.
        #[serde(default)]
        pub stretch: f32 => from(0.0, 100.0, " s");
    }
}

fn some(amount: &Amount) -> Result<(), OutOfRange> {
    match amount {
        Amount::Exactly(_) => Ok(()),
        Amount::Share(share) => above(0.0, 1e6, "").check(share),
    }
}

/// A lifetime near 0 would overflow the count of a particle's lives.
fn lifetime_is_short_or_none(lifetime: &f32) -> Result<(), OutOfRange> {
    if *lifetime == 0.0 || (1e-3..=1e6).contains(lifetime) {
        return Ok(());
    }
    let allowed = "0 (particles stand still) or from 0.001 to 1000000 s";
    Err(OutOfRange::of(lifetime, allowed))
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub enum Shape {
    #[default]
    Disc,
    /// One of eight puffs of smoke, rotated differently for each particle.
    Puff,
}
