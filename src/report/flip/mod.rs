//! Perceived difference between two displayed pictures: LDR-FLIP (Andersson et al., "FLIP: A Difference Evaluator for
//! Alternating Images", 2020). Other metrics compare float composites. FLIP compares 8-bit sRGB pictures.

mod colour;
mod filters;
#[cfg(test)]
mod tests;

use std::ops::Range;

use self::colour::Colours;
use self::filters::Filters;
use super::canvas::Canvas;
use super::check_sizes;
use crate::error::Result;
use crate::workers::{cores, joined};

/// Pixels per degree of vision. The paper's default is a 3840-pixel screen, 0.7 m wide, seen from 0.7 m away.
const PIXELS_PER_DEGREE: f64 = 3840.0 * std::f64::consts::PI / 180.0;

/// Perceived values per pixel: lightness, the two Hunt-adjusted colours of L\*a\*b\*, edge strength and point strength.
/// They are stored row by row, and plane by plane within a row.
const PLANES: usize = 5;

/// Rows processed at a time. More rows take more memory. With fewer rows, more neighbours are filtered twice.
const BAND: usize = 96;

/// A picture as a viewer perceives it.
pub struct DisplayedPicture {
    picture: Canvas,
    viewer: Viewer,
    rows: Vec<f32>,
}

struct Viewer {
    filters: Filters,
    colours: Colours,
}

impl DisplayedPicture {
    /// The picture as perceived at the paper's viewing distance. Uses all cores.
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
        let height = picture.size()[1] as usize;
        let rows = match cores() {
            1 => viewer.see(&picture, 0..height),
            cores => std::thread::scope(|scope| {
                let see = |band| scope.spawn(|| viewer.see(&picture, band));
                let bands = bands(height, height.div_ceil(cores).max(1));
                let bands: Vec<_> = bands.map(see).collect();
                bands.into_iter().flat_map(joined).collect()
            }),
        };
        Self {
            picture,
            viewer,
            rows,
        }
    }

    /// Mean difference: 0 if the pictures look the same, 1 for the greatest possible difference.
    pub fn mean_difference(&self, picture: &Canvas) -> Result<f64> {
        let differences = self.differences(picture)?;
        let rows = differences.chunks(picture.size()[0].max(1) as usize);
        let sums = rows.map(|row| row.iter().copied().map(f64::from).sum::<f64>());
        Ok(sums.sum::<f64>() / differences.len().max(1) as f64)
    }

    /// Difference of each pixel, from 0 to 1. Rows without a change nearby are skipped.
    pub fn differences(&self, picture: &Canvas) -> Result<Vec<f32>> {
        check_sizes(self.picture.size(), picture.size())?;
        let [width, height] = picture.size().map(|edge| edge as usize);
        let mut differences = vec![0.0; width * height];
        for band in bands(height, BAND) {
            let near = self.viewer.filters.around(&band, height);
            let near = near.start * width..near.end * width;
            if self.picture.pixels()[near.clone()] == picture.pixels()[near] {
                continue;
            }
            let seen = self.viewer.see(picture, band.clone());
            let expected = self.rows[PLANES * width * band.start..].chunks_exact(PLANES * width);
            let rows = seen.chunks_exact(PLANES * width).zip(expected);
            let out = differences[width * band.start..].chunks_exact_mut(width);
            for ((row, expected), out) in rows.zip(out) {
                self.viewer.colours.differences(expected, row, out);
            }
        }
        Ok(differences)
    }
}

fn bands(height: usize, band: usize) -> impl Iterator<Item = Range<usize>> {
    let starts = (0..height).step_by(band);
    starts.map(move |start| start..(start + band).min(height))
}

impl Viewer {
    fn see(&self, picture: &Canvas, rows: Range<usize>) -> Vec<f32> {
        let [width, height] = picture.size().map(|edge| edge as usize);
        let mut seen = vec![0.0; PLANES * width * rows.len()];
        if seen.is_empty() {
            return seen;
        }
        let near = self.filters.around(&rows, height);
        let lines = picture.pixels()[near.start * width..near.end * width].chunks_exact(width);
        let filtered = lines.map(|line| {
            let opponent = self.colours.opponent(line, self.filters.reach);
            self.filters.horizontally(&opponent, width)
        });
        let filtered: Vec<_> = filtered.collect();
        for (y, row) in rows.zip(seen.chunks_exact_mut(PLANES * width)) {
            let at =
                |offset| &filtered[y.saturating_add_signed(offset).min(height - 1) - near.start];
            self.filters.vertically(at, row);
            self.colours.adapt(row);
        }
        seen
    }
}
