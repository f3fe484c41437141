//! Saving the view: the composite on screen, without the panel, with its settings as metadata.

use std::path::{Path, PathBuf};

use crate::compare::atomic_file::write_atomically;
use crate::compare::canvas::Canvas;
use crate::compare::png_file::encode_png;
use crate::error::{Error, Result};
use crate::methods::Method;
use crate::settings::Settings;

/// Where pictures go, below the working directory; git-ignored.
const FOLDER: &str = "screenshots/local";

/// A file name that says what the picture shows.
fn name_of(settings: &Settings, method: Method) -> String {
    let [width, height] = settings.size;
    format!(
        "{}_{}s_{method}_{width}x{height}_{}particles_{}slices.png",
        settings.camera, settings.time, settings.particles, settings.fog_slices
    )
}

/// Writes `rgba` (sRGB bytes, top row first) to `screenshots/local/SCENE/…`; returns the path.
///
/// # Errors
/// The folder or the file cannot be written (exit code 2).
pub fn save(settings: &Settings, method: Method, rgba: &[u8]) -> Result<PathBuf> {
    let canvas = Canvas::from_rgba8(settings.size, rgba)
        .ok_or_else(|| Error::failed("the picture read back has the wrong size"))?;
    let texts = settings.metadata(&[method], None);
    let bytes = encode_png(&canvas, &texts).map_err(|error| Error::failed(error.to_string()))?;
    let folder = Path::new(FOLDER).join(settings.scene_name());
    std::fs::create_dir_all(&folder)
        .map_err(|error| Error::usage(format!("cannot create {}: {error}", folder.display())))?;
    let path = folder.join(name_of(settings, method));
    write_atomically(&path, &bytes).map_err(|error| Error::usage(error.to_string()))?;
    Ok(path)
}
