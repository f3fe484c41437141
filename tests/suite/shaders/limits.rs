//! Bindings of a stage stay within WebGPU's guaranteed limits, so the program runs on modest adapters and on the
//! drivers of browsers.

use naga::{AddressSpace, ImageClass, TypeInner};

use super::for_every_case;

/// Number of bindings of a kind in a module, and WebGPU's limit.
type Count = (&'static str, u32, u32);

/// Counts a module's bindings. A pipeline has one layout, visible to all of its stages.
fn counts(module: &naga::Module) -> Vec<Count> {
    let of = wgpu::Limits::default();
    let mut counts = [
        ("storage buffers", of.max_storage_buffers_per_shader_stage),
        ("uniform buffers", of.max_uniform_buffers_per_shader_stage),
        ("storage textures", of.max_storage_textures_per_shader_stage),
        ("sampled textures", of.max_sampled_textures_per_shader_stage),
        ("samplers", of.max_samplers_per_shader_stage),
    ]
    .map(|(kind, promised)| (kind, 0, promised));
    let (mut largest_uniform, mut in_workgroup, mut joins) = (0, 0, false);
    for (_, variable) in module.global_variables.iter() {
        let ty = &module.types[variable.ty].inner;
        let kind = match (variable.space, ty) {
            (AddressSpace::WorkGroup, _) => {
                in_workgroup += ty.size(module.to_ctx());
                let name = variable.name.as_deref();
                joins |= name.is_some_and(|name| name.ends_with("parts"));
                continue;
            }
            _ if variable.binding.is_none() => continue,
            (AddressSpace::Storage { .. }, _) => 0,
            (AddressSpace::Uniform, _) => {
                largest_uniform = largest_uniform.max(ty.size(module.to_ctx()));
                1
            }
            (_, TypeInner::Image { class, .. }) => match class {
                ImageClass::Storage { .. } => 2,
                _ => 3,
            },
            _ => 4,
        };
        counts[kind].1 += 1;
    }
    let mut counts = counts.to_vec();
    let most = of.max_uniform_buffer_binding_size as u32;
    counts.push(("bytes of a uniform buffer", largest_uniform, most));
    // Other kernels may use all workgroup memory of the adapter.
    if joins {
        let most = of.max_compute_workgroup_storage_size;
        counts.push(("bytes of workgroup memory", in_workgroup, most));
    }
    counts
}

/// Reports bindings of a module beyond the limits.
fn too_many(module: &naga::Module) -> Result<(), String> {
    let over = |(what, count, most): Count| {
        (count > most).then(|| format!("{count} {what}, and WebGPU promises {most}"))
    };
    let over: Vec<String> = counts(module).into_iter().filter_map(over).collect();
    match over.is_empty() {
        true => Ok(()),
        false => Err(over.join("; ")),
    }
}

#[test]
fn no_stage_binds_more_than_eight_storage_buffers_or_what_else_webgpu_promises() {
    for_every_case(|shader| too_many(&shader.checked.module));
}

#[test]
fn a_ninth_storage_buffer_and_too_large_a_uniform_are_found() {
    let module = |storage_buffers: u32, vectors: u32| {
        let storage =
            |n| format!("@group(0) @binding({n}) var<storage, read_write> b{n}: array<u32>;\n");
        let bound: String = (0..storage_buffers).map(storage).collect();
        let uniform = format!("@group(0) @binding(99) var<uniform> u: array<vec4f, {vectors}>;\n");
        let parts = format!("var<workgroup> parts: array<vec4f, {}>;\n", vectors / 4);
        let main = "@compute @workgroup_size(1) fn main() { b0[0] = u32(u[0].x); }";
        naga::front::wgsl::parse_str(&(bound + &uniform + &parts + main)).expect("valid text")
    };
    assert_eq!(too_many(&module(8, 4096)), Ok(()));
    let wrong = too_many(&module(9, 4100)).expect_err("both are found");
    for part in [
        "9 storage buffers, and WebGPU promises 8",
        "65600 bytes",
        "16400 bytes",
    ] {
        assert!(wrong.contains(part), "{wrong}");
    }
}
