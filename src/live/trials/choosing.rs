//! Resolves `auto` in a live frame: to the rule's choice, kept until another one has stayed better for a
//! while; or, if the rule names rivals, to the fastest of them by a trial in the frame itself. Knows no wgpu.

use std::sync::Arc;

use super::trial::Trial;
use crate::gpu::{Key, Span};
use crate::methods::Specialization;
use crate::methods::auto::{Choice, Facts, Rule};
use crate::model::Capabilities;
use crate::model::methods::Method;

/// Frames for which another choice must stay better before it is taken, so that methods do not flicker.
pub const PATIENCE: u32 = 30;

/// The choices that are kept: of methods A and B, of hidden ones, and of options that were just left.
const KEPT: usize = 4;

/// A trial's result holds for lists within this factor of the lists it was tried on.
const ALIKE: f64 = 1.25;

#[derive(Default)]
pub(in crate::live) struct Choosing {
    rule: Arc<Rule>,
    frame: u64,
    held: Vec<Held>,
}

struct Held {
    asked: Specialization,
    by_rule: Specialization,
    /// What runs: this, or the fastest of it and its rivals.
    choice: Choice,
    facts: Facts,
    /// Whether a trial was begun for these; and that trial, while it is under way.
    is_tried: bool,
    trial: Option<Trial>,
    /// Whether counters had come back when it was made; without them it is a guess.
    counted: bool,
    /// Consecutive frames in which the rule prefers another choice.
    different: u32,
    frame: u64,
}

impl Choosing {
    /// Begins a frame by `rule`. Forgets choices made by another rule, and those asked for longest ago.
    pub fn begin_frame(&mut self, rule: &Arc<Rule>) {
        if !Arc::ptr_eq(&self.rule, rule) && self.rule != *rule {
            self.held.clear();
        }
        self.rule = Arc::clone(rule);
        self.held.sort_by_key(|held| std::cmp::Reverse(held.frame));
        self.held.truncate(KEPT);
        self.frame += 1;
    }

    /// What runs for `asked` in this frame, however often it is asked. `counted`: `facts` are those of a frame, no guess.
    pub fn specialization(
        &mut self,
        caps: &Capabilities,
        asked: Specialization,
        facts: &Facts,
        counted: bool,
    ) -> Specialization {
        if asked.method != Method::Auto {
            return asked;
        }
        let frame = self.frame;
        let at = self.held.iter().position(|held| held.asked == asked);
        let Some(held) = at.and_then(|at| self.held.get_mut(at)) else {
            let choice = self.rule.choose_to_try(caps, asked, facts);
            let specialization = choice.specialization;
            let trial = Trial::of(&choice, caps.is_cpu).filter(|_| counted);
            self.held.push(Held {
                asked,
                by_rule: specialization,
                facts: *facts,
                is_tried: trial.is_some(),
                trial,
                choice,
                counted,
                different: 0,
                frame,
            });
            return specialization;
        };
        if held.frame != frame {
            let newest = self.rule.choose_to_try(caps, asked, facts);
            held.take(newest, facts, (counted, caps.is_cpu));
            held.frame = frame;
        }
        held.choice.specialization
    }

    /// What a frame composites for the trial under way besides what it shows, with keys of the times: at most `most`.
    pub fn tried(&self, most: usize) -> Vec<(Key, Specialization)> {
        let asked = self.held.iter().filter(|held| held.frame == self.frame);
        let trials = asked.filter_map(|held| held.trial.as_ref());
        trials
            .take(1)
            .flat_map(|trial| trial.passes(most))
            .collect()
    }

    /// The choice under trial: the first that is asked for and has an unfinished trial.
    fn on_trial(&mut self) -> Option<&mut Held> {
        let frame = self.frame;
        let mut held = self.held.iter_mut();
        held.find(|held| held.frame == frame && held.trial.is_some())
    }

    /// Notes that a frame composites these.
    pub fn begin_try(&mut self, tried: &[(Key, Specialization)]) {
        for trial in self.held.iter_mut().filter_map(|held| held.trial.as_mut()) {
            trial.begin(tried);
        }
    }

    /// Takes in the times of a frame's passes, and what they decide.
    pub fn take_times(&mut self, spans: &[Span]) {
        for held in &mut self.held {
            if let Some(trial) = &mut held.trial {
                trial.take(spans);
                if let Some(decided) = trial.result() {
                    held.choice = decided;
                    held.trial = None;
                }
            }
        }
    }

    /// What `asked`, an `auto`, may run on lists like `facts`.
    pub fn to_try(&self, caps: &Capabilities, asked: Specialization, facts: &Facts) -> Choice {
        self.rule.choose_to_try(caps, asked, facts)
    }

    /// Keeps what was decided for `asked` by times that others took, in place of a trial.
    pub fn decide(
        &mut self,
        asked: Specialization,
        by_rule: Specialization,
        decided: Choice,
        facts: &Facts,
    ) {
        self.held.retain(|held| held.asked != asked);
        self.held.push(Held {
            asked,
            by_rule,
            choice: decided,
            facts: *facts,
            is_tried: true,
            trial: None,
            counted: true,
            different: 0,
            frame: self.frame,
        });
    }

    /// Ends the trial that is under way, as what is tried cannot be drawn. What runs goes on.
    pub fn end_trial(&mut self) {
        if let Some(held) = self.on_trial() {
            held.trial = None;
        }
    }

    /// What runs for `asked`: what is kept, or else what the rule makes of it; all that is not `auto` is itself.
    pub fn current(
        &self,
        caps: &Capabilities,
        asked: Specialization,
        facts: &Facts,
    ) -> Specialization {
        let kept = self.held.iter().find(|held| held.asked == asked);
        let by_rule = || self.rule.choose(caps, asked, facts).specialization;
        kept.map_or_else(by_rule, |held| held.choice.specialization)
    }

    /// The choice for `asked`, if it was asked for in this frame.
    pub fn choice(&self, asked: Specialization) -> Option<&Choice> {
        let held = self.held.iter();
        let mut held = held.filter(|held| held.frame == self.frame);
        held.find(|held| held.asked == asked)
            .map(|held| &held.choice)
    }
}

impl Held {
    /// Takes a frame's choice in: at once where it is the same, or the first by counters. What was tried stays as long as the
    /// rule chooses the same for lists that are much the same.
    fn take(&mut self, newest: Choice, facts: &Facts, (counted, is_cpu): (bool, bool)) {
        let is_alike = !self.is_tried || are_alike(&self.facts, facts);
        let holds = newest.specialization == self.by_rule && is_alike;
        let first = counted && !self.counted;
        self.different = if holds || first {
            0
        } else {
            self.different + 1
        };
        if holds && self.is_tried && !first {
            return;
        }
        if holds || first || self.different >= PATIENCE {
            self.by_rule = newest.specialization;
            self.facts = *facts;
            self.trial = Trial::of(&newest, is_cpu).filter(|_| counted);
            self.is_tried = self.trial.is_some();
            // What runs goes on until the trial has decided, if it is one of those tried.
            let is_tried = newest.candidates().contains(&self.choice.specialization);
            let stays = self.is_tried && is_tried && !first;
            if !stays {
                self.choice = newest;
            }
            self.counted = counted;
            self.different = 0;
        }
    }
}

/// Whether what was tried on lists like `a` holds for lists like `b`.
fn are_alike(a: &Facts, b: &Facts) -> bool {
    let near = |a: f64, b: f64| (a + 1.0).max(b + 1.0) <= ALIKE * (a + 1.0).min(b + 1.0);
    a.pixels == b.pixels
        && near(a.mean, b.mean)
        && near(a.longest.into(), b.longest.into())
        && near(a.splats, b.splats)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods::auto::{Calibration, Candidate, Point, SCHEMA, SourceTimes};
    use crate::model::Adapter;
    use crate::model::options::Dial;
    use crate::model::passes::Pass;

    fn caps() -> Capabilities {
        Capabilities {
            waves: true,
            wave_min: 32,
            wave_max: 32,
            max_workgroup_bytes: 32_768,
            ..Capabilities::default()
        }
    }

    /// Facts for which the built-in rule takes different dials.
    fn facts(mean: f64) -> Facts {
        Facts {
            pixels: 160 * 88,
            mean,
            longest: mean as u32,
            ..Facts::default()
        }
    }

    fn auto() -> Specialization {
        Specialization::new(Method::Auto)
    }

    /// Labels of what runs in one frame after the other.
    fn frames(choosing: &mut Choosing, means: &[f64], counted: bool) -> Vec<String> {
        let rule = Arc::new(Rule::BuiltIn);
        let frame = |&mean: &f64| {
            choosing.begin_frame(&rule);
            let runs = choosing.specialization(&caps(), auto(), &facts(mean), counted);
            runs.label()
        };
        means.iter().map(frame).collect()
    }

    #[test]
    fn another_choice_is_taken_only_when_it_stays_better() {
        let mut choosing = Choosing::default();
        let first = frames(&mut choosing, &[100.0], true);
        let patience = PATIENCE as usize;
        let waiting = frames(&mut choosing, &vec![4.0; patience - 1], true);
        assert!(waiting.iter().all(|label| *label == first[0]));
        let other = frames(&mut choosing, &[4.0], true);
        assert_ne!(other, first);
        // Back and forth is no reason.
        let swinging: Vec<f64> = (0..4 * patience)
            .map(|frame| [100.0, 4.0][frame % 2])
            .collect();
        let kept = frames(&mut choosing, &swinging, true);
        assert!(kept.iter().all(|label| *label == other[0]));
    }

    #[test]
    fn a_guess_gives_way_to_the_first_counters() {
        let mut choosing = Choosing::default();
        let guess = frames(&mut choosing, &[4.0, 4.0], false);
        let counted = frames(&mut choosing, &[100.0], true);
        assert_ne!(guess[1], counted[0]);
        // Negative control: between two counted frames it would have waited.
        let later = frames(&mut choosing, &[4.0], true);
        assert_eq!(later, counted);
    }

    #[test]
    fn within_a_frame_it_is_the_same_for_all() {
        let mut choosing = Choosing::default();
        frames(&mut choosing, &[100.0], true);
        let again = choosing.specialization(&caps(), auto(), &facts(4.0), true);
        let choice = choosing.choice(auto()).expect("it was asked for");
        assert_eq!(choice.specialization, again);
        assert_eq!(choosing.current(&caps(), auto(), &facts(4.0)), again);
        let anew = Choosing::default();
        assert_ne!(anew.current(&caps(), auto(), &facts(4.0)), again);
        choosing.begin_frame(&Arc::new(Rule::BuiltIn));
        assert!(choosing.choice(auto()).is_none());
    }

    /// By this rule a thread per pixel is the fastest, two pixels per thread a rival, and four far slower.
    fn calibrated() -> Arc<Rule> {
        let candidate = |dial| Candidate::new(Method::PixelLoopStaged, dial);
        let times = [
            (Dial::Threads(1), 10.0),
            (Dial::Pixels(2), 11.0),
            (Dial::Pixels(4), 20.0),
        ];
        let point = |mean| Point {
            facts: facts(mean),
            times: times.map(|(dial, time)| (candidate(dial), time)).to_vec(),
        };
        Arc::new(Rule::from(Calibration {
            schema: SCHEMA,
            adapter: Adapter::default(),
            unchecked_shaders: false,
            date: "2026-01-31".to_owned(),
            seconds: 1.0,
            maps: vec![SourceTimes {
                synthetic: None,
                tile: 8,
                points: vec![point(20.0), point(200.0)],
            }],
        }))
    }

    /// Draws a frame whose lists have so many layers, in which two pixels per thread take `two` ms and a thread per pixel
    /// 1 ms as everything else, where they are tried. Returns the dial that runs, and whether anything is tried.
    fn tried(choosing: &mut Choosing, rule: &Arc<Rule>, mean: f64, two: f64) -> (Dial, bool) {
        choosing.begin_frame(rule);
        let runs = choosing.specialization(&caps(), auto(), &facts(mean), true);
        let tried = choosing.tried(usize::MAX);
        choosing.begin_try(&tried);
        let span = |(key, of): &(Key, Specialization)| Span {
            label: Pass::Composite.into(),
            key: Some(*key),
            start: 1.0,
            end: 1.0
                + if of.dial() == Dial::Pixels(2) {
                    two
                } else {
                    1.0
                },
        };
        choosing.take_times(&tried.iter().map(span).collect::<Vec<_>>());
        (runs.dial(), !tried.is_empty())
    }

    #[test]
    fn rivals_are_tried_for_some_frames_and_the_fastest_runs_from_then_on() {
        let (one, two) = (Dial::Threads(1), Dial::Pixels(2));
        for (time, expected) in [(0.5, two), (2.0, one), (0.99, one)] {
            let (mut choosing, rule) = (Choosing::default(), calibrated());
            let frames: Vec<_> = (0..20)
                .map(|_| tried(&mut choosing, &rule, 100.0, time))
                .collect();
            assert_eq!(
                frames[..6],
                [(one, true); 6],
                "the choice runs until it is decided"
            );
            assert_eq!(frames[6..], [(expected, false); 14]);
            let why = &choosing.choice(auto()).expect("it was asked for").why;
            assert!(why.contains("measured here"), "{why}");
        }
    }

    #[test]
    fn what_was_tried_holds_for_lists_that_are_much_the_same() {
        let (mut choosing, rule) = (Choosing::default(), calibrated());
        let two = Dial::Pixels(2);
        let mut frames = |mean: f64, time: f64, count: usize| -> Vec<_> {
            let frame = |_| tried(&mut choosing, &rule, mean, time);
            (0..count).map(frame).collect()
        };
        frames(100.0, 0.5, 7);
        // Nothing is tried again, whatever it would take by now.
        assert_eq!(frames(110.0, 2.0, 40), [(two, false); 40]);
        // On other lists it is, once they have stayed for a while; what runs goes on meanwhile.
        let waiting = PATIENCE as usize - 1;
        assert_eq!(frames(150.0, 2.0, waiting), vec![(two, false); waiting]);
        assert_eq!(frames(150.0, 2.0, 6), [(two, true); 6]);
        assert_eq!(frames(150.0, 2.0, 3), [(Dial::Threads(1), false); 3]);
    }

    #[test]
    fn a_trial_ends_without_times_or_when_it_cannot_be_drawn() {
        let (mut choosing, rule) = (Choosing::default(), calibrated());
        // Passes that are too short for their clock have no times; those of others are not taken for them.
        let mut frames = 0;
        loop {
            choosing.begin_frame(&rule);
            let runs = choosing.specialization(&caps(), auto(), &facts(100.0), true);
            assert_eq!(runs.dial(), Dial::Threads(1));
            let tried = choosing.tried(usize::MAX);
            if tried.is_empty() {
                break;
            }
            choosing.begin_try(&tried);
            let (key, _) = tried[0];
            let other = Key {
                set: key.set + 1000,
                ..key
            };
            let spans = [
                Some(key).filter(|key| key.subject == Some(0)),
                Some(other),
                None,
            ];
            let spans = spans.map(|key| Span {
                label: Pass::Composite.into(),
                key,
                start: 0.0,
                end: 1.0,
            });
            choosing.take_times(&spans);
            frames += 1;
            assert!(frames < 100, "it goes on for ever");
        }
        choosing = Choosing::default();
        assert!(tried(&mut choosing, &rule, 100.0, 0.5).1);
        choosing.end_trial();
        assert_eq!(
            tried(&mut choosing, &rule, 100.0, 0.5),
            (Dial::Threads(1), false)
        );
        // Before the first counters nothing is tried: their lists are a guess.
        choosing = Choosing::default();
        choosing.begin_frame(&rule);
        choosing.specialization(&caps(), auto(), &facts(100.0), false);
        assert!(choosing.tried(1).is_empty());
    }

    #[test]
    fn other_methods_run_as_they_are_asked_for() {
        let mut choosing = Choosing::default();
        let asked = Specialization::new(Method::ReadLaneLoop);
        let runs = choosing.specialization(&caps(), asked, &facts(100.0), true);
        assert_eq!(runs, asked);
        assert!(choosing.choice(asked).is_none());
    }
}
