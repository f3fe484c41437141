//! What `auto` chooses, by rule and by recorded calibrations.

use super::*;
use crate::gpu::checks_shaders;
use crate::model::Adapter;
use crate::model::methods::{Cost, ListKind};
use crate::model::options::Options;

fn caps() -> Capabilities {
    Capabilities {
        waves: true,
        wave_min: 32,
        wave_max: 32,
        max_workgroup_bytes: 49_152,
        ..Capabilities::default()
    }
}

fn facts(pixels: u32, layers: u32) -> Facts {
    Facts {
        pixels,
        mean: f64::from(layers),
        longest: layers,
        splats: 0.0,
    }
}

/// Lists without fog.
fn of_splats(pixels: u32, layers: u32) -> Facts {
    Facts {
        splats: f64::from(layers),
        ..facts(pixels, layers)
    }
}

fn chosen(rule: &Rule, facts: &Facts) -> String {
    let asked = Specialization::new(Method::Auto);
    let choice = rule.choose(&caps(), asked, facts);
    assert_eq!(choice.specialization.method, Method::Auto);
    Candidate::new(choice.specialization.runs, choice.specialization.dial()).label()
}

#[test]
fn the_built_in_rule_goes_from_pixels_per_thread_to_threads_per_pixel() {
    let rule = Rule::BuiltIn;
    assert_eq!(chosen(&rule, &facts(1920 * 1080, 128)), "pixel-loop");
    let synthetic = Specialization {
        source: Source::Synthetic(Cost::Cheap, ListKind::Particles),
        ..Specialization::new(Method::Auto)
    };
    let choice = rule.choose(&caps(), synthetic, &facts(1920 * 1080, 128));
    assert_eq!(choice.specialization.dial(), Dial::Pixels(4));
    assert_eq!(chosen(&rule, &facts(160 * 88, 1024)), "split-depth 4");
    assert_eq!(chosen(&rule, &facts(1024, 1024)), "split-depth 64");
    // No thread is worth it for a layer or two.
    assert_eq!(chosen(&rule, &facts(1024, 16)), "split-depth 4");
    assert_eq!(chosen(&rule, &facts(1024, 0)), "pixel-loop-staged 1");
}

#[test]
fn the_built_in_rule_cuts_lists_into_batches_where_one_is_much_longer() {
    let uneven = |pixels, mean, longest| Facts {
        longest,
        ..facts(pixels, mean)
    };
    let rule = Rule::BuiltIn;
    for (here, expected) in [
        (uneven(1920 * 1080, 70, 3064), "split-batches 128b"),
        (uneven(640 * 360, 76, 3064), "split-batches 64b"),
        // The longest list is done before the others are.
        (uneven(1920 * 1080, 82, 840), "pixel-loop"),
    ] {
        assert_eq!(chosen(&rule, &here), expected, "{here:?}");
    }
    let without = Capabilities {
        waves: false,
        ..caps()
    };
    let here = uneven(640 * 360, 76, 3064);
    let choice = rule.choose(&without, Specialization::new(Method::Auto), &here);
    assert_eq!(choice.specialization.runs, Method::SplitBatches);
}

#[test]
fn without_waves_no_threads_share_a_pixel() {
    let caps = Capabilities {
        waves: false,
        ..caps()
    };
    let asked = Specialization::new(Method::Auto);
    let choice = Rule::BuiltIn.choose(&caps, asked, &facts(1024, 1024));
    assert_eq!(choice.specialization.runs, Method::PixelLoopStaged);
    assert!(
        Candidate::all(&caps)
            .iter()
            .all(|of| !of.method.uses_waves())
    );
}

#[test]
fn what_is_not_auto_stays_as_it_is() {
    let asked = Specialization::new(Method::WaveLerpBallot);
    let choice = Rule::BuiltIn.choose(&caps(), asked, &facts(100, 100));
    assert_eq!(choice.specialization, asked);
}

#[test]
fn auto_chooses_no_method_that_the_hazard_concerns() {
    let all = Candidate::all(&caps());
    assert!(all.len() > 10);
    assert!(all.iter().all(|of| !of.method.uses_prefix_product()));
}

/// A calibration in which a thread per pixel costs 1 ns per pixel and layer but no less than 20 ns a
/// layer, and eight threads twice as much but no less than 3 ns a layer.
fn calibration() -> Calibration {
    let mut points = Vec::new();
    for pixels in [1 << 10, 1 << 14, 1 << 18, 1 << 22] {
        for layers in [16, 128, 1024] {
            let alone = f64::from(layers);
            let work = f64::from(pixels) * alone * 1e-3;
            let (one, eight) = (work.max(20.0 * alone), (2.0 * work).max(3.0 * alone));
            points.push(Point {
                facts: of_splats(pixels, layers),
                times: vec![
                    (
                        Candidate::new(Method::PixelLoopStaged, Dial::Threads(1)),
                        one,
                    ),
                    (Candidate::new(Method::SplitDepth, Dial::Threads(8)), eight),
                ],
            });
        }
    }
    calibrated_by(points)
}

/// A calibration of frames in tiles of 8 pixels.
fn calibrated_by(points: Vec<Point>) -> Calibration {
    Calibration {
        schema: SCHEMA,
        adapter: Adapter::default(),
        unchecked_shaders: !checks_shaders(),
        date: "2026-01-31".to_owned(),
        seconds: 1.0,
        maps: vec![SourceTimes {
            synthetic: None,
            tile: 8,
            points,
        }],
    }
}

#[test]
fn a_calibration_decides_also_between_its_points() {
    let rule = Rule::from(calibration());
    let chosen = |pixels, layers| chosen(&rule, &of_splats(pixels, layers));
    assert_eq!(chosen(1 << 10, 128), "split-depth 8");
    assert_eq!(chosen(3000, 300), "split-depth 8");
    assert_eq!(chosen(1 << 22, 128), "pixel-loop-staged 1");
    assert_eq!(chosen(1_500_000, 60), "pixel-loop-staged 1");
}

/// The choice of a calibration with these candidates and times.
fn chosen_of(times: &[(Dial, f64)]) -> Choice {
    let one = |&(dial, time): &(Dial, f64)| {
        let method = match dial {
            Dial::Threads(threads) if threads > 1 => Method::SplitDepth,
            _ => Method::PixelLoopStaged,
        };
        (Candidate::new(method, dial), time)
    };
    let facts = of_splats(1 << 16, 64);
    let times = times.iter().map(one).collect();
    let rule = Rule::from(calibrated_by(vec![Point { facts, times }]));
    rule.choose(&caps(), Specialization::new(Method::Auto), &facts)
}

#[test]
fn what_takes_little_longer_by_the_calibration_is_a_rival_and_nothing_else() {
    let [two, four, eight] = [2, 4, 8].map(Dial::Pixels);
    let labels = |times: &[(Dial, f64)]| {
        let choice = chosen_of(times);
        let candidates = choice.candidates();
        candidates
            .iter()
            .map(Specialization::label)
            .collect::<Vec<_>>()
    };
    let one = Dial::Threads(1);
    assert_eq!(
        labels(&[(two, 11.0), (one, 10.0), (four, 13.0), (eight, 12.4)]),
        [
            "pixel-loop-staged 1",
            "pixel-loop-staged 2p",
            "pixel-loop-staged 8p"
        ]
    );
    let threads = [1, 2, 4, 8].map(Dial::Threads);
    let dials = threads.into_iter().chain([two, four, eight]);
    let all: Vec<_> = dials.map(|dial| (dial, 10.0)).collect();
    assert_eq!(labels(&all).len(), 5, "no more than four rivals");
    assert_eq!(labels(&[(one, 10.0)]).len(), 1);
    // The built-in rule has none.
    let asked = Specialization::new(Method::Auto);
    let choice = Rule::BuiltIn.choose(&caps(), asked, &facts(1 << 16, 64));
    assert!(choice.rivals.is_empty());
}

#[test]
fn a_rival_that_is_measured_to_be_faster_takes_the_place_of_the_choice() {
    let [one, two, four] = [Dial::Threads(1), Dial::Pixels(2), Dial::Pixels(4)];
    let choice = || chosen_of(&[(one, 10.0), (two, 10.5), (four, 11.0)]);
    let tried = |times: [Option<f64>; 3]| choice().by_times(&times);
    let dial = |times| tried(times).specialization.dial();
    assert_eq!(dial([Some(1.0), Some(0.9), Some(0.8)]), four);
    assert_eq!(dial([Some(1.0), Some(0.9), None]), two);
    // Hardly faster is no reason to change.
    assert_eq!(dial([Some(1.0), Some(0.98), Some(1.1)]), one);
    // What cannot be timed is not taken while something else can.
    assert_eq!(dial([None, Some(0.9), Some(0.8)]), four);
    assert_eq!(tried([None; 3]), choice());
    let found = tried([Some(0.01), Some(0.009), Some(0.008)]);
    assert!(found.rivals.is_empty());
    for part in [
        "8.00 µs measured here",
        "staged 1 10.0",
        "staged 2p 9.0",
        "by the rule pixel-loop-staged 1: 10.0 µs predicted",
    ] {
        assert!(found.why.contains(part), "{}", found.why);
    }
}

#[test]
fn one_long_list_among_short_ones_is_split() {
    // Such lists are among those that are measured: frames have them.
    let mut calibration = calibration();
    let with_long = |pixels| {
        let (work, longest) = (f64::from(pixels) * 16e-3, 1024.0);
        Point {
            facts: Facts {
                longest: 1024,
                ..of_splats(pixels, 16)
            },
            times: vec![
                (
                    Candidate::new(Method::PixelLoopStaged, Dial::Threads(1)),
                    work.max(20.0 * longest),
                ),
                (
                    Candidate::new(Method::SplitDepth, Dial::Threads(8)),
                    (2.0 * work).max(3.0 * longest),
                ),
            ],
        }
    };
    let long = [1 << 12, 1 << 16, 1 << 20].map(with_long);
    calibration.maps[0].points.extend(long);
    let rule = Rule::from(calibration);
    let even = of_splats(1 << 15, 16);
    assert_eq!(chosen(&rule, &even), "pixel-loop-staged 1");
    let uneven = Facts {
        longest: 700,
        ..even
    };
    assert_eq!(chosen(&rule, &uneven), "split-depth 8");
}

#[test]
fn frames_of_as_many_layers_are_told_apart_by_their_splats() {
    let split = Candidate::new(Method::SplitDepth, Dial::Threads(8));
    let one = Candidate::new(Method::PixelLoopStaged, Dial::Threads(1));
    let point = |splats, times: [f64; 2]| Point {
        facts: Facts {
            splats,
            ..facts(1 << 20, 64)
        },
        times: vec![(one, times[0]), (split, times[1])],
    };
    let points = vec![point(2.0, [9.0, 5.0]), point(60.0, [5.0, 9.0])];
    let rule = Rule::from(calibrated_by(points));
    for (splats, expected) in [(1.0, "split-depth 8"), (100.0, "pixel-loop-staged 1")] {
        let here = Facts {
            splats,
            ..facts(1 << 20, 64)
        };
        assert_eq!(chosen(&rule, &here), expected);
    }
}

#[test]
fn a_source_that_was_not_measured_falls_back_to_the_built_in_rule() {
    let rule = Rule::from(calibration());
    let asked = Specialization {
        source: Source::Synthetic(Cost::Cheap, ListKind::Fog),
        ..Specialization::new(Method::Auto)
    };
    let here = facts(1920 * 1080, 64);
    let expected = Rule::BuiltIn.choose(&caps(), asked, &here);
    let choice = rule.choose(&caps(), asked, &here);
    assert_eq!(choice.specialization, expected.specialization);
    assert!(
        choice.why.contains("the calibration has no such lists"),
        "{}",
        choice.why
    );
    // So do frames in other tiles than those that were measured.
    let options = Options::default().with_frame(|frame| frame.tile = 16);
    let choice = rule.choose(
        &caps(),
        options.specialize(Method::Auto),
        &of_splats(1 << 10, 128),
    );
    assert!(choice.why.contains("in tiles of 16"), "{}", choice.why);
}

#[test]
fn a_calibration_of_another_adapter_or_build_is_refused_with_the_reason() {
    let calibration = calibration();
    assert_eq!(calibration.mismatch(&Adapter::default()), None);
    let other = Adapter {
        driver: "newer".to_owned(),
        ..Adapter::default()
    };
    assert!(calibration.mismatch(&other).is_some());
    let checked = Calibration {
        unchecked_shaders: checks_shaders(),
        ..calibration
    };
    assert!(checked.mismatch(&Adapter::default()).is_some());
}
