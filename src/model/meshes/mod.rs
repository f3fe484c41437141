//! Models read from glTF 2.0 files: triangles with materials and pictures, panes, and remarks about ignored contents.
//! docs/meshes.md lists the supported features.

pub(super) mod accessors;
pub(super) mod container;
pub(super) mod document;
mod json;
mod materials;
mod model;
pub(super) mod nodes;
mod panes;
mod pictures;
mod primitives;
pub(super) mod remarks;
mod stack;
mod uri;
mod vertex;

use std::io::Read as _;
use std::path::Path;

use crate::error::{Error, Result};
use crate::model::files::{Fault, Files, Folder, Opened, ensure};
use crate::model::kind::{FileKind, RECORD, SplatKind, kind_of};
use crate::progress::{Listener, Progress};

pub use model::{Corner, Layer, MOST_TRIANGLES, Material, Mesh, Model, Pane, Triangle, Wrap};
pub use panes::MOST_PANES;
pub use pictures::{MOST_PICTURES, Picture};
pub use stack::Stack;

const MOST_BYTES: u64 = 1 << 30;

/// Reads a model. Opens the files that the model names, but only in its own folder. An error from `progress` stops the reading.
pub fn read(path: &Path, files: &dyn Files, progress: Listener) -> Result<Model> {
    let name = path.display().to_string();
    let bad = |reason: String| Error::usage(format!("{name}: {reason}"));
    let file = files.open(path).map_err(bad)?;
    let bytes = whole(file).map_err(bad)?;
    of_bytes(&bytes, Folder::of(path, files), &name, progress)
}

/// Reads a model from bytes. `name` identifies the model in messages; the files that it names are in `folder`.
pub fn of_bytes(bytes: &[u8], folder: Folder, name: &str, progress: Listener) -> Result<Model> {
    let mut step = |next: &str, done: usize| {
        let next = format!("{next} {name}");
        progress(Progress::step(next, done, 4)).map_err(Fault::Ended)
    };
    let model = match kind_of(bytes, name) {
        FileKind::Model | FileKind::Splats(SplatKind::Gltf) => model_of(bytes, folder, &mut step),
        FileKind::Other(reason) => Err(reason.into()),
        FileKind::Splats(_) => Err("it contains splats, not a model".into()),
        FileKind::Scene => Err("it is a scene, not a model".into()),
        FileKind::Record => Err(RECORD.into()),
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
    let limit = MOST_BYTES >> 20;
    let check = |length| {
        ensure!(
            length <= MOST_BYTES,
            "it is too long: the limit for a model is {limit} MiB"
        );
        Ok(())
    };
    check(length)?;
    let mut all = Vec::new();
    all.try_reserve_exact(length as usize)
        .map_err(|_| format!("its {length} bytes need more memory than there is"))?;
    // The file may grow while it is being read.
    bytes
        .take(MOST_BYTES + 1)
        .read_to_end(&mut all)
        .map_err(|error| error.to_string())?;
    check(all.len() as u64).map(|()| all)
}
