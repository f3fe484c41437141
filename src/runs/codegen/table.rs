//! Counts of operations as text: one module broken down by loops, or several modules side by side.

use clap::ValueEnum as _;

use super::ops::{Counts, Section};
use crate::model::samples::distinct;
use crate::report::table::plain;

/// One module: the number of sites per row, in total and by the number of loops around them.
pub fn by_loops(counts: &Counts) -> String {
    let depths = 0..counts.depth() + 1;
    let loops = depths.clone().map(|depth| match depth {
        0 => "no loop".to_owned(),
        1 => "1 loop".to_owned(),
        depth => format!("{depth} loops"),
    });
    let headings: Vec<String> = ["places".to_owned()].into_iter().chain(loops).collect();
    sections(&[counts], &headings, |name| {
        let Some(row) = counts.row(name) else {
            return Vec::new();
        };
        let by_loops = depths
            .clone()
            .map(|depth| *row.by_loops.get(depth).unwrap_or(&0));
        let numbers = [row.sites].into_iter().chain(by_loops);
        numbers.map(|number| number.to_string()).collect()
    })
}

/// A table with row names grouped by section.
fn sections(all: &[&Counts], headings: &[String], cells: impl Fn(&str) -> Vec<String>) -> String {
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let mut rows = Vec::new();
    for &section in Section::value_variants() {
        let names = names(all, section);
        rows.extend((!names.is_empty()).then(|| vec![section.name().to_owned()]));
        rows.extend(names.into_iter().map(|name| {
            let mut row = vec![format!("  {name}")];
            row.extend(cells(name));
            row
        }));
    }
    plain(&[""], &headings, rows)
}

/// Row names of a section in all of the modules, in alphabetical order.
pub fn names<'a>(all: &[&'a Counts], section: Section) -> Vec<&'a str> {
    let rows = all.iter().flat_map(|counts| &counts.rows);
    let rows = rows.filter(|row| row.section == section);
    distinct(rows.map(|row| row.name.as_str()))
}

/// The number of sites and, if there are any, the largest number of loops around one of them.
pub fn cell(counts: &Counts, name: &str) -> String {
    match counts.row(name) {
        Some(row) => format!("{} ({})", row.sites, row.by_loops.len().saturating_sub(1)),
        None => "-".to_owned(),
    }
}

/// Several modules side by side: the number of sites per row and, in brackets, the largest number of loops around one.
pub fn beside(columns: &[(String, &Counts)]) -> String {
    let (titles, all): (Vec<String>, Vec<&Counts>) = columns.iter().cloned().unzip();
    sections(&all, &titles, |name| {
        all.iter().map(|counts| cell(counts, name)).collect()
    })
}
