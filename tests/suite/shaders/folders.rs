//! Folders of shaders: which imports are allowed, and how long files may be.

use std::collections::BTreeSet;

use wavelerp::gpu::shader::ShaderSource;
use wavelerp::model::Feature;

/// Largest number of lines in a file.
const MOST_LINES: usize = 180;

/// Folders from which the files of a folder may import, besides their own folder and the constants of the variant.
const MAY_IMPORT: [(&str, &[&str]); 8] = [
    ("wave", &[]),
    ("common", &["wave"]),
    ("layers", &["common"]),
    ("methods", &["common", "layers", "wave"]),
    ("frame", &["common", "layers", "wave"]),
    ("inspect", &["common", "layers", "methods", "wave"]),
    ("bench", &["common", "layers", "wave"]),
    ("check", &["common", "wave"]),
];

fn folder_of(path: &str) -> &str {
    let end = path.find([':', '/']).unwrap_or(path.len());
    &path[..end]
}

/// Folders from which a text imports although files of `folder` must not.
fn forbidden<'a>(folder: &str, text: &'a str) -> BTreeSet<&'a str> {
    let row = MAY_IMPORT.into_iter().find(|(name, _)| *name == folder);
    let (_, allowed) = row.unwrap_or_else(|| panic!("{folder}/ is not in the table"));
    let imports = text.split("import package::").skip(1).map(folder_of);
    let known = |name: &&str| *name == folder || *name == "variant" || allowed.contains(name);
    imports.filter(|name| !known(name)).collect()
}

#[test]
fn what_many_files_need_imports_nothing_that_few_need() {
    let source = crate::shaders::source();
    for module in ShaderSource::modules() {
        let text = source.file(&module).expect("an embedded file");
        let found = forbidden(folder_of(&module), &text);
        assert!(found.is_empty(), "{module} imports from {found:?}");
    }
    // Negative control.
    let text = "@if(a) import package::frame::lists::FOG;\nimport package::variant::TILE;\n";
    assert_eq!(forbidden("methods", text), BTreeSet::from(["frame"]));
    assert_eq!(forbidden("frame", text), BTreeSet::new());
}

#[test]
fn no_file_is_long() {
    let source = crate::shaders::source();
    let modules = ShaderSource::modules();
    let lines = |module: &String| source.file(module).expect("a file").lines().count();
    let long: Vec<&String> = modules.iter().filter(|of| lines(of) > MOST_LINES).collect();
    assert!(long.is_empty(), "more than {MOST_LINES} lines: {long:?}");
    assert!(modules.iter().any(|of| lines(of) > MOST_LINES / 2));
}

/// Words in the conditions of a shader's text.
fn conditions(text: &str) -> impl Iterator<Item = &str> {
    let after = ["@if(", "@elif("]
        .into_iter()
        .flat_map(|start| text.split(start).skip(1));
    let conditions = after.filter_map(|rest| rest.split(')').next());
    let words = conditions.flat_map(|all| all.split(|c: char| !(c.is_alphanumeric() || c == '_')));
    words.filter(|word| !word.is_empty())
}

#[test]
fn shaders_ask_for_the_features_that_there_are_and_for_all_of_them() {
    let source = ShaderSource::default();
    let text = |module: String| source.file(&module).expect("a file").to_string();
    let texts: Vec<String> = ShaderSource::modules().into_iter().map(text).collect();
    let asked: BTreeSet<&str> = texts.iter().flat_map(|text| conditions(text)).collect();
    // `Native` affects only the SPIR-V.
    let in_text = Feature::ALL.iter().filter(|of| **of != Feature::Native);
    let known: BTreeSet<&str> = in_text.map(|feature| feature.name()).collect();
    assert_eq!(asked, known);
    // Negative control.
    assert!(conditions("@if(wvae || !half) fn a() {}").eq(["wvae", "half"]));
}
