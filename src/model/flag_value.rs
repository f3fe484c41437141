//! Values of options that are written everywhere as flags have them.

/// Writes values of these types by the names that flags have for them.
macro_rules! written_as_in_flags {
    ($($type:ty),+) => {$(
        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let value = clap::ValueEnum::to_possible_value(self);
                f.pad(value.as_ref().map_or("", clap::builder::PossibleValue::get_name))
            }
        }
    )+};
}

/// Declares options of a few values, which files have by the names that flags have for them.
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

/// For `#[serde(try_from = "String", into = "String")]`: files have values of these types as texts.
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
