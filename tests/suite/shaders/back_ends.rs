//! Every line of every module translates to the language of every back end: SPIR-V (checked by spirv-val), HLSL for
//! shader model 6, and MSL 2.4.

use std::io::Write;
use std::process::{Command, Stdio};

use wavelerp::gpu::shader::spirv;
use wavelerp::runs::codegen::emit;

use super::{Shader, for_the_richest, validated};

/// Runs spirv-val on a module; a missing spirv-val is a failure.
fn validate(words: &[u32]) -> Result<(), String> {
    let mut child = Command::new("spirv-val")
        .args(["--target-env", "vulkan1.2", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot run spirv-val ({error}): install spirv-tools"))?;
    let mut input = child.stdin.take().ok_or("spirv-val has no input")?;
    // spirv-val may reject a module before it has read everything; its message is more useful than the broken pipe.
    let _ = input.write_all(bytemuck::cast_slice(words));
    drop(input);
    let output = child.wait_with_output();
    let output = output.map_err(|error| error.to_string())?;
    let [said, errors] = [&output.stdout, &output.stderr].map(|of| String::from_utf8_lossy(of));
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("spirv-val: {said}{errors}")),
    }
}

/// Translates each entry point to SPIR-V, with naga's run-time checks and without, and validates it.
fn to_spirv(shader: &Shader) -> Result<(), String> {
    for entry in &shader.case.1 {
        for runtime_checks in [true, false] {
            let words =
                spirv::dispatched(&shader.case.0, &shader.checked, entry, runtime_checks, None)
                    .map_err(|error| error.to_string())?;
            // The checks change only loops and indices: with the checks on, the validator sees everything.
            if runtime_checks {
                validate(&words).map_err(|error| format!("{entry}: {error}"))?;
            }
        }
    }
    Ok(())
}

#[test]
fn every_shader_translates_to_valid_spirv() {
    for_the_richest(to_spirv);
}

#[test]
fn every_shader_translates_to_hlsl() {
    for_the_richest(|shader| {
        let text = emit::hlsl(&shader.checked, true).map_err(|error| error.to_string())?;
        named_in(shader, &text, "WaveActiveBallot")
    });
}

#[test]
fn every_shader_translates_to_msl() {
    for_the_richest(|shader| {
        let text = emit::msl(&shader.checked, true).map_err(|error| error.to_string())?;
        named_in(shader, &text, "simd_ballot")
    });
}

/// Checks that `text` contains every entry point, and `intrinsic` if and only if the WGSL has a ballot.
fn named_in(shader: &Shader, text: &str, intrinsic: &str) -> Result<(), String> {
    for entry in &shader.case.1 {
        if !text.contains(entry) {
            return Err(format!("{entry} is not in\n{text}"));
        }
    }
    match shader.wgsl.contains("subgroupBallot") == text.contains(intrinsic) {
        true => Ok(()),
        false => Err(format!("{intrinsic} is missing or superfluous in\n{text}")),
    }
}

#[test]
fn broken_spirv_does_not_validate() {
    let shader = validated("inspect/facts");
    let mut words = spirv::dispatched(&shader.case.0, &shader.checked, "facts", false, None)
        .expect("a translation");
    assert_eq!(validate(&words), Ok(()));
    let mut module = spirv::load(&words).expect("valid SPIR-V");
    let function = module.functions.last_mut().expect("a function");
    let block = function.blocks.last_mut().expect("a block");
    block.instructions.pop();
    words = rspirv::binary::Assemble::assemble(&module);
    assert!(validate(&words).is_err(), "a block without an end");
}
