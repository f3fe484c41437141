//! What `auto` chooses by a calibration recorded on a GPU, for lists and frames that were not in it, whose
//! times by every method were recorded in another run (`tests/data/calibration_h200.json`: `wavelerp
//! calibrate`, then `wavelerp bench` on all scenes but `temple` and on other sizes and lengths of lists).

use serde::Deserialize;
use wavelerp::auto::{Calibration, Candidate, Facts, Rule};
use wavelerp::methods::{Cost, ListKind, Method, Source, Specialization};

use crate::shaders::capabilities;

#[derive(Deserialize)]
struct Recorded {
    calibration: Calibration,
    held_out: Vec<HeldOut>,
}

/// A frame or synthetic lists, and the median µs of every candidate.
#[derive(Deserialize)]
struct HeldOut {
    name: String,
    synthetic: Option<(Cost, ListKind)>,
    facts: Facts,
    times: Vec<(Candidate, f64)>,
}

fn recorded() -> Recorded {
    serde_json::from_str(include_str!("../data/calibration_h200.json")).expect("it parses")
}

impl HeldOut {
    /// Time of what a rule chooses, and of the best, µs. None where a method is chosen that the program did not
    /// have when the times were recorded.
    fn times_by(&self, rule: &Rule) -> Option<(f64, f64)> {
        let source = match self.synthetic {
            Some((cost, kind)) => Source::Synthetic(cost, kind),
            None => Source::Frame,
        };
        let asked = Specialization {
            source,
            ..Specialization::new(Method::Auto)
        };
        let choice = rule.choose(&capabilities(32, true), asked, &self.facts);
        let of = choice.specialization;
        let is_chosen = |candidate: &Candidate| {
            let plain = candidate.specialization(source, of.knobs.tile);
            (plain.method, plain.knobs.dial) == (of.runs, of.knobs.dial)
        };
        let (_, chosen) = self.times.iter().find(|time| is_chosen(&time.0))?;
        let best = self
            .times
            .iter()
            .map(|time| time.1)
            .fold(f64::MAX, f64::min);
        Some((*chosen, best))
    }
}

/// How a rule does on what was held out.
struct Score {
    /// How many there are times of.
    timed: usize,
    /// Where it is more than 5 % and 2 µs from the best.
    missed: Vec<String>,
    /// Mean of chosen over best.
    regret: f64,
}

fn score(rule: &Rule, held_out: &[HeldOut]) -> Score {
    let (mut missed, mut sum, mut timed) = (Vec::new(), 0.0, 0);
    for of in held_out {
        let Some((chosen, best)) = of.times_by(rule) else {
            continue;
        };
        timed += 1;
        if chosen - best > f64::max(0.05 * best, 2.0) {
            missed.push(format!("{}: {chosen:.1} µs for {best:.1}", of.name));
        }
        sum += chosen / best;
    }
    Score {
        timed,
        missed,
        regret: sum / timed as f64,
    }
}

#[test]
fn by_a_recorded_calibration_nearly_all_that_was_held_out_gets_nearly_the_best() {
    let recorded = recorded();
    assert_eq!(recorded.held_out.len(), 54);
    let score = score(&recorded.calibration.into(), &recorded.held_out);
    assert_eq!(score.timed, 54, "a calibration knows what it has times of");
    assert!(score.missed.len() <= 5, "{:#?}", score.missed);
    assert!(score.regret < 1.02, "{}", score.regret);
}

#[test]
fn a_rule_that_knows_less_does_worse() {
    let recorded = recorded();
    let by = |rule: Rule| score(&rule, &recorded.held_out);
    let whole = by(recorded.calibration.clone().into());
    let built_in = by(Rule::BuiltIn);
    assert!(
        built_in.missed.len() > 2 * whole.missed.len(),
        "{:#?}",
        built_in.missed
    );
    // As if all lists of a frame were as long as their mean.
    let mut even = recorded.calibration.clone();
    for point in even.maps.iter_mut().flat_map(|map| &mut map.points) {
        point.facts.longest = point.facts.mean.ceil() as u32;
    }
    let even = by(even.into());
    assert!(even.missed.len() > whole.missed.len(), "{:#?}", even.missed);
    // The times of two candidates exchanged.
    let mut exchanged = recorded.calibration;
    for point in exchanged.maps.iter_mut().flat_map(|map| &mut map.points) {
        for (candidate, _) in &mut point.times {
            candidate.dial = match candidate.dial.to_string().as_str() {
                "2" => "64",
                "64" => "2",
                _ => continue,
            }
            .parse()
            .expect("a dial");
        }
    }
    let exchanged = by(exchanged.into());
    assert!(
        exchanged.regret > 1.1 * whole.regret,
        "{}",
        exchanged.regret
    );
}
