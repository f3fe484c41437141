//! The numbers as text: a CSV with all numbers of the driver, tables, and listings side by side.

use std::collections::BTreeSet;

use wavelerp::report::table;
use wavelerp::report::table::or_nothing;

use crate::executable::Executable;
use crate::kernels::Group;
use crate::listing::{KINDS, Listing, side_by_side};

/// The numbers that tables show: the name that the driver has for each, and its title.
const SHOWN: [(&str, &str); 9] = [
    ("VGPRs", "VGPRs"),
    ("SGPRs", "SGPRs"),
    ("Spilled VGPRs", "spilled"),
    ("LDS size", "LDS"),
    ("Subgroups per SIMD", "waves/SIMD"),
    ("Instructions", "instructions"),
    ("Latency", "latency"),
    ("Inverse Throughput", "inv. throughput"),
    ("Code size", "bytes"),
];
/// Numbers that identify a compilation and are no measurements.
const HASHES: [&str; 2] = ["Driver pipeline hash", "Hash"];

/// One compiled stage of a kernel at one wave size.
pub struct Row {
    /// The kernel's name, with the stage where there are two.
    pub name: String,
    pub group: Group,
    /// Whether the driver picks this wave size where none is asked for.
    pub is_default: bool,
    /// What the driver made of it.
    pub executable: Executable,
    pub listing: Listing,
}

impl Row {
    fn statistic(&self, name: &str) -> Option<u64> {
        let counted = (name == "Instructions").then(|| self.listing.instructions().count() as u64);
        self.executable.statistic(name).or(counted)
    }
}

/// All numbers of all rows; a number that a compiler does not give is empty.
pub fn csv(rows: &[Row]) -> String {
    let given = rows.iter().flat_map(|row| &row.executable.statistics);
    let names = given.map(|(name, _)| name.as_str()).chain(["Instructions"]);
    let names: BTreeSet<&str> = names.filter(|name| !HASHES.contains(name)).collect();
    let mut titles = vec!["kernel", "wave", "default"];
    titles.extend(&names);
    titles.extend(KINDS.map(|(title, _)| title));
    let mut text = titles.join(",") + "\n";
    for row in rows {
        let wave = row.executable.wave.to_string();
        let mut cells = vec![row.name.clone(), wave, row.is_default.to_string()];
        let numbers = names.iter().map(|name| row.statistic(name));
        cells.extend(numbers.map(|number| number.map_or(String::new(), |n| n.to_string())));
        cells.extend(row.listing.counts().map(|count| count.to_string()));
        text += &(cells.join(",") + "\n");
    }
    text
}

/// A Markdown table of a group: a line per kernel, numbers of its wave sizes joined by ` / `.
pub fn table(rows: &[Row], group: Group) -> String {
    let numbers = SHOWN.map(|(_, title)| title);
    let kinds = KINDS.map(|(title, _)| title);
    let group: Vec<&Row> = rows.iter().filter(|row| row.group == group).collect();
    let rows = group.chunk_by(|a, b| a.name == b.name).map(|sizes| {
        let mark = |row: &Row| if row.is_default { "*" } else { "" };
        let waves = sizes.iter();
        let waves = joined(waves.map(|row| format!("{}{}", row.executable.wave, mark(row))));
        let numbers = SHOWN.iter().map(|(name, _)| {
            let numbers = sizes.iter().map(|row| row.statistic(name));
            joined(numbers.map(|number| or_nothing(number.map(|number| number.to_string()))))
        });
        let counts = (0..KINDS.len()).map(|kind| {
            let counts = sizes.iter().map(|row| row.listing.counts()[kind]);
            joined(counts.map(|count| count.to_string()))
        });
        let head = [sizes[0].name.clone(), waves].into_iter();
        head.chain(numbers).chain(counts).collect()
    });
    table::table(&["kernel", "wave"], &[&numbers[..], &kinds].concat(), rows)
}

/// Joins the values of several wave sizes into one cell. Equal values are written once.
fn joined(values: impl Iterator<Item = String>) -> String {
    let mut values: Vec<String> = values.collect();
    if values.iter().all(|value| *value == values[0]) {
        values.truncate(1);
    }
    values.join(" / ")
}

/// The whole programs of the cores next to each other, in a section per group and wave size.
pub fn cores(rows: &[Row], title: &str) -> String {
    let mut text = format!("# Cores side by side: {title}\n");
    for group in Group::CORES {
        let of_group = || rows.iter().filter(|row| row.group == group);
        let sizes: BTreeSet<u32> = of_group().map(|row| row.executable.wave).collect();
        for wave in sizes.into_iter().rev() {
            let of_wave = of_group().filter(|row| row.executable.wave == wave);
            let columns: Vec<_> = of_wave
                .map(|row| (row.name.clone(), &row.listing))
                .collect();
            let (title, listings) = (group.title(), side_by_side(&columns));
            text += &format!("\n## {title}, wave {wave}\n\n```\n{listings}```\n");
        }
    }
    text
}

/// Where the generated part of a document begins and ends.
const MARKS: [&str; 2] = ["<!-- generated: begin -->\n", "<!-- generated: end -->\n"];

/// `document` with `section` instead of its generated part; `None` if it lacks the marks.
pub fn with_section(document: &str, section: &str) -> Option<String> {
    let (before, rest) = document.split_once(MARKS[0])?;
    let (_, after) = rest.split_once(MARKS[1])?;
    let [begin, end] = MARKS;
    Some(format!("{before}{begin}\n{section}\n{end}{after}"))
}

/// What [`with_section`] looks for, for messages.
pub fn marks() -> String {
    MARKS.map(str::trim_end).join(" and ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, wave: u32, vgprs: u64) -> Row {
        Row {
            name: name.to_owned(),
            group: Group::Methods,
            is_default: wave == 64,
            executable: Executable {
                name: String::new(),
                wave,
                statistics: vec![("VGPRs".to_owned(), vgprs), ("Hash".to_owned(), 5)],
                representations: Vec::new(),
            },
            listing: Listing::of("\tv_readlane_b32 s0, v0, 1\n\ts_endpgm\n"),
        }
    }

    #[test]
    fn a_line_per_kernel_joins_its_wave_sizes_and_marks_the_drivers_own() {
        let rows = [("a", 64, 8), ("a", 32, 16), ("b", 64, 4), ("b", 32, 4)];
        let rows = rows.map(|(name, wave, vgprs)| row(name, wave, vgprs));
        let text = table(&rows, Group::Methods);
        let cells = |line: &'_ str| line.split('|').map(|cell| cell.trim().to_owned()).collect();
        let lines: Vec<Vec<String>> = text.lines().map(cells).collect();
        assert_eq!(lines.len(), 4, "{text}");
        assert_eq!(lines[2][1..5], ["a", "64* / 32", "8 / 16", "–"], "{text}");
        assert_eq!(lines[3][1..5], ["b", "64* / 32", "4", "–"], "{text}");
        assert!(lines.iter().all(|line| line.len() == lines[0].len()));
    }

    #[test]
    fn the_csv_has_every_number_but_hashes_and_counts_instructions_itself_where_none_are_given() {
        let text = csv(&[row("a", 64, 8)]);
        let header = "kernel,wave,default,Instructions,VGPRs,dpp,permlane,readlane,readfirst,crossbar,s_msb,v_msb,rcp";
        assert_eq!(text, format!("{header}\na,64,true,2,8,0,0,1,0,0,0,0,0\n"));
    }

    #[test]
    fn the_generated_part_is_replaced_and_nothing_else() {
        let document = format!("before\n{}old\n{}after\n", MARKS[0], MARKS[1]);
        let new = with_section(&document, "new").expect("it has the marks");
        assert!(new.starts_with("before\n") && new.ends_with("after\n"));
        assert!(new.contains("\nnew\n") && !new.contains("old"));
        assert_eq!(with_section(&new, "new").as_ref(), Some(&new));
        assert_eq!(with_section("no marks", "new"), None);
    }
}
