//! Markdown that also reads well as plain text: sections, lists, and tables padded so that columns
//! line up; and comma-separated values. Touches nothing.

use serde::Serialize;

use crate::error::{Error, Result};

/// Stands in a cell where nothing was measured.
pub(crate) const NOTHING: &str = "–";

/// The side of a column that its cells are aligned to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// The left side, for text.
    Left,
    /// The right side, for numbers.
    Right,
}
use Side::{Left, Right};

/// A section, or nothing where its body is empty.
pub(crate) fn section(heading: &str, body: &str) -> String {
    if body.is_empty() {
        return String::new();
    }
    format!("\n## {heading}\n\n{body}")
}

/// A table of names and values.
pub(crate) fn fact_table(heading: &str, facts: &[(String, String)]) -> String {
    let rows = facts.iter();
    let rows = rows.map(|(name, value)| vec![escaped(name), escaped(value)]);
    let rows: Vec<Vec<String>> = rows.collect();
    if rows.is_empty() {
        return String::new();
    }
    table(&[(heading, Left), ("value", Left)], &rows)
}

/// The widest column, in characters: cells beyond it, which only a damaged record has, are not padded.
const WIDEST: usize = 1_000;

/// A padded Markdown table.
pub(crate) fn table(columns: &[(&str, Side)], rows: &[Vec<String>]) -> String {
    let cell_width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        let heading = columns[column].0.chars().count();
        let widths = cells.map(|cell| cell.chars().count());
        widths.max().unwrap_or(0).max(heading).clamp(3, WIDEST)
    };
    let widths: Vec<usize> = (0..columns.len()).map(cell_width).collect();
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        let cells = cells.zip(columns.iter().zip(&widths));
        let cells = cells.map(|(cell, ((_, side), &width))| match side {
            Left => format!(" {cell:<width$} |"),
            Right => format!(" {cell:>width$} |"),
        });
        format!("|{}\n", cells.collect::<String>())
    };
    let rule = columns.iter().zip(&widths).map(|((_, side), width)| {
        let last = if *side == Left { "-" } else { ":" };
        format!(" {}{last} |", "-".repeat(width - 1))
    });
    let mut text = line(&mut columns.iter().map(|(heading, _)| *heading));
    text.push_str(&format!("|{}\n", rule.collect::<String>()));
    for row in rows {
        text.push_str(&line(&mut row.iter().map(String::as_str)));
    }
    text
}

/// Comma-separated values: the names of the fields, and a line for each item.
///
/// # Errors
/// A field is neither a number nor a text (a bug).
pub(crate) fn csv<T: Serialize + Default>(items: impl Iterator<Item = T>) -> Result<String> {
    let broken = |error: &dyn std::fmt::Display| Error::failed(format!("CSV: {error}"));
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut items = items.peekable();
    let is_empty = items.peek().is_none();
    // The names are written with the first item: where there is none, with one that is cut off again.
    for item in items.chain(is_empty.then(T::default)) {
        writer.serialize(item).map_err(|error| broken(&error))?;
    }
    let bytes = writer.into_inner().map_err(|error| broken(&error))?;
    let mut text = String::from_utf8(bytes).map_err(|error| broken(&error))?;
    if is_empty {
        text.truncate(text.find('\n').map_or(0, |end| end + 1));
    }
    Ok(text)
}

/// A list, one item a line.
pub(crate) fn list(items: impl Iterator<Item = String>) -> String {
    items.map(|item| format!("* {item}\n")).collect()
}

/// The text, or [`NOTHING`].
pub(crate) fn or_nothing(text: Option<String>) -> String {
    text.unwrap_or_else(|| NOTHING.to_owned())
}

/// Text that can break neither a table row nor a list item.
pub(crate) fn escaped(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").replace('|', "\\|").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_that_is_longer_than_any_width_makes_a_table_still() {
        let long = "x".repeat(70_000);
        let rows = [vec![long.clone()], vec!["short".to_owned()]];
        let text = table(&[("name", Left)], &rows);
        assert!(text.contains(&long));
        let last = text.lines().last().unwrap_or_default();
        assert_eq!(last.chars().count(), WIDEST + 4, "others are padded");
    }
}
