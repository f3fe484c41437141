//! `wavelerp bench`: output, errors and conclusions.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Desk, items, words};
use crate::harness::says;
use crate::splats::fixture;
use wavelerp::report::bench::charts::charts;
use wavelerp::report::bench::groups::groups;
use wavelerp::report::bench::markdown::report;
use wavelerp::report::bench::record::Record;

/// Flags of a benchmark of a single cell, which takes a moment on a CPU.
const CELL: &str = "bench --quiet --parts sweep --outputs 16x16 --layers 8 --cost cheap --kind particles \
                    --methods pixel-loop,wave-tree --pixels-per-wave 8";

/// Multiplies all samples of a method in a record.
pub fn scale(record: &mut Value, method: &str, factor: f64) {
    let rows = record["rows"].as_array_mut().expect("rows");
    let of_method = rows.iter_mut().filter(|row| row["method"] == method);
    for row in of_method {
        for sample in row["samples"].as_array_mut().expect("samples") {
            *sample = Value::from(sample.as_f64().expect("a number") * factor);
        }
    }
}

#[test]
fn a_run_is_written_with_all_that_tells_runs_apart_and_every_sample() {
    let desk = Desk::new();
    let line = format!("{CELL} --rounds 4 --out b");
    let run = desk.run(&line).good();
    run.prints("bench.json | bench.csv | bench.md");
    assert!(!desk.read("b/bench.md").is_empty());
    let names = desk.names("b");
    // `ratios.svg` is not expected: on a busy machine no time may be plausible, so there may be no best method.
    for file in words("index.html map-cheap-particles.svg layers-cheap-particles.svg") {
        assert!(names.contains(file), "{names:?}");
    }
    let record = desk.json("b/bench.json");
    for key in words("schema program git shaders unchecked_shaders date command rounds") {
        assert!(!record[key].is_null(), "{key}: {record}");
    }
    for key in words("name driver wave_min wave_max") {
        assert!(!record["adapter"][key].is_null(), "{key}");
    }
    let runners: Vec<&str> = items(&record["rows"])
        .iter()
        .inspect(|row| assert_eq!(items(&row["samples"]).len(), 4, "{row}"))
        .filter_map(|row| row["runner"].as_str())
        .collect();
    assert_eq!(runners.len(), 2, "{runners:?}");
    says(desk.text("b/bench.csv"), "wave-tree | pixel-loop");
    where_little_of_the_gpu_can_draw_a_drawn_row_is_timed_and_not_compared(record);
}

fn where_little_of_the_gpu_can_draw_a_drawn_row_is_timed_and_not_compared(mut record: Value) {
    let rows = record["rows"].as_array_mut().expect("rows");
    for (row, (method, time)) in rows
        .iter_mut()
        .zip([("fixed-function", 1.0), ("pixel-loop", 2.0)])
    {
        (row["method"], row["runner"]) = (method.into(), method.into());
        (row["samples"], row["passes_to_wall"]) = ([time; 4].into(), 1.0.into());
    }
    record["adapter"]["is_cpu"] = false.into();
    let mut told = |name: &str| {
        record["adapter"]["name"] = name.into();
        let record: Record = serde_json::from_value(record.clone()).expect("a record");
        let best = groups(&record)[0]
            .best()
            .expect("a best")
            .row
            .runner
            .clone();
        let marks = report(&record).matches("fixed-function (2 of ").count();
        let charts = charts(&record);
        let drawn = charts
            .iter()
            .filter(|chart| chart.svg.contains("fixed-function: "));
        (best, marks, drawn.count() > 0)
    };
    for few in ["NVIDIA H200", "NVIDIA H100 PCIe"] {
        assert_eq!(told(few), ("pixel-loop".to_owned(), 1, false), "{few}");
    }
    let all = told("NVIDIA GeForce RTX 4090");
    assert_eq!(all, ("fixed-function".to_owned(), 0, true), "the control");
}

#[cfg(unix)]
#[test]
fn a_record_that_the_disk_does_not_take_is_printed() {
    let desk = Desk::new();
    // Files beyond 512 bytes cannot be written, as on a full disk; a pipe is not a file.
    let script = "ulimit -f 1; trap '' XFSZ; exec \"$0\" \"$@\"";
    let run = desk.run_in_shell(script, &format!("{CELL} --rounds 2 --out b"));
    assert_eq!((run.code, run.stderr.lines().count()), (2, 1), "{run}");
    run.warns("standard output");
    assert_eq!(items(&run.json()["rows"]).len(), 2, "{run}");
    assert!(desk.everything().is_empty(), "{run}");
}

#[test]
fn timestamps_that_do_not_enclose_the_work_are_refused_where_they_are_asked_for() {
    let desk = Desk::new();
    let seen = "--clock timestamps | the work took | --clock auto";
    desk.refuses(&CELL.replace("--quiet", "--clock timestamps"), 3, seen);
    desk.refuses("capture --clock timestamps", 3, seen);
}

#[test]
fn a_run_names_its_clock_and_is_compared_with_runs_of_the_same_clock_alone() {
    let desk = Desk::new();
    let line = format!("{CELL} --rounds 2");
    desk.run(&format!("{line} --out a")).good();
    let mut record = desk.json("a/bench.json");
    assert_eq!(record["clock"]["source"], "wall");
    let reason = record["clock"]["reason"].as_str().unwrap_or_default();
    says(reason, "timestamps cannot time passes here");
    record["clock"]["source"] = Value::from("timestamps");
    desk.write("other.json", record.to_string());
    let why = "clock: GPU timestamps then, wall clock now";
    let line = line.replace(" --quiet", "");
    desk.refuses(&format!("{line} --out b --compare other.json"), 2, why);
    // The record gives the requested clock as the reason.
    desk.run(&format!("{line} --clock wall --out b")).good();
    let record = desk.json("b/bench.json");
    assert_eq!(record["clock"]["reason"], "asked for with --clock wall");
}

#[test]
fn what_became_slower_is_named_with_exit_code_1_and_what_became_faster_is_not() {
    let desk = Desk::new();
    let line = format!("{CELL} --rounds 9");
    desk.run(&format!("{line} --out old")).good();
    let measured = desk.json("old/bench.json");
    // The factors are so large that the verdict is clear even if other tests occupy the cores.
    for (factor, code) in [(1e-4, 1), (1e4, 0)] {
        let mut old = measured.clone();
        scale(&mut old, "wave-tree", factor);
        scale(&mut old, "pixel-loop", 1e4);
        desk.write("old.json", old.to_string());
        let run = desk.run(&format!("{line} --out new --compare old.json"));
        assert_eq!(run.code, code, "{run}");
        assert_eq!(run.stderr.contains("wave-tree"), code == 1, "{run}");
        assert!(!run.stderr.contains("pixel-loop"), "{run}");
        let [new, kept] = ["new", &format!("new-{code}")].map(|name| desk.path(name));
        assert!(new.join("bench.json").exists(), "the run is kept: {run}");
        std::fs::rename(new, kept).expect("a new name");
    }
}

#[test]
fn an_earlier_run_is_replaced_only_with_force() {
    let desk = Desk::new();
    let line = format!("{CELL} --rounds 2");
    // Without a name, each run has its own folder.
    for number in ["0001", "0002"] {
        let run = desk.run(&line).good();
        run.prints(format!("bench/{number}-run/bench.json"));
    }
    std::fs::rename(desk.path("bench/0001-run"), desk.path("a")).expect("a new name");
    desk.write("a/map-textured-fog.svg", "of an older run");
    desk.write("a/notes.md", "mine");
    // The run is refused before any work, even before the adapter is opened.
    let quiet = line.replace(" --quiet", " --adapter nothing");
    desk.refuses(&format!("{quiet} --out a"), 2, "--out a | --force");
    // Negative control: with another folder the run gets as far as the adapter.
    desk.refuses(&format!("{quiet} --out b"), 3, "nothing");
    let before = desk.read("a/bench.json");
    desk.run(&format!("{line} --out a --force")).good();
    assert_ne!(desk.read("a/bench.json"), before);
    let names = desk.names("a");
    assert!(names.contains("notes.md"), "{names:?}");
    let is_old = |name: &String| name.contains("-fog.");
    assert!(!names.iter().any(is_old), "{names:?}");
}

#[test]
fn what_cannot_be_timed_or_compared_is_refused_before_anything_is_written() {
    let desk = Desk::new();
    desk.write("broken.json", "{\"schema\": 1");
    desk.write("newer.json", "{\"schema\": 4000000000}");
    desk.refuses_all(
        r#"
bench --quick --layers 0 | --layers 0 | 65536
bench --quick --tile 9 | --tile 9 | 8 or 16
bench --quick --pixels-per-wave 3 | --pixels-per-wave 3 | power of two
bench --quick --rounds 0 | --rounds 0 | at least 1
bench --quick --methods wave-three | wave-three | wave-tree
bench --quick --scenes no-such | no-such | nearest
bench --quick --cases nobody | nobody | points
bench --quick --parts sweep --file statue | --file | case `splats`
bench --quick --file two | --file | no Gaussians to time
bench --quick --file no-such.ply | --file | no-such.ply
bench --quick no-such.ply | no-such.ply | No such file
bench --quick --compare missing.json | missing.json | cannot
bench --quick --compare broken.json | broken.json | line 1
bench --quick --compare newer.json | newer.json | schema
"#,
    );
}

#[test]
fn a_file_of_splats_is_timed_by_all_methods_and_from_projection_to_picture() {
    let desk = Desk::new();
    let file = fixture("inria-1.ply");
    let flags = "--methods pixel-loop --size 32x18 --rounds 1 --quiet --out a";
    desk.run(&format!("bench {} {flags}", file.display()))
        .good();
    let record = desk.json("a/bench.json");
    let works: BTreeSet<String> = items(&record["rows"])
        .iter()
        .map(|row| format!("{} {}", row["work"], row["runner"]))
        .collect();
    assert_eq!(works.len(), 2, "{works:?}");
    for words in [
        ["\"case\"", "tile 8"],
        ["\"scene\"", "pixel-loop"],
        ["splats inria-1.ply", "tile"],
    ] {
        let is_it = |work: &String| words.iter().all(|word| work.contains(word));
        assert!(works.iter().any(is_it), "{words:?}: {works:?}");
    }
}

#[test]
fn approximate_methods_are_timed_with_weighted_at_its_best_and_auto_that_stops_early() {
    let desk = Desk::new();
    let flags = "--size 24x14 --methods weighted --rounds 1 --quiet --out a";
    desk.run(&format!("bench --parts oit --scenes stack {flags}"))
        .good();
    let record = desk.json("a/bench.json");
    let rows = items(&record["rows"]).iter().map(|row| {
        let error = row["errors"]["picture"]["rmse"].as_f64();
        (
            row["runner"].as_str().unwrap_or_default(),
            error.unwrap_or(f64::NAN),
        )
    });
    let rows: Vec<(&str, f64)> = rows.collect();
    let of = |start: &str| {
        let mut found = rows.iter().filter(|(name, _)| name.starts_with(start));
        match (found.next(), found.next()) {
            (Some((_, error)), None) => *error,
            _ => panic!("one {start}: {rows:?}"),
        }
    };
    let first = |start: &str| {
        let row = rows.iter().find(|(runner, _)| runner.starts_with(start));
        row.unwrap_or_else(|| panic!("{start}: {rows:?}")).1
    };
    let [usual, best] = ["weighted paper7,", "weighted paper7 x"].map(first);
    assert!(best < 0.95 * usual, "{rows:?}");
    // A pixel stops when little light remains; with many threads per pixel it never stops.
    let [all, early] = [of("auto ("), of("auto T<0.003921569 (")];
    assert!(all < 1e-5 && early < 0.01, "{rows:?}");
}
