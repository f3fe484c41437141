//! What a file of a model names: data in the URI itself, or a file beside it. Nothing outside the file's own folder is
//! ever opened.

use std::io::Read as _;
use std::path::PathBuf;

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use crate::model::files::Folder;

/// The bytes that a URI stands for, `most` of them at the most; a file that it names is looked for in `folder`.
pub fn bytes(uri: &str, folder: Folder, most: u64) -> Result<Vec<u8>, String> {
    found(uri, folder, most).flatten()
}

/// Like [`bytes`], for what need not be there: the reason why it is not. An error is a path that leaves the folder.
pub fn found(uri: &str, folder: Folder, most: u64) -> Result<Result<Vec<u8>, String>, String> {
    if let Some(data) = uri.strip_prefix("data:") {
        return Ok(of_data(data));
    }
    let path = match file(uri) {
        Ok(path) => path,
        Err(Refused::Leaves(reason)) => return Err(reason),
        Err(Refused::NoFile(reason)) => return Ok(Err(reason)),
    };
    let read = || {
        let place = folder.path.join(&path);
        let file = folder.files.open(&place).or_else(|reason| {
            // Where upper and lower case are the same, programs write names as they like.
            let alike = folder.files.alike(folder.path, &path).ok_or(reason)?;
            folder.files.open(&alike)
        })?;
        let mut bytes = Vec::new();
        // One byte more shows that there are more.
        let mut file = file.bytes.take(most.saturating_add(1));
        let read = file.read_to_end(&mut bytes);
        read.map_err(|error| error.to_string())?;
        Ok(bytes)
    };
    Ok(read().map_err(|reason: String| format!("{}: {reason}", path.display())))
}

/// Why a URI names no file of the folder.
#[derive(Debug, PartialEq)]
enum Refused {
    Leaves(String),
    NoFile(String),
}

/// The data of a URI, after `data:`.
fn of_data(data: &str) -> Result<Vec<u8>, String> {
    let (kind, text) = data.split_once(',').ok_or("its data URI has no comma")?;
    if !kind.ends_with(";base64") {
        return Err("its data URI is not in base64".to_owned());
    }
    let forgiving = GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true);
    GeneralPurpose::new(&alphabet::STANDARD, forgiving)
        .decode(text)
        .map_err(|_| "its data URI is not valid base64".to_owned())
}

/// The path that a URI names, below the file's own folder.
fn file(uri: &str) -> Result<PathBuf, Refused> {
    let no_file = |why: &str| Refused::NoFile(why.to_owned());
    let name = unescaped(uri).ok_or_else(|| no_file("its URI is not text in UTF-8"))?;
    let name = name.replace('\\', "/");
    if name.is_empty() {
        return Err(no_file("its URI is empty"));
    }
    let said = |why: &str| format!("`{name}` {why}; only files beside it are opened");
    let scheme = name.split_once(':').map(|(scheme, _)| scheme);
    if scheme.is_some_and(|scheme| !scheme.contains('/')) {
        return Err(Refused::NoFile(said("is an address, not a file name")));
    }
    if name.starts_with('/') {
        return Err(Refused::Leaves(said("is an absolute path")));
    }
    if name.split('/').any(|part| part == "..") {
        return Err(Refused::Leaves(said("leaves the file's folder")));
    }
    if name.contains(char::is_control) {
        return Err(Refused::NoFile(said("is not a file name")));
    }
    Ok(PathBuf::from(name.trim_start_matches("./")))
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
    fn data_is_decoded_with_padding_and_without_and_other_text_is_refused() {
        for (text, bytes) in [
            ("", b"".as_slice()),
            ("TQ==", b"M"),
            ("TWE=", b"Ma"),
            ("TWE", b"Ma"),
            ("TWFu", b"Man"),
            ("/+8A", &[0xff, 0xef, 0]),
        ] {
            let found = of_data(&format!(";base64,{text}"));
            assert_eq!(found.as_deref(), Ok(bytes), "{text}");
        }
        for text in ["T", "TWFuT", "T=Fu", "TW u", "===="] {
            assert!(of_data(&format!(";base64,{text}")).is_err(), "{text}");
        }
        assert!(of_data("text/plain,abc").is_err_and(|why| why.contains("not in base64")));
    }
}
