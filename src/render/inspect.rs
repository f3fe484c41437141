//! Kernels that look at a finished frame for reports: not part of a frame, and waited for.

use bytemuck::{Pod, Zeroable};

use crate::error::Result;
use crate::gpu::layout::{ProbeJob, Range};
use crate::gpu::shader::Variant;
use crate::gpu::{Bind, Gpu, Pipelines, read_buffer, storage_buffer, uniform_buffer};
use crate::methods::{Hazard, Method, Specialization};

use super::composite::layers_per_dispatch;
use super::counters::Counters;
use super::frame::Frame;

/// Bit that marks a list entry as a fog slice.
pub const FOG: u32 = 0x8000_0000;

/// A layer of a pixel as the probe kernel writes it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct ProbedLayer {
    /// Linear rgb as composited (seen through the part of its fog slice in front of it).
    pub color: [f32; 3],
    /// Opacity.
    pub opacity: f32,
    /// View depth, metres: of a splat its centre's, of a slice its far side or the opaque depth.
    pub depth: f32,
    /// Index of the particle, of a cell: number of particles + number of the cell; 0 for fog.
    pub particle: u32,
    /// Metres of ray from the front of its slice to `depth`.
    pub path: f32,
    /// Extinction of its slice at this pixel, 1/m.
    pub extinction: f32,
    /// A particle's own radiance before fog, a cell's albedo; 0 for fog.
    pub own: [f32; 3],
    pad0: f32,
    /// Source radiance of its slice at this pixel.
    pub fog: [f32; 3],
    pad1: f32,
}

/// The shader variant of a kernel that walks lists like `pixel-loop`.
fn list_kernel(gpu: &Gpu, module: &'static str, tile: u32) -> (Variant, Specialization) {
    let specialization = Specialization {
        method: Method::PixelLoop,
        tile,
        pixels_per_wave: 1,
        hazard: Hazard::Driver,
        early_out: false,
        table: false,
    };
    let mut variant = specialization.variant(&gpu.caps);
    variant.module = module;
    (variant, specialization)
}

/// The largest radiance (maximum over r, g, b) of all layers that show anywhere in the frame.
///
/// # Errors
/// The device failed (exit code 1).
pub fn largest_radiance(
    gpu: &Gpu,
    pipelines: &Pipelines,
    frame: &Frame,
    counters: &Counters,
) -> Result<f32> {
    let (variant, specialization) = list_kernel(gpu, "largest_radiance", frame.input().tile);
    let pipeline = pipelines.compute(gpu, &variant, "largest_radiance")?;
    let largest = storage_buffer(gpu, "largest radiance", 4);
    let step = layers_per_dispatch(&gpu.caps, &specialization);
    let tile = frame.input().tile;
    let groups = (frame.tiles() * tile * tile).div_ceil(64);
    for first_layer in (0..counters.longest_list).step_by(step as usize) {
        let range = Range {
            first_layer,
            layer_count: step,
            ..Range::default()
        };
        let range = uniform_buffer(gpu, "range", &range);
        let mut binds: Vec<Bind> = frame.resources.binds();
        binds.push(("range", range.as_entire_binding()));
        binds.push(("largest", largest.as_entire_binding()));
        let mut encoder = gpu.encoder("largest radiance");
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pipeline.dispatch(gpu, &mut pass, &binds, groups)?;
        drop(pass);
        gpu.submit_and_wait(encoder.finish())?;
    }
    Ok(read_buffer::<f32>(gpu, &largest, 1)?[0])
}

/// The list of `tile` as layer words: a splat index, or [`FOG`] | slice.
///
/// # Errors
/// The device failed (exit code 1).
pub fn read_list(gpu: &Gpu, frame: &Frame, tile: u32) -> Result<Vec<u32>> {
    let slices = frame.uniform().slices;
    let starts = read_buffer::<u32>(
        gpu,
        &frame.resources.tile_starts,
        frame.tiles() as usize + 1,
    )?;
    let at = |tile: u32| (starts[tile as usize] + tile * slices) as usize;
    let all = read_buffer::<u32>(gpu, &frame.resources.layers, at(tile + 1))?;
    Ok(all[at(tile)..].to_vec())
}

/// A pixel as its methods see it.
pub struct Probed {
    /// The list's words, front to back.
    pub list: Vec<u32>,
    /// What they evaluate to.
    pub layers: Vec<ProbedLayer>,
    /// Linear radiance behind all layers.
    pub background: [f32; 3],
}

/// The layers of one pixel, front to back, and what lies behind them.
///
/// # Errors
/// The device failed (exit code 1).
pub fn probe(gpu: &Gpu, pipelines: &Pipelines, frame: &Frame, pixel: [u32; 2]) -> Result<Probed> {
    let edge = frame.input().tile;
    let tile = pixel[1] / edge * frame.uniform().tiles[0] + pixel[0] / edge;
    let list = read_list(gpu, frame, tile)?;
    let (variant, _) = list_kernel(gpu, "probe", edge);
    let pipeline = pipelines.compute(gpu, &variant, "probe")?;
    let job = ProbeJob {
        pixel,
        capacity: list.len() as u32,
        pad: 0,
    };
    let job = uniform_buffer(gpu, "probe job", &job);
    let range = Range {
        layer_count: u32::MAX,
        ..Range::default()
    };
    let range = uniform_buffer(gpu, "range", &range);
    let bytes = ((list.len() + 1) * size_of::<ProbedLayer>()) as u64;
    let probed = storage_buffer(gpu, "probed layers", bytes);
    let mut binds: Vec<Bind> = frame.resources.binds();
    binds.push(("job", job.as_entire_binding()));
    binds.push(("range", range.as_entire_binding()));
    binds.push(("probed", probed.as_entire_binding()));
    let mut encoder = gpu.encoder("probe");
    let mut pass = encoder.begin_compute_pass(&Default::default());
    pipeline.set(gpu, &mut pass, &binds)?;
    let groups = (list.len() as u32 + 1).div_ceil(64);
    pass.dispatch_workgroups(groups.min(4096), groups.div_ceil(4096).max(1), 1);
    drop(pass);
    gpu.submit_and_wait(encoder.finish())?;
    let mut layers: Vec<ProbedLayer> = read_buffer(gpu, &probed, list.len() + 1)?;
    let background = layers.pop().map(|last| last.color).unwrap_or_default();
    Ok(Probed {
        list,
        layers,
        background,
    })
}
