//! Opaque solids as a single list of triangles in world space, counter-clockwise seen from outside.

use super::file::{MeshSpec, SIDES_PER_FLUTE};
use crate::model::layout::Vertex;
use std::f64::consts::TAU;

/// Triangles of all solids except models from files, three vertices each.
pub fn vertices(meshes: &[MeshSpec]) -> Vec<Vertex> {
    meshes.iter().flat_map(solid).collect()
}

type Corner = [[f32; 3]; 2];

fn solid(mesh: &MeshSpec) -> Vec<Vertex> {
    let (corners, albedo, emission) = match *mesh {
        MeshSpec::Box {
            center,
            half_size,
            albedo,
            emission,
        } => (cuboid(center, half_size), albedo, emission),
        MeshSpec::Cylinder {
            base,
            radius,
            height,
            segments,
            flutes,
            albedo,
            emission,
        } => {
            let outline = match flutes {
                0 => circle(radius, segments),
                _ => fluted(radius, flutes),
            };
            (column(base, height, &outline), albedo, emission)
        }
        MeshSpec::Plane {
            center: [x, y, z],
            half_size: [u, v],
            albedo,
        } => {
            let corners = [(-1.0, 1.0), (1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)];
            let corners = corners.map(|(a, b)| [[x + a * u, y, z + b * v], [0.0, 1.0, 0.0]]);
            (quad(corners).to_vec(), albedo, 0.0)
        }
        MeshSpec::File { .. } => return Vec::new(),
    };
    let vertex = |[position, normal]: Corner| Vertex {
        position,
        normal,
        albedo,
        emission,
    };
    corners.into_iter().map(vertex).collect()
}

/// Two triangles from four corners, counter-clockwise.
fn quad(corners: [Corner; 4]) -> [Corner; 6] {
    [0, 1, 2, 0, 2, 3].map(|corner| corners[corner])
}

fn cuboid(center: [f32; 3], half: [f32; 3]) -> Vec<Corner> {
    let mut all = Vec::new();
    for (axis, side) in (0..3).flat_map(|axis| [(axis, -1.0), (axis, 1.0)]) {
        let mut normal = [0.0; 3];
        normal[axis] = side;
        // Seen from outside, u points right and v up: u x v is the normal.
        let (u, v) = match side > 0.0 {
            true => ((axis + 1) % 3, (axis + 2) % 3),
            false => ((axis + 2) % 3, (axis + 1) % 3),
        };
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(a, b)| {
            let mut corner = center;
            corner[axis] += side * half[axis];
            corner[u] += a * half[u];
            corner[v] += b * half[v];
            [corner, normal]
        });
        all.extend(quad(corners));
    }
    all
}

/// A point on a column's outline: x and z relative to the axis, metres, and the unit normal.
struct OutlinePoint {
    place: [f32; 2],
    normal: [f32; 2],
}

/// Depth of a groove relative to the radius.
const FLUTE_DEPTH: f64 = 0.075;

fn circle(radius: f32, segments: u32) -> Vec<OutlinePoint> {
    let at = |segment: u32| {
        let angle = TAU * f64::from(segment) / f64::from(segments);
        let normal = [angle.cos() as f32, -angle.sin() as f32];
        OutlinePoint {
            place: normal.map(|part| radius * part),
            normal,
        }
    };
    (0..segments).map(at).collect()
}

/// A circle with round grooves that meet in sharp ridges. Normals at grooves' centres are interpolated across ridges.
fn fluted(radius: f32, flutes: u32) -> Vec<OutlinePoint> {
    let count = flutes * SIDES_PER_FLUTE;
    let depth = |angle: f64| {
        let groove = (0.5 * f64::from(flutes) * angle).sin();
        1.0 - FLUTE_DEPTH * groove.abs()
    };
    let place = |index: u32| {
        let angle = TAU * f64::from(index) / f64::from(count);
        let reach = f64::from(radius) * depth(angle);
        [reach * angle.cos(), -reach * angle.sin()]
    };
    let at = |index: u32| {
        let [before, after] = [place(index + count - 1), place(index + 1)];
        // Points follow the outline at ascending angles and face outwards.
        let along = [after[0] - before[0], after[1] - before[1]];
        let length = along[0].hypot(along[1]);
        OutlinePoint {
            place: place(index).map(|part| part as f32),
            normal: [(-along[1] / length) as f32, (along[0] / length) as f32],
        }
    };
    (0..count).map(at).collect()
}

/// An upright closed column over `outline`, which is sorted by angle.
fn column(base: [f32; 3], height: f32, outline: &[OutlinePoint]) -> Vec<Corner> {
    let top = base[1] + height;
    let at = |point: &OutlinePoint, y: f32| [base[0] + point.place[0], y, base[2] + point.place[1]];
    let side =
        |point: &OutlinePoint, y: f32| [at(point, y), [point.normal[0], 0.0, point.normal[1]]];
    let mut all = Vec::new();
    let next = outline.iter().cycle().skip(1);
    for (a, b) in outline.iter().zip(next) {
        // Seen from outside, angles ascend to the right.
        all.extend(quad([
            side(a, base[1]),
            side(b, base[1]),
            side(b, top),
            side(a, top),
        ]));
        let [up, down] = [[0.0, 1.0, 0.0], [0.0, -1.0, 0.0]];
        let lid = [[base[0], top, base[2]], at(a, top), at(b, top)];
        all.extend(lid.map(|corner| [corner, up]));
        all.extend([base, at(b, base[1]), at(a, base[1])].map(|corner| [corner, down]));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    fn point(values: [f32; 3]) -> DVec3 {
        DVec3::from_array(values.map(f64::from))
    }

    fn solids() -> [MeshSpec; 2] {
        let albedo = [0.5; 3];
        let emission = 0.0;
        [
            MeshSpec::Box {
                center: [1.0, 2.0, 3.0],
                half_size: [0.5, 0.25, 2.0],
                albedo,
                emission,
            },
            MeshSpec::Cylinder {
                base: [-3.0, 1.0, 2.0],
                radius: 0.5,
                height: 4.0,
                segments: 64,
                flutes: 0,
                albedo,
                emission,
            },
        ]
    }

    fn plane() -> MeshSpec {
        MeshSpec::Plane {
            center: [0.0; 3],
            half_size: [2.0, 1.0],
            albedo: [0.5; 3],
        }
    }

    /// Six times the volume that the triangles enclose: positive if all triangles are counter-clockwise.
    fn volume(list: &[Vertex]) -> f64 {
        let triangle = |t: &[Vertex]| {
            let [a, b, c] = [0, 1, 2].map(|i| point(t[i].position));
            a.dot(b.cross(c)) / 6.0
        };
        list.chunks(3).map(triangle).sum()
    }

    #[test]
    fn solids_enclose_their_volume() {
        let [cuboid, cylinder] = solids();
        assert!((volume(&vertices(&[cuboid])) - 2.0).abs() < 1e-5);
        let round = volume(&vertices(&[cylinder]));
        assert!((round - std::f64::consts::PI).abs() < 0.01, "{round}");
    }

    #[test]
    fn normals_are_unit_vectors_that_point_outwards() {
        let [cuboid, cylinder] = solids();
        for triangle in vertices(&[cuboid, cylinder, plane()]).chunks(3) {
            let [a, b, c] = [0, 1, 2].map(|i| point(triangle[i].position));
            let facing = (b - a).cross(c - a).normalize();
            for vertex in triangle {
                let normal = point(vertex.normal);
                assert!((normal.length() - 1.0).abs() < 1e-6);
                assert!(normal.dot(facing) > 0.99, "{vertex:?}");
            }
        }
    }
}
