//! A calibration of `auto`, which has the GPU to itself: it opens the adapter anew on a thread of its own.

use crate::error::Result;
use crate::gpu::shader::ShaderSource;
use crate::gpu::{AdapterRequest, Gpu, Pipelines};
use crate::progress::Listener;
use crate::runs::calibrate::{Scope, calibrate, store};

use super::background::Made;

/// Measures what `auto` needs to know of the adapter, and keeps it for the next start.
pub fn calibration(
    adapter: &AdapterRequest,
    shaders: ShaderSource,
    progress: Listener,
) -> Result<Made> {
    let gpu = Gpu::open(adapter)?;
    let pipelines = Pipelines::new(shaders);
    let calibration = calibrate(&gpu, &pipelines, Scope::Frames, progress)?;
    let kept = store::keep(&calibration);
    Ok(Made::Calibration(Box::new(calibration), kept))
}
