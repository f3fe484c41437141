//! Detects the kind of a file once, from its content and name, before any reader sees the file.

use std::io::{Cursor, Read as _, Result};
use std::path::Path;

use super::files::{Opened, lower};

const MOST: u64 = 1 << 30;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileKind {
    Splats(SplatKind),
    Model,
    Scene,
    /// `bench.json` of a benchmark.
    Record,
    /// A file that cannot be shown: its kind, and a remedy.
    Other(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SplatKind {
    Ply,
    /// With or without gzip.
    Spz,
    /// `.splat`.
    Antimatter,
    Ksplat,
    /// `.sog`, a ZIP archive.
    Sog,
    /// The `meta.json` of an unpacked SOG file.
    SogMeta,
    /// glTF with `KHR_gaussian_splatting`.
    Gltf,
}

/// Remedy suggested for files of programs that write Gaussians.
const CONVERT: &str = "convert it to .ply, .spz or .sog";
/// Remedy suggested for files of programs that write triangles.
const EXPORT: &str = "export it as glTF (.glb)";
const TRAIN: &str = "train splats on it";
const UTF_8: &str = "save it as UTF-8";
const ANOTHER: &str = "name a scene, splats or a model";

/// Unsupported formats recognised by their first bytes.
const BEGINNINGS: [(&[u8], &str, &str); 11] = [
    (b"Kaydara FBX Binary", "FBX", EXPORT),
    (b"; FBX", "FBX", EXPORT),
    (b"PXR-USDC", "USD", EXPORT),
    (b"#usda", "USD", EXPORT),
    (b"\xff\xfe", "text in UTF-16", UTF_8),
    (b"\xfe\xff", "text in UTF-16", UTF_8),
    (b"LASF", "a point cloud (LAS)", TRAIN),
    (b"ASTM-E57", "a point cloud (E57)", TRAIN),
    (b"\x89PNG", "a picture (PNG)", ANOTHER),
    (b"\xff\xd8\xff", "a picture (JPEG)", ANOTHER),
    (b"RIFF", "a picture or a sound (RIFF)", ANOTHER),
];

/// Unsupported formats recognised by file extension when the content is inconclusive.
const ENDINGS: [(&str, &str, &str); 8] = [
    ("obj", "an OBJ model", EXPORT),
    ("stl", "an STL model", EXPORT),
    ("fbx", "FBX", EXPORT),
    ("dae", "a Collada model", EXPORT),
    ("usd", "USD", EXPORT),
    ("xyz", "a point cloud", TRAIN),
    ("pts", "a point cloud", TRAIN),
    ("lcc", "LCC (XGRIDS)", CONVERT),
];

/// Kind of a file; the file can still be read from its start afterwards.
pub fn kind_at_start(file: &mut Opened, name: &str) -> Result<FileKind> {
    let start = file.bytes.fill_buf()?;
    let most = match (kind_of(start, name), after_comments(start)) {
        (kind @ FileKind::Splats(_), _) => return Ok(kind),
        (_, glb @ [b'g', b'l', b'T', b'F', ..]) => json_end(glb) as u64,
        (_, [] | [b'{' | b'[', ..] | [b'P', b'K', ..]) => MOST,
        (kind, _) => return Ok(kind),
    };
    let mut head = Vec::new();
    (&mut file.bytes).take(most).read_to_end(&mut head)?;
    let kind = kind_of(&head, name);
    let rest = std::mem::replace(&mut file.bytes, Box::new(std::io::empty()));
    file.bytes = Box::new(Cursor::new(head).chain(rest));
    Ok(kind)
}

/// Kind of a file from its first bytes, or from its extension if the bytes are inconclusive.
pub fn kind_of(bytes: &[u8], name: &str) -> FileKind {
    let bytes = without_mark(bytes);
    let path = Path::new(name);
    let [file, ending] =
        [path.file_name(), path.extension()].map(|part| part.map_or(String::new(), lower));
    match bytes {
        [] => return FileKind::Other("it is empty".to_owned()),
        [b'p', b'l', b'y', b'\n' | b'\r', ..] => return FileKind::Splats(SplatKind::Ply),
        [b'N', b'G', b'S', b'P', ..] => return FileKind::Splats(SplatKind::Spz),
        [b'g', b'l', b'T', b'F', ..] => {
            return of_gltf(&bytes[..json_end(bytes).min(bytes.len())]);
        }
        // Formats without a signature may start with any bytes.
        _ if ending == "splat" => return FileKind::Splats(SplatKind::Antimatter),
        _ if ending == "ksplat" => return FileKind::Splats(SplatKind::Ksplat),
        [0x1f, 0x8b, ..] => return FileKind::Splats(SplatKind::Spz),
        [b'P', b'K', 3 | 5, 4 | 6, ..] => return of_zip(bytes, &ending),
        _ => {}
    }
    let known = BEGINNINGS
        .iter()
        .find(|(start, ..)| bytes.starts_with(start));
    if let Some((_, what, remedy)) = known {
        return other(what, remedy);
    }
    if ending == "ron" {
        return FileKind::Scene;
    }
    let known = ENDINGS.iter().find(|(known, ..)| *known == ending);
    let text = after_comments(bytes);
    match text.first() {
        Some(b'{' | b'[') => of_json(text, &file, &ending),
        _ if let Some((_, what, remedy)) = known => other(what, remedy),
        // A RON file starts with a struct or an attribute.
        Some(b'(' | b'#') => FileKind::Scene,
        _ if !is_text(text) => FileKind::Other(format!("its format is unknown; {READABLE}")),
        _ if begins_a_struct(text) => FileKind::Scene,
        _ => other("text that is not a scene", "a scene in RON begins with `(`"),
    }
}

pub(super) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// A text without its byte order mark, leading blanks and comments.
fn after_comments(text: &[u8]) -> &[u8] {
    let mut rest = without_mark(text).trim_ascii_start();
    while let length @ 1.. = comment(rest) {
        rest = rest[length..].trim_ascii_start();
    }
    rest
}

/// Length of the comment at the start of a text; 0 if there is none.
pub(super) fn comment(text: &[u8]) -> usize {
    let end = match text {
        [b'/', b'/', ..] => "\n",
        [b'/', b'*', ..] => "*/",
        _ => return 0,
    };
    text.len() - after(&text[2..], end).next().unwrap_or_default().len()
}

fn json_end(glb: &[u8]) -> usize {
    let length = glb.get(12..16).and_then(|part| part.try_into().ok());
    20 + length.map_or(0, u32::from_le_bytes) as usize
}

fn other(what: &str, remedy: &str) -> FileKind {
    FileKind::Other(format!("it is {what}; {remedy}"))
}

/// True if a text starts like RON: with a name and a parenthesis.
fn begins_a_struct(text: &[u8]) -> bool {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let name = text.iter().take_while(|byte| is_name(byte)).count();
    text[name..].trim_ascii_start().starts_with(b"(")
}

/// True for UTF-8 text, even if the last character is cut off.
fn is_text(bytes: &[u8]) -> bool {
    let is_whole = |error: std::str::Utf8Error| error.error_len().is_none();
    std::str::from_utf8(bytes).map_or_else(is_whole, |_| true) && !bytes.contains(&0)
}

pub const RECORD: &str = "it is a benchmark record; `wavelerp page` makes a page of it";

pub const READABLE: &str = "scenes (.ron), splats (.ply, .spz, .sog, .splat, .ksplat) and models (.glb, .gltf) can be read";

/// The bytes after each occurrence of `part`.
fn after<'a>(bytes: &'a [u8], part: &'a str) -> impl Iterator<Item = &'a [u8]> {
    let places = bytes.windows(part.len()).enumerate();
    let found = places.filter(move |(_, window)| *window == part.as_bytes());
    found.map(move |(at, _)| &bytes[at + part.len()..])
}

fn has_member(json: &[u8], name: &str) -> bool {
    after(json, &format!("\"{name}\"")).any(|rest| rest.trim_ascii_start().starts_with(b":"))
}

fn of_gltf(json: &[u8]) -> FileKind {
    match has_member(json, "KHR_gaussian_splatting") {
        true => FileKind::Splats(SplatKind::Gltf),
        false => FileKind::Model,
    }
}

fn of_zip(bytes: &[u8], ending: &str) -> FileKind {
    let has = |name| after(bytes, name).next().is_some();
    match ending {
        "sog" => FileKind::Splats(SplatKind::Sog),
        "usdz" => other("USD (.usdz)", EXPORT),
        _ if has("lod-meta.json") => other("a streamed SOG in a ZIP", CONVERT),
        _ if has("meta.json") => FileKind::Splats(SplatKind::Sog),
        _ => other(
            "a ZIP archive",
            "unpack it, and name the file of splats or the model in it",
        ),
    }
}

fn of_json(text: &[u8], file: &str, ending: &str) -> FileKind {
    let has = |names: &[&str]| names.iter().all(|name| has_member(text, name));
    match () {
        () if ending == "gltf" => of_gltf(text),
        () if has(&["schema", "rounds"]) => FileKind::Record,
        () if file == "lod-meta.json" || has(&["lodLevels"]) => {
            other("the table of contents of a streamed SOG", CONVERT)
        }
        () if ending == "lcc" || has(&["totalSplats"]) => other("LCC (XGRIDS)", CONVERT),
        () if has(&["means", "quats"]) => FileKind::Splats(SplatKind::SogMeta),
        () if has(&["transform_matrix"]) || has(&["img_name", "rotation"]) => other(
            "a list of the training cameras",
            "name the splats that were trained",
        ),
        // The file has an `asset` as well.
        () if has(&["geometricError"]) => other("a tileset of 3D Tiles", EXPORT),
        () if has(&["asset", "version"]) || has(&["accessors", "bufferViews"]) => of_gltf(text),
        () => other("JSON that is neither a model nor splats", READABLE),
    }
}

#[cfg(test)]
mod tests {
    use super::FileKind::{Model, Record, Scene, Splats};
    use super::*;

    #[test]
    fn a_file_is_what_its_start_says_and_its_name_where_that_says_nothing() {
        use SplatKind::{Antimatter, Gltf, Ksplat, Ply, Sog, SogMeta, Spz};
        for (start, name, kind) in [
            (b"ply\nformat".as_slice(), "a.txt", Splats(Ply)),
            (b"ply\r\n", "a.splat", Splats(Ply)),
            (b"NGSP\x04", "a", Splats(Spz)),
            (b"\x1f\x8b\x08", "a.splat", Splats(Antimatter)),
            (&[0; 4096], "b/A.KSPLAT", Splats(Ksplat)),
            (b"PK\x03\x04..meta.json", "a.zip", Splats(Sog)),
            (
                br#"{"means": {}, "quats": {}}"#,
                "a/meta.json",
                Splats(SogMeta),
            ),
            (br#"{"asset": {"version": "2.0"}}"#, "a.json", Model),
            (br#"{"accessors": [], "bufferViews": ["#, "a", Model),
            (br#"{"schema": 1, "rounds": []}"#, "mine", Record),
            (
                b"glTF\x02\0\0\0....\x1c\0\0\0JSON{\"KHR_gaussian_splatting\" : 1}",
                "a.glb",
                Splats(Gltf),
            ),
            // The extension is not in the JSON of the GLB.
            (
                b"glTF\x02\0\0\0....\x02\0\0\0JSON{}\"KHR_gaussian_splatting\" : 1}",
                "a.glb",
                Model,
            ),
            (b"// A scene\n(name: \"a\")", "a", Scene),
            (b"/* a */ // {\n{\"asset\": 1, \"version\": 2}", "a", Model),
            (b"Scene\n(name: \"a\")", "a", Scene),
            (b"\0\0", "a.ron", Scene),
        ] {
            assert_eq!(kind_of(start, name), kind, "{name}");
        }
    }

    #[test]
    fn what_cannot_be_shown_is_named_with_what_would_make_it_readable() {
        for (start, name, words) in [
            (b"".as_slice(), "a.ply", "empty"),
            (b"v 1 2 3\nf 1 2 3\n", "a.obj", "OBJ, .glb"),
            (b"PK\x03\x04", "a.zip", "ZIP, unpack"),
            (br#"{"lodLevels": 3}"#, "a.json", "streamed SOG, .sog"),
            (b"[1, 2]", "a.json", "JSON, can be read"),
            (b"A:\n* author: B (of C)", "license.txt", "text, RON"),
            (b"\x89PNG\r\n", "a.png", "picture"),
            (b"\xff\xfe{\0", "a.gltf", "UTF-16, UTF-8"),
            (b"A(\0\x3f", "b.bin", "format is unknown, can be read"),
            // The last character is cut off.
            (b"Gr\xc3", "a.txt", "text, RON"),
        ] {
            let FileKind::Other(reason) = kind_of(start, name) else {
                panic!("{name} is known");
            };
            for word in words.split(", ") {
                assert!(reason.contains(word), "{name}: {reason}");
            }
        }
    }
}
