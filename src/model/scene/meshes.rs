//! Reads model files and places them in a scene in world space, with a single list of triangles for all files.

use std::collections::HashMap;
use std::sync::Arc;

use glam::DVec3;

use super::file::{MOST_SHEETS, MeshSpec, Scene};
use super::last_read::{LastRead, Placement};
use super::named::{Named, remark};
use super::placed_meshes::{PlacedMesh, PlacedMeshes, Pose, turn_of};
use crate::error::{Error, Result};
use crate::model::layout::Material;
use crate::model::meshes;
use crate::model::meshes::{Layer, MOST_PICTURES, MOST_TRIANGLES, Model, Stack, Wrap};
use crate::paths::last_part;
use crate::progress::{Listener, Progress};

impl Pose {
    fn of(spec: &MeshSpec) -> Option<(&str, Self)> {
        let MeshSpec::File {
            file,
            position,
            rotation,
            scale,
        } = spec
        else {
            return None;
        };
        let place = Self {
            origin: DVec3::from_array(position.map(f64::from)),
            turn: turn_of(*rotation),
            scale: f64::from(*scale),
        };
        Some((file, place))
    }
}

/// A material for the GPU; the material's pictures are numbered from `first`.
fn packed_material(material: &meshes::Material, first: u32) -> Material {
    let picture = |layer: &Option<Layer>| layer.map_or(u32::MAX, |layer| first + layer.picture);
    let wraps = |layer: &Option<Layer>| {
        let [x, y] = layer.map_or([Wrap::default(); 2], |layer| layer.wrap);
        let code = |wrap| match wrap {
            Wrap::Repeat => 0,
            Wrap::Clamp => 1,
            Wrap::Mirror => 2u32,
        };
        code(x) | code(y) << 2
    };
    Material {
        emission: material.emission.to_array(),
        cutoff: material.cutoff.unwrap_or(0.0).max(0.0),
        alpha: material.alpha,
        picture: picture(&material.picture),
        glow: picture(&material.glow),
        flags: u32::from(material.double_sided)
            | u32::from(material.unlit) << 1
            | wraps(&material.picture) << 2
            | wraps(&material.glow) << 6,
    }
}

fn packed(models: &[(Pose, Arc<Model>)]) -> PlacedMeshes {
    let mut packed = PlacedMeshes::default();
    let mut pictures = Vec::new();
    for (place, model) in models {
        let first_picture = pictures.len() as u32;
        let is_plain = |of: &meshes::Material| of.cutoff.is_none() && !of.double_sided;
        packed.placed.push(PlacedMesh {
            place: *place,
            mesh: Arc::clone(&model.mesh),
            first_material: packed.materials.len() as u32,
            plain: model.materials.iter().map(is_plain).collect(),
        });
        let materials = model.materials.iter();
        (packed.materials).extend(materials.map(|of| packed_material(of, first_picture)));
        pictures.extend(&model.pictures);
        (packed.panes).extend(model.panes.iter().map(|pane| place.pane(pane)));
    }
    packed.pictures = Stack::of(&pictures);
    packed
}

static LAST: LastRead<MeshSpec, PlacedMeshes> = LastRead::new();

impl Scene {
    /// Model files among the scene's meshes: index, name and placement.
    fn model_files(&self) -> impl Iterator<Item = (usize, &str, Pose)> {
        let meshes = self.meshes.iter().enumerate();
        meshes.filter_map(|(index, spec)| {
            let (file, place) = Pose::of(spec)?;
            Some((index, file, place))
        })
    }

    pub fn names_models(&self) -> bool {
        self.model_files().next().is_some()
    }

    /// Reads model files. Shares a model that another scene holds in the same placement, unless it names other files.
    /// Errors include the file's index in [`Scene::meshes`].
    pub fn load_meshes(&mut self, files: Named, progress: Listener) -> Result<(), (usize, Error)> {
        if !self.names_models() {
            self.placed_meshes = Arc::default();
            return Ok(());
        }
        let seen = self.model_files().map(|(_, file, _)| files.look(file));
        let placement = Placement::of(&self.meshes, seen);
        if let Some(packed) = LAST.get(placement.as_ref()) {
            self.placed_meshes = packed;
            return Ok(());
        }
        let all = self.model_files().count();
        let mut read: HashMap<&str, Arc<Model>> = HashMap::new();
        let mut models: Vec<Arc<Model>> = Vec::new();
        for (index, file, _) in self.model_files() {
            if !read.contains_key(file) {
                let before = models.len() as f64;
                let mut told = |at: Progress| {
                    let done = (before + at.done) / all as f64;
                    progress(Progress { done, ..at })
                };
                let model = meshes::read(&files.path_of(file), files.files(), &mut told);
                read.insert(file, Arc::new(model.map_err(|error| (index, error))?));
            }
            models.push(Arc::clone(&read[file]));
        }
        let stands_alone = models.iter().all(|model| model.is_whole);
        self.place_meshes(&models)?;
        LAST.keep(placement.filter(|_| stands_alone), &self.placed_meshes);
        Ok(())
    }

    /// Places models that are in memory, one per file of [`Scene::meshes`].
    pub fn place_meshes(&mut self, models: &[Arc<Model>]) -> Result<(), (usize, Error)> {
        let solids: u64 = self.meshes.iter().map(MeshSpec::triangles).sum();
        let (mut triangles, mut panes) = (solids as usize, self.sheets.len());
        let mut pictures = 0;
        let mut placed = Vec::new();
        let mut remarks = Vec::new();
        for ((index, file, place), model) in self.model_files().zip(models) {
            triangles += model.mesh.triangles.len();
            panes += model.panes.len();
            pictures += model.pictures.len();
            for (count, most, what) in [
                (triangles, MOST_TRIANGLES, "triangles"),
                (panes, MOST_SHEETS, "panes"),
                (pictures, MOST_PICTURES, "pictures"),
            ] {
                if count > most {
                    let error = Error::usage(format!(
                        "{file}: with it, the scene has {count} {what}; the limit is {most}"
                    ));
                    return Err((index, error));
                }
            }
            remark(&mut remarks, file, model.remarks.iter());
            placed.push((place, Arc::clone(model)));
        }
        let mut packed = packed(&placed);
        packed.remarks = remarks;
        self.placed_meshes = Arc::new(packed);
        Ok(())
    }

    /// Contents of the scene's files that were left out, guessed or moved: a line per kind, with the name of the file.
    pub fn remarks(&self) -> impl Iterator<Item = &String> {
        let splats = &self.placed_splats.remarks;
        let meshes = self.placed_meshes.remarks.iter();
        (splats.iter()).chain(meshes.filter(|line| !splats.contains(line)))
    }

    /// [`Scene::remarks`] as facts about a picture or report, without the folders of the files.
    pub fn noted(&self) -> impl Iterator<Item = (String, String)> {
        self.remarks().map(|line| {
            let (file, rest) = line.split_once(": ").unwrap_or(("", line));
            ("note".to_owned(), format!("{}: {rest}", last_part(file)))
        })
    }
}
