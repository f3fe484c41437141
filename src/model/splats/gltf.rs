//! Gaussians in glTF: points of a mesh with splat attributes in linear form, with rotations as x, y, z, w.
//!
//! Source: Khronos Group, "KHR_gaussian_splatting" (ratified, 2026). Earlier drafts stored logarithms of scales.

use std::path::Path;

use glam::{DMat3, DMat4, DVec3, Quat, Vec3};

use super::arrays::{CONSTANT_TERM, HIGHEST_DEGREE, Splats, coefficients, unit};
use super::harmonics::Turn;
use super::reading::Reading;
use crate::model::files::{Fault, Folder, InMemory, Opened, bail};
use crate::model::meshes::accessors::{Buffers, Elements};
use crate::model::meshes::document::{Document, Primitive};
use crate::model::meshes::nodes::Tree;
use crate::model::meshes::remarks::Remarks;
use crate::model::meshes::{container, whole};

const PREFIX: &str = "KHR_gaussian_splatting:";
/// Maximum number of scales searched for negative ones: a short file may claim billions.
const MOST_LOOKED_AT: usize = 1 << 20;
/// The only sorting method that the extension itself defines, and the default.
const BY_DISTANCE: &str = "cameraDistance";
/// Mode for points, followed by the first mode for triangles.
const POINTS: u64 = 0;
const TRIANGLES: u64 = 4;

struct Points<'a> {
    count: usize,
    positions: Elements<'a>,
    rotations: Elements<'a>,
    scales: Elements<'a>,
    /// True for drafts of the extension, which store logarithms of scales.
    are_logarithms: bool,
    opacities: Option<Elements<'a>>,
    /// Red, green, blue and opacity, for files without harmonics.
    colours: Option<Elements<'a>>,
    harmonics: Vec<Elements<'a>>,
    degree: u8,
}

pub(super) fn read(file: Opened, reading: &mut Reading) -> Result<Splats, Fault> {
    let bytes = whole(file)?;
    let parts = container::parts(&bytes)?;
    let compressed = b"KHR_gaussian_splatting_compression";
    if (parts.json.windows(compressed.len())).any(|part| part == compressed) {
        bail!("its Gaussians are compressed (SPZ in glTF); convert it to .spz, .ply or .sog");
    }
    let document = Document::parse(parts.json)?;
    let nowhere = Folder::of(Path::new(""), &InMemory(&[]));
    let folder = reading.how.folder.unwrap_or(nowhere);
    let buffers = Buffers::read(&document, parts.binary, folder)?;
    let mut all: Vec<(Points, DMat4)> = Vec::new();
    let (mut others, mut has_meshes) = (0, false);
    let mut remarks = Remarks::of(&document);
    for placed in Tree::of(&document, &mut remarks)?.placed {
        for (index, primitive) in document.meshes[placed.mesh].primitives.iter().enumerate() {
            let is_points = primitive.mode == Some(POINTS);
            if !is_points || primitive.extensions.gaussians.is_none() {
                others += 1;
                has_meshes |= primitive.mode.unwrap_or(TRIANGLES) >= TRIANGLES;
                continue;
            }
            let points = Points::of(primitive, &buffers);
            let points = points.map_err(|reason| {
                Fault::bad(format!(
                    "meshes[{}].primitives[{index}]: {reason}",
                    placed.mesh
                ))
            })?;
            all.push((points, placed.matrix));
        }
    }
    for line in remarks.texts() {
        reading.remark(line);
    }
    if others > 0 {
        let becomes = match has_meshes {
            true => "shown only if the file is opened by itself, or is also in `meshes`",
            false => "left out",
        };
        reading.remark(format!("meshes beside its Gaussians ({others}): {becomes}"));
    }
    if all.iter().any(|(points, _)| points.are_logarithms) {
        reading
            .remark("it has negative scales: taken as logarithms, as in drafts of its extension");
    }
    let counts = all.iter().map(|(points, _)| points.count);
    let count = counts.fold(0, usize::saturating_add);
    let degree = all.iter().map(|(points, _)| points.degree).max();
    let mut splats = reading.room(count, degree.unwrap_or(0))?;
    splats.has_meshes = has_meshes;
    follow_kinds(&document, &mut splats, reading);
    let mut before = 0;
    for (points, matrix) in &all {
        let place = NodeTransform::of(*matrix);
        for index in 0..points.count {
            if reading.keeps(before + index) {
                let there = points.append(index, &place, &mut splats);
                reading.doubles.push(there);
            }
        }
        before += points.count;
        reading.at(before as u64, count as u64)?;
    }
    Ok(splats)
}

/// Adopts properties that are stated for all Gaussians, and adds remarks on unsupported ones.
fn follow_kinds(document: &Document, splats: &mut Splats, reading: &mut Reading) {
    let primitives = document.meshes.iter().flat_map(|mesh| &mesh.primitives);
    splats.by_distance = true;
    for gaussians in primitives.filter_map(|primitive| primitive.extensions.gaussians.as_ref()) {
        let kernel = gaussians.kernel.as_deref().unwrap_or("ellipse");
        if kernel != "ellipse" {
            reading.remark(format!("Gaussians with kernel {kernel}: shown as ellipses"));
        }
        let sorting = gaussians.sorting_method.as_deref().unwrap_or(BY_DISTANCE);
        if sorting != BY_DISTANCE {
            splats.by_distance = false;
            reading.remark(format!(
                "Gaussians with sorting method {sorting}: sorted by depth"
            ));
        }
        splats.is_linear |=
            (gaussians.color_space.as_deref()).is_some_and(|space| space.starts_with("lin"));
    }
}

impl<'a> Points<'a> {
    fn of(primitive: &Primitive, buffers: &'a Buffers) -> Result<Self, String> {
        let find = |name: &str, shapes: &[&str]| {
            let index = primitive.attributes.get(name);
            let found = index.map(|index| buffers.elements(*index, shapes));
            found
                .transpose()
                .map_err(|reason| format!("{name}: {reason}"))
        };
        let own = |name: &str, shapes: &[&str]| find(&format!("{PREFIX}{name}"), shapes);
        let needed = |name: &str, shapes: &[&str]| {
            own(name, shapes)?.ok_or_else(|| format!("it has no {PREFIX}{name}"))
        };
        let positions = find("POSITION", &["VEC3"])?.ok_or("it has no POSITION")?;
        let count = positions.count;
        let mut points = Self {
            count,
            positions,
            rotations: needed("ROTATION", &["VEC4"])?,
            scales: needed("SCALE", &["VEC3"])?,
            are_logarithms: false,
            opacities: own("OPACITY", &["SCALAR"])?.map(|of| of.unsigned(true)),
            colours: find("COLOR_0", &["VEC3", "VEC4"])?.map(|of| of.unsigned(true)),
            harmonics: Vec::new(),
            degree: 0,
        };
        for degree in 0..=HIGHEST_DEGREE {
            let mut band = Vec::new();
            for term in 0..2 * degree + 1 {
                let name = format!("SH_DEGREE_{degree}_COEF_{term}");
                band.extend(own(&name, &["VEC3"])?);
            }
            if band.len() < usize::from(2 * degree + 1) {
                break;
            }
            points.degree = degree;
            points.harmonics.extend(band);
        }
        let others = [&points.rotations, &points.scales].into_iter();
        let others = others.chain(&points.opacities).chain(&points.harmonics);
        if let Some(other) = others
            .chain(&points.colours)
            .find(|other| other.count < count)
        {
            bail!(
                "it has {count} positions and {} of another attribute",
                other.count
            );
        }
        let is_negative = |index| points.scales.numbers::<3>(index).iter().any(|of| *of < 0.0);
        points.are_logarithms = (0..count.min(MOST_LOOKED_AT)).any(is_negative);
        match points.harmonics.is_empty() && points.colours.is_none() {
            true => Err(format!(
                "it has neither {PREFIX}SH_DEGREE_0_COEF_0 nor COLOR_0"
            )),
            false => Ok(points),
        }
    }

    /// Adds a splat and returns its position.
    fn append(&self, index: usize, place: &NodeTransform, splats: &mut Splats) -> DVec3 {
        let there = place
            .matrix
            .transform_point3(Vec3::from(self.positions.numbers(index)).as_dvec3());
        splats.positions.push(there.as_vec3());
        let rotation = unit(Quat::from_array(self.rotations.numbers(index)));
        let scales = Vec3::from(self.scales.numbers(index));
        let scales = if self.are_logarithms {
            scales.exp()
        } else {
            scales
        };
        let (rotation, scales) = place.shape(rotation, scales);
        splats.rotations.push(rotation);
        splats.scales.push(scales);
        let colour: Option<[f32; 4]> = self.colours.as_ref().map(|colours| colours.numbers(index));
        let opacity = match (&self.opacities, colour) {
            (Some(opacities), _) => opacities.numbers::<1>(index)[0],
            (None, Some([.., alpha])) => alpha,
            (None, None) => 1.0,
        };
        // Rounding may push the opacity slightly outside.
        let opacity = if opacity.is_nan() {
            opacity
        } else {
            opacity.clamp(0.0, 1.0)
        };
        splats.opacities.push(opacity);
        let terms = splats.coefficients();
        let start = splats.harmonics.len();
        match (self.harmonics.is_empty(), colour) {
            (true, Some([red, green, blue, _])) => {
                let colour = Vec3::new(red, green, blue);
                splats.harmonics.push((colour - 0.5) / CONSTANT_TERM);
            }
            _ => {
                let all = self.harmonics.iter().take(coefficients(self.degree));
                (splats.harmonics).extend(all.map(|of| Vec3::from(of.numbers(index))));
            }
        }
        splats.harmonics.resize(start + terms, Vec3::ZERO);
        if let Some(turn) = &place.turn {
            turn.apply(&mut splats.harmonics[start..]);
        }
        there
    }
}

struct NodeTransform {
    matrix: DMat4,
    linear: DMat3,
    /// Rotation of harmonics; `None` if the node only moves and scales its Gaussians.
    turn: Option<Turn>,
    /// Scale, if it is uniform and there is no rotation.
    scale: Option<f32>,
}

impl NodeTransform {
    fn of(matrix: DMat4) -> Self {
        let linear = DMat3::from_mat4(matrix);
        let size = linear.determinant().abs().cbrt();
        let is_plain = linear.abs_diff_eq(DMat3::from_diagonal(DVec3::splat(size)), 1e-9 * size);
        let axes = [linear.x_axis, linear.y_axis, linear.z_axis].map(DVec3::normalize_or_zero);
        Self {
            matrix,
            linear,
            turn: (!is_plain).then(|| Turn::of(DMat3::from_cols(axes[0], axes[1], axes[2]))),
            scale: is_plain.then_some(size as f32),
        }
    }

    fn shape(&self, rotation: Quat, scales: Vec3) -> (Quat, Vec3) {
        if let Some(scale) = self.scale {
            return (rotation, scale * scales);
        }
        if !(rotation.is_finite() && scales.is_finite() && rotation.length_squared() > 0.5) {
            return (rotation, scales);
        }
        // The axes of the Gaussian are transformed by the node and then orthogonalised with pairwise rotations.
        let mut axes = (self.linear
            * DMat3::from_quat(rotation.as_dquat())
            * DMat3::from_diagonal(scales.as_dvec3()))
        .to_cols_array_2d()
        .map(DVec3::from);
        for _ in 0..12 {
            for [a, b] in [[0, 1], [0, 2], [1, 2]] {
                let (u, v) = (axes[a], axes[b]);
                let angle = 0.5 * (2.0 * u.dot(v)).atan2(u.length_squared() - v.length_squared());
                let (sin, cos) = angle.sin_cos();
                axes[a] = cos * u + sin * v;
                axes[b] = cos * v - sin * u;
            }
        }
        let lengths = axes.map(DVec3::length);
        let x = axes[0].normalize_or(DVec3::X);
        let y = (axes[1] - x * axes[1].dot(x)).normalize_or(x.any_orthonormal_vector());
        let turned = DMat3::from_cols(x, y, x.cross(y));
        let rotation = glam::DQuat::from_mat3(&turned).normalize().as_quat();
        (rotation, DVec3::from(lengths).as_vec3())
    }
}
