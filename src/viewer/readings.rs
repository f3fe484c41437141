//! Readings of the frame on screen, for the panes.

use std::collections::VecDeque;

use crate::frame::Counters;
use crate::live::{LiveMetrics, LiveProbe, Measurement, PassTimes, Values};
use crate::methods::Specialization;
use crate::methods::auto::Choice;
use crate::model::Clock;
use crate::model::items::ItemCounts;
use crate::model::methods::Method;
use crate::model::options::Options;
use crate::model::passes::Pass;
use crate::progress::Progress;

use super::shaders::ShaderStatus;

#[derive(Default)]
pub struct Readings<'a> {
    pub clock: Option<&'a Clock>,
    pub times: &'a [PassTimes],
    /// Labels of the passes that the last frame skipped because their inputs had not changed.
    pub unchanged: Vec<Pass>,
    pub counters: Counters,
    pub missing_layers: u32,
    pub cpu_ms: f64,
    /// Mean time from frame to frame in seconds; `None` while the scene is not redrawn.
    pub frame_seconds: Option<f64>,
    pub size: [u32; 2],
    pub tiles: u32,
    pub counts: ItemCounts,
    pub wave_sizes: [Option<u32>; 2],
    /// Numbers of pixels of A and B with an overflowed half-float sum, or with more layers than there is room for.
    pub overflowed: [u32; 2],
    pub metrics: Option<&'a LiveMetrics>,
    pub metrics_history: VecDeque<[f64; 2]>,
    pub probe: Option<&'a LiveProbe>,
    /// Values of the pixels on screen, if the pixels are drawn large enough.
    pub values: Option<&'a Values>,
    pub measurement: Option<&'a Measurement>,
    /// True while A and B are being timed on an unchanging picture.
    pub is_timing: bool,
    pub choice: Option<&'a Choice>,
    pub memory: Vec<(&'static str, u64)>,
    /// Values at the ends of a debug view's colours.
    pub debug_range: [f32; 2],
    pub busy: Option<Progress>,
    pub presets: Vec<String>,
    pub shaders: Option<&'a ShaderStatus>,
    /// Size of the smaller frame that is shown while something moves.
    pub moving: Option<[u32; 2]>,
}

impl Readings<'_> {
    pub fn is_measuring(&self) -> bool {
        self.measurement
            .is_some_and(|measurement| !measurement.finished)
    }

    /// True if nothing is drawn or timed.
    pub fn is_idle(&self) -> bool {
        let draws = self.frame_seconds.is_some_and(|seconds| seconds > 0.0);
        !draws && !self.is_timing && !self.is_measuring()
    }

    /// Specialization that runs for a method; `None` for `auto` before it has made its choice.
    pub fn runs(&self, method: Method, options: &Options) -> Option<Specialization> {
        match method {
            Method::Auto => self.choice.map(|choice| choice.specialization),
            method => Some(options.specialize(method)),
        }
    }
}
