//! The options of a picture beside its scene: those of the [`frame`], which hold for all methods in it, and those of a
//! [`method`]. One struct each for flags, files, panes, metadata and records: whoever handles them one by one does not
//! compile with a new one until it is handled.

mod dial;
mod frame;
mod method;

use serde::{Deserialize, Serialize};

pub use dial::{Dial, JOINED_BYTES, MOST_WORKGROUP, auto_pixels_per_wave, auto_threads_per_pixel};
pub use frame::{FrameOptions, ListOrder, Precision};
pub use method::{BinRange, Hazard, LaneRead, MethodOptions, Moments, OpacityCounts, Tail};

/// All options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    pub frame: FrameOptions,
    pub method: MethodOptions,
}

/// An option in words.
pub struct Named {
    /// Flags join the words by `-`, fields of files by `_`.
    pub name: &'static str,
    /// As flags and files have it.
    pub value: String,
    /// Whether it has a default that goes without saying.
    pub is_usual: bool,
}

/// All fields of options by what they are called: `always`, or `unless` they have their default.
macro_rules! in_words {
    ($options:expr, { $($field:ident: $when:ident $name:literal,)+ } $(, without $left:ident)?) => {{
        let Self { $($field,)+ $($left: _)? } = $options;
        let usual = Self::default();
        vec![$(Named::$when(*$field == usual.$field, $name, $field),)+]
    }};
}
use in_words;

impl Named {
    fn always(_is_default: bool, name: &'static str, value: impl ToString) -> Self {
        Self::unless(false, name, value)
    }

    fn unless(is_usual: bool, name: &'static str, value: impl ToString) -> Self {
        Self {
            name,
            value: value.to_string(),
            is_usual,
        }
    }
}

impl Options {
    /// The same but for what `change` changes.
    #[must_use]
    pub fn with_frame(mut self, change: impl FnOnce(&mut FrameOptions)) -> Self {
        change(&mut self.frame);
        self
    }

    /// The same but for what `change` changes.
    #[must_use]
    pub fn with_method(mut self, change: impl FnOnce(&mut MethodOptions)) -> Self {
        change(&mut self.method);
        self
    }

    /// The same at this place of the dial.
    #[must_use]
    pub fn at(self, dial: Dial) -> Self {
        self.with_method(|method| *method = method.at(dial))
    }

    /// Every option in words.
    pub fn in_words(&self) -> impl Iterator<Item = Named> {
        let Self { frame, method } = self;
        frame.named().into_iter().chain(method.named())
    }

    /// Name and value of every option that does not go without saying.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, String)> {
        let said = self.in_words().filter(|named| !named.is_usual);
        said.map(|named| (named.name, named.value))
    }
}
