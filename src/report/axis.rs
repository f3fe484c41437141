//! Logarithmic axes for charts and panes, with their ticks and labels.

use crate::model::format::time;

/// Position on an axis, and the label.
pub type Tick = (f64, String);

#[derive(Clone, Copy, Debug)]
pub struct Log {
    values: [f64; 2],
    places: [f64; 2],
}

impl Log {
    /// Axis from the smallest to the largest value that has a logarithm. A single value stands in the middle.
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

    /// Position of a value, clamped to the ends of the axis.
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

/// A round time, in microseconds, without trailing zeros: "20 µs".
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
}
