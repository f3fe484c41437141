//! Tint, the WGSL compiler of browsers, compiles every line of every module. It rejects some code that naga accepts,
//! above all a barrier in control flow that may differ between invocations of a workgroup.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use wavelerp::gpu::shader::{Edit, Variant};
use wavelerp::model::Feature;
use wavelerp::runs::codegen::emit::Language;
use wavelerp::runs::codegen::library;

use super::{Case, Shader, fail_with, name_of, richest, shader, shaders, source};

/// Environment variable that names Tint's folder, or is [`OFF`].
const VARIABLE: &str = "WAVELERP_TINT";
/// Value with which the tests do nothing. `cargo xtask test --no-tint` sets it, and reports that the tests were left out.
const OFF: &str = "off";

/// Directives that browsers need for wave operations; naga does not support the first line.
const DIRECTIVES: &str = "enable subgroups;\ndiagnostic(off, subgroup_uniformity);\n";

/// Tint's message about a barrier that not all invocations may reach.
const NOT_UNIFORM: &str = "'workgroupBarrier' must only be called from uniform control flow";

/// Folder of Tint; `None` if the tests are left out.
fn folder() -> Option<PathBuf> {
    let named = std::env::var_os(VARIABLE);
    if named.as_ref().is_some_and(|named| named == OFF) {
        return None;
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    let usual = || {
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join(target)
            .join("tint")
    };
    Some(named.map_or_else(usual, PathBuf::from))
}

/// Tint's errors for each text, in one process.
fn compile(folder: &Path, texts: &[&str]) -> Result<Vec<Vec<String>>, String> {
    if !folder.join("node_modules/webgpu").is_dir() {
        return Err(format!(
            "Tint is not in {}: `cargo xtask setup --test` installs it, `cargo xtask test --no-tint` leaves \
             these tests out",
            folder.display()
        ));
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tint/compile.mjs");
    let mut node = Command::new("node")
        .args([&script, folder])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot run node ({error}): install Node.js"))?;
    let mut input = node.stdin.take().ok_or("node has no input")?;
    let json = serde_json::to_vec(texts).map_err(|error| error.to_string())?;
    input.write_all(&json).map_err(|error| error.to_string())?;
    drop(input);
    let output = node.wait_with_output().map_err(|error| error.to_string())?;
    let found: Vec<Vec<String>> =
        serde_json::from_slice(&output.stdout).map_err(|error| format!("node: {error}"))?;
    assert_eq!(found.len(), texts.len(), "an answer to each text");
    Ok(found)
}

/// Tint's errors for one text, joined into a string.
fn errors_of(folder: &Path, text: &str) -> String {
    let found = compile(folder, &[text]).expect("Tint runs");
    found.concat().join("\n")
}

#[test]
fn every_line_of_every_module_compiles_by_tint() {
    let Some(folder) = folder() else { return };
    let cases: Vec<_> = richest().collect();
    let text = |shader: &&Shader| DIRECTIVES.to_owned() + &shader.wgsl;
    let texts: Vec<String> = cases.iter().map(text).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let found = compile(&folder, &texts).expect("Tint runs");
    let failures = cases.iter().zip(found);
    let failures = failures.filter(|(_, errors)| !errors.is_empty());
    let failures: Vec<String> = failures
        .map(|(shader, errors)| format!("{}:\n{}", name_of(&shader.case), errors.join("\n")))
        .collect();
    fail_with(&failures);
}

/// Edits that restore former code with barriers, each with a case that contains it.
fn former_barriers() -> [(Edit, Case); 3] {
    let staged = shaders().iter().find_map(|(name, shader)| {
        let shader = shader.as_ref().ok()?;
        let is_it =
            name.starts_with("methods/pixel_loop_staged") && name.contains("EARLY_OUT=true");
        is_it.then(|| shader.case.clone())
    });
    let scatter = Variant::new("frame/radix_scatter")
        .with("RADIX_BITS", 8)
        .feature(Feature::Wave, true)
        .with("MAX_WAVES", 16);
    [
        (
            Edit::new(
                "methods/staged_list",
                "if workgroupUniformLoad(&done_pixels) ==",
                "workgroupBarrier();\nif atomicLoad(&done_pixels) ==",
            ),
            staged.expect("there is such a variant"),
        ),
        (
            Edit::new(
                "frame/chunk_sort",
                "if workgroupUniformLoad(&is_crowded) ==",
                "workgroupBarrier();\n    if atomicLoad(&is_crowded) ==",
            ),
            (Variant::new("frame/chunk_sort"), vec!["sort_chunks"]),
        ),
        // For Tint, a struct with a lane number is non-uniform in all members.
        (
            Edit::new(
                "frame/radix_scatter",
                "let block = workgroup_number(workgroup);",
                "let block = workgroup_number(workgroup + vec3u(wave.local / 256u));",
            ),
            (scatter, vec!["scatter"]),
        ),
    ]
}

#[test]
fn tint_refuses_a_barrier_behind_a_branch_on_what_memory_holds() {
    let Some(folder) = folder() else { return };
    let texts = former_barriers().map(|(edit, case)| {
        let source = crate::shaders::edited([edit]);
        DIRECTIVES.to_owned() + &shader(&source, &case).expect("naga accepts it").wgsl
    });
    let found = compile(&folder, &texts.each_ref().map(String::as_str)).expect("Tint runs");
    for (text, errors) in texts.iter().zip(found) {
        let all = errors.join("\n");
        assert!(all.contains(NOT_UNIFORM), "{all}\n{text}");
    }
}

/// Shader that calls a function of the library with some lanes inactive, which all functions allow.
const CALLER: &str = "
@group(0) @binding(0) var<storage, read_write> sums: array<u32>;
@compute @workgroup_size(64)
fn caller(@builtin(local_invocation_index) local: u32) {
    if local < 7u { sums[local] = wave_active_sum_u32(local); }
}
";

#[test]
fn the_library_compiles_in_browsers_with_its_two_lines_uncommented_and_not_without() {
    let Some(folder) = folder() else { return };
    for half in [false, true] {
        let text = library::text(&source(), Language::Wgsl, half).expect("the library is whole");
        let mut ready = text.clone() + CALLER;
        for line in DIRECTIVES.lines() {
            let comment = format!("\n// {line}\n");
            assert_eq!(text.matches(&comment).count(), 1, "{line}");
            ready = ready.replace(&comment, &format!("\n{line}\n"));
        }
        assert_eq!(errors_of(&folder, &ready), "", "half floats: {half}");
        for line in DIRECTIVES.lines() {
            let without = ready.replace(line, "");
            assert_ne!(errors_of(&folder, &without), "", "without {line}");
        }
    }
}
