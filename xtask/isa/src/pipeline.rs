//! Compiles code on the null device.

use std::ffi::CString;

use ash::vk;
use wavelerp::error::{Error, Result};

use crate::code::{Code, Stage};
use crate::device::NullDevice;
use crate::executable::{self, Executable};

/// Target format of drawn code, or none for compute.
pub type Target = Option<vk::Format>;

/// Compiles `code`. Compute code gets waves of `wave` lanes, or of as many as the driver picks.
///
/// # Errors
/// The driver refuses the code.
pub fn compile(
    device: &NullDevice,
    code: &Code,
    wave: Option<u32>,
    target: Target,
) -> Result<Vec<Executable>> {
    let mut objects = Objects::new(device);
    let layout = objects.layout(code)?;
    let pipeline = match target {
        None => objects.compute(code, wave, layout)?,
        Some(format) => objects.drawn(code, format, layout)?,
    };
    executable::all_of(device, pipeline)
}

/// What a compilation makes on the device, destroyed together.
pub(crate) struct Objects<'a> {
    pub(crate) device: &'a NullDevice,
    sets: Vec<vk::DescriptorSetLayout>,
    layouts: Vec<vk::PipelineLayout>,
    modules: Vec<vk::ShaderModule>,
    pipelines: Vec<vk::Pipeline>,
}

/// What the driver is asked to keep.
pub(crate) const CAPTURE: vk::PipelineCreateFlags = vk::PipelineCreateFlags::from_raw(
    vk::PipelineCreateFlags::CAPTURE_STATISTICS_KHR.as_raw()
        | vk::PipelineCreateFlags::CAPTURE_INTERNAL_REPRESENTATIONS_KHR.as_raw(),
);

impl<'a> Objects<'a> {
    fn new(device: &'a NullDevice) -> Self {
        Self {
            device,
            sets: Vec::new(),
            layouts: Vec::new(),
            modules: Vec::new(),
            pipelines: Vec::new(),
        }
    }

    fn layout(&mut self, code: &Code) -> Result<vk::PipelineLayout> {
        let stages = code
            .stages
            .iter()
            .fold(vk::ShaderStageFlags::empty(), |all, one| all | one.stage);
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
        let set = unsafe { self.device.device.create_descriptor_set_layout(&info, None) }
            .map_err(|error| refused("a set layout", error))?;
        self.sets.push(set);
        let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&self.sets);
        // SAFETY: as above; the set layout is alive until `self` is dropped.
        let layout = unsafe { self.device.device.create_pipeline_layout(&info, None) }
            .map_err(|error| refused("a pipeline layout", error))?;
        self.layouts.push(layout);
        Ok(layout)
    }

    pub(crate) fn module(&mut self, stage: &Stage) -> Result<vk::ShaderModule> {
        let info = vk::ShaderModuleCreateInfo::default().code(&stage.words);
        // SAFETY: the words are naga's translation of a validated module, and live until the call returns.
        let module = unsafe { self.device.device.create_shader_module(&info, None) }
            .map_err(|error| refused(stage.entry, error))?;
        self.modules.push(module);
        Ok(module)
    }

    fn compute(
        &mut self,
        code: &Code,
        wave: Option<u32>,
        layout: vk::PipelineLayout,
    ) -> Result<vk::Pipeline> {
        let [stage] = code.stages.as_slice() else {
            return Err(Error::failed("a compute pipeline has one stage"));
        };
        let module = self.module(stage)?;
        let entry = entry_name(stage)?;
        let mut size = vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo::default()
            .required_subgroup_size(wave.unwrap_or_default());
        let plain = vk::PipelineShaderStageCreateInfo::default()
            .stage(stage.stage)
            .module(module)
            .name(&entry);
        let stage = match wave {
            Some(_) => plain.push_next(&mut size),
            // wgpu sets this flag as well.
            None => plain.flags(vk::PipelineShaderStageCreateFlags::ALLOW_VARYING_SUBGROUP_SIZE),
        };
        let info = vk::ComputePipelineCreateInfo::default()
            .flags(CAPTURE)
            .stage(stage)
            .layout(layout);
        // SAFETY: module and layout are alive; `info` and its chain live until the call returns.
        let made = unsafe {
            self.device
                .device
                .create_compute_pipelines(vk::PipelineCache::null(), &[info], None)
        };
        self.keep(made)
    }

    pub(crate) fn keep(
        &mut self,
        made: std::result::Result<Vec<vk::Pipeline>, (Vec<vk::Pipeline>, vk::Result)>,
    ) -> Result<vk::Pipeline> {
        let pipelines = made.map_err(|(_, error)| refused("a pipeline", error))?;
        self.pipelines.extend(&pipelines);
        pipelines
            .first()
            .copied()
            .ok_or_else(|| Error::failed("the driver made no pipeline"))
    }
}

impl Drop for Objects<'_> {
    fn drop(&mut self) {
        let device = &self.device.device;
        // SAFETY: all were made on this device, which is alive, and nothing runs on it.
        unsafe {
            self.pipelines
                .iter()
                .for_each(|made| device.destroy_pipeline(*made, None));
            self.modules
                .iter()
                .for_each(|made| device.destroy_shader_module(*made, None));
            self.layouts
                .iter()
                .for_each(|made| device.destroy_pipeline_layout(*made, None));
            self.sets
                .iter()
                .for_each(|made| device.destroy_descriptor_set_layout(*made, None));
        }
    }
}

pub(crate) fn entry_name(stage: &Stage) -> Result<CString> {
    CString::new(stage.entry)
        .map_err(|_| Error::failed(format!("entry point {:?} holds a NUL", stage.entry)))
}

fn refused(what: &str, error: vk::Result) -> Error {
    Error::failed(format!("RADV refuses {what}: {error}"))
}
