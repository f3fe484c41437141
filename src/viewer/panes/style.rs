//! Style of the panes in dark and light themes. Every colour with a meaning has a word or a shape next to it.

use egui::{
    Color32, Context, CornerRadius, FontDefinitions, FontFamily, Response, RichText, Role, Stroke,
    TextStyle, Theme, Ui, WidgetInfo,
};

use crate::model::passes::Pass;
use crate::report::palette;
use crate::viewer::action::Action;
use crate::viewer::controls::{Text, action};
use crate::viewer::dock::Pane;
use crate::viewer::images::SIDE_COLORS;
use crate::viewer::keys::with_key;
use crate::viewer::messages::{Message, Severity};

/// Background of labels on the picture, which may be dark or bright in any theme.
pub const ON_PICTURE: Color32 = Color32::from_rgba_premultiplied(8, 9, 11, 205);
pub const ON_PICTURE_TEXT: Color32 = Color32::from_gray(235);

/// Variant of [`SIDE_COLORS`] for light backgrounds.
const DEEP_SIDE_COLORS: [[u8; 3]; 2] = [[52, 127, 176], [196, 120, 30]];

pub fn rgb([r, g, b]: [u8; 3]) -> Color32 {
    Color32::from_rgb(r, g, b)
}

fn by_theme<T>(ui: &Ui, dark: T, light: T) -> T {
    if ui.visuals().dark_mode { dark } else { light }
}

/// Fill colours of A and B. Any colour vision can distinguish blue and orange, and text on them is legible.
pub fn colors_of_sides(ui: &Ui) -> [Color32; 2] {
    by_theme(ui, DEEP_SIDE_COLORS, SIDE_COLORS).map(rgb)
}

pub fn name_of_side(ui: &Ui, name: &str) -> RichText {
    let colors = by_theme(ui, SIDE_COLORS, DEEP_SIDE_COLORS);
    let color = rgb(colors[usize::from(name == "B")]);
    RichText::new(name).strong().color(color)
}

/// Colour of a pass, the same in all panes. Blue and orange are reserved for A and B.
pub fn color_of_pass(pass: Pass) -> Color32 {
    rgb(palette::pass(pass))
}

/// Colour of the focus ring: the yellow of the split line, or on white a blue that is visible there.
pub fn focus_color(ui: &Ui) -> Color32 {
    rgb(by_theme(ui, [255, 214, 64], [0, 84, 168]))
}

pub fn warning(ui: &Ui) -> Color32 {
    rgb(by_theme(ui, [240, 180, 60], [138, 78, 0]))
}

pub fn warn(ui: &mut Ui, text: impl Into<String>) -> Response {
    let color = warning(ui);
    ui.label(RichText::new(text).color(color))
}

pub fn numbers<'a>(ui: &mut Ui, id: &str, rows: impl IntoIterator<Item = (&'a str, String)>) {
    let grid = egui::Grid::new(id).striped(true).num_columns(2);
    grid.show(ui, |ui| {
        for (name, number) in rows {
            ui.label(name);
            ui.monospace(number);
            ui.end_row();
        }
    });
}

pub fn note(ui: &mut Ui, text: impl Into<String>) -> Response {
    ui.label(RichText::new(text).weak().small())
}

/// Describes an image to screen readers and in a tooltip.
pub fn explain(response: Response, text: impl Into<String>) {
    let text = text.into();
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &text));
    response.on_hover_text(text);
}

/// A button for an action, with the action's key in its tooltip.
pub fn ask(ui: &mut Ui, asked: &mut Vec<Action>, (label, hover): Text, wanted: Action) {
    if action(ui, (label, &with_key(hover, &wanted))) {
        asked.push(wanted);
    }
}

#[derive(Clone, Copy)]
pub struct PaneFault<'a> {
    pub said: Option<&'a str>,
    /// True if the user just named the file that failed.
    pub is_new: bool,
}

pub fn failed(ui: &mut Ui, pane: Pane, fault: Option<&str>, asked: &mut Vec<Action>) {
    let Some(fault) = fault else { return };
    warn(ui, fault);
    let hover = "Dismiss this message; the pane Log keeps it";
    ask(ui, asked, ("dismiss", hover), Action::Dismiss(pane));
}

/// Legend for a plot's colours. It is below the plot, so that it covers no curve.
pub fn legend(ui: &mut Ui, colors: &[(Color32, &str)]) {
    ui.horizontal_wrapped(|ui| {
        for (color, what) in colors {
            ui.label(RichText::new("■").color(*color).small());
            note(ui, *what);
        }
    });
}

pub fn message(ui: &mut Ui, message: &Message) {
    let word = match message.severity {
        Severity::Note => None,
        Severity::Warning => Some("warning:"),
        Severity::Error => Some("error:"),
    };
    let line = match message.times {
        1 => message.line.clone(),
        times => format!("{} ({times} times)", message.line),
    };
    let Some(word) = word else {
        ui.label(line);
        return;
    };
    ui.horizontal_wrapped(|ui| {
        warn(ui, word);
        ui.label(line);
    });
}

pub fn apply_style(ctx: &Context) {
    // The other font has arrows and signs that the text font lacks.
    let mut fonts = FontDefinitions::default();
    let text = fonts.families.entry(FontFamily::Proportional).or_default();
    text.push("Hack".to_owned());
    ctx.set_fonts(fonts);
    ctx.set_theme(Theme::Dark);
    for theme in [Theme::Dark, Theme::Light] {
        ctx.style_mut_of(theme, |style| {
            style.spacing.item_spacing = egui::vec2(6.0, 4.0);
            style.spacing.slider_width = 110.0;
            style.spacing.combo_width = 150.0;
            // Scroll bars have space of their own, and cover nothing.
            style.spacing.scroll = egui::style::ScrollStyle::thin();
            style.interaction.tooltip_delay = 0.3;
            if let Some(small) = style.text_styles.get_mut(&TextStyle::Small) {
                small.size = 10.5;
            }
            let visuals = &mut style.visuals;
            visuals.widgets.noninteractive.corner_radius = CornerRadius::same(4);
            visuals.window_corner_radius = CornerRadius::same(6);
        });
    }
    ctx.style_mut_of(Theme::Dark, |style| {
        let visuals = &mut style.visuals;
        // Unticked boxes and circles must be visible too.
        visuals.widgets.inactive.bg_stroke = Stroke::new(1.0, Color32::from_gray(82));
        visuals.panel_fill = Color32::from_rgb(20, 22, 26);
        visuals.window_fill = Color32::from_rgb(24, 26, 31);
        visuals.extreme_bg_color = Color32::from_rgb(12, 13, 16);
        visuals.selection.bg_fill = Color32::from_rgb(30, 98, 122);
        visuals.override_text_color = Some(Color32::from_gray(216));
        visuals.weak_text_color = Some(Color32::from_gray(150));
    });
    ctx.style_mut_of(Theme::Light, |style| {
        let visuals = &mut style.visuals;
        visuals.widgets.inactive.bg_stroke = Stroke::new(1.0, Color32::from_gray(150));
        visuals.override_text_color = Some(Color32::from_gray(24));
        visuals.weak_text_color = Some(Color32::from_gray(84));
    });
}

pub fn follow_theme(ctx: &Context, is_light: bool) {
    let theme = if is_light { Theme::Light } else { Theme::Dark };
    if ctx.theme() != theme {
        ctx.set_theme(theme);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_passes_of_a_frame_look_alike_and_none_looks_like_a_or_b() {
        let passes = Pass::ALL.into_iter().chain([Pass::Ui]);
        let passes: Vec<Color32> = passes.map(color_of_pass).collect();
        let sides = [SIDE_COLORS, DEEP_SIDE_COLORS].concat();
        let sides: Vec<Color32> = sides.into_iter().map(rgb).collect();
        for (index, a) in passes.iter().enumerate() {
            for b in passes[index + 1..].iter().chain(&sides) {
                let apart = |channel: usize| a[channel].abs_diff(b[channel]);
                let most = (0..3).map(apart).max();
                assert!(most > Some(30), "{a:?} {b:?}");
            }
        }
    }
}
