//! SVG building blocks for charts. A chart must be readable at 400 and at 1400 pixels: it is 600 units wide and as high
//! as needed, and no text is smaller than 10 units.
//!
//! Each part takes a paint. A paint is a data colour such as `#ff8000`, or a class with a colour that follows the light
//! or dark theme: `ink`, `dim` and `warn` for text, `paper` for the background, `line` and `grid` for strokes.

use super::axis::{Tick, round_time, step};
use super::canvas::Rgb;
use super::palette::{Look, on};
use crate::model::format::time;

/// Chart width, margin, text size, and height of a line of text.
pub const WIDTH: f64 = 600.0;
pub const MARGIN: f64 = 10.0;
pub const TEXT: f64 = 12.0;
pub const LINE: f64 = 17.0;

/// Colours of the classes in a standalone file. A page has its own rules.
const STYLE: &str = "\
    .ink{fill:#16181d}.dim{fill:#565c68}.warn{fill:#b3261e}.paper{fill:#fff}\
    .line{stroke:#16181d}.grid{stroke:#dfe2e7}\
    @media(prefers-color-scheme:dark){\
    .ink{fill:#e4e6ea}.dim{fill:#a2a8b4}.warn{fill:#ff8a80}.paper{fill:#14161a}\
    .line{stroke:#e4e6ea}.grid{stroke:#343942}}";

/// Measured from the top left corner.
pub type Point = [f64; 2];

/// A chart, drawn from top to bottom.
pub struct Drawing {
    content: String,
    title: String,
    pub y: f64,
}

pub struct Bar {
    pub name: String,
    /// Text next to the name, in a weaker colour.
    pub note: String,
    /// Indices of the bar's rows in a record. Empty without a record.
    pub rows: Vec<usize>,
    /// Name, colour and milliseconds of each part, left to right.
    pub parts: Vec<(String, Rgb, f64)>,
}

impl Drawing {
    /// A chart with its heading: title, optional warning, and conditions.
    pub fn new(title: &str, warning: Option<&str>, caption: &str) -> Self {
        let mut drawing = Self {
            content: String::new(),
            title: escaped(title),
            y: MARGIN,
        };
        drawing.lines(16.0, "ink", title);
        drawing.lines(14.0, "warn", warning.unwrap_or_default());
        drawing.lines(TEXT, "dim", caption);
        drawing.y += 6.0;
        drawing
    }

    pub fn add(&mut self, part: &str) {
        self.content += part;
    }

    pub fn label(&mut self, at: Point, anchor: &str, paint: &str, label: &str) {
        self.add(&text(at, TEXT, anchor, paint, label));
    }

    pub fn paragraph(&mut self, text: &str) {
        self.y += 4.0;
        self.lines(TEXT, "dim", text);
    }

    fn lines(&mut self, size: f64, paint: &str, words: &str) {
        let room = WIDTH - 2.0 * MARGIN;
        let mut lines: Vec<String> = Vec::new();
        for word in words.split_whitespace() {
            match lines.last_mut() {
                Some(line) if width(size, &format!("{line} {word}")) <= room => {
                    *line = format!("{line} {word}");
                }
                _ => lines.push(fitted(size, word, room)),
            }
        }
        let height = size * LINE / TEXT;
        for line in lines {
            let at = [MARGIN, self.y + height / 2.0];
            self.add(&text(at, size, "start", paint, &line));
            self.y += height;
        }
    }

    /// Draws an empty plot with its axes. Omits y labels that would overlap.
    pub fn plot(
        &mut self,
        [title, axis]: [&str; 2],
        [left, right]: [f64; 2],
        height: f64,
        [across, up]: [&[Tick]; 2],
    ) {
        self.add("<g font-weight=\"600\">");
        self.label([left, self.y + LINE / 2.0], "start", "ink", title);
        self.add("</g>");
        let bottom = plot_top(self.y) + height;
        let mut labelled: Vec<f64> = Vec::new();
        for (at, text) in up {
            self.add(&line(&[[left, *at], [right, *at]], 1.0, "grid"));
            if labelled.iter().all(|other| (other - at).abs() >= LINE) {
                self.label([left - 5.0, *at], "end", "ink", text);
                labelled.push(*at);
            }
        }
        let edge = [[left, bottom - height], [left, bottom], [right, bottom]];
        self.add(&line(&edge, 1.0, "line"));
        for (at, _) in across {
            self.add(&line(&[[*at, bottom], [*at, bottom + 4.0]], 1.0, "line"));
        }
        self.labels_below(bottom + 5.0, across);
        let middle = [f64::midpoint(left, right), self.y + LINE / 2.0];
        self.label(middle, "middle", "dim", axis);
        self.y += LINE + 8.0;
    }

    /// Writes tick labels below `y`. An overlapping label moves down a line or is omitted.
    pub fn labels_below(&mut self, y: f64, ticks: &[Tick]) {
        let mut ends = [f64::NEG_INFINITY; 2];
        for (at, text) in ticks {
            let half = width(TEXT, text) / 2.0;
            let middle = at.min(WIDTH - 3.0 - half).max(half);
            if let Some(line) = (0..2).find(|line| middle - half >= ends[*line] + 8.0) {
                ends[line] = middle + half;
                let at = [middle, y + (line as f64 + 0.5) * LINE];
                self.label(at, "middle", "ink", text);
            }
        }
        let lines = ends.iter().filter(|end| end.is_finite()).count();
        self.y = y + lines as f64 * LINE;
    }

    /// Writes a legend of symbols ([`swatch`], [`stroke`]) with texts, as many per line as fit.
    pub fn legend(&mut self, keys: impl IntoIterator<Item = (String, String)>) {
        self.y += 6.0 + LINE / 2.0;
        let mut x = MARGIN;
        for (sign, text) in keys {
            let length = (32.0 + width(TEXT, &text)).max(60.0);
            if x > MARGIN && x + length > WIDTH - MARGIN {
                x = MARGIN;
                self.y += LINE + 2.0;
            }
            let place = format!("translate({x:.2} {:.2})", self.y);
            self.add(&format!("<g transform=\"{place}\">{sign}</g>"));
            self.label([x + 32.0, self.y], "start", "ink", &text);
            x += length + 14.0;
        }
        self.y += LINE / 2.0 + 2.0;
    }

    /// Draws bars below each other, with a time axis and a legend.
    pub fn stacked_bars(&mut self, bars: &[Bar]) {
        let total = |bar: &Bar| bar.parts.iter().map(|part| part.2).sum::<f64>();
        let longest = bars.iter().map(total).fold(f64::MIN_POSITIVE, f64::max);
        let x = |milliseconds: f64| MARGIN + milliseconds / longest * (WIDTH - 2.0 * MARGIN);
        let ticks = (0..7).map(|index| f64::from(index) * step(longest));
        let ticks = ticks.filter(|tick| *tick <= longest * 1.0001);
        let ticks = ticks.map(|tick| (x(tick), round_time(1e3 * tick)));
        let ticks: Vec<Tick> = ticks.collect();
        let mut keys: Vec<(String, String)> = Vec::new();
        for bar in bars {
            let whole = time(1e3 * total(bar));
            let [middle, top, bottom] = [LINE / 2.0, LINE, LINE + 22.0].map(|y| self.y + y);
            let name = fitted(TEXT, &bar.name, WIDTH / 2.0);
            let beside = MARGIN + width(TEXT, &name) + 8.0;
            let note = fitted(TEXT, &bar.note, WIDTH - beside - 80.0);
            self.label([MARGIN, middle], "start", "ink", &name);
            self.label([beside, middle], "start", "dim", &note);
            self.label([WIDTH - MARGIN, middle], "end", "ink", &whole);
            for (x, _) in &ticks {
                self.add(&line(&[[*x, top - 2.0], [*x, bottom + 4.0]], 1.0, "grid"));
            }
            let mut before = 0.0;
            for (part, colour, milliseconds) in &bar.parts {
                let [left, right] = [before, before + milliseconds].map(x);
                before += milliseconds;
                let own = time(1e3 * milliseconds);
                let share = 100.0 * milliseconds / total(bar);
                let words = format!("{}, {part}: {own}, {share:.1} % of {whole}", bar.name);
                // Leave a gap between parts, unless a part is thinner than the gap.
                let corner = [(right - 0.7).max(left + 0.4), bottom];
                let mut content = rectangle([left, top], corner, &hex(*colour));
                if width(TEXT - 1.0, &own) + 4.0 <= right - left {
                    let middle = [f64::midpoint(left, right), f64::midpoint(top, bottom)];
                    content += &text(middle, TEXT - 1.0, "middle", &hex(on(*colour)), &own);
                }
                self.add(&mark(&bar.rows, &words, &content));
                if keys.iter().all(|key| key.1 != *part) {
                    keys.push((swatch(*colour, ""), part.clone()));
                }
            }
            self.y = bottom + 10.0;
        }
        self.labels_below(self.y - 6.0, &ticks);
        self.legend(keys);
    }

    /// The SVG for a page. It has no style element, because a page may forbid inline styles.
    pub fn finish(self) -> String {
        let Self { content, title, y } = self;
        let height = y + MARGIN;
        let ground = rectangle([0.0; 2], [WIDTH, height], "paper");
        format!(
            "<svg viewBox=\"0 0 {WIDTH} {height:.2}\" class=\"chart\" role=\"img\" \
            aria-label=\"{title}\" font-family=\"system-ui, sans-serif\">{ground}{content}</svg>"
        )
    }
}

/// An SVG as a standalone file, with `about` as its description.
pub fn standalone(svg: &str, about: &str) -> String {
    let about = escaped(about);
    let (open, content) = svg.split_once('>').unwrap_or_default();
    format!(
        "{open} xmlns=\"http://www.w3.org/2000/svg\">\n<desc>{about}</desc>\n\
        <style>{STYLE}</style>\n{content}\n"
    )
}

/// Top of the plotting area of a [`Drawing::plot`] at `y`.
pub fn plot_top(y: f64) -> f64 {
    y + LINE + 2.0
}

/// A line of text, vertically centred on a point. `anchor` is start, middle or end.
pub fn text([x, y]: Point, size: f64, anchor: &str, paint: &str, text: &str) -> String {
    let (fill, text, y) = (painted("fill", paint), escaped(text), y + 0.35 * size);
    format!(
        "<text x=\"{x:.2}\" y=\"{y:.2}\" font-size=\"{size}\" text-anchor=\"{anchor}\"{fill}>{text}</text>"
    )
}

pub fn rectangle([left, top]: Point, [right, bottom]: Point, paint: &str) -> String {
    let (fill, width, height) = (painted("fill", paint), right - left, bottom - top);
    format!(
        "<rect x=\"{left:.2}\" y=\"{top:.2}\" width=\"{width:.2}\" height=\"{height:.2}\"{fill}/>"
    )
}

pub fn line(points: &[Point], thickness: f64, paint: &str) -> String {
    let points = points.iter().map(|[x, y]| format!("{x:.2} {y:.2}"));
    let points = points.collect::<Vec<String>>().join("L");
    let stroke = painted("stroke", paint);
    format!("<path d=\"M{points}\" fill=\"none\" stroke-width=\"{thickness}\"{stroke}/>")
}

pub fn series(points: &[Point], look: &Look) -> String {
    let line = line(points, 1.8, &hex(look.colour));
    format!("<g stroke-dasharray=\"{}\">{line}</g>", look.dash)
}

pub fn marker([x, y]: Point, radius: f64, shape: &str, paint: &str) -> String {
    let fill = painted("fill", paint);
    format!("<path d=\"{shape}\" transform=\"translate({x:.2} {y:.2}) scale({radius})\"{fill}/>")
}

/// A group with the indices of its record rows, and a text that viewers show as a tooltip.
pub fn mark(rows: &[usize], words: &str, content: &str) -> String {
    let rows: Vec<String> = rows.iter().map(ToString::to_string).collect();
    let (rows, words) = (rows.join(" "), escaped(words));
    format!("<g data-rows=\"{rows}\"><title>{words}</title>{content}</g>")
}

/// Legend symbol for a colour, with a marker.
pub fn swatch(colour: Rgb, shape: &str) -> String {
    let marker = marker([13.0, 0.0], 4.0, shape, &hex(on(colour)));
    rectangle([0.0, -7.0], [26.0, 7.0], &hex(colour)) + &marker
}

pub fn stroke(look: &Look) -> String {
    let marker = marker([13.0, 0.0], 4.5, look.marker, &hex(look.colour));
    series(&[[0.0; 2], [26.0, 0.0]], look) + &marker
}

pub fn hex([r, g, b]: Rgb) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

fn painted(what: &str, paint: &str) -> String {
    let name = if paint.starts_with('#') {
        what
    } else {
        "class"
    };
    format!(" {name}=\"{paint}\"")
}

/// Escapes text for XML and HTML, and drops characters that XML forbids. Bidirectional controls become visible
/// characters, because they would affect text outside the name.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => escaped.push('\u{fffd}'),
            '\u{fffe}' | '\u{ffff}' => {}
            other if other.is_control() && other != '\n' => {}
            other => escaped.push(other),
        }
    }
    escaped
}

/// Approximate width of a text. Typefaces differ, so the width is that of a wide one.
pub fn width(size: f64, text: &str) -> f64 {
    let of = |character| match character {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | '\'' | '|' | '·' => 0.32,
        ' ' | 'f' | 'r' | 't' | '(' | ')' | '-' => 0.38,
        'm' | 'w' | 'M' | 'W' | '%' => 0.9,
        _ => 0.62,
    };
    size * text.chars().map(of).sum::<f64>()
}

/// The longest prefix that fits, with an ellipsis if the text was cut.
fn fitted(size: f64, text: &str, room: f64) -> String {
    let mut text = text.to_owned();
    if width(size, &text) > room {
        while width(size, &text) + size > room && text.pop().is_some() {}
        text.push('…');
    }
    text
}
