//! Each method is what its name says: the group operations in the SPIR-V that is dispatched, exactly,
//! and in how many loops each of them stands.

use std::collections::BTreeSet;

use clap::ValueEnum;
use rspirv::spirv::Op;
use wavelerp::gpu::shader::{ShaderSource, spirv};
use wavelerp::methods::Specialization;
use wavelerp::model::Capabilities;
use wavelerp::model::methods::{Method, Trait};
use wavelerp::model::options::{Dial, Hazard, LaneRead, MethodOptions, Options};

use super::disassembly::{Code, Operation, operation_name, reference};
use super::{capabilities, fail_with, shader};

/// The loop over a wave's blocks of pixels, and that over their groups inside it.
const PER_GROUP: usize = 2;
/// The loop over a group's lanes inside those.
const PER_LANE: usize = 3;

fn specialization(method: Method, hazard: Hazard) -> Specialization {
    let options = Options {
        method: MethodOptions {
            pixels_per_wave: 8,
            hazard,
            ..MethodOptions::default()
        }
        .at(Dial::Threads(8)),
        ..Options::default()
    };
    options.specialize(method)
}

/// The code of a method on an adapter; `runtime_checks` as in debug builds.
fn code(caps: &Capabilities, of: Specialization, runtime_checks: bool) -> Result<Code, String> {
    let variant = of.variant(caps);
    let shader = shader(
        &crate::shaders::source(),
        &(variant.clone(), vec!["composite"]),
    )?;
    let words = spirv::dispatched(&variant, &shader.checked, "composite", runtime_checks)
        .map_err(|error| error.to_string())?;
    Code::new(&words)
}

/// The methods that are kernels; what the others draw with is looked at on its own.
fn computed() -> impl Iterator<Item = Method> {
    Method::all().filter(|method| !method.is_drawn())
}

/// The operations that a method's name and its options promise, all of them.
fn promised(of: &Specialization) -> BTreeSet<Operation> {
    let prefix = if of.options.method.hazard.divides() {
        "FMul InclusiveScan"
    } else {
        "FMul ExclusiveScan"
    };
    let read = match of.options.method.lane_read {
        LaneRead::Shuffle => "Shuffle",
        LaneRead::Broadcast => "Broadcast",
    };
    let (loops, names): (usize, &[&str]) = match of.method {
        Method::PixelLoop => (0, &[]),
        Method::ReadLaneLoop => (PER_LANE, &[read]),
        Method::WaveLerpProduct => (PER_GROUP, &[prefix, "FAdd Reduce", "FMul Reduce"]),
        Method::WaveLerpBallot => (
            PER_GROUP,
            &[prefix, "FAdd Reduce", "Ballot", "FindUMsb", read],
        ),
        Method::WaveLerpBallotScalar => (
            PER_GROUP,
            &[
                prefix,
                "FAdd Reduce",
                "Ballot",
                "FindUMsb",
                "BroadcastFirst",
                read,
            ],
        ),
        Method::WaveLerpFindMsb => (
            PER_GROUP,
            &[prefix, "FAdd Reduce", "Ballot", "BallotFindMSB", read],
        ),
        Method::WaveLerpKnownLast => (PER_GROUP, &[prefix, "FAdd Reduce", read]),
        Method::WaveLerpDeferred => (PER_GROUP, &[prefix, read]),
        Method::WaveTree => (PER_LANE, &["ShuffleXor"]),
        Method::SplitDepth => (2, &["ShuffleDown"]),
        Method::PixelLoopStaged | Method::SplitBatches | Method::Auto => (0, &[]),
        Method::FixedFunction | Method::FixedFunctionF16 => (0, &[]),
    };
    let operation = |name: &&str| Operation {
        name: (*name).to_owned(),
        loops,
    };
    let mut operations: BTreeSet<Operation> = names.iter().map(operation).collect();
    if of.method == Method::WaveLerpDeferred {
        // Once per pixel, behind its last group.
        operations.insert(Operation {
            name: "FAdd Reduce".to_owned(),
            loops: 1,
        });
    }
    operations
}

/// Whether code holds what a method promises, and nothing else.
fn keeps(promise: &BTreeSet<Operation>, code: &Code) -> Result<(), String> {
    let found = code.operations();
    if found == *promise {
        Ok(())
    } else {
        Err(format!("promised {promise:#?}\nfound {found:#?}"))
    }
}

/// What reads lanes in both ways, what forms a prefix product in all: every form of a method.
fn forms(method: Method) -> Vec<Specialization> {
    let with = |hazard, lane_read| {
        let mut of = specialization(method, hazard);
        of.options.method.lane_read = lane_read;
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
                for checks in [true, false] {
                    let result =
                        code(&caps, of, checks).and_then(|code| keeps(&promised(&of), &code));
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
        let of = specialization(method, Hazard::Driver);
        let case = (
            of.variant(&capabilities(32, true)),
            vec!["corner", "blended"],
        );
        let shader = shader(&crate::shaders::source(), &case).expect("it validates");
        for entry in case.1 {
            let words = spirv::dispatched(&case.0, &shader.checked, entry, false);
            let code = Code::new(&words.expect("it translates")).expect("it loads");
            assert_eq!(keeps(&promised(&of), &code), Ok(()), "{method} {entry}");
        }
    }
}

#[test]
fn no_method_keeps_another_methods_promise() {
    let caps = capabilities(32, true);
    for method in computed() {
        let own = code(&caps, specialization(method, Hazard::Driver), true).expect("it loads");
        for other in computed() {
            let promise = promised(&specialization(other, Hazard::Driver));
            assert_eq!(
                keeps(&promise, &own).is_ok(),
                method == other || promise.is_empty() && own.operations().is_empty(),
                "{method} {other}"
            );
        }
    }
}

#[test]
fn no_two_methods_are_the_same_code_by_default() {
    for native in [true, false] {
        let caps = capabilities(32, native);
        let methods: Vec<Method> = computed()
            .filter(|method| method.missing_on(&caps).is_none())
            // What `auto` runs is another one's.
            .filter(|method| *method != Method::Auto)
            .collect();
        let of = |method: &Method| {
            let code = code(&caps, Specialization::new(*method), false);
            code.expect("it loads").opcodes()
        };
        let all: Vec<_> = methods.iter().map(of).collect();
        assert_eq!(
            of(&methods[0]),
            all[0],
            "the same method gives the same code"
        );
        for (index, one) in all.iter().enumerate() {
            for (other, two) in all.iter().enumerate().skip(index + 1) {
                assert_ne!(one, two, "{} and {}", methods[index], methods[other]);
            }
        }
    }
}

#[test]
fn find_msb_is_opcode_344_and_only_after_the_patch() {
    let caps = capabilities(32, true);
    let of = specialization(Method::WaveLerpFindMsb, Hazard::Driver);
    let has_344 = |code: &Code| {
        let mut all = code.instructions().into_iter();
        all.any(|(instruction, _)| instruction.class.opcode as u32 == 344)
    };
    let patched = code(&caps, of, false).expect("it loads");
    assert!(has_344(&patched));

    let variant = of.variant(&caps);
    let case = (variant, vec!["composite"]);
    let shader = shader(&crate::shaders::source(), &case).expect("it validates");
    let words = spirv::translate(&shader.checked, "composite", false).expect("it translates");
    let unpatched = Code::new(&words).expect("it loads");
    assert!(!has_344(&unpatched));
    assert!(keeps(&promised(&of), &unpatched).is_err());
    let ballot = promised(&specialization(Method::WaveLerpBallot, Hazard::Driver));
    assert_eq!(
        keeps(&ballot, &unpatched),
        Ok(()),
        "its fallback is the ballot form"
    );
}

/// Every use of the vector that FindUMsb gives, by what uses it.
fn users_of_leading_bits(code: &Code) -> Vec<String> {
    let all = code.instructions();
    let mut users = Vec::new();
    for (found, _) in &all {
        if operation_name(found).as_deref() != Some("FindUMsb") {
            continue;
        }
        let id = found.result_id;
        for (user, _) in &all {
            if user.operands.iter().any(|operand| reference(operand) == id) {
                let name = operation_name(user);
                users.push(name.unwrap_or_else(|| user.class.opname.to_owned()));
            }
        }
    }
    users
}

#[test]
fn the_scalar_form_reads_the_bits_from_the_first_lane_before_any_use() {
    let caps = capabilities(32, true);
    let users = |method| {
        let code = code(&caps, specialization(method, Hazard::Driver), false);
        users_of_leading_bits(&code.expect("it loads"))
    };
    assert_eq!(users(Method::WaveLerpBallotScalar), ["BroadcastFirst"]);
    assert_eq!(users(Method::WaveLerpBallot), ["FunctionCall"]);
}

#[test]
fn the_search_of_the_ballot_methods_is_on_four_words_at_once() {
    let caps = capabilities(32, true);
    for method in [Method::WaveLerpBallot, Method::WaveLerpBallotScalar] {
        let code = code(&caps, specialization(method, Hazard::Driver), false).expect("it loads");
        let searches: Vec<_> = code
            .instructions()
            .into_iter()
            .filter(|(own, _)| operation_name(own).as_deref() == Some("FindUMsb"))
            .filter_map(|(own, _)| own.result_type)
            .collect();
        assert_eq!(searches.len(), 1, "{method}");
        let of_type = code
            .module
            .types_global_values
            .iter()
            .find(|ty| ty.result_id == Some(searches[0]))
            .expect("its type is declared");
        assert_eq!(of_type.class.opcode, Op::TypeVector, "{method}");
        let four = rspirv::dr::Operand::LiteralBit32(4);
        assert_eq!(of_type.operands[1], four, "{method}");
    }
}

#[test]
fn a_broadcast_moved_out_of_its_loop_is_found() {
    let caps = capabilities(32, true);
    let of = specialization(Method::ReadLaneLoop, Hazard::Driver);
    let edit = |find, replace| wavelerp::gpu::shader::Edit {
        module: "methods/read_lane_loop",
        find,
        replace,
    };
    let source = ShaderSource {
        edits: vec![
            edit("read_lane(own, lane - 1u)", "hoisted"),
            edit("read_lane(own, lane - 2u)", "hoisted"),
            edit("read_lane(own, lane - 3u)", "hoisted"),
            edit("read_lane(own, lane - 4u)", "hoisted"),
            edit(
                "var lane = count;",
                "var lane = count; let hoisted = read_lane(own, 0u);",
            ),
        ],
        ..crate::shaders::source()
    };
    let variant = of.variant(&caps);
    let shader = shader(&source, &(variant.clone(), vec!["composite"])).expect("it validates");
    let words =
        spirv::dispatched(&variant, &shader.checked, "composite", false).expect("it translates");
    let code = Code::new(&words).expect("it loads");
    assert!(keeps(&promised(&of), &code).is_err());
}
