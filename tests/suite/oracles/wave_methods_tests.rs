//! The wave methods against the f64 oracle, at every wave width, with planted mistakes.

use super::*;
use clap::ValueEnum;
use proptest::prelude::*;
use wavelerp::model::reference::composite::{
    Composite, composite, composite_guarded, error_bound, error_bound_guarded,
};
use wavelerp::model::reference::stress::{StressList, random_layers, stress_list, stress_lists};
use wavelerp::model::reference::wave_model::as_words;

use crate::harness::error_over_bound;

const WIDTHS: [u32; 6] = [4, 8, 16, 32, 64, 128];

/// Whether a method's result is within `bound` of `oracle`; NaN is not.
fn within(result: [f32; 4], oracle: Composite, bound: [f64; 4]) -> bool {
    error_over_bound(oracle.channels(), bound, result) <= 1.0
}

/// Says on which stress list a method is beyond its bound.
fn first_wrong(
    width: u32,
    method: Method,
    hazard: Hazard,
    fault: Option<Fault>,
) -> Result<Option<String>, WaveError> {
    for StressList { kind, layers } in stress_lists(width as usize, 1) {
        let result = composite_list(method, width, hazard, fault, &layers)?;
        let (oracle, bound) = match hazard.guards() && method != Method::ReadLaneLoop {
            true => (composite_guarded(&layers), error_bound_guarded(&layers)),
            false => (composite(&layers), error_bound(&layers)),
        };
        if !within(result, oracle, bound) {
            let count = layers.len();
            return Ok(Some(format!(
                "{kind} of {count}: {result:?} for {oracle:?}"
            )));
        }
    }
    Ok(None)
}

#[test]
fn every_method_is_within_the_bound_on_every_stress_list() {
    let hazards = [
        Hazard::Driver,
        Hazard::DriverGuarded,
        Hazard::DivisionGuarded,
    ];
    for (width, hazard) in WIDTHS
        .into_iter()
        .flat_map(|width| hazards.map(|of| (width, of)))
    {
        for method in Method::ALL {
            let what = format!("{method:?} {hazard:?} at width {width}");
            assert_eq!(first_wrong(width, method, hazard, None), Ok(None), "{what}");
        }
    }
}

#[test]
fn only_division_makes_nan_of_an_opaque_layer() -> Result<(), WaveError> {
    for kind in ["opaque-front", "opaque-middle", "opaque-back"] {
        let layers = stress_list(kind, 101, 1).layers;
        for method in &Method::ALL[1..] {
            let run = |hazard| composite_list(*method, 32, hazard, None, &layers);
            assert!(run(Hazard::Division)?[..3].iter().all(|c| c.is_nan()));
            use Hazard::{DivisionGuarded, Driver, DriverGuarded};
            for hazard in [Driver, DriverGuarded, DivisionGuarded] {
                assert!(run(hazard)?.iter().all(|c| c.is_finite()));
            }
        }
        let result = composite_list(Method::ReadLaneLoop, 32, Hazard::Division, None, &layers)?;
        assert!(result.iter().all(|c| c.is_finite()), "it has no product");
    }
    Ok(())
}

#[test]
fn division_is_harmless_without_opaque_layers() -> Result<(), WaveError> {
    for kind in ["random", "thin", "one-ulp-under-opaque"] {
        let layers = stress_list(kind, 101, 1).layers;
        for method in Method::ALL {
            let result = composite_list(method, 32, Hazard::Division, None, &layers)?;
            assert!(within(result, composite(&layers), error_bound(&layers)));
        }
    }
    Ok(())
}

#[test]
fn order_matters() -> Result<(), WaveError> {
    let layers = stress_list("random", 101, 1).layers;
    let mut swapped = layers.clone();
    swapped.swap(3, 4);
    for method in Method::ALL {
        let result = composite_list(method, 32, Hazard::Driver, None, &swapped)?;
        assert!(!within(result, composite(&layers), error_bound(&layers)));
        assert!(within(result, composite(&swapped), error_bound(&swapped)));
    }
    Ok(())
}

#[test]
fn a_last_lane_off_by_one_and_a_dropped_carry_are_caught() {
    let with = |method, width, fault| first_wrong(width, method, Hazard::Driver, Some(fault));
    let has_last_lane =
        |method: &Method| !matches!(method, Method::ReadLaneLoop | Method::WaveLerpProduct);
    for width in WIDTHS {
        for method in Method::ALL.into_iter().filter(has_last_lane) {
            let early = with(method, width, Fault::LastLaneEarly);
            assert!(matches!(early, Ok(Some(_))), "{early:?}");
            let late = with(method, width, Fault::LastLaneLate);
            assert!(matches!(late, Err(WaveError::InactiveLane(_))), "{late:?}");
        }
        for method in Method::ALL {
            let dropped = with(method, width, Fault::DroppedCarry);
            assert!(matches!(dropped, Ok(Some(_))), "{dropped:?}");
        }
    }
}

#[test]
fn a_wave_lerp_reads_no_inactive_lane() -> Result<(), WaveError> {
    let wave = first_lanes(8, 5)?;
    let t = wave.load(|_| 0.5);
    let lerp = wave_active_lerp(&wave, &wave.load(|_| 1.0), &t, Hazard::Driver)?;
    assert_eq!(lerp.transmittance, 1.0 / 32.0);
    let short = first_lanes(8, 4)?.load(|_| 1.0);
    let poisoned = wave_active_lerp(&wave, &short, &t, Hazard::Driver);
    assert_eq!(poisoned, Err(WaveError::Poison(4)));
    Ok(())
}

fn near(x: f32, y: f64, bound: f64) -> Result<(), TestCaseError> {
    prop_assert!(
        (f64::from(x) - y).abs() <= bound,
        "{x} for {y}, bound {bound}"
    );
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_lerps_composite_the_active_lanes_of_any_mask(
        mask: u128,
        seed: u32,
        depth in 0.01f32..1.0,
        hazard in prop::sample::select(Hazard::value_variants()),
    ) {
        prop_assume!(mask != 0);
        let wave = Wave::new(128, mask)?;
        let layers = random_layers(128, seed, depth.min(0.99));
        let value = wave.load(|lane| layers[lane as usize].color[0]);
        let t = wave.load(|lane| layers[lane as usize].opacity);
        let lerp = wave_active_lerp(&wave, &value, &t, hazard)?;
        let prefixes = wave_prefix_lerp(&wave, &value, &t, hazard)?;
        let active = wave.active_lanes().map(|lane| layers[lane as usize]);
        let active: Vec<Layer> = active.collect();
        for (index, lane) in wave.active_lanes().enumerate() {
            let nearer = &active[..=index];
            let (oracle, bound) = (composite(nearer), error_bound(nearer));
            near(prefixes.value.get(lane)?, oracle.rgb[0], bound[0])?;
            near(prefixes.transmittance.get(lane)?, oracle.transmittance, bound[3])?;
        }
        let (oracle, bound) = (composite(&active), error_bound(&active));
        near(lerp.value, oracle.rgb[0], bound[0])?;
        near(lerp.transmittance, oracle.transmittance, bound[3])?;
    }

    #[test]
    fn the_result_does_not_depend_on_the_wave_size(
        width in 4u32..=128,
        count in 0usize..300,
        seed: u32,
    ) {
        let layers = random_layers(count, seed, 0.2);
        let (oracle, bound) = (composite(&layers), error_bound(&layers));
        for method in Method::ALL {
            let result = composite_list(method, width, Hazard::Driver, None, &layers)?;
            prop_assert!(within(result, oracle, bound), "{:?}: {:?}", method, result);
        }
    }

    #[test]
    fn splitting_a_list_anywhere_gives_the_same_result(seed: u32, at in 0usize..=90) {
        let layers = random_layers(90, seed, 0.1);
        let (front, back) = layers.split_at(at);
        for method in Method::ALL {
            let run = |layers: &[Layer]| composite_list(method, 16, Hazard::Driver, None, layers);
            let (front, back) = (run(front)?, run(back)?);
            let behind = |i: usize| if i < 3 { front[i] } else { 0.0 };
            let joined = std::array::from_fn(|i| behind(i) + front[3] * back[i]);
            prop_assert!(within(joined, composite(&layers), error_bound(&layers)));
        }
    }
}

fn mask_of(lanes: &[u32]) -> u128 {
    lanes.iter().fold(0, |bits, lane| bits | 1 << lane)
}

#[test]
fn a_ragged_wave_has_its_first_lanes() -> Result<(), WaveError> {
    for count in [1, 31, 32, 33, 64, 127, 128] {
        let lanes: Vec<u32> = (0..count).collect();
        assert_eq!(first_lanes(128, count), Wave::new(128, mask_of(&lanes)));
    }
    assert_eq!(first_lanes(8, 0), Err(WaveError::Mask(8)));
    assert_eq!(first_lanes(8, 9), Err(WaveError::Mask(8)));
    Ok(())
}

/// The lanes active under full, ragged, alternating and single-lane masks of 128 lanes.
fn named_masks() -> Vec<Vec<u32>> {
    let mut masks = vec![
        (0..128).collect(),
        (0..128).step_by(2).collect(),
        (1..128).step_by(2).collect(),
    ];
    masks.extend((1..=128).map(|count| (0..count).collect()));
    masks.extend((0..128).map(|lane| vec![lane]));
    masks
}

#[test]
fn the_last_lane_is_right_for_every_kind_of_mask() -> Result<(), WaveError> {
    for lanes in named_masks() {
        let wave = Wave::new(128, mask_of(&lanes))?;
        let ids = wave.load(|lane| lane);
        assert_eq!(read_lane_last(&wave, &ids), Ok(lanes[lanes.len() - 1]));
        assert_eq!(wave.read_lane_first(&ids), Ok(lanes[0]));
    }
    Ok(())
}

#[test]
fn a_last_lane_from_the_first_ballot_word_alone_is_wrong() {
    assert_eq!(first_bit_high(0), u32::MAX);
    assert_eq!(first_bit_high(0x8000_0001), 31);
    let ballot = as_words(mask_of(&[3, 70]));
    assert_eq!(first_bit_high(ballot[0]), 3);
    assert_eq!(combine_leading_bits(ballot.map(first_bit_high)), 70);
    assert_eq!(ballot_find_msb(ballot), 70);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn both_last_lane_forms_agree_on_random_masks(mask: u128, keep in 0u32..4) {
        let mask = mask & (u128::MAX >> (96 - 32 * keep));
        prop_assume!(mask != 0);
        let combined = combine_leading_bits(as_words(mask).map(first_bit_high));
        prop_assert_eq!(combined, mask.ilog2());
        prop_assert_eq!(ballot_find_msb(as_words(mask)), combined);
    }

    #[test]
    fn an_inclusive_scan_ends_in_the_reduction(mask: u128, scale in 0.5f32..1.5) {
        prop_assume!(mask != 0);
        let wave = Wave::new(128, mask)?;
        let value = wave.load(|lane| scale + lane as f32 / 256.0);
        let sums = inclusive_sum(&wave, &value)?;
        prop_assert_eq!(read_lane_last(&wave, &sums)?, wave.active_sum(&value)?);
        let products = inclusive_product(&wave, &value)?;
        prop_assert_eq!(read_lane_last(&wave, &products)?, wave.active_product(&value)?);
    }
}
