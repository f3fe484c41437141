//! JSON as programs and people really write it, made into JSON that `serde_json` reads.
//!
//! * NUL outside strings is a space. Comments are left out.
//! * `NaN`, `Infinity` and the like are `null`. A member that is `null` is left out, and so is a list with a `null` in it.
//! * A whole number is written as one: `5126.0` becomes `5126`. Other numbers get the digits that they lack: `.5`, `-1.`.
//! * Too many commas are left out.
//! * Of members of the same name the last one counts: the others get names that nobody reads.
//! * In strings, bytes that are no UTF-8 are taken as Latin-1, control characters as spaces, and a backslash that escapes
//!   nothing as itself.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::de::IgnoredAny;

use crate::model::kind::comment;
use crate::model::number::number;

/// The deepest nesting: `serde_json` refuses more.
const DEEPEST: usize = 128;
/// The most members of an object that are compared by their names; those of glTF have 20.
const MOST_NAMES: usize = 1000;
/// The greatest whole number below which a floating-point number has them all.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// An object or a list that is not closed yet.
struct Open<'a> {
    is_object: bool,
    /// The names of its members, and where each begins in what is written.
    names: HashMap<&'a [u8], usize>,
    /// The name of the present member, and where it begins.
    name: Option<(&'a [u8], usize)>,
    /// Where the present member begins in what is written, its comma included.
    member: usize,
    /// Whether a member before it was kept.
    has_members: bool,
    /// Whether a comma was read that is not written yet.
    owes_comma: bool,
    /// Whether what comes next is the key of a member.
    wants_key: bool,
    has_null: bool,
}

/// The same JSON without the faults that the head of this file lists, how many numbers were none, such as `NaN`, and how
/// many members were followed by another one of their name.
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
                if writer.open.len() == DEEPEST {
                    return Err(format!("its JSON is nested more than {DEEPEST} deep"));
                }
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
    /// Before a value or the key of a member.
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

    /// After a value.
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
        // An escaped name stays: there is no other that is as long.
        if let Some(first) = before.and_then(|place| self.out.get_mut(place + 1))
            && first.is_ascii_alphanumeric()
        {
            *first = b' ';
            self.repeated += 1;
        }
    }
}

/// Bytes of the string at the beginning, quotes included; all if it has no end.
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

/// Writes a number or a name. Returns whether it is a number that is none.
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
            // What is left out is not repeated.
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
