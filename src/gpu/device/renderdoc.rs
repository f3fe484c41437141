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
    /// The folder that RenderDoc writes into.
    _folder: TempDir,
    captures_before: u32,
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
        let folder = folder_near(path)?;
        let template = folder.path().join("frame");
        if template.to_str().is_none_or(|text| text.contains('\0')) {
            let path = path.display();
            return Err(Error::usage(format!(
                "{path}: RenderDoc needs names in UTF-8; name another folder"
            )));
        }
        let captures_before = api.captures();
        api.start(&template);
        Ok(Self {
            api,
            path: path.to_owned(),
            _folder: folder,
            captures_before,
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
        let is_new = self.api.captures() > self.captures_before;
        let written = is_new.then(|| self.api.newest()).flatten();
        let written = written.ok_or_else(|| {
            Error::failed(format!(
                "{}: RenderDoc recorded nothing; see its log (newest file in the temporary folder RenderDoc)",
                self.path.display()
            ))
        })?;
        let folder = std::fs::create_dir_all(folder_of(&self.path));
        let named = folder.and_then(|()| std::fs::rename(&written, &self.path));
        named.map_err(|error| {
            Error::usage(format!(
                "{}: cannot write it: {error}; name another folder",
                self.path.display()
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

/// Makes a hidden folder near `path`, named from the root on, for what RenderDoc writes.
fn folder_near(path: &Path) -> Result<TempDir> {
    let full = std::path::absolute(path);
    full.and_then(|full| hidden_folder(folder_of(&full), full.file_name().unwrap_or_default()))
        .map_err(|error| Error::usage(format!("{}: cannot record there: {error}", path.display())))
}

fn not_attached() -> Error {
    let what = if cfg!(any(windows, target_os = "linux")) {
        format!("RenderDoc is not attached to this program: {HOW}")
    } else {
        "RenderDoc does not support this system: record on Linux or Windows".to_owned()
    };
    Error::failed(what)
}

/// What is used of the API, where there is one.
#[cfg(any(windows, target_os = "linux"))]
mod api {
    use std::path::{Path, PathBuf};

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

        pub fn captures(&self) -> u32 {
            self.0.get_num_captures()
        }

        pub fn start(&mut self, template: &Path) {
            self.0.set_capture_file_path_template(template);
            self.0.start_frame_capture(ANY, ANY);
        }

        pub fn end(&mut self) {
            self.0.end_frame_capture(ANY, ANY);
        }

        pub fn newest(&self) -> Option<PathBuf> {
            let last = self.captures().checked_sub(1)?;
            Some(self.0.get_capture(last)?.0)
        }
    }
}

/// Nothing, on systems that RenderDoc does not know.
#[cfg(not(any(windows, target_os = "linux")))]
mod api {
    use std::path::{Path, PathBuf};

    /// There is none.
    pub enum Api {}

    pub fn find() -> Option<Api> {
        None
    }

    impl Api {
        pub fn leave_window_alone(&mut self) {
            match *self {}
        }

        pub fn captures(&self) -> u32 {
            match *self {}
        }

        pub fn start(&mut self, _: &Path) {
            match *self {}
        }

        pub fn end(&mut self) {
            match *self {}
        }

        pub fn newest(&self) -> Option<PathBuf> {
            match *self {}
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_after_scene_and_method_and_stays_in_its_folder() {
        assert_eq!(
            recording_name("temple", "wave-tree"),
            "temple_wave-tree.rdc"
        );
        assert_eq!(
            recording_name("../else where/my scene.ron", "auto"),
            "my-scene_auto.rdc"
        );
    }

    #[test]
    fn without_renderdoc_nothing_starts_and_one_line_says_how_to() {
        let home = tempfile::tempdir().unwrap();
        let error = Recording::start(&home.path().join("new/a.rdc"))
            .err()
            .unwrap();
        assert_eq!((error.exit_code(), error.message.lines().count()), (1, 1));
        for part in ["ENABLE_VULKAN_RENDERDOC_CAPTURE=1", "renderdoccmd capture"] {
            assert!(error.message.contains(part), "{error}");
        }
        assert!(!home.path().join("new").exists(), "nothing is made");
    }

    #[test]
    fn what_renderdoc_writes_stands_hidden_beside_its_file_until_it_is_whole() {
        let home = tempfile::tempdir().unwrap();
        let beside = || folder_near(&home.path().join("new/a.rdc")).unwrap();
        let (one, other) = (beside(), beside());
        assert_ne!(one.path(), other.path());
        assert_eq!(one.path().parent().unwrap(), home.path());
        let name = one.path().file_name().unwrap().to_string_lossy();
        assert!(name.starts_with(".a.rdc"), "{name}");
        drop((one, other));
        let left = std::fs::read_dir(home.path()).unwrap();
        assert_eq!(left.count(), 0, "nothing was recorded");
    }
}
