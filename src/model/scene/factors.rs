//! Factors on the density of a scene's fog and particles.

use serde::{Deserialize, Serialize};

use super::file::{EmitterSpec, Fog, Scene};

/// Factors on a scene's fog and particles; a factor of 1 keeps the file's value. With a fog density of 0 the fog slices
/// are still composited, but invisible; with an opacity or a size of 0 no particle is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, clap::Args)]
#[serde(deny_unknown_fields, default)]
pub struct Factors {
    /// Factor on the fog's extinction, 0 to 16
    #[arg(
        long,
        default_value_t = Factors::default().fog_density,
        allow_negative_numbers = true,
        value_name = "FACTOR"
    )]
    pub fog_density: f32,
    /// Factor on the particles' opacity, which stays at most 1; 0 to 16
    #[arg(
        long,
        default_value_t = Factors::default().particle_opacity,
        allow_negative_numbers = true,
        value_name = "FACTOR"
    )]
    pub particle_opacity: f32,
    /// Factor on the particles' radius, 0 to 16
    #[arg(
        long,
        default_value_t = Factors::default().particle_size,
        allow_negative_numbers = true,
        value_name = "FACTOR"
    )]
    pub particle_size: f32,
}

impl Default for Factors {
    fn default() -> Self {
        Self {
            fog_density: 1.0,
            particle_opacity: 1.0,
            particle_size: 1.0,
        }
    }
}

impl Factors {
    /// The factors with 0 instead of -0, which would flip signs.
    pub fn without_negative_zero(self) -> Self {
        Self {
            fog_density: self.fog_density + 0.0,
            particle_opacity: self.particle_opacity + 0.0,
            particle_size: self.particle_size + 0.0,
        }
    }

    /// All factors with their names in words. Flags join the words by `-`, files by `_`.
    pub fn named(&self) -> [(&'static str, f32); 3] {
        let Self {
            fog_density,
            particle_opacity,
            particle_size,
        } = *self;
        [
            ("fog density", fog_density),
            ("particle opacity", particle_opacity),
            ("particle size", particle_size),
        ]
    }
}

impl Scene {
    /// The scene with fog and particles scaled by the factors. A factor of 1 changes no bit.
    pub fn scaled(&self, factors: &Factors) -> Self {
        let scaled = |spec: &EmitterSpec| EmitterSpec {
            opacity: (spec.opacity * factors.particle_opacity).min(1.0),
            radius_start: spec.radius_start * factors.particle_size,
            radius_end: spec.radius_end.map(|end| end * factors.particle_size),
            ..spec.clone()
        };
        Self {
            fog: Fog {
                extinction: self.fog.extinction * factors.fog_density,
                ..self.fog.clone()
            },
            emitters: self.emitters.iter().map(scaled).collect(),
            ..self.clone()
        }
    }
}
