//! Counts of operations as text: one module by loops, or several modules side by side.

use std::fmt::Write;

use super::ops::{Counts, OperationCount, Section};

/// Characters of the column of names.
const NAME: usize = 36;

/// One module: for each row the places, the scalars, and the places by the number of loops around them.
pub fn by_loops(counts: &Counts) -> String {
    let depths = counts.depth() + 1;
    let mut text = format!("{:<NAME$}{:>7}{:>9}", "", "places", "scalars");
    for depth in 0..depths {
        let heading = match depth {
            0 => "no loop".to_owned(),
            1 => "1 loop".to_owned(),
            depth => format!("{depth} loops"),
        };
        let _ = write!(text, "{heading:>9}");
    }
    text.push('\n');
    for section in Section::ALL {
        let rows = counts.rows.iter().filter(|row| row.section == section);
        let rows: Vec<&OperationCount> = rows.collect();
        if !rows.is_empty() {
            let _ = writeln!(text, "{}", section.name());
        }
        for row in rows {
            let _ = write!(text, "  {:<34}{:>7}{:>9}", row.name, row.sites, row.scalars);
            for depth in 0..depths {
                let _ = write!(text, "{:>9}", row.by_loops.get(depth).unwrap_or(&0));
            }
            text.push('\n');
        }
    }
    text
}

/// Names of a section's rows that any of several modules has, in alphabetical order.
pub fn names<'a>(all: &[&'a Counts], section: Section) -> Vec<&'a str> {
    let rows = all.iter().flat_map(|counts| &counts.rows);
    let rows = rows.filter(|row| row.section == section);
    let mut names: Vec<&str> = rows.map(|row| row.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// A cell: places and, where there are any, the most loops around one of them.
pub fn cell(counts: &Counts, name: &str) -> String {
    match counts.row(name) {
        Some(row) => format!("{} ({})", row.sites, row.by_loops.len().saturating_sub(1)),
        None => "-".to_owned(),
    }
}

/// Several modules side by side: for each row the places, and in brackets the most loops around one of them.
pub fn beside(columns: &[(String, &Counts)]) -> String {
    let counts: Vec<&Counts> = columns.iter().map(|column| column.1).collect();
    let mut text = " ".repeat(NAME);
    for (title, _) in columns {
        let _ = write!(text, "  {title:>10}");
    }
    text.push('\n');
    for section in Section::ALL {
        let names = names(&counts, section);
        if !names.is_empty() {
            let _ = writeln!(text, "{}", section.name());
        }
        for name in names {
            let _ = write!(text, "  {name:<34}");
            for (title, counts) in columns {
                let width = title.chars().count().max(10);
                let _ = write!(text, "  {:>width$}", cell(counts, name));
            }
            text.push('\n');
        }
    }
    text
}
