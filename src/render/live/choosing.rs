//! What `auto` stands for in a live frame: the rule's choice, kept until another one has stayed better
//! for a while. Knows no wgpu.

use std::sync::Arc;

use crate::auto::{Choice, Facts, Rule};
use crate::gpu::Capabilities;
use crate::methods::{Method, Specialization};

/// Frames for which another choice has to stay better before it is taken: lists that swing about a
/// boundary of the rule would otherwise flicker between methods.
pub const PATIENCE: u32 = 30;

/// The choices of a live frame.
#[derive(Default)]
pub(super) struct Choosing {
    rule: Arc<Rule>,
    frame: u64,
    held: Vec<Held>,
}

/// A choice that is kept.
struct Held {
    asked: Specialization,
    choice: Choice,
    /// Whether counters had come back when it was made; without them it is a guess.
    counted: bool,
    /// Frames in a row for which the rule would have it otherwise.
    different: u32,
    /// When it was last asked for.
    frame: u64,
}

impl Choosing {
    /// Begins a frame by `rule`. Of another rule nothing is kept, nor of what was not asked for in the
    /// last frame.
    pub fn begin_frame(&mut self, rule: &Arc<Rule>) {
        if !Arc::ptr_eq(&self.rule, rule) && self.rule != *rule {
            self.held.clear();
        }
        self.rule = Arc::clone(rule);
        let last = self.frame;
        self.held.retain(|held| held.frame == last);
        self.frame += 1;
    }

    /// What runs for `asked` in this frame: the same whenever it is asked for. `counted` tells whether
    /// `facts` are those of a frame, not a guess.
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
            let choice = self.rule.choose(caps, asked, facts);
            let specialization = choice.specialization;
            self.held.push(Held {
                asked,
                choice,
                counted,
                different: 0,
                frame,
            });
            return specialization;
        };
        if held.frame != frame {
            held.take(self.rule.choose(caps, asked, facts), counted);
            held.frame = frame;
        }
        held.choice.specialization
    }

    /// What the rule makes of `asked` at once, and of all that is not `auto`: itself.
    pub fn at_once(
        &self,
        caps: &Capabilities,
        asked: Specialization,
        facts: &Facts,
    ) -> Specialization {
        self.rule.choose(caps, asked, facts).specialization
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
    /// Takes a frame's choice in: at once where it is the same, or the first by counters.
    fn take(&mut self, newest: Choice, counted: bool) {
        let same = newest.specialization == self.choice.specialization;
        let first = counted && !self.counted;
        self.different = if same || first { 0 } else { self.different + 1 };
        if same || first || self.different >= PATIENCE {
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
        assert_ne!(choosing.at_once(&caps(), auto(), &facts(4.0)), again);
        choosing.begin_frame(&Arc::new(Rule::BuiltIn));
        assert!(choosing.choice(auto()).is_none());
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
