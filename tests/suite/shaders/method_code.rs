//! Each method is what its name says: the group operations in the SPIR-V that is dispatched, exactly,
//! and in how many loops each of them stands.

use std::collections::BTreeSet;

use clap::ValueEnum;
use wavelerp::gpu::shader::{Edit, ShaderSource, Variant, spirv};
use wavelerp::methods::Specialization;
use wavelerp::model::Capabilities;
use wavelerp::model::methods::{Method, Trait};
use wavelerp::model::options::{Dial, Hazard, LaneRead, Options};
use wavelerp::runs::codegen::Code;
use wavelerp::runs::codegen::ops::{Counts, Section, kind_of};

use super::{capabilities, fail_with, shader};
use crate::harness::rows;

/// A group operation or a search for the highest bit, as in `FMul ExclusiveScan`, `Ballot`, `FindUMsb`, and the loops
/// around it.
pub type Operation = (String, usize);

/// The loop over a wave's blocks of pixels, and that over their groups inside it.
const PER_GROUP: usize = 2;
/// The loop over a group's lanes inside those.
const PER_LANE: usize = 3;
const SUM: &str = "FAdd Reduce";

/// A method by a thread of eight for a pixel, or a wave for so many.
pub fn specialization(method: Method, pixels_per_wave: u32) -> Specialization {
    let options = Options::default().at(Dial::Threads(8));
    let options = options.with_method(|own| own.pixels_per_wave = pixels_per_wave);
    options.specialize(method)
}

/// The code of a method on an adapter; `runtime_checks` as in debug builds.
fn code(caps: &Capabilities, of: Specialization, runtime_checks: bool) -> Result<Code, String> {
    let variant = of.variant(caps);
    code_of(&super::source(), &variant, "composite", runtime_checks)
}

/// The code of a variant's entry point.
fn code_of(
    source: &ShaderSource,
    variant: &Variant,
    entry: &'static str,
    runtime_checks: bool,
) -> Result<Code, String> {
    let shader = shader(source, &(variant.clone(), vec![entry]))?;
    spirv::dispatched(variant, &shader.checked, entry, runtime_checks, None)
        .and_then(|words| Code::new(&words))
        .map_err(|error| error.to_string())
}

/// The methods that are kernels; what the others draw with is looked at on its own.
fn computed() -> impl Iterator<Item = Method> {
    Method::all().filter(|method| !method.is_drawn())
}

/// The operations that a method's name and its options promise, all of them.
pub fn promised(of: &Specialization) -> BTreeSet<Operation> {
    let prefix = match of.options.method.hazard.divides() {
        true => "FMul InclusiveScan",
        false => "FMul ExclusiveScan",
    };
    let read = match of.options.method.lane_read {
        LaneRead::Shuffle => "Shuffle",
        LaneRead::Broadcast => "Broadcast",
    };
    let (loops, names): (usize, &[&str]) = match of.method {
        Method::ReadLaneLoop => (PER_LANE, &[read]),
        Method::WaveLerpProduct => (PER_GROUP, &[prefix, SUM, "FMul Reduce"]),
        Method::WaveLerpBallot => (PER_GROUP, &[prefix, SUM, "Ballot", "FindUMsb", read]),
        Method::WaveLerpBallotScalar => (
            PER_GROUP,
            &[prefix, SUM, "Ballot", "FindUMsb", "BroadcastFirst", read],
        ),
        Method::WaveLerpFindMsb => (PER_GROUP, &[prefix, SUM, "Ballot", "BallotFindMSB", read]),
        Method::WaveLerpKnownLast => (PER_GROUP, &[prefix, SUM, read]),
        Method::WaveLerpDeferred => (PER_GROUP, &[prefix, read]),
        Method::WaveTree => (PER_LANE, &["ShuffleXor"]),
        Method::SplitDepth => (2, &["ShuffleDown"]),
        _ => (0, &[]),
    };
    let operation = |name: &&str| ((*name).to_owned(), loops);
    let mut operations: BTreeSet<Operation> = names.iter().map(operation).collect();
    if of.method == Method::WaveLerpDeferred {
        // Once per pixel, behind its last group.
        operations.insert((SUM.to_owned(), 1));
    }
    operations
}

/// The operations of a module that tell methods apart.
fn operations(code: &Code) -> BTreeSet<Operation> {
    let mut found = BTreeSet::new();
    for row in Counts::of(code).rows {
        let search = row.name.strip_prefix("bit search ");
        if search.is_some() || row.section == Section::Wave && row.name != "barrier" {
            let name = search.unwrap_or(&row.name);
            let depths = (0..).zip(&row.by_loops).filter(|(_, places)| **places > 0);
            found.extend(depths.map(|(loops, _)| (name.to_owned(), loops)));
        }
    }
    found
}

/// Whether code holds what a method promises, and nothing else.
fn keeps(promise: &BTreeSet<Operation>, code: &Code) -> Result<(), String> {
    let found = operations(code);
    match found == *promise {
        true => Ok(()),
        false => Err(format!("promised {promise:#?}\nfound {found:#?}")),
    }
}

/// What reads lanes in both ways, what forms a prefix product in all: every form of a method.
fn forms(method: Method) -> Vec<Specialization> {
    let with = |hazard, lane_read| {
        let mut of = specialization(method, 8);
        (of.options.method.hazard, of.options.method.lane_read) = (hazard, lane_read);
        of
    };
    let hazards = Hazard::value_variants().iter();
    hazards
        .flat_map(|&hazard| [LaneRead::Shuffle, LaneRead::Broadcast].map(|read| with(hazard, read)))
        .collect()
}

#[test]
fn each_method_is_what_its_name_says() {
    let mut failures = Vec::new();
    // Forms that are one shader and promise the same are looked at once.
    let mut seen = BTreeSet::new();
    for method in computed() {
        for native in [true, false] {
            let caps = capabilities(32, native);
            if method.missing_on(&caps).is_some() {
                continue;
            }
            for of in forms(method) {
                if of.check(&caps).is_err() {
                    assert!(!native && method.has(Trait::ReadsLanes), "{}", of.label());
                    continue;
                }
                let promise = promised(&of);
                if !seen.insert((of.variant(&caps).key(), promise.clone())) {
                    continue;
                }
                for checks in [true, false] {
                    let result = code(&caps, of, checks).and_then(|code| keeps(&promise, &code));
                    failures.extend(result.err().map(|failure| {
                        format!("{} native {native} checks {checks}: {failure}", of.label())
                    }));
                }
            }
        }
    }
    fail_with(&failures);
}

#[test]
fn a_drawn_method_evaluates_one_layer_without_its_neighbours() {
    for method in Method::all().filter(|method| method.is_drawn()) {
        let of = specialization(method, 8);
        for entry in ["corner", "blended"] {
            let variant = of.variant(&capabilities(32, true));
            let code = code_of(&super::source(), &variant, entry, false).expect("it loads");
            assert_eq!(keeps(&promised(&of), &code), Ok(()), "{method} {entry}");
        }
    }
}

#[test]
fn no_method_keeps_another_methods_promise() {
    let caps = capabilities(32, true);
    for method in computed() {
        let own = code(&caps, specialization(method, 8), true).expect("it loads");
        let found = operations(&own);
        for other in computed() {
            let promise = promised(&specialization(other, 8));
            let may_be = method == other || promise.is_empty() && found.is_empty();
            assert_eq!(found == promise, may_be, "{method} {other}");
        }
    }
}

#[test]
fn no_two_methods_are_the_same_code_by_default() {
    for native in [true, false] {
        let caps = capabilities(32, native);
        let methods = computed().filter(|method| method.missing_on(&caps).is_none());
        // What `auto` runs is another one's, and peeling is an A-buffer with room for one layer: a constant.
        let same = [Method::Auto, Method::Peeling];
        let methods: Vec<Method> = methods.filter(|method| !same.contains(method)).collect();
        let of = |method: &Method| {
            let code = code(&caps, Specialization::new(*method), false).expect("it loads");
            let sites = code.sites().into_iter();
            let kinds = sites.map(|site| (site.loops, kind_of(&code, site.instruction)));
            kinds.collect::<Vec<_>>()
        };
        let all: Vec<_> = methods.iter().map(of).collect();
        assert_eq!(of(&methods[0]), all[0], "the same method, the same code");
        for (index, one) in all.iter().enumerate() {
            for (other, two) in all.iter().enumerate().skip(index + 1) {
                // Not assert_ne, which prints thousands of operations.
                assert!(one != two, "{} and {}", methods[index], methods[other]);
            }
        }
    }
}

#[test]
fn find_msb_is_opcode_344_and_only_after_the_patch() {
    let caps = capabilities(32, true);
    let of = specialization(Method::WaveLerpFindMsb, 8);
    let has_344 = |code: &Code| {
        let mut all = code.sites().into_iter();
        all.any(|site| site.instruction.class.opcode as u32 == 344)
    };
    let patched = code(&caps, of, false).expect("it loads");
    assert!(has_344(&patched));

    let variant = of.variant(&caps);
    let case = (variant, vec!["composite"]);
    let shader = shader(&super::source(), &case).expect("it validates");
    let words = spirv::translate(&shader.checked, "composite", false, None).expect("it translates");
    let unpatched = Code::new(&words).expect("it loads");
    assert!(!has_344(&unpatched));
    assert!(keeps(&promised(&of), &unpatched).is_err());
    let ballot = promised(&specialization(Method::WaveLerpBallot, 8));
    // Its fallback is the ballot form.
    assert_eq!(keeps(&ballot, &unpatched), Ok(()));
}

/// The searches for the highest bit of a ballot: the numbers of scalars that each looks at, and what uses its result.
fn searches(method: Method) -> Vec<(usize, Vec<String>)> {
    let of = specialization(method, 8);
    let code = code(&capabilities(32, true), of, false).expect("it loads");
    let sites = code.sites();
    let name = |instruction| kind_of(&code, instruction).1;
    let searches = sites.iter().map(|site| site.instruction);
    let searches = searches.filter(|own| name(own) == "bit search FindUMsb");
    let uses = |id| {
        let of = rspirv::dr::Operand::IdRef(id);
        let users = sites.iter().map(|site| site.instruction);
        let users = users.filter(move |user| user.operands.contains(&of));
        users.map(name).collect()
    };
    let one = |own: &rspirv::dr::Instruction| {
        let id = own.result_id.expect("a search has a result");
        (code.scalars(own), uses(id))
    };
    searches.map(one).collect()
}

#[test]
fn the_ballot_methods_search_four_words_at_once_and_the_scalar_form_reads_them_from_the_first_lane_before_any_use()
 {
    let searches = [Method::WaveLerpBallot, Method::WaveLerpBallotScalar].map(searches);
    let expected = ["calls and returns", "BroadcastFirst"];
    for (found, user) in searches.into_iter().zip(expected) {
        assert_eq!(found, [(4, vec![user.to_owned()])]);
    }
}

#[test]
fn a_broadcast_moved_out_of_its_loop_is_found() {
    let caps = capabilities(32, true);
    let of = specialization(Method::ReadLaneLoop, 8);
    let edits = rows(
        "
read_lane(own, lane - 1u) | hoisted
read_lane(own, lane - 2u) | hoisted
read_lane(own, lane - 3u) | hoisted
read_lane(own, lane - 4u) | hoisted
var lane = count; | var lane = count; let hoisted = read_lane(own, 0u);
",
    );
    let edit =
        |[find, replace]: [&'static str; 2]| Edit::new("methods/read_lane_loop", find, replace);
    let source = super::edited(edits.map(edit));
    let code = code_of(&source, &of.variant(&caps), "composite", false).expect("it loads");
    assert!(keeps(&promised(&of), &code).is_err());
}
