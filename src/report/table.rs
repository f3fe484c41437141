//! Every table that the program writes: its columns and cells, and the writers for Markdown that also reads well as plain
//! text, for a terminal and for comma-separated values; sections and lists. Touches nothing.

use crate::error::{Error, Result, one_line};

/// What a table says in one place.
#[derive(Clone)]
pub enum Cell {
    /// Not measured.
    Nothing,
    Text(String),
    /// A name, which Markdown sets as code.
    Code(String),
    Count(u64),
    /// A number, and its digits for readers; files have all of them.
    Number(f64, fn(f64) -> String),
}

impl Cell {
    pub fn number(value: impl Into<Option<f64>>, digits: fn(f64) -> String) -> Self {
        let value = value.into();
        value.map_or(Cell::Nothing, |value| Cell::Number(value, digits))
    }

    fn is_text(&self) -> bool {
        matches!(self, Cell::Text(_) | Cell::Code(_))
    }

    fn for_readers(&self) -> String {
        match self {
            Cell::Nothing => NOTHING.to_owned(),
            Cell::Text(text) => escaped(text),
            Cell::Code(name) => format!("`{}`", escaped(name)),
            Cell::Count(count) => count.to_string(),
            Cell::Number(value, digits) => digits(*value),
        }
    }

    fn for_files(&self) -> String {
        match self {
            Cell::Nothing => String::new(),
            Cell::Text(text) | Cell::Code(text) => text.clone(),
            Cell::Count(count) => count.to_string(),
            Cell::Number(value, _) => value.to_string(),
        }
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Cell::Text(text)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Cell::Text(text.to_owned())
    }
}

impl From<u32> for Cell {
    fn from(count: u32) -> Self {
        Cell::Count(count.into())
    }
}

impl From<usize> for Cell {
    fn from(count: usize) -> Self {
        Cell::Count(count as u64)
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Cell::Nothing, Into::into)
    }
}

/// A column of a table of `T`s: its name in files, its name for readers, and its cells.
pub type Column<T> = (&'static str, &'static str, fn(&T) -> Cell);

pub struct Table {
    /// The names of each column, in files and for readers.
    columns: Vec<[&'static str; 2]>,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    pub fn new<T>(columns: &[Column<T>], items: impl IntoIterator<Item = T>) -> Self {
        let row = |item: T| columns.iter().map(|(.., cell)| cell(&item)).collect();
        Self {
            columns: columns.iter().map(|column| [column.0, column.1]).collect(),
            rows: items.into_iter().map(row).collect(),
        }
    }

    /// A padded Markdown table; empty where there are no rows. Text begins at the left edge of its column, numbers end at
    /// the right one.
    pub fn markdown(&self) -> String {
        let headings = self.columns.iter().enumerate().map(|(column, names)| {
            let is_text = self.rows.iter().any(|row| row[column].is_text());
            (names[1], is_text)
        });
        let rows = self.rows.iter();
        let rows = rows.map(|row| row.iter().map(Cell::for_readers).collect());
        markdown(&headings.collect::<Vec<_>>(), rows)
    }

    /// Comma-separated values: the names of the columns, and a line for each row.
    pub fn csv(&self) -> Result<String> {
        let broken = |error: &dyn std::fmt::Display| Error::failed(format!("CSV: {error}"));
        let mut writer = csv::Writer::from_writer(Vec::new());
        let names = self.columns.iter().map(|names| names[0].to_owned());
        let rows = self.rows.iter();
        let rows = rows.map(|row| row.iter().map(Cell::for_files).collect());
        for line in [names.collect::<Vec<_>>()].into_iter().chain(rows) {
            writer.write_record(line).map_err(|error| broken(&error))?;
        }
        let bytes = writer.into_inner().map_err(|error| broken(&error))?;
        String::from_utf8(bytes).map_err(|error| broken(&error))
    }
}

/// Stands in a cell where nothing was measured.
pub(crate) const NOTHING: &str = "–";

/// A section, or nothing where its body is empty.
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

/// The widest column, in characters: cells beyond it, which only a damaged record has, are not padded.
const WIDEST: usize = 1_000;

/// A padded Markdown table: the headings of the columns of text, those of the columns of numbers to their right, and
/// the cells row by row. Empty where there are no rows.
pub fn table(
    text: &[&str],
    numbers: &[&str],
    rows: impl IntoIterator<Item = Vec<String>>,
) -> String {
    markdown(&headings(text, numbers), rows)
}

/// What stands above a column, and whether its cells begin at its left edge or end at its right one.
type Heading<'a> = (&'a str, bool);

/// The headings of columns of text, and of columns of numbers to their right.
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

/// A table for a terminal, indented by two spaces, its columns two spaces apart; without headings where all are
/// empty. The last cell of a row that has fewer cells than there are columns may run over the columns to its right:
/// the heading of a group of rows, or a reason why there are no numbers.
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

/// The headings and the rows, each cell as wide as its column, which is at least `least` characters wide.
fn padded(
    headings: &[Heading],
    rows: impl IntoIterator<Item = Vec<String>>,
    least: usize,
) -> Vec<Vec<String>> {
    let names = headings.iter().map(|(heading, _)| (*heading).to_owned());
    let mut rows: Vec<Vec<String>> = [names.collect()].into_iter().chain(rows).collect();
    let columns = headings.len();
    for (column, (_, is_text)) in headings.iter().enumerate() {
        // The last cell of a short row runs over what is to its right.
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

/// Text that cannot break a table row or a list item.
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
        let long = "x".repeat(70_000);
        let rows = [vec![long.clone()], vec!["short".to_owned()]];
        let text = table(&["name"], &[], rows);
        assert!(text.contains(&long));
        let last = text.lines().last().unwrap_or_default();
        assert_eq!(last.chars().count(), WIDEST + 4, "others are padded");
    }
}
