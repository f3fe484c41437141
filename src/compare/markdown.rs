//! `report.md`: a [`Report`] as Markdown that also reads well as plain text, its tables padded so that
//! columns line up. Touches nothing.

use super::layout::{grouped, three_digits};
use super::metrics::Metrics;
use super::report::{LEAST_SAMPLES, MethodReport, RATIO_BASE, Report};
use super::samples::Summary;
use super::table::{escaped, fact_table, list, or_nothing, section, table};

/// Writes the whole report.
#[must_use]
pub fn report(report: &Report) -> String {
    let sections = [
        "# Compositing methods compared\n".to_owned(),
        section("Settings", &fact_table("setting", &report.settings_rows)),
        section("Adapter", &fact_table("property", &report.adapter_rows)),
        section("Frame", &frame(report)),
        section(
            &format!("Agreement with `{}`", report.reference),
            &agreement(report),
        ),
        section("GPU time of the composite pass", &times(report)),
        section("GPU time of each pass", &passes(report)),
        section(
            "Notes",
            &list(report.notes.iter().map(|note| escaped(note))),
        ),
    ];
    sections.concat()
}

fn frame(report: &Report) -> String {
    let frame = &report.frame;
    let rows = [
        ("layers in a list, mean", format!("{:.1}", frame.mean_list)),
        ("layers in the longest list", grouped(frame.longest_list)),
        ("groups of the longest list", grouped(frame.groups)),
        (
            "largest layer radiance",
            format!("{:.4}", frame.largest_radiance),
        ),
        ("layers dropped", grouped(frame.layers_dropped)),
    ];
    let rows = rows.map(|(name, value)| vec![name.to_owned(), value]);
    table(&["fact"], &["value"], rows)
}

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
    ];
    let rows = report.methods.iter().map(agreement_row);
    let mut text = table(&["method"], &numbers, rows);
    let reasons = report.methods.iter().filter_map(|method| {
        let reason = method.unavailable.as_deref()?;
        Some(format!(
            "`{}` did not run: {}",
            method.method,
            escaped(reason)
        ))
    });
    let reasons = list(reasons);
    if !reasons.is_empty() {
        text = format!("{text}\n{reasons}");
    }
    text
}

fn agreement_row(method: &MethodReport) -> Vec<String> {
    let metric = |text: &dyn Fn(&Metrics) -> String| or_nothing(method.metrics.as_ref().map(text));
    let worst_pixel = method.metrics.as_ref().and_then(|of| of.worst_pixel);
    vec![
        format!("`{}`", method.method),
        or_nothing(method.wave_size.map(|size| size.to_string())),
        metric(&|of| three_digits(of.max_abs)),
        metric(&|of| three_digits(of.mean_abs)),
        metric(&|of| three_digits(of.rmse)),
        metric(&|of| format!("{:.1}", of.max_ulp)),
        metric(&|of| grouped(of.differing_pixels)),
        metric(&|of| grouped(of.nan_count)),
        or_nothing(worst_pixel.map(|[x, y]| format!("{x}, {y}"))),
    ]
}

fn times(report: &Report) -> String {
    if report.methods.iter().all(|method| method.gpu_ms.is_none()) {
        return format!(
            "Not measured: that takes timestamps and at least {LEAST_SAMPLES} timed runs.\n"
        );
    }
    let ratio = format!("ratio to {RATIO_BASE}");
    let numbers = [&TIMING_COLUMNS[..], &[ratio.as_str()]].concat();
    let rows = report.methods.iter().map(|method| {
        let ratio = method
            .ratio_to_read_lane_loop
            .map(|ratio| format!("{ratio:.3}"));
        let mut row = vec![format!("`{}`", method.method)];
        row.extend(timing_cells(method.gpu_ms));
        row.push(or_nothing(ratio));
        row
    });
    table(&["method"], &numbers, rows)
}

fn passes(report: &Report) -> String {
    if report.passes.iter().all(|pass| pass.gpu_ms.is_none()) {
        return String::new();
    }
    let rows = report.passes.iter().map(|pass| {
        let mut row = vec![escaped(&pass.pass)];
        row.extend(timing_cells(pass.gpu_ms));
        row
    });
    table(&["pass"], &TIMING_COLUMNS, rows)
}

/// The headings of [`timing_cells`].
const TIMING_COLUMNS: [&str; 4] = ["median ms", "min ms", "p95 ms", "n"];

fn timing_cells(timing: Option<Summary>) -> [String; 4] {
    let ms = |ms: fn(Summary) -> f64| or_nothing(timing.map(|timing| format!("{:.4}", ms(timing))));
    [
        ms(|timing| timing.median),
        ms(|timing| timing.min),
        ms(|timing| timing.p95),
        or_nothing(timing.map(|timing| timing.n.to_string())),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::report::tests::example;
    use super::*;

    /// The tables of a text: each the lines that start with a bar.
    fn tables(text: &str) -> Vec<Vec<&str>> {
        let mut tables = vec![Vec::new()];
        for line in text.lines() {
            if line.starts_with('|') {
                if let Some(table) = tables.last_mut() {
                    table.push(line);
                }
            } else {
                tables.push(Vec::new());
            }
        }
        tables.retain(|table| !table.is_empty());
        tables
    }

    #[test]
    fn every_column_of_every_table_lines_up() {
        let text = report(&example());
        let bars = |line: &str| -> Vec<usize> {
            let letters: Vec<char> = line.chars().collect();
            let bar = |&i: &usize| letters[i] == '|' && (i == 0 || letters[i - 1] != '\\');
            (0..letters.len()).filter(bar).collect()
        };
        let tables = tables(&text);
        assert_eq!(tables.len(), 6);
        for table in tables {
            for line in &table {
                assert_eq!(bars(line), bars(table[0]), "{line}");
            }
        }
        assert_ne!(bars("| a | b |"), bars("| aa | b |"), "negative control");
    }

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
            "0.450",
            "tile lists",
            "`wave-lerp-find-msb` did not run: this adapter takes no SPIR-V as it is",
            "* All methods ran at 1 pixel per wave.",
        ] {
            assert!(text.contains(fact), "{fact} is missing in\n{text}");
        }
    }

    #[test]
    fn without_times_the_report_says_what_they_take() {
        let mut example = example();
        let with = report(&example);
        assert!(!with.contains("Not measured") && with.contains("time of each pass"));
        example
            .methods
            .iter_mut()
            .for_each(|method| method.gpu_ms = None);
        example
            .passes
            .iter_mut()
            .for_each(|pass| pass.gpu_ms = None);
        let without = report(&example);
        assert!(without.contains("Not measured") && !without.contains("time of each pass"));
    }

    #[test]
    fn hostile_text_breaks_no_table() {
        let mut example = example();
        example.settings_rows = vec![("scene".to_owned(), "a\n| b |\r\n<c>".to_owned())];
        let text = report(&example);
        assert!(text.contains("a \\| b \\| &lt;c>"), "{text}");
    }
}
