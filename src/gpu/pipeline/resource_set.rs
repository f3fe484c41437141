//! Sets of named resources. A set caches its bind groups, so binding the same resources again creates nothing.

use std::sync::{Arc, Mutex, Weak};

use crate::error::Result;
use crate::workers::lock;

pub type Bind<'a> = (&'static str, wgpu::BindingResource<'a>);

enum Held {
    Buffer(wgpu::Buffer),
    View(wgpu::TextureView),
    Sampler(wgpu::Sampler),
}

/// Identifies a part of a bind group. Groups hold it weakly and compare its address.
pub(in crate::gpu) type Identity = Arc<()>;

/// Resources by name. A set never changes. Replacing a resource makes a new set.
pub struct Binds {
    resources: Vec<(&'static str, Held)>,
    identity: Identity,
    groups: Mutex<Vec<Group>>,
}

struct Group {
    made_of: Vec<Weak<()>>,
    group: wgpu::BindGroup,
}

impl Binds {
    /// A set of whole buffers, texture views and samplers.
    ///
    /// # Panics
    /// Panics on a part of a buffer or an array of resources. No shader of this program binds either.
    pub fn new<'a>(resources: impl IntoIterator<Item = Bind<'a>>) -> Self {
        use wgpu::BindingResource as Resource;
        let held = |(name, resource)| {
            let held = match resource {
                Resource::Buffer(whole) => Held::Buffer(whole.buffer.clone()),
                Resource::TextureView(view) => Held::View(view.clone()),
                Resource::Sampler(sampler) => Held::Sampler(sampler.clone()),
                _ => unreachable!("{name} is neither a buffer, a texture view nor a sampler"),
            };
            (name, held)
        };
        Self {
            resources: resources.into_iter().map(held).collect(),
            identity: Identity::default(),
            groups: Mutex::default(),
        }
    }

    pub(in crate::gpu) fn find(&self, name: &str) -> Option<wgpu::BindingResource<'_>> {
        let (_, held) = self.resources.iter().find(|(known, _)| *known == name)?;
        Some(match held {
            Held::Buffer(buffer) => buffer.as_entire_binding(),
            Held::View(view) => wgpu::BindingResource::TextureView(view),
            Held::Sampler(sampler) => wgpu::BindingResource::Sampler(sampler),
        })
    }
}

impl Group {
    fn is_of<'a>(&self, parts: impl Iterator<Item = &'a Identity>) -> bool {
        self.made_of
            .iter()
            .map(Weak::as_ptr)
            .eq(parts.map(Arc::as_ptr))
    }

    /// True if all parts of the group still exist.
    fn is_current(&self) -> bool {
        self.made_of.iter().all(|part| part.strong_count() > 0)
    }
}

/// Bind group of a pipeline over `sets`, cached or made with `make`.
///
/// The last set caches the group because it lives shortest: the order is the frame, its target, and the parts of one
/// pass. The group keeps the frame's resources alive only until its pass is recorded again.
pub(in crate::gpu) fn kept_group(
    pipeline: &Identity,
    sets: &[&Binds],
    make: impl FnOnce() -> Result<wgpu::BindGroup>,
) -> Result<wgpu::BindGroup> {
    let Some(keeper) = sets.last() else {
        return make();
    };
    let parts = || std::iter::once(pipeline).chain(sets.iter().map(|set| &set.identity));
    let mut groups = lock(&keeper.groups);
    if let Some(known) = groups.iter().find(|known| known.is_of(parts())) {
        return Ok(known.group.clone());
    }
    let group = make()?;
    groups.retain(Group::is_current);
    groups.push(Group {
        made_of: parts().map(Arc::downgrade).collect(),
        group: group.clone(),
    });
    Ok(group)
}
