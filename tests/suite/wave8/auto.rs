//! `auto` in the frame that is drawn again and again: it is what it chose, and a calibration changes
//! what that is.

use std::sync::Arc;
use std::time::{Duration, Instant};

use wavelerp::live::{Live, PATIENCE, ProbeWanted, Times, Wanted};
use wavelerp::methods::Specialization;
use wavelerp::methods::auto::{Calibration, Candidate, Facts, Point, Rule, SCHEMA, SourceTimes};
use wavelerp::model::methods::Method;
use wavelerp::model::passes::Label;
use wavelerp::model::settings::Settings;
use wavelerp::model::{Adapter, Capabilities};

use crate::harness::{Harness, scene};
use crate::on_screen::{bits, draw, draw_once, pixels, small, untimed, wanted};

/// A calibration by which this method wins everywhere; made up.
fn calibration(caps: &Capabilities, fastest: Method) -> Calibration {
    let time = |candidate: Candidate| {
        let wins = candidate.method == fastest;
        (candidate, if wins { 1.0 } else { 100.0 })
    };
    let point = Point {
        facts: Facts {
            pixels: 64 * 64,
            mean: 20.0,
            longest: 20,
            splats: 0.0,
        },
        times: Candidate::all(caps).into_iter().map(time).collect(),
    };
    Calibration {
        schema: SCHEMA,
        adapter: Adapter::of(caps),
        unchecked_shaders: !cfg!(debug_assertions),
        date: "2026-01-31".to_owned(),
        seconds: 1.0,
        maps: vec![SourceTimes {
            synthetic: None,
            tile: 8,
            points: vec![point],
        }],
    }
}

/// A small frame of smoke and fog.
struct Small {
    harness: Harness,
    settings: Settings,
    live: Live,
}

impl Small {
    fn new() -> Self {
        let harness = Harness::new();
        let (_, settings, live, _) = small(&harness, "temple", 1 << 16, [None; 2]);
        Self {
            harness,
            settings,
            live,
        }
    }

    fn wanted(&self, a: Method, b: Method) -> Wanted {
        wanted(&self.live, &self.settings, [Some(a), Some(b)])
    }

    fn rule(&self, fastest: Method) -> Arc<Rule> {
        let calibration = calibration(&self.harness.gpu.caps, fastest);
        Arc::new(Rule::from(calibration))
    }

    /// What `auto` runs now.
    fn chosen(&self) -> Specialization {
        let choice = self.live.choice().expect("auto is shown");
        choice.specialization
    }

    /// The picture of `auto`, which is A: the same as that of what it chose, asked for by name.
    fn picture_of(&mut self, chosen: Specialization, both: &mut Wanted) -> Vec<[u32; 4]> {
        both.methods[1] = Some(Specialization {
            method: chosen.runs,
            ..chosen
        });
        draw(&self.harness, &mut self.live, both);
        let [auto, named] = self.shown();
        assert!(auto == named, "auto differs from {}", chosen.label());
        auto
    }

    fn shown(&self) -> [Vec<[u32; 4]>; 2] {
        [&self.live.shown.frame.target, &self.live.shown.other]
            .map(|target| pixels(&self.harness.gpu, &target.composites, self.settings.size))
    }
}

#[test]
fn auto_draws_the_picture_of_what_it_chose() {
    let mut small = Small::new();
    let mut both = small.wanted(Method::Auto, Method::PixelLoop);
    both.rule = small.rule(Method::WaveTree);
    draw(&small.harness, &mut small.live, &both);
    let chosen = small.chosen();
    assert_eq!(chosen.runs, Method::WaveTree);
    let auto = small.picture_of(chosen, &mut both);
    // Negative control: rounding tells the methods apart.
    both.methods[1] = Some(small.settings.options.specialize(Method::PixelLoop));
    draw(&small.harness, &mut small.live, &both);
    let [again, other] = small.shown();
    assert!(again == auto && other != auto);
}

#[test]
fn without_a_calibration_the_window_begins_with_what_a_capture_draws() {
    let mut small = Small::new();
    let both = small.wanted(Method::Auto, Method::PixelLoop);
    draw(&small.harness, &mut small.live, &both);
    let scene = scene("temple");
    let mut capture = small.harness.capture(&scene, &small.settings);
    let asked = small.settings.options.specialize(Method::Auto);
    assert_eq!(small.chosen(), capture.choice(asked).specialization);
    let captured = bits(&capture.picture(Method::Auto).expect("a picture"));
    assert!(small.shown()[0] == captured);
}

#[test]
fn a_calibration_changes_the_choice_at_once_and_lists_only_after_a_while() {
    let mut small = Small::new();
    let mut both = small.wanted(Method::PixelLoop, Method::Auto);
    draw(&small.harness, &mut small.live, &both);
    let built_in = small.chosen();
    assert_ne!(built_in.runs, Method::PixelLoop);
    both.rule = small.rule(Method::PixelLoop);
    draw_once(&small.harness, &mut small.live, &both);
    assert_eq!(small.chosen().runs, Method::PixelLoop);
    both.rule = Arc::default();
    draw_once(&small.harness, &mut small.live, &both);
    assert_eq!(small.chosen(), built_in);
    // Without particles other threads would do; the first counters of that are a frame or two away.
    for emitter in &mut both.emitters {
        emitter.opacity = 0.0;
    }
    let mut kept = 0;
    while small.chosen() == built_in && kept < 4 * PATIENCE {
        draw_once(&small.harness, &mut small.live, &both);
        kept += 1;
    }
    assert!((PATIENCE..2 * PATIENCE).contains(&kept), "{kept} frames");
}

#[test]
fn what_a_calibration_picks_is_tried_against_all_others_and_gives_way_to_the_fastest() {
    for once in [false, true] {
        let mut small = Small::new();
        let mut both = small.wanted(Method::Auto, Method::ReadLaneLoop);
        both.rule = small.rule(Method::WaveTree);
        both.once = once;
        decide(&mut small, &both);
        let why = small.live.choice().expect("auto is shown").why.clone();
        // The calibration's times are made up.
        assert!(why.contains("are discarded"), "{why}");
        let times: Vec<f64> = numbers(&why);
        let fastest = times[1..].iter().copied().fold(f64::MAX, f64::min);
        assert!(times[0] <= 1.04 * fastest, "{why}");
        look_at_tried(small, both);
    }
}

/// Draws frames until it is decided what `auto` runs.
fn decide(small: &mut Small, both: &Wanted) {
    let began = Instant::now();
    let is_decided = |small: &Small| {
        let choice = small.live.choice().expect("auto is shown");
        choice.why.contains("measured here")
    };
    while {
        draw_once(&small.harness, &mut small.live, both);
        !is_decided(small)
    } {
        let spent = began.elapsed();
        assert!(spent < Duration::from_secs(120), "it is never decided");
    }
}

/// The microseconds of what runs, and of all that was also tried.
fn numbers(why: &str) -> Vec<f64> {
    let (tried, _) = why.split_once(';').expect("the rule's reason follows");
    let words: Vec<&str> = tried.split([' ', ',', ')']).collect();
    let time = |pair: &[&str]| {
        let unit = match pair[1] {
            "µs" => 1.0,
            "ms" => 1e3,
            _ => return None,
        };
        Some(unit * pair[0].parse::<f64>().ok()?)
    };
    words.windows(2).filter_map(time).collect()
}

fn look_at_tried(mut small: Small, mut both: Wanted) {
    both.once = false;
    let chosen = small.chosen();
    // What is tried is timed apart: of auto there is a time a frame, or none where the wall clock cannot tell.
    small.live.shown.times = Times::default();
    let labels = [Method::Auto, Method::ReadLaneLoop].map(Label::of);
    let missing = untimed(&small.harness, &mut small.live, &both, &labels);
    assert!(missing.is_empty());
    let mut times = small.live.shown.times.passes.iter();
    let auto = times.find(|times| times.label == labels[0]);
    let auto = auto.expect("it was timed");
    assert!(auto.taken <= auto.frame, "{} of {}", auto.taken, auto.frame);
    // And it is no part of the picture.
    small.picture_of(chosen, &mut both);
}

#[test]
fn probes_and_measurements_run_what_auto_chose() {
    let mut small = Small::new();
    let mut both = small.wanted(Method::Auto, Method::PixelLoop);
    both.rule = small.rule(Method::WaveTree);
    let auto = small.settings.options.specialize(Method::Auto);
    both.probe = Some(ProbeWanted {
        pixel: [48, 27],
        methods: vec![auto],
    });
    draw(&small.harness, &mut small.live, &both);
    let probe = small.live.looking.probe.as_ref().expect("a probe");
    assert_eq!(probe.results.len(), 1);
    assert_eq!(probe.results[0].method, Method::Auto);
    let place = 27 * 97 + 48;
    let shown = small.shown()[0][place].map(f32::from_bits);
    assert_eq!(probe.results[0].value, shown);
    let Harness { gpu, pipelines, .. } = &small.harness;
    let methods = vec![auto, small.settings.options.specialize(Method::PixelLoop)];
    let started = small.live.start_measuring(gpu, pipelines, methods);
    started.expect("it starts");
    let began = Instant::now();
    let is_measuring = |live: &Live| live.measurement().is_some_and(|taken| !taken.finished);
    while is_measuring(&small.live) {
        draw_once(&small.harness, &mut small.live, &both);
        // A GPU is warmed up first, however small its frames are.
        assert!(began.elapsed() < Duration::from_secs(120), "it hangs");
    }
    let measured = small.live.measurement().expect("a measurement");
    assert_eq!(measured.methods, [Method::Auto, Method::PixelLoop]);
    assert!(measured.samples.iter().all(|samples| !samples.is_empty()));
    let ran = measured.of[0];
    assert_eq!(ran.method, Method::Auto);
    // Its times are those of what it runs.
    if ran.runs == Method::PixelLoop {
        assert_eq!(measured.samples[0], measured.samples[1]);
    }
    let choice = small.live.choice().expect("auto is shown");
    assert_eq!(choice.specialization, ran);
}
