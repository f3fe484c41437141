//! What `auto` chooses by a calibration recorded on a GPU, for lists and frames that were not in it, whose
//! times by every candidate were recorded beside it (`benches/record_auto.py` writes `tests/data/calibration_h200.json`
//! and says what is in it).

use serde::Deserialize;
use wavelerp::methods::Specialization;
use wavelerp::methods::auto::{Calibration, Candidate, Facts, Point, Rule, SCHEMA, SourceTimes};
use wavelerp::model::Adapter;
use wavelerp::model::methods::{Cost, ListKind, Method, Source};
use wavelerp::model::options::{Dial, Options};

use crate::shaders::capabilities;

/// The file.
#[derive(Deserialize)]
struct Recorded {
    adapter: Adapter,
    unchecked_shaders: bool,
    date: String,
    /// Seconds that the calibration took, and one of frames alone.
    seconds: f64,
    seconds_of_frames: f64,
    candidates: Vec<(Method, Dial)>,
    points: Vec<Measured>,
    held_out: Vec<HeldOut>,
}

/// A frame or synthetic lists, and the median µs of every candidate, in their order.
#[derive(Deserialize)]
struct Measured {
    synthetic: Option<(Cost, ListKind)>,
    /// Edge of the tiles in pixels.
    #[serde(default = "eight")]
    tile: u32,
    /// Pixels, mean and longest list, splats per tile.
    facts: (u32, f64, u32, f64),
    times: Vec<Option<f64>>,
}

#[derive(Deserialize)]
struct HeldOut {
    name: String,
    #[serde(flatten)]
    measured: Measured,
}

fn eight() -> u32 {
    8
}

/// Pixels, mean and longest list, splats per tile, as files have them.
pub fn facts_of((pixels, mean, longest, splats): (u32, f64, u32, f64)) -> Facts {
    Facts {
        pixels,
        mean,
        longest,
        splats,
    }
}

fn recorded() -> Recorded {
    serde_json::from_str(include_str!("../data/calibration_h200.json")).expect("it parses")
}

impl Measured {
    /// The times that there are, by their candidates.
    fn times(&self, candidates: &[(Method, Dial)]) -> Vec<(Candidate, f64)> {
        let timed = |(&(method, dial), time): (&(Method, Dial), &Option<f64>)| {
            Some((Candidate::new(method, dial), (*time)?))
        };
        let all = candidates.iter().zip(&self.times);
        all.filter_map(timed).collect()
    }
}

impl Recorded {
    fn calibration(&self) -> Calibration {
        let mut maps: Vec<SourceTimes> = Vec::new();
        for measured in &self.points {
            let point = Point {
                facts: facts_of(measured.facts),
                times: measured.times(&self.candidates),
            };
            let (synthetic, tile) = (measured.synthetic, measured.tile);
            let is_it = |map: &&mut SourceTimes| map.synthetic == synthetic && map.tile == tile;
            match maps.iter_mut().find(is_it) {
                Some(map) => map.points.push(point),
                None => maps.push(SourceTimes {
                    tile,
                    synthetic,
                    points: vec![point],
                }),
            }
        }
        Calibration {
            schema: SCHEMA,
            adapter: self.adapter.clone(),
            unchecked_shaders: self.unchecked_shaders,
            date: self.date.clone(),
            seconds: self.seconds,
            maps,
        }
    }

    /// Time of what a rule chooses, and of the best, µs. None where what is chosen was not timed. With `tries` the rivals of
    /// the choice are timed, too, as the window and benchmarks do: their times are the recorded ones.
    fn times_by(&self, rule: &Rule, of: &Measured, tries: bool) -> Option<(f64, f64)> {
        let source = match of.synthetic {
            Some((cost, kind)) => Source::Synthetic(cost, kind),
            None => Source::default(),
        };
        let options = Options::default().with_frame(|frame| frame.tile = of.tile);
        let asked = Specialization {
            source,
            ..options.specialize(Method::Auto)
        };
        let times = of.times(&self.candidates);
        let time_of = |runs: &Specialization| {
            let is_it =
                |of: &&(Candidate, f64)| (of.0.method, of.0.dial) == (runs.runs, runs.dial());
            Some(times.iter().find(is_it)?.1)
        };
        let facts = facts_of(of.facts);
        let mut chosen = rule.choose(&capabilities(32, true), asked, &facts);
        if tries {
            let tried: Vec<_> = chosen.candidates().iter().map(time_of).collect();
            chosen = chosen.by_times(&tried);
        }
        let best = times.iter().map(|time| time.1).fold(f64::MAX, f64::min);
        Some((time_of(&chosen.specialization)?, best))
    }
}

/// How a rule does on what was held out.
struct Score {
    /// How many there are times of.
    timed: usize,
    /// Where it is more than 5 % and 2 µs from the best.
    missed: Vec<String>,
    /// How far it is from the best at most, as a part of what is allowed.
    worst: f64,
    /// Mean of chosen over best.
    regret: f64,
}

/// How a rule does on the frames that were held out, and on the lists.
fn scores(rule: &Rule, recorded: &Recorded, tries: bool) -> [Score; 2] {
    [false, true].map(|synthetic| score(rule, recorded, synthetic, tries))
}

fn score(rule: &Rule, recorded: &Recorded, synthetic: bool, tries: bool) -> Score {
    let (mut missed, mut worst, mut sum, mut timed) = (Vec::new(), 0.0_f64, 0.0, 0);
    let held_out = recorded.held_out.iter();
    for of in held_out.filter(|of| of.measured.synthetic.is_some() == synthetic) {
        let Some((chosen, best)) = recorded.times_by(rule, &of.measured, tries) else {
            continue;
        };
        timed += 1;
        let part = (chosen - best) / f64::max(0.05 * best, 2.0);
        worst = worst.max(part);
        if part > 1.0 {
            missed.push(format!("{}: {chosen:.1} µs for {best:.1}", of.name));
        }
        sum += chosen / best;
    }
    Score {
        timed,
        missed,
        worst,
        regret: sum / timed as f64,
    }
}

#[test]
fn by_a_recorded_calibration_and_a_trial_all_that_was_held_out_gets_nearly_the_best() {
    let recorded = recorded();
    let [frames, lists] = scores(&recorded.calibration().into(), &recorded, true);
    assert_eq!([frames.timed, lists.timed], [28, 135]);
    let missed = [frames.missed, lists.missed];
    assert!(missed.iter().all(Vec::is_empty), "{missed:#?}");
    let regret = [frames.regret, lists.regret];
    assert!(regret.iter().all(|regret| *regret < 1.004), "{regret:?}");
    // By no hair's breadth.
    let worst = [frames.worst, lists.worst];
    assert!(worst.iter().all(|worst| *worst < 0.5), "{worst:?}");
}

#[test]
fn by_a_recorded_calibration_alone_nearly_all_that_was_held_out_gets_nearly_the_best() {
    let recorded = recorded();
    let [frames, lists] = scores(&recorded.calibration().into(), &recorded, false);
    // What is chosen was timed.
    assert_eq!([frames.timed, lists.timed], [28, 135]);
    let regret = [frames.regret, lists.regret];
    let missed = [frames.missed, lists.missed];
    assert!(missed[0].len() <= 3 && missed[1].len() <= 7, "{missed:#?}");
    assert!(regret.iter().all(|regret| *regret < 1.022), "{regret:?}");
}

#[test]
fn the_recorded_calibration_of_frames_took_less_than_fifteen_seconds() {
    assert!(recorded().seconds_of_frames < 15.0);
}

#[test]
fn a_rule_that_knows_less_does_worse() {
    let recorded = recorded();
    let by = |rule: Rule| scores(&rule, &recorded, false);
    let missed = |scores: &[Score; 2]| scores.iter().map(|of| of.missed.len()).sum::<usize>();
    let whole = by(recorded.calibration().into());
    let built_in = by(Rule::BuiltIn);
    assert!(missed(&built_in) > 2 * missed(&whole));
    // As if all lists of a frame were as long as their mean.
    let mut even = recorded.calibration();
    for point in even.maps.iter_mut().flat_map(|map| &mut map.points) {
        point.facts.longest = point.facts.mean.ceil() as u32;
    }
    let even = by(even.into());
    assert!(even[0].missed.len() > whole[0].missed.len());
    // The times of two candidates exchanged.
    let mut exchanged = recorded.calibration();
    for point in exchanged.maps.iter_mut().flat_map(|map| &mut map.points) {
        for (candidate, _) in &mut point.times {
            let other = match candidate.dial.to_string().as_str() {
                "2" => "64",
                "64" => "2",
                _ => continue,
            };
            candidate.dial = other.parse().expect("a dial");
        }
    }
    let exchanged = by(exchanged.into());
    let regret = [&whole, &exchanged].map(|[_, lists]| lists.regret);
    assert!(regret[1] > 1.05 * regret[0], "{regret:?}");
}
