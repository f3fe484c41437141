//! A composite of a frame as a timer runs it.

use crate::frame::Frame;
use crate::methods::Composite;
use crate::runs::Subject;

impl Frame {
    /// A composite of this frame's lists, to be timed.
    pub fn subject<'s>(&'s self, composite: &'s Composite) -> Subject<'s> {
        Subject::new(move |recorder, times| {
            let label = composite.label();
            self.record_composite(recorder, composite, &self.target, label, times)
        })
    }
}
