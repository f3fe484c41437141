//! `split-depth` with every number of threads per pixel, on lists that take one iteration and on longer ones.

use wavelerp::gpu::Pipelines;
use wavelerp::model::methods::Method;
use wavelerp::model::options::{Dial, Options};
use wavelerp::model::reference::stress::{stress_list, stress_lists};
use wavelerp::runs::verify::checks::Check;

use crate::harness::{Harness, SWAPPED, source};

/// Layers of a list that no workgroup can stage at once.
const SEVERAL_TURNS: usize = 2500;

fn checks(harness: &Harness, pipelines: &Pipelines, tile: u32, threads: u32) -> Vec<Check> {
    let mut lists = stress_lists(8, 7);
    lists.retain(|list| [0, 1, 9, 1000].contains(&list.layers.len()));
    lists.push(stress_list("thin", SEVERAL_TURNS, 7));
    let options = Options::default().with_frame(|frame| frame.tile = tile);
    let options = options.at(Dial::Threads(threads));
    let methods = [Method::SplitDepth];
    harness.checks(pipelines, &methods, &options, &lists)
}

#[test]
fn any_number_of_threads_per_pixel_meets_the_bound_on_stress_lists() {
    let harness = Harness::new();
    let most = Dial::most_threads(&harness.gpu.caps);
    for (tile, threads) in [(8, 2), (8, 8), (8, 64), (8, most), (16, 16)] {
        let checks = checks(&harness, &harness.pipelines, tile, threads);
        let longest = checks.iter().map(|check| check.layers).max();
        assert_eq!(longest, Some(SEVERAL_TURNS), "tile {tile}, {threads}");
        let failed: Vec<_> = checks.iter().filter(|check| !check.passed).collect();
        assert!(failed.is_empty(), "tile {tile}, {threads}: {failed:#?}");
    }
    let swapped = Pipelines::new(source([SWAPPED]));
    let spoiled = checks(&harness, &swapped, 8, 64);
    assert!(spoiled.iter().any(|check| !check.passed), "layers swapped");
}
