//! Logarithmic axes for charts and panes, with ticks and labels. Also places methods by time and error, and finds their
//! Pareto front.

use crate::model::format::time;

/// Position on an axis, and label.
pub type Tick = (f64, String);

#[derive(Clone, Copy, Debug)]
pub struct Log {
    values: [f64; 2],
    places: [f64; 2],
}

impl Log {
    /// Axis from the smallest to the largest positive value. A single value is placed in the middle.
    pub fn over(values: impl IntoIterator<Item = f64>, places: [f64; 2]) -> Self {
        let logs = values.into_iter().map(f64::log2);
        let logs = logs.filter(|log| log.is_finite());
        let ends = logs.fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], log| {
            [log.min(least), log.max(most)]
        });
        let values = match ends {
            [least, most] if least > most => [-1.0, 1.0],
            [least, most] if most - least < 1e-9 => [least - 1.0, most + 1.0],
            ends => ends,
        };
        Self { values, places }
    }

    /// Position of a value, clamped to the axis.
    pub fn at(&self, value: f64) -> f64 {
        let [least, most] = self.values;
        let part = (value.max(f64::MIN_POSITIVE).log2() - least) / (most - least);
        self.places[0] + part.clamp(0.0, 1.0) * (self.places[1] - self.places[0])
    }

    /// Ticks at 1, 2 and 5 of every decade inside the axis.
    pub fn ticks(&self, label: impl Fn(f64) -> String) -> Vec<Tick> {
        let [least, most] = self.values;
        let decades = (least * 2f64.log10()).floor() as i32..=(most * 2f64.log10()).ceil() as i32;
        let ticks = decades.flat_map(|decade| [1.0, 2.0, 5.0].map(|x| x * 10f64.powi(decade)));
        let inside = |tick: &f64| (least - 1e-9..=most + 1e-9).contains(&tick.log2());
        let ticks = ticks.filter(inside);
        ticks.map(|tick| (self.at(tick), label(tick))).collect()
    }
}

/// 1, 2 or 5 times a power of ten, such that an axis has three to six steps.
pub fn step(longest: f64) -> f64 {
    let decade = 10f64.powi((longest / 10.0).log10().floor() as i32);
    let steps = [1.0, 2.0, 5.0, 10.0, 20.0].map(|factor| factor * decade);
    let enough = steps.into_iter().find(|step| longest / step <= 6.0);
    enough.unwrap_or(longest)
}

/// A time in microseconds with few digits and no trailing zeros: "20 µs".
pub fn round_time(microseconds: f64) -> String {
    let text = time(microseconds);
    match text.split_once(' ') {
        _ if microseconds == 0.0 => "0".to_owned(),
        Some((number, unit)) if number.contains('.') => {
            let number = number.trim_end_matches('0').trim_end_matches('.');
            format!("{number} {unit}")
        }
        _ => text,
    }
}

/// Below this error a method counts as exact. Exact methods are placed on a separate line below the others.
const EXACT: f64 = 1e-5;

pub type Standing = [f64; 2];

/// Time from left to right, error from bottom to top.
pub struct Axes {
    times: Log,
    errors: Log,
    /// Exact methods are drawn at this error.
    exact: f64,
}

impl Axes {
    /// Axes that cover the given methods and span `across` and `up`. Each span starts with its low end.
    pub fn over(methods: &[Standing], across: [f64; 2], up: [f64; 2]) -> Self {
        let errors = || methods.iter().map(|of| of[1]);
        let least = errors().filter(|error| *error > EXACT).fold(1.0, f64::min);
        let exact = least / 3.0;
        let shown = errors().map(|error| if error > EXACT { error } else { exact });
        Self {
            times: Log::over(methods.iter().map(|of| of[0]), across),
            errors: Log::over(shown, up),
            exact,
        }
    }

    pub fn place(&self, [time, error]: Standing) -> [f64; 2] {
        let error = if error > EXACT { error } else { self.exact };
        [self.times.at(time), self.errors.at(error)]
    }

    pub fn ticks_of_errors(&self) -> Vec<Tick> {
        let end = self.errors.at(self.exact);
        let mut ticks = vec![(end, "0".to_owned())];
        ticks.extend(self.errors.ticks(|tick| tick.to_string()));
        ticks.retain(|tick| tick.1 == "0" || (tick.0 - end).abs() > 10.0);
        ticks
    }

    pub fn ticks_of_times(&self) -> Vec<Tick> {
        self.times.ticks(round_time)
    }
}

/// Indices of the methods on the Pareto front, in order of time. No faster method has a smaller error.
pub fn front(methods: &[Standing]) -> Vec<usize> {
    let error = |place: usize| match methods[place][1] {
        error if error > EXACT => error,
        _ => 0.0,
    };
    let mut places: Vec<usize> = (0..methods.len()).collect();
    places.sort_by(|&a, &b| {
        let by_time = methods[a][0].total_cmp(&methods[b][0]);
        by_time.then(error(a).total_cmp(&error(b)))
    });
    let mut least = f64::INFINITY;
    places.retain(|&place| {
        let is_better = error(place) < least;
        least = least.min(error(place));
        is_better
    });
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factor_is_a_distance_and_ticks_lie_inside() {
        let axis = Log::over([4.0, 64.0, 4096.0], [100.0, 1100.0]);
        let places = [4.0, 128.0, 4096.0].map(|value| axis.at(value).round());
        assert_eq!(places, [100.0, 600.0, 1100.0]);
        assert_eq!(Log::over([8.0], [0.0, 100.0]).at(8.0), 50.0);
        let ticks = Log::over([3.0, 250.0], [0.0, 1.0]).ticks(|tick| tick.to_string());
        let labels: Vec<&str> = ticks.iter().map(|tick| tick.1.as_str()).collect();
        assert_eq!(labels, ["5", "10", "20", "50", "100", "200"]);
    }

    #[test]
    fn an_axis_of_time_has_a_few_round_steps() {
        for longest in [0.0009, 1.0, 37.0, 999.0, 12_345.0] {
            let steps = longest / step(longest);
            assert!((2.3..=6.0).contains(&steps), "{longest}: {steps}");
        }
        let ticks = [0.0, 0.5, 2.0, 20.0, 500.0, 1000.0, 5e6].map(round_time);
        let expected = ["0", "0.5 µs", "2 µs", "20 µs", "500 µs", "1 ms", "5 s"];
        assert_eq!(ticks, expected);
    }

    #[test]
    fn the_front_ends_at_the_fastest_exact_method_whatever_exact_ones_round() {
        let methods = [[4.0, 1e-9], [2.0, 3e-8], [1.0, 0.5], [1.5, 0.6], [1.0, 0.4]];
        assert_eq!(front(&methods), [4, 1]);
        assert_eq!(front(&[]), [0; 0]);
    }

    #[test]
    fn exact_methods_stand_on_the_line_at_the_bottom() {
        let methods = [[1.0, 0.0], [2.0, 3e-8], [4.0, 0.1], [2.0, 0.01]];
        let axes = Axes::over(&methods, [0.0, 100.0], [50.0, 0.0]);
        let places = methods.map(|of| axes.place(of).map(f64::round));
        assert_eq!(places[..3], [[0.0, 50.0], [50.0, 50.0], [100.0, 0.0]]);
        assert!(places[3][1] > 0.0 && places[3][1] < 50.0);
        assert_eq!(axes.ticks_of_errors()[0], (50.0, "0".to_owned()));
    }
}
