//! RON text to [`Scene`], with messages that say where: file, line, column and field.

use super::file::Scene;
use crate::error::{Error, Result, suggestion};
use ron::error::{Position, SpannedError};
use ron::extensions::Extensions;

/// Parses a scene; values are not checked yet.
///
/// # Errors
/// Usage: `file:line:column: field: what is wrong`.
pub(super) fn parse(file: &str, text: &str) -> Result<Scene> {
    ron::Options::default()
        .with_default_extension(Extensions::IMPLICIT_SOME)
        .from_str(text)
        .map_err(|error| Error::usage(message(file, text, &error)))
}

fn message(file: &str, text: &str, error: &SpannedError) -> String {
    // The span may start at the blanks before what it is about.
    let start = behind_blanks(text, offset_of(text, error.span.start));
    let (line, column) = line_and_column(text, start.min(offset_of(text, error.span.end)));
    let mut path = field_path(text, offset_of(text, error.span.end));
    let (what, is_of_struct) = explain(&error.code);
    if is_of_struct {
        path.pop();
    }
    match path.concat().trim_start_matches('.') {
        "" => format!("{file}:{line}:{column}: {what}"),
        field => format!("{file}:{line}:{column}: {field}: {what}"),
    }
}

/// What is wrong, and whether it is wrong about the fields of a struct and not about a value.
fn explain(error: &ron::Error) -> (String, bool) {
    use ron::Error::{DuplicateStructField, MissingStructField, NoSuchStructField};
    let of = |outer: &Option<String>| {
        (outer.as_ref()).map_or(String::new(), |outer| format!(" of `{outer}`"))
    };
    let what = match error {
        MissingStructField { field, outer } => {
            format!("the field `{field}`{} is missing", of(outer))
        }
        NoSuchStructField {
            expected,
            found,
            outer,
        } => {
            let near = suggestion(found, expected.iter().copied());
            format!("`{found}` is not a field{}{near}", of(outer))
        }
        DuplicateStructField { field, outer } => {
            format!("the field `{field}`{} is given twice", of(outer))
        }
        other => return (other.to_string(), false),
    };
    (what, true)
}

/// The line, counted from 1, on which the field `path` (such as `emitters[2].radius_start`) stands in the file.
/// If it does not stand there, the line of the nearest field around it that does, or none. Goes through the text
/// once.
pub(super) fn line_of(text: &str, path: &str) -> Option<usize> {
    let wanted: Vec<&str> = parts_of(path).collect();
    // Behind which bracket, comma or colon the first values that are 1, 2, … parts along the path begin.
    let mut found: Vec<Option<usize>> = vec![None; wanted.len()];
    walk(text, |offset, levels| {
        let here = levels.iter().filter(|level| !level.is_nameless());
        let depth = here.clone().count();
        if let Some(first) = depth.checked_sub(1).and_then(|depth| found.get_mut(depth))
            && first.is_none()
            && here.zip(&wanted).all(|(level, part)| level.is(part))
        {
            *first = Some(offset);
        }
    });
    let offset = found.into_iter().rev().find_map(|offset| offset)?;
    Some(line_and_column(text, behind_blanks(text, offset)).0)
}

/// Skips the blanks at an offset.
fn behind_blanks(text: &str, offset: usize) -> usize {
    text.len() - text[offset..].trim_start().len()
}

/// The parts of a path: of `a.b[2].c` they are `a`, `b`, `[2]` and `c`.
fn parts_of(path: &str) -> impl Iterator<Item = &str> {
    let fields = path.split('.');
    fields.flat_map(|field| {
        let name = field.find('[').unwrap_or(field.len());
        let indices = field[name..].split_inclusive(']');
        std::iter::once(&field[..name])
            .chain(indices)
            .filter(|part| !part.is_empty())
    })
}

/// Byte offset of a line and column, both from 1.
fn offset_of(text: &str, place: Position) -> usize {
    let lines = text.split_inclusive('\n').take(place.line - 1);
    let start: usize = lines.map(str::len).sum();
    let rest = &text[start..];
    let within = rest.char_indices().nth(place.col - 1);
    start + within.map_or(rest.len(), |(offset, _)| offset)
}

/// Line and column, both from 1, of a byte offset.
fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let before = &text[..offset];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.matches('\n').count() + 1;
    (line, before[line_start..].chars().count() + 1)
}

/// The path through the tree of values to the byte `offset`, a part for each bracket that is open there: such as
/// `.emitters`, `[2]`, `.radius_start`.
fn field_path(text: &str, offset: usize) -> Vec<String> {
    let levels = walk(&text[..offset], |_, _| {});
    levels.iter().map(Level::part).collect()
}

/// Goes through a text and calls `see` behind each bracket that opens, each comma and each colon, with the offset of
/// what follows and the brackets that are open there. Returns the brackets that are open at the end.
fn walk(text: &str, mut see: impl FnMut(usize, &[Level])) -> Vec<Level> {
    let mut levels = vec![Level::default()];
    let (mut word, mut in_word) = (0..0, false);
    let mut rest = text.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        let next = at + c.len_utf8();
        match c {
            '"' => skip_string(&mut rest),
            '/' if rest.peek().is_some_and(|next| next.1 == '/') => {
                while rest.next().is_some_and(|(_, c)| c != '\n') {}
            }
            '/' if rest.peek().is_some_and(|next| next.1 == '*') => skip_block_comment(&mut rest),
            '(' | '[' | '{' => levels.push(Level::within(c)),
            ')' | ']' | '}' if levels.len() > 1 => drop(levels.pop()),
            ',' => levels.last_mut().into_iter().for_each(Level::next),
            ':' => {
                let name = &text[word.clone()];
                (levels.last_mut().into_iter()).for_each(|level| name.clone_into(&mut level.field));
            }
            _ => {}
        }
        if matches!(c, '(' | '[' | '{' | ',' | ':') {
            see(next, &levels);
        }
        let goes_on = in_word;
        in_word = c.is_alphanumeric() || c == '_';
        if in_word {
            word = if goes_on { word.start } else { at }..next;
        }
    }
    levels
}

fn skip_string(rest: &mut impl Iterator<Item = (usize, char)>) {
    while let Some((_, c)) = rest.next() {
        match c {
            '\\' => drop(rest.next()),
            '"' => return,
            _ => {}
        }
    }
}

fn skip_block_comment(rest: &mut std::iter::Peekable<impl Iterator<Item = (usize, char)>>) {
    rest.next();
    while let Some((_, c)) = rest.next() {
        if c == '*' && rest.next_if(|next| next.1 == '/').is_some() {
            return;
        }
    }
}

/// An open bracket, and how far inside it the parser is.
#[derive(Default)]
struct Level {
    field: String,
    index: Option<usize>,
}

impl Level {
    fn within(bracket: char) -> Self {
        Self {
            field: String::new(),
            index: (bracket == '[').then_some(0),
        }
    }

    fn next(&mut self) {
        self.field.clear();
        self.index = self.index.map(|index| index + 1);
    }

    /// Whether it adds no part to a path: brackets of an enum's value do not.
    fn is_nameless(&self) -> bool {
        self.index.is_none() && self.field.is_empty()
    }

    /// Whether it is this part of a path.
    fn is(&self, part: &str) -> bool {
        self.part().trim_start_matches('.') == part
    }

    fn part(&self) -> String {
        match self.index {
            Some(index) => format!("[{index}]"),
            None if self.field.is_empty() => String::new(),
            None => format!(".{}", self.field),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path_before(text: &str) -> String {
        field_path(text, text.len()).concat()
    }

    #[test]
    fn the_path_names_fields_and_list_elements() {
        assert_eq!(path_before("(a: 1, b : "), ".b");
        assert_eq!(path_before("(a: [(x: 1), (y: 2), (z: "), ".a[2].z");
        assert_eq!(path_before("(a: (b: (c: 1), d: Share("), ".a.d");
        assert_eq!(path_before("(a: [Box(center: (1, 2, 3), half"), ".a[0]");
        assert_eq!(path_before("(a: 1,\n"), "");
    }

    #[test]
    fn a_line_is_found_in_one_pass_also_that_of_the_last_of_many_values() {
        let small = "(\n a: 1,\n b: [\n  (c: 2),\n  (d: Share(\n  3)),\n  (1,\n 2),\n ],\n)";
        for (path, line) in [
            ("a", Some(2)),
            ("b", Some(3)),
            ("b[0].c", Some(4)),
            ("b[1].d", Some(5)),
            ("b[1].none", Some(5)),
            ("b[2][1]", Some(7)),
            ("b[9].c", Some(3)),
            ("none", None),
        ] {
            assert_eq!(line_of(small, path), line, "{path}");
        }
        let line = "  (origin: (0.0, 1.0, 2.0), opacity: 0.5, radius_start: 0.1), // of many\n";
        let text = format!("(emitters: [\n{}])", line.repeat(20_000));
        let began = std::time::Instant::now();
        assert_eq!(line_of(&text, "emitters[19999].opacity"), Some(20_001));
        // Where each of 400,000 values is looked for from the beginning, it takes hours.
        assert!(began.elapsed().as_secs() < 5, "{:?}", began.elapsed());
    }

    #[test]
    fn strings_and_comments_do_not_count() {
        assert_eq!(path_before("(a: \"x: ( [ \\\" \", b: "), ".b");
        assert_eq!(path_before("( // c: [\n a: "), ".a");
        assert_eq!(path_before("( /* c: [ * */ a: "), ".a");
    }

    #[test]
    fn offsets_count_bytes_and_columns_characters() {
        for (line, col, offset) in [(1, 2, 2), (2, 1, 4), (2, 2, 5)] {
            assert_eq!(offset_of("äb\ncd", Position { line, col }), offset);
            assert_eq!(line_and_column("äb\ncd", offset), (line, col));
        }
        assert_eq!(offset_of("äb\ncd", Position { line: 9, col: 9 }), 6);
    }
}
