//! The seat of an approximate method, tried by one that only tests have: two targets with blends of their own, and a
//! twin in f64. It runs as the program's methods do, and its distance from the exact result is no fault.

use std::sync::Arc;

use wavelerp::error::Result;
use wavelerp::frame::{Counters, Extent, Frame};
use wavelerp::gpu::pipeline::draw::{Draw, DrawPipeline};
use wavelerp::gpu::shader::Variant;
use wavelerp::gpu::{
    Binds, ComputePipeline, Gpu, Pipelines, Profiler, Recorder, texture, uniform_buffer,
};
use wavelerp::live::inspect;
use wavelerp::methods::Specialization;
use wavelerp::methods::composite::Composite;
use wavelerp::methods::family::Made;
use wavelerp::model::layout::Range;
use wavelerp::model::methods::{Method, Source};
use wavelerp::model::options::ListOrder;
use wavelerp::model::passes::{Inputs, Label, Pass};
use wavelerp::model::reference::composite::{Layer, composite};
use wavelerp::model::reference::stress::random_layers;
use wavelerp::runs::capture::Capture;
use wavelerp::runs::verify::table::{Table, as_seen_by};

use crate::harness::{Harness, scene, settings};
use crate::shaders::test_source;

/// The formats of the two targets.
const SUM: wgpu::TextureFormat = wgpu::TextureFormat::Rgba32Float;
const THROUGH: wgpu::TextureFormat = wgpu::TextureFormat::R32Float;

struct Average {
    draw: Arc<DrawPipeline>,
    resolve: Arc<ComputePipeline>,
    targets: [wgpu::TextureView; 2],
    binds: Binds,
    instances: u32,
}

/// A target whose `src` and what is there are weighted so and added.
fn target(
    format: wgpu::TextureFormat,
    src_factor: wgpu::BlendFactor,
    dst_factor: wgpu::BlendFactor,
) -> wgpu::ColorTargetState {
    let component = wgpu::BlendComponent {
        src_factor,
        dst_factor,
        operation: wgpu::BlendOperation::Add,
    };
    wgpu::ColorTargetState {
        format,
        blend: Some(wgpu::BlendState {
            color: component,
            alpha: component,
        }),
        write_mask: wgpu::ColorWrites::ALL,
    }
}

impl Average {
    /// Of the layers of `source`: the lists of a table, or a frame's.
    fn new(
        gpu: &Gpu,
        pipelines: &Pipelines,
        extent: &Extent,
        (tile, source): (u32, Source),
    ) -> Result<Self> {
        use wgpu::BlendFactor::{One, OneMinusSrc, Zero};
        let variant = Variant::new("methods/average").with("TILE", tile);
        let variant = source.features(variant);
        let draw = Draw {
            label: "average",
            vertex: "average_corner",
            fragment: Some("add"),
            stages: wgpu::ShaderStages::VERTEX_FRAGMENT,
            primitive: wgpu::PrimitiveState {
                topology: wgpu::PrimitiveTopology::TriangleStrip,
                ..Default::default()
            },
            vertices: None,
            depth: None,
            targets: vec![target(SUM, One, One), target(THROUGH, Zero, OneMinusSrc)],
        };
        let [width, height] = extent.size;
        let targets = [SUM, THROUGH].map(|format| {
            let usage =
                wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
            texture(gpu, "average", [width, height, 1], format, usage)
                .create_view(&Default::default())
        });
        let range = Range {
            layer_count: extent.longest_list,
            ..Range::default()
        };
        let range = uniform_buffer(gpu, "whole lists", &range);
        let view = wgpu::BindingResource::TextureView;
        Ok(Self {
            draw: pipelines.draw(gpu, &variant, &draw)?,
            resolve: pipelines.compute(gpu, &variant, "resolve_average")?,
            binds: Binds::new([
                ("range", range.as_entire_binding()),
                ("summed", view(&targets[0])),
                ("let_through", view(&targets[1])),
            ]),
            targets,
            instances: match source {
                Source::Table => extent.tiles * extent.longest_list,
                _ => extent.items + extent.slices,
            },
        })
    }
}

impl Made for Average {
    fn record(
        &self,
        gpu: &Gpu,
        recorder: &mut Recorder,
        label: Label,
        resources: &[&Binds],
        _times: u32,
    ) -> Result<()> {
        let binds: Vec<&Binds> = resources.iter().copied().chain([&self.binds]).collect();
        let clear = |value| wgpu::LoadOp::Clear(value);
        let [sum, through] = &self.targets;
        let colors = [
            (sum, clear(wgpu::Color::TRANSPARENT)),
            (through, clear(wgpu::Color::WHITE)),
        ];
        recorder.render(label, &colors, None, |pass| {
            self.draw.set(gpu, pass, &binds)?;
            pass.draw(0..4, 0..self.instances);
            Ok::<(), wavelerp::error::Error>(())
        })?;
        recorder.compute(label.part("resolve"), |pass| {
            self.resolve.set(gpu, pass, &binds)?;
            let size = self.targets[0].texture().size();
            pass.dispatch_workgroups(size.width.div_ceil(8), size.height.div_ceil(8), 1);
            Ok(())
        })
    }
}

/// (rgb, T) of the average in f64.
fn twin(layers: &[Layer]) -> [f64; 4] {
    let (mut sum, mut weight, mut through) = ([0.0; 3], 0.0, 1.0);
    for layer in layers {
        let a = f64::from(layer.opacity);
        for (sum, channel) in sum.iter_mut().zip(layer.color) {
            *sum += a * f64::from(channel);
        }
        weight += a;
        through *= 1.0 - a;
    }
    let mean = |sum: f64| {
        if weight > 0.0 {
            sum / weight * (1.0 - through)
        } else {
            0.0
        }
    };
    let [r, g, b] = sum.map(mean);
    [r, g, b, through]
}

fn can_draw(gpu: &Gpu) -> bool {
    let can = gpu.caps.draws_with_depth && gpu.caps.blends_f32;
    let is_small_llvmpipe = gpu.caps.is_cpu && gpu.caps.wave_max <= 8;
    assert!(can || !is_small_llvmpipe, "llvmpipe can draw it");
    can
}

/// The average in the seat of a method, which needs no lists.
fn composite_by(average: Average) -> Composite {
    let of = Specialization::new(Method::FixedFunction);
    Composite::with(of, Inputs::VISIBLE_ITEMS, Box::new(average))
}

/// How far a pixel is from another, relative to what is large.
fn far(found: [f32; 4], other: [f64; 4]) -> f64 {
    let pairs = found.into_iter().zip(other);
    pairs
        .map(|(a, b)| (f64::from(a) - b).abs() / b.abs().max(1.0))
        .fold(0.0, f64::max)
}

#[test]
fn a_method_with_two_targets_is_its_twin_and_only_near_the_exact_result() {
    let harness = Harness::new();
    let gpu = &harness.gpu;
    if !can_draw(gpu) {
        return;
    }
    let pipelines = Pipelines::new(test_source());
    let lists = [
        random_layers(1, 1, 0.9),
        random_layers(9, 2, 0.5),
        random_layers(60, 3, 0.2),
    ];
    let lists: Vec<&[Layer]> = lists.iter().map(Vec::as_slice).collect();
    let table = Table::new(gpu, &lists, 8, false, ListOrder::Sorted).expect("a table");
    let average =
        Average::new(gpu, &pipelines, &table.extent(), (8, Source::Table)).expect("it compiles");
    let composited = composite_by(average);
    let result = table.composited(gpu, &composited);
    let result = gpu.finish(result).expect("a picture");
    let (mut from_twin, mut from_exact) = ([0.0f64; 3], [0.0f64; 3]);
    for (index, list) in lists.iter().enumerate() {
        for (in_tile, found) in result.of_list(index as u32).into_iter().enumerate() {
            let seen = as_seen_by(list, in_tile as u32);
            let exact = composite(&seen);
            let [r, g, b] = exact.rgb;
            let exact = [r, g, b, exact.transmittance];
            from_twin[index] = from_twin[index].max(far(found, twin(&seen)));
            from_exact[index] = from_exact[index].max(far(found, exact));
        }
    }
    assert!(from_twin.iter().all(|error| *error < 1e-5), "{from_twin:?}");
    // Exact for one layer, and nothing like it for more: the control.
    assert!(
        from_exact[0] < 1e-5 && from_exact[1] > 1e-2 && from_exact[2] > 1e-2,
        "{from_exact:?}"
    );
}

/// Draws a set's frame with its first composite. Returns the labels of its passes and its counters, as if it had made
/// lists.
fn drawn(gpu: &Gpu, capture: &Capture, composites: &[Composite]) -> (Vec<Label>, Counters) {
    let set = capture.set(composites);
    let [before, after] = set.frame.as_ref().expect("passes around it");
    let mut profiler = Profiler::timed(gpu).expect("a profiler");
    let mut recorder = Recorder::new(gpu, &mut profiler, "frame");
    before(&mut recorder).expect("a scene");
    (set.subjects[0].record)(&mut recorder, 1).expect("a composite");
    after(&mut recorder).expect("a picture");
    let recorded = recorder.finish();
    let done = profiler.submit_and_wait(gpu, recorded).expect("a frame");
    let labels = done.spans.into_iter().map(|span| span.label).collect();
    let counters = capture.frame.read_counters(gpu, Inputs::LISTS);
    (labels, counters.expect("counters"))
}

fn layers_at(harness: &Harness, frame: &Frame, pixel: [u32; 2]) -> Vec<Layer> {
    let probed = inspect::probe(&harness.gpu, &harness.pipelines, frame, pixel).expect("layers");
    let layer = |layer: &inspect::ProbedLayer| Layer {
        color: layer.color,
        opacity: layer.opacity,
    };
    probed.layers.iter().map(layer).collect()
}

#[test]
fn a_frame_makes_lists_only_where_one_of_its_methods_needs_them() {
    let harness = Harness::new();
    let gpu = &harness.gpu;
    if !can_draw(gpu) {
        return;
    }
    let pipelines = Pipelines::new(test_source());
    let scene = scene("temple");
    let settings = settings(&scene, [97, 55], 600, 8);
    let capture = harness.capture(&scene, &settings);
    let (extent, shape) = (
        capture.frame.extent_of(&capture.counters),
        capture.frame.shape(),
    );
    let of = (shape.tile, shape.layers());
    let average = Average::new(gpu, &pipelines, &extent, of).expect("it compiles");
    let mut composites = vec![composite_by(average)];

    let (labels, counters) = drawn(gpu, &capture, &composites);
    let is_of_lists = |label: &Label| [Pass::Bin, Pass::Lists].contains(&label.pass);
    assert!(!labels.iter().any(is_of_lists), "{labels:?}");
    assert!(counters.visible > 100);
    assert_eq!([counters.room, counters.listed_layers], [0; 2]);
    let alone = capture.frame.read_composite(gpu).expect("pixels");

    // Beside a method that needs lists they are made, and the picture is the same.
    let beside = settings.options.specialize(Method::PixelLoop);
    composites.push(capture.composite_of(beside).expect("a method"));
    let (_, counters) = drawn(gpu, &capture, &composites);
    assert_eq!(counters, capture.counters);
    assert!(alone == capture.frame.read_composite(gpu).expect("pixels"));

    let mut layers = 0;
    for pixel in [[48, 27], [10, 40], [80, 12]] {
        let seen = layers_at(&harness, &capture.frame, pixel);
        let found = alone[(pixel[1] * 97 + pixel[0]) as usize];
        let off = far(found, twin(&seen));
        assert!(off < 1e-4, "{pixel:?}: {off}");
        layers += seen.iter().filter(|layer| layer.opacity > 0.0).count();
    }
    assert!(layers > 20, "{layers}");
}

#[test]
fn a_capture_for_methods_without_lists_has_none_and_refuses_the_others() {
    let harness = Harness::new();
    if !can_draw(&harness.gpu) {
        return;
    }
    let scene = scene("temple");
    let settings = settings(&scene, [97, 55], 600, 8);
    let (gpu, pipelines) = (&harness.gpu, &harness.pipelines);
    let drawn = [Method::FixedFunction];
    let capture = Capture::expecting(gpu, pipelines, &scene, settings.clone(), &drawn);
    let mut capture = capture.expect("a frame");
    assert!(!capture.counters.has_lists());
    let refused = capture.picture(Method::PixelLoop).err();
    let why = refused.expect("no lists").to_string();
    assert!(why.contains("pixel-loop needs tile lists"), "{why}");
    let picture = |capture: &mut Capture| {
        let picture = capture.picture(Method::FixedFunction);
        picture.expect("a picture").composite
    };
    let alone = picture(&mut capture);
    let whole = picture(&mut harness.capture(&scene, &settings));
    assert!(alone == whole);
}
