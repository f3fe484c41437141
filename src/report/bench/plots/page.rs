//! A page to draw on, in pixels of the finished picture. Shapes are drawn at twice the size and scaled
//! down in linear light, which smooths all edges alike; text comes on top of them.

use std::cell::RefCell;
use std::sync::LazyLock;

use plotters::backend::BitMapBackend;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::element::{Circle, PathElement, Polygon, Rectangle};
use plotters::style::{Color, RGBColor, ShapeStyle};

use crate::error::{Error, Result};
use crate::report::canvas::{Canvas, Reduce, Rgb};
use crate::report::text::{Align, Face, TextStyle, Typefaces};

/// Width and height of every picture, pixels.
pub const SIZE: [u32; 2] = [1600, 1000];
/// Shapes are drawn this many times as large as in the finished picture.
const OVERSAMPLING: u32 = 2;

/// Text and axes.
pub const INK: Rgb = [16, 18, 22];
/// Notes and captions.
pub const DIM: Rgb = [80, 84, 92];
/// Grid lines.
pub const GRID: Rgb = [226, 228, 232];
/// The background.
pub const PAPER: Rgb = [255; 3];
/// Warnings.
pub const ALARM: Rgb = [190, 30, 30];

/// A point in pixels from the top left corner.
pub type Point = [f64; 2];

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

/// The embedded typefaces; `None` in a broken build.
static FACES: LazyLock<Option<Typefaces>> = LazyLock::new(|| Typefaces::embedded().ok());

/// A page being drawn.
pub struct Page<'a> {
    area: DrawingArea<BitMapBackend<'a>, Shift>,
    labels: RefCell<Vec<Label>>,
}

/// A text that is drawn last, and the point that it starts at, is centred on, or ends at.
struct Label {
    to: Point,
    style: TextStyle,
    align: Align,
    text: String,
    halo: Option<Rgb>,
}

/// Draws a picture.
///
/// # Errors
/// What `draw` returns; the embedded typefaces cannot be read (a broken build).
pub fn picture(draw: impl FnOnce(&Page<'_>) -> Result<()>) -> Result<Canvas> {
    let no_faces = || Error::failed("the embedded typefaces cannot be read: build again");
    let faces = FACES.as_ref().ok_or_else(no_faces)?;
    let size = SIZE.map(|length| length * OVERSAMPLING);
    let mut bytes = vec![u8::MAX; size[0] as usize * size[1] as usize * 3];
    let labels = {
        let backend = BitMapBackend::with_buffer(&mut bytes, (size[0], size[1]));
        let page = Page {
            area: backend.into_drawing_area(),
            labels: RefCell::default(),
        };
        draw(&page)?;
        page.area.present().map_err(broken)?;
        page.labels.into_inner()
    };
    let (pixels, _) = bytes.as_chunks::<3>();
    let canvas = Canvas::from_pixels(size, pixels.to_vec());
    let canvas = canvas.ok_or_else(|| Error::failed("a picture has too few pixels"))?;
    let mut canvas = canvas.shrunk(SIZE, Reduce::Mean);
    for label in &labels {
        label.draw(&mut canvas, faces);
    }
    Ok(canvas)
}

impl Label {
    fn draw(&self, canvas: &mut Canvas, faces: &Typefaces) {
        let [x, y] = self.to;
        // Half the height of capitals below the middle.
        let baseline = y + 0.35 * f64::from(self.style.size);
        let [x, baseline] = [x, baseline].map(|position| position.round() as i32);
        let mut print = |colour, [dx, dy]: [i32; 2]| {
            let style = TextStyle {
                colour,
                ..self.style
            };
            faces.draw(
                canvas,
                style,
                self.align,
                [x + dx, baseline + dy],
                &self.text,
            );
        };
        print_around(self.halo, &mut print);
        // The typeface is light. Printed twice, its edges are darker, and small text reads well.
        for _ in 0..2 {
            print(self.style.colour, [0, 0]);
        }
    }
}

/// Prints a halo: the text moved by one pixel in all eight directions.
fn print_around(halo: Option<Rgb>, print: &mut impl FnMut(Rgb, [i32; 2])) {
    let Some(colour) = halo else {
        return;
    };
    for step in (0..9).filter(|step| *step != 4) {
        print(colour, [step % 3 - 1, step / 3 - 1]);
    }
}

fn broken(error: impl std::fmt::Display) -> Error {
    Error::failed(format!("cannot draw a picture: {error}"))
}

fn colour([r, g, b]: Rgb) -> RGBColor {
    RGBColor(r, g, b)
}

/// Converts a length on the page to pixels of the larger drawing.
fn drawn(length: f64) -> i32 {
    (length * f64::from(OVERSAMPLING)).round() as i32
}

fn at([x, y]: Point) -> (i32, i32) {
    (drawn(x), drawn(y))
}

fn style(size: f64, colour: Rgb) -> TextStyle {
    TextStyle {
        face: Face::Sans,
        size: size as f32,
        colour,
    }
}

/// Width of a text, pixels.
#[must_use]
pub fn width(size: f64, text: &str) -> f64 {
    let width = |faces: &Typefaces| faces.width(style(size, INK), text);
    // Without typefaces there is no picture that a width could spoil.
    FACES.as_ref().map_or(0.0, width).into()
}

/// The longest start of a text that fits, with an ellipsis where it was cut.
#[must_use]
pub fn fitted(size: f64, text: &str, room: f64) -> String {
    let fitted = |faces: &Typefaces| faces.fitted(style(size, INK), text, room as f32);
    FACES.as_ref().map_or_else(String::new, fitted)
}

/// A text in lines of at most `room` pixels.
#[must_use]
pub fn wrapped(size: f64, text: &str, room: f64) -> Vec<String> {
    let wrapped = |faces: &Typefaces| faces.wrapped(style(size, INK), text, room as f32);
    FACES.as_ref().map_or_else(Vec::new, wrapped)
}

impl Page<'_> {
    /// A line of text of `size` pixels (its em), half the height of its capitals at the point.
    pub fn text(&self, to: Point, size: f64, ink: Rgb, align: Align, text: &str) {
        self.label(to, style(size, ink), align, text, None);
    }

    /// A line of text of `size` pixels, centred on the point, with a halo that sets it off from lines below.
    pub fn text_with_halo(&self, to: Point, size: f64, [ink, halo]: [Rgb; 2], text: &str) {
        self.label(to, style(size, ink), Align::Center, text, Some(halo));
    }

    fn label(&self, to: Point, style: TextStyle, align: Align, text: &str, halo: Option<Rgb>) {
        self.labels.borrow_mut().push(Label {
            to,
            style,
            align,
            text: text.to_owned(),
            halo,
        });
    }

    /// A rectangle from its top left to its bottom right corner.
    pub fn rectangle(&self, corners: [Point; 2], fill: Rgb) -> Result<()> {
        let [top_left, (right, bottom)] = corners.map(at);
        // Plotters draws the last row and column too; a rectangle of this page ends before them.
        let corners = [top_left, (right - 1, bottom - 1)];
        let rectangle = Rectangle::new(corners, colour(fill).filled());
        self.area.draw(&rectangle).map_err(broken)
    }

    /// A line through points.
    pub fn line(&self, points: &[Point], thickness: f64, ink: Rgb) -> Result<()> {
        let style = ShapeStyle::from(colour(ink)).stroke_width(drawn(thickness).max(1) as u32);
        let points: Vec<(i32, i32)> = points.iter().copied().map(at).collect();
        self.area
            .draw(&PathElement::new(points, style))
            .map_err(broken)
    }

    /// A faint disc.
    pub fn dot(&self, to: Point, radius: f64, ink: Rgb) -> Result<()> {
        let disc = Circle::new(at(to), drawn(radius), colour(ink).mix(0.35).filled());
        self.area.draw(&disc).map_err(broken)
    }

    /// A marker of a series.
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
