//! `verify --values`, which composites the user's own numbers with every method.
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
    let results = results.expect("the work runs");
    assert!(results.iter().map(|result| result.method).eq(methods));
    results
}

#[test]
fn rows_are_applied_in_the_files_order_and_channels_kept_apart() {
    let harness = Harness::new();
    // From black, lerp to (1, 2, 4) by 1/2 and to (16, 8, 4) by 1/4: exact in f32. In reverse order, red is 2.5.
    let text = "r,g,b,t\n1,2,4,0.5\n16,8,4,0.25\n";
    for (text, number, transmittance) in [
        (text, Number::Rgb([4.375, 2.75, 2.5]), 0.375),
        ("value,t\n", Number::Scalar(0.0), 1.0),
    ] {
        let values = parse(text, "").expect("valid values");
        for result in results(&harness, &values, Hazard::Driver) {
            let found = (result.result, result.transmittance, result.error);
            assert_eq!(found, (number, transmittance, 0.0), "{result:?}");
            assert_eq!(result.wave_size.is_none(), result.method.is_drawn());
        }
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
    let values = parse("value,t\n8,0.5\n2,1\n4,0.5\n", "").expect("valid values");
    for result in results(&harness, &values, Hazard::Division) {
        let has_nan = [scalar(&result), result.error].map(f64::is_nan);
        let expected = [result.method.uses_prefix_product(); 2];
        assert_eq!(has_nan, expected, "{result:?}");
    }
}

#[test]
fn guarded_values_are_compared_with_the_guarded_sum() {
    let harness = Harness::new();
    let values = parse("value,t\n1000,0.5\n8,1\n2,0.5\n", "").expect("valid values");
    let guarded = [Hazard::DriverGuarded, Hazard::DivisionGuarded];
    for result in guarded
        .iter()
        .flat_map(|&hazard| results(&harness, &values, hazard))
    {
        // 2*0.5 + 8*0.5 = 5, and 1000*0.5*0.5*1e-5 through an opaque layer that leaks 1e-5.
        let leak = 1000.0 * 0.5 * 0.5 * 1e-5;
        let leaks = result.method.uses_prefix_product();
        let expected = if leaks { 5.0 + leak } else { 5.0 };
        let off = (scalar(&result) - expected).abs();
        assert!(off < leak * 1e-2, "{result:?}");
        assert!(result.error < 1e-5, "{result:?}");
    }
}
