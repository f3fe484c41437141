//! Turns a valid file into an invalid one by changes to bytes and to tokens of the file languages.

use fastrand::Rng;

/// Maximum bytes of a file.
const LONGEST: usize = 400_000;

/// Numbers at the end of some range, separated by bars.
const NUMBERS: &str = "0|-0.0|1|-1|2|7|0.5|1e-45|1e38|1e39|-1e39|1e308|1e400|NaN|inf|-inf|1.#IND|255|65536|4294967295|\
                       4294967296|18446744073709551615|-9223372036854775808";

/// Tokens with a meaning for readers, separated by bars.
const SIGNS: &str = "(|)|[|]|{|}|<|>|,|:|;|\"|'|`|\\|//|/*|*/|#|@|..|=|-|!|\n|\r\n|\t|\0|\u{1b}[31m|\u{feff}|\u{202e}|\
                     ü|Some|None|Exactly|Share|null|true|fn|loop|import package::|@if(|else|struct";

fn one_of(random: &mut Rng, words: &'static str) -> &'static str {
    random
        .choice(words.split('|').collect::<Vec<_>>())
        .unwrap_or_default()
}

/// Number of bytes at the start of a binary file that may contain counts, versions and lengths.
const HEADER: usize = 160;

/// The first of `texts` with one to four changes, which may insert parts of all texts.
pub fn changed(random: &mut Rng, texts: &[&[u8]]) -> Vec<u8> {
    let mut bytes = texts[0].to_vec();
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
    match random.u32(..18) {
        kind @ (0 | 1) => {
            if let Some(byte) = bytes.get_mut(place) {
                *byte = match kind {
                    0 => *byte ^ 1 << random.u32(..8),
                    _ => random.u8(..),
                };
            }
        }
        2 => drop(bytes.drain(part(random, bytes, 40))),
        3 => drop(bytes.drain(part(random, bytes, 4_000))),
        4 => {
            let part = bytes[part(random, bytes, 60)].to_vec();
            insert(bytes, place, &part);
        }
        // Repetition: long lists, deep nesting, long words.
        5 => {
            let part = bytes[part(random, bytes, 30)].to_vec();
            insert(bytes, place, &part.repeat(random.usize(..3_000)));
        }
        6 => {
            let sign = one_of(random, SIGNS).repeat(random.usize(..3_000));
            insert(bytes, place, sign.as_bytes());
        }
        7 | 8 => insert(bytes, place, one_of(random, SIGNS).as_bytes()),
        9 | 10 => {
            let number = one_of(random, NUMBERS);
            replace(random, bytes, is_of_number, number.as_bytes());
        }
        11 => {
            let words = texts[random.usize(..texts.len())].split(|byte| !is_of_word(*byte));
            let words: Vec<&[u8]> = words.filter(|word| !word.is_empty()).collect();
            if let Some(word) = random.choice(words) {
                replace(random, bytes, is_of_word, word);
            }
        }
        12 => bytes.truncate(place),
        13..=15 => {
            let end = [bytes.len(), HEADER.min(bytes.len())][random.usize(..2)];
            write_word(random, &mut bytes[..end]);
        }
        _ => {
            let other = texts[random.usize(..texts.len())];
            let part = other[part(random, other, 2_000)].to_vec();
            insert(bytes, place, &part);
        }
    }
}

/// Writes a number of one to eight bytes at the end of some range.
fn write_word(random: &mut Rng, bytes: &mut [u8]) {
    let floats = [f32::NAN, f32::INFINITY, 1e38, -1e-40];
    let value = match random.u32(..5) {
        0 => 0,
        1 => u64::MAX,
        2 => 1 << random.u32(..64),
        3 => u64::from(floats[random.usize(..4)].to_bits()),
        _ => random.u64(..),
    };
    let place = random.usize(..=bytes.len());
    let length = (1 << random.u32(..4)).min(bytes.len() - place);
    bytes[place..place + length].copy_from_slice(&value.to_le_bytes()[..length]);
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

/// Replaces one run of bytes of a kind.
fn replace(random: &mut Rng, bytes: &mut Vec<u8>, is_of: fn(u8) -> bool, other: &[u8]) {
    let start = random.usize(..=bytes.len());
    let Some(begin) = (start..bytes.len()).find(|&at| is_of(bytes[at])) else {
        return;
    };
    let end = (begin..bytes.len()).find(|&at| !is_of(bytes[at]));
    bytes.splice(begin..end.unwrap_or(bytes.len()), other.iter().copied());
}
