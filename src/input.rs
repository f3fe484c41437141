//! Opens the files that a user names, regular files alone, and reads those in text, each kind up to its greatest
//! length, in UTF-8. Whatever else a path may lead to is refused with the reason. Writes nothing.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use crate::model::files::{Files, Opened, Seen};

/// The files of this system.
pub struct Disk;

impl Files for Disk {
    fn open(&self, path: &Path) -> Result<Opened<'_>, String> {
        let (file, length) = open(path)?;
        let bytes = Box::new(BufReader::with_capacity(1 << 16, file));
        Ok(Opened { bytes, length })
    }

    fn text(&self, path: &Path) -> Result<String, String> {
        text(path, SCENE)
    }

    fn within(&self, folder: &Path) -> Vec<PathBuf> {
        // An empty path is the working folder, which has to be named to be listed.
        let listed = std::fs::read_dir(Path::new(".").join(folder));
        let names = listed.into_iter().flatten().flatten();
        names.map(|entry| folder.join(entry.file_name())).collect()
    }

    fn look(&self, path: &Path) -> Option<Seen> {
        let found = std::fs::metadata(path).ok()?;
        let changed = found.modified().ok();
        let since = changed.and_then(|changed| changed.duration_since(UNIX_EPOCH).ok());
        Some(Seen {
            path: std::path::absolute(path).ok()?,
            length: found.len(),
            version: since.map(|since| since.as_nanos() as u64),
            is_regular: found.is_file(),
        })
    }
}

/// The longest file of a kind that is read.
#[derive(Clone, Copy, Debug)]
pub struct Longest {
    /// What such a file is called, with its article.
    what: &'static str,
    bytes: u64,
}

/// Of a scene. The program's own have 10 kB; one of 30,000 emitters has 7 MB.
const SCENE: Longest = Longest::new("a scene", 16 << 20);
/// Of a preset, which has 2 kB.
pub const PRESET: Longest = Longest::new("a preset", 1 << 20);
/// Of the numbers of `verify --values`: a million rows of four numbers with all their digits.
pub const VALUES: Longest = Longest::new("a file of values", 128 << 20);
/// Of a benchmark record. A full run has 10 MB.
pub const RECORD: Longest = Longest::new("a benchmark record", 256 << 20);
/// Of the report of a capture, which has 30 kB.
pub const REPORT: Longest = Longest::new("a report", 64 << 20);
/// Of a picture: the largest frames have 8192 x 8192 pixels of 16 bytes.
pub const PICTURE: Longest = Longest::new("a picture", 1 << 30);
/// Of a shader file. The program's own have at most 12 kB.
pub const SHADER: Longest = Longest::new("a shader file", 128 << 10);

impl Longest {
    const fn new(what: &'static str, bytes: u64) -> Self {
        Self { what, bytes }
    }
}

/// The text of a file without its byte order mark, or the reason in words why there is none. The reason does not
/// name the file.
///
/// # Errors
/// The file is not there or cannot be read; it is a folder, a pipe or a device; it is longer than `longest`, or is not
/// text in UTF-8.
pub fn text(path: &Path, longest: Longest) -> Result<String, String> {
    decoded(bytes(path, longest)?)
}

/// The bytes of a file, or the reason in words why there are none. The reason does not name the file.
///
/// # Errors
/// Those of [`text`] but the last.
pub fn bytes(path: &Path, longest: Longest) -> Result<Vec<u8>, String> {
    let (file, _) = open(path)?;
    let mut bytes = Vec::new();
    // The file may grow while it is read.
    let mut file = file.take(longest.bytes + 1);
    let read = file.read_to_end(&mut bytes);
    read.map_err(|error| error.to_string())?;
    if bytes.len() as u64 > longest.bytes {
        let Longest { what, bytes } = longest;
        let most = size(bytes);
        return Err(format!("it is too long: the limit for {what} is {most}"));
    }
    Ok(bytes)
}

/// Opens a regular file, and says how many bytes it has now; or the reason in words why it cannot be read. The reason
/// does not name the file.
///
/// # Errors
/// The file is not there or cannot be opened, or it is a folder, a pipe or a device.
fn open(path: &Path) -> Result<(File, u64), String> {
    let cannot = |error: std::io::Error| error.to_string();
    let found = std::fs::metadata(path).map_err(cannot)?;
    if found.is_dir() {
        return Err("it is a folder; name a file in it".to_owned());
    }
    // A pipe would be waited for without an end, and a device may have none.
    if !found.is_file() {
        return Err("it is a pipe, a socket or a device; name a regular file".to_owned());
    }
    Ok((File::open(path).map_err(cannot)?, found.len()))
}

/// A number of bytes in words.
fn size(bytes: u64) -> String {
    match bytes {
        0..0x10_0000 => format!("{} KiB", bytes >> 10),
        _ => format!("{} MiB", bytes >> 20),
    }
}

/// Bytes as text, or what they are instead and what to do about it.
fn decoded(bytes: Vec<u8>) -> Result<String, String> {
    const MARK: &[u8] = &[0xef, 0xbb, 0xbf];
    let wide = |name: &str| Err(format!("it is text in {name}; save it as UTF-8"));
    match bytes.as_slice() {
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => return wide("UTF-32"),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => return wide("UTF-16"),
        [0, other, ..] | [other, 0, ..] if *other != 0 => {
            return wide("UTF-16 (without a byte order mark)");
        }
        _ => {}
    }
    let has_mark = bytes.starts_with(MARK);
    let skipped = if has_mark { MARK.len() } else { 0 };
    let line = |end: usize| 1 + bytes[..end].iter().filter(|byte| **byte == b'\n').count();
    if let Some(zero) = bytes.iter().position(|byte| *byte == 0) {
        let line = line(zero);
        return Err(format!("it is not text: line {line} has a zero byte"));
    }
    match std::str::from_utf8(&bytes[skipped..]) {
        Ok(text) => Ok(text.to_owned()),
        Err(error) => {
            let at = skipped + error.valid_up_to();
            Err(format!(
                "line {} is not UTF-8 (byte 0x{:02x}); if the text is in Latin-1 or Windows-1252, save it as UTF-8",
                line(at),
                bytes[at]
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEW: Longest = Longest::new("a test", 64);

    fn read(bytes: &[u8]) -> Result<String, String> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        std::fs::write(&path, bytes).expect("a file");
        text(&path, FEW)
    }

    #[test]
    fn a_byte_order_mark_is_skipped_and_other_encodings_are_named_with_advice() {
        let marked = read("\u{feff}größer\n".as_bytes());
        assert_eq!(marked, Ok("größer\n".to_owned()));
        assert_eq!(read(b""), Ok(String::new()));
        let latin = b"a\nb\nh\xf6her";
        let utf16 = |mark: &[u8]| [mark, b"(\0n\0a\0m\0e\0"].concat();
        for (bytes, part) in [
            (utf16(&[0xff, 0xfe]), "UTF-16"),
            (vec![0xfe, 0xff, 0, b'('], "UTF-16"),
            (utf16(&[]), "UTF-16"),
            (vec![0xff, 0xfe, 0, 0, b'(', 0, 0, 0], "UTF-32"),
            (latin.to_vec(), "line 3 is not UTF-8 (byte 0xf6)"),
            (b"PK\x03\x04\x00".to_vec(), "not text"),
        ] {
            let reason = read(&bytes).expect_err("no UTF-8");
            assert!(reason.contains(part), "{reason}");
            let advice = reason.contains("save it as UTF-8");
            assert!(advice || part == "not text", "{reason}");
        }
    }

    #[test]
    fn a_file_is_read_up_to_its_greatest_length() {
        assert_eq!(read(&[b'a'; 64]).map(|text| text.len()), Ok(64));
        let reason = read(&[b'a'; 65]).expect_err("too long");
        assert!(reason.contains("too long: the limit for a test is"));
        assert_eq!([128 << 10, 16 << 20].map(size), ["128 KiB", "16 MiB"]);
    }

    #[cfg(unix)]
    #[test]
    fn folders_pipes_and_devices_are_refused_at_once() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(text(folder.path(), FEW).is_err_and(|why| why.contains("folder")));
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.is_ok_and(|status| status.success()), "coreutils");
        for path in [pipe.as_path(), Path::new("/dev/zero")] {
            let reason = text(path, FEW).expect_err("not ordinary");
            assert!(reason.contains("regular file"), "{reason}");
            assert_eq!(Disk.open(path).err(), Some(reason));
            assert!(Disk.look(path).is_some_and(|seen| !seen.is_regular));
        }
        assert!(text(&folder.path().join("none"), FEW).is_err());
    }
}
