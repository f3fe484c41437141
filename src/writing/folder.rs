//! The folder of a comparison set. Nothing is written before all files are ready, and if writing fails, what was
//! written is removed again.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::file::{check_folder, write_atomically};
use crate::error::{Error, Result};
use crate::paths::file_name;

/// Default parent of numbered folders; git-ignored.
const LOCAL: &str = "screenshots/local";

/// A folder for a comparison set's files. Errors start with the path.
pub struct Output {
    folder: PathBuf,
    target: Target,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    /// A folder that the user named and that is not there yet.
    New,
    /// A folder that is there, with `--force`.
    Existing,
    /// A new folder with the next free number, which is decided when the files are ready.
    Numbered,
}

impl Output {
    /// Decides on the folder and checks that it can be made and written; leaves no trace. Without
    /// `out` it is a new one, numbered and named after the scene, under `screenshots/local/`.
    ///
    /// # Errors
    /// A usage error if the folder exists and `force` is off, if it is no folder, or if it cannot be made.
    pub fn choose(out: Option<&Path>, scene: &str, force: bool) -> Result<Self> {
        let output = match out {
            None => Self {
                folder: numbered(scene),
                target: Target::Numbered,
            },
            Some(folder) => Self {
                folder: folder.to_owned(),
                target: match fs::symlink_metadata(folder) {
                    Ok(_) => Target::Existing,
                    Err(_) => Target::New,
                },
            },
        };
        let fail = |what: &str| Err(output.refused(what));
        if output.folder == Path::new("") {
            return fail("names no folder; leave --out away for a new numbered one");
        }
        if output.target == Target::Existing {
            if !output.folder.is_dir() {
                return fail("exists and is not a folder; name another");
            }
            if !force {
                return fail("exists; name another, or add --force to write into it");
            }
        }
        check_folder(&output.folder)
            .map_err(|error| output.cannot("create files there", &error))?;
        Ok(output)
    }

    fn refused(&self, why: &str) -> Error {
        Error::usage(format!("{}: {why}", self.folder.display()))
    }

    fn cannot(&self, what: &str, error: &io::Error) -> Error {
        self.refused(&format!("cannot {what}: {error}; name another folder"))
    }

    /// Writes all files and returns their paths. Files of the same names are replaced, each in one step; all
    /// others in the folder stay.
    ///
    /// # Errors
    /// A usage error if a file cannot be written; files and folders that were made are removed again.
    pub fn write(mut self, files: &[(String, Vec<u8>)]) -> Result<Vec<PathBuf>> {
        let mut made = Made::default();
        let written = self.write_all(files, &mut made);
        if written.is_err() {
            made.remove();
        }
        written
    }

    fn write_all(&mut self, files: &[(String, Vec<u8>)], made: &mut Made) -> Result<Vec<PathBuf>> {
        self.make_folder(made)
            .map_err(|error| self.cannot("create it", &error))?;
        let mut paths = Vec::new();
        for (name, bytes) in files {
            let path = self.folder.join(name);
            let is_new = !path.exists();
            write_atomically(&path, bytes).map_err(|error| {
                let (path, reason) = (path.display(), error.reason);
                Error::usage(format!(
                    "{path}: cannot write it: {reason}; name another folder"
                ))
            })?;
            if is_new {
                made.files.push(path.clone());
            }
            paths.push(path);
        }
        Ok(paths)
    }

    /// Makes the folder and its parents, unless the target is a folder that exists.
    fn make_folder(&mut self, made: &mut Made) -> io::Result<()> {
        if self.target == Target::Existing {
            return Ok(());
        }
        let around: Vec<&Path> = self.folder.ancestors().skip(1).collect();
        for folder in around.into_iter().rev().filter(|f| *f != Path::new("")) {
            made.folder(folder).or_else(|error| match error.kind() {
                ErrorKind::AlreadyExists => Ok(()),
                _ => Err(error),
            })?;
        }
        loop {
            match made.folder(&self.folder) {
                // Another capture took the number meanwhile.
                Err(error)
                    if self.target == Target::Numbered
                        && error.kind() == ErrorKind::AlreadyExists =>
                {
                    self.folder = next_number(&self.folder);
                }
                result => return result,
            }
        }
    }
}

/// What a write has made so far, to be removed when it fails.
#[derive(Default)]
struct Made {
    folders: Vec<PathBuf>,
    files: Vec<PathBuf>,
}

impl Made {
    fn folder(&mut self, folder: &Path) -> io::Result<()> {
        fs::create_dir(folder)?;
        self.folders.push(folder.to_owned());
        Ok(())
    }

    /// Removes them. Errors are ignored: the one to tell is the one that led here.
    fn remove(&self) {
        for file in &self.files {
            let _ = fs::remove_file(file);
        }
        for folder in self.folders.iter().rev() {
            let _ = fs::remove_dir(folder);
        }
    }
}

/// The first free `screenshots/local/NNNN-scene`.
fn numbered(scene: &str) -> PathBuf {
    let highest = fs::read_dir(LOCAL)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| number_of(Path::new(&entry.file_name())))
        .max()
        .unwrap_or(0);
    // A dot would make the folder look like a file.
    let name = file_name(scene).replace('.', "-");
    let name: String = name.chars().take(40).collect();
    Path::new(LOCAL).join(format!("{:04}-{name}", highest.saturating_add(1)))
}

/// The number that a folder's name starts with.
fn number_of(folder: &Path) -> Option<u32> {
    let name = folder.file_name()?.to_str()?;
    name.split('-').next()?.parse().ok()
}

/// `0007-temple` for `0006-temple`.
fn next_number(folder: &Path) -> PathBuf {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let rest = name.split_once('-').map_or("", |(_, rest)| rest);
    let number = number_of(folder).unwrap_or(0).saturating_add(1);
    folder.with_file_name(format!("{number:04}-{rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    type Outcome = std::result::Result<(), Box<dyn std::error::Error>>;

    fn file(name: &str) -> (String, Vec<u8>) {
        (name.to_owned(), b"bytes".to_vec())
    }

    fn count(folder: &Path) -> io::Result<usize> {
        Ok(fs::read_dir(folder)?.count())
    }

    #[test]
    fn choosing_leaves_no_trace_and_a_failed_write_neither() -> Outcome {
        let home = tempfile::tempdir()?;
        let deep = home.path().join("a/b/c");
        let output = Output::choose(Some(&deep), "temple", false)?;
        assert_eq!(count(home.path())?, 0);
        // The second file cannot be written: its folder is missing.
        assert!(output.write(&[file("good"), file("missing/bad")]).is_err());
        assert_eq!(count(home.path())?, 0);
        let output = Output::choose(Some(&deep), "temple", false)?;
        assert_eq!(output.write(&[file("good")])?, [deep.join("good")]);
        Ok(())
    }

    #[test]
    fn a_failed_write_into_an_existing_folder_keeps_what_was_there() -> Outcome {
        let home = tempfile::tempdir()?;
        fs::write(home.path().join("mine"), "x")?;
        assert!(Output::choose(Some(home.path()), "temple", false).is_err());
        let output = Output::choose(Some(home.path()), "temple", true)?;
        assert!(output.write(&[file("new"), file("missing/bad")]).is_err());
        assert_eq!(count(home.path())?, 1);
        Ok(())
    }

    #[test]
    fn a_number_that_was_taken_meanwhile_is_skipped() -> Outcome {
        let home = tempfile::tempdir()?;
        fs::create_dir(home.path().join("0006-temple"))?;
        let output = Output {
            folder: home.path().join("0006-temple"),
            target: Target::Numbered,
        };
        let written = output.write(&[file("good")])?;
        assert_eq!(written, [home.path().join("0007-temple/good")]);
        Ok(())
    }

    #[test]
    fn a_hostile_scene_name_stays_in_its_folder() {
        let folder = numbered("../a b/ü");
        assert_eq!(folder.parent(), Some(Path::new(LOCAL)));
        assert!(folder.to_string_lossy().ends_with("-a-b--"));
    }
}
