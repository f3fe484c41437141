//! All settings of a frame in one struct, for the command line, presets, reports, picture metadata and panes.

mod args;
mod auto;
mod option_args;
mod ranges;

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::model::files::Files;
use crate::model::methods::Method;
use crate::model::options::Options;
use crate::model::scene;
use crate::model::scene::{CameraPreset, Factors, Scene, SplatSpec, Viewpoint};
use crate::paths::{last_part, quoted};
use crate::progress::Listener;

use ranges::place;

pub use args::{Purpose, Request, SceneArgs, default_settings, defaults_in, parse_size};
pub use auto::{FrameLoad, auto_tile};
pub use option_args::{OptionArgs, help_of};
pub use ranges::{SIZE, Words};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Scene name, or the path of a scene that is not built in; see [`Settings::published`].
    pub scene: String,
    pub size: [u32; 2],
    /// Seconds on the scene's clock.
    pub time: f32,
    pub seed: u32,
    pub camera: String,
    /// Camera moved by the user; `None` if it is at the preset's position.
    pub moved_camera: Option<Viewpoint>,
    pub particles: u32,
    pub fog_slices: u32,
    #[serde(default)]
    pub factors: Factors,
    /// Splat files that replace the scene's own files; `None` to keep the scene's own files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub splats: Option<Vec<SplatSpec>>,
    #[serde(default)]
    pub options: Options,
}

impl Settings {
    /// `options` with `auto` replaced by numbers, chosen for this frame.
    pub fn settled(&self, options: Options) -> Options {
        let load = FrameLoad {
            size: self.size,
            particles: self.particles,
        };
        load.settle(options)
    }

    /// Checks the range of every value. [`Settings::load`] checks that the scene and the camera exist.
    pub fn check(&self) -> Result<()> {
        let Self {
            scene: _,
            size,
            time,
            seed: _,
            camera: _,
            moved_camera,
            particles: _,
            fog_slices,
            factors,
            splats,
            options,
        } = self;
        let words = Words::Fields;
        words.size(*size)?;
        words.time(*time)?;
        if let Some(moved) = moved_camera {
            words.camera(moved)?;
        }
        words.fog_slices(*fog_slices)?;
        words.factors(factors)?;
        scene::check_splats("splats", splats.as_deref().unwrap_or_default())?;
        words.options(options)
    }

    /// True if a frame made for `other` can also draw these settings: equal scene, buffer sizes and storage formats.
    pub fn fits_frame_of(&self, other: &Self) -> bool {
        let Self {
            scene,
            size,
            time: _,
            seed: _,
            camera: _,
            moved_camera: _,
            particles,
            fog_slices,
            factors: _,
            splats,
            options,
        } = self;
        let own = (scene, size, particles, fog_slices, splats);
        let others = (
            &other.scene,
            &other.size,
            &other.particles,
            &other.fog_slices,
            &other.splats,
        );
        own == others && options.frame.fit_frame_of(&other.options.frame)
    }

    /// The scene and camera that the settings name. Checks all settings, because they may come from a preset file.
    pub fn load(&self, files: &dyn Files) -> Result<(Scene, CameraPreset)> {
        self.load_telling(files, &mut |_| Ok(()))
    }

    /// Like [`Settings::load`]; reports progress of reading the scene's files to `progress`.
    pub fn load_telling(
        &self,
        files: &dyn Files,
        progress: Listener,
    ) -> Result<(Scene, CameraPreset)> {
        self.check()?;
        let scene = scene::load_telling(&self.scene, self.splats.as_deref(), files, progress)?;
        let camera = self.camera_in(&scene)?;
        Ok((scene, camera))
    }

    /// Camera in `scene`: the preset, or the moved viewpoint under the preset's name.
    pub fn camera_in(&self, scene: &Scene) -> Result<CameraPreset> {
        let preset = scene.camera(Some(&self.camera))?;
        Ok(match self.moved_camera {
            Some(moved) => moved.named(&preset.name),
            None => preset.clone(),
        })
    }

    /// Adopts `camera`: a camera of the scene, or a camera moved from the preset with the same name.
    pub fn look_from(&mut self, scene: &Scene, camera: &CameraPreset) {
        self.camera.clone_from(&camera.name);
        let is_preset = scene.cameras.contains(camera);
        self.moved_camera = (!is_preset).then(|| camera.viewpoint());
    }

    /// Scene name, or the file name of a scene that is not built in.
    pub fn scene_name(&self) -> String {
        match last_part(&self.scene) {
            "" | "." | ".." => self.scene.clone(),
            name => name.to_owned(),
        }
    }

    /// The settings for publication, without the folders of the scene file and of splat files with absolute paths.
    pub fn published(&self) -> Self {
        let without_folder = |spec: &SplatSpec| match Path::new(&spec.file).is_absolute() {
            true => SplatSpec {
                file: last_part(&spec.file).to_owned(),
                ..spec.clone()
            },
            false => spec.clone(),
        };
        let splats = self.splats.as_ref();
        Self {
            scene: self.scene_name(),
            splats: splats.map(|list| list.iter().map(without_folder).collect()),
            ..self.clone()
        }
    }

    /// Flags that reproduce the settings, without the camera position and factors if they are the scene's own.
    pub fn flags(&self) -> String {
        let settings = self.plain().into_iter().chain(self.options.named());
        let flag = |(name, value): (&str, String)| {
            // Without this, a file or camera named `-a` would read as a flag.
            let joint = if value.starts_with('-') { '=' } else { ' ' };
            format!("--{}{joint}{}", name.replace(' ', "-"), quoted(&value))
        };
        let flags: Vec<String> = settings.chain(self.added()).map(flag).collect();
        flags.join(" ")
    }

    /// Names and values of the settings that are always stated, and of the camera position if it was moved.
    fn plain(&self) -> Vec<(&'static str, String)> {
        let [width, height] = self.size;
        let mut plain = vec![
            ("scene", self.scene.clone()),
            ("size", format!("{width}x{height}")),
            ("time", self.time.to_string()),
            ("seed", self.seed.to_string()),
            ("camera", self.camera.clone()),
        ];
        if let Some(Viewpoint { eye, target, fov_y }) = self.moved_camera {
            plain.push(("eye", place(eye)));
            plain.push(("target", place(target)));
            plain.push(("fov", fov_y.to_string()));
        }
        plain.push(("particles", self.particles.to_string()));
        plain.push(("fog slices", self.fog_slices.to_string()));
        plain
    }

    /// Names and values of factors and splats that are not the scene's own.
    fn added(&self) -> impl Iterator<Item = (&'static str, String)> {
        let factors = self.factors.named().into_iter();
        let changed = factors.filter(|(_, factor)| *factor != 1.0);
        let splats = self.splats.iter();
        let splats = splats.map(|list| ("splats", scene::splats_text(list)));
        changed
            .map(|(name, factor)| (name, factor.to_string()))
            .chain(splats)
    }

    /// Command line that draws the settings again with `methods` (all if empty), quoted for a POSIX shell.
    pub fn command(&self, subcommand: &str, methods: &[Method]) -> String {
        let mut command = format!("wavelerp {subcommand} {}", self.flags());
        if !methods.is_empty() {
            command += &format!(" --methods {}", names(methods));
        }
        command
    }

    /// Every setting for metadata and captions, without the camera position and factors if they are the scene's own.
    pub fn facts(&self) -> Vec<(String, String)> {
        let published = self.published();
        let settings = published.plain().into_iter().chain(published.added());
        let fact = |(name, value): (&str, String)| match name {
            "time" => (name.to_owned(), value + " s"),
            _ => (name.to_owned(), value),
        };
        settings.chain(self.options.named()).map(fact).collect()
    }
}

pub fn names(methods: &[Method]) -> String {
    let names: Vec<&str> = methods.iter().map(|method| method.name()).collect();
    names.join(",")
}

#[cfg(test)]
mod tests;
