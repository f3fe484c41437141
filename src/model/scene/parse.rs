//! Parses RON into a [`Scene`]; messages have file, line, column and field.

use ron::error::{Position, SpannedError};
use ron::extensions::Extensions;
use serde::Deserialize as _;
use serde::de::{
    DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use serde_path_to_error::{Path, Segment, Track};

use super::file::Scene;
use crate::error::{Error, Result, suggestion};
use crate::model::flag_value::Name;

fn options() -> ron::Options {
    ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME)
}

/// Parses a scene without checking its values.
///
/// # Errors
/// Usage: `file:line:column: field: what is wrong`.
pub(super) fn parse(file: &str, text: &str) -> Result<Scene> {
    let mut track = Track::new();
    let scene = options().from_str_seed(text, Tracked(&mut track));
    scene.map_err(|error| Error::usage(message(file, text, &track.path(), &error)))
}

/// Reads a scene and tracks the current field.
struct Tracked<'a>(&'a mut Track);

impl<'de> DeserializeSeed<'de> for Tracked<'_> {
    type Value = Scene;

    fn deserialize<D: Deserializer<'de>>(self, text: D) -> std::result::Result<Scene, D::Error> {
        Scene::deserialize(serde_path_to_error::Deserializer::new(text, self.0))
    }
}

fn message(file: &str, text: &str, path: &Path, error: &SpannedError) -> String {
    let (line, column) = start_of(text, error);
    let what = explain(&error.code);
    let mut field = String::new();
    for segment in path {
        match segment {
            Segment::Map { key } => field += &format!(".{key}"),
            Segment::Seq { index } => field += &format!("[{index}]"),
            Segment::Enum { .. } | Segment::Unknown => {}
        }
    }
    match &error.code {
        // The path ends with the wrong name.
        ron::Error::NoSuchStructField { found, .. } => {
            field.truncate(field.len().saturating_sub(found.len() + 1));
        }
        // A value continues in an invalid way, so the path ends at the value that contains it.
        ron::Error::ExpectedComma => {
            let before = &text[..offset_of(text, error.span.start)];
            let name = before
                .rsplit_once(':')
                .map(|(name, value)| (name.trim_end(), value));
            if let Some((name, value)) = name
                && !value.contains(['(', ')', '[', ']', ','])
            {
                let is_other = |c: char| !c.is_alphanumeric() && c != '_';
                field += &format!(".{}", name.rsplit(is_other).next().unwrap_or_default());
            }
        }
        _ => {}
    }
    match field.trim_start_matches('.') {
        "" => format!("{file}:{line}:{column}: {what}"),
        field => format!("{file}:{line}:{column}: {field}: {what}"),
    }
}

/// Line and column of an error, both counted from 1.
fn start_of(text: &str, error: &SpannedError) -> (usize, usize) {
    let [start, end] = [error.span.start, error.span.end].map(|place| offset_of(text, place));
    // The span may include leading blanks.
    let blanks = text[start..].len() - text[start..].trim_start().len();
    line_and_column(text, (start + blanks).min(end))
}

fn explain(error: &ron::Error) -> String {
    use ron::Error::{DuplicateStructField, MissingStructField, NoSuchStructField};
    let of = |outer: &Option<String>| {
        (outer.as_ref()).map_or(String::new(), |outer| format!(" of `{outer}`"))
    };
    match error {
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
        other => other.to_string(),
    }
}

/// Line, counted from 1, of the field `path` (such as `emitters[2].radius_start`) in a scene's text. If the field is
/// missing, the line of the innermost enclosing field, if any.
pub(super) fn line_of(text: &str, path: &str) -> Option<usize> {
    let parts = path.split(['.', '[', ']']).filter(|part| !part.is_empty());
    let parts: Vec<&str> = parts.collect();
    (1..=parts.len()).rev().find_map(|count| {
        let mut is_found = false;
        let wanted = FieldFinder {
            parts: &parts[..count],
            is_found: &mut is_found,
        };
        let end = options().from_str_seed(text, wanted).err()?;
        is_found.then(|| start_of(text, &end).0)
    })
}

/// A field to be found in a text; reading stops where the field starts.
struct FieldFinder<'a> {
    parts: &'a [&'a str],
    is_found: &'a mut bool,
}

impl FieldFinder<'_> {
    /// The same field as seen from within the first part of its path.
    fn within(&mut self) -> FieldFinder<'_> {
        FieldFinder {
            parts: &self.parts[1..],
            is_found: self.is_found,
        }
    }
}

impl<'de> DeserializeSeed<'de> for FieldFinder<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, text: D) -> std::result::Result<(), D::Error> {
        if self.parts.is_empty() {
            *self.is_found = true;
            return Err(D::Error::custom("it is found"));
        }
        text.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for FieldFinder<'_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("fields or a list")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> std::result::Result<(), A::Error> {
        while let Some(Name(name)) = map.next_key()? {
            match name == self.parts[0] {
                true => map.next_value_seed(self.within())?,
                false => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> std::result::Result<(), A::Error> {
        let index: Option<usize> = self.parts[0].parse().ok();
        for _ in 0..index.unwrap_or_default() {
            list.next_element::<IgnoredAny>()?;
        }
        list.next_element_seed(self.within()).map(|_| ())
    }
}

/// Byte offset of a line and column, both counted from 1.
fn offset_of(text: &str, place: Position) -> usize {
    let lines = text.split_inclusive('\n').take(place.line - 1);
    let start: usize = lines.map(str::len).sum();
    let rest = &text[start..];
    let within = rest.char_indices().nth(place.col - 1);
    start + within.map_or(rest.len(), |(offset, _)| offset)
}

/// Line and column, both counted from 1, of a byte offset.
fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let before = &text[..offset];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.matches('\n').count() + 1;
    (line, before[line_start..].chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_found_also_that_of_the_last_of_many_values() {
        let small = "(\n a: 1,\n b: [\n  (c: 2, e: \"[(\"), // [\n  (d: Share(\n  3)),\n  (1,\n 2),\n ],\n)";
        for (path, line) in [
            ("a", Some(2)),
            ("b", Some(3)),
            ("b[0].c", Some(4)),
            ("b[1].d", Some(5)),
            ("b[1].none", Some(5)),
            ("b[2][1]", Some(8)),
            ("b[9].c", Some(3)),
            ("none", None),
        ] {
            assert_eq!(line_of(small, path), line, "{path}");
        }
        let line = "  (origin: (0.0, 1.0, 2.0), opacity: 0.5, radius_start: 0.1), // of many\n";
        let text = format!("(emitters: [\n{}])", line.repeat(20_000));
        let began = std::time::Instant::now();
        assert_eq!(line_of(&text, "emitters[19999].opacity"), Some(20_001));
        // Searching from the start for each of 400,000 values would take hours.
        assert!(began.elapsed().as_secs() < 5, "{:?}", began.elapsed());
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
