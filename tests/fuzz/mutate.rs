//! How a good file becomes a bad one. Knows bytes and the signs of the languages that are read, and no reader.

use fastrand::Rng;

/// The longest file that is made, in bytes.
const LONGEST: usize = 400_000;

/// Numbers that are at an end of some range.
const NUMBERS: [&str; 22] = [
    "0",
    "-0.0",
    "1",
    "-1",
    "2",
    "7",
    "0.5",
    "1e-45",
    "1e38",
    "1e39",
    "-1e39",
    "1e308",
    "1e400",
    "NaN",
    "inf",
    "-inf",
    "255",
    "65536",
    "4294967295",
    "4294967296",
    "18446744073709551615",
    "-9223372036854775808",
];

/// Signs and words that mean something to a reader.
const SIGNS: [&str; 44] = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    ",",
    ":",
    ";",
    "\"",
    "'",
    "`",
    "\\",
    "//",
    "/*",
    "*/",
    "#",
    "@",
    "..",
    "=",
    "-",
    "!",
    "\n",
    "\r\n",
    "\t",
    "\0",
    "\u{1b}[31m",
    "\u{feff}",
    "\u{202e}",
    "ü",
    "Some",
    "None",
    "Exactly",
    "Share",
    "null",
    "true",
    "fn",
    "loop",
    "import package::",
    "@if(",
    "else",
    "struct",
];

/// One of `texts` with one to four changes.
pub fn changed(random: &mut Rng, texts: &[&[u8]]) -> Vec<u8> {
    let mut bytes = texts[random.usize(..texts.len())].to_vec();
    for _ in 0..random.u32(1..=4) {
        change(random, &mut bytes, texts);
        bytes.truncate(LONGEST);
    }
    bytes
}

/// A part of `bytes` of at most `most` bytes.
fn part(random: &mut Rng, bytes: &[u8], most: usize) -> std::ops::Range<usize> {
    let start = random.usize(..=bytes.len());
    let rest = (bytes.len() - start).min(most);
    start..start + random.usize(..=rest)
}

fn change(random: &mut Rng, bytes: &mut Vec<u8>, texts: &[&[u8]]) {
    let place = random.usize(..=bytes.len());
    match random.u32(..14) {
        0 => {
            if let Some(byte) = bytes.get_mut(place) {
                *byte ^= 1 << random.u32(..8);
            }
        }
        1 => {
            if let Some(byte) = bytes.get_mut(place) {
                *byte = random.u8(..);
            }
        }
        2 => drop(bytes.drain(part(random, bytes, 40))),
        3 => drop(bytes.drain(part(random, bytes, 4_000))),
        4 => {
            let part = bytes[part(random, bytes, 60)].to_vec();
            insert(bytes, place, &part);
        }
        // The same again and again: long lists, deep nesting, long words.
        5 => {
            let part = bytes[part(random, bytes, 30)].to_vec();
            insert(bytes, place, &part.repeat(random.usize(..3_000)));
        }
        6 => {
            let sign = SIGNS[random.usize(..SIGNS.len())];
            insert(bytes, place, sign.repeat(random.usize(..3_000)).as_bytes());
        }
        7 | 8 => insert(bytes, place, SIGNS[random.usize(..SIGNS.len())].as_bytes()),
        9 | 10 => replace(random, bytes, is_of_number, |random| {
            NUMBERS[random.usize(..NUMBERS.len())].into()
        }),
        11 => {
            let other = words(texts[random.usize(..texts.len())], is_of_word);
            let other: Vec<Vec<u8>> = other.into_iter().map(<[u8]>::to_vec).collect();
            if !other.is_empty() {
                replace(random, bytes, is_of_word, |random| {
                    other[random.usize(..other.len())].clone()
                });
            }
        }
        12 => bytes.truncate(place),
        _ => {
            let other = texts[random.usize(..texts.len())];
            let part = other[part(random, other, 2_000)].to_vec();
            insert(bytes, place, &part);
        }
    }
}

fn insert(bytes: &mut Vec<u8>, place: usize, part: &[u8]) {
    bytes.splice(place..place, part.iter().copied());
}

fn is_of_number(byte: u8) -> bool {
    byte.is_ascii_digit() || byte == b'.'
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

/// The runs of bytes of a kind.
fn words(bytes: &[u8], is_of: fn(u8) -> bool) -> Vec<&[u8]> {
    bytes
        .split(|byte| !is_of(*byte))
        .filter(|word| !word.is_empty())
        .collect()
}

/// Puts something else in the place of one run of bytes of a kind.
fn replace(
    random: &mut Rng,
    bytes: &mut Vec<u8>,
    is_of: fn(u8) -> bool,
    other: impl FnOnce(&mut Rng) -> Vec<u8>,
) {
    let start = random.usize(..=bytes.len());
    let Some(begin) = (start..bytes.len()).find(|&at| is_of(bytes[at])) else {
        return;
    };
    let end = (begin..bytes.len())
        .find(|&at| !is_of(bytes[at]))
        .unwrap_or(bytes.len());
    bytes.splice(begin..end, other(random));
}
