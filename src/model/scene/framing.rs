//! Initial cameras for splats. They frame the visible object and ignore the haze and floaters around it.

use glam::{Quat, Vec3};

use super::file::{CameraPreset, FARTHEST, LEAST_NEAR, Scene};
use crate::model::layout::Gaussian;

const SAMPLES: usize = 10_000;
/// Fraction of the object that is visible along each axis of the picture.
const SEEN: f32 = 0.996;
/// Maximum fraction of the picture's height, and of its width at [`ASPECT`], that the object fills.
const FILLED: [f32; 2] = [0.68, 0.8];
/// Aspect ratio (width by height) that cameras are made for; in narrower pictures, wide objects touch the sides.
const ASPECT: f32 = 16.0 / 9.0;
/// Exponent of the weight required for a larger radius: 2^(1/EXPONENT) times the weight justifies twice the radius.
const EXPONENT: i32 = 6;

/// Number of bisections to find the distance of a camera.
const STEPS: u32 = 20;
/// Largest area of a splat in its weight, relative to the median: a few large splats must not push the camera away.
const LARGEST: f32 = 16.0;
/// Margin beyond the radius of the cut.
const ROOM: f32 = 1.25;

struct WeighedSplat {
    place: Vec3,
    rotation: Quat,
    scales: Vec3,
    weight: f32,
}

pub(super) fn frame(scene: &mut Scene, gaussians: &[Gaussian]) {
    let parts = parts_of(gaussians);
    let (middle, radius) = cut(&parts);
    let within: Vec<&WeighedSplat> = (parts.iter())
        .filter(|part| part.place.distance(middle) <= ROOM * radius)
        .collect();
    let size = |part: &&WeighedSplat| part.scales.max_element();
    let radius = radius.max(within.iter().map(size).fold(0.0, f32::max));
    let radius = radius.clamp(100.0 * LEAST_NEAR, 0.05 * FARTHEST);
    let mut farthest = 0.0f32;
    look(scene, radius, |direction| {
        let (eye, target) = camera(&within, middle, radius, direction);
        farthest = farthest.max(eye.distance(middle));
        (eye, target)
    });
    // The surroundings of a large cloud stay visible.
    let most = FAR.max(4.0 * farthest).min(FARTHEST);
    scene.far = (100.0 * farthest).clamp(2.0 * scene.near, most);
}

/// A sample of the splats, weighted by their area in a picture and by opacity squared: barely visible splats are haze.
fn parts_of(gaussians: &[Gaussian]) -> Vec<WeighedSplat> {
    let step = (gaussians.len() / SAMPLES).max(1);
    let mut parts: Vec<WeighedSplat> = gaussians
        .iter()
        .step_by(step)
        .map(|of| WeighedSplat {
            place: of.position.into(),
            rotation: Quat::from_array(of.rotation),
            scales: of.scales.into(),
            weight: of.opacity * of.opacity,
        })
        .collect();
    let areas = parts.iter().map(|part| (area_of(part.scales), 1.0));
    let most = LARGEST * quantile(areas.collect(), 0.5);
    for part in &mut parts {
        // A splat with infinite weight is not part of a picture.
        let weight = part.weight * area_of(part.scales).min(most);
        part.weight = if weight.is_finite() { weight } else { 0.0 };
    }
    // If all splats are invisible, they have equal weights.
    if !parts.iter().any(|part| part.weight > 0.0) {
        parts.iter_mut().for_each(|part| part.weight = 1.0);
    }
    parts
}

/// Approximate area covered by a splat; not zero for thin splats.
fn area_of(scales: Vec3) -> f32 {
    let [a, b, c] = scales.to_array();
    let least = 1e-3 * scales.max_element();
    (a * b + b * c + c * a) / 3.0 + least * least
}

/// A ball around most of the visible splats, without excess empty space.
fn cut(parts: &[WeighedSplat]) -> (Vec3, f32) {
    let mut middle = weighted_middle(parts.iter());
    let mut radius = f32::MAX;
    for _ in 0..4 {
        let mut near: Vec<(f32, f32)> = (parts.iter())
            .map(|part| (part.place.distance(middle), part.weight))
            .collect();
        near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let all: f64 = near.iter().map(|(_, weight)| f64::from(*weight)).sum();
        let mut sum = 0.0;
        let mut best = (0.0, radius);
        // There is no empty space around a single splat.
        let least = 1e-3 * near.last().map_or(0.0, |(far, _)| *far);
        for (distance, weight) in near {
            sum += f64::from(weight);
            let worth = (sum / all).powi(EXPONENT) / f64::from(distance.max(least).max(1e-30));
            // Sums ascend, so the last of equal sums counts.
            if worth >= best.0 && sum > 0.25 * all {
                best = (worth, distance);
            }
        }
        radius = best.1;
        let is_within = |part: &&WeighedSplat| part.place.distance(middle) <= radius;
        let next = weighted_middle(parts.iter().filter(is_within));
        if next.distance(middle) < 1e-3 * radius {
            break;
        }
        middle = next;
    }
    (middle, 1.001 * radius)
}

/// Eye and target for a view along `direction` that frames `parts`.
fn camera(parts: &[&WeighedSplat], middle: Vec3, radius: f32, direction: Vec3) -> (Vec3, Vec3) {
    let right = Vec3::Y.cross(direction).normalize_or(Vec3::X);
    let up = direction.cross(right);
    let tan_y = (0.5 * FOV_Y).to_radians().tan();
    let along =
        |axis: Vec3, part: &WeighedSplat| (part.rotation.inverse() * axis * part.scales).length();
    let before = parts.iter().map(|part| {
        let near = (part.place - middle).dot(direction) + along(direction, part);
        (near, part.weight)
    });
    // Framed splats are in front of the camera; splats far away are just a dot.
    let front = quantile(before.collect(), SEEN).max(1e-3 * radius);
    // The distance must be large enough for 32-bit numbers to separate eye and target.
    let front = front.max(4e-6 * middle.abs().max_element());
    let mut nearest = 1.1 * front;
    let mut farthest = nearest + 20.0 * radius;
    let mut target = middle;
    for _ in 0..STEPS {
        let away = (nearest * farthest).sqrt();
        let eye = target + away * direction;
        // Extent of the visible splats along an axis of the picture, in halves of the picture.
        let ends = |axis: Vec3, half: f32| {
            let mut low = Vec::with_capacity(parts.len());
            let mut high = Vec::with_capacity(parts.len());
            for part in parts {
                let way = part.place - eye;
                let depth = (-way.dot(direction)).max(0.02 * away);
                let (at, reach) = (way.dot(axis), along(axis, part));
                low.push(((at - reach) / (depth * half), part.weight));
                high.push(((at + reach) / (depth * half), part.weight));
            }
            [quantile(low, 1.0 - SEEN), quantile(high, SEEN)]
        };
        let [left, rightmost] = ends(right, tan_y * ASPECT);
        let [bottom, top] = ends(up, tan_y);
        let filled = ((rightmost - left) / FILLED[0]).max((top - bottom) / FILLED[1]);
        match filled > 2.0 {
            true => nearest = away,
            false => farthest = away,
        }
        let aside = 0.5 * (left + rightmost) * ASPECT * right + 0.5 * (bottom + top) * up;
        // The step is the distance that the nearest splat moves, so no step is too long.
        target += (away - front) * tan_y * aside;
    }
    (target + farthest * direction, target)
}

fn weighted_middle<'a>(parts: impl Iterator<Item = &'a WeighedSplat> + Clone) -> Vec3 {
    let along = |axis: usize| {
        let places = parts.clone().map(|part| (part.place[axis], part.weight));
        quantile(places.collect(), 0.5)
    };
    Vec3::new(along(0), along(1), along(2))
}

/// Weighted quantile of values; 0 if there are none.
fn quantile(mut values: Vec<(f32, f32)>, part: f32) -> f32 {
    values.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let all: f64 = values.iter().map(|(_, weight)| f64::from(*weight)).sum();
    let mut sum = 0.0;
    let found = values.iter().find(|(_, weight)| {
        sum += f64::from(*weight);
        sum >= f64::from(part) * all
    });
    found.or(values.last()).map_or(0.0, |(value, _)| *value)
}

pub(super) const FOV_Y: f32 = 50.0;

/// View distance if nothing is farther away, metres.
pub(super) const FAR: f32 = 1e5;

const CAMERAS: [(&str, Vec3); 4] = [
    ("front", Vec3::new(0.0, 0.25, 1.0)),
    ("left", Vec3::new(-1.0, 0.25, 0.0)),
    ("right", Vec3::new(1.0, 0.25, 0.0)),
    ("above", Vec3::new(0.0, 1.0, 0.5)),
];

/// Sets a scene's cameras around an object of the given radius; `places` returns eye and target for a direction.
pub(super) fn look(scene: &mut Scene, radius: f32, mut places: impl FnMut(Vec3) -> (Vec3, Vec3)) {
    let within = |place: Vec3, most: f32| {
        place
            .clamp(Vec3::splat(-most), Vec3::splat(most))
            .to_array()
    };
    let camera = |(name, direction): &(&str, Vec3)| {
        let (eye, target) = places(direction.normalize());
        CameraPreset {
            name: (*name).to_owned(),
            eye: within(eye, FARTHEST),
            // Keeps the far plane clear of the farthest eye.
            target: within(target, FARTHEST - 10.0),
            fov_y: FOV_Y,
        }
    };
    scene.cameras = CAMERAS.iter().map(camera).collect();
    scene.near = (0.01 * radius).clamp(LEAST_NEAR, 1e3);
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::*;
    use crate::model::scene::Camera;

    fn in_ball(random: &mut Rng) -> Vec3 {
        loop {
            let place = Vec3::from([(); 3].map(|()| random.f32())) * 2.0 - 1.0;
            if place.length() <= 1.0 {
                return place;
            }
        }
    }

    fn splat(place: Vec3, size: f32, opacity: f32) -> Gaussian {
        Gaussian {
            position: place.to_array(),
            opacity,
            rotation: Quat::IDENTITY.to_array(),
            scales: [size; 3],
            of_set: 0,
        }
    }

    /// Named clouds: the object to be seen, and its surroundings.
    fn clouds() -> Vec<(&'static str, Vec<Gaussian>, Vec<Gaussian>)> {
        let mut random = Rng::with_seed(1);
        let mut many = |count: usize, of: fn(&mut Rng) -> Gaussian| -> Vec<Gaussian> {
            (0..count).map(|_| of(&mut random)).collect()
        };
        let ball = |random: &mut Rng| splat(in_ball(random), 0.04, 0.9);
        let haze = |random: &mut Rng| splat(30.0 * in_ball(random), 0.04, 0.02);
        let floaters = |random: &mut Rng| splat(200.0 * in_ball(random), 0.08, 0.9);
        let tower = |random: &mut Rng| {
            let place = Vec3::new(random.f32(), 30.0 * random.f32(), random.f32());
            splat(place, 0.1, 0.9)
        };
        let balls = |random: &mut Rng| {
            let x = if random.bool() { -8.0 } else { 8.0 };
            splat(in_ball(random) + Vec3::new(x, 0.0, 0.0), 0.05, 0.9)
        };
        let large = |random: &mut Rng| splat(5e5 * in_ball(random), 2e4, 0.9);
        let one = vec![splat(Vec3::new(3.0, 2.0, 1.0), 0.001, 0.9)];
        vec![
            ("ball", many(1000, ball), vec![]),
            ("ball in haze", many(1000, ball), many(3000, haze)),
            ("ball among floaters", many(1000, ball), many(20, floaters)),
            ("tower", many(2000, tower), vec![]),
            ("two balls far apart", many(2000, balls), vec![]),
            ("ball of a million metres", many(2000, large), vec![]),
            ("one splat", one, vec![]),
        ]
    }

    /// Fraction of the splats' weight within the middle 90 % of a picture; and the larger of the fractions of the
    /// picture's height and width that the middle 99 % fill.
    fn framed(scene: &Scene, camera: usize, seen: &[Gaussian]) -> [f32; 2] {
        let camera = Camera::new(&scene.cameras[camera], [1280, 720]);
        let [eye, right, up, forward] =
            [camera.eye, camera.right, camera.up, camera.forward].map(Vec3::from_array);
        let (mut inside, mut all) = (0.0, 0.0);
        let (mut across, mut along) = (Vec::new(), Vec::new());
        for of in seen {
            let way = Vec3::from(of.position) - eye;
            let depth = way.dot(forward);
            let weight = of.opacity * of.scales[0] * of.scales[0];
            let [x, y] = [
                way.dot(right) / (depth * camera.tan_y * ASPECT),
                way.dot(up) / (depth * camera.tan_y),
            ];
            let reach = of.scales[0] / (depth * camera.tan_y);
            all += weight;
            if depth > scene.near && depth < scene.far && x.abs() < 0.9 && y.abs() < 0.9 {
                inside += weight;
            }
            across.extend([(x - reach / ASPECT, weight), (x + reach / ASPECT, weight)]);
            along.extend([(y - reach, weight), (y + reach, weight)]);
        }
        let extent = |values: Vec<(f32, f32)>| {
            0.5 * (quantile(values.clone(), 0.995) - quantile(values, 0.005))
        };
        [inside / all, extent(across).max(extent(along))]
    }

    #[test]
    fn what_is_seen_of_a_cloud_fills_the_picture_from_every_camera() {
        for (name, seen, around) in clouds() {
            let mut scene = Scene::default();
            let all = [&seen[..], &around[..]].concat();
            frame(&mut scene, &all);
            for camera in 0..scene.cameras.len() {
                let [inside, filled] = framed(&scene, camera, &seen);
                let what = format!(
                    "{name} from {}: {inside} inside, {filled} filled",
                    scene.cameras[camera].name
                );
                assert!(inside >= 0.99, "{what}");
                assert!((0.6..0.95).contains(&filled), "{what}");
            }
        }
    }

    #[test]
    fn a_camera_that_sees_all_of_the_haze_would_be_found() {
        let (_, seen, around) = clouds().swap_remove(1);
        let mut scene = Scene::default();
        frame(&mut scene, &around);
        let [_, filled] = framed(&scene, 0, &seen);
        assert!(filled < 0.2, "{filled}");
    }

    #[test]
    fn no_splats_and_invisible_ones_are_no_panic() {
        for all in [
            vec![],
            vec![splat(Vec3::ONE, 0.0, 0.0); 3],
            vec![splat(Vec3::splat(1e30), 1e30, 1.0)],
        ] {
            let mut scene = Scene::default();
            frame(&mut scene, &all);
            for camera in &scene.cameras {
                let mut places = camera.eye.iter().chain(&camera.target);
                assert!(places.all(|x| x.abs() <= FARTHEST));
                assert_ne!(camera.eye, camera.target);
            }
            assert!(scene.near > 0.0 && scene.far > scene.near);
        }
    }
}
