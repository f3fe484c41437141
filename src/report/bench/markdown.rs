//! Writes `bench.md`, which presents a record as text.

use std::collections::BTreeMap;

use super::format::{NOT_A_GPU, conditions};
use super::groups::{FramePasses, Group, groups, not_compared, out_of_contest, ratio};
use super::map::{Map, maps};
use super::record::{Record, Row, Work};
use super::spreadsheet::{self, FOR_READERS, cells};
use crate::model::format::{four_digits, time, times};
use crate::model::samples::Summary;
use crate::report::errors::{ABOUT_ERRORS, ErrorRow, error_table};
use crate::report::table::{escaped, fact_table, list, or_nothing, section, table};

pub fn report(record: &Record) -> String {
    let groups = groups(record);
    let maps = maps(record, &groups);
    let warning = match record.adapter.is_cpu {
        true => format!("\n**{NOT_A_GPU}.**\n"),
        false => not_compared(record).map_or(String::new(), |not| format!("\n{not}\n")),
    };
    let of = |wanted: fn(&Work) -> bool| -> Vec<&Group> {
        groups.iter().filter(|group| wanted(group.work)).collect()
    };
    let lists = of(|work| matches!(work, Work::Lists(_)));
    let cases = of(|work| matches!(work, Work::Case { .. }));
    let scenes = of(|work| matches!(work, Work::Scene { .. }));
    [
        format!("# Benchmark\n{warning}"),
        section("Conditions", &fact_table("condition", &conditions(record))),
        section("Winners", &winners(record, &maps)),
        section("Crossover", crossovers(&maps).trim_start()),
        section("Synthetic lists", &synthetic(&lists)),
        section("Cases", named(&cases).trim_start()),
        section("Scenes", named(&scenes).trim_start()),
        section("Approximate methods", errors(&scenes).trim_start()),
        section("Other figures", &facts(record)),
        section("Implausible", &implausible(&groups)),
        section("Not settled", &unsettled(&groups)),
        section("Not timed", &skipped(&groups)),
    ]
    .concat()
}

fn title(map: &Map) -> String {
    format!("{} {}", map.cost, map.kind)
}

fn winners(record: &Record, maps: &[Map]) -> String {
    if maps.is_empty() {
        return String::new();
    }
    let about = out_of_contest(record).map_or(String::new(), |out| format!(" {out}"));
    let about = format!(
        "The fastest method at its best dial, by layers (down) and outputs (across). In brackets: \
        the best other method's median relative to it.{about}\n"
    );
    let table = |map: &Map| {
        let cell = |column, row| {
            let cell = map.cell(column, row)?;
            let Some(winner) = &cell.winner else {
                return Some("not timed".to_owned());
            };
            let second = winner
                .second
                .map(|(_, ratio)| format!(" ({})", times(ratio)));
            Some(escaped(&winner.runner) + &second.unwrap_or_default())
        };
        format!("\n### {}\n\n{}", title(map), grid(map, cell))
    };
    about + &maps.iter().map(table).collect::<String>()
}

fn crossovers(maps: &[Map]) -> String {
    let table = |map: &Map| {
        let name = map.rivals?.name();
        let cell = |column, row| Some(four_digits(map.cell(column, row)?.rivals?));
        let grid = grid(map, cell);
        Some(format!(
            "\n### {}\n\n{name}, ratio of medians, each at its best dial. Below 1, the first method is faster.\n\n{grid}",
            title(map)
        ))
    };
    maps.iter().filter_map(table).collect()
}

/// A table of a map's cells, with layers down and outputs across.
fn grid(map: &Map, cell: impl Fn(usize, usize) -> Option<String>) -> String {
    let outputs = map.outputs.iter().map(|[w, h]| format!("{w}x{h}"));
    let numbers: Vec<String> = ["layers".to_owned()].into_iter().chain(outputs).collect();
    let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
    let rows = map.layers.iter().enumerate().map(|(row, layers)| {
        let cells = (0..map.outputs.len()).map(|column| or_nothing(cell(column, row)));
        [layers.to_string()].into_iter().chain(cells).collect()
    });
    table(&[], &numbers, rows)
}

/// A table per cost, kind and number of outputs, with every method at its best dial.
fn synthetic(lists: &[&Group<'_>]) -> String {
    let mut sections = BTreeMap::<_, Vec<_>>::new();
    for group in lists {
        if let Some(of) = group.work.lists() {
            let section = sections.entry((of.cost, of.kind, of.outputs));
            let methods = group.methods();
            section.or_default().push((of.layers, group, methods));
        }
    }
    let mut tables = String::new();
    for ((cost, kind, [width, height]), mut groups) in sections {
        groups.sort_by_key(|(layers, ..)| *layers);
        let rows = groups.iter().flat_map(|(_, group, methods)| {
            let rows = methods.iter();
            rows.map(|(_, timed)| cells(group, timed.row, Some(timed)))
        });
        let columns = [&["layers"], FOR_READERS].concat();
        let table = spreadsheet::table(rows.collect()).markdown(&columns);
        tables += &format!("\n### {width}x{height}, {cost} {kind}\n\n{table}");
    }
    introduced(ABOUT_LISTS, tables)
}

const ABOUT_LISTS: &str = "Every method is at its best dial. `bench.csv` has all dials. Ratios compare medians. \
    \"to read-lane-loop\" is the ratio to that method at its best dial.\n";

fn introduced(about: &str, tables: String) -> String {
    match tables.as_str() {
        "" => tables,
        _ => format!("{about}{tables}"),
    }
}

/// Two tables per case or scene: all runners, and the passes of the fastest frame.
fn named(groups: &[&Group<'_>]) -> String {
    let one = |group: &&Group| {
        let rows = group.timed.iter();
        let rows = rows.map(|timed| cells(group, timed.row, Some(timed)));
        let times = match group.timed.is_empty() {
            true => "Not timed.\n".to_owned(),
            false => spreadsheet::table(rows.collect()).markdown(FOR_READERS),
        };
        let passes = group.frame().map_or(String::new(), |frame| passes(&frame));
        let work = escaped(&group.work.to_string());
        format!("\n### {work}\n\n{times}{passes}")
    };
    groups.iter().map(one).collect()
}

fn errors(scenes: &[&Group<'_>]) -> String {
    let one = |group: &&Group| {
        let told = group.told().into_iter().filter_map(|(row, time)| {
            Some(ErrorRow {
                name: escaped(&group.told_runner(row)),
                method: row.method,
                errors: row.errors?,
                time: time.map(|time| time * 1e-3),
                bytes: row.pixel_bytes,
                list_bytes: row.list_bytes,
            })
        });
        let table = error_table(told.collect());
        if table.is_empty() {
            return table;
        }
        let work = escaped(&group.work.to_string());
        format!("\n### {work}\n\n{table}")
    };
    introduced(
        &format!("{ABOUT_ERRORS}\n"),
        scenes.iter().map(one).collect(),
    )
}

fn passes(frame: &FramePasses<'_>) -> String {
    let total = frame.total();
    let rows = frame.passes.iter().map(|(label, spread)| {
        let share = ratio(100.0 * spread.median, total);
        vec![
            escaped(label),
            four_digits(spread.median),
            four_digits(spread.p5),
            four_digits(spread.p95),
            or_nothing(share.map(|share| format!("{share:.1} %"))),
        ]
    });
    let rows = table(&["pass"], &["median µs", "p5", "p95", "share"], rows);
    let (runner, total) = (escaped(&frame.of.row.runner), time(total));
    let labels = escaped(&frame.of.row.unchanged.join(", "));
    let unchanged = match labels.as_str() {
        "" => labels,
        _ => format!("\nNot redrawn, because no input had changed: {labels}.\n"),
    };
    format!("\nPasses with {runner}, {total} in total:\n\n{rows}{unchanged}")
}

fn facts(record: &Record) -> String {
    let rows = record.rows.iter().flat_map(|row| {
        row.facts.iter().map(|(name, value)| {
            let names = [&row.work.to_string(), &row.runner, name].map(|name| escaped(name));
            [&names[..], &[four_digits(*value)]].concat()
        })
    });
    table(&["work", "runner", "figure"], &["value"], rows)
}

fn rows<'a>(rows: impl Iterator<Item = (&'a Row, String)>) -> String {
    list(rows.map(|(row, what)| escaped(&format!("{}: {}: {what}", row.work, row.runner))))
}

fn implausible(groups: &[Group<'_>]) -> String {
    let timed = groups.iter().flat_map(|group| &group.timed);
    rows(timed.filter_map(|timed| {
        let why = timed.doubt()?;
        Some((timed.row, format!("{why}; not counted as the best")))
    }))
}

fn unsettled(groups: &[Group<'_>]) -> String {
    let timed = groups.iter().flat_map(|group| &group.timed);
    let timed = timed.filter(|timed| timed.row.settled == Some(false));
    rows(timed.map(|timed| {
        let Summary { p5, p95, n, .. } = timed.spread;
        let [p5, p95] = [p5, p95].map(four_digits);
        (timed.row, format!("{p5} to {p95} µs in {n} rounds"))
    }))
}

fn skipped(groups: &[Group<'_>]) -> String {
    let skipped = groups.iter().flat_map(|group| &group.skipped);
    rows(skipped.map(|row| {
        let reason = row.skipped.as_deref().unwrap_or("no reason given");
        (*row, reason.to_owned())
    }))
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{self, lists_row};
    use super::*;
    use crate::model::methods::PixelBytes;

    /// Cells of the rows of a section, without its heading row and rule.
    fn cells<'a>(text: &'a str, section: &str) -> Vec<Vec<&'a str>> {
        let part = text.split(section).nth(1).unwrap_or_default();
        let part = part.split("\n## ").next().unwrap_or_default();
        let lines = part.lines().filter(|line| line.starts_with("| ")).skip(2);
        let of = |line: &'a str| line.trim_matches('|').split('|').map(str::trim).collect();
        lines.map(of).collect()
    }

    #[test]
    fn errors_are_told_from_the_least_on_and_against_average() {
        let mut record = fixture::with_errors();
        let mut slow = record.rows[1].clone();
        slow.runner = "peeling 64".to_owned();
        slow.samples.clear();
        slow.pixel_bytes = Some(PixelBytes {
            state: 40,
            drawn: None,
        });
        record.rows.push(slow);
        let text = report(&record);
        let cells = cells(&text, "## Approximate methods");
        let runners: Vec<&str> = cells.iter().map(|cells| cells[0]).collect();
        let expected = "auto (pixel-loop), weighted paper8, average, peeling 64, weighted paper7";
        assert_eq!(runners, expected.split(", ").collect::<Vec<_>>());
        assert_eq!(cells[4][1..3], ["0.300", "1.50"]);
        // The row has projection and composite, but no bloom. A method too slow to time still has errors. No row has
        // seams, flicker or drawn bytes.
        assert_eq!(cells[4][8..], ["0.0250", "–"]);
        assert_eq!(cells[3][8..], ["–", "40"]);
        assert!(!report(&fixture::large_gpu()).contains("## Approximate methods"));
    }

    #[test]
    fn ratios_are_to_the_best_and_to_the_read_lane_loop() {
        let mut record = fixture::with_rows(vec![
            lists_row([64, 64], 16, "pixel-loop", 10.0),
            lists_row([64, 64], 16, "read-lane-loop P=8", 40.0),
        ]);
        for (row, time) in record.rows.iter_mut().zip([10.0, 40.0]) {
            row.samples = vec![time; 9];
        }
        let text = report(&record);
        assert!(text.contains("pixel-loop (4.00x)"));
        let expected = [
            "16 pixel-loop 32 10.00 10.00 10.00 9 1.000 0.2500",
            "16 read-lane-loop P=8 32 40.00 40.00 40.00 9 4.000 1.000",
        ];
        let cells = cells(&text, "## Synthetic lists");
        let lines: Vec<String> = cells.iter().map(|cells| cells.join(" ")).collect();
        assert_eq!(lines, expected);
    }
}
