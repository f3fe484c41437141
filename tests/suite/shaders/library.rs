//! The wave library as one text: every function of every file, valid on its own in each language.

use std::collections::BTreeSet;

use wavelerp::codegen::emit::Language;
use wavelerp::codegen::library;
use wavelerp::gpu::shader::{Edit, ShaderSource};
use wavelerp::gpu::spirv;

/// Functions that the files of the library declare, with the features that the text has.
fn declared() -> BTreeSet<String> {
    let modules = ShaderSource::modules().into_iter();
    let of_library = modules.filter(|module| module.starts_with("wave/"));
    let texts = of_library.map(|module| ShaderSource::default().file(&module).expect("embedded"));
    texts.flat_map(|text| functions(&text)).collect()
}

/// Names in lines that begin with `fn NAME(`.
fn functions(text: &str) -> BTreeSet<String> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("fn "));
    let names = lines.filter_map(|line| Some(line.split_once('(')?.0.to_owned()));
    names.collect()
}

fn text(language: Language) -> String {
    library::text(&ShaderSource::default(), language).expect("the library is whole")
}

#[test]
fn the_wgsl_validates_on_its_own_and_has_every_function_once() {
    let wgsl = text(Language::Wgsl);
    let checked = spirv::check(&wgsl, "library").expect("it validates");
    assert!(checked.module.entry_points.is_empty());
    assert_eq!(checked.module.global_variables.len(), 0, "no binding");
    let names: Vec<_> = checked
        .module
        .functions
        .iter()
        .map(|(_, function)| function.name.clone())
        .collect();
    let parsed: BTreeSet<String> = names.iter().flatten().cloned().collect();
    assert_eq!(parsed.len(), names.len());
    assert!(parsed.is_superset(&declared()), "{parsed:?}");
    assert!(
        declared().contains("wave_active_lerp_rgb"),
        "they are found"
    );
    for word in ["import ", "@if", "package::"] {
        let code = wgsl.lines().filter(|line| !line.starts_with("//"));
        assert_eq!(code.filter(|line| line.contains(word)).count(), 0, "{word}");
    }
}

#[test]
fn the_translations_have_every_function_too() {
    for (language, shuffle) in [
        (Language::Hlsl, "WaveReadLaneAt("),
        (Language::Msl, "simd_shuffle("),
    ] {
        let text = text(language);
        assert!(text.contains(shuffle));
        for name in declared() {
            // naga parts names that end in a digit from its own numbers by an underscore.
            let named = [format!(" {name}("), format!(" {name}_(")];
            assert!(named.iter().any(|name| text.contains(name)), "{name}");
        }
    }
}

#[test]
fn every_text_opens_with_version_licence_and_every_files_assumptions() {
    for language in [Language::Wgsl, Language::Hlsl, Language::Msl] {
        let text = text(language);
        let first = text.lines().next().unwrap_or_default();
        assert!(first.contains(env!("CARGO_PKG_VERSION")), "{first}");
        assert!(first.contains("MIT OR Apache-2.0"), "{first}");
        for module in ShaderSource::modules() {
            let heading = format!("// ---- shaders/{module}.wesl ----");
            assert_eq!(
                text.contains(&heading),
                module.starts_with("wave/"),
                "{module}"
            );
        }
        assert!(text.contains("// Assumes: a wave of 4 to 128 lanes"));
    }
}

#[test]
fn a_library_that_is_broken_is_refused() {
    let broken = |find, replace| ShaderSource {
        edits: vec![Edit {
            module: "wave/lerp",
            find,
            replace,
        }],
        ..Default::default()
    };
    let call = broken("subgroupMul(1.0 - t)", "subgroupMull(1.0 - t)");
    let error = library::text(&call, Language::Wgsl).expect_err("no such function");
    assert!(error.message.contains("subgroupMull"), "{error}");
    let import = "import package::wave::prefix_product::{wave_prefix_product_driver};";
    let import = broken(import, "import package::variant::{TILE};");
    let error = library::text(&import, Language::Wgsl).expect_err("it depends on a variant");
    assert!(error.message.contains("wave/lerp"), "{error}");
    let none = library::text(&ShaderSource::default(), Language::SpirvAsm);
    assert_eq!(none.map_err(|error| error.exit_code()), Err(2));
}
