//! Recent GPU times of every pass, and of every method with all its passes. The first run of a pipeline does not count.
//! Times belong to the work that the frames were drawn for. When the work changes, the times start over.

use std::collections::VecDeque;

use crate::gpu::{Key, Span};
use crate::methods::Specialization;
use crate::model::passes::{Inputs, Label};
use crate::model::samples::Sorted;

/// Number of times stored per pass and per method.
const OF_PASSES: usize = 240;
const OF_METHODS: usize = 60;
/// Number of times of a method that allows conclusions.
pub const ENOUGH: usize = 5;
/// A method without enough times after this many recordings is considered too short for its clock.
const MOST_TRIES: usize = 4 * ENOUGH;
/// A pass of the scene without any time after this many recordings is considered too short.
const MOST_FRAMES: usize = 8;

/// Recent GPU times of a pass in milliseconds, newest last.
#[derive(Clone, Debug)]
pub struct PassTimes {
    pub label: Label,
    /// Limited to a few seconds.
    pub samples: VecDeque<f64>,
    /// Number of times received since the frame was created, including dropped ones.
    pub taken: u64,
    /// Number of the latest timed frame with this pass. A method timed separately counts towards the frame before.
    pub frame: u64,
    /// Number of the work, which frames of the same work share.
    pub of: u64,
}

impl PassTimes {
    /// Last time, median and 75th percentile in milliseconds, over the number of recent times that methods use.
    pub fn statistics(&self) -> Option<[f64; 3]> {
        let last = *self.samples.back()?;
        let newest = self.samples.len().saturating_sub(OF_METHODS);
        let newest: Vec<f64> = self.samples.range(newest..).copied().collect();
        let sorted = Sorted::new(&newest)?;
        Some([last, sorted.median(), sorted.percentile(75)])
    }
}

/// Recent GPU times of a method in milliseconds, one per run, with all its passes.
#[derive(Clone, Debug)]
pub struct MethodTimes {
    /// Specialization that ran. For `auto`, the chosen one.
    pub of: Specialization,
    /// Newest last.
    pub samples: VecDeque<f64>,
    /// Number of times received, including dropped ones.
    pub taken: u64,
    /// Key set of the method's passes.
    pub set: u64,
    tries: usize,
}

impl MethodTimes {
    /// Creates the times of a method. `taken` times were received, and the latest of them are stored.
    pub fn new(
        of: Specialization,
        set: u64,
        samples: impl IntoIterator<Item = f64>,
        taken: u64,
    ) -> Self {
        Self {
            of,
            samples: samples.into_iter().collect(),
            taken,
            set,
            tries: 0,
        }
    }

    fn wants_more(&self) -> bool {
        self.samples.len() < ENOUGH && self.tries < MOST_TRIES
    }
}

#[derive(Default)]
pub struct Times {
    /// In frame order.
    pub passes: Vec<PassTimes>,
    /// Times of every method that ran for the current work.
    pub methods: Vec<MethodTimes>,
    work: u64,
    scene: u64,
    /// Number of recordings of the scene's passes, and the passes themselves.
    scene_tries: usize,
    scene_passes: Vec<Label>,
    /// Earlier specializations with warm pipelines.
    warm: Vec<Specialization>,
    /// Number of frames of the scene for which times have arrived.
    frames: u64,
}

impl Times {
    /// Begins a frame for this work. Returns the key of the scene's passes.
    pub(super) fn begin(&mut self, work: u64, is_warm: bool) -> Key {
        if work != self.work || self.scene == 0 {
            (self.work, self.scene) = (work, Key::new_set());
            self.scene_tries = 0;
            self.methods.clear();
        }
        self.scene_tries += 1;
        Key {
            set: self.scene,
            subject: None,
            counts: is_warm,
        }
    }

    pub(super) fn note_passes(&mut self, passes: impl Iterator<Item = Label>) {
        self.scene_passes.clear();
        self.scene_passes.extend(passes);
    }

    /// Notes the `place`th recording of `of` in this frame. Returns the key of its passes.
    pub(super) fn record(&mut self, of: Specialization, place: usize) -> Key {
        let at = self
            .methods
            .iter()
            .position(|times| times.of.method == of.method);
        let at = match at {
            Some(at) if self.methods[at].of == of => at,
            at => {
                let new = MethodTimes::new(of, Key::new_set(), [], 0);
                match at {
                    Some(at) => self.methods[at] = new,
                    None => self.methods.push(new),
                }
                at.unwrap_or(self.methods.len() - 1)
            }
        };
        self.methods[at].tries += 1;
        let is_warm = self.warm.contains(&of);
        if !is_warm {
            self.warm.push(of);
        }
        Key {
            set: self.methods[at].set,
            subject: Some(place),
            counts: is_warm,
        }
    }

    /// True if the scene must be drawn again to time its passes, because pipelines were cold or the clock missed a
    /// pass.
    pub(in crate::live) fn wants_frame(&self) -> bool {
        let has_time = |label: &Label| {
            let mut passes = self.passes.iter();
            passes.any(|pass| pass.label == *label && pass.of == self.scene)
        };
        self.scene_tries < MOST_FRAMES && !self.scene_passes.iter().all(has_time)
    }

    /// Milliseconds of the passes that make `inputs`. A pass too short for the clock counts as 0. `None` if no pass has
    /// a time.
    pub(in crate::live) fn of_inputs(&self, inputs: Inputs) -> Option<f64> {
        let recorded = inputs.passes().map(Label::from);
        let recorded = recorded.filter(|label| self.scene_passes.contains(label));
        let median = |label: Label| {
            let mut passes = self.passes.iter();
            let pass = passes.find(|pass| pass.label == label && pass.of == self.scene)?;
            let [_, median, _] = pass.statistics()?;
            Some(median)
        };
        recorded.filter_map(median).reduce(|sum, time| sum + time)
    }

    /// True if a method needs more times of this work to allow conclusions.
    pub(super) fn wants(&self, of: Specialization) -> bool {
        let known = self.methods.iter().find(|times| times.of == of);
        known.is_none_or(MethodTimes::wants_more)
    }

    pub fn take(&mut self, spans: Vec<Span>) {
        let is_of_scene = |span: &Span| span.key.is_some_and(|key| key.set == self.scene);
        self.frames += u64::from(spans.iter().any(is_of_scene));
        let mut runs: Vec<(Key, f64)> = Vec::new();
        for span in spans {
            let Some(key) = span.key.filter(|key| key.counts) else {
                continue;
            };
            let time = span.milliseconds();
            let is_of_method = self.methods.iter().any(|times| times.set == key.set);
            if is_of_method {
                match runs.iter_mut().find(|run| run.0 == key) {
                    Some(run) => run.1 += time,
                    None => runs.push((key, time)),
                }
            } else if key.set != self.scene {
                continue;
            }
            self.add(span.label, time);
        }
        for (key, time) in runs {
            let times = self.methods.iter_mut().find(|times| times.set == key.set);
            if let Some(times) = times {
                times.taken += 1;
                times.samples.push_back(time);
                if times.samples.len() > OF_METHODS {
                    times.samples.pop_front();
                }
            }
        }
    }

    /// Adds the time of a pass, which may be its first. If both A and B have the pass in a frame, as with bloom, the
    /// times are added up. A method's own passes get their times one by one.
    fn add(&mut self, label: Label, milliseconds: f64) {
        let index = match self.passes.iter().position(|times| times.label == label) {
            Some(index) => index,
            None => {
                self.passes.push(PassTimes {
                    label,
                    samples: VecDeque::new(),
                    taken: 0,
                    frame: 0,
                    of: 0,
                });
                self.passes.len() - 1
            }
        };
        let pass = &mut self.passes[index];
        if pass.of != self.scene {
            pass.of = self.scene;
            pass.samples.clear();
        }
        let is_again =
            !pass.samples.is_empty() && pass.frame == self.frames && pass.label.method.is_none();
        if let Some(sum) = pass.samples.back_mut().filter(|_| is_again) {
            *sum += milliseconds;
            return;
        }
        pass.taken += 1;
        pass.frame = self.frames;
        pass.samples.push_back(milliseconds);
        if pass.samples.len() > OF_PASSES {
            pass.samples.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::methods::Method;
    use crate::model::passes::Pass;

    fn span(label: impl Into<Label>, key: Key, time: f64) -> Span {
        Span {
            label: label.into(),
            key: Some(key),
            start: 0.0,
            end: time,
        }
    }

    /// A frame for this work: the scene's pass, bloom of A and of B, and both methods.
    fn frame(times: &mut Times, work: u64, methods: [Method; 2]) -> Vec<Span> {
        let scene = times.begin(work, true);
        let mut spans = vec![span(Pass::Project, scene, 3.0)];
        for (place, method) in methods.into_iter().enumerate() {
            let key = times.record(Specialization::new(method), place);
            let time = 5.0 + place as f64;
            spans.push(span(Label::of(method), key, time));
            spans.push(span(Label::of(method).part("join"), key, 1.0));
            spans.push(span(Pass::Bloom, scene, 0.5));
        }
        let of_scene = spans.iter().filter(|span| span.key == Some(scene));
        times.note_passes(of_scene.map(|span| span.label));
        spans
    }

    fn samples(times: &Times, method: Method) -> Vec<f64> {
        let of = times.methods.iter().find(|times| times.of.method == method);
        of.map_or_else(Vec::new, |of| of.samples.iter().copied().collect())
    }

    const BOTH: [Method; 2] = [Method::PixelLoop, Method::WaveTree];

    #[test]
    fn a_run_is_all_passes_of_a_method_and_the_first_does_not_count() {
        let mut times = Times::default();
        for _ in 0..3 {
            let spans = frame(&mut times, 1, BOTH);
            times.take(spans);
        }
        assert_eq!(samples(&times, BOTH[0]), [6.0, 6.0]);
        assert_eq!(samples(&times, BOTH[1]), [7.0, 7.0]);
        let mut passes = times.passes.iter();
        let bloom = passes.find(|times| times.label == Pass::Bloom.into());
        let bloom = bloom.expect("it was timed");
        assert_eq!(bloom.samples, [1.0; 3], "A's and B's together");
        // A method displayed on both sides runs twice per frame.
        let spans = frame(&mut times, 1, [BOTH[0]; 2]);
        times.take(spans);
        assert_eq!(samples(&times, BOTH[0]), [6.0, 6.0, 6.0, 7.0]);
    }

    #[test]
    fn a_scene_is_drawn_again_until_each_of_its_passes_has_a_time_or_was_often_missed() {
        let mut times = Times::default();
        let mut spans = frame(&mut times, 1, BOTH);
        let bloom = spans.pop();
        spans.retain(|span| span.label != Pass::Bloom.into());
        times.take(spans);
        assert!(times.wants_frame());
        times.take(bloom.into_iter().collect());
        assert!(!times.wants_frame());
        // Times start over for other work. If the clock misses a pass every time, redrawing must end.
        for tries in 1..=MOST_FRAMES {
            let mut spans = frame(&mut times, 2, BOTH);
            spans.retain(|span| span.label != Pass::Bloom.into());
            times.take(spans);
            assert_eq!(times.wants_frame(), tries < MOST_FRAMES);
        }
    }

    #[test]
    fn what_inputs_take_is_the_time_of_their_passes_and_nothing_of_what_is_too_short() {
        let mut times = Times::default();
        assert_eq!(times.of_inputs(Inputs::LISTS), None);
        let scene = times.begin(1, true);
        let recorded = [Pass::Project, Pass::Bin, Pass::Lists, Pass::Resolve];
        times.note_passes(recorded.map(Label::from).into_iter());
        times.take(vec![
            span(Pass::Project, scene, 3.0),
            span(Pass::Lists, scene, 2.0),
            span(Pass::Resolve, scene, 9.0),
        ]);
        assert_eq!(times.of_inputs(Inputs::LISTS), Some(5.0));
        assert_eq!(times.of_inputs(Inputs::VISIBLE_ITEMS), Some(3.0));
    }

    #[test]
    fn a_method_that_is_timed_alone_belongs_to_the_frame_before() {
        let mut times = Times::default();
        for _ in 0..2 {
            let spans = frame(&mut times, 1, BOTH);
            times.take(spans);
        }
        let key = times.record(Specialization::new(BOTH[0]), 0);
        times.take(vec![span(Label::of(BOTH[0]), key, 9.0)]);
        assert_eq!(samples(&times, BOTH[0]), [6.0, 9.0]);
        assert!(times.passes.iter().all(|pass| pass.frame == 2));
    }

    #[test]
    fn times_of_other_work_count_for_nobody_however_late_they_come() {
        let mut times = Times::default();
        let cold = frame(&mut times, 1, BOTH);
        let late = frame(&mut times, 1, BOTH);
        let newer = frame(&mut times, 2, BOTH);
        for spans in [cold, late] {
            times.take(spans);
        }
        assert!(samples(&times, BOTH[0]).is_empty());
        assert!(times.wants(Specialization::new(BOTH[0])));
        times.take(newer);
        assert_eq!(samples(&times, BOTH[0]), [6.0]);
        assert_eq!(times.passes[0].samples.len(), 1);
    }
}
