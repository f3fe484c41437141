//! `wavelerp probe` on the scene for which every number was calculated by hand.

use super::{Desk, items, keys, words};
use wavelerp::model::methods::Method;

const TWO: &str = "probe --scene two --size 160x90 --pixel 80,45";

#[test]
fn a_pixel_of_two_holds_the_layers_worked_out_by_hand() {
    let desk = Desk::new();
    let line = format!("{TWO} --methods all --json - --quiet");
    let json = desk.run(&line).good().json();
    let top = words("settings shaders adapter pixel background layers methods beliefs");
    assert_eq!(keys(&json), top);
    let layers = items(&json["layers"]);
    let kinds: Vec<(&str, u64)> = layers
        .iter()
        .filter_map(|layer| Some((layer["kind"].as_str()?, layer["index"].as_u64()?)))
        .collect();
    let expected = [
        ("fog", 0),
        ("particle", 0),
        ("fog", 1),
        ("particle", 1),
        ("fog", 2),
        ("fog", 3),
    ];
    assert_eq!(kinds, expected);
    let near = |value: &serde_json::Value, expected: f64| {
        let value = value.as_f64().unwrap_or(f64::NAN);
        assert!((value - expected).abs() < 1e-4, "{value} {expected}");
    };
    for layer in layers {
        assert_eq!(keys(layer), words("kind index depth rgb opacity"));
    }
    near(&layers[1]["depth"], 3.0);
    near(&layers[1]["opacity"], 0.5);
    near(&layers[1]["rgb"][2], 0.265_146_7);
    near(&layers[3]["rgb"][0], 0.345_624_2);
    for (channel, value) in [0.125, 0.25, 0.5].into_iter().enumerate() {
        near(&json["background"][channel], value);
    }
    for method in items(&json["methods"]) {
        let name = method["method"].as_str().unwrap_or_default();
        if !Method::by_name(name).is_ok_and(Method::is_exact) {
            continue;
        }
        if method["method"] == "fixed-function-f16" {
            // Each of the six layers may add an error of 3/1024 of the value.
            let red = method["rgb"][0].as_f64().unwrap_or(f64::NAN);
            assert!((red / 0.242_626 - 1.0).abs() < 0.02, "{method}");
            continue;
        }
        assert_eq!(keys(method), words("method wave_size rgb transmittance"));
        for (channel, value) in [0.242_626, 0.237_762, 0.365_213].into_iter().enumerate() {
            near(&method["rgb"][channel], value);
        }
        near(&method["transmittance"], 0.048_951);
    }
    what_methods_take_for_true_is_told_beside_what_is(&json);
}

fn what_methods_take_for_true_is_told_beside_what_is(json: &serde_json::Value) {
    let opacities: Vec<f64> = items(&json["layers"])
        .iter()
        .filter_map(|layer| layer["opacity"].as_f64())
        .collect();
    let beliefs = items(&json["beliefs"]);
    assert_eq!(beliefs.len(), 1 + Method::approximate().count());
    let lights = |belief: &serde_json::Value| -> Vec<f64> {
        let light = items(&belief["light"]).iter();
        light.filter_map(serde_json::Value::as_f64).collect()
    };
    let mut reaches = 1.0;
    for (light, opacity) in lights(&beliefs[0]).into_iter().zip(&opacities) {
        assert!((light - reaches).abs() < 1e-9, "{light} {reaches}");
        reaches *= 1.0 - opacity;
    }
    for belief in beliefs {
        assert_eq!(lights(belief).len(), opacities.len(), "{belief}");
    }
    // A k-buffer of eight keeps all six layers; an average ignores order.
    let of = |name: &str| {
        let of = beliefs.iter().find(|belief| belief["method"] == name);
        lights(of.expect("a belief"))
    };
    assert_eq!(of("k-buffer"), lights(&beliefs[0]));
    assert_ne!(of("average"), lights(&beliefs[0]));
}

#[test]
fn the_text_shows_the_same_in_columns() {
    let desk = Desk::new();
    let line = TWO.replace("160x90 --pixel 80,45", "161x91 --tile 16 --pixel 160,90");
    let run = desk.run(&format!("{line} --methods pixel-loop,average"));
    let run = run.good();
    run.prints("Pixel 160,90 of two | background | pixel-loop | Transmittance to each");
    assert!(
        !run.stdout.contains("wave-lerp") && !run.stdout.contains("k-buffer"),
        "{run}"
    );
    let is_layer = |line: &&str| line.contains("fog ") || line.contains("particle ");
    let layers = run.stdout.lines().filter(is_layer);
    let widths: Vec<usize> = layers.map(str::len).collect();
    assert_eq!(widths.len(), 4, "the last pixel of an odd frame: {run}");
    assert!(widths.iter().all(|width| *width == widths[0]), "{run}");
    assert!(desk.everything().is_empty());
}
