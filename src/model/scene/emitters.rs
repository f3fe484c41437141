//! Emitters as the GPU reads them, and the distribution of particles among them.

use super::file::{Amount, EmitterSpec, Scene, Shape};
use crate::model::layout;

/// The scene's emitters in file order with their numbers of particles, and the total number of particles.
///
/// Emitters with an `Exactly` amount are served first, in file order, until `particles` are used up. `Share` emitters
/// divide the rest by their shares (largest remainder method; among equal remainders the earlier emitter wins). With
/// a `Share` emitter the total is `particles`, otherwise at most the sum of the `Exactly` amounts. Emitters without
/// particles stay in the list.
pub fn emitters(scene: &Scene, particles: u32) -> (Vec<layout::Emitter>, u32) {
    let counts = dealt(scene, particles);
    let mut first = 0;
    let mut list = Vec::new();
    for (spec, count) in scene.emitters.iter().zip(counts) {
        list.push(gpu_emitter(spec, first, count));
        first += count;
    }
    (list, first)
}

fn dealt(scene: &Scene, particles: u32) -> Vec<u32> {
    let mut rest = particles;
    let exactly = scene.emitters.iter().map(|spec| match spec.amount {
        Amount::Exactly(count) => {
            let count = count.min(rest);
            rest -= count;
            count
        }
        Amount::Share(_) => 0,
    });
    let mut counts: Vec<u32> = exactly.collect();
    let shares = scene.emitters.iter().enumerate();
    let shares = shares.filter_map(|(emitter, spec)| match spec.amount {
        Amount::Share(share) => Some((emitter, f64::from(share))),
        Amount::Exactly(_) => None,
    });
    let sum: f64 = shares.clone().map(|(_, share)| share).sum();
    let mut left = rest;
    let mut remainders = Vec::new();
    for (emitter, share) in shares {
        let quota = f64::from(rest) * (share / sum);
        // The minimum matters only if rounding lifted a quota above a whole number.
        counts[emitter] = (quota.floor() as u32).min(left);
        left -= counts[emitter];
        remainders.push((emitter, quota - quota.floor()));
    }
    // The sort is stable: ties stay in file order.
    remainders.sort_by(|a, b| b.1.total_cmp(&a.1));
    for (emitter, _) in remainders.iter().cycle().take(left as usize) {
        counts[*emitter] += 1;
    }
    counts
}

fn gpu_emitter(spec: &EmitterSpec, first: u32, count: u32) -> layout::Emitter {
    layout::Emitter {
        origin: spec.origin,
        first,
        extent: spec.extent,
        count,
        velocity: spec.velocity,
        lifetime: spec.lifetime,
        acceleration: spec.acceleration,
        spread: spec.spread,
        albedo_start: spec.albedo_start,
        opacity: spec.opacity,
        albedo_end: spec.albedo_end.unwrap_or(spec.albedo_start),
        softness: spec.softness,
        emission: spec.emission,
        fade: spec.fade,
        radius_start: spec.radius_start,
        radius_end: spec.radius_end.unwrap_or(spec.radius_start),
        turbulence: spec.turbulence,
        radius_variation: spec.radius_variation,
        puffs: f32::from(u8::from(spec.shape == Shape::Puff)),
        spin: spec.spin,
        erosion: spec.erosion,
        self_shadow: spec.self_shadow,
        soften: spec.soften,
        stretch: spec.stretch,
        ..Default::default()
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::input::Disk;
    use Amount::{Exactly, Share};

    fn counts(amounts: &[Amount], particles: u32) -> (Vec<u32>, u32) {
        let mut scene = crate::model::scene::load("two", &Disk).unwrap();
        let spec = scene.emitters[0].clone();
        scene.emitters = amounts
            .iter()
            .map(|&amount| EmitterSpec {
                amount,
                ..spec.clone()
            })
            .collect();
        let (list, total) = emitters(&scene, particles);
        let mut first = 0;
        for emitter in &list {
            assert_eq!(emitter.first, first);
            first += emitter.count;
        }
        (list.iter().map(|emitter| emitter.count).collect(), total)
    }

    #[test]
    fn exact_amounts_come_first_and_shares_split_the_rest() {
        let amounts = [Share(1.0), Exactly(30), Share(3.0), Exactly(30)];
        assert_eq!(counts(&amounts, 100), (vec![10, 30, 30, 30], 100));
        assert_eq!(counts(&amounts, 60), (vec![0, 30, 0, 30], 60));
        assert_eq!(counts(&amounts, 40), (vec![0, 30, 0, 10], 40));
        assert_eq!(counts(&amounts, 0), (vec![0; 4], 0));
    }

    #[test]
    fn shares_always_add_up() {
        let thirds = [Share(0.1), Share(0.1), Share(0.1)];
        assert_eq!(counts(&thirds, 10), (vec![4, 3, 3], 10));
        assert_eq!(counts(&thirds, 11), (vec![4, 4, 3], 11));
        let uneven = [Share(1e6), Share(1e-6), Share(0.7), Share(1e6), Share(0.3)];
        for particles in [0, 1, 2, 3, 99, 12_345, 16_777_217, u32::MAX] {
            assert_eq!(counts(&thirds, particles).1, particles);
            assert_eq!(counts(&uneven, particles).1, particles);
        }
    }
}
