//! `wavelerp verify`: its tables, a broken shader, and the user's own values. `gpu::methods` and
//! `gpu::wave_intrinsics` test the checks, and `gpu::values` the values.

use super::{Desk, items, keys, words};
use wavelerp::gpu::shader::embedded;
use wavelerp::runs::verify::library::table::TABLE;

#[test]
fn methods_are_verified_under_their_options_and_every_intrinsic_and_fact_is_told() {
    let desk = Desk::new();
    let methods = "--methods wave-lerp-ballot,histogram --bins 32 --lane-read broadcast";
    let run = desk.run(&format!("verify --quiet {methods} --json v.json"));
    let run = run.good();
    assert_eq!(run.stderr, "", "{run}");
    run.prints("Table 1 | Table 2 | Table 3 | checks passed | wave-lerp-ballot | histogram");
    run.prints("exclusive product survives a zero | flushes denormals");
    assert!(!run.stdout.contains("FAILED"), "{run}");
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

    let json = desk.json("v.json");
    let top = "adapter shaders hazard options passed checks unavailable facts library";
    assert_eq!(keys(&json), words(top));
    assert_eq!(json["passed"], true);
    assert_eq!(json["options"]["bins"], 32);
    assert_eq!(json["options"]["lane_read"], "broadcast");
    let check = "method threads_per_pixel wave_size list layers max_abs of_bound max_ulp nan_count from_exact passed";
    let checks = items(&json["checks"]);
    assert!(checks.iter().all(|each| keys(each) == words(check)));
    // Lengths are close to one wave, and to several waves.
    let wave = json["adapter"]["wave_max"].as_u64().unwrap_or_default();
    for layers in [0, 1, wave - 1, wave, wave + 1, 3 * wave + 5, 1000] {
        let of_length = checks.iter().filter(|check| check["layers"] == layers);
        assert!(of_length.count() >= 14, "{layers}");
    }
    let intrinsic = "intrinsic early type wave_size active_lanes cases passed failure";
    let library = items(&json["library"]);
    assert!(library.iter().all(|each| keys(each) == words(intrinsic)));
    assert!(library.iter().all(|each| each["cases"].as_u64() > Some(0)));
    let facts = "wave_min wave_max wave_size exclusive_product_survives_zero flushes_denormals";
    assert_eq!(keys(&json["facts"]), words(facts));
}

#[test]
fn spoiled_shaders_fail_and_the_first_check_is_named() {
    let desk = Desk::new();
    let shaders = [
        (
            "methods/list",
            "pixel.x] = composite;",
            "(pixel.x ^ 1u)] = composite;",
        ),
        (
            "wave/prefix",
            "subgroupExclusiveAdd(value)",
            "subgroupInclusiveAdd(value)",
        ),
    ];
    for (module, find, replace) in shaders {
        let text = embedded(module).expect("a file");
        assert!(text.contains(find));
        desk.folder(&format!(
            "mine/{}",
            module.split('/').next().unwrap_or_default()
        ));
        desk.write(&format!("mine/{module}.wesl"), text.replace(find, replace));
    }
    let run = desk.run("verify --quiet --shaders mine --methods pixel-loop --json -");
    assert_eq!((run.code, run.stderr.lines().count()), (1, 1), "{run}");
    run.warns("checks failed on | first: pixel-loop at wave | n=");
    let json = run.json();
    let failed = items(&json["library"]).iter();
    let failed: Vec<_> = failed.filter(|check| check["passed"] == false).collect();
    assert!(
        failed
            .iter()
            .all(|check| check["intrinsic"] == "WavePrefixSum" && check["failure"].is_string())
    );
    assert!(!failed.is_empty());
}

#[test]
fn own_values_give_the_result_worked_out_by_hand() {
    let desk = Desk::new();
    // First channel: 0 → lerp to 1 by 0.5 = 0.5 → lerp to 2 by 0.25 = 0.875; T = 0.5 · 0.75.
    desk.write("my.csv", "r, g, b, t\n1,0,-4,0.5\n2,8,0,0.25\n");
    let line = "verify --values my.csv --methods pixel-loop --quiet";
    let run = desk.run(&format!("{line} --json v.json")).good();
    let row = run.stdout.lines().find(|line| line.contains("pixel-loop"));
    let cells: Vec<&str> = row.unwrap_or_default().split_whitespace().collect();
    assert_eq!(cells[2..], ["0.875", "2", "-1.5", "0.375", "0"], "{run}");
    assert!(run.stdout.starts_with("2 rows of my.csv on "), "{run}");
    let json = desk.json("v.json");
    assert_eq!(keys(&json), words("adapter shaders rows wave_size results"));
    assert_eq!(json["rows"], 2);
    let result = &items(&json["results"])[0];
    let key = "method wave_size result transmittance error";
    assert_eq!(keys(result), words(key));
    assert_eq!(result["result"], serde_json::json!([0.875, 2.0, -1.5]));
    desk.write("my.csv", "value,t\n1,0.5\n2,0.25\n");
    let run = desk.run(&format!("{line} --json -")).good();
    assert_eq!(items(&run.json()["results"])[0]["result"], 0.875);
}
