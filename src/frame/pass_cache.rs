//! Skips a pass while its inputs are unchanged. Only passes that depend on neither time nor camera are skipped. All
//! others run in every frame even if nothing moves, so that their times equal those of a moving frame.

use std::sync::Mutex;

use crate::error::Result;
use crate::gpu::pipeline::draw::DrawPipeline;
use crate::gpu::{Binds, Gpu};
use crate::workers::lock;

/// Inputs of a pass that may change during a frame's life.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sources {
    /// Bind groups of the pipelines. Replacing a pipeline, buffer or texture replaces the group.
    groups: Vec<wgpu::BindGroup>,
    /// Frame constants that the pipelines read.
    constants: [[f32; 4]; 4],
    /// Number of device faults so far. A fault leaves the drawn content unknown.
    faults: u64,
}

impl Sources {
    /// Sources of a pass that only clears its targets.
    pub fn none(gpu: &Gpu) -> Self {
        Self {
            groups: Vec::new(),
            constants: [[0.0; 4]; 4],
            faults: gpu.fault_count(),
        }
    }

    /// Sources of a pass that draws with `pipelines` and resources of `binds`, and reads `constants` of the frame.
    /// `None` if a pipeline is made from edited shaders, which may read other constants, such as the time.
    pub fn of<'a>(
        gpu: &Gpu,
        pipelines: impl IntoIterator<Item = &'a DrawPipeline>,
        binds: &Binds,
        constants: [[f32; 4]; 4],
    ) -> Result<Option<Self>> {
        let mut groups = Vec::new();
        for pipeline in pipelines {
            let (built, group) = pipeline.bind(&[binds])?;
            if !built.is_embedded {
                return Ok(None);
            }
            groups.push(group);
        }
        Ok(Some(Self {
            groups,
            constants,
            faults: gpu.fault_count(),
        }))
    }
}

#[derive(Debug, Default)]
pub(super) struct PassCache(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    drawn_of: Option<Sources>,
    /// True if the last frame skipped the pass.
    is_left: bool,
}

impl PassCache {
    /// True if a pass with the given `sources` must be drawn in the current frame, as without sources. The pass then
    /// counts as drawn.
    pub fn is_stale(&self, sources: Option<Sources>) -> bool {
        let mut known = lock(&self.0);
        let is_stale = sources.is_none() || known.drawn_of != sources;
        *known = Known {
            drawn_of: sources,
            is_left: !is_stale,
        };
        is_stale
    }

    pub fn is_left(&self) -> bool {
        lock(&self.0).is_left
    }

    /// Makes the next frame draw the pass.
    pub fn forget(&self) {
        lock(&self.0).drawn_of = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(constant: f32, faults: u64) -> Option<Sources> {
        Some(Sources {
            groups: Vec::new(),
            constants: [[constant; 4]; 4],
            faults,
        })
    }

    #[test]
    fn a_pass_is_drawn_again_where_a_source_is_another_or_not_known_or_it_was_forgotten() {
        let kept = PassCache::default();
        assert!(kept.is_stale(sources(1.0, 0)), "never drawn");
        assert!(!kept.is_left());
        assert!(!kept.is_stale(sources(1.0, 0)));
        assert!(kept.is_left());
        assert!(kept.is_stale(sources(2.0, 0)), "another sun");
        assert!(kept.is_stale(sources(2.0, 1)), "a fault of the device");
        assert!(kept.is_stale(None), "edited shaders");
        assert!(kept.is_stale(None), "edited shaders, again");
        assert!(kept.is_stale(sources(2.0, 1)), "the program's own again");
        assert!(!kept.is_stale(sources(2.0, 1)));
        kept.forget();
        assert!(kept.is_stale(sources(2.0, 1)));
    }
}
