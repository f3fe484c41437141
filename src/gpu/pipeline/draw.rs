//! Render pipelines: two shader stages and their fixed state.

use std::sync::Arc;

use super::bound::Bound;
use super::compile::{Shader, made};
use super::resource_set::Binds;
use crate::error::Result;
use crate::gpu::shader::source::ShaderSource;
use crate::gpu::shader::variant::Variant;
use crate::gpu::{Gpu, Pipelines};

pub type DrawPipeline = Bound<wgpu::RenderPipeline>;

/// State of a render pipeline in addition to its shader. Vertices, if any, come from a single buffer.
#[derive(Clone, Debug)]
pub struct Draw {
    pub label: &'static str,
    pub vertex: &'static str,
    pub fragment: Option<&'static str>,
    /// Stages that bind resources.
    pub stages: wgpu::ShaderStages,
    pub primitive: wgpu::PrimitiveState,
    /// Vertex buffer: stride in bytes, and attributes.
    pub vertices: Option<(u64, &'static [wgpu::VertexAttribute])>,
    pub depth: Option<wgpu::DepthStencilState>,
    /// Targets of the fragment stage in the order of their locations.
    pub targets: Vec<wgpu::ColorTargetState>,
}

impl Pipelines {
    /// The pipeline for two stages of a variant, which is compiled on first use.
    pub fn draw(&self, gpu: &Gpu, variant: &Variant, draw: &Draw) -> Result<Arc<DrawPipeline>> {
        let key = format!("{} {draw:?}", variant.key());
        self.ask(&self.kept.draws, key, || {
            let name = format!("{} {}", variant.key(), draw.entries().join("+"));
            let (variant, draw) = (variant.clone(), draw.clone());
            let label = draw.label.to_owned();
            let make = move |gpu: &Gpu, source: &ShaderSource| {
                let (entries, stages) = (draw.entries(), draw.stages);
                made(gpu, source, &variant, &entries, stages, |shader| {
                    draw.pipeline(gpu, shader)
                })
            };
            Bound::new(gpu, &self.kept.sources, label, name, Arc::new(make))
        })
    }
}

impl Draw {
    fn entries(&self) -> Vec<&'static str> {
        std::iter::once(self.vertex).chain(self.fragment).collect()
    }

    fn pipeline(&self, gpu: &Gpu, shader: &Shader) -> wgpu::RenderPipeline {
        let vertices = self.vertices.map(|(stride, attributes)| {
            let layout = wgpu::VertexBufferLayout {
                array_stride: stride,
                step_mode: wgpu::VertexStepMode::Vertex,
                attributes,
            };
            [Some(layout)]
        });
        let targets: Vec<_> = self.targets.iter().cloned().map(Some).collect();
        let fragment = self.fragment.map(|entry| wgpu::FragmentState {
            module: &shader.module,
            entry_point: Some(entry),
            compilation_options: Default::default(),
            targets: &targets,
        });
        let descriptor = wgpu::RenderPipelineDescriptor {
            label: Some(self.label),
            layout: Some(&shader.pipeline_layout),
            vertex: wgpu::VertexState {
                module: &shader.module,
                entry_point: Some(self.vertex),
                compilation_options: Default::default(),
                buffers: vertices.as_ref().map_or(&[], |one| one.as_slice()),
            },
            primitive: self.primitive,
            depth_stencil: self.depth.clone(),
            multisample: Default::default(),
            fragment,
            multiview_mask: None,
            cache: None,
        };
        gpu.device.create_render_pipeline(&descriptor)
    }
}

impl DrawPipeline {
    pub fn set(&self, pass: &mut wgpu::RenderPass, sets: &[&Binds]) -> Result<()> {
        let (built, group) = self.bind(sets)?;
        pass.set_pipeline(&built.pipeline);
        pass.set_bind_group(0, &group, &[]);
        Ok(())
    }
}
