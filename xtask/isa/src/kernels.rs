//! What is compiled: every method in the forms worth comparing, and cores of a few lines that show one
//! idea alone.

use std::path::PathBuf;

use ash::vk;
use wavelerp::error::Result;
use wavelerp::gpu::shader::{ShaderSource, Variant};
use wavelerp::methods::Specialization;
use wavelerp::methods::{Varied, family};
use wavelerp::model::methods::{Family, Method, Trait};
use wavelerp::model::options::{Dial, LaneRead, Options};
use wavelerp::model::{Capabilities, Feature};

use crate::code::{Code, code_of};
use crate::pipeline::Target;

/// Pixels per wave of the wave methods: none shared, and as many as a large frame gets.
const PIXELS_PER_WAVE: [u32; 2] = [1, 32];

/// One thing to compile.
pub struct Kernel {
    /// Its name in tables. File names have it with the spaces replaced.
    pub name: String,
    /// The table that shows it.
    pub group: Group,
    /// The target's format if it is drawn.
    pub target: Target,
    variant: Variant,
    entries: Vec<&'static str>,
}

/// Kernels of a group are compared with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// A whole method.
    Methods,
    /// Ways to get the value of the last active lane.
    LastLane,
    /// Ways to read the value of a lane in a loop.
    ReadLane,
    /// Ways to form the exclusive prefix product.
    Prefix,
}

impl Group {
    /// The groups of cores, in the order they are shown.
    pub const CORES: [Group; 3] = [Group::LastLane, Group::ReadLane, Group::Prefix];

    pub fn title(self) -> &'static str {
        match self {
            Group::Methods => "Methods",
            Group::LastLane => "The carry of a group: last-lane variants and the product",
            Group::ReadLane => "The read-lane loop: shuffle and native broadcast",
            Group::Prefix => "The exclusive prefix product",
        }
    }
}

impl Kernel {
    /// Its SPIR-V, as it is dispatched.
    pub fn code(&self) -> Result<Code> {
        let folder = match self.group {
            Group::Methods => None,
            _ => Some(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("cores")),
        };
        let source = ShaderSource {
            folder,
            ..ShaderSource::default()
        };
        code_of(&source, &self.variant, &self.entries)
    }
}

/// All kernels for a device with these capabilities: methods first, then cores.
pub fn all(caps: &Capabilities) -> Vec<Kernel> {
    let methods = Method::exact().filter(|method| *method != Method::Auto);
    let forms = methods.flat_map(|method| forms_of(method, caps));
    forms.chain(cores()).collect()
}

/// The places of the dial that kernels are compiled at.
const DIALS: [Dial; 4] = [
    Dial::Threads(1),
    Dial::Pixels(4),
    Dial::Threads(8),
    Dial::Batch(128),
];

/// A method at each of its dials; one that reads lanes also with the native broadcast.
fn forms_of(method: Method, caps: &Capabilities) -> Vec<Kernel> {
    let varied = Varied {
        pixels_per_wave: &PIXELS_PER_WAVE,
        dials: &DIALS,
        approximations: false,
    };
    let options = family::of(method).timed_at(&Specialization::new(method), &varied, caps);
    let reads: &[LaneRead] = match method.has(Trait::ReadsLanes) {
        true => &[LaneRead::Shuffle, LaneRead::Broadcast],
        false => &[LaneRead::Shuffle],
    };
    let forms = reads.iter().flat_map(|&lane_read| {
        let read_so =
            move |options: &Options| options.with_method(|method| method.lane_read = lane_read);
        options.iter().map(read_so)
    });
    let kernels = forms.map(|options| kernel(&options.specialize(method), caps));
    kernels.collect()
}

fn kernel(form: &Specialization, caps: &Capabilities) -> Kernel {
    let target = match form.method.entry().family {
        Family::Blended if form.method.rounds_to_half() => Some(vk::Format::R16G16B16A16_SFLOAT),
        Family::Blended => Some(vk::Format::R32G32B32A32_SFLOAT),
        Family::PerPixel
        | Family::PerWave
        | Family::Staged
        | Family::SplitDepth
        | Family::Batches
        | Family::Auto => None,
        Family::Approximate(_) => {
            let is_drawn = form.method.is_drawn();
            is_drawn.then_some(vk::Format::R16G16B16A16_SFLOAT)
        }
    };
    // The part that evaluates layers.
    let part = form.parts(caps).swap_remove(0);
    Kernel {
        name: form.label(),
        group: Group::Methods,
        target,
        variant: part.variant,
        entries: part.together.to_vec(),
    }
}

/// The cores: module, entry point, whether with native opcodes.
fn cores() -> Vec<Kernel> {
    let core = |name: &str, group, module, entry, features: &[Feature]| {
        let features = [Feature::Wave].iter().chain(features);
        Kernel {
            name: format!("core {name}"),
            group,
            target: None,
            variant: features.fold(Variant::new(module), |variant, &feature| {
                variant.feature(feature, true)
            }),
            entries: vec![entry],
        }
    };
    let broadcast: &[Feature] = &[Feature::Native, Feature::Broadcast];
    let last = |name, entry, features| core(name, Group::LastLane, "last_lane", entry, features);
    let read = |name, entry, features| core(name, Group::ReadLane, "read_lane", entry, features);
    let prefix = |name, entry| core(name, Group::Prefix, "prefix", entry, &[]);
    vec![
        last("no-wave", "no_wave", &[]),
        last("padded", "padded", &[]),
        last("padded broadcast", "padded", broadcast),
        last("ballot", "ballot", &[]),
        last("ballot broadcast", "ballot", broadcast),
        last("ballot-scalar", "ballot_scalar", &[]),
        last("ballot-scalar broadcast", "ballot_scalar", broadcast),
        last("find-msb", "find_msb", &[Feature::Native]),
        last("find-msb broadcast", "find_msb", broadcast),
        last("product", "product", &[]),
        read("shuffle", "uniform_lane", &[]),
        read("broadcast", "uniform_lane", broadcast),
        read("shuffle unseen", "unseen_lane", &[]),
        read("broadcast unseen", "unseen_lane", broadcast),
        prefix("prefix driver", "driver"),
        prefix("prefix driver-guarded", "driver_guarded"),
        prefix("prefix division", "division"),
        prefix("prefix division-guarded", "division_guarded"),
    ]
}
