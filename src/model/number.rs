//! Numbers in text, as written by programs in any language and country.

/// The number that a word stands for, if any.
pub fn number(word: &str) -> Option<f64> {
    word.parse().ok().or_else(|| in_other_words(word))
}

fn in_other_words(word: &str) -> Option<f64> {
    let word = word.to_ascii_lowercase();
    let (sign, size) = match word.strip_prefix('-') {
        Some(size) => (-1.0, size),
        None => (1.0, word.as_str()),
    };
    match size {
        _ if size.starts_with("1.#inf") || size == "∞" => Some(sign * f64::INFINITY),
        _ if size.starts_with("1.#") || size.starts_with("nan") => Some(f64::NAN),
        // Decimal commas, commas between numbers, and Fortran exponents.
        _ => {
            let size = size.trim_end_matches(',').replace(',', ".");
            size.replace('d', "e")
                .parse()
                .ok()
                .map(|size: f64| sign * size)
        }
    }
}
