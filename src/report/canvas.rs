//! An 8-bit sRGB canvas with filled rectangles.

use super::pixel_count;
use crate::error::{Error, Result};

/// Red, green and blue of an sRGB colour.
pub type Rgb = [u8; 3];

/// An sRGB picture, top row first. Coordinates are pixels from the top left corner. Drawing outside is clipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canvas {
    size: [u32; 2],
    pixels: Vec<Rgb>,
}

impl Canvas {
    pub fn filled(size: [u32; 2], colour: Rgb) -> Self {
        let pixels = vec![colour; pixel_count(size)];
        Self { size, pixels }
    }

    /// A canvas from row-major pixels, top row first. `None` unless their number is width × height.
    pub fn from_pixels(size: [u32; 2], pixels: Vec<Rgb>) -> Option<Self> {
        (pixels.len() == pixel_count(size)).then_some(Self { size, pixels })
    }

    /// A canvas from sRGB bytes read back from the GPU, four per pixel.
    pub fn from_rgba8(size: [u32; 2], bytes: &[u8]) -> Result<Self> {
        let (pixels, rest) = bytes.as_chunks::<4>();
        let pixels = pixels.iter().map(|&[r, g, b, _]| [r, g, b]).collect();
        let canvas = Self::from_pixels(size, pixels).filter(|_| rest.is_empty());
        canvas.ok_or_else(|| Error::failed("the picture read back has the wrong size"))
    }

    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    pub fn pixels(&self) -> &[Rgb] {
        &self.pixels
    }

    /// The pixel at column `x`, row `y`. `None` outside the canvas.
    pub fn get(&self, [x, y]: [i32; 2]) -> Option<Rgb> {
        self.index([x, y]).map(|index| self.pixels[index])
    }

    /// Fills a rectangle with its top left corner at `at`.
    pub fn fill(&mut self, [left, top]: [i32; 2], size: [u32; 2], colour: Rgb) {
        let [width, height] = size.map(|edge| edge as i32);
        for at in (top..top + height).flat_map(|y| (left..left + width).map(move |x| [x, y])) {
            if let Some(index) = self.index(at) {
                self.pixels[index] = colour;
            }
        }
    }

    /// The part of the picture with its top left corner at `at`. Pixels outside the picture are black.
    pub fn part(&self, [left, top]: [i32; 2], size: [u32; 2]) -> Self {
        let [width, height] = size.map(|edge| edge as i32);
        let rows = (top..top + height).map(|y| (left..left + width).map(move |x| [x, y]));
        let pixels = rows.flatten().map(|at| self.get(at).unwrap_or_default());
        Self {
            size,
            pixels: pixels.collect(),
        }
    }

    fn index(&self, [x, y]: [i32; 2]) -> Option<usize> {
        let [x, y] = [u32::try_from(x).ok()?, u32::try_from(y).ok()?];
        let inside = x < self.size[0] && y < self.size[1];
        inside.then(|| y as usize * self.size[0] as usize + x as usize)
    }
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
    fn drawing_outside_is_clipped() {
        let mut canvas = Canvas::filled([6, 4], BLACK);
        canvas.fill([-2, -3], [4, 4], WHITE);
        assert_eq!(count(&canvas, WHITE), 2);
        canvas.fill([5, 3], [9, 9], WHITE);
        assert_eq!(count(&canvas, WHITE), 3);
        canvas.fill([6, 0], [3, 3], WHITE);
        assert_eq!(count(&canvas, BLACK), 21);
        let part = canvas.part([1, -1], [2, 2]);
        assert_eq!(part.pixels, [BLACK, BLACK, WHITE, BLACK]);
    }
}
