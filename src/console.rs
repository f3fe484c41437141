//! All output to standard output and standard error goes through this module.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};

use crate::error::{Error, Result};

/// Prints to standard error. Failures are ignored, because the work goes on without a reader.
pub fn say(line: impl Display) {
    let _ = io::stderr().write_all(format!("{line}\n").as_bytes());
}

pub fn print(results: impl AsRef<[u8]>) -> Result<()> {
    printed(io::stdout().write_all(results.as_ref()))
}

/// Converts the result of printing to standard output. A closed pipe (`wavelerp list | head`) is not an error.
pub fn printed(printing: io::Result<()>) -> Result<()> {
    let ended = printing.and_then(|()| io::stdout().flush());
    let ended = ended.or_else(|error| match error.kind() {
        ErrorKind::BrokenPipe => Ok(()),
        _ => Err(error),
    });
    ended.map_err(|error| Error::failed(format!("cannot write to standard output: {error}")))
}
