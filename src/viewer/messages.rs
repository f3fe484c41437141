//! Messages of the window: lines above the picture, the log, and failures in panes.

use std::collections::{BTreeMap, VecDeque};
use web_time::{Duration, Instant};

use jiff::ZonedDateTime;

use crate::error::Result;

use super::dock::Pane;

const LOG_LINES: usize = 200;
const LINES_ABOVE: usize = 4;
const STAYS: Duration = Duration::from_secs(5);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Note,
    /// The action succeeded, but not exactly as requested.
    Warning,
    Error,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pub severity: Severity,
    pub line: String,
    pub times: u32,
    pub at: ZonedDateTime,
}

impl Message {
    fn new(severity: Severity, line: String) -> Self {
        Self {
            severity,
            line,
            times: 1,
            at: ZonedDateTime::now(),
        }
    }
}

#[derive(Default)]
pub struct Messages {
    log: VecDeque<Message>,
    /// Lines above the picture, and the time at which each disappears.
    above: Vec<(Message, Instant)>,
    /// Last failure in each pane, kept until one of the pane's actions succeeds.
    pub faults: BTreeMap<Pane, String>,
}

impl Messages {
    pub fn log(&self) -> impl DoubleEndedIterator<Item = &Message> {
        self.log.iter()
    }

    pub fn has(&self, words: &str) -> bool {
        self.log.iter().any(|message| message.line.contains(words))
    }

    pub fn above(&mut self, now: Instant) -> impl Iterator<Item = &Message> {
        self.above.retain(|(_, until)| now < *until);
        self.above.iter().map(|(message, _)| message)
    }

    /// Adds a line to the log, or counts a repetition of the last line.
    pub fn say(&mut self, severity: Severity, line: impl Into<String>) {
        let said = Message::new(severity, line.into());
        match self.log.back_mut() {
            Some(last) if last.line == said.line => {
                last.times = last.times.saturating_add(1);
                last.at = said.at;
            }
            _ => self.log.push_back(said),
        }
        if self.log.len() > LOG_LINES {
            self.log.pop_front();
        }
    }

    /// Logs a line, and shows it above the picture for a few seconds.
    pub fn announce(&mut self, severity: Severity, line: impl Into<String>) {
        let (line, now) = (line.into(), Instant::now());
        self.above
            .retain(|(message, until)| now < *until && message.line != line);
        if self.above.len() >= LINES_ABOVE {
            let places = 0..self.above.len();
            let first = places.min_by_key(|place| self.above[*place].0.severity);
            first.map(|place| self.above.remove(place));
        }
        let message = Message::new(severity, line.clone());
        self.above.push((message, now + STAYS));
        self.say(severity, line);
    }

    pub fn fail(&mut self, error: &dyn std::fmt::Display) {
        self.announce(Severity::Error, error.to_string());
    }

    /// Reports the result of a pane's action. A failure stays in the pane until one of the pane's actions succeeds.
    pub fn end(&mut self, pane: Option<Pane>, ended: Result<Option<String>>) {
        match ended {
            Ok(line) => {
                pane.and_then(|pane| self.faults.remove(&pane));
                if let Some(line) = line {
                    self.announce(Severity::Note, line);
                }
            }
            Err(error) => {
                self.faults
                    .extend(pane.map(|pane| (pane, error.to_string())));
                self.fail(&error);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn above(messages: &mut Messages, now: Instant) -> Vec<String> {
        let lines = messages.above(now);
        lines.map(|message| message.line.clone()).collect()
    }

    #[test]
    fn an_error_is_still_seen_after_many_notes_and_the_log_keeps_them_all_each_once() {
        let mut messages = Messages::default();
        messages.fail(&"cannot read a file");
        for number in 0..LINES_ABOVE + 3 {
            messages.announce(Severity::Note, format!("saved {number}"));
        }
        let now = Instant::now();
        let shown = above(&mut messages, now);
        assert_eq!(shown.len(), LINES_ABOVE);
        assert_eq!(shown[0], "cannot read a file");
        assert_eq!(shown[LINES_ABOVE - 1], "saved 6");
        assert_eq!(messages.log().count(), LINES_ABOVE + 4);
        messages.announce(Severity::Note, "saved 6");
        assert_eq!(above(&mut messages, Instant::now()).len(), LINES_ABOVE);
        assert_eq!(messages.log().next_back().map(|last| last.times), Some(2));
        assert!(above(&mut messages, now + 2 * STAYS).is_empty());
    }
}
