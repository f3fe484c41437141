//! Reads and writes calibrations as files. One per adapter and driver is kept from one start to the next.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::error::{Error, Result};
use crate::input;
use crate::methods::auto::{Calibration, Rule, SCHEMA};
use crate::model::Adapter;
use crate::output::{check_folder, write_atomically};
use crate::paths::{cache_folder, file_name};

/// The part of a calibration that every version has.
#[derive(Deserialize)]
struct Head {
    schema: u32,
}

/// The path of the file that keeps the calibration of an adapter, below the user's cache folder. There is none if
/// the user has no home folder.
pub fn file_of(adapter: &Adapter) -> Option<PathBuf> {
    let name = file_name(&format!("{} {}.json", adapter.name, adapter.driver));
    Some(cache_folder()?.join("calibrations").join(name))
}

/// The kept calibration of an adapter, if it is valid for it. A broken file, or one of another build, counts
/// as none, because a calibration can be repeated.
pub fn kept(adapter: &Adapter) -> Option<Calibration> {
    read_for(&file_of(adapter)?, adapter).ok()
}

/// Checks that a calibration could be kept for the next start; leaves no trace.
pub fn check_kept() -> Result<()> {
    let folder = cache_folder().ok_or_else(no_home)?;
    check_folder(&folder).map_err(|error| {
        let folder = folder.display();
        Error::usage(format!(
            "cannot keep the calibration in {folder}: {error}; name a file with --out"
        ))
    })
}

/// Keeps a calibration for the next start, and returns the path of its file.
pub fn keep(calibration: &Calibration) -> Result<PathBuf> {
    let path = file_of(&calibration.adapter).ok_or_else(no_home)?;
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)
            .map_err(|error| Error::usage(format!("cannot make {}: {error}", folder.display())))?;
    }
    write(&path, calibration)?;
    Ok(path)
}

/// Forgets the calibration that is kept for an adapter. Whether there was one.
pub fn forget(adapter: &Adapter) -> Result<bool> {
    let Some(path) = file_of(adapter) else {
        return Ok(false);
    };
    match std::fs::remove_file(&path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(Error::usage(format!(
            "cannot remove {}: {error}",
            path.display()
        ))),
    }
}

fn no_home() -> Error {
    Error::usage("there is no home folder for the calibration; name a file with --out")
}

/// A calibration as the text of its file.
pub fn text(calibration: &Calibration) -> Result<String> {
    serde_json::to_string_pretty(calibration)
        .map_err(|error| Error::failed(format!("calibration: {error}")))
}

/// Writes a calibration to a file.
pub fn write(path: &Path, calibration: &Calibration) -> Result<()> {
    write_atomically(path, text(calibration)?.as_bytes())
        .map_err(|error| Error::usage(format!("{error}; name another file")))
}

/// Reads a calibration from a file.
///
/// # Errors
/// The file cannot be read, is broken or of another version; the message says what to do.
pub fn read(path: &Path) -> Result<Calibration> {
    let wrong = |what: String| {
        let again = "`wavelerp calibrate --out FILE` makes one";
        Error::usage(format!("{}: {what}; {again}", path.display()))
    };
    let text = input::text(path, input::CALIBRATION).map_err(wrong)?;
    let broken = |error: serde_json::Error| wrong(format!("this is not a calibration: {error}"));
    let head: Head = serde_json::from_str(&text).map_err(broken)?;
    match head.schema {
        SCHEMA => serde_json::from_str(&text).map_err(broken),
        other => Err(wrong(format!("it has version {other}, not {SCHEMA}"))),
    }
}

/// Reads a calibration from a file and checks that it holds for an adapter.
///
/// # Errors
/// Same as [`read`]; also where it was made on another adapter, driver or build.
pub fn read_for(path: &Path, adapter: &Adapter) -> Result<Calibration> {
    let calibration = read(path)?;
    match calibration.mismatch(adapter) {
        None => Ok(calibration),
        Some(reason) => Err(Error::usage(format!(
            "{}: {reason}, and this is {} ({})",
            path.display(),
            adapter.name,
            adapter.driver
        ))),
    }
}

/// The rule of a calibration file, which must hold for an adapter.
pub fn rule_from(path: &Path, adapter: &Adapter) -> Result<Rule> {
    read_for(path, adapter).map(Rule::from)
}

/// The rule of the calibration that is kept for an adapter, or the built-in rule where there is none.
pub fn kept_rule(adapter: &Adapter) -> Rule {
    kept(adapter).map_or(Rule::BuiltIn, Rule::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calibration() -> Calibration {
        Calibration {
            schema: SCHEMA,
            adapter: Adapter::default(),
            unchecked_shaders: !crate::gpu::checks_shaders(),
            date: "2026-01-31".to_owned(),
            seconds: 2.5,
            maps: Vec::new(),
        }
    }

    #[test]
    fn what_was_written_is_read_and_another_adapter_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("calibration.json");
        write(&path, &calibration()).expect("it is written");
        let kept = read_for(&path, &Adapter::default()).expect("it is of this adapter");
        assert_eq!(kept, calibration());
        let other = Adapter {
            name: "another".to_owned(),
            ..Adapter::default()
        };
        let refused = read_for(&path, &other).expect_err("of another adapter");
        assert!(refused.message.contains("calibration.json"), "{refused}");
        assert!(refused.message.contains("another"), "{refused}");
    }

    #[test]
    fn a_broken_file_or_another_version_is_refused_with_what_to_do() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("calibration.json");
        for text in [
            "",
            "{}",
            "{\"schema\": 1}",
            &format!("{{\"schema\": {SCHEMA}}}"),
        ] {
            std::fs::write(&path, text).expect("a file");
            let refused = read(&path).expect_err("not a calibration");
            assert!(refused.message.contains("wavelerp calibrate"), "{refused}");
        }
        let newer = Calibration {
            schema: SCHEMA + 1,
            ..calibration()
        };
        write(&path, &newer).expect("it is written");
        let refused = read(&path).expect_err("newer").message;
        assert!(refused.contains(&format!("version {}", SCHEMA + 1)));
    }
}
