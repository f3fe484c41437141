//! The files that are read from outside: whoever has them opens them and hands their bytes in. This room opens none.

use std::ffi::OsStr;
use std::hash::{DefaultHasher, Hasher as _};
use std::io::BufRead;
use std::path::{Path, PathBuf};

use crate::error::Error;

/// Somewhere that files are. The reasons of errors are in words and do not name the file.
pub trait Files {
    /// Opens a file.
    fn open(&self, path: &Path) -> Result<Opened<'_>, String>;

    /// The text of a scene file without its byte order mark.
    fn text(&self, path: &Path) -> Result<String, String>;

    /// The most bytes that one buffer of what is made of them may have; none where nobody has asked an adapter.
    fn largest(&self) -> Option<u64> {
        None
    }

    /// What is in a folder, in any order; nothing where it is none.
    fn within(&self, folder: &Path) -> Vec<PathBuf>;

    /// A file in `folder` or below it whose name is `name` but for upper and lower case.
    fn alike(&self, folder: &Path, name: &Path) -> Option<PathBuf> {
        name.iter().try_fold(folder.to_owned(), |folder, part| {
            let is_it = |path: &PathBuf| path.file_name().map(lower) == Some(lower(part));
            self.within(&folder).into_iter().find(is_it)
        })
    }

    /// What is at a path; none where nothing is, or it cannot be looked at.
    fn look(&self, path: &Path) -> Option<Seen>;
}

/// Files for an adapter, whose buffers hold so many bytes.
pub struct ForBuffers<'a> {
    pub files: &'a dyn Files,
    pub largest: Option<u64>,
}

impl Files for ForBuffers<'_> {
    fn open(&self, path: &Path) -> Result<Opened<'_>, String> {
        self.files.open(path)
    }

    fn text(&self, path: &Path) -> Result<String, String> {
        self.files.text(path)
    }

    fn largest(&self) -> Option<u64> {
        self.largest
    }

    fn within(&self, folder: &Path) -> Vec<PathBuf> {
        self.files.within(folder)
    }

    fn look(&self, path: &Path) -> Option<Seen> {
        self.files.look(path)
    }
}

pub struct Opened<'a> {
    pub bytes: Box<dyn BufRead + 'a>,
    /// How many there are now; the file may grow while it is read.
    pub length: u64,
}

impl<'a> Opened<'a> {
    /// A file in memory.
    pub fn of(bytes: &'a [u8]) -> Self {
        Self {
            bytes: Box::new(bytes),
            length: bytes.len() as u64,
        }
    }
}

/// Why reading a file ended.
pub(super) enum Fault {
    /// The file is wrong; in words that do not name it.
    Bad(String),
    /// Whoever is told of the progress wants no more of it.
    Ended(Error),
}

impl From<String> for Fault {
    fn from(reason: String) -> Self {
        Self::Bad(reason)
    }
}

impl Fault {
    pub(super) fn bad(reason: impl Into<String>) -> Self {
        Self::Bad(reason.into())
    }

    pub(super) fn of_file(self, name: &str) -> Error {
        match self {
            Self::Bad(reason) => Error::usage(format!("{name}: {reason}")),
            Self::Ended(error) => error,
        }
    }
}

/// What is known of a path without opening it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    pub path: PathBuf,
    pub length: u64,
    /// Another number whenever what is in it may have changed; none where this cannot be told.
    pub version: Option<u64>,
    /// Whether it is a file and no folder, pipe or device.
    pub is_regular: bool,
}

/// Files in memory, by the paths that open them.
pub struct InMemory<'a>(pub &'a [(&'a str, &'a [u8])]);

impl InMemory<'_> {
    fn bytes(&self, path: &Path) -> Result<&[u8], &'static str> {
        let found = self.0.iter().find(|(name, _)| Path::new(name) == path);
        found
            .map(|(_, bytes)| *bytes)
            .ok_or("there is no such file")
    }
}

impl Files for InMemory<'_> {
    fn open(&self, path: &Path) -> Result<Opened<'_>, String> {
        Ok(Opened::of(self.bytes(path)?))
    }

    fn text(&self, path: &Path) -> Result<String, String> {
        String::from_utf8(self.bytes(path)?.to_vec()).map_err(|error| error.to_string())
    }

    fn within(&self, folder: &Path) -> Vec<PathBuf> {
        let in_it = |path: &Path| {
            let below = path.strip_prefix(folder).ok()?;
            Some(folder.join(below.iter().next()?))
        };
        (self.0.iter())
            .filter_map(|(name, _)| in_it(Path::new(name)))
            .collect()
    }

    fn look(&self, path: &Path) -> Option<Seen> {
        let bytes = self.bytes(path).ok()?;
        let mut hash = DefaultHasher::new();
        hash.write(bytes);
        Some(Seen {
            path: path.to_owned(),
            length: bytes.len() as u64,
            version: Some(hash.finish()),
            is_regular: true,
        })
    }
}

/// A name whose upper and lower case do not count.
pub fn lower(name: &OsStr) -> String {
    name.to_string_lossy().to_lowercase()
}

/// The files in a folder, to which their names are relative.
#[derive(Clone, Copy)]
pub struct Folder<'a> {
    pub files: &'a dyn Files,
    pub path: &'a Path,
}

impl<'a> Folder<'a> {
    pub fn of(file: &'a Path, files: &'a dyn Files) -> Self {
        let path = file.parent().unwrap_or(Path::new(""));
        Self { files, path }
    }
}
