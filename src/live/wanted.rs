//! Request for a live frame.

use super::looking::debug::DebugView;
use super::looking::probe::ProbeWanted;
use super::looking::region::Region;
use crate::frame::Moment;
use crate::methods::Specialization;
use crate::model::layout::Emitter;
use crate::model::passes::Inputs;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wanted {
    pub moment: Moment,
    /// Written to the GPU if changed; as many as the frame was created with.
    pub emitters: Vec<Emitter>,
    /// Method A into the frame's own target, method B into the other.
    pub methods: [Option<Specialization>; 2],
    /// Pixels of the frame that each of them composites: left, top, and the exclusive right and bottom, at tile
    /// edges. The whole frame if `None`, and always on GPUs.
    pub sections: [Option<[u32; 4]>; 2],
    /// A method that is not displayed, composited only for its time; ignored if it is displayed.
    pub further: Option<Specialization>,
    /// Measures A against B, and counts pixels with larger differences than this. Needs both methods.
    pub metrics: Option<f32>,
    /// Content of [`Looking::debug_values`](super::Looking::debug_values).
    pub debug: Option<DebugView>,
    /// Pixel to inspect; ignored outside the frame.
    pub probe: Option<ProbeWanted>,
    /// Region whose values are read back for both methods; clipped to the frame.
    pub region: Option<Region>,
    /// Number of the work: times belong to one number.
    pub work: u64,
    /// True to draw the frame once and keep it until something else is wanted; otherwise draws continuously, for
    /// current times.
    pub once: bool,
    /// Have the device draw the frame piece by piece, over several calls, and drop the rest where something else is wanted.
    pub in_pieces: bool,
    /// Without times, which lets pieces be shorter than passes.
    pub untimed: bool,
    /// True to also draw passes with unchanged inputs, for a recording that shows all of them.
    pub draws_all: bool,
}

impl Wanted {
    /// Early-out threshold, common to all methods; 0 if no method is shown.
    pub(super) fn early_out(&self) -> f32 {
        let mut shown = self.methods.iter().flatten();
        shown.next().map_or(0.0, |of| of.options.frame.early_out)
    }

    pub(super) fn composites(&self) -> impl Iterator<Item = Specialization> {
        let shown = self.methods.iter().flatten();
        let probed = self.probe.iter().flat_map(|probe| &probe.methods);
        shown.chain(probed).chain(&self.further).copied()
    }

    /// Inputs needed by methods and inspections. Before it is replaced, `auto` needs lists to choose by.
    pub(super) fn inputs(&self) -> Inputs {
        let of_methods = self.composites().map(|of| of.inputs());
        let of_probe = self.probe.iter().map(|_| Inputs::LISTS);
        let of_view = self.debug.map(DebugView::inputs);
        let all = of_methods.chain(of_probe).chain(of_view);
        Inputs::of(all).unwrap_or(Inputs::OPAQUE)
    }

    /// True if it composites anything that is not displayed.
    pub(super) fn has_hidden(&self) -> bool {
        self.further.is_some() || self.probe.is_some()
    }
}
