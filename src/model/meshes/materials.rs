//! Materials: opaque, masked or translucent, and the part of each material that is displayed.

use glam::{DVec3, Vec2, Vec3};

use super::accessors::Buffers;
use super::document::{Document, TextureInfo, TextureTransform, missing};
use super::model::{Layer, Material, Model, Wrap};
use super::pictures::Picture;
use super::remarks::Remarks;
use super::stack::linear;
use super::vertex::Vertex;
use super::{document, pictures};
use crate::model::files::{Folder, bail};

/// Alpha at which a translucent material hides everything behind it.
const OPAQUE: f64 = 254.5 / 255.0;
/// Alpha at which a texel hides everything behind it; lower than [`OPAQUE`] because programs round and smooth texels.
const OPAQUE_TEXEL: f64 = 0.98;
/// Alpha below which a texel counts as invisible.
const INVISIBLE: f64 = 0.1;
/// Number of sample points along each edge of a triangle.
const SAMPLES: usize = 8;
const MOST_RADIANCE: f32 = 1e6;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Look {
    Opaque,
    /// Opaque where the alpha is at least this value.
    Masked(f32),
    /// Blended with its alpha, which may vary.
    Blended,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DrawnAs {
    Solid,
    /// The material is translucent, but within this triangle it is opaque with holes.
    Leaf,
    /// Translucent: mean colour and alpha.
    Clear(Vec3, f32),
    Nothing,
}

/// Materials of a file with their pictures; the last one is the material of meshes without a material.
pub struct MaterialTable {
    all: Vec<Row>,
    pictures: Vec<Picture>,
}

struct Row {
    look: Look,
    /// Linear.
    color: Vec3,
    /// The material without its pictures.
    material: Material,
    picture: Option<Use>,
    glow: Option<Use>,
}

#[derive(Clone, PartialEq)]
struct Use {
    layer: Layer,
    set: u32,
    transform: TextureTransform,
}

impl MaterialTable {
    /// Index of the material that meshes without a material use.
    pub fn plain(&self) -> usize {
        self.all.len() - 1
    }

    pub fn color(&self, material: usize) -> Vec3 {
        self.all[material].color
    }

    pub fn material(&self, material: usize) -> &Material {
        &self.all[material].material
    }

    /// The texture that uses the coordinates stored in the corners.
    fn placed(&self, material: usize) -> Option<&Use> {
        let row = &self.all[material];
        row.picture.as_ref().or(row.glow.as_ref())
    }

    /// Index of the set of texture coordinates that is stored in the corners, if any.
    pub fn place_set(&self, material: usize) -> Option<u32> {
        self.placed(material).map(|texture| texture.set)
    }

    pub fn moved(&self, material: usize, place: Vec2) -> Vec2 {
        let Some(Use { transform, .. }) = self.placed(material) else {
            return place;
        };
        if *transform == TextureTransform::default() {
            return place;
        }
        let [x, y] = (place * Vec2::from_array(transform.scale.unwrap_or([1.0; 2]))).to_array();
        let (sine, cosine) = transform.rotation.sin_cos();
        // As in KHR_texture_transform: clockwise, with y down.
        let turned = Vec2::new(cosine * x + sine * y, cosine * y - sine * x);
        turned + Vec2::from_array(transform.offset)
    }

    pub fn seen(&self, material: usize, corners: &[Vertex; 3]) -> DrawnAs {
        let row = &self.all[material];
        let factor = f64::from(row.material.alpha);
        match row.look {
            Look::Opaque => return DrawnAs::Solid,
            Look::Masked(cutoff) => {
                let most = corners.iter().map(|of| of.alpha).fold(0.0, f32::max);
                return match factor * f64::from(most) >= f64::from(cutoff) {
                    true => DrawnAs::Solid,
                    false => DrawnAs::Nothing,
                };
            }
            Look::Blended => {}
        }
        let opaque = match row.picture {
            Some(_) => OPAQUE_TEXEL,
            None => OPAQUE,
        };
        let (mut visible, mut solid, mut count) = (0, 0, 0);
        let (mut sum, mut weight) = (DVec3::ZERO, 0.0);
        for x in 0..SAMPLES {
            for y in 0..SAMPLES - x {
                let [x, y] = [x, y].map(|at| (at as f64 + 1.0 / 3.0) / SAMPLES as f64);
                let parts = [1.0 - x - y, x, y];
                let mut place = Vec2::ZERO;
                let (mut color, mut alpha) = (DVec3::ZERO, 0.0);
                for (vertex, part) in corners.iter().zip(parts) {
                    place += part as f32 * vertex.corner.place;
                    color += part * vertex.corner.albedo.as_dvec3();
                    alpha += part * factor * f64::from(vertex.alpha);
                }
                if let Some(Use { layer, .. }) = &row.picture {
                    let [red, green, blue, own] = self.texel(layer, place);
                    color *= Vec3::from([red, green, blue].map(linear)).as_dvec3();
                    alpha *= f64::from(own) / 255.0;
                }
                count += 1;
                visible += usize::from(alpha >= INVISIBLE);
                solid += usize::from(alpha >= opaque);
                sum += alpha * color;
                weight += alpha;
            }
        }
        match () {
            () if weight < 1e-3 => DrawnAs::Nothing,
            () if solid == count => DrawnAs::Solid,
            // Leaves have soft edges, but are otherwise either opaque or absent.
            () if row.picture.is_some() && 4 * solid >= visible.max(1) => DrawnAs::Leaf,
            () => {
                let color = (sum / weight).as_vec3();
                DrawnAs::Clear(color, (weight / count as f64) as f32)
            }
        }
    }

    /// Texel of a layer at the given texture coordinates: sRGB and alpha.
    fn texel(&self, layer: &Layer, place: Vec2) -> [u8; 4] {
        let Picture { size, texels } = &self.pictures[layer.picture as usize];
        let at = |axis: usize| {
            let place = place[axis];
            let inside = match layer.wrap[axis] {
                Wrap::Repeat => place.rem_euclid(1.0),
                Wrap::Clamp => place.clamp(0.0, 1.0),
                Wrap::Mirror => 1.0 - (place.rem_euclid(2.0) - 1.0).abs(),
            };
            let edge = size[axis] as usize;
            ((inside * edge as f32) as usize).min(edge - 1)
        };
        let first = 4 * (at(1) * size[0] as usize + at(0));
        std::array::from_fn(|channel| texels[first + channel])
    }

    pub fn finish(self, model: &mut Model) {
        let layer = |texture: Option<Use>| texture.map(|texture| texture.layer);
        let rows = self.all.into_iter().map(|row| Material {
            cutoff: match row.look {
                _ if row.picture.is_none() => None,
                Look::Masked(cutoff) => Some(cutoff),
                Look::Blended => Some(0.5),
                Look::Opaque => None,
            },
            picture: layer(row.picture),
            glow: layer(row.glow),
            ..row.material
        });
        model.materials = rows.collect();
        model.pictures = self.pictures;
    }
}

/// Reads the materials of a file and the pictures that they use.
pub fn read(
    document: &Document,
    buffers: &Buffers,
    folder: Folder,
    used: &[bool],
    remarks: &mut Remarks,
) -> Result<MaterialTable, String> {
    let mut reader = pictures::Reader::new(document, buffers, folder);
    let mut all = Vec::with_capacity(document.materials.len() + 1);
    for (index, material) in document.materials.iter().enumerate() {
        let named = |what: String| format!("materials[{index}]: {what}");
        let mut row = row(material).map_err(named)?;
        if used[index] {
            remark(material, remarks);
            let picture = color_of(material).base_color_texture.as_ref();
            let glow = material.emissive_texture.as_ref();
            let mut layer = |info: Option<&TextureInfo>| {
                let found = info.map(|info| use_of(document, info, remarks, &mut reader));
                found.transpose().map(Option::flatten).map_err(named)
            };
            row.picture = layer(picture)?;
            row.glow = layer(glow)?;
        }
        all.push(row);
    }
    all.push(row(&document::Material::default())?);
    let read = reader.finish(remarks)?;
    let mut pictures = Vec::new();
    let numbers: Vec<Option<u32>> = (read.into_iter())
        .map(|picture| {
            pictures.push(picture?);
            Some(pictures.len() as u32 - 1)
        })
        .collect();
    for row in &mut all {
        for texture in [&mut row.picture, &mut row.glow] {
            if let Some(found) = texture {
                match numbers[found.layer.picture as usize] {
                    Some(number) => found.layer.picture = number,
                    None => *texture = None,
                }
            }
        }
        // Corners store coordinates for only one texture.
        if let (Some(first), Some(glow)) = (&row.picture, &row.glow)
            && (first.set, &first.transform) != (glow.set, &glow.transform)
        {
            let what = "emissive pictures with their own texture coordinates";
            remarks.add(what, "left out");
            row.glow = None;
        }
    }
    Ok(MaterialTable { all, pictures })
}

/// The part of a material that holds colour and alpha.
fn color_of(material: &document::Material) -> &document::Pbr {
    let glossy = material.extensions.glossy.as_ref();
    glossy.unwrap_or(&material.pbr_metallic_roughness)
}

/// Fraction of light transmitted everywhere, 0…1.
fn transmitted(material: &document::Material) -> f32 {
    let transmission = material.extensions.transmission.as_ref();
    let whole = transmission.filter(|of| of.transmission_texture.is_none());
    whole.map_or(0.0, |of| of.transmission_factor.clamp(0.0, 1.0))
}

fn row(material: &document::Material) -> Result<Row, String> {
    let strength = &material.extensions.strength;
    let strength = strength.as_ref().and_then(|of| of.emissive_strength);
    let emission = Vec3::from_array(material.emissive_factor) * strength.unwrap_or(1.0);
    let factor = color_of(material).base_color_factor;
    let [red, green, blue, mut alpha] = factor.map(|part| part.clamp(0.0, 1.0));
    let transmitted = transmitted(material);
    let has_alpha = !matches!(material.alpha_mode.as_deref(), None | Some("OPAQUE"));
    if transmitted > 0.0 {
        alpha = (1.0 - transmitted) * if has_alpha { alpha } else { 1.0 };
    }
    Ok(Row {
        look: match material.alpha_mode.as_deref() {
            None | Some("OPAQUE" | "MASK" | "BLEND") if transmitted > 0.0 => Look::Blended,
            None | Some("OPAQUE") => Look::Opaque,
            Some("MASK") => Look::Masked(material.alpha_cutoff.unwrap_or(0.5)),
            Some("BLEND") => Look::Blended,
            Some(other) => {
                bail!("its alphaMode is {other}; OPAQUE, MASK and BLEND are known");
            }
        },
        color: Vec3::new(red, green, blue),
        material: Material {
            emission: emission.clamp(Vec3::ZERO, Vec3::splat(MOST_RADIANCE)),
            alpha,
            double_sided: material.double_sided,
            unlit: material.extensions.unlit.is_some(),
            ..Material::default()
        },
        picture: None,
        glow: None,
    })
}

fn remark(material: &document::Material, remarks: &mut Remarks) {
    let pbr = &material.pbr_metallic_roughness;
    let shine = pbr.metallic_roughness_texture.is_some();
    let is_metal = pbr.metallic_factor > 0.5 && !shine && material.extensions.glossy.is_none();
    let transmission = material.extensions.transmission.as_ref();
    let transmission = transmission.filter(|of| of.transmission_factor > 0.0);
    let by_texture = transmission.is_some_and(|of| of.transmission_texture.is_some());
    let mut remark = |is_there, what, becomes| remarks.count(what, usize::from(is_there), becomes);
    let left_out = "left out";
    let [normal, occlusion] = [material.normal_texture, material.occlusion_texture];
    remark(normal.is_some(), "normal textures", left_out);
    remark(occlusion.is_some(), "occlusion textures", left_out);
    remark(shine, "metallic-roughness textures", left_out);
    remark(is_metal, "metals", "shown as matt surfaces of their colour");
    remark(
        transmitted(material) > 0.0,
        "transmissive materials",
        "shown as equally translucent, without tint or refraction",
    );
    remark(
        by_texture,
        "materials with a transmission texture",
        "shown without transmission",
    );
}

/// A texture of a material, with the index of its picture; `None`, with a remark, if it has no picture.
fn use_of(
    document: &Document,
    info: &TextureInfo,
    remarks: &mut Remarks,
    reader: &mut pictures::Reader,
) -> Result<Option<Use>, String> {
    let index = info.index;
    let texture = (document.textures.get(index)).ok_or_else(|| missing("textures", index))?;
    let mut others = texture.extensions.values();
    let source = texture.source.or_else(|| others.find_map(|of| of.source));
    let Some(source) = source else {
        remarks.add("textures without a picture", "left out");
        return Ok(None);
    };
    let wrap = match texture.sampler {
        None => [Wrap::Repeat; 2],
        Some(index) => {
            let sampler =
                (document.samplers.get(index)).ok_or_else(|| missing("samplers", index))?;
            if sampler.mag_filter == Some(9728) {
                remarks.add("textures with nearest-neighbour filtering", "shown smooth");
            }
            let wrap = |code: Option<u64>| match code {
                None | Some(10497) => Ok(Wrap::Repeat),
                Some(33071) => Ok(Wrap::Clamp),
                Some(33648) => Ok(Wrap::Mirror),
                Some(code) => Err(format!(
                    "samplers[{index}]: it wraps by {code}; 10497, 33071 and 33648 are known"
                )),
            };
            [wrap(sampler.wrap_s)?, wrap(sampler.wrap_t)?]
        }
    };
    let transform = info.extensions.transform.clone().unwrap_or_default();
    Ok(Some(Use {
        layer: Layer {
            picture: reader.wanted(source)?,
            wrap,
        },
        set: transform.tex_coord.unwrap_or(info.tex_coord),
        transform,
    }))
}
