//! A frame, from top to bottom. Its functions record passes without waiting for the GPU. The functions at the end do
//! wait, for counters or pictures.

pub mod bloom;
mod buffer_row;
pub mod counters;
pub mod extent;
pub mod frame_table;
pub mod input;
pub mod layers;
pub mod light;
pub mod lists;
pub mod macro_tiles;
pub mod moment;
pub mod opaque;
pub mod pass_cache;
pub mod pictures;
pub mod project;
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
use crate::model::items::ItemKind;
use crate::model::layout::Emitter;
use crate::model::passes::{Inputs, Label, Pass};

use bloom::Bloom;
use buffer_row::BufferRow;
use counters::ELEMENT_BLOCK;
use light::Light;
use lists::Lists;
use opaque::{Opaque, render_camera};
use pass_cache::{PassCache, Sources};
use project::Project;
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

/// Pipelines, buffers and textures for a frame of fixed size and counts.
pub struct Frame {
    pub resources: Resources,
    pub target: Target,
    /// Version of the drawn content, from 1. It changes with the content.
    pub changes: u64,
    input: FrameInput,
    simulate: Arc<ComputePipeline>,
    project: Project,
    lists: Lists,
    unsorted: Vec<Unsorted>,
    /// `None` in a scene without solids.
    opaque: Option<Opaque>,
    opaque_kept: PassCache,
    shadow_kept: PassCache,
    light: Light,
    /// Adds fog behind composited layers. `None` without fog, or if the lists contain it.
    fog_behind: Option<Arc<ComputePipeline>>,
    /// `None` if nothing glows.
    bloom: Option<Bloom>,
    resolve: Arc<ComputePipeline>,
    /// `None` without antialiasing.
    antialias: Option<Arc<ComputePipeline>>,
}

impl Frame {
    /// Allocates and compiles everything that the scene needs, except methods.
    ///
    /// # Errors
    /// A size exceeds the adapter's limits, a shader does not compile, or memory runs out.
    pub fn new(gpu: &Gpu, pipelines: &Pipelines, input: FrameInput) -> Result<Self> {
        pipelines.together(|pipelines| Self::with_pipelines(gpu, pipelines, input))
    }

    fn with_pipelines(gpu: &Gpu, pipelines: &Pipelines, input: FrameInput) -> Result<Self> {
        let shape = &input.shape;
        let antialias = || pipelines.compute(gpu, &Variant::new("frame/antialias"), "antialias");
        let opaque = || Opaque::new(gpu, pipelines, shape);
        let bloom = || Bloom::new(gpu, pipelines);
        let fog_behind = || {
            // The variant needs a tile, and any tile will do.
            let variant = Variant::new("frame/fog_behind").with("TILE", shape.tile);
            let variant = variant.feature(Feature::Integrated, true);
            pipelines.compute(gpu, &variant, "fog_behind")
        };
        // Rejects excessive sizes before anything is compiled.
        let resources = Resources::new(gpu, &input)?;
        let lists = Lists::new(gpu, pipelines, shape)?;
        Ok(Self {
            simulate: pipelines.compute(gpu, &Variant::new("frame/simulate"), "simulate")?,
            project: Project::new(gpu, pipelines, shape)?,
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

    /// Changes the emitters. Their number must stay the same.
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
        let is_meant = |row: &BufferRow| row.names.contains(&"emitters");
        self.resources.write(gpu, &self.input, is_meant);
        Ok(())
    }

    /// Grows the lists to `capacity` entries. Unsorted lists must then be prepared again. After an error the frame is
    /// unchanged.
    pub fn grow(&mut self, gpu: &Gpu, capacity: u32) -> Result<()> {
        self.resize(gpu, |shape| shape.entry_capacity = capacity)
    }

    /// Prepares for scenes recorded up to `inputs`: allocates and compiles their optional parts. After an error the
    /// frame is unchanged.
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

    /// Label and size in bytes of all resources except the target.
    pub fn memory(&self) -> Vec<(&'static str, u64)> {
        let mut all = self.resources.memory();
        all.extend(self.unsorted.iter().filter_map(Unsorted::memory));
        all
    }

    /// Bytes of the lists in `inputs`, including scratch buffers for sorting.
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

    /// Passes that the last recorded scene skipped because their inputs had not changed.
    pub fn unchanged_passes(&self) -> Vec<Pass> {
        let kept = [
            (Pass::Opaque, &self.opaque_kept),
            (Pass::Shadow, &self.shadow_kept),
        ];
        let left = kept.into_iter().filter(|(_, kept)| kept.is_left());
        left.map(|(pass, _)| pass).collect()
    }

    /// Makes the next recorded scene draw every pass. Call it for a recording that must show all passes, and after
    /// recording commands that are never submitted.
    pub fn draw_all_next(&self) {
        self.opaque_kept.forget();
        self.shadow_kept.forget();
    }

    /// Records the passes that make the inputs of the composite. The commands must be submitted in recording order.
    /// Otherwise, call [`Frame::draw_all_next`]. Passes that depend on neither time nor camera are recorded only if
    /// their inputs have changed: the sun's shadow map and, without solids, the cleared opaque depth.
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
        if has_items {
            recorder.compute(Pass::Simulate, |pass| {
                let particles = shape.counts.of(ItemKind::Particle);
                let groups = particles.div_ceil(ELEMENT_BLOCK);
                self.simulate.dispatch(pass, &[resources.binds()], groups)
            })?;
        }

        self.record_opaque(gpu, recorder)?;

        if has_items {
            self.record_items(recorder, inputs)?;
        }

        // Lights surfaces, and the medium in front of them.
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

    /// If fog is integrated, adds the fog in front of the background to a method's result in `target`, `times` times.
    /// The time counts for the method in `label`.
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

    /// Records visible surfaces and the depth that hides layers.
    fn record_opaque(&self, gpu: &Gpu, recorder: &mut Recorder) -> Result<()> {
        let resources = &self.resources;
        // Visible solids are drawn in every frame.
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

    /// Records the projection of all items, with particles at their current positions, and the requested lists.
    pub fn record_items(&self, recorder: &mut Recorder, inputs: Inputs) -> Result<()> {
        let (resources, shape) = (&self.resources, &self.input.shape);
        let counters = resources.buffer(BufferId::Counters);
        let used = macro_tiles::counter_bytes(shape);
        recorder.encoder.clear_buffer(counters, 0, Some(used));
        recorder.compute(Pass::Project, |pass| {
            self.project.record(pass, resources, shape)
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
        // Each kind counts the lengths again, because all kinds share them.
        let count_anew = |recorder: &mut Recorder| {
            let words = counters::LONGEST_LIST..counters::PLACED + 1;
            let [first, end] = [words.start, words.end].map(|word| u64::from(word) * 4);
            recorder
                .encoder
                .clear_buffer(counters, first, Some(end - first));
        };
        // Visible items of each tile, ordered by item, by depth key, or not at all.
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
        // Layers of each tile in front of solids, front to back, with fog slices merged in.
        recorder.compute(Pass::Lists, |pass| {
            self.lists.record(pass, resources, shape)
        })
    }

    pub fn binds_with<'a>(&'a self, target: &'a Target) -> [&'a Binds; 2] {
        [self.resources.binds(), target.binds()]
    }

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

    /// Extent of a composite with at most `longest_list` layers per list and `listed_layers` in total.
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

    // The functions below wait for the GPU. Captures, tests and measurements use them.

    /// Draws the scene up to `inputs` once, even if lists do not fit into their buffers.
    pub fn draw_scene(&self, gpu: &Gpu, profiler: &mut Profiler, inputs: Inputs) -> Result<()> {
        let mut recorder = Recorder::new(gpu, profiler, "scene");
        self.record_scene(gpu, &mut recorder, inputs)?;
        let recorded = recorder.finish();
        profiler.submit_and_wait(gpu, recorded)?;
        Ok(())
    }

    /// Switches to the best size of macro tiles for frames like the one that left `counters`. Returns true if the size
    /// has changed.
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

    /// Repeats `draw` until lists are complete and macro tiles have the best size. `draw` makes `inputs`.
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

    /// Counters of the last submitted frame, which computed `inputs`.
    pub fn read_counters(&self, gpu: &Gpu, inputs: Inputs) -> Result<Counters> {
        let counters = self.resources.buffer(BufferId::Counters);
        let words = read_buffer::<u32>(gpu, counters, counters::COUNT)?;
        Ok(Counters::from_words(&words, inputs))
    }

    /// The composite as floats, row-major: (rgb, T) per pixel.
    pub fn read_composite(&self, gpu: &Gpu) -> Result<Vec<[f32; 4]>> {
        let [width, height] = self.input.shape.size;
        read_buffer(gpu, &self.target.composites, (width * height) as usize)
    }

    /// Wave size of the last composite (0 if unknown), and number of pixels with sums beyond half floats.
    pub fn read_reports(&self, gpu: &Gpu) -> Result<[u32; 2]> {
        let words = read_buffer::<u32>(gpu, &self.target.ran_at, 2)?;
        Ok([words[0], words[1]])
    }
}
