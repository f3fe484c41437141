//! The program and the shaders that made a result: commit, digest of the shader texts, and folder of edited texts.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use sha2::{Digest, Sha256};

use super::folder;
use super::source::ShaderSource;
use crate::paths::quoted;

/// Commit of the program. It is "unknown" outside a repository, and ends in "-dirty" with uncommitted changes.
pub const COMMIT: &str = env!("WAVELERP_GIT");

/// Length of the digest in bytes, long enough to avoid accidental collisions.
const BYTES: usize = 8;

static EMBEDDED: OnceLock<String> = OnceLock::new();

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provenance {
    /// First 8 bytes of the SHA-256 of all code in use and its module names, as 16 hexadecimal digits.
    pub digest: String,
    /// True if any code that affects results differs from the embedded code.
    pub is_edited: bool,
    folder: Option<PathBuf>,
}

impl Default for Provenance {
    fn default() -> Self {
        Self {
            digest: embedded().clone(),
            is_edited: false,
            folder: None,
        }
    }
}

impl Provenance {
    /// The shaders of `source`, with texts from `folder` if given.
    pub fn of(source: &ShaderSource, folder: Option<&Path>) -> Self {
        let digest = digest(source);
        let is_edited = digest != *embedded();
        let folder = folder.filter(|_| is_edited).map(Path::to_owned);
        Self {
            digest,
            is_edited,
            folder,
        }
    }

    /// Command-line flag, with a leading blank, that selects the same shaders. Empty for embedded shaders.
    pub fn flag(&self) -> String {
        let folder = self.folder.as_ref();
        folder.map_or(String::new(), |folder| {
            format!(" --shaders {}", quoted(&folder.display().to_string()))
        })
    }
}

/// Formats the digest, and a note on whether the shaders are embedded or edited.
impl fmt::Display for Provenance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = if self.is_edited { "edited" } else { "embedded" };
        write!(f, "{} ({what})", self.digest)
    }
}

fn embedded() -> &'static String {
    EMBEDDED.get_or_init(|| digest(&ShaderSource::default()))
}

/// This module only displays results and cannot change them.
const SHOWS: &str = "inspect/present";

/// Digest of all modules that affect results, and of other files that modules may import. Comments and blanks at line
/// ends are left out, so that tables stay valid when only a comment changes.
fn digest(source: &ShaderSource) -> String {
    let mut names: BTreeSet<String> = ShaderSource::modules().into_iter().collect();
    names.extend(source.texts.keys().cloned());
    let below = source.folder.iter().flat_map(|at| folder::files(at));
    names.extend(below.map(|(module, _)| module));
    names.remove(SHOWS);
    let mut hasher = Sha256::new();
    for name in names {
        let text = source.file(&name).unwrap_or_default();
        let code = text
            .lines()
            .map(|line| line.split("//").next().unwrap_or(line).trim_end());
        let text: String = code
            .filter(|line| !line.is_empty())
            .flat_map(|line| [line, "\n"])
            .collect();
        hasher.update(format!("{name} {}\n", text.len()));
        hasher.update(text);
    }
    let hash = hasher.finalize();
    hash.iter()
        .take(BYTES)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::gpu::shader::{Edit, embedded};

    #[test]
    fn the_digest_depends_on_every_text_in_use_and_on_nothing_else() {
        let home = tempfile::tempdir().unwrap();
        let of = || {
            let source = ShaderSource {
                folder: Some(home.path().to_owned()),
                ..ShaderSource::default()
            };
            Provenance::of(&source, Some(home.path()))
        };
        let own = Provenance::default();
        assert_eq!(of(), own, "an empty folder changes nothing");
        for folder in ["frame", "inspect"] {
            std::fs::create_dir(home.path().join(folder)).unwrap();
        }
        let write = |name: &str, text: &str| std::fs::write(home.path().join(name), text).unwrap();
        let bins = embedded("frame/bins").unwrap();
        write("frame/bins.wesl", &bins.replace('\n', "\r\n"));
        write("notes.txt", "no shader");
        assert_eq!(of(), own, "the same text, and a file that is no shader");
        write("frame/bins.wesl", &format!("// Why?\n{bins} // So."));
        write("inspect/present.wesl", "fn shown_otherwise() {}");
        assert_eq!(of(), own, "comments, and what only shows results");
        write("frame/bins.wesl", &format!("{bins}const MINE = 1u;"));
        let edited = of();
        assert!(edited.is_edited && edited.digest != own.digest, "{edited}");
        write("mine.wesl", "fn mine() {}");
        assert_ne!(of().digest, edited.digest, "a file that others may import");
        let planted = ShaderSource {
            edits: vec![Edit::new("frame/bins", "fn ", "fn  ")],
            ..ShaderSource::default()
        };
        let planted = Provenance::of(&planted, None);
        assert!(planted.is_edited && planted.flag().is_empty());
    }

    #[test]
    fn a_command_names_the_folder_of_edited_shaders_alone() {
        let source = ShaderSource {
            texts: [("frame/bins".to_owned(), "edited".to_owned())].into(),
            ..ShaderSource::default()
        };
        let folder = Path::new("my shaders");
        let edited = Provenance::of(&source, Some(folder));
        assert_eq!(edited.flag(), " --shaders 'my shaders'");
        let own = Provenance::of(&ShaderSource::default(), Some(folder));
        assert_eq!((own.flag(), own.digest.len()), (String::new(), 16));
    }
}
