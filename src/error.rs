//! The one error type: a sentence for the user and the exit code that goes with it. What a message may repeat of
//! its input is decided here, for all messages.

use std::fmt;

/// What kind of failure it is, and the process's exit code for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A check did not hold, or the device failed.
    Failed = 1,
    /// The command line or an input file is wrong.
    Usage = 2,
    /// No suitable adapter, or a method this adapter cannot run.
    Unavailable = 3,
}

/// A failure: what happened, to what, and what to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    pub kind: Kind,
    /// One or a few sentences for the user.
    pub message: String,
}

/// Results of everything in this crate that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: printable(&message.into()),
        }
    }

    pub fn failed(message: impl Into<String>) -> Self {
        Self::new(Kind::Failed, message)
    }

    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(Kind::Usage, message)
    }

    pub fn unavailable(message: impl Into<String>) -> Self {
        Self::new(Kind::Unavailable, message)
    }

    /// A value that cannot be written as JSON.
    pub fn json(error: serde_json::Error) -> Self {
        Self::failed(format!("JSON: {error}"))
    }

    pub fn exit_code(&self) -> u8 {
        self.kind as u8
    }

    /// Puts `what` in front of the message: "what: message".
    pub fn context(self, what: impl fmt::Display) -> Self {
        Self {
            kind: self.kind,
            message: format!("{}: {}", printable(&what.to_string()), self.message),
        }
    }

    /// Puts the first lines of a compiler's report below the message, each as a message may show it.
    pub fn with_report(self, report: &str) -> Self {
        let lines = report.lines().take(MOST_REPORT_LINES);
        let mut message = self.message;
        for line in lines {
            let line = printable(&line.replace('\t', "  "));
            message.push('\n');
            message.extend(without_middle(line.chars(), LONGEST_REPORT_LINE));
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

/// Longest part of an input that a message repeats, in characters.
const LONGEST_INPUT: usize = 80;
/// Longest message, in characters; only input can make one longer.
const LONGEST_MESSAGE: usize = 800;
/// Most lines of a compiler's report that are shown below a message.
const MOST_REPORT_LINES: usize = 8;
/// Longest line of such a report, in characters.
const LONGEST_REPORT_LINE: usize = 120;

/// A text as a message may show it, on one line: control characters and those that turn the direction of writing
/// stand there as escapes, such as `\u{1b}`, and of every word and every quotation of more than 80 characters the
/// middle is left out, so that of a long path the file's name and the line remain.
///
/// Every message of an [`Error`] has gone through this; a text that has is not changed by it again.
pub fn printable(text: &str) -> String {
    let text: Vec<char> = without_middle(text.chars(), 8 * LONGEST_MESSAGE).collect();
    let text: Vec<char> = text.into_iter().flat_map(escaped).collect();
    let mut shown = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let end = at + piece(&text[at..], at.checked_sub(1).map(|before| text[before]));
        shown.extend(without_middle(text[at..end].iter().copied(), LONGEST_INPUT));
        at = end;
    }
    without_middle(shown.into_iter(), LONGEST_MESSAGE).collect()
}

/// What a library says of an error, which may be several lines, as a part of a message of one line.
pub fn one_line(said: &dyn fmt::Display) -> String {
    let said = said.to_string();
    let words: Vec<&str> = said.split_whitespace().collect();
    words.join(" ")
}

/// A part of an input as a message may repeat it: as [`printable`] shows a single word, blanks or not.
pub fn repeated(input: &str) -> String {
    let input: Vec<char> = without_middle(input.chars(), LONGEST_INPUT).collect();
    without_middle(input.into_iter().flat_map(escaped), LONGEST_INPUT).collect()
}

/// A character, or its escape where a terminal would not show it but obey it.
fn escaped(c: char) -> impl Iterator<Item = char> + Clone {
    let turns_direction = matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
    let escape = (c.is_control() || turns_direction).then(|| c.escape_default());
    let plain = escape.is_none().then_some(c);
    escape.into_iter().flatten().chain(plain)
}

/// At most `most` characters: of more than that, the beginning and the end around an ellipsis.
fn without_middle(
    text: impl Iterator<Item = char> + Clone,
    most: usize,
) -> impl Iterator<Item = char> {
    let count = text.clone().count();
    let (head, tail) = if count > most {
        ((most - 1) / 2, most - 1 - (most - 1) / 2)
    } else {
        (count, 0)
    };
    let ellipsis = (count > most).then_some('…');
    let begin = text.clone().take(head).chain(ellipsis);
    begin.chain(text.skip(count - tail))
}

/// The length of what stands at the beginning of a text behind the character `before`: a quotation, a word, or a
/// blank.
fn piece(text: &[char], before: Option<char>) -> usize {
    let is_quote = |c: char| ['`', '"', '\''].contains(&c);
    let is_inside_word = |c: Option<&char>| c.is_some_and(|c| c.is_alphanumeric());
    let quote = text[0];
    if is_quote(quote) && !is_inside_word(before.as_ref()) {
        let closes = |at: &usize| text[*at] == quote && !is_inside_word(text.get(at + 1));
        if let Some(end) = (1..text.len()).find(closes) {
            return end + 1;
        }
    }
    let ends = |at: &usize| {
        let begins_quotation = is_quote(text[*at]) && !text[at - 1].is_alphanumeric();
        text[*at].is_whitespace() || text[at - 1].is_whitespace() || begins_quotation
    };
    (1..text.len()).find(ends).unwrap_or(text.len())
}

/// "; nearest: a, b, c" for a name that is not among `known`; nothing where nothing is known.
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
        // Letters of any language, and what this program writes itself, stay.
        let ours = "wavelerp's ×10⁻³ – …: größer, 日本語; \"a b\" `c` 'd'";
        assert_eq!(printable(ours), ours);
    }

    #[test]
    fn what_a_library_says_in_several_lines_is_one_line_without_escapes() {
        let said =
            "Validation Error\n\nCaused by:\n  In Device::create,\tlabel = 'a'\r\n    Too many\n";
        let message = Error::failed(one_line(&said)).message;
        let shown = "Validation Error Caused by: In Device::create, label = 'a' Too many";
        assert_eq!(message, shown);
        assert!(Error::failed(said).message.contains(r"\n"), "without it");
    }

    #[test]
    fn no_message_repeats_more_than_eighty_characters_of_its_input() {
        let long = "x".repeat(5_000);
        let words = "word ".repeat(1_000);
        for message in [
            format!("there is no scene `{long}`; nearest: two"),
            format!("invalid value '{words}' for '--size <WIDTHxHEIGHT>'"),
            format!("unknown field \"{words}\", expected one of a, b"),
            format!("/{long}/my.ron:12:7: near is missing"),
        ] {
            let shown = printable(&message);
            assert!(shown.chars().count() < 160, "{shown}");
            assert!(shown.contains('…'), "{shown}");
            assert_eq!(printable(&shown), shown, "a second time nothing changes");
        }
        // A path keeps its end, which says most.
        let path = printable(&format!("/{long}/my.ron:12:7: near is missing"));
        assert!(path.contains("/my.ron:12:7: near"), "{path}");
        // What is not longer stays as it is.
        let fits = format!("no scene `{}`", "y".repeat(70));
        assert_eq!(printable(&fits), fits);
        // Even an input that closes its quotation itself makes no page of text.
        let closed = format!("no scene `{}`", "a` b ".repeat(9_000));
        assert!(printable(&closed).chars().count() <= LONGEST_MESSAGE);
        assert!(repeated(&words).chars().count() <= LONGEST_INPUT);
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
