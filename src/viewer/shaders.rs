//! Source of the window's shaders, and the result of the last change to their files. Independent of wgpu.

use std::path::Path;
use web_time::Instant;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freshness {
    /// No file changed that a pipeline in use depends on.
    Unchanged,
    /// Pipelines were rebuilt and are in use.
    Fresh,
    /// Something does not compile: the last working pipelines stay in use.
    Failed,
}

impl Freshness {
    pub fn word(self) -> &'static str {
        match self {
            Freshness::Unchanged => "unchanged",
            Freshness::Fresh => "fresh",
            Freshness::Failed => "failed",
        }
    }
}

#[derive(Clone, Debug)]
pub struct ShaderStatus {
    pub freshness: Freshness,
    pub origin: String,
    pub last: Option<(String, Instant)>,
    /// File and line of the error, if known.
    place: Option<String>,
}

impl ShaderStatus {
    /// Initial status. `folder` is the shader folder with a summary of its files; `None` means embedded shaders.
    pub fn new(folder: Option<(&Path, &str)>) -> Self {
        Self {
            freshness: Freshness::Unchanged,
            origin: match folder {
                Some((folder, files)) => format!(
                    "shaders come from {} ({files}) and reload when they change",
                    folder.display()
                ),
                None => "using the embedded shaders; to edit shaders while the window is open, \
                    name their folder with --shaders DIR"
                    .to_owned(),
            },
            last: None,
            place: None,
        }
    }

    pub fn happened(&mut self, freshness: Freshness, what: String) {
        self.freshness = freshness;
        self.last = Some((what, Instant::now()));
        self.place = None;
    }

    pub fn failed(&mut self, place: Option<String>, what: String) {
        self.happened(Freshness::Failed, what);
        self.place = place;
    }

    /// Warning in the bar while the shaders are broken.
    pub fn sign(&self) -> Option<String> {
        let is_broken = self.freshness == Freshness::Failed;
        is_broken.then(|| match &self.place {
            Some(place) => format!("broken: {place}"),
            None => "shaders are broken".to_owned(),
        })
    }

    /// The complete status in words: the source of the shaders, and the last change and its age.
    pub fn hover(&self) -> String {
        match &self.last {
            None => format!("{}\nno change since the start", self.origin),
            Some((what, when)) => {
                let seconds = when.elapsed().as_secs();
                let ago = match seconds {
                    0..120 => format!("{seconds} s"),
                    120..7200 => format!("{} min", seconds / 60),
                    _ => format!("{} h", seconds / 3600),
                };
                format!("{}\n{ago} ago: {what}", self.origin)
            }
        }
    }
}
