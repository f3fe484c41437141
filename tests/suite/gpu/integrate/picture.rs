//! A frame's picture with integrated fog, by shaders of the tests' own (`tests/shaders/composite`): the
//! independent form that fog as layers is held against.

use std::sync::Arc;

use wavelerp::frame::frame_table::froxels;
use wavelerp::frame::{Frame, Target};
use wavelerp::gpu::shader::{Edit, ShaderSource};
use wavelerp::gpu::{Binds, ComputePipeline, Gpu, Pipelines, uniform_buffer};
use wavelerp::model::layout::Range;
use wavelerp::model::methods::Method;
use wavelerp::model::options::Options;
use wavelerp::runs::bench::integrate::{Integrate, Mapping, integrals_texture};

use crate::shaders::test_source;

/// The program's shaders and the tests' own, with a fault in them.
pub fn pipelines(edits: &[Edit]) -> Pipelines {
    Pipelines::new(ShaderSource {
        edits: edits.to_vec(),
        ..test_source()
    })
}

/// What draws a frame with integrated fog.
pub struct IntegratedFog {
    integrate: Integrate,
    composite: Arc<ComputePipeline>,
    binds: Binds,
}

impl IntegratedFog {
    /// Makes what `frame` needs for it, of shaders as [`pipelines`] has them.
    pub fn new(gpu: &Gpu, pipelines: &Pipelines, frame: &Frame, mapping: Mapping) -> Self {
        let tile = frame.shape().tile;
        let options = Options::default().with_frame(|frame| frame.tile = tile);
        let mut variant = options.specialize(Method::PixelLoop).variant(&gpu.caps);
        variant.module = "methods/integrated_fog";
        let [width, height] = froxels(frame.shape().size);
        let integrals = integrals_texture(gpu, [width, height, frame.shape().slices]);
        let whole_list = Range {
            layer_count: u32::MAX,
            ..Range::default()
        };
        let integrals = integrals.create_view(&Default::default());
        let view = || wgpu::BindingResource::TextureView(&integrals);
        let range = uniform_buffer(gpu, "whole list", &whole_list);
        let composite = pipelines.compute(gpu, &variant, "composite");
        Self {
            integrate: Integrate::new(gpu, pipelines, mapping).expect("it compiles"),
            composite: composite.expect("it compiles"),
            binds: Binds::new([
                ("integrals", view()),
                ("integrals_out", view()),
                ("range", range.as_entire_binding()),
            ]),
        }
    }

    /// Records the integration and the composite of `frame`'s lists, in one dispatch, into `target`.
    pub fn record(&self, gpu: &Gpu, pass: &mut wgpu::ComputePass, frame: &Frame, target: &Target) {
        let [of_frame, of_target] = frame.binds_with(target);
        let binds = [of_frame, of_target, &self.binds];
        self.integrate
            .record(gpu, pass, &binds, froxels(frame.shape().size))
            .expect("recorded");
        let pixels = frame.tiles() * frame.shape().tile * frame.shape().tile;
        self.composite
            .dispatch(pass, &binds, pixels.div_ceil(64))
            .expect("recorded");
    }
}
