//! The wave model's operations by hand, on every kind of mask, with every use of poison.

use super::*;
use proptest::prelude::*;

fn mask_of(lanes: &[u32]) -> [u32; 4] {
    let mut words = [0; 4];
    for lane in lanes {
        words[(lane / 32) as usize] |= 1 << (lane % 32);
    }
    words
}

#[test]
fn a_wave_has_4_to_128_lanes_and_an_active_one() {
    assert_eq!(Wave::full(3), Err(WaveError::Width(3)));
    assert_eq!(Wave::full(129), Err(WaveError::Width(129)));
    assert_eq!(Wave::new(8, [0; 4]), Err(WaveError::Mask(8)));
    assert_eq!(Wave::new(8, mask_of(&[8])), Err(WaveError::Mask(8)));
    assert_eq!(Wave::new(40, mask_of(&[40])), Err(WaveError::Mask(40)));
    assert!(Wave::new(40, mask_of(&[39])).is_ok());
}

#[test]
fn words_and_bits_agree() -> Result<(), WaveError> {
    assert_eq!(as_words(lowest_bits(33)), [u32::MAX, 1, 0, 0]);
    assert_eq!(Wave::full(128)?.active_ballot(), [u32::MAX; 4]);
    Ok(())
}

#[test]
fn scans_by_hand() -> Result<(), WaveError> {
    let wave = Wave::new(8, mask_of(&[1, 2, 5]))?;
    let value = wave.load(|lane| lane as f32 + 1.0);
    let on = |lanes: Lanes<f32>| [1, 2, 5].map(|lane| lanes.get(lane));
    assert_eq!(on(wave.prefix_sum(&value)?), [Ok(0.0), Ok(2.0), Ok(5.0)]);
    let product = wave.prefix_product(&value)?;
    assert_eq!(on(product), [Ok(1.0), Ok(2.0), Ok(6.0)]);
    assert_eq!(wave.active_sum(&value), Ok(11.0));
    assert_eq!(wave.active_product(&value), Ok(36.0));
    assert_eq!(wave.read_lane_first(&value), Ok(2.0));
    Ok(())
}

#[test]
fn an_inactive_lane_cannot_be_read() -> Result<(), WaveError> {
    let all = Wave::full(8)?;
    let value = all.load(|lane| lane as f32);
    let wave = Wave::new(8, mask_of(&[0, 1, 2]))?;
    assert_eq!(wave.read_lane_at(&value, 2), Ok(2.0));
    let inactive = wave.read_lane_at(&value, 3);
    assert_eq!(inactive, Err(WaveError::InactiveLane(3)));
    let beyond = all.read_lane_at(&value, 8);
    assert_eq!(beyond, Err(WaveError::InactiveLane(8)));
    Ok(())
}

#[test]
fn poison_is_found_by_every_operation() -> Result<(), WaveError> {
    let value = Wave::new(8, mask_of(&[0, 1, 2]))?.load(|_| 1.0);
    let flags = Wave::new(8, mask_of(&[0, 1, 2]))?.load(|_| true);
    let all = Wave::full(8)?;
    let poison = WaveError::Poison(3);
    assert_eq!(all.active_sum(&value), Err(poison));
    assert_eq!(all.active_product(&value), Err(poison));
    assert_eq!(all.prefix_sum(&value), Err(poison));
    assert_eq!(all.prefix_product(&value), Err(poison));
    assert_eq!(all.ballot(&flags), Err(poison));
    assert_eq!(all.prefix_count_bits(&flags), Err(poison));
    assert_eq!(all.store(&mut Lanes::poison(), &value), Err(poison));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn counting_bits_numbers_the_lanes_that_hold_true(mask: [u32; 4], flags: u128) {
        prop_assume!(mask != [0; 4]);
        let wave = Wave::new(128, mask)?;
        let predicate = wave.load(|lane| flags >> lane & 1 == 1);
        let counts = wave.prefix_count_bits(&predicate)?;
        let mut expected = 0;
        for lane in wave.active_lanes() {
            prop_assert_eq!(counts.get(lane)?, expected);
            expected += u32::from(predicate.get(lane)?);
        }
    }
}
