//! What `wavelerp shader --ops` and the panel count: exactly what each method's algorithm says, and
//! nothing left uncounted.

use std::collections::BTreeSet;

use wavelerp::gpu::shader::{Edit, ShaderSource};
use wavelerp::methods::Specialization;
use wavelerp::model::Capabilities;
use wavelerp::model::methods::{Family, Method, Trait};
use wavelerp::model::options::{Dial, Hazard, LaneRead, MethodOptions, Options, Tail};
use wavelerp::runs::codegen::assumed;
use wavelerp::runs::codegen::ops::{Counts, Section};

use super::disassembly::Code as Disassembly;
use super::fail_with;

/// The loop over a wave's blocks of pixels, and that over their groups inside it.
const PER_GROUP: usize = 2;
/// The loop over a group's lanes inside those.
const PER_LANE: usize = 3;

fn all() -> impl Iterator<Item = Method> {
    Method::all().filter(|method| *method != Method::Auto)
}

fn specialization(method: Method, pixels_per_wave: u32) -> Specialization {
    let options = Options {
        method: MethodOptions {
            pixels_per_wave,
            ..MethodOptions::default()
        }
        .at(Dial::Threads(8)),
        ..Options::default()
    };
    options.specialize(method)
}

fn caps(native: bool) -> Capabilities {
    Capabilities {
        native_spirv: native,
        ..assumed(32, "vulkan")
    }
}

fn counts_of(source: &ShaderSource, caps: &Capabilities, of: &Specialization) -> Counts {
    let part = &of.parts(caps)[0];
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

/// What the algorithm says of the article's methods, and of the padded ones: name, scalars, loops. Each
/// stands once for all pixels of a block, a sum of four pixels once for each channel.
fn promised(method: Method) -> Option<&'static [(&'static str, usize, usize)]> {
    const SCAN: (&str, usize, usize) = ("FMul ExclusiveScan", 1, PER_GROUP);
    const SUM: (&str, usize, usize) = ("FAdd Reduce", 3, PER_GROUP);
    const BALLOT: (&str, usize, usize) = ("Ballot", 4, PER_GROUP);
    const LAST: (&str, usize, usize) = ("Shuffle", 1, PER_GROUP);
    Some(match method {
        Method::PixelLoop | Method::FixedFunction | Method::FixedFunctionF16 => &[],
        Method::ReadLaneLoop => &[("Shuffle", 4, PER_LANE)],
        Method::WaveLerpProduct => &[SCAN, SUM, ("FMul Reduce", 1, PER_GROUP)],
        Method::WaveLerpBallot => &[SCAN, SUM, BALLOT, LAST],
        Method::WaveLerpBallotScalar => {
            &[SCAN, SUM, BALLOT, ("BroadcastFirst", 4, PER_GROUP), LAST]
        }
        Method::WaveLerpFindMsb => &[SCAN, SUM, BALLOT, ("BallotFindMSB", 1, PER_GROUP), LAST],
        Method::WaveLerpKnownLast => &[SCAN, SUM, LAST],
        Method::WaveLerpDeferred => &[SCAN, LAST, ("FAdd Reduce", 3, 1)],
        _ => return None,
    })
}

/// Pixels that share a fetched layer, and a wave operation.
fn block(method: Method, pixels_per_wave: u32) -> usize {
    match method {
        Method::ReadLaneLoop => 1,
        _ if pixels_per_wave < 4 => 1,
        _ => 4,
    }
}

#[test]
fn wave_operations_are_those_of_the_algorithm_once_for_all_pixels_of_a_block() {
    for method in all() {
        let Some(promised) = promised(method) else {
            continue;
        };
        for pixels_per_wave in [1, 2, 32] {
            let row = |&(name, scalars, loops): &(&str, usize, usize)| {
                // The last lane is the same for all pixels of a block.
                let finds_lane = name.starts_with("Ballot") || name == "BroadcastFirst";
                let times = if finds_lane {
                    1
                } else {
                    block(method, pixels_per_wave)
                };
                let is_sum_of_four = name == "FAdd Reduce" && times == 4;
                let places = if is_sum_of_four { 3 } else { 1 };
                (name.to_owned(), places, times * scalars, loops)
            };
            let promised: BTreeSet<Wave> = promised.iter().map(row).collect();
            let of = specialization(method, pixels_per_wave);
            let found = wave(&counts_of(&crate::shaders::source(), &caps(true), &of));
            assert_eq!(found, promised, "{method} P={pixels_per_wave}");
        }
    }
}

#[test]
fn no_wave_method_keeps_anothers_counts() {
    let found: Vec<(Method, BTreeSet<Wave>)> = all()
        .filter(|method| method.entry().family == Family::PerWave)
        .map(|method| {
            let of = specialization(method, 1);
            (
                method,
                wave(&counts_of(&crate::shaders::source(), &caps(true), &of)),
            )
        })
        .collect();
    for (index, (one, rows)) in found.iter().enumerate() {
        for (other, others) in &found[index + 1..] {
            assert_ne!(rows, others, "{one} and {other}");
        }
    }
}

#[test]
fn every_operation_more_in_the_wgsl_is_counted() {
    let source = |replace| ShaderSource {
        edits: vec![Edit {
            module: "methods/wave_lerp_product",
            find: "return with_group(block.result, group);",
            replace,
        }],
        ..crate::shaders::source()
    };
    let of = specialization(Method::WaveLerpProduct, 4);
    let sites = |source: &ShaderSource, name| counts_of(source, &caps(true), &of).sites(name);
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
    let deep = counts_of(&loops, &caps(true), &of);
    let row = deep.row("FMul Reduce").expect("a row");
    assert_eq!(row.by_loops, [0, 0, 1, 1], "one inside the planted loop");
    // A comment is no operation.
    let comment = source("return with_group(block.result, group); // subgroupMul(group.a)");
    assert_eq!(
        counts_of(&comment, &caps(true), &of),
        counts_of(&plain, &caps(true), &of)
    );
}

#[test]
fn code_behind_a_constant_condition_is_not_counted() {
    let count = |tail| {
        let mut of = specialization(Method::ReadLaneLoop, 1);
        of.options.method.tail = tail;
        counts_of(&crate::shaders::source(), &caps(true), &of).sites("Shuffle")
    };
    // Padded, the loop over lanes takes four at a time and a second one the rest.
    assert_eq!([count(Tail::Own), count(Tail::Padded)], [1, 5]);
}

#[test]
fn the_hazard_and_how_lanes_are_read_change_what_is_counted() {
    let sites = |of: &Specialization, name: &str| {
        counts_of(&crate::shaders::source(), &caps(true), of).sites(name)
    };
    let product = |hazard, name| {
        let mut of = specialization(Method::WaveLerpProduct, 1);
        of.options.method.hazard = hazard;
        sites(&of, name)
    };
    assert_eq!(product(Hazard::Driver, "FMul InclusiveScan"), 0);
    assert_eq!(product(Hazard::Division, "FMul InclusiveScan"), 1);
    let divisions =
        [Hazard::Driver, Hazard::Division].map(|hazard| product(hazard, "float divide"));
    assert_eq!(divisions[1], divisions[0] + 1);
    let readers: Vec<Method> = all()
        .filter(|method| method.has(Trait::ReadsLanes))
        .collect();
    assert!(readers.len() > 1);
    for method in readers {
        for (lane_read, counted) in [(LaneRead::Shuffle, [0, 1]), (LaneRead::Broadcast, [1, 0])] {
            let mut of = specialization(method, 1);
            of.options.method.lane_read = lane_read;
            let found = ["Broadcast", "Shuffle"].map(|name| sites(&of, name));
            assert_eq!(found, counted, "{}", of.label());
        }
    }
}

#[test]
fn nothing_is_left_unnamed_in_any_part_of_any_method() {
    let mut failures = Vec::new();
    for method in all() {
        for part in specialization(method, 32).parts(&caps(true)) {
            for checks in [true, false] {
                let counts = part
                    .counts(&crate::shaders::source(), checks)
                    .expect("it compiles");
                let unnamed = counts.rows.iter().filter(|row| row.name.starts_with("Op"));
                failures
                    .extend(unnamed.map(|row| format!("{method} {}: {}", part.entry, row.name)));
                for row in &counts.rows {
                    assert_eq!(
                        row.by_loops.iter().sum::<usize>(),
                        row.sites,
                        "{}",
                        row.name
                    );
                    assert!(row.scalars >= row.sites, "{}", row.name);
                }
            }
        }
    }
    fail_with(&failures);
}

/// Operations across lanes and bit searches with the loops around them, by the tests' own disassembly.
fn disassembled(words: &[u32]) -> BTreeSet<(String, usize)> {
    let code = Disassembly::new(words).expect("it loads");
    let operations = code.operations().into_iter();
    operations.map(|own| (own.name, own.loops)).collect()
}

#[test]
fn another_disassembly_finds_the_same_operations_in_the_same_loops() {
    let source = crate::shaders::source();
    for method in all() {
        for native in [true, false] {
            if method.missing_on(&caps(native)).is_some() {
                continue;
            }
            for checks in [true, false] {
                let part = &specialization(method, 32).parts(&caps(native))[0];
                let shader = part.wgsl(&source).and_then(|wgsl| part.check(&wgsl));
                let shader = shader.expect("it validates");
                let words = part.words(&shader, checks).expect("it translates");
                let counts = part.counts(&source, checks).expect("it compiles");
                let mut found = BTreeSet::new();
                for row in &counts.rows {
                    let name = row.name.strip_prefix("bit search ").unwrap_or(&row.name);
                    let is_search = name != row.name;
                    if is_search || row.section == Section::Wave && name != "barrier" {
                        found.insert((name.to_owned(), row.by_loops.len() - 1));
                    }
                }
                assert_eq!(found, disassembled(&words), "{method} {native} {checks}");
            }
        }
    }
}
