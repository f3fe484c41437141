//! `verify --values`: the user's own numbers through every method.
use wavelerp::model::options::{Hazard, MethodOptions};
use wavelerp::runs::verify::values::{Number, ValueResult, Values, parse, run};

use crate::harness::Harness;

fn results(harness: &Harness, values: &Values, hazard: Hazard) -> Vec<ValueResult> {
    let methods = harness.methods_in_f32();
    let options = MethodOptions {
        hazard,
        ..MethodOptions::default()
    };
    let results = run(&harness.gpu, &harness.pipelines, values, &methods, options);
    let results = results.expect("it runs");
    assert!(results.iter().map(|result| result.method).eq(methods));
    results
}

fn of_text(harness: &Harness, text: &str) -> Vec<ValueResult> {
    let values = parse(text, "").expect("it is well formed");
    results(harness, &values, Hazard::Driver)
}

/// Demands that every method makes exactly this of a text.
fn are_exactly(harness: &Harness, text: &str, number: Number, transmittance: f64) {
    for result in of_text(harness, text) {
        assert_eq!(result.result, number, "{result:?}");
        let rest = (result.transmittance, result.error);
        assert_eq!(rest, (transmittance, 0.0), "{result:?}");
    }
}

#[test]
fn zero_rows_give_zero_and_leave_the_background() {
    let harness = Harness::new();
    are_exactly(&harness, "value,t\n", Number::Scalar(0.0), 1.0);
    are_exactly(&harness, "r,g,b,t\n", Number::Rgb([0.0; 3]), 1.0);
}

#[test]
fn rows_are_applied_in_the_files_order() {
    let harness = Harness::new();
    // result = lerp(0, 8, 0.5) = 4, then lerp(4, 2, 0.25) = 3.5: exact in f32.
    let rows = "value,t\n8,0.5\n2,0.25\n";
    are_exactly(&harness, rows, Number::Scalar(3.5), 0.375);
    // The other way round: lerp(lerp(0, 2, 0.25), 8, 0.5) = 4.25.
    let rows = "value,t\n2,0.25\n8,0.5\n";
    are_exactly(&harness, rows, Number::Scalar(4.25), 0.375);
}

#[test]
fn channels_are_kept_apart_and_every_method_says_its_wave_size() {
    let harness = Harness::new();
    for result in of_text(&harness, "r,g,b,t\n1,2,4,0.5\n16,8,4,0.5\n") {
        assert_eq!(result.result, Number::Rgb([8.25, 4.5, 3.0]), "{result:?}");
        assert_eq!(result.transmittance, 0.25);
        if result.method.is_drawn() {
            assert_eq!(result.wave_size, None);
            continue;
        }
        let waves = harness.gpu.caps.wave_min..=harness.gpu.caps.wave_max;
        let size = result.wave_size.expect("this adapter has waves");
        assert!(waves.contains(&size), "{result:?}");
    }
}

fn scalar(result: &ValueResult) -> f64 {
    match result.result {
        Number::Scalar(value) => value,
        Number::Rgb(_) => panic!("{result:?}"),
    }
}

#[test]
fn an_error_that_is_nan_is_not_hidden_by_a_channel_that_is_right() {
    let harness = Harness::new();
    if !harness.gpu.caps.is_cpu {
        return;
    }
    let values = parse("value,t\n8,0.5\n2,1\n4,0.5\n", "").expect("it is well formed");
    for result in results(&harness, &values, Hazard::Division) {
        let has_nan = [scalar(&result), result.error].map(f64::is_nan);
        let expected = [result.method.uses_prefix_product(); 2];
        assert_eq!(has_nan, expected, "{result:?}");
    }
}

#[test]
fn guarded_values_are_compared_with_the_guarded_sum() {
    let harness = Harness::new();
    let values = parse("value,t\n1000,0.5\n8,1\n2,0.5\n", "").expect("it is well formed");
    let guarded = [Hazard::DriverGuarded, Hazard::DivisionGuarded];
    for result in guarded
        .iter()
        .flat_map(|&hazard| results(&harness, &values, hazard))
    {
        // 2*0.5 + 8*0.5 = 5, and through an opaque layer that leaks by 1e-5, 1000*0.5*0.5*1e-5.
        let leak = 1000.0 * 0.5 * 0.5 * 1e-5;
        let leaks = result.method.uses_prefix_product();
        let expected = if leaks { 5.0 + leak } else { 5.0 };
        let off = (scalar(&result) - expected).abs();
        assert!(off < leak * 1e-2, "{result:?}");
        assert!(result.error < 1e-5, "{result:?}");
    }
}
