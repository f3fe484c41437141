//! Options of a picture in addition to its scene: [`frame`] options, which apply to all methods, and [`method`] options.
//! Flags, files, panes, metadata and records share one struct for each kind.

pub(in crate::model) mod dial;
mod file;
pub(in crate::model) mod frame;
mod method;
pub(in crate::model) mod rows;

use serde::{Deserialize, Serialize};

pub use dial::{Dial, JOINED_BYTES, MOST_WORKGROUP, auto_pixels_per_wave, auto_threads_per_pixel};
pub(super) use dial::{THREADS_PER_PIXEL, shares_pixel};
pub use file::LeftOut;
pub use frame::{FogMode, FrameOptions, ListOrder, Precision, Solids, SplatOrder};
pub use method::{Hazard, LaneRead, MethodOptions, Tail};
pub use rows::{Acts, Choice, Control, Effect, Fields, Named, Row};

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    pub frame: FrameOptions,
    pub method: MethodOptions,
}

impl Options {
    pub fn with_frame(mut self, change: impl FnOnce(&mut FrameOptions)) -> Self {
        change(&mut self.frame);
        self
    }

    pub fn with_method(mut self, change: impl FnOnce(&mut MethodOptions)) -> Self {
        change(&mut self.method);
        self
    }

    pub fn at(self, dial: Dial) -> Self {
        self.with_method(|method| *method = method.at(dial))
    }

    pub fn in_words(&self) -> impl Iterator<Item = Named> {
        let Self { frame, method } = self;
        frame.in_words().into_iter().chain(method.in_words())
    }

    /// Names and values of all options, except for defaults that need not be stated.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, String)> {
        let said = self.in_words().filter(|named| !named.is_usual);
        said.map(|named| (named.name, named.value))
    }

    pub fn rows<'a>(&'a mut self, usual: &Self) -> impl Iterator<Item = Row<'a>> {
        let Self { frame, method } = self;
        let rows = method.rows(&usual.method).into_iter();
        rows.chain(frame.rows(&usual.frame))
    }
}
