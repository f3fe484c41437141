//! Numeric distance between a composite and its reference.
//!
//! Rules, all tested below:
//! * All four channels count equally.
//! * Sums are in f64, over the unrounded f32 values.
//! * A pixel of the picture with a NaN or infinity in any channel is *not finite*. The pixel counts in `nan_count` and as
//!   differing. Sums and maxima exclude it, so that a bad pixel hides no other.
//! * A pixel that is not finite only in the reference counts as differing, but not in `nan_count`. Sums exclude it.
//! * `0` and `-0` are equal.

use super::{Picture, check_pair, position_in};
use crate::error::Result;
use serde::{Deserialize, Serialize};

/// Minimum magnitude for ULPs. Below it, one ULP stays `2^-37`.
const ULP_FLOOR: f64 = 1.0 / 16384.0;

/// Distance between a picture and its reference. Every number is finite.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Metrics {
    /// Maximum `|reference - picture|` over all finite pixels and all four channels.
    pub max_abs: f64,
    /// Mean of `|reference - picture|` over all channels of the finite pixels.
    pub mean_abs: f64,
    /// Root of the mean square difference over the same values.
    pub rmse: f64,
    /// Maximum `|reference - picture| / ulp(max(|reference|, 2^-14))`.
    pub max_ulp: f64,
    /// Number of pixels with a difference in any channel, including pixels that are not finite.
    pub differing_pixels: u64,
    /// Number of pixels of the picture with a NaN or infinity in any channel.
    pub nan_count: u64,
    /// Column and row of the largest difference: the first such pixel in row order. If no finite pixel differs, the
    /// first pixel that is not finite. `None` if all pixels are equal.
    pub worst_pixel: Option<[u32; 2]>,
}

#[derive(Default)]
struct Sums {
    abs: f64,
    square: f64,
    values: u64,
    worst: Option<usize>,
    first_not_finite: Option<usize>,
    metrics: Metrics,
}

impl Metrics {
    pub fn between(reference: &Picture, picture: &Picture) -> Result<Self> {
        check_pair(reference, picture)?;
        let mut sums = Sums::default();
        for (index, (expected, found)) in reference.pixels.iter().zip(&picture.pixels).enumerate() {
            sums.add(index, expected, found);
        }
        let worst = sums.worst.or(sums.first_not_finite);
        let values = sums.values.max(1) as f64;
        Ok(Self {
            mean_abs: sums.abs / values,
            rmse: (sums.square / values).sqrt(),
            worst_pixel: worst.map(|index| position_in(picture.size, index)),
            ..sums.metrics
        })
    }
}

impl Sums {
    fn add(&mut self, index: usize, expected: &[f32; 4], found: &[f32; 4]) {
        let found_is_finite = found.iter().all(|value| value.is_finite());
        if !found_is_finite || !expected.iter().all(|value| value.is_finite()) {
            self.metrics.nan_count += u64::from(!found_is_finite);
            self.metrics.differing_pixels += 1;
            self.first_not_finite.get_or_insert(index);
            return;
        }
        let mut greatest = 0.0_f64;
        for (&expected, &found) in expected.iter().zip(found) {
            let difference = (f64::from(expected) - f64::from(found)).abs();
            greatest = greatest.max(difference);
            self.abs += difference;
            self.square += difference * difference;
            self.values += 1;
            let ulps = difference / ulp(f64::from(expected));
            self.metrics.max_ulp = self.metrics.max_ulp.max(ulps);
        }
        self.metrics.differing_pixels += u64::from(greatest > 0.0);
        if greatest > self.metrics.max_abs {
            self.metrics.max_abs = greatest;
            self.worst = Some(index);
        }
    }
}

/// Largest channel difference of each pixel, in row order. NaN if a channel of either picture is not finite.
pub fn absolute_difference(reference: &Picture, picture: &Picture) -> Result<Vec<f32>> {
    check_pair(reference, picture)?;
    let pairs = reference.pixels.iter().zip(&picture.pixels);
    Ok(pairs.map(|(a, b)| pixel_difference(a, b)).collect())
}

/// 99th percentile (nearest rank) of the finite differences. 0 if there are none.
pub fn percentile_99(differences: &[f32]) -> f64 {
    let numbers = differences.iter().copied().filter(|of| of.is_finite());
    let mut numbers: Vec<f32> = numbers.collect();
    let Some(rank) = (numbers.len() * 99).div_ceil(100).checked_sub(1) else {
        return 0.0;
    };
    let (_, found, _) = numbers.select_nth_unstable_by(rank, f32::total_cmp);
    f64::from(*found)
}

fn pixel_difference(expected: &[f32; 4], found: &[f32; 4]) -> f32 {
    let mut greatest = 0.0_f64;
    for (&a, &b) in expected.iter().zip(found) {
        if !a.is_finite() || !b.is_finite() {
            return f32::NAN;
        }
        greatest = greatest.max((f64::from(a) - f64::from(b)).abs());
    }
    // Clamped, because the difference between finite values of opposite sign can overflow f32.
    greatest.min(f64::from(f32::MAX)) as f32
}

/// One unit in the last place of an f32 of magnitude `max(|reference|, 2^-14)`, for a finite reference. On the GPU,
/// `ulps_per_unit` in `shaders/common/bits.wesl` is the inverse.
pub(crate) fn ulp(reference: f64) -> f64 {
    let magnitude = reference.abs().max(ULP_FLOOR);
    // The magnitude is a normal number, so its exponent field is floor(log2) + 1023.
    let exponent = (magnitude.to_bits() >> 52) as i32 - 1023;
    2.0_f64.powi(exponent - 23)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_difference_in_a_hundred_is_above_the_99th_percentile() {
        let mut differences: Vec<f32> = (1..=200).map(|of| of as f32).collect();
        assert_eq!(percentile_99(&differences), 198.0);
        differences.extend([f32::NAN; 50]);
        assert_eq!(percentile_99(&differences), 198.0);
        assert_eq!([percentile_99(&[]), percentile_99(&[f32::NAN])], [0.0; 2]);
        assert_eq!(percentile_99(&[0.25]), 0.25);
    }

    fn flat(size: [u32; 2], pixel: [f32; 4]) -> Picture {
        Picture {
            size,
            pixels: vec![pixel; (size[0] * size[1]) as usize],
        }
    }

    #[test]
    fn one_pixel_off_by_a_millionth_is_not_lost_in_the_sums() -> Result<()> {
        let reference = flat([1280, 720], [0.5, 0.5, 0.5, 0.0]);
        let mut picture = reference.clone();
        picture.pixels[1280 * 400 + 77][3] = 1e-6;
        let metrics = Metrics::between(&reference, &picture)?;
        let difference = f64::from(1e-6_f32);
        let values = 1280.0 * 720.0 * 4.0;
        assert_eq!(metrics.max_abs, difference);
        assert!((metrics.mean_abs / (difference / values) - 1.0).abs() < 1e-12);
        assert!((metrics.rmse / (difference / f64::sqrt(values)) - 1.0).abs() < 1e-12);
        assert_eq!(metrics.differing_pixels, 1);
        assert_eq!(metrics.worst_pixel, Some([77, 400]));
        // Negative control: for an unchanged picture, everything is zero.
        let none = Metrics::between(&reference, &reference)?;
        assert_eq!((none.mean_abs, none.rmse), (0.0, 0.0));
        assert_eq!(none.worst_pixel, None);
        Ok(())
    }

    #[test]
    fn pixels_that_are_not_finite_are_counted_and_poison_nothing() -> Result<()> {
        let reference = flat([4, 1], [0.5; 4]);
        let mut picture = reference.clone();
        picture.pixels[1][0] = 0.75;
        let clean = Metrics::between(&reference, &picture)?;
        assert_eq!((clean.nan_count, clean.differing_pixels), (0, 1));
        for bad in [f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            picture.pixels[3] = [0.5, 9.0, bad, bad];
            let metrics = Metrics::between(&reference, &picture)?;
            assert_eq!((metrics.nan_count, metrics.differing_pixels), (1, 2));
            assert_eq!((metrics.max_abs, metrics.max_ulp), (0.25, clean.max_ulp));
            assert_eq!(metrics.mean_abs, 0.25 / 12.0);
            assert_eq!(metrics.rmse, f64::sqrt(0.25 * 0.25 / 12.0));
            assert_eq!(metrics.worst_pixel, Some([1, 0]));
        }
        picture.pixels[1][0] = 0.5;
        let alone = Metrics::between(&reference, &picture)?;
        assert_eq!(alone.worst_pixel, Some([3, 0]), "nothing finite differs");
        Ok(())
    }

    #[test]
    fn ulps_are_counted_at_the_reference_and_no_finer_than_two_to_the_minus_14() -> Result<()> {
        let steps = |reference: f32, found: f32| -> Result<f64> {
            let [a, b] = [reference, found].map(|value| flat([1, 1], [value, 0.0, 0.0, 0.0]));
            Ok(Metrics::between(&a, &b)?.max_ulp)
        };
        assert_eq!(steps(1.0, 1.0_f32.next_up())?, 1.0);
        assert_eq!(steps(1.0, 1.0_f32.next_down())?, 0.5);
        assert_eq!(steps(-1000.0, (-1000.0_f32).next_up().next_up())?, 2.0);
        assert_eq!(steps(1.5e38, 1.5e38_f32.next_up())?, 1.0);
        assert_eq!(steps(0.0, 2.0_f32.powi(-37))?, 1.0);
        assert_eq!(steps(0.0, f32::from_bits(1))?, 2.0_f64.powi(-149 + 37));
        // Negative control: without the lower limit, the distance would be one ULP.
        assert!(steps(1e-10, 1e-10_f32.next_up())? < 1e-5);
        Ok(())
    }

    #[test]
    fn the_difference_of_a_pixel_is_its_greatest_channel() -> Result<()> {
        let reference = flat([4, 1], [0.5; 4]);
        let mut picture = reference.clone();
        picture.pixels[1] = [0.75, 0.5, 1.5, 0.5];
        picture.pixels[2] = [0.5, 0.5, f32::NAN, 90.0];
        picture.pixels[3] = [f32::INFINITY, 0.5, 0.5, 0.5];
        let difference = absolute_difference(&reference, &picture)?;
        assert_eq!(difference[..2], [0.0, 1.0]);
        assert!(difference[2].is_nan() && difference[3].is_nan());
        let extremes = [flat([1, 1], [f32::MAX; 4]), flat([1, 1], [f32::MIN; 4])];
        assert_eq!(absolute_difference(&extremes[0], &extremes[1])?, [f32::MAX]);
        Ok(())
    }

    #[test]
    fn pictures_of_different_sizes_are_an_error() {
        let [a, b] = [flat([4, 2], [0.0; 4]), flat([2, 4], [0.0; 4])];
        let error = Metrics::between(&a, &b).expect_err("two sizes");
        let both = "a picture of 2x4 cannot be compared with a reference of 4x2";
        assert!(error.message.starts_with(both), "{error}");
        assert_eq!(absolute_difference(&a, &b), Err(error));
        let short = Picture {
            size: [4, 2],
            pixels: vec![[0.0; 4]; 7],
        };
        let error = Metrics::between(&a, &short).expect_err("a pixel is missing");
        assert_eq!(error.message, "a picture of 4x2 pixels got 7 pixels");
        assert!(Metrics::between(&a, &a).is_ok());
    }
}
