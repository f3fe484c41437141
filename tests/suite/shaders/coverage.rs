//! No shader is forgotten: every entry point is a case, and every function is in the code of some case.

use std::collections::BTreeSet;

use wavelerp::gpu::shader::{ShaderSource, Variant};
use wavelerp::runs::codegen::emit::Language;
use wavelerp::runs::codegen::library;

use super::{Case, cases, shader, shaders, source, test_source};

/// The name in `fn NAME(`, if the line declares a function.
fn function_in(line: &str) -> Option<&str> {
    let (before, declaration) = line.split_once("fn ")?;
    let (name, _) = declaration.split_once('(')?;
    (before.is_empty() || before.starts_with('@')).then_some(name)
}

/// Entry points declared by a file: the function after `@compute`, `@vertex` or `@fragment`.
fn entry_points_of(text: &str) -> Vec<&str> {
    let stages = ["@compute", "@vertex", "@fragment"];
    let mut names = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if stages.iter().any(|stage| line.contains(stage)) && !line.starts_with("//") {
            let mut rest = std::iter::once(line).chain(lines.by_ref());
            names.extend(rest.find_map(function_in));
        }
    }
    names
}

/// Every module with its text.
fn files() -> Vec<(String, String)> {
    let source = crate::shaders::source();
    let text = |module: &String| source.file(module).expect("embedded files are readable");
    let modules = ShaderSource::modules().into_iter();
    modules
        .map(|module| (module.clone(), text(&module).to_string()))
        .collect()
}

/// Entry points of the embedded files missing from `cases`.
fn forgotten(cases: &[Case]) -> Vec<String> {
    let mut missing = Vec::new();
    for (module, text) in files() {
        for entry in entry_points_of(&text) {
            let tested = |case: &Case| case.0.module == module && case.1.contains(&entry);
            if !cases.iter().any(tested) {
                missing.push(format!("{module} {entry}"));
            }
        }
    }
    missing
}

/// Functions of the embedded files missing from `texts`.
fn unreached(texts: &[&str]) -> Vec<String> {
    let reached = texts.iter();
    let reached = reached.flat_map(|text| text.lines().filter_map(function_in));
    let reached: BTreeSet<&str> = reached.collect();
    let mut missing = Vec::new();
    for (module, text) in files() {
        let functions = text.lines().filter_map(function_in);
        let unseen = functions.filter(|function| !reached.contains(function));
        missing.extend(unseen.map(|function| format!("{module} {function}")));
    }
    missing
}

#[test]
fn every_entry_point_is_a_case() {
    assert_eq!(forgotten(&cases()), Vec::<String>::new());
    let counts = files();
    let counts = counts.iter().map(|(_, text)| entry_points_of(text).len());
    let total: usize = counts.sum();
    assert!(total >= 28, "only {total} entry points were found in files");
}

#[test]
fn a_forgotten_entry_point_is_found() {
    let mut without = cases();
    without.retain(|case| case.0.module != "inspect/facts");
    assert_eq!(forgotten(&without), ["inspect/facts facts"]);
}

#[test]
fn every_function_of_every_file_is_in_some_tested_shader() {
    // Functions offered to other programs are in the printed library; depths of layers are in a test kernel.
    let library = library::text(&source(), Language::Wgsl, true).expect("the library is whole");
    let covers = Variant::new("covers")
        .with("TILE", 8)
        .with("PIXELS_PER_WAVE", 1)
        .with_bool("EARLY_OUT", false);
    let covers = shader(&test_source(), &(covers, vec!["cover_all"])).expect("the shader is valid");
    let mut texts = vec![library.as_str(), covers.wgsl.as_str()];
    let resolved = shaders()
        .iter()
        .filter_map(|(_, shader)| shader.as_ref().ok());
    texts.extend(resolved.map(|shader| shader.wgsl.as_str()));
    assert_eq!(unreached(&texts), Vec::<String>::new());
    // Without these texts, the library's unused functions are reported.
    let missing = unreached(&texts[2..]);
    let mut missing = missing.iter();
    assert!(missing.any(|name| name.contains("wave_prefix_lerp_f32")));
}
