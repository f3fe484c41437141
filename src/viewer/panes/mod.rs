//! Panes of the window and the bar above them, one file each: controls for the state. Draws only with egui. A pane
//! borrows the groups of the state that it shows and sets plain values there; everything else it requests by an
//! action.

mod adapter;
mod bar;
mod code;
mod compare;
mod docking;
mod errors;
mod focus;
mod frame;
mod log;
mod method_options;
mod methods;
mod methods_table;
mod overlays;
mod picture;
mod probe;
mod scale;
mod scene;
mod style;
mod values;
mod wave;

use std::collections::VecDeque;

use egui::Ui;

use crate::frame::Counters;
use crate::live::{LiveMetrics, LiveProbe, Measurement, PassTimes, Values};
use crate::methods::Specialization;
use crate::methods::auto::Choice;
use crate::model::Clock;
use crate::model::methods::Method;
use crate::model::options::Options;
use crate::model::passes::Pass;
use crate::progress::Progress;

use super::dock::Pane;
use super::kept::LEAST_SIZE;
use super::shaders::ShaderStatus;
use super::state::State;

pub use style::apply_style;

#[derive(Default)]
pub struct Readings<'a> {
    pub clock: Option<&'a Clock>,
    pub times: &'a [PassTimes],
    /// Labels of the passes that the last frame skipped, because their inputs had not changed.
    pub unchanged: Vec<Pass>,
    pub counters: Counters,
    pub missing_layers: u32,
    pub cpu_ms: f64,
    /// Mean seconds between frames; `None` while the scene is not redrawn.
    pub frame_seconds: Option<f64>,
    pub size: [u32; 2],
    pub tiles: u32,
    pub particles: u32,
    pub wave_sizes: [Option<u32>; 2],
    /// Pixels of A and of B with a sum at the largest half float, or with more layers than fit.
    pub overflowed: [u32; 2],
    pub metrics: Option<&'a LiveMetrics>,
    pub metrics_history: VecDeque<[f64; 2]>,
    pub probe: Option<&'a LiveProbe>,
    /// Values of the pixels on screen, if these are large.
    pub values: Option<&'a Values>,
    pub measurement: Option<&'a Measurement>,
    /// True while A and B are timed on an unchanging picture.
    pub is_timing: bool,
    pub choice: Option<&'a Choice>,
    pub memory: Vec<(&'static str, u64)>,
    /// Values at the ends of a debug view's colours.
    pub debug_range: [f32; 2],
    pub busy: Option<Progress>,
    pub presets: Vec<String>,
    pub shaders: Option<&'a ShaderStatus>,
    /// Size of the smaller frame shown during motion.
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

    /// Specialization that runs for a method; `None` for `auto` before its choice.
    fn runs(&self, method: Method, options: &Options) -> Option<Specialization> {
        match method {
            Method::Auto => self.choice.map(|choice| choice.specialization),
            method => Some(options.specialize(method)),
        }
    }
}

pub fn window(ui: &mut Ui, state: &mut State, readings: &Readings) {
    style::follow_theme(ui.ctx(), state.panes.is_light);
    state.panes.picture.room = None;
    state.panes.picture.pixels_per_point = ui.ctx().pixels_per_point();
    focus::enter(ui, &mut state.panes.entered);
    let mut asked = state.take_asked();
    let size = ui.available_size();
    let has_room = size.x >= LEAST_SIZE[0] && size.y >= LEAST_SIZE[1];
    if state.panes.open && has_room {
        bar::bar(ui, state, &mut asked, readings);
        docking::dock(ui, state, &mut asked, readings);
    } else {
        docking::contents(ui, Pane::Picture, state, &mut asked, readings);
    }
    overlays::help(ui.ctx(), &mut state.panes);
    overlays::above(ui.ctx(), &mut state.messages);
    focus::ring(ui);
    state.asked = asked;
}
