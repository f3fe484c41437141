//! The wave library (`shaders/wave/` and its imports) as one text for another engine.
//!
//! The WGSL is the text of the files, with directives at the front. Import lines, and declarations with a false `@if`,
//! are left out. HLSL and MSL are naga's translations of that text. Files with half floats open with `enable f16;` and
//! are included only on request, because devices without half floats reject that line.

use std::collections::BTreeSet;

use crate::error::{Error, Result};
use crate::gpu::shader::{ShaderSource, spirv};

use super::emit;
use super::emit::Language;

/// First line of a file with half floats.
const HALF: &str = "enable f16;";
const FOLDER: &str = "wave/";

/// A module: its name and opening comment (purpose, assumptions, guarantees), and the remaining text.
type Module = (String, String);

/// The library in `language`. If `half` is true, it includes the files with half floats.
pub fn text(source: &ShaderSource, language: Language, half: bool) -> Result<String> {
    let modules = modules(source, half)?;
    let mut wgsl = opening(Language::Wgsl, half);
    if half {
        wgsl += &format!("\n{HALF}\n");
    }
    for (head, body) in &modules {
        wgsl += &format!("\n{head}{body}");
    }
    let checked = spirv::check(&wgsl, "wave library")?;
    let translated = match language {
        Language::Wgsl => return Ok(wgsl),
        Language::Hlsl => emit::hlsl(&checked, false)?,
        Language::Msl => emit::msl(&checked, false)?,
        // SPIR-V modules without entry points are meant for linking, which Vulkan does not support.
        Language::Spirv | Language::SpirvAsm => {
            return Err(Error::usage(format!(
                "--library --emit {language}: a library has no entry point; write wgsl, hlsl or msl"
            )));
        }
    };
    let mut text = opening(language, half);
    for (head, _) in &modules {
        text += &format!("//\n{head}");
    }
    Ok(text + "\n" + &translated)
}

fn opening(language: Language, half: bool) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let license = env!("CARGO_PKG_LICENSE");
    let own = match language {
        Language::Hlsl => {
            "// HLSL for shader model 6.0 (6.2 with half floats; DXC), by naga from the WGSL. \
            Each part first states\n// what it assumes and guarantees. naga adds an underscore to names that end in a digit.\n"
        }
        Language::Msl => {
            "// Metal Shading Language 2.4, by naga from the WGSL. Each part first states what it \
            assumes and\n// guarantees. naga adds an underscore to names that end in a digit. A ballot \
             has 32 lanes here.\n"
        }
        _ => {
            "// WGSL for naga and wgpu (Features::SUBGROUP). For browsers, remove the slashes in front of the next two\n\
             // lines. naga does not support the first. The second allows wave operations in any control flow.\n\
             // enable subgroups;\n// diagnostic(off, subgroup_uniformity);\n"
        }
    };
    let halves = match half {
        true => {
            "// The library uses half floats, which the adapter must support (wgpu: Features::SHADER_F16).\n"
        }
        false => "// Functions on half floats are left out; --half adds them.\n",
    };
    format!(
        "// The wave library of wavelerp {version}, {license}. `wavelerp shader --library` writes it.\n\
         //\n{own}//\n\
         // This file contains only functions, without bindings or entry points. Paste it, and delete what you do not \
         call.\n// The functions assume a compute shader with a 1-D workgroup that is a multiple of the wave, of 4 to 128 \
         lanes.\n// Each part below states which lanes must be active. wavelerp replaces each function named native_* by \
         one\n// opcode that WGSL lacks (src/gpu/shader/spirv.rs). Their bodies here are correct fallbacks.\n{halves}"
    )
}

/// The library's modules and their imports, sorted by name. Modules in the library's folder come first.
fn modules(source: &ShaderSource, half: bool) -> Result<Vec<Module>> {
    let mut wanted = ShaderSource::modules();
    wanted.retain(|name| name.starts_with(FOLDER));
    let mut seen: BTreeSet<String> = wanted.iter().cloned().collect();
    let mut all = Vec::new();
    let mut next = 0;
    while let Some(name) = wanted.get(next).cloned() {
        next += 1;
        let text = source.file(&name)?;
        let is_half = text.lines().any(|line| line.trim() == HALF);
        if is_half && !half {
            continue;
        }
        let (text, imports) = without_imports(&text.replace(HALF, ""));
        let (opening, body) = parted(&without_unused(&text, &name)?);
        for import in imports {
            let module = module_of(&import, &name)?;
            if seen.insert(module.clone()) {
                wanted.push(module);
            }
        }
        let head = format!("// ---- shaders/{name}.wesl ----\n//\n{opening}");
        all.push((head, body));
    }
    Ok(all)
}

fn without_imports(text: &str) -> (String, Vec<String>) {
    let (mut rest, mut imports) = (String::new(), Vec::new());
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let statement = conditional(line).map_or(line, |(_, statement)| statement);
        if !statement.starts_with("import ") {
            rest += line;
            rest.push('\n');
            continue;
        }
        let mut import = statement.to_owned();
        while !import.trim_end().ends_with(';') {
            let Some(line) = lines.next() else { break };
            import += line;
        }
        imports.push(import);
    }
    (rest, imports)
}

/// The condition of an `@if(...)` at the start of a line, and the remainder of the line.
fn conditional(line: &str) -> Option<(&str, &str)> {
    let (condition, rest) = line.strip_prefix("@if(")?.split_once(')')?;
    Some((condition, rest.trim_start()))
}

/// The embedded module that an import statement of module `of` names: `package::wave::lerp::{a, b}` is `wave/lerp`.
fn module_of(import: &str, of: &str) -> Result<String> {
    let path = import
        .strip_prefix("import package::")
        .and_then(|rest| rest.split(['{', ';']).next())
        .map(|path| path.trim_end_matches("::").replace("::", "/"));
    let modules = ShaderSource::modules();
    let is_known = |name: &&str| modules.iter().any(|module| module == name);
    let path = path.unwrap_or_default();
    // The last part may name a declaration instead of a module.
    let parent = path.rsplit_once('/').map_or("", |parts| parts.0);
    [path.as_str(), parent]
        .into_iter()
        .find(is_known)
        .map(str::to_owned)
        .ok_or_else(|| {
            Error::failed(format!(
                "shaders/{of}.wesl: `{import}`: the library may import other files of shaders/ only"
            ))
        })
}

/// The text without declarations that have an `@if(feature)` for a feature other than `wave`, which the library
/// assumes. A declaration ends with a line that closes all brackets and ends with `;` or `}`.
fn without_unused(text: &str, name: &str) -> Result<String> {
    let mut kept = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some((condition, rest)) = conditional(line) else {
            kept += line;
            kept.push('\n');
            continue;
        };
        let mut declaration = format!("{rest}\n");
        while !is_whole(&declaration) {
            let Some(line) = lines.next() else {
                let message = format!("shaders/{name}.wesl: `{line}` has no end");
                return Err(Error::failed(message));
            };
            declaration += line;
            declaration.push('\n');
        }
        if holds(condition) {
            kept += &declaration;
        }
    }
    Ok(kept)
}

fn is_whole(declaration: &str) -> bool {
    let count = |bracket| declaration.matches(bracket).count();
    declaration.trim_end().ends_with([';', '}']) && count('{') == count('}')
}

/// Evaluates a condition of names, `!`, `&&` and `||`. Only `wave` is true.
fn holds(condition: &str) -> bool {
    let is_on = |term: &str| match term.trim().strip_prefix('!') {
        Some(name) => name.trim() != "wave",
        None => term.trim() == "wave",
    };
    let mut alternatives = condition.split("||");
    alternatives.any(|all| all.split("&&").all(is_on))
}

fn parted(text: &str) -> (String, String) {
    let is_comment = |line: &&str| line.starts_with("//");
    let lines: Vec<&str> = text.lines().take_while(is_comment).collect();
    let opening: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let body = text.get(opening.len()..).unwrap_or_default();
    // There is one empty line between parts, and none in place of imports.
    (opening, format!("\n{}\n", body.trim()))
}
