//! All tables that the program writes: Markdown that also reads well as plain text, tables for a terminal, sections and
//! lists, and CSV.

use std::fmt::Display;

use crate::error::{Error, Result, one_line};

#[derive(Clone)]
pub struct Cell {
    is_text: bool,
    in_files: String,
    for_readers: String,
}

pub fn text(text: impl Display) -> Cell {
    Cell {
        is_text: true,
        in_files: text.to_string(),
        for_readers: escaped(&text.to_string()),
    }
}

/// A right-aligned count, empty for `None`.
pub fn count(count: Option<impl Display>) -> Cell {
    let count = count.map(|count| count.to_string());
    Cell {
        is_text: false,
        for_readers: or_nothing(count.as_deref()),
        in_files: count.unwrap_or_default(),
    }
}

/// A number with all digits in files, and formatted with `digits` for readers.
pub fn number(value: impl Into<Option<f64>>, digits: fn(f64) -> String) -> Cell {
    let value = value.into();
    Cell {
        for_readers: or_nothing(value.map(digits)),
        ..count(value)
    }
}

pub struct Table {
    /// Name of each column in files, and for readers.
    pub columns: Vec<[&'static str; 2]>,
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A padded Markdown table of the named columns (names as in files). Empty if there are no rows.
    pub fn markdown(&self, names: &[&str]) -> String {
        let place = |name: &&str| self.columns.iter().position(|column| column[0] == *name);
        let places: Vec<usize> = names.iter().filter_map(place).collect();
        let headings = places.iter().map(|&column| {
            let is_text = self.rows.iter().any(|row| row[column].is_text);
            (self.columns[column][1], is_text)
        });
        let cell = |row: &Vec<Cell>, column: &usize| row[*column].for_readers.clone();
        let rows = self.rows.iter();
        let rows = rows.map(|row| places.iter().map(|column| cell(row, column)).collect());
        markdown(&headings.collect::<Vec<_>>(), rows)
    }

    pub fn csv(&self) -> Result<String> {
        let broken = |error: &dyn Display| Error::failed(format!("CSV: {error}"));
        let names = self.columns.iter().map(|column| column[0]).collect();
        let rows = self.rows.iter();
        let rows = rows.map(|row| row.iter().map(|cell| &*cell.in_files).collect());
        let mut writer = csv::Writer::from_writer(Vec::new());
        for line in [names].into_iter().chain(rows) {
            let line: Vec<&str> = line;
            writer.write_record(line).map_err(|error| broken(&error))?;
        }
        let bytes = writer.into_inner().map_err(|error| broken(&error))?;
        String::from_utf8(bytes).map_err(|error| broken(&error))
    }
}

/// Content of a cell without a measurement.
pub(crate) const NOTHING: &str = "–";

/// A section. Empty if its body is empty.
pub(crate) fn section(heading: &str, body: &str) -> String {
    if body.is_empty() {
        return String::new();
    }
    format!("\n## {heading}\n\n{body}")
}

pub(crate) fn fact_table(heading: &str, facts: &[(String, String)]) -> String {
    let rows = facts.iter();
    let rows = rows.map(|(name, value)| vec![escaped(name), escaped(value)]);
    table(&[heading, "value"], &[], rows)
}

/// Maximum padding of a column in characters. Only a damaged record has wider cells.
const WIDEST: usize = 1_000;

/// A padded Markdown table: `text` headings, then `numbers` headings to their right, and the cells row by row. Empty if
/// there are no rows.
pub fn table(
    text: &[&str],
    numbers: &[&str],
    rows: impl IntoIterator<Item = Vec<String>>,
) -> String {
    markdown(&headings(text, numbers), rows)
}

/// Heading, and true if its column is left-aligned.
type Heading<'a> = (&'a str, bool);

fn headings<'a>(text: &[&'a str], numbers: &[&'a str]) -> Vec<Heading<'a>> {
    let numbers = numbers.iter().map(|heading| (*heading, false));
    text.iter()
        .map(|heading| (*heading, true))
        .chain(numbers)
        .collect()
}

fn markdown(headings: &[Heading], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut rows = padded(headings, rows, 3);
    if rows.len() == 1 {
        return String::new();
    }
    let rule = rows[0].iter().zip(headings).map(|(cell, (_, is_text))| {
        let last = if *is_text { "-" } else { ":" };
        "-".repeat(cell.chars().count() - 1) + last
    });
    rows.insert(1, rule.collect());
    let lines = rows.iter().map(|row| format!("| {} |\n", row.join(" | ")));
    lines.collect()
}

/// A table for a terminal, indented by two spaces, with columns two spaces apart. Headings are omitted if all are
/// empty. The last cell of a short row may extend over the columns to its right. It is the heading of a group of rows,
/// or a reason for missing numbers.
pub fn plain(
    text: &[&str],
    numbers: &[&str],
    rows: impl IntoIterator<Item = Vec<String>>,
) -> String {
    let rows = padded(&headings(text, numbers), rows, 0);
    let lines = rows.iter().map(|row| format!("  {}", row.join("  ")));
    let lines = lines.map(|line| line.trim_end().to_owned() + "\n");
    let is_bare = [text, numbers].concat().concat().is_empty();
    lines.skip(usize::from(is_bare)).collect()
}

/// Headings and rows, padded to the width of each column, at least `least` characters wide.
fn padded(
    headings: &[Heading],
    rows: impl IntoIterator<Item = Vec<String>>,
    least: usize,
) -> Vec<Vec<String>> {
    let names = headings.iter().map(|(heading, _)| (*heading).to_owned());
    let mut rows: Vec<Vec<String>> = [names.collect()].into_iter().chain(rows).collect();
    let columns = headings.len();
    for (column, (_, is_text)) in headings.iter().enumerate() {
        // The last cell of a short row extends over the columns to its right.
        let is_in = |row: &Vec<String>| row.len() == columns || column + 1 < row.len();
        let widths = rows.iter().filter(|row| is_in(row));
        let widths = widths.map(|row| row[column].chars().count());
        let width = widths.max().unwrap_or(0).clamp(least, WIDEST);
        for row in rows.iter_mut().filter(|row| is_in(row)) {
            let cell = &row[column];
            row[column] = match is_text {
                true => format!("{cell:<width$}"),
                false => format!("{cell:>width$}"),
            };
        }
    }
    rows
}

pub(crate) fn list(items: impl Iterator<Item = String>) -> String {
    items.map(|item| format!("* {item}\n")).collect()
}

pub fn or_nothing(value: Option<impl ToString>) -> String {
    value.map_or_else(|| NOTHING.to_owned(), |value| value.to_string())
}

/// Text escaped so that it cannot break a table row or list item.
pub(crate) fn escaped(text: &str) -> String {
    one_line(&text).replace('|', "\\|").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_row_runs_over_the_columns_to_its_right_and_widens_none() {
        let row = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect();
        let rows = [
            row(&["a", "1"]),
            row(&["a heading of rows"]),
            row(&["bc", "20"]),
        ];
        let text = plain(&[""], &["n"], rows.clone());
        assert_eq!(text, "       n\n  a    1\n  a heading of rows\n  bc  20\n");
        let text = plain(&["", ""], &[], rows[..1].to_vec());
        assert_eq!(text, "  a  1\n", "no headings");
    }

    #[test]
    fn every_column_lines_up_also_behind_letters_of_several_bytes() {
        let rows = [["µs", "12,345"], ["wave", "–"]].map(|row| row.map(str::to_owned).to_vec());
        let text = table(&["name"], &["a long heading"], rows);
        let bars = |line: &str| -> Vec<usize> {
            let letters = line.chars().enumerate();
            letters.filter(|at| at.1 == '|').map(|at| at.0).collect()
        };
        let all: Vec<Vec<usize>> = text.lines().map(bars).collect();
        assert_eq!(all.len(), 4);
        assert!(all.iter().all(|line| *line == [0, 7, 24]), "{text}");
    }

    #[test]
    fn a_cell_that_is_longer_than_any_width_makes_a_table_still() {
        let rows = ["x".repeat(70_000), "short".to_owned()].map(|cell| vec![cell]);
        let text = table(&["name"], &[], rows);
        let last = text.lines().last().unwrap_or_default();
        assert_eq!(last.chars().count(), WIDEST + 4, "others are padded");
    }
}
