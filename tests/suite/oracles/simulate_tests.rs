//! The twin against a plain f32 port of the shader that stands in for a GPU.

#![expect(clippy::unwrap_used, reason = "tests")]

use super::*;

fn emitter() -> Emitter {
    Emitter {
        origin: [3.0, -2.0, 10.0],
        first: 0,
        extent: [0.5, 0.0, 4.0],
        count: 1 << 20,
        velocity: [0.1, 0.9, -0.2],
        lifetime: 6.5,
        acceleration: [0.05, -0.3, 0.0],
        spread: 0.2,
        albedo_start: [0.4, 0.5, 0.6],
        opacity: 0.3,
        albedo_end: [0.9, 0.5, 0.1],
        softness: 0.7,
        emission: [9.0, 2.0, 0.0],
        fade: 0.2,
        radius_start: 0.1,
        radius_end: 0.6,
        turbulence: 0.5,
        radius_variation: 0.3,
        ..Default::default()
    }
}

/// The shader's arithmetic in f32, operation by operation.
fn stand_in(emitter: &Emitter, seed: u32, time: f32, index: u32) -> Particle {
    let random = |stream: u32| random(seed, index, stream) as f32;
    let signed = |stream: u32| random(stream) * 2.0 - 1.0;
    let (mut phase, mut age) = (0.5f32, 0.0f32);
    if emitter.lifetime > 0.0 {
        let begun = time / emitter.lifetime + random(0);
        phase = begun - begun.floor();
        age = phase * emitter.lifetime;
    }
    let mix = |a: f32, b: f32| a * (1.0 - phase) + b * phase;
    let position = [0usize, 1, 2].map(|axis| {
        let stream = axis as u32;
        let start = emitter.origin[axis] + emitter.extent[axis] * signed(1 + stream);
        let moved = (emitter.velocity[axis] + emitter.spread * signed(4 + stream)) * age
            + 0.5 * emitter.acceleration[axis] * age * age;
        let swirl = signed(7 + stream) + phase * signed(7 + (stream + 1) % 3);
        #[expect(clippy::approx_constant, reason = "the shader's own constant")]
        let swing = emitter.turbulence * phase * (swirl * 6.283_185_3_f32).sin();
        start + moved + swing
    });
    let vary = 1.0 + emitter.radius_variation * signed(10);
    let ends = phase.min(1.0 - phase);
    let shown = if emitter.fade > 0.0 {
        (ends / emitter.fade).clamp(0.0, 1.0)
    } else {
        1.0
    };
    Particle {
        position,
        radius: mix(emitter.radius_start, emitter.radius_end) * vary,
        albedo: [0, 1, 2].map(|c| mix(emitter.albedo_start[c], emitter.albedo_end[c])),
        opacity: emitter.opacity * shown,
        emission: emitter.emission.map(|e| e * (1.0 - phase)),
        softness: emitter.softness,
    }
}

/// Expected values from big-integer arithmetic outside of this crate.
#[test]
fn hashing_is_exact() {
    assert_eq!(
        [0, 1, u32::MAX].map(pcg),
        [129_708_002, 2_831_084_092, 3_861_530_882]
    );
    assert_eq!(random(7, 5, 3), 0.868_241_131_305_694_6);
    for index in 0..1000 {
        let value = random(1, index, 0);
        assert_eq!(f64::from(value as f32), value);
        assert!((0.0..1.0).contains(&value));
    }
}

#[test]
fn f32_meets_the_bound_at_every_time() {
    let still = Emitter {
        lifetime: 0.0,
        fade: 0.0,
        first: 700,
        ..emitter()
    };
    let emitters = [emitter(), still];
    for time in [0.0, 0.3, 12.0, 6.5, 97.5, 4321.0] {
        for index in 0..1400 {
            let emitter = emitter_of(&emitters, index).unwrap();
            let gpu = stand_in(emitter, 5, time, index);
            assert_eq!(differs(&emitters, 5, time, index, &gpu), None);
        }
    }
}

#[test]
fn another_stream_seed_time_emitter_or_particle_is_noticed() {
    let other = Emitter {
        origin: [3.0, -2.1, 10.0],
        first: 20,
        ..emitter()
    };
    let emitters = [emitter(), other];
    for index in 0..20 {
        let wrong = [
            stand_in(&emitters[0], 6, 1.0, index),
            stand_in(&emitters[0], 5, 1.01, index),
            stand_in(&emitters[0], 5, 1.0, index + 1),
            stand_in(&emitters[1], 5, 1.0, index),
        ];
        for gpu in wrong {
            assert!(differs(&emitters, 5, 1.0, index, &gpu).is_some());
        }
    }
    let gpu = stand_in(&emitters[0], 5, 1.0, 20);
    assert!(differs(&emitters, 5, 1.0, 20, &gpu).is_some());
    assert!(differs(&[], 5, 1.0, 0, &gpu).is_some());
}

#[test]
fn every_field_is_compared_and_nan_is_a_difference() {
    let emitters = [emitter()];
    let right = stand_in(&emitters[0], 5, 1.0, 3);
    assert_eq!(differs(&emitters, 5, 1.0, 3, &right), None);
    for word in 0..12 {
        for change in [|v: f32| v + 0.002, |_: f32| f32::NAN] {
            let mut words: [f32; 12] = bytemuck::cast(right);
            words[word] = change(words[word]);
            let gpu: Particle = bytemuck::cast(words);
            assert!(differs(&emitters, 5, 1.0, 3, &gpu).is_some(), "word {word}");
        }
    }
}

#[test]
fn the_bound_is_tight_enough_to_see_a_millimetre() {
    let emitter = emitter();
    for index in 0..100 {
        let phase = phase(&emitter, 5, 12.0, index);
        let bound = bound_at_phase(&emitter, 5, index, phase);
        assert!(bound.position.iter().all(|b| *b < 1.1e-3), "{bound:?}");
        assert!(bound.radius < 1e-5 && bound.opacity < 1e-5, "{bound:?}");
    }
}

#[test]
fn at_a_rebirth_both_ends_of_life_are_right_and_its_middle_is_wrong() {
    // A time that puts the particle's phase at 0 to within rounding.
    let emitter = emitter();
    let index = 11;
    let time = ((1.0 - random(5, index, 0)) * wide(emitter.lifetime)) as f32;
    assert!(phase(&emitter, 5, time, index).is_within_rounding_of_rebirth());
    assert!(!phase(&emitter, 5, time + 0.1, index).is_within_rounding_of_rebirth());
    let narrowed = |phase: f64| {
        let particle = at_phase(&emitter, 5, index, phase);
        let three = |values: [f64; 3]| values.map(|v| v as f32);
        Particle {
            position: three(particle.position),
            radius: particle.radius as f32,
            albedo: three(particle.albedo),
            opacity: particle.opacity as f32,
            emission: three(particle.emission),
            softness: particle.softness as f32,
        }
    };
    let seen = |phase| differs(&[emitter], 5, time, index, &narrowed(phase));
    assert_eq!(seen(0.0), None);
    assert_eq!(seen(1.0), None);
    assert_eq!(seen(1e-8), None);
    for middle in [0.5, 0.01, 0.99] {
        assert!(seen(middle).is_some());
    }
    // A mixture of both ends is no particle.
    let mixture = Particle {
        opacity: narrowed(0.0).opacity,
        radius: narrowed(0.0).radius,
        ..narrowed(1.0)
    };
    assert!(differs(&[emitter], 5, time, index, &mixture).is_some());
}

#[test]
fn particles_belong_to_the_last_emitter_that_starts_before_them() {
    let at = |first| Emitter { first, ..emitter() };
    // The second has no particles.
    let emitters = [at(0), at(5), at(5), at(9)];
    let place = |index| {
        let found = emitter_of(&emitters, index).unwrap();
        emitters
            .iter()
            .position(|emitter| std::ptr::eq(emitter, found))
    };
    assert_eq!([0, 4, 5, 8, 9, 99].map(place), [0, 0, 2, 2, 3, 3].map(Some));
    assert_eq!(simulate(&emitters, 1, 0.0, 12).len(), 12);
}
