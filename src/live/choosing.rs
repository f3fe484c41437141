//! Choices of `auto` in a live frame. It runs the fastest method of the last measurement while the lists resemble the
//! measured ones, and otherwise the rule's choice. Independent of wgpu.

use super::wanted::Wanted;
use crate::methods::Specialization;
use crate::methods::auto::{self, Choice, Facts};
use crate::model::Capabilities;
use crate::model::methods::Method;

/// Number of frames for which another choice must stay better before it is adopted. This keeps methods from flickering.
pub const PATIENCE: u32 = 30;

/// Number of stored choices: for A and B, hidden methods, and recently changed options.
const KEPT: usize = 4;

#[derive(Default)]
pub(super) struct Choosing {
    frame: u64,
    stored: Vec<StoredChoice>,
    measured: Option<Measured>,
    pub asked: [Option<Specialization>; 2],
}

struct StoredChoice {
    asked: Specialization,
    choice: Choice,
    /// True if the choice is based on counters. Otherwise it is a guess.
    counted: bool,
    different: u32,
    frame: u64,
}

/// The fastest method of a measurement, and facts about the measured lists.
struct Measured {
    asked: Specialization,
    facts: Facts,
    choice: Choice,
}

impl Choosing {
    /// Begins a frame, and replaces every `auto` in the request. `counted` is true if `facts` come from a frame's
    /// counters.
    pub fn resolve(
        &mut self,
        caps: &Capabilities,
        mut wanted: Wanted,
        facts: &Facts,
        counted: bool,
    ) -> Wanted {
        self.begin_frame();
        self.asked = wanted.methods;
        let mut choose = |asked| self.specialization(caps, asked, facts, counted);
        wanted.methods = wanted.methods.map(|asked| asked.map(&mut choose));
        let shown = wanted.methods.map(|shown| shown.map(|of| of.method));
        let further = wanted.further.map(&mut choose);
        wanted.further = further.filter(|further| !shown.contains(&Some(further.method)));
        if let Some(probe) = &mut wanted.probe {
            probe.methods = probe.methods.iter().copied().map(choose).collect();
        }
        wanted
    }

    /// Drops the choices that have not been requested for the longest time.
    fn begin_frame(&mut self) {
        self.stored
            .sort_by_key(|stored| std::cmp::Reverse(stored.frame));
        self.stored.truncate(KEPT);
        self.frame += 1;
    }

    /// Specialization that runs for `asked` in this frame. Every call in a frame returns the same.
    fn specialization(
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
        let at = self.stored.iter().position(|stored| stored.asked == asked);
        if at.is_some_and(|at| self.stored[at].frame == frame) {
            return self.current(caps, asked, facts);
        }
        let newest = self.newest(caps, asked, facts);
        let Some(stored) = at.and_then(|at| self.stored.get_mut(at)) else {
            let specialization = newest.specialization;
            self.stored.push(StoredChoice {
                asked,
                choice: newest,
                counted,
                different: 0,
                frame,
            });
            return specialization;
        };
        stored.take(newest, counted);
        stored.frame = frame;
        stored.choice.specialization
    }

    /// The choice for lists like `facts`, regardless of earlier choices.
    fn newest(&self, caps: &Capabilities, asked: Specialization, facts: &Facts) -> Choice {
        let measured = self.measured.iter();
        let mut measured = measured.filter(|of| of.asked == asked && of.facts.are_like(facts));
        let by_rule = || auto::choice(caps, asked, facts);
        measured.next().map_or_else(by_rule, |of| of.choice.clone())
    }

    /// Adopts a measurement's result immediately, because the user has waited for it. `facts` describe the measured
    /// lists.
    pub fn take_measured(&mut self, asked: Specialization, choice: Choice, facts: Facts) {
        self.stored.retain(|stored| stored.asked != asked);
        self.stored.push(StoredChoice {
            asked,
            choice: choice.clone(),
            counted: true,
            different: 0,
            frame: self.frame,
        });
        self.measured = Some(Measured {
            asked,
            facts,
            choice,
        });
    }

    /// Specialization for `asked`: the stored choice, otherwise the choice for lists like `facts`. Methods other than
    /// `auto` are returned unchanged.
    pub fn current(
        &self,
        caps: &Capabilities,
        asked: Specialization,
        facts: &Facts,
    ) -> Specialization {
        let kept = self.stored.iter().find(|stored| stored.asked == asked);
        let newest = || self.newest(caps, asked, facts).specialization;
        kept.map_or_else(newest, |stored| stored.choice.specialization)
    }

    /// The choice for A if A is `auto`, otherwise for B.
    pub fn choice(&self) -> Option<&Choice> {
        let mut asked = self.asked.iter().flatten();
        asked.find_map(|asked| self.choice_for(*asked))
    }

    /// The choice for `asked`, if this frame requested it.
    fn choice_for(&self, asked: Specialization) -> Option<&Choice> {
        let mut stored = self.stored.iter();
        let stored = stored.find(|stored| stored.frame == self.frame && stored.asked == asked);
        stored.map(|stored| &stored.choice)
    }
}

impl StoredChoice {
    /// Adopts a frame's choice immediately if it equals the current choice or is the first with counters. Other choices
    /// are adopted after [`PATIENCE`] frames.
    fn take(&mut self, newest: Choice, counted: bool) {
        let is_same = newest.specialization == self.choice.specialization;
        let is_first = counted && !self.counted;
        self.different += 1;
        if is_same || is_first || self.different >= PATIENCE {
            self.choice = newest;
            self.counted = counted;
            self.different = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caps() -> Capabilities {
        Capabilities {
            waves: true,
            wave_min: 32,
            wave_max: 32,
            max_workgroup_bytes: 32_768,
            ..Capabilities::default()
        }
    }

    /// Facts that make the built-in rule's dial depend on the mean.
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

    /// Labels of the methods that run in consecutive frames.
    fn frames(choosing: &mut Choosing, means: &[f64], counted: bool) -> Vec<String> {
        let frame = |&mean: &f64| {
            choosing.begin_frame();
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
        // Oscillating facts do not change the choice.
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
        // Negative control: between two frames with counters, a change would have waited.
        let later = frames(&mut choosing, &[4.0], true);
        assert_eq!(later, counted);
    }

    #[test]
    fn within_a_frame_it_is_the_same_for_all() {
        let mut choosing = Choosing::default();
        frames(&mut choosing, &[100.0], true);
        let again = choosing.specialization(&caps(), auto(), &facts(4.0), true);
        let choice = choosing.choice_for(auto()).expect("it was asked for");
        assert_eq!(choice.specialization, again);
        assert_eq!(choosing.current(&caps(), auto(), &facts(4.0)), again);
        let anew = Choosing::default();
        assert_ne!(anew.current(&caps(), auto(), &facts(4.0)), again);
        choosing.begin_frame();
        assert!(choosing.choice_for(auto()).is_none());
    }

    #[test]
    fn the_measured_fastest_runs_on_lists_like_those_measured_and_the_rule_chooses_for_others() {
        let mut choosing = Choosing::default();
        let by_rule = frames(&mut choosing, &[100.0], true).remove(0);
        let candidates = auto::candidates(&caps(), auto(), &facts(100.0));
        let time = |of: &Specialization| {
            Some(if of.runs == Method::WaveTree {
                1.0
            } else {
                2.0
            })
        };
        let times: Vec<_> = candidates.iter().map(time).collect();
        let fastest = auto::fastest(&candidates, &times).expect("there are times");
        let label = fastest.specialization.label();
        choosing.take_measured(auto(), fastest, facts(100.0));
        let mut all_run = |mean, runs: &str| {
            let frames = frames(&mut choosing, &[mean; PATIENCE as usize], true);
            let (last, waiting) = frames.split_last().expect("frames");
            assert_eq!(last, runs, "{mean}");
            waiting.to_vec()
        };
        assert!(all_run(100.0, &label).contains(&label));
        assert!(all_run(120.0, &label).contains(&label));
        // Longer lists switch to the rule's choice after a while. Lists like the measured ones switch back.
        let waiting = all_run(140.0, &by_rule);
        assert!(waiting.iter().all(|runs| *runs == label));
        assert!(!all_run(100.0, &label).contains(&label));
    }
}
