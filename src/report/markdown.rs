//! `report.md`: a [`Report`] as Markdown that also reads well as plain text, its tables padded so that
//! columns line up. Touches nothing.

use super::comparison::{MethodReport, Report};
use super::errors::{ABOUT_TOLD, Told, told_table};
use super::metrics::Metrics;
use super::table::{Cell, Column, Table, escaped, fact_table, list, or_nothing, section, table};
use crate::model::format::{grouped, three_digits};
use crate::model::methods::Method;
use crate::model::samples::Summary;

pub fn report(report: &Report) -> String {
    let of = if report.by_wall_clock {
        "Wall-clock time"
    } else {
        "GPU time"
    };
    let sections = [
        "# Compositing methods compared\n".to_owned(),
        section("Settings", &fact_table("setting", &report.settings_rows)),
        section("Adapter", &fact_table("property", &report.adapter_rows)),
        section("Frame", &frame(report)),
        section(
            &format!("Agreement with `{}`", report.reference),
            &agreement(report),
        ),
        section("Approximate methods", &approximate(report)),
        section(&format!("{of} of the composite pass"), &times(report)),
        section(&format!("{of} of each pass"), &passes(report)),
        section("Notes", &list(report.notes.iter().map(|of| escaped(of)))),
    ];
    sections.concat()
}

fn frame(report: &Report) -> String {
    let frame = &report.frame;
    let mean = frame.mean_list.map(|mean| format!("{mean:.1}"));
    let most = frame.largest_radiance.map(|most| format!("{most:.4}"));
    let rows = [
        ("layers in a list, mean", mean),
        (
            "layers in the longest list",
            frame.longest_list.map(grouped),
        ),
        ("groups of the longest list", frame.groups.map(grouped)),
        ("largest layer radiance", most),
        ("layers dropped", Some(grouped(frame.layers_dropped))),
    ];
    let rows = rows.map(|(name, value)| vec![name.to_owned(), or_nothing(value)]);
    table(&["fact"], &["value"], rows)
}

fn metric(of: &MethodReport, value: fn(&Metrics) -> f64, digits: fn(f64) -> String) -> Cell {
    Cell::number(of.metrics.as_ref().map(value), digits)
}

fn count(of: &MethodReport, value: fn(&Metrics) -> u64) -> Cell {
    let count = of.metrics.as_ref().map(|of| value(of) as f64);
    Cell::number(count, |count| grouped(count as u64))
}

fn agreement(report: &Report) -> String {
    let columns: [Column<&MethodReport>; 10] = [
        ("method", "method", |of| Cell::Code(of.title())),
        ("wave_size", "wave size", |of| of.wave_size.into()),
        ("max_abs", "max abs", |of| {
            metric(of, |of| of.max_abs, three_digits)
        }),
        ("mean_abs", "mean abs", |of| {
            metric(of, |of| of.mean_abs, three_digits)
        }),
        ("rmse", "RMSE", |of| metric(of, |of| of.rmse, three_digits)),
        ("max_ulp", "max ULP", |of| {
            metric(of, |of| of.max_ulp, |ulp| format!("{ulp:.1}"))
        }),
        ("differing_pixels", "differing pixels", |of| {
            count(of, |of| of.differing_pixels)
        }),
        ("nan_count", "NaN or infinite", |of| {
            count(of, |of| of.nan_count)
        }),
        ("worst_pixel", "worst pixel", |of| {
            let worst = of.metrics.as_ref().and_then(|of| of.worst_pixel);
            worst.map(|[x, y]| format!("{x}, {y}")).into()
        }),
        ("flip_mean", "FLIP", |of| {
            Cell::number(of.flip_mean, three_digits)
        }),
    ];
    let reasons = report.methods.iter().filter_map(|method| {
        let reason = escaped(method.unavailable.as_deref()?);
        Some(format!("`{}` did not run: {reason}", method.method))
    });
    with_list(Table::new(&columns, &report.methods).markdown(), reasons)
}

/// A table, and below it a list if that has items.
fn with_list(table: String, items: impl Iterator<Item = String>) -> String {
    match list(items).as_str() {
        "" => table,
        items => format!("{table}\n{items}"),
    }
}

/// How those that approximate err.
fn approximate(report: &Report) -> String {
    let told = report.methods.iter().filter_map(|of| {
        Some(Told {
            name: format!("`{}`", of.title()),
            method: Method::by_name(&of.method).ok(),
            errors: of.errors?,
            time: of.total_ms,
            bytes: of.pixel_bytes,
            bound: of.bound,
        })
    });
    let table = told_table(told.collect());
    match table.as_str() {
        "" => table,
        _ => format!("{ABOUT_TOLD}\n\n{table}"),
    }
}

/// The time of a method or of a pass.
struct Timing {
    name: Cell,
    time: Option<Summary>,
    ratio: Option<f64>,
    with_inputs: Option<f64>,
}

impl Timing {
    /// The columns of a table whose first one has this heading.
    fn columns(report: &Report, first: &'static str) -> [Column<Self>; 6] {
        let by_wall_clock = report.by_wall_clock;
        let unit = if by_wall_clock { "wall ms" } else { "GPU ms" };
        [
            (first, first, |of| of.name.clone()),
            ("median", unit, |of| of.ms(|time| time.median)),
            ("interval", "interval", |of| {
                let interval = of.time.and_then(|time| time.interval);
                interval
                    .map(|[low, high]| format!("{low:.4} to {high:.4}"))
                    .into()
            }),
            ("min", "min", |of| of.ms(|time| time.min)),
            ("p95", "p95", |of| of.ms(|time| time.p95)),
            ("n", "n", |of| of.time.map(|time| time.n).into()),
        ]
    }

    fn ms(&self, of: fn(Summary) -> f64) -> Cell {
        Cell::number(self.time.map(of), four_places)
    }
}

fn four_places(value: f64) -> String {
    format!("{value:.4}")
}

fn times(report: &Report) -> String {
    let columns: [Column<Timing>; 2] = [
        ("ratio", RATIO, |of| {
            Cell::number(of.ratio, |ratio| format!("{ratio:.3}"))
        }),
        ("total_ms", "with inputs, ms", |of| {
            Cell::number(of.with_inputs, four_places)
        }),
    ];
    let columns = [&Timing::columns(report, "method")[..], &columns].concat();
    let ran = || report.methods.iter().filter(|of| of.unavailable.is_none());
    let rows = ran().map(|method| Timing {
        name: Cell::Code(method.title()),
        time: method.time.summary(),
        ratio: method.ratio_to_read_lane_loop,
        with_inputs: method.total_ms,
    });
    let reasons = ran().filter_map(|method| {
        let reason = escaped(method.untimed.as_deref()?);
        Some(format!("`{}` has no time: {reason}", method.method))
    });
    let fewest = ran().filter_map(|method| Some(method.time.summary()?.n));
    let notes = reasons.chain(fewest.min().and_then(about_interval));
    with_list(Table::new(&columns, rows).markdown(), notes)
}

/// The heading of ratios to [`RATIO_BASE`](super::comparison::RATIO_BASE).
const RATIO: &str = "ratio to read-lane-loop";

/// What the interval of a median says, where the table has one; `fewest` is the least number of times of a row.
fn about_interval(fewest: usize) -> Option<String> {
    let says = "*interval*: contains the median with a probability of 95 %";
    match fewest {
        0 | 1 => None,
        2..6 => {
            let sure = 100.0 * (1.0 - 0.5_f64.powi(fewest as i32 - 1));
            Some(format!("{says}; where n is {fewest}, {sure:.0} %"))
        }
        _ => Some(says.to_owned()),
    }
}

fn passes(report: &Report) -> String {
    let mut medians = report.passes.iter().map(|pass| pass.time.median());
    if medians.all(|median| median.is_none()) {
        return String::new();
    }
    let rows = report.passes.iter().map(|pass| Timing {
        name: pass.pass.label().into(),
        time: pass.time.summary(),
        ratio: None,
        with_inputs: None,
    });
    Table::new(&Timing::columns(report, "pass"), rows).markdown()
}

#[cfg(test)]
mod tests {
    use super::super::comparison::PassTime;
    use super::super::comparison::tests::example;
    use super::*;

    #[test]
    fn every_fact_is_told() {
        let text = report(&example());
        for fact in [
            "temple",
            "1280x720",
            "Some \\| adapter",
            "1,311",
            "3.58e-7",
            "41,235",
            "812, 403",
            "1.25e-5",
            "0.450",
            "| lists",
            "`wave-lerp-find-msb` did not run: this adapter has no SPIR-V passthrough",
            "* All methods ran at 1 pixel per wave.",
        ] {
            assert!(text.contains(fact), "{fact} is missing in\n{text}");
        }
    }

    #[test]
    fn what_has_no_time_says_why_and_takes_no_other_time_away() {
        let mut example = example();
        let with = report(&example);
        assert!(!with.contains("has no time") && with.contains("GPU time of each pass"));
        assert!(with.contains("with a probability of 95 %\n"), "{with}");
        example.methods[2].time = PassTime::default();
        example.methods[2].untimed = Some("the device was lost".to_owned());
        let without = report(&example);
        assert!(without.contains("`wave-lerp-product` has no time: the device was lost"));
        assert!(without.contains("2.0000"), "{without}");
        // Of methods that did not run another list says why.
        assert!(!without.contains("`wave-lerp-find-msb` has no time"));
    }

    #[test]
    fn few_times_say_how_few_and_the_wall_clock_is_no_gpu() {
        let mut example = example();
        example.methods[0].time = PassTime::of(&[1.0, 2.0, 3.0, 4.0, 5.0], false);
        let text = report(&example);
        assert!(text.contains("where n is 5, 94 %"), "{text}");
        assert!(text.contains("1.0000 to 5.0000"), "{text}");
        example.by_wall_clock = true;
        for method in &mut example.methods {
            method.time = PassTime::of(&[60.0], true);
        }
        let text = report(&example);
        assert!(text.contains("Wall-clock time of the composite pass"));
        assert!(
            text.contains("wall ms") && !text.contains("GPU ms"),
            "{text}"
        );
        assert!(!text.contains("*interval*"), "{text}");
    }

    #[test]
    fn hostile_text_breaks_no_table() {
        let mut example = example();
        example.settings_rows = vec![("scene".to_owned(), "a\n| b |\r\n<c>".to_owned())];
        let text = report(&example);
        assert!(text.contains("a \\| b \\| &lt;c>"), "{text}");
    }
}
