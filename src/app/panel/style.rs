//! How the panel looks: dark, dense, legible over a dark picture.

use egui::{Color32, Context, CornerRadius, FontDefinitions, FontFamily, Stroke, TextStyle, Theme};

/// Sets the style of a context; once, before its first frame.
pub fn apply_style(ctx: &Context) {
    // Arrows and signs that the text font lacks are in the other one.
    let mut fonts = FontDefinitions::default();
    let text = fonts.families.entry(FontFamily::Proportional).or_default();
    text.push("Hack".to_owned());
    ctx.set_fonts(fonts);
    ctx.set_theme(Theme::Dark);
    ctx.style_mut_of(Theme::Dark, |style| {
        style.spacing.item_spacing = egui::vec2(6.0, 4.0);
        style.spacing.slider_width = 130.0;
        style.spacing.combo_width = 150.0;
        style.interaction.tooltip_delay = 0.3;
        if let Some(small) = style.text_styles.get_mut(&TextStyle::Small) {
            small.size = 10.5;
        }
        let visuals = &mut style.visuals;
        // Boxes and circles that are not ticked must be seen too.
        visuals.widgets.inactive.bg_stroke = Stroke::new(1.0, Color32::from_gray(82));
        visuals.panel_fill = Color32::from_rgb(20, 22, 26);
        visuals.window_fill = Color32::from_rgb(24, 26, 31);
        visuals.extreme_bg_color = Color32::from_rgb(12, 13, 16);
        visuals.selection.bg_fill = Color32::from_rgb(30, 98, 122);
        visuals.override_text_color = Some(Color32::from_gray(216));
        visuals.weak_text_color = Some(Color32::from_gray(150));
        visuals.widgets.noninteractive.corner_radius = CornerRadius::same(4);
        visuals.window_corner_radius = CornerRadius::same(6);
    });
}
