//! Presets: RON files of all values that the panes change. An unusable file changes nothing.

use std::path::{Path, PathBuf};

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::input;
use crate::model::methods::Method;
use crate::model::options::LeftOut;
use crate::model::scene::Viewpoint;
use crate::model::settings::{Settings, Words};
use crate::paths::{config_folder, unfit};
use crate::report::range::RangeChoice;

use super::dock::{Dock, without_map};
use super::ron_file;
use super::ron_file::cannot;
use super::view::{Layout, View};

const LAST: &str = "last.ron";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Compare {
    /// Method A, shown on the left of a split. Differences are A - B.
    pub a: Method,
    /// Method B, shown on the right of a split.
    pub b: Method,
    pub reference: Method,
    pub split_on: bool,
    /// Position of the split, as a fraction of the picture's width, 0…1.
    pub split: f32,
    pub blink: bool,
    pub view: View,
    /// Layout of the pictures. Older presets have no layout, and show one picture.
    #[serde(default = "one_picture")]
    pub layout: Layout,
    pub labels: bool,
    pub labels_saved: bool,
    pub baseline: Method,
    /// log10 of the amplification of differences, 0…7.
    pub amplify_log10: f32,
    pub difference_range: RangeChoice,
    pub metrics: bool,
    /// log10 of the difference above which a pixel is counted, -9…0.
    pub threshold_log10: f32,
}

impl Compare {
    /// Replaces `method` with `other` wherever it is shown. Returns true if it was shown.
    pub fn replace(&mut self, method: Method, other: Method) -> bool {
        let shown = [&mut self.a, &mut self.b, &mut self.reference];
        let of_method = shown.into_iter().filter(|shown| **shown == method);
        of_method.map(|shown| *shown = other).count() > 0
    }
}

impl Default for Compare {
    fn default() -> Self {
        Self {
            a: Method::WaveLerpDeferred,
            b: Method::ReadLaneLoop,
            reference: Method::PixelLoop,
            split_on: true,
            split: 0.5,
            blink: false,
            view: View::Picture,
            layout: Layout::default(),
            labels: true,
            labels_saved: false,
            baseline: Method::ReadLaneLoop,
            amplify_log10: 5.0,
            difference_range: RangeChoice::Auto,
            metrics: true,
            threshold_log10: -6.0,
        }
    }
}

fn eases() -> bool {
    true
}

fn one_picture() -> Layout {
    Layout::Single
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preset {
    pub settings: Settings,
    #[serde(default)]
    pub compare: Compare,
    pub running: bool,
    /// Scene seconds per second of real time.
    pub speed: f32,
    pub vsync: bool,
    /// True if smaller frames are drawn during motion on a CPU adapter; missing in older files.
    #[serde(default = "eases")]
    pub eases: bool,
    #[serde(default)]
    pub cameras: Vec<Viewpoint>,
    /// Arrangement of the panes from [`Dock::text`]; empty for the default.
    #[serde(default)]
    pub panes: String,
    #[serde(default)]
    pub is_light: bool,
    /// True to time one further method in every frame. If the value is missing, the window decides.
    #[serde(default)]
    pub keeps_measuring: Option<bool>,
    #[serde(skip)]
    pub remarks: Vec<String>,
}

impl Preset {
    pub fn load(path: &Path) -> Result<Self> {
        let mut preset: Self = ron_file::read(path, input::PRESET)?;
        preset.check().map_err(|error| cannot(path, &error))?;
        let mut remark = |line: &str| {
            let line = format!("{}: {line}", path.display());
            preset.remarks.push(line);
        };
        if let Some(line) = left_out(path)?.line() {
            remark(&line);
        }
        if without_map(&preset.panes).is_some() {
            remark("panes: the pane Map no longer exists and is left out");
        }
        if let Err(error) = Dock::parse(&preset.panes) {
            preset.panes.clear();
            remark(&format!("panes: {error}; the default arrangement is used"));
        }
        Ok(preset)
    }

    fn check(&self) -> Result<()> {
        self.settings.check()?;
        let compare = &self.compare;
        for (name, value, allowed) in [
            ("split", compare.split, 0.0..=1.0),
            ("amplify_log10", compare.amplify_log10, 0.0..=7.0),
            ("threshold_log10", compare.threshold_log10, -9.0..=0.0),
            ("speed", self.speed, 0.0..=100.0),
        ] {
            if !allowed.contains(&value) {
                let (least, most) = (allowed.start(), allowed.end());
                return Err(Error::usage(format!(
                    "{name}: {value}: must be {least} to {most}"
                )));
            }
        }
        self.cameras
            .iter()
            .try_for_each(|camera| Words::Fields.camera(camera))
            .map_err(|error| error.context("cameras"))
    }

    /// Writes the preset under the user's name. An existing file is replaced only if it is a preset.
    pub fn save_as(&self, path: &Path) -> Result<()> {
        if input::exists(path)
            && let Err(error) = Self::load(path)
        {
            return Err(Error::usage(format!(
                "{error}; this file is not a preset and is not replaced: choose another name"
            )));
        }
        self.save(path)
    }

    pub fn save(&self, path: &Path) -> Result<()> {
        ron_file::write(path, self)
    }
}

/// The preset that is written when the window closes. `None` if the user has no home folder.
pub fn last_file() -> Option<PathBuf> {
    Some(config_folder()?.join(LAST))
}

fn left_out(path: &Path) -> Result<LeftOut> {
    #[derive(Deserialize)]
    struct OfPreset {
        settings: OfSettings,
    }

    #[derive(Deserialize)]
    struct OfSettings {
        #[serde(default)]
        options: LeftOut,
    }

    let read: OfPreset = ron_file::read(path, input::PRESET)?;
    Ok(read.settings.options)
}

/// True for a preset and false for a scene: both are RON files.
pub fn is_preset(path: &Path) -> bool {
    #[derive(Deserialize)]
    struct Mark {
        #[serde(rename = "settings")]
        _settings: IgnoredAny,
    }
    ron_file::read::<Mark>(path, input::PRESET).is_ok()
}

pub fn folder() -> Option<PathBuf> {
    Some(config_folder()?.join("presets"))
}

pub fn names() -> Vec<String> {
    let entries = folder().and_then(|folder| std::fs::read_dir(folder).ok());
    let paths = entries
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path());
    let presets = paths.filter(|path| path.extension().is_some_and(|ending| ending == "ron"));
    let mut names: Vec<String> = presets
        .filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned()))
        .collect();
    names.sort();
    names
}

/// File of the preset called `name`: the name itself if it looks like a path, otherwise a file in the preset folder.
pub fn file_of(name: &str) -> Result<PathBuf> {
    let name = name.trim();
    if name.is_empty() {
        return Err(Error::usage("the preset needs a name"));
    }
    if name.ends_with(".ron") || name.contains(['/', '\\']) {
        return Ok(PathBuf::from(name));
    }
    if let Some(why) = unfit(name) {
        return Err(Error::usage(format!(
            "the preset's name {why}: choose another one"
        )));
    }
    let folder = folder().ok_or_else(|| {
        Error::usage(format!(
            "there is no home folder for the preset {name}; give a path, such as ./{name}.ron"
        ))
    })?;
    Ok(folder.join(format!("{name}.ron")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Disk;
    use crate::model::Capabilities;
    use crate::model::settings::{Purpose, default_settings};

    fn preset() -> Result<Preset> {
        Ok(Preset {
            settings: default_settings("two", &Disk, &Capabilities::default(), Purpose::Window)?,
            compare: Compare::default(),
            running: true,
            speed: 1.0,
            vsync: true,
            eases: true,
            cameras: Vec::new(),
            panes: String::new(),
            is_light: false,
            keeps_measuring: None,
            remarks: Vec::new(),
        })
    }

    #[test]
    fn a_file_that_is_no_preset_is_never_replaced_by_one() -> Result<()> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("notes.ron");
        let mine = "(these: \"are my notes\")";
        std::fs::write(&path, mine).expect("a file");
        let refused = preset()?.save_as(&path).expect_err("no preset");
        assert!(refused.message.contains("notes.ron"), "{refused}");
        assert!(refused.message.contains("not replaced"), "{refused}");
        assert_eq!(std::fs::read_to_string(&path).expect("it is there"), mine);
        std::fs::remove_file(&path).expect("it is removed");
        preset()?.save_as(&path)?;
        let other = Preset {
            speed: 2.0,
            ..preset()?
        };
        other.save_as(&path)?;
        assert_eq!(Preset::load(&path)?, other, "a preset replaces a preset");
        Ok(())
    }

    #[test]
    fn a_preset_with_options_that_are_gone_opens_and_one_line_names_them() -> Result<()> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("old.ron");
        let today = preset()?;
        today.save(&path)?;
        let text = std::fs::read_to_string(&path).expect("it is there");
        let old = text.replace(
            "early_out:",
            "macro_tile: r#4x4,
early_out:",
        );
        let old = old.replace("estimate: depth", "estimate: layered");
        std::fs::write(&path, old).expect("a file");
        let read = Preset::load(&path)?;
        assert_eq!(read.settings, today.settings);
        let line =
            "options that this version does not have are left out: macro_tile, estimate layered";
        assert_eq!(read.remarks, [format!("{}: {line}", path.display())]);
        Ok(())
    }
}
