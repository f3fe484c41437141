//! The `cloud` case: round gaussian splats, projected, sorted, listed and composited by the frame's own
//! passes; no simulation, no fog, no solids. The same work as a Gaussian-splat rasteriser's.

use crate::error::{Error, Result};
use crate::gpu::layout::{Emitter, FrameUniform, Particle};
use crate::gpu::{Gpu, Pipelines, Profiler, Recorder, finish_frame};
use crate::methods::{Source, Specialization};
use crate::reference::cloud::{CloudSpec, CloudSplat, DEPTHS, STOP};
use crate::render::{Composite, Counters, Frame, FrameInput, passes};

/// The passes of the case in order, by the labels of their times.
pub const LABELS: [&str; 4] = [
    passes::PROJECT,
    passes::SORT,
    passes::LISTS,
    passes::COMPOSITE,
];

/// The view depths that splats are kept between, metres: a little wider than theirs.
const NEAR_FAR: [f32; 2] = [DEPTHS[0] * 0.99, DEPTHS[1] * 1.01];
/// Tangent of half the vertical field of view.
const TAN_Y: f32 = 0.5;
/// Seed of every row's cloud.
const SEED: u64 = 1;

/// What gsplat 1.5.3 (CUDA) took for a cloud at 1920x1080 with tiles of 16 pixels on an NVIDIA H200,
/// median of 20, milliseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Peer {
    /// Number of splats.
    pub splats: u32,
    /// Standard deviation, pixels.
    pub sigma: f32,
    /// Opacity at the centre.
    pub opacity: f32,
    /// The library's one-call path; timed apart from the stages, hence not their sum.
    pub whole: f64,
    /// Its projection.
    pub project: f64,
    /// Its tile intersection and sort.
    pub lists: f64,
    /// Its rasterisation.
    pub raster: f64,
    /// Its list entries.
    pub entries: f64,
}

/// The clouds that are timed, with the peer's times.
#[rustfmt::skip]
pub const PEERS: [Peer; 6] = [
    Peer { splats: 100_000, sigma: 2.0, opacity: 0.3, whole: 0.344, project: 0.028, lists: 0.142, raster: 0.169, entries: 0.38e6 },
    Peer { splats: 100_000, sigma: 8.0, opacity: 0.1, whole: 0.875, project: 0.030, lists: 0.310, raster: 0.763, entries: 2.0e6 },
    Peer { splats: 1_000_000, sigma: 1.0, opacity: 0.3, whole: 1.172, project: 0.051, lists: 0.325, raster: 0.829, entries: 2.3e6 },
    Peer { splats: 1_000_000, sigma: 2.0, opacity: 0.3, whole: 1.756, project: 0.048, lists: 0.418, raster: 1.396, entries: 3.8e6 },
    Peer { splats: 1_000_000, sigma: 8.0, opacity: 0.02, whole: 4.366, project: 0.050, lists: 2.141, raster: 6.590, entries: 20.0e6 },
    Peer { splats: 4_000_000, sigma: 1.0, opacity: 0.1, whole: 3.689, project: 0.130, lists: 0.833, raster: 3.132, entries: 9.2e6 },
];

impl Peer {
    /// The same cloud here.
    #[must_use]
    pub fn spec(&self) -> CloudSpec {
        CloudSpec {
            splats: self.splats,
            sigma: self.sigma,
            opacity: self.opacity,
            size: [1920, 1080],
            seed: SEED,
        }
    }
}

/// A cloud in GPU memory, with room for all its lists.
pub struct Cloud {
    /// What it is.
    pub spec: CloudSpec,
    /// Its splats.
    pub splats: Vec<CloudSplat>,
    /// What its lists come to.
    pub counters: Counters,
    /// The frame that draws it.
    pub frame: Frame,
}

impl Cloud {
    /// Uploads a cloud and makes room for its lists, of tiles of `tile` pixels.
    ///
    /// # Errors
    /// It is larger than the adapter allows (exit code 2), a shader does not compile, the device
    /// failed (1).
    pub fn new(gpu: &Gpu, pipelines: &Pipelines, spec: CloudSpec, tile: u32) -> Result<Self> {
        let mut cloud = Self {
            spec,
            splats: spec.splats(),
            counters: Counters::default(),
            frame: Frame::new(gpu, pipelines, frame_input(&spec, tile))?,
        };
        for _ in 0..2 {
            cloud.counters = cloud.draw_lists(gpu)?;
            if cloud.counters.dropped() == 0 {
                return Ok(cloud);
            }
            cloud.frame.grow(gpu, cloud.counters.entries_needed)?;
        }
        cloud.counters = cloud.draw_lists(gpu)?;
        match cloud.counters.dropped() {
            0 => Ok(cloud),
            missing => Err(Error::failed(format!(
                "{missing} entries of a cloud of {} splats found no room; please report this",
                spec.splats
            ))),
        }
    }

    /// Uploads the splats and builds the lists once.
    fn draw_lists(&self, gpu: &Gpu) -> Result<Counters> {
        let particles: Vec<Particle> = particles(&self.spec, &self.splats);
        let bytes = bytemuck::cast_slice(&particles);
        gpu.queue
            .write_buffer(&self.frame.resources.particles, 0, bytes);
        let mut profiler = Profiler::untimed(gpu)?;
        let mut recorder = Recorder::new(gpu, &mut profiler, "cloud lists");
        self.frame.record_lists(gpu, &mut recorder)?;
        gpu.submit_and_wait(recorder.finish())?;
        finish_frame(gpu, &mut profiler)?;
        self.frame.read_counters(gpu)
    }

    /// A method specialised for the cloud: its tiles and lists, gaussian splats, the stop rule.
    ///
    /// # Errors
    /// The shader does not compile (exit code 1).
    pub fn composite(
        &self,
        gpu: &Gpu,
        pipelines: &Pipelines,
        specialization: Specialization,
    ) -> Result<Composite> {
        let specialization = Specialization {
            tile: self.frame.input().tile,
            early_out: true,
            source: Source::Gaussian,
            ..specialization
        };
        let extent = self.frame.extent(self.counters.longest_list, STOP as f32);
        Composite::new(gpu, pipelines, specialization, extent)
    }

    /// Records the whole case, each pass under its label of [`LABELS`]; the picture is what
    /// [`Frame::read_composite`] reads.
    ///
    /// # Errors
    /// A resource is missing (exit code 1; a bug).
    pub fn record(&self, gpu: &Gpu, recorder: &mut Recorder, composite: &Composite) -> Result<()> {
        self.frame.record_lists(gpu, recorder)?;
        let target = &self.frame.target;
        self.frame
            .record_composite(gpu, recorder, composite, target, passes::COMPOSITE)
    }
}

/// A camera at the origin that looks along -z, and a frame of nothing but particles.
fn frame_input(spec: &CloudSpec, tile: u32) -> FrameInput {
    let [width, height] = spec.size;
    let uniform = FrameUniform {
        right: [1.0, 0.0, 0.0],
        tan_x: TAN_Y * width as f32 / height as f32,
        up: [0.0, 1.0, 0.0],
        tan_y: TAN_Y,
        forward: [0.0, 0.0, -1.0],
        near: NEAR_FAR[0],
        far: NEAR_FAR[1],
        size: spec.size,
        tiles: spec.size.map(|edge| edge.div_ceil(tile)),
        particles: spec.splats,
        emitters: 1,
        entry_capacity: spec.splats.saturating_mul(4),
        ..FrameUniform::default()
    };
    FrameInput {
        uniform,
        emitters: vec![Emitter::default()],
        slice_bounds: vec![NEAR_FAR[0]],
        tile,
        ..FrameInput::default()
    }
}

/// The particles that project to `splats`. Their softness is the exponent of the gaussian at the rim,
/// as the feature `gaussian` of `shaders/composite/layer.wesl` reads it.
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
