//! A frame, top to bottom. Records passes and never waits for the GPU; what must be waited for
//! (counters, pictures) stands apart at the end.

pub mod bloom;
pub mod counters;
pub mod extent;
pub mod frame_table;
pub mod input;
pub mod light;
pub mod lists;
pub mod macro_tiles;
pub mod moment;
pub mod opaque;
pub mod particles;
pub mod pass_cache;
pub mod pictures;
pub mod resources;
pub mod shape;
pub mod sort;
pub(crate) mod sprites;
pub mod target;
pub mod unsorted;

use std::sync::Arc;

use crate::error::{Error, Result};
use crate::gpu::shader::Variant;
use crate::gpu::{Binds, ComputePipeline, Gpu, Pipelines, Profiler, Recorder, read_buffer};
use crate::model::Feature;
use crate::model::layout::Emitter;
use crate::model::passes::{Inputs, Label, Pass};

use bloom::Bloom;
use counters::ELEMENT_BLOCK;
use light::Light;
use lists::Lists;
use opaque::{Opaque, render_camera};
use particles::{PROJECT_GROUP, project_variant};
use pass_cache::{PassCache, Sources};
use sort::order_key_bits;
use unsorted::{Unsorted, UnsortedKind};

pub use counters::Counters;
pub use extent::Extent;
use frame_table::SORTED_LISTS;
pub use frame_table::{BufferId, TextureId};
pub use input::{FrameInput, at_moment, frame_input};
pub use moment::Moment;
pub use resources::Resources;
pub use shape::FrameShape;
pub use target::Target;

/// A frame of fixed size and counts: its pipelines, buffers and textures.
pub struct Frame {
    pub resources: Resources,
    /// Where its methods' results go.
    pub target: Target,
    /// A number of what is drawn: another one once that has changed, 1 or more.
    pub changes: u64,
    input: FrameInput,
    simulate: Arc<ComputePipeline>,
    project: Arc<ComputePipeline>,
    lists: Lists,
    /// Kinds of lists that have been asked for and are not sorted.
    unsorted: Vec<Unsorted>,
    /// None in a scene without solids.
    opaque: Option<Opaque>,
    opaque_kept: PassCache,
    shadow_kept: PassCache,
    light: Light,
    /// Puts fog behind what methods composite; none where fog is among the layers, or where there is none.
    fog_behind: Option<Arc<ComputePipeline>>,
    /// None where nothing glows.
    bloom: Option<Bloom>,
    resolve: Arc<ComputePipeline>,
    /// None where edges are not smoothed.
    antialias: Option<Arc<ComputePipeline>>,
}

impl Frame {
    /// Allocates and compiles everything but the methods. What the scene does not need is not compiled.
    ///
    /// # Errors
    /// Sizes beyond the adapter, a shader that does not compile, out of memory.
    pub fn new(gpu: &Gpu, pipelines: &Pipelines, input: FrameInput) -> Result<Self> {
        pipelines.together(|pipelines| Self::with_pipelines(gpu, pipelines, input))
    }

    fn with_pipelines(gpu: &Gpu, pipelines: &Pipelines, input: FrameInput) -> Result<Self> {
        let shape = &input.shape;
        let antialias = || pipelines.compute(gpu, &Variant::new("frame/antialias"), "antialias");
        let opaque = || Opaque::new(gpu, pipelines, shape);
        let bloom = || Bloom::new(gpu, pipelines);
        let fog_behind = || {
            // Rays know their tile; which one does not matter here.
            let variant = Variant::new("frame/fog_behind").with("TILE", shape.tile);
            let variant = variant.feature(Feature::Integrated, true);
            pipelines.compute(gpu, &variant, "fog_behind")
        };
        // First, so that sizes beyond the adapter are refused before anything is compiled.
        let resources = Resources::new(gpu, &input)?;
        let project = project_variant(&gpu.caps, shape);
        let lists = Lists::new(gpu, pipelines, shape)?;
        Ok(Self {
            simulate: pipelines.compute(gpu, &Variant::new("frame/simulate"), "simulate")?,
            project: pipelines.compute(gpu, &project, "project")?,
            lists,
            unsorted: Vec::new(),
            opaque: shape.has_triangles().then(opaque).transpose()?,
            opaque_kept: PassCache::default(),
            shadow_kept: PassCache::default(),
            light: Light::new(gpu, pipelines, &input)?,
            fog_behind: shape.integrates_fog.then(fog_behind).transpose()?,
            bloom: shape.glows.then(bloom).transpose()?,
            resolve: pipelines.compute(gpu, &Variant::new("frame/resolve"), "resolve")?,
            antialias: shape.smooths.then(antialias).transpose()?,
            target: Target::new(gpu, shape.size),
            changes: 1,
            resources,
            input,
        })
    }

    pub fn shape(&self) -> &FrameShape {
        &self.input.shape
    }

    pub fn input(&self) -> &FrameInput {
        &self.input
    }

    /// Numbers of particles and of cells, which distinguish items.
    pub fn counts(&self) -> [u32; 2] {
        [self.input.shape.particles, self.input.shape.cells]
    }

    pub fn tiles(&self) -> u32 {
        self.input.shape.tile_count()
    }

    /// Changes camera, light and time.
    pub fn set_moment(&mut self, gpu: &Gpu, moment: Moment) {
        if self.input.moment != moment {
            self.changes += 1;
        }
        self.input.moment = moment;
        self.resources.write_moment(gpu, &self.input);
    }

    /// Changes the emitters; their number must not change.
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
        self.changes += 1;
        self.input.emitters.copy_from_slice(emitters);
        let bytes = bytemuck::cast_slice(emitters);
        let buffer = self.resources.buffer(BufferId::Emitters);
        gpu.queue.write_buffer(buffer, 0, bytes);
        Ok(())
    }

    /// Gives the lists room for `capacity` entries. Lists that are not sorted have to be prepared anew. After an error the
    /// frame is as it was.
    pub fn grow(&mut self, gpu: &Gpu, capacity: u32) -> Result<()> {
        self.resize(gpu, |shape| shape.entry_capacity = capacity)
    }

    /// Makes ready for scenes recorded up to `inputs`: room and pipelines that no frame has without being asked. After an
    /// error the frame is as it was.
    pub fn prepare(&mut self, gpu: &Gpu, pipelines: &Pipelines, inputs: Inputs) -> Result<()> {
        let lists = self.input.shape.lists.with(inputs);
        if self.input.shape.lists != lists {
            self.resize(gpu, |shape| shape.lists = lists)?;
        }
        for kind in UnsortedKind::ALL {
            if !inputs.have(kind.inputs()) || self.unsorted(kind).is_some() {
                continue;
            }
            let (resources, shape) = (&self.resources, &self.input.shape);
            let made = Unsorted::new(gpu, pipelines, resources, shape, kind)?;
            gpu.check()?;
            self.unsorted.push(made);
        }
        Ok(())
    }

    fn unsorted(&self, kind: UnsortedKind) -> Option<&Unsorted> {
        self.unsorted.iter().find(|made| made.kind == kind)
    }

    fn resize(&mut self, gpu: &Gpu, change: impl FnOnce(&mut FrameShape)) -> Result<()> {
        let before = self.input.shape;
        change(&mut self.input.shape);
        let resized = self.resources.grow(gpu, &self.input);
        match resized {
            Ok(()) => self.unsorted.clear(),
            Err(_) => self.input.shape = before,
        }
        resized
    }

    /// Label and bytes of everything that it holds but its target.
    pub fn memory(&self) -> Vec<(&'static str, u64)> {
        let mut all = self.resources.memory();
        all.extend(self.unsorted.iter().filter_map(Unsorted::memory));
        all
    }

    /// Bytes of the lists among `inputs`, with what they are sorted in.
    pub fn list_bytes(&self, inputs: Inputs) -> u64 {
        let unsorted = self.unsorted.iter();
        let unsorted: Vec<&Unsorted> = unsorted
            .filter(|made| inputs.have(made.kind.inputs()))
            .collect();
        let mut ids: Vec<BufferId> = unsorted
            .iter()
            .flat_map(|made| made.kind.buffers())
            .collect();
        if unsorted.iter().any(|made| made.has_pairs()) {
            ids.push(BufferId::BlockPairs);
        }
        if inputs.have(Inputs::LISTS) {
            ids.extend(SORTED_LISTS);
        } else if inputs.have(Inputs::ANY_LISTS) {
            ids.push(BufferId::MacroEntries);
        }
        let buffers = ids.into_iter().map(|id| self.resources.buffer(id).size());
        let pairs = unsorted.iter().filter_map(|made| made.memory());
        buffers.sum::<u64>() + pairs.map(|(_, bytes)| bytes).sum::<u64>()
    }

    /// The passes that the last recorded scene did not draw, because their inputs were unchanged.
    pub fn unchanged_passes(&self) -> Vec<Pass> {
        let kept = [
            (Pass::Opaque, &self.opaque_kept),
            (Pass::Shadow, &self.shadow_kept),
        ];
        let left = kept.into_iter().filter(|(_, kept)| kept.is_left());
        left.map(|(pass, _)| pass).collect()
    }

    /// Makes the next recorded scene draw every pass, changed or not: for a recording that must show all
    /// passes, and after recorded commands that are never submitted.
    pub fn draw_all_next(&self) {
        self.opaque_kept.forget();
        self.shadow_kept.forget();
    }

    /// Records what makes the inputs of the composite, for commands that are submitted in the order of their recording
    /// (see [`Frame::draw_all_next`] where they are not). A pass that depends on neither time nor camera is
    /// recorded only if its inputs have changed: the sun's shadow map, and in a scene without solids the
    /// opaque depth, which is cleared once.
    pub fn record_scene(&self, gpu: &Gpu, recorder: &mut Recorder, inputs: Inputs) -> Result<()> {
        self.record_scene_passes(gpu, recorder, inputs)
            .inspect_err(|_| self.draw_all_next())
    }

    fn record_scene_passes(
        &self,
        gpu: &Gpu,
        recorder: &mut Recorder,
        inputs: Inputs,
    ) -> Result<()> {
        let (resources, shape) = (&self.resources, &self.input.shape);
        let has_items = inputs.have(Inputs::VISIBLE_ITEMS);
        // Where particles are.
        if has_items {
            recorder.compute(Pass::Simulate, |pass| {
                let groups = shape.particles.div_ceil(ELEMENT_BLOCK);
                self.simulate.dispatch(pass, &[resources.binds()], groups)
            })?;
        }

        self.record_opaque(gpu, recorder)?;

        if has_items {
            self.record_items(recorder, inputs)?;
        }

        // The light of surfaces and of the medium between them and the camera.
        self.record_shadow(gpu, recorder)?;
        if let Some(opaque) = &self.opaque {
            recorder.compute(Pass::Surface, |pass| {
                opaque.shade(pass, resources, shape.size)
            })?;
        }
        if !has_items || !self.light.has_work(shape) {
            return Ok(());
        }
        recorder.compute(Pass::Light, |pass| {
            self.light.record(pass, resources, shape)
        })
    }

    /// Adds to what a method has left in `target` the fog in front of the background, `times` times, where fog is integrated: a
    /// part of the method that `label` names, which pays for it.
    pub fn record_fog_behind(
        &self,
        recorder: &mut Recorder,
        target: &Target,
        (label, times): (Label, u32),
    ) -> Result<()> {
        let Some(fog_behind) = &self.fog_behind else {
            return Ok(());
        };
        let (binds, size) = (self.binds_with(target), self.input.shape.size);
        recorder.compute(label.part("fog behind"), |pass| {
            let mut turns = 0..times;
            turns.try_for_each(|_| fog_behind.dispatch_squares(pass, &binds, size, 8))
        })
    }

    /// Records which surfaces are seen, and how far: behind them no layer shows.
    fn record_opaque(&self, gpu: &Gpu, recorder: &mut Recorder) -> Result<()> {
        let resources = &self.resources;
        // What the camera sees of solids is drawn in every frame.
        let sources = self.opaque.is_none().then(|| Sources::none(gpu));
        if !self.opaque_kept.is_stale(sources) {
            return Ok(());
        }
        match &self.opaque {
            Some(opaque) => opaque.record_camera(recorder, resources, &self.input.shape),
            None => render_camera(recorder, resources, |_| Ok(())),
        }
    }

    fn record_shadow(&self, gpu: &Gpu, recorder: &mut Recorder) -> Result<()> {
        let resources = &self.resources;
        let sun = self.input.moment.sun_clip_from_world;
        let sources = match &self.opaque {
            Some(opaque) => opaque.sources_of_shadow(gpu, resources, sun)?,
            None => Some(Sources::none(gpu)),
        };
        if !self.shadow_kept.is_stale(sources) {
            return Ok(());
        }
        let shadow_map = Some((resources.view(TextureId::ShadowMap), 1.0));
        recorder.render(Pass::Shadow, &[], shadow_map, |pass| match &self.opaque {
            Some(opaque) => opaque.sun.draw(pass, resources),
            None => Ok(()),
        })
    }

    /// Records what becomes of particles whose positions are in their buffer already, and of all other items: they are
    /// projected and, where `inputs` ask for that, listed.
    pub fn record_items(&self, recorder: &mut Recorder, inputs: Inputs) -> Result<()> {
        let (resources, shape) = (&self.resources, &self.input.shape);
        let counters = resources.buffer(BufferId::Counters);
        let used = macro_tiles::counter_bytes(shape);
        recorder.encoder.clear_buffer(counters, 0, Some(used));
        // Particles, sheet cells and Gaussians: which are seen.
        recorder.compute(Pass::Project, |pass| {
            let groups = shape.items().div_ceil(PROJECT_GROUP);
            self.project.dispatch(pass, &[resources.binds()], groups)
        })?;
        if !inputs.have_lists() {
            return Ok(());
        }
        let has_sorted = inputs.have(Inputs::LISTS);
        let unprepared = || Error::failed("a frame was not prepared for its lists (a bug)");
        let wanted = |kind: &UnsortedKind| inputs.have(kind.inputs());
        let unsorted = UnsortedKind::ALL.into_iter().filter(wanted);
        let unsorted = unsorted.map(|kind| self.unsorted(kind).ok_or_else(unprepared));
        let unsorted: Vec<&Unsorted> = unsorted.collect::<Result<_>>()?;
        recorder.compute(Pass::Bin, |pass| {
            self.lists.scan(pass, resources)?;
            if let Some(of_pairs) = unsorted.iter().find(|made| made.has_pairs()) {
                of_pairs.count(pass, resources, shape)?;
            }
            match has_sorted || inputs.have(Inputs::ANY_LISTS) {
                true => self.lists.bin(pass, resources, shape),
                false => Ok(()),
            }
        })?;
        // All kinds of lists have the same lengths, which each of them counts anew.
        let count_anew = |recorder: &mut Recorder| {
            let words = counters::LONGEST_LIST..counters::PLACED + 1;
            let [first, end] = [words.start, words.end].map(|word| u64::from(word) * 4);
            recorder
                .encoder
                .clear_buffer(counters, first, Some(end - first));
        };
        // What shows in every tile, in the order of items, of their depth keys or in any.
        for (number, lists) in unsorted.iter().enumerate() {
            if number > 0 {
                count_anew(recorder);
            }
            lists.record(recorder, resources, shape, self.lists.limits())?;
        }
        if !has_sorted {
            return Ok(());
        }
        if !unsorted.is_empty() {
            count_anew(recorder);
        }
        // Every tile's layers that may show, front to back, fog slices merged in.
        recorder.compute(Pass::Lists, |pass| {
            self.lists.record(pass, resources, shape)
        })
    }

    /// Every resource of the frame, and a target's.
    pub fn binds_with<'a>(&'a self, target: &'a Target) -> [&'a Binds; 2] {
        [self.resources.binds(), target.binds()]
    }

    /// Records background, bloom, tone map, dither and antialiasing into `target`.
    pub fn record_resolve(&self, recorder: &mut Recorder, target: &Target) -> Result<()> {
        let size = self.input.shape.size;
        let binds = self.binds_with(target);
        if let Some(bloom) = &self.bloom {
            let levels = &self.resources.bloom;
            recorder.compute(Pass::Bloom, |pass| bloom.record(pass, levels, binds))?;
        }
        let toned_out = if self.antialias.is_some() {
            self.resources.toned_out()
        } else {
            target.toned_out()
        };
        let [frame, result] = binds;
        recorder.compute(Pass::Resolve, |pass| {
            let sets = [frame, result, toned_out];
            self.resolve.dispatch_squares(pass, &sets, size, 8)?;
            match &self.antialias {
                Some(antialias) => antialias.dispatch_squares(pass, &binds, size, 8),
                None => Ok(()),
            }
        })
    }

    /// What a method covers if its lists have at most `longest_list` layers each, and `listed_layers` together.
    pub fn extent(&self, longest_list: u32, listed_layers: u32) -> Extent {
        let shape = &self.input.shape;
        Extent {
            size: shape.size,
            tiles: self.tiles(),
            items: shape.items(),
            key_bits: order_key_bits(shape),
            layers: shape.layers(),
            slices: shape.listed_slices(),
            longest_list,
            listed_layers,
        }
    }

    // From here on: waiting for the GPU, for captures, tests and measurements.

    /// Draws the scene up to `inputs` once, whether or not lists fit their buffers.
    pub fn draw_scene(&self, gpu: &Gpu, profiler: &mut Profiler, inputs: Inputs) -> Result<()> {
        let mut recorder = Recorder::new(gpu, profiler, "scene");
        self.record_scene(gpu, &mut recorder, inputs)?;
        let recorded = recorder.finish();
        profiler.submit_and_wait(gpu, recorded)?;
        Ok(())
    }

    /// Has the frames from now on be made with macro tiles of the size that suits frames as the one that left `counters`.
    /// Returns whether that is another size.
    pub fn fit_macro_tiles(&mut self, gpu: &Gpu, counters: &Counters) -> bool {
        if !counters.has_lists() {
            return false;
        }
        let shape = &mut self.input.shape;
        let shift = macro_tiles::macro_shift(counters, shape);
        let before = std::mem::replace(&mut shape.macro_shift, shift);
        if before != shift {
            self.resources.write_moment(gpu, &self.input);
        }
        before != shift
    }

    /// Draws the scene up to `inputs` as [`Frame::draw_complete`] says.
    pub fn draw_scene_complete(
        &mut self,
        gpu: &Gpu,
        pipelines: &Pipelines,
        profiler: &mut Profiler,
        inputs: Inputs,
    ) -> Result<Counters> {
        self.draw_complete(gpu, pipelines, inputs, |frame| {
            frame.draw_scene(gpu, profiler, inputs)
        })
    }

    /// Calls `draw`, which draws up to `inputs`, again and again until nothing is missing from lists, and macro tiles have
    /// the size that suits them.
    pub fn draw_complete(
        &mut self,
        gpu: &Gpu,
        pipelines: &Pipelines,
        inputs: Inputs,
        mut draw: impl FnMut(&Self) -> Result<()>,
    ) -> Result<Counters> {
        let mut growths = 0;
        while growths < 3 {
            self.prepare(gpu, pipelines, inputs)?;
            draw(self)?;
            let counters = self.read_counters(gpu, inputs)?;
            if counters.dropped() > 0 {
                self.grow(gpu, counters.entries_needed)?;
                growths += 1;
            } else if !self.fit_macro_tiles(gpu, &counters) {
                return Ok(counters);
            }
        }
        Err(Error::failed(
            "layers are still missing after three buffer growths; please report this scene",
        ))
    }

    /// The counters of the frame last submitted, which made `inputs`.
    pub fn read_counters(&self, gpu: &Gpu, inputs: Inputs) -> Result<Counters> {
        let counters = self.resources.buffer(BufferId::Counters);
        let words = read_buffer::<u32>(gpu, counters, counters::COUNT)?;
        Ok(Counters::from_words(&words, inputs))
    }

    /// The float composite, row-major: (rgb, T) per pixel.
    pub fn read_composite(&self, gpu: &Gpu) -> Result<Vec<[f32; 4]>> {
        let [width, height] = self.input.shape.size;
        read_buffer(gpu, &self.target.composites, (width * height) as usize)
    }

    /// The wave size that the last composite ran at, 0 where the kernel could not tell, and how many pixels have sums beyond half
    /// floats.
    pub fn read_reports(&self, gpu: &Gpu) -> Result<[u32; 2]> {
        let words = read_buffer::<u32>(gpu, &self.target.ran_at, 2)?;
        Ok([words[0], words[1]])
    }
}
