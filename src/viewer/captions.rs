//! The names of A and B on a picture that is saved in its own pixels, as they stand on screen.

use crate::error::{Error, Result};
use crate::report::canvas::{Canvas, Rgb};
use crate::report::text::{Align, Face, TextStyle, Typefaces};

use super::images::{Image, NamePlace, SIDE_COLORS};
use super::state::State;

/// Pixels: size of the text, room around it, distance from edges and from the split line, height of the line in the
/// colour of A or of B.
const TEXT: f32 = 13.0;
const PAD: i32 = 4;
const MARGIN: i32 = 6;
const EDGE: u32 = 3;
const GROUND: Rgb = [8, 9, 11];
const INK: Rgb = [235; 3];

/// Which names stand where.
pub struct Captions {
    images: Vec<Image>,
    names: [String; 2],
}

impl Captions {
    /// Those of what is shown; none where labels are off.
    pub fn of(state: &State) -> Option<Self> {
        let (comparison, pane) = (&state.comparison, &state.panes.picture);
        comparison.chosen.labels.then(|| Self {
            images: comparison.images(pane, state.subject.settings.size),
            names: comparison.names(),
        })
    }

    /// Writes them on the pictures, which lie side by side.
    ///
    /// # Errors
    /// The typefaces of the program are broken.
    pub fn write(&self, canvas: &mut Canvas) -> Result<()> {
        let faces = Typefaces::embedded().map_err(|error| Error::failed(error.to_string()))?;
        let count = |axis: usize| {
            let last = self.images.iter().map(|image| image.cell[axis]).max();
            last.map_or(1, |last| last + 1)
        };
        let size = [0, 1].map(|axis| canvas.size()[axis] / count(axis));
        for image in &self.images {
            let corner = [0, 1].map(|axis| (image.cell[axis] * size[axis]) as i32);
            let right = corner[0] + size[0] as i32;
            let line = corner[0] + (image.split * size[0] as f32) as i32;
            for (side, place) in image.names() {
                let style = TextStyle {
                    face: Face::Sans,
                    size: TEXT,
                    colour: INK,
                };
                let room = match place {
                    NamePlace::Corner => right - corner[0] - MARGIN,
                    NamePlace::LeftOfLine => line - MARGIN - corner[0],
                    NamePlace::RightOfLine => right - line - MARGIN,
                };
                let text = faces.fitted(style, &self.names[*side], (room - 2 * PAD) as f32);
                if text.is_empty() {
                    continue;
                }
                let width = faces.width(style, &text).ceil() as i32 + 2 * PAD;
                let left = match place {
                    NamePlace::Corner => corner[0] + MARGIN,
                    NamePlace::LeftOfLine => line - MARGIN - width,
                    NamePlace::RightOfLine => line + MARGIN,
                };
                let at = [left, corner[1] + MARGIN];
                let height = TEXT as u32 + 2 * PAD as u32;
                canvas.fill(at, [width as u32, height], GROUND);
                canvas.fill(at, [width as u32, EDGE], SIDE_COLORS[*side]);
                let base = [at[0] + PAD, at[1] + PAD + TEXT as i32 - 1];
                faces.draw(canvas, style, Align::Left, base, &text);
            }
        }
        Ok(())
    }
}
