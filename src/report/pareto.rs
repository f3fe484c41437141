//! Error against time: positions of methods on logarithmic axes, and the Pareto front.

use super::axis::{Log, Tick, round_time};
use super::drawing::Point;

/// Methods with smaller errors are exact. They stand on their own line below the others.
const EXACT: f64 = 1e-5;

/// Time and error of a method.
pub type Standing = [f64; 2];

/// Plot axes: time left to right, error bottom to top.
pub struct Axes {
    times: Log,
    errors: Log,
    /// Substitute error at which exact methods are placed.
    exact: f64,
}

impl Axes {
    /// Axes over these methods, spanning `across` and `up`, each given low end first.
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

    pub fn place(&self, [time, error]: Standing) -> Point {
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

/// Indices of the methods on the Pareto front, in order of time: no faster method has a smaller error.
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
