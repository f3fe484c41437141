//! Compiles code on the null device.

use std::ffi::CString;

use ash::vk;
use wavelerp::error::{Error, Result};

use crate::code::{Code, Stage};
use crate::device::NullDevice;
use crate::executable;
use crate::executable::Executable;

/// Target format of drawn code, or none for compute.
pub type Target = Option<vk::Format>;

/// Compiles `code`. Compute code gets waves of `wave` lanes, or of as many as the driver picks.
pub fn compile(
    device: &NullDevice,
    code: &Code,
    wave: Option<u32>,
    target: Target,
) -> Result<Vec<Executable>> {
    let layout = device.layout(code)?;
    let pipeline = match target {
        None => device.compute(code, wave, layout)?,
        Some(format) => device.drawn(code, format, layout)?,
    };
    executable::all_of(device, pipeline)
}

/// What the driver is asked to keep.
pub(crate) const CAPTURE: vk::PipelineCreateFlags = vk::PipelineCreateFlags::from_raw(
    vk::PipelineCreateFlags::CAPTURE_STATISTICS_KHR.as_raw()
        | vk::PipelineCreateFlags::CAPTURE_INTERNAL_REPRESENTATIONS_KHR.as_raw(),
);

/// What the driver makes of descriptions of pipelines.
type Made = std::result::Result<Vec<vk::Pipeline>, (Vec<vk::Pipeline>, vk::Result)>;

impl NullDevice {
    fn layout(&self, code: &Code) -> Result<vk::PipelineLayout> {
        let stages = code.stages.iter().map(|one| one.stage);
        let stages = stages.fold(vk::ShaderStageFlags::empty(), |all, one| all | one);
        let bindings: Vec<_> = (0..)
            .zip(&code.bindings)
            .map(|(at, kind)| {
                vk::DescriptorSetLayoutBinding::default()
                    .binding(at)
                    .descriptor_type(*kind)
                    .descriptor_count(1)
                    .stage_flags(stages)
            })
            .collect();
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
        // SAFETY: the device is alive; `info` lives until the call returns.
        let set = unsafe { self.device.create_descriptor_set_layout(&info, None) };
        let sets = [set.map_err(|error| refused("a set layout", error))?];
        let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&sets);
        // SAFETY: as above; the set layout is alive.
        unsafe { self.device.create_pipeline_layout(&info, None) }
            .map_err(|error| refused("a pipeline layout", error))
    }

    pub(crate) fn module(&self, stage: &Stage) -> Result<vk::ShaderModule> {
        let info = vk::ShaderModuleCreateInfo::default().code(&stage.words);
        // SAFETY: the words are naga's translation of a validated module, and live until the call returns.
        unsafe { self.device.create_shader_module(&info, None) }
            .map_err(|error| refused(stage.entry, error))
    }

    fn compute(
        &self,
        code: &Code,
        wave: Option<u32>,
        layout: vk::PipelineLayout,
    ) -> Result<vk::Pipeline> {
        let [stage] = code.stages.as_slice() else {
            return Err(Error::failed("a compute pipeline has one stage"));
        };
        let entry = entry_name(stage)?;
        let mut size = vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo::default()
            .required_subgroup_size(wave.unwrap_or_default());
        let plain = vk::PipelineShaderStageCreateInfo::default()
            .stage(stage.stage)
            .module(self.module(stage)?)
            .name(&entry);
        let stage = match wave {
            Some(_) => plain.push_next(&mut size),
            // wgpu sets this flag as well.
            None => plain.flags(vk::PipelineShaderStageCreateFlags::ALLOW_VARYING_SUBGROUP_SIZE),
        };
        let info = [vk::ComputePipelineCreateInfo::default()
            .flags(CAPTURE)
            .stage(stage)
            .layout(layout)];
        let cache = vk::PipelineCache::null();
        // SAFETY: module and layout are alive; `info` and its chain live until the call returns.
        the_one(unsafe { self.device.create_compute_pipelines(cache, &info, None) })
    }
}

/// The pipeline that was made.
pub(crate) fn the_one(made: Made) -> Result<vk::Pipeline> {
    let pipelines = made.map_err(|(_, error)| refused("a pipeline", error))?;
    let first = pipelines.first().copied();
    first.ok_or_else(|| Error::failed("the driver made no pipeline"))
}

pub(crate) fn entry_name(stage: &Stage) -> Result<CString> {
    CString::new(stage.entry)
        .map_err(|_| Error::failed(format!("entry point {:?} holds a NUL", stage.entry)))
}

fn refused(what: &str, error: vk::Result) -> Error {
    Error::failed(format!("RADV refuses {what}: {error}"))
}
