//! Temporary files and folders, which stand hidden beside what they are to become. Whatever becomes of the
//! program, no other file is harmed: they are removed when their work fails and when the program is interrupted,
//! and names of an earlier run that was killed are in nobody's way.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::Builder;

/// All that is unfinished in this process.
static ALL: Registry = Registry(Mutex::new(Vec::new()));

/// Lists what is to be removed if the program is interrupted. While it is locked, nothing is made or given its
/// name.
struct Registry(Mutex<Vec<(PathBuf, What)>>);

/// Says how something is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    File,
    /// A folder, with all that is in it.
    Folder,
    /// A folder that may belong to others too by now: it is removed only if it is empty.
    EmptyFolder,
}

/// A file or folder under a temporary name. It is removed when this is dropped.
pub struct Unfinished {
    path: PathBuf,
    what: What,
    registry: &'static Registry,
    is_to_stay: bool,
}

impl Unfinished {
    /// Makes a file in `folder`, under a hidden name that starts with `name` and that nothing else has, and
    /// writes `bytes` into it.
    ///
    /// # Errors
    /// It cannot be made or written; the message names it.
    pub fn file(folder: &Path, name: &OsStr, bytes: &[u8]) -> io::Result<Self> {
        let (mut file, unfinished) = ALL.make(What::File, || {
            let made = builder(&hidden(name), 0o666).tempfile_in(folder)?;
            Ok(made.keep()?)
        })?;
        let written = file.write_all(bytes);
        written.map_err(|error| {
            let temporary = unfinished.path.display();
            io::Error::new(error.kind(), format!("{temporary}: {error}"))
        })?;
        Ok(unfinished)
    }

    /// Makes an empty folder in `folder`, under a hidden name that starts with `name` and that nothing else has.
    ///
    /// # Errors
    /// It cannot be made; the message names it.
    pub fn folder(folder: &Path, name: &OsStr) -> io::Result<Self> {
        ALL.folder(folder, name)
    }

    /// Makes a folder of exactly this name. If it is not empty when this is dropped, it stays.
    ///
    /// # Errors
    /// It cannot be made, for instance because it exists.
    fn parent(path: &Path) -> io::Result<Self> {
        let make = || fs::create_dir(path).map(|()| ((), path.to_owned()));
        Ok(ALL.make(What::EmptyFolder, make)?.1)
    }

    /// Makes a folder and those of its parents that are missing; the innermost comes first. Those that are empty
    /// when they are dropped are removed.
    ///
    /// # Errors
    /// One of them cannot be made; none stays.
    pub fn parents(folder: &Path) -> io::Result<VecDeque<Self>> {
        let mut made = VecDeque::new();
        let around: Vec<&Path> = folder.ancestors().collect();
        for folder in around.into_iter().rev().filter(|f| *f != Path::new("")) {
            match Self::parent(folder) {
                Ok(folder) => made.push_front(folder),
                Err(_) if folder.is_dir() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(made)
    }

    /// The temporary path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Gives it its name in one step. It replaces a file of that name, or a folder an empty folder.
    ///
    /// # Errors
    /// It cannot have that name; it is still unfinished then.
    pub fn finish(&mut self, name: &Path) -> io::Result<()> {
        let mut all = self.registry.lock();
        fs::rename(&self.path, name)?;
        all.retain(|(path, _)| *path != self.path);
        self.is_to_stay = true;
        Ok(())
    }

    /// Leaves it where it is.
    pub fn keep(&mut self) {
        self.is_to_stay = true;
        self.registry.forget(&self.path);
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if !self.is_to_stay {
            // The error to tell is the one that led here.
            let _ = remove(&self.path, self.what);
            self.registry.forget(&self.path);
        }
    }
}

/// Does several steps of which an interrupted program does all or none.
pub fn uninterrupted<T>(steps: impl FnOnce() -> T) -> T {
    let _locked = ALL.lock();
    steps()
}

/// Removes everything that is unfinished, and then ends the program by `end`. Nothing new is made meanwhile.
pub fn remove_all_and_then(end: impl FnOnce()) {
    ALL.remove_all_and_then(end);
}

impl Registry {
    fn lock(&self) -> MutexGuard<'_, Vec<(PathBuf, What)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn make<T>(
        &'static self,
        what: What,
        make: impl FnOnce() -> io::Result<(T, PathBuf)>,
    ) -> io::Result<(T, Unfinished)> {
        let mut all = self.lock();
        let (made, path) = make()?;
        all.push((path.clone(), what));
        let unfinished = Unfinished {
            path,
            what,
            registry: self,
            is_to_stay: false,
        };
        Ok((made, unfinished))
    }

    fn folder(&'static self, folder: &Path, name: &OsStr) -> io::Result<Unfinished> {
        let make = || {
            let made = builder(&hidden(name), 0o777).tempdir_in(folder)?;
            Ok(((), made.keep()))
        };
        Ok(self.make(What::Folder, make)?.1)
    }

    fn forget(&self, path: &Path) {
        self.lock().retain(|(known, _)| known != path);
    }

    fn remove_all_and_then(&self, end: impl FnOnce()) {
        let mut all = self.lock();
        // What was made last may lie in what was made first.
        for (path, what) in all.drain(..).rev() {
            // The program ends, and nobody can be told of an error.
            let _ = remove(&path, what);
        }
        end();
    }
}

fn remove(path: &Path, what: What) -> io::Result<()> {
    match what {
        What::File => fs::remove_file(path),
        What::Folder => fs::remove_dir_all(path),
        What::EmptyFolder => fs::remove_dir(path),
    }
}

/// The start of the temporary name of something that is to be called `name`.
fn hidden(name: &OsStr) -> OsString {
    let mut hidden = OsString::from(".");
    hidden.push(name);
    hidden
}

/// Makes names `PREFIX….tmp`. A temporary file is private by default, but this one becomes an ordinary file or
/// folder: the umask decides, as with any other.
fn builder(prefix: &OsStr, mode: u32) -> Builder<'_, 'static> {
    let mut builder = Builder::new();
    builder.prefix(prefix).suffix(".tmp");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
    #[cfg(not(unix))]
    let _ = mode;
    builder
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn an_interruption_removes_what_is_unfinished_and_nothing_that_is_finished() {
        let registry: &'static Registry = Box::leak(Box::new(Registry(Mutex::default())));
        let home = tempfile::tempdir().unwrap();
        let [mut a, b] =
            ["a", "b"].map(|name| registry.folder(home.path(), name.as_ref()).unwrap());
        fs::write(a.path().join("inside"), "x").unwrap();
        fs::write(b.path().join("inside"), "x").unwrap();
        a.finish(&home.path().join("a")).unwrap();
        let count = || fs::read_dir(home.path()).unwrap().count();
        assert_eq!(count(), 2);
        registry.remove_all_and_then(|| assert_eq!(count(), 1, "removed before the end"));
        assert!(home.path().join("a/inside").exists());
    }

    #[test]
    fn a_folder_that_others_use_by_now_stays() {
        let home = tempfile::tempdir().unwrap();
        let [shared, own] = ["shared", "own"].map(|name| home.path().join(name));
        let made = [&shared, &own].map(|path| Unfinished::parent(path).unwrap());
        fs::write(shared.join("of another program"), "x").unwrap();
        drop(made);
        assert!(shared.exists() && !own.exists());
    }
}
