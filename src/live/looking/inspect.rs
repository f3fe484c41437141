//! Kernels that inspect a finished frame. Reports wait for the results. The window records some of the kernels after
//! its frames.

use std::sync::Arc;

use crate::error::Result;
use crate::gpu::shader::Variant;
use crate::gpu::{
    Binds, ComputePipeline, Gpu, Pipelines, read_buffer, storage_buffer, uniform_buffer,
};
use crate::methods::Specialization;
use crate::model::Feature;
use crate::model::items::{ItemCounts, ItemKind};
use crate::model::layout::{Range, gpu_struct};
use crate::model::methods::Method;
use crate::model::options::Options;
use crate::model::passes::Inputs;
use crate::model::reference::composite::{Composite, over};

use crate::frame::Frame;
use crate::frame::counters::Counters;
use crate::frame::shape::FrameShape;
use crate::methods::kernel::layers_per_dispatch;

/// Bit that marks a list entry as a fog slice.
pub const FOG: u32 = 0x8000_0000;

/// Number of bytes before the first layer in the probe kernel's output.
const PROBE_HEADER: usize = 32;

/// Identifies a layer by its number among the layers of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayerId {
    /// Counted from the camera.
    Slice(u32),
    Item(ItemKind, u32),
}

impl LayerId {
    /// The layer's kind in reports.
    pub fn kind_name(self) -> &'static str {
        match self {
            LayerId::Slice(_) => "fog",
            LayerId::Item(kind, _) => kind.name(),
        }
    }

    pub fn number(self) -> u32 {
        match self {
            LayerId::Slice(number) | LayerId::Item(_, number) => number,
        }
    }
}

/// A pixel's layer as the probe kernel writes it, in four vectors. The shaders declare no struct for it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct ProbedLayer {
    /// Linear rgb as composited: seen through the part of the fog slice that is in front of the layer.
    pub color: [f32; 3],
    pub opacity: f32,
    /// View depth in metres: of a splat's centre, of a slice's far side, or of the opaque surface.
    pub depth: f32,
    /// The layer's order for methods that depend on depth (`shaders/layers/order.wesl`).
    pub order: f32,
    /// Length in metres of the ray from the front of the layer's slice to `depth`.
    pub path: f32,
    /// Extinction of the layer's slice at this pixel, in 1/m.
    pub extinction: f32,
    /// A particle's own radiance before fog, or a cell's albedo. 0 for fog.
    pub own: [f32; 3],
    /// The word in the list: an item's number, or a slice's number with the fog bit.
    pub word: u32,
    /// Source radiance of the layer's slice at this pixel.
    pub fog: [f32; 3],
    /// View depth in metres that orders coarse lists. It may be measured from another camera.
    pub order_depth: f32,
}

impl ProbedLayer {
    /// Kind and number of the layer, in a frame with `counts` items.
    pub fn id(&self, counts: &ItemCounts) -> LayerId {
        if self.is_fog() {
            return LayerId::Slice(self.index());
        }
        let (kind, number) = counts.kind_of(self.word);
        LayerId::Item(kind, number)
    }

    pub fn is_fog(&self) -> bool {
        self.word & FOG != 0
    }

    pub fn index(&self) -> u32 {
        self.word & !FOG
    }
}

/// Shader variant of a kernel that walks lists as `pixel-loop` does.
pub(super) fn list_kernel(
    gpu: &Gpu,
    module: &'static str,
    shape: &FrameShape,
) -> (Variant, Specialization) {
    let options = Options::default().with_frame(|frame| frame.tile = shape.tile);
    let mut specialization = options.specialize(Method::PixelLoop);
    specialization.source = specialization.source.in_frame(shape.layers());
    let mut variant = specialization.variant(&gpu.caps);
    variant.module = module;
    // The kernel covers the whole frame.
    variant
        .features
        .retain(|feature| *feature != Feature::Section);
    (variant, specialization)
}

/// Largest value of r, g or b among all visible layers in the frame.
pub fn largest_radiance(
    gpu: &Gpu,
    pipelines: &Pipelines,
    frame: &Frame,
    counters: &Counters,
) -> Result<f32> {
    let (variant, specialization) = list_kernel(gpu, "inspect/largest_radiance", frame.shape());
    let pipeline = pipelines.compute(gpu, &variant, "largest_radiance")?;
    let largest = storage_buffer(gpu, "largest radiance", 4);
    let step = layers_per_dispatch(&gpu.caps, &specialization);
    let tile = frame.shape().tile;
    let groups = (frame.tiles() * tile * tile).div_ceil(64);
    for first_layer in (0..counters.longest_list).step_by(step as usize) {
        let range = Range {
            first_layer,
            layer_count: step,
            ..Range::default()
        };
        let range = uniform_buffer(gpu, "range", &range);
        let own = Binds::new([
            ("range", range.as_entire_binding()),
            ("largest", largest.as_entire_binding()),
        ]);
        let binds = [frame.resources.binds(), &own];
        gpu.compute_and_wait("largest radiance", |pass| {
            pipeline.dispatch(pass, &binds, groups)
        })?;
    }
    Ok(read_buffer::<f32>(gpu, &largest, 1)?[0])
}

/// Computes the colour behind all layers for each pixel of a frame.
pub struct BehindPass {
    /// Linear rgb and padding, row-major.
    pub backgrounds: wgpu::Buffer,
    size: [u32; 2],
    pipeline: Arc<ComputePipeline>,
    binds: Binds,
}

impl BehindPass {
    pub fn new(gpu: &Gpu, pipelines: &Pipelines, size: [u32; 2]) -> Result<Self> {
        let bytes = 16 * u64::from(size[0]) * u64::from(size[1]);
        let backgrounds = storage_buffer(gpu, "backgrounds", bytes);
        Ok(Self {
            binds: Binds::new([("backgrounds", backgrounds.as_entire_binding())]),
            backgrounds,
            size,
            pipeline: pipelines.compute(gpu, &Variant::new("inspect/behind"), "behind")?,
        })
    }

    pub fn record(&self, pass: &mut wgpu::ComputePass, frame: &Frame) -> Result<()> {
        let groups = (self.size[0] * self.size[1]).div_ceil(64);
        let binds = [frame.resources.binds(), &self.binds];
        self.pipeline.dispatch(pass, &binds, groups)
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Probed {
    pub list_length: u32,
    /// Evaluated layers, front to back, up to the capacity.
    pub layers: Vec<ProbedLayer>,
    pub background: [f32; 3],
    /// Integrated fog between the last layer and the background. Empty if the layers include fog.
    pub fog_behind: Composite,
}

gpu_struct! {
    ProbeJob {
        pixel: [u32; 2],
        capacity: u32,
        pad: u32,
    }
}

pub struct ProbePass {
    /// Output of the kernel, which [`Probed::from_bytes`] parses.
    pub probed: wgpu::Buffer,
    pub capacity: u32,
    pipeline: Arc<ComputePipeline>,
    job: wgpu::Buffer,
    binds: Binds,
}

impl ProbePass {
    pub fn new(
        gpu: &Gpu,
        pipelines: &Pipelines,
        shape: &FrameShape,
        capacity: u32,
    ) -> Result<Self> {
        let (variant, _) = list_kernel(gpu, "inspect/probe", shape);
        let whole_list = Range {
            layer_count: u32::MAX,
            ..Range::default()
        };
        let bytes = PROBE_HEADER as u64 + u64::from(capacity) * size_of::<ProbedLayer>() as u64;
        let probed = storage_buffer(gpu, "probed layers", bytes);
        let job = uniform_buffer(gpu, "probe job", &ProbeJob::default());
        let range = uniform_buffer(gpu, "probe range", &whole_list);
        Ok(Self {
            binds: Binds::new([
                ("job", job.as_entire_binding()),
                ("range", range.as_entire_binding()),
                ("probed", probed.as_entire_binding()),
            ]),
            probed,
            capacity,
            pipeline: pipelines.compute(gpu, &variant, "probe")?,
            job,
        })
    }

    pub fn record(
        &self,
        gpu: &Gpu,
        pass: &mut wgpu::ComputePass,
        frame: &Binds,
        pixel: [u32; 2],
    ) -> Result<()> {
        let job = ProbeJob {
            pixel,
            capacity: self.capacity,
            pad: 0,
        };
        gpu.queue
            .write_buffer(&self.job, 0, bytemuck::bytes_of(&job));
        let groups = self.capacity.div_ceil(64).max(1);
        self.pipeline.dispatch(pass, &[frame, &self.binds], groups)
    }
}

impl Probed {
    /// A method's result for the layers, with the integrated fog behind the layers added: rgb and T.
    pub fn before_background(&self, [r, g, b, transmittance]: [f64; 4]) -> [f64; 4] {
        let layers = Composite {
            rgb: [r, g, b],
            transmittance,
        };
        over(layers, self.fog_behind).channels()
    }

    pub fn from_bytes(bytes: &[u8]) -> Self {
        let Some((header, layers)) = bytes.split_at_checked(PROBE_HEADER) else {
            return Self::default();
        };
        let [r, g, b, length, fog @ ..]: [u32; 8] = bytemuck::pod_read_unaligned(header);
        let [red, green, blue, transmittance] = fog.map(|bits| f64::from(f32::from_bits(bits)));
        let layers = layers.chunks_exact(size_of::<ProbedLayer>());
        Self {
            list_length: length,
            layers: layers
                .take(length as usize)
                .map(bytemuck::pod_read_unaligned)
                .collect(),
            background: [r, g, b].map(f32::from_bits),
            fog_behind: Composite {
                rgb: [red, green, blue],
                transmittance,
            },
        }
    }
}

/// Layers of one pixel, front to back, and everything behind them.
pub fn probe(gpu: &Gpu, pipelines: &Pipelines, frame: &Frame, pixel: [u32; 2]) -> Result<Probed> {
    let longest = frame.read_counters(gpu, Inputs::LISTS)?.longest_list;
    let probe = ProbePass::new(gpu, pipelines, frame.shape(), longest)?;
    gpu.compute_and_wait("probe", |pass| {
        probe.record(gpu, pass, frame.resources.binds(), pixel)
    })?;
    let bytes: Vec<u8> = read_buffer(gpu, &probe.probed, probe.probed.size() as usize)?;
    Ok(Probed::from_bytes(&bytes))
}
