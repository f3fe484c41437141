//! Keyboard and mouse input: moves the camera, the split and the probe, and turns other keys into actions.

use std::collections::HashMap;

use egui::{Context, Event, Key, Modifiers, MouseWheelUnit, PointerButton, RawInput};
use glam::Vec3;

use super::action::{Action, Pick};
use super::images::{Image, Side};
use super::keys::action_of;
use super::picking::worth_opening;
use super::state::State;

/// Width in points of the strips inside the picture's edges in which a drag resizes panes.
const EDGE: f32 = 3.0;
const GRAB: f32 = 8.0;
/// Maximum movement of the mouse during a click, in points.
const CLICK: f32 = 4.0;
/// Number of touch pad pixels that equal one step of a mouse wheel.
const PIXELS_PER_STEP: f32 = 40.0;

const ZOOM_PER_STEP: f32 = 1.25;

fn image_at(point: [f32; 2], images: &[Image]) -> Option<&Image> {
    images.iter().find(|image| image.room.contains(point, 0.0))
}

fn pixel_at(point: [f32; 2], images: &[Image]) -> Option<[u32; 2]> {
    image_at(point, images)?.placement.pixel_at(point)
}

/// True if the mouse at `point` (physical pixels) acts on a picture, not on a control, an overlay or a pane's edge.
fn is_free(point: [f32; 2], context: &Context, images: &[Image]) -> bool {
    let scale = context.pixels_per_point();
    let [x, y] = point.map(|place| place / scale);
    let above = context.layer_id_at(egui::pos2(x, y));
    let is_covered = above.is_some_and(|layer| layer.order != egui::Order::Background);
    let is_inside = |image: &Image| image.room.contains(point, EDGE * scale);
    images.iter().any(is_inside) && !is_covered && !context.egui_is_using_pointer()
}

/// True for actions that work while a text field has the focus, because no text field uses their keys.
fn always_counts(place: Key, action: &Action) -> bool {
    let is_function_key = place.name().len() > 1 && place.name().starts_with('F');
    is_function_key || matches!(action, Action::Quit | Action::OpenPane(_))
}

/// First letter that is not Latin.
const FIRST_OTHER_LETTER: char = '\u{250}';

#[derive(Default)]
pub(super) struct Input {
    modifiers: Modifiers,
    is_latin: bool,
    /// Held keys, by position. The value is true for a key that moves the camera.
    held: HashMap<Key, bool>,
    buttons: Vec<PointerButton>,
    /// Cursor position in physical pixels from the window's top left corner.
    cursor: [f32; 2],
    has_cursor: bool,
    dragging_split: Option<usize>,
    /// Position where the left button was pressed on a picture, while the press may become a click.
    clicking: Option<[f32; 2]>,
}

impl Input {
    /// Processes input that the panes of `context` do not consume.
    pub fn take(
        &mut self,
        input: &RawInput,
        context: &Context,
        images: &[Image],
        state: &mut State,
    ) {
        for event in &input.events {
            self.event(event, context, images, state);
        }
        self.pinch(context, images, state);
        let pick = match self.modifiers.shift {
            true => Pick::Add,
            false => Pick::Open,
        };
        let dropped = input.dropped_files.iter().map(|file| file.path());
        for path in worth_opening(dropped.collect()) {
            state.ask(Action::Use(pick, path.to_owned()));
        }
    }

    /// Two fingers on a picture zoom and pan. The system reports the first finger as the mouse, too.
    fn pinch(&mut self, context: &Context, images: &[Image], state: &mut State) {
        let Some(touch) = context.multi_touch() else {
            return;
        };
        let scale = context.pixels_per_point();
        let at = [touch.center_pos.x, touch.center_pos.y].map(|place| place * scale);
        self.buttons.clear();
        self.clicking = None;
        if is_free(at, context, images) {
            let (steps, size) = (
                touch.zoom_delta.ln() / ZOOM_PER_STEP.ln(),
                state.subject.scene.size(),
            );
            let moved = touch.translation_delta * scale;
            state.subject.move_camera(|camera| {
                camera.zoom(steps, size);
                camera.pan(moved.x, moved.y);
            });
        }
    }

    fn event(&mut self, event: &Event, context: &Context, images: &[Image], state: &mut State) {
        let scale = context.pixels_per_point();
        match *event {
            Event::ModifiersChanged(modifiers) => self.modifiers = modifiers,
            Event::Text(ref text) => {
                let letter = text.chars().find(|letter| letter.is_alphabetic());
                self.is_latin = letter.map_or(self.is_latin, |of| of < FIRST_OTHER_LETTER);
            }
            Event::Key {
                key,
                physical_key: Some(place),
                pressed,
                ..
            } => {
                let closes_a_menu = place == Key::Escape && egui::Popup::is_any_open(context);
                let taken = context.egui_wants_keyboard_input() || key == Key::Tab || closes_a_menu;
                self.key((place, key), pressed, taken, state);
            }
            // The system reports Ctrl+C as this event.
            Event::Copy if !context.egui_wants_keyboard_input() => state.ask(Action::CopyCommand),
            Event::PointerButton {
                button,
                pressed: true,
                ..
            } if is_free(self.cursor, context, images) => {
                self.dragging_split = self
                    .split_line_at(self.cursor, images)
                    .filter(|_| button == PointerButton::Primary);
                let is_click = button == PointerButton::Primary && !self.modifiers.ctrl;
                self.clicking = is_click.then_some(self.cursor);
                self.buttons.push(button);
            }
            Event::PointerButton {
                button, pressed, ..
            } => {
                self.buttons.retain(|held| *held != button);
                self.dragging_split = None;
                if self.clicking.take().is_some() && !pressed {
                    self.click(images, state);
                }
            }
            Event::PointerMoved(to) => {
                let from = self.cursor;
                self.cursor = [to.x * scale, to.y * scale];
                self.has_cursor = true;
                self.moved(from, CLICK * scale, images, state);
            }
            Event::MouseWheel { unit, delta, .. } if is_free(self.cursor, context, images) => {
                let steps = match unit {
                    MouseWheelUnit::Point => delta.y * scale / PIXELS_PER_STEP,
                    MouseWheelUnit::Line | MouseWheelUnit::Page => delta.y,
                };
                if self.modifiers.ctrl {
                    self.zoom(steps, images, state);
                } else {
                    let size = state.subject.scene.size();
                    state.subject.move_camera(|camera| camera.zoom(steps, size));
                }
            }
            Event::WindowFocused(false) => {
                // If keys are released in another window, this window gets no event.
                self.modifiers = Modifiers::NONE;
                self.held.clear();
                self.buttons.clear();
                self.clicking = None;
                state.comparison.hold_reference = false;
            }
            _ => {}
        }
    }

    /// Finds the pixel under the mouse. Runs in every frame, because pictures move under the mouse.
    pub fn hover(&self, context: &Context, images: &[Image], state: &mut State) {
        let at = self.cursor;
        let is_over = self.has_cursor && is_free(at, context, images);
        state.probe.hover(pixel_at(at, images).filter(|_| is_over));
    }

    fn key(&mut self, (place, written): (Key, Key), pressed: bool, taken: bool, state: &mut State) {
        let was_held = if pressed {
            // Ctrl+Q must quit, and not fly down first.
            let commands = self.modifiers.ctrl || self.modifiers.command;
            self.held.insert(place, !taken && !commands).is_some()
        } else {
            self.held.remove(&place);
            false
        };
        // Releasing a key counts regardless of the modifiers.
        let modifiers = match pressed {
            true => self.modifiers,
            false => Modifiers::NONE,
        };
        let Some(action) = action_of(place, written, self.is_latin, modifiers) else {
            return;
        };
        if action == Action::HoldReference {
            state.comparison.hold_reference = pressed && !taken;
        } else if pressed && !was_held && (!taken || always_counts(place, &action)) {
            state.ask(action);
        }
    }

    /// Index of the image whose split line can be grabbed at this point of the window.
    fn split_line_at(&self, point: [f32; 2], images: &[Image]) -> Option<usize> {
        images.iter().position(|image| {
            let line = image.placement.line_of(image.split);
            let is_split = image.split > 0.0 && image.split < 1.0 || image.side == Side::Both;
            let is_near = (point[0] - line).abs() < GRAB && image.split <= 1.0;
            is_split && is_near && image.room.contains(point, 0.0)
        })
    }

    fn zoom(&self, steps: f32, images: &[Image], state: &mut State) {
        if let Some(image) = image_at(self.cursor, images) {
            let factor = ZOOM_PER_STEP.powf(steps);
            let zoom = state.panes.picture.zoom;
            state.panes.picture.zoom =
                zoom.around(factor, self.cursor, image.room, image.placement.size);
        }
    }

    fn click(&self, images: &[Image], state: &mut State) {
        let pixel = pixel_at(self.cursor, images);
        if let Some(pixel) = pixel.filter(|_| state.probe.on) {
            state.probe.lock(pixel);
        }
    }

    /// Handles a mouse movement. A movement of at most `click` pixels from the press drags nothing.
    fn moved(&mut self, from: [f32; 2], click: f32, images: &[Image], state: &mut State) {
        let mut start = from;
        if let Some(down) = self.clicking {
            let distance = (self.cursor[0] - down[0]).hypot(self.cursor[1] - down[1]);
            if distance <= click && self.dragging_split.is_none() {
                return;
            }
            if distance > 0.0 {
                (self.clicking, start) = (None, down);
            }
        }
        let way = [0, 1].map(|axis| self.cursor[axis] - start[axis]);
        self.drag(way, images, state);
    }

    fn drag(&self, [dx, dy]: [f32; 2], images: &[Image], state: &mut State) {
        if let Some(image) = self.dragging_split.and_then(|index| images.get(index)) {
            state.comparison.chosen.split = image.placement.split_at(self.cursor[0]);
            return;
        }
        if self.modifiers.ctrl && self.buttons.contains(&PointerButton::Primary) {
            if let Some(image) = images.first() {
                let zoom = state.panes.picture.zoom;
                state.panes.picture.zoom = zoom.moved([dx, dy], image.room, image.placement.size);
            }
            return;
        }
        for button in &self.buttons {
            match button {
                PointerButton::Primary => state.subject.move_camera(|camera| camera.orbit(dx, dy)),
                PointerButton::Secondary => state.subject.move_camera(|camera| camera.look(dx, dy)),
                PointerButton::Middle => state.subject.move_camera(|camera| camera.pan(dx, dy)),
                _ => {}
            }
        }
    }

    pub fn holds_a_key(&self) -> bool {
        self.held.values().any(|moves| *moves)
    }

    pub fn fly(&self, seconds: f32, state: &mut State) {
        let axis = |plus: Key, minus: Key| {
            let held = |key: Key| f32::from(u8::from(self.held.get(&key) == Some(&true)));
            held(plus) - held(minus)
        };
        let direction = Vec3::new(
            axis(Key::D, Key::A),
            axis(Key::E, Key::Q),
            axis(Key::W, Key::S),
        );
        // Ctrl is not used, because Ctrl+Q quits.
        let factor = match (self.modifiers.shift, self.modifiers.alt) {
            (true, _) => 4.0,
            (_, true) => 0.25,
            _ => 1.0,
        };
        if direction != Vec3::ZERO {
            let size = factor * state.subject.scene.size();
            state
                .subject
                .move_camera(|camera| camera.fly(direction, seconds, size));
        }
    }
}
