//! Remarks on ignored contents of a file: one per kind, with a count.

use super::document::{Document, undoes};
use crate::error::printable;

/// Remarks in order of first occurrence.
#[derive(Debug, Default)]
pub struct Remarks {
    /// Subject, count and consequence.
    all: Vec<(String, usize, &'static str)>,
}

impl Remarks {
    /// Remarks about the file as a whole.
    pub fn of(document: &Document) -> Self {
        let mut remarks = Self::default();
        let left_out = "left out";
        let other_scenes = document.scenes.len().saturating_sub(1);
        remarks.count("animations", document.animations.len(), left_out);
        remarks.count("cameras", document.cameras.len(), left_out);
        remarks.count("scenes besides the shown one", other_scenes, left_out);
        let what = "numbers such as NaN in its JSON";
        remarks.count(what, document.unset, "taken as missing");
        let what = "members of its JSON that are repeated later";
        remarks.count(what, document.repeated, left_out);
        let unknown = document.unknown_extensions();
        if !unknown.is_empty() {
            let becomes = unknown.iter().find_map(|name| undoes(name));
            let becomes = becomes.unwrap_or(left_out);
            remarks.add(&format!("extensions {}", unknown.join(", ")), becomes);
        }
        remarks
    }

    /// Adds a remark that the program ignored or replaced `what`; `becomes` describes the replacement.
    pub fn add(&mut self, what: &str, becomes: &'static str) {
        self.count(what, 1, becomes);
    }

    pub fn count(&mut self, what: &str, count: usize, becomes: &'static str) {
        match self.all.iter_mut().find(|known| known.0 == what) {
            _ if count == 0 => {}
            Some(known) => known.1 += count,
            None => self.all.push((what.to_owned(), count, becomes)),
        }
    }

    pub fn texts(self) -> Vec<String> {
        let text = |(what, count, becomes): (String, usize, &str)| match count {
            1 => printable(&format!("{what}: {becomes}")),
            _ => printable(&format!("{what} ({count}): {becomes}")),
        };
        self.all.into_iter().map(text).collect()
    }
}
