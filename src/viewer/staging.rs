//! Prepares the frame of a loading scene on the thread that reads it: fills buffers and compiles pipelines before the
//! window draws it.

use std::sync::Arc;

use crate::error::Result;
use crate::frame::{FrameShape, at_moment, frame_input};
use crate::gpu::{Gpu, Pipelines};
use crate::live::{Live, Wanted};
use crate::model::methods::Method;
use crate::model::scene::Scene;
use crate::model::settings::Settings;

/// Environment for preparing frames: a device with its pipelines, and the methods shown.
#[derive(Clone)]
pub(super) struct Stage {
    pub gpu: Gpu,
    pub pipelines: Arc<Pipelines>,
    /// Methods A and B, if both are shown.
    pub methods: Vec<Method>,
    pub losses: u32,
}

pub(super) struct Staged {
    pub live: Live,
    pub settings: Settings,
    pub losses: u32,
}

impl Stage {
    /// `change` may finally modify the frame's shape.
    pub fn make(
        self,
        scene: &Scene,
        settings: Settings,
        change: impl FnOnce(&mut FrameShape),
    ) -> Result<Staged> {
        let camera = settings.camera_in(scene)?;
        let mut input = frame_input(scene, &camera, &settings, &self.gpu.caps);
        change(&mut input.shape);
        let specialize = |method: &Method| settings.options.specialize(*method);
        let methods: Vec<_> = self.methods.iter().map(specialize).collect();
        // Device errors about it belong to this thread, not to the window's next frame.
        let made = self
            .gpu
            .catch(|| Live::compiled(&self.gpu, &self.pipelines, input, &methods))?;
        Ok(Staged {
            live: made?,
            settings,
            losses: self.losses,
        })
    }
}

/// Request for a frame of `live` in a scene: methods, without inspections.
pub(super) fn wanted_of(
    live: &Live,
    scene: &Scene,
    settings: &Settings,
    methods: [Option<Method>; 2],
) -> Result<Wanted> {
    let camera = settings.camera_in(scene)?;
    let (moment, emitters) = at_moment(live.shown.frame.input(), scene, &camera, settings);
    Ok(Wanted {
        moment,
        emitters,
        methods: methods.map(|method| method.map(|of| settings.options.specialize(of))),
        once: true,
        ..Wanted::default()
    })
}
