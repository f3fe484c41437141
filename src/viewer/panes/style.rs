//! How the panes look: dense, legible in the dark and the light theme and beside a dark picture. Every colour
//! that means something stands beside a word or a shape that means the same.

use egui::{
    Color32, Context, CornerRadius, FontDefinitions, FontFamily, Response, RichText, Stroke,
    TextStyle, Theme, Ui,
};

use crate::model::passes::Pass;
use crate::viewer::action::Action;
use crate::viewer::controls::{action, text};
use crate::viewer::dock::Pane;
use crate::viewer::images::SIDE_COLORS;
use crate::viewer::messages::{Message, Severity};

/// The fill of labels on the picture, which is dark or bright whatever the theme.
pub const ON_PICTURE: Color32 = Color32::from_rgba_premultiplied(8, 9, 11, 205);
/// Text on [`ON_PICTURE`].
pub const ON_PICTURE_TEXT: Color32 = Color32::from_gray(235);

/// How many of the hues, 0 to 1 from red to red, lie between those of A and B.
const WARM_TO_COLD: f32 = 0.36;
const COLD_TO_WARM: f32 = 0.38;

/// Blue and orange, told apart by every kind of colour vision: what stands for method A, and for method B.
pub fn colors_of_sides(ui: &Ui) -> [Color32; 2] {
    if ui.visuals().dark_mode {
        [
            Color32::from_rgb(52, 127, 176),
            Color32::from_rgb(196, 120, 30),
        ]
    } else {
        SIDE_COLORS.map(|[r, g, b]| Color32::from_rgb(r, g, b))
    }
}

/// The colour of a pass, which is the same in every frame. Blue and orange stand for A and B alone.
pub fn color_of_pass(pass: Pass) -> Color32 {
    // Steps of the golden ratio through the hues from yellow to cyan and from violet to red: no two of a frame's passes
    // have nearly the same, and neighbours differ in brightness too.
    let step = pass as u8;
    let at = (0.381_966 * f32::from(step)).fract() * (WARM_TO_COLD + COLD_TO_WARM);
    let hue = if at < WARM_TO_COLD {
        0.14 + at
    } else {
        0.65 + at - WARM_TO_COLD
    };
    let value = if step.is_multiple_of(2) { 0.78 } else { 0.55 };
    egui::epaint::Hsva::new(hue.fract(), 0.55, value, 1.0).into()
}

/// The ring around what has the keyboard: the yellow of the split line, which nothing else in the panes has, or a blue
/// that is seen on white.
pub fn focus_color(ui: &Ui) -> Color32 {
    if ui.visuals().dark_mode {
        Color32::from_rgb(255, 214, 64)
    } else {
        Color32::from_rgb(0, 84, 168)
    }
}

/// The colour of a warning's text.
pub fn warning(ui: &Ui) -> Color32 {
    if ui.visuals().dark_mode {
        Color32::from_rgb(240, 180, 60)
    } else {
        Color32::from_rgb(138, 78, 0)
    }
}

/// A line that warns.
pub fn warn(ui: &mut Ui, text: impl Into<String>) -> Response {
    let color = warning(ui);
    ui.label(RichText::new(text).color(color))
}

/// What failed last in a pane, until it is dismissed.
pub fn failed(ui: &mut Ui, pane: Pane, fault: Option<&str>, asked: &mut Vec<Action>) {
    let Some(fault) = fault else { return };
    warn(ui, fault);
    let hover = "Dismiss this message; the pane Log keeps it";
    if action(ui, text("dismiss", hover)) {
        asked.push(Action::Dismiss(pane));
    }
}

/// What the colours of a plot stand for: below it, where it covers no curve.
pub fn legend(ui: &mut Ui, colors: &[(Color32, &str)]) {
    ui.horizontal_wrapped(|ui| {
        for (color, what) in colors {
            ui.label(RichText::new("■").color(*color).small());
            ui.label(RichText::new(*what).weak().small());
        }
    });
}

/// What was said. A word says how much it matters, where it does.
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
    match word {
        None => ui.label(line),
        Some(word) => {
            let of_both = |ui: &mut Ui| {
                warn(ui, word);
                ui.label(line);
            };
            ui.horizontal_wrapped(of_both).response
        }
    };
}

/// Sets the style of a context; once, before its first frame.
pub fn apply_style(ctx: &Context) {
    // Arrows and signs that the text font lacks are in the other one.
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
            // Scroll bars have room of their own and cover nothing.
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
        // Boxes and circles that are not ticked must be seen too.
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

/// Takes up the theme that is chosen.
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
        let context = Context::default();
        let _ = context.run_ui(Default::default(), |ui| {
            let passes = Pass::ALL.into_iter().chain([Pass::Ui]);
            let mut colors: Vec<Color32> = passes.map(color_of_pass).collect();
            colors.extend(colors_of_sides(ui));
            for (index, a) in colors.iter().enumerate() {
                for b in &colors[index + 1..] {
                    let apart = |channel: usize| a[channel].abs_diff(b[channel]);
                    let most = (0..3).map(apart).max();
                    assert!(most > Some(20), "{a:?} {b:?}");
                }
            }
        });
    }
}
