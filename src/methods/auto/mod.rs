//! `auto` chooses the method and the dials for the lists of a frame. Its rule is built in, or comes from a
//! [`Calibration`] of the adapter. Window, captures and benchmarks share it. Nothing is measured here: facts about
//! lists go in, and a choice with its reason comes out. A calibration's choice comes with rivals of about the
//! same predicted time: the window and benchmarks time these on the lists themselves, and
//! [`Choice::by_times`] takes the fastest.

mod built_in;
mod calibration;
mod nearest;

use serde::{Deserialize, Serialize};

use crate::methods::Specialization;
use crate::model::methods::{Method, Source};
use crate::model::options::{Dial, Options};
use crate::model::{Capabilities, format};

use built_in::built_in;

pub use calibration::{Calibrated, Calibration, Candidate, Point, SCHEMA, SourceTimes};

/// What a choice depends on besides the adapter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Facts {
    /// Pixels of the frame.
    pub pixels: u32,
    /// Mean number of layers of a list.
    pub mean: f64,
    /// Number of layers of the longest list.
    pub longest: u32,
    /// Mean number of splats in a tile of a frame, including those behind the opaque surface; 0 where there is no
    /// frame. The other layers are fog slices, which cost another time.
    pub splats: f64,
}

/// What `auto` chose, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// What to run; its [`Specialization::method`] is still `auto`.
    pub specialization: Specialization,
    /// The reason in words, for panes and reports.
    pub why: String,
    /// What may be as fast or faster, the likeliest first: what takes little longer by the rule.
    pub rivals: Vec<Specialization>,
    /// The microseconds that it takes by a calibration.
    pub predicted: Option<f64>,
}

/// A prediction that is off by more than this factor is worth nothing.
const OFF: f64 = 2.0;

/// A rival takes the place of what the rule chose where it takes less than this part of its time: what takes as long would
/// go back and forth.
const FASTER: f64 = 0.97;

impl Choice {
    /// A choice without rivals.
    fn only(specialization: Specialization, why: String) -> Self {
        Self {
            specialization,
            why,
            rivals: Vec::new(),
            predicted: None,
        }
    }

    /// The choice and its rivals, in the order in which [`Choice::by_times`] has their times.
    pub fn candidates(&self) -> Vec<Specialization> {
        let rivals = self.rivals.iter().copied();
        std::iter::once(self.specialization).chain(rivals).collect()
    }

    /// What to run once all candidates were timed on the lists themselves: `times` has their milliseconds, none of one that
    /// could not be timed.
    #[must_use]
    pub fn by_times(self, times: &[Option<f64>]) -> Self {
        let timed: Vec<(Specialization, f64)> = self
            .candidates()
            .into_iter()
            .zip(times)
            .filter_map(|(of, time)| Some((of, (*time)?)))
            .collect();
        let (Some(first), Some(fastest)) = (
            timed.first(),
            timed.iter().min_by(|a, b| a.1.total_cmp(&b.1)),
        ) else {
            return self;
        };
        let (specialization, time) = if fastest.1 < FASTER * first.1 {
            *fastest
        } else {
            *first
        };
        let discarded = self.discarded(1e3 * first.1).unwrap_or_default();
        let of_others = timed.iter().filter(|of| of.0 != specialization);
        let others: Vec<String> = of_others
            .map(|(of, time)| format!("{} {}", of.label(), format::time(1e3 * time)))
            .collect();
        let tried = match others.as_slice() {
            [] => String::new(),
            others => format!(" (also tried: {})", others.join(", ")),
        };
        let why = format!(
            "{} measured here{tried}; {discarded}by the rule {}: {}",
            format::time(1e3 * time),
            self.specialization.label(),
            self.why
        );
        Self::only(specialization, why)
    }

    /// That the prediction is worth nothing, if the choice took so many microseconds, in words that others can follow.
    fn discarded(&self, measured: f64) -> Option<String> {
        let predicted = self.predicted?;
        let off = (measured / predicted).max(predicted / measured);
        (off > OFF).then(|| {
            format!(
                "the calibration's {} for {} are discarded, it took {}; ",
                format::time(predicted),
                self.specialization.label(),
                format::time(measured)
            )
        })
    }
}

/// The rule that `auto` chooses by.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Rule {
    /// The built-in rule, which goes by the number of threads that fill a large GPU. It is the same on every adapter.
    #[default]
    BuiltIn,
    /// By times that were measured on this adapter.
    Calibrated(Calibrated),
}

impl From<Calibration> for Rule {
    fn from(calibration: Calibration) -> Self {
        Rule::Calibrated(Calibrated::new(&calibration))
    }
}

impl Rule {
    /// The method and the dials for lists like `facts`. Where another method than `auto` is asked for, it is returned
    /// as it is.
    pub fn choose(&self, caps: &Capabilities, asked: Specialization, facts: &Facts) -> Choice {
        if asked.method != Method::Auto {
            return Choice::only(asked, "asked for".to_owned());
        }
        let built_in = |before: &str| {
            let (best, why) = built_in(caps, (asked.source, &asked.options), facts);
            Choice::only(best.of(asked), format!("{before}{why}"))
        };
        match self {
            Rule::BuiltIn => built_in(""),
            Rule::Calibrated(calibrated) => {
                let unknown = "by the built-in rule, as the calibration has no such lists";
                let tile = asked.options.frame.tile;
                let chosen = calibrated.choose(caps, asked, facts);
                chosen.unwrap_or_else(|| built_in(&format!("{unknown} in tiles of {tile}: ")))
            }
        }
    }

    /// The same where rivals are tried on the lists themselves. Then the choice has more of them: what the built-in rule
    /// takes, and every method that `auto` may choose, with the options that it was asked for with. So no rule, and no calibration
    /// that was made under other conditions, makes `auto` much slower than the best of its methods.
    pub fn choose_to_try(
        &self,
        caps: &Capabilities,
        asked: Specialization,
        facts: &Facts,
    ) -> Choice {
        let mut choice = self.choose(caps, asked, facts);
        if asked.method != Method::Auto {
            return choice;
        }
        let built_in = Rule::BuiltIn.choose(caps, asked, facts).specialization;
        let plain = |candidate: Candidate| Specialization {
            runs: candidate.method,
            ..asked
        };
        let all = Candidate::all(caps).into_iter().map(plain);
        for of in std::iter::once(built_in).chain(all) {
            // What differs only in options that it does not use is the same.
            let mut known = choice.candidates().into_iter();
            if !known.any(|other| other.label() == of.label()) {
                choice.rivals.push(of);
            }
        }
        choice
    }

    /// The origin of the rule in words.
    pub fn origin(&self) -> String {
        match self {
            Rule::BuiltIn => "built-in rule".to_owned(),
            Rule::Calibrated(calibrated) => format!("calibrated on {}", calibrated.date()),
        }
    }
}

impl Candidate {
    pub fn new(method: Method, dial: Dial) -> Self {
        Self {
            method,
            dial,
            pixels_per_wave: 1,
        }
    }

    /// Everything that `auto` may choose on an adapter. A method whose result depends on the form of the exclusive
    /// prefix product is not among it.
    pub fn all(caps: &Capabilities) -> Vec<Candidate> {
        let mut all = vec![Self::new(Method::PixelLoop, Dial::default())];
        for dial in Dial::all() {
            let method = match dial {
                Dial::Threads(threads) if threads > 1 => Method::SplitDepth,
                // Smaller batches are joined for long, larger ones leave lists uneven.
                Dial::Batch(layers) if !(64..=256).contains(&layers) => continue,
                Dial::Batch(_) => Method::SplitBatches,
                _ => Method::PixelLoopStaged,
            };
            all.push(Self::new(method, dial));
        }
        all.push(Self::new(Method::WaveTree, Dial::default()));
        all.retain(|candidate| candidate.runs_on(caps));
        all
    }

    /// This candidate instead of what was asked for.
    fn of(&self, asked: Specialization) -> Specialization {
        let frame = asked.options.frame;
        let pixels_per_wave = self.pixels_per_wave.min(frame.pixels_of_tile());
        let options = asked.options.at(self.dial);
        Specialization {
            runs: self.method,
            options: options.with_method(|method| method.pixels_per_wave = pixels_per_wave),
            ..asked
        }
    }

    /// This candidate, specialised for layers from `source`.
    pub fn specialization(&self, source: Source, tile: u32) -> Specialization {
        let options = Options::default().with_frame(|frame| frame.tile = tile);
        self.of(Specialization {
            source,
            ..options.specialize(self.method)
        })
    }

    /// The method and its dial in few words.
    pub fn label(&self) -> String {
        self.of(Specialization::new(self.method)).label()
    }

    fn runs_on(&self, caps: &Capabilities) -> bool {
        let fits = match self.dial {
            Dial::Threads(threads) => threads <= Dial::most_threads(caps),
            Dial::Pixels(_) | Dial::Batch(_) => true,
        };
        fits && self.method.missing_on(caps).is_none()
    }
}

#[cfg(test)]
mod tests;
