//! A tar.gz whose bytes depend only on its files, which are sorted and have a fixed time and no owner.

use std::io::Result;

use flate2::{Compression, GzBuilder};
use tar::{Builder, EntryType, Header};

pub struct Entry {
    /// Path below the archive's only folder, with `/` between folders.
    pub path: String,
    pub is_program: bool,
    pub bytes: Vec<u8>,
}

impl Entry {
    /// A file without execute permission.
    pub fn file(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            path: path.into(),
            is_program: false,
            bytes: bytes.into(),
        }
    }

    /// An executable file.
    pub fn program(path: impl Into<String>, bytes: Vec<u8>) -> Self {
        Self {
            is_program: true,
            ..Self::file(path, bytes)
        }
    }
}

/// Packs the entries below the folder `name`, with `time` in seconds since 1970.
pub fn pack(name: &str, mut entries: Vec<Entry>, time: u64) -> Result<Vec<u8>> {
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    // 255 stands for no particular system.
    let gzip = GzBuilder::new().mtime(0).operating_system(255);
    let mut tar = Builder::new(gzip.write(Vec::new(), Compression::default()));
    for entry in &entries {
        let mut header = Header::new_gnu();
        header.set_entry_type(EntryType::Regular);
        header.set_size(entry.bytes.len() as u64);
        header.set_mode(if entry.is_program { 0o755 } else { 0o644 });
        header.set_mtime(time);
        header.set_uid(0);
        header.set_gid(0);
        tar.append_data(
            &mut header,
            format!("{name}/{}", entry.path),
            &entry.bytes[..],
        )?;
    }
    tar.into_inner()?.finish()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn packed(order: [&str; 2], time: u64, is_program: bool) -> Vec<u8> {
        let entries = order.map(|path| Entry {
            is_program,
            ..Entry::file(path, path)
        });
        pack("name", entries.into(), time).unwrap()
    }

    #[test]
    fn the_bytes_depend_on_the_files_and_their_time_and_on_nothing_else() {
        let first = packed(["a", "b/c"], 7, false);
        assert_eq!(first, packed(["b/c", "a"], 7, false));
        assert_ne!(first, packed(["a", "b/c"], 8, false), "the control");
        assert_ne!(first, packed(["a", "b/d"], 7, false), "the control");
        assert_ne!(first, packed(["a", "b/c"], 7, true), "the control");
    }
}
