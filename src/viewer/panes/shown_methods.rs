//! The methods on screen, and the options that affect none of them.

use std::fmt;

use crate::model::methods::Method;
use crate::viewer::comparison::Comparison;
use crate::viewer::readings::Readings;

/// Methods on screen, each with the method that runs: for `auto`, the one that it chose.
pub struct ShownMethods(pub Vec<(Method, Method)>);

impl ShownMethods {
    pub fn new(comparison: &Comparison, readings: &Readings) -> Self {
        let with_what_runs = |method| match readings.choice {
            Some(choice) if method == Method::Auto => (method, choice.specialization.runs),
            _ => (method, method),
        };
        let shown = comparison.shown().into_iter().flatten();
        let mut shown: Vec<_> = shown.map(with_what_runs).collect();
        shown.dedup();
        Self(shown)
    }

    /// True if an option `acts` on any of the methods; each method is given as requested and as it runs.
    pub fn any(&self, acts: impl Fn(Method, Method) -> bool) -> bool {
        self.0.iter().any(|(asked, runs)| acts(*asked, *runs))
    }

    /// The reason if an option has no effect now: it affects only methods that are `such`.
    pub fn idle(&self, such: &str, acts: impl Fn(Method, Method) -> bool) -> Option<String> {
        let is_idle = !self.any(acts);
        is_idle.then(|| format!("No effect on the methods shown ({self}): it acts on {such}."))
    }

    pub fn idle_lists(&self) -> Option<String> {
        self.idle("methods that composite tiles' lists", |_, runs| {
            !runs.is_drawn()
        })
    }
}

impl fmt::Display for ShownMethods {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.0.iter().map(|(asked, runs)| match asked == runs {
            true => asked.to_string(),
            false => format!("{asked}, which runs {runs}"),
        });
        f.write_str(&names.collect::<Vec<_>>().join("; "))
    }
}
