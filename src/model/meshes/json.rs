//! Repairs JSON as found in the wild, so that `serde_json` can read it.
//!
//! * NUL characters outside strings become spaces. Comments are removed.
//! * `NaN`, `Infinity` and the like become `null`. Members that are `null` are removed, and so are lists that contain
//!   `null`.
//! * Whole numbers lose their fraction: `5126.0` becomes `5126`. Other numbers get missing digits: `.5`, `-1.`.
//! * Superfluous commas are removed.
//! * Among members with equal names the last one counts: the others are renamed.
//! * In strings, bytes that are not UTF-8 are read as Latin-1, control characters as spaces, and a backslash that
//!   escapes nothing as itself.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::de::IgnoredAny;

use crate::model::files::ensure;
use crate::model::kind::comment;
use crate::model::number::number;

/// Maximum nesting depth: `serde_json` refuses deeper nesting.
const DEEPEST: usize = 128;
/// Maximum number of members of an object that are compared by name; glTF objects have 20.
const MOST_NAMES: usize = 1000;
/// An f64 represents every whole number up to this one.
const EXACT: f64 = 9_007_199_254_740_992.0;

struct Open<'a> {
    is_object: bool,
    /// Names of the object's members, and their offsets in the output.
    names: HashMap<&'a [u8], usize>,
    /// Name of the current member, and its offset in the output.
    name: Option<(&'a [u8], usize)>,
    /// Offset of the current member in the output, including its comma.
    member: usize,
    has_members: bool,
    /// True if a comma has been read but not yet written.
    owes_comma: bool,
    wants_key: bool,
    has_null: bool,
}

/// Repairs JSON. Counts values such as `NaN`, and members that are repeated later.
pub fn mended(json: &[u8]) -> Result<(Vec<u8>, usize, usize), String> {
    let mut writer = Writer {
        out: Vec::with_capacity(json.len()),
        open: Vec::new(),
        repeated: 0,
    };
    let mut unset = 0;
    let mut rest = json;
    while let Some((first, after)) = rest.split_first() {
        let mut length = 1;
        match first {
            b'{' | b'[' => {
                writer.begin();
                ensure!(
                    writer.open.len() != DEEPEST,
                    "its JSON is nested more than {DEEPEST} deep"
                );
                writer.out.push(*first);
                writer.open.push(Open {
                    is_object: *first == b'{',
                    names: HashMap::new(),
                    name: None,
                    member: 0,
                    has_members: false,
                    owes_comma: false,
                    wants_key: *first == b'{',
                    has_null: false,
                });
            }
            b'}' | b']' => {
                writer.out.push(*first);
                let closed = writer.open.pop();
                writer.end(closed.is_some_and(|open| open.has_null));
            }
            b',' => {
                if let Some(open) = writer.open.last_mut() {
                    open.owes_comma = true;
                }
            }
            b':' => {
                writer.out.push(b':');
                if let Some(open) = writer.open.last_mut() {
                    open.wants_key = false;
                }
            }
            b'"' => {
                length = length_of_string(rest);
                writer.begin();
                let place = writer.out.len();
                write_string(&rest[..length], &mut writer.out);
                match writer.open.last_mut() {
                    Some(open) if open.wants_key => open.name = Some((&rest[..length], place)),
                    _ => writer.end(false),
                }
            }
            0 => writer.out.push(b' '),
            first if first.is_ascii_whitespace() => writer.out.push(*first),
            b'/' if comment(rest) > 0 => length = comment(rest),
            _ => {
                let ends = |byte: &u8| byte.is_ascii_whitespace() || b"\0,:[]{}\"".contains(byte);
                length += after.iter().position(ends).unwrap_or(after.len());
                writer.begin();
                let word = &rest[..length];
                let is_unset = write_word(word, &mut writer.out);
                unset += usize::from(is_unset);
                writer.end(is_unset || word == b"null");
            }
        }
        rest = &rest[length..];
    }
    Ok((writer.out, unset, writer.repeated))
}

struct Writer<'a> {
    out: Vec<u8>,
    open: Vec<Open<'a>>,
    repeated: usize,
}

impl Writer<'_> {
    /// Called before each value or member key.
    fn begin(&mut self) {
        let Some(open) = self.open.last_mut() else {
            return;
        };
        if open.wants_key || !open.is_object {
            open.member = self.out.len();
            if std::mem::take(&mut open.owes_comma) && open.has_members {
                self.out.push(b',');
            }
        }
    }

    fn end(&mut self, is_null: bool) {
        let Some(open) = self.open.last_mut() else {
            return;
        };
        open.wants_key = open.is_object;
        if is_null && open.is_object {
            self.out.truncate(open.member);
            return;
        }
        open.has_null |= is_null;
        open.has_members = true;
        let before = open.name.take();
        let before = before.filter(|_| open.names.len() < MOST_NAMES);
        let before = before.and_then(|(name, place)| open.names.insert(name, place));
        // An escaped name stays, because no other name has its length.
        if let Some(first) = before.and_then(|place| self.out.get_mut(place + 1))
            && first.is_ascii_alphanumeric()
        {
            *first = b' ';
            self.repeated += 1;
        }
    }
}

/// Length in bytes of the string at the start, quotes included; the whole text if the string is not closed.
fn length_of_string(text: &[u8]) -> usize {
    let mut at = 1;
    loop {
        match text.get(at) {
            None => return text.len(),
            Some(b'"') => return at + 1,
            Some(b'\\') => at += 2,
            Some(_) => at += 1,
        }
    }
}

fn write_string(string: &[u8], out: &mut Vec<u8>) {
    let text: Cow<str> = match std::str::from_utf8(string) {
        Ok(text) => text.into(),
        Err(_) => (string.utf8_chunks())
            .flat_map(|chunk| {
                let others = chunk.invalid().iter().copied().map(char::from);
                chunk.valid().chars().chain(others)
            })
            .collect(),
    };
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let length = match (first, after) {
            (b'\\', [b'u', digits @ ..])
                if digits.len() >= 4 && digits[..4].iter().all(u8::is_ascii_hexdigit) =>
            {
                6
            }
            (b'\\', [b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', ..]) => 2,
            _ => 1,
        };
        match first {
            b'\\' if length == 1 => out.extend(b"\\\\"),
            0..0x20 => out.push(b' '),
            _ => out.extend(&rest[..length]),
        }
        rest = &rest[length..];
    }
}

/// Writes a number or a name. Returns true for values such as `NaN`.
fn write_word(word: &[u8], out: &mut Vec<u8>) -> bool {
    let text = std::str::from_utf8(word).unwrap_or_default();
    let is_json = || serde_json::from_slice::<IgnoredAny>(word).is_ok();
    let value = number(text);
    match value {
        Some(value) if !value.is_finite() => out.extend(b"null"),
        Some(value) if (0.0..EXACT).contains(&value) && value.fract() == 0.0 => {
            out.extend((value as u64).to_string().bytes());
        }
        Some(value) if !is_json() => out.extend(value.to_string().bytes()),
        _ => out.extend(word),
    }
    value.is_some_and(|value| !value.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_write_becomes_json() {
        for (text, expected, faults) in [
            (b"[0.5,-1.0,1e300]".as_slice(), "[0.5,-1.0,1e300]", [0, 0]),
            (b"{\"a\":NaN,\"b\":1}", "{\"b\":1}", [1, 0]),
            (
                b"{\"b\":[1,[-Infinity,2]],\"c\":[inf],\"d\":3}",
                "{\"d\":3}",
                [2, 0],
            ),
            (b"{\"a\":-nan(ind),\"b\":1.#QNAN,\"c\":1e999}", "{}", [3, 0]),
            (b"{\"NaN\":\"Infinity\",}", "{\"NaN\":\"Infinity\"}", [0, 0]),
            (b"[1,,2]", "[1,2]", [0, 0]),
            (
                b"{\"a\":\"x\\y\\u12\\n\\\\\t\"}",
                "{\"a\":\"x\\\\y\\\\u12\\n\\\\ \"}",
                [0, 0],
            ),
            (
                b"[.5,-1.,+2.5,1.5D-1,/* one */ 007]// end",
                "[0.5,-1,2.5,0.15 ,7]",
                [0, 0],
            ),
            (
                b"{\"a\":1,\"b\":{\"a\":2},\"a\":3}",
                "{\" \":1,\"b\":{\"a\":2},\"a\":3}",
                [0, 1],
            ),
            // Removed members do not count as repeated.
            (b"{\"a\":NaN,\"a\":3,\"a\":null}", "{\"a\":3}", [1, 0]),
            (b"{\"a\": tru", "{\"a\": tru", [0, 0]),
            (b"\"a", "\"a", [0, 0]),
            (b"\"\\", "\"\\\\", [0, 0]),
            (b"]}", "]}", [0, 0]),
        ] {
            let (found, unset, repeated) = mended(text).expect("not deep");
            let found = String::from_utf8_lossy(&found).into_owned();
            assert_eq!((&*found, [unset, repeated]), (expected, faults));
        }
        assert!(mended(&[b'['; 1000]).is_err());
    }
}
