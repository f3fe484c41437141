//! RenderDoc's in-application API: whether it is attached to this process, and recording a frame into a
//! file of a given name. Its library is never loaded, only found where RenderDoc has put it.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::error::{Error, Result};
use crate::output::{folder_of, hidden_folder};
use crate::paths::{file_name, last_part};

/// How to start a program with RenderDoc attached.
const HOW: &str = "start it with `ENABLE_VULKAN_RENDERDOC_CAPTURE=1 wavelerp …`, \
                   `renderdoccmd capture -w wavelerp …` or `cargo xtask renderdoc -- …`";

/// The file that a method's frame of a scene is recorded into.
pub fn recording_name(scene: &str, method: &str) -> String {
    let stem = last_part(scene);
    file_name(&format!("{}_{method}.rdc", stem.trim_end_matches(".ron")))
}

/// Whether RenderDoc is attached. On Linux it comes with the first Vulkan instance.
pub fn is_attached() -> bool {
    api::find().is_some()
}

/// Refuses to go on where RenderDoc is not attached; the error says how to start the program.
pub fn require() -> Result<()> {
    api::find().map(drop).ok_or_else(not_attached)
}

/// Takes its keys and what it draws over a window from RenderDoc: the window has a key of its own, and
/// its pictures are to be what is on screen.
pub fn leave_window_alone() {
    if let Some(mut api) = api::find() {
        api.leave_window_alone();
    }
}

/// A frame that is being recorded: everything submitted between [`Recording::start`] and
/// [`Recording::finish`]. Dropped before its end, it leaves nothing.
pub struct Recording {
    api: api::Api,
    path: PathBuf,
    /// The hidden folder that RenderDoc writes into.
    folder: TempDir,
    is_open: bool,
}

impl Recording {
    /// Starts to record into `path`, whose folder is made in the end where it is missing.
    ///
    /// # Errors
    /// RenderDoc is not attached; the folder cannot be made, or RenderDoc cannot be told
    /// its name.
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

    /// Ends the frame and gives the file its name, in one step: an older one of that name is replaced
    /// whole or not at all. The GPU must be done with the frame's work.
    ///
    /// # Errors
    /// RenderDoc recorded nothing, or the file cannot be given its name.
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
            // RenderDoc 1.24 crashes when it is told to discard a recording. What it writes goes with its folder.
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

    /// The API of the library that is in this process already.
    pub fn find() -> Option<Api> {
        RenderDoc::new().ok().map(Api)
    }

    /// Any device, any window: there is one device, and at most one window.
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

/// Nothing, on systems that RenderDoc does not know.
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
