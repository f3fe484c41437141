//! RON text to [`Scene`], with messages that say where: file, line, column and field.

use super::file::Scene;
use crate::error::{Error, Result, suggestion};
use ron::error::{Position, SpannedError};
use ron::extensions::Extensions;
use std::str::Chars;

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
    let start = offset_of(text, error.span.start);
    let blanks = text[start..].chars().take_while(|c| c.is_whitespace());
    let start = start + blanks.map(char::len_utf8).sum::<usize>();
    let (line, column) = line_and_column(text, start.min(offset_of(text, error.span.end)));
    let mut path = field_path(text, offset_of(text, error.span.end));
    if is_about_a_struct(&error.code) {
        path.pop();
    }
    let mut field = path.concat();
    if !field.is_empty() {
        field.push_str(": ");
    }
    let what = explain(&error.code);
    let field = field.trim_start_matches('.');
    format!("{file}:{line}:{column}: {field}{what}")
}

/// Whether the error's place is that of a struct's fields rather than of a value.
fn is_about_a_struct(error: &ron::Error) -> bool {
    use ron::Error::{DuplicateStructField, MissingStructField, NoSuchStructField};
    matches!(
        error,
        MissingStructField { .. } | NoSuchStructField { .. } | DuplicateStructField { .. }
    )
}

fn explain(error: &ron::Error) -> String {
    let of = |outer: &Option<String>| match outer {
        Some(outer) => format!(" of `{outer}`"),
        None => String::new(),
    };
    match error {
        ron::Error::MissingStructField { field, outer } => {
            format!("the field `{field}`{} is missing", of(outer))
        }
        ron::Error::NoSuchStructField {
            expected,
            found,
            outer,
        } => {
            let near = suggestion(found, expected.iter().copied());
            format!("`{found}` is no field{}{near}", of(outer))
        }
        ron::Error::DuplicateStructField { field, outer } => {
            format!("the field `{field}`{} is given twice", of(outer))
        }
        other => other.to_string(),
    }
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

/// Where in the tree of values the byte `offset` lies, a part per open bracket: as in `.emitters`,
/// `[2]`, `.radius_start`.
fn field_path(text: &str, offset: usize) -> Vec<String> {
    let mut path = Vec::new();
    walk(&text[..offset], |levels, _| {
        path = levels.iter().map(Level::part).collect();
        false
    });
    path
}

/// The line, from 1, on which the value of `path` (as in `emitters[2].radius_start`) starts; of what
/// holds it, if it is left out or one of a triple.
pub(super) fn line_of(text: &str, path: &str) -> usize {
    let mut wanted = path;
    while !wanted.is_empty() {
        let mut line = None;
        walk(text, |levels, rest| {
            let here: String = levels.iter().map(Level::part).collect();
            let found = here.trim_start_matches('.') == wanted;
            if found {
                let mut value = rest.trim_start();
                while value.starts_with("//") {
                    value = value.split_once('\n').map_or("", |line| line.1.trim_start());
                }
                line = Some(line_and_column(text, text.len() - value.len()).0);
            }
            found
        });
        match line {
            Some(line) => return line,
            None => wanted = &wanted[..wanted.rfind(['.', '[']).unwrap_or(0)],
        }
    }
    1
}

/// Walks through the tree of values: `visit` gets the open brackets and the rest of the text where one
/// opens or closes, and where a field or an element begins; it stops the walk by `true`. Last, it gets
/// them at the end.
fn walk(text: &str, mut visit: impl FnMut(&[Level], &str) -> bool) {
    let mut levels = vec![Level::default()];
    let (mut word, mut in_word) = (String::new(), false);
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match c {
            '"' => skip_string(&mut rest),
            '/' if rest.as_str().starts_with('/') => while rest.next().is_some_and(|c| c != '\n') {},
            '/' if rest.as_str().starts_with('*') => skip_block_comment(&mut rest),
            '(' | '[' | '{' => levels.push(Level::within(c)),
            ')' | ']' | '}' if levels.len() > 1 => drop(levels.pop()),
            ',' => levels.last_mut().into_iter().for_each(Level::next),
            ':' => (levels.last_mut().into_iter()).for_each(|level| level.field.clone_from(&word)),
            _ => {}
        }
        let goes_on = in_word;
        in_word = c.is_alphanumeric() || c == '_';
        if in_word {
            if !goes_on {
                word.clear();
            }
            word.push(c);
        }
        if "()[]{}:,".contains(c) && visit(&levels, rest.as_str()) {
            return;
        }
    }
    visit(&levels, "");
}

fn skip_string(rest: &mut Chars) {
    while let Some(c) = rest.next() {
        match c {
            '\\' => drop(rest.next()),
            '"' => return,
            _ => {}
        }
    }
}

fn skip_block_comment(rest: &mut Chars) {
    let comment = rest.as_str();
    let end = comment.get(1..).and_then(|within| within.find("*/"));
    *rest = comment[end.map_or(comment.len(), |end| end + 3)..].chars();
}

/// One open bracket and how far in it.
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
    fn strings_and_comments_do_not_count() {
        assert_eq!(path_before("(a: \"x: ( [ \\\" \", b: "), ".b");
        assert_eq!(path_before("( // c: [\n a: "), ".a");
        assert_eq!(path_before("( /* c: [ * */ a: "), ".a");
    }

    #[test]
    fn a_value_is_found_by_its_path_or_else_what_holds_it() {
        let text = "(\n a: 1,\n b: [\n  (x: 1),\n  // x: 3\n  Q(y: (1,\n 2), x:\n 5),\n ],\n a2: 2,\n)";
        for (path, line) in [
            ("a", 2),
            ("b", 3),
            ("b[0].x", 4),
            ("b[1]", 6),
            ("b[1].y", 6),
            ("b[1].y[1]", 6),
            ("b[1].x", 8),
            ("b[1].left_out", 6),
            ("a2", 10),
            ("c.d", 1),
        ] {
            assert_eq!(line_of(text, path), line, "{path}");
        }
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
