//! Materials: which are opaque, masked or translucent, and what of them is shown.

use glam::{Vec2, Vec3};

use super::accessors::Buffers;
use super::document::{Document, TextureInfo, TextureTransform, missing};
use super::remarks::Remarks;
use super::{Fault, Layer, Material, Model, Wrap, document, pictures};
use crate::model::files::Folder;

/// The alpha from which on a translucent material hides everything behind it.
const OPAQUE: f32 = 254.5 / 255.0;
const MOST_RADIANCE: f32 = 1e6;

/// How a material is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Look {
    /// It hides what is behind it.
    Opaque,
    /// It does so where its alpha is at least this.
    Masked(f32),
    /// It is translucent, and the same everywhere.
    Pane,
}

/// The materials of a file, and behind them that of meshes without one.
pub struct Looks {
    all: Vec<Row>,
}

/// A material before its pictures are read.
pub struct Row {
    look: Look,
    /// Linear, and alpha.
    color: [f32; 4],
    emission: Vec3,
    double_sided: bool,
    unlit: bool,
    /// Whether its alpha was to blend, and masks instead.
    was_blended: bool,
    picture: Option<Use>,
    glow: Option<Use>,
}

/// A texture on a material.
#[derive(Clone, PartialEq)]
struct Use {
    texture: usize,
    /// Which texture coordinates it has.
    set: u32,
    transform: TextureTransform,
}

impl Use {
    fn of(info: &TextureInfo) -> Self {
        let transform = info.extensions.transform.clone().unwrap_or_default();
        Self {
            texture: info.index,
            set: transform.tex_coord.unwrap_or(info.tex_coord),
            transform,
        }
    }
}

impl Looks {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// The material of meshes without one.
    pub fn plain(&self) -> usize {
        self.all.len() - 1
    }

    /// How a material is drawn.
    pub fn of(&self, material: usize) -> Look {
        self.all[material].look
    }

    /// Whether a material hides what is behind it everywhere.
    pub fn is_opaque(&self, material: usize) -> bool {
        self.of(material) == Look::Opaque
    }

    /// The colour of a material, linear.
    pub fn color(&self, material: usize) -> Vec3 {
        Vec3::from_slice(&self.all[material].color[..3])
    }

    /// Own light of a material.
    pub fn emission(&self, material: usize) -> Vec3 {
        let row = &self.all[material];
        match row.unlit {
            true => self.color(material),
            false => row.emission,
        }
    }

    /// How much of what is behind it a material hides.
    pub fn opacity(&self, material: usize) -> f32 {
        self.all[material].color[3]
    }

    /// Whether a material's colour is its light.
    pub fn is_unlit(&self, material: usize) -> bool {
        self.all[material].unlit
    }

    /// The texture whose coordinates a material's corners have.
    fn placed(&self, material: usize) -> Option<&Use> {
        let row = &self.all[material];
        row.picture.as_ref().or(row.glow.as_ref())
    }

    /// Which texture coordinates the corners of a material have, if any.
    pub fn place_set(&self, material: usize) -> Option<u32> {
        self.placed(material).map(|texture| texture.set)
    }

    /// Texture coordinates as the material moves them.
    pub fn moved(&self, material: usize, place: Vec2) -> Vec2 {
        let Some(Use { transform, .. }) = self.placed(material) else {
            return place;
        };
        if *transform == TextureTransform::default() {
            return place;
        }
        let [x, y] = (place * Vec2::from_array(transform.scale.unwrap_or([1.0; 2]))).to_array();
        let (sine, cosine) = transform.rotation.sin_cos();
        // As KHR_texture_transform has it: clockwise where y is down.
        let turned = Vec2::new(cosine * x + sine * y, cosine * y - sine * x);
        turned + Vec2::from_array(transform.offset)
    }
}

/// The materials of a file before its pictures are read.
pub fn materials(document: &Document) -> Result<Looks, String> {
    let mut all = Vec::with_capacity(document.materials.len() + 1);
    for (index, material) in document.materials.iter().enumerate() {
        all.push(row(material).map_err(|what| format!("materials[{index}]: {what}"))?);
    }
    all.push(row(&document::Material::default())?);
    Ok(Looks { all })
}

fn row(material: &document::Material) -> Result<Row, String> {
    let pbr = &material.pbr_metallic_roughness;
    let strength = &material.extensions.strength;
    let strength = strength.as_ref().and_then(|of| of.emissive_strength);
    let emission = Vec3::from_array(material.emissive_factor) * strength.unwrap_or(1.0);
    let cutoff = material.alpha_cutoff.unwrap_or(0.5);
    let finite = [
        (
            "baseColorFactor",
            pbr.base_color_factor.iter().all(|c| c.is_finite()),
        ),
        ("emissiveFactor", emission.is_finite()),
        ("alphaCutoff", cutoff.is_finite()),
    ];
    if let Some((what, _)) = finite.iter().find(|(_, is_finite)| !is_finite) {
        return Err(format!("its {what} is not finite"));
    }
    let color = pbr.base_color_factor.map(|c| c.clamp(0.0, 1.0));
    let picture = pbr.base_color_texture.as_ref().map(Use::of);
    let mut was_blended = false;
    let look = match material.alpha_mode.as_deref() {
        None | Some("OPAQUE") => Look::Opaque,
        Some("MASK") if picture.is_none() && color[3] >= cutoff => Look::Opaque,
        Some("MASK") => Look::Masked(cutoff),
        Some("BLEND") if picture.is_some() => {
            was_blended = true;
            Look::Masked(0.5)
        }
        Some("BLEND") if color[3] >= OPAQUE => Look::Opaque,
        Some("BLEND") => Look::Pane,
        Some(other) => {
            return Err(format!(
                "its alphaMode is {other}; OPAQUE, MASK and BLEND are known"
            ));
        }
    };
    Ok(Row {
        look,
        color,
        emission: emission.clamp(Vec3::ZERO, Vec3::splat(MOST_RADIANCE)),
        double_sided: material.double_sided,
        unlit: material.extensions.unlit.is_some(),
        was_blended,
        picture,
        glow: material.emissive_texture.as_ref().map(Use::of),
    })
}

/// Remarks on the materials that are used, reads their pictures, and puts both into the model.
pub fn finish(
    document: &Document,
    buffers: &Buffers,
    folder: Folder,
    looks: &Looks,
    used: &[bool],
    remarks: &mut Remarks,
    model: &mut Model,
) -> Result<(), Fault> {
    let mut read = pictures::Reader::new(document, buffers, folder);
    let mut layers = Vec::new();
    for (index, row) in looks.all.iter().enumerate() {
        if !used[index] {
            layers.push([None; 2]);
            continue;
        }
        if let Some(material) = document.materials.get(index) {
            remark(material, remarks);
        }
        if row.was_blended {
            let what = "translucent materials with a picture";
            remarks.add(what, "shown opaque where their alpha is at least a half");
        }
        let named = |what: String| format!("materials[{index}]: {what}");
        let mut layer = |texture: &Use, remarks: &mut Remarks| {
            layer_of(document, texture, remarks, &mut read).map_err(named)
        };
        let picture = match &row.picture {
            Some(texture) => layer(texture, remarks)?,
            None => None,
        };
        // The corners have the coordinates of one texture.
        let glow = match (&row.picture, &row.glow) {
            (Some(first), Some(glow))
                if (first.set, &first.transform) != (glow.set, &glow.transform) =>
            {
                remarks.add(
                    "emissive pictures with their own texture coordinates",
                    "left out",
                );
                None
            }
            (_, glow) => glow.as_ref(),
        };
        let glow = match glow {
            Some(texture) => layer(texture, remarks)?,
            None => None,
        };
        layers.push([picture, glow]);
    }
    model.pictures = read.finish()?;
    model.materials = looks
        .all
        .iter()
        .zip(layers)
        .map(|(row, [picture, glow])| Material {
            emission: row.emission,
            picture,
            glow,
            cutoff: match row.look {
                Look::Masked(cutoff) => Some(cutoff),
                _ => None,
            },
            alpha: row.color[3],
            double_sided: row.double_sided,
            unlit: row.unlit,
        })
        .collect();
    Ok(())
}

/// Remarks on what of a material is not shown.
fn remark(material: &document::Material, remarks: &mut Remarks) {
    let pbr = &material.pbr_metallic_roughness;
    for (what, is_there, becomes) in [
        (
            "normal textures",
            material.normal_texture.is_some(),
            "left out",
        ),
        (
            "occlusion textures",
            material.occlusion_texture.is_some(),
            "left out",
        ),
        (
            "metallic-roughness textures",
            pbr.metallic_roughness_texture.is_some(),
            "left out",
        ),
        (
            "metals",
            pbr.metallic_factor > 0.5 && pbr.metallic_roughness_texture.is_none(),
            "shown as matt surfaces of their colour",
        ),
    ] {
        if is_there {
            remarks.add(what, becomes);
        }
    }
}

/// The layer of a texture; none, with a remark, if its picture is of a kind that only extensions know.
fn layer_of(
    document: &Document,
    texture: &Use,
    remarks: &mut Remarks,
    read: &mut pictures::Reader,
) -> Result<Option<Layer>, String> {
    let index = texture.texture;
    let texture = document
        .textures
        .get(index)
        .ok_or_else(|| missing("textures", index))?;
    let Some(source) = texture.source else {
        remarks.add("textures without a PNG or JPEG", "left out");
        return Ok(None);
    };
    let wrap = match texture.sampler {
        None => [Wrap::Repeat; 2],
        Some(index) => {
            let sampler = document
                .samplers
                .get(index)
                .ok_or_else(|| missing("samplers", index))?;
            if sampler.mag_filter == Some(9728) {
                remarks.add("textures with hard texels", "shown smooth");
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
    Ok(Some(Layer {
        picture: read.wanted(source)?,
        wrap,
    }))
}
