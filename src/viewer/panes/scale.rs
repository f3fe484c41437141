//! Colour scale of a view, drawn on the picture: a bar with ticks, in the colours of `shaders/inspect/present.wesl`.

use egui::{Align2, Color32, FontId, Mesh, Painter, Rect, pos2};

use super::style::ON_PICTURE_TEXT;
use crate::report::range::DifferenceRange;
use crate::viewer::view::{RAMP, View};

const BAR: f32 = 9.0;
const TEXT: f32 = 10.5;
/// Maximum number of labels for a log10 difference.
const LABELS: usize = 5;

/// Evenly spaced colours from the low to the high end, and values at some positions on the scale, 0…1.
pub struct Scale {
    colors: Vec<Color32>,
    ticks: Vec<(f32, String)>,
}

impl Scale {
    /// Scale of a view; `None` for the picture and for views that only mark pixels.
    pub fn of(
        view: View,
        amplify: f32,
        differences: DifferenceRange,
        [low, high]: [f32; 2],
    ) -> Option<Self> {
        let most = 1.0 / amplify;
        let gray = |level: u8| Color32::from_gray(level);
        let linear = |colors: Vec<Color32>, low: f32, high: f32| {
            let tick = |at: f32| (at, number(low + at * (high - low)));
            Self {
                colors,
                ticks: [0.0, 0.5, 1.0].map(tick).to_vec(),
            }
        };
        Some(match view {
            View::Picture | View::NotFinite => return None,
            View::Absolute => linear(vec![gray(0), gray(255)], 0.0, most),
            View::Signed => linear(
                vec![
                    Color32::from_rgb(0, 0, 255),
                    gray(0),
                    Color32::from_rgb(255, 0, 0),
                ],
                -most,
                most,
            ),
            View::RedOnGrey => linear(vec![gray(110), Color32::from_rgb(255, 13, 13)], 0.0, most),
            View::Log => Self {
                colors: ramp(),
                ticks: differences
                    .ticks(LABELS)
                    .into_iter()
                    .map(|tick| (tick.share as f32, tick.label.unwrap_or_default()))
                    .collect(),
            },
            View::Ulp => Self {
                colors: ramp(),
                ticks: [0u32, 1, 7, 63, 1023]
                    .map(|ulp| (((ulp + 1) as f32).log2() / 10.0, ulp.to_string()))
                    .to_vec(),
            },
            View::ListLength
            | View::Groups
            | View::Transmittance
            | View::OpaqueDepth
            | View::EarlyOutGroup => linear(ramp(), low, high),
        })
    }

    pub fn paint(&self, painter: &Painter, room: Rect) {
        let bar = Rect::from_min_size(room.min, egui::vec2(room.width(), BAR));
        let mut mesh = Mesh::default();
        let last = (self.colors.len() - 1).max(1) as f32;
        for (index, color) in self.colors.iter().enumerate() {
            let x = bar.left() + bar.width() * index as f32 / last;
            mesh.colored_vertex(pos2(x, bar.top()), *color);
            mesh.colored_vertex(pos2(x, bar.bottom()), *color);
        }
        for first in (0..2 * (self.colors.len() as u32 - 1)).step_by(2) {
            mesh.add_triangle(first, first + 1, first + 2);
            mesh.add_triangle(first + 1, first + 2, first + 3);
        }
        painter.add(mesh);
        let stroke = egui::Stroke::new(1.0, ON_PICTURE_TEXT);
        painter.rect_stroke(bar, 0.0, stroke, egui::StrokeKind::Outside);
        for (at, value) in &self.ticks {
            let x = bar.left() + bar.width() * at;
            painter.vline(x, bar.bottom()..=bar.bottom() + 3.0, stroke);
            let align = match *at {
                at if at <= 0.0 => Align2::LEFT_TOP,
                at if at >= 1.0 => Align2::RIGHT_TOP,
                _ => Align2::CENTER_TOP,
            };
            let font = FontId::proportional(TEXT);
            painter.text(
                pos2(x, bar.bottom() + 3.0),
                align,
                value,
                font,
                ON_PICTURE_TEXT,
            );
        }
    }
}

fn ramp() -> Vec<Color32> {
    let byte = |channel: f32| (channel * 255.0).round() as u8;
    let color = |[r, g, b]: [f32; 3]| Color32::from_rgb(byte(r), byte(g), byte(b));
    RAMP.map(color).to_vec()
}

pub fn number(value: f32) -> String {
    let size = value.abs();
    if value == 0.0 {
        "0".to_owned()
    } else if (0.01..100_000.0).contains(&size) {
        let text = format!("{value:.2}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        format!("{value:.0e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_view_with_a_scale_says_what_its_ends_stand_for() {
        let narrow = DifferenceRange::new(-8, -5).expect("a range");
        let ticks = |view| {
            let scale = Scale::of(view, 1e5, narrow, [0.0, 412.0]).expect("it has one");
            let values: Vec<String> = scale.ticks.into_iter().map(|tick| tick.1).collect();
            values.join(" ")
        };
        assert_eq!(ticks(View::Absolute), "0 5e-6 1e-5");
        assert_eq!(ticks(View::Signed), "-1e-5 0 1e-5");
        assert_eq!(ticks(View::Log), "≤1e-8 1e-7 1e-6 ≥1e-5");
        assert_eq!(ticks(View::Ulp), "0 1 7 63 1023");
        assert_eq!(ticks(View::ListLength), "0 206 412");
    }
}
