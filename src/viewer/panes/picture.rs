//! Pane "Picture": the room in which the pictures are presented, and what is written on them: the names of A and
//! B, what a difference shows and its scale, the worst pixel, pixel values where pixels are large, and a line with
//! size and frame time. The pictures themselves are under the panes; this paints over them.

use egui::{
    Align2, Color32, FontId, Painter, Pos2, Rect, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2,
};

use super::Readings;
use super::scale::{Scale, number};
use super::style::{ON_PICTURE, ON_PICTURE_TEXT};
use crate::viewer::action::Action;
use crate::viewer::comparison::Comparison;
use crate::viewer::images::{Image, NamePlace, SIDE_COLORS, VALUES_FROM};
use crate::viewer::placement::Room;
use crate::viewer::state::{PicturePane, ProbeState};
use crate::viewer::view::View;

/// Points: size of labels' text, room around it, distance of labels from edges and from the split line.
const TEXT: f32 = 12.5;
const PAD: f32 = 4.0;
const MARGIN: f32 = 6.0;
/// Points: the widest scale, and the height it takes with its ticks.
const SCALE_WIDTH: f32 = 260.0;
const SCALE_HEIGHT: f32 = 25.0;
/// The narrowest image with a scale and a line below.
const LEAST_WIDTH: f32 = 150.0;
/// Points: half the edge of the mark around the worst pixel.
const MARK: f32 = 7.0;
/// Size of the text of pixel values, points.
const VALUE_TEXT: f32 = 9.5;

/// Takes the room that is left for the pictures, and writes on them.
pub fn picture(
    ui: &mut Ui,
    pane: &mut PicturePane,
    comparison: &Comparison,
    probe: &ProbeState,
    asked: &mut Vec<Action>,
    readings: &Readings,
) {
    let rect = ui.available_rect_before_wrap();
    let scale = ui.ctx().pixels_per_point();
    pane.room = Some(Room {
        origin: [rect.left(), rect.top()].map(|place| (place * scale).round()),
        size: [rect.width(), rect.height()].map(|edge| (edge * scale).round()),
    });
    pane.pointed_at = under_the_mouse(probe, readings);
    // Only so that the keyboard and screen readers know of it: the mouse is the camera's.
    let response = ui.interact(rect, ui.scope_id().with("picture"), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, description(comparison, pane)));
    if !comparison.chosen.labels {
        return;
    }
    let images = comparison.images(pane, readings.size);
    // The range of a difference is fitted to them without being asked for their numbers.
    let metrics = readings.metrics.filter(|_| comparison.chosen.metrics);
    let worst = metrics.and_then(|metrics| metrics.metrics.worst_pixel);
    for image in &images {
        let labels = Labels {
            painter: ui.painter().with_clip_rect(in_points(image.room, scale)),
            room: in_points(image.room, scale),
            scale,
            image,
        };
        labels.values(readings);
        labels.names(comparison);
        if let Some(pixel) = worst {
            labels.mark(pixel);
        }
        if image.view != View::Picture
            && let (Some(greatest), Some(pixel)) = (labels.difference(comparison, readings), worst)
        {
            probe_at(ui, asked, greatest, pixel);
        }
        if image.cell == [0, 0] {
            labels.status(pane, readings);
        }
    }
}

/// Lets a click on `label` probe the worst pixel.
fn probe_at(ui: &Ui, asked: &mut Vec<Action>, label: Rect, pixel: [u32; 2]) {
    let id = ui.scope_id().with("worst pixel");
    let response = ui.interact(label, id, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "probe the worst pixel"));
    let hover = "The pixel with the largest difference is marked; click to show its layers";
    let response = response.on_hover_text(hover);
    if response
        .on_hover_cursor(egui::CursorIcon::PointingHand)
        .clicked()
    {
        asked.push(Action::ProbeAt(pixel));
    }
}

/// What is seen, in words.
fn description(comparison: &Comparison, pane: &PicturePane) -> String {
    let (a, b) = (comparison.left(), comparison.chosen.b);
    let mut words = match comparison.right() {
        Some(_) => format!("Picture of {a} and {b}"),
        None => format!("Picture of {a}"),
    };
    if let Some(values) = &pane.pointed_at {
        words += &format!(", {values}");
    }
    words
}

/// The pixel under the mouse with the values of A and B, where pixels are large.
fn under_the_mouse(probe: &ProbeState, readings: &Readings) -> Option<String> {
    let pixel @ [x, y] = probe.hovered?;
    let values = readings.values?;
    let of = |side: usize| {
        let [r, g, b, t] = values.at(side, pixel)?;
        let name = ["A", "B"][side];
        Some(format!("  {name} {r:.5} {g:.5} {b:.5} T {t:.5}"))
    };
    let both = [0, 1].map(of).into_iter().flatten();
    Some(format!("pixel {x},{y}{}", both.collect::<String>()))
}

fn in_points(room: Room, scale: f32) -> Rect {
    let [x, y] = room.origin.map(|place| place / scale);
    let [width, height] = room.size.map(|edge| edge / scale);
    Rect::from_min_size(pos2(x, y), vec2(width, height))
}

/// Writes on one image.
struct Labels<'a> {
    painter: Painter,
    room: Rect,
    /// Physical pixels per point.
    scale: f32,
    image: &'a Image,
}

impl Labels<'_> {
    /// The part of the room that the image covers.
    fn seen(&self) -> Rect {
        let placement = &self.image.placement;
        let [x, y] = placement.origin.map(|place| place / self.scale);
        let edges = placement
            .size
            .map(|edge| edge as f32 * placement.pixel_edge() / self.scale);
        let whole = Rect::from_min_size(pos2(x, y), vec2(edges[0], edges[1]));
        whole.intersect(self.room)
    }

    /// The names of the methods, beside the split line where there is one.
    fn names(&self, comparison: &Comparison) {
        let seen = self.seen();
        let [left, top] = [seen.left(), seen.top()].map(|edge| edge + MARGIN);
        let line = self.image.placement.line_of(self.image.split) / self.scale;
        let names = comparison.names();
        for (side, place) in self.image.names() {
            let (x, anchor) = match place {
                NamePlace::Corner => (left, Align2::LEFT_TOP),
                NamePlace::LeftOfLine => (line - MARGIN, Align2::RIGHT_TOP),
                NamePlace::RightOfLine => (line + MARGIN, Align2::LEFT_TOP),
            };
            let ground = chip(&self.painter, pos2(x, top), anchor, &names[*side]);
            let [r, g, b] = SIDE_COLORS[*side];
            let edge = ground.with_max_y(ground.top() + 3.0);
            self.painter
                .rect_filled(edge, 1.0, Color32::from_rgb(r, g, b));
        }
    }

    /// What a difference or a debug view shows, and what its colours stand for. Returns where the greatest difference
    /// is written, if it is.
    fn difference(&self, comparison: &Comparison, readings: &Readings) -> Option<Rect> {
        let seen = self.seen();
        let view = self.image.view;
        let amplify = 10f32.powf(comparison.chosen.amplify_log10);
        let times = number(amplify);
        let title = match view {
            View::Absolute => format!("|A - B|, amplified {times}x"),
            View::Signed => format!("A - B, amplified {times}x"),
            View::RedOnGrey => format!("|A - B| in red, amplified {times}x"),
            View::Log => "log10 |A - B|".to_owned(),
            View::Ulp => "|A - B| in ULP of B".to_owned(),
            _ => format!("{} of A", view.name()),
        };
        let corner = seen.left_top() + vec2(MARGIN, MARGIN);
        chip(&self.painter, corner, Align2::LEFT_TOP, &title);
        let is_asked_for = comparison.chosen.metrics && view.is_difference();
        let greatest = readings.metrics.filter(|_| is_asked_for);
        let greatest = greatest.map(|metrics| {
            let (most, pixel) = (metrics.metrics.max_abs, metrics.metrics.worst_pixel);
            let text = match pixel.filter(|_| most > 0.0) {
                None => "A and B are bit-identical".to_owned(),
                Some([x, y]) => format!("max error {most:.2e} at {x},{y}"),
            };
            let at = corner + vec2(0.0, TEXT + 3.0 * PAD);
            chip(&self.painter, at, Align2::LEFT_TOP, &text)
        });
        let scale = Scale::of(
            view,
            amplify,
            comparison.difference_range(),
            readings.debug_range,
        );
        if let Some(scale) = scale.filter(|_| seen.width() > LEAST_WIDTH) {
            let width = SCALE_WIDTH.min(seen.width() - 4.0 * MARGIN);
            let at = seen.right_bottom() - vec2(width + 2.0 * MARGIN, SCALE_HEIGHT + 2.0 * MARGIN);
            let room = Rect::from_min_size(at, vec2(width, SCALE_HEIGHT));
            self.painter
                .rect_filled(room.expand(MARGIN), 4.0, ON_PICTURE);
            scale.paint(&self.painter, room);
        }
        greatest
    }

    /// Prints r, g, b and T on each pixel: the picture's values, or A - B in a difference view.
    fn values(&self, readings: &Readings) {
        let placement = &self.image.placement;
        let edge = placement.pixel_edge() / self.scale;
        let Some(values) = readings.values.filter(|_| edge >= VALUES_FROM) else {
            return;
        };
        let view = self.image.view;
        if view != View::Picture && !view.is_difference() {
            return;
        }
        let [left, top] = values.region.origin;
        let [width, height] = values.region.size;
        let split = self.image.split * placement.size[0] as f32;
        for (x, y) in (top..top + height).flat_map(|y| (left..left + width).map(move |x| (x, y))) {
            let [a, b] = [0, 1].map(|side| values.at(side, [x, y]));
            let is_right = x as f32 >= split;
            let lines = match (view, a, b) {
                (View::Picture, _, Some(b)) if is_right => b.map(|value| format!("{value:.5}")),
                (View::Picture, Some(a), _) if !is_right => a.map(|value| format!("{value:.5}")),
                (View::Picture, _, _) => continue,
                (_, Some(a), Some(b)) => {
                    [0, 1, 2, 3].map(|channel| format!("{:.1e}", a[channel] - b[channel]))
                }
                _ => continue,
            };
            let corner = placement.corner_of([x, y]).map(|place| place / self.scale);
            // A pixel that is cut off has its values on the visible part.
            let at = pos2(corner[0], corner[1]).max(self.room.min) + vec2(3.0, 2.0);
            let font = FontId::monospace(VALUE_TEXT);
            let galley = self
                .painter
                .layout_no_wrap(lines.join("\n"), font, ON_PICTURE_TEXT);
            let ground = Rect::from_min_size(at, galley.size()).expand(1.0);
            self.painter.rect_filled(ground, 2.0, ON_PICTURE);
            self.painter.galley(at, galley, ON_PICTURE_TEXT);
        }
    }

    /// A mark around a pixel.
    fn mark(&self, pixel: [u32; 2]) {
        let placement = &self.image.placement;
        let [x, y] = placement.corner_of(pixel).map(|place| place / self.scale);
        let edge = placement.pixel_edge() / self.scale;
        let middle = pos2(x + edge / 2.0, y + edge / 2.0);
        let half = MARK.max(edge / 2.0);
        for (grow, color) in [(1.0, Color32::BLACK), (0.0, Color32::WHITE)] {
            let mark = Rect::from_center_size(middle, vec2(2.0, 2.0) * (half + grow));
            let stroke = Stroke::new(1.0, color);
            self.painter
                .rect_stroke(mark, 0.0, stroke, egui::StrokeKind::Outside);
        }
    }

    /// One line at the bottom: size, frames per second, frame time and zoom; or the pixel under the mouse if
    /// pixels are large.
    fn status(&self, pane: &PicturePane, readings: &Readings) {
        let [width, height] = readings.size;
        let mut text = format!("{width}x{height}");
        match readings.frame_seconds {
            Some(seconds) if seconds > 0.0 => {
                let digits = usize::from(seconds > 0.1);
                let (rate, time) = (1.0 / seconds, seconds * 1e3);
                text += &format!("  ·  {rate:.digits$} fps  ·  {time:.1} ms");
            }
            _ => text += "  ·  idle",
        }
        let zoom = pane.zoom.factor;
        if zoom > 1.0 {
            text += &format!("  ·  zoom {zoom:.1}x, key O resets");
        }
        let text = pane.pointed_at.as_ref().unwrap_or(&text);
        let seen = self.seen();
        if seen.width() > LEAST_WIDTH {
            let at = seen.left_bottom() + vec2(MARGIN, -MARGIN);
            chip(&self.painter, at, Align2::LEFT_BOTTOM, text);
        }
    }
}

/// Text on a dark ground, `anchor` of it at `at`; returns where it is.
fn chip(painter: &Painter, at: Pos2, anchor: Align2, text: &str) -> Rect {
    let font = FontId::proportional(TEXT);
    let galley = painter.layout_no_wrap(text.to_owned(), font, ON_PICTURE_TEXT);
    let size = galley.size() + 2.0 * vec2(PAD, PAD / 2.0);
    let ground = anchor.anchor_size(at, size);
    // What does not fit at the edge of the picture is moved inside.
    let clip = painter.clip_rect();
    let left = ground.left().min(clip.right() - size.x).max(clip.left());
    let ground = Rect::from_min_size(pos2(left, ground.top()), size);
    painter.rect_filled(ground, 3.0, ON_PICTURE);
    painter.galley(ground.min + vec2(PAD, PAD / 2.0), galley, ON_PICTURE_TEXT);
    ground
}
