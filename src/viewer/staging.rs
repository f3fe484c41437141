//! Prepares frames on other threads: fills buffers, compiles pipelines and, after shaders were edited, draws a frame.

use std::sync::Arc;
use web_time::{Duration, Instant};

use crate::error::Result;
use crate::frame::{FrameShape, at_moment, frame_input};
use crate::gpu::pipeline::edited::Edited;
use crate::gpu::shader::ShaderSource;
use crate::gpu::shader::error_location::ShaderFault;
use crate::gpu::{Gpu, Pipelines};
use crate::live::{Live, Wanted};
use crate::model::methods::Method;
use crate::model::scene::Scene;
use crate::model::settings::Settings;
use crate::progress::Listener;

use super::painter::ImagePipelines;
use super::subject::Subject;

#[derive(Clone)]
pub(super) struct Stage {
    pub gpu: Gpu,
    pub pipelines: Arc<Pipelines>,
    pub scene: u64,
    pub settings: Settings,
    /// Methods to compile in advance.
    pub methods: Vec<Method>,
}

pub(super) struct Staged {
    pub live: Live,
    pub stage: Stage,
}

pub(super) struct Change {
    pub source: ShaderSource,
    /// Reason for going back to these shaders; `None` after an edit.
    pub why: Option<String>,
}

pub(super) struct Changed {
    pub gpu: Gpu,
    pub edited: Edited,
    pub faults: Vec<ShaderFault>,
    pub took: Duration,
    pub why: Option<String>,
    /// A frame drawn with the new pipelines; `None` if no pipeline has changed, or one of them cannot be compiled.
    pub first: Result<Option<(Staged, ImagePipelines)>>,
}

impl Stage {
    pub fn of(gpu: &Gpu, pipelines: &Arc<Pipelines>, subject: &Subject) -> Self {
        Self {
            gpu: gpu.clone(),
            pipelines: Arc::clone(pipelines),
            scene: subject.number,
            settings: subject.settings.clone(),
            methods: Vec::new(),
        }
    }

    /// True if a frame made for this stage can also be drawn for `other`.
    pub fn fits(&self, other: &Self) -> bool {
        self.scene == other.scene
            && Arc::ptr_eq(&self.pipelines, &other.pipelines)
            && self.settings.fits_frame_of(&other.settings)
    }

    /// Creates the frame. `change` may modify the frame's shape first.
    pub fn make(self, scene: &Scene, change: impl FnOnce(&mut FrameShape)) -> Result<Staged> {
        let camera = self.settings.camera_in(scene)?;
        let mut input = frame_input(scene, &camera, &self.settings, &self.gpu.caps);
        change(&mut input.shape);
        let specialize = |method: &Method| self.settings.options.specialize(*method);
        let methods: Vec<_> = self.methods.iter().map(specialize).collect();
        // Errors of this frame must not fail the window's next frame.
        let made = self
            .gpu
            .catch(|| Live::compiled(&self.gpu, &self.pipelines, input, &methods))?;
        Ok(Staged {
            live: made?,
            stage: self,
        })
    }

    /// Compiles what depends on the changed source, and draws and paints a frame with it. The window is not affected.
    pub fn change(
        mut self,
        change: Change,
        (scene, wanted): (&Scene, &Wanted),
        format: wgpu::TextureFormat,
        progress: Listener,
    ) -> Result<Changed> {
        let began = Instant::now();
        let edited = self.pipelines.edited(change.source);
        let faults = edited.compile(progress)?;
        let took = began.elapsed();
        self.pipelines = Arc::clone(&edited.pipelines);
        let gpu = self.gpu.clone();
        let draw = || {
            let images = ImagePipelines::new(&self.gpu, &self.pipelines, format)?;
            let mut staged = self.make(scene, |_| ())?;
            let Stage { gpu, pipelines, .. } = &staged.stage;
            // These errors must not fail the window's next frame, either.
            gpu.catch(|| {
                staged.live.draw_whole(gpu, pipelines, wanted)?;
                images.try_out(gpu, staged.live.pictures())
            })??;
            Ok((staged, images))
        };
        let is_other = faults.is_empty() && !edited.stale().is_empty();
        Ok(Changed {
            first: is_other.then(draw).transpose(),
            gpu,
            edited,
            faults,
            took,
            why: change.why,
        })
    }
}

/// Requests a frame with these methods, without inspections.
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
