//! The calibration of an adapter: the measured times of all candidates, and the times that they predict for other
//! lists.

use serde::{Deserialize, Serialize};

use super::built_in::built_in;
use super::nearest::Times;
use super::{Choice, Facts};
use crate::gpu::checks_shaders;
use crate::methods::Specialization;
use crate::model::methods::{Cost, ListKind, Method, Source};
use crate::model::options::{Dial, Options};
use crate::model::{Adapter, Capabilities, format};

/// Version of the form of calibration files.
pub const SCHEMA: u32 = 3;

/// Times of all candidates on an adapter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calibration {
    pub schema: u32,
    /// The adapter on which it was made. It holds for no other adapter or driver.
    pub adapter: Adapter,
    /// Whether shaders ran without bounds and loop checks.
    pub unchecked_shaders: bool,
    /// The day on which it was made, UTC.
    pub date: String,
    /// Seconds that making it took.
    pub seconds: f64,
    /// The times on layers from each source that was measured.
    pub maps: Vec<SourceTimes>,
}

/// The measured times on layers from one source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceTimes {
    /// The cost and the kind of synthetic layers, or none for the layers of a frame.
    pub synthetic: Option<(Cost, ListKind)>,
    /// Edge of the tiles in pixels; it was 8 before calibrations said so.
    #[serde(default = "tile_of_older_ones")]
    pub tile: u32,
    /// The times on each size of lists that was measured.
    pub points: Vec<Point>,
}

fn tile_of_older_ones() -> u32 {
    8
}

/// The measured times on lists of one size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// The number and the lengths of the lists.
    pub facts: Facts,
    /// Median microseconds of every candidate that was not too slow.
    pub times: Vec<(Candidate, f64)>,
}

/// Something that `auto` may choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Candidate {
    pub method: Method,
    pub dial: Dial,
    /// Pixels that a wave walks.
    pub pixels_per_wave: u32,
}

impl Calibration {
    /// The reason why the calibration does not hold for `adapter`, or none if it does.
    pub fn mismatch(&self, adapter: &Adapter) -> Option<String> {
        if self.adapter != *adapter {
            return Some(format!(
                "it was made on {} ({}, waves of {} to {})",
                self.adapter.name,
                self.adapter.driver,
                self.adapter.wave_min,
                self.adapter.wave_max
            ));
        }
        (self.unchecked_shaders == checks_shaders())
            .then(|| "it was made by a build with other shader checks".to_owned())
    }
}

/// What a candidate without a time takes at least, times the time of the fastest: it was too slow to be timed.
const TOO_SLOW: f64 = 3.0;
/// A calibration loses to the built-in rule where its choices take more than this, times the time of that rule's.
const LOSES: f64 = 1.02;

impl Calibration {
    /// Why nobody should choose by it, if so: on the lists that it measured, each predicted from the others, its choices take
    /// longer than those of the built-in rule.
    pub fn loss(&self, caps: &Capabilities) -> Option<String> {
        let (mut sum, mut count) = (0.0, 0.0);
        for map in &self.maps {
            let source = map.synthetic.map_or_else(Source::default, |(cost, kind)| {
                Source::Synthetic(cost, kind)
            });
            let mut options = Options::default();
            options.frame.tile = map.tile;
            for (index, point) in map.points.iter().enumerate() {
                let mut others = map.clone();
                others.points.remove(index);
                let others = OfSource::new(&others);
                let Some(&(chosen, _)) = others.predicted(caps, &point.facts).first() else {
                    continue;
                };
                let (by_rule, _) = built_in(caps, (source, &options), &point.facts);
                let fastest = point.times.iter().map(|of| of.1).fold(f64::MAX, f64::min);
                let time = |candidate: Candidate| {
                    let known = point.times.iter().find(|of| of.0 == candidate);
                    known.map_or(TOO_SLOW * fastest, |of| of.1)
                };
                sum += (time(chosen) / time(by_rule)).ln();
                count += 1.0;
            }
        }
        let ratio = (sum / f64::max(count, 1.0)).exp();
        (ratio > LOSES).then(|| {
            format!(
                "on the {count} lists that were measured its choices take {ratio:.2}x as long as those of the \
                built-in rule"
            )
        })
    }
}

/// What should take no longer than this, times the time of the fastest, is a rival: predictions are off by as much.
const RIVAL: f64 = 1.25;
/// The most rivals of a choice.
const MOST_RIVALS: usize = 4;

/// A calibration by candidates: the times of each on layers from every source that was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibrated {
    date: String,
    sources: Vec<OfSource>,
}

/// The times on layers from one source.
#[derive(Clone, Debug, PartialEq)]
struct OfSource {
    synthetic: Option<(Cost, ListKind)>,
    tile: u32,
    of: Vec<(Candidate, Times)>,
}

impl Calibrated {
    pub fn new(calibration: &Calibration) -> Self {
        Self {
            date: calibration.date.clone(),
            sources: calibration.maps.iter().map(OfSource::new).collect(),
        }
    }

    /// The day of its measurements, UTC.
    pub fn date(&self) -> &str {
        &self.date
    }

    /// What should be fastest on lists like `facts` of what is asked for. There is none where layers from its source were not measured in
    /// tiles of its size.
    pub(super) fn choose(
        &self,
        caps: &Capabilities,
        asked: Specialization,
        facts: &Facts,
    ) -> Option<Choice> {
        let synthetic = match asked.source {
            Source::Synthetic(cost, kind) => Some((cost, kind)),
            Source::Frame(_) | Source::Gaussians(_) | Source::Table | Source::Cloud(_) => None,
        };
        let tile = asked.options.frame.tile;
        let is_it = |of: &&OfSource| of.synthetic == synthetic && of.tile == tile;
        let times = self.sources.iter().find(is_it)?;
        let predicted = times.predicted(caps, facts);
        let (best, time) = *predicted.first()?;
        let mut why = format!(
            "{} predicted for {} pixels, {:.0} layers on average, {} at most",
            format::time(time),
            facts.pixels,
            facts.mean,
            facts.longest
        );
        if let Some((next, slower)) = predicted.get(1) {
            why += &format!("; next {} with {}", next.label(), format::time(*slower));
        }
        let is_rival = |of: &&(Candidate, f64)| of.1 <= RIVAL * time;
        let rivals = predicted[1..].iter().take(MOST_RIVALS).take_while(is_rival);
        Some(Choice {
            specialization: best.of(asked),
            rivals: rivals.map(|of| of.0.of(asked)).collect(),
            predicted: Some(time),
            why,
        })
    }
}

impl OfSource {
    fn new(map: &SourceTimes) -> Self {
        let mut candidates: Vec<Candidate> = Vec::new();
        for (candidate, _) in map.points.iter().flat_map(|point| &point.times) {
            if !candidates.contains(candidate) {
                candidates.push(*candidate);
            }
        }
        let times = |candidate: Candidate| {
            let measured = map.points.iter().filter_map(|point| {
                let (_, time) = point.times.iter().find(|time| time.0 == candidate)?;
                Some((&point.facts, *time))
            });
            Some((candidate, Times::new(measured)?))
        };
        Self {
            synthetic: map.synthetic,
            tile: map.tile,
            of: candidates.into_iter().filter_map(times).collect(),
        }
    }

    /// What every candidate should take, µs, the fastest first.
    fn predicted(&self, caps: &Capabilities, facts: &Facts) -> Vec<(Candidate, f64)> {
        let time = |candidate| {
            let (_, times) = self.of.iter().find(|of| of.0 == candidate)?;
            Some((candidate, times.at(facts)))
        };
        let candidates = Candidate::all(caps).into_iter();
        let mut predicted: Vec<_> = candidates.filter_map(time).collect();
        predicted.sort_by(|a, b| a.1.total_cmp(&b.1));
        predicted
    }
}
