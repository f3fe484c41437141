//! The floor of benchmarks does the arithmetic of compositing, all of it: none can be faster.

use rspirv::spirv::Op;
use wavelerp::gpu::shader::{Edit, ShaderSource, Variant, spirv};
use wavelerp::methods::Specialization;
use wavelerp::model::methods::{Cost, ListKind, Method, Source};
use wavelerp::model::options::{Dial, MethodOptions, Options};
use wavelerp::runs::bench::floor;
use wavelerp::runs::bench::lists::ListSpec;

use super::disassembly::Code;
use super::{capabilities, shader};

/// The loops over layers and over a thread's pixels.
const LOOPS: usize = 2;

fn code(source: &ShaderSource, variant: &Variant, entry: &'static str) -> Result<Code, String> {
    let shader = shader(source, &(variant.clone(), vec![entry]))?;
    let words = spirv::dispatched(variant, &shader.checked, entry, false);
    Code::new(&words.map_err(|error| error.to_string())?)
}

/// What evaluates and folds layers in a method, and in the floor: function, opcodes, loops around it.
fn evaluation(code: &Code) -> Vec<(String, Vec<Op>, usize)> {
    let is_part = |name: &str| {
        [
            "evaluate_",
            "detail",
            "value_noise",
            "opacity_from",
            "followed_by",
        ]
        .iter()
        .any(|start| name.starts_with(start))
    };
    let functions = code.functions().into_iter();
    functions
        .filter(|(name, _)| is_part(name))
        .map(|(name, (opcodes, loops))| (name, opcodes, loops))
        .collect()
}

fn compare(edits: Vec<Edit>, cost: Cost, kind: ListKind) -> Result<(), String> {
    let spec = ListSpec {
        outputs: [64, 64],
        layers: 8,
        kind,
        tile: 8,
        shared: false,
    };
    let options = Options {
        method: MethodOptions::default().at(Dial::Pixels(4)),
        ..Options::default()
    };
    let method = Specialization {
        source: Source::Synthetic(cost, kind),
        ..options.specialize(Method::PixelLoopStaged)
    };
    let whole = crate::shaders::source();
    let edited = ShaderSource {
        edits,
        ..crate::shaders::source()
    };
    let expected = evaluation(&code(
        &whole,
        &method.variant(&capabilities(32, false)),
        "composite",
    )?);
    let floor = floor::variant(&capabilities(32, false), &spec, cost, 4);
    let found = evaluation(&code(&edited, &floor, "arithmetic_floor")?);
    if expected.len() < 2 {
        return Err(format!("too little to compare: {expected:?}"));
    }
    for (name, opcodes, _) in &expected {
        match found.iter().find(|part| part.0 == *name) {
            None => return Err(format!("{name} is not in the floor")),
            Some(part) if part.1 != *opcodes => return Err(format!("{name} is another")),
            Some(part) if part.2 < LOOPS => return Err(format!("{name}: {} loops", part.2)),
            Some(_) => {}
        }
    }
    Ok(())
}

#[test]
fn the_floor_evaluates_and_folds_every_layer_at_every_pixel_as_methods_do() {
    for cost in [Cost::Cheap, Cost::Textured, Cost::Procedural] {
        for kind in [ListKind::Particles, ListKind::Fog, ListKind::Mixed] {
            compare(Vec::new(), cost, kind)
                .unwrap_or_else(|why| panic!("{cost:?} {kind:?}: {why}"));
        }
    }
}

#[test]
fn a_floor_that_leaves_out_or_moves_work_is_found() {
    let edit = |module, find, replace| {
        let edits = vec![Edit {
            module,
            find,
            replace,
        }];
        compare(edits, Cost::Cheap, ListKind::Particles)
    };
    let no_exponential = edit(
        "layers/sources/synthetic",
        "exp2(place.z * dot(offset, offset) + light.a)",
        "place.z * dot(offset, offset) + light.a",
    );
    assert!(no_exponential.is_err_and(|why| why.contains("is another")));
    let not_evaluated = edit(
        "bench/arithmetic_floor",
        "evaluate_synthetic(place, light, (*rays)[i])",
        "light",
    );
    assert!(not_evaluated.is_err_and(|why| why.contains("not in the floor")));
    let once_per_layer = edit(
        "bench/arithmetic_floor",
        "    for (var i = 0u; i < PIXELS_PER_THREAD; i += 1u) {\n        (*results)[i] =",
        "    for (var i = 0u; i < 1u; i += 4u) { }\n    { let i = 0u;\n        (*results)[i] =",
    );
    assert!(once_per_layer.is_err_and(|why| why.contains("1 loops")));
}
