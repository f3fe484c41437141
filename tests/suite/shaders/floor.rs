//! The floor of benchmarks does the arithmetic of compositing, all of it: none can be faster.

use rspirv::dr::Operand;
use rspirv::spirv::Op;
use wavelerp::gpu::shader::{Edit, ShaderSource, Variant, spirv};
use wavelerp::methods::Specialization;
use wavelerp::model::methods::{Cost, ListKind, Method, Source};
use wavelerp::model::options::{Dial, Options};
use wavelerp::runs::bench::floor;
use wavelerp::runs::bench::lists::ListSpec;
use wavelerp::runs::codegen::Code;

use super::{capabilities, shader};

/// The loops over layers and over a thread's pixels.
const LOOPS: usize = 2;

/// What evaluates and folds layers in a shader: function, opcodes, the most loops around a call of it.
fn evaluation(
    source: &ShaderSource,
    variant: &Variant,
    entry: &'static str,
) -> Result<Vec<(String, Vec<Op>, usize)>, String> {
    let shader = shader(source, &(variant.clone(), vec![entry]))?;
    let words = spirv::dispatched(variant, &shader.checked, entry, false, None);
    let words = words.map_err(|error| error.to_string())?;
    let module = spirv::load(&words).map_err(|error| error.to_string())?;
    let code = Code::new(&words).map_err(|error| error.to_string())?;
    let mut found = Vec::new();
    for name in &module.debug_names {
        let [id @ Operand::IdRef(number), Operand::LiteralString(name)] = &name.operands[..] else {
            continue;
        };
        let mut functions = module.functions.iter();
        let function = functions.find(|of| of.def_id() == Some(*number));
        let starts = "evaluate_ detail value_noise opacity_from followed_by";
        let is_part = starts.split(' ').any(|start| name.starts_with(start));
        let calls = code.sites().into_iter().filter(|site| {
            let call = site.instruction;
            call.class.opcode == Op::FunctionCall && call.operands[0] == *id
        });
        let loops = calls.map(|site| site.loops).max();
        if let (Some(function), Some(loops), true) = (function, loops, is_part) {
            let opcodes = function.all_inst_iter().map(|own| own.class.opcode);
            found.push((name.clone(), opcodes.collect(), loops));
        }
    }
    Ok(found)
}

fn compare(edits: Vec<Edit>, cost: Cost, kind: ListKind) -> Result<(), String> {
    let spec = ListSpec {
        outputs: [64, 64],
        layers: 8,
        kind,
        tile: 8,
        shared: false,
    };
    let options = Options::default().at(Dial::Pixels(4));
    let method = Specialization {
        source: Source::Synthetic(cost, kind),
        ..options.specialize(Method::PixelLoopStaged)
    };
    let whole = crate::shaders::source();
    let edited = crate::shaders::edited(edits);
    let caps = capabilities(32, false);
    let expected = evaluation(&whole, &method.variant(&caps), "composite")?;
    let floor = floor::variant(&caps, &spec, cost, 4);
    let found = evaluation(&edited, &floor, "arithmetic_floor")?;
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
        let edits = vec![Edit::new(module, find, replace)];
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
