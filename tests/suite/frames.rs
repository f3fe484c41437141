//! Choices of `--tile auto` and of the built-in rule of `auto` for all scenes, compared with times recorded on a GPU
//! and on Mesa's llvmpipe (`benches/record_frames.py` writes `tests/data/frames_*.json` and describes them).

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use serde::Deserialize;
use wavelerp::frame::frame_input;
use wavelerp::input::Disk;
use wavelerp::methods::auto::{self, Facts};
use wavelerp::model::Capabilities;
use wavelerp::model::methods::Method;
use wavelerp::model::scene::{self, Scene};
use wavelerp::model::settings::{FrameLoad, Purpose, Settings, auto_tile, default_settings};

use crate::shaders::capabilities;

#[derive(Deserialize)]
struct Recorded {
    adapter: String,
    frames: Vec<Frame>,
}

/// A recorded frame: µs of all passes except the composite, and of the composite with each method and dial.
#[derive(Deserialize)]
struct Frame {
    scene: String,
    size: [u32; 2],
    tile: u32,
    wave: u32,
    /// Number of pixels, mean length of lists, and length of the longest list.
    facts: (u32, f64, u32),
    rest: f64,
    times: BTreeMap<String, f64>,
}

fn h100() -> Recorded {
    serde_json::from_str(include_str!("../data/frames_h100.json")).expect("valid text")
}

/// Frames recorded on the H100 with integrated fog, which have short lists.
fn h100_integrated() -> Recorded {
    let recorded = include_str!("../data/frames_h100_integrated.json");
    serde_json::from_str(recorded).expect("valid text")
}

fn llvmpipe() -> Recorded {
    serde_json::from_str(include_str!("../data/frames_llvmpipe.json")).expect("valid text")
}

impl Recorded {
    /// The same frame as `frame` with tiles of `tile` pixels.
    fn in_tiles(&self, frame: &Frame, tile: u32) -> Option<&Frame> {
        let sought = (&frame.scene, frame.size, frame.wave, tile);
        let mut frames = self.frames.iter();
        frames.find(|of| (&of.scene, of.size, of.wave, of.tile) == sought)
    }

    /// Frames recorded with both tile sizes, each with its two times from projection to picture.
    fn in_both(&self) -> impl Iterator<Item = (&Frame, [f64; 2])> {
        self.frames.iter().filter_map(|frame| {
            let whole = |tile| Some(self.in_tiles(frame, tile)?.whole());
            Some((frame, [whole(8)?, whole(16)?]))
        })
    }
}

impl Frame {
    fn best(&self) -> f64 {
        self.times.values().copied().fold(f64::MAX, f64::min)
    }

    /// Time from projection to picture with the best method.
    fn whole(&self) -> f64 {
        self.rest + self.best()
    }

    /// The choice of `--tile auto` with default settings.
    fn auto_tile(&self, is_cpu: bool) -> u32 {
        auto_tile(FrameLoad {
            size: self.size,
            particles: self.loaded(is_cpu).1.particles,
        })
    }

    /// Scene and default settings of the frame, read once for all frames.
    fn loaded(&self, is_cpu: bool) -> Arc<(Scene, Settings)> {
        type Loaded = BTreeMap<(String, bool), Arc<(Scene, Settings)>>;
        static LOADED: Mutex<Loaded> = Mutex::new(BTreeMap::new());
        let mut all = LOADED.lock().expect("no test failed here");
        let load = || {
            let caps = Capabilities {
                is_cpu,
                ..capabilities(32, true)
            };
            let settings = default_settings(&self.scene, &Disk, &caps, Purpose::Capture);
            let scene = scene::load(&self.scene, &Disk).expect("a scene");
            Arc::new((scene, settings.expect("a scene")))
        };
        let of = (self.scene.clone(), is_cpu);
        Arc::clone(all.entry(of).or_insert_with(load))
    }

    /// Time of the method that the built-in rule chooses for `auto`, divided by the time of the best method.
    fn auto(&self, is_cpu: bool) -> f64 {
        let caps = Capabilities {
            is_cpu,
            ..capabilities(self.wave, true)
        };
        let loaded = self.loaded(is_cpu);
        let (scene, mut settings) = (&loaded.0, loaded.1.clone());
        settings.size = self.size;
        settings.options = settings.options.with_frame(|frame| frame.tile = self.tile);
        let camera = settings.camera_in(scene).expect("a camera");
        let asked = settings.options.specialize(Method::Auto);
        let (pixels, mean, longest) = self.facts;
        let facts = Facts {
            pixels,
            mean,
            longest,
            layers: frame_input(scene, &camera, &settings, &caps).shape.layers(),
        };
        let chosen = auto::choice(&caps, asked, &facts).specialization;
        let label = chosen.label();
        let time = self.times.get(&label);
        let time = time.unwrap_or_else(|| panic!("{label} was not timed: {:?}", self.times));
        time / self.best()
    }
}

/// Largest slowdown from the tile size that `auto` chooses, relative to the better size, over some of the frames.
fn worst_tile(
    recorded: &Recorded,
    is_cpu: bool,
    is_meant: impl Fn(&Frame) -> bool,
    tile: impl Fn(&Frame, bool) -> u32,
) -> (f64, String) {
    let mut worst = (0.0, String::new());
    for (frame, [in_8, in_16]) in recorded.in_both().filter(|of| is_meant(of.0)) {
        let whole = [in_8, in_16][usize::from(tile(frame, is_cpu) == 16)];
        let more = whole / in_8.min(in_16) - 1.0;
        if more > worst.0 {
            worst = (more, format!("{} {:?}", frame.scene, frame.size));
        }
    }
    worst
}

#[test]
fn frames_in_the_tiles_of_auto_take_no_longer_than_in_the_better_ones() {
    // Nearly all layers of the statue are splats that miss most pixels of a large tile. llvmpipe evaluates them
    // anyway, while a GPU skips them: no common rule suits both.
    let is_statue = |frame: &Frame| frame.scene == "statue";
    let is_other = |frame: &Frame| !is_statue(frame);
    let (gpu, cpu) = (h100(), llvmpipe());
    for recorded in [&gpu, &cpu] {
        let count = recorded.in_both().count();
        let adapter = &recorded.adapter;
        assert_eq!(count, 28, "{adapter}: seven scenes, two sizes, two tiles");
    }
    let worst = worst_tile(&gpu, false, |_| true, Frame::auto_tile);
    assert!(worst.0 <= 0.03, "{worst:?}");
    let worst = worst_tile(&cpu, true, is_other, Frame::auto_tile);
    assert!(worst.0 <= 0.1, "{worst:?}");
    let worst = worst_tile(&cpu, true, is_statue, Frame::auto_tile);
    assert!(worst.0 <= 0.25, "{worst:?}");
    // Negative control: tiles of 8 pixels, the previous choice, are slower on the GPU, for the statue too.
    let before = worst_tile(&gpu, false, |_| true, |_, _| 8);
    assert!(before.0 > 0.2, "{before:?}");
    let before = worst_tile(&gpu, false, is_statue, |_, _| 8);
    assert!(before.0 > 0.2, "{before:?}");
}

#[test]
fn the_built_in_rule_is_near_the_best_method_and_nearest_in_the_tiles_of_auto() {
    let (layers, integrated) = (h100().frames, h100_integrated().frames);
    assert_eq!(integrated.len(), 21, "seven scenes, three sizes");
    for frame in layers.iter().chain(&integrated) {
        let more = frame.auto(false) - 1.0;
        let most = match frame.tile == frame.auto_tile(false) {
            true => 0.06,
            false => 0.15,
        };
        let tile = frame.tile;
        assert!(
            more <= most,
            "{} {:?} {tile}: {more}",
            frame.scene,
            frame.size
        );
    }
    // Negative control: split-batches for every frame; it is slow for short lists.
    let worst = |frames: &[Frame]| {
        let of = |frame: &Frame| frame.times["split-batches 128b"] / frame.best();
        frames.iter().map(of).fold(0.0, f64::max)
    };
    assert!(worst(&integrated) > 1.2, "{}", worst(&integrated));
}

#[test]
fn on_a_cpu_the_built_in_rule_is_near_the_best_method_in_small_frames_of_all_scenes() {
    let recorded = llvmpipe();
    let mut frames: BTreeMap<(u32, [u32; 2]), Vec<f64>> = BTreeMap::new();
    for frame in &recorded.frames {
        // Large frames were recorded only to compare tile sizes, without the slowest methods.
        if frame.times.len() > 3 {
            let more = frame.auto(true);
            let (scene, size, wave) = (&frame.scene, frame.size, frame.wave);
            assert!(more <= 1.4, "{scene} {size:?} wave {wave}: {more}");
            frames.entry((wave, size)).or_default().push(more);
        }
    }
    for wave in [4, 8] {
        let mut frames = frames.iter().filter(|((of, _), _)| *of == wave);
        assert!(frames.next().is_some(), "wave {wave} is recorded");
    }
    for (frame, of) in frames {
        // Mesa draws no triangles at wave 16: only `two` has none.
        let scenes = if frame.0 == 16 { 1 } else { 7 };
        assert_eq!(of.len(), scenes, "{frame:?}");
        let mean = of.iter().sum::<f64>() / of.len() as f64;
        assert!(mean <= 1.15, "{frame:?}: {mean}");
    }
    // Negative control: no method is the best in all frames, and batches are far from it.
    let small = || recorded.frames.iter().filter(|frame| frame.times.len() > 3);
    let time = |frame: &Frame, label: &str| frame.times[label] / frame.best();
    let worst = |label| small().map(|frame| time(frame, label)).fold(0.0, f64::max);
    for label in [
        "pixel-loop",
        "pixel-loop-staged 1",
        "split-depth 2",
        "wave-tree P=32",
    ] {
        assert!(worst(label) > 1.4, "{label}");
    }
    assert!(worst("split-batches 256b") > 2.0);
}
