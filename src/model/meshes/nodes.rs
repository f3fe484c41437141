//! The tree of nodes, which places the meshes. A node that is its own descendant is an error, so no cycle is followed.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use glam::{DMat3, DMat4, DQuat, DVec3, DVec4, Vec3};

use super::accessors::{Buffers, Elements};
use super::document::{Document, Node, missing};
use super::materials::{DrawnAs, MaterialTable};
use super::model::{Corner, MOST_TRIANGLES, Mesh, Model, Triangle};
use super::panes::{self, TranslucentTriangle};
use super::primitives::{PrimitivePart, parts};
use super::remarks::Remarks;
use super::vertex::Vertex;
use crate::model::files::{bail, ensure};

/// A model is far away if its distance exceeds its size by this factor and is at least this many units: at that
/// distance, floats are coarser than a pixel of the model's picture.
const FAR: f64 = 1000.0;
/// Maximum number of instances over all nodes, because a small file can reference nodes many times.
const MOST_PLACES: usize = 1 << 20;
const MOST_JOINTS: usize = 1 << 18;

pub struct Placed {
    pub node: usize,
    pub mesh: usize,
    pub matrix: DMat4,
}

/// Nodes of the default scene, and the nodes with meshes; all of them exist.
pub struct Tree {
    /// Transform of each node at its first instance; `None` for nodes outside the scene.
    matrices: Vec<Option<DMat4>>,
    pub placed: Vec<Placed>,
}

impl Tree {
    pub fn of(document: &Document, remarks: &mut Remarks) -> Result<Self, String> {
        let mut tree = Self {
            matrices: vec![None; document.nodes.len()],
            placed: Vec::new(),
        };
        let all = roots(document)?;
        let find = |index| (document.nodes.get(index)).ok_or_else(|| missing("nodes", index));
        let mut is_below = vec![false; document.nodes.len()];
        let mut open = all.clone();
        while let Some(index) = open.pop() {
            for child in &find(index)?.children {
                find(*child)?;
                if !std::mem::replace(&mut is_below[*child], true) {
                    open.push(*child);
                }
            }
        }
        let roots = all.iter().copied().filter(|root| !is_below[*root]);
        let mut open: Vec<_> = roots.map(|root| (root, DMat4::IDENTITY, true)).collect();
        open.reverse();
        let (mut places, others) = (open.len(), all.len() - open.len());
        let (mut shared, mut hidden) = (0, 0);
        while let Some((index, above, is_visible)) = open.pop() {
            let node = &document.nodes[index];
            let matrix = local(node).map_err(|what| format!("nodes[{index}] has {what}"))?;
            let matrix = above * matrix;
            shared += usize::from(tree.matrices[index].is_some());
            tree.matrices[index].get_or_insert(matrix);
            let is_visible = is_visible && node.extensions.visibility["visible"] != false;
            match node.mesh {
                Some(mesh) if mesh >= document.meshes.len() => return Err(missing("meshes", mesh)),
                Some(mesh) if is_visible => tree.placed.push(Placed {
                    node: index,
                    mesh,
                    matrix,
                }),
                Some(_) => hidden += 1,
                None => {}
            }
            places += node.children.len();
            ensure!(
                places <= MOST_PLACES,
                "nodes[{index}] is its own descendant, or the file has more than {MOST_PLACES} node instances"
            );
            let below = node.children.iter().rev();
            open.extend(below.map(|child| (*child, matrix, is_visible)));
        }
        if let Some(root) = all.iter().find(|root| tree.matrices[**root].is_none()) {
            bail!("nodes[{root}] is its own descendant");
        }
        let what = "root nodes that are also children";
        remarks.count(what, others, "shown only as children");
        remarks.count("nodes with several parents", shared, "shown below each");
        remarks.count("meshes that the file hides", hidden, "left out");
        Ok(tree)
    }

    /// Flags for the materials that the meshes use, if present; the last flag is for meshes without a material.
    pub fn materials(&self, document: &Document) -> Vec<bool> {
        let plain = document.materials.len();
        let mut used = vec![false; plain + 1];
        let mut met = vec![false; document.meshes.len()];
        for placed in &self.placed {
            if std::mem::replace(&mut met[placed.mesh], true) {
                continue;
            }
            for primitive in &document.meshes[placed.mesh].primitives {
                let material = primitive.material.unwrap_or(plain);
                let is_solid = primitive.mode.unwrap_or(4) >= 4;
                if let Some(used) = used.get_mut(material) {
                    *used |= is_solid;
                }
            }
        }
        used
    }

    /// True if all mesh origins are near the scene's origin; false if the file has skins or instances.
    fn is_near(&self, document: &Document) -> bool {
        document.skins.is_empty()
            && self.placed.iter().all(|placed| {
                let has_copies = document.nodes[placed.node].extensions.instances.is_some();
                !has_copies && placed.matrix.w_axis.truncate().length() < FAR
            })
    }
}

pub fn place(
    document: &Document,
    buffers: &Buffers,
    tree: &Tree,
    looks: &MaterialTable,
    remarks: &mut Remarks,
    model: &mut Model,
) -> Result<(), String> {
    let mut shared: Vec<Option<Rc<Vec<PrimitivePart>>>> = vec![None; document.meshes.len()];
    let mut all: Vec<(&Placed, Rc<Vec<PrimitivePart>>)> = Vec::with_capacity(tree.placed.len());
    let (mut count, mut corners) = (0usize, 0usize);
    for placed in &tree.placed {
        let &Placed { node, mesh, .. } = placed;
        let own = document.nodes[node].weights.as_ref();
        let parts = match (&shared[mesh], own) {
            (Some(parts), None) => Rc::clone(parts),
            _ => {
                let weights = own.unwrap_or(&document.meshes[mesh].weights);
                Rc::new(parts(document, buffers, looks, mesh, weights, remarks)?)
            }
        };
        if own.is_none() {
            shared[mesh] = Some(Rc::clone(&parts));
        }
        let named = |what: String| format!("nodes[{node}]: {what}");
        let (copies, _) = copies(document, buffers, placed).map_err(named)?;
        // The count includes parts without triangles or area: a small file can reference them very often.
        let triangles = parts.iter().map(|part| part.triangles.max(1));
        count = count.saturating_add(triangles.sum::<usize>().saturating_mul(copies));
        if count > MOST_TRIANGLES {
            return Err(named(format!(
                "{count} triangles so far; the limit is {MOST_TRIANGLES}; \
                 `gltf-transform simplify IN.glb OUT.glb` (npm @gltf-transform/cli) makes fewer"
            )));
        }
        corners += copies * parts.iter().map(PrimitivePart::corners).sum::<usize>();
        all.push((placed, parts));
    }
    let mut skins = Skins {
        document,
        buffers,
        tree,
        count: 0,
        found: vec![None; document.skins.len()],
        lost: 0,
    };
    // Called for each part of a mesh once per instance, with the function that places the vertices of the part.
    type Take<'a> = dyn FnMut(&PrimitivePart, &dyn Fn(usize) -> Result<Transform, String>) -> Result<(), String>
        + 'a;
    let mut each = |take: &mut Take| -> Result<(), String> {
        for (placed, parts) in &all {
            let node = placed.node;
            let named = |what: String| format!("nodes[{node}]: {what}");
            let skin = document.nodes[node].skin;
            let joints = skin.map(|skin| skins.joints(skin)).transpose();
            let joints = joints.map_err(named)?;
            let (copies, matrix) = copies(document, buffers, placed).map_err(named)?;
            for part in parts.iter() {
                if let (Some(joints), true) = (joints, part.has_joints()) {
                    let skinned = |vertex| Ok(Transform::of(part.skinned(vertex, joints)?));
                    take(part, &skinned).map_err(named)?;
                    continue;
                }
                for copy in 0..copies {
                    let place = Transform::of(matrix(copy));
                    take(part, &|_| Ok(place)).map_err(named)?;
                }
            }
        }
        Ok(())
    };
    let mut bounds = [DVec3::INFINITY, DVec3::NEG_INFINITY];
    if !tree.is_near(document) {
        each(&mut |part, place| {
            for triangle in 0..part.triangles {
                for vertex in part.vertices(triangle)? {
                    let position = part.vertex(vertex).corner.position.as_dvec3();
                    let there = place(vertex)?.matrix.transform_point3(position);
                    if there.is_finite() {
                        bounds = [bounds[0].min(there), bounds[1].max(there)];
                    }
                }
            }
            Ok(())
        })?;
    }
    let middle = 0.5 * (bounds[0] + bounds[1]);
    let extent = 0.5 * bounds[0].distance(bounds[1]);
    let mut origin = DVec3::ZERO;
    // Also false if there are no bounds.
    if middle.is_finite() && middle.abs().max_element() >= FAR.max(FAR * extent) {
        origin = middle.round();
        let [x, y, z] = origin.to_array();
        let what = format!("its meshes are around ({x}, {y}, {z})");
        remarks.add(&what, "shown around the origin");
    }
    let mut put = Put {
        origin,
        looks,
        mesh: Mesh {
            corners: Vec::with_capacity(corners),
            triangles: Vec::with_capacity(count),
        },
        known: HashMap::new(),
        clear: Vec::new(),
        leaves: vec![false; looks.plain() + 1],
        lost: 0,
        odd: 0,
    };
    each(&mut |part, place| put.part(part, place))?;
    put.mesh.corners.shrink_to_fit();
    put.mesh.triangles.shrink_to_fit();
    model.mesh = Arc::new(put.mesh);
    let what = "translucent materials with a picture";
    let leaves = put.leaves.into_iter().map(usize::from).sum();
    let becomes = "shown opaque where their alpha is at least a half";
    remarks.count(what, leaves, becomes);
    let what = "triangles with a corner that is not finite";
    remarks.count(what, put.lost, "left out");
    let what = "triangles with a colour or texture coordinate that is not finite";
    remarks.count(what, put.odd, "taken as white and 0");
    let what = "skins with joints outside the scene";
    remarks.count(what, skins.lost, "their meshes are shown unposed");
    panes::add(&put.clear, looks, remarks, model);
    Ok(())
}

fn copies<'a>(
    document: &Document,
    buffers: &'a Buffers,
    placed: &Placed,
) -> Result<(usize, impl Fn(usize) -> DMat4 + use<'a>), String> {
    let instances = document.nodes[placed.node].extensions.instances.as_ref();
    let find = |name: &str, shape: &str| {
        let index = instances.and_then(|instances| instances.attributes.get(name));
        let found = index.map(|index| buffers.elements(*index, &[shape]));
        (found.transpose()).map_err(|what| format!("EXT_mesh_gpu_instancing: {name}: {what}"))
    };
    let shifts = find("TRANSLATION", "VEC3")?;
    let turns = find("ROTATION", "VEC4")?;
    let scales = find("SCALE", "VEC3")?;
    let given = [&shifts, &turns, &scales].into_iter().flatten();
    let count = given.map(|of| of.count).min().unwrap_or(1);
    let node = placed.matrix;
    let matrix = move |copy| {
        let vector = |of: &Elements| Vec3::from_array(of.numbers(copy)).as_dvec3();
        let turn = |of: &Elements| turn_of(of.numbers(copy).map(f64::from));
        let scale = scales.as_ref().map_or(DVec3::ONE, vector);
        let turn = turns.as_ref().map_or(DQuat::IDENTITY, turn);
        let shift = shifts.as_ref().map_or(DVec3::ZERO, vector);
        node * DMat4::from_scale_rotation_translation(scale, turn, shift)
    };
    Ok((count, matrix))
}

struct Skins<'a> {
    document: &'a Document,
    buffers: &'a Buffers<'a>,
    tree: &'a Tree,
    /// Total number of joints so far.
    count: usize,
    found: Vec<Option<Vec<DMat4>>>,
    /// Number of skins with joints outside the scene.
    lost: usize,
}

impl Skins<'_> {
    /// Transforms from mesh axes to the scene for each joint of a skin.
    fn joints(&mut self, index: usize) -> Result<&[DMat4], String> {
        let skin = (self.document.skins.get(index)).ok_or_else(|| missing("skins", index))?;
        let named = |what: String| format!("skins[{index}]: {what}");
        let slot = &mut self.found[index];
        if let Some(found) = slot {
            return Ok(found);
        }
        self.count += skin.joints.len();
        if self.count > MOST_JOINTS {
            return Err(named(format!("more than {MOST_JOINTS} joints so far")));
        }
        let inverses = skin.inverse_bind_matrices;
        let inverses = inverses.map(|index| self.buffers.elements(index, &["MAT4"]));
        let inverses = inverses.transpose().map_err(named)?;
        let mut matrices = Vec::with_capacity(skin.joints.len());
        for (at, joint) in skin.joints.iter().enumerate() {
            let matrix = self.tree.matrices.get(*joint);
            let Some(matrix) = matrix.ok_or_else(|| named(missing("nodes", *joint)))? else {
                self.lost += 1;
                matrices = vec![DMat4::IDENTITY; skin.joints.len()];
                break;
            };
            let inverse = match &inverses {
                Some(of) if at < of.count => of.numbers::<16>(at).map(f64::from),
                _ => DMat4::IDENTITY.to_cols_array(),
            };
            matrices.push(*matrix * DMat4::from_cols_array(&inverse));
        }
        Ok(slot.insert(matrices))
    }
}

/// A matrix, and the matching transform for normals.
#[derive(Clone, Copy)]
struct Transform {
    matrix: DMat4,
    normals: DMat3,
    is_mirrored: bool,
}

impl Transform {
    fn of(matrix: DMat4) -> Self {
        let linear = DMat3::from_mat4(matrix);
        let is_mirrored = linear.determinant() < 0.0;
        // Normals transform by the inverse transpose. The cofactors are a multiple of it, and always exist.
        let cofactors = DMat3::from_cols(
            linear.y_axis.cross(linear.z_axis),
            linear.z_axis.cross(linear.x_axis),
            linear.x_axis.cross(linear.y_axis),
        );
        Self {
            matrix,
            normals: if is_mirrored { -cofactors } else { cofactors },
            is_mirrored,
        }
    }
}

/// Root nodes of the default scene; if there are no scenes, the nodes that no other node contains.
fn roots(document: &Document) -> Result<Vec<usize>, String> {
    let index = document.scene.unwrap_or(0);
    match document.scenes.get(index) {
        Some(scene) => Ok(scene.nodes.clone()),
        None if document.scene.is_some() => Err(missing("scenes", index)),
        None => {
            let mut is_root = vec![true; document.nodes.len()];
            for child in document.nodes.iter().flat_map(|node| &node.children) {
                let is_root = is_root.get_mut(*child);
                *is_root.ok_or_else(|| missing("nodes", *child))? = false;
            }
            Ok((0..is_root.len()).filter(|index| is_root[*index]).collect())
        }
    }
}

/// Transform of a node relative to its parent, or an error.
fn local(node: &Node) -> Result<DMat4, String> {
    let matrix = match &node.matrix {
        Some(matrix) => DMat4::from_cols_array(matrix),
        None => {
            let rotation = turn_of(node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]));
            let scale = DVec3::from_array(node.scale.unwrap_or([1.0; 3]));
            let translation = DVec3::from_array(node.translation.unwrap_or_default());
            DMat4::from_scale_rotation_translation(scale, rotation, translation)
        }
    };
    // Programs that multiply in single precision write values such as 0.9999999.
    let is_affine = matrix.row(3).abs_diff_eq(DVec4::W, 1e-4);
    if !matrix.is_finite() || !is_affine {
        bail!("a matrix that is not an affine transform");
    }
    let mut columns = matrix.to_cols_array_2d();
    for (column, last) in columns.iter_mut().zip([0.0, 0.0, 0.0, 1.0]) {
        column[3] = last;
    }
    Ok(DMat4::from_cols_array_2d(&columns))
}

/// Rotation given by a quaternion of any length; zero means no rotation.
fn turn_of([x, y, z, w]: [f64; 4]) -> DQuat {
    let rotation = DQuat::from_xyzw(x, y, z, w);
    let length = rotation.length();
    match length > 1e-6 {
        true => rotation * (1.0 / length),
        false => DQuat::IDENTITY,
    }
}

struct Put<'a> {
    origin: DVec3,
    looks: &'a MaterialTable,
    mesh: Mesh,
    /// Corner index of each vertex of the current part.
    known: HashMap<u32, u32>,
    clear: Vec<TranslucentTriangle>,
    /// True for each translucent material that has been drawn as leaves.
    leaves: Vec<bool>,
    /// Number of triangles left out because a corner is not finite.
    lost: usize,
    odd: usize,
}

impl Put<'_> {
    fn part(
        &mut self,
        part: &PrimitivePart,
        place: &dyn Fn(usize) -> Result<Transform, String>,
    ) -> Result<(), String> {
        self.known.clear();
        for triangle in 0..part.triangles {
            let mut numbers = part.vertices(triangle)?;
            let mut vertices = [Vertex::default(); 3];
            let mut is_mirrored = false;
            for (vertex, at) in vertices.iter_mut().zip(numbers) {
                let place = place(at)?;
                *vertex = part.vertex(at);
                let corner = &mut vertex.corner;
                let there = place.matrix.transform_point3(corner.position.as_dvec3());
                corner.position = (there - self.origin).as_vec3();
                let normal = place.normals * corner.normal.as_dvec3();
                corner.normal = normal.normalize_or_zero().as_vec3();
                is_mirrored |= place.is_mirrored;
            }
            if is_mirrored {
                vertices.swap(1, 2);
                numbers.swap(1, 2);
            }
            let positions = vertices.map(|vertex| vertex.corner.position);
            if !positions.iter().all(|position| position.is_finite()) {
                self.lost += 1;
                continue;
            }
            self.odd += usize::from(vertices.iter().any(|vertex| !vertex.is_whole));
            let facing = facing(positions);
            // A triangle without area has no normal, and could not be seen.
            if facing != Vec3::ZERO {
                self.triangle(part.material, numbers, vertices, facing);
            }
        }
        Ok(())
    }

    fn triangle(
        &mut self,
        material: usize,
        numbers: [usize; 3],
        vertices: [Vertex; 3],
        facing: Vec3,
    ) {
        match self.looks.seen(material, &vertices) {
            DrawnAs::Nothing => return,
            DrawnAs::Clear(color, alpha) => {
                return self.clear.push(TranslucentTriangle {
                    corners: vertices.map(|vertex| vertex.corner.position),
                    shades: vertices.map(Vertex::shade),
                    material: material as u32,
                    color,
                    alpha,
                });
            }
            DrawnAs::Leaf => self.leaves[material] = true,
            DrawnAs::Solid => {}
        }
        let corner = |at: usize| self.corner(numbers[at], vertices[at].corner, facing);
        let corners = [0, 1, 2].map(corner);
        let material = material as u32;
        self.mesh.triangles.push(Triangle { corners, material });
    }

    /// Index of a corner, shared by triangles that use the same vertex. A corner without a normal gets the normal of its
    /// triangle and is not shared.
    fn corner(&mut self, number: usize, mut corner: Corner, facing: Vec3) -> u32 {
        let next = self.mesh.corners.len() as u32;
        if corner.normal.length_squared() < 0.5 {
            corner.normal = facing;
        } else {
            let known = *self.known.entry(number as u32).or_insert(next);
            if known != next {
                return known;
            }
        }
        self.mesh.corners.push(corner);
        next
    }
}

/// Unit normal of a triangle; zero if the triangle has no area.
fn facing([a, b, c]: [Vec3; 3]) -> Vec3 {
    let [a, b, c] = [a, b, c].map(Vec3::as_dvec3);
    (b - a).cross(c - a).normalize_or_zero().as_vec3()
}
