//! Files that a scene names: next to the scene's own file, or built in.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use super::endings::is_file_alone;
use crate::model::files::{FileStamp, Files, Folder, InMemory, Opened};

#[cfg(not(target_arch = "wasm32"))]
static EMBEDDED: InMemory = InMemory(&[(
    "statue.spz",
    include_bytes!("../../../assets/scenes/statue.spz"),
)]);

/// A page fetches them: they would double its size.
#[cfg(target_arch = "wasm32")]
static EMBEDDED: InMemory = InMemory(&[]);

/// Location of the files that a scene names.
#[derive(Clone, Copy)]
pub struct Named<'a> {
    folder: Folder<'a>,
    /// True if some files are built in; the others are then absolute paths.
    is_in_program: bool,
}

/// The file at a path; for a folder, the `meta.json` of an unpacked SOG, or the folder's only splat or model file.
pub(super) fn file_in(path: PathBuf, files: &dyn Files) -> PathBuf {
    if files.look(&path).is_none_or(|seen| seen.is_regular) {
        return path;
    }
    let meta = path.join("meta.json");
    if files.look(&meta).is_some_and(|seen| seen.is_regular) {
        return meta;
    }
    let inside = files.within(&path).into_iter();
    let mut shown = inside.filter(|path| path.to_str().is_some_and(is_file_alone));
    match (shown.next(), shown.next()) {
        (Some(only), None) => only,
        _ => path,
    }
}

impl<'a> Named<'a> {
    pub(super) fn in_program(files: &'a dyn Files) -> Self {
        Self {
            is_in_program: true,
            ..Self::as_given(files)
        }
    }

    /// Location for absolute paths, and for paths relative to the working folder.
    pub(super) fn as_given(files: &'a dyn Files) -> Self {
        Self::beside("", files)
    }

    pub(super) fn beside(file: &'a str, files: &'a dyn Files) -> Self {
        Self {
            folder: Folder::of(Path::new(file), files),
            is_in_program: false,
        }
    }

    pub(super) fn files(self) -> &'a dyn Files {
        self.folder.files
    }

    pub(super) fn path_of(self, file: &str) -> PathBuf {
        file_in(self.folder.path.join(file), self.files())
    }

    fn is_embedded(self, file: &str) -> bool {
        self.is_in_program && EMBEDDED.open(Path::new(file)).is_ok()
    }

    pub(super) fn open(self, file: &str) -> Result<Opened<'a>, String> {
        match self.is_embedded(file) {
            true => EMBEDDED.open(Path::new(file)),
            false => self.files().open(&self.path_of(file)),
        }
    }

    pub(super) fn look(self, file: &str) -> Option<FileStamp> {
        match self.is_embedded(file) {
            true => EMBEDDED.look(Path::new(file)),
            false => self.files().look(&self.path_of(file)),
        }
    }

    pub(super) fn has(self, file: &str) -> bool {
        match self.is_in_program && cfg!(not(target_arch = "wasm32")) {
            true => self.is_embedded(file),
            false => self.look(file).is_some(),
        }
    }
}

/// Adds remarks about a file, without repeating any.
pub(super) fn remark(
    remarks: &mut Vec<String>,
    file: &str,
    lines: impl Iterator<Item = impl Display>,
) {
    for line in lines.map(|line| format!("{file}: {line}")) {
        if !remarks.contains(&line) {
            remarks.push(line);
        }
    }
}
