//! The window on the screen: its surface, the panes' state between frames, and what is presented. Knows
//! nothing of scenes and methods.

use std::sync::Arc;

use egui_winit::accesskit_winit::{
    Adapter as AccessAdapter, Event as AccessEvent, WindowEvent as AccessWindowEvent,
};
use winit::dpi::{LogicalSize, PhysicalPosition};
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, EventLoopProxy};
use winit::monitor::MonitorHandle;
use winit::window::Window;

use crate::error::Result;
use crate::gpu::{AdapterRequest, Gpu, Pipelines};

use super::fitting::{KeptSize, Opening, centred, opening};
use super::grab::Grab;
use super::graphics::{Graphics, Presented};
use super::images::Image;
use super::painter::{Painting, Shown, What};
use super::{no_window, panes};

/// Points along the edges of the picture's room that belong to the panes beside it.
const EDGE: f32 = 3.0;

/// An open window and everything that draws into it.
pub(super) struct Screen {
    window: Arc<Window>,
    /// How it was opened.
    opening: Opening,
    graphics: Graphics,
    ui: egui_winit::State,
    is_occluded: bool,
    /// Whether a screen reader, or a program like one, reads the window.
    is_read: bool,
}

/// Opens a window that fits on its screen, and what tells screen readers of it; what they ask for comes as events
/// through `proxy`. `kept` is the size that the last window had.
///
/// # Errors
/// The window system refuses.
pub(super) fn open_window(
    event_loop: &ActiveEventLoop,
    proxy: EventLoopProxy<AccessEvent>,
    kept: Option<KeptSize>,
) -> Result<(Arc<Window>, Opening, AccessAdapter)> {
    let likely = likely_monitor(event_loop);
    let first = opening(likely.as_ref().and_then(points_of), kept);
    let attributes = Window::default_attributes()
        .with_title("wavelerp")
        // Screen readers have to know of the window before it is seen.
        .with_visible(false)
        .with_inner_size(logical(first.size));
    let window = event_loop.create_window(attributes);
    let window = window.map_err(|error| no_window(&error))?;
    let monitor = window.current_monitor().or(likely);
    let opening = opening(monitor.as_ref().and_then(points_of), kept);
    if opening != first {
        // The answer comes as an event.
        let _ = window.request_inner_size(logical(opening.size));
    }
    if let Some(monitor) = monitor.filter(|_| cfg!(windows)) {
        centre(&window, &monitor);
    }
    let adapter = AccessAdapter::with_event_loop_proxy(event_loop, &window, proxy);
    window.set_visible(true);
    if opening.is_maximized {
        // X11 knows no maximised windows but those that are seen.
        window.set_maximized(true);
    }
    Ok((Arc::new(window), opening, adapter))
}

/// The monitor that a window will open on, as far as that can be told before: the first one; where none is, the
/// smallest, because what fits there fits on all others.
fn likely_monitor(event_loop: &ActiveEventLoop) -> Option<MonitorHandle> {
    let area = |monitor: &MonitorHandle| {
        let [width, height] = points_of(monitor).unwrap_or([f32::MAX; 2]);
        width * height
    };
    event_loop.primary_monitor().or_else(|| {
        let all = event_loop.available_monitors();
        all.min_by(|a, b| area(a).total_cmp(&area(b)))
    })
}

/// A monitor's size in points, if it tells one.
fn points_of(monitor: &MonitorHandle) -> Option<[f32; 2]> {
    let size = monitor.size();
    let points = size.to_logical::<f32>(monitor.scale_factor());
    (size.width > 0 && size.height > 0).then_some([points.width, points.height])
}

fn logical([width, height]: [f32; 2]) -> LogicalSize<f32> {
    LogicalSize::new(width, height)
}

/// Puts a window into the middle of its monitor: Windows would put it where it hangs over the edge.
fn centre(window: &Window, monitor: &MonitorHandle) {
    let (corner, size, outer) = (monitor.position(), monitor.size(), window.outer_size());
    let [x, y] = centred(
        [corner.x, corner.y],
        [size.width, size.height],
        [outer.width, outer.height],
    );
    window.set_outer_position(PhysicalPosition::new(x, y));
}

/// A device that can draw into a window, and the window's surface on it.
pub(super) struct Opened {
    /// The device.
    pub gpu: Gpu,
    surface: wgpu::Surface<'static>,
    capabilities: wgpu::SurfaceCapabilities,
}

impl Opened {
    /// Opens the adapter that is asked for.
    ///
    /// # Errors
    /// No such adapter, or none that can draw into the window.
    pub fn new(adapter: &AdapterRequest, window: &Arc<Window>) -> Result<Self> {
        let (gpu, surface, capabilities) = Gpu::open_for_window(adapter, Arc::clone(window))?;
        crate::gpu::device::renderdoc::leave_window_alone();
        Ok(Self {
            gpu,
            surface,
            capabilities,
        })
    }
}

impl Screen {
    /// Makes what draws into `window`, which was opened as `opening` says; hands back the device.
    ///
    /// # Errors
    /// The adapter cannot draw into the window, or a shader does not compile.
    pub fn new(
        (window, opening): (Arc<Window>, Opening),
        opened: Opened,
        pipelines: &Pipelines,
    ) -> Result<(Self, Gpu)> {
        let Opened {
            gpu,
            surface,
            capabilities,
        } = opened;
        let graphics = Graphics::new(&gpu, pipelines, surface, &capabilities, &window)?;
        let screen = Self {
            ui: new_ui(&window, &gpu),
            window,
            opening,
            graphics,
            is_occluded: false,
            is_read: false,
        };
        Ok((screen, gpu))
    }

    /// Opens another device for the same window.
    pub fn open_device(&self, adapter: &AdapterRequest) -> Result<Opened> {
        Opened::new(adapter, &self.window)
    }

    /// Draws with another device from now on; hands it back.
    ///
    /// # Errors
    /// Same as [`Screen::new`]; the screen is as before then.
    pub fn change_device(&mut self, opened: Opened, pipelines: &Pipelines) -> Result<Gpu> {
        // A new egui context sends all its textures again.
        let window = (Arc::clone(&self.window), self.opening);
        let (screen, gpu) = Self::new(window, opened, pipelines)?;
        let reader = self.ui.accesskit.take();
        *self = Self {
            is_occluded: self.is_occluded,
            is_read: self.is_read,
            ..screen
        };
        self.ui.accesskit = reader;
        if self.is_read {
            self.ui.egui_ctx().enable_accesskit();
        }
        Ok(gpu)
    }

    /// Tells screen readers of the panes through `adapter` from now on.
    pub fn tell_readers(&mut self, adapter: AccessAdapter) {
        self.ui.accesskit = Some(adapter);
    }

    /// Takes in what a screen reader asks for.
    pub fn access(&mut self, event: AccessWindowEvent) {
        let context = self.ui.egui_ctx();
        match event {
            AccessWindowEvent::InitialTreeRequested => {
                context.enable_accesskit();
                self.is_read = true;
            }
            AccessWindowEvent::AccessibilityDeactivated => {
                context.disable_accesskit();
                self.is_read = false;
            }
            AccessWindowEvent::ActionRequested(request) => {
                self.ui.on_accesskit_action_request(request);
            }
        }
    }

    /// Hands an event to the panes; whether they have used it up.
    pub fn offer_to_panes(&mut self, event: &WindowEvent) -> bool {
        self.ui.on_window_event(&self.window, event).consumed
    }

    /// Remembers whether other windows hide this one.
    pub fn set_occluded(&mut self, is_occluded: bool) {
        self.is_occluded = is_occluded;
    }

    pub fn window(&self) -> &Window {
        &self.window
    }

    /// The window's size, for the next one; none while its monitor is not known.
    pub fn size_to_keep(&self) -> Option<KeptSize> {
        let window = &self.window;
        let now = window.inner_size();
        let now = now.to_logical::<f32>(window.scale_factor());
        let is_maximized = window.is_maximized();
        // No system tells the size that such a window goes back to.
        let is_hidden = is_maximized || window.is_minimized() == Some(true);
        Some(KeptSize {
            size: match is_hidden {
                true => self.opening.size,
                false => [now.width, now.height],
            },
            monitor: window.current_monitor().as_ref().and_then(points_of)?,
            is_maximized,
        })
    }

    /// Takes the window off the screen, before the program ends.
    pub fn hide(&self) {
        self.window.set_visible(false);
    }

    /// Whether anybody can see the window.
    pub fn is_seen(&self) -> bool {
        let size = self.window.inner_size();
        let is_minimized = self.window.is_minimized() == Some(true);
        size.width > 0 && size.height > 0 && !is_minimized && !self.is_occluded
    }

    /// Asks for the next frame.
    pub fn request_redraw(&self) {
        self.window.request_redraw();
    }

    /// Puts a text on the clipboard.
    pub fn copy_text(&self, text: String) {
        self.ui.egui_ctx().copy_text(text);
    }

    /// Whether a point (physical pixels) is free for the picture: on none of its edges, where panes are resized,
    /// with no other window over it, and while no control is being dragged.
    pub fn is_free(&self, point: [f32; 2], images: &[Image]) -> bool {
        let context = self.ui.egui_ctx();
        let scale = context.pixels_per_point();
        let [x, y] = point.map(|place| place / scale);
        let above = context.layer_id_at(egui::pos2(x, y));
        let is_covered = above.is_some_and(|layer| layer.order != egui::Order::Background);
        let is_inside = |image: &Image| image.room.contains(point, EDGE * scale);
        images.iter().any(is_inside) && !is_covered && !context.egui_is_using_pointer()
    }

    /// Whether a menu or a list of choices is open, which Esc closes.
    pub fn has_menu(&self) -> bool {
        egui::Popup::is_any_open(self.ui.egui_ctx())
    }

    /// Whether a control has the keyboard, which then takes the keys that work controls.
    pub fn has_focus(&self) -> bool {
        let focused = self.ui.egui_ctx().memory(|memory| memory.focused());
        focused.is_some()
    }

    /// Follows the window's size; `vsync` says whether presenting waits for the display.
    pub fn configure(&mut self, gpu: &Gpu, vsync: bool) {
        let size = self.window.inner_size();
        self.graphics
            .configure(gpu, [size.width, size.height], vsync);
    }

    /// Runs the panes' code with what the user did since the last frame, and takes over its textures.
    pub fn run_ui(&mut self, gpu: &Gpu, contents: impl FnMut(&mut egui::Ui)) -> Painting {
        let input = self.ui.take_egui_input(&self.window);
        let context = self.ui.egui_ctx().clone();
        let output = context.run_ui(input, contents);
        self.ui
            .handle_platform_output(&self.window, output.platform_output);
        self.graphics.take_textures(gpu, output.textures_delta);
        Painting {
            primitives: context.tessellate(output.shapes, output.pixels_per_point),
            pixels_per_point: output.pixels_per_point,
        }
    }

    /// Presents a frame, as [`Graphics::present`] does.
    pub fn present(
        &mut self,
        gpu: &Gpu,
        shown: &Shown,
        painting: &Painting,
        grab: Option<What>,
    ) -> Result<Option<Presented>> {
        self.graphics.present(gpu, shown, painting, grab)
    }

    /// Has images at their own size read back, as [`super::painter::Painter::grab_alone`] does.
    pub fn grab(&self, gpu: &Gpu, shown: &Shown) -> Result<Grab> {
        self.graphics.grab(gpu, shown)
    }
}

fn new_ui(window: &Window, gpu: &Gpu) -> egui_winit::State {
    let context = egui::Context::default();
    panes::apply_style(&context);
    egui_winit::State::new(
        context,
        egui::ViewportId::ROOT,
        window,
        Some(window.scale_factor() as f32),
        None,
        Some(gpu.caps.max_texture_edge as usize),
    )
}
