//! Translates a checked shader into the languages of other back ends, using naga.

use std::collections::BTreeMap;

use naga::back::{hlsl, msl};
use rspirv::binary::Disassemble;

use crate::error::{Error, Result};
use crate::gpu::shader::spirv::{self, Checked};
use crate::model::flag_value::written_as_in_flags;

/// A language that shaders can be shown in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Language {
    Wgsl,
    /// The binary SPIR-V module that runs on Vulkan.
    Spirv,
    /// SPIR-V as assembly text.
    SpirvAsm,
    /// HLSL, shader model 6.0 (6.2 with half floats).
    Hlsl,
    /// Metal Shading Language 2.4.
    Msl,
}

impl Language {
    /// Start of a comment line. `None` for binary languages.
    pub fn comment(self) -> Option<&'static str> {
        match self {
            Language::Spirv => None,
            Language::SpirvAsm => Some(";"),
            Language::Wgsl | Language::Hlsl | Language::Msl => Some("//"),
        }
    }
}

written_as_in_flags!(Language);

/// SPIR-V words as the bytes of a file, in little-endian order.
pub fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// SPIR-V words as assembly for `spirv-as`.
pub fn assembly(words: &[u32]) -> Result<String> {
    Ok(spirv::load(words)?.disassemble() + "\n")
}

/// HLSL for shader model 6.0, or 6.2 for half floats, with all functions and entry points. Registers correspond to the
/// WGSL bindings. Samplers come from a heap, as in wgpu.
pub fn hlsl(shader: &Checked, runtime_checks: bool) -> Result<String> {
    let mut types = shader.module.types.iter();
    let has_halves = types.any(|(_, ty)| ty.inner.scalar() == Some(naga::Scalar::F16));
    let options = hlsl::Options {
        shader_model: match has_halves {
            true => hlsl::ShaderModel::V6_2,
            false => hlsl::ShaderModel::V6_0,
        },
        fake_missing_bindings: true,
        zero_initialize_workgroup_memory: false,
        restrict_indexing: runtime_checks,
        force_loop_bounding: runtime_checks,
        ..Default::default()
    };
    let mut text = String::new();
    let written = hlsl::Writer::new(&mut text, &options, &Default::default())
        .write(&shader.module, &shader.info, None)
        .map_err(|error| Error::failed(format!("translation to HLSL: {error}")))?;
    for name in written.entry_point_names {
        name.map_err(|error| Error::failed(format!("translation to HLSL: {error}")))?;
    }
    Ok(text)
}

/// MSL 2.4 with all functions and entry points. Buffers, textures and samplers are each numbered from 0, in binding
/// order. The buffer after the last one contains the sizes of runtime arrays.
pub fn msl(shader: &Checked, runtime_checks: bool) -> Result<String> {
    let slots = metal_slots(&shader.module);
    let entries = shader.module.entry_points.iter();
    let options = msl::Options {
        lang_version: (2, 4),
        per_entry_point_map: entries
            .map(|entry| (entry.name.clone(), slots.clone()))
            .collect(),
        fake_missing_bindings: false,
        bounds_check_policies: spirv::bounds_checks(runtime_checks),
        zero_initialize_workgroup_memory: false,
        force_loop_bounding: runtime_checks,
        emit_int_div_checks: runtime_checks,
        ..Default::default()
    };
    let (text, info) =
        msl::write_string(&shader.module, &shader.info, &options, &Default::default())
            .map_err(|error| Error::failed(format!("translation to MSL: {error}")))?;
    for name in info.entry_point_names {
        name.map_err(|error| Error::failed(format!("translation to MSL: {error}")))?;
    }
    Ok(text)
}

fn metal_slots(module: &naga::Module) -> msl::EntryPointResources {
    let bound = module.global_variables.iter();
    let bound: BTreeMap<naga::ResourceBinding, &naga::GlobalVariable> = bound
        .filter_map(|(_, variable)| Some((variable.binding?, variable)))
        .collect();
    let [mut buffers, mut textures, mut samplers] = [0..=u8::MAX, 0..=u8::MAX, 0..=u8::MAX];
    let mut slots = msl::EntryPointResources::default();
    for (binding, variable) in bound {
        let mut target = msl::BindTarget {
            mutable: true,
            ..Default::default()
        };
        match module.types[variable.ty].inner {
            naga::TypeInner::Image { .. } => target.texture = textures.next(),
            naga::TypeInner::Sampler { .. } => {
                target.sampler = samplers.next().map(msl::BindSamplerTarget::Resource);
            }
            _ => target.buffer = buffers.next(),
        }
        slots.resources.insert(binding, target);
    }
    slots.sizes_buffer = buffers.next();
    slots
}
