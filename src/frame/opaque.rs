//! Finds the opaque triangles that are visible from the camera and from the sun (`shaders/frame/opaque.wesl`), and
//! shades the camera's surfaces (`shaders/frame/surface.wesl`).
//!
//! Rasterisation writes four bytes and a depth. Compute then shades each pixel once, so hidden surfaces cost nothing.
//! Some GPUs have far more units for compute than for rasterisation.

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
use super::pass_cache::Sources;
use super::resources::Resources;
use super::shape::FrameShape;

/// Attributes of a [`Vertex`] in `shaders/frame/opaque.wesl`.
pub const VERTEX_ATTRIBUTES: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![0 => Float32x3];

/// Triangles per workgroup of `set_up`, and edge in pixels of a block of `cover`, in `shaders/frame/solids.wesl`.
const FACETS: u32 = 256;
const BLOCK: u32 = 32;

pub struct Opaque {
    camera: Camera,
    pub(super) sun: Drawn,
    shade: Arc<ComputePipeline>,
}

enum Camera {
    Drawn(Drawn),
    Computed {
        set_up: Arc<ComputePipeline>,
        cover: Arc<ComputePipeline>,
    },
}

/// Pipelines that draw all triangles from one viewpoint.
pub(super) struct Drawn {
    /// Draws triangles that are culled by winding.
    plain: Arc<DrawPipeline>,
    /// Draws masked or two-sided triangles from files. `None` without models.
    with_materials: Option<Arc<DrawPipeline>>,
}

#[derive(Clone, Copy, PartialEq)]
enum Eye {
    /// Writes triangle indices and the nearest depth, which is the greatest value.
    Camera,
    /// Writes only depth.
    Sun,
}

impl Opaque {
    pub fn new(gpu: &Gpu, pipelines: &Pipelines, shape: &FrameShape) -> Result<Self> {
        let has_materials = shape.model_triangles > 0;
        let surface = Variant::new("frame/surface").feature(Feature::Materials, has_materials);
        let drawn = |eye| Drawn::new(gpu, pipelines, eye, has_materials);
        let computed = |entry| pipelines.compute(gpu, &Variant::new("frame/solids"), entry);
        Ok(Self {
            camera: match shape.computes_solids {
                false => Camera::Drawn(drawn(Eye::Camera)?),
                true => Camera::Computed {
                    set_up: computed("set_up")?,
                    cover: computed("cover")?,
                },
            },
            sun: drawn(Eye::Sun)?,
            shade: pipelines.compute(gpu, &surface, "shade")?,
        })
    }

    /// Inputs of the depth from the sun. Only the sun's view is read from the frame constants.
    pub(super) fn sources_of_shadow(
        &self,
        gpu: &Gpu,
        resources: &Resources,
        sun_clip_from_world: [[f32; 4]; 4],
    ) -> Result<Option<Sources>> {
        let pipelines = self.sun.parts(resources).map(|part| part.0);
        Sources::of(gpu, pipelines, resources.binds(), sun_clip_from_world)
    }

    /// Finds triangle indices and depth as seen by the camera, in a separate pass.
    pub fn record_camera(
        &self,
        recorder: &mut Recorder,
        resources: &Resources,
        shape: &FrameShape,
    ) -> Result<()> {
        match &self.camera {
            Camera::Drawn(camera) => {
                render_camera(recorder, resources, |pass| camera.draw(pass, resources))
            }
            Camera::Computed { set_up, cover } => recorder.compute(Pass::Opaque, |pass| {
                let binds = [resources.binds()];
                set_up.dispatch(pass, &binds, shape.solids.div_ceil(FACETS))?;
                cover.dispatch_squares(pass, &binds, shape.size, BLOCK)
            }),
        }
    }

    /// Shades the visible surfaces of `size` pixels.
    pub fn shade(
        &self,
        pass: &mut wgpu::ComputePass,
        resources: &Resources,
        size: [u32; 2],
    ) -> Result<()> {
        let binds = [resources.binds()];
        self.shade.dispatch_squares(pass, &binds, size, 8)
    }
}

/// Clears triangle indices and depth, and draws both as seen by the camera.
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

impl Drawn {
    fn new(gpu: &Gpu, pipelines: &Pipelines, eye: Eye, has_materials: bool) -> Result<Self> {
        let variant = Variant::new("frame/opaque");
        let pipeline = |is_plain| pipelines.draw(gpu, &variant, &draw_of(eye, is_plain));
        Ok(Self {
            plain: pipeline(true)?,
            with_materials: has_materials.then(|| pipeline(false)).transpose()?,
        })
    }

    /// Pipelines that draw something, in order, each with its vertices.
    fn parts(&self, resources: &Resources) -> impl Iterator<Item = (&DrawPipeline, Range<u32>)> {
        let (first, end) = (resources.plain_vertices, resources.vertex_count);
        let all = [
            (Some(&self.plain), 0..first),
            (self.with_materials.as_ref(), first..end),
        ];
        let all = all.into_iter().filter(|(_, vertices)| !vertices.is_empty());
        all.filter_map(|(pipeline, vertices)| Some((&**pipeline?, vertices)))
    }

    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass, resources: &Resources) -> Result<()> {
        for (pipeline, vertices) in self.parts(resources) {
            pipeline.set(pass, &[resources.binds()])?;
            pass.set_vertex_buffer(0, resources.buffer(BufferId::Vertices).slice(..));
            pass.draw(vertices, 0..1);
        }
        Ok(())
    }
}

fn draw_of(eye: Eye, is_plain: bool) -> Draw {
    let (label, vertex, fragment) = match (eye, is_plain) {
        (Eye::Camera, true) => ("opaque", "camera_vertex", Some("triangle_seen")),
        (Eye::Camera, false) => (
            "opaque, materials",
            "material_camera_vertex",
            Some("material_triangle_seen"),
        ),
        (Eye::Sun, true) => ("shadow", "sun_vertex", None),
        (Eye::Sun, false) => (
            "shadow, materials",
            "material_sun_vertex",
            Some("material_from_sun"),
        ),
    };
    let (format, compare) = match eye {
        Eye::Camera => (CAMERA_DEPTH, wgpu::CompareFunction::Greater),
        Eye::Sun => (SUN_DEPTH, wgpu::CompareFunction::Less),
    };
    let is_camera = eye == Eye::Camera;
    Draw {
        label,
        vertex,
        fragment,
        stages: wgpu::ShaderStages::VERTEX_FRAGMENT,
        primitive: wgpu::PrimitiveState {
            cull_mode: (is_camera && is_plain).then_some(wgpu::Face::Back),
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
        targets: is_camera.then(|| TRIANGLE_IDS.into()).into_iter().collect(),
    }
}
