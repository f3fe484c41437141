//! Models read from glTF 2.0 files: opaque triangles with materials and pictures, panes, and remarks about ignored
//! contents. Independent of scenes and the GPU. docs/meshes.md lists the supported features.

pub(super) mod accessors;
pub(super) mod container;
pub(super) mod document;
mod json;
mod materials;
pub(super) mod nodes;
mod panes;
mod pictures;
mod primitives;
pub(super) mod remarks;
mod stack;
mod uri;

use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use glam::{Vec2, Vec3};

use crate::error::{Error, Result};
use crate::model::files::{Fault, Files, Folder, Opened};
use crate::model::kind::{Kind, RECORD, SplatKind, kind_of};
use crate::progress::{Listener, Progress};

pub use panes::MOST_PANES;
pub use pictures::{MOST_PICTURES, Picture};
pub use stack::Stack;

/// Maximum triangles: keeps their buffer below the 128 MiB that every adapter can bind.
pub const MOST_TRIANGLES: usize = 1_000_000;
const MOST_BYTES: u64 = 1 << 30;

/// Content of a file: right-handed, y up, in the file's units, which should be metres.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// Opaque triangles.
    pub mesh: Arc<Mesh>,
    pub materials: Vec<Material>,
    /// Pictures of the materials, at most [`MOST_PICTURES`].
    pub pictures: Vec<Picture>,
    /// Flat translucent surfaces.
    pub panes: Vec<Pane>,
    /// Ignored contents of the file, a line per kind.
    pub remarks: Vec<String>,
    /// True if the file is self-contained.
    pub is_whole: bool,
}

/// Triangles with shared corners.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    pub corners: Vec<Corner>,
    pub triangles: Vec<Triangle>,
}

impl Mesh {
    pub fn corners_of(&self, triangle: &Triangle) -> [Corner; 3] {
        triangle.corners.map(|corner| self.corners[corner as usize])
    }
}

/// A triangle, counter-clockwise seen from its front.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle {
    pub corners: [u32; 3],
    pub material: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Corner {
    /// Finite.
    pub position: Vec3,
    /// Unit vector to the front.
    pub normal: Vec3,
    /// Linear, 0…1: base colour of its material times its own.
    pub albedo: Vec3,
    /// Coordinates in its material's pictures; (0, 0) is the corner of the first texel. Finite.
    pub place: Vec2,
}

/// Material of triangles, apart from the colours of their corners.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Material {
    /// Emitted radiance, or the factor on its picture.
    pub emission: Vec3,
    /// Factor on the colour.
    pub picture: Option<Layer>,
    /// Factor on the emission.
    pub glow: Option<Layer>,
    /// Invisible where `alpha` times the picture's alpha is below this; `None`: visible everywhere.
    pub cutoff: Option<f32>,
    /// Factor on the picture's alpha.
    pub alpha: f32,
    pub double_sided: bool,
    /// True if its colour is its radiance, independent of lights.
    pub unlit: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layer {
    pub picture: u32,
    /// Behaviour beyond its edges, along x and y.
    pub wrap: [Wrap; 2],
}

/// Behaviour of a picture beyond its edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wrap {
    #[default]
    Repeat,
    Clamp,
    Mirror,
}

/// A flat translucent surface: a parallelogram.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pane {
    pub center: Vec3,
    /// From the centre to the middle of an edge.
    pub half_u: Vec3,
    /// From the centre to the middle of the adjacent edge.
    pub half_v: Vec3,
    /// Linear, 0…1.
    pub albedo: Vec3,
    /// Emitted radiance.
    pub emission: Vec3,
    /// 0…1.
    pub opacity: f32,
}

/// Reads a model. Files that it names are opened only in its own folder. Errors of `progress` end the reading.
pub fn read(path: &Path, files: &dyn Files, progress: Listener) -> Result<Model> {
    let name = path.display().to_string();
    let bad = |reason: String| Error::usage(format!("{name}: {reason}"));
    let file = files.open(path).map_err(bad)?;
    let bytes = whole(file).map_err(bad)?;
    of_bytes(&bytes, Folder::of(path, files), &name, progress)
}

/// Reads a model from bytes in memory. `name` identifies it in messages, and files that it names are in `folder`.
pub fn of_bytes(bytes: &[u8], folder: Folder, name: &str, progress: Listener) -> Result<Model> {
    let mut step = |next: &str, done: usize| {
        let next = format!("{next} {name}");
        progress(Progress::step(next, done, 4)).map_err(Fault::Ended)
    };
    let model = match kind_of(bytes, name) {
        Kind::Model | Kind::Splats(SplatKind::Gltf) => model_of(bytes, folder, &mut step),
        Kind::Other(reason) => Err(Fault::Bad(reason)),
        Kind::Splats(_) => Err(Fault::bad("it holds splats and no model")),
        Kind::Scene => Err(Fault::bad("it is a scene and no model")),
        Kind::Record => Err(Fault::bad(RECORD)),
    };
    model.map_err(|fault| fault.of_file(name))
}

fn model_of(
    bytes: &[u8],
    folder: Folder,
    step: &mut dyn FnMut(&str, usize) -> Result<(), Fault>,
) -> Result<Model, Fault> {
    step("read", 0)?;
    let parts = container::parts(bytes)?;
    let document = document::Document::parse(parts.json)?;
    let mut remarks = remarks::Remarks::of(&document);
    step("read the buffers of", 1)?;
    let buffers = accessors::Buffers::read(&document, parts.binary, folder)?;
    let tree = nodes::Tree::of(&document, &mut remarks)?;
    step("read the pictures of", 2)?;
    let used = tree.materials(&document);
    let looks = materials::read(&document, &buffers, folder, &used, &mut remarks)?;
    step("place the meshes of", 3)?;
    let mut model = Model::default();
    nodes::place(&document, &buffers, &tree, &looks, &mut remarks, &mut model)?;
    looks.finish(&mut model);
    model.remarks = remarks.texts();
    if model.mesh.triangles.is_empty() && model.panes.is_empty() {
        let mut reason = "it has no triangles that can be shown".to_owned();
        if !model.remarks.is_empty() {
            reason = format!("{reason} ({})", model.remarks.join("; "));
        }
        return Err(Fault::Bad(reason));
    }
    model.is_whole = document.is_whole();
    Ok(model)
}

pub(super) fn whole(Opened { bytes, length }: Opened) -> Result<Vec<u8>, String> {
    let too_long = || {
        format!(
            "it is too long: the limit for a model is {} MiB",
            MOST_BYTES >> 20
        )
    };
    if length > MOST_BYTES {
        return Err(too_long());
    }
    let mut all = Vec::new();
    all.try_reserve_exact(length as usize)
        .map_err(|_| format!("its {length} bytes need more memory than there is"))?;
    // The file may grow while it is read.
    bytes
        .take(MOST_BYTES + 1)
        .read_to_end(&mut all)
        .map_err(|error| error.to_string())?;
    if all.len() as u64 > MOST_BYTES {
        return Err(too_long());
    }
    Ok(all)
}
