//! Where a composite differs: the difference of each pixel as a colour, and the page around it that
//! becomes `diff_METHOD.png`. Touches no files and no clock: same input, same bytes.

use super::canvas::Canvas;
use super::layout::{BACKGROUND, BODY, Fact, FactRows, LINE, LINE_HEIGHT, TITLE};
use super::metrics::Metrics;
use super::range::DifferenceRange;
use super::scale::BAR_HEIGHT;
use super::text::{Align, TypefaceError, Typefaces};
use super::{PictureError, pixel_count, scale};
use crate::model::format::{grouped, three_digits};

/// Around the page, in pixels.
const MARGIN: i32 = 32;
/// The page is at least this wide inside its margins, so that its text fits small pictures too.
const LEAST_WIDTH: u32 = 640;
/// The colour bar is at most this wide.
const GREATEST_BAR: u32 = 720;
/// Height of the title and the line under it.
const HEADER: i32 = 76;
/// Between the difference, the colour bar, the legend and the facts.
const GAP: i32 = 20;
/// Between the colour bar and the legend beside it.
const LEGEND_GAP: i32 = 48;

/// What the page around a difference says.
#[derive(Clone, Copy, Debug)]
pub struct HeatCaption<'a> {
    /// The method whose picture was measured.
    pub method: &'a str,
    /// The method it was measured against.
    pub reference: &'a str,
    /// The numbers under the picture.
    pub metrics: &'a Metrics,
    /// What the colours stand for.
    pub range: DifferenceRange,
}

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

/// The page of `diff_METHOD.png`: a title, the differences at one pixel each, the colour bar with
/// its range, and the numbers.
///
/// # Errors
/// [`TypefaceError`] where the embedded typefaces cannot be read.
pub fn page(differences: &Canvas, caption: HeatCaption<'_>) -> Result<Canvas, TypefaceError> {
    let faces = Typefaces::embedded()?;
    let [image_width, image_height] = differences.size();
    let width = image_width.max(LEAST_WIDTH);
    let facts = FactRows::new(&faces, &facts(differences, caption.metrics), width);
    let legend = Legend::new(&faces, width, caption.range);

    let image_top = MARGIN + HEADER;
    let bar_top = image_top + image_height as i32 + GAP;
    let facts_top = bar_top + legend.height() + GAP / 2;
    let height = facts_top + facts.height() + MARGIN - 6;
    let size = [width + 2 * MARGIN as u32, height as u32];

    let mut canvas = Canvas::filled(size, BACKGROUND);
    draw_header(&mut canvas, &faces, width, caption);
    canvas.frame([MARGIN, image_top], differences.size(), LINE);
    canvas.blit([MARGIN, image_top], differences);
    legend.draw(&mut canvas, &faces, [MARGIN, bar_top]);
    facts.draw(&mut canvas, &faces, [MARGIN, facts_top]);
    Ok(canvas)
}

fn draw_header(canvas: &mut Canvas, faces: &Typefaces, width: u32, caption: HeatCaption<'_>) {
    let title = format!("{} against {}", caption.method, caption.reference);
    let title = faces.fitted(TITLE, &title, width as f32);
    faces.draw(canvas, TITLE, Align::Left, [MARGIN, MARGIN + 24], &title);
    let explanation = format!(
        "maximum absolute difference of r, g, b and T in the linear composites, {}",
        scale::range_text(caption.range)
    );
    let explanation = faces.fitted(BODY, &explanation, width as f32);
    let baseline = [MARGIN, MARGIN + 28 + LINE_HEIGHT];
    faces.draw(canvas, BODY, Align::Left, baseline, &explanation);
}

fn facts(differences: &Canvas, metrics: &Metrics) -> Vec<Fact> {
    let pixels = pixel_count(differences.size()) as u64;
    let differing = format!(
        "{} of {}",
        grouped(metrics.differing_pixels),
        grouped(pixels)
    );
    let fact = |name: &str, value: String| (name.to_owned(), value);
    vec![
        fact("max abs", three_digits(metrics.max_abs)),
        fact("differing pixels", differing),
        fact("NaN or infinite", grouped(metrics.nan_count)),
    ]
}

/// The colour bar with the legend of the special colours: beside it where there is room, else below.
pub(crate) struct Legend {
    bar_width: u32,
    beside: bool,
    range: DifferenceRange,
}

impl Legend {
    /// Fits the bar and the legend into `width` pixels.
    pub(crate) fn new(faces: &Typefaces, width: u32, range: DifferenceRange) -> Self {
        let taken = scale::legend_width(faces) + LEGEND_GAP as u32;
        let beside = width >= LEAST_WIDTH + taken;
        let room = if beside { width - taken } else { width };
        let bar_width = room.min(GREATEST_BAR);
        Self {
            bar_width,
            beside,
            range,
        }
    }

    /// Height of bar and legend together, in pixels.
    pub(crate) fn height(&self) -> i32 {
        BAR_HEIGHT + if self.beside { 0 } else { LINE_HEIGHT + 10 }
    }

    /// Draws both, their top left corner at `at`.
    pub(crate) fn draw(&self, canvas: &mut Canvas, faces: &Typefaces, at: [i32; 2]) {
        let [x, y] = at;
        scale::draw_bar(canvas, faces, [x, y], self.bar_width, self.range);
        let legend = if self.beside {
            [x + self.bar_width as i32 + LEGEND_GAP, y]
        } else {
            [x + 1, y + BAR_HEIGHT + 10]
        };
        scale::draw_legend(canvas, faces, legend);
    }
}

#[cfg(test)]
mod tests {
    use super::super::Picture;
    use super::super::canvas::Rgb;
    use super::super::metrics::absolute_difference;
    use super::*;

    type Outcome = Result<(), Box<dyn std::error::Error>>;

    fn flat(size: [u32; 2]) -> Picture {
        Picture {
            size,
            pixels: vec![[0.5; 4]; pixel_count(size)],
        }
    }

    fn difference(reference: &Picture, picture: &Picture) -> Result<Canvas, PictureError> {
        let differences = absolute_difference(reference, picture)?;
        painted(reference.size, &differences, DifferenceRange::default())
    }

    fn colour(difference: f32) -> Rgb {
        scale::colour(difference, DifferenceRange::default())
    }

    fn page_of(
        reference: &Picture,
        picture: &Picture,
    ) -> Result<Canvas, Box<dyn std::error::Error>> {
        page_in(DifferenceRange::default(), reference, picture)
    }

    fn page_in(
        range: DifferenceRange,
        reference: &Picture,
        picture: &Picture,
    ) -> Result<Canvas, Box<dyn std::error::Error>> {
        let metrics = Metrics::between(reference, picture)?;
        let caption = HeatCaption {
            method: "wave-lerp-product",
            reference: "pixel-loop",
            metrics: &metrics,
            range,
        };
        Ok(page(&difference(reference, picture)?, caption)?)
    }

    #[test]
    fn each_pixel_has_the_colour_of_its_own_difference() -> Outcome {
        let reference = flat([3, 2]);
        let mut picture = reference.clone();
        picture.pixels[1][2] = 0.75;
        picture.pixels[5][3] = f32::NAN;
        let canvas = difference(&reference, &picture)?;
        let colours: [Rgb; 6] = std::array::from_fn(|index| canvas.pixels()[index]);
        let [equal, nan] = [scale::EQUAL, scale::NOT_FINITE];
        assert_eq!(colours, [equal, colour(0.25), equal, equal, equal, nan]);
        Ok(())
    }

    #[test]
    fn the_page_holds_the_differences_unscaled() -> Outcome {
        let reference = flat([50, 40]);
        let mut picture = reference.clone();
        picture.pixels[50 * 39 + 49][0] = 1.5;
        let page = page_of(&reference, &picture)?;
        let corner = [MARGIN + 49, MARGIN + HEADER + 39];
        assert_eq!(page.get(corner), Some(colour(1.0)));
        assert_eq!(page.get([corner[0] - 1, corner[1]]), Some(scale::EQUAL));
        Ok(())
    }

    #[test]
    fn same_input_gives_the_same_page_and_other_input_another() -> Outcome {
        let reference = flat([700, 40]);
        let mut picture = reference.clone();
        let equal = page_of(&reference, &picture)?;
        assert_eq!(equal, page_of(&reference, &picture)?);
        picture.pixels[9][1] = 0.5_f32.next_up();
        assert_ne!(equal, page_of(&reference, &picture)?);
        Ok(())
    }

    #[test]
    fn the_page_says_which_range_its_colours_have() -> Outcome {
        let reference = flat([700, 40]);
        let of = |low, high| -> Result<_, Box<dyn std::error::Error>> {
            let range = DifferenceRange::new(low, high).ok_or("no range")?;
            page_in(range, &reference, &reference)
        };
        // The picture itself is the same.
        assert_ne!(of(-7, -3)?, of(-7, -4)?);
        assert_eq!(of(-7, -3)?, of(-7, -3)?);
        Ok(())
    }

    #[test]
    fn every_size_gets_a_page() -> Outcome {
        for size in [[0, 0], [1, 1], [161, 91], [2000, 3]] {
            let page = page_of(&flat(size), &flat(size))?;
            assert!(page.size()[0] >= size[0].max(LEAST_WIDTH));
            assert!(page.size()[1] > size[1]);
        }
        Ok(())
    }

    #[test]
    fn every_pixel_needs_a_difference() {
        let range = DifferenceRange::default();
        assert!(painted([2, 3], &[0.0; 5], range).is_err());
        assert!(painted([2, 3], &[0.0; 6], range).is_ok());
    }
}
