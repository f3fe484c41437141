//! Pipelines that draw instances into one colour target, without vertex buffers and without depth.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use super::pipeline::Layout;
use super::shader::Variant;
use super::{Bind, Gpu, Pipelines};
use crate::error::Result;

/// A render pipeline whose resources are bound by name (all in group 0).
pub struct DrawPipeline {
    /// The label of pipeline and module.
    pub label: String,
    /// The pipeline.
    pub pipeline: wgpu::RenderPipeline,
    layout: Layout,
}

/// Draw pipelines by what they were made of.
pub(super) type DrawCache = Mutex<HashMap<String, Arc<DrawPipeline>>>;

impl Pipelines {
    /// The pipeline that draws triangle strips by a variant's vertex and fragment entry points into
    /// `target`, compiled on first use.
    ///
    /// # Errors
    /// As [`Pipelines::compute`].
    pub fn draw(
        &self,
        gpu: &Gpu,
        variant: &Variant,
        entries: [&str; 2],
        target: &wgpu::ColorTargetState,
    ) -> Result<Arc<DrawPipeline>> {
        let key = format!("{} {entries:?} {target:?}", variant.key());
        let mut cache = match self.draws.lock() {
            Ok(cache) => cache,
            Err(poisoned) => poisoned.into_inner(),
        };
        if let Some(pipeline) = cache.get(&key) {
            return Ok(Arc::clone(pipeline));
        }
        let pipeline = Arc::new(self.compile_draw(gpu, variant, entries, target)?);
        cache.insert(key, Arc::clone(&pipeline));
        Ok(pipeline)
    }

    fn compile_draw(
        &self,
        gpu: &Gpu,
        variant: &Variant,
        [vertex, fragment]: [&str; 2],
        target: &wgpu::ColorTargetState,
    ) -> Result<DrawPipeline> {
        let label = variant.label();
        let stages = wgpu::ShaderStages::VERTEX_FRAGMENT;
        let shader = self.raster(gpu, variant, &label, &[vertex, fragment], stages)?;
        let pipeline = gpu
            .device
            .create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some(&label),
                layout: Some(&shader.pipeline_layout),
                vertex: wgpu::VertexState {
                    module: &shader.module,
                    entry_point: Some(vertex),
                    compilation_options: Default::default(),
                    buffers: &[],
                },
                primitive: wgpu::PrimitiveState {
                    topology: wgpu::PrimitiveTopology::TriangleStrip,
                    ..Default::default()
                },
                depth_stencil: None,
                multisample: Default::default(),
                fragment: Some(wgpu::FragmentState {
                    module: &shader.module,
                    entry_point: Some(fragment),
                    compilation_options: Default::default(),
                    targets: &[Some(target.clone())],
                }),
                multiview_mask: None,
                cache: None,
            });
        gpu.check()
            .map_err(|error| error.context(format!("pipeline {}", variant.key())))?;
        Ok(DrawPipeline {
            label,
            pipeline,
            layout: shader.layout,
        })
    }
}

impl DrawPipeline {
    /// Sets the pipeline and its resources on a pass.
    ///
    /// # Errors
    /// As [`Layout::bind`].
    pub fn set(&self, gpu: &Gpu, pass: &mut wgpu::RenderPass, resources: &[Bind]) -> Result<()> {
        let group = self.layout.bind(gpu, &self.label, resources)?;
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &group, &[]);
        Ok(())
    }
}
