//! Keys and mouse: which are held, where the cursor is, and what they do to camera, split and probe.
//! What a key asks for beyond that is handed back as an action. Draws nothing.

use std::collections::HashSet;

use glam::Vec3;
use winit::event::{ElementState, KeyEvent, MouseButton, MouseScrollDelta, WindowEvent};
use winit::keyboard::{KeyCode, ModifiersState, PhysicalKey};

use super::action::Action;
use super::keys::action_of;
use super::placement::Placement;
use super::screen::Screen;
use super::state::State;

/// Distance from the split line at which it can be grabbed, physical pixels.
const GRAB: f32 = 8.0;
/// Pixels of a touch pad that count as one step of a mouse wheel.
const PIXELS_PER_STEP: f32 = 40.0;

/// What is held and where the cursor is.
#[derive(Default)]
pub(super) struct Input {
    modifiers: ModifiersState,
    held: HashSet<KeyCode>,
    buttons: HashSet<MouseButton>,
    /// Physical pixels from the window's top left corner.
    cursor: [f32; 2],
    dragging_split: bool,
}

impl Input {
    /// Takes in an event. What the panel has `taken` is left to it, and so is the mouse over it. Returns
    /// what a key asks for.
    pub fn event(
        &mut self,
        event: &WindowEvent,
        taken: bool,
        screen: &Screen,
        placement: &Placement,
        state: &mut State,
    ) -> Option<Action> {
        let is_over_panel = |cursor| screen.is_panel_at(cursor, state.panel_open);
        let mouse_taken = taken || is_over_panel(self.cursor);
        match event {
            WindowEvent::ModifiersChanged(modifiers) => self.modifiers = modifiers.state(),
            WindowEvent::KeyboardInput { event, .. } => return self.key(event, taken, state),
            WindowEvent::MouseInput {
                state: ElementState::Pressed,
                button,
                ..
            } if !mouse_taken => {
                let line = placement.line_of(state.compare.split);
                let is_near = (self.cursor[0] - line).abs() < GRAB;
                self.dragging_split =
                    is_near && state.compare.split_on && *button == MouseButton::Left;
                self.buttons.insert(*button);
            }
            WindowEvent::MouseInput { button, .. } => {
                self.buttons.remove(button);
                self.dragging_split = false;
            }
            WindowEvent::CursorMoved { position, .. } => {
                let to = [position.x as f32, position.y as f32];
                let moved = [to[0] - self.cursor[0], to[1] - self.cursor[1]];
                self.cursor = to;
                let is_free = !is_over_panel(to);
                state.probe.hovered = placement.pixel_at(to).filter(|_| is_free);
                self.drag(moved, placement, state);
            }
            WindowEvent::MouseWheel { delta, .. } if !mouse_taken => {
                let steps = match delta {
                    MouseScrollDelta::LineDelta(_, lines) => *lines,
                    MouseScrollDelta::PixelDelta(pixels) => pixels.y as f32 / PIXELS_PER_STEP,
                };
                state.move_camera(|camera| camera.zoom(steps));
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

    fn key(&mut self, event: &KeyEvent, taken: bool, state: &mut State) -> Option<Action> {
        let is_pressed = event.state == ElementState::Pressed;
        if let PhysicalKey::Code(code) = event.physical_key {
            if is_pressed && !taken {
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
        let action = action_of(event.physical_key, modifiers)?;
        if action == Action::HoldReference {
            state.hold_reference = is_pressed && !taken;
            return None;
        }
        (is_pressed && !taken && !event.repeat).then_some(action)
    }

    fn drag(&self, [dx, dy]: [f32; 2], placement: &Placement, state: &mut State) {
        if self.dragging_split {
            state.compare.split = placement.split_at(self.cursor[0]);
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
        let factor = match (self.modifiers.shift_key(), self.modifiers.control_key()) {
            (true, _) => 4.0,
            (_, true) => 0.25,
            _ => 1.0,
        };
        if direction != Vec3::ZERO {
            state.move_camera(|camera| camera.fly(direction, seconds, factor));
        }
    }
}
