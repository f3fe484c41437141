//! `auto` in a live frame behaves exactly like the method that it chooses, by the rule or from a measurement.

use std::time::{Duration, Instant};

use wavelerp::live::{Live, ProbeWanted, Wanted};
use wavelerp::methods::Specialization;
use wavelerp::model::methods::Method;
use wavelerp::model::options::FogMode;
use wavelerp::model::settings::Settings;

use crate::harness::{Harness, scene};
use crate::on_screen::{bits, draw, draw_once, pixels, small, wanted};

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

    /// The current choice of `auto`.
    fn chosen(&self) -> Specialization {
        let choice = self.live.choice().expect("auto is shown");
        choice.specialization
    }

    /// Picture of `auto` as A, which must equal the picture of the chosen method when requested by name.
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
fn the_window_begins_with_what_a_capture_draws_which_is_the_picture_of_the_choice() {
    let mut small = Small::new();
    let mut both = small.wanted(Method::Auto, Method::PixelLoop);
    draw(&small.harness, &mut small.live, &both);
    let scene = scene("temple");
    let mut capture = small.harness.capture(&scene, &small.settings);
    let asked = small.settings.options.specialize(Method::Auto);
    let chosen = small.chosen();
    assert_eq!(chosen, capture.choice(asked).specialization);
    // The rule depends on the contents of the lists.
    let integrated = Settings {
        options: small
            .settings
            .options
            .with_frame(|frame| frame.fog = FogMode::Integrated),
        ..small.settings.clone()
    };
    let layers = |settings| {
        let mut capture = small.harness.capture(&scene, settings);
        capture.picture(Method::Auto).expect("a picture");
        capture.facts().layers
    };
    assert_eq!(
        layers(&small.settings),
        small.live.shown.frame.shape().layers()
    );
    assert_ne!(layers(&integrated), layers(&small.settings));
    let captured = bits(&capture.picture(Method::Auto).expect("a picture"));
    let auto = small.picture_of(chosen, &mut both);
    assert!(auto == captured);
    // Negative control: the methods' pictures differ by rounding.
    let others = [Method::PixelLoop, Method::WaveTree];
    let other = others.into_iter().find(|other| *other != chosen.runs);
    both.methods[1] = other.map(|other| small.settings.options.specialize(other));
    draw(&small.harness, &mut small.live, &both);
    let [again, other] = small.shown();
    assert!(again == auto && other != auto);
}

#[test]
fn probes_and_measurements_run_what_auto_chose_and_the_measured_fastest_runs_then() {
    let mut small = Small::new();
    let mut both = small.wanted(Method::Auto, Method::PixelLoop);
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
    started.expect("the measurement starts");
    let began = Instant::now();
    let is_measuring = |live: &Live| live.measurement().is_some_and(|taken| !taken.finished);
    while is_measuring(&small.live) {
        draw_once(&small.harness, &mut small.live, &both);
        // A GPU is warmed up first, however small its frames are.
        assert!(began.elapsed() < Duration::from_secs(120), "no measurement");
    }
    let measured = small.live.measurement().expect("a measurement");
    assert_eq!(measured.methods, [Method::Auto, Method::PixelLoop]);
    assert!(measured.samples.iter().all(|samples| !samples.is_empty()));
    let ran = measured.of[0];
    assert_eq!(ran.method, Method::Auto);
    // The times of `auto` are the times of the method that it chose.
    if ran.runs == Method::PixelLoop {
        assert_eq!(measured.samples[0], measured.samples[1]);
    }
    let choice = small.live.choice().expect("auto is shown");
    assert_eq!(choice.specialization, ran);
    assert!(choice.why.contains("measured on this frame"));
    small.picture_of(ran, &mut both);
}
