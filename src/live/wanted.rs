//! What is wanted of a live frame.

use super::looking::{DebugView, ProbeWanted, Region};
use crate::frame::Moment;
use crate::methods::Specialization;
use crate::model::layout::Emitter;
use crate::model::passes::Inputs;

/// What a live frame draws.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wanted {
    /// Camera, light and time.
    pub moment: Moment,
    /// Written to the GPU where they differ from what is there; as many as the frame was made with.
    pub emitters: Vec<Emitter>,
    /// Method A into the frame's own target, method B into the other.
    pub methods: [Option<Specialization>; 2],
    /// What of the frame each of them composites, pixels: left, top, and the first ones to the right and below, at edges of
    /// tiles; all of it where none is said, and on GPUs.
    pub sections: [Option<[u32; 4]>; 2],
    /// A method that is not shown, composited only for its time; ignored where it is one of those shown.
    pub further: Option<Specialization>,
    /// Measures A against B; pixels further apart than this are counted. Needs both methods.
    pub metrics: Option<f32>,
    /// What goes into [`Looking::debug_values`](super::Looking::debug_values).
    pub debug: Option<DebugView>,
    /// Which pixel is looked into; ignored outside the frame.
    pub probe: Option<ProbeWanted>,
    /// Whose values come back of both methods; what lies outside the frame is left out.
    pub region: Option<Region>,
    /// Number of the work that it is: times are of one number alone.
    pub work: u64,
    /// Draw the frame once and leave it until something else is wanted; else draw it again and again, for current times.
    pub once: bool,
    /// Have the device draw the frame piece by piece, over several calls, and drop the rest where something else is wanted.
    pub in_pieces: bool,
    /// Without times, which lets pieces be shorter than passes.
    pub untimed: bool,
    /// Draw also passes whose inputs have not changed, for a recording that shows them all.
    pub draws_all: bool,
}

impl Wanted {
    /// The early-out threshold, which is one for all methods; 0 where no method is shown.
    pub(super) fn early_out(&self) -> f32 {
        let mut shown = self.methods.iter().flatten();
        shown.next().map_or(0.0, |of| of.options.frame.early_out)
    }

    /// Every composite that the frame needs.
    pub(super) fn composites(&self) -> impl Iterator<Item = Specialization> {
        let shown = self.methods.iter().flatten();
        let probed = self.probe.iter().flat_map(|probe| &probe.methods);
        shown.chain(probed).chain(&self.further).copied()
    }

    /// What the frame has to have made for all that looks at it. `auto`, before it is replaced, needs lists to choose by.
    pub(super) fn inputs(&self) -> Inputs {
        let of_methods = self.composites().map(|of| of.inputs());
        let of_probe = self.probe.iter().map(|_| Inputs::LISTS);
        let of_view = self.debug.map(DebugView::inputs);
        let all = of_methods.chain(of_probe).chain(of_view);
        Inputs::of(all).unwrap_or(Inputs::OPAQUE)
    }

    /// Whether it composites something that is not shown.
    pub(super) fn has_hidden(&self) -> bool {
        self.further.is_some() || self.probe.is_some()
    }
}
