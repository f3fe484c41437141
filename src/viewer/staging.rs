//! The frame of a scene that is on its way, made on the thread that reads it: buffers are filled and pipelines compiled
//! before the window draws it.

use std::sync::Arc;

use crate::error::Result;
use crate::frame::{FrameShape, frame_input};
use crate::gpu::{Gpu, Pipelines};
use crate::live::Live;
use crate::model::methods::Method;
use crate::model::scene::Scene;
use crate::model::settings::Settings;

/// Where frames are made: a device and its pipelines, and the methods that are shown.
#[derive(Clone)]
pub(super) struct Stage {
    pub gpu: Gpu,
    pub pipelines: Arc<Pipelines>,
    /// Methods A and B, where both are shown.
    pub methods: Vec<Method>,
    pub losses: u32,
}

pub(super) struct Staged {
    pub live: Live,
    pub settings: Settings,
    pub losses: u32,
}

impl Stage {
    /// `change` has the last word about the frame's shape.
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
        // What the device says of it is for this thread, not for the window's next frame.
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
