//! An 8-bit sRGB canvas: rectangles, copies, and scaling down. Touches nothing but its own pixels,
//! and computes the same bytes from the same input every time.

use std::sync::LazyLock;

use super::pixel_count;
use crate::model::colour::{linear_from_srgb, srgb_from_linear};

/// An sRGB colour: red, green, blue.
pub type Rgb = [u8; 3];

/// Linear light, 0 to 1, of each sRGB byte.
pub(super) static LINEAR: LazyLock<[f64; 256]> =
    LazyLock::new(|| std::array::from_fn(|byte| linear_from_srgb(byte as f64 / 255.0)));

/// How several pixels become one when a canvas is scaled down.
#[derive(Clone, Copy, Debug)]
pub enum Reduce {
    /// The mean of the covered area, in linear light: right for photographs and rendered frames.
    Mean,
    /// The covered pixel for which the key is greatest (the first of equals in row order): keeps a
    /// single outlier visible where a mean would wash it out.
    Greatest(fn(Rgb) -> u32),
}

/// The longest run of columns that is looked at as a whole when a canvas is scaled down.
const PLAIN_RUN: usize = 64;

/// A picture of sRGB bytes, top row first. Coordinates are pixels from the top left corner; drawing
/// outside is clipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canvas {
    size: [u32; 2],
    pixels: Vec<Rgb>,
}

impl Canvas {
    /// A canvas of `size` (width, height) in one colour.
    #[must_use]
    pub fn filled(size: [u32; 2], colour: Rgb) -> Self {
        let pixels = vec![colour; pixel_count(size)];
        Self { size, pixels }
    }

    /// A canvas from row-major pixels, top row first; `None` unless there are width times height.
    #[must_use]
    pub fn from_pixels(size: [u32; 2], pixels: Vec<Rgb>) -> Option<Self> {
        (pixels.len() == pixel_count(size)).then_some(Self { size, pixels })
    }

    /// A canvas from sRGB RGBA bytes as a GPU read-back gives them (rows packed, alpha dropped);
    /// `None` unless there are four bytes for each pixel.
    #[must_use]
    pub fn from_rgba8(size: [u32; 2], bytes: &[u8]) -> Option<Self> {
        let (pixels, rest) = bytes.as_chunks::<4>();
        if !rest.is_empty() {
            return None;
        }
        let pixels = pixels.iter().map(|&[r, g, b, _]| [r, g, b]).collect();
        Self::from_pixels(size, pixels)
    }

    /// Width and height in pixels.
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// All pixels, row by row, top row first.
    #[must_use]
    pub fn pixels(&self) -> &[Rgb] {
        &self.pixels
    }

    /// The pixel at column `x`, row `y`; `None` outside.
    #[must_use]
    pub fn get(&self, [x, y]: [i32; 2]) -> Option<Rgb> {
        self.index([x, y]).map(|index| self.pixels[index])
    }

    /// Fills the rectangle with its top left corner at `at`.
    pub fn fill(&mut self, at: [i32; 2], size: [u32; 2], colour: Rgb) {
        let (Some(columns), Some(rows)) = (
            clipped(at[0], size[0], self.size[0]),
            clipped(at[1], size[1], self.size[1]),
        ) else {
            return;
        };
        for row in rows {
            let start = row * self.size[0] as usize;
            self.pixels[start + columns.start..start + columns.end].fill(colour);
        }
    }

    /// Draws a one pixel wide line around the outside of the rectangle at `at`.
    pub fn frame(&mut self, at: [i32; 2], size: [u32; 2], colour: Rgb) {
        let [x, y] = at;
        let [width, height] = [size[0] + 2, size[1] + 2];
        self.fill([x - 1, y - 1], [width, 1], colour);
        self.fill([x - 1, y + size[1] as i32], [width, 1], colour);
        self.fill([x - 1, y - 1], [1, height], colour);
        self.fill([x + size[0] as i32, y - 1], [1, height], colour);
    }

    /// Copies another canvas here, its top left corner at `at`.
    pub fn blit(&mut self, at: [i32; 2], source: &Self) {
        let (Some(columns), Some(rows)) = (
            clipped(at[0], source.size[0], self.size[0]),
            clipped(at[1], source.size[1], self.size[1]),
        ) else {
            return;
        };
        for row in rows {
            let to = row * self.size[0] as usize;
            let from_row = (row as i32 - at[1]) as usize * source.size[0] as usize;
            let from = from_row + (columns.start as i32 - at[0]) as usize;
            self.pixels[to + columns.start..to + columns.end]
                .copy_from_slice(&source.pixels[from..from + columns.len()]);
        }
    }

    /// Mixes `colour` over the pixel at `at` by `coverage` (0 to 1), in linear light.
    pub fn mix(&mut self, at: [i32; 2], colour: Rgb, coverage: f32) {
        let Some(index) = self.index(at) else {
            return;
        };
        let weight = f64::from(coverage.clamp(0.0, 1.0));
        for (below, above) in self.pixels[index].iter_mut().zip(colour) {
            let [dark, light] = [*below, above].map(|byte| LINEAR[usize::from(byte)]);
            *below = srgb(dark + (light - dark) * weight);
        }
    }

    /// The canvas scaled down to `size`, each axis by its own ratio, exact in its area weights. An
    /// axis is never scaled up and never to less than one pixel.
    #[must_use]
    pub fn shrunk(&self, size: [u32; 2], reduce: Reduce) -> Self {
        let size = [0, 1].map(|axis| size[axis].max(1).min(self.size[axis]));
        if size == self.size {
            return self.clone();
        }
        let spans = [0, 1].map(|axis| spans(self.size[axis], size[axis]));
        let mut pixels = Vec::with_capacity(pixel_count(size));
        for rows in &spans[1] {
            match reduce {
                Reduce::Mean => {
                    for columns in spans[0].chunks(PLAIN_RUN) {
                        self.means(columns, rows, &mut pixels);
                    }
                }
                Reduce::Greatest(key) => {
                    let columns = spans[0].iter();
                    pixels.extend(columns.map(|columns| self.greatest(columns, rows, key)));
                }
            }
        }
        Self { size, pixels }
    }

    /// The canvas scaled up by a whole factor, each pixel a square.
    #[must_use]
    pub fn enlarged(&self, factor: u32) -> Self {
        let factor = factor.max(1);
        let size = self.size.map(|length| length * factor);
        let mut pixels = Vec::with_capacity(pixel_count(size));
        for row in self.pixels.chunks(self.size[0].max(1) as usize) {
            let first = pixels.len();
            for &pixel in row {
                pixels.resize(pixels.len() + factor as usize, pixel);
            }
            let end = pixels.len();
            for _ in 1..factor {
                pixels.extend_from_within(first..end);
            }
        }
        Self { size, pixels }
    }

    /// Appends the mean under each of `columns`. Much of a sheet or plot is plain, and the mean of equal colours need
    /// not be worked out: a run of columns is halved until it is plain, or one column.
    fn means(&self, columns: &[Span], rows: &Span, pixels: &mut Vec<Rgb>) {
        if let Some(colour) = self.only_colour(columns, rows) {
            pixels.resize(pixels.len() + columns.len(), colour);
        } else if let [column] = columns {
            pixels.push(self.mean(column, rows));
        } else {
            let (left, right) = columns.split_at(columns.len() / 2);
            self.means(left, rows, pixels);
            self.means(right, rows, pixels);
        }
    }

    fn mean(&self, columns: &Span, rows: &Span) -> Rgb {
        let mut sum = [0.0_f64; 3];
        let mut total = 0.0;
        for &(row, row_weight) in rows {
            let start = row * self.size[0] as usize;
            for &(column, column_weight) in columns {
                let weight = row_weight * column_weight;
                total += weight;
                for (sum, byte) in sum.iter_mut().zip(self.pixels[start + column]) {
                    *sum += LINEAR[usize::from(byte)] * weight;
                }
            }
        }
        sum.map(|value| srgb(value / total))
    }

    /// The colour of the pixels under all of `columns`, if they have the same one.
    fn only_colour(&self, columns: &[Span], rows: &Span) -> Option<Rgb> {
        let first = columns.first()?.first()?.0;
        let last = columns.last()?.last()?.0;
        let row_of = |row: usize| {
            let start = row * self.size[0] as usize;
            self.pixels[start + first..=start + last].as_flattened()
        };
        let colour = row_of(rows.first()?.0).first_chunk::<3>()?;
        // Each pixel is like the one before it: one comparison of bytes for the whole row.
        let is_plain = rows.iter().all(|&(row, _)| {
            let bytes = row_of(row);
            bytes.starts_with(colour) && bytes[3..] == bytes[..bytes.len() - 3]
        });
        is_plain.then_some(*colour)
    }

    fn greatest(&self, columns: &Span, rows: &Span, key: fn(Rgb) -> u32) -> Rgb {
        let mut best: Option<(u32, Rgb)> = None;
        for &(row, _) in rows {
            let start = row * self.size[0] as usize;
            for &(column, _) in columns {
                let pixel = self.pixels[start + column];
                if best.is_none_or(|(greatest, _)| key(pixel) > greatest) {
                    best = Some((key(pixel), pixel));
                }
            }
        }
        best.map_or([0; 3], |(_, pixel)| pixel)
    }

    fn index(&self, [x, y]: [i32; 2]) -> Option<usize> {
        let [x, y] = [u32::try_from(x).ok()?, u32::try_from(y).ok()?];
        let inside = x < self.size[0] && y < self.size[1];
        inside.then(|| y as usize * self.size[0] as usize + x as usize)
    }
}

/// The source pixels under one output pixel along an axis, with the weight of each.
type Span = Vec<(usize, f64)>;

/// The spans of an axis of `from` pixels that is scaled to `to`. In units of `1 / (from * to)` of the
/// axis all borders are integers, so the weights are exact.
fn spans(from: u32, to: u32) -> Vec<Span> {
    let [from, to] = [u64::from(from), u64::from(to)];
    let span = |output: u64| {
        let [start, end] = [output * from, (output + 1) * from];
        let sources = start / to..end.div_ceil(to);
        let weight = |source: u64| end.min((source + 1) * to) - start.max(source * to);
        sources
            .map(|source| (source as usize, weight(source) as f64))
            .collect()
    };
    (0..to).map(span).collect()
}

/// The part of `at..at + length` inside `0..limit`, if any.
fn clipped(at: i32, length: u32, limit: u32) -> Option<std::ops::Range<usize>> {
    let start = i64::from(at).max(0);
    let end = (i64::from(at) + i64::from(length)).min(i64::from(limit));
    (start < end).then_some(start as usize..end as usize)
}

/// The sRGB byte nearest to a linear value.
fn srgb(linear: f64) -> u8 {
    (srgb_from_linear(linear) * 255.0).round().clamp(0.0, 255.0) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLACK: Rgb = [0; 3];
    const WHITE: Rgb = [255; 3];

    fn count(canvas: &Canvas, colour: Rgb) -> usize {
        canvas.pixels.iter().filter(|&&p| p == colour).count()
    }

    #[test]
    fn every_byte_survives_linear_light_and_back() {
        for byte in 0..=255_u8 {
            assert_eq!(srgb(LINEAR[usize::from(byte)]), byte);
        }
    }

    #[test]
    fn drawing_outside_is_clipped() {
        let mut canvas = Canvas::filled([6, 4], BLACK);
        canvas.fill([-2, -3], [4, 4], WHITE);
        assert_eq!(count(&canvas, WHITE), 2);
        canvas.fill([5, 3], [u32::MAX, u32::MAX], WHITE);
        assert_eq!(count(&canvas, WHITE), 3);
        for outside in [[-9, 0], [6, 0], [0, 4], [i32::MAX, i32::MIN]] {
            canvas.fill(outside, [3, 3], [1, 2, 3]);
            canvas.blit(outside, &Canvas::filled([3, 3], [1, 2, 3]));
            canvas.mix(outside, [1, 2, 3], 1.0);
        }
        assert_eq!(count(&canvas, BLACK) + count(&canvas, WHITE), 24);
    }

    #[test]
    fn a_clipped_copy_keeps_its_place() {
        let source: Vec<Rgb> = (0..9).map(|index| [index; 3]).collect();
        let source = Canvas {
            size: [3, 3],
            pixels: source,
        };
        let mut canvas = Canvas::filled([4, 4], WHITE);
        canvas.blit([-1, -2], &source);
        canvas.blit([3, 3], &source);
        assert_eq!(canvas.get([0, 0]), Some([7; 3]));
        assert_eq!(canvas.get([1, 0]), Some([8; 3]));
        assert_eq!(canvas.get([3, 3]), Some([0; 3]));
        assert_eq!(count(&canvas, WHITE), 13);
    }

    #[test]
    fn a_frame_lies_outside_its_rectangle() {
        let mut canvas = Canvas::filled([6, 6], BLACK);
        canvas.frame([2, 2], [2, 2], WHITE);
        assert_eq!(count(&canvas, WHITE), 12);
        assert_eq!(canvas.get([2, 2]), Some(BLACK));
    }

    #[test]
    fn the_mean_is_taken_in_linear_light() {
        let pixels = vec![BLACK, WHITE, WHITE, BLACK];
        let canvas = Canvas {
            size: [2, 2],
            pixels,
        };
        let small = canvas.shrunk([1, 1], Reduce::Mean);
        // Half the light is sRGB 188; the mean of the bytes would be 128.
        assert_eq!(small.pixels, [[188; 3]]);
    }

    #[test]
    fn a_fractional_ratio_weights_by_area() {
        let pixels = vec![WHITE, BLACK, WHITE];
        let canvas = Canvas {
            size: [3, 1],
            pixels,
        };
        let small = canvas.shrunk([2, 1], Reduce::Mean);
        // Each output pixel is two thirds white.
        assert_eq!(small.pixels, [[srgb(2.0 / 3.0); 3]; 2]);
        for (from, to) in [(1280_u32, 462_u32), (161, 160), (7, 1)] {
            let spans = spans(from, to);
            assert_eq!(spans.len(), to as usize);
            let sums = spans.iter().map(|s| s.iter().map(|(_, w)| w).sum::<f64>());
            assert!(sums.into_iter().all(|sum| sum == f64::from(from)));
        }
    }

    #[test]
    fn one_bright_pixel_survives_the_greatest_but_not_the_mean() {
        let mut canvas = Canvas::filled([1000, 700], BLACK);
        canvas.fill([613, 401], [1, 1], WHITE);
        let greatest = canvas.shrunk([97, 53], Reduce::Greatest(|[r, ..]| r.into()));
        assert!(count(&greatest, WHITE) >= 1);
        assert_eq!(count(&canvas.shrunk([97, 53], Reduce::Mean), WHITE), 0);
    }

    #[test]
    fn the_mean_of_a_run_is_that_of_each_of_its_pixels() {
        let mut canvas = Canvas::filled([300, 6], WHITE);
        canvas.fill([200, 0], [30, 6], BLACK);
        for (x, y) in [
            (0, 0),
            (1, 3),
            (127, 0),
            (128, 1),
            (129, 4),
            (254, 5),
            (299, 2),
        ] {
            canvas.fill([x, y], [1, 1], [x as u8, 90, 7]);
        }
        for size in [[150, 3], [97, 5], [1, 1], [299, 6]] {
            let [columns, rows] = [0, 1].map(|axis| spans(canvas.size[axis], size[axis]));
            let row = |rows: &Span| columns.iter().map(|of| canvas.mean(of, rows)).collect();
            let each: Vec<Rgb> = rows
                .iter()
                .flat_map(|rows| -> Vec<Rgb> { row(rows) })
                .collect();
            assert_eq!(canvas.shrunk(size, Reduce::Mean).pixels, each);
            assert!(each.iter().any(|pixel| *pixel != WHITE));
        }
    }

    #[test]
    fn scaling_never_enlarges_and_never_vanishes() {
        let canvas = Canvas::filled([10, 4], WHITE);
        assert_eq!(canvas.shrunk([20, 20], Reduce::Mean), canvas);
        assert_eq!(canvas.shrunk([0, 0], Reduce::Mean).size, [1, 1]);
    }

    #[test]
    fn enlarging_makes_squares() {
        let pixels = vec![BLACK, WHITE];
        let canvas = Canvas {
            size: [2, 1],
            pixels,
        };
        let large = canvas.enlarged(3);
        assert_eq!((large.size, count(&large, WHITE)), ([6, 3], 9));
        assert_eq!(
            [large.get([2, 2]), large.get([3, 0])],
            [Some(BLACK), Some(WHITE)]
        );
        assert_eq!(large.shrunk([2, 1], Reduce::Mean), canvas);
        assert_eq!(canvas.enlarged(0), canvas);
    }

    #[test]
    fn bytes_of_the_wrong_length_make_no_canvas() {
        assert!(Canvas::from_rgba8([2, 1], &[1, 2, 3, 4, 5, 6, 7]).is_none());
        assert!(Canvas::from_rgba8([2, 2], &[0; 12]).is_none());
        let canvas = Canvas::from_rgba8([2, 1], &[1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(canvas.map(|c| c.pixels), Some(vec![[1, 2, 3], [5, 6, 7]]));
    }
}
