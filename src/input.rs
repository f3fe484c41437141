//! Opens files that a user names. Only regular files are accepted. Text is UTF-8, with a length limit per kind of file.

use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use crate::model::files::{FileStamp, Files, Opened};

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
        system::within(folder)
    }

    fn look(&self, path: &Path) -> Option<FileStamp> {
        system::look(path)
    }
}

pub fn exists(path: &Path) -> bool {
    Disk.look(path).is_some()
}

/// Maximum size of a scene in bytes. Built-in scenes have 10 kB, and a scene of 30,000 emitters has 7 MB.
const SCENE: u64 = 16 << 20;
/// Maximum size of a preset in bytes. A typical preset has 2 kB.
pub const PRESET: u64 = 1 << 20;
/// Maximum size of the file for `verify --values` in bytes: a million rows of four numbers with all digits.
pub const VALUES: u64 = 128 << 20;
/// Maximum size of a benchmark record in bytes. The record of a full run has 10 MB.
pub const RECORD: u64 = 256 << 20;
/// Maximum size of a capture's report in bytes. A typical report has 30 kB.
pub const REPORT: u64 = 64 << 20;
/// Maximum size of a picture in bytes. The largest frames have 8192 x 8192 pixels of 16 bytes.
pub const PICTURE: u64 = 1 << 30;
/// Maximum size of a shader file in bytes. Built-in files have at most 12 kB.
pub const SHADER: u64 = 128 << 10;

/// Text of a file without its byte order mark. The error is a reason that does not name the file.
pub fn text(path: &Path, longest: u64) -> Result<String, String> {
    decoded(bytes(path, longest)?)
}

/// Bytes of a file. The error is a reason that does not name the file.
pub fn bytes(path: &Path, longest: u64) -> Result<Vec<u8>, String> {
    let (file, _) = open(path)?;
    let mut bytes = Vec::new();
    // The file may grow while it is read.
    let mut file = file.take(longest + 1);
    let read = file.read_to_end(&mut bytes);
    read.map_err(|error| error.to_string())?;
    if bytes.len() as u64 > longest {
        let most = longest >> 10;
        return Err(format!("it is too long: the limit is {most} KiB"));
    }
    Ok(bytes)
}

#[cfg(target_arch = "wasm32")]
use crate::browser as system;
#[cfg(not(target_arch = "wasm32"))]
use disk as system;
use system::open;

#[cfg(not(target_arch = "wasm32"))]
mod disk {
    use std::fs::{File, metadata, read_dir};
    use std::path::{Path, PathBuf, absolute};
    use std::time::UNIX_EPOCH;

    use crate::model::files::FileStamp;

    /// Opens a regular file and returns its current length. The error is a reason that does not name the file.
    pub fn open(path: &Path) -> Result<(File, u64), String> {
        let cannot = |error: std::io::Error| error.to_string();
        let found = metadata(path).map_err(cannot)?;
        if found.is_dir() {
            return Err("it is a folder; name a file in it".to_owned());
        }
        // Reading from a pipe may block forever, and a device may be endless.
        if !found.is_file() {
            return Err("it is a pipe, a socket or a device; name a regular file".to_owned());
        }
        Ok((File::open(path).map_err(cannot)?, found.len()))
    }

    pub fn within(folder: &Path) -> Vec<PathBuf> {
        // An empty path means the working folder, but cannot be listed.
        let listed = read_dir(Path::new(".").join(folder));
        let names = listed.into_iter().flatten().flatten();
        names.map(|entry| folder.join(entry.file_name())).collect()
    }

    pub fn look(path: &Path) -> Option<FileStamp> {
        let found = metadata(path).ok()?;
        let changed = found.modified().ok();
        let since = changed.and_then(|changed| changed.duration_since(UNIX_EPOCH).ok());
        Some(FileStamp {
            path: absolute(path).ok()?,
            length: found.len(),
            version: since.map(|since| since.as_nanos() as u64),
            is_regular: found.is_file(),
        })
    }
}

/// Decodes text and removes a byte order mark. The error names the encoding and a remedy.
fn decoded(bytes: Vec<u8>) -> Result<String, String> {
    if let [0xff, 0xfe, ..] | [0xfe, 0xff, ..] = bytes.as_slice() {
        return Err("it is text in UTF-16; save it as UTF-8".to_owned());
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text
            .strip_prefix('\u{feff}')
            .map(str::to_owned)
            .unwrap_or(text)),
        Err(error) => {
            let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = 1 + good.iter().filter(|byte| **byte == b'\n').count();
            Err(format!("line {line} is not UTF-8; save it as UTF-8"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEW: u64 = 64;

    fn read(bytes: &[u8]) -> Result<String, String> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        std::fs::write(&path, bytes).expect("a file");
        text(&path, FEW)
    }

    #[test]
    fn text_is_utf8_with_or_without_a_mark_and_of_a_limited_length() {
        let marked = read("\u{feff}größer\n".as_bytes());
        assert_eq!(marked, Ok("größer\n".to_owned()));
        for (bytes, part) in [
            (b"\xff\xfe(\0".as_slice(), "UTF-16"),
            (b"a\nb\nh\xf6her", "line 3 is not UTF-8"),
            (&[b'a'; 65], "too long: the limit"),
        ] {
            let reason = read(bytes).expect_err("no such text");
            assert!(reason.contains(part), "{reason}");
        }
        assert_eq!(read(&[b'a'; 64]).map(|text| text.len()), Ok(64));
    }

    #[cfg(unix)]
    #[test]
    fn folders_pipes_and_devices_are_refused_at_once() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(text(folder.path(), FEW).is_err_and(|why| why.contains("folder")));
        let reason = text(Path::new("/dev/zero"), FEW).expect_err("not ordinary");
        assert!(reason.contains("regular file"), "{reason}");
        let seen = Disk.look(Path::new("/dev/zero"));
        assert!(seen.is_some_and(|seen| !seen.is_regular));
    }
}
