//! Values of A and B at a pixel as text: r, g, b and T, with enough digits to distinguish A from B.

pub const CHANNELS: [&str; 4] = ["r", "g", "b", "T"];
/// Number of decimals of a value; more if the texts for A and B would otherwise be equal although the values differ.
const DECIMALS: usize = 5;
const MOST_DECIMALS: usize = 9;

/// A value of A and of B as texts, which are equal only if the values are equal.
pub fn told_apart(both: [f32; 2]) -> [String; 2] {
    let written = |decimals: usize| both.map(|value| format!("{value:.decimals$}"));
    let differ = |written: &[String; 2]| both[0] == both[1] || written[0] != written[1];
    let mut all = (DECIMALS..=MOST_DECIMALS).map(written);
    // In exponential notation, different f32 values have different texts.
    all.find(differ)
        .unwrap_or_else(|| both.map(|value| format!("{value:e}")))
}

pub fn of_both([a, b]: [[f32; 4]; 2]) -> [[String; 4]; 2] {
    let mut written = [a, b].map(|of| of.map(plain));
    for channel in 0..4 {
        let [of_a, of_b] = told_apart([a[channel], b[channel]]);
        (written[0][channel], written[1][channel]) = (of_a, of_b);
    }
    written
}

pub fn plain(value: f32) -> String {
    format!("{value:.DECIMALS$}")
}

pub fn difference([a, b]: [[f32; 4]; 2]) -> [String; 4] {
    [0, 1, 2, 3].map(|channel| match a[channel] - b[channel] {
        0.0 => "0".to_owned(),
        difference => format!("{difference:.1e}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_values_read_alike_only_where_they_are_the_same() {
        let next = |value: f32| f32::from_bits(value.to_bits() + 1);
        for value in [0.0, 1e-30, 1e-7, 0.0123, 0.5, 0.87654, 3.0, 123.4, 1e9] {
            let [a, b] = told_apart([value, next(value)]);
            assert_ne!(a, b);
            let [a, b] = told_apart([value; 2]);
            assert_eq!(a, b);
        }
        assert_eq!(told_apart([0.25, 0.5]), ["0.25000", "0.50000"]);
        assert_eq!(told_apart([0.25, 0.2500011]), ["0.250000", "0.250001"]);
    }
}
