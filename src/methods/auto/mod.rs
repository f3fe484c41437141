//! The choice of `auto` for a frame's lists: a method and a dial. A built-in rule makes it ([`choice`]). After all
//! [`candidates`] have been timed on the frame, it is the [`fastest`]. Nothing is measured here.

mod built_in;
mod facts;

use crate::methods::specialization::Specialization;
use crate::model::methods::Method;
use crate::model::{Capabilities, format};
pub use facts::Facts;

/// The specialisation that `auto` runs, with the reason.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Its [`Specialization::method`] is still `auto`.
    pub specialization: Specialization,
    /// The reason, for panes and reports.
    pub why: String,
}

/// Methods that `auto` may choose on an adapter. Their results do not depend on the form of the exclusive prefix
/// product.
pub fn methods(caps: &Capabilities) -> Vec<Method> {
    let mut all = vec![
        Method::PixelLoop,
        Method::PixelLoopStaged,
        Method::SplitDepth,
        Method::SplitBatches,
        Method::WaveTree,
    ];
    all.retain(|method| method.missing_on(caps).is_none());
    all
}

/// The built-in rule's choice for lists like `facts`. Methods other than `auto` are returned unchanged.
pub fn choice(caps: &Capabilities, asked: Specialization, facts: &Facts) -> Choice {
    if asked.method != Method::Auto {
        return Choice {
            specialization: asked,
            why: "asked for".to_owned(),
        };
    }
    let (method, dial, why) = built_in::built_in(caps, &asked.options, facts);
    let specialization = Specialization {
        runs: method,
        options: asked.options.at(dial),
        ..asked
    };
    Choice {
        specialization,
        why,
    }
}

/// Candidates of `auto`: the rule's choice first, then each method with the requested options.
pub fn candidates(
    caps: &Capabilities,
    asked: Specialization,
    facts: &Facts,
) -> Vec<Specialization> {
    let mut all = vec![choice(caps, asked, facts).specialization];
    for method in methods(caps) {
        let plain = Specialization {
            runs: method,
            ..asked
        };
        // Options that a method ignores make no new candidate.
        if !all.iter().any(|of| of.label() == plain.label()) {
            all.push(plain);
        }
    }
    all
}

/// A candidate replaces the rule's choice if it takes less than this fraction of that choice's time. Without this
/// margin, equally fast candidates would alternate.
const FASTER: f64 = 0.97;

/// The fastest of `candidates`, given their times in milliseconds. The rule's choice is the first candidate. Candidates
/// without a time are ignored. `None` if no candidate has a time.
pub fn fastest(candidates: &[Specialization], times: &[Option<f64>]) -> Option<Choice> {
    let timed = candidates.iter().zip(times);
    let timed: Vec<_> = timed
        .filter_map(|(of, time)| Some((*of, (*time)?)))
        .collect();
    let first = *timed.first()?;
    let fastest = *timed.iter().min_by(|a, b| a.1.total_cmp(&b.1))?;
    let (specialization, time) = match fastest.1 < FASTER * first.1 {
        true => fastest,
        false => first,
    };
    let others = timed.iter().filter(|of| of.0 != specialization);
    let others = others.map(|(of, time)| format!(", {} {}", of.label(), format::time(1e3 * time)));
    let why = format!(
        "{} measured on this frame{}; by the rule {}",
        format::time(1e3 * time),
        others.collect::<String>(),
        candidates[0].label()
    );
    Some(Choice {
        specialization,
        why,
    })
}

#[cfg(test)]
mod tests;
