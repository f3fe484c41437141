//! Pane "Picture": the labels on the pictures, such as names, scales, the worst pixel and pixel values. The pictures
//! themselves are below the panes.

use egui::{
    Align2, Color32, FontId, Painter, Pos2, Rect, Role, Sense, Stroke, Ui, Vec2, WidgetInfo, pos2,
    vec2,
};

use super::scale::{Scale, number};
use super::style::{ON_PICTURE, ON_PICTURE_TEXT, rgb};
use super::values::{CHANNELS, difference, of_both, plain};
use crate::viewer::action::Action;
use crate::viewer::comparison::Comparison;
use crate::viewer::images::{Image, NamePlace, SIDE_COLORS, VALUES_FROM};
use crate::viewer::placement::{PicturePane, Room};
use crate::viewer::readings::Readings;
use crate::viewer::state::ProbeState;
use crate::viewer::view::View;

/// Sizes in points: text size of the labels, their padding, and their distance from the edges and from the split line.
const TEXT: f32 = 12.5;
const PAD: f32 = 4.0;
const MARGIN: f32 = 6.0;
/// Maximum width of the scale, and its height with ticks, in points.
const SCALE_WIDTH: f32 = 260.0;
const SCALE_HEIGHT: f32 = 25.0;
/// Minimum width of an image that has a scale and a line at the bottom.
const LEAST_WIDTH: f32 = 150.0;
/// Half the edge of the mark around the worst pixel, and radius of the ring around the probed pixel, in points.
const MARK: f32 = 7.0;
const RING: f32 = 10.0;
/// Colour of the ring around a locked pixel: the yellow of the split line.
const LOCKED: Color32 = Color32::from_rgb(255, 217, 77);
const VALUE_TEXT: f32 = 9.5;

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
    // Only for the keyboard and screen readers: the mouse controls the camera.
    let response = ui.interact(rect, ui.scope_id().with("picture"), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, description(comparison, pane)));
    if !comparison.chosen.labels {
        return;
    }
    let images = comparison.images(pane, readings.size);
    // The range of a difference is fitted to metrics even if their numbers are not shown.
    let metrics = readings.metrics.filter(|_| comparison.chosen.metrics);
    let worst = metrics.and_then(|metrics| metrics.metrics.worst_pixel);
    for image in &images {
        // A moving frame has no differences, and its pixels are not the pixels of the full frame.
        if readings.moving.is_some() && image.view != View::Picture {
            continue;
        }
        let room = in_points(image.room, scale);
        let mut labels = Labels {
            painter: ui.painter().with_clip_rect(room),
            room,
            scale,
            image,
            taken: Vec::new(),
        };
        // The marks come first, so that text covers them.
        if let Some(pixel) = worst.filter(|_| readings.moving.is_none()) {
            labels.mark(pixel, MARK, 0.0, Color32::WHITE);
        }
        if let Some(pixel) = probe.pixel() {
            let color = if probe.is_locked {
                LOCKED
            } else {
                Color32::WHITE
            };
            labels.mark(pixel, RING, RING, color);
        }
        labels.names(comparison);
        if image.view != View::Picture
            && let (Some(greatest), Some(pixel)) = (labels.difference(comparison, readings), worst)
        {
            probe_at(ui, asked, greatest, pixel);
        }
        if image.cell == [0, 0] {
            labels.status(pane, readings);
        }
        labels.values(readings);
    }
}

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

/// The pixel under the mouse with the values of A and B and their difference, separated by two spaces.
fn under_the_mouse(probe: &ProbeState, readings: &Readings) -> Option<String> {
    let pixel @ [x, y] = probe.hovered?;
    let line = |name: &str, [r, g, b, t]: [String; 4]| format!("  {name} rgb {r} {g} {b} T {t}");
    let of = |side: usize| readings.values?.at(side, pixel);
    let values = match [of(0), of(1)] {
        [Some(a), Some(b)] => {
            let [of_a, of_b] = of_both([a, b]);
            line("A", of_a) + &line("B", of_b) + &line("A - B", difference([a, b]))
        }
        [Some(a), None] => line("A", a.map(plain)),
        // The values arrive a few frames late.
        [None, _] => String::new(),
    };
    Some(format!("pixel {x},{y}{values}"))
}

fn in_points(room: Room, scale: f32) -> Rect {
    let [x, y] = room.origin.map(|place| place / scale);
    let [width, height] = room.size.map(|edge| edge / scale);
    Rect::from_min_size(pos2(x, y), vec2(width, height))
}

struct Labels<'a> {
    painter: Painter,
    room: Rect,
    scale: f32,
    image: &'a Image,
    /// Areas covered by labels; pixel values are not drawn there.
    taken: Vec<Rect>,
}

impl Labels<'_> {
    fn seen(&self) -> Rect {
        let placement = &self.image.placement;
        let [x, y] = placement.origin.map(|place| place / self.scale);
        let edges = placement
            .size
            .map(|edge| edge as f32 * placement.pixel_edge() / self.scale);
        let whole = Rect::from_min_size(pos2(x, y), vec2(edges[0], edges[1]));
        whole.intersect(self.room)
    }

    fn names(&mut self, comparison: &Comparison) {
        let seen = self.seen();
        let [left, top] = [seen.left(), seen.top()].map(|edge| edge + MARGIN);
        let line = self.image.placement.line_of(self.image.split) / self.scale;
        let names = comparison.names();
        for (side, place) in self.image.names() {
            if !has_a_part(*place, line, seen) {
                continue;
            }
            let (x, anchor) = match place {
                NamePlace::Corner => (left, Align2::LEFT_TOP),
                NamePlace::LeftOfLine => (line - MARGIN, Align2::RIGHT_TOP),
                NamePlace::RightOfLine => (line + MARGIN, Align2::LEFT_TOP),
            };
            let ground = self.chip(pos2(x, top), anchor, &names[*side]);
            let edge = ground.with_max_y(ground.top() + 3.0);
            let color = rgb(SIDE_COLORS[*side]);
            self.painter.rect_filled(edge, 1.0, color);
        }
    }

    /// Draws the title and the scale of a difference or debug view. Returns the area of the greatest difference.
    fn difference(&mut self, comparison: &Comparison, readings: &Readings) -> Option<Rect> {
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
        self.chip(corner, Align2::LEFT_TOP, &title);
        let is_asked_for = comparison.chosen.metrics && view.is_difference();
        let greatest = readings.metrics.filter(|_| is_asked_for);
        let greatest = greatest.map(|metrics| {
            let (most, pixel) = (metrics.metrics.max_abs, metrics.metrics.worst_pixel);
            let at = corner + vec2(0.0, TEXT + 3.0 * PAD);
            let Some([x, y]) = pixel.filter(|_| most > 0.0) else {
                return self.chip(at, Align2::LEFT_TOP, "A and B are bit-identical");
            };
            let text = format!("max error {most:.2e} at {x},{y}");
            let label = self.chip(at, Align2::LEFT_TOP, &text);
            // Unlike the other labels, this one can be clicked.
            let edge = Stroke::new(1.0, ON_PICTURE_TEXT);
            self.painter
                .rect_stroke(label, 3.0, edge, egui::StrokeKind::Inside);
            label
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
            let ground = room.expand(MARGIN);
            self.painter.rect_filled(ground, 4.0, ON_PICTURE);
            self.taken.push(ground);
            scale.paint(&self.painter, room);
        }
        greatest
    }

    /// Prints r, g, b and T on each pixel: the values of the picture, or A - B in a difference view.
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
            let side = usize::from(x as f32 >= split);
            let of = |side: usize| values.at(side, [x, y]);
            let both = of(0).zip(of(1)).map(|(a, b)| [a, b]);
            let (short, long) = match view {
                View::Picture => {
                    let apart = both.map(|both| of_both(both)[side].clone());
                    (of(side).map(|value| value.map(plain)), apart)
                }
                _ => (both.map(difference), None),
            };
            let corner = placement.corner_of([x, y]).map(|place| place / self.scale);
            let pixel = Rect::from_min_size(corner.into(), vec2(edge, edge));
            // As many digits as fit are printed.
            let mut lines = [long, short].into_iter().flatten();
            lines.find(|lines| self.write_on(pixel, lines));
        }
    }

    /// Prints values on the visible part of a pixel, where no label covers it. Returns false if the values do not fit.
    fn write_on(&self, pixel: Rect, values: &[String; 4]) -> bool {
        let lines = [0, 1, 2, 3].map(|line| format!("{} {}", CHANNELS[line], values[line]));
        let font = FontId::monospace(VALUE_TEXT);
        let galley = self
            .painter
            .layout_no_wrap(lines.join("\n"), font, ON_PICTURE_TEXT);
        let seen = pixel.intersect(self.room).shrink(1.0);
        let size = galley.size() + vec2(2.0, 2.0);
        let Some(ground) = free_place(seen, size, &self.taken) else {
            return false;
        };
        self.painter.rect_filled(ground, 2.0, ON_PICTURE);
        self.painter
            .galley(ground.min + vec2(1.0, 1.0), galley, ON_PICTURE_TEXT);
        true
    }

    fn mark(&self, pixel: [u32; 2], least: f32, round: f32, color: Color32) {
        let placement = &self.image.placement;
        let [x, y] = placement.corner_of(pixel).map(|place| place / self.scale);
        let edge = placement.pixel_edge() / self.scale;
        let middle = pos2(x + edge / 2.0, y + edge / 2.0);
        let half = least.max(edge / 2.0);
        for (grow, color) in [(1.0, Color32::BLACK), (0.0, color)] {
            let mark = Rect::from_center_size(middle, vec2(2.0, 2.0) * (half + grow));
            let stroke = Stroke::new(1.0, color);
            self.painter
                .rect_stroke(mark, round, stroke, egui::StrokeKind::Outside);
        }
    }

    /// A line at the bottom with size, frames per second, frame time and zoom, or with the pixel under the mouse.
    fn status(&mut self, pane: &PicturePane, readings: &Readings) {
        let mut text = match (readings.moving, readings.size) {
            (Some([width, height]), _) => format!("moving: {width}x{height}, fog integrated"),
            (None, [width, height]) => format!("{width}x{height}"),
        };
        match readings.frame_seconds {
            Some(seconds) if seconds > 0.0 => {
                let digits = usize::from(seconds > 0.1);
                let (rate, time) = (1.0 / seconds, seconds * 1e3);
                text += &format!("  ·  {rate:.digits$} fps  ·  {time:.1} ms");
            }
            _ if readings.is_idle() => text += "  ·  idle",
            _ => text += "  ·  measuring",
        }
        let zoom = pane.zoom.factor;
        if zoom > 1.0 {
            text += &format!("  ·  zoom {zoom:.1}x, key O resets");
        }
        let unbroken = |part: &str| part.replace(' ', "\u{a0}");
        let pointed_at = pane.pointed_at.as_ref();
        let pointed_at = pointed_at.filter(|_| readings.moving.is_none());
        let text = pointed_at.map_or(text, |values| {
            let parts: Vec<String> = values.split("  ").map(unbroken).collect();
            parts.join("  ")
        });
        let seen = self.seen();
        if seen.width() > LEAST_WIDTH {
            let at = seen.left_bottom() + vec2(MARGIN, -MARGIN);
            self.chip(at, Align2::LEFT_BOTTOM, &text);
        }
    }

    /// Draws text on a dark background, wrapped as needed, with its `anchor` at `at`. Returns the area of the text.
    fn chip(&mut self, at: Pos2, anchor: Align2, text: &str) -> Rect {
        let font = FontId::proportional(TEXT);
        let room = self.painter.clip_rect();
        // The label stays left of a scale on the same line.
        let is_beside =
            |label: &&Rect| label.left() > at.x && label.expand(1.0).y_range().contains(at.y);
        let right = self.taken.iter().filter(is_beside);
        let right = right.map(Rect::left).fold(room.right(), f32::min);
        let width = right - room.left() - 2.0 * PAD;
        let galley = self
            .painter
            .layout(text.to_owned(), font, ON_PICTURE_TEXT, width);
        let size = galley.size() + 2.0 * vec2(PAD, PAD / 2.0);
        let ground = anchor.anchor_size(at, size);
        // Labels that extend beyond the picture's edge are moved inside.
        let left = ground.left().min(right - size.x).max(room.left());
        let ground = Rect::from_min_size(pos2(left, ground.top()), size);
        self.painter.rect_filled(ground, 3.0, ON_PICTURE);
        self.painter
            .galley(ground.min + vec2(PAD, PAD / 2.0), galley, ON_PICTURE_TEXT);
        self.taken.push(ground);
        ground
    }
}

/// True if any part of the named side is visible. The split line of an enlarged picture may be out of view.
fn has_a_part(place: NamePlace, line: f32, seen: Rect) -> bool {
    match place {
        NamePlace::Corner => true,
        NamePlace::LeftOfLine => line > seen.left(),
        NamePlace::RightOfLine => line < seen.right(),
    }
}

/// The topmost area of this size at the left of a pixel that no label touches.
fn free_place(pixel: Rect, size: Vec2, taken: &[Rect]) -> Option<Rect> {
    let below = taken.iter().map(Rect::bottom);
    let above = taken.iter().map(|label| label.top() - size.y);
    let tops = [pixel.top()].into_iter().chain(below).chain(above);
    let place = |top: f32| Rect::from_min_size(pos2(pixel.left(), top), size);
    // A label that ends exactly where the area begins does not touch it.
    let touches = |place: &Rect| {
        taken
            .iter()
            .any(|label| label.shrink(0.5).intersects(*place))
    };
    let free = tops.map(place);
    let free = free.filter(|place| pixel.contains_rect(*place) && !touches(place));
    free.min_by(|a, b| a.top().total_cmp(&b.top()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_beside_labels_or_not_at_all() {
        let pixel = Rect::from_min_size(pos2(100.0, 100.0), vec2(80.0, 80.0));
        let size = vec2(60.0, 50.0);
        let label = |top: f32, bottom: f32| Rect::from_x_y_ranges(90.0..=150.0, top..=bottom);
        let top = |taken: &[Rect]| free_place(pixel, size, taken).map(|place| place.top());
        assert_eq!(top(&[label(200.0, 220.0)]), Some(100.0), "on another pixel");
        assert_eq!(top(&[label(155.0, 175.0)]), Some(100.0), "above it");
        let both = [label(90.0, 110.0), label(110.0, 125.0)];
        assert_eq!(top(&both), Some(125.0), "below both");
        assert_eq!(top(&[label(130.0, 150.0)]), None, "no room");
        let small = Rect::from_min_size(pixel.min, vec2(40.0, 80.0));
        assert_eq!(free_place(small, size, &[]), None);
    }
}
