//! Flags that describe a frame, and their conversion to [`Settings`].

use std::path::Path;

use clap::Parser as _;

use crate::error::Result;
use crate::model::files::Files;
use crate::model::methods::Method;
use crate::model::scene::{Amount, CameraPreset, Factors, Scene, SplatSpec};
use crate::model::splats::{Axes, SplatFilter};
use crate::model::{Capabilities, scene};

use super::Settings;
use super::auto::FrameLoad;
use super::option_args::OptionArgs;
use super::ranges::{SIZE, Words};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Files: seconds per frame are acceptable.
    Capture,
    /// A window: needs a continuous frame rate.
    Window,
}

impl Purpose {
    /// Size, particles and fog slices on a CPU adapter, where a full frame would take minutes.
    fn on_cpu(self) -> ([u32; 2], u32, u32) {
        match self {
            Purpose::Capture => ([640, 360], 10_000, 32),
            Purpose::Window => ([320, 180], 2_000, 16),
        }
    }
}

/// Flags that describe a frame.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Frame")]
pub struct SceneArgs {
    /// Scene, splat or model file, instead of --scene
    #[arg(
        value_name = "FILE",
        conflicts_with = "scene",
        help_heading = None::<&str>
    )]
    pub file: Option<String>,
    /// Scene: a name (see `wavelerp list`), or the path of a .ron, splat or model file
    #[arg(long, default_value = "temple", help_heading = "Files")]
    pub scene: String,
    /// Frame size in pixels [default: 1280x720; 640x360 on a CPU adapter]
    #[arg(long, value_parser = parse_size, value_name = "WIDTHxHEIGHT")]
    pub size: Option<[u32; 2]>,
    /// Time on the scene's clock, in seconds [default: the scene's best moment]
    #[arg(long, allow_negative_numbers = true, value_name = "SECONDS")]
    pub time: Option<f32>,
    /// Random seed
    #[arg(long, default_value_t = 1, allow_negative_numbers = true)]
    pub seed: u32,
    /// Camera preset of the scene (see `wavelerp list`) [default: its first]
    #[arg(long)]
    pub camera: Option<String>,
    /// Camera position, in metres [default: the preset's]
    #[arg(long, value_parser = parse_place, value_name = "X,Y,Z", allow_hyphen_values = true)]
    pub eye: Option<[f32; 3]>,
    /// Point the camera looks at, in metres [default: the preset's]
    #[arg(long, value_parser = parse_place, value_name = "X,Y,Z", allow_hyphen_values = true)]
    pub target: Option<[f32; 3]>,
    /// Vertical field of view, 1 to 170 degrees [default: the preset's]
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    pub fov: Option<f32>,
    /// Number of particles [default: the scene's; at most 10000 on a CPU adapter]
    #[arg(long, value_name = "COUNT", allow_negative_numbers = true)]
    pub particles: Option<u32>,
    /// Number of fog slices, 0 to 512 [default: the scene's; at most 32 on a CPU adapter]
    #[arg(long, value_name = "COUNT", allow_negative_numbers = true)]
    pub fog_slices: Option<u32>,
    /// Factors on the scene's layers.
    #[command(flatten)]
    pub factors: Factors,
    /// Splat files instead of the scene's own, as in scene files: '[(file: "bust.ply", scale: 0.5)]'
    #[arg(long, value_parser = parse_splat_list, value_name = "LIST", help_heading = "Files")]
    pub splats: Option<SplatList>,
    /// Directions of the splat files' x, y and z, a letter each: right or left, up or down, front or back, such as rdf (as in PLY),
    /// rub (y up) or rfu (z up) [default: as the file or its format declares]
    #[arg(long, value_name = "AXES", help_heading = "Files")]
    pub axes: Option<Axes>,
    /// Opacity of Gaussians smaller than a pixel [default: as the file was trained]
    #[arg(long, value_enum, value_name = "FILTER", help_heading = "Files")]
    pub splat_filter: Option<SplatFilter>,
    /// Show every Nth Gaussian of the splat files, 1 to 1000000
    #[arg(long, value_name = "COUNT", help_heading = "Files")]
    pub keep_every: Option<u32>,
    /// Methods: `exact`, `approximate`, `all`, or names (see `wavelerp list`), separated by commas
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "exact",
        value_name = "NAMES",
        help_heading = "Methods"
    )]
    pub methods: Vec<String>,
    #[command(flatten, next_help_heading = "Methods")]
    pub options: OptionArgs,
}

impl Default for SceneArgs {
    fn default() -> Self {
        #[derive(clap::Parser)]
        struct NoFlags {
            #[command(flatten)]
            scene: SceneArgs,
        }
        NoFlags::parse_from(["wavelerp"]).scene
    }
}

/// The checked command line, before an adapter is known.
#[derive(Clone, Debug)]
pub struct Request {
    pub scene: Scene,
    /// Name of the scene, or absolute path of its file, because settings outlive the working folder.
    name: String,
    /// The camera, moved by the flags.
    pub camera: CameraPreset,
    args: SceneArgs,
}

/// Parses "1280x720".
pub fn parse_size(text: &str) -> std::result::Result<[u32; 2], String> {
    let form = || format!("\"{text}\" is not a size; write for example 1280x720");
    let (width, height) = text.split_once('x').ok_or_else(form)?;
    let edge = |text: &str| text.parse::<u32>().map_err(|_| form());
    let size = [edge(width)?, edge(height)?];
    if size.contains(&0) {
        return Err(format!(
            "\"{text}\": width and height must be at least 1 pixel"
        ));
    }
    Ok(size)
}

#[derive(Clone, Debug, PartialEq)]
pub struct SplatList(pub Vec<SplatSpec>);

fn parse_splat_list(text: &str) -> std::result::Result<SplatList, String> {
    scene::parse_splats(text).map(SplatList)
}

/// Parses "0,1.7,-9".
fn parse_place(text: &str) -> std::result::Result<[f32; 3], String> {
    let numbers: std::result::Result<Vec<f32>, _> = text
        .split(',')
        .map(|number| number.trim().parse())
        .collect();
    numbers
        .ok()
        .and_then(|numbers| numbers.try_into().ok())
        .ok_or_else(|| format!("\"{text}\" is not a place; write for example 0,1.7,-9"))
}

impl SceneArgs {
    /// Loads the scene and checks everything that needs no adapter.
    pub fn check(&self, files: &dyn Files) -> Result<Request> {
        let name = self.scene_or_file();
        let splats = self.placed(name, files)?;
        let scene = scene::load_telling(name, splats.as_deref(), files, &mut |_| Ok(()))?;
        self.check_with(scene, whole_name(name, files))
    }

    /// Like [`SceneArgs::check`], without reading the scene's files: see [`scene::outline`].
    pub fn check_outline(&self, files: &dyn Files) -> Result<Request> {
        let name = self.scene_or_file();
        let mut scene = scene::outline(name, files)?;
        if let Some(list) = self.placed(name, files)? {
            scene.splats = scene::found_from(scene::files_of(name, files), &list)?;
        }
        self.check_with(scene, whole_name(name, files))
    }

    /// True if splat files replace the scene's own files or are read differently.
    fn places_splats(&self) -> bool {
        let reads_anew = self.axes.is_some() || self.splat_filter.is_some();
        self.splats.is_some() || reads_anew || self.keep_every.is_some()
    }

    /// Splat files that the flags set in place of the scene's own files.
    fn placed(&self, name: &str, files: &dyn Files) -> Result<Option<Vec<SplatSpec>>> {
        if !self.places_splats() {
            return Ok(None);
        }
        let mut list = match &self.splats {
            Some(list) => list.0.clone(),
            None => scene::outline(name, files)?.splats,
        };
        for spec in &mut list {
            spec.axes = self.axes.or(spec.axes);
            spec.filter = self.splat_filter.or(spec.filter);
            spec.keep_every = self.keep_every.unwrap_or(spec.keep_every);
        }
        scene::check_splats("splats", &list)?;
        Ok(Some(list))
    }

    /// Checks the flags for the scene that they name; `name` is the scene's name or the absolute path of its file.
    fn check_with(&self, scene: Scene, name: String) -> Result<Request> {
        let camera = self.camera_in(&scene)?;
        let words = Words::Flags;
        self.options.check()?;
        words.factors(&self.factors)?;
        self.time.map_or(Ok(()), |time| words.time(time))?;
        let slices = self.fog_slices;
        slices.map_or(Ok(()), |slices| words.fog_slices(slices))?;
        for name in &self.methods {
            Method::meant_by(name).map_err(|error| error.context("--methods"))?;
        }
        Ok(Request {
            scene,
            name,
            camera,
            args: self.clone(),
        })
    }

    pub fn scene_or_file(&self) -> &str {
        self.file.as_deref().unwrap_or(&self.scene)
    }

    /// The requested preset, moved by the flags.
    fn camera_in(&self, scene: &Scene) -> Result<CameraPreset> {
        let preset = scene.camera(self.camera.as_deref())?.clone();
        let camera = CameraPreset {
            eye: self.eye.unwrap_or(preset.eye),
            target: self.target.unwrap_or(preset.target),
            fov_y: self.fov.unwrap_or(preset.fov_y),
            ..preset
        };
        Words::Flags.camera(&camera.viewpoint())?;
        Ok(camera)
    }
}

/// Default settings of a scene, given by name or path.
pub fn default_settings(
    scene: &str,
    files: &dyn Files,
    caps: &Capabilities,
    purpose: Purpose,
) -> Result<Settings> {
    defaults_in(scene, scene::load(scene, files)?, files, caps, purpose)
}

/// Like [`default_settings`], for a loaded scene; `name` is its name or path.
pub fn defaults_in(
    name: &str,
    scene: Scene,
    files: &dyn Files,
    caps: &Capabilities,
    purpose: Purpose,
) -> Result<Settings> {
    let mut args = SceneArgs {
        scene: name.to_owned(),
        ..SceneArgs::default()
    };
    if purpose == Purpose::Window {
        args.options.pad_tails();
    }
    let request = args.check_with(scene, whole_name(name, files))?;
    let (settings, _) = request.settle(caps, purpose)?;
    Ok(settings)
}

/// Name of a scene, or the absolute path of its file.
fn whole_name(name: &str, files: &dyn Files) -> String {
    if scene::names().contains(&name) {
        return name.to_owned();
    }
    let whole = files.look(Path::new(name)).map(|seen| seen.path);
    let whole = whole.and_then(|path| path.into_os_string().into_string().ok());
    whole.unwrap_or_else(|| name.to_owned())
}

impl Request {
    /// The same request for `scene`, which is the request's scene with all files read.
    pub fn in_scene(&self, scene: Scene) -> Result<Self> {
        self.args.check_with(scene, self.name.clone())
    }

    pub fn methods(&self) -> &[String] {
        &self.args.methods
    }

    /// Fills unset values with the adapter's defaults. Also returns a sentence if they are smaller than on other adapters.
    pub fn settle(
        &self,
        caps: &Capabilities,
        purpose: Purpose,
    ) -> Result<(Settings, Option<String>)> {
        let (args, scene) = (&self.args, &self.scene);
        let (size, particles, slices) = if caps.is_cpu {
            let (size, most, slices) = purpose.on_cpu();
            let exactly = scene.emitters.iter().map(|emitter| match emitter.amount {
                Amount::Exactly(count) => count,
                Amount::Share(_) => 0,
            });
            let most = match purpose {
                // Particles that a scene counts exactly are part of its picture.
                Purpose::Capture => most.max(exactly.fold(0, u32::saturating_add)),
                Purpose::Window => most,
            };
            (
                size,
                scene.particles.min(most),
                scene.fog_slices.min(slices),
            )
        } else {
            (SIZE, scene.particles, scene.fog_slices)
        };
        let load = FrameLoad {
            size: args.size.unwrap_or(size),
            particles: args.particles.unwrap_or(particles),
        };
        let mut settings = Settings {
            scene: self.name.clone(),
            size: load.size,
            time: args.time.unwrap_or(scene.best_time),
            seed: args.seed,
            camera: String::new(),
            moved_camera: None,
            particles: load.particles,
            fog_slices: args.fog_slices.unwrap_or(slices),
            factors: args.factors.without_negative_zero(),
            // The list is as loaded with the scene: files outside the scene's folder have absolute paths.
            splats: args.places_splats().then(|| scene.splats.clone()),
            options: args.options.settle(load)?,
        };
        settings.look_from(scene, &self.camera);
        let notice = caps.is_cpu.then(|| self.smaller(&settings)).flatten();
        let notice = notice.map(|smaller| {
            format!(
                "{} is a CPU adapter, so smaller defaults apply: {smaller}",
                caps.name
            )
        });
        Ok((settings, notice))
    }

    /// Names the unset values that are smaller than on other adapters, in words.
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
