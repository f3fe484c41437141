//! Which opaque triangle is seen where, from the camera and from the sun (`shaders/opaque.wesl`), and the
//! light it sends to the camera (`shaders/surface.wesl`).
//!
//! Rasterisation writes four bytes and a depth; all shading is compute, once per pixel. Some GPUs have
//! far more units for compute than for rasterisation, and none shades a hidden surface this way.

use std::ops::Range;
use std::sync::Arc;

use crate::error::Result;
use crate::gpu::draw::{Draw, DrawPipeline};
use crate::gpu::layout::{FrameUniform, Vertex};
use crate::gpu::shader::Variant;
use crate::gpu::{ComputePipeline, Gpu, Pipelines};

use super::frame_table::{BufferId, CAMERA_DEPTH, SUN_DEPTH, TRIANGLE_IDS};
use super::kept::Sources;
use super::resources::Resources;

/// How the attributes of `shaders/opaque.wesl` lie in a [`Vertex`].
pub const VERTEX_ATTRIBUTES: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![0 => Float32x3];

/// Pipelines that draw the opaque meshes.
pub struct Opaque {
    camera: Arc<DrawPipeline>,
    sun: Arc<DrawPipeline>,
    shade: Arc<ComputePipeline>,
    /// None without models of files.
    coated: Option<Coated>,
}

/// Pipelines that draw triangles of files that are masked or seen from both sides.
struct Coated {
    camera: Arc<DrawPipeline>,
    sun: Arc<DrawPipeline>,
}

/// What differs between drawing for the camera and for the sun.
struct View {
    label: &'static str,
    vertex: &'static str,
    fragment: Option<&'static str>,
    /// Whether the fragment stage draws triangle numbers.
    target: bool,
    depth: wgpu::TextureFormat,
    compare: wgpu::CompareFunction,
    cull: Option<wgpu::Face>,
}

impl Opaque {
    /// Compiles the pipelines; `has_coats`: for models of files, too.
    ///
    /// # Errors
    /// A shader does not compile.
    pub fn new(gpu: &Gpu, pipelines: &Pipelines, has_coats: bool) -> Result<Self> {
        let surface = Variant::new("surface").feature("coats", has_coats);
        let coated = || Coated::new(gpu, pipelines);
        Ok(Self {
            coated: has_coats.then(coated).transpose()?,
            camera: raster_pipeline(
                gpu,
                pipelines,
                &View {
                    label: "opaque",
                    vertex: "camera_vertex",
                    fragment: Some("triangle_seen"),
                    target: true,
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
                    target: false,
                    depth: SUN_DEPTH,
                    compare: wgpu::CompareFunction::Less,
                    cull: None,
                },
            )?,
            shade: pipelines.compute(gpu, &surface, "shade")?,
        })
    }

    /// What depth from the sun is drawn of; of the frame's constants that is the sun's view alone.
    ///
    /// # Errors
    /// A resource is missing (a bug).
    pub(super) fn sources_of_shadow(
        &self,
        gpu: &Gpu,
        resources: &Resources,
        uniform: &FrameUniform,
    ) -> Result<Option<Sources>> {
        let pipelines = parts(&self.sun, self.coated_sun(), resources).map(|part| part.0);
        let constants = uniform.sun_clip_from_world;
        Sources::of(gpu, pipelines, resources.binds(), constants)
    }

    fn coated_sun(&self) -> Option<&DrawPipeline> {
        self.coated.as_ref().map(|of| &*of.sun)
    }

    /// Draws depth from the sun.
    ///
    /// # Errors
    /// A resource is missing (a bug).
    pub fn shadow(
        &self,
        gpu: &Gpu,
        pass: &mut wgpu::RenderPass,
        resources: &Resources,
    ) -> Result<()> {
        draw(&self.sun, self.coated_sun(), gpu, pass, resources)
    }

    /// Draws triangle numbers and depth for the camera.
    ///
    /// # Errors
    /// A resource is missing (a bug).
    pub fn opaque(
        &self,
        gpu: &Gpu,
        pass: &mut wgpu::RenderPass,
        resources: &Resources,
    ) -> Result<()> {
        let coated = self.coated.as_ref().map(|of| &*of.camera);
        draw(&self.camera, coated, gpu, pass, resources)
    }

    /// Shades what the camera sees of `size` pixels.
    ///
    /// # Errors
    /// A resource is missing (a bug).
    pub fn shade(
        &self,
        gpu: &Gpu,
        pass: &mut wgpu::ComputePass,
        resources: &Resources,
        [width, height]: [u32; 2],
    ) -> Result<()> {
        self.shade.set(gpu, pass, &[resources.binds()])?;
        pass.dispatch_workgroups(width.div_ceil(8), height.div_ceil(8), 1);
        Ok(())
    }
}

impl Coated {
    fn new(gpu: &Gpu, pipelines: &Pipelines) -> Result<Self> {
        Ok(Self {
            camera: raster_pipeline(
                gpu,
                pipelines,
                &View {
                    label: "opaque, coated",
                    vertex: "coated_camera_vertex",
                    fragment: Some("coated_triangle_seen"),
                    target: true,
                    depth: CAMERA_DEPTH,
                    compare: wgpu::CompareFunction::Greater,
                    cull: None,
                },
            )?,
            sun: raster_pipeline(
                gpu,
                pipelines,
                &View {
                    label: "shadow, coated",
                    vertex: "coated_sun_vertex",
                    fragment: Some("coated_from_sun"),
                    target: false,
                    depth: SUN_DEPTH,
                    compare: wgpu::CompareFunction::Less,
                    cull: None,
                },
            )?,
        })
    }
}

/// The pipelines that have something to draw, in order, each with its vertices: first the triangles that are culled by
/// their winding, and then those that are masked or seen from both sides.
fn parts<'p>(
    plain: &'p DrawPipeline,
    coated: Option<&'p DrawPipeline>,
    resources: &Resources,
) -> impl Iterator<Item = (&'p DrawPipeline, Range<u32>)> {
    let (first, end) = (resources.plain_vertices, resources.vertex_count);
    let all = [(Some(plain), 0..first), (coated, first..end)];
    let has_any = |(pipeline, vertices): (Option<&'p DrawPipeline>, Range<u32>)| {
        Some((pipeline.filter(|_| !vertices.is_empty())?, vertices))
    };
    all.into_iter().filter_map(has_any)
}

fn draw(
    plain: &DrawPipeline,
    coated: Option<&DrawPipeline>,
    gpu: &Gpu,
    pass: &mut wgpu::RenderPass,
    resources: &Resources,
) -> Result<()> {
    for (pipeline, vertices) in parts(plain, coated, resources) {
        pipeline.set(gpu, pass, &[resources.binds()])?;
        pass.set_vertex_buffer(0, resources.buffer(BufferId::Vertices).slice(..));
        pass.draw(vertices, 0..1);
    }
    Ok(())
}

fn raster_pipeline(gpu: &Gpu, pipelines: &Pipelines, view: &View) -> Result<Arc<DrawPipeline>> {
    let draw = Draw {
        label: view.label,
        vertex: view.vertex,
        fragment: view.fragment,
        stages: wgpu::ShaderStages::VERTEX_FRAGMENT,
        primitive: wgpu::PrimitiveState {
            cull_mode: view.cull,
            ..Default::default()
        },
        vertices: Some((size_of::<Vertex>() as u64, &VERTEX_ATTRIBUTES)),
        depth: Some(wgpu::DepthStencilState {
            format: view.depth,
            depth_write_enabled: Some(true),
            depth_compare: Some(view.compare),
            stencil: Default::default(),
            bias: Default::default(),
        }),
        target: view.target.then(|| TRIANGLE_IDS.into()),
    };
    pipelines.draw(gpu, &Variant::new("opaque"), &draw)
}
