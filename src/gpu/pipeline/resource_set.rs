//! Sets of resources under the names that shaders know them by. A set keeps the bind groups that were made of
//! it, so that a frame which binds the same resources again makes none.

use std::sync::{Arc, Mutex, Weak};

use crate::error::Result;
use crate::workers::lock;

/// A resource under the name that shaders know it by.
pub type Bind<'a> = (&'static str, wgpu::BindingResource<'a>);

enum Held {
    Buffer(wgpu::Buffer),
    View(wgpu::TextureView),
    Sampler(wgpu::Sampler),
}

/// A thing that groups are made of, as long as it exists: groups remember it weakly and by its address.
pub(in crate::gpu) type Identity = Arc<()>;

/// Resources by name. A set never changes: replacing a resource makes a new set.
pub struct Binds {
    resources: Vec<(&'static str, Held)>,
    identity: Identity,
    groups: Mutex<Vec<Group>>,
}

/// A bind group, and the pipeline and the sets that it was made of.
struct Group {
    made_of: Vec<Weak<()>>,
    group: wgpu::BindGroup,
}

impl Binds {
    /// A set of whole buffers, texture views and samplers.
    ///
    /// # Panics
    /// A part of a buffer or an array of resources is among them: no shader of this program binds one.
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

    /// Whether all that it was made of still exists, so that it may be asked for again.
    fn is_current(&self) -> bool {
        self.made_of.iter().all(|part| part.strong_count() > 0)
    }
}

/// The bind group of a pipeline over `sets`: the one that was made before, or a new one by `make`.
///
/// The last set keeps it, because by the order of arguments it is the one that lives shortest: the frame comes
/// first, then its target, then what belongs to one pass. A group therefore does not keep the resources of the
/// frame alive for longer than until its pass is recorded again.
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
