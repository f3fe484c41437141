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

/// The line, counted from 1, on which the field `path` (such as `emitters[2].radius_start`) stands in the file.
/// If it does not stand there, the line of the nearest field around it that does, or none.
pub(super) fn line_of(text: &str, path: &str) -> Option<usize> {
    let mut path = path;
    loop {
        let is_there =
            |offset: &usize| field_path(text, *offset).concat().trim_matches('.') == path;
        let values = text.match_indices([':', '[', '(', ',']);
        let after = values.map(|(offset, _)| offset + 1);
        if let Some(offset) = after.into_iter().find(is_there) {
            // What was found is the bracket, comma or colon before the value.
            let blanks = text[offset..].chars().take_while(|c| c.is_whitespace());
            let offset = offset + blanks.map(char::len_utf8).sum::<usize>();
            return Some(line_and_column(text, offset).0);
        }
        let end = path.rfind(['.', '['])?;
        path = &path[..end];
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

/// The path through the tree of values to the byte `offset`, a part for each bracket that is open there: such as
/// `.emitters`, `[2]`, `.radius_start`.
fn field_path(text: &str, offset: usize) -> Vec<String> {
    let mut levels = vec![Level::default()];
    let (mut word, mut in_word) = (String::new(), false);
    let mut rest = text[..offset].chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '"' => skip_string(&mut rest),
            '/' if rest.peek() == Some(&'/') => while rest.next().is_some_and(|c| c != '\n') {},
            '/' if rest.peek() == Some(&'*') => skip_block_comment(&mut rest),
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
    }
    levels.iter().map(Level::part).collect()
}

fn skip_string(rest: &mut impl Iterator<Item = char>) {
    while let Some(c) = rest.next() {
        match c {
            '\\' => drop(rest.next()),
            '"' => return,
            _ => {}
        }
    }
}

fn skip_block_comment(rest: &mut std::iter::Peekable<impl Iterator<Item = char>>) {
    rest.next();
    while let Some(c) = rest.next() {
        if c == '*' && rest.next_if_eq(&'/').is_some() {
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
    fn offsets_count_bytes_and_columns_characters() {
        for (line, col, offset) in [(1, 2, 2), (2, 1, 4), (2, 2, 5)] {
            assert_eq!(offset_of("äb\ncd", Position { line, col }), offset);
            assert_eq!(line_and_column("äb\ncd", offset), (line, col));
        }
        assert_eq!(offset_of("äb\ncd", Position { line: 9, col: 9 }), 6);
    }
}
