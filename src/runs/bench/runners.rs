//! What a row of a benchmark is of: the names of runners, and what `auto` runs on the lists that are measured.

use crate::error::Result;
use crate::gpu::Gpu;
use crate::methods::Specialization;
use crate::methods::auto::Choice;
use crate::model::methods::Method;
use crate::report::bench::record::{Row, Work};
use crate::runs::{Set, Timer};

/// A runner's name in records. That of `auto` contains what it chose.
pub fn runner_name(specialization: &Specialization) -> String {
    match specialization.method {
        Method::Auto => format!("auto ({})", specialization.label()),
        _ => specialization.label(),
    }
}

/// What runs for a choice without a trial of its rivals: the choice itself if it has none, or what `auto` ran on the same
/// work in a sitting before, by the rows of these, because a row is of one runner in all sittings.
pub fn settled(choice: &Choice, before: &[Row], work: &Work) -> Option<Specialization> {
    if choice.rivals.is_empty() {
        return Some(choice.specialization);
    }
    let is_it = |row: &&Row| row.method == Some(Method::Auto) && row.work == *work;
    let row = before.iter().find(is_it)?;
    let mut candidates = choice.candidates().into_iter();
    candidates.find(|of| runner_name(of) == row.runner)
}

/// A choice and its rivals, those of them made that can be timed.
pub struct Rivals<T> {
    choice: Choice,
    /// In the order of [`Choice::candidates`].
    pub made: Vec<T>,
    /// The milliseconds of one dispatch of each candidate, none of one that is not among those made.
    pilots: Vec<Option<f64>>,
}

impl<T> Rivals<T> {
    /// Makes the candidates by `make`, which also takes the milliseconds of one dispatch, or returns none for what would
    /// take too long. A candidate that cannot be made is left out.
    ///
    /// # Errors
    /// The device was lost.
    pub fn new(
        gpu: &Gpu,
        choice: Choice,
        mut make: impl FnMut(Specialization) -> Result<Option<(T, f64)>>,
    ) -> Result<Self> {
        let (mut made, mut pilots) = (Vec::new(), Vec::new());
        for candidate in choice.candidates() {
            let one = match make(candidate) {
                Err(error) if gpu.is_lost() => return Err(error),
                result => result.ok().flatten(),
            };
            pilots.push(one.as_ref().map(|one| one.1));
            made.extend(one.map(|one| one.0));
        }
        Ok(Self {
            choice,
            made,
            pilots,
        })
    }

    /// The fastest in `set`, whose subjects are those made.
    pub fn fastest(&self, timer: &mut Timer, set: &Set) -> Result<Specialization> {
        let pilots: Vec<f64> = self.pilots.iter().copied().flatten().collect();
        let mut times = timer.briefly(set, &pilots)?.into_iter();
        let of_all = self.pilots.iter();
        let of_all: Vec<_> = of_all
            .map(|pilot| pilot.and_then(|_| times.next()?))
            .collect();
        Ok(self.choice.clone().by_times(&of_all).specialization)
    }
}
