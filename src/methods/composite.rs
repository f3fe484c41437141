//! A method that is ready to composite all tiles of a frame or a table, and the functions that record it.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crate::error::{Error, Result};
use crate::frame::{Counters, Extent, Frame, Target};
use crate::gpu::{Binds, Gpu, Pipelines, Recorder};
use crate::model::methods::Source;
use crate::model::passes::{Inputs, Label};

use super::auto::Facts;
use super::kernel::{CompositePass, PassContext, Work, dispatches, layers_per_dispatch};
use super::specialization::Specialization;

/// Maximum number of pieces of a composite. Each piece is a few rows of tiles.
const PIECES: u32 = 16;

pub struct Composite {
    pub specialization: Specialization,
    pub inputs: Inputs,
    made: Box<dyn CompositePass>,
    /// Number of the scene in the accumulated sums, and the number of accumulated frames.
    scene: AtomicU64,
    frames: AtomicU32,
    /// Number of list entries that the dispatches cover. A longer list would lose its far end.
    pub covered_layers: u32,
}

impl Composite {
    pub fn new(
        gpu: &Gpu,
        pipelines: &Pipelines,
        specialization: Specialization,
        extent: Extent,
    ) -> Result<Self> {
        specialization.check(&gpu.caps)?;
        let spec = in_frame(specialization, extent.layers);
        let per_dispatch = layers_per_dispatch(&gpu.caps, &specialization);
        let made = pipelines.together(|pipelines| {
            spec.kernel().make(PassContext {
                gpu,
                pipelines,
                spec: &spec,
                extent: &extent,
            })
        })?;
        Ok(Self {
            specialization,
            inputs: spec.inputs(),
            made,
            scene: AtomicU64::new(0),
            frames: AtomicU32::new(0),
            covered_layers: per_dispatch.saturating_mul(dispatches(per_dispatch, &extent)),
        })
    }

    pub fn label(&self) -> Label {
        Label::of(self.specialization.method)
    }

    /// Composites every pixel of the frame or table in `resources`, in a pass timed as `label`. A drawn method records
    /// more parts.
    ///
    /// For timings the work is repeated `times` times, in one pass. A drawn method repeats its passes under the same
    /// names.
    pub fn record(
        &self,
        recorder: &mut Recorder,
        label: Label,
        resources: &[&Binds],
        times: u32,
    ) -> Result<()> {
        self.frames.fetch_add(times, Ordering::Relaxed);
        let work = Work {
            label,
            resources,
            times,
        };
        self.made.record(recorder, work)
    }

    /// Clears the accumulated sums unless they belong to the scene with the given number.
    pub fn follow(&self, encoder: &mut wgpu::CommandEncoder, scene: u64) {
        if self.scene.swap(scene, Ordering::Relaxed) != scene {
            self.frames.store(0, Ordering::Relaxed);
            self.made.begin_anew(encoder);
        }
    }

    /// Number of frames that the method's picture accumulates. The method must be recorded as many times.
    pub fn frames(&self) -> u32 {
        self.made.frames()
    }

    /// True if the picture of the scene with the given number still needs frames.
    pub fn lacks_frames(&self, scene: u64) -> bool {
        let is_followed = self.scene.load(Ordering::Relaxed) == scene;
        self.frames() > 1 && !(is_followed && self.frames.load(Ordering::Relaxed) >= self.frames())
    }

    /// Bytes of the method's own resources: targets and stream of a drawn method, or parts of batches.
    pub fn bytes(&self) -> u64 {
        self.made.bytes()
    }
}

impl Frame {
    /// Records the composite of one method into `target`, `times` times, timed as `label`.
    pub fn record_composite(
        &self,
        recorder: &mut Recorder,
        composite: &Composite,
        target: &Target,
        label: Label,
        times: u32,
    ) -> Result<()> {
        let binds = self.binds_with(target);
        recorder.encoder.clear_buffer(&target.ran_at, 0, None);
        composite.follow(&mut recorder.encoder, self.changes);
        if recorder.cuts_passes() && composite.frames() == 1 {
            // Drawn methods always composite the whole frame.
            let is_drawn = composite.specialization.runs.is_drawn();
            let rows = if is_drawn { 1 } else { PIECES };
            let [width, height] = self.shape().size;
            let step = self.shape().tile * self.shape().tiles()[1].div_ceil(rows);
            for top in (0..height).step_by(step as usize) {
                let section = [0, top, width, (top + step).min(height)];
                recorder.write_before(target.section(), section);
                composite.record(recorder, label, &binds, times)?;
            }
            recorder.write_before(target.section(), [0, 0, width, height]);
        } else {
            composite.record(recorder, label, &binds, times)?;
        }
        self.record_fog_behind(recorder, target, (label, times))
    }

    /// Specialises a method for this frame's lists. `counters` contains their lengths.
    pub fn composite(
        &self,
        gpu: &Gpu,
        pipelines: &Pipelines,
        specialization: Specialization,
        counters: &Counters,
    ) -> Result<Composite> {
        let extent = self.extent(counters.longest_list, counters.listed_layers);
        Composite::new(gpu, pipelines, specialization, extent)
    }

    /// Facts for the choice of `auto`.
    pub fn facts(&self, counters: &Counters) -> Facts {
        let [width, height] = self.shape().size;
        Facts {
            pixels: width * height,
            mean: f64::from(counters.listed_layers) / f64::from(self.tiles()),
            longest: counters.longest_list,
            layers: self.shape().layers(),
        }
    }
}

fn in_frame(specialization: Specialization, layers: Source) -> Specialization {
    Specialization {
        source: specialization.source.in_frame(layers),
        ..specialization
    }
}

pub fn compile(
    gpu: &Gpu,
    pipelines: &Pipelines,
    specialization: Specialization,
    layers: Source,
) -> Result<()> {
    let spec = in_frame(specialization, layers);
    spec.kernel().compile(gpu, pipelines, spec)
}

/// Methods specialised for one extent, created on first use.
#[derive(Default)]
pub struct Composites {
    extent: Extent,
    made: Vec<Composite>,
}

impl Composites {
    /// Drops all methods and their resources.
    pub fn clear(&mut self) {
        self.made.clear();
    }

    /// Drops all methods if `extent` has changed.
    pub fn fit(&mut self, extent: Extent) {
        if self.extent != extent {
            self.made.clear();
            self.extent = extent;
        }
    }

    pub fn extent(&self) -> Extent {
        self.extent
    }

    /// Creates `specialization` unless it exists.
    pub fn make(
        &mut self,
        gpu: &Gpu,
        pipelines: &Pipelines,
        specialization: Specialization,
    ) -> Result<()> {
        if !self.has(specialization) {
            // All methods of a frame share its options. Methods for earlier values of an option would pile up while the
            // user drags it.
            let frame = specialization.options.frame;
            self.made
                .retain(|made| made.specialization.options.frame == frame);
            let composite = Composite::new(gpu, pipelines, specialization, self.extent)?;
            self.made.push(composite);
        }
        Ok(())
    }

    pub fn has(&self, specialization: Specialization) -> bool {
        self.find(specialization).is_some()
    }

    pub fn get(&self, specialization: Specialization) -> Result<&Composite> {
        self.find(specialization)
            .ok_or_else(|| Error::failed(format!("{} was not made", specialization.method)))
    }

    fn find(&self, specialization: Specialization) -> Option<&Composite> {
        self.made
            .iter()
            .find(|composite| composite.specialization == specialization)
    }

    pub fn bytes(&self) -> u64 {
        self.made.iter().map(Composite::bytes).sum()
    }

    pub fn covered_layers(&self) -> u32 {
        let covered = self.made.iter().map(|composite| composite.covered_layers);
        covered.min().unwrap_or(u32::MAX)
    }
}
