//! The stored state of a window, apart from its settings: its size, and the recently opened and saved files.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::input;
use crate::paths::config_folder;

use super::ron_file;

const MOST_FILES: usize = 10;

/// Size in points of the smallest window that shows panes; a smaller window shows only the picture.
pub(super) const LEAST_SIZE: [f32; 2] = [640.0, 280.0];

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeptSize {
    /// Inner size in points; for a maximised window, the size before it was maximised.
    pub size: [f32; 2],
    pub is_maximized: bool,
}

impl Default for KeptSize {
    fn default() -> Self {
        Self {
            size: [1600.0, 900.0],
            is_maximized: false,
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct WindowState {
    pub size: Option<KeptSize>,
    pub recent: Recent,
    pub saved: Recent,
}

impl WindowState {
    /// File written when the window closes and read when it opens. `None` if the user has no home folder.
    pub fn file() -> Option<PathBuf> {
        Some(config_folder()?.join("window.ron"))
    }

    /// Reads the stored state. An impossible size is ignored.
    pub fn load(path: &Path) -> Result<Self> {
        let mut kept: Self = ron_file::read(path, input::PRESET)?;
        let is_sound = |edge: &f32| (1.0..=1e5).contains(edge);
        kept.size = kept.size.filter(|kept| kept.size.iter().all(is_sound));
        kept.recent.0.truncate(MOST_FILES);
        kept.saved.0.truncate(MOST_FILES);
        Ok(kept)
    }

    pub fn save(&self, path: &Path) -> Result<()> {
        ron_file::write(path, self)
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Recent(Vec<String>);

impl Recent {
    pub fn paths(&self) -> &[String] {
        &self.0
    }

    /// Moves a file to the front of the list. The list stores absolute paths, because the working directory may change.
    pub fn note(&mut self, path: &str) {
        let whole = whole(path);
        self.0.retain(|known| *known != whole);
        self.0.insert(0, whole);
        self.0.truncate(MOST_FILES);
    }

    pub fn forget(&mut self, path: &str) -> bool {
        let (whole, before) = (whole(path), self.0.len());
        self.0.retain(|known| *known != whole);
        self.0.len() < before
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }
}

/// The absolute path, or `path` itself if the absolute path is not UTF-8.
pub fn whole(path: &str) -> String {
    let whole = std::path::absolute(path).ok();
    let whole = whole.and_then(|whole| whole.into_os_string().into_string().ok());
    whole.unwrap_or_else(|| path.to_owned())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn the_newest_files_are_kept_each_once_by_its_whole_path_and_a_wrong_size_is_left_out() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("new/window.ron");
        let mut kept = WindowState::default();
        for number in 0..20 {
            kept.recent.note(&format!("/scenes/{number}.ply"));
        }
        kept.recent.note("/scenes/15.ply");
        kept.recent.note("near.ply");
        kept.saved.note("/pictures/1.png");
        let [near, fifteenth, nineteenth, ..] = kept.recent.paths() else {
            panic!("too few")
        };
        assert_eq!(kept.recent.paths().len(), MOST_FILES);
        assert_eq!(
            [fifteenth, nineteenth],
            ["/scenes/15.ply", "/scenes/19.ply"]
        );
        assert!(Path::new(near).is_absolute() && near.ends_with("near.ply"));
        kept.size = Some(KeptSize {
            size: [1000.0 / 1.5, 600.25],
            is_maximized: true,
        });
        kept.save(&path).unwrap();
        assert_eq!(WindowState::load(&path).unwrap(), kept);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replace("600.25", "NaN")).unwrap();
        let read = WindowState::load(&path).unwrap();
        assert_eq!((read.size, &read.recent), (None, &kept.recent));
        // A file from another version, with other fields.
        std::fs::write(&path, "(recent: [\"/b.ply\"], theme: 3)").unwrap();
        assert_eq!(WindowState::load(&path).unwrap().recent.paths(), ["/b.ply"]);
    }
}
