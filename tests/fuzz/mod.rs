//! A fuzzer of everything that reads files: scenes, splats, models, presets, what is kept of a window, files of values,
//! benchmark records and folders of shaders. It changes good files at random and hands them to the
//! program's own readers, and what they take to what works with it. `cargo xtask fuzz` does 100,000 cases; a few are done with all other tests. A case is
//! made of the seed and its number alone, so that any can be done again.
//!
//! It finds panics, cases that take longer than ten seconds, messages that are too long or pass on control
//! characters, and files that are left over. A case that ends the whole process, as an overflow of the stack does, is
//! known by its number in a file; see [`Plan::at`].

mod model_files;
mod mutate;
mod readers;
mod splat_files;

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, Once, PoisonError};
use std::time::{Duration, Instant};

use fastrand::Rng;

use crate::harness::says;
use readers::Alone;

/// The longest that a case may take.
const LONGEST: Duration = Duration::from_secs(10);
/// How the fault of a case begins that takes longer.
const SLOW: &str = "it took ";
/// The longest message, in characters.
const LONGEST_MESSAGE: usize = 2_000;
/// After so many failures the search ends.
const MOST_FAILURES: usize = 20;

/// Which cases are done.
struct Plan {
    seed: u64,
    /// Numbers of the first case and of the one after the last.
    cases: std::ops::Range<u64>,
    threads: u64,
    /// The longest that a case may take.
    longest: Duration,
    /// A folder where each thread writes the number of its case into a file, for cases that end the process.
    at: Option<PathBuf>,
}

/// What a reader makes of a file: its message, if it refuses it.
type Outcome = Result<(), String>;

/// Does a case in the empty folder that it is given, with random numbers of its own. Files that it makes there it also
/// removes.
type Reads<'a> = &'a (dyn Fn(&mut Rng, &Path) -> Outcome + Sync);

thread_local! {
    /// What the last panic of this thread said, and where.
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps what panics say instead of printing it, on the threads of the fuzzer and those that they start.
fn keep_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            PANIC.set(info.to_string().replace('\n', " "));
            let name = std::thread::current().name().unwrap_or_default().to_owned();
            // A shader is compiled on a thread of its own, whose panic goes on in that of the fuzzer.
            if name != "fuzzer" && name != "shader" {
                before(info);
            }
        }));
    });
}

/// Does a case and says what is wrong with it, if anything is.
fn fault_of(reads: Reads, plan: &Plan, number: u64, folder: &Path) -> Option<String> {
    let began = Instant::now();
    // The product spreads neighbouring numbers; it is 2^64 divided by the golden ratio.
    let mut random = Rng::with_seed(plan.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    PANIC.take();
    let outcome = catch_unwind(AssertUnwindSafe(|| reads(&mut random, folder)));
    let took = began.elapsed();
    let left = std::fs::read_dir(folder).map_or(0, Iterator::count);
    if left > 0 {
        // The next case finds the folder empty.
        std::fs::remove_dir_all(folder)
            .and_then(|()| std::fs::create_dir(folder))
            .expect("the folder is emptied");
    }
    let Ok(outcome) = outcome else {
        return Some(format!("panic: {}", PANIC.take()));
    };
    let message = outcome.err();
    let count = message.as_ref().map_or(0, |said| said.chars().count());
    let obeyed = |c: char| c.is_control() && c != '\n';
    match message {
        _ if took > plan.longest => Some(format!("{SLOW}{:.1} s", took.as_secs_f64())),
        _ if left > 0 => Some(format!("{left} files are left over")),
        _ if count > LONGEST_MESSAGE => Some(format!("a message of {count} characters")),
        Some(said) if said.contains(obeyed) || said.trim().is_empty() => {
            Some(format!("a message that may not be shown: {said:?}"))
        }
        _ => None,
    }
}

/// Does all cases of a plan and returns how many were refused, and every failure.
fn search(plan: &Plan, reads: Reads) -> Vec<String> {
    keep_panics();
    let next = AtomicU64::new(plan.cases.start);
    let failures = Mutex::new(Vec::new());
    let began = Instant::now();
    let work = |thread: u64| {
        let folder = tempfile::tempdir().expect("a folder for the cases");
        let found = || failures.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= plan.cases.end || found().len() >= MOST_FAILURES {
                return;
            }
            if number.is_multiple_of(5_000) && number > plan.cases.start {
                eprintln!("{number} cases in {:.0} s", began.elapsed().as_secs_f64());
            }
            if let Some(at) = &plan.at {
                let at = at.join(format!("thread-{thread}"));
                std::fs::write(at, number.to_string()).expect("the number of the case is written");
            }
            let mut fault = fault_of(reads, plan, number, folder.path());
            if fault.as_ref().is_some_and(|fault| fault.starts_with(SLOW)) {
                // On a busy machine any case may be slow once.
                fault = fault_of(reads, plan, number, folder.path());
            }
            if let Some(fault) = fault {
                eprintln!("case {number}: {fault}");
                found().push(format!("case {number}: {fault}"));
            }
        }
    };
    std::thread::scope(|scope| {
        for thread in 0..plan.threads {
            let builder = std::thread::Builder::new().name("fuzzer".to_owned());
            let started = builder.spawn_scoped(scope, move || work(thread));
            started.expect("a thread for the cases");
        }
    });
    let found = failures.into_inner();
    found.unwrap_or_else(PoisonError::into_inner)
}

/// Has such files read, of any kind unless `alone` says which, and fails if anything is found.
fn read_well(plan: &Plan, alone: Option<Alone>) {
    let failures = search(plan, &|random, folder| readers::read(random, folder, alone));
    assert!(failures.is_empty(), "{failures:#?}");
}

/// A number that `cargo xtask fuzz` hands over.
fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn a_few_changed_files_of_every_kind_are_read_or_refused_well() {
    let plan = Plan {
        seed: 1,
        cases: 0..60,
        threads: 2,
        longest: LONGEST,
        at: None,
    };
    for alone in [None, Some(Alone::Splats), Some(Alone::Models)] {
        read_well(&plan, alone);
    }
}

#[test]
#[ignore = "takes minutes: `cargo xtask fuzz` runs it"]
fn many_changed_files_are_read_or_refused_well() {
    let first = variable("WAVELERP_FUZZ_FIRST").unwrap_or(0);
    let plan = Plan {
        seed: variable("WAVELERP_FUZZ_SEED").unwrap_or(1),
        cases: first..first + variable("WAVELERP_FUZZ_CASES").unwrap_or(100_000),
        threads: std::thread::available_parallelism().map_or(1, |count| count.get() as u64),
        longest: LONGEST,
        at: std::env::var_os("WAVELERP_FUZZ_AT").map(PathBuf::from),
    };
    let is_asked_for = |name| variable(name) == Some(1);
    let splats = is_asked_for("WAVELERP_FUZZ_SPLATS").then_some(Alone::Splats);
    let models = is_asked_for("WAVELERP_FUZZ_MODELS").then_some(Alone::Models);
    read_well(&plan, splats.or(models));
}

#[test]
fn a_planted_fault_of_every_kind_is_found() {
    let plan = |longest| Plan {
        seed: 1,
        cases: 0..400,
        threads: 1,
        longest,
        at: None,
    };
    // One case in some dozens meets the fault.
    let planted = |longest, fault: fn(&Path) -> Outcome| {
        search(&plan(longest), &|random: &mut Rng, folder: &Path| {
            let text = mutate::changed(random, &[b"(radius: 0.5, name: \"a\")"]);
            match text.contains(&b'7') {
                true => fault(folder),
                false => Ok(()),
            }
        })
    };
    let found = |fault| planted(LONGEST, fault).join("\n");
    says(planted(Duration::ZERO, |_| Ok(())).join("\n"), SLOW);
    let panic = found(|_| panic!("a planted panic"));
    says(panic, "a planted panic");
    let long = found(|_| Err("x".repeat(LONGEST_MESSAGE + 1)));
    says(long, "characters");
    let obeyed = found(|_| Err("a\u{1b}[2J".to_owned()));
    says(obeyed, "may not be shown");
    let left = found(|folder| {
        std::fs::write(folder.join("left"), "").expect("a file");
        Ok(())
    });
    says(left, "left over");
    // Negative control: without a fault nothing is found.
    assert_eq!(found(|_| Ok(())), "");
}
