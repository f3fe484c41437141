//! The calibration of an adapter: the measured times of all candidates, and the times that they predict for other
//! lists.

use serde::{Deserialize, Serialize};

use super::Facts;
use super::nearest::Times;
use crate::gpu::checks_shaders;
use crate::model::methods::{Cost, ListKind, Method, Source};
use crate::model::options::Dial;
use crate::model::{Adapter, Capabilities, format};

/// Version of the form of calibration files.
pub const SCHEMA: u32 = 3;

/// Times of all candidates on an adapter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calibration {
    /// [`SCHEMA`].
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

    /// The candidate that should be fastest on lists like `facts`, its rivals, and the reason in words. There is none where
    /// layers from `source` were not measured in tiles of this size.
    pub fn choose(
        &self,
        caps: &Capabilities,
        (source, tile): (Source, u32),
        facts: &Facts,
    ) -> Option<(Candidate, Vec<Candidate>, String)> {
        let synthetic = match source {
            Source::Synthetic(cost, kind) => Some((cost, kind)),
            Source::Frame(_) | Source::Ellipses(_) | Source::Table | Source::Gaussian(_) => None,
        };
        let is_it = |of: &&OfSource| of.synthetic == synthetic && of.tile == tile;
        let times = self.sources.iter().find(is_it)?;
        let mut predicted: Vec<(Candidate, f64)> = Candidate::all(caps)
            .into_iter()
            .filter_map(|candidate| {
                let (_, times) = times.of.iter().find(|of| of.0 == candidate)?;
                Some((candidate, times.at(facts)))
            })
            .collect();
        predicted.sort_by(|a, b| a.1.total_cmp(&b.1));
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
        Some((best, rivals.map(|of| of.0).collect(), why))
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
}
