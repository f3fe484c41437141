//! Files of the current scene and of the next one. Opens no file.

use crate::model::scene::{Scene, SplatColors, SplatSpec, ToneCurve};
use crate::model::splats::Axes;

use super::loading::Load;
use super::window_state::Recent;

#[derive(Default)]
pub struct SceneFiles {
    /// The scene to read next, while the current one is shown.
    pub next: Option<Load>,
    /// The scene's splat files as edited in the pane. If they differ from the files shown, they are read.
    pub splats: Vec<SplatSpec>,
    /// Splat files that the scene itself names.
    pub own: Vec<SplatSpec>,
    /// Splat files to add to the list when no scene is being read.
    added: Vec<String>,
    /// Text of the path field in the pane "Scene".
    pub typed: String,
    pub recent: Recent,
    /// True while the scene is shown in outline and its files are being read.
    pub is_outline: bool,
}

impl SceneFiles {
    pub fn of(scene: &Scene) -> Self {
        Self {
            splats: scene.splats.clone(),
            own: scene.splats.clone(),
            ..Self::default()
        }
    }

    /// Adds a splat file at its default position, to be read on another thread.
    pub fn add(&mut self, file: String) {
        self.added.push(file);
    }

    pub fn remove(&mut self, index: usize) {
        if index < self.splats.len() {
            self.splats.remove(index);
        }
    }

    /// Advances the axes of every splat file to the next common choice. `shown` are the present axes.
    pub fn turn(&mut self, shown: &[Axes]) {
        for (spec, axes) in self.splats.iter_mut().zip(shown) {
            spec.axes = Some(axes.next());
        }
    }

    /// Request to read the splat files if they differ from those in `shown`.
    pub fn placing(&mut self, shown: &Scene) -> Option<Load> {
        let colors = match shown.tone_curve {
            ToneCurve::Encoded => SplatColors::Linear,
            _ => SplatColors::Srgb,
        };
        for file in self.added.drain(..) {
            self.splats.push(SplatSpec::new(&file, colors));
        }
        if self.is_outline || self.splats == shown.splats {
            return None;
        }
        Some(Load::Place(Box::new(Scene {
            splats: self.splats.clone(),
            ..shown.clone()
        })))
    }

    /// Reverts to `shown` after a scene could not be read.
    pub fn stay(&mut self, shown: &Scene) {
        self.is_outline = false;
        self.splats.clone_from(&shown.splats);
    }
}
