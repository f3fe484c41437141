//! A method as it is compiled and dispatched: the constants and features of its shader, and the size of its
//! dispatch that follows from them.

use crate::error::{Error, Result};
use crate::gpu::shader::Variant;
use crate::model::Capabilities;
use crate::model::methods::{Cost, DialKind, ListKind, Method, Source, Stored, Trait};
use crate::model::options::{
    Dial, FrameOptions, Hazard, JOINED_BYTES, LaneRead, MOST_WORKGROUP, MethodOptions, Options,
    Precision, Tail,
};

/// Least invocations of a workgroup.
const LEAST_WORKGROUP: u32 = 64;
/// Layers that `pixel-loop-staged` stages at a time where a workgroup has one tile, or several.
const STAGED_ONE_TILE: u32 = 64;
const STAGED_TILES: u32 = 128;
/// Layers that it stages at a time where a workgroup has one tile and layers are staged in half floats, in which they take half
/// the memory or less.
const STAGED_IN_HALF: u32 = 128;
/// Bytes of workgroup memory that a thread of `split-depth` fills at a time, at most, and those for each thread that
/// shares its pixel. What is filled at a time is waited for once. Where many threads share a pixel there are few
/// workgroups, and no other has work meanwhile; elsewhere little memory leaves room for more workgroups.
const MOST_FILLED: u32 = 128;
const FILLED_PER_THREAD_OF_PIXEL: u32 = 2;
/// Layers that such a thread fetches at a time, at most.
const MOST_SLOTS_OF_THREAD: u32 = 4;
/// Width of a patch, pixels; `shaders/methods/tile_threads.wesl` has the same.
const PATCH_WIDTH: u32 = 8;
/// Most pixels of a thread that shares its pixels with others: with more, few outputs would leave a large GPU
/// idle.
const MOST_PIXELS_OF_SPLIT: u32 = 2;

/// Places in workgroup memory for `staged` layers of the runs of `threads` threads: an odd number for each run, so that
/// the same place of neighbouring runs is in different banks.
fn places_of_split(staged: u32, threads: u32) -> u32 {
    threads * ((staged / threads) | 1)
}

/// Everything that is baked into a method's shader.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Specialization {
    /// The method that was asked for.
    pub method: Method,
    /// The method that runs: for `auto` the chosen one, otherwise the requested one.
    pub runs: Method,
    /// How it is compiled. Of early-out, only whether it is on is compiled; the threshold comes with the frame.
    pub options: Options,
    /// Where layers come from.
    pub source: Source,
}

/// The shape of a method's dispatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry {
    /// Invocations of a workgroup.
    pub workgroup: u32,
    /// Pixels of a workgroup, where each has as many waves as fit at the adapter's largest size.
    pub pixels: u32,
    /// Layers staged at a time; 0 for methods that do not stage.
    pub staged: u32,
}

impl Options {
    /// `method` under these options, on the layers of a frame.
    #[must_use]
    pub fn specialize(self, method: Method) -> Specialization {
        Specialization {
            method,
            runs: match method {
                // This holds until a rule has chosen.
                Method::Auto => Method::PixelLoopStaged,
                _ => method,
            },
            options: self,
            source: Source::default(),
        }
    }
}

impl Specialization {
    /// A method under the default options, on the layers of a frame.
    pub fn new(method: Method) -> Self {
        Options::default().specialize(method)
    }

    /// The place of the dial at which the method runs.
    pub fn dial(&self) -> Dial {
        let MethodOptions {
            pixels_per_thread,
            threads_per_pixel,
            layers_per_batch,
            ..
        } = self.options.method;
        match (self.runs.entry().dial, pixels_per_thread) {
            (DialKind::PixelsPerThread, 2..) => Dial::Pixels(pixels_per_thread),
            (DialKind::ThreadsPerPixel, _) => Dial::Threads(threads_per_pixel),
            (DialKind::LayersPerBatch, _) => Dial::Batch(layers_per_batch),
            _ => Dial::default(),
        }
    }

    /// Layers of a batch, of a method that cuts lists into batches.
    pub fn batch(&self) -> Option<u32> {
        match (self.runs.entry().dial, self.dial()) {
            (DialKind::LayersPerBatch, Dial::Batch(layers)) => Some(layers),
            _ => None,
        }
    }

    /// Threads that share a pixel of `split-depth`, as many as the adapter has memory for.
    fn threads_of_pixel(&self, caps: &Capabilities) -> u32 {
        match self.dial() {
            Dial::Threads(threads) => threads.min(Dial::most_threads(caps)),
            Dial::Pixels(_) | Dial::Batch(_) => 1,
        }
    }

    /// The kernels that run before and behind that of a method that cuts lists into batches.
    pub fn around_batches(&self, caps: &Capabilities) -> [(Variant, &'static str); 2] {
        let plan = Variant::new("methods/plan_batches").feature("wave", caps.waves);
        let join = Variant::new("methods/join_batches")
            .with("TILE", self.options.frame.tile)
            .with_bool("EARLY_OUT", self.options.frame.early_out > 0.0);
        [(plan, "plan_batches"), (join, "join_batches")]
    }

    /// Invocations of a workgroup whose waves work alone: a multiple of the adapter's largest wave.
    pub fn workgroup(caps: &Capabilities) -> u32 {
        caps.wave_max.max(LEAST_WORKGROUP)
    }

    /// How the method is dispatched on an adapter.
    pub fn geometry(&self, caps: &Capabilities) -> Geometry {
        let workgroup = Self::workgroup(caps);
        match self.runs.entry().dial {
            DialKind::None | DialKind::Chosen => Geometry {
                workgroup,
                pixels: workgroup,
                staged: 0,
            },
            DialKind::PixelsPerWave => Geometry {
                workgroup,
                pixels: workgroup / caps.wave_max * self.options.method.pixels_per_wave,
                staged: 0,
            },
            DialKind::LayersPerBatch => self.several(1),
            DialKind::PixelsPerThread => self.several(self.dial().pixels()),
            DialKind::ThreadsPerPixel => self.split(caps, self.threads_of_pixel(caps)),
        }
    }

    /// One thread for `pixels` pixels.
    fn several(&self, pixels: u32) -> Geometry {
        let per_tile = self.options.frame.pixels_of_tile() / pixels;
        let workgroup = per_tile.max(LEAST_WORKGROUP);
        Geometry {
            workgroup,
            pixels: workgroup * pixels,
            staged: match workgroup / per_tile {
                1 if self.stages_halves() => STAGED_IN_HALF,
                1 => STAGED_ONE_TILE,
                _ => STAGED_TILES,
            },
        }
    }

    /// `threads` threads for a pixel.
    fn split(&self, caps: &Capabilities, threads: u32) -> Geometry {
        let workgroup = (self.options.frame.pixels_of_tile() * threads).min(MOST_WORKGROUP);
        let abreast = workgroup / threads;
        let pixels = abreast * self.pixels_of_split(abreast);
        let joined = self.groups_of_split(caps, workgroup, abreast) * pixels * JOINED_BYTES;
        let bytes = self.source.staged_bytes();
        let fits = |staged: u32| {
            places_of_split(staged, threads) * bytes + joined <= caps.max_workgroup_bytes
        };
        let filled = (FILLED_PER_THREAD_OF_PIXEL * threads).min(MOST_FILLED);
        let mut staged = workgroup * (filled / bytes).clamp(1, MOST_SLOTS_OF_THREAD);
        while staged > threads && !fits(staged) {
            staged /= 2;
        }
        Geometry {
            workgroup,
            pixels,
            staged,
        }
    }

    /// Groups of a workgroup of `split-depth`, each of which joins its runs by wave operations: at most, as the wave's
    /// size is known only when it runs.
    fn groups_of_split(&self, caps: &Capabilities, workgroup: u32, abreast: u32) -> u32 {
        workgroup / abreast.max(caps.wave_min)
    }

    /// Pixels of each thread of `split-depth` whose workgroup has `abreast` pixels, one for each group of
    /// threads: two, if the tile has more, so that a layer read from workgroup memory serves both.
    fn pixels_of_split(&self, abreast: u32) -> u32 {
        (self.options.frame.pixels_of_tile() / abreast).min(MOST_PIXELS_OF_SPLIT)
    }

    /// Most times that an invocation goes through its loops for each layer of the list.
    pub fn turns_per_layer(&self) -> u32 {
        match (self.runs.entry().dial, self.dial()) {
            (DialKind::None | DialKind::Chosen, _) => 1,
            (DialKind::PixelsPerWave, _) => self.options.method.pixels_per_wave,
            // A batch takes turns of its own, some for a layer of the smallest batch.
            (DialKind::LayersPerBatch, _) => 4,
            (_, Dial::Pixels(pixels)) => pixels + 2,
            (_, Dial::Threads(1) | Dial::Batch(_)) => 3,
            (_, Dial::Threads(_)) => 4,
        }
    }

    /// Method and dials in few words: "split-depth 8", "wave-lerp-deferred P=32"; of `auto` those chosen.
    pub fn label(&self) -> String {
        let hazard = match self.options.method.hazard {
            hazard if hazard != Hazard::Driver && self.runs.uses_prefix_product() => hazard.name(),
            _ => "",
        };
        let marks = [
            hazard,
            if self.broadcasts() { "broadcast" } else { "" },
            if self.is_half() { "half" } else { "" },
        ];
        let marks = marks.iter().filter(|mark| !mark.is_empty());
        marks.fold(self.dialled_label(), |label, mark| label + " " + mark)
    }

    fn dialled_label(&self) -> String {
        let name = self.runs.name();
        self.place()
            .map_or_else(|| name.to_owned(), |place| format!("{name} {place}"))
    }

    /// The place of its dial in few words: "8", "4p", "128b", "P=32", "P=32 padded".
    pub fn place(&self) -> Option<String> {
        match self.runs.entry().dial {
            DialKind::None | DialKind::Chosen => None,
            DialKind::PixelsPerWave => {
                let padded =
                    self.options.method.tail == Tail::Padded && self.runs.has(Trait::Ragged);
                let tail = if padded { " padded" } else { "" };
                Some(format!("P={}{tail}", self.options.method.pixels_per_wave))
            }
            DialKind::PixelsPerThread | DialKind::ThreadsPerPixel | DialKind::LayersPerBatch => {
                Some(self.dial().to_string())
            }
        }
    }

    /// Whether it composites in half floats.
    pub fn is_half(&self) -> bool {
        self.options.frame.precision == Precision::Half && self.runs.has(Trait::TakesHalf)
    }

    /// Whether lanes are read by an opcode that WGSL lacks.
    fn broadcasts(&self) -> bool {
        self.options.method.lane_read == LaneRead::Broadcast && self.runs.has(Trait::ReadsLanes)
    }

    /// Whether layers are staged in half floats, not only composited in them (`shaders/methods/staged_runs/half.wesl`).
    fn stages_halves(&self) -> bool {
        self.is_half()
            && matches!(
                self.source,
                Source::Ellipses(Stored::Halves) | Source::Gaussian(Stored::Halves)
            )
    }

    /// Refuses what the adapter cannot do.
    ///
    /// # Errors
    /// Unavailable: half floats or the native broadcast are asked for, and the adapter has none in shaders.
    pub fn check(&self, caps: &Capabilities) -> Result<()> {
        let missing = match self.options {
            _ if self.is_half() && !caps.half_floats => {
                "half floats in shaders (SHADER_F16); leave --precision half out"
            }
            _ if self.broadcasts() && !caps.native_spirv => {
                "native broadcast (only on Vulkan with SPIR-V passthrough); leave --lane-read broadcast out"
            }
            _ => return Ok(()),
        };
        Err(Error::unavailable(format!(
            "{}: {} has no {missing}",
            self.method, caps.name
        )))
    }

    /// Whether a wave composites four pixels side by side, which share what its lanes have fetched. Where
    /// lanes of a ragged group loop over lanes, registers are better spent on more waves.
    fn takes_four(&self) -> bool {
        let is_ragged_loop =
            self.runs.has(Trait::LoopsOverLanes) && self.options.method.tail == Tail::Own;
        self.options.method.pixels_per_wave >= 4 && !is_ragged_loop
    }

    /// Whether threads of the staged loop skip the layers that miss their own part of the tile
    /// (`shaders/methods/slots.wesl`). It pays if most layers are splats, because many of these miss a part
    /// of a large tile.
    /// It needs wave operations and a tile whose threads are a whole workgroup.
    fn has_patches(&self, caps: &Capabilities, pixels_per_thread: u32) -> bool {
        let most_are_splats = match self.source {
            Source::Frame(kinds) => kinds.crowd && !kinds.ellipses,
            Source::Ellipses(_) | Source::Gaussian(_) => true,
            Source::Table | Source::Synthetic(..) => false,
        };
        caps.waves
            && most_are_splats
            && self.options.frame.tile > PATCH_WIDTH
            && self.options.frame.pixels_of_tile() / pixels_per_thread >= LEAST_WORKGROUP
    }

    /// The shader of this specialisation on an adapter.
    pub fn variant(&self, caps: &Capabilities) -> Variant {
        let native = self.runs.has(Trait::FindsMsbNatively) || self.broadcasts();
        let Options { frame, method } = self.options;
        let FrameOptions {
            tile,
            early_out,
            // Only of methods that take it: see `Self::is_half`.
            precision: _,
            // These concern lists and solids alone.
            auto_tile: _,
            splat_order: _,
            cull: _,
            solids: _,
            macro_tile: _,
        } = frame;
        let MethodOptions {
            hazard,
            tail,
            pixels_per_wave,
            // Only of methods that read lanes: see `Self::broadcasts`.
            lane_read: _,
            // Each method has one of these: see `Self::dial`.
            pixels_per_thread: _,
            threads_per_pixel: _,
            layers_per_batch: _,
        } = method;
        let geometry = self.geometry(caps);
        let variant = Variant::new(self.runs.entry().module);
        let variant = match self.runs.entry().dial {
            DialKind::None | DialKind::Chosen => variant,
            DialKind::PixelsPerWave => variant
                .with("PIXELS_PER_WAVE", pixels_per_wave)
                .feature("four", self.takes_four())
                .with_bool("PADDED", tail == Tail::Padded),
            DialKind::LayersPerBatch => variant
                .with("PIXELS_PER_THREAD", 1)
                .with("STAGED", geometry.staged)
                .feature("uniform_tables", true),
            DialKind::ThreadsPerPixel => {
                let threads = self.threads_of_pixel(caps);
                let abreast = geometry.workgroup / threads;
                variant
                    .with("THREADS_PER_PIXEL", threads)
                    .with("PIXELS_PER_THREAD", self.pixels_of_split(abreast))
                    .with(
                        "GROUPS",
                        self.groups_of_split(caps, geometry.workgroup, abreast),
                    )
                    .with("SLOTS", geometry.staged / threads)
                    .with("STAGED", places_of_split(geometry.staged, threads))
            }
            DialKind::PixelsPerThread => {
                let pixels = self.dial().pixels();
                variant
                    .with("PIXELS_PER_THREAD", pixels)
                    .with("STAGED", geometry.staged)
                    .feature("patches", self.has_patches(caps, pixels))
            }
        };
        let variant = variant
            .with("TILE", tile)
            .with("WORKGROUP", geometry.workgroup)
            .with_bool("EARLY_OUT", early_out > 0.0)
            .feature("wave", caps.waves)
            .feature("native", native)
            .feature("broadcast", self.broadcasts())
            .feature("fused", caps.fuses())
            .feature("half", self.is_half())
            .feature("division", hazard.divides())
            .feature("guarded", hazard.guards());
        self.source.features(variant)
    }
}
impl Source {
    /// Adds the features that switch this source on.
    pub fn features(self, variant: Variant) -> Variant {
        match self {
            Source::Frame(kinds) => variant
                .feature("sheets", kinds.sheets)
                .feature("ellipses", kinds.ellipses),
            Source::Ellipses(stored) => stored.features(variant).feature("ellipses_alone", true),
            Source::Table => variant.feature("table", true),
            Source::Gaussian(stored) => stored.features(variant).feature("gaussian", true),
            Source::Synthetic(cost, kind) => {
                let kind = match kind {
                    ListKind::Particles => "particles",
                    ListKind::Fog => "fog_slices",
                    ListKind::Mixed => "mixed_layers",
                };
                variant
                    .feature("synthetic", true)
                    .feature(kind, true)
                    .feature("textured", cost == Cost::Textured)
                    .feature("procedural", cost == Cost::Procedural)
            }
        }
    }
}
