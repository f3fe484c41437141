//! Tests of `shaders/wave/` as text: its imports resolve, its names are its own, every back end takes it.
//!
//! Uses the shader compiler only; what the functions compute is tested elsewhere.

use std::collections::BTreeSet;
use wesl::{ManglerKind, VirtualResolver, Wesl};

const FILES: [(&str, &str); 6] = [
    ("lerp", include_str!("../../shaders/wave/lerp.wesl")),
    (
        "lerp_last",
        include_str!("../../shaders/wave/lerp_last.wesl"),
    ),
    (
        "prefix_lerp",
        include_str!("../../shaders/wave/prefix_lerp.wesl"),
    ),
    (
        "last_lane",
        include_str!("../../shaders/wave/last_lane.wesl"),
    ),
    (
        "read_lane",
        include_str!("../../shaders/wave/read_lane.wesl"),
    ),
    (
        "prefix_product",
        include_str!("../../shaders/wave/prefix_product.wesl"),
    ),
];

/// Calls every function of the library.
const KERNEL: &str = "
import package::wave::lerp::{wave_active_lerp_f32, wave_active_lerp_rgb};
import package::wave::lerp::{wave_active_lerp_carry_f32, wave_active_lerp_carry_rgb};
import package::wave::lerp_last::{wave_active_lerp_last_f32, wave_active_lerp_last_rgb};
import package::wave::prefix_lerp::{wave_prefix_lerp_f32, wave_prefix_lerp_rgb};
import package::wave::last_lane::{wave_last_lane_ballot, wave_last_lane_ballot_scalar};
import package::wave::last_lane::{wave_last_lane_find_msb, wave_read_lane_last_f32};
import package::wave::last_lane::{wave_read_lane_last_rgb, wave_read_lane_last_vec4};
import package::wave::read_lane::{native_broadcast_vec4};
import package::wave::prefix_product::{wave_prefix_product_driver, wave_prefix_product_division};
import package::wave::prefix_product::{wave_prefix_product_guarded, wave_guarded_factor};

@group(0) @binding(0) var<storage, read_write> results: array<vec4<f32>>;

@compute @workgroup_size(128)
fn main(
    @builtin(local_invocation_index) index: u32,
    @builtin(subgroup_size) size: u32,
) {
    let row = results[index];
    let t = row.w;
    var sum = vec4<f32>(wave_active_lerp_f32(row.x, t));
    sum += vec4<f32>(wave_active_lerp_rgb(row.rgb, t), 0.0);
    sum.x += wave_active_lerp_carry_f32(row.x, t).transmittance;
    sum += vec4<f32>(wave_active_lerp_carry_rgb(row.rgb, t).value, 0.0);
    let a = wave_last_lane_ballot();
    let b = wave_last_lane_ballot_scalar();
    let c = wave_last_lane_find_msb();
    sum.x += wave_active_lerp_last_f32(row.x, t, a).value;
    sum += vec4<f32>(wave_active_lerp_last_rgb(row.rgb, t, size - 1u).value, 0.0);
    sum.x += wave_prefix_lerp_f32(row.x, t).value;
    sum += vec4<f32>(wave_prefix_lerp_rgb(row.rgb, t).value, 0.0);
    sum.x += wave_read_lane_last_f32(row.x, a);
    sum += vec4<f32>(wave_read_lane_last_rgb(row.rgb, b), 0.0);
    sum += wave_read_lane_last_vec4(row, c);
    sum += native_broadcast_vec4(row, 0u);
    sum.x += wave_prefix_product_driver(1.0 - t) + wave_prefix_product_division(1.0 - t);
    sum.x += wave_prefix_product_guarded(wave_guarded_factor(1.0 - t));
    results[index] = sum;
}
";

fn function_names(source: &str) -> Vec<&str> {
    source
        .lines()
        .filter_map(|line| {
            line.strip_prefix("fn ")?
                .split_once('(')
                .map(|(name, _)| name)
        })
        .collect()
}

fn library_names() -> Vec<&'static str> {
    FILES
        .iter()
        .flat_map(|(_, source)| function_names(source))
        .collect()
}

/// Resolves `kernel`'s imports against the library.
fn compile(kernel: &str) -> Result<String, String> {
    let path = |path: &str| path.parse().map_err(|e| format!("{path}: {e}"));
    let mut resolver = VirtualResolver::new();
    for (name, source) in FILES {
        resolver.add_module(path(&format!("package::wave::{name}"))?, source.into());
    }
    resolver.add_module(path("package::kernel")?, kernel.into());
    let mut compiler = Wesl::new("").set_custom_resolver(resolver);
    compiler.set_mangler(ManglerKind::None);
    let result = compiler.compile(&path("package::kernel")?);
    result.map(|r| r.to_string()).map_err(|e| e.to_string())
}

fn validate(wgsl: &str) -> Result<(naga::Module, naga::valid::ModuleInfo), String> {
    use naga::valid::{Capabilities, ValidationFlags, Validator};
    let module = naga::front::wgsl::parse_str(wgsl).map_err(|e| e.emit_to_string(wgsl))?;
    let info = Validator::new(ValidationFlags::all(), Capabilities::SUBGROUP)
        .validate(&module)
        .map_err(|e| e.emit_to_string(wgsl))?;
    Ok((module, info))
}

#[test]
fn every_function_validates() -> Result<(), String> {
    let wgsl = compile(KERNEL)?;
    let (module, _) = validate(&wgsl)?;
    for name in library_names() {
        let found = module.functions.iter().any(|(_, function)| {
            function.name.as_deref() == Some(name) && !function.body.is_empty()
        });
        assert!(found, "{name} is not reached by the kernel\n{wgsl}");
    }
    Ok(())
}

#[test]
fn a_broken_function_does_not_validate() -> Result<(), String> {
    let sound = compile(KERNEL)?;
    let broken = sound.replace(
        "subgroupShuffle(value, last_lane)",
        "subgroupShuffle(value, 1.5)",
    );
    assert_ne!(sound, broken);
    assert!(validate(&broken).is_err());
    Ok(())
}

#[test]
fn no_two_functions_share_a_name() {
    let names = library_names();
    let unique: BTreeSet<_> = names.iter().collect();
    assert_eq!(unique.len(), names.len());
    assert!(names.len() > 20, "{names:?}");
}

#[test]
fn every_back_end_takes_the_library() -> Result<(), String> {
    use naga::back::{hlsl, msl, spv};
    let (module, info) = validate(&compile(KERNEL)?)?;
    let options = spv::Options {
        lang_version: (1, 5),
        ..Default::default()
    };
    spv::write_vec(&module, &info, &options, None).map_err(|e| e.to_string())?;

    let options = hlsl::Options {
        shader_model: hlsl::ShaderModel::V6_0,
        ..Default::default()
    };
    let mut text = String::new();
    hlsl::Writer::new(&mut text, &options, &Default::default())
        .write(&module, &info, None)
        .map_err(|e| e.to_string())?;
    for name in ["WavePrefixProduct", "WaveReadLaneFirst", "firstbithigh"] {
        assert!(text.contains(name), "{name} is not in\n{text}");
    }

    let options = msl::Options {
        lang_version: (2, 4),
        ..Default::default()
    };
    msl::write_string(&module, &info, &options, &Default::default()).map_err(|e| e.to_string())?;
    Ok(())
}
