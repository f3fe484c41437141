//! The `cloud` case: round Gaussian splats. The frame's own passes project, bin, list and composite them, without
//! simulation, fog or solids, like a Gaussian-splat rasteriser.

use super::splats::{CloudSpec, CloudSplat, DEPTHS, STOP};
use crate::error::Result;
use crate::frame::macro_tiles::MACRO_SHIFTS;
use crate::frame::{Counters, Frame, FrameInput, FrameShape, Moment};
use crate::gpu::{Gpu, Pipelines, Profiler, Recorder};
use crate::methods::{Composite, Specialization};
use crate::model::items::{ItemCounts, ItemKind};
use crate::model::layout::{Emitter, FrameUniform, Particle};
use crate::model::methods::Source;
use crate::model::options::Precision;
use crate::model::passes::{Inputs, Pass};
use crate::model::scene::Camera;
use crate::runs::Set;

/// Range of view depths in metres, slightly wider than the splats' range, so that no splat is cut.
const NEAR_FAR: [f32; 2] = [DEPTHS[0] * 0.99, DEPTHS[1] * 1.01];
/// Tangent of half the vertical field of view.
const TAN_Y: f32 = 0.5;

/// Times of gsplat 1.6.0 (CUDA, commit 90d7b4b3) for a cloud at 1920x1080 on an NVIDIA H200, driver 580.159.04. They
/// are sums of kernel times in milliseconds, without the gaps between launches, averaged over twenty frames
/// (`benches/beside_peers.py`).
///
/// gsplat projects anisotropic splats, while the cloud's splats are round. gsplat was given discs that face the camera,
/// reduced by the 0.3 px² that it adds to a splat's variance. It then draws the same picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Peer {
    /// The cloud, drawn at 1920x1080.
    pub spec: CloudSpec,
    /// Time of gsplat's default path, with tiles of 16 pixels.
    pub gsplat: f64,
    /// Time of gsplat's inference path after HiGS (arXiv 2606.00352), which composites in half floats. The better of
    /// tiles with 8 and 16 pixels.
    pub higs: f64,
}

pub const PEERS: [Peer; 6] = [
    peer(100_000, 2.0, 0.3, [0.236, 0.131]),
    peer(100_000, 8.0, 0.1, [0.682, 0.241]),
    peer(1_000_000, 1.0, 0.3, [0.981, 0.370]),
    peer(1_000_000, 2.0, 0.3, [1.523, 0.467]),
    peer(1_000_000, 8.0, 0.02, [3.821, 0.956]),
    peer(4_000_000, 1.0, 0.1, [3.396, 1.191]),
];

const fn peer(splats: u32, sigma: f32, opacity: f32, [gsplat, higs]: [f64; 2]) -> Peer {
    Peer {
        spec: CloudSpec {
            splats,
            sigma,
            opacity,
            size: [1920, 1080],
            seed: 1,
        },
        gsplat,
        higs,
    }
}

/// A cloud in GPU memory, and room for all lists.
pub struct Cloud {
    pub spec: CloudSpec,
    pub splats: Vec<CloudSplat>,
    pub counters: Counters,
    pub frame: Frame,
}

impl Cloud {
    /// Uploads a cloud in the precision that composites it, and allocates its lists.
    pub fn new(
        gpu: &Gpu,
        pipelines: &Pipelines,
        spec: CloudSpec,
        precision: Precision,
        tile: u32,
    ) -> Result<Self> {
        let splats = spec.splats();
        let particles: Vec<Particle> = particles(&spec, &splats);
        let mut frame = Frame::new(gpu, pipelines, frame_input(&spec, precision, tile))?;
        let counters = frame.draw_complete(gpu, pipelines, Inputs::LISTS, |frame| {
            let bytes = bytemuck::cast_slice(&particles);
            gpu.queue
                .write_buffer(frame.resources.named("particles")?, 0, bytes);
            let mut profiler = Profiler::untimed(gpu)?;
            let mut recorder = Recorder::new(gpu, &mut profiler, "cloud lists");
            frame.record_items(&mut recorder, Inputs::LISTS)?;
            let recorded = recorder.finish();
            profiler.submit_and_wait(gpu, recorded)?;
            Ok(())
        })?;
        Ok(Self {
            spec,
            splats,
            counters,
            frame,
        })
    }

    /// Specialises a method for the cloud's tiles and lists, Gaussian splats, and the stop rule.
    pub fn composite(
        &self,
        gpu: &Gpu,
        pipelines: &Pipelines,
        specialization: Specialization,
    ) -> Result<Composite> {
        let specialization = Specialization {
            options: specialization.options.with_frame(|frame| {
                frame.tile = self.frame.shape().tile;
                frame.early_out = STOP as f32;
            }),
            source: Source::Cloud(self.frame.shape().stored),
            ..specialization
        };
        self.frame
            .composite(gpu, pipelines, specialization, &self.counters)
    }

    pub fn set<'s>(&'s self, composites: &'s [Composite]) -> Set<'s> {
        let subjects = composites.iter();
        Set {
            subjects: subjects.map(|of| self.frame.subject(of)).collect(),
            frame: Some([
                Box::new(move |recorder| self.frame.record_items(recorder, Inputs::LISTS)),
                Box::new(|_| Ok(())),
            ]),
        }
    }

    /// Records the whole case. [`Frame::read_composite`] reads the picture.
    pub fn record(&self, recorder: &mut Recorder, composite: &Composite) -> Result<()> {
        self.frame.record_items(recorder, Inputs::LISTS)?;
        let target = &self.frame.target;
        self.frame
            .record_composite(recorder, composite, target, Pass::Composite.into(), 1)
    }
}

/// A camera at the origin that looks along -z, and a frame with only particles.
fn frame_input(spec: &CloudSpec, precision: Precision, tile: u32) -> FrameInput {
    let [width, height] = spec.size;
    let camera = Camera {
        right: [1.0, 0.0, 0.0],
        tan_x: TAN_Y * width as f32 / height as f32,
        up: [0.0, 1.0, 0.0],
        tan_y: TAN_Y,
        forward: [0.0, 0.0, -1.0],
        ..Camera::default()
    };
    FrameInput {
        shape: FrameShape {
            size: spec.size,
            tile,
            near: NEAR_FAR[0],
            far: NEAR_FAR[1],
            counts: ItemCounts::only(ItemKind::Particle, spec.splats),
            emitters: 1,
            entry_capacity: spec.splats.saturating_mul(4),
            macro_shift: MACRO_SHIFTS[0],
            shadow_edge: 1,
            stored: precision.stored(),
            ..FrameShape::default()
        },
        moment: Moment {
            camera,
            order_camera: camera,
            look: FrameUniform::plain(),
            ..Moment::default()
        },
        emitters: vec![Emitter::default()],
        slice_bounds: vec![NEAR_FAR[0]],
        ..FrameInput::default()
    }
}

/// Particles that project to `splats`. A particle's softness is the Gaussian's exponent at the rim, as
/// `shaders/layers/sources/cloud.wesl` reads it.
fn particles(spec: &CloudSpec, splats: &[CloudSplat]) -> Vec<Particle> {
    let [width, height] = spec.size.map(f64::from);
    let pixel_at_one_metre = 2.0 * f64::from(TAN_Y) / height;
    let (radius, falloff) = (spec.radius(), spec.falloff());
    let particle = |splat: &CloudSplat| {
        let scale = f64::from(splat.depth) * pixel_at_one_metre;
        let [x, y] = splat.center.map(f64::from);
        Particle {
            position: [
                ((x - 0.5 * width) * scale) as f32,
                ((0.5 * height - y) * scale) as f32,
                -splat.depth,
            ],
            radius: (radius * scale) as f32,
            albedo: splat.color,
            opacity: spec.opacity,
            emission: [0.0; 3],
            softness: falloff as f32,
        }
    };
    splats.iter().map(particle).collect()
}
