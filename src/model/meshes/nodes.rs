//! The tree of nodes: which meshes stand where. Each node is met once at the most, so that no circle is walked for ever.

use glam::{DMat3, DMat4, DQuat, DVec3, DVec4, Vec3};

use super::accessors::Buffers;
use super::document::{Document, Node, missing};
use super::materials::{Look, Looks};
use super::primitives::{Part, parts};
use super::remarks::Remarks;
use super::{Corner, MOST_TRIANGLES, Model, Triangle, panes};

/// A mesh that stands somewhere.
pub struct Placed {
    pub node: usize,
    pub mesh: usize,
    pub matrix: DMat4,
}

/// Places the meshes of the default scene in `model`. Returns which materials are used.
pub fn place(
    document: &Document,
    buffers: &Buffers,
    looks: &Looks,
    remarks: &mut Remarks,
    model: &mut Model,
) -> Result<Vec<bool>, String> {
    let all = placed(document)?;
    let mut meshes: Vec<Option<Vec<Part>>> = Vec::new();
    meshes.resize_with(document.meshes.len(), || None);
    let mut count = 0;
    for placed in &all {
        let slot = &mut meshes[placed.mesh];
        let parts = match slot {
            Some(parts) => parts,
            None => slot.insert(parts(document, buffers, looks, placed.mesh, remarks)?),
        };
        // Those without an area, too: a small file may name them very often.
        count += parts.iter().map(|part| part.triangles).sum::<usize>();
        if count > MOST_TRIANGLES {
            return Err(format!(
                "nodes[{}]: {count} triangles up to here; the limit is {MOST_TRIANGLES}",
                placed.node
            ));
        }
    }
    model.triangles.reserve_exact(count);
    let mut used = vec![false; looks.count()];
    for placed in &all {
        for part in meshes[placed.mesh].iter().flatten() {
            put(part, placed.matrix, looks, remarks, model)
                .map_err(|what| format!("nodes[{}]: {what}", placed.node))?;
            used[part.material] |= looks.of(part.material) != Look::Pane;
        }
    }
    Ok(used)
}

/// Which meshes (all of them present) the default scene has, and where.
pub fn placed(document: &Document) -> Result<Vec<Placed>, String> {
    let mut all = Vec::new();
    let mut met = vec![false; document.nodes.len()];
    let mut open: Vec<(usize, DMat4)> = Vec::new();
    let roots = roots(document)?;
    open.extend(roots.into_iter().rev().map(|root| (root, DMat4::IDENTITY)));
    while let Some((index, above)) = open.pop() {
        let node = (document.nodes.get(index)).ok_or_else(|| missing("nodes", index))?;
        if std::mem::replace(&mut met[index], true) {
            return Err(format!(
                "nodes[{index}] is a child of two nodes, or of itself"
            ));
        }
        let matrix = above * local(node).map_err(|what| format!("nodes[{index}] has {what}"))?;
        if let Some(mesh) = node.mesh {
            if mesh >= document.meshes.len() {
                return Err(missing("meshes", mesh));
            }
            all.push(Placed {
                node: index,
                mesh,
                // The vertices of a skin stand where its joints put them, not the node.
                matrix: match node.skin {
                    Some(_) => DMat4::IDENTITY,
                    None => matrix,
                },
            });
        }
        let children = node.children.iter().rev();
        open.extend(children.map(|child| (*child, matrix)));
    }
    Ok(all)
}

/// The nodes at the top of the default scene; without scenes those that stand below no other.
fn roots(document: &Document) -> Result<Vec<usize>, String> {
    let index = document.scene.unwrap_or(0);
    match document.scenes.get(index) {
        Some(scene) => Ok(scene.nodes.clone()),
        None if document.scene.is_some() => Err(missing("scenes", index)),
        None => {
            let mut is_root = vec![true; document.nodes.len()];
            let children = document.nodes.iter().flat_map(|node| &node.children);
            for child in children {
                *is_root
                    .get_mut(*child)
                    .ok_or_else(|| missing("nodes", *child))? = false;
            }
            Ok((0..is_root.len()).filter(|index| is_root[*index]).collect())
        }
    }
}

/// From the axes of a node to those of the one above it, or what is wrong with it.
fn local(node: &Node) -> Result<DMat4, String> {
    let matrix = match &node.matrix {
        Some(matrix) => DMat4::from_cols_array(matrix),
        None => {
            let [x, y, z, w] = node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]);
            let rotation = DQuat::from_xyzw(x, y, z, w);
            // Zero turns nothing.
            let length = rotation.length();
            let rotation = match length > 1e-6 {
                true => rotation * (1.0 / length),
                false => DQuat::IDENTITY,
            };
            let scale = DVec3::from_array(node.scale.unwrap_or([1.0; 3]));
            let translation = DVec3::from_array(node.translation.unwrap_or_default());
            DMat4::from_scale_rotation_translation(scale, rotation, translation)
        }
    };
    // Programs that multiply in single precision end it in 0.9999999.
    let is_affine = matrix.row(3).abs_diff_eq(DVec4::W, 1e-4);
    if !matrix.is_finite() || !is_affine {
        return Err("a matrix that is not an affine transform".to_owned());
    }
    let mut columns = matrix.to_cols_array_2d();
    for (column, last) in columns.iter_mut().zip([0.0, 0.0, 0.0, 1.0]) {
        column[3] = last;
    }
    Ok(DMat4::from_cols_array_2d(&columns))
}

/// Adds a part of a mesh where `matrix` puts it.
fn put(
    part: &Part,
    matrix: DMat4,
    looks: &Looks,
    remarks: &mut Remarks,
    model: &mut Model,
) -> Result<(), String> {
    let linear = DMat3::from_mat4(matrix);
    let is_mirrored = linear.determinant() < 0.0;
    // Normals go by the inverse of the transpose; this is it times the determinant, which may be 0.
    let cofactors = DMat3::from_cols(
        linear.y_axis.cross(linear.z_axis),
        linear.z_axis.cross(linear.x_axis),
        linear.x_axis.cross(linear.y_axis),
    );
    let sign = if is_mirrored { -1.0 } else { 1.0 };
    let moved = |corner: Corner| Corner {
        position: matrix
            .transform_point3(corner.position.as_dvec3())
            .as_vec3(),
        normal: (sign * (cofactors * corner.normal.as_dvec3()).normalize_or_zero()).as_vec3(),
        ..corner
    };
    let mut translucent = Vec::new();
    for triangle in 0..part.triangles {
        let mut corners = part.corners(triangle)?.map(moved);
        if is_mirrored {
            corners.swap(1, 2);
        }
        let places = corners.map(|corner| corner.position);
        if let Some(place) = places.iter().find(|place| !place.is_finite()) {
            return Err(format!("it moves a vertex to {place}"));
        }
        let facing = facing(places);
        if facing == Vec3::ZERO {
            // It is not seen from anywhere.
            continue;
        }
        if looks.of(part.material) == Look::Pane {
            translucent.push(corners);
            continue;
        }
        for corner in &mut corners {
            if corner.normal.length_squared() < 0.5 {
                corner.normal = facing;
            }
        }
        model.triangles.push(Triangle {
            corners,
            material: part.material as u32,
        });
    }
    panes::add(&translucent, looks, part.material, remarks, model);
    Ok(())
}

/// The unit vector to the front of a triangle; zero for one without an area.
fn facing([a, b, c]: [Vec3; 3]) -> Vec3 {
    let [a, b, c] = [a, b, c].map(Vec3::as_dvec3);
    (b - a).cross(c - a).normalize_or_zero().as_vec3()
}
