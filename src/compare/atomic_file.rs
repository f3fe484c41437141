//! Writing files so that nobody ever reads half of one. Touches the named file and, for a moment, a
//! hidden temporary file beside it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use thiserror::Error;

/// A file that could not be written; nothing was left behind, and a file that stood there before is
/// unchanged.
#[derive(Debug, Error)]
#[error("cannot write {}: {reason}", path.display())]
pub struct WriteError {
    /// The file that was to be written.
    pub path: PathBuf,
    /// What the system said.
    pub reason: io::Error,
}

/// Writes `bytes` to `path` by way of a temporary file in the same folder and a rename: readers find
/// the old file or the whole new one.
///
/// # Errors
/// [`WriteError`] with the path and the reason: the folder does not exist or is not writable, the
/// disk is full, `path` is a folder.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    let fail = |reason| WriteError {
        path: path.to_owned(),
        reason,
    };
    let temporary = temporary_beside(path).map_err(fail)?;
    // Only a file that was created here may be removed below.
    let file = create_new(&temporary).map_err(fail)?;
    write_and_rename(file, &temporary, path, bytes).map_err(|reason| {
        // The first error is the one to tell; a temporary file that cannot be removed changes
        // nothing about it.
        let _ = fs::remove_file(&temporary);
        fail(reason)
    })
}

fn write_and_rename(mut file: File, from: &Path, to: &Path, bytes: &[u8]) -> io::Result<()> {
    file.write_all(bytes)?;
    drop(file);
    fs::rename(from, to)
}

fn create_new(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).open(path)
}

/// A name beside `path` that no other writer uses: process and count make it unique.
fn temporary_beside(path: &Path) -> io::Result<PathBuf> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let Some(name) = path.file_name() else {
        let message = "the path does not end in a file name";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    };
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let mut hidden = std::ffi::OsString::from(".");
    hidden.push(name);
    hidden.push(format!(".{}-{count}.tmp", std::process::id()));
    Ok(path.with_file_name(hidden))
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn a_failure_names_the_path_and_leaves_nothing_behind() -> Outcome {
        let folder = tempfile::tempdir()?;
        let taken = folder.path().join("taken.png");
        fs::create_dir(&taken)?;
        fs::write(taken.join("inside"), "x")?;
        let error = write_atomically(&taken, b"bytes").err().ok_or("an error")?;
        assert!(error.to_string().contains("taken.png"), "{error}");
        assert!(error.to_string().contains(&error.reason.to_string()));
        assert_eq!(names(folder.path())?, ["taken.png"]);
        Ok(())
    }

    #[test]
    fn a_missing_folder_is_an_error_and_is_not_made() -> Outcome {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("missing/sheet.png");
        let error = write_atomically(&path, b"bytes").err().ok_or("an error")?;
        assert_eq!(error.reason.kind(), io::ErrorKind::NotFound);
        assert!(names(folder.path())?.is_empty());
        assert!(write_atomically(Path::new("/"), b"bytes").is_err());
        Ok(())
    }
}
