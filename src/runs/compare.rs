//! Compares two sets of the same scene, from two machines, drivers or versions. It computes ratios of times, and
//! compares pictures if both sets have them at the same size.

use super::written::WrittenSet;
use crate::error::Result;
use crate::model::format::{grouped, three_digits};
use crate::model::methods::Method;
use crate::report::Picture;
use crate::report::comparison::fact;
use crate::report::errors::name_of_rmse;
use crate::report::metrics::{Metrics, absolute_difference};
use crate::report::table::{NOTHING, or_nothing, plain};

/// A pixel that differs by more than this fraction of its brightness (at least 1) counts as another surface.
const STEP: f32 = 0.1;

/// Difference between a picture and the picture of the same method in another set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Distance {
    pub metrics: Metrics,
    /// Fraction of pixels that show another surface.
    pub share: f64,
    /// Root mean square difference of the remaining pixels, relative to brightness.
    pub rest: f64,
    /// Number of pixels with a channel that is NaN or infinite in both pictures. They still differ if their other
    /// channels do.
    pub alike: u64,
}

impl Distance {
    pub fn between(mut reference: Picture, mut picture: Picture) -> Result<Self> {
        let mut alike = 0;
        for (a, b) in reference.pixels.iter_mut().zip(&mut picture.pixels) {
            let of = a.iter_mut().zip(b);
            let same = of.filter(|(a, b)| !a.is_finite() && (a == b || a.is_nan() && b.is_nan()));
            let count = same.map(|(a, b)| (*a, *b) = (0.0, 0.0)).count();
            alike += u64::from(count > 0);
        }
        let differences = absolute_difference(&reference, &picture)?;
        let brightness = |pixel: &[f32; 4]| pixel.iter().copied().fold(1.0, f32::max);
        let of = reference.pixels.iter().map(brightness);
        let relative = differences.iter().zip(of).map(|(by, of)| by / of);
        // A difference that is not finite becomes NaN, which is not below the step.
        let rest: Vec<f64> = relative.filter(|by| *by <= STEP).map(f64::from).collect();
        let others = differences.len() - rest.len();
        let square: f64 = rest.iter().map(|by| by * by).sum();
        Ok(Self {
            metrics: Metrics::between(&reference, &picture)?,
            share: others as f64 / differences.len().max(1) as f64,
            rest: (square / rest.len().max(1) as f64).sqrt(),
            alike,
        })
    }
}

pub struct Comparison {
    /// Notes on the sets' differences, and on results that cannot be compared.
    pub notes: Vec<String>,
    rows: Vec<Row>,
    names: [String; 2],
    /// Name of the kind of error in both sets.
    error: &'static str,
}

struct Row {
    method: String,
    /// Median milliseconds of the composite, in each set.
    times: [Option<f64>; 2],
    /// Errors in each set, measured against the set's own reference.
    errors: [Option<f64>; 2],
    distance: Option<Distance>,
}

pub fn compare(sets: [&WrittenSet; 2]) -> Result<Comparison> {
    let mut notes = differences(sets);
    let [first, second] = sets.map(|set| &set.report);
    let same_scene = first.scene() == second.scene();
    let mut rows = Vec::new();
    let mut names: Vec<&str> = first.methods.iter().map(|of| of.method.as_str()).collect();
    let new = second.methods.iter().map(|of| of.method.as_str());
    names.extend(new.filter(|name| first.methods.iter().all(|of| of.method != *name)));
    let mut without = Vec::new();
    let of_picture = first.has_pictures() && second.has_pictures();
    for method in names {
        let mut distance = None;
        if Method::by_name(method).is_ok()
            && same_scene
            && let (Some(one), Some(other)) = (sets[0].values(method)?, sets[1].values(method)?)
            && one.size == other.size
        {
            distance = Some(Distance::between(one, other)?);
        }
        if distance.is_none() {
            without.push(method.to_owned());
        }
        rows.push(Row {
            method: method.to_owned(),
            times: sets.map(|set| set.report.median(method)),
            errors: sets.map(|set| set.report.rmse(method, of_picture)),
            distance,
        });
    }
    if !without.is_empty() {
        let why = if same_scene {
            "not in both sets as EXR files of one size (capture with --format exr)"
        } else {
            "the scenes differ"
        };
        let without = without.join(", ");
        notes.push(format!("Pictures not compared: {without}: {why}."));
    }
    Ok(Comparison {
        notes,
        rows,
        names: names_of(sets),
        error: name_of_rmse(of_picture),
    })
}

pub fn names_of(sets: [&WrittenSet; 2]) -> [String; 2] {
    let names = sets.map(WrittenSet::name);
    match names[0] == names[1] {
        true => [1, 2].map(|number| format!("{} ({number})", names[0])),
        false => names,
    }
}

fn differences(sets: [&WrittenSet; 2]) -> Vec<String> {
    let [first, second] = sets.map(|set| &set.report);
    let mut notes = Vec::new();
    let mut say = |what: &str, [one, other]: [&str; 2]| {
        if one != other {
            notes.push(format!("They differ in {what}: {one}, and {other}."));
        }
    };
    say("version", [&first.program, &second.program]);
    say("shaders", [&first.shaders, &second.shaders]);
    let lists = [
        [&first.settings_rows, &second.settings_rows],
        [&first.adapter_rows, &second.adapter_rows],
    ];
    for [ones, others] in lists {
        let names = ones.iter().chain(others).map(|(name, _)| name);
        let mut seen = Vec::new();
        for name in names {
            // The state of the GPU is different in every run, and the shaders are mentioned above.
            if seen.contains(&name)
                || ["GPU speed", "GPU clock", "shaders"].contains(&name.as_str())
            {
                continue;
            }
            seen.push(name);
            let values = [ones, others].map(|rows| fact(rows, name).unwrap_or(NOTHING));
            say(name, values);
        }
    }
    notes
}

impl Comparison {
    pub fn text(&self) -> String {
        let [one, other] = &self.names;
        let mut text = format!("{one} and {other}\n");
        for note in &self.notes {
            text += &format!("{note}\n");
        }
        let milliseconds = |ms: Option<f64>| or_nothing(ms.map(|ms| format!("{ms:.4}")));
        let rows = self.rows.iter().map(|row| {
            let [one, other] = row.times;
            let ratio = one.zip(other).map(|(one, other)| other / one);
            let ratio = ratio.filter(|ratio| ratio.is_finite());
            let distance = row.distance.as_ref();
            let of = |text: fn(&Distance) -> String| or_nothing(distance.map(text));
            vec![
                row.method.clone(),
                milliseconds(one),
                milliseconds(other),
                or_nothing(ratio.map(|ratio| format!("{ratio:.3}"))),
                or_nothing(row.errors[0].map(three_digits)),
                or_nothing(row.errors[1].map(three_digits)),
                of(|by| three_digits(by.metrics.max_abs)),
                of(|by| three_digits(by.metrics.rmse)),
                of(|by| grouped(by.metrics.differing_pixels)),
                of(|by| format!("{:.2} %", by.share * 100.0)),
                of(|by| three_digits(by.rest)),
                of(|by| grouped(by.alike)),
            ]
        });
        let numbers = [
            "first, ms",
            "second, ms",
            "ratio",
            "error of first",
            "of second",
            "max abs",
            "rms",
            "pixels",
            "other pixels",
            "rms of the rest",
            "NaN in both",
        ];
        text += &format!("\n{}", plain(&["method"], &numbers, rows));
        text += &format!(
            "\nratio: second over first. errors: {} of each set's picture against its own reference. All other numbers compare r, g, b and T of the two sets, before the background. ",
            self.error
        );
        text + "other pixels: pixels that differ by more than a tenth of their brightness. NaN in both: pixels with the same NaN or infinity in both sets, which count as equal.\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_nan_in_both_is_no_difference_and_counted() -> Result<()> {
        let picture = |pixels: [[f32; 4]; 3]| Picture::new([3, 1], pixels.to_vec());
        let nan = [f32::NAN, f32::INFINITY, 0.5, 1.0];
        let found = Distance::between(
            picture([[0.5; 4], nan, nan])?,
            picture([[0.5; 4], nan, nan])?,
        )?;
        let expected = Distance {
            alike: 2,
            ..Distance::default()
        };
        assert_eq!(found, expected);
        // Negative controls: not finite in only one picture, and together with another channel that differs.
        let other = picture([nan, nan, [f32::NAN, f32::INFINITY, 0.75, 1.0]])?;
        let found = Distance::between(picture([[0.5; 4], nan, nan])?, other)?;
        assert_eq!((found.metrics.differing_pixels, found.alike), (2, 2));
        assert_eq!(found.metrics.max_abs, 0.25);
        Ok(())
    }
}
