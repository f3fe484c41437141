//! Number formats shared by tables, pictures and panes.

/// A difference to three digits: `0`, `3.58e-7`, `0.250`, `3.11`.
pub fn three_digits(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        0.1..1.0 => format!("{value:.3}"),
        1.0..10.0 => format!("{value:.2}"),
        10.0..100.0 => format!("{value:.1}"),
        _ => format!("{value:.2e}"),
    }
}

/// A count with thousands separators: `921,600`.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A number to four significant digits: "4187", "31.20", "0.02100".
pub fn four_digits(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value}");
    }
    // The exponent is taken after rounding: 9.9999 becomes 10.00.
    let rounded = format!("{value:.3e}");
    let exponent = rounded.rsplit('e').next();
    let exponent: Option<i32> = exponent.and_then(|text| text.parse().ok());
    let decimals = 3 - exponent.unwrap_or(0).clamp(-9, 3);
    format!("{value:.*}", decimals as usize)
}

/// A time in microseconds, to three digits and with a unit: "31.2 µs", "4.19 ms".
pub fn time(microseconds: f64) -> String {
    let (value, unit) = match microseconds {
        value if value < 999.5 => (value, "µs"),
        value if value < 999_500.0 => (value / 1e3, "ms"),
        value => (value / 1e6, "s"),
    };
    format!("{} {unit}", three_places(value))
}

/// A ratio: "1.35x", "12.4x", "170x".
pub fn times(ratio: f64) -> String {
    format!("{}x", three_places(ratio))
}

fn three_places(value: f64) -> String {
    match value {
        value if value < 9.995 => format!("{value:.2}"),
        value if value < 99.95 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

/// A count in a few characters: "900", "14 k", "2 M".
pub fn short(count: u64) -> String {
    match count {
        0..1000 => count.to_string(),
        1000..999_500 => format!("{:.0}k", count as f64 / 1e3),
        _ => format!("{:.1}M", count as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        let digits = [4187.3, 31.2, 0.021, 0.0, 9.99999].map(four_digits);
        assert_eq!(digits, ["4187", "31.20", "0.02100", "0", "10.00"]);
        let units = [0.5, 9.999, 31.24, 999.4, 999.9, 4187.0, 2e6].map(time);
        let expected = [
            "0.50 µs", "10.0 µs", "31.2 µs", "999 µs", "1.00 ms", "4.19 ms", "2.00 s",
        ];
        assert_eq!(units, expected);
        assert_eq!([1.354, 12.36, 170.4].map(times), ["1.35x", "12.4x", "170x"]);
    }

    #[test]
    fn differences_and_counts_read_well() {
        assert_eq!(three_digits(0.0), "0");
        assert_eq!(three_digits(3.5763e-7), "3.58e-7");
        let plain = [0.25, 3.1111, 12.0, 1234.0].map(three_digits);
        assert_eq!(plain, ["0.250", "3.11", "12.0", "1.23e3"]);
        let counts = [0, 999, 1000, 921_600, 1_234_567].map(grouped);
        assert_eq!(counts, ["0", "999", "1,000", "921,600", "1,234,567"]);
    }
}
