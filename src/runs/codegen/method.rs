//! Translates a method's entry points from WGSL to the module that runs.

use crate::error::Result;
use crate::gpu::shader::spirv::Checked;
use crate::gpu::shader::{ShaderSource, spirv};
use crate::methods::{Part, Specialization};
use crate::model::Capabilities;

use super::expanded::Code;
use super::ops::Counts;

impl Part {
    /// The compiled WGSL, without code that the method's entry points do not use.
    pub fn wgsl(&self, source: &ShaderSource) -> Result<String> {
        source.resolve(&self.variant, self.together)
    }

    pub fn check(&self, wgsl: &str) -> Result<Checked> {
        spirv::check(wgsl, &self.variant.label())
    }

    /// The SPIR-V that runs on Vulkan, with native opcodes patched in. Plain modules go through wgpu, which translates
    /// them with the same options. With `runtime_checks`, wgpu leaves out buffer checks that the driver does itself.
    pub fn words(&self, shader: &Checked, runtime_checks: bool) -> Result<Vec<u32>> {
        spirv::dispatched(&self.variant, shader, self.entry, runtime_checks, None)
    }

    pub fn counts(&self, source: &ShaderSource, runtime_checks: bool) -> Result<Counts> {
        let shader = self.check(&self.wgsl(source)?)?;
        let words = self.words(&shader, runtime_checks)?;
        Ok(Counts::of(&Code::new(&words)?))
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    pub title: String,
    /// Stage of the counted entry point, and how often it runs.
    pub runs: &'static str,
    pub counts: Counts,
    /// The method's own file below `shaders/`.
    pub file: String,
    pub core: String,
}

impl Sheet {
    /// Compiles the first of a method's [`parts`], and counts its operations.
    pub fn new(
        source: &ShaderSource,
        caps: &Capabilities,
        specialization: &Specialization,
        runtime_checks: bool,
    ) -> Result<Self> {
        let part = &specialization.parts(caps)[0];
        let module = specialization.variant(caps).module;
        Ok(Self {
            title: specialization.label(),
            runs: part.runs,
            counts: part.counts(source, runtime_checks)?,
            file: format!("{module}.wesl"),
            core: source.file(module)?,
        })
    }
}

/// Capabilities of a typical GPU with waves of `wave` lanes, for use without an adapter.
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
