//! The picture of a cloud of round Gaussian splats in f64: the twin of the `cloud` benchmark.
//!
//! Every pixel walks all splats by depth, then by index. A splat adds its colour with opacity `o exp(-r² / 2σ²)` at
//! `r` pixels from its centre; below [`LEAST_OPACITY`] and beyond three σ it adds nothing. A pixel stops once its
//! transmittance is below [`STOP`]. Only the input, the cloud, comes from the benchmark.

use wavelerp::runs::bench::splats::{CloudSpec, CloudSplat};

/// Opacity below which a splat is invisible.
const LEAST_OPACITY: f64 = 1.0 / 255.0;
/// Transmittance below which a pixel stops.
pub const STOP: f64 = 1e-4;

/// A pixel of a cloud's picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CloudPixel {
    /// Premultiplied linear rgb, and transmittance.
    pub composite: [f64; 4],
    /// Sum of the splats that are close to a limit of visibility at this pixel: rounding may include or exclude each.
    pub doubtful: f64,
}

/// The picture in row order. A splat is doubtful if its opacity is within `doubt`, a relative distance, of
/// [`LEAST_OPACITY`], or if its squared distance is within `doubt` of (3 σ)².
pub fn picture(spec: &CloudSpec, splats: &[CloudSplat], doubt: f64) -> Vec<CloudPixel> {
    let mut sorted: Vec<&CloudSplat> = splats.iter().collect();
    sorted.sort_by_key(|splat| splat.depth.to_bits());
    let [width, height] = spec.size;
    (0..width * height)
        .map(|pixel| {
            let place = [pixel % width, pixel / width].map(|place| f64::from(place) + 0.5);
            pixel_of(spec, &sorted, place, doubt)
        })
        .collect()
}

fn pixel_of(spec: &CloudSpec, sorted: &[&CloudSplat], place: [f64; 2], doubt: f64) -> CloudPixel {
    let mut pixel = CloudPixel {
        composite: [0.0, 0.0, 0.0, 1.0],
        doubtful: 0.0,
    };
    for splat in sorted {
        let away: f64 = (place.iter().zip(splat.center))
            .map(|(place, center)| (place - f64::from(center)).powi(2))
            .sum();
        let variance = f64::from(spec.sigma).powi(2);
        let opacity = f64::from(spec.opacity) * (-0.5 * away / variance).exp();
        let [.., transmittance] = pixel.composite;
        // Relative distance from the nearer edge; negative beyond it.
        let margin = (opacity / LEAST_OPACITY - 1.0).min(1.0 - away / (9.0 * variance));
        if margin.abs() <= doubt {
            pixel.doubtful += transmittance * opacity;
        }
        if margin < 0.0 {
            continue;
        }
        for (sum, color) in pixel.composite.iter_mut().zip(splat.color) {
            *sum += transmittance * opacity * f64::from(color);
        }
        pixel.composite[3] = transmittance * (1.0 - opacity);
        if pixel.composite[3] < STOP {
            break;
        }
    }
    pixel
}
