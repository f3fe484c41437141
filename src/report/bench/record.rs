//! The record of a benchmark run: everything that was timed, with raw samples and the conditions.
//! `bench.json` is this, and nothing else is needed to make the tables and charts again.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::model::methods::{Cost, ListKind, Method, PixelBytes};
use crate::model::options::FogMode;
use crate::model::passes::Pass;
use crate::model::{Adapter, Clock};
use crate::report::errors::Errors;
use crate::timing::{Conditions, Timed, Times, is_plausible};

/// The passes of splats from projection to picture, in order. Only splats of files have a pass `light`.
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
    /// Microseconds, in the order in which they were taken.
    pub samples: Vec<f64>,
}

/// Version of the format of `bench.json`; a file of another version is refused.
pub const SCHEMA: u32 = 1;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    pub schema: u32,
    pub program: String,
    /// Commit the program was built from; "unknown" outside a repository, "…-dirty" with changes.
    pub git: String,
    /// Digest of the shaders in use: 16 hexadecimal digits. Not in records of older versions.
    #[serde(default)]
    pub shaders: Option<String>,
    /// Whether shaders ran without bounds and loop checks (release builds).
    pub unchecked_shaders: bool,
    /// Day of the run, UTC: 2026-01-31.
    pub date: String,
    pub adapter: Adapter,
    /// What the times are read from; not in records of older versions.
    #[serde(default)]
    pub clock: Option<Clock>,
    /// The command line that repeats the run.
    pub command: String,
    /// Timed passes per row after warm-up.
    pub rounds: u32,
    /// What of the scenes' files was left out, guessed or moved, as facts. Not in records of older versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<(String, String)>,
    pub rows: Vec<Row>,
}

impl Record {
    /// The index of each row in [`Record::rows`], by work and runner.
    pub fn places(&self) -> HashMap<(Work, String), usize> {
        let key = |row: &Row| (row.work.clone(), row.runner.clone());
        let rows = self.rows.iter().enumerate();
        rows.map(|(place, row)| (key(row), place)).collect()
    }

    /// What `say` says of the clock, or "not recorded" for records of older versions.
    pub fn about_clock(&self, say: impl Fn(&Clock) -> String) -> String {
        let clock = self.clock.as_ref();
        clock.map_or_else(|| "not recorded".to_owned(), say)
    }
}

/// What was timed: lists that were composited, a scene, or a named case.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Work {
    /// Synthetic lists of equal length.
    Lists {
        /// Pixels in x and y.
        outputs: [u32; 2],
        layers: u32,
        cost: Cost,
        kind: ListKind,
    },
    /// A scene, end to end; the samples are of the composite pass.
    Scene {
        name: String,
        /// Pixels in x and y.
        size: [u32; 2],
        /// Edge of its tiles in pixels.
        tile: u32,
        /// Older records, and those of fog as layers, do not say.
        #[serde(default, skip_serializing_if = "FogMode::is_layers")]
        fog: FogMode,
    },
    /// A named case, such as "points" or "cloud 1000000 2 0.3".
    Case { name: String },
}

impl Default for Work {
    fn default() -> Self {
        let name = String::new();
        Work::Case { name }
    }
}

/// Names the work in a few words: "1920x1080, 128 layers, cheap particles".
impl std::fmt::Display for Work {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Work::Lists {
                outputs: [width, height],
                layers,
                cost,
                kind,
            } => write!(f, "{width}x{height}, {layers} layers, {cost} {kind}"),
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

/// One work done by one runner, with its times or the reason why it has none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    pub work: Work,
    /// The method that did the work; `None` where a work has no methods, as fog columns.
    pub method: Option<Method>,
    /// Method and dial, or what else did the work; unique within the work: "split-depth 8", "radix sort".
    pub runner: String,
    /// Wave size, in lanes, that the kernel ran at; `None` where the kernel could not tell.
    pub wave_size: Option<u32>,
    /// Dispatches per timed pass; samples are per dispatch.
    pub dispatches: u32,
    /// Microseconds per dispatch, in the order taken; empty if skipped.
    pub samples: Vec<f64>,
    /// Number of samples of each sitting, which makes buffers, lists and pipelines anew. Empty in older records.
    #[serde(default)]
    pub sittings: Vec<usize>,
    /// Microseconds of every pass of the frame; empty unless the work is a scene or a case of several passes.
    pub passes: Vec<PassSamples>,
    /// Passes that were not drawn while the row was timed, because no input had changed.
    #[serde(default)]
    pub unchanged: Vec<String>,
    /// Other figures, such as ("list entries", 4.1e6).
    pub facts: Vec<(String, f64)>,
    /// How a method errs on a scene, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub errors: Option<Errors>,
    /// What the method keeps of a pixel, where that was asked for and it approximates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pixel_bytes: Option<PixelBytes>,
    /// Bytes for a pixel of the lists that the method reads, and of what it has of its own, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<f64>,
    pub skipped: Option<String>,
    /// Whether the median has settled: see [`crate::timing::is_settled`]. `None` in records of older versions.
    #[serde(default)]
    pub settled: Option<bool>,
    /// The GPU times of all passes timed with this row, over their time by the wall clock. `None` in older records.
    #[serde(default)]
    pub passes_to_wall: Option<f64>,
    /// How fast the GPU was; `None` on a CPU adapter and in records of older versions.
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

    /// This row with the times of `timed`, which is a subject of the set that took the times `of`.
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

    /// Adds the samples of a later sitting. Where one of the two skipped the row, only the other counts.
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

/// The samples of these passes of a frame: `composite` is one subject, the subjects share all others.
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
        // Shared passes have more samples where other subjects settled later than this one.
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
    fn a_scene_with_integrated_fog_is_another_work_and_says_so() {
        let scene = |fog| Work::Scene {
            name: "temple".to_owned(),
            size: [64, 36],
            tile: 8,
            fog,
        };
        let [layers, integrated] = FogMode::ALL.map(scene);
        assert_ne!(layers, integrated);
        assert!(integrated.to_string().ends_with(", fog integrated"));
        let text = serde_json::to_string(&layers).unwrap_or_default();
        assert!(!text.contains("fog"), "as in older records: {text}");
    }

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
