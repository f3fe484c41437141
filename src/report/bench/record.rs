//! The record of a benchmark run: all measurements, with raw samples and conditions. It is the content of `bench.json`.
//! All tables and charts can be made from it again.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::model::methods::{Cost, ListKind, Method, PixelBytes};
use crate::model::options::FogMode;
use crate::model::passes::Pass;
use crate::model::{Adapter, Clock};
use crate::report::errors::Errors;
use crate::timing::{Conditions, Timed, Times, is_plausible};

/// Passes of splats from projection to picture, in order. Only splats from files have a `light` pass.
pub const CLOUD_PASSES: [Pass; 5] = [
    Pass::Project,
    Pass::Bin,
    Pass::Lists,
    Pass::Light,
    Pass::Composite,
];

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PassSamples {
    pub label: String,
    /// Microseconds, in the order of measurement.
    pub samples: Vec<f64>,
}

/// Format version of `bench.json`. Other versions are refused.
pub const SCHEMA: u32 = 1;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    pub schema: u32,
    pub program: String,
    /// Commit of the program: "unknown" outside a repository, "…-dirty" with uncommitted changes.
    pub git: String,
    /// Digest of the shaders in use, as 16 hexadecimal digits. Missing in older records.
    #[serde(default)]
    pub shaders: Option<String>,
    /// True if shaders ran without bounds and loop checks (release builds).
    pub unchecked_shaders: bool,
    /// Date of the run in UTC: 2026-01-31.
    pub date: String,
    pub adapter: Adapter,
    /// Missing in older records.
    #[serde(default)]
    pub clock: Option<Clock>,
    pub command: String,
    /// Number of timed passes per row after warm-up.
    pub rounds: u32,
    /// Parts of the scenes' files that were left out, guessed or moved. Missing in older records.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<(String, String)>,
    pub rows: Vec<Row>,
}

impl Record {
    /// Index in [`Record::rows`] by work and runner.
    pub fn places(&self) -> HashMap<(Work, String), usize> {
        let key = |row: &Row| (row.work.clone(), row.runner.clone());
        let rows = self.rows.iter().enumerate();
        rows.map(|(place, row)| (key(row), place)).collect()
    }

    /// Calls `say` with the clock. "not recorded" in older records.
    pub fn about_clock(&self, say: impl Fn(&Clock) -> String) -> String {
        let clock = self.clock.as_ref();
        clock.map_or_else(|| "not recorded".to_owned(), say)
    }
}

/// Work that was timed: composited lists, a scene, or a named case.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Work {
    Lists(ListWork),
    /// A scene from end to end. Samples are times of the composite pass.
    Scene {
        name: String,
        size: [u32; 2],
        tile: u32,
        /// Missing in older records, and for fog as layers.
        #[serde(default, skip_serializing_if = "FogMode::is_layers")]
        fog: FogMode,
    },
    /// A named case, such as "points" or "cloud 1000000 2 0.3".
    Case {
        name: String,
    },
}

/// Synthetic lists of equal length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListWork {
    pub outputs: [u32; 2],
    pub layers: u32,
    pub cost: Cost,
    pub kind: ListKind,
}

impl Work {
    pub fn lists(&self) -> Option<&ListWork> {
        match self {
            Work::Lists(lists) => Some(lists),
            _ => None,
        }
    }
}

impl Default for Work {
    fn default() -> Self {
        let name = String::new();
        Work::Case { name }
    }
}

/// Formats the work: "1920x1080, 128 layers, cheap particles".
impl std::fmt::Display for Work {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Work::Lists(of) => {
                let [width, height] = of.outputs;
                let (layers, cost, kind) = (of.layers, of.cost, of.kind);
                write!(f, "{width}x{height}, {layers} layers, {cost} {kind}")
            }
            Work::Scene {
                name,
                size: [width, height],
                tile,
                fog,
            } => {
                write!(f, "{name} {width}x{height}, tiles of {tile}")?;
                if *fog == FogMode::Integrated {
                    f.write_str(", fog integrated")?;
                }
                Ok(())
            }
            Work::Case { name } => f.write_str(name),
        }
    }
}

/// One work done by one runner, with its times or a reason why there are none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    pub work: Work,
    /// The method that did the work. `None` for work without methods, such as fog columns.
    pub method: Option<Method>,
    /// Method and dial, or another runner, unique within the work: "split-depth 8", "radix sort".
    pub runner: String,
    /// Wave size of the kernel in lanes. `None` if the kernel could not determine it.
    pub wave_size: Option<u32>,
    /// Number of dispatches per timed pass. Samples are per dispatch.
    pub dispatches: u32,
    /// Microseconds per dispatch, in measuring order. Empty if skipped.
    pub samples: Vec<f64>,
    /// Number of samples per sitting. Each sitting creates buffers, lists and pipelines anew. Empty in older records.
    #[serde(default)]
    pub sittings: Vec<usize>,
    /// Microseconds of each pass of the frame. Only scenes and cases of several passes have them.
    pub passes: Vec<PassSamples>,
    /// Passes that were not drawn while the row was timed, because their inputs had not changed.
    #[serde(default)]
    pub unchanged: Vec<String>,
    /// Other figures, such as ("list entries", 4.1e6).
    pub facts: Vec<(String, f64)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub errors: Option<Errors>,
    /// Bytes kept per pixel, if requested and the method is approximate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pixel_bytes: Option<PixelBytes>,
    /// Bytes per pixel of the lists that the method reads and of its own buffers, if requested.
    #[serde(default, rename = "bound", skip_serializing_if = "Option::is_none")]
    pub list_bytes: Option<f64>,
    pub skipped: Option<String>,
    /// True if the median has settled (see [`crate::timing::is_settled`]). `None` in older records.
    #[serde(default)]
    pub settled: Option<bool>,
    /// GPU time of all passes timed with the row divided by their wall-clock time. `None` in older records.
    #[serde(default)]
    pub passes_to_wall: Option<f64>,
    /// Speed of the GPU. `None` on a CPU adapter and in older records.
    #[serde(default)]
    pub gpu: Option<Conditions>,
}

impl Row {
    pub fn new(work: Work, method: Option<Method>, runner: String) -> Self {
        Self {
            work,
            method,
            runner,
            ..Self::default()
        }
    }

    /// A copy of the row with the times of `timed`, a subject of the measured set `of`.
    pub fn timed(self, timed: &Timed, of: &Times) -> Self {
        let failure = timed.failure.as_ref().map(|error| error.message.as_str());
        if let Some(why) = failure.or(of.why_untimed(timed)) {
            return Self {
                skipped: Some(why.to_owned()),
                ..self
            };
        }
        Self {
            dispatches: timed.dispatches,
            samples: microseconds(&timed.samples),
            sittings: vec![timed.samples.len()],
            settled: Some(timed.settled),
            passes_to_wall: of.passes_to_wall,
            gpu: of.conditions,
            ..self
        }
    }

    /// Appends the samples of a later sitting. If one sitting skipped the row, only the other counts.
    pub fn add(&mut self, later: Row) {
        if later.samples.is_empty() {
            return;
        }
        if self.samples.is_empty() {
            let errors = later.errors.or(self.errors);
            *self = Row { errors, ..later };
            return;
        }
        self.samples.extend(later.samples);
        self.sittings.extend(later.sittings);
        for pass in &mut self.passes {
            let same = later.passes.iter().find(|of| of.label == pass.label);
            pass.samples.extend(same.iter().flat_map(|of| &of.samples));
        }
        self.settled = self.settled.min(later.settled);
        let worse = later.passes_to_wall.filter(|ratio| !is_plausible(*ratio));
        self.passes_to_wall = worse.or(self.passes_to_wall);
        self.gpu = self.gpu.zip(later.gpu).map(|(one, two)| one.and(two));
    }
}

/// Samples of the `wanted` passes of a frame. The passes of `composite` belong to one subject, and all others are
/// shared.
pub fn frame_passes(of: &Times, composite: &Timed, wanted: &[Pass]) -> Vec<PassSamples> {
    let rounds = composite.samples.len();
    let samples = |pass: Pass| {
        if pass == Pass::Composite {
            return Some(&composite.samples);
        }
        let mut shared = of.shared.iter();
        Some(&shared.find(|of| of.label == pass.into())?.samples)
    };
    let pass = |pass: &Pass| {
        let samples = samples(*pass)?;
        // Shared passes have more samples if other subjects settled later.
        Some(PassSamples {
            label: pass.label().to_owned(),
            samples: microseconds(&samples[..rounds.min(samples.len())]),
        })
    };
    wanted.iter().filter_map(pass).collect()
}

pub fn microseconds(milliseconds: &[f64]) -> Vec<f64> {
    milliseconds.iter().map(|time| time * 1e3).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;

    #[test]
    fn a_row_without_a_sample_says_why() {
        let work = Work::Case {
            name: "points".to_owned(),
        };
        let skipped = |timed: Timed, ended: Option<Error>| {
            let of = Times {
                ended,
                ..Times::default()
            };
            let row = Row::new(work.clone(), None, "one".to_owned());
            row.timed(&timed, &of).skipped.unwrap_or_default()
        };
        let lost = Some(Error::failed("lost".to_owned()));
        let timed = Timed {
            samples: vec![1.0],
            ..Timed::default()
        };
        assert_eq!(skipped(timed, None), "", "negative control");
        assert!(skipped(Timed::default(), None).contains("no longer than an empty submission"));
        assert_eq!(skipped(Timed::default(), lost), "lost");
    }
}
