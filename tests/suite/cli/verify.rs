//! `wavelerp verify`: tables, planted faults, and the user's own values.

use std::sync::LazyLock;

use serde_json::Value;

use super::{Desk, Run, items, keys, words};
use crate::harness::says;
use wavelerp::model::methods::Method;
use wavelerp::runs::verify::library::table::TABLE;

/// What `verify` prints and what it writes, of one run that several tests look at.
static ALL: LazyLock<(Run, Value)> = LazyLock::new(|| {
    let desk = Desk::new();
    let run = desk.run("verify --quiet --json v.json").good();
    (run, desk.json("v.json"))
});

#[test]
fn every_method_passes_every_check_and_the_driver_is_described() {
    let run = &ALL.0;
    assert_eq!(run.stderr, "", "{run}");
    run.prints("Table 1 | Table 2 | Table 3 | checks passed");
    run.prints("exclusive product survives a zero | flushes denormals");
    assert!(!run.stdout.contains("FAILED"), "{run}");
    for method in Method::exact() {
        run.prints(method.name());
    }
}

#[test]
fn the_json_holds_every_check() {
    let json = &ALL.1;
    let top =
        "adapter shaders hazard options passed fault caught_by checks unavailable facts library";
    assert_eq!(keys(json), words(top));
    assert_eq!(json["passed"], true);
    assert_eq!(json["fault"], Value::Null);
    let check = "method wave_size list layers max_abs of_bound max_ulp nan_count from_exact passed";
    let checks = items(&json["checks"]);
    assert!(checks.iter().all(|each| keys(each) == words(check)));
    // The lengths around one and several waves, for every method.
    let wave = json["adapter"]["wave_max"].as_u64().unwrap_or_default();
    for layers in [0, 1, wave - 1, wave, wave + 1, 3 * wave + 5, 1000] {
        let of_length = checks.iter().filter(|check| check["layers"] == layers);
        assert!(of_length.count() >= 7, "{layers}");
    }
    let intrinsic = "intrinsic early type wave_size active_lanes cases passed failure";
    let library = items(&json["library"]);
    assert!(library.iter().all(|each| keys(each) == words(intrinsic)));
    assert!(library.iter().all(|each| each["cases"].as_u64() > Some(0)));
    let facts = "wave_min wave_max wave_size exclusive_product_survives_zero flushes_denormals";
    assert_eq!(keys(&json["facts"]), words(facts));
}

#[test]
fn a_planted_fault_is_caught_and_the_check_is_named() {
    let desk = Desk::new();
    // One in the data, one in a shader: that the checks find the others too is tested in gpu::methods.
    let line = "verify --quiet --methods wave-lerp-deferred,wave-lerp-ballot --json -";
    for fault in ["swap", "carry"] {
        let run = desk.run(&format!("{line} --break {fault}"));
        assert_eq!(run.code, 1, "{run}");
        let json = run.json();
        assert_eq!(json["passed"], false);
        assert_eq!(json["fault"], fault);
        let caught_by = json["caught_by"].as_str().unwrap_or_default();
        says(caught_by, " on  | n=");
        assert_eq!(run.stderr.lines().count(), 1, "{run}");
        run.warns(caught_by).warns(fault);
    }
}

#[test]
fn methods_are_verified_under_their_options() {
    let desk = Desk::new();
    let options = "--bins 32 --bin-block 4 --moments power8 --list-room 4";
    let methods = "--methods histogram,moment,peeling,linked-list,wave-lerp-ballot";
    let more = "--lane-read broadcast --json -";
    let run = desk.run(&format!("verify --quiet {methods} {options} {more}"));
    assert_eq!((run.code, &*run.stderr), (0, ""), "{run}");
    let (json, usual) = (run.json(), &ALL.1);
    assert_eq!(json["options"]["bins"], 32);
    assert_eq!(json["options"]["lane_read"], "broadcast");
    assert_eq!(usual["options"]["bins"], 16);
}

#[test]
fn every_intrinsic_is_in_the_third_table() {
    let run = &ALL.0;
    let table = run.stdout.split("Table 3").nth(1).unwrap_or_default();
    for entry in &TABLE {
        let names = format!("{} {} ", entry.name, entry.early);
        let mut rows = table
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
        let row = rows.find(|row| row.starts_with(&names));
        let passed = row.unwrap_or_default().matches(" ok").count();
        assert_eq!(passed, 5, "{names}: {run}");
    }
    assert!(table.contains("checks passed"), "{run}");
}

#[test]
fn a_fault_planted_in_the_wave_library_is_caught_by_the_intrinsics_it_is_in() {
    let desk = Desk::new();
    // Which intrinsics find the other faults is tested in gpu::wave_intrinsics.
    for (fault, intrinsic) in [("prefix", "WavePrefixSum"), ("inactive", "WaveIsFirstLane")] {
        let line = format!("verify --quiet --methods pixel-loop --break {fault} --json -");
        let run = desk.run(&line);
        assert_eq!(run.code, 1, "{run}");
        let json = run.json();
        let caught_by = json["caught_by"].as_str().unwrap_or_default();
        assert!(caught_by.starts_with(intrinsic), "{run}");
        let mut checks = items(&json["checks"]).iter();
        assert!(checks.all(|check| check["passed"] == true));
        for check in items(&json["library"]) {
            assert!(check["passed"] == true || check["failure"].is_string());
        }
        run.warns(caught_by);
    }
}

/// A method's result and transmittance are as expected, to within `tolerance`.
fn check_results(json: &Value, expected: &[f64], transmittance: f64, tolerance: f64) {
    // A half float has 11 bits, and rounds at every layer.
    check_results_and_halves(json, expected, transmittance, tolerance, 0.01);
}

/// As [`check_results`], where methods that round to half floats may be off by `half`, relative.
fn check_results_and_halves(
    json: &Value,
    expected: &[f64],
    transmittance: f64,
    tolerance: f64,
    half: f64,
) {
    let results = items(&json["results"]);
    assert_eq!(results.len(), Method::exact().count());
    for result in results {
        let key = "method wave_size result transmittance error";
        assert_eq!(keys(result), words(key));
        let channels = match result["result"].as_array() {
            Some(channels) => channels.clone(),
            None => vec![result["result"].clone()],
        };
        assert_eq!(channels.len(), expected.len(), "{result}");
        let is_half = result["method"] == Method::FixedFunctionF16.name();
        // Software blending truncates: over tens of thousands of layers that adds up.
        let is_drawn = result["method"] == Method::FixedFunction.name();
        let pairs = channels.iter().zip(expected);
        for (got, expected) in pairs.chain([(&result["transmittance"], &transmittance)]) {
            let got = got.as_f64().unwrap_or(f64::NAN);
            let most = match (is_half, is_drawn) {
                (true, _) => tolerance.max(half * expected.abs().max(1.0)),
                (_, true) => tolerance.max(0.005 * expected.abs()),
                _ => tolerance,
            };
            let off = (got - expected).abs();
            assert!(off <= most, "{got} {expected}: {result}");
        }
    }
}

fn values(desk: &Desk, text: &str) -> Value {
    desk.write("my.csv", text);
    let run = desk.run("verify --values my.csv --quiet --json -").good();
    let json = run.json();
    assert_eq!(keys(&json), words("adapter shaders rows wave_size results"));
    json
}

#[test]
fn own_values_give_the_result_worked_out_by_hand() {
    let desk = Desk::new();
    // 0 → lerp to 1 by 0.5 = 0.5 → lerp to 2 by 0.25 = 0.875; T = 0.5 · 0.75.
    let json = values(&desk, "value,t\n1,0.5\n2,0.25\n");
    check_results(&json, &[0.875], 0.375, 0.0);
    assert_eq!(json["rows"], 2);
    // Order matters: 0 → 2 by 0.25 = 0.5 → 1 by 0.5 = 0.75.
    let json = values(&desk, "value,t\n2,0.25\n1,0.5\n");
    check_results(&json, &[0.75], 0.375, 0.0);
    let json = values(&desk, "r, g, b, t\n1,0,-4,0.5\n2,8,0,0.25\n");
    check_results(&json, &[0.875, 2.0, -1.5], 0.375, 0.0);
}

#[test]
fn no_rows_give_nothing_in_front_of_the_background() {
    let desk = Desk::new();
    check_results(&values(&desk, "value,t\n"), &[0.0], 1.0, 0.0);
    check_results(&values(&desk, "r,g,b,t"), &[0.0; 3], 1.0, 0.0);
}

#[test]
fn an_opaque_row_hides_all_before_it() {
    let json = values(&Desk::new(), "value,t\n9,0.5\n3,1\n5,0.5\n");
    check_results(&json, &[4.0], 0.0, 0.0);
}

#[test]
fn more_rows_than_a_software_driver_turns_loops_give_the_right_number() {
    // The first row is applied first, so it is the farthest layer: a loop that stops early loses it.
    let rows = "1,0.000001\n".repeat(99_999);
    let json = values(&Desk::new(), &format!("value,t\n64,1\n{rows}"));
    let left = (1.0 - f64::from(1e-6_f32)).powi(99_999);
    let expected = [64.0 * left + (1.0 - left)];
    // Half floats promise nothing over so many roundings.
    check_results_and_halves(&json, &expected, 0.0, 0.1, f64::INFINITY);
    // Negative control: without the farthest rows the result would be less than 1.
    assert!(left > 0.9);
}

#[test]
fn the_text_shows_the_values() {
    let desk = Desk::new();
    desk.write("my.csv", "r,g,b,t\n1,0,-4,0.5\n2,8,0,0.25\n");
    let line = "verify --values my.csv --methods pixel-loop";
    let run = desk.run(line).good();
    let row = run.stdout.lines().find(|line| line.contains("pixel-loop"));
    let words: Vec<&str> = row.unwrap_or_default().split_whitespace().collect();
    assert_eq!(words[2..], ["0.875", "2", "-1.5", "0.375", "0"], "{run}");
    assert!(run.stdout.starts_with("2 rows of my.csv on "), "{run}");
}
