//! Sets of resources under the names that shaders give them. A set caches its bind groups, so that a frame that binds
//! the same resources again creates none.

use std::sync::{Arc, Mutex, Weak};

use crate::error::Result;
use crate::workers::lock;

/// A resource under the name that shaders give it.
pub type Bind<'a> = (&'static str, wgpu::BindingResource<'a>);

enum Held {
    Buffer(wgpu::Buffer),
    View(wgpu::TextureView),
    Sampler(wgpu::Sampler),
}

/// Token for the lifetime of a part of a bind group: groups hold it weakly and compare its address.
pub(in crate::gpu) type Identity = Arc<()>;

/// Resources by name. A set never changes; replacing a resource makes a new set.
pub struct Binds {
    resources: Vec<(&'static str, Held)>,
    identity: Identity,
    groups: Mutex<Vec<Group>>,
}

/// A bind group, with its pipeline and sets.
struct Group {
    made_of: Vec<Weak<()>>,
    group: wgpu::BindGroup,
}

impl Binds {
    /// A set of whole buffers, texture views and samplers.
    ///
    /// # Panics
    /// On a part of a buffer or an array of resources, neither of which a shader of this program binds.
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

    /// True if all parts of the group still exist, so that it may be requested again.
    fn is_current(&self) -> bool {
        self.made_of.iter().all(|part| part.strong_count() > 0)
    }
}

/// Bind group of a pipeline over `sets`, either cached or made with `make`.
///
/// The last set caches the group, because sets are passed in the order of their lifetimes and the last one lives
/// shortest: first the frame, then its target, then the parts of one pass. A group therefore keeps the frame's
/// resources alive only until its pass is recorded again.
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
