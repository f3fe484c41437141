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
    /// Emitters, written to the GPU if they have changed. Their number must stay the same.
    pub emitters: Vec<Emitter>,
    /// Method A is drawn into the frame's own target, method B into the other.
    pub methods: [Option<Specialization>; 2],
    /// Pixels of the frame that each method composites: left, top, and the exclusive right and bottom, at tile edges.
    /// `None` for the whole frame, and always on GPUs.
    pub sections: [Option<[u32; 4]>; 2],
    /// A method that is composited only to time it. Ignored if it is displayed.
    pub further: Option<Specialization>,
    /// If set, A is measured against B, and pixels with a larger difference are counted. Needs both methods.
    pub metrics: Option<f32>,
    /// View written to [`Looking::debug_values`](super::Looking::debug_values).
    pub debug: Option<DebugView>,
    /// Pixel to inspect. Ignored outside the frame.
    pub probe: Option<ProbeWanted>,
    /// Region for reading back the values of both methods, clipped to the frame.
    pub region: Option<Region>,
    /// Number of the work. Times are kept only for frames with the same number.
    pub work: u64,
    /// True to draw the frame once and keep it until the request changes. Otherwise the frame is drawn continuously, so
    /// that its times stay current.
    pub once: bool,
    /// True to draw the frame piece by piece, over several calls. If the request changes, the remaining pieces are
    /// dropped.
    pub in_pieces: bool,
    /// True to take no times. Pieces can then be shorter than passes.
    pub untimed: bool,
    /// True to also draw passes with unchanged inputs, for a recording that shows all passes.
    pub draws_all: bool,
}

impl Wanted {
    /// Early-out threshold of all methods. 0 if no method is shown.
    pub(super) fn early_out(&self) -> f32 {
        let mut shown = self.methods.iter().flatten();
        shown.next().map_or(0.0, |of| of.options.frame.early_out)
    }

    pub(super) fn composites(&self) -> impl Iterator<Item = Specialization> {
        let shown = self.methods.iter().flatten();
        let probed = self.probe.iter().flat_map(|probe| &probe.methods);
        shown.chain(probed).chain(&self.further).copied()
    }

    /// Inputs of methods and inspections. While `auto` is not replaced, it needs lists to base its choice on.
    pub(super) fn inputs(&self) -> Inputs {
        let of_methods = self.composites().map(|of| of.inputs());
        let of_probe = self.probe.iter().map(|_| Inputs::LISTS);
        let of_view = self.debug.map(DebugView::inputs);
        let all = of_methods.chain(of_probe).chain(of_view);
        Inputs::of(all).unwrap_or(Inputs::OPAQUE)
    }

    /// True if the request composites anything that is not displayed.
    pub(super) fn has_hidden(&self) -> bool {
        self.further.is_some() || self.probe.is_some()
    }
}
