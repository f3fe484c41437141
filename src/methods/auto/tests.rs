use super::*;

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
    // A gain of 2 % is too small for a change.
    assert_eq!(runs([Some(1.0), Some(0.98), Some(1.1)]), Some(all[0]));
    // A method without a time is not chosen while another has one.
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
