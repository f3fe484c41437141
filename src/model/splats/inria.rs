//! PLY files written by training: the optimised parameters, one row per splat. Scales are stored as logarithms and
//! opacities as logits, and quaternions may have any length.
//!
//! Source: B. Kerbl et al., "3D Gaussian Splatting for Real-Time Radiance Field Rendering" (2023), and the files of
//! its implementation.

use glam::{Quat, Vec3};

use super::arrays::{HIGHEST_DEGREE, Splats, coefficients, logistic, unit};
use super::ply::{Column, Element, Rows};
use super::reading::Reading;
use crate::model::files::{Fault, bail};

pub(super) fn read(
    elements: &[Element],
    rows: &mut Rows,
    reading: &mut Reading,
) -> Result<Splats, Fault> {
    let names = || elements.iter().map(|element| element.name.as_str());
    let Some(place) = names().position(|name| name == "vertex") else {
        bail!(
            "it has no element vertex with its splats; its elements: {}",
            names().collect::<Vec<_>>().join(", ")
        );
    };
    let element = &elements[place];
    named(elements, element)?;
    let columns = Columns::of(element)?;
    let mut splats = reading.room(element.count, columns.degree)?;
    for before in &elements[..place] {
        rows.skip(before)?;
    }
    let is_fine = columns.position.iter().any(|column| column.is_fine());
    rows.of(element, |first, block, size| {
        for (_, row) in reading.kept(first, block, size) {
            columns.append(row, &mut splats);
            if is_fine {
                let place = columns.position.map(|column| column.double(row));
                reading.doubles.push(place.into());
            }
        }
        reading.at((first + block.len() / size) as u64, element.count as u64)
    })?;
    Ok(splats)
}

/// Identifies the content of a PLY file without splats.
fn named(elements: &[Element], vertex: &Element) -> Result<(), Fault> {
    let has = |name| vertex.column(name).is_some();
    if has("f_dc_0") || !has("x") {
        return Ok(());
    }
    let is_mesh = || (elements.iter()).any(|of| matches!(&*of.name, "face" | "tristrips"));
    match () {
        () if has("scale_0") && has("red") => bail!(
            "its splats have colours `red`, `green` and `blue`, as written by Nerfstudio with --ply-color-mode rgb; \
             export it with --ply-color-mode sh-coeffs"
        ),
        () if has("scale_0") || has("opacity") => Ok(()),
        () if is_mesh() => {
            bail!("it is a mesh, not Gaussian splats; export it as glTF (.glb) to show it")
        }
        () => bail!(
            "it is a point cloud, not Gaussian splats; train splats on it, or export them as .ply, .spz or .sog"
        ),
    }
}

struct Columns {
    position: [Column; 3],
    constant: [Column; 3],
    opacity: Column,
    /// Two columns for flat splats, which have no thickness.
    scale: Vec<Column>,
    /// Columns with the real part first.
    rotation: [Column; 4],
    /// Columns with all of red, then green, then blue.
    rest: Vec<Column>,
    degree: u8,
}

impl Columns {
    fn of(element: &Element) -> Result<Self, Fault> {
        // All properties are looked up at once, so that a message lists everything that is missing.
        let [x, y, z, red, green, blue, opacity, s0, s1, r0, r1, r2, r3] = element.columns([
            "x", "y", "z", "f_dc_0", "f_dc_1", "f_dc_2", "opacity", "scale_0", "scale_1", "rot_0",
            "rot_1", "rot_2", "rot_3",
        ])?;
        let rest = element.numbered("f_rest_")?;
        Ok(Self {
            position: [x, y, z],
            constant: [red, green, blue],
            opacity,
            scale: match element.column("scale_2") {
                Some(_) => element.columns(["scale_0", "scale_1", "scale_2"])?.to_vec(),
                None => vec![s0, s1],
            },
            rotation: [r0, r1, r2, r3],
            degree: degree_of(rest.len())?,
            rest,
        })
    }

    fn append(&self, row: &[u8], splats: &mut Splats) {
        let three = |columns: [Column; 3]| Vec3::from(columns.map(|column| column.number(row)));
        splats.positions.push(three(self.position));
        let mut scales = [0.0; 3];
        for (scale, column) in scales.iter_mut().zip(&self.scale) {
            *scale = column.number(row).exp();
        }
        splats.scales.push(scales.into());
        let [w, x, y, z] = self.rotation.map(|column| column.number(row));
        splats.rotations.push(unit(Quat::from_xyzw(x, y, z, w)));
        splats.opacities.push(logistic(self.opacity.number(row)));
        splats.harmonics.push(three(self.constant));
        let terms = self.rest.len() / 3;
        let term = |term| three([0, 1, 2].map(|colour| self.rest[colour * terms + term]));
        splats.harmonics.extend((0..terms).map(term));
    }
}

/// Degree of harmonics for the given number of higher coefficients.
pub(super) fn degree_of(numbers: usize) -> Result<u8, Fault> {
    let fits = |degree: &u8| 3 * (coefficients(*degree) - 1) == numbers;
    let unknown = || {
        format!(
            "it has {numbers} properties f_rest_…; harmonics of degree 0, 1, 2 and 3 have 0, 9, 24 and 45"
        )
    };
    Ok((0..=HIGHEST_DEGREE).find(fits).ok_or_else(unknown)?)
}
