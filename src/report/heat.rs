//! Where a composite differs: the difference of each pixel as a colour, which becomes `diff_METHOD.png`. Touches no
//! files and no clock: same input, same bytes.

use super::canvas::Canvas;
use super::range::DifferenceRange;
use super::{PictureError, scale};

/// The `differences` of a picture of `size` alone, one pixel each, in the colours of [`scale`].
///
/// # Errors
/// [`PictureError::PixelCount`] unless there is a difference for each pixel.
pub fn painted(
    size: [u32; 2],
    differences: &[f32],
    range: DifferenceRange,
) -> Result<Canvas, PictureError> {
    let colours = differences.iter().map(|of| scale::colour(*of, range));
    Canvas::from_pixels(size, colours.collect()).ok_or(PictureError::PixelCount {
        size,
        pixels: differences.len(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::canvas::Rgb;
    use super::super::metrics::absolute_difference;
    use super::super::{Picture, pixel_count};
    use super::*;

    type Outcome = Result<(), PictureError>;

    #[test]
    fn each_pixel_has_the_colour_of_its_own_difference() -> Outcome {
        let size = [3, 2];
        let reference = Picture::new(size, vec![[0.5; 4]; pixel_count(size)])?;
        let mut picture = reference.clone();
        picture.pixels[1][2] = 0.75;
        picture.pixels[5][3] = f32::NAN;
        let range = DifferenceRange::default();
        let canvas = painted(size, &absolute_difference(&reference, &picture)?, range)?;
        let colours: [Rgb; 6] = std::array::from_fn(|index| canvas.pixels()[index]);
        let [equal, nan] = [scale::EQUAL, scale::NOT_FINITE];
        let quarter = scale::colour(0.25, range);
        assert_eq!(colours, [equal, quarter, equal, equal, equal, nan]);
        Ok(())
    }

    #[test]
    fn every_pixel_needs_a_difference() {
        let range = DifferenceRange::default();
        assert!(painted([2, 3], &[0.0; 5], range).is_err());
        assert!(painted([2, 3], &[0.0; 6], range).is_ok());
    }
}
