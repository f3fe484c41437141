//! How different two displayed pictures look to somebody in front of the screen: LDR-FLIP (Andersson et al., "FLIP: A
//! Difference Evaluator for Alternating Images", 2020). The other metrics compare float composites, this one compares
//! 8-bit sRGB pictures.
//!
//! A picture is worked out row by row. Each row is filtered horizontally once and kept while a row nearby needs it, so
//! that a comparison takes no memory beside the reference's own.

mod colour;
mod filters;
#[cfg(test)]
mod tests;

use std::ops::Range;

use self::colour::{Colours, Opponent};
use self::filters::{Filters, Horizontal};
use super::canvas::Canvas;
use super::check_sizes;
use crate::error::Result;

/// Pixels per degree of the viewer's sight, the paper's default: a screen of 3840 pixels that is 0.7 m wide, 0.7 m away.
const PIXELS_PER_DEGREE: f64 = 3840.0 * std::f64::consts::PI / 180.0;

/// What the viewer sees of a row of pixels: [`PLANES`] values of each pixel, plane by plane.
type Row = [f32];

/// Lightness, the two Hunt-adjusted colours of L\*a\*b\*, and how much of an edge and of a point a pixel is.
const PLANES: usize = 5;

/// A picture as somebody in front of the screen sees it.
pub struct Seen {
    picture: Canvas,
    viewer: Viewer,
    rows: Vec<f32>,
}

/// Everything that depends on the viewer and not on a picture.
struct Viewer {
    filters: Filters,
    colours: Colours,
}

impl Seen {
    /// The picture as it is seen at the paper's distance. Works on all cores.
    pub fn new(picture: Canvas) -> Self {
        Self::at(picture, PIXELS_PER_DEGREE)
    }

    pub fn picture(&self) -> &Canvas {
        &self.picture
    }

    fn at(picture: Canvas, pixels_per_degree: f64) -> Self {
        let viewer = Viewer {
            filters: Filters::new(pixels_per_degree),
            colours: Colours::new(),
        };
        let [width, height] = picture.size().map(|edge| edge as usize);
        let mut rows = vec![0.0; PLANES * width * height];
        if !rows.is_empty() {
            let cores = std::thread::available_parallelism().map_or(1, usize::from);
            let band = height.div_ceil(cores);
            std::thread::scope(|scope| {
                for (index, rows) in rows.chunks_mut(PLANES * width * band).enumerate() {
                    let mut stream = Stream::new(&picture, &viewer);
                    scope.spawn(move || {
                        for (y, row) in rows.chunks_exact_mut(PLANES * width).enumerate() {
                            stream.see(index * band + y, row);
                        }
                    });
                }
            });
        }
        Self {
            picture,
            viewer,
            rows,
        }
    }

    /// The mean of the differences: 0 where the pictures look the same, 1 where nothing could be more different.
    pub fn mean_difference(&self, picture: &Canvas) -> Result<f64> {
        let mut sum = 0.0;
        self.compare(picture, |row| {
            sum += row.iter().copied().map(f64::from).sum::<f64>();
        })?;
        Ok(sum / self.picture.pixels().len().max(1) as f64)
    }

    /// The difference of each pixel, from 0 to 1.
    pub fn differences(&self, picture: &Canvas) -> Result<Vec<f32>> {
        let mut differences = Vec::with_capacity(self.picture.pixels().len());
        self.compare(picture, |row| differences.extend_from_slice(row))?;
        Ok(differences)
    }

    /// Hands the differences of row after row that may differ to `each`, and zeros for the others.
    fn compare(&self, picture: &Canvas, mut each: impl FnMut(&[f32])) -> Result<()> {
        check_sizes(self.picture.size(), picture.size())?;
        let [width, height] = picture.size().map(|edge| edge as usize);
        let differs = (0..height).map(|y| row_of(picture, y) != row_of(&self.picture, y));
        let differs: Vec<bool> = differs.collect();
        let mut stream = Stream::new(picture, &self.viewer);
        let mut seen = vec![0.0; PLANES * width];
        let mut differences = vec![0.0; width];
        for y in 0..height {
            if differs[self.viewer.filters.rows_around(y, height)].contains(&true) {
                stream.see(y, &mut seen);
                let reference = &self.rows[y * seen.len()..][..seen.len()];
                let colours = &self.viewer.colours;
                colours.differences(reference, &seen, &mut differences);
            } else {
                differences.fill(0.0);
            }
            each(&differences);
        }
        Ok(())
    }
}

fn row_of(picture: &Canvas, y: usize) -> &[[u8; 3]] {
    let width = picture.size()[0] as usize;
    &picture.pixels()[y * width..][..width]
}

/// Sees the rows of a picture one after the other.
struct Stream<'a> {
    picture: &'a Canvas,
    viewer: &'a Viewer,
    opponent: Opponent,
    /// The rows filtered last, each in the place of its number modulo the number of places.
    horizontal: Vec<Horizontal>,
    filtered: Range<usize>,
}

impl<'a> Stream<'a> {
    fn new(picture: &'a Canvas, viewer: &'a Viewer) -> Self {
        let [width, height] = picture.size().map(|edge| edge as usize);
        let reach = viewer.filters.reach();
        let places = (2 * reach + 1).min(height);
        Self {
            picture,
            viewer,
            opponent: Opponent::new(width, reach),
            horizontal: vec![Horizontal::new(width); places],
            filtered: 0..0,
        }
    }

    /// Sees row `y`, which must not lie above one that was seen before.
    fn see(&mut self, y: usize, seen: &mut Row) {
        let filters = &self.viewer.filters;
        let places = self.horizontal.len();
        let height = self.picture.size()[1] as usize;
        let needed = filters.rows_around(y, height);
        for below in self.filtered.end.max(needed.start)..needed.end {
            self.opponent.read(row_of(self.picture, below));
            filters.filter_horizontally(&self.opponent, &mut self.horizontal[below % places]);
        }
        self.filtered = needed;
        let (horizontal, last) = (&self.horizontal, height - 1);
        let row = |offset: isize| {
            let row = y.saturating_add_signed(offset).min(last);
            &horizontal[row % places]
        };
        filters.filter_vertically(row, seen);
        self.viewer.colours.adapt(seen);
    }
}
