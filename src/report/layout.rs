//! What the comparison pictures share: colours, type sizes, number formats and rows of facts.
//! Touches nothing but the canvas it is given.

use super::canvas::{Canvas, Rgb};
use super::text::{Align, Face, TextStyle, Typefaces};

/// Behind everything.
pub const BACKGROUND: Rgb = [19, 20, 23];
/// Behind one pane cell.
pub const CARD: Rgb = [29, 31, 35];
/// Thin lines: picture frames, ticks, rules.
pub const LINE: Rgb = [66, 70, 78];

const BRIGHT: Rgb = [238, 239, 242];
const DIM: Rgb = [164, 169, 180];

/// The heading of a page.
pub const TITLE: TextStyle = TextStyle {
    face: Face::Sans,
    size: 26.0,
    colour: BRIGHT,
};
/// The heading of one cell: a method name.
pub const LABEL: TextStyle = TextStyle {
    face: Face::Mono,
    size: 17.0,
    colour: BRIGHT,
};
/// Running text.
pub const BODY: TextStyle = TextStyle {
    face: Face::Sans,
    size: 15.0,
    colour: DIM,
};
/// Numbers and other values.
pub const VALUE: TextStyle = TextStyle {
    face: Face::Mono,
    size: 14.0,
    colour: BRIGHT,
};
/// The labels of a scale and the notes of a cell.
pub const SMALL: TextStyle = TextStyle {
    face: Face::Mono,
    size: 13.0,
    colour: DIM,
};

/// Height of a line of facts or running text, in pixels.
pub const LINE_HEIGHT: i32 = 24;

/// Between the name of a fact and its value, in pixels.
const FACT_INNER_GAP: i32 = 8;
/// Between two facts of a row, in pixels.
const FACT_GAP: i32 = 28;

/// A name and its value, set in one row with others.
pub type Fact = (String, String);

/// Facts broken into rows: each with the column its name and its value start at.
pub struct FactRows(Vec<Vec<PlacedFact>>);

struct PlacedFact {
    name: (i32, String),
    value: (i32, String),
}

impl FactRows {
    /// Places facts side by side in rows of at most `width` pixels; a value that does not fit a
    /// row of its own is cut with an ellipsis.
    #[must_use]
    pub fn new(faces: &Typefaces, facts: &[Fact], width: u32) -> Self {
        let limit = width as i32;
        let mut rows: Vec<Vec<PlacedFact>> = Vec::new();
        let mut x = 0;
        for (name, value) in facts {
            let name_width = ceil(faces.width(BODY, name)) + FACT_INNER_GAP;
            let room = (limit - name_width).max(0);
            let value = faces.fitted(VALUE, value, room as f32);
            let fact_width = name_width + ceil(faces.width(VALUE, &value));
            if rows.is_empty() || x + fact_width > limit {
                rows.push(Vec::new());
                x = 0;
            }
            if let Some(row) = rows.last_mut() {
                row.push(PlacedFact {
                    name: (x, name.clone()),
                    value: (x + name_width, value),
                });
            }
            x += fact_width + FACT_GAP;
        }
        Self(rows)
    }

    /// Height of all rows in pixels.
    #[must_use]
    pub fn height(&self) -> i32 {
        self.0.len() as i32 * LINE_HEIGHT
    }

    /// Draws the rows below `at` (their top left corner).
    pub fn draw(&self, canvas: &mut Canvas, faces: &Typefaces, at: [i32; 2]) {
        for (row, facts) in self.0.iter().enumerate() {
            let baseline = at[1] + row as i32 * LINE_HEIGHT + LINE_HEIGHT - 7;
            for PlacedFact { name, value } in facts {
                let left = Align::Left;
                faces.draw(canvas, BODY, left, [at[0] + name.0, baseline], &name.1);
                faces.draw(canvas, VALUE, left, [at[0] + value.0, baseline], &value.1);
            }
        }
    }
}

fn ceil(width: f32) -> i32 {
    width.ceil() as i32
}

#[cfg(test)]
mod tests {
    use super::super::text::TypefaceError;
    use super::*;

    #[test]
    fn facts_stay_inside_the_width_and_none_is_lost() -> Result<(), TypefaceError> {
        let faces = Typefaces::embedded()?;
        let fact = |index: i32| (format!("name {index}"), "value".repeat(index as usize));
        let facts: Vec<Fact> = (0..12).map(fact).collect();
        let rows = FactRows::new(&faces, &facts, 400);
        assert_eq!(rows.0.iter().map(Vec::len).sum::<usize>(), facts.len());
        for fact in rows.0.iter().flatten() {
            let end = fact.value.0 as f32 + faces.width(VALUE, &fact.value.1);
            assert!(end <= 400.0, "{} ends at {end}", fact.value.1);
        }
        // Negative control: in one wide row the same facts end far beyond 400 pixels.
        let wide = FactRows::new(&faces, &facts, 100_000);
        assert_eq!(wide.height(), LINE_HEIGHT);
        assert!(wide.0[0].last().is_some_and(|fact| fact.value.0 > 400));
        Ok(())
    }
}
