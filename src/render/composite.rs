//! The composite pass: one method over all tiles, in as many dispatches as the driver needs.

use std::sync::Arc;

use crate::error::{Error, Result};
use crate::gpu::layout::Range;
use crate::gpu::shader::Variant;
use crate::gpu::{Bind, Capabilities, ComputePipeline, Gpu, Pipelines, uniform_buffer};
use crate::methods::Specialization;

/// Of a driver's limit on loop turns, the part we let a method come near to.
const TURN_BUDGET: f64 = 0.9;

/// A method, specialised and ready to record.
pub struct Composite {
    /// What it is specialised to.
    pub specialization: Specialization,
    pipeline: Arc<ComputePipeline>,
    workgroups: u32,
    ranges: Vec<wgpu::Buffer>,
    /// List entries that the dispatches cover; a longer list would lose its far end.
    pub covered_layers: u32,
}

/// What a composite covers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Extent {
    /// Number of tiles.
    pub tiles: u32,
    /// Layers in the longest list.
    pub longest_list: u32,
    /// Transmittance below which the rest may be skipped.
    pub early_out: f32,
}

impl Composite {
    /// Specialises a method for an extent.
    ///
    /// # Errors
    /// The shader does not compile (exit code 1).
    pub fn new(
        gpu: &Gpu,
        pipelines: &Pipelines,
        specialization: Specialization,
        extent: Extent,
    ) -> Result<Self> {
        let variant = specialization.variant(&gpu.caps);
        Self::of_variant(gpu, pipelines, specialization, &variant, extent)
    }

    /// The same with a shader variant of the caller's: the specialisation's, with more features.
    ///
    /// # Errors
    /// The shader does not compile (exit code 1).
    pub fn of_variant(
        gpu: &Gpu,
        pipelines: &Pipelines,
        specialization: Specialization,
        variant: &Variant,
        extent: Extent,
    ) -> Result<Self> {
        let per_dispatch = layers_per_dispatch(&gpu.caps, &specialization);
        let dispatches = extent.longest_list.div_ceil(per_dispatch).max(1);
        let ranges = (0..dispatches)
            .map(|index| {
                let range = Range {
                    first_layer: index * per_dispatch,
                    layer_count: per_dispatch,
                    early_out: extent.early_out,
                    pad: 0,
                };
                uniform_buffer(gpu, "composite range", &range)
            })
            .collect();
        Ok(Self {
            pipeline: pipelines.compute(gpu, variant, "composite")?,
            workgroups: workgroups(&gpu.caps, &specialization, extent.tiles),
            ranges,
            covered_layers: per_dispatch.saturating_mul(dispatches),
            specialization,
        })
    }

    /// The label of its pass: the method's name.
    pub fn label(&self) -> &'static str {
        self.specialization.method.name()
    }

    /// Composites every pixel of the frame or table that `resources` hold.
    ///
    /// # Errors
    /// A resource is missing (exit code 1; a bug).
    pub fn record(
        &self,
        gpu: &Gpu,
        pass: &mut wgpu::ComputePass,
        resources: &[Bind],
    ) -> Result<()> {
        for range in &self.ranges {
            let mut binds = resources.to_vec();
            binds.push(("range", range.as_entire_binding()));
            self.pipeline.dispatch(gpu, pass, &binds, self.workgroups)?;
        }
        Ok(())
    }
}

/// Methods specialised for one extent, made when they are first wanted.
#[derive(Default)]
pub struct Composites {
    extent: Extent,
    made: Vec<Composite>,
}

impl Composites {
    /// Starts anew where `extent` is another one.
    pub fn fit(&mut self, extent: Extent) {
        if self.extent != extent {
            self.made.clear();
            self.extent = extent;
        }
    }

    /// What all of them cover.
    pub fn extent(&self) -> Extent {
        self.extent
    }

    /// Makes sure that [`Composites::get`] finds `specialization`.
    ///
    /// # Errors
    /// The shader does not compile (exit code 1).
    pub fn make(
        &mut self,
        gpu: &Gpu,
        pipelines: &Pipelines,
        specialization: Specialization,
    ) -> Result<()> {
        if self.find(specialization).is_none() {
            let composite = Composite::new(gpu, pipelines, specialization, self.extent)?;
            self.made.push(composite);
        }
        Ok(())
    }

    /// A method that was made.
    ///
    /// # Errors
    /// It was not (exit code 1; a bug).
    pub fn get(&self, specialization: Specialization) -> Result<&Composite> {
        self.find(specialization)
            .ok_or_else(|| Error::failed(format!("{} was not made", specialization.method)))
    }

    fn find(&self, specialization: Specialization) -> Option<&Composite> {
        self.made
            .iter()
            .find(|composite| composite.specialization == specialization)
    }

    /// List entries that each of them covers.
    pub fn covered_layers(&self) -> u32 {
        let covered = self.made.iter().map(|composite| composite.covered_layers);
        covered.min().unwrap_or(u32::MAX)
    }
}

/// Most list entries that one dispatch may walk without meeting the driver's limit on loop turns.
///
/// The turn that finds a loop over counts too. Per pixel an invocation turns at most once per entry,
/// twice per group of at least 4 entries (the group itself, the end of the loop over its lanes) and a
/// few times more; it does so for each of its pixels.
pub fn layers_per_dispatch(caps: &Capabilities, specialization: &Specialization) -> u32 {
    let Some(limit) = caps.loop_turns else {
        return u32::MAX;
    };
    let pixels = match specialization.method.uses_waves() {
        true => specialization.pixels_per_wave,
        false => 1,
    };
    let per_pixel = f64::from(limit) * TURN_BUDGET / f64::from(pixels);
    ((per_pixel - 4.0) / 1.5).max(1.0) as u32
}

/// Workgroups that cover all tiles: by pixels, or by waves of the adapter's largest size.
fn workgroups(caps: &Capabilities, specialization: &Specialization, tiles: u32) -> u32 {
    let pixels = tiles * specialization.tile * specialization.tile;
    let workgroup = Specialization::workgroup(caps);
    match specialization.method.uses_waves() {
        false => pixels.div_ceil(workgroup),
        true => {
            let waves_per_group = workgroup / caps.wave_max;
            pixels
                .div_ceil(specialization.pixels_per_wave)
                .div_ceil(waves_per_group)
        }
    }
}

/// Pixels per wave where the user left it open: as many as still keep a GPU full of waves.
///
/// Walking more pixels per wave reuses the list from cache, but a frame of few pixels would leave
/// the GPU empty; 8192 waves fill the largest of today. At most 32, at least 1, a power of two.
pub fn auto_pixels_per_wave(size: [u32; 2]) -> u32 {
    const WAVES_THAT_FILL_A_GPU: u64 = 8192;
    let pixels = u64::from(size[0]) * u64::from(size[1]);
    let most = (pixels / WAVES_THAT_FILL_A_GPU).clamp(1, 32);
    1 << most.ilog2()
}
