//! The folder of a set of files: a comparison set, the files of a benchmark. Files are written one by one, each whole
//! or not at all. A new folder gets its name when its set is whole. In a folder that is there already, files replace
//! older ones of their names at once, and the record that says what the others are comes last.

use std::ffi::OsStr;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tempfile::TempDir;

use crate::error::{Error, Result};
use crate::output::{self, check_folder, folder_of, hidden_folder};
use crate::paths::file_name;
use crate::workers::lock;

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
    /// Whether the folder is there: the user added `--force`, or it has been written before.
    exists: bool,
}

impl Output {
    /// Decides on the folder and checks that it can be made and written; leaves no trace. Without
    /// `out` it is a new one, numbered and named after `name`, below [`Kind::parent`].
    ///
    /// # Errors
    /// A usage error if the folder exists and `force` is off, if it is no folder, or if it cannot be made.
    pub fn choose(kind: Kind, out: Option<&Path>, name: &str, force: bool) -> Result<Self> {
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

    /// Begins a set, which replaces an older one in the folder; files that are of no set stay. A second set
    /// replaces the first.
    ///
    /// # Errors
    /// A usage error if files cannot be made there, or another program is writing a set there.
    pub fn begin(&mut self) -> Result<FileSet<'_>> {
        let place = match self.exists {
            false => {
                let made = hidden_folder(&self.folder);
                Place::New(made.map_err(|error| self.cannot("create files there", &error))?)
            }
            true => Place::Existing {
                _lock: self.lock()?,
            },
        };
        Ok(FileSet {
            output: self,
            place,
            written: Mutex::default(),
        })
    }

    /// Writes a whole set, the record last, and returns the paths.
    pub fn write(&mut self, files: &[(String, Vec<u8>)]) -> Result<Vec<PathBuf>> {
        let record = self.kind.record;
        let set = self.begin()?;
        let (last, others): (Vec<_>, Vec<_>) = files.iter().partition(|(name, _)| name == record);
        for (name, bytes) in others {
            set.write(name, bytes)?;
        }
        set.finish(last.first().map_or(&[], |(_, bytes)| bytes))
    }

    /// Keeps other programs from writing a set into the folder meanwhile, and takes away the record of the older set:
    /// it must not stand beside files of another one.
    fn lock(&self) -> Result<Lock> {
        let lock = Lock::new(&self.folder).map_err(|error| match error {
            TryLockError::WouldBlock => self.refused(
                "another wavelerp is writing its results there; wait for it, or name another folder",
            ),
            TryLockError::Error(error) => self.cannot("create files there", &error),
        })?;
        match fs::remove_file(self.folder.join(self.kind.record)) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(self.cannot(&format!("replace {}", self.kind.record), &error))
            }
            _ => Ok(lock),
        }
    }

    /// Gives a finished folder its name. If something has that name by now, another run's folder say, it gets the next
    /// number.
    fn name(&mut self, folder: TempDir) -> io::Result<()> {
        fs::create_dir_all(folder_of(&self.folder))?;
        while let Err(error) = fs::rename(folder.path(), &self.folder) {
            if fs::symlink_metadata(&self.folder).is_err() {
                return Err(error);
            }
            self.folder = next_number(&self.folder);
        }
        // It is not there any more.
        let _ = folder.keep();
        Ok(())
    }
}

/// A set of files on its way. Dropped before its end, it leaves of a new folder nothing, and in one that was there the
/// files that are written.
pub struct FileSet<'a> {
    output: &'a mut Output,
    place: Place,
    /// Names of the files that are written.
    written: Mutex<Vec<String>>,
}

enum Place {
    /// A hidden folder, which gets its name in the end.
    New(TempDir),
    Existing {
        _lock: Lock,
    },
}

impl FileSet<'_> {
    /// Writes a file whole or not at all; on any thread.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<()> {
        self.write_by(name, |file| file.write_all(bytes))
    }

    /// Like [`FileSet::write`], for a file that is not in memory as a whole: `write` writes it, and its value is
    /// returned.
    pub fn write_by<T>(
        &self,
        name: &str,
        write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
    ) -> Result<T> {
        let path = self.folder().join(name);
        let value = output::write_by(&path, write).map_err(self.cannot_write(name))?;
        lock(&self.written).push(name.to_owned());
        Ok(value)
    }

    /// A file without a name for what waits to be written: it is gone with whoever holds it.
    pub fn waiting(&self) -> io::Result<File> {
        tempfile::tempfile_in(self.folder())
    }

    /// What to say where a file of the set cannot be written.
    pub fn cannot_write(&self, name: &str) -> impl FnOnce(io::Error) -> Error {
        let what = format!("write {name}");
        move |error| self.output.cannot(&what, &error)
    }

    /// Ends the set with its record, and returns the paths of all its files in the order of their writing.
    pub fn finish(self, record: &[u8]) -> Result<Vec<PathBuf>> {
        let name = self.output.kind.record;
        if let Place::Existing { .. } = self.place {
            self.remove_others()
                .map_err(|error| self.output.cannot("replace an older set", &error))?;
        }
        self.write(name, record)?;
        let Self {
            output,
            place,
            written,
        } = self;
        if let Place::New(folder) = place {
            output
                .name(folder)
                .map_err(|error| output.cannot("write it", &error))?;
            output.exists = true;
        }
        let names = written.into_inner();
        let names = names.unwrap_or_else(PoisonError::into_inner);
        Ok(names.iter().map(|name| output.folder.join(name)).collect())
    }

    fn folder(&self) -> &Path {
        match &self.place {
            Place::New(folder) => folder.path(),
            Place::Existing { .. } => &self.output.folder,
        }
    }

    /// Removes the files of an older set that this one has not replaced.
    fn remove_others(&self) -> io::Result<()> {
        let written = lock(&self.written);
        for entry in fs::read_dir(&self.output.folder)? {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else {
                continue;
            };
            let is_other = (self.output.kind.belongs)(&name) && !written.contains(&name);
            if is_other && !entry.file_type()?.is_dir() {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }
}

/// A file in a folder that one program at a time may lock. The system unlocks it when that program ends, however it ends.
struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    fn new(folder: &Path) -> std::result::Result<Self, TryLockError> {
        let path = folder.join(".wavelerp.lock");
        let file = File::create(&path).map_err(TryLockError::Error)?;
        file.try_lock()?;
        Ok(Self { path, _file: file })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // A file that stays is in nobody's way.
        let _ = fs::remove_file(&self.path);
    }
}

/// The first free `PARENT/NNNN-name`.
fn numbered(parent: &str, name: &str) -> PathBuf {
    let others = fs::read_dir(parent).into_iter().flatten().flatten();
    let numbers = others.filter_map(|entry| number_of(Path::new(&entry.file_name())));
    let highest = numbers.max().unwrap_or(0);
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

/// `0007-temple` for `0006-temple`, and `mine-2` for `mine`.
fn next_number(folder: &Path) -> PathBuf {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    if let (Some(number), Some((_, rest))) = (number_of(folder), name.split_once('-')) {
        return folder.with_file_name(format!("{:04}-{rest}", number.saturating_add(1)));
    }
    let numbered = name.rsplit_once('-');
    let numbered = numbered.and_then(|(stem, number)| Some((stem, number.parse().ok()?)));
    let (stem, number) = numbered.unwrap_or((&name, 1_u32));
    folder.with_file_name(format!("{stem}-{}", number.saturating_add(1)))
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
            let text = match is_folder {
                true => "a folder".to_owned(),
                false => fs::read_to_string(&path)?,
            };
            all.push((name.into_owned(), text));
        }
        all.sort();
        Ok(all)
    }

    #[test]
    fn choosing_leaves_no_trace_and_a_failed_write_no_folder() -> Outcome {
        let home = tempfile::tempdir()?;
        let deep = home.path().join("a/b/c");
        let mut output = Output::choose(KIND, Some(&deep), "temple", false)?;
        assert_eq!(count(home.path())?, 0);
        // The second file cannot be written: its folder is missing.
        let error = output.write(&[file("good"), file("missing/bad")]).err();
        assert!(error.ok_or("an error")?.message.contains("missing/bad"));
        assert_eq!(count(home.path())?, 0, "and nothing hidden");
        let written = output.write(&[file("report.json"), file("good")])?;
        assert_eq!(written, ["good", "report.json"].map(|name| deep.join(name)));
        assert_eq!(count(&home.path().join("a/b"))?, 1, "and nothing hidden");
        Ok(())
    }

    #[test]
    fn a_new_folder_has_its_name_only_when_its_set_is_whole() -> Outcome {
        let home = tempfile::tempdir()?;
        let folder = home.path().join("new");
        let mut output = Output::choose(KIND, Some(&folder), "temple", false)?;
        let set = output.begin()?;
        std::thread::scope(|scope| {
            let names = ["a.png", "b.png", "c.png"];
            let all = names.map(|name| scope.spawn(|| set.write(name, b"new")));
            for one in all {
                one.join().expect("no panic").expect("written");
            }
        });
        assert!(!folder.exists());
        set.finish(b"new")?;
        assert_eq!(count(&folder)?, 4);
        // One that is not finished leaves nothing.
        let other = home.path().join("other");
        let mut output = Output::choose(KIND, Some(&other), "temple", false)?;
        output.begin()?.write("a.png", b"new")?;
        assert_eq!(count(home.path())?, 1);
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
    fn a_set_that_fails_in_an_older_folder_leaves_whole_files_and_no_record() -> Outcome {
        let home = tempfile::tempdir()?;
        older_set(home.path())?;
        let mut output = Output::choose(KIND, Some(home.path()), "temple", true)?;
        // A file that cannot be given its name: a folder has it.
        let error = output.write(&[file("a.png"), file("c.png"), file("report.json")]);
        let error = error.err().ok_or("an error")?;
        assert!(error.message.contains("c.png"), "{error}");
        let expected = [
            ("a.png", "new"),
            ("b.png", "old"),
            ("c.png", "a folder"),
            ("mine", "old"),
        ];
        let owned = expected.map(|(name, text)| (name.to_owned(), text.to_owned()));
        assert_eq!(contents(home.path())?, owned);
        Ok(())
    }

    #[test]
    fn two_programs_at_once_do_not_harm_each_others_sets() -> Outcome {
        let home = tempfile::tempdir()?;
        let folder = home.path().join("mine");
        let choose = |force| Output::choose(KIND, Some(&folder), "temple", force);
        let (mut one, mut two) = (choose(false)?, choose(false)?);
        let (first, second) = (one.begin()?, two.begin()?);
        first.write("a.png", b"one")?;
        second.write("a.png", b"two")?;
        let first = first.finish(b"one")?;
        let second = second.finish(b"two")?;
        assert_eq!(
            second,
            [("a.png"), ("report.json")].map(|name| home.path().join("mine-2").join(name))
        );
        assert_eq!(
            [fs::read(&first[0])?, fs::read(&second[0])?],
            [b"one", b"two"]
        );
        // In a folder that is there the second has to wait, and can then.
        let (mut one, mut two) = (choose(true)?, choose(true)?);
        let first = one.begin()?;
        let refused = two.begin().err().ok_or("an error")?;
        assert!(refused.message.contains("another wavelerp"), "{refused}");
        first.finish(b"three")?;
        two.begin()?.finish(b"four")?;
        assert_eq!(fs::read(folder.join("report.json"))?, b"four");
        assert_eq!(count(&folder)?, 1, "and no lock");
        Ok(())
    }

    #[test]
    fn a_name_that_is_taken_gets_the_next_number() {
        for (taken, next) in [
            ("0006-temple", "0007-temple"),
            ("mine", "mine-2"),
            ("my-scene", "my-scene-2"),
            ("mine-2", "mine-3"),
        ] {
            assert_eq!(next_number(Path::new(taken)), Path::new(next));
        }
    }

    #[test]
    fn a_hostile_scene_name_stays_in_its_folder() {
        let folder = numbered("local", "../a b/ü");
        assert_eq!(folder.parent(), Some(Path::new("local")));
        assert!(folder.to_string_lossy().ends_with("-a-b--"));
    }
}
