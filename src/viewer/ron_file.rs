//! RON files that only the window itself writes and reads.

use std::path::Path;

use ron::ser::PrettyConfig;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{Error, Result};
use crate::input;

use super::files;

/// Reads a file. The caller must still check the content.
pub fn read<T: DeserializeOwned>(path: &Path, longest: u64) -> Result<T> {
    let text = input::text(path, longest);
    let text = text.map_err(|why| cannot(path, &why))?;
    ron::from_str(&text).map_err(|error| cannot(path, &error))
}

pub fn cannot(path: &Path, why: &dyn std::fmt::Display) -> Error {
    Error::usage(format!("{}: {why}", path.display()))
}

pub fn write(path: &Path, value: &impl Serialize) -> Result<()> {
    let text = ron::ser::to_string_pretty(value, PrettyConfig::new())
        .map_err(|error| Error::failed(format!("RON: {error}")))?;
    files::write(path, (text + "\n").as_bytes())
}
