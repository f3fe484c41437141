//! The window that `desktop.rs` or `page.rs` opens.

use std::sync::Arc;

use winit::window::Window;

use crate::gpu::Gpu;
use crate::viewer::start::Start;
use crate::viewer::surface::Surface;

/// An open window with its device.
pub(super) struct Opened<S> {
    pub window: Arc<Window>,
    pub start: Start,
    pub gpu: Gpu,
    pub surface: Surface,
    pub system: S,
}
