//! The continuously drawn scene with methods A and B, and a further method that is drawn only to time it. The scene's
//! buffers grow according to counters that are read back.

mod times;

use super::readback::{ReadBackPart, Readbacks};
use super::wanted::Wanted;
use crate::error::Result;
use crate::frame::counters::Counters;
use crate::frame::frame_table::BufferId;
use crate::frame::target::Target;
use crate::frame::{Frame, FrameInput};
use crate::gpu::{Gpu, Pipelines, Recorder};
use crate::methods::Specialization;
use crate::methods::auto::Facts;
use crate::methods::composite::Composites;
use crate::model::passes::Inputs;

pub use times::{ENOUGH, MethodTimes, PassTimes, Times};

/// Assumed maximum growth of lists until the next counters arrive.
const LIST_MARGIN: f32 = 1.5;

mod part {
    pub const COUNTERS: usize = 0;
    pub const RAN_AT: [usize; 2] = [1, 2];
}

pub struct LiveFrame {
    /// Its own target displays method A.
    pub frame: Frame,
    pub other: Target,
    pub counters: Counters,
    pub times: Times,
    /// Wave sizes of A and B. `None` if the kernel could not determine them.
    pub wave_sizes: [Option<u32>; 2],
    /// Number of pixels of A and of B with a sum at the largest half float, or with more layers than there is room for.
    pub overflowed: [u32; 2],
    /// Composites of all frames, displayed or not.
    pub(super) composites: Composites,
    pub(super) readbacks: Readbacks<Note>,
    /// Number of the last drawn scene, or of the next scene after the last one was dropped.
    pub scene: u64,
    /// Number of the scene that `counters` belong to.
    counted: u64,
    /// Largest entry capacity requested so far. It ensures that a failure is reported only once.
    asked_entries: u32,
    /// The last submission, while its result is visible.
    pub(super) drawn: Option<Drawn>,
}

pub(super) struct Note {
    scene: u64,
    /// Inputs that the scene was drawn up to.
    made: Inputs,
    methods: [Option<Specialization>; 2],
}

pub(super) struct Drawn {
    pub wanted: Wanted,
    made: Inputs,
}

impl LiveFrame {
    pub(super) fn new(gpu: &Gpu, pipelines: &Pipelines, input: FrameInput) -> Result<Self> {
        let size = input.shape.size;
        Ok(Self {
            frame: Frame::new(gpu, pipelines, input)?,
            other: Target::new(gpu, size),
            counters: Counters::default(),
            times: Times::default(),
            wave_sizes: [None; 2],
            overflowed: [0; 2],
            composites: Composites::default(),
            readbacks: Readbacks::new("frame read-back"),
            scene: 0,
            counted: 0,
            asked_entries: 0,
            drawn: None,
        })
    }

    pub(super) fn targets(&self) -> [&Target; 2] {
        [&self.frame.target, &self.other]
    }

    /// Facts for the choice of `auto`. Without counters, they contain only the slices of the lists.
    pub(super) fn facts(&self) -> Facts {
        let facts = self.frame.facts(&self.counters);
        Facts {
            longest: facts.longest.max(self.frame.shape().listed_slices()),
            ..facts
        }
    }

    pub(super) fn has_counters(&self) -> bool {
        self.counted > 0 && self.counters.has_lists()
    }

    /// True if the last drawn scene still exists with these inputs, and its counters have arrived.
    pub(super) fn is_counted(&self, inputs: Inputs) -> bool {
        self.scene > 0 && self.scene == self.counted && self.counters.made.have(inputs)
    }

    /// Number of layers missing from the picture: tile entries without room, and uncovered ends of lists. It is 0 after
    /// a few frames.
    pub fn missing_layers(&self) -> u32 {
        let covered = self.composites.covered_layers();
        let beyond = self.counters.longest_list.saturating_sub(covered);
        self.counters.dropped() + beyond
    }

    /// Writes everything that the frame needs, and makes the methods cover the frame's lists.
    pub(super) fn prepare(&mut self, gpu: &Gpu, wanted: &Wanted) -> Result<()> {
        self.frame.fit_macro_tiles(gpu, &self.counters);
        self.frame.set_moment(gpu, wanted.moment);
        self.frame.set_emitters(gpu, &wanted.emitters)?;
        // Kernels on GPUs ignore sections.
        if gpu.caps.is_cpu {
            let [width, height] = self.frame.shape().size;
            for (target, section) in self.targets().into_iter().zip(wanted.sections) {
                target.set_section(gpu, section.unwrap_or([0, 0, width, height]));
            }
        }
        let longest = self
            .counters
            .longest_list
            .max(self.frame.shape().listed_slices());
        let before = self.composites.extent();
        let fitting = |now: u32, before_now: u32| {
            if before.tiles > 0 && now <= before_now {
                before_now
            } else {
                (now as f32 * LIST_MARGIN) as u32 + 64
            }
        };
        let longest = fitting(longest, before.longest_list);
        let listed = fitting(self.counters.listed_layers, before.listed_layers);
        self.composites.fit(self.frame.extent(longest, listed));
        Ok(())
    }

    /// Records the scene up to `inputs`, and each method into its target. The further method goes into `scratch`.
    pub(super) fn record(
        &mut self,
        gpu: &Gpu,
        recorder: &mut Recorder,
        wanted: &Wanted,
        inputs: Inputs,
        scratch: Option<&Target>,
    ) -> Result<()> {
        if wanted.draws_all {
            self.frame.draw_all_next();
        }
        let scene = self.times.begin(wanted.work, self.scene > 0);
        recorder.key = Some(scene);
        self.frame.record_scene(gpu, recorder, inputs)?;
        self.scene += 1;
        for (place, of) in wanted.methods.into_iter().enumerate() {
            let Some(of) = of else {
                continue;
            };
            recorder.key = Some(self.times.record(of, place));
            let target = self.targets()[place];
            self.record_composite(recorder, of, target, 1)?;
            recorder.key = Some(scene);
            self.frame.record_resolve(recorder, target)?;
        }
        if let (Some(further), Some(scratch)) = (wanted.further, scratch) {
            recorder.key = Some(self.times.record(further, 0));
            self.record_composite(recorder, further, scratch, 1)?;
        }
        self.times.note_passes(recorder.passes_of(scene));
        recorder.key = None;
        Ok(())
    }

    /// Index and specialization of A or B, whichever needs more times. `None` if neither does.
    pub(super) fn wants_times(&self, wanted: &Wanted) -> Option<(usize, Specialization)> {
        let both = wanted.methods.into_iter().enumerate();
        let mut shown = both.filter_map(|(place, of)| Some((place, of?)));
        shown.find(|(_, of)| self.times.wants(*of))
    }

    /// True if A or B, as drawn last, needs more times.
    pub fn is_timing(&self) -> bool {
        let drawn = self.drawn.as_ref();
        drawn.is_some_and(|of| self.wants_times(&of.wanted).is_some())
    }

    /// Records A or B again on the current scene, only to time it.
    pub(super) fn record_again(
        &mut self,
        recorder: &mut Recorder,
        (place, of): (usize, Specialization),
    ) -> Result<()> {
        recorder.key = Some(self.times.record(of, place));
        let recorded = self.record_composite(recorder, of, self.targets()[place], 1);
        recorder.key = None;
        recorded
    }

    pub(super) fn record_composite(
        &self,
        recorder: &mut Recorder,
        of: Specialization,
        target: &Target,
        times: u32,
    ) -> Result<()> {
        let composite = self.composites.get(of)?;
        let label = composite.label();
        self.frame
            .record_composite(recorder, composite, target, label, times)
    }

    /// True if a requested method accumulates frames and needs more of them.
    pub(super) fn lacks_frames(&self, wanted: &Wanted) -> bool {
        let mut shown = wanted.methods.iter().flatten();
        let lacks = |of: &Specialization| {
            let composite = self.composites.get(*of);
            composite.is_ok_and(|made| made.lacks_frames(self.frame.changes))
        };
        shown.any(lacks)
    }

    pub(super) fn read_back(
        &mut self,
        gpu: &Gpu,
        recorder: &mut Recorder,
        wanted: &Wanted,
        made: Inputs,
    ) {
        let counters = self.frame.resources.buffer(BufferId::Counters);
        let [a, b] = [&self.frame.target, &self.other].map(|of| ReadBackPart::first(&of.ran_at, 8));
        let parts = [ReadBackPart::first(counters, counters.size()), a, b].map(Some);
        let note = Note {
            scene: self.scene,
            made,
            methods: wanted.methods,
        };
        self.readbacks
            .record(gpu, &mut recorder.encoder, &parts, note);
    }

    pub(super) fn take_readings(&mut self) -> Result<()> {
        while let Some(arrived) = self.readbacks.take()? {
            let words = arrived.part::<u32>(part::COUNTERS);
            self.counters = Counters::from_words(&words, arrived.note.made);
            self.counted = arrived.note.scene;
            for (index, size) in self.wave_sizes.iter_mut().enumerate() {
                let ran_at = arrived.wave_size(part::RAN_AT[index]);
                *size = arrived.note.methods[index].and(ran_at);
                let overflowed = arrived.part::<u32>(part::RAN_AT[index]);
                self.overflowed[index] = overflowed.get(1).copied().unwrap_or(0);
            }
        }
        Ok(())
    }

    pub(super) fn grow(&mut self, gpu: &Gpu) -> Result<()> {
        let needed = self.counters.entries_needed;
        if !self.counters.has_lists()
            || needed <= self.frame.shape().entry_capacity
            || needed <= self.asked_entries
        {
            return Ok(());
        }
        self.asked_entries = needed;
        self.frame.grow(gpu, needed.saturating_add(needed / 4))?;
        self.composites.clear();
        // The drawn scene is gone with the old buffers. Its counters may still arrive.
        self.scene += 1;
        Ok(())
    }

    pub(super) fn note_drawn(&mut self, wanted: &Wanted, made: Inputs) {
        self.drawn = Some(Drawn {
            wanted: wanted.clone(),
            made,
        });
    }

    /// Forgets the drawn scene, because a later recording failed.
    pub(super) fn forget_drawn(&mut self) {
        self.drawn = None;
        self.frame.draw_all_next();
    }

    pub(super) fn shows(&self, wanted: &Wanted, inputs: Inputs) -> bool {
        let drawn = self.drawn.as_ref();
        drawn.is_some_and(|drawn| drawn.made.have(inputs) && drawn.wanted == *wanted)
    }

    pub(super) fn is_complete(&self, inputs: Inputs) -> bool {
        self.is_counted(inputs) && self.missing_layers() == 0
    }
}
