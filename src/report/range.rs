//! The range of a difference scale: whole decades, fitted to the differences or set by the user. Comparison pictures
//! and the window share it.
//!
//! A picture's range runs from the 0.5th to the 99.9th percentile of its finite, nonzero differences, widened to whole
//! decades. Counts per decade suffice for that. No differences are stored or sorted, and GPU workgroups can add their
//! counts in any order. Several pictures share one range, from the median of their low ends to the median of their high
//! ends. An outlier, such as a picture of half floats, gets the colour at an end of the scale, and the other pictures
//! keep their colours.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::model::flag_value::read_and_written_as_text;

/// Exponent of the lowest end allowed. Smaller differences are rounding errors in dark pixels.
pub const LEAST: i32 = -12;
/// Exponent of the highest end allowed. It is brighter than any layer of a scene.
pub const GREATEST: i32 = 6;
pub const DECADES: usize = (GREATEST - LEAST) as usize;

/// Powers of ten that bound the decades, starting with [`LEAST`]. They are in the uniform of
/// `shaders/inspect/metrics.wesl`.
pub const POWERS: [f32; DECADES + 1] = [
    1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1e0, 1e1, 1e2, 1e3,
    1e4, 1e5, 1e6,
];

/// Rank, per thousand, of the difference that sets the lowest decade of a fitted range.
const LOW_PER_MILLE: u64 = 5;
/// Rank, per thousand, of the difference that sets the highest decade.
const HIGH_PER_MILLE: u64 = 999;

/// Ends of a difference scale, both powers of ten. Differences beyond an end have the colour of that end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct DifferenceRange {
    low: i32,
    high: i32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum RangeChoice {
    #[default]
    Auto,
    Fixed(DifferenceRange),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// Position of the tick: 0 at the low end, 1 at the high end.
    pub share: f64,
    pub label: Option<String>,
}

impl Default for DifferenceRange {
    /// The range if nothing differs.
    fn default() -> Self {
        Self { low: -9, high: 0 }
    }
}

impl DifferenceRange {
    /// A range. `None` unless `low` is below `high` and both are from [`LEAST`] to [`GREATEST`].
    pub fn new(low: i32, high: i32) -> Option<Self> {
        (LEAST <= low && low < high && high <= GREATEST).then_some(Self { low, high })
    }

    /// The range that fits most of the given pictures. `None` if no picture differs. For an even number of pictures it
    /// includes the middle two.
    fn of_all<'a>(pictures: impl IntoIterator<Item = &'a Histogram>) -> Option<Self> {
        let fitted = pictures.into_iter().filter_map(Histogram::range);
        let (mut lows, mut highs): (Vec<i32>, Vec<i32>) =
            fitted.map(|range| (range.low, range.high)).unzip();
        lows.sort_unstable();
        highs.sort_unstable();
        let low = *lows.get(lows.len().saturating_sub(1) / 2)?;
        Self::new(low, *highs.get(highs.len() / 2)?)
    }

    pub fn exponents(self) -> [i32; 2] {
        [self.low, self.high]
    }

    /// Position of a difference on the logarithmic scale: 0 at the low end, 1 at the high end, not clamped.
    pub fn share(self, difference: f32) -> f64 {
        let exponent = f64::from(difference.abs()).log10();
        (exponent - f64::from(self.low)) / f64::from(self.high - self.low)
    }

    /// A tick per decade, with labels on `most` of them. The ends always have labels, which show that the scale is
    /// clamped.
    pub fn ticks(self, most: usize) -> Vec<Tick> {
        let decades = self.high - self.low;
        let most = i32::try_from(most).unwrap_or(i32::MAX);
        let step = (1..=decades).find(|step| decades / step < most);
        let step = step.unwrap_or(decades);
        let label = |decade: i32| {
            let power = power(self.low + decade);
            match decade {
                0 => Some(format!("≤{power}")),
                _ if decade == decades => Some(format!("≥{power}")),
                _ => (decade % step == 0 && decades - decade >= step).then_some(power),
            }
        };
        let tick = |decade| Tick {
            share: f64::from(decade) / f64::from(decades),
            label: label(decade),
        };
        (0..=decades).map(tick).collect()
    }

    pub fn text(self) -> String {
        format!("{} to {}", power(self.low), power(self.high))
    }
}

impl RangeChoice {
    pub fn range_of<'a>(
        self,
        pictures: impl IntoIterator<Item = &'a Histogram>,
    ) -> DifferenceRange {
        match self {
            Self::Auto => DifferenceRange::of_all(pictures).unwrap_or_default(),
            Self::Fixed(range) => range,
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram([u64; DECADES]);

impl Histogram {
    /// Counts finite, nonzero differences. Differences outside all decades count in the outermost decades.
    pub fn of(differences: &[f32]) -> Self {
        let mut counts = [0; DECADES];
        let counted = differences.iter().map(|difference| difference.abs());
        for difference in counted.filter(|of| *of > 0.0 && of.is_finite()) {
            let begun = POWERS.partition_point(|power| *power <= difference);
            counts[begun.clamp(1, DECADES) - 1] += 1;
        }
        Self(counts)
    }

    /// The range that fits the differences, at least one decade wide. `None` if none were counted.
    pub fn range(&self) -> Option<DifferenceRange> {
        let all: u64 = self.0.iter().sum();
        let decade_of = |per_mille: u64| {
            let rank = (all * per_mille).div_ceil(1000).max(1);
            let mut seen = 0;
            let is_reached = |count: &u64| {
                seen += count;
                seen >= rank
            };
            let decade = self.0.iter().position(is_reached)?;
            Some(LEAST + decade as i32)
        };
        DifferenceRange::new(decade_of(LOW_PER_MILLE)?, decade_of(HIGH_PER_MILLE)? + 1)
    }
}

impl From<[u32; DECADES]> for Histogram {
    fn from(counts: [u32; DECADES]) -> Self {
        Self(counts.map(u64::from))
    }
}

/// A power of ten in a few characters, as in flags and files.
pub(crate) fn power(exponent: i32) -> String {
    match exponent {
        0 => "1".to_owned(),
        _ => format!("1e{exponent}"),
    }
}

/// Exponent of a power of ten, if a range may end at that power.
fn exponent(text: &str) -> Option<i32> {
    let value: f64 = text.trim().parse().ok()?;
    let is_it = |exponent: &i32| power(*exponent).parse() == Ok(value);
    (LEAST..=GREATEST).find(is_it)
}

read_and_written_as_text!(DifferenceRange, RangeChoice);

impl fmt::Display for DifferenceRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", power(self.low), power(self.high))
    }
}

impl FromStr for DifferenceRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some((low, high)) = text.split_once("..") else {
            let what = "is not a range of differences; write for example 1e-7..1e-3";
            return Err(format!("\"{text}\" {what}"));
        };
        let [Some(low), Some(high)] = [low, high].map(exponent) else {
            let [least, greatest] = [LEAST, GREATEST].map(power);
            return Err(format!(
                "\"{text}\": both ends must be powers of ten from {least} to {greatest}, for example 1e-7..1e-3"
            ));
        };
        let why = "the first end must be less than the second, for example 1e-7..1e-3";
        Self::new(low, high).ok_or_else(|| format!("\"{text}\": {why}"))
    }
}

const AUTO: &str = "auto";

impl fmt::Display for RangeChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str(AUTO),
            Self::Fixed(range) => range.fmt(f),
        }
    }
}

impl FromStr for RangeChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == AUTO {
            return Ok(Self::Auto);
        }
        let range = text.parse().map(Self::Fixed);
        range.map_err(|error: String| format!("{error}, or {AUTO}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fitted(differences: &[f32]) -> Option<[i32; 2]> {
        let range = Histogram::of(differences).range();
        range.map(DifferenceRange::exponents)
    }

    #[test]
    fn equal_differences_get_the_decade_that_they_lie_in() {
        for (difference, expected) in [
            (5e-7, [-7, -6]),
            (1e-7, [-7, -6]),
            (1e-7_f32.next_down(), [-8, -7]),
            (1.0, [0, 1]),
            (-0.5, [-1, 0]),
        ] {
            assert_eq!(fitted(&[difference; 10]), Some(expected), "{difference}");
        }
    }

    #[test]
    fn zero_and_what_is_not_finite_count_for_nothing() {
        let nothing = [0.0, -0.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
        assert_eq!(fitted(&nothing), None);
        assert_eq!(fitted(&[]), None);
        let mut differences = nothing.repeat(1000);
        differences.push(2e-5);
        assert_eq!(fitted(&differences), Some([-5, -4]));
        let range = RangeChoice::Auto.range_of([&Histogram::of(&nothing)]);
        assert_eq!(range, DifferenceRange::default());
    }

    #[test]
    fn the_range_of_a_set_is_that_of_most_of_its_pictures_in_any_order() {
        let of = |difference: f32| Histogram::of(&[difference; 9]);
        let fitted = |pictures: &[Histogram]| {
            let range = RangeChoice::Auto.range_of(pictures);
            assert_eq!(RangeChoice::Auto.range_of(pictures.iter().rev()), range);
            range.exponents()
        };
        let [equal, half] = [of(0.0), of(3e-3)];
        let floats = [of(3e-8), of(3e-7), of(2e-7)];
        assert_eq!(fitted(&floats), [-7, -6]);
        let with_half = [floats.to_vec(), vec![half.clone(), equal.clone()]].concat();
        assert_eq!(fitted(&with_half), [-7, -6], "one is far off, one is equal");
        assert_eq!(fitted(&[of(3e-7), half.clone()]), [-7, -2], "both of two");
        assert_eq!(fitted(&[equal.clone(), half]), [-3, -2]);
        assert_eq!(fitted(&[equal]), [-9, 0], "nothing differs");
        assert_eq!(fitted(&[]), [-9, 0]);
    }

    #[test]
    fn a_range_is_read_as_it_is_written_and_nothing_else_is() {
        let read = |text: &str| text.parse::<RangeChoice>();
        let fixed = |low, high| DifferenceRange::new(low, high).map(RangeChoice::Fixed);
        for (text, expected) in [
            ("auto", Some(RangeChoice::Auto)),
            ("1e-7..1e-3", fixed(-7, -3)),
            ("1e-9..1", fixed(-9, 0)),
        ] {
            assert_eq!(read(text).ok(), expected, "{text}");
            assert_eq!(read(text).map(|of| of.to_string()), Ok(text.to_owned()));
        }
        assert_eq!(read("0.001..10").ok(), fixed(-3, 1));
        for (text, part) in [
            ("1e-7", "for example 1e-7..1e-3, or auto"),
            ("2e-7..1e-3", "powers of ten from 1e-12 to 1e6"),
            ("1e-13..1", "powers of ten"),
            ("-1e-7..1", "powers of ten"),
            ("NaN..1", "powers of ten"),
            ("1e-3..1e-7", "less than the second"),
            ("1..1", "less than the second"),
        ] {
            let error = read(text).expect_err(text);
            assert!(error.contains(part) && error.contains(text), "{error}");
        }
    }

    #[test]
    fn ticks_are_labelled_at_both_ends_and_between_as_there_is_room() {
        let labels = |low, high, most| -> Vec<String> {
            let range = DifferenceRange::new(low, high).expect("a range");
            let ticks = range.ticks(most).into_iter();
            ticks.filter_map(|tick| tick.label).collect()
        };
        assert_eq!(labels(-7, -4, 9), ["≤1e-7", "1e-6", "1e-5", "≥1e-4"]);
        assert_eq!(labels(-9, 0, 6), ["≤1e-9", "1e-7", "1e-5", "1e-3", "≥1"]);
        assert_eq!(labels(-9, 0, 2), ["≤1e-9", "≥1"]);
        assert_eq!(labels(-12, 6, 0), ["≤1e-12", "≥1e6"]);
    }
}
