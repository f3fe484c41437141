//! The one error type: a sentence for the user and the exit code that goes with it.

use std::fmt;

/// What kind of failure it is; decides the process's exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A check did not hold, or the device failed (exit code 1).
    Failed,
    /// The command line or an input file is wrong (exit code 2).
    Usage,
    /// No suitable adapter, or a method this adapter cannot run (exit code 3).
    Unavailable,
}

/// A failure: what happened, to what, and what to do next.
#[derive(Clone, Debug)]
pub struct Error {
    /// Decides the exit code.
    pub kind: Kind,
    /// One or a few sentences for the user.
    pub message: String,
}

/// Results of everything in this crate that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// A check did not hold, or the device failed.
    pub fn failed(message: impl Into<String>) -> Self {
        Self {
            kind: Kind::Failed,
            message: message.into(),
        }
    }

    /// The command line or an input file is wrong.
    pub fn usage(message: impl Into<String>) -> Self {
        Self {
            kind: Kind::Usage,
            message: message.into(),
        }
    }

    /// No suitable adapter, or a method this adapter cannot run.
    pub fn unavailable(message: impl Into<String>) -> Self {
        Self {
            kind: Kind::Unavailable,
            message: message.into(),
        }
    }

    /// The process's exit code for this failure.
    pub fn exit_code(&self) -> u8 {
        match self.kind {
            Kind::Failed => 1,
            Kind::Usage => 2,
            Kind::Unavailable => 3,
        }
    }

    /// Puts `what` in front of the message: "what: message".
    pub fn context(self, what: impl fmt::Display) -> Self {
        Self {
            kind: self.kind,
            message: format!("{what}: {}", self.message),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// "; did you mean a, b?" for a name that is not among `known`, nearest first, or the whole list.
pub fn suggestion<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let mut scored: Vec<(f64, &str)> = known
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(name, candidate), candidate))
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    let near: Vec<&str> = scored.iter().take(3).map(|entry| entry.1).collect();
    match near.is_empty() {
        true => String::new(),
        false => format!("; nearest: {}", near.join(", ")),
    }
}
