//! The folder of a set of files: a comparison set, the files of a benchmark. All files are written under temporary
//! names first. Then the set is put in its place, or in the place of an older one, whole or not at all.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::file::{check_folder, folder_of};
use super::unfinished::{Unfinished, uninterrupted};
use crate::error::{Error, Result};
use crate::paths::file_name;

/// What a set of files is.
#[derive(Clone, Copy)]
pub struct Kind {
    /// The parent of the numbered folders that are made where the user names none.
    pub parent: &'static str,
    /// The file that says what the others are. Where it stands, all files of its set do.
    pub record: &'static str,
    /// Whether a file of this name may be of such a set. A new set leaves none of an older one beside it.
    pub belongs: fn(&str) -> bool,
}

/// A folder for a set of files. Errors start with the path.
pub struct Output {
    kind: Kind,
    folder: PathBuf,
    target: Target,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    /// A folder that the user named and that is not there yet.
    New,
    /// A folder that is there, with `--force`, or that has been written before.
    Existing,
    /// A new folder with the next free number, which is decided when the files are ready.
    Numbered,
}

impl Output {
    /// Decides on the folder and checks that it can be made and written; leaves no trace. Without
    /// `out` it is a new one, numbered and named after `name`, below [`Kind::parent`].
    ///
    /// # Errors
    /// A usage error if the folder exists and `force` is off, if it is no folder, or if it cannot be made.
    pub fn choose(kind: Kind, out: Option<&Path>, name: &str, force: bool) -> Result<Self> {
        let (folder, target) = match out {
            None => (numbered(kind.parent, name), Target::Numbered),
            Some(folder) => match fs::symlink_metadata(folder) {
                Ok(_) => (folder.to_owned(), Target::Existing),
                Err(_) => (folder.to_owned(), Target::New),
            },
        };
        let output = Self {
            kind,
            folder,
            target,
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

    /// Whether writing would replace this file.
    pub fn would_replace(&self, file: &Path) -> bool {
        let whole = |path: &Path| fs::canonicalize(path).ok();
        let (Some(file), Some(folder)) = (whole(file), whole(&self.folder)) else {
            return false;
        };
        let name = file.file_name().and_then(OsStr::to_str);
        file.parent() == Some(&folder) && name.is_some_and(self.kind.belongs)
    }

    fn refused(&self, why: &str) -> Error {
        Error::usage(format!("{}: {why}", self.folder.display()))
    }

    fn cannot(&self, what: &str, error: &io::Error) -> Error {
        self.refused(&format!("cannot {what}: {error}; name another folder"))
    }

    /// Writes a set of files, which replaces an older set in the folder; files that are of no set stay. Returns
    /// their paths. A second call replaces what the first has written.
    ///
    /// # Errors
    /// A usage error if the set cannot be written: then the folder is as it was before.
    pub fn write(&mut self, files: &[(String, Vec<u8>)]) -> Result<Vec<PathBuf>> {
        let written = match self.target {
            Target::Existing => self.replace(files),
            Target::New | Target::Numbered => self.make(files),
        };
        written.map_err(|error| self.cannot("write it", &error))?;
        self.target = Target::Existing;
        let path = |(name, _): &(String, Vec<u8>)| self.folder.join(name);
        Ok(files.iter().map(path).collect())
    }

    /// Makes the folder with the files in it.
    fn make(&mut self, files: &[(String, Vec<u8>)]) -> io::Result<()> {
        let parent = folder_of(&self.folder).to_owned();
        let _made = Unfinished::parents(&parent)?;
        let name = self.folder.file_name().unwrap_or_default();
        let mut unfinished = Unfinished::folder(&parent, name)?;
        write_into(unfinished.path(), files)?;
        loop {
            match unfinished.finish(&self.folder) {
                // Another program took the number meanwhile.
                Err(_) if self.target == Target::Numbered && self.folder.exists() => {
                    self.folder = next_number(&self.folder);
                }
                result => return result,
            }
        }
    }

    /// Puts the files in the place of those of an older set.
    fn replace(&self, files: &[(String, Vec<u8>)]) -> io::Result<()> {
        // Below the folder and not beside it: the folder may be a mounted one, or the working folder of a shell.
        let mut unfinished = Unfinished::folder(&self.folder, "wavelerp".as_ref())?;
        let [new, old] = ["new", "old"].map(|name| unfinished.path().join(name));
        fs::create_dir(&new)?;
        fs::create_dir(&old)?;
        write_into(&new, files)?;
        let in_the_way = self.in_the_way(files)?;
        // The record goes first and comes last: whenever the computer stops, no record stands beside files of
        // another set.
        let is_record = |name: &&String| **name != self.kind.record;
        let mut out: Vec<&String> = in_the_way.iter().collect();
        out.sort_by_key(is_record);
        let mut into: Vec<&String> = files.iter().map(|(name, _)| name).collect();
        into.sort_by_key(|name| !is_record(name));
        let steps = out
            .into_iter()
            .map(|name| (self.folder.join(name), old.join(name)));
        let steps = steps.chain(
            into.into_iter()
                .map(|name| (new.join(name), self.folder.join(name))),
        );
        let moved = uninterrupted(|| move_all(steps));
        moved.map_err(|stuck| {
            if stuck.is_half_way {
                unfinished.keep();
            }
            stuck.error
        })
    }

    /// Names of the files that a new set has to replace: those of its names, and those of an older set.
    fn in_the_way(&self, files: &[(String, Vec<u8>)]) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else {
                continue;
            };
            let is_written = files.iter().any(|(file, _)| *file == name);
            let is_folder = entry.file_type()?.is_dir();
            if is_written && is_folder {
                let path = entry.path();
                let message = format!("{} is a folder", path.display());
                return Err(io::Error::new(ErrorKind::IsADirectory, message));
            }
            if is_written || ((self.kind.belongs)(&name) && !is_folder) {
                names.push(name);
            }
        }
        Ok(names)
    }
}

fn write_into(folder: &Path, files: &[(String, Vec<u8>)]) -> io::Result<()> {
    for (name, bytes) in files {
        let path = folder.join(name);
        fs::write(&path, bytes)
            .map_err(|error| io::Error::new(error.kind(), format!("{name}: {error}")))?;
    }
    Ok(())
}

/// Files that could not be moved.
struct Stuck {
    error: io::Error,
    /// Whether those moved before could not be moved back either.
    is_half_way: bool,
}

/// Moves files from one path to another each. If one cannot be moved, all are moved back.
fn move_all(steps: impl Iterator<Item = (PathBuf, PathBuf)>) -> Result<(), Stuck> {
    let mut done = Vec::new();
    for (from, to) in steps {
        if let Err(error) = fs::rename(&from, &to) {
            let undone = done
                .iter()
                .rev()
                .map(|(from, to): &(PathBuf, PathBuf)| fs::rename(to, from));
            let is_half_way = undone.fold(false, |stuck, undone| stuck | undone.is_err());
            let error = io::Error::new(error.kind(), format!("{}: {error}", to.display()));
            return Err(Stuck { error, is_half_way });
        }
        done.push((from, to));
    }
    Ok(())
}

/// The first free `PARENT/NNNN-name`.
fn numbered(parent: &str, name: &str) -> PathBuf {
    let highest = fs::read_dir(parent)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| number_of(Path::new(&entry.file_name())))
        .max()
        .unwrap_or(0);
    // A dot would make the folder look like a file.
    let name = file_name(name).replace('.', "-");
    let name: String = name.chars().take(40).collect();
    Path::new(parent).join(format!("{:04}-{name}", highest.saturating_add(1)))
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

    const KIND: Kind = Kind {
        parent: "local",
        record: "report.json",
        belongs: |name| name.ends_with(".png") || name == "report.json",
    };

    fn file(name: &str) -> (String, Vec<u8>) {
        (name.to_owned(), b"new".to_vec())
    }

    fn count(folder: &Path) -> io::Result<usize> {
        Ok(fs::read_dir(folder)?.count())
    }

    /// Names and contents of all that is in a folder, hidden or not, sorted.
    fn contents(folder: &Path) -> io::Result<Vec<(String, String)>> {
        let mut all = Vec::new();
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let is_folder = path.is_dir();
            let text = if is_folder {
                "a folder".to_owned()
            } else {
                fs::read_to_string(&path)?
            };
            all.push((name.into_owned(), text));
        }
        all.sort();
        Ok(all)
    }

    #[test]
    fn choosing_leaves_no_trace_and_a_failed_write_neither() -> Outcome {
        let home = tempfile::tempdir()?;
        let deep = home.path().join("a/b/c");
        let mut output = Output::choose(KIND, Some(&deep), "temple", false)?;
        assert_eq!(count(home.path())?, 0);
        // The second file cannot be written: its folder is missing.
        assert!(output.write(&[file("good"), file("missing/bad")]).is_err());
        assert_eq!(count(home.path())?, 0);
        assert_eq!(output.write(&[file("good")])?, [deep.join("good")]);
        assert_eq!(contents(&deep)?, [("good".to_owned(), "new".to_owned())]);
        assert_eq!(count(&home.path().join("a/b"))?, 1, "and nothing hidden");
        Ok(())
    }

    /// A folder with a set of two pictures and a report, and a file and a folder of the user's.
    fn older_set(home: &Path) -> io::Result<()> {
        for name in ["a.png", "b.png", "report.json", "mine"] {
            fs::write(home.join(name), "old")?;
        }
        fs::create_dir(home.join("c.png"))
    }

    #[test]
    fn an_older_set_is_replaced_whole_and_other_files_stay() -> Outcome {
        let home = tempfile::tempdir()?;
        older_set(home.path())?;
        assert!(Output::choose(KIND, Some(home.path()), "temple", false).is_err());
        let mut output = Output::choose(KIND, Some(home.path()), "temple", true)?;
        let paths = output.write(&[file("report.json"), file("a.png")])?;
        assert_eq!(paths[1], home.path().join("a.png"));
        let expected = [
            ("a.png", "new"),
            ("c.png", "a folder"),
            ("mine", "old"),
            ("report.json", "new"),
        ];
        let owned = expected.map(|(name, text)| (name.to_owned(), text.to_owned()));
        assert_eq!(contents(home.path())?, owned);
        Ok(())
    }

    #[test]
    fn a_set_that_cannot_be_written_leaves_the_older_one_whole() -> Outcome {
        let home = tempfile::tempdir()?;
        older_set(home.path())?;
        let before = contents(home.path())?;
        let mut output = Output::choose(KIND, Some(home.path()), "temple", true)?;
        // A file that cannot be written, and one that cannot be given its name.
        for bad in ["missing/bad", "c.png"] {
            let set = [file("a.png"), file("report.json"), file(bad)];
            let error = output.write(&set).err().ok_or("an error")?;
            assert!(error.message.contains(bad), "{error}");
            assert_eq!(contents(home.path())?, before, "{bad}");
        }
        Ok(())
    }

    #[test]
    fn a_step_that_fails_takes_those_before_it_back() -> Outcome {
        let home = tempfile::tempdir()?;
        older_set(home.path())?;
        let before = contents(home.path())?;
        let at = |name: &str| home.path().join(name);
        let steps = [("a.png", "moved"), ("b.png", "a.png"), ("mine", "c.png")];
        let moved = move_all(steps.into_iter().map(|(from, to)| (at(from), at(to))));
        let stuck = moved.err().ok_or("a folder is in the way")?;
        assert!(stuck.error.to_string().contains("c.png") && !stuck.is_half_way);
        assert_eq!(contents(home.path())?, before);
        Ok(())
    }

    #[test]
    fn a_number_that_was_taken_meanwhile_is_skipped() -> Outcome {
        let home = tempfile::tempdir()?;
        let taken = home.path().join("0006-temple");
        fs::create_dir(&taken)?;
        fs::write(taken.join("another's"), "x")?;
        let mut output = Output {
            kind: KIND,
            folder: taken,
            target: Target::Numbered,
        };
        let written = output.write(&[file("good")])?;
        assert_eq!(written, [home.path().join("0007-temple/good")]);
        Ok(())
    }

    #[test]
    fn what_a_set_would_replace_is_known_before() -> Outcome {
        let home = tempfile::tempdir()?;
        older_set(home.path())?;
        let output = Output::choose(KIND, Some(home.path()), "temple", true)?;
        assert!(output.would_replace(&home.path().join("c.png/../report.json")));
        assert!(!output.would_replace(&home.path().join("mine")));
        let elsewhere = Output::choose(KIND, Some(&home.path().join("d")), "temple", true)?;
        assert!(!elsewhere.would_replace(&home.path().join("report.json")));
        Ok(())
    }

    #[test]
    fn a_hostile_scene_name_stays_in_its_folder() {
        let folder = numbered("local", "../a b/ü");
        assert_eq!(folder.parent(), Some(Path::new("local")));
        assert!(folder.to_string_lossy().ends_with("-a-b--"));
    }
}
