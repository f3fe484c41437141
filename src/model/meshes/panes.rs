//! Finds panes: translucent triangles, in any order, that together form a parallelogram.

use std::collections::{BTreeSet, HashMap};

use glam::{DVec3, Vec3};

use super::materials::MaterialTable;
use super::model::{Model, Pane};
use super::remarks::Remarks;

pub const MOST_PANES: usize = 64;
/// Maximum error of the fourth corner of a pane, as a fraction of the diagonal.
const TOLERANCE: f64 = 0.01;
/// Sine of the angle below which one edge continues another in a straight line.
const STRAIGHT: f64 = 1e-3;
/// Cosine of the largest angle between coplanar triangles.
const FLAT: f64 = 1.0 - 1e-6;
/// Front direction of panes, which are visible from both sides. Few planes of models are parallel to this direction.
const FRONT: DVec3 = DVec3::new(1.0, 0.7236, 0.4197);
/// Minimum fraction of a surface that panes must cover to be shown: the few flat spots of a curved surface would
/// otherwise form a lattice.
const MOSTLY: f64 = 0.9;
const MOST_AT_EDGE: usize = 8;

pub struct TranslucentTriangle {
    pub corners: [Vec3; 3],
    /// Colours of the corners. Triangles with different colours belong to different panes.
    pub shades: [[u8; 4]; 3],
    pub material: u32,
    /// Mean linear colour, and alpha.
    pub color: Vec3,
    pub alpha: f32,
}

struct Quad {
    /// Indices of the pane's corners, counter-clockwise.
    corners: [u32; 4],
    triangles: Vec<u32>,
}

/// Adds the panes that translucent triangles form. Leaves out other triangles, with a remark.
pub fn add(
    triangles: &[TranslucentTriangle],
    looks: &MaterialTable,
    remarks: &mut Remarks,
    model: &mut Model,
) {
    if triangles.is_empty() {
        return;
    }
    let surface = Surface::of(triangles);
    let mut quads = Vec::new();
    let surfaces = surface.surfaces();
    let of = |triangle: u32| surfaces[surface.corners[triangle as usize][0] as usize];
    let size = |triangle: &u32| (of(*triangle), surface.facing(*triangle).length());
    // Area of each surface, and the part of that area covered by panes.
    let mut areas: HashMap<u32, [f64; 2]> = HashMap::new();
    let mut count = 0;
    for triangles in surface.components() {
        count += triangles.len();
        for (surface, area) in triangles.iter().map(size) {
            areas.entry(surface).or_default()[0] += area;
        }
        match surface.outline(&triangles) {
            Some(corners) => quads.push(Quad { corners, triangles }),
            None => quads.extend(surface.pairs(&triangles)),
        }
    }
    surface.merge(&mut quads);
    let in_quads = quads.iter().flat_map(|quad| &quad.triangles);
    for (surface, area) in in_quads.map(size) {
        areas.entry(surface).or_default()[1] += area;
    }
    quads.retain(|quad| {
        let [all, flat] = areas[&of(quad.triangles[0])];
        flat >= MOSTLY * all
    });
    let left_out = "left out";
    let shown: usize = quads.iter().map(|quad| quad.triangles.len()).sum();
    let what = "translucent triangles that are not parts of flat panes";
    remarks.count(what, count - shown, left_out);
    // The two coincident sides of a pane may be split along different diagonals.
    let mut met = BTreeSet::new();
    quads.retain(|quad| {
        let mut corners = quad.corners;
        corners.sort_unstable();
        met.insert(corners)
    });
    let area = |quad: &Quad| surface.area(quad.corners).unwrap_or(0.0);
    quads.sort_by(|a, b| area(b).total_cmp(&area(a)).then(a.corners.cmp(&b.corners)));
    let beyond = quads.len().saturating_sub(MOST_PANES);
    remarks.count("panes beyond the 64 largest", beyond, left_out);
    for quad in quads.into_iter().take(MOST_PANES) {
        let (mut area, mut cover, mut color) = (0.0, 0.0, DVec3::ZERO);
        for triangle in &quad.triangles {
            let part = surface.facing(*triangle).length();
            let triangle = &triangles[*triangle as usize];
            let covered = part * f64::from(triangle.alpha);
            area += part;
            cover += covered;
            color += covered * triangle.color.as_dvec3();
        }
        let color = (color / cover).as_vec3();
        let material = triangles[quad.triangles[0] as usize].material;
        let material = looks.material(material as usize);
        let (albedo, emission) = match material.unlit {
            true => (Vec3::ZERO, color),
            false => (color, material.emission),
        };
        let [a, b, c, d] = quad.corners.map(|corner| surface.place(corner));
        model.panes.push(Pane {
            center: (0.25 * (a + b + c + d)).as_vec3(),
            half_u: (0.5 * (b - a)).as_vec3(),
            half_v: (0.5 * (d - a)).as_vec3(),
            albedo,
            emission,
            opacity: (cover / area) as f32,
        });
    }
}

/// Representative of the set that contains `of` in the union-find forest `above`.
fn top(above: &mut [u32], mut of: u32) -> u32 {
    while above[of as usize] != of {
        above[of as usize] = above[above[of as usize] as usize];
        of = above[of as usize];
    }
    of
}

fn join(above: &mut [u32], two: [u32; 2]) {
    let [first, second] = two.map(|of| top(above, of));
    above[first.max(second) as usize] = first.min(second);
}

/// Triangles with numbered corners: corners with equal position, colour and material share a number.
struct Surface {
    corners: Vec<[u32; 3]>,
    places: Vec<Vec3>,
}

impl Surface {
    fn of(triangles: &[TranslucentTriangle]) -> Self {
        let all = triangles.iter().flat_map(|triangle| triangle.corners);
        let largest = all.fold(Vec3::ZERO, |largest, place| largest.max(place.abs()));
        // Positions within eight steps of single precision count as equal.
        let step = (f64::from(largest.max_element()) / f64::from(1 << 20)).max(f64::MIN_POSITIVE);
        let mut sorted = Vec::with_capacity(3 * triangles.len());
        for (index, triangle) in triangles.iter().enumerate() {
            for (corner, place) in triangle.corners.iter().enumerate() {
                let cell = (place.as_dvec3() / step).round().to_array();
                let what = (triangle.shades[corner], triangle.material);
                let bits = place.to_array().map(f32::to_bits);
                sorted.push((cell.map(|at| at as i32), what, bits, index as u32, corner));
            }
        }
        sorted.sort_unstable();
        let mut surface = Self {
            corners: vec![[0; 3]; triangles.len()],
            places: Vec::new(),
        };
        let mut before = None;
        for (cell, what, bits, index, corner) in sorted {
            if before.replace((cell, what)) != Some((cell, what)) {
                surface.places.push(Vec3::from(bits.map(f32::from_bits)));
            }
            surface.corners[index as usize][corner] = surface.places.len() as u32 - 1;
        }
        for triangle in 0..triangles.len() {
            if surface.facing(triangle as u32).dot(FRONT) < 0.0 {
                surface.corners[triangle].swap(1, 2);
            }
        }
        surface
    }

    fn place(&self, corner: u32) -> DVec3 {
        self.places[corner as usize].as_dvec3()
    }

    /// Normal of a triangle; its length is twice the triangle's area.
    fn facing(&self, triangle: u32) -> DVec3 {
        let [a, b, c] = self.corners[triangle as usize].map(|corner| self.place(corner));
        (b - a).cross(c - a)
    }

    /// Edges of the given triangles, each with its triangle, in the order of the corners.
    fn edges(&self, triangles: impl Iterator<Item = u32>) -> Vec<([u32; 2], u32)> {
        let mut edges: Vec<([u32; 2], u32)> = triangles
            .flat_map(|triangle| {
                let [a, b, c] = self.corners[triangle as usize];
                [[a, b], [b, c], [c, a]].map(|edge| (edge, triangle))
            })
            .collect();
        edges.sort_unstable();
        edges
    }

    /// Connected coplanar triangles; of coincident triangles only one is kept.
    fn components(&self) -> Vec<Vec<u32>> {
        let count = self.corners.len() as u32;
        let mut above: Vec<u32> = (0..count).collect();
        let mut edges = self.edges(0..count);
        for (edge, _) in &mut edges {
            edge.sort_unstable();
        }
        edges.sort_unstable();
        for at_edge in edges.chunk_by(|a, b| a.0 == b.0) {
            if at_edge.len() > MOST_AT_EDGE {
                continue;
            }
            for (at, (_, first)) in at_edge.iter().enumerate() {
                for (_, second) in &at_edge[at + 1..] {
                    let facing = [*first, *second].map(|of| self.facing(of).normalize_or_zero());
                    if facing[0].dot(facing[1]) >= FLAT {
                        join(&mut above, [*first, *second]);
                    }
                }
            }
        }
        let mut sorted: Vec<(u32, u32)> = (0..count).map(|of| (top(&mut above, of), of)).collect();
        sorted.sort_unstable();
        let mut met = BTreeSet::new();
        sorted.retain(|(_, of)| {
            let mut corners = self.corners[*of as usize];
            corners.sort_unstable();
            met.insert(corners)
        });
        let numbers = |component: &[(u32, u32)]| component.iter().map(|(_, of)| *of).collect();
        sorted.chunk_by(|a, b| a.0 == b.0).map(numbers).collect()
    }

    /// Surface of each corner: triangles with a common corner belong to the same surface.
    fn surfaces(&self) -> Vec<u32> {
        let count = self.places.len() as u32;
        let mut above: Vec<u32> = (0..count).collect();
        for [a, b, c] in &self.corners {
            join(&mut above, [*a, *b]);
            join(&mut above, [*a, *c]);
        }
        (0..count).map(|of| top(&mut above, of)).collect()
    }

    /// Corners of the parallelogram that coplanar triangles fill, if they fill one.
    fn outline(&self, component: &[u32]) -> Option<[u32; 4]> {
        let edges = self.edges(component.iter().copied());
        let is_inside =
            |[a, b]: [u32; 2]| edges.binary_search_by(|edge| edge.0.cmp(&[b, a])).is_ok();
        let mut next = HashMap::new();
        for (edge, _) in edges.iter().filter(|(edge, _)| !is_inside(*edge)) {
            if next.insert(edge[0], edge[1]).is_some() {
                return None;
            }
        }
        let start = *next.keys().min()?;
        let mut around = vec![start];
        let mut at = *next.get(&start)?;
        while at != start {
            // The path is longer than the number of outer edges, so the outline does not close.
            if around.len() == next.len() {
                return None;
            }
            around.push(at);
            at = *next.get(&at)?;
        }
        if around.len() != next.len() {
            return None;
        }
        let count = around.len();
        let turns = (0..count).filter(|at| {
            let three = [count - 1, 0, 1].map(|step| around[(at + step) % count]);
            !self.is_straight(three)
        });
        let turns: Vec<u32> = turns.map(|at| around[at]).collect();
        let corners: [u32; 4] = turns.try_into().ok()?;
        let areas = component.iter().map(|of| 0.5 * self.facing(*of).length());
        let area: f64 = areas.sum();
        let filled = self.area(corners)?;
        // Overlapping triangles fill less than the sum of their areas.
        ((area / filled - 1.0).abs() < 2.0 * TOLERANCE).then_some(corners)
    }

    fn is_straight(&self, corners: [u32; 3]) -> bool {
        let [a, b, c] = corners.map(|corner| self.place(corner));
        let [to, from] = [b - a, c - b].map(DVec3::normalize_or_zero);
        to.dot(from) > 0.0 && to.cross(from).length() < STRAIGHT
    }

    fn area(&self, corners: [u32; 4]) -> Option<f64> {
        let [a, b, c, d] = corners.map(|corner| self.place(corner));
        let diagonal = a.distance(c).max(b.distance(d));
        let is_one = (a + c - b).distance(d) <= TOLERANCE * diagonal;
        let area = (b - a).cross(d - a).length();
        (is_one && area > 0.0).then_some(area)
    }

    /// Parallelograms formed by pairs of coplanar triangles, longest diagonals first.
    fn pairs(&self, component: &[u32]) -> Vec<Quad> {
        let edges = self.edges(component.iter().copied());
        let mut found = Vec::new();
        for ([a, b], first) in &edges {
            let Ok(at) = edges.binary_search_by(|edge| edge.0.cmp(&[*b, *a])) else {
                continue;
            };
            let second = edges[at].1;
            let beside = |of: u32| {
                let mut corners = self.corners[of as usize].into_iter();
                corners.find(|corner| corner != a && corner != b)
            };
            if a < b
                && let (Some(left), Some(right)) = (beside(*first), beside(second))
            {
                let corners = [*a, right, *b, left];
                if self.area(corners).is_some() {
                    let length = self.place(*a).distance_squared(self.place(*b));
                    found.push((length, corners, [*first, second]));
                }
            }
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut taken = BTreeSet::new();
        let mut quads = Vec::new();
        for (_, corners, two) in found {
            if two.iter().all(|of| !taken.contains(of)) {
                taken.extend(two);
                let triangles = two.to_vec();
                quads.push(Quad { corners, triangles });
            }
        }
        quads
    }

    /// Merges parallelograms that share an edge and continue each other in a straight line.
    fn merge(&self, quads: &mut Vec<Quad>) {
        quads.sort_by_key(|quad| quad.corners);
        let edges = |[a, b, c, d]: [u32; 4]| [[a, b], [b, c], [c, d], [d, a]];
        let mut by_edge: HashMap<[u32; 2], usize> = HashMap::new();
        for (at, quad) in quads.iter().enumerate() {
            by_edge.extend(edges(quad.corners).map(|edge| (edge, at)));
        }
        for at in 0..quads.len() {
            let mut side = 0;
            while side < 4 && !quads[at].triangles.is_empty() {
                let mut own = quads[at].corners;
                own.rotate_left(side);
                let [a, b, p, q] = own;
                side += 1;
                let Some(other) = by_edge.get(&[b, a]).copied() else {
                    continue;
                };
                let mut beside = quads[other].corners;
                let turn = edges(beside).iter().position(|edge| *edge == [b, a]);
                beside.rotate_left(turn.unwrap_or(0));
                let [_, _, c, d] = beside;
                let goes_on = self.is_straight([q, a, c]) && self.is_straight([p, b, d]);
                if other == at || !goes_on {
                    continue;
                }
                let own = [at, other].map(|of| edges(quads[of].corners));
                for edge in own.as_flattened() {
                    by_edge.remove(edge);
                }
                let mut triangles = std::mem::take(&mut quads[other].triangles);
                let quad = &mut quads[at];
                quad.triangles.append(&mut triangles);
                quad.corners = [q, c, d, p];
                by_edge.extend(edges(quad.corners).map(|edge| (edge, at)));
                side = 0;
            }
        }
        quads.retain(|quad| !quad.triangles.is_empty());
    }
}
