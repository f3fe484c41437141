//! What a row of a benchmark is of: the names of runners, and what `auto` runs on the lists that are measured.

use crate::error::Result;
use crate::gpu::Gpu;
use crate::methods::Specialization;
use crate::methods::auto;
use crate::model::methods::Method;
use crate::model::samples::Summary;
use crate::report::bench::record::{Row, Work};
use crate::runs::{Set, Timer};
use crate::timing::Timed;

/// A candidate of `auto` whose dispatch takes this many times the shortest is not timed further.
const HOPELESS: f64 = 2.0;

/// A runner's name in records. That of `auto` contains what it chose.
pub fn runner_name(specialization: &Specialization) -> String {
    match specialization.method {
        Method::Auto => format!("auto ({})", specialization.label()),
        _ => specialization.label(),
    }
}

/// What `auto` ran on the same work in a sitting before, by the rows of these, because a row is of one runner
/// in all sittings.
pub fn settled(
    candidates: &[Specialization],
    before: &[Row],
    work: &Work,
) -> Option<Specialization> {
    let is_it = |row: &&Row| row.method == Some(Method::Auto) && row.work == *work;
    let row = before.iter().find(is_it)?;
    let mut candidates = candidates.iter();
    candidates.find(|of| runner_name(of) == row.runner).copied()
}

/// The time of the rule's choice, as a figure of the row of `auto`.
pub fn by_rule(choice: &Specialization, timed: &Timed) -> Option<(String, f64)> {
    let median = 1e3 * Summary::of(&timed.samples)?.median;
    Some((format!("by the rule alone, {}, µs", choice.label()), median))
}

/// The candidates of `auto`, those of them made that may be the fastest.
pub struct Candidates<T> {
    all: Vec<Specialization>,
    /// In the order of `all`.
    pub made: Vec<T>,
    /// The milliseconds of one dispatch of each, none of one that is not among those made.
    pilots: Vec<Option<f64>>,
}

impl<T> Candidates<T> {
    /// Makes `all` by `make`, which also takes the milliseconds of one dispatch, or returns none for what would
    /// take too long. A candidate that cannot be made is left out.
    ///
    /// # Errors
    /// The device was lost.
    pub fn new(
        gpu: &Gpu,
        all: Vec<Specialization>,
        mut make: impl FnMut(Specialization) -> Result<Option<(T, f64)>>,
    ) -> Result<Self> {
        let mut piloted = Vec::new();
        for candidate in &all {
            piloted.push(match make(*candidate) {
                Err(error) if gpu.is_lost() => return Err(error),
                result => result.ok().flatten(),
            });
        }
        let pilots = piloted.iter().flatten().map(|of| of.1);
        let most = HOPELESS * pilots.fold(f64::INFINITY, f64::min);
        for one in &mut piloted {
            one.take_if(|one| one.1 > most);
        }
        Ok(Self {
            all,
            pilots: piloted.iter().map(|of| Some(of.as_ref()?.1)).collect(),
            made: piloted.into_iter().flatten().map(|of| of.0).collect(),
        })
    }

    /// The fastest in `set`, whose subjects are those made: timed in rounds of their own, so that the choice does not
    /// favour the row of `auto`.
    pub fn fastest(&self, timer: &mut Timer, set: &Set) -> Result<Specialization> {
        let pilots: Vec<f64> = self.pilots.iter().copied().flatten().collect();
        let times = match pilots.len() {
            2.. => timer.briefly(set, &pilots)?,
            _ => pilots.into_iter().map(Some).collect(),
        };
        let mut times = times.into_iter();
        let of_all = self.pilots.iter();
        let of_all: Vec<_> = of_all
            .map(|pilot| pilot.and_then(|_| times.next()?))
            .collect();
        let fastest = auto::fastest(&self.all, &of_all);
        Ok(fastest.map_or(self.all[0], |choice| choice.specialization))
    }
}
