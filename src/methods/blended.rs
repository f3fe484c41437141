//! Compositing with the blending hardware, in one draw of all layers. `shaders/methods/fixed_function.wesl` blends back
//! to front. In a frame, its layers come from one sorted stream (`shaders/frame/stream.wesl`).
//! `shaders/methods/weighted_drawn.wesl` adds up layers in item order. For a table, each list is drawn over its tile.

use std::sync::Arc;

use wgpu::BlendFactor::{One, OneMinusSrc, OneMinusSrcAlpha, Zero};
use wgpu::TextureFormat::{R8Unorm, Rgba16Float, Rgba32Float};

use crate::error::{Error, Result};
use crate::gpu::pipeline::draw::{Draw, DrawPipeline};
use crate::gpu::shader::Variant;
use crate::gpu::{
    Bind, Binds, ComputePipeline, Gpu, Pipelines, Recorder, buffer, storage_buffer, texture,
    uniform_buffer,
};
use crate::model::Capabilities;
use crate::model::layout::Range;
use crate::model::methods::{Method, PixelBytes, Source};
use crate::model::passes::Inputs;

use crate::frame::counters::ELEMENT_BLOCK;
use crate::frame::extent::Extent;
use crate::frame::frame_table::INDIRECT;
use crate::frame::resources::texture_bytes;
use crate::frame::sort::Sort;

use super::any_order::technique;
use super::kernel::{CompositePass, Kernel, Part, PassContext, Work};
use super::specialization::Specialization;

/// Edge in pixels of a workgroup in the pass that stores the result.
const GROUP_EDGE: u32 = 8;
const ARGUMENT_BYTES: u64 = 16;

pub(super) struct Blended;

impl Kernel for Blended {
    /// The stream is sorted independently of the lists, or not at all.
    fn inputs(&self, _spec: &Specialization) -> Inputs {
        Inputs::VISIBLE_ITEMS
    }

    fn turns_per_layer(&self, _spec: &Specialization) -> Option<u32> {
        None
    }

    fn constants(&self, spec: &Specialization, _caps: &Capabilities, variant: Variant) -> Variant {
        variant.of(&*technique(spec))
    }

    fn pixel_bytes(&self, spec: &Specialization) -> Option<PixelBytes> {
        (!spec.runs.is_exact()).then(|| technique(spec).bytes())
    }

    fn place(&self, spec: &Specialization) -> Option<String> {
        technique(spec).words()
    }

    fn parts(&self, spec: &Specialization, caps: &Capabilities) -> Vec<Part> {
        let drawn = |entry, runs| Part {
            variant: spec.variant(caps),
            together: &["corner", "blended"],
            entry,
            runs,
        };
        let kernel = |module, entry, runs| Part::alone(Variant::new(module), entry, runs);
        let mut parts = vec![
            drawn("blended", "fragment, once per layer and pixel"),
            drawn("corner", "vertex, four times per layer"),
        ];
        if has_stream(spec) {
            let [splats, slices] = ["compute, once per splat", "compute, once per slice"];
            parts.push(kernel("frame/stream", &["stream_splats"], splats));
            parts.push(kernel("frame/stream", &["stream_slices"], slices));
        }
        let (module, entry) = drawn_as(spec).store;
        parts.push(kernel(module, entry, "compute, once per pixel"));
        parts
    }

    fn compile(&self, gpu: &Gpu, pipelines: &Pipelines, spec: Specialization) -> Result<()> {
        draw_pipeline(gpu, pipelines, &spec).map(drop)
    }

    fn make(&self, context: PassContext) -> Result<Box<dyn CompositePass>> {
        Ok(Box::new(BlendedPass::new(context)?))
    }
}

struct Drawn {
    store: (&'static str, &'static [&'static str; 1]),
    /// In the order of their locations.
    targets: &'static [Attachment],
    is_ordered: bool,
}

struct Attachment {
    name: &'static str,
    format: wgpu::TextureFormat,
    /// Source and destination factors for colour and alpha.
    factors: [[wgpu::BlendFactor; 2]; 2],
    clear: wgpu::Color,
}

const OVER: Attachment = Attachment {
    name: "blended_pixels",
    format: Rgba32Float,
    // The factors compute a c + (1 - a) rgb for rgb. Alpha contains T and becomes (1 - a) T.
    factors: [[One, OneMinusSrcAlpha], [Zero, OneMinusSrcAlpha]],
    // No light and a transmittance of 1.
    clear: wgpu::Color::BLACK,
};

const FIXED_FUNCTION: Drawn = Drawn {
    store: ("methods/store_blended", &["store_blended"]),
    targets: &[OVER],
    is_ordered: true,
};

const FIXED_FUNCTION_F16: Drawn = Drawn {
    targets: &[Attachment {
        format: Rgba16Float,
        ..OVER
    }],
    ..FIXED_FUNCTION
};

const WEIGHTED: Drawn = Drawn {
    store: ("methods/store_weighted", &["store_weighted"]),
    targets: &[
        Attachment {
            name: "weighted_sums",
            format: Rgba16Float,
            factors: [[One, One]; 2],
            clear: wgpu::Color::TRANSPARENT,
        },
        Attachment {
            name: "let_through",
            format: R8Unorm,
            factors: [[Zero, OneMinusSrc]; 2],
            clear: wgpu::Color::WHITE,
        },
    ],
    is_ordered: false,
};

fn drawn_as(spec: &Specialization) -> &'static Drawn {
    match spec.runs {
        Method::WeightedDrawn => &WEIGHTED,
        Method::FixedFunctionF16 => &FIXED_FUNCTION_F16,
        _ => &FIXED_FUNCTION,
    }
}

fn is_of_frame(source: Source) -> bool {
    match source {
        Source::Frame(_) | Source::Gaussians(_) | Source::Cloud(_) => true,
        Source::Table | Source::Synthetic(..) => false,
    }
}

fn has_stream(spec: &Specialization) -> bool {
    is_of_frame(spec.source) && drawn_as(spec).is_ordered
}

struct BlendedPass {
    draw: Arc<DrawPipeline>,
    store: Arc<ComputePipeline>,
    stream: Option<Stream>,
    /// Number of instances to draw without a stream: layers of a frame in item order, or entries of a table's lists.
    instances: u32,
    targets: Vec<(wgpu::TextureView, wgpu::Color)>,
    /// The targets, the stream if there is one, and a range that covers every list and numbers a table's instances.
    binds: Binds,
    size: [u32; 2],
}

struct Stream {
    start: Arc<ComputePipeline>,
    sort: Sort,
    binds: Binds,
    splats: Arc<ComputePipeline>,
    slices: Arc<ComputePipeline>,
    words: wgpu::Buffer,
    arguments: wgpu::Buffer,
    groups: [u32; 2],
}

impl Attachment {
    fn state(&self) -> wgpu::ColorTargetState {
        let component = |[src_factor, dst_factor]: [_; 2]| wgpu::BlendComponent {
            src_factor,
            dst_factor,
            operation: wgpu::BlendOperation::Add,
        };
        let [color, alpha] = self.factors.map(component);
        wgpu::ColorTargetState {
            format: self.format,
            blend: Some(wgpu::BlendState { color, alpha }),
            write_mask: wgpu::ColorWrites::ALL,
        }
    }
}

fn draw_pipeline(
    gpu: &Gpu,
    pipelines: &Pipelines,
    spec: &Specialization,
) -> Result<Arc<DrawPipeline>> {
    let draw = Draw {
        label: spec.method.name(),
        vertex: "corner",
        fragment: Some("blended"),
        stages: wgpu::ShaderStages::VERTEX_FRAGMENT,
        primitive: wgpu::PrimitiveState {
            topology: wgpu::PrimitiveTopology::TriangleStrip,
            ..Default::default()
        },
        vertices: None,
        depth: None,
        targets: drawn_as(spec)
            .targets
            .iter()
            .map(Attachment::state)
            .collect(),
    };
    pipelines.draw(gpu, &spec.variant(&gpu.caps), &draw)
}

impl Stream {
    fn new(gpu: &Gpu, pipelines: &Pipelines, extent: &Extent) -> Result<Self> {
        let variant = Variant::new("frame/stream");
        let words = u64::from(extent.items) + u64::from(extent.slices);
        let sort = Sort::new(gpu, pipelines, extent.items, extent.key_bits, false)?;
        let ([order_keys, unordered], [_, order]) = (sort.unsorted(), sort.sorted());
        Ok(Self {
            start: pipelines.compute(gpu, &variant, "stream_start")?,
            binds: Binds::new([
                ("order_keys", order_keys.as_entire_binding()),
                ("unordered", unordered.as_entire_binding()),
                ("order", order.as_entire_binding()),
            ]),
            sort,
            splats: pipelines.compute(gpu, &variant, "stream_splats")?,
            slices: pipelines.compute(gpu, &variant, "stream_slices")?,
            words: storage_buffer(gpu, "stream", 4 * words),
            arguments: buffer(gpu, "draw arguments", ARGUMENT_BYTES, INDIRECT),
            groups: [extent.items, extent.slices.max(1)].map(|count| count.div_ceil(ELEMENT_BLOCK)),
        })
    }

    fn record(&self, pass: &mut wgpu::ComputePass, binds: &[&Binds]) -> Result<()> {
        let binds = [binds, &[&self.binds]].concat();
        self.start.dispatch(pass, &binds, self.groups[0])?;
        self.sort.record(pass)?;
        self.splats.dispatch(pass, &binds, self.groups[0])?;
        self.slices.dispatch(pass, &binds, self.groups[1])
    }
}

impl BlendedPass {
    /// Fails if the targets would be larger than the adapter allows.
    fn new(context: PassContext) -> Result<Self> {
        let (gpu, pipelines) = (context.gpu, context.pipelines);
        let (spec, extent) = (context.spec, context.extent);
        let [width, height] = extent.size;
        let edge = gpu.caps.max_texture_edge;
        if width.max(height) > edge {
            return Err(Error::usage(format!(
                "{}: a target of {width}x{height} pixels is larger than {} can draw into ({edge})",
                spec.method, gpu.caps.name
            )));
        }
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
        let target = |of: &Attachment| {
            let texture = texture(gpu, of.name, [width, height, 1], of.format, usage);
            (texture.create_view(&Default::default()), of.clear)
        };
        let targets: Vec<_> = drawn_as(spec).targets.iter().map(target).collect();
        let range = Range {
            layer_count: extent.longest_list,
            ..Range::default()
        };
        let stream = || Stream::new(gpu, pipelines, extent);
        let stream = has_stream(spec).then(stream).transpose()?;
        let instances = match is_of_frame(spec.source) {
            true => extent.items.saturating_add(extent.slices),
            false => extent.tiles.saturating_mul(extent.longest_list),
        };
        let (store, entry) = drawn_as(spec).store;
        let range = uniform_buffer(gpu, "whole lists", &range);
        let mut binds: Vec<Bind> = vec![("range", range.as_entire_binding())];
        for (of, (view, _)) in drawn_as(spec).targets.iter().zip(&targets) {
            binds.push((of.name, wgpu::BindingResource::TextureView(view)));
        }
        if let Some(stream) = &stream {
            binds.push(("stream", stream.words.as_entire_binding()));
            binds.push(("draw_arguments", stream.arguments.as_entire_binding()));
        }
        let made = Self {
            binds: Binds::new(binds),
            draw: draw_pipeline(gpu, pipelines, spec)?,
            store: pipelines.compute(gpu, &Variant::new(store), entry[0])?,
            stream,
            instances,
            targets,
            size: extent.size,
        };
        gpu.check()
            .map_err(|error| error.context(format!("target of {}", spec.method)))?;
        Ok(made)
    }

    /// Records three parts. `label (stream)` sorts the frame's layers if there is a stream. `label` draws the layers.
    /// `label (store)` copies the result from the targets to `composites`.
    fn record_once(&self, recorder: &mut Recorder, work: Work) -> Result<()> {
        let (label, binds) = (work.label, [work.resources, &[&self.binds]].concat());
        if let Some(stream) = &self.stream {
            recorder.compute(label.part("stream"), |pass| stream.record(pass, &binds))?;
        }
        let targets = self.targets.iter();
        let targets = targets.map(|(view, clear)| (view, wgpu::LoadOp::Clear(*clear)));
        let targets: Vec<_> = targets.collect();
        recorder.render(label, &targets, None, |pass| {
            self.draw.set(pass, &binds)?;
            match &self.stream {
                Some(stream) => pass.draw_indirect(&stream.arguments, 0),
                None => pass.draw(0..4, 0..self.instances),
            }
            Ok(())
        })?;
        recorder.compute(label.part("store"), |pass| {
            let size = self.size;
            self.store.dispatch_squares(pass, &binds, size, GROUP_EDGE)
        })
    }
}

impl CompositePass for BlendedPass {
    /// Repeats the passes, because each pass clears its targets first.
    fn record(&self, recorder: &mut Recorder, work: Work) -> Result<()> {
        (0..work.times).try_for_each(|_| self.record_once(recorder, work))
    }

    fn bytes(&self) -> u64 {
        let targets = self.targets.iter();
        let of_targets = targets.map(|(view, _)| texture_bytes(view.texture()));
        let of_stream = self.stream.as_ref().map_or(0, |stream| {
            stream.words.size() + stream.arguments.size() + stream.sort.bytes()
        });
        of_targets.sum::<u64>() + of_stream
    }
}
