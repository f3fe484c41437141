//! Allowed values of a scene's fields, and their wording in messages; see [`ranges`].

use std::fmt::Display;
use std::ops::RangeInclusive;

use glam::Vec3;

/// A value outside the range of its field.
#[derive(Debug)]
pub(crate) struct OutOfRange {
    /// Path of the value from the checked struct, such as `noise.drift[0]`.
    pub(crate) path: String,
    pub(crate) value: String,
    /// Description of the allowed values.
    pub(crate) allowed: String,
}

impl OutOfRange {
    pub(super) fn of(value: impl Display, allowed: impl Into<String>) -> Self {
        Self {
            path: String::new(),
            value: value.to_string(),
            allowed: allowed.into(),
        }
    }

    /// The same fault, seen from the struct that contains `field`.
    pub(crate) fn within(mut self, field: &str) -> Self {
        let is_field = !self.path.is_empty() && !self.path.starts_with('[');
        let dot = if is_field { "." } else { "" };
        self.path = format!("{field}{dot}{}", self.path);
        self
    }

    /// The same fault, seen from the list that contains the element.
    pub(super) fn at(self, index: usize) -> Self {
        self.within(&format!("[{index}]"))
    }
}

pub(crate) trait Checked {
    /// Finds the first out-of-range value.
    fn check(&self) -> Result<(), OutOfRange>;
}

pub(super) trait Rule<T> {
    fn check(&self, value: &T) -> Result<(), OutOfRange>;
}

/// Lists the rule of every field of a struct, or of an enum's variants. Omitting a field does not compile. Rules may use
/// the fields by name, as references.
macro_rules! ranges {
    ($checked:ident: $($shape:path { $($field:ident: $rule:expr,)+ })+) => {
        impl $crate::model::scene::file::Checked for $checked {
            fn check(&self) -> Result<(), $crate::model::scene::file::OutOfRange> {
                match self {
                    $($shape { $($field),+ } => {
                        $($crate::model::scene::file::ranges::Rule::check(&$rule, $field)
                            .map_err(|fault| fault.within(stringify!($field)))?;)+
                    })+
                }
                Ok(())
            }
        }
    };
}
pub(super) use ranges;

/// Declares a struct of a scene file. Each field has its type, its default, if the struct has defaults, and its range.
macro_rules! part {
    ($(#[$meta:meta])* pub struct $part:ident { $(
        $(#[$field_meta:meta])* pub $field:ident: $type:ty = $usual:expr => $rule:expr;
    )+ }) => {
        $crate::model::scene::file::ranges::part! {
            $(#[$meta])*
            pub struct $part { $($(#[$field_meta])* pub $field: $type => $rule;)+ }
        }

        impl Default for $part {
            fn default() -> Self {
                Self { $($field: $usual,)+ }
            }
        }
    };
    ($(#[$meta:meta])* pub struct $part:ident { $(
        $(#[$field_meta:meta])* pub $field:ident: $type:ty => $rule:expr;
    )+ }) => {
        #[derive(Clone, Debug, PartialEq, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        $(#[$meta])*
        pub struct $part { $($(#[$field_meta])* pub $field: $type,)+ }

        $crate::model::scene::file::ranges::ranges!($part: Self { $($field: $rule,)+ });
    };
}
pub(super) use part;

/// An interval and its unit. For `above`, the lower end is excluded.
#[derive(Clone, Copy)]
pub(super) struct Range {
    low: f32,
    high: f32,
    above: bool,
    unit: &'static str,
}

pub(super) const fn from(low: f32, high: f32, unit: &'static str) -> Range {
    Range {
        low,
        high,
        above: false,
        unit,
    }
}

pub(super) const fn above(low: f32, high: f32, unit: &'static str) -> Range {
    Range {
        above: true,
        ..from(low, high, unit)
    }
}

pub(super) const PLACE: Range = from(-1e5, 1e5, " m");
/// Maximum distance of a camera from the origin, and maximum view distance, metres; splat files have arbitrary units.
pub(in crate::model::scene) const FARTHEST: f32 = 1e7;
/// Minimum near depth, metres: small enough for scenes the size of a micrometre.
pub(in crate::model::scene) const LEAST_NEAR: f32 = 1e-8;
pub(super) const CAMERA: Range = from(-FARTHEST, FARTHEST, " m");
pub(super) const SIZE: Range = above(0.0, 1e4, " m");
/// Metres per unit of a file.
pub(super) const SCALE: Range = above(0.0, 1e6, " m per unit");
pub(super) const LENGTH: Range = from(0.0, 1e4, " m");
pub(super) const TURN: Range = from(-360.0, 360.0, "°");
pub(super) const VELOCITY: Range = from(-1e3, 1e3, " m/s");
pub(super) const ACCELERATION: Range = from(-1e3, 1e3, " m/s²");
pub(super) const RADIANCE: Range = from(0.0, 1e6, "");
/// Subsampling: one splat out of this many.
pub(super) const EVERY: RangeInclusive<u32> = 1..=1_000_000;
pub(super) const PART: Range = from(0.0, 1.0, "");

impl Rule<f32> for Range {
    fn check(&self, value: &f32) -> Result<(), OutOfRange> {
        let Range {
            low,
            high,
            above,
            unit,
        } = *self;
        let high_enough = if above { *value > low } else { *value >= low };
        if high_enough && *value <= high {
            return Ok(());
        }
        let allowed = if above {
            format!("above {low} and at most {high}{unit}")
        } else {
            format!("from {low} to {high}{unit}")
        };
        Err(OutOfRange::of(value, allowed))
    }
}

impl<const N: usize> Rule<[f32; N]> for Range {
    fn check(&self, values: &[f32; N]) -> Result<(), OutOfRange> {
        of_each(values, |value| self.check(value))
    }
}

impl Rule<Vec3> for Range {
    fn check(&self, place: &Vec3) -> Result<(), OutOfRange> {
        self.check(&place.to_array())
    }
}

impl<T> Rule<Option<T>> for Range
where
    Self: Rule<T>,
{
    fn check(&self, value: &Option<T>) -> Result<(), OutOfRange> {
        value.as_ref().map_or(Ok(()), |value| self.check(value))
    }
}

impl Rule<u32> for RangeInclusive<u32> {
    fn check(&self, value: &u32) -> Result<(), OutOfRange> {
        if self.contains(value) {
            return Ok(());
        }
        let allowed = format!("from {} to {}", self.start(), self.end());
        Err(OutOfRange::of(value, allowed))
    }
}

impl<const N: usize> Rule<[u32; N]> for RangeInclusive<u32> {
    fn check(&self, values: &[u32; N]) -> Result<(), OutOfRange> {
        of_each(values, |value| self.check(value))
    }
}

pub(super) fn any<T>(_: &T) -> Result<(), OutOfRange> {
    Ok(())
}

pub(super) fn own<T: Checked>(value: &T) -> Result<(), OutOfRange> {
    value.check()
}

/// Applies the rules of each struct in a list, and limits the length of the list.
pub(in crate::model::scene) struct List {
    pub(super) most: usize,
    /// Plural noun for the elements in messages.
    pub(super) of: &'static str,
}

pub(super) const EACH: List = List {
    most: usize::MAX,
    of: "",
};

impl List {
    pub(in crate::model::scene) fn admit<T: Checked>(&self, list: &[T]) -> Result<(), OutOfRange> {
        let Self { most, of } = self;
        if list.len() > *most {
            let value = format!("{} {of}", list.len());
            return Err(OutOfRange::of(value, format!("at most {most} {of}")));
        }
        of_each(list, T::check)
    }
}

impl<T: Checked> Rule<Vec<T>> for List {
    fn check(&self, list: &Vec<T>) -> Result<(), OutOfRange> {
        self.admit(list)
    }
}

/// Text of limited length, because names and sentences appear in reports, file names and picture metadata.
pub(super) struct Text(usize);

pub(in crate::model::scene) const LONGEST_NAME: usize = 80;
pub(super) const NAME: Text = Text(LONGEST_NAME);
pub(super) const SENTENCE: Text = Text(400);

impl Rule<String> for Text {
    fn check(&self, text: &String) -> Result<(), OutOfRange> {
        let Self(longest) = self;
        if text.trim().is_empty() {
            return Err(OutOfRange::of("empty", "a text"));
        }
        let count = text.chars().count();
        if count > *longest {
            let value = format!("{count} characters long");
            return Err(OutOfRange::of(
                value,
                format!("at most {longest} characters long"),
            ));
        }
        if text.contains(char::is_control) {
            return Err(OutOfRange::of(
                format!("`{text}`"),
                "without control characters",
            ));
        }
        Ok(())
    }
}

impl<T, F: Fn(&T) -> Result<(), OutOfRange>> Rule<T> for F {
    fn check(&self, value: &T) -> Result<(), OutOfRange> {
        self(value)
    }
}

/// Both rules must hold.
impl<T, A: Rule<T>, B: Rule<T>> Rule<T> for (A, B) {
    fn check(&self, value: &T) -> Result<(), OutOfRange> {
        self.0.check(value)?;
        self.1.check(value)
    }
}

fn of_each<T>(
    values: &[T],
    check: impl Fn(&T) -> Result<(), OutOfRange>,
) -> Result<(), OutOfRange> {
    let mut numbered = values.iter().enumerate();
    numbered.try_for_each(|(index, value)| check(value).map_err(|fault| fault.at(index)))
}

pub(super) fn one() -> f32 {
    1.0
}
