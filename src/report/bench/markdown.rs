//! `bench.md`: a record for readers. Touches nothing.

use super::format::{NOT_A_GPU, conditions};
use super::groups::{FramePasses, Group, TimedRow, groups, out_of_contest, ratio};
use super::map::{Map, Rivals, measured};
use super::record::{Record, Row, Work};
use crate::model::format::{four_digits, time, times};
use crate::model::methods::Method;
use crate::model::samples::Summary;
use crate::report::comparison::RATIO_BASE;
use crate::report::errors::{ABOUT_TOLD, Told, told_table};
use crate::report::table::{escaped, fact_table, list, or_nothing, section, table};

pub fn report(record: &Record) -> String {
    let groups = groups(record);
    let maps = maps(record, &groups);
    let warning = match record.adapter.is_cpu {
        true => format!("\n**{NOT_A_GPU}.**\n"),
        false => String::new(),
    };
    let of = |wanted: fn(&Work) -> bool| -> Vec<&Group> {
        groups.iter().filter(|group| wanted(group.work)).collect()
    };
    let lists = of(|work| matches!(work, Work::Lists { .. }));
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

/// A map for each cost and kind of lists that was measured.
fn maps(record: &Record, groups: &[Group<'_>]) -> Vec<Map> {
    let rivals = Rivals::usual(record);
    let maps = measured(groups).into_iter();
    maps.map(|what| Map::of(groups, what, rivals)).collect()
}

fn title(map: &Map) -> String {
    format!("{} {}", map.cost, map.kind)
}

/// The winner of each cell, in one table per map.
fn winners(record: &Record, maps: &[Map]) -> String {
    if maps.is_empty() {
        return String::new();
    }
    let about = out_of_contest(record).map_or(String::new(), |out| format!(" {out}"));
    let about = format!(
        "The fastest method at its best dial, by layers (down) and outputs (across); in brackets, \
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

/// The ratio of the two rivals in each cell, in one table per map.
fn crossovers(maps: &[Map]) -> String {
    let table = |map: &Map| {
        let name = map.rivals?.name();
        let cell = |column, row| Some(four_digits(map.cell(column, row)?.rivals?));
        let grid = grid(map, cell);
        Some(format!(
            "\n### {}\n\n{name}, medians at the best dial of each: below 1 the first is faster.\n\n{grid}",
            title(map)
        ))
    };
    maps.iter().filter_map(table).collect()
}

/// A table of the cells of a map: layers run down, outputs across.
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

/// The columns of numbers that all tables of times share, behind the runner.
const TIME_COLUMNS: [&str; 8] = [
    "wave",
    "median µs",
    "p5",
    "p95",
    "n",
    "to best",
    TO_BASE,
    "to floor",
];

/// The column of ratios to [`RATIO_BASE`].
const TO_BASE: &str = "to read-lane-loop";

fn time_cells(group: &Group<'_>, timed: &TimedRow<'_>) -> Vec<String> {
    let Summary {
        median, p5, p95, n, ..
    } = timed.spread;
    let base = Method::by_name(RATIO_BASE).ok();
    let base = base.and_then(|base| group.best_of(base));
    // A row without a method (the floor, a sort) does other work, so a ratio to a method would mean nothing.
    let of_method = |ratio: Option<f64>| or_nothing(timed.row.method.and(ratio).map(four_digits));
    vec![
        escaped(&timed.row.runner),
        or_nothing(timed.row.wave_size),
        four_digits(median),
        four_digits(p5),
        four_digits(p95),
        n.to_string(),
        of_method(group.ratio_to_best(timed)),
        of_method(base.and_then(|base| ratio(median, base.spread.median))),
        of_method(group.ratio_to_floor(timed)),
    ]
}

/// One table for each cost, kind and number of outputs: every method at its best dial.
fn synthetic(lists: &[&Group<'_>]) -> String {
    if lists.is_empty() {
        return String::new();
    }
    let mut sections: Vec<(String, Vec<(u32, &Group)>)> = Vec::new();
    for group in lists {
        let Work::Lists {
            outputs: [width, height],
            layers,
            cost,
            kind,
        } = group.work
        else {
            continue;
        };
        let title = format!("{width}x{height}, {cost} {kind}");
        match sections.iter_mut().find(|section| section.0 == title) {
            Some(section) => section.1.push((*layers, group)),
            None => sections.push((title, vec![(*layers, group)])),
        }
    }
    let mut text = format!(
        "Every method at its best dial; `bench.csv` has all dials. Ratios are of medians: \
        \"{TO_BASE}\" to that method at its best dial, \"to floor\" to the same layers' arithmetic alone.\n"
    );
    for (title, mut groups) in sections {
        groups.sort_by_key(|(layers, _)| *layers);
        text.push_str(&format!("\n### {title}\n\n{}", by_layers(&groups)));
    }
    text
}

fn by_layers(groups: &[(u32, &Group<'_>)]) -> String {
    let rows = groups.iter().flat_map(|(layers, group)| {
        let methods = group.methods().into_iter();
        methods
            .map(move |(_, timed)| [vec![layers.to_string()], time_cells(group, &timed)].concat())
    });
    table(&["layers", "runner"], &TIME_COLUMNS, rows)
}

/// One table for each case or scene with all runners, and one with the passes of its fastest frame.
fn named(groups: &[&Group<'_>]) -> String {
    let one = |group: &&Group| {
        let rows = group.timed.iter().map(|timed| time_cells(group, timed));
        let times = match group.timed.is_empty() {
            true => "Not timed.\n".to_owned(),
            false => table(&["runner"], &TIME_COLUMNS, rows),
        };
        let passes = group.frame().map_or(String::new(), |frame| passes(&frame));
        let work = escaped(&group.work.to_string());
        format!("\n### {work}\n\n{times}{passes}")
    };
    groups.iter().map(one).collect()
}

/// One table for each scene whose methods were told how they err.
fn errors(scenes: &[&Group<'_>]) -> String {
    let one = |group: &&Group| {
        let told = group.told().into_iter().filter_map(|(row, time)| {
            Some(Told {
                name: escaped(&row.runner),
                method: row.method,
                errors: row.errors?,
                time: time.map(|time| time * 1e-3),
                bytes: row.pixel_bytes,
                bound: row.bound,
            })
        });
        let table = told_table(told.collect());
        if table.is_empty() {
            return table;
        }
        let work = escaped(&group.work.to_string());
        format!("\n### {work}\n\n{table}")
    };
    let tables: String = scenes.iter().map(one).collect();
    match tables.as_str() {
        "" => tables,
        _ => format!("{ABOUT_TOLD}\n{tables}"),
    }
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
    let (runner, total) = (escaped(&frame.of.row.runner), time(total));
    let rows = table(&["pass"], &["median µs", "p5", "p95", "share"], rows);
    let labels = escaped(&frame.of.row.unchanged.join(", "));
    let unchanged = match labels.as_str() {
        "" => labels,
        _ => format!("\nNot redrawn, because no input had changed: {labels}.\n"),
    };
    format!("\nPasses with {runner}, {total} in all:\n\n{rows}{unchanged}")
}

fn facts(record: &Record) -> String {
    let rows = record.rows.iter().flat_map(|row| {
        row.facts.iter().map(|(name, value)| {
            let [work, runner] = names(row);
            vec![work, runner, escaped(name), four_digits(*value)]
        })
    });
    table(&["work", "runner", "figure"], &["value"], rows)
}

fn implausible(groups: &[Group<'_>]) -> String {
    let rows = groups.iter().flat_map(|group| &group.timed);
    list(rows.filter_map(|timed| {
        let why = timed.implausible?;
        let [work, runner] = names(timed.row);
        Some(format!("{work}: {runner}: {why}; not counted as the best"))
    }))
}

fn unsettled(groups: &[Group<'_>]) -> String {
    let rows = groups.iter().flat_map(|group| &group.timed);
    let rows = rows.filter(|timed| timed.row.settled == Some(false));
    list(rows.map(|timed| {
        let [work, runner] = names(timed.row);
        let Summary { p5, p95, n, .. } = timed.spread;
        let [p5, p95] = [p5, p95].map(four_digits);
        format!("{work}: {runner}: {p5} to {p95} µs in {n} rounds")
    }))
}

fn names(row: &Row) -> [String; 2] {
    [&row.work.to_string(), &row.runner].map(|text| escaped(text))
}

/// Every row that was not timed, with the reason.
fn skipped(groups: &[Group<'_>]) -> String {
    let skipped = groups.iter().flat_map(|group| &group.skipped);
    list(skipped.map(|row| {
        let reason = row.skipped.as_deref().unwrap_or("no reason given");
        let [work, runner] = names(row);
        format!("{work}: {runner}: {}", escaped(reason))
    }))
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{self, lists_row};
    use super::*;
    use crate::model::methods::PixelBytes;

    #[test]
    fn every_part_of_a_run_is_told() {
        let record = fixture::large_gpu();
        let text = report(&record);
        for part in [
            "NVIDIA H200",
            "wavelerp bench --quick",
            "### cheap particles",
            "### textured mixed",
            "wave-lerp-deferred : pixel-loop",
            "### 1920x1080, cheap particles",
            "### points",
            "### temple 1920x1080",
            "| surface",
            "list entries",
            "## Not timed",
        ] {
            assert!(text.contains(part), "{part} is missing");
        }
        assert!(!text.contains(NOT_A_GPU));
        for row in record.rows.iter().filter(|row| row.skipped.is_some()) {
            let line = format!("* {}: {}: ", row.work, row.runner);
            assert!(text.contains(&line), "{line} is missing");
        }
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
        let table = text.split("## Approximate methods").nth(1);
        let lines = table.unwrap_or_default().lines();
        let lines = lines.filter(|line| line.starts_with("| ")).skip(2).take(5);
        let cells = lines.map(|line| line.split('|').map(str::trim).collect());
        let cells: Vec<Vec<&str>> = cells.collect();
        let runners: Vec<&str> = cells.iter().map(|cells| cells[1]).collect();
        let expected = [
            "auto (pixel-loop)",
            "weighted paper8",
            "average",
            "peeling 64",
            "weighted paper7",
        ];
        assert_eq!(runners, expected);
        assert_eq!(cells[4][2..4], ["0.300", "1.50"]);
        // Projection and composite, without bloom; what took too long to time has errors all the same. Nothing has seams,
        // flicker or drawn bytes.
        assert_eq!(cells[4][9..], ["0.0250", "–", ""]);
        assert_eq!(cells[3][9..], ["–", "40", ""]);
        assert!(!report(&fixture::large_gpu()).contains("## Approximate methods"));
    }

    #[test]
    fn passes_that_were_not_drawn_are_named() {
        let mut record = fixture::large_gpu();
        assert!(!report(&record).contains("Not redrawn"));
        for row in &mut record.rows {
            row.unchanged = vec!["shadow".to_owned()];
        }
        assert!(report(&record).contains("had changed: shadow.\n"));
    }

    #[test]
    fn a_cpu_is_warned_of_at_the_top() {
        let mut record = fixture::large_gpu();
        record.adapter.is_cpu = true;
        let head: String = report(&record).lines().take(3).collect();
        assert!(head.contains(NOT_A_GPU));
    }

    #[test]
    fn ratios_are_to_the_best_and_to_the_read_lane_loop() {
        let mut record = fixture::with_rows(vec![
            lists_row([64, 64], 16, "pixel-loop", "", 10.0),
            lists_row([64, 64], 16, "read-lane-loop", "P=8", 40.0),
        ]);
        for (row, time) in record.rows.iter_mut().zip([10.0, 40.0]) {
            row.samples = vec![time; 9];
        }
        let text = report(&record);
        assert!(text.contains("pixel-loop (4.00x)"));
        let table = text.split("## Synthetic lists").nth(1).unwrap_or_default();
        let cells = |runner: &str| -> Vec<&str> {
            let line = table.lines().find(|line| line.contains(runner));
            let cells = line.unwrap_or_default().split('|').map(str::trim);
            cells.filter(|cell| !cell.is_empty()).collect()
        };
        let time = |time: &'static str| [time; 3];
        let expected = [
            &["16", "pixel-loop", "32"],
            &time("10.00")[..],
            &["9", "1.000", "0.2500", "–"],
        ];
        assert_eq!(cells("| pixel-loop"), expected.concat());
        let expected = [
            &["16", "read-lane-loop P=8", "32"],
            &time("40.00")[..],
            &["9", "4.000", "1.000", "–"],
        ];
        assert_eq!(cells("| read-lane-loop"), expected.concat());
    }

    #[test]
    fn an_empty_record_still_tells_its_conditions() {
        let text = report(&fixture::with_rows(Vec::new()));
        assert!(text.contains("## Conditions") && !text.contains("## Winners"));
    }
}
