//! assets/scenes/statue.spz: a bust as a capture would have it, in splats that are flat on its surface. Same program, same
//! splats.
//!
//! The surface of a field of distances (`shape.rs`) is covered with places that are nowhere closer than a radius, which
//! is smaller where the surface bends. Each becomes a splat: as wide as its neighbours are far, longer along the
//! direction in which the surface bends less, and thin. Its colour is the light that `light.rs` finds there, fitted by
//! harmonics of degree 2 over the directions from which it can be seen.

mod light;
mod shape;
mod spz;

use std::collections::HashMap;

use glam::{DMat3, DQuat, DVec3};

use light::{Place, TERMS};
use shape::{BOUNDS, Statue};

/// Heads to metres.
const HEAD: f64 = 0.16;
/// Least distance of places, heads, where the surface is flat.
const RADIUS: f64 = 0.0255;
/// Its part of that where the surface bends most.
const FINEST: f64 = 0.62;
/// Edge of the cubes that are looked through for the surface, heads, and how often each is halved.
const CUBE: f64 = 0.26;
const HALVED: u32 = 4;

/// A splat, in the units and axes of the file: metres, right, up and back.
pub struct Splat {
    position: DVec3,
    rotation: DQuat,
    scales: DVec3,
    opacity: f64,
    harmonics: [DVec3; TERMS],
}

/// The bytes of assets/scenes/statue.spz.
pub fn file() -> Vec<u8> {
    spz::file(&splats())
}

/// All splats of the statue.
pub fn splats() -> Vec<Splat> {
    let statue = Statue::new();
    let places = places(&statue);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let part = places.len().div_ceil(threads).max(1);
    let mut splats = Vec::with_capacity(places.len());
    let statue = &statue;
    std::thread::scope(|scope| {
        let of_part = |places| scope.spawn(move || -> Vec<Splat> { all(places, statue) });
        let parts: Vec<_> = places.chunks(part).map(of_part).collect();
        for part in parts {
            splats.extend(part.join().expect("no part fails"));
        }
    });
    splats
}

/// The splats of some places.
fn all(places: &[Spot], statue: &Statue) -> Vec<Splat> {
    places.iter().map(|spot| splat(statue, spot)).collect()
}

/// A place on the surface, how far its neighbours are, and how the surface bends there.
struct Spot {
    at: DVec3,
    normal: DVec3,
    /// Unit vectors along the surface, in which it bends most and least.
    along: [DVec3; 2],
    /// How it bends along these, 1/heads.
    bend: [f64; 2],
    radius: f64,
}

/// Places all over the surface, in order of the cubes that they were found in.
fn places(statue: &Statue) -> Vec<Spot> {
    let mut cubes = Vec::new();
    let counts = ((BOUNDS[1] - BOUNDS[0]) / CUBE).ceil();
    for x in 0..counts.x as usize {
        for y in 0..counts.y as usize {
            for z in 0..counts.z as usize {
                let corner = BOUNDS[0] + CUBE * DVec3::new(x as f64, y as f64, z as f64);
                surface_in(statue, corner, CUBE, HALVED, &mut cubes);
            }
        }
    }
    let mut kept: Vec<Spot> = Vec::new();
    let mut near: HashMap<[i32; 3], Vec<usize>> = HashMap::new();
    let cell = |at: DVec3| (at / RADIUS).floor().to_array().map(|part| part as i32);
    // In an order without a pattern, so that none shows on the surface.
    let mut order: Vec<(u32, usize)> = (0..cubes.len())
        .map(|index| (crate::hash(index as u32), index))
        .collect();
    order.sort_unstable();
    for (_, index) in order {
        let at = cubes[index];
        let middle = cell(at);
        let is_free = |radius: f64| {
            (0..27).all(|number| {
                let step = [number % 3 - 1, number / 3 % 3 - 1, number / 9 - 1];
                let there = [0, 1, 2].map(|axis| middle[axis] + step[axis]);
                near.get(&there).into_iter().flatten().all(|other| {
                    let other: &Spot = &kept[*other];
                    let least = 0.5 * (radius + other.radius);
                    at.distance_squared(other.at) > least * least
                })
            })
        };
        // Most places are too close whatever their own radius is.
        if !is_free(FINEST * RADIUS) {
            continue;
        }
        let spot = spot(statue, at);
        if is_free(spot.radius) {
            near.entry(middle).or_default().push(kept.len());
            kept.push(spot);
        }
    }
    kept
}

/// Finds the smallest cubes that the surface may pass, and puts a place of the surface near each into `found`.
fn surface_in(statue: &Statue, corner: DVec3, edge: f64, halved: u32, found: &mut Vec<DVec3>) {
    let middle = corner + 0.5 * edge;
    // Half the diagonal, and more, as distances are not exact.
    if statue.distance(middle).abs() > edge * 1.15 {
        return;
    }
    if halved == 0 {
        let place = onto(statue, middle);
        if statue.distance(place).abs() < 2e-3 {
            found.push(place);
        }
        return;
    }
    for number in 0..8 {
        let step = DVec3::new(
            (number & 1).into(),
            (number >> 1 & 1).into(),
            (number >> 2).into(),
        );
        surface_in(
            statue,
            corner + 0.5 * edge * step,
            0.5 * edge,
            halved - 1,
            found,
        );
    }
}

/// The surface near a place.
fn onto(statue: &Statue, mut place: DVec3) -> DVec3 {
    for _ in 0..4 {
        let distance = statue.distance(place);
        if distance.abs() < 1e-4 {
            break;
        }
        let slope = slope(statue, place, 1e-3);
        place -= slope * distance / slope.length_squared().max(0.25);
    }
    place
}

/// How the distance changes, by differences over `step` heads.
fn slope(statue: &Statue, place: DVec3, step: f64) -> DVec3 {
    // The corners of a tetrahedron.
    let corners = [
        DVec3::new(1.0, -1.0, -1.0),
        DVec3::new(-1.0, -1.0, 1.0),
        DVec3::new(-1.0, 1.0, -1.0),
        DVec3::new(1.0, 1.0, 1.0),
    ];
    let part = |corner: DVec3| corner * statue.distance(place + step * corner);
    corners.into_iter().map(part).sum::<DVec3>() / (4.0 * step)
}

/// What is known of a place on the surface.
fn spot(statue: &Statue, at: DVec3) -> Spot {
    let step = 0.012;
    let normal_at = |place| slope(statue, place, 0.004).normalize_or(DVec3::Y);
    let normal = normal_at(at);
    let first = normal.any_orthonormal_vector();
    let second = normal.cross(first);
    let change =
        |along: DVec3| (normal_at(at + step * along) - normal_at(at - step * along)) / (2.0 * step);
    let (by_first, by_second) = (change(first), change(second));
    let (a, c) = (by_first.dot(first), by_second.dot(second));
    let b = 0.5 * (by_first.dot(second) + by_second.dot(first));
    // The directions of most and least bend: an angle of a symmetric matrix of two rows.
    let angle = 0.5 * (2.0 * b).atan2(a - c);
    let one = first * angle.cos() + second * angle.sin();
    let two = normal.cross(one);
    let middle = 0.5 * (a + c);
    let half = (0.25 * (a - c) * (a - c) + b * b).sqrt();
    let mut along = [one, two];
    let mut bend = [middle + half, middle - half];
    if bend[0].abs() < bend[1].abs() {
        along.swap(0, 1);
        bend.swap(0, 1);
    }
    let fine = (bend[0].abs() / 14.0).min(1.0);
    Spot {
        at,
        normal,
        along,
        bend,
        radius: RADIUS * (1.0 + (FINEST - 1.0) * fine),
    }
}

/// The splat of a place.
fn splat(statue: &Statue, spot: &Spot) -> Splat {
    let place = Place {
        at: spot.at,
        normal: spot.normal,
        matter: statue.matter(spot.at),
    };
    // Wide enough to close the gaps between neighbours, but not so wide that it stands off a surface that bends away.
    let wide = |bend: f64, most: f64| {
        let fits = (0.35 / bend.abs().max(1e-6)).sqrt() * spot.radius.sqrt() * 0.9;
        (most * spot.radius).min(fits.max(0.50 * spot.radius))
    };
    let scales = DVec3::new(
        wide(spot.bend[0], 0.74),
        wide(spot.bend[1], 0.88),
        0.10 * spot.radius,
    );
    let axes = DMat3::from_cols(
        spot.along[0],
        spot.along[1],
        spot.along[0].cross(spot.along[1]),
    );
    Splat {
        position: spot.at * HEAD,
        rotation: DQuat::from_mat3(&axes),
        scales: scales * HEAD,
        opacity: 0.99,
        harmonics: light::harmonics(statue, &place),
    }
}
