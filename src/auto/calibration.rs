//! What was measured of an adapter, and what follows for lists that were not measured.

use serde::{Deserialize, Serialize};

use super::Facts;
use crate::bench::record::{Adapter, Cost, ListKind};
use crate::gpu::Capabilities;
use crate::methods::{Dial, Method, Source, Specialization};

/// Version of the form of calibration files.
pub const SCHEMA: u32 = 2;

/// Times of all candidates on an adapter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calibration {
    /// [`SCHEMA`].
    pub schema: u32,
    /// Where it was made; it holds for no other adapter or driver.
    pub adapter: Adapter,
    /// Whether shaders ran without bounds and loop checks.
    pub unchecked_shaders: bool,
    /// The day, UTC.
    pub date: String,
    /// Seconds that it took.
    pub seconds: f64,
    /// One for each source of layers.
    pub maps: Vec<Map>,
}

/// Times on layers from one source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Map {
    /// Cost and kind of synthetic layers; none: the frame's own.
    pub synthetic: Option<(Cost, ListKind)>,
    /// Everything measured.
    pub points: Vec<Point>,
}

/// Times on some lists.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// Pixels of the frame.
    pub pixels: u32,
    /// Layers of a list, on average.
    pub layers: f64,
    /// [`Facts::splats`].
    pub splats: f64,
    /// Median microseconds of every candidate that was not too slow.
    pub times: Vec<(Candidate, f64)>,
}

/// Something that `auto` may choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Candidate {
    /// The method.
    pub method: Method,
    /// Its dial.
    pub dial: Dial,
    /// Its P.
    pub pixels_per_wave: u32,
}

/// Weight of a point at a distance of so many doublings: near points decide.
const DISTANCE_POWER: i32 = 4;
/// Doublings below which a point counts as met.
const LEAST_DISTANCE: f64 = 0.05;

impl Calibration {
    /// Why it does not hold for an adapter, if so.
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
        (self.unchecked_shaders == cfg!(debug_assertions))
            .then(|| "it was made by a build with other shader checks".to_owned())
    }

    /// The candidate that should be fastest on lists like `facts`, and the reason; none where layers
    /// from `source` were not measured.
    pub fn choose(
        &self,
        caps: &Capabilities,
        source: Source,
        facts: &Facts,
    ) -> Option<(Candidate, String)> {
        let map = self.map(source)?;
        let mut predicted: Vec<(Candidate, f64)> = Candidate::all(caps)
            .into_iter()
            .filter_map(|candidate| Some((candidate, map.predict(&candidate, facts)?)))
            .collect();
        predicted.sort_by(|a, b| a.1.total_cmp(&b.1));
        let (best, time) = *predicted.first()?;
        let mut why = format!(
            "{:.1} µs predicted for {} pixels, {:.0} layers on average, {} at most",
            time, facts.pixels, facts.mean, facts.longest
        );
        if let Some((next, slower)) = predicted.get(1) {
            why += &format!("; next {} with {slower:.1} µs", next.label());
        }
        Some((best, why))
    }

    fn map(&self, source: Source) -> Option<&Map> {
        let synthetic = match source {
            Source::Synthetic(cost, kind) => Some((cost, kind)),
            Source::Frame | Source::Table | Source::Gaussian => None,
        };
        self.maps.iter().find(|map| map.synthetic == synthetic)
    }
}

impl Map {
    /// Microseconds of a candidate: what its work takes on average, but no less than its longest list
    /// alone. None where it was never measured.
    pub fn predict(&self, candidate: &Candidate, facts: &Facts) -> Option<f64> {
        let work = self.interpolate(candidate, facts)?;
        let fewest = self.points.iter().map(|point| point.pixels).min()?;
        let alone = Facts {
            pixels: fewest.min(facts.pixels),
            mean: facts.longest.into(),
            ..*facts
        };
        let longest = self.interpolate(candidate, &alone)?;
        Some(work.max(longest))
    }

    /// Time per pixel and layer is interpolated between points, in logarithms, by inverse distance.
    /// Source: Shepard, "A two-dimensional interpolation function for irregularly-spaced data", 1968.
    fn interpolate(&self, candidate: &Candidate, facts: &Facts) -> Option<f64> {
        let place = |pixels: u32, layers: f64, splats: f64| {
            [f64::from(pixels).max(1.0), layers.max(1.0), 1.0 + splats].map(f64::log2)
        };
        let here = place(facts.pixels, facts.mean, facts.splats);
        let mut sums = [0.0; 2];
        for point in &self.points {
            let Some((_, time)) = point.times.iter().find(|time| time.0 == *candidate) else {
                continue;
            };
            let there = place(point.pixels, point.layers, point.splats);
            let squares = here.iter().zip(there).map(|(a, b)| (a - b).powi(2));
            let distance = squares.sum::<f64>().sqrt().max(LEAST_DISTANCE);
            let weight = distance.powi(-DISTANCE_POWER);
            sums[0] += weight * (time.log2() - there[0] - there[1]);
            sums[1] += weight;
        }
        (sums[1] > 0.0).then(|| (sums[0] / sums[1] + here[0] + here[1]).exp2())
    }
}

impl Candidate {
    /// Method and dial in few words.
    pub fn label(&self) -> String {
        Specialization {
            dial: self.dial,
            pixels_per_wave: self.pixels_per_wave,
            ..Specialization::new(self.method)
        }
        .label()
    }
}
