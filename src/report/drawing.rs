//! What charts are made of: a heading, axes, a legend, paragraphs and stacked bars, as SVG. A chart is read at 400 pixels
//! of width and at 1400: it has 600 units of width and as much height as it needs, and no text below 10 units.

use super::canvas::Rgb;
use super::palette::{Look, on};
use super::svg::{Element, element, fitted, number, path, width, wrapped};
use crate::model::format::time;

/// Width of every chart.
pub const WIDTH: f64 = 600.0;
/// Room between what is drawn and the edge.
pub const MARGIN: f64 = 10.0;
/// Size of texts.
pub const TEXT: f64 = 12.0;
/// Height of a line of text.
pub const LINE: f64 = 17.0;

/// A point, from the top left corner.
pub type Point = [f64; 2];

/// A chart that is being drawn, from top to bottom.
pub struct Drawing {
    content: Vec<Element>,
    title: String,
    /// Where the next part begins.
    pub y: f64,
}

/// What stands before a text of a legend.
#[derive(Clone, Copy, Debug)]
pub enum Sign {
    /// A box in a colour.
    Fill(Rgb),
    /// A box in a colour, with a marker.
    Marked(Rgb, &'static str),
    /// A line with a marker.
    Series(Look),
    /// A heavy line between cells.
    Border,
}

/// A bar of [`Drawing::stacked_bars`].
#[derive(Clone, Debug, Default)]
pub struct Bar {
    pub name: String,
    /// What else is said of it, in a weaker colour.
    pub note: String,
    /// The places in a record of the rows that its parts are of; none where there is no record.
    pub rows: Vec<usize>,
    pub parts: Vec<BarPart>,
}

/// A part of a bar, such as a pass.
#[derive(Clone, Debug)]
pub struct BarPart {
    pub name: String,
    pub colour: Rgb,
    pub milliseconds: f64,
}

impl Bar {
    fn total(&self) -> f64 {
        self.parts.iter().map(|part| part.milliseconds).sum()
    }
}

/// A line of text that starts at, is centred on or ends at a point (`anchor` start, middle or end), at half its height;
/// whoever writes it gives it a class or a colour.
pub fn label([x, y]: Point, size: f64, anchor: &str, text: &str) -> Element {
    element("text")
        .with("x", x)
        .with("y", y + 0.35 * size)
        .with("font-size", size)
        .with("text-anchor", anchor)
        .text(text)
}

pub fn rectangle([left, top]: Point, [right, bottom]: Point) -> Element {
    element("rect")
        .with("x", left)
        .with("y", top)
        .with("width", right - left)
        .with("height", bottom - top)
}

/// A line through points; whoever draws it gives it a colour.
pub fn line(points: &[Point], thickness: f64) -> Element {
    element("path")
        .with("d", path(points))
        .with("fill", "none")
        .with("stroke-width", thickness)
}

/// A marker of a method; whoever draws it fills it.
pub fn marker([x, y]: Point, radius: f64, marker: &str) -> Element {
    let place = [x, y, radius].map(number);
    let [x, y, radius] = &place;
    element("path")
        .with("d", marker)
        .with("transform", format!("translate({x} {y}) scale({radius})"))
}

impl Drawing {
    /// A chart with its heading: the title, a warning if there is one, and what holds for all of it.
    pub fn new(title: &str, warning: Option<&str>, caption: &str) -> Self {
        let mut drawing = Self {
            content: Vec::new(),
            title: title.to_owned(),
            y: MARGIN,
        };
        let lines = [
            (16.0, "ink", Some(title)),
            (14.0, "warn", warning),
            (TEXT, "dim", Some(caption)),
        ];
        for (size, class, text) in lines {
            drawing.lines(size, class, text.unwrap_or_default());
        }
        drawing.y += 6.0;
        drawing
    }

    pub fn add(&mut self, element: Element) {
        self.content.push(element);
    }

    pub fn paragraph(&mut self, text: &str) {
        self.y += 4.0;
        self.lines(TEXT, "dim", text);
    }

    fn lines(&mut self, size: f64, class: &str, text: &str) {
        let height = size * LINE / TEXT;
        for line in wrapped(size, text, WIDTH - 2.0 * MARGIN) {
            let at = [MARGIN, self.y + height / 2.0];
            self.add(label(at, size, "start", &line).with("class", class));
            self.y += height;
        }
    }

    /// Writes labels below an axis at `y`, centred on their places where the chart has room for that. One that would
    /// overlap another stands a line lower, or is left out. The next part begins below them.
    pub fn labels_below(&mut self, y: f64, labels: &[(f64, String)]) {
        let places = labels.iter().map(|(x, text)| {
            let length = width(TEXT, text);
            (x.min(WIDTH - 3.0 - 0.5 * length).max(0.5 * length), length)
        });
        let places: Vec<(f64, f64)> = places.collect();
        let lines = in_two_lines(&places);
        self.y = y;
        for line in lines.iter().filter(|line| !line.is_empty()) {
            for &index in line {
                let at = [places[index].0, self.y + LINE / 2.0];
                let text = label(at, TEXT, "middle", &labels[index].1);
                self.add(text.with("class", "ink"));
            }
            self.y += LINE;
        }
    }

    /// Writes a legend, as many signs in a line as there is room for.
    pub fn legend(&mut self, keys: &[(Sign, String)]) {
        self.y += 6.0;
        let mut x = MARGIN;
        for (sign, text) in keys {
            let text = fitted(TEXT, text, WIDTH - 2.0 * MARGIN - 32.0);
            let length = (32.0 + width(TEXT, &text)).max(60.0);
            if x > MARGIN && x + length > WIDTH - MARGIN {
                x = MARGIN;
                self.y += LINE + 2.0;
            }
            let middle = self.y + LINE / 2.0;
            self.sign(*sign, [x, middle]);
            self.add(label([x + 32.0, middle], TEXT, "start", &text).with("class", "ink"));
            x += length + 14.0;
        }
        self.y += LINE + 2.0;
    }

    fn sign(&mut self, sign: Sign, [x, y]: Point) {
        let filled =
            |colour: Rgb| rectangle([x, y - 7.0], [x + 26.0, y + 7.0]).with("fill", colour);
        let middle = [x + 13.0, y];
        let ends = [[x, y], [x + 26.0, y]];
        match sign {
            Sign::Fill(colour) => self.add(filled(colour)),
            Sign::Marked(colour, of) => {
                self.add(filled(colour));
                self.add(marker(middle, 4.0, of).with("fill", on(colour)));
            }
            Sign::Series(look) => {
                self.add(series(&ends, &look));
                self.add(marker(middle, 4.5, look.marker).with("fill", look.colour));
            }
            Sign::Border => self.add(line(&ends, 4.0).with("class", "line")),
        }
    }

    /// Draws bars one below the other, their parts in order from the left, with an axis of time and a legend. For a
    /// single frame, give it one bar.
    pub fn stacked_bars(&mut self, bars: &[Bar]) {
        const HEIGHT: f64 = 22.0;
        let longest = bars.iter().map(Bar::total).fold(0.0, f64::max);
        if longest <= 0.0 {
            return;
        }
        let scale = (WIDTH - 2.0 * MARGIN) / longest;
        let ticks = (0..).map(|index| f64::from(index) * step(longest));
        let ticks = ticks.take_while(|tick| *tick <= longest * 1.0001);
        let ticks = ticks.map(|tick| (MARGIN + tick * scale, round_time(1e3 * tick)));
        let ticks: Vec<(f64, String)> = ticks.collect();
        for bar in bars {
            let total = time(1e3 * bar.total());
            let end = [WIDTH - MARGIN, self.y + LINE / 2.0];
            let room = end[0] - MARGIN - width(TEXT, &total) - 20.0;
            let name = fitted(TEXT, &bar.name, room);
            let note = fitted(TEXT, &bar.note, (room - width(TEXT, &name)).max(TEXT));
            let note = element("tspan")
                .with("class", "dim")
                .with("dx", 8.0)
                .text(&note);
            let name = label([MARGIN, end[1]], TEXT, "start", &name);
            self.add(name.with("class", "ink").child(note));
            self.add(label(end, TEXT, "end", &total).with("class", "ink"));
            self.y += LINE;
            for (x, _) in &ticks {
                let ends = [[*x, self.y - 2.0], [*x, self.y + HEIGHT + 4.0]];
                self.add(line(&ends, 1.0).with("class", "grid"));
            }
            let mut left = MARGIN;
            for part in &bar.parts {
                let right = left + part.milliseconds * scale;
                self.bar_part(bar, part, [left, self.y], [right, self.y + HEIGHT]);
                left = right;
            }
            self.y += HEIGHT + 10.0;
        }
        self.labels_below(self.y - 6.0, &ticks);
        let mut keys: Vec<(Sign, String)> = Vec::new();
        for part in bars.iter().flat_map(|bar| &bar.parts) {
            if keys.iter().all(|key| key.1 != part.name) {
                keys.push((Sign::Fill(part.colour), part.name.clone()));
            }
        }
        self.legend(&keys);
    }

    fn bar_part(&mut self, bar: &Bar, part: &BarPart, [left, top]: Point, [right, bottom]: Point) {
        let [text, total] = [part.milliseconds, bar.total()].map(|of| time(1e3 * of));
        let share = 100.0 * part.milliseconds / bar.total();
        let words = format!(
            "{}, {}: {text}, {share:.1} % of {total}",
            bar.name, part.name
        );
        // A gap between parts, unless a part is thinner than that.
        let end = (right - 0.7).max(left + 0.4);
        let fill = rectangle([left, top], [end, bottom]).with("fill", part.colour);
        let mut part_mark = element("g").mark(&bar.rows, &words).child(fill);
        if width(TEXT - 1.0, &text) + 6.0 <= right - left {
            let middle = [f64::midpoint(left, right), f64::midpoint(top, bottom)];
            let text = label(middle, TEXT - 1.0, "middle", &text);
            part_mark.push(text.with("fill", on(part.colour)));
        }
        self.add(part_mark);
    }

    /// The SVG, for a page; [`super::svg::standalone`] makes a file of it.
    pub fn finish(self) -> String {
        let height = self.y + MARGIN;
        let [right, bottom] = [WIDTH, height].map(number);
        let mut svg = element("svg")
            .with("viewBox", format!("0 0 {right} {bottom}"))
            .with("class", "chart")
            .with("role", "img")
            .with("aria-label", self.title)
            .with("font-family", "system-ui, sans-serif")
            .child(rectangle([0.0, 0.0], [WIDTH, height]).with("class", "paper"));
        for element in self.content {
            svg.push(element);
        }
        svg.to_string()
    }
}

/// A method's line through points.
pub fn series(points: &[Point], look: &Look) -> Element {
    let line = line(points, 1.8).with("stroke", look.colour);
    match look.dash {
        "" => line,
        dash => line.with("stroke-dasharray", dash),
    }
}

/// A logarithmic axis, which maps values to places.
#[derive(Clone, Copy, Debug)]
pub struct Log {
    values: [f64; 2],
    places: [f64; 2],
}

impl Log {
    /// An axis from the least to the greatest of those values that have a logarithm. A single one stands in the middle.
    pub fn over(values: impl IntoIterator<Item = f64>, places: [f64; 2]) -> Self {
        let logs = values.into_iter().map(f64::log2);
        let logs = logs.filter(|log| log.is_finite());
        let ends = logs.fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], log| {
            [log.min(least), log.max(most)]
        });
        let values = match ends {
            [least, most] if least > most => [-1.0, 1.0],
            [least, most] if most - least < 1e-9 => [least - 1.0, most + 1.0],
            ends => ends,
        };
        Self { values, places }
    }

    /// The place of a value, the end of the axis for one beyond it.
    pub fn at(&self, value: f64) -> f64 {
        let [least, most] = self.values;
        let part = (value.max(f64::MIN_POSITIVE).log2() - least) / (most - least);
        self.places[0] + part.clamp(0.0, 1.0) * (self.places[1] - self.places[0])
    }

    /// The ticks inside the axis: 1, 2 and 5 of every decade.
    pub fn ticks(&self) -> Vec<f64> {
        let [least, most] = self.values;
        let decades = (least * 2f64.log10()).floor() as i32..=(most * 2f64.log10()).ceil() as i32;
        let ticks = decades.flat_map(|decade| [1.0, 2.0, 5.0].map(|x| x * 10f64.powi(decade)));
        let inside = |tick: &f64| (least - 1e-9..=most + 1e-9).contains(&tick.log2());
        ticks.filter(inside).collect()
    }
}

/// 1, 2 or 5 times a power of ten, so that an axis has three to six steps.
fn step(longest: f64) -> f64 {
    let decade = 10f64.powi((longest / 10.0).log10().floor() as i32);
    let steps = [1.0, 2.0, 5.0, 10.0, 20.0].map(|factor| factor * decade);
    let fitting = steps.into_iter().find(|step| longest / step <= 6.0);
    fitting.unwrap_or(longest)
}

/// A round time, in microseconds, without trailing zeros: "20 µs".
pub fn round_time(microseconds: f64) -> String {
    let text = time(microseconds);
    match text.split_once(' ') {
        _ if microseconds == 0.0 => "0".to_owned(),
        Some((number, unit)) if number.contains('.') => {
            let number = number.trim_end_matches('0').trim_end_matches('.');
            format!("{number} {unit}")
        }
        _ => text,
    }
}

/// Puts labels, each its middle and its length, into two lines, and returns the indices in each line. Those that fit
/// into neither are left out.
fn in_two_lines(labels: &[(f64, f64)]) -> [Vec<usize>; 2] {
    const ROOM: f64 = 8.0;
    let mut lines = [Vec::new(), Vec::new()];
    let mut ends = [f64::NEG_INFINITY; 2];
    for (index, &(middle, length)) in labels.iter().enumerate() {
        let fits = |&line: &usize| middle - length / 2.0 >= ends[line] + ROOM;
        if let Some(line) = (0..2).find(fits) {
            lines[line].push(index);
            ends[line] = middle + length / 2.0;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::super::svg::tests::read;
    use super::*;

    #[test]
    fn a_factor_is_a_distance_and_ticks_lie_inside() {
        let axis = Log::over([4.0, 64.0, 4096.0], [100.0, 1100.0]);
        let places = [4.0, 128.0, 4096.0].map(|value| axis.at(value).round());
        assert_eq!(places, [100.0, 600.0, 1100.0]);
        assert_eq!(Log::over([8.0], [0.0, 100.0]).at(8.0), 50.0);
        assert_eq!(Log::over([], [0.0, 100.0]).at(1.0), 50.0);
        let ticks = Log::over([3.0, 250.0], [0.0, 1.0]).ticks();
        assert_eq!(ticks, [5.0, 10.0, 20.0, 50.0, 100.0, 200.0]);
    }

    #[test]
    fn labels_that_would_overlap_stand_lower_or_are_left_out() {
        let labels = [(0.0, 20.0), (15.0, 20.0), (18.0, 20.0), (40.0, 20.0)];
        assert_eq!(in_two_lines(&labels), [vec![0, 3], vec![1]]);
    }

    #[test]
    fn an_axis_of_time_has_a_few_round_steps() {
        for longest in [0.0009, 1.0, 37.0, 999.0, 12_345.0] {
            let steps = longest / step(longest);
            assert!((2.3..=6.0).contains(&steps), "{longest}: {steps}");
        }
        let ticks = [0.0, 0.5, 2.0, 20.0, 500.0, 1000.0, 5e6].map(round_time);
        let expected = ["0", "0.5 µs", "2 µs", "20 µs", "500 µs", "1 ms", "5 s"];
        assert_eq!(ticks, expected);
    }

    #[test]
    fn a_bar_has_a_mark_for_each_part_and_nothing_is_drawn_of_no_time() {
        let part = |name: &str, milliseconds| BarPart {
            name: name.to_owned(),
            colour: [9; 3],
            milliseconds,
        };
        let bar = Bar {
            name: "<temple>".to_owned(),
            note: "pixel-loop".to_owned(),
            rows: vec![4],
            parts: vec![part("lists", 0.5), part("composite", 1.5)],
        };
        let drawn = |bars: &[Bar]| {
            let mut drawing = Drawing::new("A frame", None, "");
            drawing.stacked_bars(bars);
            read(&drawing.finish())
        };
        let words = "<temple>, lists: 500 µs, 25.0 % of 2.00 ms";
        assert_eq!(drawn(&[bar]).marks[0], (vec![4], words.to_owned()));
        assert!(drawn(&[Bar::default()]).marks.is_empty());
    }
}
