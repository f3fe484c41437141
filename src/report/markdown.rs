//! `report.md`: a [`Report`] as Markdown with aligned columns, which also reads well as plain text.

use super::comparison::{MethodReport, RATIO_BASE, Report};
use super::errors::{ABOUT_ERRORS, ErrorRow, Errors, error_table};
use super::metrics::Metrics;
use super::table::{escaped, fact_table, list, or_nothing, section, table};
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
            &format!("{ABOUT_AGREEMENT}{}", agreement(report)),
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

const ABOUT_AGREEMENT: &str =
    "Differences of red, green, blue and transmittance before the background.\n\n";

fn agreement(report: &Report) -> String {
    let numbers = [
        "wave size",
        "max abs",
        "mean abs",
        "RMSE",
        "max ULP",
        "differing pixels",
        "NaN or infinite",
        "worst pixel",
        "FLIP",
    ];
    let rows = report.methods.iter().map(agreement_row);
    let reasons = report.methods.iter().filter_map(|method| {
        let reason = escaped(method.unavailable.as_deref()?);
        Some(format!("`{}` did not run: {reason}", method.method))
    });
    with_list(table(&["method"], &numbers, rows), reasons)
}

fn with_list(table: String, items: impl Iterator<Item = String>) -> String {
    match list(items).as_str() {
        "" => table,
        items => format!("{table}\n{items}"),
    }
}

fn approximate(report: &Report) -> String {
    let told = report.methods.iter().filter_map(|of| {
        Some(ErrorRow {
            name: format!("`{}`", of.title()),
            method: Method::by_name(&of.method).ok(),
            errors: Errors {
                picture: of.picture,
                ..of.errors?
            },
            time: of.total_ms,
            bytes: of.pixel_bytes,
            list_bytes: of.list_bytes,
        })
    });
    let table = error_table(told.collect());
    match table.as_str() {
        "" => table,
        _ => format!("{ABOUT_ERRORS}\n\n{table}"),
    }
}

fn agreement_row(method: &MethodReport) -> Vec<String> {
    let metric = |text: &dyn Fn(&Metrics) -> String| or_nothing(method.metrics.as_ref().map(text));
    let worst_pixel = method.metrics.as_ref().and_then(|of| of.worst_pixel);
    vec![
        format!("`{}`", method.title()),
        or_nothing(method.wave_size),
        metric(&|of| three_digits(of.max_abs)),
        metric(&|of| three_digits(of.mean_abs)),
        metric(&|of| three_digits(of.rmse)),
        metric(&|of| format!("{:.1}", of.max_ulp)),
        metric(&|of| grouped(of.differing_pixels)),
        metric(&|of| grouped(of.nan_count)),
        or_nothing(worst_pixel.map(|[x, y]| format!("{x}, {y}"))),
        or_nothing(method.flip_mean.map(three_digits)),
    ]
}

fn times(report: &Report) -> String {
    let loop_time = report.median(RATIO_BASE);
    let base = loop_time.map_or(&*report.reference, |_| RATIO_BASE);
    let (ratio, base) = (format!("ratio to {base}"), report.median(base));
    let columns = timing_columns(report);
    let numbers = [&columns[..], &[&*ratio, "with inputs, ms"]].concat();
    let ran = || report.methods.iter().filter(|of| of.unavailable.is_none());
    let rows = ran().map(|method| {
        let mut row = vec![format!("`{}`", method.title())];
        row.extend(timing_cells(method.time.summary()));
        let compared = method.drawing_part.is_none().then_some(method.time);
        let times = compared.and_then(|time| time.median()).zip(base);
        let ratio = times.map(|(time, base)| time / base);
        let ratio = ratio.filter(|ratio| ratio.is_finite());
        row.push(or_nothing(ratio.map(|ratio| format!("{ratio:.3}"))));
        row.push(or_nothing(method.total_ms.map(|ms| format!("{ms:.4}"))));
        row
    });
    let reasons = ran().filter_map(|method| {
        let reason = escaped(method.untimed.as_deref()?);
        Some(format!("`{}` has no time: {reason}", method.method))
    });
    let fewest = ran().filter_map(|method| Some(method.time.summary()?.n));
    let notes = reasons.chain(fewest.min().and_then(about_interval));
    with_list(table(&["method"], &numbers, rows), notes)
}

/// Explains the interval of a median, if the table has intervals. `fewest` is the smallest sample count of any row.
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
    let rows = report.passes.iter().map(|pass| {
        let mut row = vec![pass.pass.label().to_owned()];
        row.extend(timing_cells(pass.time.summary()));
        row
    });
    table(&["pass"], &timing_columns(report), rows)
}

fn timing_columns(report: &Report) -> [&'static str; 5] {
    let by_wall_clock = report.by_wall_clock;
    let unit = if by_wall_clock { "wall ms" } else { "GPU ms" };
    [unit, "interval", "min", "p95", "n"]
}

fn timing_cells(timing: Option<Summary>) -> [String; 5] {
    let ms = |ms: fn(Summary) -> f64| or_nothing(timing.map(|timing| format!("{:.4}", ms(timing))));
    let interval = timing.and_then(|timing| timing.interval);
    [
        ms(|timing| timing.median),
        or_nothing(interval.map(|[low, high]| format!("{low:.4} to {high:.4}"))),
        ms(|timing| timing.min),
        ms(|timing| timing.p95),
        or_nothing(timing.map(|timing| timing.n)),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::comparison::PassTime;
    use super::super::comparison::tests::example;
    use super::*;

    #[test]
    fn the_ratio_is_to_the_reference_where_the_loop_of_lane_reads_has_no_time() {
        let mut example = example();
        let with = report(&example);
        assert!(with.contains("ratio to read-lane-loop") && with.contains(" 0.450 "));
        example.methods.remove(1);
        let without = report(&example);
        assert!(without.contains("ratio to pixel-loop"), "{without}");
        // 1.0 ms divided by the reference's 0.9 ms.
        assert!(
            without.contains(" 1.111 ") && !without.contains(" 0.450 "),
            "{without}"
        );
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
}
