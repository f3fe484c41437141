//! A frame, top to bottom. Records passes and never waits for the GPU; what must be waited for
//! (counters, pictures) stands apart at the end.

use std::sync::Arc;

use crate::auto::Facts;
use crate::error::{Error, Result};
use crate::gpu::layout::{Emitter, FrameUniform};
use crate::gpu::shader::Variant;
use crate::gpu::{
    Bind, ComputePipeline, Gpu, Pipelines, Profiler, Recorder, finish_frame, read_buffer,
};
use crate::methods::Specialization;
use crate::timing::Subject;

use super::bloom::Bloom;
use super::composite::{Composite, Extent};
use super::counters::{self, Counters};
use super::fog::Fog;
use super::lists::Lists;
use super::opaque::Opaque;
use super::particles::Particles;
use super::passes;
use super::resources::{FrameInput, Resources, Sorted, Target, items, tiles};

/// A frame of fixed size and counts: its pipelines, buffers and textures.
pub struct Frame {
    /// Buffers and textures.
    pub resources: Resources,
    /// Where its methods' results go.
    pub target: Target,
    input: FrameInput,
    particles: Particles,
    lists: Lists,
    opaque: Opaque,
    fog: Fog,
    bloom: Bloom,
    resolve: Arc<ComputePipeline>,
    antialias: Arc<ComputePipeline>,
}

impl Frame {
    /// Allocates and compiles everything but the method.
    ///
    /// # Errors
    /// Sizes beyond the adapter (exit code 2), a shader that does not compile, out of memory (1).
    pub fn new(gpu: &Gpu, pipelines: &Pipelines, input: FrameInput) -> Result<Self> {
        let mut resources = Resources::new(gpu, &input)?;
        let particles = Particles::new(gpu, pipelines, &input)?;
        let lists = Lists::new(gpu, pipelines, &input)?;
        resources.sorted = Sorted {
            order: particles.sorted_side(),
            entries: lists.sorted_side(),
        };
        Ok(Self {
            particles,
            lists,
            opaque: Opaque::new(gpu, pipelines)?,
            fog: Fog::new(gpu, pipelines)?,
            bloom: Bloom::new(gpu, pipelines)?,
            resolve: pipelines.compute(gpu, &Variant::new("resolve"), "resolve")?,
            antialias: pipelines.compute(gpu, &Variant::new("antialias"), "antialias")?,
            target: Target::new(gpu, input.uniform.size),
            resources,
            input,
        })
    }

    /// The frame's constants.
    pub fn uniform(&self) -> &FrameUniform {
        &self.input.uniform
    }

    /// What the frame was made from.
    pub fn input(&self) -> &FrameInput {
        &self.input
    }

    /// Number of tiles.
    pub fn tiles(&self) -> u32 {
        tiles(&self.input.uniform)
    }

    /// Changes camera, light and time; sizes and counts must stay as they are.
    pub fn set_uniform(&mut self, gpu: &Gpu, uniform: FrameUniform) {
        self.input.uniform = uniform;
        self.resources.write_moment(gpu, &self.input);
    }

    /// Changes the emitters, of which there must be as many as before.
    ///
    /// # Errors
    /// There are more or fewer (exit code 1; a bug).
    pub fn set_emitters(&mut self, gpu: &Gpu, emitters: &[Emitter]) -> Result<()> {
        if emitters == self.input.emitters {
            return Ok(());
        }
        if emitters.len() != self.input.emitters.len() {
            return Err(Error::failed(format!(
                "a frame made with {} emitters was given {}",
                self.input.emitters.len(),
                emitters.len()
            )));
        }
        self.input.emitters.copy_from_slice(emitters);
        let bytes = bytemuck::cast_slice(emitters);
        gpu.queue.write_buffer(&self.resources.emitters, 0, bytes);
        Ok(())
    }

    /// Gives the lists room for `capacity` entries.
    ///
    /// # Errors
    /// As [`Frame::new`]; the frame then stays as it is.
    pub fn grow(&mut self, gpu: &Gpu, capacity: u32) -> Result<()> {
        let before = std::mem::replace(&mut self.input.uniform.entry_capacity, capacity);
        match Resources::new(gpu, &self.input) {
            Ok(resources) => {
                let sorted = self.resources.sorted;
                self.resources = Resources {
                    sorted,
                    ..resources
                };
                Ok(())
            }
            Err(error) => {
                self.input.uniform.entry_capacity = before;
                Err(error)
            }
        }
    }

    /// Records everything up to the composite.
    ///
    /// # Errors
    /// A resource is missing (exit code 1; a bug).
    pub fn record_scene(&self, gpu: &Gpu, recorder: &mut Recorder) -> Result<()> {
        let (resources, uniform) = (&self.resources, &self.input.uniform);
        // Where particles are.
        recorder.compute(passes::SIMULATE, |pass| {
            self.particles
                .simulate(gpu, pass, resources, uniform.particles)
        })?;

        // Which surfaces are seen, and how far: behind them no layer shows.
        recorder.render(
            passes::OPAQUE,
            Some((&resources.triangle_ids, wgpu::Color::TRANSPARENT)),
            Some((&resources.opaque_depth, 0.0)),
            |pass| self.opaque.opaque(gpu, pass, resources),
        )?;

        self.record_lists(gpu, recorder)?;

        // The light of surfaces and of the medium between them and the camera.
        let shadow_map = Some((&resources.shadow_map, 1.0));
        recorder.render(passes::SHADOW, None, shadow_map, |pass| {
            self.opaque.shadow(gpu, pass, resources)
        })?;
        recorder.compute(passes::SURFACE, |pass| {
            self.opaque.shade(gpu, pass, resources, uniform.size)
        })?;
        recorder.compute(passes::FOG, |pass| {
            self.fog
                .record(gpu, pass, resources, uniform.slices, uniform.sheets)
        })
    }

    /// Records what makes lists of particles that are where they are to be.
    ///
    /// # Errors
    /// A resource is missing (exit code 1; a bug).
    pub fn record_lists(&self, gpu: &Gpu, recorder: &mut Recorder) -> Result<()> {
        let (resources, uniform) = (&self.resources, &self.input.uniform);
        recorder.encoder.copy_buffer_to_buffer(
            &resources.counters_start,
            0,
            &resources.counters,
            0,
            resources.counters.size(),
        );
        // Particles and cells of sheets: which are seen, in which order.
        recorder.compute(passes::PROJECT, |pass| {
            self.particles.project(gpu, pass, resources, items(uniform))
        })?;
        recorder.compute(passes::SORT, |pass| {
            self.particles.sort(gpu, pass, resources)
        })?;
        // Every tile's layers that may show, front to back, fog slices merged in.
        recorder.compute(passes::LISTS, |pass| {
            self.lists
                .record(gpu, pass, resources, self.tiles(), uniform.slices)
        })
    }

    /// Every resource of the frame, and a target's.
    pub fn binds_with<'a>(&'a self, target: &'a Target) -> Vec<Bind<'a>> {
        let mut binds = self.resources.binds();
        binds.extend(target.binds());
        binds
    }

    /// Records the composite by one method into `target`, `times` times over; the method's name is `label`.
    ///
    /// # Errors
    /// A resource is missing (exit code 1; a bug).
    pub fn record_composite(
        &self,
        gpu: &Gpu,
        recorder: &mut Recorder,
        composite: &Composite,
        target: &Target,
        label: &str,
        times: u32,
    ) -> Result<()> {
        let binds = self.binds_with(target);
        recorder.encoder.clear_buffer(&target.ran_at, 0, None);
        composite.record(gpu, recorder, label, &binds, times)
    }

    /// Records background, bloom, tone map, dither and antialiasing into `target`.
    ///
    /// # Errors
    /// A resource is missing (exit code 1; a bug).
    pub fn record_resolve(
        &self,
        gpu: &Gpu,
        recorder: &mut Recorder,
        target: &Target,
    ) -> Result<()> {
        let [width, height] = self.input.uniform.size;
        let binds = self.binds_with(target);
        if self.input.uniform.bloom > 0.0 {
            let levels = &self.resources.bloom;
            recorder.compute(passes::BLOOM, |pass| {
                self.bloom.record(gpu, pass, levels, &binds)
            })?;
        }
        let smooth = self.input.uniform.antialias > 0.0;
        let toned = match smooth {
            true => &self.resources.toned,
            false => &target.resolved_view,
        };
        let out = ("toned_out", wgpu::BindingResource::TextureView(toned));
        let resolve: Vec<Bind> = std::iter::once(out).chain(binds.clone()).collect();
        recorder.compute(passes::RESOLVE, |pass| {
            self.resolve.set(gpu, pass, &resolve)?;
            pass.dispatch_workgroups(width.div_ceil(8), height.div_ceil(8), 1);
            if smooth {
                self.antialias.set(gpu, pass, &binds)?;
                pass.dispatch_workgroups(width.div_ceil(8), height.div_ceil(8), 1);
            }
            Ok(())
        })
    }

    /// Specialises a method for this frame's lists, as long as `counters` found them.
    ///
    /// # Errors
    /// The shader does not compile (exit code 1).
    pub fn composite(
        &self,
        gpu: &Gpu,
        pipelines: &Pipelines,
        specialization: Specialization,
        counters: &Counters,
        early_out: f32,
    ) -> Result<Composite> {
        let extent = self.extent(counters.longest_list, early_out);
        Composite::new(gpu, pipelines, specialization, extent)
    }

    /// What `auto` goes by, as long as `counters` are of this frame.
    pub fn facts(&self, counters: &Counters) -> Facts {
        let [width, height] = self.input.uniform.size;
        Facts {
            pixels: width * height,
            mean: f64::from(counters.listed_layers) / f64::from(self.tiles()),
            longest: counters.longest_list,
            splats: f64::from(counters.entries) / f64::from(self.tiles()),
        }
    }

    /// What a method covers whose lists have at most `longest_list` layers.
    pub fn extent(&self, longest_list: u32, early_out: f32) -> Extent {
        let uniform = &self.input.uniform;
        Extent {
            size: uniform.size,
            tiles: self.tiles(),
            items: items(uniform),
            slices: uniform.slices,
            longest_list,
            early_out,
        }
    }

    /// A composite of this frame's lists, to be timed.
    pub fn subject<'s>(&'s self, gpu: &'s Gpu, composite: &'s Composite) -> Subject<'s> {
        Subject::new(move |recorder, times| {
            let label = composite.label();
            self.record_composite(gpu, recorder, composite, &self.target, label, times)
        })
    }

    // From here on: waiting for the GPU, for captures, tests and measurements.

    /// Draws the scene up to the lists once, whether or not they fit their buffers.
    ///
    /// # Errors
    /// The device failed (exit code 1).
    pub fn draw_scene(&self, gpu: &Gpu, profiler: &mut Profiler) -> Result<()> {
        let mut recorder = Recorder::new(gpu, profiler, "scene");
        self.record_scene(gpu, &mut recorder)?;
        gpu.submit_and_wait(recorder.finish())?;
        finish_frame(gpu, profiler)?;
        Ok(())
    }

    /// Draws the scene up to the lists again and again until nothing is missing from them.
    ///
    /// # Errors
    /// The lists would outgrow the adapter (exit code 2), or the device failed (1).
    pub fn draw_scene_complete(&mut self, gpu: &Gpu, profiler: &mut Profiler) -> Result<Counters> {
        for _ in 0..3 {
            self.draw_scene(gpu, profiler)?;
            let counters = self.read_counters(gpu)?;
            if counters.dropped() == 0 {
                return Ok(counters);
            }
            self.grow(gpu, counters.entries_needed)?;
        }
        Err(Error::failed(
            "layers are still missing after the buffers grew three times; please report this scene",
        ))
    }

    /// The counters of the frame last submitted.
    ///
    /// # Errors
    /// The device failed (exit code 1).
    pub fn read_counters(&self, gpu: &Gpu) -> Result<Counters> {
        let words = read_buffer::<u32>(gpu, &self.resources.counters, counters::COUNT)?;
        Ok(Counters::from_words(&words))
    }

    /// The float composite, row-major: (rgb, T) per pixel.
    ///
    /// # Errors
    /// The device failed (exit code 1).
    pub fn read_composite(&self, gpu: &Gpu) -> Result<Vec<[f32; 4]>> {
        let [width, height] = self.input.uniform.size;
        read_buffer(gpu, &self.target.composites, (width * height) as usize)
    }

    /// The wave size that the last composite ran at; 0 where the kernel could not tell.
    ///
    /// # Errors
    /// The device failed (exit code 1).
    pub fn read_wave_size(&self, gpu: &Gpu) -> Result<u32> {
        Ok(read_buffer::<u32>(gpu, &self.target.ran_at, 1)?[0])
    }
}
