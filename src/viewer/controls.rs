//! The panes' building blocks: every control has a label, a hover text that states its default, and a
//! button that goes back to it. Knows egui and values, nothing of the program.

use std::ops::RangeInclusive;

use egui::{Button, Checkbox, ComboBox, Key, Role, Slider, TextEdit, Ui, WidgetInfo};

/// Points: the least width of a slider's number. Most fit, so that what stands behind them keeps its place.
const NUMBER_WIDTH: f32 = 64.0;
/// Points: the width of a field for words to search.
const SEARCH_WIDTH: f32 = 110.0;
/// Points: the least and the greatest width of a path, and what stands beside it.
const LEAST_PATH: f32 = 130.0;
const MOST_PATH: f32 = 500.0;
const BESIDE_A_PATH: f32 = 150.0;

/// What a control is called and what it means, unit included.
#[derive(Clone, Copy)]
pub struct Text<'a> {
    /// A few words, unique among the panes.
    pub label: &'a str,
    /// A sentence or two.
    pub hover: &'a str,
}

/// A label with its explanation.
pub fn text<'a>(label: &'a str, hover: &'a str) -> Text<'a> {
    Text { label, hover }
}

/// A value with the default that its reset button goes back to.
pub struct Value<'a, T> {
    /// What is changed.
    pub now: &'a mut T,
    /// What it goes back to.
    pub default: &'a T,
}

/// `now` with its default.
pub fn value<'a, T>(now: &'a mut T, default: &'a T) -> Value<'a, T> {
    Value { now, default }
}

/// A number on a slider; `adjust` gives it a unit, a scale, a format.
pub fn slider<T: egui::emath::Numeric>(
    ui: &mut Ui,
    text: Text,
    value: Value<T>,
    range: RangeInclusive<T>,
    adjust: impl for<'s> FnOnce(Slider<'s>) -> Slider<'s>,
) {
    let default = format!("{}", (value.default.to_f64() * 1e6).round() / 1e6);
    let to_default = *value.default;
    row(ui, text.label, value, |ui, now| {
        ui.spacing_mut().interact_size.x = NUMBER_WIDTH;
        let slider = adjust(Slider::new(now, range).text(text.label));
        let response = ui.add(slider).on_hover_text(format!(
            "{}\nType a value, or click twice for the default: {default}",
            text.hover
        ));
        // The rail itself senses drags alone, and a click on the number beside it starts typing.
        let rail = response.rect.left() + ui.spacing().slider_width;
        let is_on_rail = |input: &egui::InputState| {
            let clicked = input
                .pointer
                .button_double_clicked(egui::PointerButton::Primary);
            clicked && input.pointer.interact_pos().is_some_and(|at| at.x < rail)
        };
        if response.contains_pointer() && ui.input(is_on_rail) {
            *now = to_default;
        }
    });
}

/// One of several values by name; each has an explanation of its own (may be empty).
pub fn choice<T: PartialEq + Clone>(
    ui: &mut Ui,
    text: Text,
    value: Value<T>,
    options: &[(T, String, String)],
) {
    let name_of = |wanted: &T| {
        let found = options.iter().find(|option| option.0 == *wanted);
        found.map_or("–", |option| option.1.as_str())
    };
    let default = name_of(value.default);
    row(ui, text.label, value, |ui, now| {
        let shown = name_of(now).to_owned();
        ComboBox::from_label(text.label)
            .width(150.0)
            .selected_text(shown)
            .show_ui(ui, |ui| {
                for (option, name, explanation) in options {
                    let response = ui.selectable_value(now, option.clone(), name);
                    if !explanation.is_empty() {
                        response.on_hover_text(explanation);
                    }
                }
            })
            .response
            .on_hover_text(format!("{}\nDefault: {default}", text.hover));
    });
}

/// On or off.
pub fn toggle(ui: &mut Ui, text: Text, value: Value<bool>) {
    let default = if *value.default { "on" } else { "off" };
    row(ui, text.label, value, |ui, now| {
        ui.add(Checkbox::new(now, text.label))
            .on_hover_text(format!("{}\nDefault: {default}", text.hover));
    });
}

/// Controls that are grey, and say why, while they change nothing.
pub fn unless_idle(ui: &mut Ui, why: Option<&str>, add: impl FnOnce(&mut Ui)) {
    let response = ui.add_enabled_ui(why.is_none(), add).response;
    if let Some(why) = why {
        response.on_hover_text(why);
    }
}

/// Words that narrow down what stands below. Escape in the field empties it, and so does its button.
pub fn search(ui: &mut Ui, text: Text, words: &mut String) {
    let label = ui.label(text.label);
    let field = TextEdit::singleline(words).desired_width(SEARCH_WIDTH);
    let hover = format!("{}\nEscape clears it", text.hover);
    let field = ui.add(field).on_hover_text(hover).labelled_by(label.id);
    let is_escaped = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Escape));
    let (name, is_used) = (format!("clear {}", text.label), !words.is_empty());
    let button = Button::new("×").frame_when_inactive(is_used);
    let button = ui.add_enabled(is_used, button).on_hover_text(&name);
    button.widget_info(|| WidgetInfo::labeled(Role::Button, is_used, &name));
    if button.clicked() || is_escaped {
        words.clear();
    }
}

/// Something to do; true when it is to be done.
pub fn action(ui: &mut Ui, text: Text) -> bool {
    ui.button(text.label).on_hover_text(text.hover).clicked()
}

/// What is to be done about the path in a field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum PathUse {
    /// Its file is to be opened: Enter was pressed.
    Open,
    /// Another is to be chosen in a dialog.
    Browse,
}

/// The path or name of a file, with a button that asks for one in a dialog. It takes the keyboard where it `is_wrong`, so
/// that it can be mended.
pub fn path(ui: &mut Ui, text: Text, value: &mut String, is_wrong: bool) -> Option<PathUse> {
    let width = ui.available_width() - BESIDE_A_PATH;
    let field = TextEdit::singleline(value)
        .desired_width(width.clamp(LEAST_PATH, MOST_PATH))
        .hint_text(text.label);
    let hover = format!("{}\nEnter opens it", text.hover);
    let field = ui.add(field).on_hover_text(hover);
    let is_entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    if is_wrong {
        field.request_focus();
    }
    let label = ui.label(text.label);
    field.labelled_by(label.id);
    let name = format!("browse {}", text.label);
    let button = ui.button("browse…");
    button.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), &name));
    let button = button.on_hover_text("Choose the file in a dialog, and open it");
    if button.clicked() {
        Some(PathUse::Browse)
    } else {
        (is_entered && !value.trim().is_empty()).then_some(PathUse::Open)
    }
}

/// A control behind its reset button.
fn row<T: PartialEq + Clone>(
    ui: &mut Ui,
    label: &str,
    value: Value<T>,
    add: impl FnOnce(&mut Ui, &mut T),
) {
    ui.horizontal(|ui| {
        let changed = value.now != value.default;
        let name = format!("reset {label}");
        // It has its place always: a row that grew would move away under the mouse that drags it.
        let button = Button::new("↺").frame_when_inactive(changed);
        let response = ui.add_enabled(changed, button).on_hover_text(&name);
        response.widget_info(|| WidgetInfo::labeled(Role::Button, changed, &name));
        if response.clicked() {
            *value.now = value.default.clone();
        }
        add(ui, value.now);
    });
}
