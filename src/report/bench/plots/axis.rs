//! Axes and the parts that all pictures share: title, caption, legend.

use super::page::{ALARM, DIM, INK, Marker, Page, Point, SIZE, fitted, width, wrapped};
use crate::error::Result;
use crate::report::bench::format::{NOT_A_GPU, caption};
use crate::report::bench::record::Record;
use crate::report::canvas::Rgb;
use crate::report::text::Align;

/// Room between the content and the edge of a picture, pixels.
pub const MARGIN: f64 = 36.0;
/// Top of the content, below title and caption.
pub const TOP: f64 = 116.0;
/// Right edge of content.
pub const RIGHT: f64 = SIZE[0] as f64 - MARGIN;
/// Lower edge of content.
pub const BOTTOM: f64 = SIZE[1] as f64 - MARGIN;
/// Size of axis labels.
pub const LABEL: f64 = 15.0;
/// Height of a line of a legend.
pub const LEGEND_LINE: f64 = 27.0;

/// A logarithmic axis, which maps values to pixels.
#[derive(Clone, Copy, Debug)]
pub struct Log {
    values: [f64; 2],
    pixels: [f64; 2],
}

impl Log {
    /// An axis from the least to the greatest value over a span of pixels; a span of no width is
    /// widened by a factor of 2 to each side.
    #[must_use]
    pub fn new([least, greatest]: [f64; 2], pixels: [f64; 2]) -> Self {
        let least = least.max(f64::MIN_POSITIVE).log2();
        let greatest = greatest.max(f64::MIN_POSITIVE).log2();
        let values = if greatest - least < 1e-9 {
            [least - 1.0, greatest + 1.0]
        } else {
            [least, greatest]
        };
        Self { values, pixels }
    }

    /// The pixel of a value.
    #[must_use]
    pub fn at(&self, value: f64) -> f64 {
        let [least, greatest] = self.values;
        let part = (value.max(f64::MIN_POSITIVE).log2() - least) / (greatest - least);
        self.pixels[0] + part * (self.pixels[1] - self.pixels[0])
    }

    /// The ticks inside the axis: 1, 2 and 5 of every decade.
    #[must_use]
    pub fn ticks(&self) -> Vec<f64> {
        let [least, greatest] = self.values;
        let decades =
            (least * 2f64.log10()).floor() as i32..=(greatest * 2f64.log10()).ceil() as i32;
        let ticks = decades.flat_map(|decade| [1.0, 2.0, 5.0].map(|x| x * 10f64.powi(decade)));
        let inside = |tick: &f64| (least - 1e-9..=greatest + 1e-9).contains(&tick.log2());
        ticks.filter(inside).collect()
    }
}

/// Puts labels into two rows so that neighbours in a row are at least `room` apart, and returns the indices in
/// each row. A label is its middle and its length, in pixels; those that fit into neither row are left out.
pub fn in_two_rows(labels: &[(f64, f64)], room: f64) -> [Vec<usize>; 2] {
    let mut rows = [Vec::new(), Vec::new()];
    let mut ends = [f64::NEG_INFINITY; 2];
    for (index, &(middle, length)) in labels.iter().enumerate() {
        let fits = |&row: &usize| middle - length / 2.0 >= ends[row] + room;
        if let Some(row) = (0..2).find(fits) {
            rows[row].push(index);
            ends[row] = middle + length / 2.0;
        }
    }
    rows
}

/// Draws the title, the conditions, and the warning if the adapter is a CPU.
pub fn heading(page: &Page<'_>, record: &Record, title: &str) {
    page.text([MARGIN, 38.0], 28.0, INK, Align::Left, title);
    let room = RIGHT - MARGIN;
    let text = fitted(16.0, &caption(record), room);
    page.text([MARGIN, 72.0], 16.0, DIM, Align::Left, &text);
    if record.adapter.is_cpu {
        page.text([RIGHT, 38.0], 17.0, ALARM, Align::Right, NOT_A_GPU);
    }
}

/// Draws labels below an x axis, centred on their pixels. Labels that would overlap stand a row lower.
pub fn labels_below(page: &Page<'_>, y: f64, size: f64, labels: &[(f64, String)]) {
    let placed: Vec<(f64, f64)> = labels
        .iter()
        .map(|(x, text)| (*x, width(size, text)))
        .collect();
    let rows = in_two_rows(&placed, 10.0);
    for (row, y) in rows.iter().zip([y, y + size + 1.0]) {
        for (x, text) in row.iter().map(|&index| &labels[index]) {
            page.text([*x, y], size, INK, Align::Center, text);
        }
    }
}

/// A line of a legend: a box, or a line with a marker.
pub struct Key {
    pub colour: Rgb,
    /// The marker of a series; none is a box.
    pub marker: Option<Marker>,
    /// What the colour stands for.
    pub text: String,
}

/// Draws a legend below a point and returns the y at which it ends.
pub fn legend(page: &Page<'_>, [x, mut y]: Point, keys: &[Key]) -> Result<f64> {
    for key in keys {
        let middle = y + LEGEND_LINE / 2.0;
        match key.marker {
            None => {
                page.rectangle([[x, middle - 8.0], [x + 24.0, middle + 8.0]], key.colour)?;
            }
            Some(marker) => {
                page.line(&[[x, middle], [x + 24.0, middle]], 2.5, key.colour)?;
                page.marker([x + 12.0, middle], 5.5, key.colour, marker)?;
            }
        }
        let text = fitted(LABEL, &key.text, RIGHT - x - 34.0);
        page.text([x + 34.0, middle], LABEL, INK, Align::Left, &text);
        y += LEGEND_LINE;
    }
    Ok(y)
}

/// Draws text in lines of at most `room` pixels below a point and returns the y at which it ends.
pub fn paragraph(page: &Page<'_>, [x, mut y]: Point, room: f64, text: &str) -> f64 {
    let size = LABEL - 1.0;
    for line in wrapped(size, text, room) {
        y += 23.0;
        page.text([x, y - 11.0], size, DIM, Align::Left, &line);
    }
    y
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factor_is_a_distance() {
        let axis = Log::new([4.0, 4096.0], [100.0, 1100.0]);
        assert_eq!(
            [4.0, 128.0, 4096.0].map(|v| axis.at(v).round()),
            [100.0, 600.0, 1100.0]
        );
        let one = Log::new([8.0, 8.0], [0.0, 100.0]);
        assert_eq!(one.at(8.0), 50.0);
    }

    #[test]
    fn ticks_lie_inside_the_axis() {
        let ticks = Log::new([3.0, 250.0], [0.0, 1.0]).ticks();
        assert_eq!(ticks, [5.0, 10.0, 20.0, 50.0, 100.0, 200.0]);
    }

    #[test]
    fn labels_that_would_overlap_stand_lower_or_are_left_out() {
        let labels = [(0.0, 20.0), (15.0, 20.0), (18.0, 20.0), (40.0, 20.0)];
        assert_eq!(in_two_rows(&labels, 5.0), [vec![0, 3], vec![1]]);
        assert!(in_two_rows(&labels, -30.0)[1].is_empty());
    }
}
