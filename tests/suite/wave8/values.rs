//! `verify --values`: as many numbers as the program takes, through every method.

use wavelerp::model::methods::Method;
use wavelerp::model::options::MethodOptions;
use wavelerp::model::reference::composite::{composite, error_bound};
use wavelerp::model::reference::stress::random_layers;
use wavelerp::runs::verify::values::{MOST_ROWS, Number, Values, run};

use crate::harness::Harness;

/// A thirtieth of the rows that the program takes is less than one dispatch holds.
const SEVERAL: usize = MOST_ROWS / 10;

#[test]
fn a_million_rows_agree_with_f64_and_several_dispatches_of_them_by_every_method() {
    let harness = Harness::new();
    let two = [Method::PixelLoop, Method::WaveLerpProduct];
    agree(&harness, MOST_ROWS, two.to_vec());
    agree(&harness, SEVERAL, harness.methods_in_f32());
}

fn agree(harness: &Harness, rows: usize, methods: Vec<Method>) {
    let values = Values {
        layers: random_layers(rows, 9, 4.0 / rows as f32),
        scalar: false,
    };
    let reference = composite(&values.layers);
    let bound = error_bound(&values.layers);
    let bound = bound.into_iter().fold(0.0, f64::max);
    let usual = MethodOptions::default();
    let results = run(&harness.gpu, &harness.pipelines, &values, &methods, usual).expect("it runs");
    assert!(results.iter().map(|result| result.method).eq(methods));
    for result in results {
        let Number::Rgb(rgb) = result.result else {
            panic!("{result:?}");
        };
        assert!(result.error <= bound, "{result:?} of {bound}");
        // The bound grows with n and is loose; rounding has either sign, lost rows have not.
        // A run of split-depth starts at T = 1, near which f32 cannot tell (1-a)(1-b) from 1-a-b: it absorbs too much.
        let is_split = result.method == Method::SplitDepth;
        let loose = if is_split { 1e-2 } else { 1e-3 };
        let got = rgb.into_iter().chain([result.transmittance]);
        for (got, expected) in got.zip(reference.channels()) {
            let relative = (got - expected).abs() / expected;
            assert!(relative < loose, "{result:?}: {got} for {expected}");
        }
    }
    // A thirtieth of the rows would be missed in all of them.
    let part = composite(&values.layers[rows / 30..]);
    assert!((part.rgb[0] / reference.rgb[0] - 1.0).abs() > 1e-2);
    assert!((part.transmittance / reference.transmittance - 1.0).abs() > 1e-2);
}
