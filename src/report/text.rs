//! Anti-aliased text on a [`Canvas`]: two embedded typefaces, measured and drawn unhinted. Touches
//! nothing but the canvas it is given.

use ab_glyph::{Font, FontRef, InvalidFont, PxScale, ScaleFont};
use thiserror::Error;

use super::canvas::{Canvas, Rgb};

/// An embedded typeface that could not be read.
#[derive(Debug, Error)]
#[error("the embedded typeface {name} cannot be read: {reason}")]
pub struct TypefaceError {
    name: &'static str,
    reason: InvalidFont,
}

/// Which typeface a text is set in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    /// Proportional, for titles and labels.
    Sans,
    /// Fixed width, for numbers and method names.
    Mono,
}

/// How a text looks.
#[derive(Clone, Copy, Debug)]
pub struct TextStyle {
    /// The typeface.
    pub face: Face,
    /// The em size in pixels.
    pub size: f32,
    /// The colour of a fully covered pixel.
    pub colour: Rgb,
}

/// Which part of a text stands at its anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// The text starts at the anchor.
    Left,
    /// The text is centred on the anchor.
    Center,
    /// The text ends at the anchor.
    Right,
}

/// The embedded typefaces, ready to measure and draw.
pub struct Typefaces {
    sans: FontRef<'static>,
    mono: FontRef<'static>,
}

impl Typefaces {
    /// Reads the embedded typefaces.
    ///
    /// # Errors
    /// [`TypefaceError`] where the embedded bytes are no font: a broken build.
    pub fn embedded() -> Result<Self, TypefaceError> {
        let read = |name, bytes| {
            FontRef::try_from_slice(bytes).map_err(|reason| TypefaceError { name, reason })
        };
        Ok(Self {
            sans: read("Ubuntu Light", epaint_default_fonts::UBUNTU_LIGHT)?,
            mono: read("Hack", epaint_default_fonts::HACK_REGULAR)?,
        })
    }

    /// The width of a text in pixels, from its origin to the end of its last advance.
    #[must_use]
    pub fn width(&self, style: TextStyle, text: &str) -> f32 {
        let mut width = 0.0;
        self.walk(style, text, |_, _, advance_end| width = advance_end);
        width
    }

    /// The longest start of `text` that fits `width` pixels, with an ellipsis where it was cut.
    #[must_use]
    pub fn fitted(&self, style: TextStyle, text: &str, width: f32) -> String {
        if self.width(style, text) <= width {
            return text.to_owned();
        }
        let mut cut: Vec<char> = text.chars().collect();
        while cut.pop().is_some() {
            let shorter: String = cut.iter().collect();
            let shorter = format!("{}…", shorter.trim_end());
            if self.width(style, &shorter) <= width {
                return shorter;
            }
        }
        String::new()
    }

    /// Breaks a text at its spaces into lines of at most `width` pixels; a word that is longer is
    /// cut with an ellipsis.
    #[must_use]
    pub fn wrapped(&self, style: TextStyle, text: &str, width: f32) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for word in text.split_whitespace() {
            if let Some(line) = lines.last_mut() {
                let longer = format!("{line} {word}");
                if self.width(style, &longer) <= width {
                    *line = longer;
                    continue;
                }
            }
            lines.push(self.fitted(style, word, width));
        }
        lines
    }

    /// Draws a text with its baseline at row `at[1]` and its anchor at column `at[0]`.
    pub fn draw(
        &self,
        canvas: &mut Canvas,
        style: TextStyle,
        align: Align,
        at: [i32; 2],
        text: &str,
    ) {
        let width = match align {
            Align::Left => 0.0,
            Align::Center => self.width(style, text) / 2.0,
            Align::Right => self.width(style, text),
        };
        // Whole pixels, so that the same text looks the same wherever it stands.
        let origin = [at[0] - width.round() as i32, at[1]];
        let font = self.font(style.face);
        self.walk(style, text, |glyph, x, _| {
            let placed =
                glyph.with_scale_and_position(em_scale(font, style.size), ab_glyph::point(x, 0.0));
            let Some(outline) = font.outline_glyph(placed) else {
                return;
            };
            let corner = outline.px_bounds().min;
            let [left, top] = [origin[0] + corner.x as i32, origin[1] + corner.y as i32];
            outline.draw(|x, y, coverage| {
                canvas.mix([left + x as i32, top + y as i32], style.colour, coverage);
            });
        });
    }

    /// Calls `visit(glyph, origin, end of advance)` for each glyph of a text, kerning applied.
    fn walk(
        &self,
        style: TextStyle,
        text: &str,
        mut visit: impl FnMut(ab_glyph::GlyphId, f32, f32),
    ) {
        let font = self.font(style.face);
        let font = font.as_scaled(em_scale(font, style.size));
        let mut x = 0.0;
        let mut last = None;
        for glyph in text.chars().map(|letter| font.glyph_id(letter)) {
            if let Some(last) = last {
                x += font.kern(last, glyph);
            }
            let end = x + font.h_advance(glyph);
            visit(glyph, x, end);
            x = end;
            last = Some(glyph);
        }
    }

    fn font(&self, face: Face) -> &FontRef<'static> {
        match face {
            Face::Sans => &self.sans,
            Face::Mono => &self.mono,
        }
    }
}

/// The scale at which one em of a font is `size` pixels.
fn em_scale(font: &FontRef<'_>, size: f32) -> PxScale {
    let units = font.units_per_em().unwrap_or(1000.0);
    PxScale::from(size * font.height_unscaled() / units)
}

#[cfg(test)]
mod tests {
    use super::*;

    type Outcome = Result<(), TypefaceError>;

    const INK: TextStyle = TextStyle {
        face: Face::Sans,
        size: 16.0,
        colour: [255; 3],
    };
    const MONO: TextStyle = TextStyle {
        face: Face::Mono,
        ..INK
    };

    fn inked_columns(align: Align, text: &str) -> Result<(i32, i32), TypefaceError> {
        let mut canvas = Canvas::filled([400, 40], [0; 3]);
        Typefaces::embedded()?.draw(&mut canvas, INK, align, [200, 25], text);
        let inked = |x: &i32| (0..40).any(|y| canvas.get([*x, y]) != Some([0; 3]));
        let columns: Vec<i32> = (0..400).filter(inked).collect();
        Ok((columns[0], columns[columns.len() - 1]))
    }

    #[test]
    fn alignment_moves_the_text_around_its_anchor() -> Outcome {
        let width = Typefaces::embedded()?.width(INK, "Hamburg").round() as i32;
        let (left_start, left_end) = inked_columns(Align::Left, "Hamburg")?;
        assert!((200..204).contains(&left_start) && left_end < 200 + width);
        let (start, end) = inked_columns(Align::Right, "Hamburg")?;
        assert_eq!([start, end], [left_start - width, left_end - width]);
        let (start, _) = inked_columns(Align::Center, "Hamburg")?;
        assert!((start - (left_start - width / 2)).abs() <= 1);
        Ok(())
    }

    #[test]
    fn text_stands_on_its_baseline() -> Outcome {
        let faces = Typefaces::embedded()?;
        let mut canvas = Canvas::filled([60, 60], [0; 3]);
        faces.draw(&mut canvas, INK, Align::Left, [5, 30], "H");
        let inked = |y: i32| (0..60).any(|x| canvas.get([x, y]) != Some([0; 3]));
        assert!(inked(29) && !inked(30), "an H has no descender");
        faces.draw(&mut canvas, INK, Align::Left, [25, 30], "p");
        let inked = |y: i32| (0..60).any(|x| canvas.get([x, y]) != Some([0; 3]));
        assert!(inked(31), "a p has one");
        Ok(())
    }

    #[test]
    fn a_size_is_the_em_in_pixels() -> Outcome {
        let faces = Typefaces::embedded()?;
        // Every glyph of the fixed-width face advances by 1233 of 2048 units.
        let width = faces.width(MONO, "0123456789");
        assert!(
            (width - 16.0 * 10.0 * 1233.0 / 2048.0).abs() < 0.01,
            "{width}"
        );
        Ok(())
    }

    #[test]
    fn text_that_fits_is_kept_and_text_that_does_not_is_cut() -> Outcome {
        let faces = Typefaces::embedded()?;
        let text = "wave-lerp-ballot-scalar";
        let width = faces.width(MONO, text);
        assert_eq!(faces.fitted(MONO, text, width), text);
        let cut = faces.fitted(MONO, text, width - 1.0);
        assert!(cut.ends_with('…') && faces.width(MONO, &cut) <= width - 1.0);
        assert_eq!(faces.fitted(MONO, text, 3.0), "");
        Ok(())
    }

    #[test]
    fn wrapping_keeps_every_word_in_order() -> Outcome {
        let faces = Typefaces::embedded()?;
        let text = "one two three four five six seven";
        let lines = faces.wrapped(INK, text, 90.0);
        assert!(lines.len() > 1);
        assert!(lines.iter().all(|line| faces.width(INK, line) <= 90.0));
        assert_eq!(lines.join(" "), text);
        assert!(faces.wrapped(INK, "  ", 90.0).is_empty());
        Ok(())
    }

    #[test]
    fn every_character_the_pictures_use_has_a_glyph() -> Outcome {
        let faces = Typefaces::embedded()?;
        let missing = |face: Face, letter: char| faces.font(face).glyph_id(letter).0 == 0;
        for face in [Face::Sans, Face::Mono] {
            for letter in "azAZ09 -–…·×|≤≥.,:()[]{}/+=_%".chars() {
                assert!(!missing(face, letter), "{face:?} lacks {letter:?}");
            }
            assert!(missing(face, '\u{10ffff}'), "a missing glyph is noticed");
        }
        Ok(())
    }

    #[test]
    fn text_beyond_the_edge_is_clipped() -> Outcome {
        let mut canvas = Canvas::filled([20, 10], [0; 3]);
        let faces = Typefaces::embedded()?;
        faces.draw(
            &mut canvas,
            INK,
            Align::Center,
            [0, 0],
            "outside and far too long",
        );
        faces.draw(&mut canvas, INK, Align::Left, [-5000, 90_000], "nowhere");
        assert_eq!(canvas.size(), [20, 10]);
        Ok(())
    }
}
