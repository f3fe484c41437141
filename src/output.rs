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
        .map_err(|reason| Error::usage(format!("cannot write {}: {reason}", path.display())))
}

/// Like [`write_atomically`], for a file that is not in memory as a whole: `write` writes it, and its value is returned.
///
/// # Errors
/// Same as [`write_atomically`], and what `write` returns.
pub fn write_by<T>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
) -> io::Result<T> {
    let Some(name) = path.file_name() else {
        let message = "the path does not end in a file name";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    };
    let mut file = BufWriter::new(hidden_file(folder_of(path), name)?);
    let written = write(&mut file)?;
    file.into_inner()?.persist(path)?;
    Ok(written)
}

/// Makes a file in `folder` under a hidden name that starts with `name` and that nothing else has.
fn hidden_file(folder: &Path, name: &OsStr) -> io::Result<NamedTempFile> {
    ordinary(&hidden(name), 0o666).tempfile_in(folder)
}

/// Makes an empty folder beside `path`, or beside the nearest of its parents that exists, under a hidden name that
/// starts with that of `path` and that nothing else has. It is removed when this is dropped.
///
/// # Errors
/// It cannot be made; the message names it.
pub fn hidden_folder(path: &Path) -> io::Result<TempDir> {
    let name = path.file_name().unwrap_or_default();
    ordinary(&hidden(name), 0o777).tempdir_in(nearest_folder(folder_of(path)))
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

/// Checks that files can be made in a folder: makes one and removes it at once.
///
/// # Errors
/// It cannot be made; the message names it.
pub fn check_writable(folder: &Path) -> io::Result<()> {
    hidden_file(folder, "wavelerp".as_ref()).map(drop)
}

/// Checks that a folder can be written, or made with its parents; leaves no trace.
///
/// # Errors
/// Same as [`check_writable`], of the folder itself or of the nearest of its parents that exists.
pub fn check_folder(folder: &Path) -> io::Result<()> {
    check_writable(nearest_folder(folder))
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

    type Outcome = Result<(), Box<dyn std::error::Error>>;

    fn names(folder: &Path) -> io::Result<Vec<String>> {
        let entries = fs::read_dir(folder)?;
        let name =
            |entry: io::Result<fs::DirEntry>| Ok(entry?.file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = entries.map(name).collect::<io::Result<_>>()?;
        names.sort();
        Ok(names)
    }

    #[test]
    fn a_file_is_written_whole_and_replaced_whole() -> Outcome {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("report.json");
        write_atomically(&path, b"first, and longer")?;
        write_atomically(&path, b"second")?;
        assert_eq!(fs::read(&path)?, b"second");
        assert_eq!(names(folder.path())?, ["report.json"]);
        Ok(())
    }

    #[cfg(unix)]
    #[test]
    fn a_file_has_the_permissions_of_any_other_new_file() -> Outcome {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir()?;
        let [plain, atomic] = ["plain", "atomic"].map(|name| folder.path().join(name));
        fs::write(&plain, "x")?;
        write_atomically(&atomic, b"x")?;
        let mode = |path: &Path| Ok::<_, io::Error>(fs::metadata(path)?.permissions().mode());
        assert_eq!(mode(&atomic)?, mode(&plain)?);
        Ok(())
    }

    #[test]
    fn a_failure_names_the_path_and_leaves_nothing_behind() -> Outcome {
        let folder = tempfile::tempdir()?;
        let taken = folder.path().join("taken.png");
        fs::create_dir(&taken)?;
        fs::write(taken.join("inside"), "x")?;
        let error = write_atomically(&taken, b"bytes").err().ok_or("an error")?;
        let reason = write_by(&taken, |_| Ok(())).err().ok_or("a reason")?;
        let ending = format!("taken.png: {reason}");
        assert!(error.message.ends_with(&ending), "{error}");
        assert_eq!(names(folder.path())?, ["taken.png"]);
        Ok(())
    }

    #[test]
    fn a_missing_folder_is_an_error_and_is_not_made() -> Outcome {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("missing/map.svg");
        let error = write_by(&path, |_| Ok(())).err().ok_or("an error")?;
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert!(names(folder.path())?.is_empty());
        assert!(write_atomically(Path::new("/"), b"bytes").is_err());
        Ok(())
    }

    #[test]
    fn what_a_killed_run_left_behind_is_in_nobodys_way() -> Outcome {
        let folder = tempfile::tempdir()?;
        // In a container, process numbers repeat.
        let left = format!(".wavelerp-{}.tmp", std::process::id());
        fs::write(folder.path().join(&left), "half")?;
        check_writable(folder.path())?;
        assert_eq!(names(folder.path())?, [left]);
        Ok(())
    }

    #[test]
    fn a_folder_that_takes_no_files_is_an_error_that_names_the_temporary_file() -> Outcome {
        let folder = tempfile::tempdir()?;
        let missing = folder.path().join("missing");
        let error = check_writable(&missing).err().ok_or("an error")?;
        let beginning = missing.join(".wavelerp").display().to_string();
        assert!(error.to_string().contains(&beginning), "{error}");
        Ok(())
    }
}
