//! SVG as text: elements with escaped texts and attributes, and what a document of its own has around them. Touches
//! nothing.
//!
//! Colours that stand for data, and texts on them, are presentation attributes: a rule for all of `text` would win over
//! them. What a light or a dark ground decides are classes, and whoever shows the SVG styles them: `ink`, `dim` and
//! `warn` for texts and fills, `paper` for the ground, `line` and `grid` for strokes. [`standalone`] does it in a file; a
//! page has its own rules. There is no `style` in it, so that a page may forbid inline styles.

use std::fmt::{Display, Formatter, Write};

use super::canvas::Rgb;

/// The classes on light ground, and on dark ground where the reader prefers that.
const STYLE: &str = "\
    .ink{fill:#16181d}.dim{fill:#565c68}.warn{fill:#b3261e}.paper{fill:#fff}\
    .line{stroke:#16181d}.grid{stroke:#dfe2e7}\
    @media(prefers-color-scheme:dark){\
    .ink{fill:#e4e6ea}.dim{fill:#a2a8b4}.warn{fill:#ff8a80}.paper{fill:#14161a}\
    .line{stroke:#e4e6ea}.grid{stroke:#343942}}";

/// An element with its attributes and what it contains.
#[derive(Clone, Debug)]
pub struct Element {
    name: &'static str,
    attributes: String,
    content: String,
}

/// What an attribute may be: a text, a number (written with at most two decimals), or a colour.
pub trait Value {
    fn written(&self) -> String;
}

impl Value for &str {
    fn written(&self) -> String {
        escaped(self)
    }
}

impl Value for String {
    fn written(&self) -> String {
        escaped(self)
    }
}

impl Value for f64 {
    fn written(&self) -> String {
        number(*self)
    }
}

impl Value for Rgb {
    fn written(&self) -> String {
        let [r, g, b] = self;
        format!("#{r:02x}{g:02x}{b:02x}")
    }
}

pub fn element(name: &'static str) -> Element {
    Element {
        name,
        attributes: String::new(),
        content: String::new(),
    }
}

impl Element {
    /// It with one more attribute.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Value) -> Self {
        // Writing to a string never fails.
        let _ = write!(self.attributes, " {name}=\"{}\"", value.written());
        self
    }

    /// It with a text at its end.
    #[must_use]
    pub fn text(mut self, text: &str) -> Self {
        self.content += &escaped(text);
        self
    }

    /// It with another element at its end.
    #[must_use]
    pub fn child(mut self, child: Element) -> Self {
        self.push(child);
        self
    }

    /// It as a mark that stands for rows: it says which (`data-rows`, places in a record), and its numbers in words
    /// (`title`, which viewers show beside the mouse).
    #[must_use]
    pub fn mark(self, rows: &[usize], words: &str) -> Self {
        let rows: Vec<String> = rows.iter().map(ToString::to_string).collect();
        let marked = match rows.is_empty() {
            true => self,
            false => self.with("data-rows", rows.join(" ")),
        };
        marked.child(element("title").text(words))
    }

    /// Puts another element at its end.
    pub fn push(&mut self, child: Element) {
        let _ = write!(self.content, "{child}");
    }
}

impl Display for Element {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let Self {
            name,
            attributes,
            content,
        } = self;
        if content.is_empty() {
            write!(f, "<{name}{attributes}/>")
        } else {
            write!(f, "<{name}{attributes}>{content}</{name}>")
        }
    }
}

/// The path through points, for the attribute `d`.
pub fn path(points: &[[f64; 2]]) -> String {
    let point = |[x, y]: &[f64; 2]| format!("{} {}", number(*x), number(*y));
    let points: Vec<String> = points.iter().map(point).collect();
    format!("M{}", points.join("L"))
}

/// A number with at most two decimals; 0 where it is none.
pub fn number(value: f64) -> String {
    if !value.is_finite() {
        return "0".to_owned();
    }
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0" } else { text }.to_owned()
}

/// A text for content and attributes of XML. Characters that XML forbids are left out. Those that turn around what is
/// written behind them become visible: they would reach beyond the name that they stand in.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            '\t' | '\n' | '\r' => escaped.push(character),
            '\0'..' ' | '\u{7f}'..'\u{a0}' | '\u{fffe}' | '\u{ffff}' => {}
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => escaped.push('\u{fffd}'),
            _ => escaped.push(character),
        }
    }
    escaped
}

/// An SVG as a file of its own, with `about` as its description.
pub fn standalone(svg: &str, about: &str) -> String {
    let Some((open, content)) = svg.split_once('>') else {
        return svg.to_owned();
    };
    let about = element("desc").text(about);
    format!(
        "{open} xmlns=\"http://www.w3.org/2000/svg\">\n{about}\n<style>{STYLE}</style>\n{content}\n"
    )
}

/// The width of a text in units of its size, about: typefaces differ, so a wide one is taken.
pub fn width(size: f64, text: &str) -> f64 {
    let of = |character| match character {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | '·' => 0.32,
        ' ' | 'f' | 'r' | 't' | '(' | ')' | '-' | '[' | ']' | '/' => 0.38,
        'm' | 'w' | 'M' | 'W' | '%' => 0.9,
        'A'..='Z' | '0'..='9' => 0.64,
        '\0'..='\u{2fff}' => 0.6,
        _ => 1.0,
    };
    size * text.chars().map(of).sum::<f64>()
}

/// A text in lines of at most `room`; a word that is longer is cut.
pub fn wrapped(size: f64, text: &str, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(size, &format!("{line} {word}")) <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(fitted(size, word, room)),
        }
    }
    lines
}

/// The longest start of a text that fits, with an ellipsis where it was cut.
pub fn fitted(size: f64, text: &str, room: f64) -> String {
    let mut text = text.to_owned();
    if width(size, &text) <= room {
        return text;
    }
    while width(size, &text) + size > room && text.pop().is_some() {}
    text + "…"
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use quick_xml::Reader;
    use quick_xml::escape::{resolve_predefined_entity, unescape};
    use quick_xml::events::Event;

    /// What an SVG holds.
    #[derive(Debug, Default)]
    pub struct Read {
        /// The rows of each mark, and its words.
        pub marks: Vec<(Vec<usize>, String)>,
        /// All texts, a line for each.
        pub text: String,
        /// The values of all attributes.
        pub values: Vec<String>,
    }

    /// Reads an SVG, which must be well-formed.
    pub fn read(svg: &str) -> Read {
        let mut reader = Reader::from_str(svg);
        let mut read = Read::default();
        let mut depth = 0;
        loop {
            let event = reader.read_event().expect("well-formed");
            depth += i32::from(matches!(event, Event::Start(_)));
            match event {
                Event::Start(tag) | Event::Empty(tag) => {
                    read.text.push('\n');
                    for attribute in tag.attributes() {
                        let attribute = attribute.expect("an attribute, once");
                        let value = String::from_utf8_lossy(&attribute.value).into_owned();
                        if attribute.key.as_ref() == b"data-rows" {
                            let rows = value.split(' ').map(|row| row.parse().expect("a row"));
                            read.marks.push((rows.collect(), String::new()));
                        }
                        let value = unescape(&value).expect("references that exist");
                        read.values.push(value.into_owned());
                    }
                }
                Event::Text(text) => read.text += &text.decode().expect("text"),
                Event::GeneralRef(name) => {
                    let name = name.decode().expect("text");
                    match resolve_predefined_entity(&name) {
                        Some(text) => read.text += text,
                        None => assert_eq!(name, "#39"),
                    }
                }
                Event::End(tag) => {
                    depth -= 1;
                    let words = read.text.lines().next_back().unwrap_or_default().to_owned();
                    match read.marks.last_mut() {
                        Some(mark) if tag.name().as_ref() == b"title" && mark.1.is_empty() => {
                            mark.1 = words;
                        }
                        _ => {}
                    }
                }
                Event::Eof => break,
                other => panic!("{other:?} is not expected"),
            }
        }
        assert_eq!(depth, 0, "all elements are closed");
        read
    }

    #[test]
    fn hostile_texts_come_out_as_text() {
        let hostile =
            "</text><script>alert(\"1\" + '2')</script>&amp;\u{0}\u{1b}\u{fffe}\u{202e}x\u{200f}";
        let plain = "</text><script>alert(\"1\" + '2')</script>&amp;\u{fffd}x\u{200f}";
        let svg = element("svg")
            .with("aria-label", hostile)
            .child(element("g").mark(&[3, 17], hostile))
            .child(element("text").text(hostile));
        for svg in [svg.to_string(), standalone(&svg.to_string(), hostile)] {
            let read = read(&svg);
            assert!(read.values.contains(&plain.to_owned()), "{:?}", read.values);
            let texts = read
                .text
                .lines()
                .filter(|line| line.replace('\'', "") == plain.replace('\'', ""));
            assert!(texts.count() >= 2, "{}", read.text);
            assert_eq!(read.marks[0].0, [3, 17]);
        }
    }

    #[test]
    fn what_is_not_well_formed_is_found() {
        for broken in [
            "<g><a></g>",
            "<g a=\"1\" a=\"2\"/>",
            "<g>&nothing;</g>",
            "<g>",
        ] {
            assert!(
                std::panic::catch_unwind(|| read(broken)).is_err(),
                "{broken}"
            );
        }
    }

    #[test]
    fn numbers_have_at_most_two_decimals() {
        let numbers = [1.0, -0.001, 12.345, 0.1, -2.5, 1e6, f64::NAN].map(number);
        assert_eq!(numbers, ["1", "0", "12.35", "0.1", "-2.5", "1000000", "0"]);
    }

    #[test]
    fn a_file_has_a_style_and_what_stands_in_a_page_has_none() {
        let svg = element("svg")
            .with("viewBox", "0 0 9 9")
            .text("x")
            .to_string();
        let file = standalone(&svg, "about");
        assert!(file.starts_with("<svg viewBox=\"0 0 9 9\" xmlns=") && file.contains("<style>"));
        assert!(!svg.contains("style"));
    }

    #[test]
    fn lines_fit_and_no_word_is_lost() {
        let text = "a wave lerp takes less time than a loop";
        let lines = wrapped(10.0, text, 80.0);
        assert!(lines.len() > 2 && lines.iter().all(|line| width(10.0, line) <= 80.0));
        assert_eq!(lines.join(" "), text);
        let cut = fitted(10.0, "wave-lerp-ballot-scalar", 80.0);
        assert!(cut.ends_with('…') && width(10.0, &cut) <= 80.0, "{cut}");
    }
}
