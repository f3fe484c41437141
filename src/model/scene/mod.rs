//! Scenes: the scene file, its checks, and the conversion to GPU data. Independent of wgpu.
//!
//! A scene is a RON file; `docs/scenes.md` lists every field. [`load`] finds every error that a file can contain, so
//! the rest of the crate can rely on a [`Scene`].

mod camera;
mod check;
mod emitters;
mod endings;
mod factors;
pub mod file;
mod framing;
mod last_read;
mod lights;
mod mesh;
mod mesh_file;
mod meshes;
mod named;
mod parse;
mod placed_meshes;
mod placed_splats;
pub(crate) mod random;
mod sheets;
mod slices;
mod splat_file;
mod splats;
mod sun;
mod units;

pub use camera::{Camera, SLOW_TURN};
pub(crate) use check::check_splats;
pub use emitters::emitters;
pub use endings::{MESH_ENDINGS, SPLAT_ENDINGS, is_file_alone, is_mesh_file, is_splat_file};
pub use factors::Factors;
pub(crate) use file::Checked;
pub use file::{
    Amount, Bloom, CameraPreset, EmitterSpec, Fog, MOST_SHEETS, MeshSpec, Noise, PointLight, Scene,
    Shape, SheetSpec, Sky, SplatColors, SplatSpec, Sun, Surface, ToneCurve, Viewpoint,
};
pub use lights::{flickering, lights};
pub use mesh::vertices;
pub use named::Named;
pub use placed_meshes::PlacedMeshes;
pub use placed_splats::{PlacedSplats, Splatted};
pub use sheets::{SHEET_LIGHT_EDGE, cell_reach, seen_sheets, sheets};
pub use slices::{MOST_SLICES, slice_bounds};
pub use sun::sun_clip_from_world;
pub use units::{extinction_unit, radiance_unit};

use std::borrow::Cow;
use std::path::Path;
use std::sync::LazyLock;

use crate::error::{Error, Result, suggestion};
use crate::model::files::Files;
use crate::model::kind::{FileKind, RECORD, SplatKind, kind_at_start};
use crate::progress::{Listener, Progress};

/// Built-in scenes by name; the first is the default.
const EMBEDDED: [(&str, &str); 7] = [
    ("temple", include_str!("../../../assets/scenes/temple.ron")),
    ("stack", include_str!("../../../assets/scenes/stack.ron")),
    (
        "harbour",
        include_str!("../../../assets/scenes/harbour.ron"),
    ),
    ("panes", include_str!("../../../assets/scenes/panes.ron")),
    ("stress", include_str!("../../../assets/scenes/stress.ron")),
    ("two", include_str!("../../../assets/scenes/two.ron")),
    ("statue", include_str!("../../../assets/scenes/statue.ron")),
];

const EMBEDDED_FOLDER: &str = "assets/scenes";

/// Names of the built-in scenes, default first.
pub fn names() -> Vec<&'static str> {
    EMBEDDED.iter().map(|scene| scene.0).collect()
}

/// Built-in scenes with their descriptions, default first.
pub fn listed() -> &'static [(&'static str, String)] {
    static LISTED: LazyLock<Vec<(&str, String)>> = LazyLock::new(|| {
        let shows = |text| parse::parse("", text).map_or_else(|_| String::new(), |of| of.shows);
        let scenes = EMBEDDED.iter();
        scenes.map(|(name, text)| (*name, shows(text))).collect()
    });
    &LISTED
}

/// The built-in scene with the given name, otherwise the scene file at the given path.
///
/// A text that is not in [`names`] is a path if it has the extension of a scene, splat or model file, contains a path
/// separator or names an existing file. A splat or model file can be opened as a scene.
///
/// # Errors
/// Usage: no such scene (with the nearest names), an unreadable file, RON that does not parse (file, line, column and
/// field), or a value out of range (file, line, field, value and range).
pub fn load(name_or_path: &str, files: &dyn Files) -> Result<Scene> {
    load_telling(name_or_path, None, files, &mut |_| Ok(()))
}

/// Like [`load`], with `splats` replacing the scene's own splat files; paths are relative to the scene's folder, or to
/// the working folder if the scene has none. Reports progress of reading files to `progress`.
pub fn load_telling(
    name_or_path: &str,
    splats: Option<&[SplatSpec]>,
    files: &dyn Files,
    progress: Listener,
) -> Result<Scene> {
    let named = files_of(name_or_path, files);
    let placed = splats.map(|list| found_from(named, list)).transpose()?;
    let kind = shown_kind_at(name_or_path, files)?;
    if let FileKind::Splats(_) = kind {
        let scene = splat_file::scene_of(name_or_path, placed, files, progress)?;
        return match scene.placed_splats.has_meshes {
            true => mesh_file::beside(scene, name_or_path, files, progress),
            false => Ok(scene),
        };
    }
    if kind == FileKind::Model {
        let mut scene = mesh_file::scene_of(name_or_path, files, progress)?;
        scene.splats = placed.unwrap_or_default();
        let loaded = scene.load_splats(named, progress);
        return loaded.map(|()| scene).map_err(|(_, error)| error);
    }
    let (file, text) = text_of(name_or_path, files)?;
    read(&file, &text, (named, placed), progress)
}

/// A checked list of splat files, with paths resolved relative to the scene's folder.
pub fn found_from(files: Named, splats: &[SplatSpec]) -> Result<Vec<SplatSpec>> {
    check::check_splats("splats", splats)?;
    let found = |spec: &SplatSpec| {
        let elsewhere = match files.has(&spec.file) {
            true => None,
            false => files.files().look(Path::new(&spec.file)),
        };
        let elsewhere = elsewhere.and_then(|seen| seen.path.into_os_string().into_string().ok());
        SplatSpec {
            file: elsewhere.unwrap_or_else(|| spec.file.clone()),
            ..spec.clone()
        }
    };
    Ok(splats.iter().map(found).collect())
}

/// A list of splat files in the syntax of scene files, on one line.
pub fn splats_text(splats: &[SplatSpec]) -> String {
    ron::to_string(splats).unwrap_or_default()
}

/// Parses the output of [`splats_text`], or any list in a scene file.
pub fn parse_splats(text: &str) -> std::result::Result<Vec<SplatSpec>, String> {
    let list: Vec<SplatSpec> = ron::from_str(text).map_err(|error| {
        format!("{error}; write a list as in scene files: [(file: \"bust.ply\", position: (0.0, 1.0, 0.0))]")
    })?;
    check::check_splats("splats", &list).map_err(|error| error.message)?;
    Ok(list)
}

/// The scene that [`load`] makes, without reading the files that the scene names. For a splat or model file, the
/// cameras have the same names but default positions.
pub fn outline(name_or_path: &str, files: &dyn Files) -> Result<Scene> {
    let kind = shown_kind_at(name_or_path, files)?;
    if matches!(kind, FileKind::Splats(_) | FileKind::Model) {
        let opened = files.open(&named::file_in(name_or_path.into(), files));
        opened.map_err(|reason| Error::usage(format!("{name_or_path}: {reason}")))?;
        return Ok(match kind {
            FileKind::Model => mesh_file::outline_of(name_or_path),
            _ => splat_file::outline_of(name_or_path),
        });
    }
    let (file, text) = text_of(name_or_path, files)?;
    let scene = parse::parse(&file, &text)?;
    check::check(&file, &text, &scene)?;
    Ok(scene)
}

/// Kind of a scene given by name or path: a scene file, or a file that can be opened as a scene.
fn shown_kind_at(name_or_path: &str, files: &dyn Files) -> Result<FileKind> {
    match kind_at(name_or_path, files)? {
        FileKind::Record => Err(Error::usage(format!("{name_or_path}: {RECORD}"))),
        kind => Ok(kind),
    }
}

/// True if there is a scene with the given name, or a readable file at the path or in the folder at the path.
pub fn can_open(name_or_path: &str, files: &dyn Files) -> bool {
    let seen = files.look(&named::file_in(name_or_path.into(), files));
    seen.is_some_and(|seen| seen.is_regular) && kind_at(name_or_path, files).is_ok()
}

/// Kind of a scene given by name, or of any file.
pub fn kind_at(name_or_path: &str, files: &dyn Files) -> Result<FileKind> {
    if names().contains(&name_or_path) {
        return Ok(FileKind::Scene);
    }
    let by_name = || match () {
        () if is_splat_file(name_or_path) => FileKind::Splats(SplatKind::Ply),
        () if is_mesh_file(name_or_path) => FileKind::Model,
        () => FileKind::Scene,
    };
    // The reader reports unreadable files.
    let path = named::file_in(name_or_path.into(), files);
    let Ok(mut file) = files.open(&path) else {
        return Ok(by_name());
    };
    match kind_at_start(&mut file, &path.to_string_lossy()) {
        Ok(FileKind::Other(reason)) => Err(Error::usage(format!("{name_or_path}: {reason}"))),
        Ok(kind) => Ok(kind),
        Err(_) => Ok(by_name()),
    }
}

/// Location of the files that a scene names; the scene is given by name or path.
pub fn files_of<'a>(name_or_path: &'a str, files: &'a dyn Files) -> Named<'a> {
    match EMBEDDED.iter().any(|scene| scene.0 == name_or_path) {
        true => Named::in_program(files),
        false if !matches!(kind_at(name_or_path, files), Ok(FileKind::Scene)) => {
            Named::as_given(files)
        }
        false => Named::beside(name_or_path, files),
    }
}

/// Name of a scene's file as used in messages, and the file's text.
fn text_of<'a>(
    name_or_path: &'a str,
    files: &dyn Files,
) -> Result<(Cow<'a, str>, Cow<'static, str>)> {
    if let Some((name, text)) = EMBEDDED.iter().find(|scene| scene.0 == name_or_path) {
        let file = format!("{EMBEDDED_FOLDER}/{name}.ron");
        return Ok((file.into(), Cow::Borrowed(text)));
    }
    let path = Path::new(name_or_path);
    let is_path = name_or_path.ends_with(".ron")
        || name_or_path.contains(['/', '\\'])
        || files.look(path).is_some_and(|seen| seen.is_regular);
    if !is_path {
        let near = suggestion(name_or_path, names());
        return Err(Error::usage(format!(
            "there is no scene `{name_or_path}`{near} (or give the path of a .ron, splat or model file)"
        )));
    }
    let text = files
        .text(path)
        .map_err(|why| Error::usage(format!("{name_or_path}: cannot read the scene: {why}")))?;
    Ok((name_or_path.into(), text.into()))
}

/// Parses a scene; `file` identifies the scene in messages, and the files that it names are in the same folder.
pub fn from_text(file: &str, text: &str, files: &dyn Files) -> Result<Scene> {
    let named = Named::beside(file, files);
    read(file, text, (named, None), &mut |_| Ok(()))
}

/// Parses a scene, given the location of its files and an optional replacement for its splats.
fn read(
    file: &str,
    text: &str,
    (files, splats): (Named, Option<Vec<SplatSpec>>),
    progress: Listener,
) -> Result<Scene> {
    let mut scene = parse::parse(file, text)?;
    check::check(file, text, &scene)?;
    let is_own = splats.is_none();
    scene.splats = splats.unwrap_or(scene.splats);
    // If there are both, splats are the first half of the work and models the second.
    let half = |first: f64, at: Progress| Progress {
        done: first + 0.5 * at.done,
        ..at
    };
    let (has_splats, has_models) = (!scene.splats.is_empty(), scene.names_models());
    let mut of_splats = |at| progress(if has_models { half(0.0, at) } else { at });
    scene
        .load_splats(files, &mut of_splats)
        .map_err(|(index, error)| match is_own {
            true => check::unread(file, text, ("splats", index), error),
            // The value is not in the scene's file.
            false => error,
        })?;
    let mut of_models = |at| progress(if has_splats { half(0.5, at) } else { at });
    scene
        .load_meshes(files, &mut of_models)
        .map_err(|(index, error)| check::unread(file, text, ("meshes", index), error))?;
    Ok(scene)
}

impl Scene {
    pub fn names_files(&self) -> bool {
        !self.splats.is_empty() || self.names_models()
    }

    /// The camera preset called `name`, or the scene's first preset.
    pub fn camera(&self, name: Option<&str>) -> Result<&CameraPreset> {
        let found = match name {
            Some(name) => self.cameras.iter().find(|camera| camera.name == name),
            None => self.cameras.first(),
        };
        found.ok_or_else(|| {
            let asked = name.unwrap_or_default();
            let near = suggestion(asked, self.cameras.iter().map(|c| c.name.as_str()));
            Error::usage(format!(
                "the scene `{}` has no camera `{asked}`{near}",
                self.name
            ))
        })
    }
}

#[cfg(test)]
mod broken_file_tests;
#[cfg(test)]
mod tests;
