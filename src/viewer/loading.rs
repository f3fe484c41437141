//! Requests for scenes, and reading of scenes on another thread. Independent of window and frame.

use std::path::PathBuf;

use crate::error::Result;
use crate::input::Disk;
use crate::model::files::ForBuffers;
use crate::model::scene::{Scene, SplatSpec};
use crate::model::settings::{Purpose, Request, Settings, defaults_in};
use crate::model::{Capabilities, scene};
use crate::paths::last_part;
use crate::progress::Listener;

use super::preset::Preset;

#[derive(Clone, Debug)]
pub enum Load {
    Open(String),
    Preset(Box<Preset>, PathBuf),
    /// Files of the scene that is shown in outline, and the command line if it names the scene.
    Rest(Option<Box<Request>>),
    /// The current scene with other splat files, or with the same splat files placed differently.
    Place(Box<Scene>),
}

pub struct Loaded {
    pub load: Load,
    pub scene: Scene,
    pub defaults: Settings,
    /// Splat files that the scene itself names.
    pub own: Vec<SplatSpec>,
}

impl Load {
    /// Name of the scene to load, for messages. `shown` is the current scene.
    pub fn name(&self, shown: &Settings) -> String {
        match self {
            Load::Open(name) => last_part(name).to_owned(),
            Load::Preset(preset, _) => preset.settings.scene_name(),
            Load::Rest(_) | Load::Place(_) => shown.scene_name(),
        }
    }

    /// Name or path of the scene to load.
    fn scene<'a>(&'a self, shown: &'a Settings) -> &'a str {
        match self {
            Load::Open(name) => name,
            Load::Preset(preset, _) => &preset.settings.scene,
            Load::Rest(_) | Load::Place(_) => &shown.scene,
        }
    }

    /// Starts fetching files of a built-in scene that a page lacks. Returns true once it has all.
    #[cfg(target_arch = "wasm32")]
    pub fn has_files(&self, shown: &Settings) -> Result<bool> {
        let name = self.scene(shown);
        if !scene::names().contains(&name) {
            return Ok(true);
        }
        let splats = scene::outline(name, &Disk)?.splats;
        splats.iter().try_fold(true, |has, spec| {
            Ok(crate::browser::fetch(&spec.file)? && has)
        })
    }

    pub fn read(self, shown: &Settings, caps: &Capabilities, progress: Listener) -> Result<Loaded> {
        let files = &ForBuffers {
            files: &Disk,
            largest: Some(caps.max_binding_bytes),
        };
        let name = self.scene(shown);
        let splats = match &self {
            Load::Open(_) => None,
            Load::Preset(preset, _) => preset.settings.splats.as_deref(),
            Load::Rest(_) | Load::Place(_) => shown.splats.as_deref(),
        };
        let scene = match &self {
            Load::Place(scene) => {
                scene::check_splats("splats", &scene.splats)?;
                let mut scene = Scene::clone(scene);
                let placed = scene.load_splats(scene::files_of(name, files), progress);
                placed.map_err(|(_, error)| error)?;
                scene
            }
            _ => scene::load_telling(name, splats, files, progress)?,
        };
        let own = scene::outline(name, &Disk)?.splats;
        let defaults = defaults_in(name, scene.clone(), &Disk, caps, Purpose::Window)?;
        if let Load::Preset(preset, _) = &self {
            preset.settings.camera_in(&scene)?;
        }
        Ok(Loaded {
            load: self,
            scene,
            defaults,
            own,
        })
    }
}

impl Loaded {
    /// Settings for the loaded scene, based on the present settings `now`.
    pub fn settings(&self, now: &Settings) -> Result<Settings> {
        Ok(match &self.load {
            Load::Open(_) => Settings {
                size: now.size,
                options: now.options,
                seed: now.seed,
                ..self.defaults.clone()
            },
            Load::Preset(preset, _) => preset.settings.clone(),
            Load::Rest(None) => now.clone(),
            Load::Place(_) => {
                let splats = &self.scene.splats;
                Settings {
                    splats: (*splats != self.own).then(|| splats.clone()),
                    ..now.clone()
                }
            }
            Load::Rest(Some(request)) => {
                let mut settings = now.clone();
                let before = request.camera.viewpoint();
                let is_where_it_began = now.moved_camera.is_none_or(|moved| moved == before);
                if now.camera == request.camera.name && is_where_it_began {
                    // The cameras of a file are known only after reading it.
                    let request = request.in_scene(self.scene.clone())?;
                    settings.look_from(&self.scene, &request.camera);
                }
                settings
            }
        })
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::model::settings::SceneArgs;
    use crate::viewer::state::State;

    const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/splats/inria-3.ply");

    /// State of a window that shows the scene in outline, as requested on the command line.
    fn state(args: &SceneArgs) -> (State, Request) {
        let request = args.check_outline(&Disk).unwrap();
        let caps = Capabilities::default();
        let (settings, _) = request.settle(&caps, Purpose::Window).unwrap();
        let scene = request.scene.clone();
        let state = State::new(scene, settings, Vec::new(), caps).unwrap();
        (state, request)
    }

    fn of_two() -> State {
        let two = SceneArgs {
            scene: "two".to_owned(),
            ..SceneArgs::default()
        };
        state(&two).0
    }

    fn read(state: &mut State) -> Result<Loaded> {
        let next = state.files.next.take();
        let load = next.or_else(|| state.files.placing(&state.subject.scene));
        let (shown, caps) = (&state.subject.settings, &state.machine.caps);
        load.unwrap().read(shown, caps, &mut |_| Ok(()))
    }

    fn read_and_show(state: &mut State) {
        let loaded = read(state).unwrap();
        state.show(loaded).unwrap();
    }

    #[test]
    fn the_old_scene_stays_until_the_file_is_read_and_a_second_file_stands_beside_it() {
        let second = FILE.replace("inria-3", "inria-1");
        let mut state = of_two();
        state.subject.settings.size = [64, 48];
        state.go_to_scene(FILE).unwrap();
        // The second file is requested before the first is loaded.
        state.add_file(Path::new(&second)).unwrap();
        let loaded = read(&mut state).unwrap();
        assert_eq!(state.subject.scene.name, "two");
        state.show(loaded).unwrap();
        assert_eq!(state.subject.scene.name, "inria-3");
        assert_eq!(state.subject.settings.size, [64, 48]);
        let alone = state.subject.settings.clone();
        read_and_show(&mut state);
        assert_eq!(state.subject.scene.placed_splats.sets.len(), 2);
        // A changed placement is read again, and stored in the command line and in presets.
        let axes = state.subject.scene.placed_splats.axes[1].next();
        let spec = &mut state.files.splats[1];
        (spec.position, spec.axes) = ([0.0, 2.0, 0.0], Some(axes));
        read_and_show(&mut state);
        assert!(state.files.placing(&state.subject.scene).is_none());
        assert_eq!(state.subject.scene.placed_splats.axes[1], axes);
        let (scene, camera) = state.preset().settings.load(&Disk).unwrap();
        assert_eq!(scene.placed_splats, state.subject.scene.placed_splats);
        assert_eq!(camera.viewpoint(), state.subject.camera().unwrap());
        let words = format!("{second:?},position:(0.0,2.0,0.0)");
        assert!(state.command().contains(&words), "{}", state.command());
        // An unchanged placement is not stored.
        state.files.splats.clone_from(&state.files.own);
        read_and_show(&mut state);
        assert_eq!(state.subject.settings, alone);
    }

    #[test]
    fn a_window_begins_with_the_files_outline_and_goes_to_the_camera_asked_for_unless_it_was_moved()
    {
        let args = SceneArgs {
            file: Some(FILE.to_owned()),
            camera: Some("left".to_owned()),
            fov: Some(30.0),
            ..SceneArgs::default()
        };
        for is_moved in [false, true] {
            let (mut state, request) = state(&args);
            state.read_the_rest(Some(request));
            assert!(state.files.is_outline && state.messages.has("opening"));
            if is_moved {
                state.subject.move_camera(|camera| camera.zoom(1.0, 30.0));
            }
            let before = state.subject.camera().unwrap();
            read_and_show(&mut state);
            assert!(!state.files.is_outline && state.subject.scene.placed_splats.count() > 0);
            let expected = args.check(&Disk).unwrap().camera.viewpoint();
            let now = state.subject.camera().unwrap();
            assert_eq!(now == before, is_moved);
            assert_eq!(now == expected, !is_moved, "{now:?} for {expected:?}");
        }
    }
}
