//! The triangles of a mesh, in its own axes.

use glam::{Vec2, Vec3};

use super::Corner;
use super::accessors::{Buffers, Elements};
use super::document::{Document, Primitive, missing};
use super::materials::Looks;
use super::remarks::Remarks;

/// The triangles of one material of a mesh: where they are. They are read one by one. A normal of zero stands for that
/// of the triangle.
pub struct Part<'a> {
    pub material: usize,
    pub triangles: usize,
    mode: Mode,
    indices: Option<Elements<'a>>,
    source: Source<'a>,
    /// Which primitive of which mesh.
    place: [usize; 2],
}

/// Finds the triangles of a mesh that is there.
pub fn parts<'a>(
    document: &'a Document,
    buffers: &'a Buffers,
    looks: &'a Looks,
    mesh: usize,
    remarks: &mut Remarks,
) -> Result<Vec<Part<'a>>, String> {
    let mut parts = Vec::new();
    for (index, primitive) in document.meshes[mesh].primitives.iter().enumerate() {
        let place = [mesh, index];
        let part = part(document, buffers, looks, primitive, remarks, place);
        parts.extend(part.map_err(|what| format!("{}: {what}", name_of(place)))?);
    }
    Ok(parts)
}

fn name_of([mesh, primitive]: [usize; 2]) -> String {
    format!("meshes[{mesh}].primitives[{primitive}]")
}

impl Part<'_> {
    /// The corners of a triangle that is there, in the axes of the mesh.
    pub fn corners(&self, triangle: usize) -> Result<[Corner; 3], String> {
        let mut corners = [Corner::default(); 3];
        for (corner, at) in corners.iter_mut().zip(self.mode.corners(triangle)) {
            let found = self.vertex(at);
            *corner = found.map_err(|what| format!("{}: {what}", name_of(self.place)))?;
        }
        Ok(corners)
    }

    /// The vertex to which an index leads that is there.
    fn vertex(&self, at: usize) -> Result<Corner, String> {
        let vertex = (self.indices.as_ref()).map_or(at, |of| of.index(at) as usize);
        let count = self.source.positions.count;
        if vertex >= count {
            return Err(format!(
                "index {at} is {vertex}, and there are {count} vertices"
            ));
        }
        self.source.corner(vertex)
    }
}

/// How vertices become triangles.
#[derive(Clone, Copy)]
enum Mode {
    Triangles,
    Strip,
    Fan,
}

impl Mode {
    /// Triangles of so many vertices.
    fn triangles(self, vertices: usize) -> usize {
        match self {
            Self::Triangles => vertices / 3,
            Self::Strip | Self::Fan => vertices.saturating_sub(2),
        }
    }

    /// Which vertices a triangle has, as the specification lists them.
    fn corners(self, triangle: usize) -> [usize; 3] {
        let at = triangle;
        match self {
            Self::Triangles => [3 * at, 3 * at + 1, 3 * at + 2],
            Self::Strip => [at, at + 1 + at % 2, at + 2 - at % 2],
            Self::Fan => [at + 1, at + 2, 0],
        }
    }
}

/// Finds the triangles of a primitive; none if it has nothing that can be shown.
fn part<'a>(
    document: &'a Document,
    buffers: &'a Buffers,
    looks: &'a Looks,
    primitive: &Primitive,
    remarks: &mut Remarks,
    place: [usize; 2],
) -> Result<Option<Part<'a>>, String> {
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
    if !primitive.targets.is_empty() {
        remarks.add("morph targets", "left out");
    }
    let attribute = |name: &str, shapes: &[&str]| {
        let index = primitive.attributes.get(name);
        let named = |what: String| format!("{name}: {what}");
        let elements = index.map(|index| buffers.elements(*index, shapes).map_err(named));
        elements.transpose()
    };
    let Some(positions) = attribute("POSITION", &["VEC3"])? else {
        remarks.add("meshes without positions", "left out");
        return Ok(None);
    };
    let source = Source {
        normals: of_count("NORMAL", attribute("NORMAL", &["VEC3"])?, &positions)?,
        colors: of_count(
            "COLOR_0",
            attribute("COLOR_0", &["VEC3", "VEC4"])?,
            &positions,
        )?,
        places: match looks.place_set(material) {
            None => None,
            Some(set) => {
                let name = format!("TEXCOORD_{set}");
                of_count(&name, attribute(&name, &["VEC2"])?, &positions)?
            }
        },
        positions,
        looks,
        material,
    };
    let indices = match primitive.indices {
        None => None,
        Some(index) => {
            let indices = buffers.elements(index, &["SCALAR"]);
            let indices = indices.map_err(|what| format!("indices: {what}"))?;
            if !indices.are_indices() {
                return Err(format!(
                    "indices: accessors[{index}] has no unsigned integers"
                ));
            }
            Some(indices)
        }
    };
    let vertices = indices
        .as_ref()
        .map_or(source.positions.count, |of| of.count);
    let triangles = mode.triangles(vertices);
    if source.colors.as_ref().is_some_and(|of| of.width == 4) && !looks.is_opaque(material) {
        remarks.add("alpha of vertices", "left out");
    }
    Ok(Some(Part {
        material,
        triangles,
        mode,
        indices,
        source,
        place,
    }))
}

/// An attribute, which must have as many elements as there are positions.
fn of_count<'a>(
    name: &str,
    elements: Option<Elements<'a>>,
    positions: &Elements,
) -> Result<Option<Elements<'a>>, String> {
    match &elements {
        Some(of) if of.count != positions.count => Err(format!(
            "{name} has {} elements, and POSITION has {}",
            of.count, positions.count
        )),
        _ => Ok(elements),
    }
}

/// Where the vertices of a primitive come from.
struct Source<'a> {
    positions: Elements<'a>,
    normals: Option<Elements<'a>>,
    colors: Option<Elements<'a>>,
    places: Option<Elements<'a>>,
    looks: &'a Looks,
    material: usize,
}

impl Source<'_> {
    /// A vertex that is there.
    fn corner(&self, vertex: usize) -> Result<Corner, String> {
        let position = Vec3::from_array(self.positions.numbers(vertex));
        if !position.is_finite() {
            return Err(format!("vertex {vertex} has a position of {position}"));
        }
        let normal = |of: &Elements| Vec3::from_array(of.numbers(vertex)).normalize_or_zero();
        let color = |of: &Elements| Vec3::from_array(of.numbers(vertex));
        let place = |of: &Elements| Vec2::from_array(of.numbers(vertex));
        let color = self.colors.as_ref().map_or(Vec3::ONE, color);
        let place = self.places.as_ref().map_or(Vec2::ZERO, place);
        let place = self.looks.moved(self.material, place);
        for (what, is_finite) in [
            ("colour", color.is_finite()),
            ("texture coordinate", place.is_finite()),
        ] {
            if !is_finite {
                return Err(format!("vertex {vertex} has a {what} that is not finite"));
            }
        }
        let albedo = self.looks.color(self.material) * color.clamp(Vec3::ZERO, Vec3::ONE);
        Ok(Corner {
            position,
            normal: self.normals.as_ref().map_or(Vec3::ZERO, normal),
            albedo,
            place,
        })
    }
}
