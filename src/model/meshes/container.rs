//! What a file of a model is made of: JSON alone, or JSON and a chunk of binary data in one file (GLB).

const MAGIC: &[u8] = b"glTF";
/// Bytes of the header of a GLB file: magic, version and length.
const HEADER: usize = 12;
/// Bytes of the header of a chunk: length and type.
const CHUNK: usize = 8;

#[derive(Debug, PartialEq)]
pub struct Parts<'a> {
    pub json: &'a [u8],
    /// The data of a GLB file.
    pub binary: Option<&'a [u8]>,
}

pub fn parts(bytes: &[u8]) -> Result<Parts<'_>, String> {
    if bytes.starts_with(MAGIC) {
        return of_glb(bytes);
    }
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    Ok(Parts {
        json: text,
        binary: None,
    })
}

fn of_glb(bytes: &[u8]) -> Result<Parts<'_>, String> {
    let header = bytes.get(..HEADER).ok_or("its header is cut off")?;
    let version = word(header, 4);
    if version != 2 {
        return Err(format!("it is GLB version {version}; 2 can be read"));
    }
    let length = word(header, 8) as usize;
    let rest = bytes.get(HEADER..length).ok_or_else(|| {
        format!(
            "its header says that it has {length} bytes; it has {}",
            bytes.len()
        )
    })?;
    let (kind, json, mut rest) = chunk(rest, HEADER)?;
    if kind != *b"JSON" {
        return Err("its first chunk is not the JSON".to_owned());
    }
    let mut parts = Parts { json, binary: None };
    // Chunks of other types are skipped, as the specification asks for.
    while !rest.is_empty() && parts.binary.is_none() {
        let (kind, data, after) = chunk(rest, length - rest.len())?;
        if kind == *b"BIN\0" {
            parts.binary = Some(data);
        }
        rest = after;
    }
    Ok(parts)
}

type Chunk<'a> = ([u8; 4], &'a [u8], &'a [u8]);

/// Type and data of the chunk that begins here, at byte `place` of the file, and what follows it.
fn chunk(bytes: &[u8], place: usize) -> Result<Chunk<'_>, String> {
    let header = bytes
        .get(..CHUNK)
        .ok_or_else(|| format!("the chunk at byte {place} is cut off"))?;
    let length = word(header, 0) as usize;
    let data = bytes[CHUNK..].get(..length).ok_or_else(|| {
        format!(
            "the chunk at byte {place} says that it has {length} bytes; {} follow",
            bytes.len() - CHUNK
        )
    })?;
    let kind = [header[4], header[5], header[6], header[7]];
    Ok((kind, data, &bytes[CHUNK + length..]))
}

/// The little-endian word at a place that is there.
pub(super) fn word(bytes: &[u8], at: usize) -> u32 {
    let part = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
    u32::from_le_bytes(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn glb(version: u32, chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
        let mut body = Vec::new();
        for (kind, data) in chunks {
            body.extend((data.len() as u32).to_le_bytes());
            body.extend(*kind);
            body.extend(*data);
        }
        let length = (HEADER + body.len()) as u32;
        [MAGIC, &version.to_le_bytes(), &length.to_le_bytes(), &body].concat()
    }

    #[test]
    fn what_is_cut_off_or_of_another_version_is_refused_with_the_place() {
        let whole = glb(2, &[(b"JSON", b"{}"), (b"BIN\0", b"data")]);
        let mut long = whole.clone();
        long[12] = 200;
        for (bytes, part) in [
            (glb(3, &[]), "GLB version 3; 2 can be read"),
            (glb(2, &[]), "the chunk at byte 12 is cut off"),
            (glb(2, &[(b"BIN\0", b"")]), "first chunk is not the JSON"),
            (
                long,
                "the chunk at byte 12 says that it has 200 bytes; 14 follow",
            ),
            (whole[..30].to_vec(), "says that it has 34 bytes; it has 30"),
            (b"glTF".to_vec(), "header is cut off"),
        ] {
            let reason = parts(&bytes).expect_err("it is wrong");
            assert!(reason.contains(part), "{reason}");
        }
    }
}
