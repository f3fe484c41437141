//! All settings of a frame in one struct: command line, reports, picture metadata and panel use it.

use serde::Serialize;

use crate::error::{Error, Result};
use crate::gpu::Capabilities;
use crate::methods::{Hazard, Method, Specialization};
use crate::render::composite::auto_pixels_per_wave;
use crate::scene::{self, Amount, CameraPreset, Scene};

/// Defaults on a CPU adapter, where a full frame would take minutes.
const CPU_CAPTURE: CpuDefaults = CpuDefaults {
    size: [640, 360],
    particles: 10_000,
    slices: 32,
};
/// The same for a window, which has to answer to the mouse.
const CPU_WINDOW: CpuDefaults = CpuDefaults {
    size: [320, 180],
    particles: 2_000,
    slices: 16,
};
/// Defaults everywhere else.
const SIZE: [u32; 2] = [1280, 720];
/// Most fog slices.
const MOST_SLICES: u32 = 512;
/// Times beyond this, in seconds, are too coarse in f32 to move anything smoothly.
const MOST_TIME: f32 = 1e5;

/// What a CPU adapter starts with.
struct CpuDefaults {
    size: [u32; 2],
    particles: u32,
    slices: u32,
}

/// What a frame is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Files: seconds per frame are fine.
    Capture,
    /// A window: frames must follow one another.
    Window,
}

/// Flags that describe a frame.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Scene and methods")]
pub struct SceneArgs {
    /// Scene: a name (see `wavelerp list`) or the path of a .ron file
    #[arg(long, default_value = "temple")]
    pub scene: String,
    /// Frame size in pixels [default: 1280x720; 640x360 on a CPU adapter]
    #[arg(long, value_parser = parse_size, value_name = "WIDTHxHEIGHT")]
    pub size: Option<[u32; 2]>,
    /// Seconds on the scene's clock [default: the scene's best moment]
    #[arg(long, allow_negative_numbers = true, value_name = "SECONDS")]
    pub time: Option<f32>,
    /// Seed of all randomness
    #[arg(long, default_value_t = 1, allow_negative_numbers = true)]
    pub seed: u32,
    /// Camera preset of the scene [default: its first]
    #[arg(long)]
    pub camera: Option<String>,
    /// Number of particles [default: the scene's; at most 10000 on a CPU adapter]
    #[arg(long, value_name = "COUNT", allow_negative_numbers = true)]
    pub particles: Option<u32>,
    /// Number of fog slices, 0 to 512 [default: the scene's; at most 32 on a CPU adapter]
    #[arg(long, value_name = "COUNT", allow_negative_numbers = true)]
    pub fog_slices: Option<u32>,
    /// Tile edge in pixels: 8 or 16
    #[arg(
        long,
        default_value_t = 8,
        value_name = "PIXELS",
        allow_negative_numbers = true
    )]
    pub tile: u32,
    /// Methods: `all`, or names separated by commas
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "all",
        value_name = "NAMES"
    )]
    pub methods: Vec<String>,
    /// How the exclusive prefix product is formed
    #[arg(long, value_enum, default_value_t = Hazard::Driver)]
    pub hazard: Hazard,
    /// Stop a pixel when its transmittance falls below this, 0 (off) or more and less than 1
    #[arg(
        long,
        default_value_t = 0.0,
        allow_negative_numbers = true,
        value_name = "TRANSMITTANCE"
    )]
    pub early_out: f32,
    /// Pixels that a wave walks: `auto`, or a power of two up to the tile's pixels
    #[arg(long, default_value = "auto", value_name = "auto|COUNT")]
    pub pixels_per_wave: String,
}

/// A frame's settings, complete.
#[derive(Clone, Debug, Serialize)]
pub struct Settings {
    /// The scene's name, or the file name (no folders) of one that is not in the program.
    pub scene: String,
    /// Frame size in pixels.
    pub size: [u32; 2],
    /// Seconds.
    pub time: f32,
    /// Seed of all randomness.
    pub seed: u32,
    /// Camera preset.
    pub camera: String,
    /// Number of particles asked for.
    pub particles: u32,
    /// Number of fog slices.
    pub fog_slices: u32,
    /// Tile edge in pixels.
    pub tile: u32,
    /// Form of the exclusive product.
    pub hazard: Hazard,
    /// Transmittance below which a pixel may stop; 0 is off.
    pub early_out: f32,
    /// Pixels that a wave walks.
    pub pixels_per_wave: u32,
}

/// The checked command line, before an adapter is known.
#[derive(Clone, Debug)]
pub struct Request {
    /// The scene.
    pub scene: Scene,
    /// Its camera.
    pub camera: CameraPreset,
    args: SceneArgs,
}

/// "1280x720" as two numbers.
fn parse_size(text: &str) -> std::result::Result<[u32; 2], String> {
    let form = || format!("\"{text}\" is not a size; write for example 1280x720");
    let (width, height) = text.split_once('x').ok_or_else(form)?;
    let edge = |text: &str| text.parse::<u32>().map_err(|_| form());
    let size = [edge(width)?, edge(height)?];
    match size.contains(&0) {
        true => Err(format!(
            "\"{text}\": width and height must be at least 1 pixel"
        )),
        false => Ok(size),
    }
}

impl SceneArgs {
    /// Loads the scene and checks all that needs no adapter.
    ///
    /// # Errors
    /// Exit code 2: what, where, what to do.
    pub fn check(&self) -> Result<Request> {
        let scene = scene::load(&self.scene)?;
        let camera = scene.camera(self.camera.as_deref())?.clone();
        if ![8, 16].contains(&self.tile) {
            return Err(Error::usage(format!(
                "--tile {}: must be 8 or 16",
                self.tile
            )));
        }
        let times = -MOST_TIME..=MOST_TIME;
        if let Some(time) = self.time.filter(|time| !times.contains(time)) {
            return Err(Error::usage(format!(
                "--time {time}: must be -{MOST_TIME} to {MOST_TIME} seconds"
            )));
        }
        if !(0.0..1.0).contains(&self.early_out) {
            return Err(Error::usage(format!(
                "--early-out {}: must be 0 (off) or more, and less than 1",
                self.early_out
            )));
        }
        if let Some(slices) = self.fog_slices.filter(|&slices| slices > MOST_SLICES) {
            return Err(Error::usage(format!(
                "--fog-slices {slices}: must be 0 to {MOST_SLICES}"
            )));
        }
        self.explicit_pixels_per_wave()?;
        for name in self.methods.iter().filter(|name| *name != "all") {
            Method::by_name(name).map_err(|error| error.context("--methods"))?;
        }
        Ok(Request {
            scene,
            camera,
            args: self.clone(),
        })
    }

    fn explicit_pixels_per_wave(&self) -> Result<Option<u32>> {
        if self.pixels_per_wave == "auto" {
            return Ok(None);
        }
        let most = self.tile * self.tile;
        match self.pixels_per_wave.parse::<u32>() {
            Ok(pixels) if pixels.is_power_of_two() && pixels <= most => Ok(Some(pixels)),
            _ => Err(Error::usage(format!(
                "--pixels-per-wave {}: must be auto, or a power of two from 1 to {most} (the pixels of a tile)",
                self.pixels_per_wave
            ))),
        }
    }
}

impl Request {
    /// The methods asked for, as given: `all` or names.
    pub fn methods(&self) -> &[String] {
        &self.args.methods
    }

    /// Fills what was left open with this adapter's defaults.
    ///
    /// Returns the settings and, when they are smaller than elsewhere, a sentence that says so.
    ///
    /// # Errors
    /// Exit code 2 (does not happen after [`SceneArgs::check`]).
    pub fn settle(
        &self,
        caps: &Capabilities,
        purpose: Purpose,
    ) -> Result<(Settings, Option<String>)> {
        let cpu = match purpose {
            Purpose::Capture => CPU_CAPTURE,
            Purpose::Window => CPU_WINDOW,
        };
        let (args, scene) = (&self.args, &self.scene);
        let exact = scene
            .emitters
            .iter()
            .fold(0u32, |sum, emitter| match emitter.amount {
                Amount::Exactly(count) => sum.saturating_add(count),
                Amount::Share(_) => sum,
            });
        let (size, particles, slices) = match caps.is_cpu {
            true => (
                cpu.size,
                match purpose {
                    Purpose::Capture => scene.particles.min(cpu.particles.max(exact)),
                    Purpose::Window => scene.particles.min(cpu.particles),
                },
                scene.fog_slices.min(cpu.slices),
            ),
            false => (SIZE, scene.particles, scene.fog_slices),
        };
        let settings = Settings {
            scene: self.scene_argument(),
            size: args.size.unwrap_or(size),
            time: args.time.unwrap_or(scene.best_time),
            seed: args.seed,
            camera: self.camera.name.clone(),
            particles: args.particles.unwrap_or(particles),
            fog_slices: args.fog_slices.unwrap_or(slices),
            tile: args.tile,
            hazard: args.hazard,
            early_out: args.early_out,
            pixels_per_wave: match args.explicit_pixels_per_wave()? {
                Some(pixels) => pixels,
                None => auto_pixels_per_wave(args.size.unwrap_or(size)),
            },
        };
        let notice = caps.is_cpu.then(|| self.smaller(&settings)).flatten();
        let notice = notice.map(|smaller| {
            format!(
                "{} is a CPU adapter, so smaller defaults apply: {smaller}",
                caps.name
            )
        });
        Ok((settings, notice))
    }

    /// What `--scene` must say in the scene's folder; no path, as it goes into pictures.
    fn scene_argument(&self) -> String {
        let path = std::path::Path::new(&self.args.scene);
        path.file_name().map_or_else(
            || self.scene.name.clone(),
            |name| name.to_string_lossy().into_owned(),
        )
    }

    /// The settings that were left open and are smaller than on other adapters, in words.
    fn smaller(&self, settings: &Settings) -> Option<String> {
        let (args, scene) = (&self.args, &self.scene);
        let mut smaller = Vec::new();
        if args.size.is_none() {
            let ([w, h], [width, height]) = (settings.size, SIZE);
            smaller.push(format!("--size {w}x{h} (elsewhere {width}x{height})"));
        }
        if args.particles.is_none() && settings.particles < scene.particles {
            let (few, many) = (settings.particles, scene.particles);
            smaller.push(format!("--particles {few} (elsewhere {many})"));
        }
        if args.fog_slices.is_none() && settings.fog_slices < scene.fog_slices {
            let (few, many) = (settings.fog_slices, scene.fog_slices);
            smaller.push(format!("--fog-slices {few} (elsewhere {many})"));
        }
        (!smaller.is_empty()).then(|| smaller.join(", "))
    }
}

impl Settings {
    /// How `method` is specialised under these settings.
    pub fn specialization(&self, method: Method) -> Specialization {
        Specialization {
            method,
            tile: self.tile,
            pixels_per_wave: self.pixels_per_wave,
            hazard: self.hazard,
            early_out: self.early_out > 0.0,
            table: false,
        }
    }

    /// The flags that bring these settings back, whatever the adapter's defaults.
    pub fn flags(&self) -> String {
        format!(
            "--scene {} --size {}x{} --time {} --seed {} --camera {} --particles {} --fog-slices {} \
             --tile {} --hazard {} --early-out {} --pixels-per-wave {}",
            quoted(&self.scene),
            self.size[0],
            self.size[1],
            self.time,
            self.seed,
            quoted(&self.camera),
            self.particles,
            self.fog_slices,
            self.tile,
            self.hazard.name(),
            self.early_out,
            self.pixels_per_wave
        )
    }

    /// The text metadata that every picture carries: the program, then [`Settings::facts`].
    pub fn metadata(&self) -> Vec<(String, String)> {
        let program = format!("wavelerp {}", env!("CARGO_PKG_VERSION"));
        std::iter::once(("Software".to_owned(), program))
            .chain(self.facts())
            .collect()
    }

    /// Name and value of every setting, for metadata and captions.
    pub fn facts(&self) -> Vec<(String, String)> {
        [
            ("scene", self.scene.clone()),
            ("size", format!("{}x{}", self.size[0], self.size[1])),
            ("time", format!("{} s", self.time)),
            ("seed", self.seed.to_string()),
            ("camera", self.camera.clone()),
            ("particles", self.particles.to_string()),
            ("fog slices", self.fog_slices.to_string()),
            ("tile", self.tile.to_string()),
            ("hazard", self.hazard.name().to_owned()),
            ("early-out", self.early_out.to_string()),
            ("pixels per wave", self.pixels_per_wave.to_string()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .to_vec()
    }
}

/// A word as a POSIX shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.,/+:=@%".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests;
