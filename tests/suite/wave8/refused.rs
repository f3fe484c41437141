//! What wgpu refuses is said in one line.

use wavelerp::error::Result;
use wavelerp::gpu::Gpu;

use crate::harness::Harness;

/// A layout with this many storage buffers.
fn layout(gpu: &Gpu, storage_buffers: u32) -> Result<wgpu::BindGroupLayout> {
    let entry = |binding| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Storage { read_only: true },
            has_dynamic_offset: false,
            min_binding_size: None,
        },
        count: None,
    };
    let entries: Vec<_> = (0..storage_buffers).map(entry).collect();
    let descriptor = wgpu::BindGroupLayoutDescriptor {
        label: Some("storage buffers"),
        entries: &entries,
    };
    gpu.catch(|| gpu.device.create_bind_group_layout(&descriptor))
}

#[test]
fn a_storage_buffer_too_many_is_refused_in_one_line_that_names_the_limit() {
    let harness = Harness::new();
    let limits = harness.gpu.device.limits();
    let limit = limits.max_storage_buffers_per_shader_stage;
    assert!(layout(&harness.gpu, limit).is_ok());
    let refused = layout(&harness.gpu, limit + 1).expect_err("one too many");
    let message = refused.message;
    for part in ["StorageBuffers", &format!("limit is {limit}")] {
        assert!(message.contains(part), "{message}");
    }
    for broken in ["\n", r"\n", "  ", "…"] {
        assert!(!message.contains(broken), "{message}");
    }
}
