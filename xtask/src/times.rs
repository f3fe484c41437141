//! Works out how long each test took from the output of `cargo test`. Rust's test runner prints no times, but
//! its order is fixed: it starts the tests of an executable in alphabetical order, one on each thread, and the
//! next one whenever a thread becomes free. So the times at which results are printed tell when each test
//! began. Does no input or output: the caller passes each line with its time.

use std::time::Duration;

/// A test and how long it took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timed {
    /// The test's path, as the runner prints it.
    pub name: String,
    /// From its start to its end.
    pub time: Duration,
}

/// Follows the output of test executables that run one after the other.
pub struct Times {
    threads: usize,
    began: Duration,
    /// Tests of the executable that is running, in the order in which they ended, with the time of the end.
    ended: Vec<(String, Duration)>,
    /// Tests of executables that have ended.
    pub all: Vec<Timed>,
    /// Number of executed tests, as reported by the executables that have ended.
    pub executed: usize,
}

impl Times {
    /// Starts without any output seen. `threads` is the number of tests that run at once.
    pub fn new(threads: usize) -> Self {
        Self {
            threads: threads.max(1),
            began: Duration::ZERO,
            ended: Vec::new(),
            all: Vec::new(),
            executed: 0,
        }
    }

    /// Takes in a line of standard output that was printed at `now`.
    pub fn see(&mut self, line: &str, now: Duration) {
        if line.starts_with("running ") {
            self.began = now;
            self.ended.clear();
        } else if let Some(name) = ended_in(line) {
            self.ended.push((name.to_owned(), now));
        } else if line.starts_with("test result: ") {
            self.executed += executed_in(line);
            let ended = std::mem::take(&mut self.ended);
            self.all.extend(times_of(&ended, self.began, self.threads));
        }
    }
}

/// The test that a line like `test a::b ... ok` says has run.
fn ended_in(line: &str) -> Option<&str> {
    let (name, result) = line.strip_prefix("test ")?.rsplit_once(" ... ")?;
    let is_run = ["ok", "FAILED"].contains(&result);
    is_run.then_some(name.trim_end_matches(" - should panic"))
}

/// How many tests a line like `test result: ok. 3 passed; 1 failed; 0 ignored; ...` says were executed.
fn executed_in(line: &str) -> usize {
    let Some((_, counts)) = line
        .strip_prefix("test result: ")
        .and_then(|rest| rest.split_once(". "))
    else {
        return 0;
    };
    let executed = counts
        .split("; ")
        .filter_map(|count| match count.split_once(' ') {
            Some((number, "passed" | "failed")) => number.parse::<usize>().ok(),
            _ => None,
        });
    executed.sum()
}

/// The times of an executable's tests, from the order and times of their ends: the first `threads` tests
/// in alphabetical order begin at once, and each further one when another ends.
fn times_of(ended: &[(String, Duration)], began: Duration, threads: usize) -> Vec<Timed> {
    let mut by_name: Vec<_> = ended.iter().collect();
    by_name.sort();
    let start_of = |position: usize| match position.checked_sub(threads) {
        None => began,
        Some(freed_by) => ended[freed_by].1,
    };
    let timed = |(position, (name, end)): (usize, &(String, Duration))| Timed {
        name: name.clone(),
        time: end.saturating_sub(start_of(position)),
    };
    by_name.into_iter().enumerate().map(timed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn each_test_begins_when_a_thread_is_free_in_the_order_of_names() {
        // a and b begin at 10; b ends first, so that c begins then, and d when a ends.
        let mut times = Times::new(2);
        for (line, at) in [
            ("running 4 tests", 10),
            ("test m::b ... ok", 12),
            ("test m::a ... FAILED", 17),
            ("test m::d - should panic ... ok", 18),
            ("test m::c ... ok", 30),
            (
                "test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured",
                30,
            ),
        ] {
            times.see(line, seconds(at));
        }
        let expected = [("m::a", 7), ("m::b", 2), ("m::c", 18), ("m::d", 1)];
        let found = times
            .all
            .iter()
            .map(|timed| (timed.name.as_str(), timed.time.as_secs()));
        assert!(found.eq(expected), "{:?}", times.all);
        assert_eq!(times.executed, 4);
    }

    #[test]
    fn executables_are_timed_one_by_one_and_ignored_tests_take_no_thread() {
        let mut times = Times::new(1);
        for (line, at) in [
            ("running 1 test", 1),
            ("test a ... ok", 3),
            ("test result: ok. 1 passed; 0 failed; 0 ignored", 3),
            ("running 2 tests", 50),
            ("test a ... ignored", 50),
            ("what a test prints: test a ... not a result", 51),
            ("test b ... ok", 54),
            ("test result: ok. 1 passed; 0 failed; 1 ignored", 54),
        ] {
            times.see(line, seconds(at));
        }
        let found = times.all.iter().map(|timed| timed.time.as_secs());
        assert!(found.eq([2, 4]), "{:?}", times.all);
    }

    #[test]
    fn passed_and_failed_tests_were_executed_and_ignored_ones_were_not() {
        let line = "test result: ok. 3 passed; 0 failed; 2 ignored; 0 measured; 7 filtered out; finished in 0.00s";
        assert_eq!(executed_in(line), 3);
        assert_eq!(
            executed_in("test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured"),
            3
        );
        assert_eq!(
            executed_in("test result: ok. 0 passed; 0 failed; 5 ignored; 0 measured"),
            0
        );
        assert_eq!(executed_in("test gpu::a ... ok. 5 passed; 1 failed"), 0);
    }
}
