//! What a file of a model names: data in the URI itself, or a file beside it. Nothing outside the file's own folder is
//! ever opened.

use std::io::Read as _;
use std::path::PathBuf;

use crate::model::files::Folder;

/// The bytes that a URI stands for, `most` of them at the most; a file that it names is looked for in `folder`.
pub fn bytes(uri: &str, folder: Folder, most: u64) -> Result<Vec<u8>, String> {
    if let Some(data) = uri.strip_prefix("data:") {
        return of_data(data);
    }
    let path = file(uri)?;
    let named = |reason: String| format!("{}: {reason}", path.display());
    let place = folder.path.join(&path);
    let file = folder.files.open(&place).map_err(named)?;
    let mut bytes = Vec::new();
    // One byte more shows that there are more.
    let read = file
        .bytes
        .take(most.saturating_add(1))
        .read_to_end(&mut bytes);
    read.map_err(|error| named(error.to_string()))?;
    Ok(bytes)
}

/// The data of a URI, after `data:`.
fn of_data(data: &str) -> Result<Vec<u8>, String> {
    let (kind, text) = data.split_once(',').ok_or("its data URI has no comma")?;
    if !kind.ends_with(";base64") {
        return Err("its data URI is not in base64".to_owned());
    }
    base64(text.as_bytes()).ok_or_else(|| "its data URI is not valid base64".to_owned())
}

/// The bytes that a text in base64 stands for; none if it is no such text.
fn base64(text: &[u8]) -> Option<Vec<u8>> {
    let padding = text.iter().rev().take(2).take_while(|c| **c == b'=');
    let text = &text[..text.len() - padding.count()];
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 3);
    for four in text.chunks(4) {
        let mut word = 0u32;
        for sign in four {
            let value = match sign {
                b'A'..=b'Z' => sign - b'A',
                b'a'..=b'z' => sign - b'a' + 26,
                b'0'..=b'9' => sign - b'0' + 52,
                b'+' => 62,
                b'/' => 63,
                _ => return None,
            };
            word = word << 6 | u32::from(value);
        }
        let whole = word << (6 * (4 - four.len()));
        let count = match four.len() {
            4 => 3,
            3 => 2,
            2 => 1,
            _ => return None,
        };
        bytes.extend_from_slice(&whole.to_be_bytes()[1..=count]);
    }
    Some(bytes)
}

/// The path that a URI names, below the file's own folder.
fn file(uri: &str) -> Result<PathBuf, String> {
    let name = unescaped(uri).ok_or("its URI is not text in UTF-8")?;
    let refused = |why: &str| Err(format!("`{name}` {why}; only files beside it are opened"));
    if name.is_empty() {
        return Err("its URI is empty".to_owned());
    }
    if let Some((scheme, _)) = name.split_once(':')
        && !scheme.contains('/')
    {
        return refused("is an address, not a file name");
    }
    if name.starts_with(['/', '\\']) {
        return refused("is an absolute path");
    }
    if name.split(['/', '\\']).any(|part| part == "..") {
        return refused("leaves the file's folder");
    }
    if name.contains(|c: char| c.is_control() || c == '\\') {
        return refused("is not a file name");
    }
    Ok(PathBuf::from(name))
}

/// A text with percent escapes decoded; none if the result is not UTF-8.
fn unescaped(uri: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        let value = digits.and_then(|two| u8::from_str_radix(two, 16).ok());
        (rest, _) = match (first, value) {
            (b'%', Some(value)) => (&after[2..], bytes.push(value)),
            _ => (after, bytes.push(*first)),
        };
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_decoded_with_padding_and_without_and_other_text_is_refused() {
        for (text, bytes) in [
            ("", b"".as_slice()),
            ("TQ==", b"M"),
            ("TWE=", b"Ma"),
            ("TWE", b"Ma"),
            ("TWFu", b"Man"),
            ("/+8A", &[0xff, 0xef, 0]),
        ] {
            assert_eq!(base64(text.as_bytes()).as_deref(), Some(bytes), "{text}");
        }
        for text in ["T", "TWFuT", "T=Fu", "TW u", "===="] {
            assert_eq!(base64(text.as_bytes()), None, "{text}");
        }
        assert!(of_data("text/plain,abc").is_err_and(|why| why.contains("not in base64")));
    }

    #[test]
    fn files_beside_it_are_named_and_all_others_are_refused() {
        for (uri, path) in [
            ("a.bin", "a.bin"),
            ("parts/a%20b.bin", "parts/a b.bin"),
            ("a..b", "a..b"),
            ("100%.bin", "100%.bin"),
        ] {
            assert_eq!(file(uri), Ok(PathBuf::from(path)), "{uri}");
        }
        for (uri, part) in [
            ("/etc/passwd", "absolute"),
            ("%2Fetc/passwd", "absolute"),
            ("../a.bin", "leaves the file's folder"),
            ("a/%2e%2E/%2e./b", "leaves the file's folder"),
            ("a\\..\\b", "leaves the file's folder"),
            ("C:\\a.bin", "address"),
            ("file:///a.bin", "address"),
            ("https://example.org/a.bin", "address"),
            ("a\nb", "not a file name"),
            ("", "empty"),
            ("%ff", "UTF-8"),
        ] {
            let reason = file(uri).expect_err(uri);
            assert!(reason.contains(part), "{uri}: {reason}");
        }
    }
}
