//! Compiles the stages of a method that is drawn, blended as the program blends them.

use ash::vk;
use wavelerp::error::Result;

use crate::code::Code;
use crate::device::NullDevice;
use crate::pipeline::{CAPTURE, entry_name, the_one};

/// rgb: a c + (1 - a) rgb; alpha, which holds T: (1 - a) T.
fn blending() -> vk::PipelineColorBlendAttachmentState {
    vk::PipelineColorBlendAttachmentState::default()
        .blend_enable(true)
        .src_color_blend_factor(vk::BlendFactor::ONE)
        .dst_color_blend_factor(vk::BlendFactor::ONE_MINUS_SRC_ALPHA)
        .src_alpha_blend_factor(vk::BlendFactor::ZERO)
        .dst_alpha_blend_factor(vk::BlendFactor::ONE_MINUS_SRC_ALPHA)
        .color_write_mask(vk::ColorComponentFlags::RGBA)
}

impl NullDevice {
    /// A pipeline of strips into one target of `format`.
    pub(crate) fn drawn(
        &self,
        code: &Code,
        format: vk::Format,
        layout: vk::PipelineLayout,
    ) -> Result<vk::Pipeline> {
        let names: Vec<_> = code.stages.iter().map(entry_name).collect::<Result<_>>()?;
        let stages = code.stages.iter().zip(&names).map(|(stage, name)| {
            Ok(vk::PipelineShaderStageCreateInfo::default()
                .stage(stage.stage)
                .module(self.module(stage)?)
                .name(name))
        });
        let stages: Vec<_> = stages.collect::<Result<_>>()?;
        let formats = [format];
        let mut rendering =
            vk::PipelineRenderingCreateInfo::default().color_attachment_formats(&formats);
        let vertices = vk::PipelineVertexInputStateCreateInfo::default();
        let assembly = vk::PipelineInputAssemblyStateCreateInfo::default()
            .topology(vk::PrimitiveTopology::TRIANGLE_STRIP);
        let viewport = vk::PipelineViewportStateCreateInfo::default()
            .viewport_count(1)
            .scissor_count(1);
        let raster = vk::PipelineRasterizationStateCreateInfo::default().line_width(1.0);
        let samples = vk::PipelineMultisampleStateCreateInfo::default()
            .rasterization_samples(vk::SampleCountFlags::TYPE_1);
        let attachments = [blending()];
        let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&attachments);
        let states = [vk::DynamicState::VIEWPORT, vk::DynamicState::SCISSOR];
        let dynamic = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(&states);
        let info = [vk::GraphicsPipelineCreateInfo::default()
            .flags(CAPTURE)
            .stages(&stages)
            .vertex_input_state(&vertices)
            .input_assembly_state(&assembly)
            .viewport_state(&viewport)
            .rasterization_state(&raster)
            .multisample_state(&samples)
            .color_blend_state(&blend)
            .dynamic_state(&dynamic)
            .layout(layout)
            .push_next(&mut rendering)];
        let cache = vk::PipelineCache::null();
        // SAFETY: modules and layout are alive; `info` and all that it points to live until the call returns.
        the_one(unsafe { self.device.create_graphics_pipelines(cache, &info, None) })
    }
}
