//! The seat of an approximate method, tried by one that only tests have: two targets with blends of their own, and a
//! twin in f64. It runs as the program's methods do, and its distance from the exact result is no fault.

use std::sync::Arc;

use wavelerp::error::Result;
use wavelerp::frame::Extent;
use wavelerp::gpu::pipeline::draw::{Draw, DrawPipeline};
use wavelerp::gpu::shader::Variant;
use wavelerp::gpu::{
    Binds, ComputePipeline, Gpu, Label, Pipelines, Recorder, texture, uniform_buffer,
};
use wavelerp::methods::Specialization;
use wavelerp::methods::composite::Composite;
use wavelerp::methods::family::Made;
use wavelerp::model::layout::Range;
use wavelerp::model::methods::Method;
use wavelerp::model::reference::composite::{Layer, composite};
use wavelerp::model::reference::stress::random_layers;
use wavelerp::model::{Feature, passes};
use wavelerp::runs::verify::table::{Table, as_seen_by};

use crate::harness::Harness;
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
    fn new(gpu: &Gpu, pipelines: &Pipelines, extent: &Extent, tile: u32) -> Result<Self> {
        use wgpu::BlendFactor::{One, OneMinusSrc, Zero};
        let variant = Variant::new("methods/average")
            .with("TILE", tile)
            .feature(Feature::Table, true);
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
            instances: extent.tiles * extent.longest_list,
        })
    }
}

impl Made for Average {
    fn record(
        &self,
        gpu: &Gpu,
        recorder: &mut Recorder,
        label: &str,
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
        let label = Label::kind_of(passes::COMPOSITE, label);
        recorder.render(label, &colors, None, |pass| {
            self.draw.set(gpu, pass, &binds)?;
            pass.draw(0..4, 0..self.instances);
            Ok::<(), wavelerp::error::Error>(())
        })?;
        recorder.compute("average (resolve)", |pass| {
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

#[test]
fn a_method_with_two_targets_is_its_twin_and_only_near_the_exact_result() {
    let harness = Harness::new();
    let gpu = &harness.gpu;
    if !gpu.caps.draws_with_depth || !gpu.caps.blends_f32 {
        assert!(
            !gpu.caps.is_cpu || gpu.caps.wave_max > 8,
            "llvmpipe can draw it"
        );
        return;
    }
    let pipelines = Pipelines::new(test_source());
    let lists = [
        random_layers(1, 1, 0.9),
        random_layers(9, 2, 0.5),
        random_layers(60, 3, 0.2),
    ];
    let lists: Vec<&[Layer]> = lists.iter().map(Vec::as_slice).collect();
    let table = Table::new(gpu, &lists, 8, false).expect("a table");
    let average = Average::new(gpu, &pipelines, &table.extent(), 8).expect("it compiles");
    let of = Specialization::new(Method::FixedFunction);
    let composited = Composite::with(of, Box::new(average));
    let result = table.composited(gpu, &composited);
    let result = gpu.finish(result).expect("a picture");
    let (mut from_twin, mut from_exact) = ([0.0f64; 3], [0.0f64; 3]);
    for (index, list) in lists.iter().enumerate() {
        for (in_tile, found) in result.of_list(index as u32).into_iter().enumerate() {
            let seen = as_seen_by(list, in_tile as u32);
            let exact = composite(&seen);
            let [r, g, b] = exact.rgb;
            let exact = [r, g, b, exact.transmittance];
            let far = |other: [f64; 4]| {
                let pairs = found.into_iter().zip(other);
                pairs
                    .map(|(a, b)| (f64::from(a) - b).abs() / b.abs().max(1.0))
                    .fold(0.0, f64::max)
            };
            from_twin[index] = from_twin[index].max(far(twin(&seen)));
            from_exact[index] = from_exact[index].max(far(exact));
        }
    }
    assert!(from_twin.iter().all(|error| *error < 1e-5), "{from_twin:?}");
    // Exact for one layer, and nothing like it for more: the control.
    assert!(
        from_exact[0] < 1e-5 && from_exact[1] > 1e-2 && from_exact[2] > 1e-2,
        "{from_exact:?}"
    );
}
