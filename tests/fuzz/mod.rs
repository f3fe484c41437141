//! A fuzzer for everything that reads files: scenes, splats, models, presets, window state, files of values,
//! benchmark records and shader folders. It changes valid files at random, passes them to the program's own readers,
//! and passes accepted files to the code that uses them. `cargo xtask test --only fuzz` runs 100,000 cases; a few run
//! with all other tests. A case depends only on the seed and its number, so every case can be repeated.
//!
//! It finds panics, cases longer than ten seconds, messages that are too long or contain control characters, and
//! leftover files. Each case has a named thread, which Rust reports if it panics or ends the process, as a stack
//! overflow does.

mod model_files;
mod mutate;
mod readers;
mod splat_files;

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use fastrand::Rng;

use crate::harness::says;

/// Maximum time of a case.
const LONGEST: Duration = Duration::from_secs(10);
/// Maximum length of a message, in characters.
const LONGEST_MESSAGE: usize = 2_000;

/// Result of a reader: the error message, if it rejects the file.
type Outcome = Result<(), String>;

/// Runs a case in an empty folder with its own random numbers, and removes any files that it creates.
type Reads<'a> = &'a (dyn Fn(&mut Rng, &Path) -> Outcome + Sync);

/// Runs a case. Returns its fault, if any.
fn fault_of(reads: Reads, seed: u64, number: u64, longest: Duration) -> Option<String> {
    let folder = tempfile::tempdir().expect("a folder for the case");
    let path = folder.path();
    let began = Instant::now();
    let outcome = thread::scope(|scope| {
        let case = thread::Builder::new().name(format!("case {number}"));
        // The product spreads adjacent numbers; the factor is 2^64 divided by the golden ratio.
        let mut random = Rng::with_seed(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let started = case.spawn_scoped(scope, move || reads(&mut random, path));
        started.expect("a thread for the case").join()
    });
    let took = began.elapsed();
    let left = std::fs::read_dir(path).map_or(0, Iterator::count);
    let Ok(outcome) = outcome else {
        return Some("it panicked".to_owned());
    };
    let said = outcome.err();
    let count = said.as_ref().map_or(0, |said| said.chars().count());
    let obeyed = |c: char| c.is_control() && c != '\n';
    match said {
        _ if took > longest => Some(format!("it took {:.1} s", took.as_secs_f64())),
        _ if left > 0 => Some(format!("{left} files are left over")),
        _ if count > LONGEST_MESSAGE => Some(format!("a message of {count} characters")),
        Some(said) if said.contains(obeyed) || said.trim().is_empty() => {
            Some(format!("a message that may not be shown: {said:?}"))
        }
        _ => None,
    }
}

/// Runs these cases, and fails at the first case with a fault that repeats. A fault that does not repeat is ignored,
/// because on a busy machine any case may be slow once.
fn search(reads: Reads, seed: u64, cases: std::ops::Range<u64>) {
    let next = AtomicU64::new(cases.start);
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= cases.end {
                return;
            }
            if number.is_multiple_of(5_000) {
                eprintln!("case {number}");
            }
            let fault = || fault_of(reads, seed, number, LONGEST);
            if let Some(fault) = fault().and_then(|_| fault()) {
                next.store(cases.end, Ordering::Relaxed);
                panic!("case {number} of seed {seed}: {fault}");
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
}

#[test]
fn a_few_changed_files_of_every_kind_are_read_or_refused_well() {
    for kind in [None, Some("splats"), Some("models")] {
        search(
            &|random, folder| readers::read(random, folder, kind),
            1,
            0..60,
        );
    }
}

#[test]
#[ignore = "takes minutes: `cargo xtask test --only fuzz` runs it"]
fn many_changed_files_are_read_or_refused_well() {
    let variable = |name: &str| std::env::var(format!("WAVELERP_FUZZ_{name}")).ok();
    let number = |name, usual| variable(name).map_or(usual, |text| text.parse().expect(name));
    let first = number("FIRST", 0);
    let kind = variable("KIND");
    let reads = |random: &mut Rng, folder: &Path| readers::read(random, folder, kind.as_deref());
    search(
        &reads,
        number("SEED", 1),
        first..first + number("CASES", 100_000),
    );
}

#[test]
fn a_planted_fault_of_every_kind_is_found() {
    let found = |fault: fn(&Path) -> Outcome| {
        let fault = fault_of(&|_: &mut Rng, folder: &Path| fault(folder), 1, 1, LONGEST);
        fault.unwrap_or_default()
    };
    says(found(|_| panic!("a planted panic")), "panicked");
    says(
        found(|_| Err("x".repeat(LONGEST_MESSAGE + 1))),
        "characters",
    );
    says(found(|_| Err("a\u{1b}[2J".to_owned())), "may not be shown");
    let left = found(|folder| {
        std::fs::write(folder.join("left"), "").expect("a file");
        Ok(())
    });
    says(left, "left over");
    let slow = fault_of(&|_: &mut Rng, _: &Path| Ok(()), 1, 1, Duration::ZERO);
    says(slow.unwrap_or_default(), "it took");
    // Negative control: without a fault, the search finds nothing.
    assert_eq!(found(|_| Ok(())), "");
}
