//! Input of the case `cloud`: round Gaussian splats, spread evenly over a picture and over view depths.
//!
//! A splat adds its colour with opacity `o exp(-r² / 2σ²)` at `r` pixels from its centre. Below [`LEAST_OPACITY`] and
//! beyond three σ it adds nothing. A pixel stops when its transmittance falls below [`STOP`].

use crate::model::reference::stress::Random;

/// A splat with less opacity is invisible.
pub const LEAST_OPACITY: f64 = 1.0 / 255.0;
/// A pixel with less transmittance is finished.
pub const STOP: f64 = 1e-4;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CloudSpec {
    pub splats: u32,
    /// Standard deviation in pixels, the same at every depth.
    pub sigma: f32,
    /// Opacity at every splat's centre, 0…1.
    pub opacity: f32,
    pub size: [u32; 2],
    /// Seed of positions and colours.
    pub seed: u64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CloudSplat {
    /// Centre in pixels.
    pub center: [f32; 2],
    /// View depth in metres.
    pub depth: f32,
    /// Linear radiance, with each channel 0…1.
    pub color: [f32; 3],
}

/// Range of a cloud's view depths in metres.
pub const DEPTHS: [f32; 2] = [10.0, 100.0];

impl CloudSpec {
    /// Radius in pixels beyond which the splat is invisible: three σ, or less if the opacity falls below
    /// [`LEAST_OPACITY`] earlier. 0 if the splat is invisible everywhere.
    pub fn radius(&self) -> f64 {
        f64::from(self.sigma) * (2.0 * self.falloff()).sqrt()
    }

    /// Exponent at the radius. The splat's opacity is `o exp(-falloff d²)` at `d` radii from its centre.
    pub fn falloff(&self) -> f64 {
        let visible = f64::from(self.opacity) / LEAST_OPACITY;
        visible.max(1.0).ln().min(4.5)
    }

    pub fn splats(&self) -> Vec<CloudSplat> {
        let mut random = Random(self.seed);
        let [width, height] = self.size.map(|edge| edge as f32);
        (0..self.splats)
            .map(|_| CloudSplat {
                center: [random.unit() * width, random.unit() * height],
                depth: DEPTHS[0] + random.unit() * (DEPTHS[1] - DEPTHS[0]),
                color: [random.unit(), random.unit(), random.unit()],
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_its_radius_a_splat_is_just_visible_or_three_deviations_away() {
        let at = |opacity: f32| {
            let spec = CloudSpec {
                splats: 1,
                sigma: 2.0,
                opacity,
                size: [64, 48],
                seed: 1,
            };
            let edge = f64::from(opacity) * (-spec.falloff()).exp();
            [edge / LEAST_OPACITY, spec.radius() / 2.0]
        };
        let [visible, deviations] = at(0.3);
        assert!((visible - 1.0).abs() < 1e-6 && deviations < 3.0);
        let [visible, deviations] = at(0.9);
        assert!(visible > 1.0 && (deviations - 3.0).abs() < 1e-12);
        assert_eq!(at(0.003)[1], 0.0);
    }
}
