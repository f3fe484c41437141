//! Building blocks of panes. Every control has a label, a tooltip with its default, and a reset button.

use std::ops::RangeInclusive;

use clap::ValueEnum;
use egui::{Button, Checkbox, ComboBox, Key, Role, Slider, TextEdit, Ui, WidgetInfo};

/// Minimum width of a slider's number, in points. Most numbers fit, so that the next widgets do not move.
const NUMBER_WIDTH: f32 = 64.0;
const SEARCH_WIDTH: f32 = 110.0;
/// Minimum and maximum width of a path, and width of the widgets next to it, in points.
const LEAST_PATH: f32 = 130.0;
const MOST_PATH: f32 = 500.0;
const BESIDE_A_PATH: f32 = 150.0;

/// Label of a control, unique among the panes, and its tooltip, which includes the unit.
pub type Text<'a> = (&'a str, &'a str);

pub type Value<'a, T> = (&'a mut T, &'a T);

/// A slider for a number; `adjust` sets the unit, scale and format.
pub fn slider<T: egui::emath::Numeric>(
    ui: &mut Ui,
    (label, hover): Text,
    value: Value<T>,
    range: RangeInclusive<T>,
    adjust: impl for<'s> FnOnce(Slider<'s>) -> Slider<'s>,
) {
    let to_default = *value.1;
    let default = (to_default.to_f64() * 1e6).round() / 1e6;
    row(ui, label, value, |ui, now| {
        ui.spacing_mut().interact_size.x = NUMBER_WIDTH;
        let slider = adjust(Slider::new(now, range).text(label));
        let response = ui.add(slider).on_hover_text(format!(
            "{hover}\nType a value, or click twice for the default: {default}"
        ));
        // The rail responds only to drags. A click on the number starts typing.
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

/// All values of a type with their names and descriptions, from the help of the command-line flag.
pub fn choices<T: ValueEnum>() -> Vec<(T, String, String)> {
    let choice = |of: &T| {
        let value = of.to_possible_value()?;
        let does = value.get_help().map(ToString::to_string);
        Some((
            of.clone(),
            value.get_name().to_owned(),
            does.unwrap_or_default(),
        ))
    };
    T::value_variants().iter().filter_map(choice).collect()
}

pub fn choice<T: PartialEq + Clone>(
    ui: &mut Ui,
    (label, hover): Text,
    value: Value<T>,
    options: &[(T, String, String)],
) {
    let name_of = |wanted: &T| {
        let found = options.iter().find(|option| option.0 == *wanted);
        found.map_or("–", |option| option.1.as_str())
    };
    let default = name_of(value.1);
    row(ui, label, value, |ui, now| {
        let shown = name_of(now).to_owned();
        ComboBox::from_label(label)
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
            .on_hover_text(format!("{hover}\nDefault: {default}"));
    });
}

pub fn toggle(ui: &mut Ui, (label, hover): Text, value: Value<bool>) {
    let default = if *value.1 { "on" } else { "off" };
    row(ui, label, value, |ui, now| {
        ui.add(Checkbox::new(now, label))
            .on_hover_text(format!("{hover}\nDefault: {default}"));
    });
}

/// Disables controls that have no effect now. The tooltip is the reason `why`.
pub fn unless_idle(ui: &mut Ui, why: Option<&str>, add: impl FnOnce(&mut Ui)) {
    let response = ui.add_enabled_ui(why.is_none(), add).response;
    if let Some(why) = why {
        response.on_hover_text(why);
    }
}

pub fn search(ui: &mut Ui, (label, hover): Text, words: &mut String) {
    let id = ui.label(label).id;
    let field = TextEdit::singleline(words).desired_width(SEARCH_WIDTH);
    let hover = format!("{hover}\nEscape clears it");
    let field = ui.add(field).on_hover_text(hover).labelled_by(id);
    let is_escaped = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Escape));
    if sign(ui, "×", &format!("clear {label}"), !words.is_empty()) || is_escaped {
        words.clear();
    }
}

/// An icon button with its name as the tooltip. Returns true when clicked.
fn sign(ui: &mut Ui, sign: &str, name: &str, is_used: bool) -> bool {
    let button = Button::new(sign).frame_when_inactive(is_used);
    let button = ui.add_enabled(is_used, button).on_hover_text(name);
    button.widget_info(|| WidgetInfo::labeled(Role::Button, is_used, name));
    button.clicked()
}

pub fn action(ui: &mut Ui, (label, hover): Text) -> bool {
    ui.button(label).on_hover_text(hover).clicked()
}

/// A path field: Enter calls `open`, and a button calls `browse`. If the path `is_wrong`, the field takes the focus.
pub fn path<T>(
    ui: &mut Ui,
    (label, hover): Text,
    value: &mut String,
    is_wrong: bool,
    open: impl FnOnce(&str) -> T,
    browse: T,
) -> Option<T> {
    let width = ui.available_width() - BESIDE_A_PATH;
    let field = TextEdit::singleline(value)
        .desired_width(width.clamp(LEAST_PATH, MOST_PATH))
        .hint_text(label);
    let hover = format!("{hover}\nEnter opens it");
    let field = ui.add(field).on_hover_text(hover);
    let is_entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    if is_wrong {
        field.request_focus();
    }
    field.labelled_by(ui.label(label).id);
    let name = format!("browse {label}");
    let button = ui.button("browse…");
    button.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), &name));
    let button = button.on_hover_text("Choose the file in a dialog, and open it");
    if button.clicked() {
        return Some(browse);
    }
    (is_entered && !value.trim().is_empty()).then(|| open(value.trim()))
}

fn row<T: PartialEq + Clone>(
    ui: &mut Ui,
    label: &str,
    (now, default): Value<T>,
    add: impl FnOnce(&mut Ui, &mut T),
) {
    ui.horizontal(|ui| {
        // Space for the button is always reserved, so that the row does not move while the mouse drags it.
        if sign(ui, "↺", &format!("reset {label}"), now != default) {
            now.clone_from(default);
        }
        add(ui, now);
    });
}
