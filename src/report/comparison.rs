//! The numbers of a capture as `report.json`. [`super::markdown`] writes them as `report.md`. The structs here *are*
//! the JSON format, and field names are keys. Accesses no files.

use crate::error::Error;
use crate::model::methods::PixelBytes;
use crate::model::passes::{Inputs, Pass};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use super::errors::{Errors, Linear};
use super::metrics::Metrics;
use super::range::DifferenceRange;
use crate::model::samples::Summary;

/// Value of the row named `name` in [`Report::settings_rows`] or [`Report::adapter_rows`].
pub fn fact<'a>(rows: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let found = rows.iter().find(|(key, _)| key == name);
    found.map(|(_, value)| value.as_str())
}

/// All times are divided by this method's time.
pub const RATIO_BASE: &str = "read-lane-loop";

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    #[serde(default)]
    pub program: String,
    #[serde(default)]
    pub command: String,
    pub settings: Value,
    /// Digest of the shaders: 16 hexadecimal digits.
    pub shaders: String,
    pub adapter: Value,
    /// Clock of all times.
    pub clock: Value,
    /// True if the clock is the wall clock. Times are then in `wall_ms`, and `gpu_ms` is empty.
    #[serde(skip)]
    pub by_wall_clock: bool,
    /// State of the GPU during the measurement.
    pub conditions: Value,
    #[serde(default)]
    pub settings_rows: Vec<(String, String)>,
    /// Displayed properties of the adapter, with values.
    #[serde(default)]
    pub adapter_rows: Vec<(String, String)>,
    /// All errors are measured against this method.
    pub reference: String,
    /// Range of the colour scale of all differences.
    pub difference_range: DifferenceRange,
    pub frame: FrameReport,
    /// One entry per requested method, including methods that did not run.
    pub methods: Vec<MethodReport>,
    /// In frame order.
    pub passes: Vec<PassReport>,
    pub notes: Vec<String>,
}

/// Statistics of a frame's lists. `None` (`null` in JSON) if no method needed lists.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FrameReport {
    /// Mean number of layers in a tile's list.
    pub mean_list: Option<f64>,
    pub longest_list: Option<u64>,
    /// Number of waves that hold the longest list, one layer per lane.
    pub groups: Option<u64>,
    /// Maximum linear rgb component of any layer.
    pub largest_radiance: Option<f64>,
    /// Number of layers that did not fit the buffers: 0 in a good capture.
    pub layers_dropped: u64,
}

/// Results of one method. Values that were not measured are `None` (`null` in JSON).
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct MethodReport {
    pub method: String,
    /// Method and dial that ran, such as `split-depth 2`. For `auto`, the choice.
    pub runs: Option<String>,
    pub wave_size: Option<u32>,
    #[serde(flatten)]
    pub time: PassTime,
    /// Reason why the method ran but has no time. Absent if it has a time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub untimed: Option<String>,
    /// Part of the GPU that can draw, if it is small and the method draws. Such a method is timed but not compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drawing_part: Option<String>,
    /// Median time divided by that of [`RATIO_BASE`]. Below 1 is faster. See [`fill_ratios`].
    pub ratio_to_read_lane_loop: Option<f64>,
    /// Median time in milliseconds, including the passes that make the method's inputs. See [`fill_totals`].
    pub total_ms: Option<f64>,
    /// Errors of red, green, blue and transmittance before the background, as in `p99`.
    #[serde(flatten, serialize_with = "metrics_or_nulls")]
    pub metrics: Option<Metrics>,
    /// 99th percentile of the pixel differences from the reference.
    #[serde(default)]
    pub p99: Option<f64>,
    /// Errors of `rgb + T · background`. Missing in older reports. Flicker is not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<Linear>,
    /// Perceived difference between the method's displayed picture and the reference's: mean of [`super::flip`].
    pub flip_mean: Option<f64>,
    /// GPU memory in bytes that only this method uses.
    #[serde(default)]
    pub bytes: Option<u64>,
    /// Errors before the background, for approximate methods. Flicker is not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub errors: Option<Errors>,
    /// Bytes kept per pixel, for approximate methods.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pixel_bytes: Option<PixelBytes>,
    /// Bytes per pixel of the lists that the method reads and of its own buffers, for approximate methods.
    #[serde(default, rename = "bound", skip_serializing_if = "Option::is_none")]
    pub list_bytes: Option<f64>,
    /// Reason why the method did not run. Absent if it ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unavailable: Option<String>,
}

/// Time of a pass in milliseconds, on one of the two clocks. Both fields are `None` if the pass has no time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PassTime {
    pub gpu_ms: Option<Summary>,
    pub wall_ms: Option<Summary>,
}

impl PassTime {
    pub fn of(samples: &[f64], by_wall_clock: bool) -> Self {
        let summary = Summary::of(samples);
        Self {
            gpu_ms: summary.filter(|_| !by_wall_clock),
            wall_ms: summary.filter(|_| by_wall_clock),
        }
    }

    pub fn summary(&self) -> Option<Summary> {
        self.gpu_ms.or(self.wall_ms)
    }

    pub fn median(&self) -> Option<f64> {
        Some(self.summary()?.median)
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PassReport {
    pub pass: Pass,
    /// Absent if the pass was not drawn because nothing had changed, which a note states.
    #[serde(flatten)]
    pub time: PassTime,
}

impl MethodReport {
    /// Display name: the method that ran, with the prefix `auto:` if `auto` chose it, and the part of the GPU that can
    /// draw it.
    pub fn title(&self) -> String {
        let name = match &self.runs {
            None => self.method.clone(),
            Some(runs) if runs.starts_with(&self.method) => runs.clone(),
            Some(runs) => format!("{}: {runs}", self.method),
        };
        let part = self.drawing_part.as_ref();
        name + &part.map_or(String::new(), |part| format!(" ({part} draw)"))
    }

    pub fn not_run(method: &str, reason: &str) -> Self {
        Self {
            method: method.to_owned(),
            unavailable: Some(reason.to_owned()),
            ..Self::default()
        }
    }
}

/// Sets each method's `ratio_to_read_lane_loop` from the medians. `None` unless both methods were timed.
pub fn fill_ratios(methods: &mut [MethodReport]) {
    let base = methods.iter().find(|method| method.method == RATIO_BASE);
    let base = base.and_then(|base| base.time.median());
    for method in methods {
        let compared = method.drawing_part.is_none().then_some(method.time);
        let time = compared.and_then(|time| time.median());
        let ratio = time.zip(base).map(|(time, base)| time / base);
        method.ratio_to_read_lane_loop = ratio.filter(|ratio| ratio.is_finite());
    }
}

/// Sets each `total_ms` to the sum of the medians of the composite and of the input passes that were drawn.
pub fn fill_totals(
    methods: &mut [MethodReport],
    passes: &[PassReport],
    inputs: impl IntoIterator<Item = Inputs>,
) {
    for (method, inputs) in methods.iter_mut().zip(inputs) {
        let medians = inputs.passes().filter_map(|pass| {
            let report = passes.iter().find(|report| report.pass == pass)?;
            report.time.median()
        });
        let composite = method.time.median();
        method.total_ms = composite.map(|time| time + medians.sum::<f64>());
    }
}

impl Report {
    /// `report.json`, indented. JSON cannot represent NaN and infinity, which become `null`.
    pub fn to_json(&self) -> crate::error::Result<String> {
        let json = serde_json::to_string_pretty(self).map_err(Error::json)?;
        Ok(json + "\n")
    }

    pub fn median(&self, method: &str) -> Option<f64> {
        let of = self.methods.iter().find(|of| of.method == method)?;
        of.time.median()
    }

    /// True if every method that ran has the errors of its picture.
    pub fn has_pictures(&self) -> bool {
        let mut ran = self.methods.iter().filter(|of| of.metrics.is_some());
        ran.all(|of| of.picture.is_some())
    }

    /// Root mean square error of a method, of the picture or before the background.
    pub fn rmse(&self, method: &str, of_picture: bool) -> Option<f64> {
        let of = self.methods.iter().find(|of| of.method == method)?;
        let before = of.metrics.as_ref().map(|of| of.rmse);
        let picture = of.picture.map(|of| of.rmse);
        if of_picture { picture } else { before }
    }

    pub fn scene(&self) -> String {
        let name = self.settings.get("scene").and_then(Value::as_str);
        name.unwrap_or_default().to_owned()
    }

    pub fn from_json(json: &str) -> Result<Self, String> {
        let mut report: Self = serde_json::from_str(json).map_err(|error| {
            format!("not the report of a capture: {error}; make one with `wavelerp capture`")
        })?;
        let by_wall_clock = |method: &MethodReport| method.time.wall_ms.is_some();
        report.by_wall_clock = report.methods.iter().any(by_wall_clock);
        Ok(report)
    }
}

/// The seven keys of [`Metrics`], all `null` without metrics.
fn metrics_or_nulls<S: Serializer>(
    metrics: &Option<Metrics>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    const KEYS: [&str; 7] = [
        "max_abs",
        "mean_abs",
        "rmse",
        "max_ulp",
        "differing_pixels",
        "nan_count",
        "worst_pixel",
    ];
    match metrics {
        Some(metrics) => metrics.serialize(serializer),
        None => serializer.collect_map(KEYS.map(|key| (key, ()))),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::model::passes::Pass;
    use serde_json::json;

    type TestResult = Result<(), Box<dyn std::error::Error>>;

    fn ran(method: &str, runs: &str) -> MethodReport {
        MethodReport {
            method: method.to_owned(),
            runs: Some(runs.to_owned()),
            ..MethodReport::default()
        }
    }

    pub(in crate::report) fn example() -> Report {
        let time = |median| {
            let samples: Vec<f64> = (0..21).map(|i| median + f64::from(i - 10) * 1e-3).collect();
            PassTime::of(&samples, false)
        };
        let metrics = Metrics {
            max_abs: 3.576e-7,
            mean_abs: 1.2e-9,
            rmse: 4.5e-9,
            max_ulp: 6.0,
            differing_pixels: 41_235,
            nan_count: 0,
            worst_pixel: Some([812, 403]),
        };
        let measured = |method: &str, dial: &str, median| MethodReport {
            wave_size: Some(32),
            time: time(median),
            metrics: Some(metrics.clone()),
            flip_mean: Some(1.25e-5),
            ..ran(method, format!("{method} {dial}").trim())
        };
        let mut methods = vec![
            measured("pixel-loop", "", 0.9),
            measured("read-lane-loop", "P=32", 2.0),
            measured("wave-lerp-product", "P=32", 1.0),
            MethodReport::not_run(
                "wave-lerp-find-msb",
                "this adapter has no SPIR-V passthrough",
            ),
        ];
        fill_ratios(&mut methods);
        Report {
            program: "wavelerp 0.1.0".to_owned(),
            command: "wavelerp capture --scene temple".to_owned(),
            settings: json!({"scene": "temple", "size": [1280, 720]}),
            shaders: "0123456789abcdef".to_owned(),
            adapter: json!({"name": "Some | adapter", "wave_sizes": [32, 32]}),
            clock: json!({"source": "timestamps", "reason": "they are good"}),
            by_wall_clock: false,
            conditions: json!({"gpu": null, "passes_to_wall": 0.97}),
            settings_rows: vec![
                ("scene".to_owned(), "temple".to_owned()),
                ("size".to_owned(), "1280x720".to_owned()),
            ],
            adapter_rows: vec![("name".to_owned(), "Some | adapter".to_owned())],
            reference: "pixel-loop".to_owned(),
            difference_range: DifferenceRange::default(),
            frame: FrameReport {
                mean_list: Some(96.5),
                longest_list: Some(1311),
                groups: Some(41),
                largest_radiance: Some(12.5),
                layers_dropped: 0,
            },
            methods,
            passes: vec![PassReport {
                pass: Pass::Lists,
                time: time(0.25),
            }],
            notes: vec!["All methods ran at 1 pixel per wave.".to_owned()],
        }
    }

    #[test]
    fn the_name_of_a_row_has_the_dial_and_of_auto_what_it_ran() {
        let title = |method, runs| ran(method, runs).title();
        assert_eq!(title("split-depth", "split-depth 2"), "split-depth 2");
        assert_eq!(title("auto", "split-depth 2"), "auto: split-depth 2");
        assert_eq!(MethodReport::not_run("auto", "why").title(), "auto");
    }

    #[test]
    fn a_method_that_did_not_run_has_nulls_and_a_reason() -> TestResult {
        let json: Value = serde_json::from_str(&example().to_json()?)?;
        for (key, value) in json["methods"][3].as_object().ok_or("an object")? {
            let expected_null = !["method", "unavailable"].contains(&key.as_str());
            assert_eq!(value.is_null(), expected_null, "{key}");
        }
        assert!(
            json["methods"][1]["max_abs"].is_number(),
            "negative control"
        );
        Ok(())
    }

    #[test]
    fn a_method_is_charged_for_the_passes_that_it_needs_and_no_others() {
        let mut report = example();
        let inputs = [Inputs::LISTS, Inputs::VISIBLE_ITEMS];
        fill_totals(&mut report.methods, &report.passes, inputs);
        let totals = [0, 1].map(|at| report.methods[at].total_ms.expect("timed"));
        assert!((totals[0] - 1.15).abs() < 1e-9, "{totals:?}");
        assert_eq!(totals[1], 2.0, "it needs no lists");
    }

    #[test]
    fn a_ratio_needs_both_times() {
        let ratios = |methods: &[MethodReport]| -> Vec<Option<f64>> {
            methods
                .iter()
                .map(|method| method.ratio_to_read_lane_loop)
                .collect()
        };
        let mut methods = example().methods;
        assert_eq!(ratios(&methods), [Some(0.45), Some(1.0), Some(0.5), None]);
        methods[2].time = PassTime::default();
        fill_ratios(&mut methods);
        assert_eq!(ratios(&methods), [Some(0.45), Some(1.0), None, None]);
        methods[1].time = PassTime::default();
        fill_ratios(&mut methods);
        assert_eq!(ratios(&methods), [None; 4]);
    }
}
