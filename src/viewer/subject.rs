//! The subject of the window: a scene with time, camera and settings. Independent of winit and wgpu.

use crate::error::Result;
use crate::input::Disk;
use crate::model::Capabilities;
use crate::model::options::Options;
use crate::model::scene::{CameraPreset, Scene, Viewpoint};
use crate::model::settings::{Purpose, Settings, defaults_in};

/// Progress of the scene's time. The time itself is among the settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    pub running: bool,
    /// Scene seconds per second of real time.
    pub speed: f32,
}

pub struct Subject {
    pub scene: Scene,
    pub number: u64,
    pub settings: Settings,
    /// Values that reset buttons restore: this scene's settings on this adapter.
    pub defaults: Settings,
    pub clock: Clock,
    pub cameras: Vec<Viewpoint>,
}

impl Subject {
    /// Creates a scene with a running clock. Fails if the scene lacks the camera named in the settings.
    pub fn new(scene: Scene, settings: Settings, caps: &Capabilities) -> Result<Self> {
        settings.camera_in(&scene)?;
        Ok(Self {
            defaults: defaults_in(&settings.scene, scene.clone(), &Disk, caps, Purpose::Window)?,
            scene,
            number: 0,
            settings,
            clock: Clock {
                running: true,
                speed: 1.0,
            },
            cameras: Vec::new(),
        })
    }

    pub fn enter(&mut self, scene: Scene, settings: Settings, defaults: Settings) {
        self.number += 1;
        self.scene = scene;
        self.settings = settings;
        self.defaults = defaults;
    }

    /// Options that reset buttons restore, resolved for the current frame.
    pub fn usual_options(&self) -> Options {
        self.settings.settled(self.defaults.options)
    }

    pub fn advance_time(&mut self, seconds: f32) {
        if self.clock.running {
            self.settings.time += seconds * self.clock.speed;
        }
    }

    pub fn go_to_camera(&mut self, index: usize) {
        if let Some(preset) = self.scene.cameras.get(index) {
            self.settings.look_from(&self.scene, preset);
        }
    }

    pub fn go_to_stored(&mut self, index: usize) {
        if let Some(stored) = self.cameras.get(index).copied() {
            self.move_camera(|camera| *camera = stored);
        }
    }

    pub fn camera(&self) -> Result<Viewpoint> {
        let preset = self.settings.camera_in(&self.scene)?;
        Ok(preset.viewpoint())
    }

    /// Moves the camera. The camera keeps the name of the scene's camera from which it started.
    pub fn move_camera(&mut self, change: impl FnOnce(&mut Viewpoint)) {
        if let Ok(mut camera) = self.camera() {
            change(&mut camera);
            let preset = camera.named(&self.settings.camera);
            self.settings.look_from(&self.scene, &preset);
        }
    }

    pub fn next_camera(&mut self) {
        let presets = self.scene.cameras.iter().map(CameraPreset::viewpoint);
        let all: Vec<Viewpoint> = presets.chain(self.cameras.iter().copied()).collect();
        let now = self.camera().ok();
        let at = all.iter().position(|camera| Some(camera) == now.as_ref());
        let next = at.map_or(0, |at| (at + 1) % all.len().max(1));
        match next.checked_sub(self.scene.cameras.len()) {
            Some(stored) => self.go_to_stored(stored),
            None => self.go_to_camera(next),
        }
    }

    pub fn store_camera(&mut self) -> usize {
        self.cameras.extend(self.camera());
        self.cameras.len()
    }
}
