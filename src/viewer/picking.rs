//! Files that the user names in a dialog, a field or a list, or drops on the window. Opens no dialog.

use std::path::{Path, PathBuf};

use crate::input::Disk;
use crate::model::scene::{MESH_ENDINGS, SPLAT_ENDINGS, can_open};

use super::action::Pick;
use super::files::{folder_of, free_path, name_of};
use super::preset;
use super::state::State;

/// Leaves out buffers of models. If no file can be opened, returns the first one, so that its error is shown.
pub fn worth_opening(mut paths: Vec<&Path>) -> Vec<&Path> {
    if paths.len() > 1 {
        let can_open = |path: &Path| path.to_str().is_some_and(|name| can_open(name, &Disk));
        let first = paths[0];
        paths.retain(|path| can_open(path));
        if paths.is_empty() {
            paths.push(first);
        }
    }
    paths
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    File,
    Folder,
    /// A file to write, with a suggested name.
    NewFile,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Dialog {
    pub title: &'static str,
    pub choice: Choice,
    /// Name and extensions of the files to list; `None` to list all files.
    pub filter: Option<(&'static str, Vec<&'static str>)>,
    pub folder: Option<PathBuf>,
    pub name: String,
}

impl Pick {
    pub fn dialog(self, state: &State) -> Dialog {
        let (title, choice, what, endings) = match self {
            Self::Open => {
                let endings = [&["ron"], &SPLAT_ENDINGS[..], &MESH_ENDINGS[..]].concat();
                let what = "Scenes, splats, models and presets";
                ("Open a file", Choice::File, what, endings)
            }
            Self::OpenPreset => ("Open a preset", Choice::File, "Presets", vec!["ron"]),
            Self::Add => {
                let endings = SPLAT_ENDINGS.to_vec();
                ("Add splats to the scene", Choice::File, "Splats", endings)
            }
            Self::SavePicture => ("Save the picture", Choice::NewFile, "PNG", vec!["png"]),
            Self::SaveSet => {
                let title = "Save the comparison set into";
                (title, Choice::Folder, "", Vec::new())
            }
            Self::SavePreset => {
                let endings = vec!["ron"];
                ("Save all settings", Choice::NewFile, "Presets", endings)
            }
        };
        Dialog {
            title,
            choice,
            filter: (!endings.is_empty()).then_some((what, endings)),
            folder: self.folder(state),
            name: self.name(state),
        }
    }

    /// Initial folder of the dialog: an absolute path that exists.
    fn folder(self, state: &State) -> Option<PathBuf> {
        let around = |path: &str| Path::new(path).parent().map(Path::to_owned);
        let folder = match self {
            Self::Open | Self::Add => around(state.files.recent.paths().first()?)?,
            Self::OpenPreset | Self::SavePreset => preset::folder()?,
            Self::SavePicture | Self::SaveSet => folder_of(&state.subject.settings.scene_name()),
        };
        std::path::absolute(folder)
            .ok()
            .filter(|folder| folder.is_dir())
    }

    fn name(self, state: &State) -> String {
        match self {
            Self::SavePicture => {
                name_of(&state.subject.settings, state.comparison.left().name()) + ".png"
            }
            Self::SavePreset => {
                let path = preset::file_of(&state.panes.preset_name).ok();
                let name = path.as_deref().and_then(Path::file_name);
                name.map_or_else(String::new, |name| name.to_string_lossy().into_owned())
            }
            _ => String::new(),
        }
    }

    /// The chosen path; the extension is added to a new file that has none.
    pub fn completed(self, path: PathBuf) -> PathBuf {
        let ending = match self {
            Self::SavePicture => "png",
            Self::SavePreset => "ron",
            _ => return path,
        };
        let own = path.extension();
        match (path.parent(), path.file_name()) {
            (Some(folder), Some(name))
                if own.is_none_or(|own| !own.eq_ignore_ascii_case(ending)) =>
            {
                // The dialog did not ask whether to replace a file of that name.
                free_path(folder, &name.to_string_lossy(), &format!(".{ending}"))
            }
            _ => path,
        }
    }
}
