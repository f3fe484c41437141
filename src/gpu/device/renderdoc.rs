//! RenderDoc's in-application API: detects RenderDoc, and records a frame into a named file. The program never loads
//! RenderDoc's library itself.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::error::{Error, Result};
use crate::output::{folder_of, hidden_folder};
use crate::paths::{file_name, last_part};

const HOW: &str = "start it with `ENABLE_VULKAN_RENDERDOC_CAPTURE=1 wavelerp …`, \
                   `renderdoccmd capture -w wavelerp …` or `cargo xtask renderdoc -- …`";

pub fn recording_name(scene: &str, method: &str) -> String {
    let stem = last_part(scene);
    file_name(&format!("{}_{method}.rdc", stem.trim_end_matches(".ron")))
}

/// True if RenderDoc is attached. On Linux it arrives with the first Vulkan instance.
pub fn is_attached() -> bool {
    api::find().is_some()
}

/// Fails if RenderDoc is not attached. The error contains instructions.
pub fn require() -> Result<()> {
    api::find().map(drop).ok_or_else(not_attached)
}

/// Disables RenderDoc's keys and overlay: the window has its own key, and screenshots must match the screen.
pub fn leave_window_alone() {
    if let Some(mut api) = api::find() {
        api.leave_window_alone();
    }
}

/// A recording of all work submitted between [`Recording::start`] and [`Recording::finish`]. Dropping it early removes
/// its files.
pub struct Recording {
    api: api::Api,
    path: PathBuf,
    /// RenderDoc writes to this hidden folder.
    folder: TempDir,
    is_open: bool,
}

impl Recording {
    /// Starts recording into `path`. The folder is created at the end if it does not exist.
    ///
    /// # Errors
    /// RenderDoc is not attached, the folder cannot be created, or RenderDoc does not accept its name.
    pub fn start(path: &Path) -> Result<Self> {
        let mut api = api::find().ok_or_else(not_attached)?;
        let folder = std::path::absolute(path).and_then(|path| hidden_folder(folder_of(&path)));
        let folder = folder.map_err(|error| {
            Error::usage(format!("{}: cannot record there: {error}", path.display()))
        })?;
        let template = folder.path().join("frame");
        if template.to_str().is_none_or(|text| text.contains('\0')) {
            let path = path.display();
            return Err(Error::usage(format!(
                "{path}: RenderDoc needs names in UTF-8; name another folder"
            )));
        }
        api.start(&template);
        Ok(Self {
            api,
            path: path.to_owned(),
            folder,
            is_open: true,
        })
    }

    /// Ends the frame and atomically moves the file to its final name, replacing an older file. The GPU must have
    /// finished the frame's work.
    ///
    /// # Errors
    /// RenderDoc recorded nothing, or the file cannot be moved.
    pub fn finish(mut self) -> Result<PathBuf> {
        self.is_open = false;
        self.api.end();
        let path = self.path.display();
        let files = std::fs::read_dir(self.folder.path());
        let written = files.into_iter().flatten().flatten().next();
        let written = written.ok_or_else(|| {
            Error::failed(format!(
                "{path}: RenderDoc recorded nothing; see its log (newest file in the temporary folder RenderDoc)"
            ))
        })?;
        let folder = std::fs::create_dir_all(folder_of(&self.path));
        let named = folder.and_then(|()| std::fs::rename(written.path(), &self.path));
        named.map_err(|error| {
            Error::usage(format!(
                "{path}: cannot write it: {error}; name another folder"
            ))
        })?;
        Ok(self.path.clone())
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        if self.is_open {
            // RenderDoc 1.24 crashes when asked to discard a recording. Deleting the folder removes the recording.
            self.api.end();
        }
    }
}

fn not_attached() -> Error {
    let what = if cfg!(any(windows, target_os = "linux")) {
        format!("RenderDoc is not attached to this program: {HOW}")
    } else {
        "RenderDoc does not support this system: record on Linux or Windows".to_owned()
    };
    Error::failed(what)
}

#[cfg(any(windows, target_os = "linux"))]
mod api {
    use std::path::Path;

    use renderdoc::{InputButton, OverlayBits, RenderDoc, V141};

    pub struct Api(RenderDoc<V141>);

    /// The API, if the library is loaded in this process.
    pub fn find() -> Option<Api> {
        RenderDoc::new().ok().map(Api)
    }

    /// A null pointer selects any device and window. The program has one device and at most one window.
    const ANY: *const std::ffi::c_void = std::ptr::null();

    impl Api {
        pub fn leave_window_alone(&mut self) {
            self.0.set_capture_keys::<InputButton>(&[]);
            self.0
                .mask_overlay_bits(OverlayBits::empty(), OverlayBits::empty());
        }

        pub fn start(&mut self, template: &Path) {
            self.0.set_capture_file_path_template(template);
            self.0.start_frame_capture(ANY, ANY);
        }

        pub fn end(&mut self) {
            self.0.end_frame_capture(ANY, ANY);
        }
    }
}

#[cfg(not(any(windows, target_os = "linux")))]
mod api {
    use std::path::Path;

    pub enum Api {}

    pub fn find() -> Option<Api> {
        None
    }

    impl Api {
        pub fn leave_window_alone(&mut self) {
            match *self {}
        }

        pub fn start(&mut self, _: &Path) {
            match *self {}
        }

        pub fn end(&mut self) {
            match *self {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_after_scene_and_method_and_stays_in_its_folder() {
        let name = recording_name("../else where/my scene.ron", "auto");
        assert_eq!(name, "my-scene_auto.rdc");
    }
}
