//! Rows of options. A row has an option's flag, help, default, allowed values, and the methods that it affects.
//! Commands, files, checks and the window's pane are derived from the rows.

use std::fmt::Display;

use clap::ValueEnum;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde::ser::SerializeStruct;

use crate::model::constant::Constant;
use crate::model::flag_value::{FlagValue, Name};
use crate::model::methods::entry::Entry;

pub struct Named {
    /// Name in words. Flags join the words with `-`, fields of files with `_`.
    pub name: &'static str,
    /// Value, spelled as in flags and files.
    pub value: String,
    /// True for a default that need not be stated.
    pub is_usual: bool,
}

pub struct Row<'a> {
    pub field: &'static str,
    pub acts: Acts,
    pub is_changed: bool,
    pub control: Control<'a>,
}

#[derive(Clone, Copy)]
pub enum Acts {
    Named(&'static [&'static str]),
    /// Methods with a row for which the function returns true; for `auto`, the row of the chosen method.
    Runs(fn(&Entry) -> bool),
    /// Requested methods with a row for which the function returns true; `auto` chooses such an option itself.
    Asked(fn(&Entry) -> bool),
    /// The whole frame; the option has its control elsewhere.
    Frame,
}

impl Acts {
    /// True if the option affects a requested method, given the method that runs for it.
    pub fn on(self, asked: &Entry, runs: &Entry) -> bool {
        match self {
            Acts::Named(names) => names.contains(&runs.name),
            Acts::Runs(acts) => acts(runs),
            Acts::Asked(acts) => acts(asked),
            Acts::Frame => false,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The frame must be made again: buffers, dispatches and pipelines.
    Frame,
    /// A constant in the shaders of methods, named like the field but in capitals.
    Constant,
}

/// Control of an option: its value, its default, and the allowed values.
pub enum Control<'a> {
    /// True if the frame chooses the next option.
    Auto(&'a mut bool, bool),
    Choice(Choice<'a>),
    Count(&'a mut u32, u32, Vec<u32>),
    Number(&'a mut u32, u32, [u32; 2]),
    Decimal(&'a mut f32, f32, [f32; 2]),
    /// A number on a slider whose steps are factors.
    Factor(&'a mut f32, f32, [f32; 2]),
}

pub struct Choice<'a> {
    pub now: usize,
    pub usual: usize,
    /// Name and help of each value.
    pub names: Vec<[String; 2]>,
    pub choose: Box<dyn FnMut(usize) + 'a>,
}

pub trait Values<T> {
    /// Checks a value; the error describes the allowed values.
    fn check(&self, _value: T) -> Result<(), String> {
        Ok(())
    }

    fn control<'a>(&self, now: &'a mut T, usual: T) -> Control<'a>;
}

pub struct Any;

impl<T: ValueEnum + PartialEq> Values<T> for Any {
    fn control<'a>(&self, now: &'a mut T, usual: T) -> Control<'a> {
        let all = T::value_variants();
        let place = |of: &T| all.iter().position(|other| other == of).unwrap_or(0);
        let names = all.iter().filter_map(T::to_possible_value).map(|value| {
            let help = value.get_help().map(ToString::to_string);
            [value.get_name().to_owned(), help.unwrap_or_default()]
        });
        Control::Choice(Choice {
            now: place(now),
            usual: place(&usual),
            names: names.collect(),
            choose: Box::new(|at| {
                if let Some(chosen) = all.get(at) {
                    *now = chosen.clone();
                }
            }),
        })
    }
}

/// True if the frame itself chooses the value of the option in the next row.
pub struct Auto;

impl Values<bool> for Auto {
    fn control<'a>(&self, now: &'a mut bool, usual: bool) -> Control<'a> {
        Control::Auto(now, usual)
    }
}

/// One of the listed values; the message names the nearest.
pub struct Among(pub &'static [u32]);

impl Values<u32> for Among {
    fn check(&self, value: u32) -> Result<(), String> {
        let nearest = self.0.iter().copied().min_by_key(|of| of.abs_diff(value));
        let near = nearest.unwrap_or(value);
        let words: Vec<String> = self.0.iter().map(u32::to_string).collect();
        let (last, others) = words
            .split_last()
            .map_or(("", &[][..]), |(last, rest)| (last, rest));
        let words = format!("{} or {last}; the nearest is {near}", others.join(", "));
        demand(near == value, words)
    }

    fn control<'a>(&self, now: &'a mut u32, usual: u32) -> Control<'a> {
        Control::Count(now, usual, self.0.to_vec())
    }
}

/// A power of two in the given range, with the words of the message; `None` if the value is checked elsewhere.
pub struct Powers(pub [u32; 2], pub Option<&'static str>);

impl Values<u32> for Powers {
    fn check(&self, value: u32) -> Result<(), String> {
        let [least, most] = self.0;
        let is_one = value.is_power_of_two() && (least..=most).contains(&value);
        self.1.map_or(Ok(()), |words| demand(is_one, words))
    }

    fn control<'a>(&self, now: &'a mut u32, usual: u32) -> Control<'a> {
        let [least, most] = self.0.map(u32::ilog2);
        let counts = (least..=most).map(|power| 1 << power);
        Control::Count(now, usual, counts.collect())
    }
}

/// A value in the given range; the message names the nearest allowed value.
pub struct Within<T>(pub [T; 2]);

impl<T: PartialOrd + Copy + Display> Within<T> {
    fn demand(&self, value: T) -> Result<(), String> {
        let [least, most] = self.0;
        let near = match value {
            _ if value > most => most,
            _ if value >= least => value,
            // This also rejects NaN.
            _ => least,
        };
        let allowed = format!("{least} to {most}; the nearest is {near}");
        demand(near == value, allowed)
    }
}

impl Values<u32> for Within<u32> {
    fn check(&self, value: u32) -> Result<(), String> {
        self.demand(value)
    }

    fn control<'a>(&self, now: &'a mut u32, usual: u32) -> Control<'a> {
        Control::Number(now, usual, self.0)
    }
}

impl Values<f32> for Within<f32> {
    fn check(&self, value: f32) -> Result<(), String> {
        self.demand(value)
    }

    fn control<'a>(&self, now: &'a mut f32, usual: f32) -> Control<'a> {
        Control::Decimal(now, usual, self.0)
    }
}

/// Like [`Within`], but each step of the slider is a factor.
pub struct Factor(pub [f32; 2]);

impl Values<f32> for Factor {
    fn check(&self, value: f32) -> Result<(), String> {
        Within(self.0).demand(value)
    }

    fn control<'a>(&self, now: &'a mut f32, usual: f32) -> Control<'a> {
        Control::Factor(now, usual, self.0)
    }
}

/// At least 0 and less than 1; the slider covers the lower half.
pub struct Threshold;

impl Values<f32> for Threshold {
    fn check(&self, value: f32) -> Result<(), String> {
        demand(
            (0.0..1.0).contains(&value),
            "0 (off) or more, and less than 1",
        )
    }

    fn control<'a>(&self, now: &'a mut f32, usual: f32) -> Control<'a> {
        Control::Factor(now, usual, [0.0, 0.5])
    }
}

fn demand(holds: bool, allowed: impl Into<String>) -> Result<(), String> {
    match holds {
        true => Ok(()),
        false => Err(allowed.into()),
    }
}

pub trait Fields: Default {
    const COUNT: usize;

    fn has(name: &str) -> bool;

    /// Reads the value of the field with the given name; returns the value in words if it is left out.
    fn take<'de, A: MapAccess<'de>>(
        &mut self,
        name: &str,
        map: &mut A,
    ) -> Result<Option<String>, A::Error>;

    fn write<S: SerializeStruct>(&self, to: &mut S) -> Result<(), S::Error>;

    /// Parses a value for the field with the given name; false if parsing fails.
    fn set(&mut self, name: &str, value: &str) -> bool;

    fn in_words(&self) -> Vec<Named>;

    /// Finds the first value that breaks the rule of its field.
    fn check<E>(&self, wrong: &dyn Fn(&str, String, &str) -> E) -> Result<(), E>;

    fn rows<'a>(&'a mut self, usual: &Self) -> Vec<Row<'a>>;

    /// Options that have an effect, each with the name and value of its constant.
    fn effects(&self) -> Vec<(Effect, &'static str, Constant)>;
}

/// Reads the value of an option, if this version has the value.
pub fn take_value<'de, T: FlagValue, A: MapAccess<'de>>(
    option: &mut T,
    name: &str,
    map: &mut A,
) -> Result<Option<String>, A::Error> {
    match T::next_in(map)? {
        Ok(value) => {
            *option = value;
            Ok(None)
        }
        Err(Name(value)) => Ok(Some(format!("{name} {value}"))),
    }
}

pub fn leave_out<'de, A: MapAccess<'de>>(
    name: &str,
    map: &mut A,
) -> Result<Option<String>, A::Error> {
    map.next_value::<IgnoredAny>()?;
    Ok(Some(name.to_owned()))
}

/// Options of a file, and the options that were left out.
#[derive(Default)]
pub struct Read<T> {
    pub options: T,
    pub left_out: Vec<String>,
}

impl<'de, T: Fields> Visitor<'de> for Read<T> {
    type Value = Self;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("options by their names")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Self, A::Error> {
        while let Some(Name(name)) = map.next_key()? {
            self.left_out.extend(self.options.take(&name, &mut map)?);
        }
        Ok(self)
    }
}

impl<'de, T: Fields> Deserialize<'de> for Read<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let nothing = Read {
            options: T::default(),
            left_out: Vec::new(),
        };
        deserializer.deserialize_struct("", &[], nothing)
    }
}

pub fn set<T: FlagValue>(option: &mut T, value: &str) -> bool {
    T::parse(value).map(|value| *option = value).is_some()
}

/// Name of a field in words, or in capitals.
pub const fn spell<const LENGTH: usize>(field: &str, in_capitals: bool) -> [u8; LENGTH] {
    let (mut spelled, mut at) = ([0; LENGTH], 0);
    while at < LENGTH {
        spelled[at] = match field.as_bytes()[at] {
            byte if in_capitals => byte.to_ascii_uppercase(),
            b'_' => b' ',
            byte => byte,
        };
        at += 1;
    }
    spelled
}

macro_rules! spelled {
    ($field:ident, $in_capitals:literal) => {{
        const LENGTH: usize = stringify!($field).len();
        const SPELLED: &[u8] =
            &$crate::model::options::rows::spell::<LENGTH>(stringify!($field), $in_capitals);
        str::from_utf8(SPELLED).unwrap_or_default()
    }};
}

/// For options that are `always` stated.
pub fn always(_is_default: bool) -> bool {
    false
}

/// For options that are stated `unless` they have their default value.
pub fn unless(is_default: bool) -> bool {
    is_default
}

/// Declares options, which may include groups of further options. A row has an option's flag, help, type, default, name
/// in words (stated `always`, or `unless` it has its default), allowed values, and the methods that it affects.
macro_rules! options {
    ($(#[$meta:meta])* pub struct $options:ident { $(
        $(#[$field_meta:meta])*
        pub $field:ident: $type:ty = $usual:expr $(, $when:ident $name:expr)? => $values:expr, $acts:expr $(, $effect:expr)?;
    )* } $(with { $(pub $part:ident: $part_type:ty,)+ })?) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, clap::Args)]
        pub struct $options {
            $($(#[$field_meta])* pub $field: $type,)*
            $($(#[command(flatten)] pub $part: $part_type,)+)?
        }

        impl Default for $options {
            fn default() -> Self {
                Self { $($field: $usual,)* $($($part: Default::default(),)+)? }
            }
        }

        impl $crate::model::options::rows::Fields for $options {
            const COUNT: usize = [$(stringify!($field)),*].len() $($(+ <$part_type>::COUNT)+)?;

            fn has(name: &str) -> bool {
                [$(stringify!($field)),*].contains(&name) $($(|| <$part_type>::has(name))+)?
            }

            fn take<'de, A: serde::de::MapAccess<'de>>(
                &mut self,
                name: &str,
                map: &mut A,
            ) -> Result<Option<String>, A::Error> {
                use $crate::model::options::rows::{leave_out, take_value};
                match name {
                    $(stringify!($field) => take_value(&mut self.$field, name, map),)*
                    $($(_ if <$part_type>::has(name) => self.$part.take(name, map),)+)?
                    _ => leave_out(name, map),
                }
            }

            fn write<S: serde::ser::SerializeStruct>(&self, to: &mut S) -> Result<(), S::Error> {
                $(to.serialize_field(stringify!($field), &self.$field)?;)*
                $($(self.$part.write(to)?;)+)?
                Ok(())
            }

            fn set(&mut self, name: &str, value: &str) -> bool {
                match name {
                    $(stringify!($field) => $crate::model::options::rows::set(&mut self.$field, value),)*
                    $($(_ if <$part_type>::has(name) => self.$part.set(name, value),)+)?
                    _ => false,
                }
            }

            fn in_words(&self) -> Vec<$crate::model::options::rows::Named> {
                use $crate::model::options::rows::{self, Named};
                let usual = Self::default();
                let own = vec![$($(Named {
                    name: $name,
                    value: self.$field.to_string(),
                    is_usual: rows::$when(self.$field == usual.$field),
                },)?)*];
                own.into_iter() $($(.chain(self.$part.in_words()))+)?.collect()
            }

            fn check<E>(&self, wrong: &dyn Fn(&str, String, &str) -> E) -> Result<(), E> {
                use $crate::model::options::rows::Values;
                $($values.check(self.$field).map_err(|allowed| {
                    wrong(stringify!($field), self.$field.to_string(), &allowed)
                })?;)*
                $($(self.$part.check(wrong)?;)+)?
                Ok(())
            }

            fn rows<'a>(&'a mut self, usual: &Self) -> Vec<$crate::model::options::rows::Row<'a>> {
                use $crate::model::options::rows::{Row, Values};
                let own = vec![$(Row {
                    field: stringify!($field),
                    acts: $acts,
                    is_changed: self.$field != usual.$field,
                    control: $values.control(&mut self.$field, usual.$field),
                },)*];
                own.into_iter() $($(.chain(self.$part.rows(&usual.$part)))+)?.collect()
            }

            fn effects(
                &self,
            ) -> Vec<($crate::model::options::rows::Effect, &'static str, $crate::model::constant::Constant)> {
                let own: Vec<_> = vec![$($((
                    $effect,
                    $crate::model::options::rows::spelled!($field, true),
                    $crate::model::flag_value::FlagValue::constant(self.$field),
                ),)?)*];
                own.into_iter() $($(.chain(self.$part.effects()))+)?.collect()
            }
        }

        impl serde::Serialize for $options {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                use $crate::model::options::rows::Fields;
                use serde::ser::SerializeStruct;
                let mut to = to.serialize_struct(stringify!($options), Self::COUNT)?;
                self.write(&mut to)?;
                to.end()
            }
        }

        impl<'de> serde::Deserialize<'de> for $options {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                use $crate::model::options::rows::Read;
                Read::deserialize(deserializer).map(|read: Read<Self>| read.options)
            }
        }
    };
}

/// Declares options of a technique under a heading of the help. A row has the unit of a number, the option's type,
/// default and allowed values, and the names of the methods that it affects.
macro_rules! own_options {
    ($(#[$meta:meta])* $heading:literal pub struct $options:ident { $(
        $(#[$field_meta:meta])*
        pub $field:ident $(in $unit:literal)?: $type:ty = $usual:expr, $values:expr, $methods:expr;
    )+ }) => {
        $crate::model::options::rows::options! {
            $(#[$meta])*
            pub struct $options { $(
                $(#[$field_meta])*
                #[arg(
                    long,
                    help_heading = $heading,
                    default_value_t = $options::default().$field,
                    $(value_name = $unit, allow_negative_numbers = true)?
                )]
                pub $field: $type = $usual, unless $crate::model::options::rows::spelled!($field, false) => $values, $crate::model::options::rows::Acts::Named(&$methods);
            )+ }
        }
    };
}
pub(in crate::model) use {options, own_options, spelled};
