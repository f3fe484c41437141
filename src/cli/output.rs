//! Where a capture's files go: a new numbered folder, or an existing one with `--force`. Nothing is
//! written before everything is ready, and what fails half-way is taken back.

use std::path::{Path, PathBuf};

use crate::compare::atomic_file::write_atomically;
use crate::error::{Error, Result};

/// Default parent of numbered folders; git-ignored.
const LOCAL: &str = "screenshots/local";

/// A folder to write into.
pub struct Output {
    folder: PathBuf,
    existed: bool,
}

impl Output {
    /// Decides on the folder and checks that it can be used; creates nothing.
    ///
    /// # Errors
    /// It exists and `force` is off, or it is no folder (exit code 2).
    pub fn choose(out: Option<&Path>, name: &str, force: bool) -> Result<Self> {
        let folder = match out {
            Some(folder) => folder.to_owned(),
            None => numbered(name),
        };
        let existed = folder.exists();
        if existed && !folder.is_dir() {
            return Err(Error::usage(format!(
                "--out {}: exists and is not a folder; name another",
                folder.display()
            )));
        }
        if existed && !force {
            return Err(Error::usage(format!(
                "--out {}: exists; name another, or add --force to write into it",
                folder.display()
            )));
        }
        let output = Self { folder, existed };
        output.check_writable()?;
        Ok(output)
    }

    /// Fails early where the folder could not be made or written.
    fn check_writable(&self) -> Result<()> {
        let made = !self.existed;
        std::fs::create_dir_all(&self.folder).map_err(|error| self.cannot("create", &error))?;
        let probe = self.folder.join(".wavelerp-write-test");
        let written = std::fs::write(&probe, []);
        let _ = std::fs::remove_file(&probe);
        if made {
            // Only the innermost folder; parents stay, empty, for the capture that follows.
            let _ = std::fs::remove_dir(&self.folder);
        }
        written.map_err(|error| self.cannot("write into", &error))
    }

    fn cannot(&self, what: &str, error: &std::io::Error) -> Error {
        Error::usage(format!(
            "--out {}: cannot {what} it: {error}; name another folder",
            self.folder.display()
        ))
    }

    /// Writes all files; returns their paths.
    ///
    /// # Errors
    /// A file cannot be written (exit code 2); a folder that was made is removed again.
    pub fn write(&self, files: &[(String, Vec<u8>)]) -> Result<Vec<PathBuf>> {
        std::fs::create_dir_all(&self.folder).map_err(|error| self.cannot("create", &error))?;
        let written = files
            .iter()
            .map(|(name, bytes)| {
                let path = self.folder.join(name);
                write_atomically(&path, bytes)
                    .map(|()| path)
                    .map_err(|error| Error::usage(error.to_string()))
            })
            .collect::<Result<Vec<_>>>();
        if written.is_err() && !self.existed {
            let _ = std::fs::remove_dir_all(&self.folder);
        }
        written
    }
}

/// The first free `screenshots/local/NNNN-name`.
fn numbered(name: &str) -> PathBuf {
    let highest = std::fs::read_dir(LOCAL)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name();
            name.to_str()?.split('-').next()?.parse::<u32>().ok()
        })
        .max()
        .unwrap_or(0);
    Path::new(LOCAL).join(format!("{:04}-{name}", highest + 1))
}
