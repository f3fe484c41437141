//! Times, ratios and conditions of a benchmark as text, for tables and charts.

use super::record::{Record, Row};

/// Warning next to all figures from a CPU adapter.
pub const NOT_A_GPU: &str = "not a GPU measurement: this adapter is a CPU";

/// Dial of a row, such as "8" or "P=32": the runner's name without the method. Often empty.
pub fn dial(row: &Row) -> &str {
    let name = row.method.map_or("", |method| method.name());
    row.runner.strip_prefix(name).unwrap_or("").trim()
}

/// Range of the known workload's times measured with the rows: "0.512 to 0.520 ns per turn of known work".
fn gpu_speed(record: &Record) -> String {
    let times = || record.rows.iter().filter_map(|row| row.gpu?.known_work);
    match (times().reduce(f64::min), times().reduce(f64::max)) {
        (Some(least), Some(most)) => {
            format!("{least:.3} to {most:.3} ns per turn of known work")
        }
        _ => "unknown".to_owned(),
    }
}

/// Name and value of all conditions that affect times, in display order.
pub fn conditions(record: &Record) -> Vec<(String, String)> {
    let adapter = &record.adapter;
    let checks = match record.unchecked_shaders {
        true => "without bounds and loop checks",
        false => "with bounds and loop checks",
    };
    let digest = record.shaders.as_deref().unwrap_or("not recorded");
    let rows = [
        ("adapter", adapter.name.clone()),
        ("driver", adapter.driver.clone()),
        ("back end", adapter.backend.clone()),
        ("wave size", adapter.waves()),
        ("clock", record.about_clock(ToString::to_string)),
        ("GPU speed", gpu_speed(record)),
        ("shaders", checks.to_owned()),
        ("digest of the shaders", digest.to_owned()),
        ("timed passes per row", record.rounds.to_string()),
        ("date", record.date.clone()),
        ("program", record.program.clone()),
        ("commit", record.git.clone()),
        ("command", record.command.clone()),
    ];
    let rows = rows.map(|(name, value)| (name.to_owned(), value));
    rows.into_iter()
        .chain(record.notes.iter().cloned())
        .collect()
}

/// The conditions in one line, for charts and the window.
pub fn caption(record: &Record) -> String {
    let adapter = &record.adapter;
    let checks = if record.unchecked_shaders { "un" } else { "" };
    format!(
        "{} · driver {} · {} · wave {} · {} rounds · {checks}checked shaders · {}",
        adapter.name,
        adapter.driver,
        adapter.backend,
        adapter.waves(),
        record.rounds,
        record.date
    )
}
