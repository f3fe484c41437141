//! What is compiled: SPIR-V of one entry point with the resources it declares.

use ash::vk;
use naga::{AddressSpace, ImageClass, TypeInner};
use wavelerp::error::Result;
use wavelerp::gpu::shader::spirv::Checked;
use wavelerp::gpu::shader::{ShaderSource, Variant, spirv};

/// One entry point's SPIR-V.
pub struct Stage {
    pub stage: vk::ShaderStageFlags,
    pub entry: &'static str,
    /// SPIR-V as release builds dispatch it.
    pub words: Vec<u32>,
}

/// Everything a pipeline is made from: a compute stage, or a vertex and a fragment stage.
pub struct Code {
    pub stages: Vec<Stage>,
    /// Kind of the resource at each binding of set 0.
    pub bindings: Vec<vk::DescriptorType>,
}

/// The code of `entries` of a variant: without run-time checks, native opcodes patched in.
pub fn code_of(source: &ShaderSource, variant: &Variant, entries: &[&'static str]) -> Result<Code> {
    let wgsl = source.resolve(variant, entries)?;
    let checked = spirv::check(&wgsl, &variant.label())?;
    let stages = entries.iter().map(|entry| {
        Ok(Stage {
            stage: stage_of(&checked, entry),
            entry,
            words: spirv::dispatched(variant, &checked, entry, false, None)?,
        })
    });
    Ok(Code {
        stages: stages.collect::<Result<_>>()?,
        bindings: bindings_of(&checked.module),
    })
}

fn stage_of(checked: &Checked, entry: &str) -> vk::ShaderStageFlags {
    let mut points = checked.module.entry_points.iter();
    let point = points.find(|point| point.name == entry);
    match point.map(|point| point.stage) {
        Some(naga::ShaderStage::Vertex) => vk::ShaderStageFlags::VERTEX,
        Some(naga::ShaderStage::Fragment) => vk::ShaderStageFlags::FRAGMENT,
        _ => vk::ShaderStageFlags::COMPUTE,
    }
}

/// Resources in the order in which [`spirv::translate`] numbers them.
fn bindings_of(module: &naga::Module) -> Vec<vk::DescriptorType> {
    let variables = module.global_variables.iter().map(|(_, variable)| variable);
    let mut bound: Vec<_> = variables
        .filter_map(|variable| Some((variable.binding?, kind_of(module, variable))))
        .collect();
    bound.sort_by_key(|(binding, _)| (binding.group, binding.binding));
    bound.into_iter().map(|(_, kind)| kind).collect()
}

fn kind_of(module: &naga::Module, variable: &naga::GlobalVariable) -> vk::DescriptorType {
    match (variable.space, &module.types[variable.ty].inner) {
        (AddressSpace::Uniform, _) => vk::DescriptorType::UNIFORM_BUFFER,
        (AddressSpace::Storage { .. }, _) => vk::DescriptorType::STORAGE_BUFFER,
        (_, TypeInner::Sampler { .. }) => vk::DescriptorType::SAMPLER,
        (
            _,
            TypeInner::Image {
                class: ImageClass::Storage { .. },
                ..
            },
        ) => vk::DescriptorType::STORAGE_IMAGE,
        _ => vk::DescriptorType::SAMPLED_IMAGE,
    }
}
