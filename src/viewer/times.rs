//! Latest times and errors of every method, with their settings and age. All panes and files use these values.

use std::collections::BTreeMap;
use web_time::{Duration, Instant};

use crate::live::{ENOUGH, LiveMetrics, Measurement, MethodTimes};
use crate::methods::Specialization;
use crate::methods::auto::Choice;
use crate::model::clock::tick;
use crate::model::format::three_digits;
use crate::model::methods::Method;
use crate::model::samples::Sorted;
use crate::model::settings::Settings;

/// Maximum number of times in a statistic; the latest times are used.
const MOST_SAMPLES: usize = 60;
/// Pause of a method that is not shown, as a multiple of its time.
const PAUSE: f64 = 100.0;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    #[default]
    Frame,
    /// Sorted by the last time, the median, or the 75th percentile, longest first.
    Time(usize),
}

/// Latest times of a kernel including all its passes, in milliseconds.
#[derive(Clone, Debug, PartialEq)]
pub struct MethodTime {
    pub samples: Vec<f64>,
    pub median: f64,
    /// Milliseconds of the passes that make the kernel's inputs, if measured.
    pub inputs: Option<f64>,
    /// Interquartile range of the times.
    pub middle: [f64; 2],
    taken: Instant,
    /// True if the times come from a measurement, in rounds together with other methods.
    pub is_measured: bool,
    pub runs: Specialization,
    settings: Settings,
}

impl MethodTime {
    fn new(
        mut samples: Vec<f64>,
        runs: Specialization,
        settings: &Settings,
        taken: Instant,
    ) -> Option<Self> {
        samples.drain(..samples.len().saturating_sub(MOST_SAMPLES));
        let sorted = Sorted::new(&samples)?;
        Some(Self {
            median: sorted.median(),
            inputs: None,
            middle: [25, 75].map(|per_cent| sorted.percentile(per_cent)),
            samples,
            taken,
            is_measured: false,
            runs,
            settings: settings.clone(),
        })
    }

    fn with(mut self, new: Vec<f64>, now: Instant) -> Option<Self> {
        self.samples.extend(new);
        let mut all = Self::new(self.samples, self.runs, &self.settings, now)?;
        (all.inputs, all.is_measured) = (self.inputs, self.is_measured);
        Some(all)
    }

    pub fn age(&self, now: Instant) -> Duration {
        now.saturating_duration_since(self.taken)
    }

    pub fn is_enough(&self) -> bool {
        self.samples.len() >= ENOUGH
    }

    /// True if the interquartile ranges of two methods' times overlap, or are no more than a tick of the clock apart: it
    /// is then unknown which one is faster.
    pub fn is_as_fast_as(&self, other: &Self) -> bool {
        let ([low, high], tick) = (self.middle, self.tick().max(other.tick()));
        low <= other.middle[1] + tick && other.middle[0] <= high + tick
    }

    /// Tick of the clock in milliseconds, as far as the samples show it. Only browsers round their clocks.
    pub fn tick(&self) -> f64 {
        match cfg!(target_arch = "wasm32") {
            true => tick(self.samples.iter().copied()),
            false => 0.0,
        }
    }

    /// True if a new time is due. A slow method pauses a hundred times as long as it takes, so that the picture moves.
    pub fn is_due(&self, now: Instant) -> bool {
        !self.is_enough() || self.age(now).as_secs_f64() * 1e3 > PAUSE * self.median
    }

    /// True if scene, view and options have not changed since. The scene's clock may have advanced.
    pub fn is_of(&self, settings: &Settings) -> bool {
        same_work(&self.settings, settings)
    }

    pub fn statistics(&self) -> [f64; 3] {
        let last = self.samples.last().copied().unwrap_or_default();
        [last, self.median, self.middle[1]]
    }

    pub fn said(&self) -> String {
        let [low, high] = self.middle;
        format!(
            "median {:.4} ms, half of them {low:.4} to {high:.4} ms, {} times",
            self.median,
            self.samples.len()
        )
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct MethodError {
    pub metrics: LiveMetrics,
    pub runs: Specialization,
    settings: Settings,
}

impl MethodError {
    pub fn is_of(&self, settings: &Settings) -> bool {
        same_work(&self.settings, settings)
    }

    pub fn said(&self, method: Method) -> String {
        let of = &self.metrics;
        let [rmse, max] = [of.shown_rmse, of.shown_max].map(three_digits);
        let mut said = format!("{method}\nRMSE {rmse}, max {max} of the picture");
        let nan_count = of.metrics.nan_count;
        if nan_count > 0 {
            said += &format!("; {nan_count} pixels are not finite and excluded");
        }
        said
    }
}

/// Latest times of every kernel, regardless of which methods run it, and latest error of every method.
#[derive(Clone, Debug, Default)]
pub struct Times {
    /// True to time one further method in every frame.
    pub keeps_measuring: bool,
    times: Vec<MethodTime>,
    /// Specialization last timed for each method; for `auto`, the specialization that it chose.
    ran: BTreeMap<Method, Specialization>,
    errors: BTreeMap<Method, MethodError>,
    /// For each method, the key set of its frame times, and the number of processed times.
    seen: BTreeMap<Method, (u64, u64)>,
    /// For each measured method, the number of processed times, and flags for processed inputs and error.
    taken: Vec<(usize, bool, bool)>,
}

impl Times {
    pub fn new(keeps_measuring: bool) -> Self {
        Self {
            keeps_measuring,
            ..Self::default()
        }
    }

    /// Processes new results: times of frames drawn for `settings`, and times of a measurement with other settings.
    pub fn follow(
        &mut self,
        methods: &[MethodTimes],
        measurement: Option<(&Measurement, &Settings)>,
        settings: &Settings,
        now: Instant,
    ) {
        for times in methods {
            let method = times.of.method;
            let seen = self.seen.get(&method);
            let before = seen.filter(|seen| seen.0 == times.set).map_or(0, |of| of.1);
            let new = usize::try_from(times.taken - before).unwrap_or(MOST_SAMPLES);
            if new > 0 {
                let newest = times.samples.len().saturating_sub(new);
                let newest = times.samples.range(newest..).copied();
                self.add(times.of, newest.collect(), settings, now);
                self.seen.insert(method, (times.set, times.taken));
            }
        }
        // Rows arrive as soon as they are measured.
        let Some((all, settings)) = measurement else {
            return;
        };
        self.taken.resize(all.of.len(), Default::default());
        for (place, of) in all.of.iter().enumerate() {
            let samples = &all.samples[place];
            let inputs = all.inputs.get(place).copied().flatten();
            let error = all.errors.get(place).and_then(Option::as_ref);
            let there = (samples.len(), inputs.is_some(), error.is_some());
            if std::mem::replace(&mut self.taken[place], there) == there {
                continue;
            }
            if let Some(error) = error {
                self.note_error(*of, error, settings);
            }
            if let Some(mut time) = MethodTime::new(samples.clone(), *of, settings, now) {
                (time.inputs, time.is_measured) = (inputs, time.is_enough());
                self.keep(*of, time);
            }
        }
    }

    /// Processes the difference between A and B: if one of them is exact, the difference is the other's error.
    pub fn follow_difference(
        &mut self,
        [a, b]: [Specialization; 2],
        metrics: &LiveMetrics,
        settings: &Settings,
    ) {
        let is_exact = |of: Specialization| {
            let stops_early = of.options.frame.early_out > 0.0;
            let is_rounded = of.method.rounds_to_half() || of.is_half();
            of.method.is_exact() && !stops_early && !is_rounded
        };
        match [a, b].map(is_exact) {
            [false, true] => self.note_error(a, metrics, settings),
            [true, false] => self.note_error(b, metrics, settings),
            _ => {}
        }
    }

    fn note_error(&mut self, of: Specialization, metrics: &LiveMetrics, settings: &Settings) {
        let error = MethodError {
            metrics: metrics.clone(),
            runs: of,
            settings: settings.clone(),
        };
        self.errors.insert(of.method, error);
    }

    pub fn error(&self, method: Method) -> Option<&MethodError> {
        self.errors.get(&method)
    }

    pub fn current_error(&self, method: Method, settings: &Settings) -> Option<&MethodError> {
        self.error(method).filter(|error| error.is_of(settings))
    }

    /// Adds times of frames to times of the same kernel and work. Measured times accept them only if all methods are
    /// timed in frames, because only times taken in the same way are comparable.
    fn add(&mut self, of: Specialization, new: Vec<f64>, settings: &Settings, now: Instant) {
        let is_same = |time: &&MethodTime| time.runs.runs_like(&of) && time.is_of(settings);
        let known = self.times.iter().find(is_same).cloned();
        let added = match known {
            Some(known) if known.is_measured && !self.keeps_measuring => Some(known),
            Some(known) => known.with(new, now),
            None => MethodTime::new(new, of, settings, now),
        };
        if let Some(time) = added {
            self.keep(of, time);
        }
    }

    /// Stores times of a method's specialization, and drops times of specializations that no method ran last.
    fn keep(&mut self, of: Specialization, new: MethodTime) {
        self.ran.insert(of.method, of);
        let is_known = |time: &MethodTime| self.ran.values().any(|ran| time.runs.runs_like(ran));
        self.times
            .retain(|time| !time.runs.runs_like(&of) && is_known(time));
        self.times.push(new);
    }

    /// Latest times of a method's last specialization, if it was ever timed.
    pub fn of(&self, method: Method) -> Option<&MethodTime> {
        let ran = self.ran.get(&method)?;
        self.times.iter().find(|time| time.runs.runs_like(ran))
    }

    pub fn current(&self, method: Method, settings: &Settings) -> Option<&MethodTime> {
        self.of(method).filter(|time| time.is_of(settings))
    }

    /// Times and errors that belong to the current view; `choice` is the choice of `auto`, if `auto` is shown.
    pub fn now<'a>(&'a self, settings: &'a Settings, choice: Option<&'a Choice>) -> Current<'a> {
        Current {
            times: self,
            settings,
            choice,
        }
    }
}

pub struct Current<'a> {
    times: &'a Times,
    settings: &'a Settings,
    choice: Option<&'a Choice>,
}

impl<'a> Current<'a> {
    /// Times of a method; for `auto`, only if its choice has not changed.
    pub fn time(&self, method: Method) -> Option<&'a MethodTime> {
        let of = self.times.ran.get(&method);
        let of = of.filter(|of| self.still_runs(**of));
        of.and(self.times.current(method, self.settings))
    }

    /// Times of a method, if they allow conclusions: there are enough of them, and they are measured if others are.
    pub fn known(&self, method: Method) -> Option<&'a MethodTime> {
        let is_measured = |time: &MethodTime| time.is_measured && time.is_of(self.settings);
        let all_alike = self.times.keeps_measuring || !self.times.times.iter().any(is_measured);
        let time = self.time(method).filter(|time| time.is_enough())?;
        (all_alike || time.is_measured).then_some(time)
    }

    /// Difference between a method and the exact result; for `auto`, only if its choice has not changed.
    pub fn error(&self, method: Method) -> Option<&'a MethodError> {
        let error = self.times.current_error(method, self.settings);
        error.filter(|error| self.still_runs(error.runs))
    }

    fn still_runs(&self, of: Specialization) -> bool {
        let choice = self.choice.filter(|_| of.method == Method::Auto);
        choice.is_none_or(|choice| of == choice.specialization)
    }
}

/// True if two settings differ only in the scene's time. Called for every method in every frame, so it copies nothing.
pub fn same_work(a: &Settings, b: &Settings) -> bool {
    // Every field is listed, so that a new field requires a decision.
    let Settings {
        scene,
        size,
        time: _,
        seed,
        camera,
        moved_camera,
        particles,
        fog_slices,
        factors,
        splats,
        options,
    } = a;
    let of_view = (scene, size, seed, camera, moved_camera)
        == (&b.scene, &b.size, &b.seed, &b.camera, &b.moved_camera);
    let of_layers = (particles, fog_slices, factors, splats)
        == (&b.particles, &b.fog_slices, &b.factors, &b.splats);
    of_view && of_layers && options == &b.options
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Disk;
    use crate::model::Capabilities;
    use crate::model::settings::{Purpose, default_settings};

    fn settings() -> Settings {
        default_settings("two", &Disk, &Capabilities::default(), Purpose::Window)
            .expect("it is built in")
    }

    /// Frame times of a method: `taken` times received, the latest of which are `time` each.
    fn frames(set: u64, taken: u64, time: f64) -> MethodTimes {
        let samples = std::iter::repeat_n(time, taken.min(60) as usize);
        MethodTimes::new(Specialization::new(Method::PixelLoop), set, samples, taken)
    }

    #[test]
    fn samples_of_one_kernel_are_one_pool_whichever_method_asked_for_it() {
        let (mut times, now, settings) = (Times::default(), Instant::now(), settings());
        let of = |method, runs, set, time| {
            let of = Specialization {
                runs,
                ..settings.options.specialize(method)
            };
            MethodTimes::new(of, set, [time; 4], 4)
        };
        let tree = Method::WaveTree;
        let mut both = [of(tree, tree, 1, 4.0), of(Method::Auto, tree, 2, 6.0)];
        times.follow(&both, None, &settings, now);
        let pool = times.of(tree).expect("it was timed");
        assert_eq!((pool.median, pool.samples.len()), (5.0, 8));
        assert_eq!(times.of(Method::Auto), Some(pool));
        // Negative control: a kernel with another dial has separate times.
        both[1] = of(Method::Auto, Method::PixelLoop, 3, 6.0);
        times.follow(&both, None, &settings, now);
        assert_eq!(times.of(Method::Auto).map(|of| of.median), Some(6.0));
        both[1] = of(Method::Auto, tree, 4, 6.0);
        both[1].of.options.method.pixels_per_wave = 4;
        times.follow(&both, None, &settings, now);
        let of_both = [tree, Method::Auto].map(|of| times.of(of).map(|of| of.samples.len()));
        assert_eq!(of_both, [Some(8), Some(4)]);
    }

    #[test]
    fn where_some_times_were_measured_those_of_frames_conclude_nothing() {
        let (mut times, now, settings) = (Times::default(), Instant::now(), settings());
        let measurement = Measurement {
            of: vec![Specialization::new(Method::WaveTree)],
            samples: vec![vec![5.0; 30]],
            ..Measurement::default()
        };
        let known = |times: &Times| {
            let now = times.now(&settings, None);
            [Method::PixelLoop, Method::WaveTree].map(|of| now.known(of).is_some())
        };
        times.follow(&[frames(1, 9, 1.0)], None, &settings, now);
        assert_eq!(known(&times), [true, false]);
        // Rows arrive before everything is measured.
        times.follow(&[], Some((&measurement, &settings)), &settings, now);
        assert_eq!(known(&times), [false, true]);
        times.keeps_measuring = true;
        assert_eq!(known(&times), [true, true], "all are timed in frames");
    }

    #[test]
    fn a_method_that_takes_long_is_left_alone_for_long_once_it_has_enough_times() {
        let (mut times, now, settings) = (Times::default(), Instant::now(), settings());
        let after = |seconds: u64| now + Duration::from_secs(seconds);
        let due = |times: &Times, at| times.of(Method::PixelLoop).is_some_and(|of| of.is_due(at));
        times.follow(&[frames(1, 4, 500.0)], None, &settings, now);
        assert!(due(&times, after(1)));
        times.follow(&[frames(1, 5, 500.0)], None, &settings, now);
        assert!(!due(&times, after(49)) && due(&times, after(51)));
    }
}
