//! A page to draw on: shapes and text in pixels of the finished picture. Everything is drawn at twice
//! the size and scaled down in linear light, which smooths all edges alike.

use std::sync::LazyLock;

use plotters::backend::BitMapBackend;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::element::{Circle, PathElement, Polygon, Rectangle, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{
    Color, FontFamily, FontStyle, IntoFont, RGBColor, ShapeStyle, TextStyle, register_font,
};

use crate::compare::canvas::{Canvas, Reduce, Rgb};
use crate::error::{Error, Result};

/// Width and height of every picture, pixels.
pub const SIZE: [u32; 2] = [1600, 1000];
/// How much larger than the picture it is drawn.
const OVERSAMPLING: u32 = 2;
/// The typeface of all text.
const FACE: &str = "wavelerp";

/// Text and axes.
pub const INK: Rgb = [30, 32, 36];
/// Notes and captions.
pub const DIM: Rgb = [96, 100, 108];
/// Grid lines.
pub const GRID: Rgb = [226, 228, 232];
/// Behind everything.
pub const PAPER: Rgb = [255; 3];
/// Warnings.
pub const ALARM: Rgb = [190, 30, 30];

/// A point in pixels from the top left corner.
pub type Point = [f64; 2];

/// Which part of a text stands at its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Its left end, at half its height.
    Left,
    /// Its middle.
    Center,
    /// Its right end, at half its height.
    Right,
}

/// Shapes that tell series apart without colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    /// ●
    Circle,
    /// ■
    Square,
    /// ▲
    Up,
    /// ◆
    Diamond,
    /// ▼
    Down,
}

/// Registers the embedded typeface, once.
static FONT: LazyLock<bool> = LazyLock::new(|| {
    let bytes = epaint_default_fonts::UBUNTU_LIGHT;
    register_font(FACE, FontStyle::Normal, bytes).is_ok()
});

/// A page being drawn.
pub struct Page<'a> {
    area: DrawingArea<BitMapBackend<'a>, Shift>,
}

/// Draws a picture.
///
/// # Errors
/// What `draw` returns; the embedded typeface cannot be read (a broken build).
pub fn picture(draw: impl FnOnce(&Page<'_>) -> Result<()>) -> Result<Canvas> {
    if !*FONT {
        return Err(Error::failed(
            "the embedded typeface cannot be read: build again",
        ));
    }
    let size = SIZE.map(|length| length * OVERSAMPLING);
    let mut bytes = vec![u8::MAX; size[0] as usize * size[1] as usize * 3];
    {
        let backend = BitMapBackend::with_buffer(&mut bytes, (size[0], size[1]));
        let page = Page {
            area: backend.into_drawing_area(),
        };
        draw(&page)?;
        page.area.present().map_err(broken)?;
    }
    let (pixels, _) = bytes.as_chunks::<3>();
    let canvas = Canvas::from_pixels(size, pixels.to_vec());
    let canvas = canvas.ok_or_else(|| Error::failed("a picture has too few pixels"))?;
    Ok(canvas.shrunk(SIZE, Reduce::Mean))
}

fn broken(error: impl std::fmt::Display) -> Error {
    Error::failed(format!("cannot draw a picture: {error}"))
}

fn colour([r, g, b]: Rgb) -> RGBColor {
    RGBColor(r, g, b)
}

/// A length on the page, in pixels that are drawn.
fn drawn(length: f64) -> i32 {
    (length * f64::from(OVERSAMPLING)).round() as i32
}

fn at([x, y]: Point) -> (i32, i32) {
    (drawn(x), drawn(y))
}

fn style(size: f64, ink: Rgb, anchor: Anchor) -> TextStyle<'static> {
    let font = (FontFamily::Name(FACE), drawn(size)).into_font();
    let side = match anchor {
        Anchor::Left => HPos::Left,
        Anchor::Center => HPos::Center,
        Anchor::Right => HPos::Right,
    };
    TextStyle {
        font,
        color: colour(ink).to_backend_color(),
        pos: Pos::new(side, VPos::Center),
    }
}

/// Width of a text, pixels.
#[must_use]
pub fn width(size: f64, text: &str) -> f64 {
    let font = (FontFamily::Name(FACE), drawn(size)).into_font();
    // The typeface is known to be readable by now; a width of 0 would only misplace a label.
    let width = font.box_size(text).map_or(0, |size| size.0);
    f64::from(width) / f64::from(OVERSAMPLING)
}

/// The longest start of a text that fits, with an ellipsis where it was cut.
#[must_use]
pub fn fitted(size: f64, text: &str, room: f64) -> String {
    if width(size, text) <= room {
        return text.to_owned();
    }
    let mut cut: Vec<char> = text.chars().collect();
    while cut.pop().is_some() {
        let shorter: String = cut.iter().chain(&['…']).collect();
        if width(size, &shorter) <= room {
            return shorter;
        }
    }
    String::new()
}

impl Page<'_> {
    /// A line of text of `size` pixels, half its height at the point.
    ///
    /// # Errors
    /// The picture cannot be drawn; so with all below.
    pub fn text(&self, to: Point, size: f64, ink: Rgb, anchor: Anchor, text: &str) -> Result<()> {
        // The middle of the letters, not of their box, belongs on the point.
        let to = at([to[0], to[1] + 0.14 * size]);
        let text = Text::new(text, to, style(size, ink, anchor));
        self.area.draw(&text).map_err(broken)
    }

    /// The same in the middle and bold, with a halo that parts it from lines below.
    ///
    /// # Errors
    /// The picture cannot be drawn.
    pub fn text_with_halo(
        &self,
        to: Point,
        size: f64,
        [ink, halo]: [Rgb; 2],
        text: &str,
    ) -> Result<()> {
        for step in 0..8 {
            let angle = f64::from(step) * std::f64::consts::FRAC_PI_4;
            let to = [to[0] + 1.5 * angle.cos(), to[1] + 1.5 * angle.sin()];
            self.text(to, size, halo, Anchor::Center, text)?;
        }
        for shift in [-0.25, 0.25] {
            self.text([to[0] + shift, to[1]], size, ink, Anchor::Center, text)?;
        }
        Ok(())
    }

    /// A rectangle from its top left to its bottom right corner.
    ///
    /// # Errors
    /// The picture cannot be drawn.
    pub fn rectangle(&self, corners: [Point; 2], fill: Rgb) -> Result<()> {
        let [top_left, (right, bottom)] = corners.map(at);
        // The last row and column belong to plotters' rectangle, but not to ours.
        let corners = [top_left, (right - 1, bottom - 1)];
        let rectangle = Rectangle::new(corners, colour(fill).filled());
        self.area.draw(&rectangle).map_err(broken)
    }

    /// A line through points.
    ///
    /// # Errors
    /// The picture cannot be drawn.
    pub fn line(&self, points: &[Point], thickness: f64, ink: Rgb) -> Result<()> {
        let style = ShapeStyle::from(colour(ink)).stroke_width(drawn(thickness).max(1) as u32);
        let points: Vec<(i32, i32)> = points.iter().copied().map(at).collect();
        self.area
            .draw(&PathElement::new(points, style))
            .map_err(broken)
    }

    /// A faint disc.
    ///
    /// # Errors
    /// The picture cannot be drawn.
    pub fn dot(&self, to: Point, radius: f64, ink: Rgb) -> Result<()> {
        let disc = Circle::new(at(to), drawn(radius), colour(ink).mix(0.35).filled());
        self.area.draw(&disc).map_err(broken)
    }

    /// A marker of a series.
    ///
    /// # Errors
    /// The picture cannot be drawn.
    pub fn marker(&self, [x, y]: Point, radius: f64, ink: Rgb, marker: Marker) -> Result<()> {
        let fill = colour(ink).filled();
        let r = radius;
        let corners: &[Point] = match marker {
            Marker::Circle => {
                let disc = Circle::new(at([x, y]), drawn(r), fill);
                return self.area.draw(&disc).map_err(broken);
            }
            Marker::Square => &[[-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]],
            Marker::Up => &[[0.0, -1.2], [1.1, 0.8], [-1.1, 0.8]],
            Marker::Diamond => &[[0.0, -1.3], [1.3, 0.0], [0.0, 1.3], [-1.3, 0.0]],
            Marker::Down => &[[0.0, 1.2], [1.1, -0.8], [-1.1, -0.8]],
        };
        let corners = corners.iter().map(|[dx, dy]| at([x + r * dx, y + r * dy]));
        let polygon = Polygon::new(corners.collect::<Vec<_>>(), fill);
        self.area.draw(&polygon).map_err(broken)
    }
}
