//! SPIR-V generation. naga translates a variant, and the bodies of marked functions are replaced by native opcodes that
//! WGSL cannot express.
//!
//! | WGSL function (its plain body is a correct fallback) | becomes |
//! |---|---|
//! | `native_ballot_find_msb(ballot)` | `OpGroupNonUniformBallotFindMSB` |
//! | `native_broadcast_…(value, lane)` | `OpGroupNonUniformBroadcast` (dynamic uniform index: SPIR-V 1.5) |

use rspirv::binary::Assemble;
use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{Capability, Op, Scope, Word};

use super::compilers::on_deep_stack;
use super::variant::Variant;
use crate::error::{Error, Result};
use crate::model::Feature;

/// Marked functions and the opcodes that replace their bodies.
const NATIVE: [(&str, Op); 3] = [
    ("native_ballot_find_msb", Op::GroupNonUniformBallotFindMSB),
    ("native_broadcast_f32", Op::GroupNonUniformBroadcast),
    ("native_broadcast_vec4f", Op::GroupNonUniformBroadcast),
];

pub struct Checked {
    pub module: naga::Module,
    pub info: naga::valid::ModuleInfo,
}

pub struct Invalid {
    /// One line.
    pub message: String,
    /// Byte offset of the error in the text, if known.
    pub offset: Option<usize>,
    /// naga's message, including the location of the error in the text.
    pub report: String,
}

/// Parses and validates WGSL text that may use wave operations and half floats. The error is naga's message.
pub fn check(wgsl: &str, name: &str) -> Result<Checked> {
    checked(wgsl, name).map_err(|invalid| {
        let (what, place) = invalid
            .report
            .split_once('\n')
            .unwrap_or((&invalid.report, ""));
        Error::failed(what).with_report(place)
    })
}

/// Like [`check`], but the error keeps the parts of naga's message separate.
pub fn checked(wgsl: &str, name: &str) -> Result<Checked, Invalid> {
    on_deep_stack(|| parsed(wgsl, name))
}

fn parsed(wgsl: &str, name: &str) -> Result<Checked, Invalid> {
    use naga::valid::{
        Capabilities, ShaderStages, SubgroupOperationSet, ValidationFlags, Validator,
    };
    let offset = |place: naga::SourceLocation| place.offset as usize;
    let module = naga::front::wgsl::parse_str(wgsl).map_err(|error| Invalid {
        message: error.message().to_owned(),
        offset: error.location(wgsl).map(offset),
        report: error.emit_to_string_with_path(wgsl, name),
    })?;
    let mut validator = Validator::new(
        ValidationFlags::all(),
        Capabilities::SUBGROUP
            | Capabilities::SUBGROUP_BARRIER
            | Capabilities::SHADER_FLOAT16
            // Needed to unpack half floats. Every adapter with Vulkan, Metal or DirectX 12 supports it.
            | Capabilities::SHADER_FLOAT16_IN_FLOAT32,
    );
    validator
        .subgroup_stages(ShaderStages::COMPUTE | ShaderStages::FRAGMENT)
        .subgroup_operations(SubgroupOperationSet::all());
    let info = validator.validate(&module).map_err(|error| Invalid {
        message: with_causes(error.as_inner()),
        offset: narrowest(error.spans()),
        report: error.emit_to_string_with_path(wgsl, name),
    })?;
    Ok(Checked { module, info })
}

/// A module's text, embedded for debuggers.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    pub file: &'a str,
    pub wgsl: &'a str,
}

/// Start of the shortest span, which is an expression inside a function's longer span.
fn narrowest<'a>(spans: impl Iterator<Item = &'a naga::SpanContext>) -> Option<usize> {
    let ranges = spans.filter_map(|(span, _)| span.to_range());
    ranges
        .min_by_key(ExactSizeIterator::len)
        .map(|range| range.start)
}

fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    let words: Vec<String> = causes.map(ToString::to_string).collect();
    words.join(": ")
}

/// naga's SPIR-V 1.5 for one entry point, with bindings renumbered from 0 in ascending order. `runtime_checks` adds
/// naga's bounds and loop checks (debug builds). A given source text is embedded with its line numbers.
pub fn translate(
    shader: &Checked,
    entry_point: &str,
    runtime_checks: bool,
    source: Option<Source>,
) -> Result<Vec<u32>> {
    use naga::back::spv;
    let mut bindings: Vec<_> = shader
        .module
        .global_variables
        .iter()
        .filter_map(|(_, variable)| variable.binding)
        .collect();
    bindings.sort_by_key(|binding| (binding.group, binding.binding));
    let binding_map = bindings
        .into_iter()
        .zip(0..)
        .map(|(from, binding)| {
            let to = spv::BindingInfo {
                descriptor_set: from.group,
                binding,
                ..Default::default()
            };
            (from, to)
        })
        .collect();
    let options = spv::Options {
        lang_version: (1, 5),
        flags: spv::WriterFlags::DEBUG,
        binding_map,
        bounds_check_policies: bounds_checks(runtime_checks),
        force_loop_bounding: runtime_checks,
        emit_int_div_checks: runtime_checks,
        zero_initialize_workgroup_memory: spv::ZeroInitializeWorkgroupMemoryMode::None,
        debug_info: source.map(|source| spv::DebugInfo {
            source_code: source.wgsl,
            file_name: source.file,
            language: spv::SourceLanguage::WGSL,
        }),
        ..Default::default()
    };
    let stage = shader
        .module
        .entry_points
        .iter()
        .find(|entry| entry.name == entry_point)
        .map(|entry| entry.stage)
        .ok_or_else(|| Error::failed(format!("there is no entry point {entry_point}")))?;
    let pipeline = spv::PipelineOptions {
        shader_stage: stage,
        entry_point: entry_point.to_owned(),
    };
    spv::write_vec(&shader.module, &shader.info, &options, Some(&pipeline))
        .map_err(|error| Error::failed(format!("translation to SPIR-V: {error}")))
}

/// naga's policies for out-of-bounds indices: restrict, or unchecked.
pub fn bounds_checks(runtime_checks: bool) -> naga::proc::BoundsCheckPolicies {
    let policy = if runtime_checks {
        naga::proc::BoundsCheckPolicy::Restrict
    } else {
        naga::proc::BoundsCheckPolicy::Unchecked
    };
    naga::proc::BoundsCheckPolicies {
        index: policy,
        buffer: policy,
        image_load: policy,
        binding_array: policy,
    }
}

/// True if the variant runs as our own SPIR-V with native opcodes.
pub fn is_native(variant: &Variant) -> bool {
    variant.features.contains(&Feature::Native)
}

/// SPIR-V of a variant's entry point as Vulkan runs it: [`translate`]d, and patched for native variants.
pub fn dispatched(
    variant: &Variant,
    shader: &Checked,
    entry_point: &str,
    runtime_checks: bool,
    source: Option<Source>,
) -> Result<Vec<u32>> {
    let words = translate(shader, entry_point, runtime_checks, source)?;
    if !is_native(variant) {
        return Ok(words);
    }
    let (words, patched) = patch(&words)?;
    match patched {
        0 => Err(Error::failed(format!(
            "{}: the native variant has no function to patch",
            variant.label()
        ))),
        _ => Ok(words),
    }
}

pub fn load(words: &[u32]) -> Result<Module> {
    rspirv::dr::load_words(words)
        .map_err(|error| Error::failed(format!("SPIR-V does not load: {error}")))
}

/// Replaces the bodies of marked functions with native opcodes. Returns the words and the number of replaced functions.
pub fn patch(words: &[u32]) -> Result<(Vec<u32>, usize)> {
    let mut module = load(words)?;
    let mut patched = 0;
    for (name, opcode) in NATIVE {
        let Some(function) = function_named(&module, name) else {
            continue;
        };
        let scope = subgroup_scope(&module).ok_or_else(|| {
            Error::failed("SPIR-V patch: the module has no constant for the subgroup scope")
        })?;
        let result = fresh_id(&mut module)?;
        replace_body(&mut module, function, opcode, scope, result).ok_or_else(|| {
            Error::failed(format!("SPIR-V patch: {name} has an unexpected shape"))
        })?;
        patched += 1;
    }
    if patched > 0 {
        require(&mut module, Capability::GroupNonUniformBallot);
    }
    Ok((module.assemble(), patched))
}

fn function_named(module: &Module, name: &str) -> Option<usize> {
    let id = module.debug_names.iter().find_map(|instruction| {
        match (&instruction.operands[0], &instruction.operands[1]) {
            (Operand::IdRef(id), Operand::LiteralString(text)) if text == name => Some(*id),
            _ => None,
        }
    })?;
    module.functions.iter().position(|function| {
        function
            .def
            .as_ref()
            .is_some_and(|def| def.result_id == Some(id))
    })
}

/// Id of the constant that naga uses as the scope of group operations.
fn subgroup_scope(module: &Module) -> Option<Word> {
    module.types_global_values.iter().find_map(|instruction| {
        let value = instruction.operands.first()?;
        let is_scope = instruction.class.opcode == Op::Constant
            && *value == Operand::LiteralBit32(Scope::Subgroup as u32);
        is_scope.then_some(instruction.result_id?)
    })
}

fn fresh_id(module: &mut Module) -> Result<Word> {
    let header = module
        .header
        .as_mut()
        .ok_or_else(|| Error::failed("SPIR-V patch: the module has no header"))?;
    header.bound += 1;
    Ok(header.bound - 1)
}

/// Writes a body with a single block: label, native operation on the parameters, return.
fn replace_body(
    module: &mut Module,
    function: usize,
    opcode: Op,
    scope: Word,
    result: Word,
) -> Option<()> {
    let function = module.functions.get_mut(function)?;
    let result_type = function.def.as_ref()?.result_type?;
    let mut operands = vec![Operand::IdScope(scope)];
    for parameter in &function.parameters {
        operands.push(Operand::IdRef(parameter.result_id?));
    }
    let mut block = function.blocks.first()?.clone();
    block.instructions = vec![
        Instruction::new(opcode, Some(result_type), Some(result), operands),
        Instruction::new(Op::ReturnValue, None, None, vec![Operand::IdRef(result)]),
    ];
    function.blocks = vec![block];
    Some(())
}

fn require(module: &mut Module, capability: Capability) {
    let operand = Operand::Capability(capability);
    let present = module
        .capabilities
        .iter()
        .any(|instruction| instruction.operands[0] == operand);
    if !present {
        module
            .capabilities
            .push(Instruction::new(Op::Capability, None, None, vec![operand]));
    }
}
