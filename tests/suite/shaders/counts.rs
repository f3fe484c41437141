//! What `wavelerp shader --ops` and the panel count: exactly what each method's algorithm says, and
//! nothing left uncounted.

use std::collections::BTreeSet;

use wavelerp::gpu::shader::{Edit, ShaderSource};
use wavelerp::methods::Specialization;
use wavelerp::model::Capabilities;
use wavelerp::model::methods::{Family, Method};
use wavelerp::model::options::{Hazard, Tail};
use wavelerp::runs::codegen::assumed;
use wavelerp::runs::codegen::ops::{Counts, Section};

use super::fail_with;
use super::method_code::{promised, specialization};

fn all() -> impl Iterator<Item = Method> {
    Method::all().filter(|method| *method != Method::Auto)
}

fn caps() -> Capabilities {
    Capabilities {
        native_spirv: true,
        ..assumed(32, "vulkan")
    }
}

fn counts_of(source: &ShaderSource, of: &Specialization) -> Counts {
    let part = &of.parts(&caps())[0];
    part.counts(source, false).expect("it compiles")
}

/// Rows of wave operations: name, places, scalars, the number of loops around all of them.
type Wave = (String, usize, usize, usize);

fn wave(counts: &Counts) -> BTreeSet<Wave> {
    let rows = counts
        .rows
        .iter()
        .filter(|row| row.section == Section::Wave);
    rows.flat_map(|row| {
        let by_loops = row.by_loops.iter().enumerate();
        let depths = by_loops.filter(|(_, places)| **places > 0);
        depths.map(|(loops, _)| (row.name.clone(), row.sites, row.scalars, loops))
    })
    .collect()
}

/// Scalars that a wave operation of a method takes for a pixel.
fn scalars(method: Method, name: &str) -> usize {
    match name {
        "FAdd Reduce" => 3,
        "Ballot" | "BroadcastFirst" => 4,
        "Shuffle" if method == Method::ReadLaneLoop => 4,
        _ => 1,
    }
}

#[test]
fn wave_operations_are_those_of_the_algorithm_once_for_all_pixels_of_a_block() {
    use Family::{Blended, PerPixel, PerWave};
    for method in all().filter(|of| *of != Method::WaveTree) {
        if ![Blended, PerPixel, PerWave].contains(&method.entry().family) {
            continue;
        }
        for pixels_per_wave in [1, 2, 32] {
            let of = specialization(method, pixels_per_wave);
            let operations = promised(&of).into_iter();
            let row = |(name, loops): (String, usize)| {
                // The last lane is the same for all pixels of a block, and lanes in turn are read for each pixel alone.
                let finds_lane = name.starts_with("Ballot") || name == "BroadcastFirst";
                let is_alone = finds_lane || pixels_per_wave < 4 || method == Method::ReadLaneLoop;
                let pixels = if is_alone { 1 } else { 4 };
                let is_sum_of_four = name == "FAdd Reduce" && pixels == 4;
                let places = if is_sum_of_four { 3 } else { 1 };
                let scalars = pixels * scalars(method, &name);
                (name, places, scalars, loops)
            };
            let is_in_wave = |(name, _): &(String, usize)| name != "FindUMsb";
            let expected: BTreeSet<Wave> = operations.filter(is_in_wave).map(row).collect();
            let found = wave(&counts_of(&crate::shaders::source(), &of));
            assert_eq!(found, expected, "{method} P={pixels_per_wave}");
        }
    }
}

#[test]
fn every_operation_more_in_the_wgsl_is_counted() {
    let source = |replace| {
        crate::shaders::edited([Edit::new(
            "methods/wave_lerp_product",
            "return with_group(block.result, group);",
            replace,
        )])
    };
    let of = specialization(Method::WaveLerpProduct, 4);
    let sites = |source: &ShaderSource, name| counts_of(source, &of).sites(name);
    let plain = crate::shaders::source();
    let twice = source(
        "return with_group(block.result, Rgba(group.r, group.g, group.b, subgroupMul(group.a)));",
    );
    let loops = source(
        "var carry = group.a; for (var i = 0; i < 3; i++) { carry = subgroupMul(carry); } \
         return with_group(block.result, Rgba(group.r, group.g, group.b, carry));",
    );
    for (name, plainly, more) in [
        ("FMul Reduce", 1, 2),
        ("FAdd Reduce", 3, 3),
        ("loops", 2, 2),
    ] {
        assert_eq!(sites(&plain, name), plainly, "{name}");
        assert_eq!(sites(&twice, name), more, "{name}");
    }
    assert_eq!(sites(&loops, "loops"), 3);
    let deep = counts_of(&loops, &of);
    let row = deep.row("FMul Reduce").expect("a row");
    assert_eq!(row.by_loops, [0, 0, 1, 1], "one inside the planted loop");
    // A comment is no operation.
    let comment = source("return with_group(block.result, group); // subgroupMul(group.a)");
    assert_eq!(counts_of(&comment, &of), counts_of(&plain, &of));
}

#[test]
fn code_behind_a_constant_condition_is_not_counted() {
    let count = |tail| {
        let mut of = specialization(Method::ReadLaneLoop, 1);
        of.options.method.tail = tail;
        counts_of(&crate::shaders::source(), &of).sites("Shuffle")
    };
    // Padded, the loop over lanes takes four at a time and a second one the rest.
    assert_eq!([count(Tail::Own), count(Tail::Padded)], [1, 5]);
}

#[test]
fn a_prefix_product_by_division_divides_once_more() {
    let divisions = [Hazard::Driver, Hazard::Division].map(|hazard| {
        let mut of = specialization(Method::WaveLerpProduct, 1);
        of.options.method.hazard = hazard;
        counts_of(&crate::shaders::source(), &of).sites("float divide")
    });
    assert_eq!(divisions[1], divisions[0] + 1);
}

#[test]
fn nothing_is_left_unnamed_in_any_part_of_any_method() {
    let mut failures = Vec::new();
    for method in all() {
        for part in specialization(method, 32).parts(&caps()) {
            for checks in [true, false] {
                let counts = part
                    .counts(&crate::shaders::source(), checks)
                    .expect("it compiles");
                for row in &counts.rows {
                    let (name, by_loops) = (&row.name, row.by_loops.iter());
                    if name.starts_with("Op") {
                        failures.push(format!("{method} {}: {name}", part.entry));
                    }
                    assert_eq!(by_loops.sum::<usize>(), row.sites, "{name}");
                    assert!(row.scalars >= row.sites, "{name}");
                }
            }
        }
    }
    fail_with(&failures);
}
