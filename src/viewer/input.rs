//! Keys and mouse: which are held, where the cursor is, and what they do to camera, split and probe.
//! What a key asks for beyond that is handed back as an action. Draws nothing.

use std::collections::HashSet;

use glam::Vec3;
use winit::event::{ElementState, KeyEvent, MouseButton, MouseScrollDelta, WindowEvent};
use winit::keyboard::{KeyCode, ModifiersState, PhysicalKey};

use super::action::Action;
use super::images::{Image, Side};
use super::keys::action_of;
use super::screen::Screen;
use super::state::State;

/// Distance from the split line at which it can be grabbed, physical pixels.
const GRAB: f32 = 8.0;
/// Pixels of a touch pad that count as one step of a mouse wheel.
const PIXELS_PER_STEP: f32 = 40.0;

/// How much larger one step of the wheel makes what is seen.
const ZOOM_PER_STEP: f32 = 1.25;

/// The image at a point of the window.
fn image_at(point: [f32; 2], images: &[Image]) -> Option<&Image> {
    images.iter().find(|image| image.room.contains(point, 0.0))
}

/// Whether a key works the control that has the keyboard: presses it, moves its value, or goes to the next one.
fn works_a_control(event: &KeyEvent) -> bool {
    use KeyCode as K;
    let PhysicalKey::Code(code) = event.physical_key else {
        return false;
    };
    matches!(
        code,
        K::Space | K::Enter | K::Tab | K::ArrowLeft | K::ArrowRight | K::ArrowUp | K::ArrowDown
    )
}

/// What a key asks for even while a control has the keyboard.
fn always_counts(action: &Action) -> bool {
    *action == Action::Quit
}

/// What is held and where the cursor is.
#[derive(Default)]
pub(super) struct Input {
    modifiers: ModifiersState,
    held: HashSet<KeyCode>,
    buttons: HashSet<MouseButton>,
    /// Physical pixels from the window's top left corner.
    cursor: [f32; 2],
    /// Whether the mouse was ever in the window.
    has_cursor: bool,
    /// Which image's split line is being dragged.
    dragging_split: Option<usize>,
}

impl Input {
    /// Takes in an event. What the panes have `taken` is left to them, and so is the mouse over them. Returns
    /// what a key asks for.
    pub fn event(
        &mut self,
        event: &WindowEvent,
        taken: bool,
        screen: &Screen,
        images: &[Image],
        state: &mut State,
    ) -> Option<Action> {
        let is_free = screen.is_free(self.cursor, images);
        match event {
            WindowEvent::ModifiersChanged(modifiers) => self.modifiers = modifiers.state(),
            WindowEvent::KeyboardInput { event, .. } => {
                let closes_a_menu =
                    event.physical_key == PhysicalKey::Code(KeyCode::Escape) && screen.has_menu();
                let works = screen.has_focus() && works_a_control(event);
                let taken = taken || works || closes_a_menu;
                return self.key(event, taken, state);
            }
            WindowEvent::MouseInput {
                state: ElementState::Pressed,
                button,
                ..
            } if is_free => {
                self.dragging_split = self
                    .split_line_at(self.cursor, images)
                    .filter(|_| *button == MouseButton::Left);
                self.buttons.insert(*button);
            }
            WindowEvent::MouseInput { button, .. } => {
                self.buttons.remove(button);
                self.dragging_split = None;
            }
            WindowEvent::CursorMoved { position, .. } => {
                let to = [position.x as f32, position.y as f32];
                let moved = [to[0] - self.cursor[0], to[1] - self.cursor[1]];
                self.cursor = to;
                self.has_cursor = true;
                self.drag(moved, images, state);
            }
            WindowEvent::MouseWheel { delta, .. } if is_free => {
                let steps = match delta {
                    MouseScrollDelta::LineDelta(_, lines) => *lines,
                    MouseScrollDelta::PixelDelta(pixels) => pixels.y as f32 / PIXELS_PER_STEP,
                };
                if self.modifiers.control_key() {
                    self.zoom(steps, images, state);
                } else {
                    state.move_camera(|camera| camera.zoom(steps));
                }
            }
            WindowEvent::Focused(false) => {
                // Nobody tells the window when keys are let go elsewhere.
                self.held.clear();
                self.buttons.clear();
                state.hold_reference = false;
            }
            _ => {}
        }
        None
    }

    /// Finds the pixel under the mouse: anew in every frame, since pictures move under it.
    pub fn hover(&self, screen: &Screen, images: &[Image], state: &mut State) {
        let at = self.cursor;
        let image = image_at(at, images).filter(|_| self.has_cursor && screen.is_free(at, images));
        state.probe.hovered = image.and_then(|image| image.placement.pixel_at(at));
    }

    fn key(&mut self, event: &KeyEvent, taken: bool, state: &mut State) -> Option<Action> {
        let is_pressed = event.state == ElementState::Pressed;
        if let PhysicalKey::Code(code) = event.physical_key {
            // With Ctrl it is a command: Ctrl+Q shall quit, and not fly down before it does.
            let commands = self.modifiers.control_key() || self.modifiers.super_key();
            if is_pressed && !taken && !commands {
                self.held.insert(code);
            } else {
                self.held.remove(&code);
            }
        }
        // A key that is let go counts whatever modifiers are held by then.
        let modifiers = if is_pressed {
            self.modifiers
        } else {
            ModifiersState::empty()
        };
        let action = action_of(event.physical_key, &event.logical_key, modifiers)?;
        if action == Action::HoldReference {
            state.hold_reference = is_pressed && !taken;
            return None;
        }
        let counts = !taken || always_counts(&action);
        (is_pressed && counts && !event.repeat).then_some(action)
    }

    /// The image with a split line that can be grabbed at this point of the window.
    fn split_line_at(&self, point: [f32; 2], images: &[Image]) -> Option<usize> {
        images.iter().position(|image| {
            let line = image.placement.line_of(image.split);
            let is_split = image.split > 0.0 && image.split < 1.0 || image.side == Side::Both;
            let is_near = (point[0] - line).abs() < GRAB && image.split <= 1.0;
            is_split && is_near && image.room.contains(point, 0.0)
        })
    }

    /// Shows less of the picture, larger, or more of it.
    fn zoom(&self, steps: f32, images: &[Image], state: &mut State) {
        if let Some(image) = image_at(self.cursor, images) {
            let factor = ZOOM_PER_STEP.powf(steps);
            let zoom = state.picture.zoom;
            state.picture.zoom = zoom.around(factor, self.cursor, image.room, image.placement.size);
        }
    }

    fn drag(&self, [dx, dy]: [f32; 2], images: &[Image], state: &mut State) {
        if let Some(image) = self.dragging_split.and_then(|index| images.get(index)) {
            state.compare.split = image.placement.split_at(self.cursor[0]);
            return;
        }
        if self.modifiers.control_key() && self.buttons.contains(&MouseButton::Left) {
            if let Some(image) = images.first() {
                let zoom = state.picture.zoom;
                state.picture.zoom = zoom.moved([dx, dy], image.room, image.placement.size);
            }
            return;
        }
        for button in &self.buttons {
            match button {
                MouseButton::Left => state.move_camera(|camera| camera.orbit(dx, dy)),
                MouseButton::Right => state.move_camera(|camera| camera.look(dx, dy)),
                MouseButton::Middle => state.move_camera(|camera| camera.pan(dx, dy)),
                _ => {}
            }
        }
    }

    /// Whether Shift is held down.
    pub fn holds_shift(&self) -> bool {
        self.modifiers.shift_key()
    }

    /// Whether a key is held down.
    pub fn holds_a_key(&self) -> bool {
        !self.held.is_empty()
    }

    /// Moves the camera by the keys that are held, for a frame that took so many `seconds`.
    pub fn fly(&self, seconds: f32, state: &mut State) {
        let axis = |plus: KeyCode, minus: KeyCode| {
            let held = |code: KeyCode| f32::from(u8::from(self.held.contains(&code)));
            held(plus) - held(minus)
        };
        let direction = Vec3::new(
            axis(KeyCode::KeyD, KeyCode::KeyA),
            axis(KeyCode::KeyE, KeyCode::KeyQ),
            axis(KeyCode::KeyW, KeyCode::KeyS),
        );
        // Not Ctrl, with which Q quits.
        let factor = match (self.modifiers.shift_key(), self.modifiers.alt_key()) {
            (true, _) => 4.0,
            (_, true) => 0.25,
            _ => 1.0,
        };
        if direction != Vec3::ZERO {
            state.move_camera(|camera| camera.fly(direction, seconds, factor));
        }
    }
}
