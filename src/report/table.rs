//! Every table of text that the program writes: Markdown that also reads well as plain text, tables for a
//! terminal, sections and lists, and comma-separated values. Touches nothing.

use serde::Serialize;

use crate::error::{Error, Result, one_line};

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
    let mut rows = padded(text, numbers, rows, 3);
    if rows.len() == 1 {
        return String::new();
    }
    let rule = rows[0].iter().enumerate().map(|(column, heading)| {
        let last = if column < text.len() { "-" } else { ":" };
        "-".repeat(heading.chars().count() - 1) + last
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
    let rows = padded(text, numbers, rows, 0);
    let lines = rows.iter().map(|row| format!("  {}", row.join("  ")));
    let lines = lines.map(|line| line.trim_end().to_owned() + "\n");
    let is_bare = [text, numbers].concat().concat().is_empty();
    lines.skip(usize::from(is_bare)).collect()
}

/// The headings and the rows, each cell as wide as its column, which is at least `least` characters wide.
fn padded(
    text: &[&str],
    numbers: &[&str],
    rows: impl IntoIterator<Item = Vec<String>>,
    least: usize,
) -> Vec<Vec<String>> {
    let headings = [text, numbers].concat().into_iter().map(str::to_owned);
    let mut rows: Vec<Vec<String>> = [headings.collect()].into_iter().chain(rows).collect();
    let columns = rows[0].len();
    for column in 0..columns {
        // The last cell of a short row runs over what is to its right.
        let is_in = |row: &Vec<String>| row.len() == columns || column + 1 < row.len();
        let widths = rows.iter().filter(|row| is_in(row));
        let widths = widths.map(|row| row[column].chars().count());
        let width = widths.max().unwrap_or(0).clamp(least, WIDEST);
        for row in rows.iter_mut().filter(|row| is_in(row)) {
            let cell = &row[column];
            row[column] = match column < text.len() {
                true => format!("{cell:<width$}"),
                false => format!("{cell:>width$}"),
            };
        }
    }
    rows
}

/// Comma-separated values: the names of the fields, and a line for each item.
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
