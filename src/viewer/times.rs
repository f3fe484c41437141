//! The newest time of every method's composite pass, what it was taken of, and how old it is. Pure.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::live::{Measurement, PassTimes};
use crate::model::ClockSource;
use crate::model::methods::Method;
use crate::model::passes::Label;
use crate::model::samples::Summary;
use crate::model::settings::Settings;

/// Times of live frames that make a median, at most.
const MOST_SAMPLES: usize = 60;
/// Frames on their way to the GPU and back when something changes: their times are of what was before. A frame that is
/// timed by the wall clock is waited for, so none is.
fn in_flight(clock: ClockSource) -> u64 {
    match clock {
        ClockSource::Timestamps => 4,
        ClockSource::Wall => 0,
    }
}
/// How long a measured time stays, which is better than those of the frames on screen: many rounds, warmed up.
const MEASURED_STAYS: Duration = Duration::from_secs(20);
/// How many times as long as a method takes it is left alone, where it is not shown.
const PAUSE: f64 = 100.0;

/// Sort order of the table of passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// As they run.
    #[default]
    Frame,
    /// By the last time, the median, or the 95th percentile, longest first.
    Time(usize),
}

#[derive(Clone, Debug, PartialEq)]
pub struct MethodTime {
    /// Median, 5th and 95th percentile, ms.
    pub times: Summary,
    /// Whether it comes from a measurement of all methods, and not from the frames on screen.
    pub is_measured: bool,
    /// When the newest sample came back.
    taken: Instant,
    /// The settings it was taken with.
    of: Settings,
}

impl MethodTime {
    /// How long ago it was taken.
    pub fn age(&self, now: Instant) -> Duration {
        now.saturating_duration_since(self.taken)
    }

    /// Whether it is time for a newer one: measured times stay for a while, and a method that takes long is not run
    /// again for a hundred times as long, so that the picture keeps moving.
    pub fn is_due(&self, now: Instant) -> bool {
        !self.stays(now) && self.age(now).as_secs_f64() * 1e3 > PAUSE * self.times.median
    }

    /// Whether it is a measured time that is not to be replaced by those of the frames on screen yet.
    fn stays(&self, now: Instant) -> bool {
        self.is_measured && self.age(now) < MEASURED_STAYS
    }

    /// Whether scene, view and options are still those that it was taken with. The scene's clock may have gone on.
    pub fn is_of(&self, settings: &Settings) -> bool {
        same_work(&self.of, settings)
    }
}

/// How long methods take.
#[derive(Default)]
pub struct Times {
    /// The newest time of each.
    pub book: Book,
    /// Whether one further method is timed in every frame.
    pub keeps_measuring: bool,
}

/// The newest time of every method.
#[derive(Clone, Debug, Default)]
pub struct Book {
    times: BTreeMap<&'static str, MethodTime>,
    /// By pass: samples that had come back when the settings last changed.
    before: BTreeMap<Label, u64>,
    /// By pass: samples that had come back when it was last looked at.
    seen: BTreeMap<Label, u64>,
    settings: Option<Settings>,
    /// Whether the finished measurement is in `times`.
    is_taken: bool,
}

impl Book {
    /// Takes in what has come back since the last frame, with times read from `clock`.
    pub fn follow(
        &mut self,
        clock: ClockSource,
        passes: &[PassTimes],
        measurement: Option<&Measurement>,
        settings: &Settings,
        now: Instant,
    ) {
        let is_same = self
            .settings
            .as_ref()
            .is_some_and(|of| same_work(of, settings));
        if !is_same {
            self.settings = Some(settings.clone());
            let now = passes.iter().map(|pass| (pass.label, pass.taken));
            self.before = now.collect();
        }
        for pass in passes {
            self.follow_pass(pass, passes, in_flight(clock), settings, now);
        }
        match measurement {
            Some(measurement) if measurement.finished && !self.is_taken => {
                self.take(measurement, settings, now);
                self.is_taken = true;
            }
            Some(measurement) => self.is_taken &= measurement.finished,
            None => self.is_taken = false,
        }
    }

    /// Takes in the frames' times of a method.
    fn follow_pass(
        &mut self,
        pass: &PassTimes,
        passes: &[PassTimes],
        in_flight: u64,
        settings: &Settings,
        now: Instant,
    ) {
        let (Some(method), None) = (pass.label.method, pass.label.part) else {
            return;
        };
        let seen = self.seen.entry(pass.label).or_default();
        if pass.taken == std::mem::replace(seen, pass.taken) {
            return;
        }
        let before = self.before.get(&pass.label).copied().unwrap_or_default();
        let new = pass.taken.saturating_sub(before + in_flight);
        let count = usize::try_from(new)
            .unwrap_or(MOST_SAMPLES)
            .min(MOST_SAMPLES);
        let newest =
            |of: &PassTimes| -> Vec<f64> { of.samples.iter().rev().take(count).copied().collect() };
        let is_part = |of: &&PassTimes| of.label.method == Some(method) && of.label.part.is_some();
        let parts = passes.iter().filter(is_part);
        let parts = parts.filter_map(|part| Some(Summary::of(&newest(part))?.median));
        let parts: f64 = parts.sum();
        let samples: Vec<f64> = newest(pass).iter().map(|time| time + parts).collect();
        let known = self.times.get(method.name());
        let is_kept = known.is_some_and(|time| time.is_of(settings) && time.stays(now));
        if let Some(times) = Summary::of(&samples).filter(|_| !is_kept) {
            self.insert(method, times, false, settings, now);
        }
    }

    /// Takes in the times of a measurement of all methods.
    fn take(&mut self, measurement: &Measurement, settings: &Settings, now: Instant) {
        for (method, samples) in measurement.methods.iter().zip(&measurement.samples) {
            if let Some(times) = Summary::of(samples) {
                self.insert(*method, times, true, settings, now);
            }
        }
    }

    fn insert(
        &mut self,
        method: Method,
        times: Summary,
        is_measured: bool,
        settings: &Settings,
        taken: Instant,
    ) {
        let time = MethodTime {
            times,
            is_measured,
            taken,
            of: settings.clone(),
        };
        self.times.insert(method.name(), time);
    }

    /// The newest time of a method, if it was ever timed.
    pub fn of(&self, method: Method) -> Option<&MethodTime> {
        self.times.get(method.name())
    }
}

/// Whether two settings differ in nothing but the scene's time. Asked of every method in every frame, so it copies
/// nothing.
fn same_work(a: &Settings, b: &Settings) -> bool {
    // Each field by name: a new one has to be decided on.
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
    let of_layers = (particles, fog_slices, factors, splats, options)
        == (
            &b.particles,
            &b.fog_slices,
            &b.factors,
            &b.splats,
            &b.options,
        );
    of_view && of_layers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Disk;
    use crate::model::Capabilities;
    use crate::model::settings::{Purpose, default_settings};

    const CLOCK: ClockSource = ClockSource::Timestamps;

    fn settings() -> Settings {
        default_settings("two", &Disk, &Capabilities::default(), Purpose::Window)
            .expect("it is built in")
    }

    fn pass(taken: u64, time: f64) -> PassTimes {
        PassTimes {
            label: Label::of(Method::PixelLoop),
            samples: std::iter::repeat_n(time, 100).collect(),
            taken,
            frame: taken,
        }
    }

    fn median(book: &Book) -> Option<f64> {
        Some(book.of(Method::PixelLoop)?.times.median)
    }

    #[test]
    fn a_time_is_of_the_settings_it_was_taken_with_and_frames_in_flight_count_for_nobody() {
        let (mut book, now) = (Book::default(), Instant::now());
        let late = in_flight(CLOCK);
        let mut settings = settings();
        book.follow(CLOCK, &[pass(0, 1.0)], None, &settings, now);
        assert_eq!(median(&book), None);
        book.follow(CLOCK, &[pass(10, 1.0)], None, &settings, now);
        assert_eq!(median(&book), Some(1.0));
        settings.time += 1.0;
        let is_current = |book: &Book, settings: &Settings| {
            book.of(Method::PixelLoop)
                .is_some_and(|time| time.is_of(settings))
        };
        assert!(is_current(&book, &settings), "the clock may run");
        settings.particles += 1;
        assert!(!is_current(&book, &settings));
        book.follow(CLOCK, &[pass(10, 1.0)], None, &settings, now);
        book.follow(CLOCK, &[pass(10 + late, 9.0)], None, &settings, now);
        assert_eq!(median(&book), Some(1.0), "these are still of the old frame");
        book.follow(CLOCK, &[pass(11 + late, 2.0)], None, &settings, now);
        assert_eq!(median(&book), Some(2.0));
        assert!(is_current(&book, &settings));
        // A frame that was waited for is the newest one.
        settings.particles += 1;
        book.follow(ClockSource::Wall, &[pass(20, 2.0)], None, &settings, now);
        book.follow(ClockSource::Wall, &[pass(21, 3.0)], None, &settings, now);
        assert_eq!(median(&book), Some(3.0));
    }

    #[test]
    fn a_measured_time_stays_for_a_while_and_a_pass_that_brings_nothing_new_grows_old() {
        let (mut book, start, settings) = (Book::default(), Instant::now(), settings());
        let measurement = Measurement {
            methods: vec![Method::PixelLoop],
            samples: vec![vec![5.0; 30]],
            finished: true,
            ..Measurement::default()
        };
        let after = |seconds: u64| start + Duration::from_secs(seconds);
        let follow = |book: &mut Book, taken, seconds| {
            book.follow(
                CLOCK,
                &[pass(taken, 1.0)],
                Some(&measurement),
                &settings,
                after(seconds),
            );
        };
        follow(&mut book, 0, 0);
        assert_eq!(median(&book), Some(5.0));
        follow(&mut book, 50, 1);
        assert_eq!(median(&book), Some(5.0));
        follow(&mut book, 100, 30);
        assert_eq!(median(&book), Some(1.0));
        follow(&mut book, 100, 90);
        let time = book.of(Method::PixelLoop).expect("it was timed");
        assert!(!time.is_due(after(30)) && time.is_due(after(31)));
        let age = book.of(Method::PixelLoop).map(|time| time.age(after(90)));
        assert_eq!(age, Some(Duration::from_secs(60)));
    }
}
