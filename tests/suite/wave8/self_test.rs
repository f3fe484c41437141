//! The self-test at the start: which methods are tested, and the results.

use wavelerp::gpu::Pipelines;
use wavelerp::methods::auto;
use wavelerp::model::methods::Method;
use wavelerp::runs::verify::self_test::{choose, self_test, usual_options};

use crate::harness::{Harness, edited};

/// Result of a self-test of some methods: the unavailable methods, and the methods with a wave size. Only kernels that ran
/// have a wave size.
fn tested(harness: &Harness, pipelines: &Pipelines, methods: &[Method]) -> [Vec<Method>; 2] {
    let (options, goes_on) = (usual_options(), &mut |_| Ok(()));
    let statuses = self_test(&harness.gpu, pipelines, methods, &options, goes_on);
    let statuses = statuses.expect("the device works");
    assert!(statuses.iter().map(|of| of.method).eq(Method::all()));
    for status in &statuses {
        if let Some(reason) = &status.unavailable {
            assert!(reason.contains("out of bounds on this driver"), "{reason}");
            let names = [status.method.name().to_owned()];
            assert!(choose(&names, &statuses).is_err());
        }
    }
    let unavailable = statuses.iter().filter(|of| of.unavailable.is_some());
    let ran = statuses.iter().filter(|of| of.wave_size.is_some());
    [
        unavailable.map(|of| of.method).collect(),
        ran.map(|of| of.method).collect(),
    ]
}

#[test]
fn the_self_test_finds_a_wrong_method_where_it_is_asked_for_or_auto_may_choose_it() {
    let harness = Harness::new();
    // `wave-tree` joins each pair of lanes in the wrong order, as a faulty driver might.
    let (find, replace) = ("(lane & step) == 0u;", "(lane & step) != 0u;");
    let wrong = edited("methods/wave_tree", find, replace);
    let all: Vec<Method> = Method::all().collect();
    let [unavailable, ran] = tested(&harness, &wrong, &all);
    assert_eq!(unavailable, [Method::WaveTree]);
    assert_eq!(ran, harness.computed_methods());
    let [unavailable, ran] = tested(&harness, &wrong, &[Method::PixelLoop]);
    assert_eq!((unavailable, ran), (vec![], vec![Method::PixelLoop]));
    let asked = [Method::WaveTree, Method::PixelLoop];
    assert_eq!(tested(&harness, &wrong, &asked)[0], [Method::WaveTree]);
    let [unavailable, ran] = tested(&harness, &wrong, &[Method::Auto]);
    assert_eq!(unavailable, [Method::WaveTree]);
    let candidates = auto::methods(&harness.gpu.caps);
    let may_run = |method: &Method| *method == Method::Auto || candidates.contains(method);
    assert!(ran.contains(&Method::SplitDepth) && !ran.contains(&Method::ReadLaneLoop));
    assert!(ran.into_iter().eq(Method::all().filter(may_run)));
    // Negative control: with unmodified shaders, all methods are right.
    assert!(tested(&harness, &harness.pipelines, &all)[0].is_empty());
}
