//! What is baked into a method's shader, and the size of its dispatch that follows from it.

use super::{Dial, DialKind, Hazard, Method, Source, Tail};
use crate::gpu::Capabilities;
use crate::gpu::shader::Variant;

/// Least invocations of a workgroup.
const LEAST_WORKGROUP: u32 = 64;
/// Invocations that WebGPU allows everywhere.
pub(super) const MOST_WORKGROUP: u32 = 256;
/// Layers that `pixel-loop-staged` stages at a time where a workgroup has one tile, or several.
const STAGED_ONE_TILE: u32 = 64;
const STAGED_TILES: u32 = 128;
/// Pixels of a thread that shares its pixels with others, at most: with more, few outputs leave a large
/// GPU idle.
const MOST_PIXELS_OF_SPLIT: u32 = 2;

/// Bytes of a staged layer: `Fetched` of `shaders/composite/layer.wesl`.
const FETCHED_BYTES: u32 = 64;
/// Bytes of a place in the tree.
const TREE_BYTES: u32 = 16;
/// Workgroup memory of a thread that shares its pixel, at least.
pub(super) const BYTES_PER_THREAD: u32 = FETCHED_BYTES + TREE_BYTES;

/// Everything that is baked into a method's shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Specialization {
    /// The method.
    pub method: Method,
    /// The method whose shader runs: the same, but for `auto`, where it is the chosen one.
    pub runs: Method,
    /// Tile edge in pixels, 8 or 16.
    pub tile: u32,
    /// Pixels that a wave walks; divides the tile's pixels.
    pub pixels_per_wave: u32,
    /// Pixels per thread, or threads per pixel.
    pub dial: Dial,
    /// What becomes of the last group. Unused by methods without groups.
    pub tail: Tail,
    /// Form of the exclusive product. Unused by methods without one.
    pub hazard: Hazard,
    /// Whether early-out is compiled in.
    pub early_out: bool,
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

impl Specialization {
    /// A method on the frame with tiles of 8 pixels, nothing else out of the ordinary.
    pub fn new(method: Method) -> Self {
        Self {
            method,
            runs: match method {
                // Until there is a choice.
                Method::Auto => Method::PixelLoopStaged,
                _ => method,
            },
            tile: 8,
            pixels_per_wave: 1,
            dial: Dial::default(),
            tail: Tail::default(),
            hazard: Hazard::default(),
            early_out: false,
            source: Source::default(),
        }
    }

    /// The dial as this method takes it.
    fn dial(&self, caps: &Capabilities) -> Dial {
        let pixels = self.tile * self.tile;
        match (self.runs.entry().dial, self.dial) {
            (DialKind::PixelsPerThread, Dial::Threads(_)) => Dial::Threads(1),
            (DialKind::ThreadsPerPixel, Dial::Threads(threads)) => {
                Dial::Threads(threads.min(Dial::most_threads(caps)))
            }
            (_, Dial::Pixels(count)) => Dial::Pixels(count.min(pixels / 4)),
            (_, dial) => dial,
        }
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
                pixels: workgroup / caps.wave_max * self.pixels_per_wave,
                staged: 0,
            },
            DialKind::PixelsPerThread | DialKind::ThreadsPerPixel => match self.dial(caps) {
                Dial::Threads(threads) if threads > 1 => self.split(caps, threads),
                dial => self.several(dial.pixels()),
            },
        }
    }

    /// One thread for `pixels` pixels.
    fn several(&self, pixels: u32) -> Geometry {
        let per_tile = self.tile * self.tile / pixels;
        let workgroup = per_tile.max(LEAST_WORKGROUP);
        Geometry {
            workgroup,
            pixels: workgroup * pixels,
            staged: match workgroup / per_tile {
                1 => STAGED_ONE_TILE,
                _ => STAGED_TILES,
            },
        }
    }

    /// `threads` threads for a pixel.
    fn split(&self, caps: &Capabilities, threads: u32) -> Geometry {
        let workgroup = (self.tile * self.tile * threads).min(MOST_WORKGROUP);
        let tree = workgroup * TREE_BYTES;
        let fits = |staged: u32| staged * FETCHED_BYTES + tree <= caps.max_workgroup_bytes;
        let mut staged = workgroup;
        while staged > threads && !fits(staged) {
            staged /= 2;
        }
        let abreast = workgroup / threads;
        Geometry {
            workgroup,
            pixels: abreast * self.pixels_of_split(abreast),
            staged,
        }
    }

    /// Pixels of each thread of `split-depth` whose workgroup has `abreast` pixels, one for each group of
    /// threads: two, if the tile has more, so that a layer read from workgroup memory serves both.
    fn pixels_of_split(&self, abreast: u32) -> u32 {
        (self.tile * self.tile / abreast).min(MOST_PIXELS_OF_SPLIT)
    }

    /// Times that an invocation goes through its loops per layer of the list, at most.
    pub fn turns_per_layer(&self) -> u32 {
        match (self.runs.entry().dial, self.dial) {
            (DialKind::None | DialKind::Chosen, _) => 1,
            (DialKind::PixelsPerWave, _) => self.pixels_per_wave,
            (_, Dial::Pixels(pixels)) => pixels + 2,
            (_, Dial::Threads(1)) => 3,
            (_, Dial::Threads(_)) => 4,
        }
    }

    /// Method and dials in few words: "split-depth 8", "wave-lerp-padded P=32"; of `auto` those chosen.
    pub fn label(&self) -> String {
        let name = self.runs.name();
        match (self.runs.entry().dial, self.dial) {
            (DialKind::None | DialKind::Chosen, _) => name.to_owned(),
            (DialKind::PixelsPerWave, _) => {
                let tail = match self.tail == Tail::Padded && self.runs.is_ragged() {
                    true => " padded",
                    false => "",
                };
                format!("{name} P={}{tail}", self.pixels_per_wave)
            }
            (DialKind::PixelsPerThread, Dial::Threads(_)) => format!("{name} 1"),
            (_, dial) => format!("{name} {dial}"),
        }
    }

    /// Whether a wave composites four pixels side by side, which share what its lanes have fetched. Where
    /// lanes of a ragged group loop over lanes, registers are better spent on more waves.
    fn takes_four(&self) -> bool {
        let is_ragged_loop = self.runs == Method::ReadLaneLoop && self.tail == Tail::Own;
        self.pixels_per_wave >= 4 && !is_ragged_loop
    }

    /// The shader of this specialisation on an adapter.
    pub fn variant(&self, caps: &Capabilities) -> Variant {
        let native = match self.runs {
            Method::WaveLerpFindMsb => true,
            Method::ReadLaneLoop => caps.native_broadcast(),
            _ => false,
        };
        let geometry = self.geometry(caps);
        let variant = match (self.runs.entry().dial, self.dial(caps)) {
            (DialKind::None | DialKind::Chosen, _) => Variant::new(self.runs.entry().module),
            (DialKind::PixelsPerWave, _) => Variant::new(self.runs.entry().module)
                .with("PIXELS_PER_WAVE", self.pixels_per_wave)
                .feature("four", self.takes_four())
                .with_bool("PADDED", self.tail == Tail::Padded),
            (_, Dial::Threads(threads)) if threads > 1 => {
                Variant::new(Method::SplitDepth.entry().module)
                    .with("THREADS_PER_PIXEL", threads)
                    .with(
                        "PIXELS_PER_THREAD",
                        self.pixels_of_split(geometry.workgroup / threads),
                    )
                    .with("STAGED", geometry.staged)
            }
            (_, dial) => Variant::new(Method::PixelLoopStaged.entry().module)
                .with("PIXELS_PER_THREAD", dial.pixels())
                .with("STAGED", geometry.staged),
        };
        let variant = variant
            .with("TILE", self.tile)
            .with("WORKGROUP", geometry.workgroup)
            .with_bool("EARLY_OUT", self.early_out)
            .feature("wave", caps.waves)
            .feature("native", native)
            .feature("fused", caps.fuses())
            .feature(self.hazard.name(), true);
        self.source.features(variant)
    }
}
