//! Names and locations of the files that the window saves.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::error::{Error, Result};
use crate::model::settings::Settings;
use crate::output::{create_folder, write_atomically};
use crate::paths::{file_name, last_part};

/// Folder of all saved files, in the working directory; git ignores it.
const FOLDER: &str = "screenshots/local";

pub fn folder_of(scene: &str) -> PathBuf {
    let stem = scene.trim_end_matches(".ron");
    Path::new(FOLDER).join(file_name(last_part(stem)))
}

pub fn name_of(settings: &Settings, what: &str) -> String {
    let [width, height] = settings.size;
    let camera = match &settings.moved_camera {
        Some(_) => "moved",
        None => &settings.camera,
    };
    file_name(&format!(
        "{camera}_{:.2}s_{what}_{width}x{height}_{}particles_{}slices",
        settings.time, settings.particles, settings.fog_slices
    ))
}

/// Writes a file without replacing another. If the name is taken, a number is appended.
pub fn save(folder: &Path, name: &str, ending: &str, bytes: &[u8]) -> Result<PathBuf> {
    let path = free_path(folder, name, ending);
    write(&path, bytes)?;
    Ok(path)
}

/// Writes a file atomically, and creates its folder first.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    path.parent().map_or(Ok(()), create_folder)?;
    write_atomically(path, bytes)
}

/// Path of `name` with its extension in `folder`, or the first unused `name-2`, ….
pub fn free_path(folder: &Path, name: &str, ending: &str) -> PathBuf {
    let first = folder.join(format!("{name}{ending}"));
    let numbered = (2..10_000).map(|number| folder.join(format!("{name}-{number}{ending}")));
    std::iter::once(first.clone())
        .chain(numbered)
        .find(|path| !path.exists())
        .unwrap_or(first)
}

pub fn open_folder(of: &Path) -> Result<()> {
    let folder = match of.is_dir() {
        true => of,
        false => of.parent().unwrap_or(of),
    };
    let program = match std::env::consts::OS {
        "windows" => "explorer",
        "macos" => "open",
        _ => "xdg-open",
    };
    let mut command = Command::new(program);
    command.arg(folder).stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let cannot = |error: std::io::Error| {
        let folder = folder.display();
        Error::unavailable(format!(
            "cannot open {folder} by {program}: {error}; copy the path"
        ))
    };
    let mut child = command.spawn().map_err(cannot)?;
    // Unless its parent waits for it, an ended process remains a zombie.
    let wait = move || drop(child.wait());
    std::thread::Builder::new().spawn(wait).map_err(cannot)?;
    Ok(())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn no_picture_replaces_another_and_a_scenes_path_stays_out_of_the_folders_name() {
        let home = tempfile::tempdir().unwrap();
        let first = save(home.path(), "a", ".png", b"1").unwrap();
        let second = save(home.path(), "a", ".png", b"2").unwrap();
        let [first, second] = [first, second].map(|path| std::fs::read(path).unwrap());
        assert_eq!([first, second], [b"1", b"2"]);
        let of = folder_of("../else where/my scene.ron");
        assert_eq!(of, Path::new("screenshots/local/my-scene"));
        let of = folder_of("C:\\scenes\\nul.ron");
        assert_eq!(of, Path::new("screenshots/local/-nul"));
    }
}
