//! Triangles of a mesh, in the axes of the mesh.

use std::collections::BTreeMap;

use glam::{DMat4, Vec2, Vec3, Vec4};

use super::accessors::{Buffers, Elements};
use super::document::{Document, Primitive, missing};
use super::materials::MaterialTable;
use super::model::Corner;
use super::remarks::Remarks;
use super::vertex::Vertex;
use crate::model::files::ensure;

/// Triangles of a mesh with one material, read one by one. A vertex with a zero normal gets the normal of its triangle.
pub struct PrimitivePart<'a> {
    pub material: usize,
    pub triangles: usize,
    mode: Mode,
    indices: Option<Elements<'a>>,
    positions: Elements<'a>,
    normals: Option<Elements<'a>>,
    colors: Option<Elements<'a>>,
    places: Option<Elements<'a>>,
    /// Joints and their weights, in groups of four.
    joints: Vec<[Elements<'a>; 2]>,
    targets: Vec<MorphTarget<'a>>,
    looks: &'a MaterialTable,
    place: [usize; 2],
}

struct MorphTarget<'a> {
    weight: f32,
    positions: Option<Elements<'a>>,
    normals: Option<Elements<'a>>,
}

/// Triangles of an existing mesh, with morph targets applied at the given weights.
pub fn parts<'a>(
    document: &'a Document,
    buffers: &'a Buffers,
    looks: &'a MaterialTable,
    mesh: usize,
    weights: &[f32],
    remarks: &mut Remarks,
) -> Result<Vec<PrimitivePart<'a>>, String> {
    let mut parts = Vec::new();
    for (index, primitive) in document.meshes[mesh].primitives.iter().enumerate() {
        let place = [mesh, index];
        let part = part(document, buffers, looks, primitive, weights, remarks, place);
        parts.extend(part.map_err(|what| format!("{}: {what}", name_of(place)))?);
    }
    Ok(parts)
}

fn name_of([mesh, primitive]: [usize; 2]) -> String {
    format!("meshes[{mesh}].primitives[{primitive}]")
}

impl PrimitivePart<'_> {
    /// Indices of a triangle's vertices, all of which exist.
    pub fn vertices(&self, triangle: usize) -> Result<[usize; 3], String> {
        let mut vertices = self.mode.corners(triangle);
        for vertex in &mut vertices {
            let at = *vertex;
            *vertex = (self.indices.as_ref()).map_or(at, |of| of.index(at) as usize);
            let count = self.positions.count;
            if *vertex >= count {
                return Err(self.named(format!(
                    "index {at} is {vertex}, and there are {count} vertices"
                )));
            }
        }
        Ok(vertices)
    }

    /// Maximum number of corners that the triangles need, if all normals are usable.
    pub fn corners(&self) -> usize {
        let all = 3 * self.triangles;
        match self.normals {
            Some(_) => all.min(self.positions.count),
            None => all,
        }
    }

    pub fn vertex(&self, vertex: usize) -> Vertex {
        let vector = |of: &Elements| Vec3::from_array(of.numbers(vertex));
        let mut position = vector(&self.positions);
        let mut normal = self.normals.as_ref().map_or(Vec3::ZERO, vector);
        for target in &self.targets {
            let moved = |of: &Option<Elements>| of.as_ref().map_or(Vec3::ZERO, vector);
            position += target.weight * moved(&target.positions);
            normal += target.weight * moved(&target.normals);
        }
        let color = |of: &Elements| Vec4::from_array(of.numbers(vertex));
        let place = |of: &Elements| Vec2::from_array(of.numbers(vertex));
        let color = self.colors.as_ref().map_or(Vec4::ONE, color);
        let place = self.places.as_ref().map_or(Vec2::ZERO, place);
        let place = self.looks.moved(self.material, place);
        let is_whole = color.is_finite() && place.is_finite();
        let (color, place) = match is_whole {
            true => (color, place),
            false => (Vec4::ONE, Vec2::ZERO),
        };
        let color = color.clamp(Vec4::ZERO, Vec4::ONE);
        Vertex {
            corner: Corner {
                position,
                normal: normal.normalize_or_zero(),
                albedo: self.looks.color(self.material) * color.truncate(),
                place,
            },
            alpha: color.w,
            is_whole,
        }
    }

    pub fn has_joints(&self) -> bool {
        !self.joints.is_empty()
    }

    /// Transform of an existing vertex, given the transforms of the joints.
    pub fn skinned(&self, vertex: usize, joints: &[DMat4]) -> Result<DMat4, String> {
        let (mut sum, mut all) = (DMat4::ZERO, 0.0);
        for [indices, weights] in &self.joints {
            let indices: [f32; 4] = indices.numbers(vertex);
            for (index, weight) in indices.into_iter().zip(weights.numbers::<4>(vertex)) {
                if weight > 0.0 {
                    let joint = joints.get(index as usize).ok_or_else(|| {
                        let count = joints.len();
                        self.named(format!(
                            "vertex {vertex} has the joint {index}, and there are {count} joints"
                        ))
                    })?;
                    sum += *joint * f64::from(weight);
                    all += f64::from(weight);
                }
            }
        }
        Ok(match all > 0.0 {
            true => sum * (1.0 / all),
            false => DMat4::IDENTITY,
        })
    }

    fn named(&self, what: String) -> String {
        format!("{}: {what}", name_of(self.place))
    }
}

/// Assembly of vertices into triangles.
#[derive(Clone, Copy)]
enum Mode {
    Triangles,
    Strip,
    Fan,
}

impl Mode {
    fn triangles(self, vertices: usize) -> usize {
        match self {
            Self::Triangles => vertices / 3,
            Self::Strip | Self::Fan => vertices.saturating_sub(2),
        }
    }

    /// Vertices of a triangle, in the specification's order.
    fn corners(self, triangle: usize) -> [usize; 3] {
        let at = triangle;
        match self {
            Self::Triangles => [3 * at, 3 * at + 1, 3 * at + 2],
            Self::Strip => [at, at + 1 + at % 2, at + 2 - at % 2],
            Self::Fan => [at + 1, at + 2, 0],
        }
    }
}

/// Triangles of a primitive; `None` if there is nothing to show.
fn part<'a>(
    document: &'a Document,
    buffers: &'a Buffers,
    looks: &'a MaterialTable,
    primitive: &Primitive,
    weights: &[f32],
    remarks: &mut Remarks,
    place: [usize; 2],
) -> Result<Option<PrimitivePart<'a>>, String> {
    let mode = match primitive.mode.unwrap_or(4) {
        4 => Mode::Triangles,
        5 => Mode::Strip,
        6 => Mode::Fan,
        0..=3 => {
            remarks.add("points and lines", "left out");
            return Ok(None);
        }
        mode => return Err(format!("its mode is {mode}; 0 to 6 are known")),
    };
    let material = match primitive.material {
        None => looks.plain(),
        Some(index) if index < document.materials.len() => index,
        Some(index) => return Err(missing("materials", index)),
    };
    if primitive.extensions.variants.is_some() {
        let what = "meshes with variants of materials";
        remarks.add(what, "shown with their own materials");
    }
    let all = &primitive.attributes;
    let Some(positions) = attribute(all, buffers, "POSITION", &["VEC3"], None)? else {
        remarks.add("meshes without positions", "left out");
        return Ok(None);
    };
    let count = positions.count;
    let of_each = |name: &str, shapes: &[&str]| attribute(all, buffers, name, shapes, Some(count));
    let mut joints = Vec::new();
    while let (Some(indices), Some(weights)) = (
        of_each(&format!("JOINTS_{}", joints.len()), &["VEC4"])?,
        of_each(&format!("WEIGHTS_{}", joints.len()), &["VEC4"])?,
    ) {
        joints.push([indices.unsigned(false), weights.unsigned(true)]);
    }
    let normals = of_each("NORMAL", &["VEC3"])?;
    let colors = of_each("COLOR_0", &["VEC3", "VEC4"])?.map(|of| of.unsigned(true));
    let places = match looks.place_set(material) {
        None => None,
        Some(set) => of_each(&format!("TEXCOORD_{set}"), &["VEC2"])?,
    };
    let indices = match primitive.indices {
        None => None,
        Some(index) => {
            let indices = buffers.elements(index, &["SCALAR"]);
            let indices = indices.map_err(|what| format!("indices: {what}"))?;
            ensure!(
                indices.are_integers(),
                "indices: accessors[{index}] has no integers"
            );
            Some(indices)
        }
    };
    let mut targets = Vec::new();
    for (target, weight) in primitive.targets.iter().zip(weights) {
        let of_each = |name| {
            let found = attribute(target, buffers, name, &["VEC3"], Some(count));
            found.map_err(|what| format!("targets: {what}"))
        };
        if *weight != 0.0 {
            targets.push(MorphTarget {
                weight: *weight,
                positions: of_each("POSITION")?,
                normals: of_each("NORMAL")?,
            });
        }
    }
    Ok(Some(PrimitivePart {
        material,
        triangles: mode.triangles(indices.as_ref().map_or(count, |of| of.count)),
        mode,
        indices,
        positions,
        normals,
        colors,
        places,
        joints,
        targets,
        looks,
        place,
    }))
}

/// An attribute, if the primitive has it; the attribute must have `count` elements.
fn attribute<'a>(
    all: &BTreeMap<String, usize>,
    buffers: &'a Buffers,
    name: &str,
    shapes: &[&str],
    count: Option<usize>,
) -> Result<Option<Elements<'a>>, String> {
    let Some(index) = all.get(name) else {
        return Ok(None);
    };
    let elements = buffers.elements(*index, shapes);
    let elements = elements.map_err(|what| format!("{name}: {what}"))?;
    match count {
        Some(count) if elements.count != count => Err(format!(
            "{name} has {} elements, and POSITION has {count}",
            elements.count
        )),
        _ => Ok(Some(elements)),
    }
}
