//! Writes files so that a reader never finds half of one. Touches the named file and, for a moment, a
//! hidden temporary file beside it, which only a program that is killed leaves behind.

use std::ffi::{OsStr, OsString};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use tempfile::{Builder, NamedTempFile, TempDir};

use crate::error::{Error, Result};

/// Writes `bytes` to `path` by way of a temporary file in the same folder and a rename: readers find
/// the old file or the whole new one.
///
/// # Errors
/// A usage error with the path and the reason: the folder does not exist or is not writable, the disk is full, `path` is a
/// folder. Nothing is left behind, and a file that stood there before is unchanged.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<()> {
    write_by(path, |file| file.write_all(bytes))
}

/// Like [`write_atomically`], for a file that is not in memory as a whole: `write` writes it, and its value is returned.
pub fn write_by<T>(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<T>) -> Result<T> {
    let name = path.file_name().unwrap_or_default();
    let written = || {
        let mut file = BufWriter::new(hidden_file(folder_of(path), name)?);
        let written = write(&mut file)?;
        file.into_inner()?.persist(path)?;
        Ok(written)
    };
    written()
        .map_err(|why: io::Error| Error::usage(format!("cannot write {}: {why}", path.display())))
}

/// Makes a file in `folder` under a hidden name that starts with `name` and that nothing else has.
fn hidden_file(folder: &Path, name: &OsStr) -> io::Result<NamedTempFile> {
    ordinary(&hidden(name), 0o666).tempfile_in(folder)
}

/// Makes an empty hidden folder in `folder` or its nearest parent. It is removed when this is dropped.
pub fn hidden_folder(folder: &Path, name: &OsStr) -> io::Result<TempDir> {
    ordinary(&hidden(name), 0o777).tempdir_in(nearest_folder(folder))
}

fn hidden(name: &OsStr) -> OsString {
    let mut hidden = OsString::from(".");
    hidden.push(name);
    hidden
}

/// Makes names `PREFIX….tmp`. A temporary file is private by default, but this one becomes a regular file or
/// folder: the umask decides, as with any other.
fn ordinary(prefix: &OsStr, mode: u32) -> Builder<'_, 'static> {
    let mut builder = Builder::new();
    builder.prefix(prefix).suffix(".tmp");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
    #[cfg(not(unix))]
    let _ = mode;
    builder
}

/// Checks that a folder, or the nearest of its parents that exists, can be written; leaves no trace.
pub fn check_folder(folder: &Path) -> io::Result<()> {
    hidden_file(nearest_folder(folder), "wavelerp".as_ref()).map(drop)
}

/// Same as [`check_folder`], of the folder alone.
pub fn check_writable(folder: &Path) -> io::Result<()> {
    hidden_file(folder, "wavelerp".as_ref()).map(drop)
}

/// The folder itself, or the nearest of its parents that exists.
fn nearest_folder(folder: &Path) -> &Path {
    let around = folder.ancestors();
    let mut named = around.filter(|folder| *folder != Path::new(""));
    let nearest = named.find(|folder| folder.symlink_metadata().is_ok());
    nearest.unwrap_or(Path::new("."))
}

pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        // A bare file name lies in the working folder.
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_file_is_written_whole_and_replaced_whole_or_not_at_all()
    -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let names = || fs::read_dir(folder.path()).map(Iterator::count);
        let path = folder.path().join("report.json");
        write_atomically(&path, b"first, and longer")?;
        write_atomically(&path, b"second")?;
        assert_eq!((fs::read(&path)?, names()?), (b"second".to_vec(), 1));
        let taken = folder.path().join("taken.png");
        fs::create_dir(&taken)?;
        let missing = folder.path().join("missing/map.svg");
        for path in [&*taken, &missing, Path::new("/")] {
            let error = write_atomically(path, b"bytes").expect_err("no file");
            let start = format!("cannot write {}: ", path.display());
            assert!(error.message.starts_with(&start), "{error}");
        }
        assert_eq!(names()?, 2);
        Ok(())
    }

    #[cfg(unix)]
    #[test]
    fn a_file_has_the_permissions_of_any_other_new_file() -> Result<(), Box<dyn std::error::Error>>
    {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir()?;
        let [plain, atomic] = ["plain", "atomic"].map(|name| folder.path().join(name));
        fs::write(&plain, "x")?;
        write_atomically(&atomic, b"x")?;
        let mode = |path: &Path| Ok::<_, io::Error>(fs::metadata(path)?.permissions().mode());
        assert_eq!(mode(&atomic)?, mode(&plain)?);
        Ok(())
    }
}
