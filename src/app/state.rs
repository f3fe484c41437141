//! What the window shows and the panel changes. Knows neither winit nor wgpu.

use crate::error::Result;
use crate::gpu::Capabilities;
use crate::methods::Method;
use crate::scene::{self, Scene};
use crate::settings::Settings;
use crate::verify::self_test::MethodStatus;

use super::camera::FreeCamera;

/// Lines kept in the log.
const LOG_LINES: usize = 200;

/// What the two methods' results are shown as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// The picture itself, split between A and B.
    #[default]
    Picture,
    /// |A - B| per channel.
    Absolute,
    /// A - B: red above, blue below.
    Signed,
    /// Red where they differ, on the grey picture.
    RedOnGrey,
    /// log10 of the largest channel's difference, 1e-9 to 1.
    Log,
    /// Units in the last place, log2.
    Ulp,
}

impl View {
    /// All views in the order of the shader's modes, with name and explanation.
    pub const ALL: [(View, &'static str, &'static str); 6] = [
        (
            View::Picture,
            "picture",
            "method A left of the split, method B right of it",
        ),
        (
            View::Absolute,
            "absolute",
            "|A - B| per colour channel, amplified",
        ),
        (
            View::Signed,
            "signed",
            "red where A is above B, blue where it is below, amplified",
        ),
        (
            View::RedOnGrey,
            "red on grey",
            "red where A and B differ, amplified, on the picture in grey",
        ),
        (
            View::Log,
            "log10",
            "largest difference of r, g, b, T from 1e-9 (violet) to 1 (yellow); black is equal",
        ),
        (
            View::Ulp,
            "ULP",
            "largest difference in units in the last place at max(|A|, 2^-14), log2 from 0 to 10",
        ),
    ];

    /// The next view in order.
    pub fn next(self) -> View {
        let index = View::ALL.iter().position(|row| row.0 == self).unwrap_or(0);
        View::ALL[(index + 1) % View::ALL.len()].0
    }
}

/// The scene's clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    /// Seconds.
    pub time: f32,
    /// Whether it runs.
    pub running: bool,
    /// Scene seconds per second.
    pub speed: f32,
}

impl Clock {
    /// Advances by `seconds` of real time.
    pub fn advance(&mut self, seconds: f32) {
        if self.running {
            self.time += seconds * self.speed;
        }
    }

    /// One frame of a 60 Hz display forward.
    pub fn step(&mut self) {
        self.time += self.speed / 60.0;
    }
}

/// Everything that keys and panel change.
pub struct State {
    /// The scene.
    pub scene: Scene,
    /// Size, counts, dials. Time and camera are in `clock` and `camera`.
    pub settings: Settings,
    /// The scene's clock.
    pub clock: Clock,
    /// The camera.
    pub camera: FreeCamera,
    /// Method on the left, and the one that differences are taken of.
    pub method: Method,
    /// Method on the right, and the one that differences are taken from.
    pub other: Method,
    /// The method that the reference key shows.
    pub reference: Method,
    /// Whether the reference key is held.
    pub hold_reference: bool,
    /// Whether the view is split.
    pub split_on: bool,
    /// Where the split is, 0…1 of the picture's width.
    pub split: f32,
    /// What is shown.
    pub view: View,
    /// log10 of the factor on differences, 0…7.
    pub amplify_log10: f32,
    /// Whether presenting waits for the display.
    pub vsync: bool,
    /// Whether the panel is open.
    pub panel_open: bool,
    /// Whether the key window is open.
    pub keys_open: bool,
    /// Every method and whether it can be used here.
    pub statuses: Vec<MethodStatus>,
    /// The adapter.
    pub caps: Capabilities,
    /// Messages, newest last.
    pub log: Vec<String>,
    /// A picture was asked for.
    pub screenshot: bool,
    /// The user wants out.
    pub quit: bool,
}

impl State {
    /// Whether `method` can be used here.
    pub fn is_usable(&self, method: Method) -> bool {
        self.statuses
            .iter()
            .any(|status| status.method == method && status.unavailable.is_none())
    }

    /// Picks method A; an unavailable one is only explained.
    pub fn pick(&mut self, method: Method) {
        match self.statuses.iter().find(|status| status.method == method) {
            Some(MethodStatus {
                unavailable: Some(reason),
                ..
            }) => self.say(format!("{method} cannot run here: {reason}")),
            _ => self.method = method,
        }
    }

    /// The next usable method for the right side.
    pub fn next_other(&mut self) {
        let usable: Vec<Method> = Method::all()
            .filter(|method| self.is_usable(*method))
            .collect();
        let at = usable.iter().position(|method| *method == self.other);
        if let Some(next) = usable.get((at.unwrap_or(0) + 1) % usable.len().max(1)) {
            self.other = *next;
        }
    }

    /// Adds a line to the log.
    pub fn say(&mut self, line: impl Into<String>) {
        self.log.push(line.into());
        let surplus = self.log.len().saturating_sub(LOG_LINES);
        self.log.drain(..surplus);
    }

    /// Goes to another scene: its first camera, its best moment; size and dials stay.
    ///
    /// # Errors
    /// No such scene (exit code 2).
    pub fn go_to_scene(&mut self, name: &str) -> Result<()> {
        let scene = scene::load(name)?;
        self.settings.scene = scene.name.clone();
        self.settings.fog_slices = self.settings.fog_slices.min(scene.fog_slices.max(1));
        self.clock.time = scene.best_time;
        self.scene = scene;
        self.go_to_camera(0);
        Ok(())
    }

    /// Goes to camera preset `index` of the scene.
    pub fn go_to_camera(&mut self, index: usize) {
        if let Some(preset) = self.scene.cameras.get(index) {
            self.settings.camera = preset.name.clone();
            self.camera = FreeCamera::at(preset);
        }
    }

    /// Goes to the next camera preset.
    pub fn next_camera(&mut self) {
        let count = self.scene.cameras.len().max(1);
        let at = self
            .scene
            .cameras
            .iter()
            .position(|camera| camera.name == self.settings.camera);
        self.go_to_camera(at.map_or(0, |at| (at + 1) % count));
    }

    /// The method shown on the left: the reference while its key is held.
    pub fn left(&self) -> Method {
        if self.hold_reference {
            self.reference
        } else {
            self.method
        }
    }

    /// The method that B is needed for, if the view needs one.
    pub fn right(&self) -> Option<Method> {
        let needed = self.view != View::Picture || (self.split_on && !self.hold_reference);
        needed.then_some(self.other)
    }
}
