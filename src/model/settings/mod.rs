//! All settings of a frame in one struct, which command line, preset files, reports, picture metadata and
//! panes share.

mod args;
mod file;
mod option_args;
mod ranges;
mod tile;

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

use file::SettingsFile;
use ranges::place;

pub use args::{Purpose, Request, SceneArgs, default_settings, defaults_in, parse_size};
pub use option_args::{OptionArgs, help_of};
pub use ranges::{
    BIN_BLOCKS, BINS, CAPACITIES, KEPT, KEY_BITS, LIST_ROOMS, MOST_CORE_OPACITY, MOST_FIRST_LAYERS,
    MOST_FRAMES, MOST_ORDER_AGE, MOST_SAMPLES, MOST_STOP_BELOW, MOST_WALKS, MOST_WEIGHT_SLICES,
    SIZE, SUM_BACKGROUNDS, SUM_REACHES, SUM_SCALES, WEIGHT_SCALES, Words,
};
pub use tile::{FrameLoad, auto_tile};

/// All settings of a frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "SettingsFile")]
pub struct Settings {
    /// The scene's name, or the path of one that is not in the program; see [`Settings::published`].
    pub scene: String,
    /// Frame size in pixels.
    pub size: [u32; 2],
    /// Seconds on the scene's clock.
    pub time: f32,
    /// Seed of all randomness.
    pub seed: u32,
    /// Camera preset.
    pub camera: String,
    /// Where the camera is instead; none where it is at its preset.
    pub moved_camera: Option<Viewpoint>,
    /// Number of particles asked for.
    pub particles: u32,
    pub fog_slices: u32,
    /// Factors on the scene's layers.
    pub factors: Factors,
    /// Files of splats in the place of the scene's own; none: the scene's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub splats: Option<Vec<SplatSpec>>,
    /// How it is drawn and composited.
    pub options: Options,
}

impl Settings {
    /// Gives the tile that suits the frame, where that is left to the program.
    pub fn settle_tile(&mut self) {
        if self.options.frame.auto_tile {
            let load = FrameLoad {
                size: self.size,
                particles: self.particles,
            };
            let Options { frame, method } = &mut self.options;
            frame.tile = auto_tile(load);
            method.pixels_per_wave = method.pixels_per_wave.min(frame.pixels_of_tile());
        }
    }

    /// Checks the range of every value. Whether scene and camera exist is found by [`Settings::load`].
    ///
    /// # Errors
    /// Usage: field, value and what it must be.
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

    /// Whether a frame that was made for `other` can draw these settings too: its buffers have the same sizes,
    /// what is in them is stored in the same way, and its scene is the same.
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

    /// The scene that these settings name, and its camera; checks all settings, as of a preset file.
    ///
    /// # Errors
    /// Usage: as [`Settings::check`], and no such scene or camera.
    pub fn load(&self, files: &dyn Files) -> Result<(Scene, CameraPreset)> {
        self.load_telling(files, &mut |_| Ok(()))
    }

    /// Like [`Settings::load`]; `progress` is told how far the scene's files are read.
    ///
    /// # Errors
    /// Same as [`Settings::load`], and the error with which `progress` ends the work.
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

    /// The camera in `scene`: the preset, or where it was moved to, under the preset's name.
    ///
    /// # Errors
    /// Usage: the scene has no such camera.
    pub fn camera_in(&self, scene: &Scene) -> Result<CameraPreset> {
        let preset = scene.camera(Some(&self.camera))?;
        Ok(match self.moved_camera {
            Some(moved) => moved.named(&preset.name),
            None => preset.clone(),
        })
    }

    /// Takes over `camera`, which is one of the scene's or was moved away from the one of its name.
    pub fn look_from(&mut self, scene: &Scene, camera: &CameraPreset) {
        self.camera.clone_from(&camera.name);
        let is_preset = scene.cameras.contains(camera);
        self.moved_camera = (!is_preset).then(|| camera.viewpoint());
    }

    /// The scene's name, or the file name of one that is not in the program.
    pub fn scene_name(&self) -> String {
        match last_part(&self.scene) {
            "" | "." | ".." => self.scene.clone(),
            name => name.to_owned(),
        }
    }

    /// The settings as they may be shown to others: without the folders of a scene file, and of splat files that
    /// are not named from it.
    #[must_use]
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

    /// The flags that bring these settings back, whatever the adapter's defaults. The camera's place
    /// and the factors are left away where they are the scene's own.
    pub fn flags(&self) -> String {
        let mut camera = quoted(&self.camera);
        if let Some(Viewpoint { eye, target, fov_y }) = self.moved_camera {
            let [eye, target] = [eye, target].map(place);
            camera += &format!(" --eye {eye} --target {target} --fov {fov_y}");
        }
        let [width, height] = self.size;
        let mut flags = format!(
            "--scene {} --size {width}x{height} --time {} --seed {} --camera {camera} --particles {} \
             --fog-slices {}",
            quoted(&self.scene),
            self.time,
            self.seed,
            self.particles,
            self.fog_slices,
        );
        for (name, value) in self.options.named() {
            flags += &format!(" --{} {value}", name.replace(' ', "-"));
        }
        for (name, factor) in self.changed_factors() {
            flags += &format!(" --{} {factor}", name.replace(' ', "-"));
        }
        if let Some(splats) = &self.splats {
            flags += &format!(" --splats {}", quoted(&scene::splats_text(splats)));
        }
        flags
    }

    fn changed_factors(&self) -> impl Iterator<Item = (&'static str, f32)> {
        let named = self.factors.named().into_iter();
        named.filter(|(_, factor)| *factor != 1.0)
    }

    /// The command line that draws these settings again by `methods`, by all of them if there are
    /// none, as a POSIX shell takes it: `wavelerp capture --scene …`.
    pub fn command(&self, subcommand: &str, methods: &[Method]) -> String {
        let mut command = format!("wavelerp {subcommand} {}", self.flags());
        if !methods.is_empty() {
            command += &format!(" --methods {}", names(methods));
        }
        command
    }

    /// Name and value of every setting, for metadata and captions; the camera's place and the factors
    /// where they are not the scene's own.
    pub fn facts(&self) -> Vec<(String, String)> {
        let mut facts = vec![
            ("scene", self.scene_name()),
            ("size", format!("{}x{}", self.size[0], self.size[1])),
            ("time", format!("{} s", self.time)),
            ("seed", self.seed.to_string()),
            ("camera", self.camera.clone()),
        ];
        if let Some(Viewpoint { eye, target, fov_y }) = self.moved_camera {
            facts.push(("eye", place(eye)));
            facts.push(("target", place(target)));
            facts.push(("fov", fov_y.to_string()));
        }
        facts.extend([
            ("particles", self.particles.to_string()),
            ("fog slices", self.fog_slices.to_string()),
        ]);
        facts.extend(
            self.changed_factors()
                .map(|(name, factor)| (name, factor.to_string())),
        );
        if let Some(splats) = self.published().splats {
            facts.push(("splats", scene::splats_text(&splats)));
        }
        facts.extend(self.options.named());
        let owned = |(name, value): (&str, String)| (name.to_owned(), value);
        facts.into_iter().map(owned).collect()
    }
}

/// Names with commas between them.
pub fn names(methods: &[Method]) -> String {
    let names: Vec<&str> = methods.iter().map(|method| method.name()).collect();
    names.join(",")
}

#[cfg(test)]
mod tests;
