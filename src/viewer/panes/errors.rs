//! Pane "Errors": the error of each measured method plotted against its time, and the Pareto front.

use egui::{Align2, FontId, Pos2, Rect, RichText, Role, Sense, Stroke, Ui, WidgetInfo};
use egui::{Vec2, pos2, vec2};

use super::style::{colors_of_sides, note, rgb};
use crate::model::format::{three_digits, time};
use crate::model::methods::Method;
use crate::report::axis::{Axes, Standing, front};
use crate::report::palette;
use crate::viewer::action::Action;
use crate::viewer::preset::Compare;
use crate::viewer::times::Current;

/// Space in points for the labels of errors and times, and between a dot and the plot's edge.
const LABELS: [f32; 2] = [40.0, 16.0];
const INSET: f32 = 10.0;
/// Aspect ratio of the plot, limits on its height in points, and space for the note below it.
const SHAPE: f32 = 0.62;
const HEIGHTS: [f32; 2] = [120.0, 420.0];
const NOTE: f32 = 52.0;
/// Radii in points of a dot, of the ring around a dot on the front, and of the mouse target.
const DOT: f32 = 4.0;
const RING: f32 = 6.0;
const REACH: f32 = 7.0;
const TEXT: f32 = 11.0;

struct Dot {
    method: Method,
    /// Microseconds including inputs, and root mean square error.
    standing: Standing,
    /// Microseconds without inputs.
    alone: f64,
    greatest: f64,
    runs: String,
    is_on_front: bool,
}

pub fn errors(
    ui: &mut Ui,
    current: &Current,
    chosen: &Compare,
    adapter: &str,
    asked: &mut Vec<Action>,
) {
    let (dots, front) = dots(current, adapter);
    if dots.is_empty() {
        let hint = "no errors measured for this picture; measure all methods (M)";
        ui.label(RichText::new(hint).weak());
        return;
    }
    plot(ui, &dots, &front, chosen, asked);
    let about = "RMSE of the picture in linear light against the time of the composite with its inputs. Exact methods are at the \
        bottom. The line is the Pareto front.";
    let not_compared = Method::not_compared(Method::all(), adapter).unwrap_or_default();
    note(ui, format!("{about} {not_compared}"));
}

/// Methods that have a time and an error and are comparable, and the indices of those on the front.
fn dots(current: &Current, adapter: &str) -> (Vec<Dot>, Vec<usize>) {
    let dot = |method: Method| {
        let (time, error) = (current.time(method)?, current.error(method)?);
        Some(Dot {
            method,
            standing: [1e3 * (time.median + time.inputs?), error.metrics.shown_rmse],
            alone: 1e3 * time.median,
            greatest: error.metrics.shown_max,
            runs: time.runs.label(),
            is_on_front: false,
        })
    };
    let compared = Method::all().filter(|method| method.drawing_part(adapter).is_none());
    let mut dots: Vec<Dot> = compared.filter_map(dot).collect();
    let standings: Vec<Standing> = dots.iter().map(|dot| dot.standing).collect();
    let front = front(&standings);
    for place in &front {
        dots[*place].is_on_front = true;
    }
    (dots, front)
}

fn plot(ui: &mut Ui, dots: &[Dot], front: &[usize], chosen: &Compare, asked: &mut Vec<Action>) {
    let width = ui.available_width();
    let height = (SHAPE * width).min(ui.clip_rect().height() - NOTE);
    let size = vec2(width, height.clamp(HEIGHTS[0], HEIGHTS[1]));
    let (room, _) = ui.allocate_exact_size(size, Sense::hover());
    let corner = pos2(room.left() + LABELS[0], room.bottom() - LABELS[1]);
    let plot = Rect::from_min_max(pos2(corner.x, room.top()), pos2(room.right(), corner.y));
    let inner = plot.shrink(INSET);
    let standings: Vec<Standing> = dots.iter().map(|dot| dot.standing).collect();
    let across = [inner.left(), inner.right()].map(f64::from);
    let up = [inner.bottom(), inner.top()].map(f64::from);
    let axes = Axes::over(&standings, across, up);
    let place = |standing: Standing| {
        let [x, y] = axes.place(standing);
        pos2(x as f32, y as f32)
    };
    grid(ui, plot, &axes);
    let steps = front.iter().map(|step| place(standings[*step]));
    let steps: Vec<Pos2> = steps.collect();
    let ink = ui.visuals().text_color();
    ui.painter().line(steps, Stroke::new(1.5, ink));
    for dot in dots {
        mark(ui, dot, place(dot.standing), chosen);
    }
    let places = dots.iter().map(|dot| (dot, place(dot.standing)));
    names(ui, places.collect(), plot, chosen);
    for dot in dots {
        let reach = Rect::from_center_size(place(dot.standing), vec2(2.0, 2.0) * REACH);
        let id = ui.scope_id().with(("dot", dot.method.name()));
        let response = ui.interact(reach, id, Sense::CLICK);
        let said = said(dot, chosen);
        let is_b = chosen.b == dot.method;
        response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, is_b, &said));
        if response.clicked() {
            asked.push(Action::PickOther(dot.method));
        }
        response.on_hover_text(said + "\nClick to make it method B");
    }
}

fn grid(ui: &Ui, plot: Rect, axes: &Axes) {
    let painter = ui.painter();
    let weak = ui.visuals().weak_text_color();
    let line = Stroke::new(1.0, weak.gamma_multiply(0.3));
    let font = || FontId::proportional(TEXT);
    for (at, text) in axes.ticks_of_errors() {
        painter.hline(plot.x_range(), at as f32, line);
        let end = pos2(plot.left() - 4.0, at as f32);
        painter.text(end, Align2::RIGHT_CENTER, text, font(), weak);
    }
    for (at, text) in axes.ticks_of_times() {
        painter.vline(at as f32, plot.y_range(), line);
        let top = pos2(at as f32, plot.bottom() + 2.0);
        painter.text(top, Align2::CENTER_TOP, text, font(), weak);
    }
}

fn mark(ui: &Ui, dot: &Dot, at: Pos2, chosen: &Compare) {
    let fill = rgb(palette::colour(dot.method));
    let painter = ui.painter();
    let [color_a, color_b] = colors_of_sides(ui);
    let ink = ui.visuals().text_color();
    let ring = match dot.method {
        method if method == chosen.a => Some((color_a, 3.0)),
        method if method == chosen.b => Some((color_b, 3.0)),
        _ => dot.is_on_front.then_some((ink, 1.0)),
    };
    let edge = Stroke::new(1.0, ui.visuals().weak_text_color());
    painter.circle(at, DOT, fill, edge);
    if let Some((color, width)) = ring {
        painter.circle_stroke(at, RING, Stroke::new(width, color));
    }
}

/// Writes names next to the dots, in order of importance. A name that does not fit is shown only as a tooltip.
fn names(ui: &Ui, mut dots: Vec<(&Dot, Pos2)>, plot: Rect, chosen: &Compare) {
    let sides = [chosen.a, chosen.b];
    dots.sort_by_key(
        |(
            Dot {
                method,
                is_on_front,
                ..
            },
            _,
        )| { (!sides.contains(method), !is_on_front, method.is_exact()) },
    );
    let ink = ui.visuals().text_color();
    let name = |(dot, _): &(&Dot, Pos2)| {
        let (name, font) = (dot.method.name().to_owned(), FontId::proportional(TEXT));
        ui.painter().layout_no_wrap(name, font, ink)
    };
    let names: Vec<_> = dots.iter().map(name).collect();
    let sizes = names.iter().map(|name| name.size());
    let rooms = rooms(dots.iter().map(|dot| dot.1).zip(sizes).collect(), plot);
    for (name, room) in names.into_iter().zip(rooms) {
        if let Some(room) = room {
            ui.painter().galley(room.min, name, ink);
        }
    }
}

/// Room in `plot` for each name next to its dot, where the name covers no dot and no earlier name.
fn rooms(dots: Vec<(Pos2, Vec2)>, plot: Rect) -> Vec<Option<Rect>> {
    let dot = |dot: &(Pos2, Vec2)| Rect::from_center_size(dot.0, Vec2::splat(2.0 * DOT));
    let mut taken: Vec<Rect> = dots.iter().map(dot).collect();
    let room = |(at, size): (Pos2, Vec2)| {
        let aside = size.x / 2.0 + RING + 2.0;
        let ways = [-0.5, 0.5, 0.0, -1.3, 1.3, -1.6, 1.6].into_iter();
        let mut ways = ways.flat_map(|up| [vec2(aside, up * size.y), vec2(-aside, up * size.y)]);
        let room = ways.find_map(|way| {
            let room = Rect::from_center_size(at + way, size);
            let left = room.left().min(plot.right() - size.x).max(plot.left());
            let room = Rect::from_min_size(pos2(left, room.top()), size);
            let is_free = !taken.iter().any(|other| other.intersects(room));
            (is_free && plot.contains_rect(room)).then_some(room)
        });
        taken.extend(room);
        room
    };
    dots.into_iter().map(room).collect()
}

fn said(dot: &Dot, chosen: &Compare) -> String {
    let (method, [microseconds, rmse]) = (dot.method, dot.standing);
    let side = match method {
        _ if method == chosen.a => "A: ",
        _ if method == chosen.b => "B: ",
        _ => "",
    };
    let runs = match dot.runs.strip_prefix(method.name()) {
        Some(options) => options.to_owned(),
        None => format!(": {}", dot.runs),
    };
    let [alone, greatest] = [time(dot.alone), three_digits(dot.greatest)];
    let mut said = format!(
        "{side}{method}{runs}\n{} with inputs, {alone} without\nRMSE {}, max {greatest}",
        time(microseconds),
        three_digits(rmse)
    );
    if dot.is_on_front {
        said += "; on the Pareto front";
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_written_over_another_one_or_over_a_dot() {
        let plot = Rect::from_min_size(Pos2::ZERO, vec2(250.0, 160.0));
        // Dots on a line, like exact methods; dots at one position; a dot in a corner; and a dot far from all others.
        let line = (0..12).map(|n| pos2(20.0 + 9.0 * n as f32, 150.0));
        let others = [[200.0, 20.0], [201.0, 21.0], [245.0, 90.0], [60.0, 60.0]].map(Pos2::from);
        let dots = line.chain(others).map(|at| (at, vec2(70.0, 12.0)));
        let dots: Vec<(Pos2, Vec2)> = dots.collect();
        let rooms = rooms(dots.clone(), plot);
        let written: Vec<Rect> = rooms.iter().copied().flatten().collect();
        for (index, room) in written.iter().enumerate() {
            let is_over = written[..index].iter().any(|of| of.intersects(*room))
                || dots.iter().any(|dot| room.contains(dot.0));
            assert!(plot.contains_rect(*room) && !is_over, "{room}");
        }
        let have_names = rooms[0].is_some() && rooms[12..].iter().all(Option::is_some);
        assert!(have_names && written.len() < dots.len(), "{rooms:?}");
    }
}
