//! Access to files: the caller opens them and supplies their bytes. Nothing in `model` opens a file.

use std::ffi::OsStr;
use std::hash::{DefaultHasher, Hasher as _};
use std::io::BufRead;
use std::path::{Path, PathBuf};

use crate::error::Error;

/// A source of files. Errors are messages that do not name the file.
pub trait Files {
    fn open(&self, path: &Path) -> Result<Opened<'_>, String>;

    /// Text of a scene file without a byte order mark.
    fn text(&self, path: &Path) -> Result<String, String>;

    /// Maximum size in bytes of a buffer made from the files; `None` if there is no adapter.
    fn largest(&self) -> Option<u64> {
        None
    }

    /// Contents of a folder in any order; empty if the path is not a folder.
    fn within(&self, folder: &Path) -> Vec<PathBuf>;

    /// A file with the given name in or below `folder`, ignoring case.
    fn alike(&self, folder: &Path, name: &Path) -> Option<PathBuf> {
        name.iter().try_fold(folder.to_owned(), |folder, part| {
            let is_it = |path: &PathBuf| path.file_name().map(lower) == Some(lower(part));
            self.within(&folder).into_iter().find(is_it)
        })
    }

    /// Metadata of a path; `None` if nothing exists at the path or it cannot be read.
    fn look(&self, path: &Path) -> Option<FileStamp>;
}

/// Files for an adapter with a limit on the size of buffers, in bytes.
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

    fn look(&self, path: &Path) -> Option<FileStamp> {
        self.files.look(path)
    }
}

pub struct Opened<'a> {
    pub bytes: Box<dyn BufRead + 'a>,
    /// Current length in bytes; the file may grow while it is being read.
    pub length: u64,
}

impl<'a> Opened<'a> {
    pub fn of(bytes: &'a [u8]) -> Self {
        Self {
            bytes: Box::new(bytes),
            length: bytes.len() as u64,
        }
    }
}

/// Reason why reading a file stopped.
pub(super) enum Fault {
    /// The file is invalid; the text does not name it.
    Bad(String),
    /// A progress listener cancelled the work.
    Ended(Error),
}

impl From<String> for Fault {
    fn from(reason: String) -> Self {
        Self::Bad(reason)
    }
}

impl From<&str> for Fault {
    fn from(reason: &str) -> Self {
        Self::bad(reason)
    }
}

impl From<std::io::Error> for Fault {
    fn from(error: std::io::Error) -> Self {
        Self::Bad(error.to_string())
    }
}

/// Returns early with a message, as a `String` or a [`Fault`].
macro_rules! bail {
    ($($reason:tt)+) => {
        return Err(format!($($reason)+).into())
    };
}

/// [`bail`] unless a condition holds.
macro_rules! ensure {
    ($holds:expr, $($reason:tt)+) => {
        if !$holds {
            $crate::model::files::bail!($($reason)+);
        }
    };
}
pub(super) use {bail, ensure};

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

/// Metadata of a path, obtained without opening the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileStamp {
    pub path: PathBuf,
    pub length: u64,
    /// A number that changes whenever the content may have changed; `None` if unknown.
    pub version: Option<u64>,
    /// True for a regular file: not a folder, pipe or device.
    pub is_regular: bool,
}

/// Files in memory, by path.
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

    fn look(&self, path: &Path) -> Option<FileStamp> {
        let bytes = self.bytes(path).ok()?;
        let mut hash = DefaultHasher::new();
        hash.write(bytes);
        Some(FileStamp {
            path: path.to_owned(),
            length: bytes.len() as u64,
            version: Some(hash.finish()),
            is_regular: true,
        })
    }
}

pub fn lower(name: &OsStr) -> String {
    name.to_string_lossy().to_lowercase()
}

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
