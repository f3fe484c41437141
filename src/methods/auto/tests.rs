//! What `auto` chooses, by its rule and by times.

use super::*;
use crate::model::items::{ItemCounts, ItemKind};
use crate::model::methods::{Cost, Kinds, ListKind, Source};
use crate::model::options::Dial;

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
        ..Facts::default()
    }
}

fn auto() -> Specialization {
    Specialization::new(Method::Auto)
}

fn chosen(facts: &Facts) -> String {
    let choice = choice(&caps(), auto(), facts);
    assert_eq!(choice.specialization.method, Method::Auto);
    choice.specialization.label()
}

#[test]
fn the_rule_goes_from_pixels_per_thread_to_threads_per_pixel() {
    assert_eq!(chosen(&facts(1920 * 1080, 128)), "pixel-loop");
    let synthetic = Facts {
        layers: Source::Synthetic(Cost::Cheap, ListKind::Particles),
        ..facts(1920 * 1080, 128)
    };
    let choice = choice(&caps(), auto(), &synthetic);
    assert_eq!(choice.specialization.dial(), Dial::Pixels(4));
    assert_eq!(chosen(&facts(160 * 88, 1024)), "split-depth 4");
    assert_eq!(chosen(&facts(1024, 1024)), "split-depth 64");
    // No thread is worth it for a layer or two.
    assert_eq!(chosen(&facts(1024, 16)), "split-depth 4");
    assert_eq!(chosen(&facts(1024, 0)), "pixel-loop-staged 1");
}

#[test]
fn the_rule_cuts_lists_into_batches_where_one_is_much_longer() {
    let uneven = |pixels, mean, longest| Facts {
        longest,
        ..facts(pixels, mean)
    };
    for (here, expected) in [
        (uneven(1920 * 1080, 70, 3064), "split-batches 128b"),
        (uneven(640 * 360, 76, 3064), "split-batches 64b"),
        // The longest list is done before the others are.
        (uneven(1920 * 1080, 82, 840), "pixel-loop"),
    ] {
        assert_eq!(chosen(&here), expected, "{here:?}");
    }
    let without = Capabilities {
        waves: false,
        ..caps()
    };
    let choice = choice(&without, auto(), &uneven(640 * 360, 76, 3064));
    assert_eq!(choice.specialization.runs, Method::SplitBatches);
}

#[test]
fn on_a_cpu_short_lists_are_walked_long_ones_shared_and_crowds_staged() {
    let caps = Capabilities {
        is_cpu: true,
        ..caps()
    };
    let frame = |crowd, gaussians: bool| {
        Source::Frame(Kinds {
            crowd,
            ..Kinds::of(&ItemCounts::only(ItemKind::Gaussian, gaussians.into()))
        })
    };
    let chosen = |layers, count| {
        let facts = Facts {
            layers,
            ..facts(160 * 88, count)
        };
        choice(&caps, auto(), &facts).specialization.label()
    };
    assert_eq!(chosen(frame(false, false), 4), "pixel-loop");
    for layers in [frame(false, false), frame(true, true)] {
        assert_eq!(chosen(layers, 200), "split-depth 2");
    }
    assert_eq!(chosen(frame(true, false), 60), "split-depth 2");
    assert_eq!(chosen(frame(true, false), 100), "pixel-loop-staged 1");
}

#[test]
fn without_waves_no_threads_share_a_pixel() {
    let caps = Capabilities {
        waves: false,
        ..caps()
    };
    let choice = choice(&caps, auto(), &facts(1024, 1024));
    assert_eq!(choice.specialization.runs, Method::PixelLoopStaged);
    assert!(methods(&caps).iter().all(|of| !of.uses_waves()));
}

#[test]
fn what_is_not_auto_stays_as_it_is() {
    let asked = Specialization::new(Method::WaveLerpBallot);
    let choice = choice(&caps(), asked, &facts(100, 100));
    assert_eq!(choice.specialization, asked);
}

#[test]
fn auto_chooses_no_method_that_the_hazard_concerns() {
    let all = methods(&caps());
    assert_eq!(all.len(), 5);
    assert!(all.iter().all(|of| !of.uses_prefix_product()));
}

#[test]
fn candidates_are_the_choice_of_the_rule_and_every_method_as_asked_for_each_once() {
    let labels = |facts| {
        let all = candidates(&caps(), auto(), &facts);
        all.iter().map(Specialization::label).collect::<Vec<_>>()
    };
    let few = labels(facts(1024, 1024));
    assert_eq!(few[0], "split-depth 64");
    assert_eq!(few.len(), 6);
    let many = labels(facts(1920 * 1080, 128));
    assert_eq!(many[0], "pixel-loop");
    assert_eq!(many.len(), 5);
}

#[test]
fn a_candidate_that_is_measured_to_be_faster_takes_the_place_of_the_choice() {
    let all = &candidates(&caps(), auto(), &facts(1920 * 1080, 128))[..3];
    let runs = |times: [Option<f64>; 3]| Some(fastest(all, &times)?.specialization);
    assert_eq!(runs([Some(1.0), Some(0.9), Some(0.8)]), Some(all[2]));
    assert_eq!(runs([Some(1.0), Some(0.9), None]), Some(all[1]));
    // Hardly faster is no reason to change.
    assert_eq!(runs([Some(1.0), Some(0.98), Some(1.1)]), Some(all[0]));
    // What cannot be timed is not taken while something else can.
    assert_eq!(runs([None, Some(0.9), Some(0.8)]), Some(all[2]));
    assert_eq!(runs([None; 3]), None);
    let choice = fastest(all, &[Some(0.01), Some(0.009), Some(0.008)]).expect("times");
    let label = all[2].label();
    assert!(choice.why.starts_with("8.00 µs measured"), "{}", choice.why);
    assert!(
        choice.why.ends_with("by the rule pixel-loop"),
        "{}",
        choice.why
    );
    assert!(!choice.why.contains(&label), "{}", choice.why);
}

#[test]
fn times_hold_for_lists_that_are_at_most_a_quarter_longer_or_shorter() {
    let here = facts(1024, 99);
    assert!(
        here.are_like(&here) && here.are_like(&facts(1024, 79)) && here.are_like(&facts(1024, 124))
    );
    assert!(!here.are_like(&facts(1024, 78)) && !here.are_like(&facts(1024, 125)));
    assert!(!here.are_like(&facts(1025, 99)));
    let with_longer = Facts {
        longest: 200,
        ..here
    };
    assert!(!here.are_like(&with_longer));
}
