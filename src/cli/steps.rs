//! Where the time of a command went: its steps and when each of them began. `--verbose` prints them in the end.

use std::sync::Mutex;
use std::time::Instant;

use crate::workers::lock;

/// The steps of this process so far.
static STEPS: Mutex<Vec<Step>> = Mutex::new(Vec::new());

struct Step {
    name: String,
    began: Instant,
}

/// Begins a step, and ends the one before.
pub(super) fn begin(name: impl Into<String>) {
    let step = Step {
        name: name.into(),
        began: Instant::now(),
    };
    lock(&STEPS).push(step);
}

/// A line for every step with the seconds that it took.
pub(super) fn table() -> String {
    of(&lock(&STEPS), Instant::now())
}

fn of(steps: &[Step], end: Instant) -> String {
    let line = |began: Instant, end: Instant, name: &str| {
        format!("{:9.3} s  {name}\n", (end - began).as_secs_f64())
    };
    let ends = steps.iter().skip(1).map(|step| step.began).chain([end]);
    let lines = steps.iter().zip(ends);
    let lines = lines.map(|(step, end)| line(step.began, end, &step.name));
    let all = steps.first().map(|first| line(first.began, end, "in all"));
    "where the time went:\n".to_owned() + &lines.chain(all).collect::<String>()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_steps_add_up_to_the_whole() {
        let began = Instant::now();
        let step = |name: &str, after| Step {
            name: name.to_owned(),
            began: began + Duration::from_millis(after),
        };
        let steps = [step("one", 0), step("two", 250), step("three", 1000)];
        let text = of(&steps, began + Duration::from_millis(1234));
        let expected = "where the time went:\n    0.250 s  one\n    0.750 s  two\n    0.234 s  three\n    1.234 s  in all\n";
        assert_eq!(text, expected);
        assert_eq!(of(&[], began), "where the time went:\n");
    }
}
