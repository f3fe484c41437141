//! Every operation of the model of a wave by hand and by its definition, on waves of 4 to 128 lanes, with every use of poison.

use std::num::Wrapping;

use super::*;

fn mask_of(lanes: &[u32]) -> u128 {
    lanes.iter().fold(0, |bits, lane| bits | 1 << lane)
}

/// A wave with the given lanes active.
fn wave_of(width: u32, lanes: &[u32]) -> Result<Wave, WaveError> {
    Wave::new(width, mask_of(lanes))
}

/// The active lanes' values in lane order.
fn values<T: Copy>(wave: &Wave, lanes: &Lanes<T>) -> Result<Vec<T>, WaveError> {
    wave.active_lanes().map(|lane| lanes.get(lane)).collect()
}

/// Full, ragged, alternating and single-lane waves of every width that hardware has.
fn waves() -> Result<Vec<Wave>, WaveError> {
    let mut all = Vec::new();
    for width in [4, 8, 16, 32, 64, 128] {
        all.push(Wave::full(width)?);
        for count in [1, width / 2 + 1, width - 1] {
            let first: Vec<u32> = (0..count).collect();
            all.push(wave_of(width, &first)?);
        }
        let even: Vec<u32> = (0..width).step_by(2).collect();
        all.push(wave_of(width, &even)?);
        all.push(wave_of(width, &[width - 1])?);
    }
    Ok(all)
}

#[test]
fn a_wave_has_4_to_128_lanes_and_an_active_one() {
    assert_eq!(Wave::full(3), Err(WaveError::Width(3)));
    assert_eq!(Wave::full(129), Err(WaveError::Width(129)));
    assert_eq!(Wave::new(8, 0), Err(WaveError::Mask(8)));
    assert_eq!(Wave::new(8, mask_of(&[8])), Err(WaveError::Mask(8)));
    assert_eq!(Wave::new(40, mask_of(&[40])), Err(WaveError::Mask(40)));
    assert!(Wave::new(40, mask_of(&[39])).is_ok());
}

#[test]
fn words_and_bits_agree() -> Result<(), WaveError> {
    assert_eq!(Wave::full(33)?.active_ballot(), [u32::MAX, 1, 0, 0]);
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
fn exactly_one_active_lane_is_first() -> Result<(), WaveError> {
    for wave in waves()? {
        let first = values(&wave, &wave.is_first_lane())?;
        assert!(first[0] && !first[1..].contains(&true));
        let index = values(&wave, &wave.lane_index())?;
        assert_eq!(index, wave.active_lanes().collect::<Vec<_>>());
    }
    Ok(())
}

#[test]
fn votes_by_hand() -> Result<(), WaveError> {
    let wave = wave_of(128, &[3, 40, 127])?;
    let votes = [[true; 3], [false; 3], [false, true, true]].map(|votes| {
        let lanes = [3, 40, 127];
        wave.load(|lane| votes[lanes.iter().position(|&own| own == lane).unwrap_or(0)])
    });
    let each = |of: fn(&Wave, &Lanes<bool>) -> Result<bool, WaveError>| {
        votes.each_ref().map(|vote| of(&wave, vote))
    };
    assert_eq!(each(Wave::any_true), [Ok(true), Ok(false), Ok(true)]);
    assert_eq!(each(Wave::all_true), [Ok(true), Ok(false), Ok(false)]);
    assert_eq!(each(Wave::all_equal), [Ok(true), Ok(true), Ok(false)]);
    let counts = votes.each_ref().map(|vote| wave.count_bits(vote));
    assert_eq!(counts, [Ok(3), Ok(0), Ok(2)]);
    let prefix = wave.prefix_count_bits(&votes[2])?;
    assert_eq!(values(&wave, &prefix)?, [0, 0, 1]);
    assert_eq!(wave.ballot(&votes[2])?, [0, 1 << 8, 0, 1 << 31]);
    Ok(())
}

#[test]
fn equality_is_that_of_all_components_and_of_ieee() -> Result<(), WaveError> {
    for wave in waves()? {
        let one = wave.active_lanes().last() == wave.active_lanes().next();
        let last = wave.active_lanes().last();
        let apart = wave.load(|lane| [1.0, if Some(lane) == last { 2.0 } else { 1.0 }]);
        assert_eq!(wave.all_equal(&apart), Ok(one));
        assert_eq!(wave.all_equal(&wave.load(|_| [1.0, 2.0])), Ok(true));
        let signs = wave.load(|lane| if lane % 2 == 0 { 0.0 } else { -0.0 });
        assert_eq!(wave.all_equal(&signs), Ok(true));
        assert_eq!(wave.all_equal(&wave.load(|_| f32::NAN)), Ok(false));
    }
    Ok(())
}

#[test]
fn reductions_by_hand() -> Result<(), WaveError> {
    let wave = wave_of(8, &[1, 2, 5])?;
    let value = wave.load(|lane| lane as i32 - 3);
    assert_eq!(wave.active_sum(&value), Ok(-1));
    assert_eq!(wave.active_product(&value), Ok(4));
    assert_eq!(wave.active_min(&value), Ok(-2));
    assert_eq!(wave.active_max(&value), Ok(2));
    let value = wave.load(|lane| lane as f32 - 3.0);
    assert_eq!(wave.active_min(&value), Ok(-2.0));
    assert_eq!(wave.active_max(&value), Ok(2.0));
    let bits = wave.load(|lane| [0, 0b0110, 0b0111, 0, 0, 0b1101_u32][lane as usize]);
    assert_eq!(wave.active_bit_and(&bits), Ok(0b0100));
    assert_eq!(wave.active_bit_or(&bits), Ok(0b1111));
    assert_eq!(wave.active_bit_xor(&bits), Ok(0b1100));
    Ok(())
}

#[test]
fn integers_wrap_around_and_keep_their_sign_when_compared() -> Result<(), WaveError> {
    for wave in waves()? {
        let count = wave.active_lanes().count() as u32;
        let big = wave.load(|_| Wrapping(u32::MAX));
        assert_eq!(wave.active_sum(&big), Ok(-Wrapping(count)));
        let first = wave.active_lanes().next();
        let signed = wave.load(|lane| if Some(lane) == first { -1 } else { 1 });
        let one = count == 1;
        assert_eq!(wave.active_max(&signed), Ok(if one { -1 } else { 1 }));
        let unsigned = wave.load(|lane| if Some(lane) == first { u32::MAX } else { 1 });
        assert_eq!(wave.active_max(&unsigned), Ok(u32::MAX));
    }
    Ok(())
}

#[test]
fn a_quad_is_read_across_by_hand() -> Result<(), WaveError> {
    for width in [4, 8, 128] {
        let last = width - 4;
        let wave = wave_of(width, &[last, last + 1, last + 2, last + 3])?;
        let value = wave.load(|lane| lane - last);
        let x = wave.quad_read_across_x(&value)?;
        assert_eq!(values(&wave, &x)?, [1, 0, 3, 2]);
        let y = wave.quad_read_across_y(&value)?;
        assert_eq!(values(&wave, &y)?, [2, 3, 0, 1]);
        let diagonal = wave.quad_read_across_diagonal(&value)?;
        assert_eq!(values(&wave, &diagonal)?, [3, 2, 1, 0]);
        let numbers = wave.load(|lane| [2, 2, 0, 3][(lane % 4) as usize]);
        let at = wave.quad_read_lane_at(&value, &numbers)?;
        assert_eq!(values(&wave, &at)?, [2, 2, 0, 3]);
    }
    Ok(())
}

#[test]
fn a_quad_with_an_inactive_lane_cannot_be_read_across() -> Result<(), WaveError> {
    let wave = wave_of(8, &[4, 5, 6])?;
    let value = wave.load(|lane| lane);
    let missing = Err(WaveError::InactiveLane(7));
    assert_eq!(wave.quad_read_across_x(&value), missing);
    assert_eq!(wave.quad_read_across_y(&value), missing);
    assert_eq!(wave.quad_read_across_diagonal(&value), missing);
    Ok(())
}

#[test]
fn poison_is_found_by_every_operation() -> Result<(), WaveError> {
    let part = wave_of(8, &[0, 1, 2])?;
    let (value, vote) = (part.load(|lane| lane), part.load(|_| true));
    let all = Wave::full(8)?;
    let poison = WaveError::Poison(3);
    assert_eq!(all.any_true(&vote), Err(poison));
    assert_eq!(all.all_true(&vote), Err(poison));
    assert_eq!(all.all_equal(&value), Err(poison));
    assert_eq!(all.count_bits(&vote), Err(poison));
    assert_eq!(all.prefix_count_bits(&vote), Err(poison));
    assert_eq!(all.ballot(&vote), Err(poison));
    assert_eq!(all.active_sum(&value), Err(poison));
    assert_eq!(all.active_product(&value), Err(poison));
    assert_eq!(all.active_min(&value), Err(poison));
    assert_eq!(all.active_max(&value), Err(poison));
    assert_eq!(all.prefix_sum(&value), Err(poison));
    assert_eq!(all.prefix_product(&value), Err(poison));
    assert_eq!(all.store(&mut Lanes::poison(), &value), Err(poison));
    assert_eq!(all.active_bit_and(&value), Err(poison));
    assert_eq!(all.active_bit_or(&value), Err(poison));
    assert_eq!(all.active_bit_xor(&value), Err(poison));
    assert_eq!(all.quad_read_across_x(&value), Err(poison));
    Ok(())
}
