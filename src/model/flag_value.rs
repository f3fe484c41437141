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

pub(crate) use written_as_in_flags;
