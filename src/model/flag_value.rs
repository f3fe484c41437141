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

pub(crate) use {read_and_written_as_text, written_as_in_flags};
