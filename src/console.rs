//! The only writer to standard output and standard error.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};

use crate::error::{Error, Result};

/// Says something on standard error. If nobody reads it, the work goes on.
pub fn say(line: impl Display) {
    let _ = io::stderr().write_all(format!("{line}\n").as_bytes());
}

pub fn print(results: impl AsRef<[u8]>) -> Result<()> {
    printed(io::stdout().write_all(results.as_ref()))
}

/// Ends printing to standard output. A reader that has left (`wavelerp list | head`) is no error.
pub fn printed(printing: io::Result<()>) -> Result<()> {
    let ended = printing.and_then(|()| io::stdout().flush());
    let ended = ended.or_else(|error| match error.kind() {
        ErrorKind::BrokenPipe => Ok(()),
        _ => Err(error),
    });
    ended.map_err(|error| Error::failed(format!("cannot write to standard output: {error}")))
}
