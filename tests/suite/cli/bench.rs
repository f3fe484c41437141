//! `wavelerp bench` and `wavelerp calibrate`: what they write, refuse and conclude.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{BINARY, Desk, Run, items};

/// A cell that takes a moment on a CPU.
const CELL: &str = "bench --quiet --parts sweep --outputs 16x16 --layers 8 --cost cheap --kind particles \
                    --methods pixel-loop,wave-tree --pixels-per-wave 8";

fn json_of(desk: &Desk, name: &str) -> Value {
    serde_json::from_slice(&desk.read(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Multiplies all samples of a method in a record.
fn scale(record: &mut Value, method: &str, factor: f64) {
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
    let run = desk
        .run(&format!("{CELL} --rounds 4 --floor --out b"))
        .good();
    for name in ["bench.json", "bench.csv", "bench.md"] {
        assert!(run.stdout.contains(name), "{name}: {run}");
        assert!(!desk.read(&format!("b/{name}")).is_empty(), "{name}");
    }
    let record = json_of(&desk, "b/bench.json");
    for key in [
        "schema",
        "program",
        "git",
        "shaders",
        "unchecked_shaders",
        "date",
        "command",
        "rounds",
    ] {
        assert!(!record[key].is_null(), "{key}: {record}");
    }
    for key in ["name", "driver", "wave_min", "wave_max"] {
        assert!(!record["adapter"][key].is_null(), "{key}");
    }
    let runners: Vec<&str> = items(&record["rows"])
        .iter()
        .inspect(|row| assert_eq!(items(&row["samples"]).len(), 4, "{row}"))
        .filter_map(|row| row["runner"].as_str())
        .collect();
    assert_eq!(runners.len(), 3, "two methods and the floor: {runners:?}");
    let table = String::from_utf8(desk.read("b/bench.csv")).expect("text");
    assert!(
        table.contains("wave-tree") && table.contains("floor"),
        "{table}"
    );
}

#[cfg(unix)]
#[test]
fn a_record_that_the_disk_does_not_take_is_printed() {
    let desk = Desk::new();
    // Files beyond 512 bytes cannot be written, as on a disk that is full; a pipe is no file.
    let script = "ulimit -f 1; trap '' XFSZ; exec \"$0\" \"$@\"";
    let line = format!("{CELL} --rounds 2 --out b");
    let mut shell = desk.command_of("sh");
    shell
        .args(["-c", script, BINARY])
        .args(line.split_whitespace());
    let run = Run::of(&line, &shell.output().expect("a shell starts"));
    assert_eq!((run.code, run.stderr.lines().count()), (2, 1), "{run}");
    assert!(run.stderr.contains("standard output"), "{run}");
    let record: Value = serde_json::from_str(&run.stdout).expect("the record");
    assert_eq!(items(&record["rows"]).len(), 2, "{run}");
    assert!(desk.everything().is_empty(), "{run}");
}

#[test]
fn timestamps_that_do_not_enclose_the_work_are_refused_where_they_are_asked_for() {
    let desk = Desk::new();
    let seen = ["--clock timestamps", "the work took", "--clock auto"];
    desk.refuses(&CELL.replace("--quiet", "--clock timestamps"), 3, &seen);
    desk.refuses("capture --clock timestamps", 3, &seen);
}

#[test]
fn a_run_names_its_clock_and_is_compared_with_runs_of_the_same_clock_alone() {
    let desk = Desk::new();
    let line = format!("{CELL} --rounds 2");
    desk.run(&format!("{line} --out a")).good();
    let mut record = json_of(&desk, "a/bench.json");
    assert_eq!(record["clock"]["source"], "wall");
    let reason = record["clock"]["reason"].as_str().unwrap_or_default();
    assert!(reason.contains("do not bracket compute work"), "{reason}");
    record["clock"]["source"] = Value::from("timestamps");
    desk.write("other.json", &record.to_string());
    let why = "clock: GPU timestamps then, wall clock now";
    let line = line.replace(" --quiet", "");
    desk.refuses(&format!("{line} --out b --compare other.json"), 2, &[why]);
    // What was asked for is the reason.
    desk.run(&format!("{line} --clock wall --out b")).good();
    let record = json_of(&desk, "b/bench.json");
    assert_eq!(record["clock"]["reason"], "asked for with --clock wall");
}

#[test]
fn what_became_slower_is_named_with_exit_code_1_and_what_became_faster_is_not() {
    let desk = Desk::new();
    let line = format!("{CELL} --rounds 9");
    desk.run(&format!("{line} --out old")).good();
    let measured = json_of(&desk, "old/bench.json");
    // So far apart that no other test, which has the cores meanwhile, makes it unclear.
    for (factor, code) in [(1e-4, 1), (1e4, 0)] {
        let mut old = measured.clone();
        scale(&mut old, "wave-tree", factor);
        scale(&mut old, "pixel-loop", 1e4);
        desk.write("old.json", &old.to_string());
        let run = desk.run(&format!("{line} --out new --compare old.json"));
        assert_eq!(run.code, code, "{run}");
        assert_eq!(run.stderr.contains("wave-tree"), code == 1, "{run}");
        assert!(!run.stderr.contains("pixel-loop"), "{run}");
        assert!(
            desk.names("new").contains("bench.json"),
            "the run is kept: {run}"
        );
        std::fs::rename(desk.path("new"), desk.path(&format!("new-{code}"))).expect("a new name");
    }
}

#[test]
fn an_earlier_run_is_replaced_only_with_force_and_never_while_it_is_compared_with() {
    let desk = Desk::new();
    let line = format!("{CELL} --rounds 2");
    // Without a name, each run has a folder of its own.
    for number in ["0001", "0002"] {
        let run = desk.run(&line).good();
        let record = format!("bench/{number}-run/bench.json");
        assert!(run.stdout.contains(&record), "{run}");
    }
    std::fs::rename(desk.path("bench/0001-run"), desk.path("a")).expect("a new name");
    desk.write("a/map-cheap-fog.png", "of an older version");
    desk.write("a/map-textured-fog.svg", "of an older run");
    desk.write("a/notes.md", "mine");
    // Refused before any work, which the adapter stands for.
    let quiet = line.replace(" --quiet", " --adapter nothing");
    desk.refuses(&format!("{quiet} --out a"), 2, &["--out a", "--force"]);
    let compared = format!("{quiet} --compare a/bench.json");
    let seen = ["--compare a/bench.json", "would overwrite", "--out"];
    desk.refuses(&format!("{compared} --out ./a/ --force"), 2, &seen);
    // Negative control: into another folder it gets as far as the adapter.
    desk.refuses(&format!("{compared} --out b"), 3, &["nothing"]);
    let before = desk.read("a/bench.json");
    desk.run(&format!("{line} --out a --force")).good();
    assert_ne!(desk.read("a/bench.json"), before);
    let names = desk.names("a");
    assert!(
        names.contains("notes.md")
            && names
                .iter()
                .all(|name| !name.ends_with("-fog.png") && !name.ends_with("-fog.svg")),
        "{names:?}"
    );
}

#[test]
fn what_cannot_be_timed_or_compared_is_refused_before_anything_is_written() {
    let desk = Desk::new();
    desk.write("broken.json", "{\"schema\": 1");
    desk.write("newer.json", "{\"schema\": 4000000000}");
    for (flags, fragments) in [
        ("--layers 0", ["--layers 0", "65536"]),
        ("--tile 9", ["--tile 9", "8 or 16"]),
        (
            "--pixels-per-wave 3",
            ["--pixels-per-wave 3", "power of two"],
        ),
        ("--rounds 0", ["--rounds 0", "at least 1"]),
        ("--slow wave-tree", ["METHOD=FACTOR", "wave-tree=1.1"]),
        ("--slow wave-tree=0.5", ["0.5", "1 to 10"]),
        ("--slow wave-three=1.1", ["wave-three", "wave-tree"]),
        ("--methods wave-three", ["wave-three", "wave-tree"]),
        ("--scenes no-such", ["no-such", "nearest"]),
        ("--cases nobody", ["nobody", "points"]),
        ("--parts sweep --file statue", ["--file", "case `splats`"]),
        ("--file two", ["--file", "no Gaussians to time"]),
        ("--file no-such.ply", ["--file", "no-such.ply"]),
        ("no-such.ply", ["no-such.ply", "No such file"]),
        ("--compare missing.json", ["missing.json", "cannot"]),
        ("--compare broken.json", ["broken.json", "line 1"]),
        ("--compare newer.json", ["newer.json", "schema"]),
        ("--calibration missing.json", ["missing.json", "calibrat"]),
    ] {
        desk.refuses(&format!("bench --quick {flags}"), 2, &fragments);
    }
}

#[test]
fn a_file_of_splats_is_timed_by_all_methods_and_from_projection_to_picture_listed_in_both_ways() {
    let desk = Desk::new();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/splats/inria-1.ply");
    desk.run(&format!(
        "bench {file} --methods pixel-loop --size 32x18 --rounds 1 --quiet --out a"
    ))
    .good();
    let record = json_of(&desk, "a/bench.json");
    let works: BTreeSet<String> = items(&record["rows"])
        .iter()
        .map(|row| format!("{} {}", row["work"], row["runner"]))
        .collect();
    let has = |words: [&str; 2]| {
        works
            .iter()
            .any(|work| words.iter().all(|word| work.contains(word)))
    };
    assert!(
        has(["\"case\"", "cull ellipse"]) && has(["\"case\"", "cull box"]),
        "{works:?}"
    );
    assert!(
        has(["\"scene\"", "pixel-loop"]) && works.len() == 3,
        "{works:?}"
    );
    assert!(has(["splats inria-1.ply", "cull"]), "{works:?}");
}

#[test]
fn a_calibration_is_used_on_its_own_adapter_and_refused_on_another() {
    let desk = Desk::new();
    let run = desk.run("calibrate --frames --quiet --out c.json").good();
    assert!(
        run.stdout.contains("measured in") && run.stdout.contains("c.json"),
        "{run}"
    );
    let mut calibration = json_of(&desk, "c.json");
    let points = items(&calibration["maps"][0]["points"]);
    // On a busy machine a frame may take too long by every candidate.
    let timed = points
        .iter()
        .filter(|point| items(&point["times"]).len() > 5);
    assert!(timed.count() + 1 >= points.len(), "{points:?}");

    let capture = "capture --quiet --methods auto --size 48x32 --particles 200";
    desk.run(&format!("{capture} --calibration c.json --out with"))
        .good();
    let report = String::from_utf8(desk.read("with/report.md")).expect("text");
    assert!(report.contains("predicted"), "by the calibration: {report}");
    desk.run(&format!("{capture} --out without")).good();
    let report = String::from_utf8(desk.read("without/report.md")).expect("text");
    assert!(
        !report.contains("predicted"),
        "by the built-in rule: {report}"
    );

    calibration["adapter"]["name"] = Value::from("Another GPU");
    desk.write("other.json", &calibration.to_string());
    for command in [format!("{capture} --out o"), format!("{CELL} --out o")] {
        let line = format!("{command} --calibration other.json");
        desk.refuses(
            &line.replace(" --quiet", ""),
            2,
            &["other.json", "Another GPU"],
        );
    }
}
