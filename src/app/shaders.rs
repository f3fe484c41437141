//! How the shaders that the window shows stand to their files. Knows no wgpu.

use std::path::Path;
use std::time::Instant;

/// What became of the last change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freshness {
    /// No pipeline is made of other texts than before.
    Unchanged,
    /// Pipelines were made anew and are in use.
    Fresh,
    /// Something does not compile: the last good pipelines are in use.
    Failed,
}

impl Freshness {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Freshness::Unchanged => "unchanged",
            Freshness::Fresh => "fresh",
            Freshness::Failed => "failed",
        }
    }
}

/// Where the shaders come from, and what became of the last change.
#[derive(Clone, Debug)]
pub struct ShaderStatus {
    /// What the dot says.
    pub freshness: Freshness,
    /// Where they come from.
    pub origin: String,
    /// What happened last, and when.
    pub last: Option<(String, Instant)>,
}

impl ShaderStatus {
    /// As the window opens: of a folder, of which there is this much to say, or embedded.
    pub fn new(folder: Option<(&Path, &str)>) -> Self {
        Self {
            freshness: Freshness::Unchanged,
            origin: match folder {
                Some((folder, files)) => format!(
                    "shaders come from {} ({files}) and are taken up when they change",
                    folder.display()
                ),
                None => "shaders are those embedded in the program: there is no folder shaders/ beside or \
                         above it, nor above the working folder; --shaders DIR names one to edit while \
                         the window is open"
                    .to_owned(),
            },
            last: None,
        }
    }

    /// Something has happened just now.
    pub fn happened(&mut self, freshness: Freshness, what: String) {
        self.freshness = freshness;
        self.last = Some((what, Instant::now()));
    }

    /// All there is to say.
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_hover_text_says_where_from_what_and_when() {
        let mut status = ShaderStatus::new(Some((Path::new("/a/shaders"), "all 68 files")));
        assert!(status.hover().contains("/a/shaders (all 68 files)"));
        assert!(status.hover().ends_with("no change since the start"));
        status.happened(Freshness::Fresh, "3 pipelines".to_owned());
        assert!(status.hover().ends_with("\n0 s ago: 3 pipelines"));
        if let Some((_, when)) = &mut status.last {
            *when -= Duration::from_secs(300);
        }
        assert!(status.hover().ends_with("\n5 min ago: 3 pipelines"));
        let embedded = ShaderStatus::new(None);
        assert!(
            embedded.hover().contains("embedded") && embedded.hover().contains("--shaders DIR")
        );
    }
}
