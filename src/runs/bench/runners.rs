//! Names of runners, and the choice of `auto` on measured lists.

use crate::error::Result;
use crate::gpu::Gpu;
use crate::methods::Specialization;
use crate::methods::auto;
use crate::model::methods::Method;
use crate::model::samples::Summary;
use crate::report::bench::record::{Row, Work};
use crate::runs::{Set, Timer};
use crate::timing::Timed;

/// A candidate of `auto` that is slower than the fastest by this factor is not timed further.
const HOPELESS: f64 = 2.0;

/// Name of a runner in records. For `auto` it includes the chosen method.
pub fn runner_name(specialization: &Specialization) -> String {
    match specialization.method {
        Method::Auto => match specialization.options.frame.early_out {
            0.0 => format!("auto ({})", specialization.label()),
            least => format!("auto T<{least} ({})", specialization.label()),
        },
        _ => specialization.label(),
    }
}

/// The earlier sitting's choice of `auto` for the same work. A row has the same runner in all sittings.
pub fn settled(
    candidates: &[Specialization],
    before: &[Row],
    work: &Work,
) -> Option<Specialization> {
    let mut candidates = candidates.iter();
    let is_it = |of: &&Specialization| {
        let name = runner_name(of);
        let mut rows = before.iter().filter(|row| row.work == *work);
        rows.any(|row| row.method == Some(Method::Auto) && row.runner == name)
    };
    candidates.find(is_it).copied()
}

/// Time of the rule's choice, as a figure for the row of `auto`.
pub fn by_rule(choice: &Specialization, timed: &Timed) -> Option<(String, f64)> {
    let median = 1e3 * Summary::of(&timed.samples)?.median;
    Some((format!("by the rule alone, {}, µs", choice.label()), median))
}

/// Candidates of `auto` that may be the fastest.
pub struct Candidates<T> {
    usual: Specialization,
    specializations: Vec<Specialization>,
    pub made: Vec<T>,
    /// Milliseconds of one dispatch of each candidate.
    pilots: Vec<f64>,
}

impl<T> Candidates<T> {
    /// Makes `all` with `make`, which also measures the milliseconds of one dispatch. `make` returns `None` if a
    /// dispatch takes too long. Candidates that cannot be made are dropped.
    pub fn new(
        gpu: &Gpu,
        all: &[Specialization],
        mut make: impl FnMut(Specialization) -> Result<Option<(T, f64)>>,
    ) -> Result<Self> {
        let mut found = Vec::new();
        for &candidate in all {
            match make(candidate) {
                Err(error) if gpu.is_lost() => return Err(error),
                made => found.extend(made.ok().flatten().map(|made| (candidate, made))),
            }
        }
        let pilots = found.iter().map(|(_, made)| made.1);
        let most = HOPELESS * pilots.fold(f64::INFINITY, f64::min);
        found.retain(|(_, made)| made.1 <= most);
        let (specializations, made): (Vec<_>, Vec<_>) = found.into_iter().unzip();
        let (made, pilots) = made.into_iter().unzip();
        Ok(Self {
            usual: all[0],
            specializations,
            made,
            pilots,
        })
    }

    /// The fastest candidate in `set`, found in separate rounds. The choice therefore does not favour the row of
    /// `auto`.
    pub fn fastest(&self, timer: &mut Timer, set: &Set) -> Result<Specialization> {
        let times = match self.pilots.len() {
            2.. => timer.gpu.finish(timer.briefly(set, &self.pilots))?,
            _ => self.pilots.iter().copied().map(Some).collect(),
        };
        let fastest = auto::fastest(&self.specializations, &times);
        Ok(fastest.map_or(self.usual, |choice| choice.specialization))
    }
}
