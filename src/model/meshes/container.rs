//! Container of a model: plain JSON, or JSON with a binary chunk (GLB).

use super::document::of_first_version;
use crate::model::files::ensure;
use crate::model::kind::without_mark;

const MAGIC: &[u8] = b"glTF";
/// Bytes of the GLB header: magic, version and length, then length and type of the JSON chunk.
const HEADER: usize = 20;
/// Bytes of a chunk header: length and type.
const CHUNK: usize = 8;

#[derive(Debug, PartialEq)]
pub struct Parts<'a> {
    pub json: &'a [u8],
    pub binary: Option<&'a [u8]>,
}

pub fn parts(bytes: &[u8]) -> Result<Parts<'_>, String> {
    let bytes = without_mark(bytes);
    let mut parts = match bytes.starts_with(MAGIC) {
        true => of_glb(bytes)?,
        false => Parts {
            json: bytes,
            binary: None,
        },
    };
    parts.json = without_mark(parts.json);
    Ok(parts)
}

/// Parts of a GLB file. The header's length and the length of the data are ignored: some writers get them wrong.
fn of_glb(bytes: &[u8]) -> Result<Parts<'_>, String> {
    let header = bytes.get(..HEADER).ok_or("its header is cut off")?;
    match word(header, 4) {
        1 => return Err(of_first_version("1.0")),
        2 => {}
        version => return Err(format!("it is GLB version {version}; 2 can be read")),
    }
    ensure!(header.ends_with(b"JSON"), "its first chunk is not the JSON");
    let length = word(header, 12) as usize;
    let json = bytes[HEADER..].get(..length).ok_or_else(|| {
        let there = bytes.len() - HEADER;
        format!("it ends too early: its JSON has {length} bytes, and {there} follow")
    })?;
    let mut parts = Parts { json, binary: None };
    let mut place = HEADER + length;
    loop {
        // Some writers count padding that they do not write, or write padding that they do not count.
        let off = [0, 1, 2, 3, -1, -2, -3].into_iter();
        let mut places = off.filter_map(|off| place.checked_add_signed(off));
        let is_data = |at: &usize| bytes.get(at + 4..at + CHUNK) == Some(b"BIN\0");
        if let Some(at) = places.find(is_data) {
            parts.json = &json[..length.min(at.saturating_sub(HEADER))];
            parts.binary = bytes.get(at + CHUNK..);
            return Ok(parts);
        }
        // Skips chunks of other types, as the specification requires.
        match bytes.get(place..) {
            Some(rest) if rest.len() >= CHUNK => place += CHUNK + word(rest, 0) as usize,
            _ => return Ok(parts),
        }
    }
}

/// The little-endian word at the offset `at`, which must exist.
pub(super) fn word(bytes: &[u8], at: usize) -> u32 {
    let part = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
    u32::from_le_bytes(part)
}
