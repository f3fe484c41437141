//! Keys and mouse: what they do to the state. Draws nothing.

use glam::Vec3;
use winit::event::{ElementState, MouseButton, MouseScrollDelta, WindowEvent};
use winit::keyboard::{KeyCode, ModifiersState, PhysicalKey};

use super::demo::Demo;
use super::keys::{Action, action_of};
use super::state::Task;

/// Distance from the split line at which it can be grabbed, physical pixels.
const GRAB: f32 = 8.0;

impl Demo {
    /// Keys and mouse; what the panel has `taken` is left to it, and so is the mouse over it.
    pub(super) fn input(&mut self, event: &WindowEvent, taken: bool) {
        let mouse_taken = taken || self.is_over_panel();
        match event {
            WindowEvent::ModifiersChanged(modifiers) => self.modifiers = modifiers.state(),
            WindowEvent::KeyboardInput { event, .. } => {
                self.key(event.physical_key, event.state, event.repeat, taken);
            }
            WindowEvent::MouseInput { state, button, .. } => match state {
                ElementState::Pressed if !mouse_taken => {
                    let near = (self.cursor[0] - self.split_line()).abs() < GRAB;
                    self.dragging_split =
                        near && self.state.compare.split_on && *button == MouseButton::Left;
                    self.buttons.insert(*button);
                }
                _ => {
                    self.buttons.remove(button);
                    self.dragging_split = false;
                }
            },
            WindowEvent::CursorMoved { position, .. } => {
                let to = [position.x as f32, position.y as f32];
                let moved = [to[0] - self.cursor[0], to[1] - self.cursor[1]];
                self.cursor = to;
                let free = !self.is_over_panel();
                self.state.probe.hovered = self.pixel_under_cursor().filter(|_| free);
                self.drag(moved);
            }
            WindowEvent::MouseWheel { delta, .. } if !mouse_taken => {
                let steps = match delta {
                    MouseScrollDelta::LineDelta(_, lines) => *lines,
                    MouseScrollDelta::PixelDelta(pixels) => pixels.y as f32 / 40.0,
                };
                self.state.camera.zoom(steps);
            }
            WindowEvent::Occluded(occluded) => self.occluded = *occluded,
            WindowEvent::Focused(false) => {
                self.held.clear();
                self.buttons.clear();
                self.state.hold_reference = false;
            }
            _ => {}
        }
    }

    /// Whether the mouse is over the panel or a window of it.
    fn is_over_panel(&self) -> bool {
        let context = self.ui.egui_ctx();
        let [x, y] = self.cursor.map(|place| place / context.pixels_per_point());
        let above = context.layer_id_at(egui::pos2(x, y));
        self.cursor[0] < self.panel_width()
            || above.is_some_and(|layer| layer.order != egui::Order::Background)
    }

    fn key(&mut self, key: PhysicalKey, element: ElementState, repeat: bool, taken: bool) {
        let pressed = element == ElementState::Pressed;
        if let PhysicalKey::Code(code) = key {
            match pressed && !taken {
                true => self.held.insert(code),
                false => self.held.remove(&code),
            };
        }
        // A key is let go whatever else is held by then.
        let modifiers = match pressed {
            true => self.modifiers,
            false => ModifiersState::empty(),
        };
        match action_of(key, modifiers) {
            Some(Action::HoldReference) => self.state.hold_reference = pressed && !taken,
            Some(action) if pressed && !taken && !repeat => self.act(action),
            _ => {}
        }
    }

    fn act(&mut self, action: Action) {
        let state = &mut self.state;
        let flip = |flag: &mut bool| *flag = !*flag;
        match action {
            Action::PickMethod(method) => state.pick(method),
            Action::NextOther => state.next_other(),
            Action::TogglePause => flip(&mut state.clock.running),
            Action::Step => state.clock.step(),
            Action::ToggleSplit => flip(&mut state.compare.split_on),
            Action::ToggleBlink => flip(&mut state.compare.blink),
            Action::NextDifference => state.compare.view = state.compare.view.next_difference(),
            Action::NextDebug => state.compare.view = state.compare.view.next_debug(),
            Action::HoldReference => {}
            Action::ToggleMetrics => flip(&mut state.compare.metrics),
            Action::ToggleProbe => flip(&mut state.probe.on),
            Action::LockProbe => state.probe.toggle_lock(),
            Action::Measure => state.tasks.push(Task::Measure),
            Action::Calibrate => state.tasks.push(Task::Calibrate),
            Action::NextCamera => state.next_camera(),
            Action::StoreCamera => state.store_camera(),
            Action::TogglePanel => flip(&mut state.panel_open),
            Action::ToggleKeys => flip(&mut state.keys_open),
            Action::Screenshot => state.tasks.push(Task::Screenshot),
            Action::ComparisonSet => state.tasks.push(Task::ComparisonSet),
            Action::ScreenshotWithPanel => state.tasks.push(Task::ScreenshotWithPanel),
            Action::Record => state.tasks.push(Task::Record),
            Action::SavePreset => state.tasks.push(Task::SavePreset),
            Action::LoadPreset => state.tasks.push(Task::LoadPreset),
            Action::CopyCommand => {
                let command = state.command();
                state.tasks.push(Task::Copy(command));
            }
            Action::Quit => state.tasks.push(Task::Quit),
        }
    }

    fn drag(&mut self, [dx, dy]: [f32; 2]) {
        if self.dragging_split {
            let (origin, scale) = self.placement();
            let at = (self.cursor[0] - origin[0]) * scale[0];
            self.state.compare.split = (at / self.drawn.size[0] as f32).clamp(0.0, 1.0);
            return;
        }
        let camera = &mut self.state.camera;
        for button in &self.buttons {
            match button {
                MouseButton::Left => camera.orbit(dx, dy),
                MouseButton::Right => camera.look(dx, dy),
                MouseButton::Middle => camera.pan(dx, dy),
                _ => {}
            }
        }
    }

    /// Moves the camera by the keys that are held.
    pub(super) fn fly(&mut self, seconds: f32) {
        let axis = |plus: KeyCode, minus: KeyCode| {
            f32::from(u8::from(self.held.contains(&plus)))
                - f32::from(u8::from(self.held.contains(&minus)))
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
            self.state.camera.fly(direction, seconds, factor);
        }
    }
}
