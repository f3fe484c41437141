//! The entry points of a method, and the way of each from WGSL to the module that is dispatched.

use crate::error::Result;
use crate::gpu::shader::spirv::Checked;
use crate::gpu::shader::{ShaderSource, Variant, spirv};
use crate::methods::Specialization;
use crate::model::Capabilities;
use crate::model::methods::Source;

use super::expanded::Code;
use super::ops::Counts;

/// An entry point that a method runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The shader.
    pub variant: Variant,
    /// Entry points that are compiled together.
    pub together: &'static [&'static str],
    /// The entry point, which is one of those.
    pub entry: &'static str,
    /// Its stage, and how often it runs.
    pub runs: &'static str,
}

/// The entry points of a method, the one that evaluates layers first. A kernel has one; a method in batches has
/// those around its own; a drawn method
/// has the shaders of its draw and the kernels before and behind it.
pub fn parts(specialization: &Specialization, caps: &Capabilities) -> Vec<Part> {
    let variant = specialization.variant(caps);
    if !specialization.method.is_drawn() {
        return computed(specialization, caps, variant);
    }
    let drawn = |entry, runs| Part {
        variant: variant.clone(),
        together: &["corner", "blended"],
        entry,
        runs,
    };
    let mut parts = vec![
        drawn("blended", "fragment, once per layer and pixel"),
        drawn("corner", "vertex, four times per layer"),
    ];
    let kernel = |module, entry: &'static [&'static str], runs| Part {
        variant: Variant::new(module),
        together: entry,
        entry: entry[0],
        runs,
    };
    if matches!(
        specialization.source,
        Source::Frame(_) | Source::Ellipses(_) | Source::Gaussian(_)
    ) {
        parts.push(kernel(
            "frame/stream",
            &["stream_splats"],
            "compute, once per splat",
        ));
        parts.push(kernel(
            "frame/stream",
            &["stream_slices"],
            "compute, once per slice",
        ));
    }
    let store = ("methods/store_blended", &["store_blended"]);
    parts.push(kernel(store.0, store.1, "compute, once per pixel"));
    parts
}

/// The kernel of a computed method, and those around it of one that cuts lists into batches.
fn computed(specialization: &Specialization, caps: &Capabilities, variant: Variant) -> Vec<Part> {
    let own = |runs| Part {
        variant,
        together: &["composite"],
        entry: "composite",
        runs,
    };
    if specialization.batch().is_none() {
        return vec![own("compute, the whole method")];
    }
    let [(plan, _), (join, _)] = specialization.around_batches(caps);
    vec![
        own("compute, once per pixel and batch of its list"),
        Part {
            variant: plan,
            together: &["plan_batches"],
            entry: "plan_batches",
            runs: "compute, before, once per tile",
        },
        Part {
            variant: join,
            together: &["join_batches"],
            entry: "join_batches",
            runs: "compute, behind, once per pixel of a long list",
        },
    ]
}

impl Part {
    /// The WGSL that is compiled, everything stripped that its entry points do not use.
    pub fn wgsl(&self, source: &ShaderSource) -> Result<String> {
        source.resolve(&self.variant, self.together)
    }

    /// The WGSL, parsed and validated.
    pub fn check(&self, wgsl: &str) -> Result<Checked> {
        spirv::check(wgsl, &self.variant.label())
    }

    /// The SPIR-V that is dispatched on Vulkan, native opcodes patched in. Plain modules go through
    /// wgpu, which translates them with the same options; with `runtime_checks` it leaves out those on
    /// buffers that the driver does itself.
    pub fn words(&self, shader: &Checked, runtime_checks: bool) -> Result<Vec<u32>> {
        spirv::dispatched(&self.variant, shader, self.entry, runtime_checks)
    }

    /// The operations of the dispatched module, counted.
    ///
    /// # Errors
    /// Same as [`Part::wgsl`], [`Part::check`] and [`Part::words`].
    pub fn counts(&self, source: &ShaderSource, runtime_checks: bool) -> Result<Counts> {
        let shader = self.check(&self.wgsl(source)?)?;
        let words = self.words(&shader, runtime_checks)?;
        Ok(Counts::of(&Code::new(&words)?))
    }
}

/// The module below `shaders/` that tells a method from the others.
pub fn core_module(specialization: &Specialization, caps: &Capabilities) -> &'static str {
    specialization.variant(caps).module
}

/// What the pane "Code" shows of a method.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    /// Method and dials.
    pub title: String,
    /// Stage of the entry point that is counted, and how often it runs.
    pub runs: &'static str,
    pub counts: Counts,
    /// The file that tells the method from the others, below `shaders/`.
    pub file: String,
    /// Its text.
    pub core: String,
}

impl Sheet {
    /// Compiles and counts the first of a method's [`parts`].
    ///
    /// # Errors
    /// Same as [`Part::counts`]; the file cannot be read.
    pub fn new(
        source: &ShaderSource,
        caps: &Capabilities,
        specialization: &Specialization,
        runtime_checks: bool,
    ) -> Result<Self> {
        let part = &parts(specialization, caps)[0];
        let module = core_module(specialization, caps);
        Ok(Self {
            title: specialization.label(),
            runs: part.runs,
            counts: part.counts(source, runtime_checks)?,
            file: format!("{module}.wesl"),
            core: source.file(module)?,
        })
    }
}

/// Capabilities that are assumed where no adapter is asked: waves of `wave` lanes, and what today's GPUs have.
/// `backend` as in [`Capabilities::backend`].
pub fn assumed(wave: u32, backend: &str) -> Capabilities {
    Capabilities {
        name: "no adapter".to_owned(),
        backend: backend.to_owned(),
        kind: "other".to_owned(),
        wave_min: wave,
        wave_max: wave,
        waves: true,
        native_spirv: backend == "vulkan",
        blends_f32: true,
        draws_with_depth: true,
        max_workgroup_bytes: 32_768,
        ..Capabilities::default()
    }
}
