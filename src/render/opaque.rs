//! Which opaque triangle is seen where, from the camera and from the sun (`shaders/opaque.wesl`), and the
//! light it sends to the camera (`shaders/surface.wesl`).
//!
//! Rasterisation writes four bytes and a depth; all shading is compute, once per pixel. Some GPUs have
//! far more units for compute than for rasterisation, and none shades a hidden surface this way.

use std::sync::Arc;

use crate::error::Result;
use crate::gpu::layout::Vertex;
use crate::gpu::pipeline::Layout;
use crate::gpu::shader::Variant;
use crate::gpu::{ComputePipeline, Gpu, Pipelines};

use super::resources::{CAMERA_DEPTH, Resources, SUN_DEPTH, TRIANGLE_IDS};

/// How the attributes of `shaders/opaque.wesl` lie in a [`Vertex`].
pub const VERTEX_ATTRIBUTES: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![0 => Float32x3];

struct RasterPipeline {
    pipeline: wgpu::RenderPipeline,
    layout: Layout,
}

/// Pipelines that draw the opaque meshes.
pub struct Opaque {
    camera: RasterPipeline,
    sun: RasterPipeline,
    shade: Arc<ComputePipeline>,
}

/// What differs between drawing for the camera and for the sun.
struct View {
    label: &'static str,
    vertex: &'static str,
    fragment: Option<&'static str>,
    depth: wgpu::TextureFormat,
    compare: wgpu::CompareFunction,
    cull: Option<wgpu::Face>,
}

impl Opaque {
    /// Compiles the pipelines.
    ///
    /// # Errors
    /// A shader does not compile (exit code 1).
    pub fn new(gpu: &Gpu, pipelines: &Pipelines) -> Result<Self> {
        Ok(Self {
            camera: raster_pipeline(
                gpu,
                pipelines,
                &View {
                    label: "opaque",
                    vertex: "camera_vertex",
                    fragment: Some("triangle_seen"),
                    depth: CAMERA_DEPTH,
                    compare: wgpu::CompareFunction::Greater,
                    cull: Some(wgpu::Face::Back),
                },
            )?,
            sun: raster_pipeline(
                gpu,
                pipelines,
                &View {
                    label: "shadow",
                    vertex: "sun_vertex",
                    fragment: None,
                    depth: SUN_DEPTH,
                    compare: wgpu::CompareFunction::Less,
                    cull: None,
                },
            )?,
            shade: pipelines.compute(gpu, &Variant::new("surface"), "shade")?,
        })
    }

    /// Draws depth from the sun.
    ///
    /// # Errors
    /// A resource is missing (exit code 1; a bug).
    pub fn shadow(
        &self,
        gpu: &Gpu,
        pass: &mut wgpu::RenderPass,
        resources: &Resources,
    ) -> Result<()> {
        self.sun.draw(gpu, pass, resources)
    }

    /// Draws triangle numbers and depth for the camera.
    ///
    /// # Errors
    /// A resource is missing (exit code 1; a bug).
    pub fn opaque(
        &self,
        gpu: &Gpu,
        pass: &mut wgpu::RenderPass,
        resources: &Resources,
    ) -> Result<()> {
        self.camera.draw(gpu, pass, resources)
    }

    /// Shades what the camera sees of `size` pixels.
    ///
    /// # Errors
    /// A resource is missing (exit code 1; a bug).
    pub fn shade(
        &self,
        gpu: &Gpu,
        pass: &mut wgpu::ComputePass,
        resources: &Resources,
        [width, height]: [u32; 2],
    ) -> Result<()> {
        if resources.vertex_count == 0 {
            return Ok(());
        }
        self.shade.set(gpu, pass, &resources.binds())?;
        pass.dispatch_workgroups(width.div_ceil(8), height.div_ceil(8), 1);
        Ok(())
    }
}

impl RasterPipeline {
    fn draw(&self, gpu: &Gpu, pass: &mut wgpu::RenderPass, resources: &Resources) -> Result<()> {
        if resources.vertex_count == 0 {
            return Ok(());
        }
        let group = self.layout.bind(gpu, "opaque", &resources.binds())?;
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.set_vertex_buffer(0, resources.vertices.slice(..));
        pass.draw(0..resources.vertex_count, 0..1);
        Ok(())
    }
}

fn raster_pipeline(gpu: &Gpu, pipelines: &Pipelines, view: &View) -> Result<RasterPipeline> {
    let entries: Vec<&str> = std::iter::once(view.vertex).chain(view.fragment).collect();
    let label = format!("{}.wgsl", view.label);
    let shader = pipelines.raster(
        gpu,
        &Variant::new("opaque"),
        &label,
        &entries,
        wgpu::ShaderStages::VERTEX_FRAGMENT,
    )?;
    let vertex_layout = wgpu::VertexBufferLayout {
        array_stride: size_of::<Vertex>() as u64,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &VERTEX_ATTRIBUTES,
    };
    let targets = [Some(wgpu::ColorTargetState::from(TRIANGLE_IDS))];
    let pipeline = gpu
        .device
        .create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(view.label),
            layout: Some(&shader.pipeline_layout),
            vertex: wgpu::VertexState {
                module: &shader.module,
                entry_point: Some(view.vertex),
                compilation_options: Default::default(),
                buffers: &[Some(vertex_layout)],
            },
            primitive: wgpu::PrimitiveState {
                cull_mode: view.cull,
                ..Default::default()
            },
            depth_stencil: Some(wgpu::DepthStencilState {
                format: view.depth,
                depth_write_enabled: Some(true),
                depth_compare: Some(view.compare),
                stencil: Default::default(),
                bias: Default::default(),
            }),
            multisample: Default::default(),
            fragment: view.fragment.map(|entry| wgpu::FragmentState {
                module: &shader.module,
                entry_point: Some(entry),
                compilation_options: Default::default(),
                targets: &targets,
            }),
            multiview_mask: None,
            cache: None,
        });
    gpu.check()
        .map_err(|error| error.context(format!("pipeline {label}")))?;
    Ok(RasterPipeline {
        pipeline,
        layout: shader.layout,
    })
}
