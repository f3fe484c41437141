//! The options of a picture beside its scene: those of the [`frame`], which hold for all methods in it, and those of a
//! [`method`]. One struct each for flags, files, panes, metadata and records: whoever handles them one by one does not
//! compile with a new one until it is handled.

mod dial;
mod file;
mod frame;
mod method;
mod ranges;

use serde::{Deserialize, Serialize};

pub use dial::{Dial, JOINED_BYTES, MOST_WORKGROUP, auto_pixels_per_wave, auto_threads_per_pixel};
pub(super) use dial::{THREADS_PER_PIXEL, shares_pixel};
pub use file::LeftOut;
pub use frame::{FogMode, FrameOptions, ListOrder, Precision, Solids, SplatOrder};
pub use method::{BinRange, Hazard, LaneRead, MethodOptions, Moments, Tail};
pub use ranges::{
    BIN_BLOCKS, BINS, CAPACITIES, KEPT, KEY_BITS, LIST_ROOMS, MOST_CORE_OPACITY, MOST_FIRST_LAYERS,
    MOST_FRAMES, MOST_ORDER_AGE, MOST_SAMPLES, MOST_STOP_BELOW, MOST_WALKS, MOST_WEIGHT_SLICES,
    MOST_WINDOW, SUM_BACKGROUNDS, SUM_REACHES, SUM_SCALES, WEIGHT_SCALES,
};

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

/// Declares options. After its flag and help, each has its type, its default, its name in words (stated `always`, or
/// `unless` it has its default) and the rule for its values.
macro_rules! options {
    ($(#[$meta:meta])* pub struct $options:ident { $(
        $(#[$field_meta:meta])*
        pub $field:ident: $type:ty = $usual:expr $(, $when:ident $name:literal)? => $rule:expr;
    )+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, clap::Args)]
        pub struct $options {
            $($(#[$field_meta])* pub $field: $type,)+
        }

        impl Default for $options {
            fn default() -> Self {
                Self { $($field: $usual,)+ }
            }
        }

        impl $crate::model::options::file::Fields for $options {
            fn take<'de, A: serde::de::MapAccess<'de>>(
                &mut self,
                name: &str,
                map: &mut A,
            ) -> Result<Option<String>, A::Error> {
                use $crate::model::options::file::{leave_out, take_value};
                match name {
                    $(stringify!($field) => take_value(&mut self.$field, name, map),)+
                    _ => leave_out(name, map),
                }
            }
        }

        impl<'de> serde::Deserialize<'de> for $options {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                use $crate::model::options::file::Read;
                Read::deserialize(deserializer).map(|read: Read<Self>| read.options)
            }
        }

        impl $options {
            pub(super) fn in_words(&self) -> Vec<$crate::model::options::Named> {
                use $crate::model::options::Named;
                let usual = Self::default();
                vec![$($(Named {
                    name: $name,
                    value: self.$field.to_string(),
                    is_usual: $crate::model::options::$when(self.$field == usual.$field),
                },)?)+]
            }

            /// Finds the first value that breaks its rule.
            pub(in crate::model) fn check<E>(
                &self,
                wrong: impl Fn(&str, String, &str) -> E,
            ) -> Result<(), E> {
                $($crate::model::options::ranges::check(self.$field, $rule)
                    .map_err(|allowed| wrong(stringify!($field), self.$field.to_string(), &allowed))?;)+
                Ok(())
            }
        }
    };
}
use options;

/// Options that are `always` named never go without saying.
fn always(_is_default: bool) -> bool {
    false
}

/// Options that are named `unless` they have their default go without saying then.
fn unless(is_default: bool) -> bool {
    is_default
}

impl Options {
    /// The same but for what `change` changes.
    pub fn with_frame(mut self, change: impl FnOnce(&mut FrameOptions)) -> Self {
        change(&mut self.frame);
        self
    }

    /// The same but for what `change` changes.
    pub fn with_method(mut self, change: impl FnOnce(&mut MethodOptions)) -> Self {
        change(&mut self.method);
        self
    }

    /// The same at this place of the dial.
    pub fn at(self, dial: Dial) -> Self {
        self.with_method(|method| *method = method.at(dial))
    }

    /// Every option in words.
    pub fn in_words(&self) -> impl Iterator<Item = Named> {
        let Self { frame, method } = self;
        frame.in_words().into_iter().chain(method.in_words())
    }

    /// Name and value of every option that does not go without saying.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, String)> {
        let said = self.in_words().filter(|named| !named.is_usual);
        said.map(|named| (named.name, named.value))
    }
}
