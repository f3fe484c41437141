//! The dot that says how the shaders stand to their files.

use egui::{Color32, Ui};

use crate::app::shaders::{Freshness, ShaderStatus};

/// A dot with a word; where the shaders come from and what happened, when the mouse rests on it.
pub fn dot(ui: &mut Ui, status: &ShaderStatus) {
    let color = match status.freshness {
        Freshness::Unchanged => Color32::from_gray(140),
        Freshness::Fresh => Color32::from_rgb(90, 200, 110),
        Freshness::Failed => Color32::from_rgb(240, 90, 80),
    };
    let row = ui.horizontal(|ui| {
        ui.colored_label(color, "●");
        ui.label(format!("shaders: {}", status.freshness.word()));
    });
    row.response.on_hover_text(status.hover());
}
