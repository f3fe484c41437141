//! Pipelines from shader variants. The shader is the only place where bindings are declared: the
//! layout is read from it, and resources are bound by the names the shader gives them.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::bound::{Bound, Built, Make, Unmade};
use super::draw::DrawCache;
use super::origin::{self, Fault};
use super::reload::Sources;
use super::shader::{Hashes, ShaderSource, Texts, Variant, hash_of};
use super::{Gpu, spirv};
use crate::error::{Error, Result};

/// A resource under the name that shaders know it by.
pub type Bind<'a> = (&'a str, wgpu::BindingResource<'a>);

/// A compute pipeline whose resources are bound by name (all in group 0).
pub type ComputePipeline = Bound<wgpu::ComputePipeline>;

/// A bind group layout read from a shader.
pub struct Layout {
    /// The layout of group 0.
    pub group: wgpu::BindGroupLayout,
    names: Vec<(String, u32)>,
}

/// What pipelines need of a shader.
pub struct Shader {
    /// The label of pipeline and module.
    pub label: String,
    /// The module, with all entry points asked for.
    pub module: wgpu::ShaderModule,
    /// Its resources.
    pub layout: Layout,
    /// The pipeline layout made of them.
    pub pipeline_layout: wgpu::PipelineLayout,
}

/// Compiles variants once and keeps them; files that change are taken up by `reload.rs`.
pub struct Pipelines {
    pub(super) sources: Sources,
    pub(super) computes: Mutex<HashMap<String, Arc<ComputePipeline>>>,
    pub(super) draws: DrawCache,
}

impl Layout {
    /// The layout that a shader declares, for use in `stages`. Textures that it loads without a sampler
    /// may be of formats that cannot be filtered.
    ///
    /// # Errors
    /// A kind of resource this program does not use (exit code 1; a bug).
    pub fn of(
        gpu: &Gpu,
        spirv::Checked { module, info }: &spirv::Checked,
        label: &str,
        stages: wgpu::ShaderStages,
    ) -> Result<Self> {
        let is_sampled = |variable| {
            let entry_points = (0..module.entry_points.len()).map(|at| info.get_entry_point(at));
            let mut keys = entry_points.flat_map(|info| &info.sampling_set);
            keys.any(|key| key.image == variable)
        };
        let mut entries = Vec::new();
        let mut names = Vec::new();
        for (handle, variable) in module.global_variables.iter() {
            let Some(binding) = variable.binding else {
                continue;
            };
            entries.push(wgpu::BindGroupLayoutEntry {
                binding: binding.binding,
                visibility: stages,
                ty: binding_type(module, variable, is_sampled(handle))
                    .ok_or_else(|| Error::failed(format!("{label}: unknown kind of binding")))?,
                count: None,
            });
            names.push((variable.name.clone().unwrap_or_default(), binding.binding));
        }
        entries.sort_by_key(|entry| entry.binding);
        let group = gpu
            .device
            .create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
                label: Some(label),
                entries: &entries,
            });
        Ok(Self { group, names })
    }

    /// A pipeline layout with this group alone.
    fn pipeline_layout(&self, gpu: &Gpu, label: &str) -> wgpu::PipelineLayout {
        gpu.device
            .create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some(label),
                bind_group_layouts: &[Some(&self.group)],
                immediate_size: 0,
            })
    }

    /// Binds `resources` by name; names the shader does not use are ignored.
    ///
    /// # Errors
    /// The shader uses a name that is not among them (exit code 1; a bug).
    pub fn bind(&self, gpu: &Gpu, label: &str, resources: &[Bind]) -> Result<wgpu::BindGroup> {
        let entries = self
            .names
            .iter()
            .map(|(name, binding)| {
                let resource = resources
                    .iter()
                    .find(|resource| resource.0 == name)
                    .ok_or_else(|| Error::failed(format!("{label}: nothing is bound to {name}")))?;
                Ok(wgpu::BindGroupEntry {
                    binding: *binding,
                    resource: resource.1.clone(),
                })
            })
            .collect::<Result<Vec<_>>>()?;
        Ok(gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(label),
            layout: &self.group,
            entries: &entries,
        }))
    }
}

/// The wgpu binding type of a global variable.
fn binding_type(
    module: &naga::Module,
    variable: &naga::GlobalVariable,
    is_sampled: bool,
) -> Option<wgpu::BindingType> {
    use naga::{AddressSpace, ImageClass, ScalarKind, StorageAccess, TypeInner};
    let buffer = |ty| {
        Some(wgpu::BindingType::Buffer {
            ty,
            has_dynamic_offset: false,
            min_binding_size: None,
        })
    };
    match variable.space {
        AddressSpace::Uniform => return buffer(wgpu::BufferBindingType::Uniform),
        AddressSpace::Storage { access } => {
            return buffer(wgpu::BufferBindingType::Storage {
                read_only: !access.contains(StorageAccess::STORE),
            });
        }
        _ => {}
    }
    match module.types[variable.ty].inner {
        TypeInner::Sampler { comparison: true } => Some(wgpu::BindingType::Sampler(
            wgpu::SamplerBindingType::Comparison,
        )),
        TypeInner::Sampler { comparison: false } => Some(wgpu::BindingType::Sampler(
            wgpu::SamplerBindingType::Filtering,
        )),
        TypeInner::Image { dim, class, .. } => {
            let view_dimension = match dim {
                naga::ImageDimension::D3 => wgpu::TextureViewDimension::D3,
                _ => wgpu::TextureViewDimension::D2,
            };
            match class {
                ImageClass::Depth { .. } => Some(wgpu::BindingType::Texture {
                    sample_type: wgpu::TextureSampleType::Depth,
                    view_dimension,
                    multisampled: false,
                }),
                ImageClass::Sampled {
                    kind: ScalarKind::Float,
                    ..
                } => Some(wgpu::BindingType::Texture {
                    sample_type: wgpu::TextureSampleType::Float {
                        filterable: is_sampled,
                    },
                    view_dimension,
                    multisampled: false,
                }),
                ImageClass::Sampled {
                    kind: ScalarKind::Uint,
                    ..
                } => Some(wgpu::BindingType::Texture {
                    sample_type: wgpu::TextureSampleType::Uint,
                    view_dimension,
                    multisampled: false,
                }),
                ImageClass::Storage { format, .. } => Some(wgpu::BindingType::StorageTexture {
                    access: wgpu::StorageTextureAccess::WriteOnly,
                    format: storage_format(format)?,
                    view_dimension,
                }),
                _ => None,
            }
        }
        _ => None,
    }
}

fn storage_format(format: naga::StorageFormat) -> Option<wgpu::TextureFormat> {
    match format {
        naga::StorageFormat::Rgba8Unorm => Some(wgpu::TextureFormat::Rgba8Unorm),
        naga::StorageFormat::Rgba16Float => Some(wgpu::TextureFormat::Rgba16Float),
        _ => None,
    }
}

/// Makes a shader module with run-time checks or without, as the device asks.
fn shader_module(gpu: &Gpu, label: &str, wgsl: &str) -> wgpu::ShaderModule {
    let descriptor = wgpu::ShaderModuleDescriptor {
        label: Some(label),
        source: wgpu::ShaderSource::Wgsl(Cow::Borrowed(wgsl)),
    };
    let checks = match gpu.checks_shaders {
        true => wgpu::ShaderRuntimeChecks::checked(),
        false => wgpu::ShaderRuntimeChecks::unchecked(),
    };
    // SAFETY: all loops in our shaders end, all divisors are non-zero, and every index is below a
    // count that the same frame computed from the buffer's capacity; debug builds check it. Who edits
    // them while a release build runs vouches for the same, as docs/window.md says.
    unsafe { gpu.device.create_shader_module_trusted(descriptor, checks) }
}

impl Pipelines {
    /// An empty cache over `source`.
    pub fn new(source: ShaderSource) -> Self {
        Self {
            sources: Sources::new(source),
            computes: Mutex::default(),
            draws: DrawCache::default(),
        }
    }

    /// An empty cache over the same source: drivers may put what is compiled again in another place.
    pub fn anew(&self) -> Self {
        Self::new(ShaderSource::clone(&self.source()))
    }

    /// The compute pipeline of entry point `entry` of a variant, compiled on first use.
    ///
    /// A variant with the feature `native` goes through [`spirv::patch`].
    ///
    /// # Errors
    /// The shader does not resolve, parse or validate (exit code 1, with the place).
    pub fn compute(
        &self,
        gpu: &Gpu,
        variant: &Variant,
        entry: &str,
    ) -> Result<Arc<ComputePipeline>> {
        let name = format!("{} {entry}", variant.key());
        let mut cache = self.computes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pipeline) = cache.get(&name) {
            return Ok(Arc::clone(pipeline));
        }
        let (label, variant, entry) = (variant.label(), variant.clone(), entry.to_owned());
        let make: Make<_> = Box::new(move |gpu, source| compile(gpu, source, &variant, &entry));
        let pipeline = Arc::new(self.first(gpu, label, name.clone(), make)?);
        cache.insert(name, Arc::clone(&pipeline));
        Ok(pipeline)
    }
}

fn compile(
    gpu: &Gpu,
    source: &ShaderSource,
    variant: &Variant,
    entry: &str,
) -> Result<Built<wgpu::ComputePipeline>, Box<Unmade>> {
    let stages = wgpu::ShaderStages::COMPUTE;
    made(gpu, source, variant, &[entry], stages, |shader| {
        let descriptor = wgpu::ComputePipelineDescriptor {
            // A module may have several entry points.
            label: Some(&format!("{} {entry}", shader.label)),
            layout: Some(&shader.pipeline_layout),
            module: &shader.module,
            entry_point: Some(entry),
            compilation_options: wgpu::PipelineCompilationOptions {
                zero_initialize_workgroup_memory: false,
                ..Default::default()
            },
            cache: None,
        };
        gpu.device.create_compute_pipeline(&descriptor)
    })
}

/// Makes a pipeline out of `entries` of a variant, and says what of.
pub(super) fn made<P>(
    gpu: &Gpu,
    source: &ShaderSource,
    variant: &Variant,
    entries: &[&str],
    stages: wgpu::ShaderStages,
    pipeline: impl FnOnce(&Shader) -> P,
) -> Result<Built<P>, Box<Unmade>> {
    let (files, wgsl) = source.resolve_traced(variant, entries);
    let built = wgsl.and_then(|wgsl| {
        let invalid = |invalid| origin::of_wgsl(&variant.key(), invalid, &wgsl, &files);
        let checked = spirv::checked(&wgsl, &variant.label()).map_err(invalid)?;
        let make = || {
            let shader = shader(gpu, variant, &wgsl, &checked, entries, stages)?;
            Ok((pipeline(&shader), shader.layout))
        };
        let made = gpu.catch(make).and_then(std::convert::identity);
        made.map_err(|error| Fault::nowhere(&variant.key(), &error))
    });
    match built {
        Ok((pipeline, layout)) => Ok(Built {
            pipeline,
            layout,
            files: hashes(&files),
        }),
        Err(fault) => Err(Box::new(Unmade { fault, files })),
    }
}

fn hashes(files: &Texts) -> Hashes {
    let hash = |(module, text): (&String, &String)| (module.clone(), hash_of(text));
    files.iter().map(hash).collect()
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
    let words = spirv::dispatched_with(variant, shader, entry, gpu.checks_shaders, source)?;
    let descriptor = wgpu::ShaderModuleDescriptorPassthrough {
        label: Some(&label),
        entry_points: Cow::Owned(vec![wgpu::PassthroughShaderEntryPoint {
            name: Cow::Owned(entry.to_owned()),
            workgroup_size: (0, 0, 0),
        }]),
        spirv: Some(Cow::Owned(words)),
        ..Default::default()
    };
    // SAFETY: the words are naga's translation of a validated module in which only the bodies of
    // marked functions were replaced by one valid instruction each; see `shader_module` for loops
    // and indices.
    Ok(unsafe { gpu.device.create_shader_module_passthrough(descriptor) })
}

impl ComputePipeline {
    /// Sets the pipeline and its resources on a pass.
    ///
    /// # Errors
    /// As [`Layout::bind`].
    pub fn set(&self, gpu: &Gpu, pass: &mut wgpu::ComputePass, resources: &[Bind]) -> Result<()> {
        let (built, group) = self.bind(gpu, resources)?;
        pass.set_pipeline(&built.pipeline);
        pass.set_bind_group(0, &group, &[]);
        Ok(())
    }

    /// Sets everything and dispatches `groups` workgroups, spread over x and y.
    ///
    /// # Errors
    /// As [`Layout::bind`].
    pub fn dispatch(
        &self,
        gpu: &Gpu,
        pass: &mut wgpu::ComputePass,
        resources: &[Bind],
        groups: u32,
    ) -> Result<()> {
        self.set(gpu, pass, resources)?;
        let [x, y] = spread(groups);
        pass.dispatch_workgroups(x, y, 1);
        Ok(())
    }

    /// Sets everything and dispatches what slot `slot` of `arguments` says.
    ///
    /// # Errors
    /// As [`Layout::bind`].
    pub fn dispatch_indirect(
        &self,
        gpu: &Gpu,
        pass: &mut wgpu::ComputePass,
        resources: &[Bind],
        arguments: &wgpu::Buffer,
        slot: u64,
    ) -> Result<()> {
        self.set(gpu, pass, resources)?;
        pass.dispatch_workgroups_indirect(arguments, slot * 12);
        Ok(())
    }
}

/// Workgroups in x before a dispatch wraps into y; `shaders/scan.wesl` does the same.
pub const GROUPS_PER_ROW: u32 = 32_768;

/// `groups` workgroups as x and y; kernels take `x + y * GROUPS_PER_ROW` and check it themselves.
pub fn spread(groups: u32) -> [u32; 2] {
    [
        groups.min(GROUPS_PER_ROW),
        groups.div_ceil(GROUPS_PER_ROW).max(1),
    ]
}
