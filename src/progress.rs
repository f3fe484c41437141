//! How far a long piece of work has come, and how it is told to stop. Knows nothing of the work.

use crate::error::Result;

/// How far a piece of work has come.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// What comes next.
    pub next: String,
    /// Part of the work that is done, 0 to 1.
    pub done: f64,
    /// Estimated seconds left; `None` where the work makes no estimate of its own.
    pub left: Option<f64>,
}

impl Progress {
    /// What comes next, after `done` of `all` steps.
    pub fn step(next: impl Into<String>, done: usize, all: usize) -> Self {
        Self {
            next: next.into(),
            done: done as f64 / all.max(1) as f64,
            left: None,
        }
    }
}

/// Is told of each step before it begins. If it returns an error, the work ends with that error.
pub type Listener<'a> = &'a mut dyn FnMut(Progress) -> Result<()>;
