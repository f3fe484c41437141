//! Writes files atomically, through a hidden temporary file next to the target. A temporary file remains only if the
//! program is killed.

use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::Path;

use tempfile::{Builder, TempDir};

use crate::error::{Error, Result};

/// Writes `bytes` to a temporary file in the folder of `path` and renames it. Readers find either the old file or the
/// complete new one.
///
/// # Errors
/// Usage: the path and the reason, for example that the folder is missing or not writable, the disk is full, or `path`
/// is a folder. No temporary file remains, and an existing file is unchanged.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<()> {
    #[cfg(target_arch = "wasm32")]
    return crate::browser::write(path, bytes)
        .map_err(|why| Error::unavailable(format!("cannot keep {}: {why}", path.display())));
    #[cfg(not(target_arch = "wasm32"))]
    write_by(path, |file| file.write_all(bytes))
}

/// Creates a folder and its parents. A page has no folders.
pub fn create_folder(folder: &Path) -> Result<()> {
    if cfg!(target_arch = "wasm32") {
        return Ok(());
    }
    std::fs::create_dir_all(folder)
        .map_err(|error| Error::usage(format!("cannot create {}: {error}", folder.display())))
}

/// Like [`write_atomically`], for a file too large for memory. Calls `write` to write the file, and returns its result.
pub fn write_by<T>(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<T>) -> Result<T> {
    let written = || {
        let mut file = BufWriter::new(hidden(0o666).tempfile_in(folder_of(path))?);
        let written = write(&mut file)?;
        file.into_inner()?.persist(path)?;
        Ok(written)
    };
    written()
        .map_err(|why: io::Error| Error::usage(format!("cannot write {}: {why}", path.display())))
}

/// Creates a hidden folder in `folder`, or in its nearest existing parent. Dropping the handle removes the folder.
pub fn hidden_folder(folder: &Path) -> io::Result<TempDir> {
    hidden(0o777).tempdir_in(nearest_folder(folder))
}

/// Builds hidden names of the form `.wavelerp….tmp`. They are short because the final name may be as long as the file
/// system allows. Temporary files are private by default. These become regular files and folders, so the umask decides.
fn hidden(mode: u32) -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(".wavelerp").suffix(".tmp");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
    #[cfg(not(unix))]
    let _ = mode;
    builder
}

/// Checks that a folder or its nearest existing parent is writable. Leaves no trace.
pub fn check_folder(folder: &Path) -> io::Result<()> {
    check_name(folder)?;
    hidden(0o666).tempfile_in(nearest_folder(folder)).map(drop)
}

/// Checks that a file can be written. Leaves no trace.
pub fn check_writable(file: &Path) -> io::Result<()> {
    check_name(file)?;
    hidden(0o666).tempfile_in(folder_of(file)).map(drop)
}

/// Checks that the file system accepts the name, which may be too long.
fn check_name(path: &Path) -> io::Result<()> {
    match path.symlink_metadata() {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn nearest_folder(folder: &Path) -> &Path {
    let around = folder.ancestors();
    let mut named = around.filter(|folder| *folder != Path::new(""));
    let nearest = named.find(|folder| folder.symlink_metadata().is_ok());
    nearest.unwrap_or(Path::new("."))
}

pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        // A bare file name is in the working folder.
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
        let longest = folder.path().join("x".repeat(255));
        write_atomically(&longest, b"bytes")?;
        fs::remove_file(&longest)?;
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
