//! Option values that have the same spelling in flags and in files.

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};

use super::constant::Constant;

pub trait FlagValue: Sized {
    /// The next value in a file's options, or the name of a value that no longer exists.
    fn next_in<'de, A: MapAccess<'de>>(map: &mut A) -> Result<Result<Self, Name>, A::Error>;

    fn parse(text: &str) -> Option<Self>;

    /// The value as a shader constant: an enum value becomes its number.
    fn constant(self) -> Constant;
}

macro_rules! plain_values {
    ($($type:ty),+) => {$(
        impl FlagValue for $type {
            fn next_in<'de, A: MapAccess<'de>>(map: &mut A) -> Result<Result<Self, Name>, A::Error> {
                map.next_value().map(Ok)
            }

            fn parse(text: &str) -> Option<Self> {
                text.parse().ok()
            }

            fn constant(self) -> Constant {
                self.into()
            }
        }
    )+};
}
plain_values!(bool, u32, f32);

/// Name of a field or value in a file.
pub struct Name(pub String);

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OfName;

        impl Visitor<'_> for OfName {
            type Value = Name;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a name")
            }

            fn visit_str<E>(self, name: &str) -> Result<Name, E> {
                Ok(Name(name.to_owned()))
            }
        }

        deserializer.deserialize_identifier(OfName)
    }
}

macro_rules! written_as_in_flags {
    ($($type:ty),+) => {$(
        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let value = clap::ValueEnum::to_possible_value(self);
                f.pad(value.as_ref().map_or("", clap::builder::PossibleValue::get_name))
            }
        }

        impl $crate::model::flag_value::FlagValue for $type {
            fn next_in<'de, A: serde::de::MapAccess<'de>>(
                map: &mut A,
            ) -> Result<Result<Self, $crate::model::flag_value::Name>, A::Error> {
                let name: $crate::model::flag_value::Name = map.next_value()?;
                Ok(Self::parse(&name.0).ok_or(name))
            }

            fn parse(text: &str) -> Option<Self> {
                <Self as clap::ValueEnum>::from_str(text, false).ok()
            }

            fn constant(self) -> $crate::model::constant::Constant {
                (self as u32).into()
            }
        }
    )+};
}

/// Declares options that take one of a few values, spelled in files as in flags.
macro_rules! flag_values {
    ($($(#[$meta:meta])* pub enum $type:ident {
        $($(#[$value_meta:meta])* $value:ident,)+
    })+) => {$(
        $(#[$meta])*
        #[derive(
            Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize,
            serde::Deserialize, clap::ValueEnum,
        )]
        #[serde(rename_all = "kebab-case")]
        pub enum $type {
            $($(#[$value_meta])* $value,)+
        }

        impl $type {
            pub const ALL: [Self; [$(Self::$value),+].len()] = [$(Self::$value),+];
        }

        $crate::model::flag_value::written_as_in_flags!($type);
    )+};
}

/// Supports `#[serde(try_from = "String", into = "String")]`: files store values of the listed types as text.
macro_rules! read_and_written_as_text {
    ($($type:ty),+) => {$(
        impl TryFrom<String> for $type {
            type Error = String;

            fn try_from(text: String) -> Result<Self, String> {
                text.parse()
            }
        }

        impl From<$type> for String {
            fn from(value: $type) -> Self {
                value.to_string()
            }
        }
    )+};
}

pub(crate) use {flag_values, read_and_written_as_text, written_as_in_flags};
