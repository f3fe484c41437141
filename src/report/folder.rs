//! The output folder of a comparison set or a benchmark. Files are written to a hidden folder, which is moved into
//! place once complete. A new folder is renamed. In an existing folder, the new set replaces the old one.

use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::error::{Error, Result};
use crate::output::{check_folder, folder_of, hidden_folder};
use crate::paths::file_name;

/// A comparison set or a benchmark.
#[derive(Clone, Copy)]
pub struct OutputKind {
    /// Parent of the numbered folders that are used without a name.
    pub parent: &'static str,
    /// The file that describes the others. If it exists, all other files of its set exist too.
    pub record: &'static str,
    /// True if a file with this name can belong to such a set. A new set removes all such files of the old set.
    pub belongs: fn(&str) -> bool,
}

/// The output folder. Its path starts every error message.
pub struct Output {
    kind: OutputKind,
    folder: PathBuf,
    /// True if the folder exists: the user added `--force`, or an earlier set was written to it.
    exists: bool,
}

impl Output {
    /// Chooses the folder and checks that it can be created and written, without leaving a trace. Without `out`, the
    /// folder is new, below [`OutputKind::parent`], numbered and named after `name`.
    pub fn choose(kind: OutputKind, out: Option<&Path>, name: &str, force: bool) -> Result<Self> {
        let output = Self {
            kind,
            folder: out.map_or_else(|| numbered(kind.parent, name), Path::to_owned),
            exists: out.is_some_and(|folder| folder.symlink_metadata().is_ok()),
        };
        let fail = |what: &str| Err(output.refused(what));
        if output.folder == Path::new("") {
            return fail("names no folder; leave out --out for a new numbered one");
        }
        if output.exists {
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

    /// Begins a set, which replaces any older set in the folder. Other files remain.
    pub fn begin(&mut self) -> Result<FileSet<'_>> {
        let beside = match self.exists {
            true => &self.folder,
            false => folder_of(&self.folder),
        };
        let hidden = hidden_folder(beside);
        Ok(FileSet {
            hidden: hidden.map_err(|error| self.cannot("create files there", &error))?,
            output: self,
        })
    }

    /// Writes a whole set, the record last. Returns the paths.
    pub fn write(&mut self, files: &[(String, Vec<u8>)]) -> Result<Vec<PathBuf>> {
        let set = self.begin()?;
        for (name, bytes) in files {
            set.write(name, bytes)?;
        }
        set.place()
    }

    /// Renames a finished folder. Adds a number if the name has been taken in the meantime, perhaps by another run.
    fn name(&mut self, folder: TempDir) -> io::Result<()> {
        fs::create_dir_all(folder_of(&self.folder))?;
        let wanted = self.folder.clone();
        let mut number = 1;
        while let Err(error) = fs::rename(folder.path(), &self.folder) {
            if fs::symlink_metadata(&self.folder).is_err() {
                return Err(error);
            }
            number += 1;
            let name = wanted.file_name().unwrap_or_default().to_string_lossy();
            self.folder = wanted.with_file_name(format!("{name}-{number}"));
        }
        // The folder was renamed, so there is nothing to remove.
        let _ = folder.keep();
        self.exists = true;
        Ok(())
    }

    /// Replaces the older set. The old record is removed first and the new one added last, so a record never describes
    /// another set's files.
    fn replace(&self, from: &Path, names: &[String]) -> io::Result<()> {
        match fs::remove_file(self.folder.join(self.kind.record)) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            let name = entry.file_name();
            let is_older = name.to_str().is_some_and(self.kind.belongs);
            if is_older && !entry.file_type()?.is_dir() {
                fs::remove_file(entry.path())?;
            }
        }
        let mut names = names.iter();
        names.try_for_each(|name| fs::rename(from.join(name), self.folder.join(name)))
    }
}

/// A set being written. Dropping it early leaves no files, and keeps the older set.
pub struct FileSet<'a> {
    output: &'a mut Output,
    hidden: TempDir,
}

impl FileSet<'_> {
    /// Writes a file. Callable from any thread.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<()> {
        self.write_by(name, |file| file.write_all(bytes))
    }

    /// Like [`FileSet::write`], for a file that is too large for memory.
    pub fn write_by<T>(
        &self,
        name: &str,
        write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
    ) -> Result<T> {
        let written = || {
            let mut file = BufWriter::new(File::create(self.hidden.path().join(name))?);
            let value = write(&mut file)?;
            file.flush()?;
            Ok(value)
        };
        written().map_err(self.cannot_write(name))
    }

    /// An unnamed file for pending data. Dropping it deletes it.
    pub fn waiting(&self) -> io::Result<File> {
        tempfile::tempfile_in(self.hidden.path())
    }

    pub fn cannot_write(&self, name: &str) -> impl FnOnce(io::Error) -> Error {
        let what = format!("write {name}");
        move |error| self.output.cannot(&what, &error)
    }

    /// Completes the set with its record. Returns the paths of all its files.
    pub fn finish(self, record: &[u8]) -> Result<Vec<PathBuf>> {
        self.write(self.output.kind.record, record)?;
        self.place()
    }

    /// Moves the set into place. Returns the paths of its files, the record last.
    fn place(self) -> Result<Vec<PathBuf>> {
        let Self { output, hidden } = self;
        let cannot = |output: &Output, error: &io::Error| output.cannot("write it", error);
        let entries = fs::read_dir(hidden.path()).and_then(|entries| {
            let name = |entry: io::Result<fs::DirEntry>| {
                Ok(entry?.file_name().to_string_lossy().into_owned())
            };
            entries.map(name).collect()
        });
        let mut names: Vec<String> = entries.map_err(|error| cannot(output, &error))?;
        names.sort_by_key(|name| (name == output.kind.record, name.clone()));
        let placed = match output.exists {
            true => output.replace(hidden.path(), &names),
            false => output.name(hidden),
        };
        placed.map_err(|error| cannot(output, &error))?;
        Ok(names.iter().map(|name| output.folder.join(name)).collect())
    }
}

/// The first unused `PARENT/NNNN-name`.
fn numbered(parent: &str, name: &str) -> PathBuf {
    let others = fs::read_dir(parent).into_iter().flatten().flatten();
    let number = |entry: fs::DirEntry| {
        let name = entry.file_name();
        name.to_str()?.split('-').next()?.parse::<u32>().ok()
    };
    let highest = others.filter_map(number).max().unwrap_or(0);
    // With a dot in its name, the folder would look like a file.
    let name = file_name(name).replace('.', "-");
    let name: String = name.chars().take(40).collect();
    Path::new(parent).join(format!("{:04}-{name}", highest.saturating_add(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    type TestResult = std::result::Result<(), Box<dyn std::error::Error>>;

    const KIND: OutputKind = OutputKind {
        parent: "local",
        record: "report.json",
        belongs: |name| name.ends_with(".png") || name == "report.json",
    };

    fn file(name: &str) -> (String, Vec<u8>) {
        (name.to_owned(), b"new".to_vec())
    }

    #[test]
    fn a_folder_whose_name_was_taken_meanwhile_gets_a_number() -> TestResult {
        let home = tempfile::tempdir()?;
        let folder = home.path().join("mine");
        let choose = || Output::choose(KIND, Some(&folder), "temple", false);
        let (mut one, mut two) = (choose()?, choose()?);
        one.write(&[file("report.json")])?;
        let second = two.write(&[file("report.json")])?;
        assert_eq!(second, [home.path().join("mine-2/report.json")]);
        Ok(())
    }
}
