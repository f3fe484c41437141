//! Errors about values of a scene, with file and line.

use super::file::{Checked as _, OutOfRange, SPLAT_FILES, Scene, SplatSpec};
use super::parse;
use crate::error::{Error, Result};

pub(super) fn check(file: &str, text: &str, scene: &Scene) -> Result<()> {
    scene.check().map_err(|fault| placed(file, text, fault))
}

/// Checks a list of splat files that is not part of a scene file; `whose` identifies the list in messages.
pub(crate) fn check_splats(whose: &str, splats: &[SplatSpec]) -> Result<()> {
    let found = SPLAT_FILES.admit(splats);
    found.map_err(|fault| placed(whose, "", fault.within("splats")))
}

fn placed(file: &str, text: &str, fault: OutOfRange) -> Error {
    let OutOfRange {
        path,
        value,
        allowed,
    } = fault;
    let place = place_of(file, text, &path);
    Error::usage(format!("{place}: {path} is {value}; it must be {allowed}"))
}

/// `file:line` of a field, or the file alone if the text does not contain the field.
fn place_of(file: &str, text: &str, path: &str) -> String {
    match parse::line_of(text, path) {
        Some(line) => format!("{file}:{line}"),
        None => file.to_owned(),
    }
}

/// Error for an unreadable file of `list[index]`, with the line that names the file.
pub(super) fn unread(file: &str, text: &str, (list, index): (&str, usize), error: Error) -> Error {
    let path = format!("{list}[{index}].file");
    error.context(format!("{}: {path}", place_of(file, text, &path)))
}
