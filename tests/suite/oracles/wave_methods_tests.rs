//! The wave methods against the f64 oracle, at every wave width, with planted mistakes.

use super::*;
use clap::ValueEnum;
use proptest::prelude::*;
use wavelerp::model::reference::composite::{
    Composite, composite, composite_guarded, error_bound, error_bound_guarded,
};
use wavelerp::model::reference::stress::{random_layers, stress_list, stress_lists};
use wavelerp::model::reference::wave_model::as_words;

const WIDTHS: [u32; 6] = [4, 8, 16, 32, 64, 128];

type Outcome = ([f32; 3], f32);

/// Whether a method's result is within `bound` of `oracle`; NaN is not.
fn within(result: Outcome, oracle: Composite, bound: [f64; 4]) -> bool {
    let near = |x: f32, y: f64, bound: f64| (f64::from(x) - y).abs() <= bound;
    near(result.1, oracle.transmittance, bound[3])
        && (0..3).all(|i| near(result.0[i], oracle.rgb[i], bound[i]))
}

/// Whether `method` passes on every stress list at `width`.
fn passes(method: Method, width: u32, fault: Option<Fault>) -> Result<bool, WaveError> {
    for list in stress_lists(width as usize, 1) {
        let layers = &list.layers;
        let result = composite_list_with_fault(method, width, Hazard::Driver, fault, layers)?;
        if !within(result, composite(layers), error_bound(layers)) {
            return Ok(false);
        }
    }
    Ok(true)
}

#[test]
fn every_method_is_within_the_bound_on_every_stress_list() -> Result<(), WaveError> {
    for width in WIDTHS {
        for list in stress_lists(width as usize, 1) {
            let (oracle, bound) = (composite(&list.layers), error_bound(&list.layers));
            for method in Method::ALL {
                let result = composite_list(method, width, Hazard::Driver, &list.layers)?;
                assert!(
                    within(result, oracle, bound),
                    "{method:?} at width {width}, {} of {} layers: {result:?} for {oracle:?}",
                    list.kind,
                    list.layers.len(),
                );
            }
        }
    }
    Ok(())
}

#[test]
fn guarded_methods_are_within_the_bound_of_the_guarded_sum() -> Result<(), WaveError> {
    for width in WIDTHS {
        for list in stress_lists(width as usize, 2) {
            let layers = &list.layers;
            let (oracle, bound) = (composite_guarded(layers), error_bound_guarded(layers));
            let guarded = [Hazard::DriverGuarded, Hazard::DivisionGuarded];
            let methods = Method::ALL[1..].iter();
            for (method, hazard) in
                methods.flat_map(|method| guarded.map(|hazard| (method, hazard)))
            {
                let result = composite_list(*method, width, hazard, layers)?;
                assert!(
                    within(result, oracle, bound),
                    "{method:?} {hazard:?} at width {width}, {} of {} layers: {result:?} for {oracle:?}",
                    list.kind,
                    layers.len(),
                );
            }
        }
    }
    Ok(())
}

#[test]
fn zero_layers_is_the_background() -> Result<(), WaveError> {
    for method in Method::ALL {
        let result = composite_list(method, 32, Hazard::Driver, &[])?;
        assert_eq!(result, ([0.0; 3], 1.0));
    }
    Ok(())
}

#[test]
fn only_division_makes_nan_of_an_opaque_layer() -> Result<(), WaveError> {
    for kind in ["opaque-front", "opaque-middle", "opaque-back"] {
        let layers = stress_list(kind, 101, 1).layers;
        for method in &Method::ALL[1..] {
            let run = |hazard| composite_list(*method, 32, hazard, &layers);
            assert!(run(Hazard::Division)?.0.iter().all(|c| c.is_nan()));
            for hazard in [
                Hazard::Driver,
                Hazard::DriverGuarded,
                Hazard::DivisionGuarded,
            ] {
                let (rgb, transmittance) = run(hazard)?;
                assert!(rgb.iter().all(|c| c.is_finite()) && transmittance.is_finite());
            }
        }
        let (rgb, _) = composite_list(Method::ReadLaneLoop, 32, Hazard::Division, &layers)?;
        assert!(rgb.iter().all(|c| c.is_finite()), "it has no product");
    }
    Ok(())
}

#[test]
fn division_is_harmless_without_opaque_layers() -> Result<(), WaveError> {
    for kind in ["random", "thin", "one-ulp-under-opaque"] {
        let layers = stress_list(kind, 101, 1).layers;
        for method in Method::ALL {
            let result = composite_list(method, 32, Hazard::Division, &layers)?;
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
        let result = composite_list(method, 32, Hazard::Driver, &swapped)?;
        assert!(!within(result, composite(&layers), error_bound(&layers)));
        assert!(within(result, composite(&swapped), error_bound(&swapped)));
    }
    Ok(())
}

#[test]
fn a_last_lane_off_by_one_is_caught() -> Result<(), WaveError> {
    let has_last_lane =
        |method: &Method| !matches!(method, Method::ReadLaneLoop | Method::WaveLerpProduct);
    for width in WIDTHS {
        for method in Method::ALL.into_iter().filter(has_last_lane) {
            assert_eq!(passes(method, width, Some(Fault::LastLaneEarly)), Ok(false));
            let late = passes(method, width, Some(Fault::LastLaneLate));
            assert!(matches!(late, Err(WaveError::InactiveLane(_))), "{late:?}");
            assert_eq!(passes(method, width, None), Ok(true));
        }
    }
    Ok(())
}

#[test]
fn a_dropped_carry_is_caught() -> Result<(), WaveError> {
    for width in WIDTHS {
        for method in Method::ALL {
            assert!(!passes(method, width, Some(Fault::DroppedCarry))?);
        }
    }
    Ok(())
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

/// The layers that the active lanes of `wave` hold, in lane order.
fn active_layers(wave: &Wave, layers: &[Layer]) -> Vec<Layer> {
    wave.active_lanes()
        .map(|lane| layers[lane as usize])
        .collect()
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
        let active = active_layers(&wave, &layers);
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
            let result = composite_list(method, width, Hazard::Driver, &layers)?;
            prop_assert!(within(result, oracle, bound), "{:?}: {:?}", method, result);
        }
    }

    #[test]
    fn splitting_a_list_anywhere_gives_the_same_result(seed: u32, at in 0usize..=90) {
        let layers = random_layers(90, seed, 0.1);
        let (front, back) = layers.split_at(at);
        for method in Method::ALL {
            let run = |layers: &[Layer]| composite_list(method, 16, Hazard::Driver, layers);
            let (front, back) = (run(front)?, run(back)?);
            let rgb = std::array::from_fn(|i| front.0[i] + front.1 * back.0[i]);
            let joined = (rgb, front.1 * back.1);
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
