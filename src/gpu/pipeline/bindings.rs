//! Resource bindings. Only shaders declare bindings: layouts are derived from shaders, and resources are bound by name.

use super::resource_set::Binds;
use crate::error::{Error, Result};
use crate::gpu::Gpu;
use crate::gpu::shader::spirv;

pub struct Layout {
    pub group: wgpu::BindGroupLayout,
    names: Vec<(String, u32)>,
}

impl Layout {
    /// The layout that a shader declares for use in `stages`. Textures loaded without a sampler may have unfilterable
    /// formats.
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

    pub(in crate::gpu) fn pipeline_layout(&self, gpu: &Gpu, label: &str) -> wgpu::PipelineLayout {
        gpu.device
            .create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some(label),
                bind_group_layouts: &[Some(&self.group)],
                immediate_size: 0,
            })
    }

    /// Binds the resources that the shader names, each from the first set that contains the name.
    pub fn bind(&self, gpu: &Gpu, label: &str, sets: &[&Binds]) -> Result<wgpu::BindGroup> {
        let entry = |(name, binding): &(String, u32)| {
            let found = sets.iter().find_map(|set| set.find(name));
            let resource = found
                .ok_or_else(|| Error::failed(format!("{label}: nothing is bound to {name}")))?;
            Ok(wgpu::BindGroupEntry {
                binding: *binding,
                resource,
            })
        };
        let entries = self.names.iter().map(entry).collect::<Result<Vec<_>>>()?;
        Ok(gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(label),
            layout: &self.group,
            entries: &entries,
        }))
    }
}

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
        TypeInner::Sampler { comparison } => Some(wgpu::BindingType::Sampler(match comparison {
            true => wgpu::SamplerBindingType::Comparison,
            false => wgpu::SamplerBindingType::Filtering,
        })),
        TypeInner::Image {
            dim,
            class,
            arrayed,
        } => {
            let view_dimension = match dim {
                naga::ImageDimension::D3 => wgpu::TextureViewDimension::D3,
                _ if arrayed => wgpu::TextureViewDimension::D2Array,
                _ => wgpu::TextureViewDimension::D2,
            };
            let sample_type = match class {
                ImageClass::Storage { format, .. } => {
                    return Some(wgpu::BindingType::StorageTexture {
                        access: wgpu::StorageTextureAccess::WriteOnly,
                        format: storage_format(format)?,
                        view_dimension,
                    });
                }
                ImageClass::Depth { .. } => wgpu::TextureSampleType::Depth,
                ImageClass::Sampled { kind, .. } => match kind {
                    ScalarKind::Float => wgpu::TextureSampleType::Float {
                        filterable: is_sampled,
                    },
                    ScalarKind::Uint => wgpu::TextureSampleType::Uint,
                    _ => return None,
                },
                _ => return None,
            };
            Some(wgpu::BindingType::Texture {
                sample_type,
                view_dimension,
                multisampled: false,
            })
        }
        _ => None,
    }
}

fn storage_format(format: naga::StorageFormat) -> Option<wgpu::TextureFormat> {
    use naga::StorageFormat as Declared;
    Some(match format {
        Declared::Rgba8Unorm => wgpu::TextureFormat::Rgba8Unorm,
        Declared::Rgba16Float => wgpu::TextureFormat::Rgba16Float,
        Declared::R32Float => wgpu::TextureFormat::R32Float,
        Declared::R32Uint => wgpu::TextureFormat::R32Uint,
        _ => return None,
    })
}
