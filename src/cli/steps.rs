//! Where the time of a command went: its steps and when each of them began. `--verbose` prints them in the end.

use std::sync::Mutex;
use std::time::Instant;

use crate::workers::lock;

/// The steps of this process so far.
static STEPS: Mutex<Vec<(String, Instant)>> = Mutex::new(Vec::new());

/// Begins a step, and ends the one before.
pub(super) fn begin(name: impl Into<String>) {
    lock(&STEPS).push((name.into(), Instant::now()));
}

/// A line for every step with the seconds that it took.
pub(super) fn table() -> String {
    begin("");
    let mut text = "where the time went:\n".to_owned();
    for steps in lock(&STEPS).windows(2) {
        let time = steps[1].1 - steps[0].1;
        text += &format!("{:9.3} s  {}\n", time.as_secs_f64(), steps[0].0);
    }
    text
}
