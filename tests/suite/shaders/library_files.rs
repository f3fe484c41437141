//! Tests of `shaders/wave/` as text: its imports resolve, its names are its own, every back end takes it.
//!
//! Uses the shader compiler only; what the functions compute is tested elsewhere.

use std::collections::BTreeSet;
use wesl::{CompileOptions, ManglerKind, VirtualResolver, Wesl};

macro_rules! files {
    ($($name:literal)*) => {
        [$(($name, include_str!(concat!("../../../shaders/wave/", $name, ".wesl"))),)*]
    };
}

const FILES: [(&str, &str); 16] = files! {
    "all_equal" "append" "ballot" "half" "last_lane" "lerp"
    "lerp_last" "prefix" "prefix_lerp" "prefix_product" "quad" "query"
    "read_lane" "reduce" "reduce_bits" "vote"
};

/// Calls every function of the article's part of the library; the intrinsics have kernels of their own.
const KERNEL: &str = "
import package::wave::lerp::{wave_active_lerp_f32, wave_active_lerp_rgb};
import package::wave::lerp::{wave_active_lerp_carry_f32, wave_active_lerp_carry_rgb};
import package::wave::lerp_last::{wave_active_lerp_last_f32, wave_active_lerp_last_rgb};
import package::wave::prefix_lerp::{wave_prefix_lerp_f32, wave_prefix_lerp_rgb};
import package::wave::last_lane::{wave_last_lane_ballot, wave_last_lane_ballot_scalar};
import package::wave::last_lane::wave_last_lane_find_msb;
import package::wave::read_lane::{wave_read_uniform_lane_f32, wave_read_uniform_lane_vec4f};
import package::wave::read_lane::native_broadcast_f32;
import package::wave::prefix_product::{wave_prefix_product_driver, wave_prefix_product_division};
import package::wave::prefix_product::wave_guarded_factor;

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
    sum.x += wave_read_uniform_lane_f32(row.x, a) + native_broadcast_f32(row.y, b);
    sum += wave_read_uniform_lane_vec4f(row, c);
    sum.x += wave_prefix_product_driver(1.0 - t) + wave_prefix_product_division(1.0 - t);
    sum.x += wave_prefix_product_division(wave_guarded_factor(1.0 - t));
    results[index] = sum;
}
";

/// The functions that a file declares where no feature is on: other forms stand behind an `@if` of one.
fn function_names(source: &str) -> Vec<&str> {
    source
        .lines()
        .filter_map(|line| {
            let without_features = line
                .strip_prefix("@if(!")
                .and_then(|rest| rest.split_once(") "));
            let declaration = without_features.map_or(line, |(_, declaration)| declaration);
            let (name, _) = declaration.strip_prefix("fn ")?.split_once('(')?;
            Some(name)
        })
        .collect()
}

fn library_names() -> Vec<&'static str> {
    FILES
        .iter()
        .flat_map(|(_, source)| function_names(source))
        .collect()
}

/// A module that imports every function of every file.
fn everything() -> String {
    let import = |(name, source): &(&str, &str)| {
        let functions = function_names(source).join(", ");
        format!("import package::wave::{name}::{{{functions}}};\n")
    };
    FILES.iter().map(import).collect()
}

/// Resolves `kernel`'s imports against the library; all of it with `whole`, else what the kernel uses.
fn resolve(kernel: &str, whole: bool) -> Result<String, String> {
    let path = |path: &str| path.parse().map_err(|e| format!("{path}: {e}"));
    let mut resolver = VirtualResolver::new();
    for (name, source) in FILES {
        resolver.add_module(path(&format!("package::wave::{name}"))?, source.into());
    }
    resolver.add_module(path("package::kernel")?, kernel.into());
    let mut compiler = Wesl::new("").set_custom_resolver(resolver);
    compiler.set_mangler(ManglerKind::None);
    let mut options = CompileOptions::default();
    options.features.default = wesl::Feature::Disable;
    if whole {
        (options.strip, options.lazy) = (false, false);
    }
    compiler.set_options(options);
    let result = compiler.compile(&path("package::kernel")?);
    result.map(|r| r.to_string()).map_err(|e| e.to_string())
}

fn compile(kernel: &str) -> Result<String, String> {
    resolve(kernel, false)
}

fn validate(wgsl: &str) -> Result<(naga::Module, naga::valid::ModuleInfo), String> {
    use naga::valid::{Capabilities, ValidationFlags, Validator};
    let module = naga::front::wgsl::parse_str(wgsl).map_err(|e| e.emit_to_string(wgsl))?;
    let info = Validator::new(
        ValidationFlags::all(),
        Capabilities::SUBGROUP | Capabilities::SHADER_FLOAT16,
    )
    .validate(&module)
    .map_err(|e| e.emit_to_string(wgsl))?;
    Ok((module, info))
}

#[test]
fn every_function_validates() -> Result<(), String> {
    let wgsl = compile(KERNEL)?;
    let (module, _) = validate(&wgsl)?;
    let of_kernel = |name: &&str| KERNEL.contains(*name);
    for name in library_names().into_iter().filter(of_kernel) {
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
        "subgroupShuffle(value, lane)",
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
fn the_list_of_files_is_the_folder() -> Result<(), std::io::Error> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/shaders/wave");
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(folder)? {
        found.insert(entry?.file_name().to_string_lossy().into_owned());
    }
    let listed = FILES.map(|(name, _)| format!("{name}.wesl"));
    assert_eq!(found, BTreeSet::from(listed));
    Ok(())
}

#[test]
fn one_module_can_import_everything_and_every_back_end_takes_it() -> Result<(), String> {
    let wgsl = resolve(&everything(), true)?;
    let (module, info) = validate(&wgsl)?;
    let functions = module.functions.iter();
    let found: Vec<&str> = functions
        .filter_map(|(_, own)| own.name.as_deref())
        .collect();
    let names = library_names();
    assert_eq!(found.len(), names.len());
    let [hlsl, msl] = translate(&module, &info)?;
    for name in names {
        assert!(found.contains(&name), "{name} is not in\n{wgsl}");
        // Names that end in a digit get an underscore.
        let call =
            |text: &str| text.contains(&format!("{name}(")) || text.contains(&format!("{name}_("));
        assert!(call(&hlsl), "{name} is not in\n{hlsl}");
        assert!(call(&msl), "{name} is not in\n{msl}");
    }
    Ok(())
}

#[test]
fn every_back_end_takes_the_library() -> Result<(), String> {
    let (module, info) = validate(&compile(KERNEL)?)?;
    let [hlsl, _] = translate(&module, &info)?;
    for name in ["WavePrefixProduct", "WaveReadLaneFirst", "firstbithigh"] {
        assert!(hlsl.contains(name), "{name} is not in\n{hlsl}");
    }
    Ok(())
}

/// SPIR-V, HLSL and MSL of a module, the two that are text.
fn translate(module: &naga::Module, info: &naga::valid::ModuleInfo) -> Result<[String; 2], String> {
    use naga::back::{hlsl, msl, spv};
    let options = spv::Options {
        lang_version: (1, 5),
        ..Default::default()
    };
    spv::write_vec(module, info, &options, None).map_err(|e| e.to_string())?;

    let options = hlsl::Options {
        shader_model: hlsl::ShaderModel::V6_2,
        ..Default::default()
    };
    let mut text = String::new();
    hlsl::Writer::new(&mut text, &options, &Default::default())
        .write(module, info, None)
        .map_err(|e| e.to_string())?;

    let options = msl::Options {
        lang_version: (2, 4),
        ..Default::default()
    };
    let (msl, _) = msl::write_string(module, info, &options, &Default::default())
        .map_err(|e| e.to_string())?;
    Ok([text, msl])
}
