//! A saved picture of the screen, with embedded settings and the command that reproduces it. A thread writes the PNG.

use std::path::PathBuf;

use crate::error::{Error, Result};
use crate::gpu::shader::provenance::Provenance;
use crate::model::methods::Method;
use crate::model::settings::Settings;
use crate::report::png_file::encode_png;
use crate::report::range::DifferenceRange;

use super::background::TaskResult;
use super::captions::Captions;
use super::files::{folder_of, name_of, save, write};
use super::grab::Grab;
use super::painter::What;
use super::state::State;
use super::view::{Layout, View};

pub struct Shot {
    grab: Grab,
    file: Option<PathBuf>,
    settings: Settings,
    methods: Vec<Method>,
    /// Part of the file name in addition to the settings: a method or a view.
    what: String,
    command: String,
    shaders: Provenance,
    range: Option<DifferenceRange>,
    /// Names of A and B, if the picture shows both at their own resolution.
    captions: Option<Captions>,
    /// The pixel under the mouse with its values, if pixels are drawn large enough to show values.
    pointed_at: Option<String>,
    /// Contents of the scene's files that were left out, guessed or moved.
    noted: Vec<(String, String)>,
}

impl Shot {
    pub fn new(grab: Grab, what: What, file: Option<PathBuf>, state: &State) -> Self {
        let settings = state.subject.settings.published();
        let method = state.comparison.left();
        let methods = state.comparison.shown().into_iter().flatten().collect();
        let compare = &state.comparison.chosen;
        let is_single = compare.layout == Layout::Single || state.comparison.hold_reference;
        let is_plain = is_single
            && state.comparison.view_shown() == View::Picture
            && state.comparison.split_now() > 1.0;
        let captions = Captions::of(state).filter(|_| what == What::View && !is_plain);
        let (what, command) = match what {
            What::View | What::Part(_) if is_plain => (
                method.name().to_owned(),
                settings.command("capture", &[method]) + &state.machine.shaders.flag(),
            ),
            What::View | What::Part(_) => {
                let view = match (compare.layout, compare.view) {
                    (Layout::Single, View::Picture) => "beside",
                    _ => state.comparison.view_shown().name(),
                };
                let what = format!("{method}-{view}-{}", state.comparison.chosen.b);
                (what, state.command_of(&settings))
            }
            What::Window => (format!("window-{method}"), state.command_of(&settings)),
        };
        Self {
            grab,
            file,
            settings,
            methods,
            what,
            command,
            shaders: state.machine.shaders.clone(),
            captions,
            range: state.comparison.range_shown().filter(|_| !is_plain),
            pointed_at: state.panes.picture.pointed_at.clone(),
            noted: state.subject.scene.noted().collect(),
        }
    }

    pub fn take(&self) -> Option<Result<impl FnOnce() -> Result<TaskResult> + Send + 'static>> {
        let mut canvas = match self.grab.take()? {
            Ok(canvas) => canvas,
            Err(error) => return Some(Err(error)),
        };
        if let Some(captions) = &self.captions {
            captions.write(&mut canvas);
        }
        let mut texts = self
            .settings
            .metadata(&self.methods, None, self.range, &self.shaders);
        texts.retain(|(name, _)| name != "command");
        texts.push(("view".to_owned(), self.what.clone()));
        texts.push(("command".to_owned(), self.command.clone()));
        texts.extend(self.pointed_at.clone().map(|of| ("pixel".to_owned(), of)));
        texts.extend(self.noted.iter().cloned());
        let folder = folder_of(&self.settings.scene_name());
        let name = name_of(&self.settings, &self.what);
        let file = self.file.clone();
        Some(Ok(move || {
            let bytes =
                encode_png(&canvas, &texts).map_err(|error| Error::failed(error.to_string()))?;
            let path = match file {
                Some(file) => write(&file, &bytes).map(|()| file)?,
                None => save(&folder, &name, ".png", &bytes)?,
            };
            Ok(TaskResult::Files("saved".to_owned(), path))
        }))
    }
}
