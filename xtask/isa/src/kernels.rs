//! What is compiled: every method in the forms worth comparing, and cores of a few lines that show one
//! idea alone.

use std::path::PathBuf;

use ash::vk;
use wavelerp::error::Result;
use wavelerp::gpu::Capabilities;
use wavelerp::gpu::shader::{ShaderSource, Variant};
use wavelerp::methods::{Dial, DialKind, Knobs, Method, Specialization};

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

    /// Its title.
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
    ///
    /// # Errors
    /// The shader does not resolve, validate or translate.
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
    let methods = Method::all().filter(|method| *method != Method::Auto);
    methods
        .flat_map(|method| forms_of(method, caps))
        .chain(cores())
        .collect()
}

/// A method at each of its dials; `read-lane-loop` with the plain shuffle besides.
fn forms_of(method: Method, caps: &Capabilities) -> Vec<Kernel> {
    let plain = Knobs::default();
    let at = |pixels_per_wave| Knobs {
        pixels_per_wave,
        ..plain
    };
    let dialled = |dial| Knobs { dial, ..plain };
    let knobs = match method.entry().dial {
        DialKind::None | DialKind::Chosen => vec![plain],
        DialKind::PixelsPerWave => PIXELS_PER_WAVE.map(at).to_vec(),
        DialKind::PixelsPerThread => [Dial::Threads(1), Dial::Pixels(4)].map(dialled).to_vec(),
        DialKind::ThreadsPerPixel => [Dial::Threads(8)].map(dialled).to_vec(),
        DialKind::LayersPerBatch => [Dial::Batch(128)].map(dialled).to_vec(),
    };
    let forms: Vec<Specialization> = knobs
        .into_iter()
        .map(|knobs| knobs.specialize(method))
        .collect();
    let mut kernels: Vec<Kernel> = forms.iter().map(|form| kernel(form, caps, "")).collect();
    if method == Method::ReadLaneLoop {
        let shuffling = Capabilities {
            native_spirv: false,
            ..caps.clone()
        };
        kernels.extend(
            forms
                .iter()
                .map(|form| kernel(form, &shuffling, " shuffle")),
        );
    }
    kernels
}

fn kernel(form: &Specialization, caps: &Capabilities, note: &str) -> Kernel {
    let target = match form.method {
        Method::FixedFunction => Some(vk::Format::R32G32B32A32_SFLOAT),
        Method::FixedFunctionF16 => Some(vk::Format::R16G16B16A16_SFLOAT),
        _ => None,
    };
    Kernel {
        name: form.label() + note,
        group: Group::Methods,
        target,
        variant: form.variant(caps),
        entries: match target {
            None => vec!["composite"],
            Some(_) => vec!["corner", "blended"],
        },
    }
}

/// The cores: module, entry point, whether with native opcodes.
fn cores() -> Vec<Kernel> {
    let core = |name: &str, group, module, entry, native| Kernel {
        name: format!("core {name}"),
        group,
        target: None,
        variant: Variant::new(module)
            .feature("wave", true)
            .feature("native", native),
        entries: vec![entry],
    };
    let last = |name, entry, native| core(name, Group::LastLane, "last_lane", entry, native);
    let read = |name, entry, native| core(name, Group::ReadLane, "read_lane", entry, native);
    let prefix = |entry| {
        core(
            &format!("prefix {entry}"),
            Group::Prefix,
            "prefix",
            entry,
            false,
        )
    };
    vec![
        last("no-wave", "no_wave", false),
        last("padded", "padded", false),
        last("ballot", "ballot", false),
        last("ballot-scalar", "ballot_scalar", false),
        last("find-msb", "find_msb", true),
        last("product", "product", false),
        read("shuffle", "uniform_lane", false),
        read("broadcast", "uniform_lane", true),
        read("shuffle unseen", "unseen_lane", false),
        read("broadcast unseen", "unseen_lane", true),
        prefix("driver"),
        prefix("division"),
        prefix("guarded"),
    ]
}
