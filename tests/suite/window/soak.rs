//! Random use of the real window for a long time: the window keeps working, and its memory does not grow. `cargo xtask
//! test --only soak` runs this; other test runs leave it out, because it takes half an hour.

use std::time::{Duration, Instant};

use super::program::Program;
use super::{Desk, with_panes};

/// Minutes of use, unless [`VARIABLE`] is set.
const MINUTES: u64 = 30;
/// Environment variable with the minutes of use.
const VARIABLE: &str = "WAVELERP_SOAK_MINUTES";
/// Seed of the sequence of random actions.
const SEED: u64 = 20_261_122;
/// Keys that are pressed: all except those that write files each time, keep the GPU busy for minutes, or quit.
const KEYS: &str = "Escape 1 2 3 4 5 6 7 8 9 0 shift+1 shift+2 b space period x z f v n i l m c shift+c p F1 F5 F9 F6 F7 F8 g h o t";
/// Allowed factor of growth in the last third, because the heap fragments.
const ROUNDING: f64 = 1.1;

/// Anonymous memory of a process in kilobytes, as reported by Linux.
fn memory(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let kilobytes = status.split_once("RssAnon:").map(|(_, rest)| rest);
    let number = kilobytes.and_then(|rest| rest.split_whitespace().next());
    number.map_or(0, |number| number.parse().expect("a number"))
}

/// True if the minimum memory per minute stays flat: the last third never needs more than the first third, in which
/// everything is used for the first time.
fn is_flat(minutes: &[u64]) -> bool {
    let third = minutes.len() / 3;
    let first = minutes.iter().take(third).max();
    let last = minutes.iter().rev().take(third).min();
    let both = first.zip(last);
    both.is_some_and(|(first, last)| *last as f64 <= ROUNDING * *first as f64)
}

fn act(program: &Program, random: &mut fastrand::Rng) {
    let keys: Vec<&str> = KEYS.split(' ').collect();
    let mut place = |width: u32| [random.u32(0..width), random.u32(0..360)];
    let [near, far, other] = [place(360), place(420), place(420)];
    match random.u32(0..10) {
        0 => program.resize([random.u32(420..1200), random.u32(300..900)]),
        1..=3 => program.click(near),
        4 => program.click(far),
        5 => program.drag(far, other, "1"),
        6 => program.scroll(near, random.bool()),
        _ => program.keys(&[keys[random.usize(0..keys.len())]]),
    }
}

#[test]
fn memory_that_grows_is_told_from_memory_that_is_used_for_the_first_time() {
    let flat = [100, 150, 180, 200, 210, 205, 190, 200, 211, 204, 206, 207];
    assert!(is_flat(&flat));
    let growing: Vec<u64> = (0..30).map(|minute| 200 + 3 * minute).collect();
    assert!(!is_flat(&growing));
}

#[test]
#[ignore = "takes half an hour: cargo xtask test --only soak runs it"]
fn half_an_hour_of_random_use_ends_well_and_holds_no_more_memory() {
    let minutes = std::env::var(VARIABLE).map_or(Ok(MINUTES), |text| text.parse());
    let minutes = minutes.expect("WAVELERP_SOAK_MINUTES is a whole number");
    assert!(minutes >= 6, "judged by the minute: ask for 6 or more");
    let desk = Desk::new();
    let program = desk.open(&with_panes(), [760, 620]);
    let mut random = fastrand::Rng::with_seed(SEED);
    let mut least = Vec::new();
    for minute in 1..=minutes {
        let begun = Instant::now();
        let mut low = u64::MAX;
        let mut acts = 0;
        while begun.elapsed() < Duration::from_secs(60) {
            act(&program, &mut random);
            acts += 1;
            if !program.runs() {
                program.fail(&format!("after {acts} acts of minute {minute}"));
            }
            low = low.min(memory(program.id()));
        }
        println!("minute {minute}: {acts} acts, at least {} MB", low / 1024);
        least.push(low);
    }
    assert!(is_flat(&least), "kilobytes at least, by minute: {least:?}");
    program.close();
}
