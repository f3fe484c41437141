//! URIs in a model: embedded data, or a file. Nothing outside the model's own folder is ever opened.

use std::io::Read as _;
use std::path::PathBuf;

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use crate::model::files::Folder;

/// Content of a URI, at most `most` bytes; if the URI names a file, the file is in `folder`.
pub fn bytes(uri: &str, folder: Folder, most: u64) -> Result<Vec<u8>, String> {
    found(uri, folder, most).flatten()
}

/// Like [`bytes`], but missing content is only an inner error. The outer error means that a path leaves the folder.
pub fn found(uri: &str, folder: Folder, most: u64) -> Result<Result<Vec<u8>, String>, String> {
    if let Some(data) = data_of(uri) {
        return Ok(of_data(data));
    }
    let found = named(&text(uri), folder, most)?;
    // Some files do not escape their names.
    let as_it_is = || named(uri, folder, most).ok()?.ok();
    Ok(found.or_else(|reason| as_it_is().ok_or(reason)))
}

fn named(name: &str, folder: Folder, most: u64) -> Result<Result<Vec<u8>, String>, String> {
    let path = match file(name)? {
        Ok(path) => path,
        Err(reason) => return Ok(Err(reason)),
    };
    let read = || {
        let place = folder.path.join(&path);
        let file = folder.files.open(&place).or_else(|reason| {
            // On file systems that ignore case, programs write names in any case.
            let alike = folder.files.alike(folder.path, &path).ok_or(reason)?;
            folder.files.open(&alike)
        })?;
        let mut bytes = Vec::new();
        // One byte more than allowed shows that the content is too long.
        let mut file = file.bytes.take(most.saturating_add(1));
        let read = file.read_to_end(&mut bytes);
        read.map_err(|error| error.to_string())?;
        Ok(bytes)
    };
    Ok(read().map_err(|reason: String| format!("{}: {reason}", path.display())))
}

/// The part after `data:` in a URI with embedded data.
pub fn data_of(uri: &str) -> Option<&str> {
    let (scheme, data) = uri.split_once(':')?;
    scheme.eq_ignore_ascii_case("data").then_some(data)
}

/// Data of a URI, given the text after `data:`: base64, otherwise text with percent escapes.
fn of_data(data: &str) -> Result<Vec<u8>, String> {
    let (kind, text) = data.split_once(',').ok_or("its data URI has no comma")?;
    let bytes = unescaped(text);
    let mut words = kind.split(';').skip(1).map(str::trim);
    if !words.any(|word| word.eq_ignore_ascii_case("base64")) {
        return Ok(bytes);
    }
    // Accepts line breaks, and the URL-safe alphabet.
    let letters = bytes.into_iter().filter_map(|byte| match byte {
        b'-' => Some(b'+'),
        b'_' => Some(b'/'),
        byte => (!byte.is_ascii_whitespace()).then_some(byte),
    });
    let forgiving = GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true);
    GeneralPurpose::new(&alphabet::STANDARD, forgiving)
        .decode(letters.collect::<Vec<_>>())
        .map_err(|_| "its data URI is not valid base64".to_owned())
}

/// Path of a named file below the model's own folder; errors as in [`found`].
fn file(name: &str) -> Result<Result<PathBuf, String>, String> {
    let name = name.replace('\\', "/");
    if name.is_empty() {
        return Ok(Err("its URI is empty".to_owned()));
    }
    let said = |why: &str| format!("`{name}` {why}; only files in the model's folder are opened");
    let scheme = name.split_once(':').map(|(scheme, _)| scheme);
    if scheme.is_some_and(|scheme| !scheme.contains('/')) {
        return Ok(Err(said("is an address, not a file name")));
    }
    if name.starts_with('/') {
        return Err(said("is an absolute path"));
    }
    if name.split('/').any(|part| part == "..") {
        return Err(said("leaves the file's folder"));
    }
    if name.contains(char::is_control) {
        return Ok(Err(said("is not a file name")));
    }
    Ok(Ok(PathBuf::from(name.trim_start_matches("./"))))
}

/// A URI with percent escapes decoded: UTF-8, otherwise Latin-1.
fn text(uri: &str) -> String {
    let latin = |bytes: &[u8]| bytes.iter().copied().map(char::from).collect();
    String::from_utf8(unescaped(uri)).unwrap_or_else(|error| latin(error.as_bytes()))
}

fn unescaped(uri: &str) -> Vec<u8> {
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
    bytes
}
