//! Visible opaque triangles, from the camera and from the sun (`shaders/frame/opaque.wesl`), and their light
//! towards the camera (`shaders/frame/surface.wesl`).
//!
//! Rasterisation writes four bytes and a depth; all shading is compute, once per pixel. Some GPUs have
//! far more units for compute than for rasterisation, and none shades a hidden surface this way.

use std::ops::Range;
use std::sync::Arc;

use crate::error::Result;
use crate::gpu::pipeline::draw::{Draw, DrawPipeline};
use crate::gpu::shader::Variant;
use crate::gpu::{ComputePipeline, Gpu, Pipelines, Recorder};
use crate::model::Feature;
use crate::model::layout::Vertex;
use crate::model::passes::Pass;

use super::frame_table::{BufferId, CAMERA_DEPTH, SUN_DEPTH, TRIANGLE_IDS, TextureId};
use super::kept::Sources;
use super::resources::Resources;
use super::shape::FrameShape;

/// How the attributes of `shaders/frame/opaque.wesl` lie in a [`Vertex`].
pub const VERTEX_ATTRIBUTES: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![0 => Float32x3];

/// Triangles of a workgroup of `set_up`, and pixels along the edge of a block of `cover`, in `shaders/frame/solids.wesl`.
const FACETS: u32 = 256;
const BLOCK: u32 = 32;

/// Pipelines that draw the opaque meshes.
pub struct Opaque {
    camera: Camera,
    sun: Arc<DrawPipeline>,
    shade: Arc<ComputePipeline>,
    /// None without models.
    materials: Option<WithMaterials>,
}

/// How it is found what the camera sees.
enum Camera {
    Drawn(Arc<DrawPipeline>),
    Computed {
        set_up: Arc<ComputePipeline>,
        cover: Arc<ComputePipeline>,
    },
}

/// Pipelines that draw triangles of files that are masked or seen from both sides.
struct WithMaterials {
    camera: Arc<DrawPipeline>,
    sun: Arc<DrawPipeline>,
}

/// From where triangles are seen.
#[derive(Clone, Copy, PartialEq)]
enum Eye {
    /// Triangle numbers and the nearest depth, which is the greatest.
    Camera,
    /// Depth alone.
    Sun,
}

impl Opaque {
    /// Compiles the pipelines that a frame of this shape needs.
    pub fn new(gpu: &Gpu, pipelines: &Pipelines, shape: &FrameShape) -> Result<Self> {
        let has_materials = shape.model_triangles > 0;
        let surface = Variant::new("frame/surface").feature(Feature::Materials, has_materials);
        let materials = || WithMaterials::new(gpu, pipelines);
        Ok(Self {
            materials: has_materials.then(materials).transpose()?,
            camera: Camera::new(gpu, pipelines, shape.computes_solids)?,
            sun: raster_pipeline(
                gpu,
                pipelines,
                Eye::Sun,
                ["shadow", "sun_vertex"],
                None,
                None,
            )?,
            shade: pipelines.compute(gpu, &surface, "shade")?,
        })
    }

    /// What depth from the sun is drawn of; of the frame's constants that is the sun's view alone.
    pub(super) fn sources_of_shadow(
        &self,
        gpu: &Gpu,
        resources: &Resources,
        sun_clip_from_world: [[f32; 4]; 4],
    ) -> Result<Option<Sources>> {
        let pipelines = parts(&self.sun, self.sun_with_materials(), resources).map(|part| part.0);
        Sources::of(gpu, pipelines, resources.binds(), sun_clip_from_world)
    }

    fn sun_with_materials(&self) -> Option<&DrawPipeline> {
        self.materials.as_ref().map(|of| &*of.sun)
    }

    /// Draws depth from the sun.
    pub fn shadow(&self, pass: &mut wgpu::RenderPass, resources: &Resources) -> Result<()> {
        draw(&self.sun, self.sun_with_materials(), pass, resources)
    }

    /// Finds triangle numbers and depth for the camera, in a pass of its own.
    pub fn record_camera(
        &self,
        recorder: &mut Recorder,
        resources: &Resources,
        shape: &FrameShape,
    ) -> Result<()> {
        let (set_up, cover) = match &self.camera {
            Camera::Drawn(camera) => {
                let with_materials = self.materials.as_ref().map(|of| &*of.camera);
                return render_camera(recorder, resources, |pass| {
                    draw(camera, with_materials, pass, resources)
                });
            }
            Camera::Computed { set_up, cover } => (set_up, cover),
        };
        recorder.compute(Pass::Opaque, |pass| {
            let binds = [resources.binds()];
            set_up.dispatch(pass, &binds, shape.solids.div_ceil(FACETS))?;
            cover.set(pass, &binds)?;
            let [columns, rows] = shape.size.map(|edge| edge.div_ceil(BLOCK));
            pass.dispatch_workgroups(columns, rows, 1);
            Ok(())
        })
    }

    /// Shades what the camera sees of `size` pixels.
    pub fn shade(
        &self,
        pass: &mut wgpu::ComputePass,
        resources: &Resources,
        [width, height]: [u32; 2],
    ) -> Result<()> {
        self.shade.set(pass, &[resources.binds()])?;
        pass.dispatch_workgroups(width.div_ceil(8), height.div_ceil(8), 1);
        Ok(())
    }
}

impl Camera {
    fn new(gpu: &Gpu, pipelines: &Pipelines, computes: bool) -> Result<Self> {
        let computed = Variant::new("frame/solids");
        Ok(match computes {
            false => Self::Drawn(raster_pipeline(
                gpu,
                pipelines,
                Eye::Camera,
                ["opaque", "camera_vertex"],
                Some("triangle_seen"),
                Some(wgpu::Face::Back),
            )?),
            true => Self::Computed {
                set_up: pipelines.compute(gpu, &computed, "set_up")?,
                cover: pipelines.compute(gpu, &computed, "cover")?,
            },
        })
    }
}

impl WithMaterials {
    fn new(gpu: &Gpu, pipelines: &Pipelines) -> Result<Self> {
        Ok(Self {
            camera: raster_pipeline(
                gpu,
                pipelines,
                Eye::Camera,
                ["opaque, materials", "material_camera_vertex"],
                Some("material_triangle_seen"),
                None,
            )?,
            sun: raster_pipeline(
                gpu,
                pipelines,
                Eye::Sun,
                ["shadow, materials", "material_sun_vertex"],
                Some("material_from_sun"),
                None,
            )?,
        })
    }
}

/// Draws what the camera sees into triangle numbers and depth, which are cleared first.
pub(super) fn render_camera(
    recorder: &mut Recorder,
    resources: &Resources,
    draw: impl FnOnce(&mut wgpu::RenderPass) -> Result<()>,
) -> Result<()> {
    let triangle_ids = resources.view(TextureId::TriangleIds);
    let opaque_depth = resources.view(TextureId::OpaqueDepth);
    recorder.render(
        Pass::Opaque,
        &[(triangle_ids, wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT))],
        Some((opaque_depth, 0.0)),
        draw,
    )
}

/// The pipelines that have something to draw, in order, each with its vertices: first the triangles that are culled by
/// their winding, and then those that are masked or seen from both sides.
fn parts<'p>(
    plain: &'p DrawPipeline,
    with_materials: Option<&'p DrawPipeline>,
    resources: &Resources,
) -> impl Iterator<Item = (&'p DrawPipeline, Range<u32>)> {
    let (first, end) = (resources.plain_vertices, resources.vertex_count);
    let all = [(Some(plain), 0..first), (with_materials, first..end)];
    let has_any = |(pipeline, vertices): (Option<&'p DrawPipeline>, Range<u32>)| {
        Some((pipeline.filter(|_| !vertices.is_empty())?, vertices))
    };
    all.into_iter().filter_map(has_any)
}

fn draw(
    plain: &DrawPipeline,
    with_materials: Option<&DrawPipeline>,
    pass: &mut wgpu::RenderPass,
    resources: &Resources,
) -> Result<()> {
    for (pipeline, vertices) in parts(plain, with_materials, resources) {
        pipeline.set(pass, &[resources.binds()])?;
        pass.set_vertex_buffer(0, resources.buffer(BufferId::Vertices).slice(..));
        pass.draw(vertices, 0..1);
    }
    Ok(())
}

fn raster_pipeline(
    gpu: &Gpu,
    pipelines: &Pipelines,
    eye: Eye,
    [label, vertex]: [&'static str; 2],
    fragment: Option<&'static str>,
    cull_mode: Option<wgpu::Face>,
) -> Result<Arc<DrawPipeline>> {
    let (format, compare) = match eye {
        Eye::Camera => (CAMERA_DEPTH, wgpu::CompareFunction::Greater),
        Eye::Sun => (SUN_DEPTH, wgpu::CompareFunction::Less),
    };
    let targets = (eye == Eye::Camera).then(|| TRIANGLE_IDS.into());
    let draw = Draw {
        label,
        vertex,
        fragment,
        stages: wgpu::ShaderStages::VERTEX_FRAGMENT,
        primitive: wgpu::PrimitiveState {
            cull_mode,
            ..Default::default()
        },
        vertices: Some((size_of::<Vertex>() as u64, &VERTEX_ATTRIBUTES)),
        depth: Some(wgpu::DepthStencilState {
            format,
            depth_write_enabled: Some(true),
            depth_compare: Some(compare),
            stencil: Default::default(),
            bias: Default::default(),
        }),
        targets: targets.into_iter().collect(),
    };
    pipelines.draw(gpu, &Variant::new("frame/opaque"), &draw)
}
