//! The only error type: a message for the user and an exit code. Sanitises all input that messages quote.

use std::fmt;

/// The value is the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// A check failed, or the device failed.
    Failed = 1,
    /// The command line or an input file is wrong.
    Usage = 2,
    /// There is no suitable adapter, or the adapter cannot run a method.
    Unavailable = 3,
}

/// The message states what failed, where, and what to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    pub kind: ErrorKind,
    pub message: String,
}

pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: printable(&message.into()),
        }
    }

    pub fn failed(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Failed, message)
    }

    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Usage, message)
    }

    pub fn unavailable(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Unavailable, message)
    }

    pub fn json(error: serde_json::Error) -> Self {
        Self::failed(format!("JSON: {error}"))
    }

    pub fn exit_code(&self) -> u8 {
        self.kind as u8
    }

    /// Prefixes the message: "what: message".
    pub fn context(self, what: impl fmt::Display) -> Self {
        Self {
            kind: self.kind,
            message: format!("{}: {}", printable(&what.to_string()), self.message),
        }
    }

    /// Appends the first lines of a compiler's report, sanitised.
    pub fn with_report(self, report: &str) -> Self {
        let lines = report.lines().take(MOST_REPORT_LINES);
        let mut message = self.message;
        for line in lines {
            let line = printable(&line.replace('\t', "  "));
            message.push('\n');
            message += &shortened(&line, LONGEST_REPORT_LINE);
        }
        Self { message, ..self }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// Maximum length in characters of a word in a message. Only user input can exceed it.
const LONGEST_INPUT: usize = 80;
/// Maximum length of a message in characters. Only user input can exceed it.
const LONGEST_MESSAGE: usize = 800;
const MOST_REPORT_LINES: usize = 8;
const LONGEST_REPORT_LINE: usize = 120;

/// Sanitises text for a one-line message. Control and bidirectional characters are escaped, for example as `\u{1b}`.
/// Long words and long texts are cut in the middle, so that a long path keeps its file name and line. Every message of
/// an [`Error`] is sanitised. A second pass changes nothing.
pub fn printable(text: &str) -> String {
    let text: String = text.chars().flat_map(escaped).collect();
    let words = text.split(' ').map(|word| shortened(word, LONGEST_INPUT));
    shortened(&words.collect::<Vec<_>>().join(" "), LONGEST_MESSAGE)
}

/// Joins a library's error message into one line.
pub fn one_line(said: &dyn fmt::Display) -> String {
    let said = said.to_string();
    let words: Vec<&str> = said.split_whitespace().collect();
    let said = words.join(" ");
    said.replace("failed to fill whole buffer", "it ends too early")
}

/// Sanitises user input for a message, as a single word even if it contains blanks.
pub fn repeated(input: &str) -> String {
    let input: String = input.chars().flat_map(escaped).collect();
    shortened(&input, LONGEST_INPUT)
}

/// The character, or its escape sequence if a terminal would interpret it.
fn escaped(c: char) -> impl Iterator<Item = char> + Clone {
    let turns_direction = matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
    let escape = (c.is_control() || turns_direction).then(|| c.escape_default());
    let plain = escape.is_none().then_some(c);
    escape.into_iter().flatten().chain(plain)
}

/// Shortens text to at most `most` characters. Longer text keeps its start and end around an ellipsis.
fn shortened(text: &str, most: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return text.to_owned();
    }
    let head = (most - 1) / 2;
    let tail = text.chars().skip(count - (most - 1 - head));
    text.chars().take(head).chain(['…']).chain(tail).collect()
}

/// Returns "; nearest: a, b, c" for a name that is not in `known`. Empty if `known` is empty.
pub fn suggestion<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let known = known.into_iter();
    let scored = known.map(|candidate| (strsim::jaro_winkler(name, candidate), candidate));
    let mut scored: Vec<(f64, &str)> = scored.collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    let near: Vec<&str> = scored.iter().take(3).map(|entry| entry.1).collect();
    match near.is_empty() {
        true => String::new(),
        false => format!("; nearest: {}", near.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_message_passes_on_a_character_that_a_terminal_obeys() {
        let error = Error::usage("the scene `\u{1b}[2J\r\n\u{202e}a\u{9b}` is\tnone");
        let shown = r"the scene `\u{1b}[2J\r\n\u{202e}a\u{9b}` is\tnone";
        assert_eq!(error.message, shown);
        assert_eq!(Error::failed("x").context("\u{7}").message, r"\u{7}: x");
        // Letters of any language and the program's own symbols are kept.
        let ours = "wavelerp's ×10⁻³ – …: größer, 日本語; \"a b\" `c` 'd'";
        assert_eq!(printable(ours), ours);
    }

    #[test]
    fn a_message_leaves_out_the_middle_of_what_is_long() {
        let (long, words) = ("x".repeat(5_000), "word ".repeat(1_000));
        let path = printable(&format!("/{long}/my.ron:12:7: near is missing"));
        assert!(
            path.contains("/my.ron:12:7: near") && path.chars().count() < 160,
            "{path}"
        );
        let fits = format!("no scene `{}`", "y".repeat(70));
        assert_eq!(printable(&fits), fits);
        let cut = printable(&words);
        assert_eq!(cut.chars().count(), LONGEST_MESSAGE);
        assert_eq!(printable(&cut), cut, "a second pass changes nothing");
        assert_eq!(repeated(&words).chars().count(), LONGEST_INPUT);
    }

    #[test]
    fn a_report_keeps_its_first_lines() {
        let (long, more) = ("z".repeat(500), "more\n".repeat(90));
        let report = format!("one\n\ttwo\u{1b}\n{long}\n{more}");
        let error = Error::failed("it does not compile").with_report(&report);
        let lines: Vec<&str> = error.message.lines().collect();
        assert_eq!(lines[..3], ["it does not compile", "one", r"  two\u{1b}"]);
        assert_eq!(lines.len(), 1 + MOST_REPORT_LINES);
        assert!(error.message.chars().count() < 2_000);
    }
}
