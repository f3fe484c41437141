//! The wave library as one text has every function of every file, and is valid on its own in each language.

use std::collections::BTreeSet;

use wavelerp::gpu::shader::{Edit, ShaderSource, spirv};
use wavelerp::runs::codegen::emit::Language;
use wavelerp::runs::codegen::library;

/// First line of a file of half-float functions.
const HALF: &str = "enable f16;";

/// Functions declared in the library's files, with or without half-float files.
fn declared(half: bool) -> BTreeSet<String> {
    let modules = ShaderSource::modules().into_iter();
    let of_library = modules.filter(|module| module.starts_with("wave/"));
    let texts = of_library.map(|module| crate::shaders::source().file(&module).expect("embedded"));
    let texts = texts.filter(|text| half || !text.lines().any(|line| line == HALF));
    texts.flat_map(|text| functions(&text)).collect()
}

/// Names in lines that start with `fn NAME(`.
fn functions(text: &str) -> BTreeSet<String> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("fn "));
    let names = lines.filter_map(|line| Some(line.split_once('(')?.0.to_owned()));
    names.collect()
}

/// The program's own files, and one of them with a half-float function planted.
fn sources() -> [(ShaderSource, bool); 3] {
    let find = "import package::wave::lerp::{WaveLerpF32, WaveLerpRgb};";
    let replace = "import package::wave::lerp::{WaveLerpF32, WaveLerpRgb};\n\nenable f16;\n\n\
                   fn wave_planted(value: f16) -> f16 { return f16(subgroupAdd(f32(value))); }";
    let planted = crate::shaders::edited([Edit::new("wave/prefix_lerp", find, replace)]);
    let own = crate::shaders::source;
    [(own(), false), (own(), true), (planted, true)]
}

#[test]
fn the_wgsl_validates_on_its_own_and_has_every_function_once() {
    for (source, half) in sources() {
        let wgsl = library::text(&source, Language::Wgsl, half).expect("the library is whole");
        let checked = spirv::check(&wgsl, "library").expect("the shader is valid");
        assert!(checked.module.entry_points.is_empty());
        assert_eq!(checked.module.global_variables.len(), 0, "no binding");
        let functions = checked.module.functions.iter();
        let names: Vec<_> = functions.map(|function| function.1.name.clone()).collect();
        let parsed: BTreeSet<String> = names.iter().flatten().cloned().collect();
        assert_eq!(parsed.len(), names.len());
        assert!(parsed.is_superset(&declared(half)), "{parsed:?}");
        let code = wgsl.lines().filter(|line| !line.starts_with("//"));
        for word in ["import ", "@if", "package::"] {
            let found = code.clone().filter(|line| line.contains(word));
            assert_eq!(found.count(), 0, "{word}");
        }
        let directives = code.filter(|line| line.contains("enable")).count();
        assert_eq!(directives, usize::from(half), "one directive, in front");
    }
    let found = declared(false);
    assert!(
        found.contains("wave_active_lerp_rgb"),
        "functions are found"
    );
}

#[test]
fn files_on_half_floats_come_when_they_are_asked_for() {
    let [.., (planted, _)] = sources();
    let text =
        |language, half| library::text(&planted, language, half).expect("the library is whole");
    for (language, has) in [
        (Language::Wgsl, "fn wave_planted("),
        (Language::Hlsl, "half wave_planted("),
        (Language::Msl, "half wave_planted("),
    ] {
        assert!(text(language, true).contains(has), "{has}");
        let without = text(language, false);
        assert!(!without.contains("wave_planted"));
        assert!(without.contains("--half"), "the text names the flag");
        assert!(without.contains("wave_active_lerp_rgb"));
    }
    assert!(!text(Language::Wgsl, false).contains("\nenable"));
}

#[test]
fn the_translations_have_every_function_too() {
    for (source, half) in sources() {
        for (language, shuffle) in [
            (Language::Hlsl, "WaveReadLaneAt("),
            (Language::Msl, "simd_shuffle("),
        ] {
            let text = library::text(&source, language, half).expect("the library is whole");
            assert!(text.contains(shuffle));
            for name in declared(half) {
                // naga separates names that end in a digit from its own numbers by an underscore.
                let named = [format!(" {name}("), format!(" {name}_(")];
                assert!(named.iter().any(|name| text.contains(name)), "{name}");
            }
        }
    }
}

#[test]
fn every_text_opens_with_version_licence_and_every_files_assumptions() {
    for language in [Language::Wgsl, Language::Hlsl, Language::Msl] {
        let text = library::text(&crate::shaders::source(), language, false);
        let text = text.expect("the library is whole");
        let first = text.lines().next().unwrap_or_default();
        assert!(first.contains(env!("CARGO_PKG_VERSION")), "{first}");
        assert!(first.contains("MIT OR Apache-2.0"), "{first}");
        for module in ShaderSource::modules() {
            let heading = format!("// ---- shaders/{module}.wesl ----");
            let file = crate::shaders::source().file(&module).expect("embedded");
            let is_part = module.starts_with("wave/") && !file.contains(HALF);
            assert_eq!(text.contains(&heading), is_part, "{module}");
        }
        assert!(text.contains("// Assumes: a wave of 4 to 128 lanes"));
    }
}

#[test]
fn a_library_that_is_broken_is_refused() {
    let broken = |find, replace| crate::shaders::edited([Edit::new("wave/lerp", find, replace)]);
    let call = broken("subgroupMul(factor)", "subgroupMull(factor)");
    let error = library::text(&call, Language::Wgsl, false).expect_err("no such function");
    assert!(error.message.contains("subgroupMull"), "{error}");
    let import = "import package::wave::prefix_product::{";
    let variant = "import package::variant::{TILE};\nimport package::wave::prefix_product::{";
    let import = broken(import, variant);
    let error = library::text(&import, Language::Wgsl, false).expect_err("it depends on a variant");
    assert!(error.message.contains("wave/lerp"), "{error}");
    let none = library::text(&crate::shaders::source(), Language::SpirvAsm, false);
    assert_eq!(none.map_err(|error| error.exit_code()), Err(2));
}
