//! Compiles a shader variant into a pipeline: resolves and validates the text, derives the layout, and passes the
//! module to the driver. The module is WGSL, or SPIR-V for native opcodes.

use std::borrow::Cow;

use super::bindings::Layout;
use super::resource_set::Identity;
use crate::error::Result;
use crate::gpu::Gpu;
use crate::gpu::shader::compilers::on_deep_stack;
use crate::gpu::shader::error_location::ShaderFault;
use crate::gpu::shader::source::{ShaderSource, embedded, hash_of};
use crate::gpu::shader::variant::{Hashes, Texts, Variant};
use crate::gpu::shader::{error_location, spirv};

pub(in crate::gpu) struct Shader {
    pub label: String,
    pub module: wgpu::ShaderModule,
    pub pipeline_layout: wgpu::PipelineLayout,
    layout: Layout,
}

/// Makes a pipeline from `entries` of a variant. Runs on a deep stack, because wgpu and the driver process the text
/// again.
pub(in crate::gpu) fn made<P: Send>(
    gpu: &Gpu,
    source: &ShaderSource,
    variant: &Variant,
    entries: &[&str],
    stages: wgpu::ShaderStages,
    pipeline: impl FnOnce(&Shader) -> P + Send,
) -> Result<Built<P>, Box<Unmade>> {
    on_deep_stack(|| {
        let (files, wgsl) = source.resolve_traced(variant, entries);
        let built = wgsl.and_then(|wgsl| {
            let wgsl = for_adapter(gpu, wgsl);
            let invalid = |invalid| error_location::of_wgsl(&variant.key(), invalid, &wgsl, &files);
            let checked = spirv::checked(&wgsl, &variant.label()).map_err(invalid)?;
            let make = || {
                let shader = shader(gpu, variant, &wgsl, &checked, entries, stages)?;
                Ok((pipeline(&shader), shader.layout))
            };
            let made = gpu.catch(make).and_then(std::convert::identity);
            made.map_err(|error| ShaderFault::nowhere(&variant.key(), &error))
        });
        match built {
            Ok((pipeline, layout)) => Ok(Built::new(pipeline, layout, &files)),
            Err(fault) => Err(Box::new(Unmade { fault, files })),
        }
    })
}

/// For Mesa's llvmpipe, turns uniform buffers into storage buffers. llvmpipe compiles a uniform value that decides a
/// branch into the machine code. It would recompile the kernel for every other buffer, so at every new window size, and
/// keep every version. No other driver is known to do so, and most have too few storage buffers for this change.
fn for_adapter(gpu: &Gpu, wgsl: String) -> String {
    if gpu.caps.is_llvmpipe() {
        wgsl.replace("var<uniform>", "var<storage, read>")
    } else {
        wgsl
    }
}

fn shader(
    gpu: &Gpu,
    variant: &Variant,
    wgsl: &str,
    checked: &spirv::Checked,
    entries: &[&str],
    stages: wgpu::ShaderStages,
) -> Result<Shader> {
    let label = variant.label();
    let layout = Layout::of(gpu, checked, &label, stages)?;
    let module = match (entries, spirv::is_native(variant)) {
        ([entry], true) => native_module(gpu, variant, checked, wgsl, entry)?,
        _ => shader_module(gpu, &label, wgsl),
    };
    Ok(Shader {
        module,
        pipeline_layout: layout.pipeline_layout(gpu, &label),
        layout,
        label,
    })
}

fn native_module(
    gpu: &Gpu,
    variant: &Variant,
    shader: &spirv::Checked,
    wgsl: &str,
    entry: &str,
) -> Result<wgpu::ShaderModule> {
    let label = variant.label();
    let file = &label;
    let source = gpu.is_named.then_some(spirv::Source { file, wgsl });
    let words = spirv::dispatched(variant, shader, entry, gpu.checks_shaders, source)?;
    let descriptor = wgpu::ShaderModuleDescriptorPassthrough {
        label: Some(&label),
        entry_points: Cow::Owned(vec![wgpu::PassthroughShaderEntryPoint {
            name: Cow::Owned(entry.to_owned()),
            workgroup_size: (0, 0, 0),
        }]),
        spirv: Some(Cow::Owned(words)),
        ..Default::default()
    };
    // SAFETY: the words are naga's translation of a validated module in which only the bodies of marked functions
    // were replaced by one valid instruction each; see `shader_module` for loops and indices.
    Ok(unsafe { gpu.device.create_shader_module_passthrough(descriptor) })
}

/// What a browser needs before a text with wave operations. naga, which parses the text first, refuses these lines.
const BROWSER_WAVES: &str = "enable subgroups;\ndiagnostic(off, subgroup_uniformity);\n";

fn shader_module(gpu: &Gpu, label: &str, wgsl: &str) -> wgpu::ShaderModule {
    let with_waves = cfg!(target_arch = "wasm32") && wgsl.contains("subgroup");
    let head = if with_waves { BROWSER_WAVES } else { "" };
    let descriptor = wgpu::ShaderModuleDescriptor {
        label: Some(label),
        source: wgpu::ShaderSource::Wgsl(Cow::Owned(format!("{head}{wgsl}"))),
    };
    let checks = if gpu.checks_shaders {
        wgpu::ShaderRuntimeChecks::checked()
    } else {
        wgpu::ShaderRuntimeChecks::unchecked()
    };
    // SAFETY: all loops in our shaders end, all divisors are non-zero, and every index is below a count that the same
    // frame computed from the buffer's capacity; debug builds check it. Anyone who edits shaders while a release
    // build runs takes responsibility for that, as docs/window.md says.
    unsafe { gpu.device.create_shader_module_trusted(descriptor, checks) }
}

pub struct Built<P> {
    pub pipeline: P,
    pub layout: Layout,
    pub files: Hashes,
    /// True for the program's own shaders, which have known inputs.
    pub is_embedded: bool,
    pub(super) identity: Identity,
}

impl<P> Built<P> {
    pub(in crate::gpu) fn new(pipeline: P, layout: Layout, files: &Texts) -> Self {
        let hash = |(module, text): (&String, &String)| (module.clone(), hash_of(text));
        let files: Hashes = files.iter().map(hash).collect();
        let is_own = |(module, hash): (&String, &u64)| embedded(module).map(hash_of) == Some(*hash);
        Self {
            pipeline,
            layout,
            is_embedded: files.iter().all(is_own),
            files,
            identity: Identity::default(),
        }
    }
}

pub(in crate::gpu) type Make<P> =
    dyn Fn(&Gpu, &ShaderSource) -> Result<Built<P>, Box<Unmade>> + Send + Sync;

pub(in crate::gpu) struct Unmade {
    pub fault: Box<ShaderFault>,
    pub files: Texts,
}
