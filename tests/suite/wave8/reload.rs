//! Edited shaders: exactly the pipelines that depend on a changed file are compiled again, all others are shared, and
//! the pipelines in use stay as they are. `window::reload` tests frames that are drawn with edited shaders.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use wavelerp::gpu::Pipelines;
use wavelerp::gpu::pipeline::edited::Edited;
use wavelerp::gpu::shader::error_location::ShaderFault;
use wavelerp::gpu::shader::watch::Watch;
use wavelerp::gpu::shader::{ShaderSource, Texts, Variant, folder};
use wavelerp::model::Feature;

use crate::harness::{Harness, rows, scene, source};
use crate::on_screen::{FRAMES, Screen};
use crate::shaders;
use crate::shaders::{Case, cases};

/// Longest wait until a change is noticed.
const PATIENCE: Duration = Duration::from_secs(120);

fn source_of(texts: Texts) -> ShaderSource {
    ShaderSource {
        texts,
        ..source([])
    }
}

/// Files of the checkout with one of them edited.
fn edited(module: &str, find: &str, replace: &str) -> Texts {
    let mut texts = folder::read(&shaders::folder());
    let text = texts.get_mut(module).expect("the file is there");
    assert!(text.contains(find), "{module} does not contain {find}");
    *text = text.replacen(find, replace, 1);
    texts
}

/// Line number of the first `part` in a file.
fn line_of(texts: &Texts, module: &str, part: &str) -> usize {
    let before = texts[module].split(part).next().expect("a part");
    before.matches('\n').count() + 1
}

/// Picture of a small frame of the temple.
fn picture(harness: &Harness, pipelines: &Pipelines) -> Vec<u8> {
    let mut screen = Screen::new(harness, pipelines, &scene("temple"));
    (0..FRAMES).for_each(|_| screen.draw().expect("a frame"));
    screen.shown()
}

fn faults(edited: &Edited) -> Vec<ShaderFault> {
    let faults = edited.compile(&mut |_| Ok(()));
    faults.expect("no callback stops the test")
}

/// The checkout's files with the picture's red and blue swapped.
fn bent() -> Texts {
    let (find, replace) = ("vec4f(color, 1.0)", "vec4f(color.bgr, 1.0)");
    edited("frame/resolve", find, replace)
}

#[test]
fn a_change_of_a_folder_is_seen_once_and_nothing_else_is() {
    let home = tempfile::tempdir().expect("a folder");
    shaders::write(&shaders::source(), home.path());
    let texts = folder::read(home.path());
    let watch = Watch::start(home.path(), texts.clone()).expect("a watch");
    std::thread::sleep(Duration::from_secs(1));
    assert!(watch.change().is_none(), "nothing has changed");
    let bent = bent();
    let path = home.path().join("frame/resolve.wesl");
    std::fs::write(path, &bent["frame/resolve"]).expect("the file is written");
    let start = Instant::now();
    let seen = loop {
        match watch.change() {
            Some(seen) => break seen,
            None => std::thread::sleep(Duration::from_millis(20)),
        }
        assert!(start.elapsed() < PATIENCE, "the change is not detected");
    };
    assert!(seen != texts && seen["frame/resolve"] == bent["frame/resolve"]);
    std::thread::sleep(Duration::from_secs(1));
    assert!(watch.change().is_none(), "no second change");
}

/// One case per module and entry point that this adapter can compile.
fn kernels(harness: &Harness) -> Vec<Case> {
    let mut seen = BTreeSet::new();
    let caps = &harness.gpu.caps;
    let is_kernel = |case: &Case| {
        let needs = |feature| case.0.features.contains(&feature);
        let is_drawn =
            ["frame/opaque", "inspect/present", "methods/fixed_function"].contains(&case.0.module);
        let fits = !needs(Feature::Native) || caps.native_spirv;
        !is_drawn && case.1.len() == 1 && fits
    };
    let is_new = |case: &Case| seen.insert((case.0.module, case.1.clone()));
    let kernels = cases().into_iter().filter(is_kernel);
    kernels.filter(is_new).collect()
}

fn name(case: &Case) -> String {
    format!("{} {}", case.0.key(), case.1[0])
}

/// Cases that do not resolve if the file of `module` cannot be read.
fn users<'a>(kernels: &'a [Case], texts: &Texts, module: &str) -> Vec<&'a Case> {
    let mut texts = texts.clone();
    texts.insert(module.to_owned(), "fn ?".to_owned());
    let source = ShaderSource {
        texts,
        ..crate::shaders::source()
    };
    let fails = |case: &&Case| source.resolve(&case.0, &case.1).is_err();
    kernels.iter().filter(fails).collect()
}

#[test]
fn an_edited_import_rebuilds_exactly_its_users() {
    let harness = Harness::new();
    let kernels = kernels(&harness);
    let texts = folder::read(&shaders::folder());
    let pipelines = Pipelines::new(source_of(texts.clone()));
    let made = |pipelines: &Pipelines, (variant, entries): &Case| {
        let made = pipelines.compute(&harness.gpu, variant, entries[0]);
        made.unwrap_or_else(|error| panic!("{}: {error}", variant.key()))
    };
    let before: Vec<_> = kernels.iter().map(|case| made(&pipelines, case)).collect();
    let same = pipelines.edited(source_of(texts.clone()));
    assert!(same.stale().is_empty(), "nothing has changed");
    let mut counts = BTreeSet::new();
    for module in ["frame/resolve", "wave/read_lane", "common/bits"] {
        let mut changed = texts.clone();
        changed.insert(
            module.to_owned(),
            texts[module].clone() + "// A word more.\n",
        );
        let users = users(&kernels, &texts, module);
        let mut wanted: Vec<String> = users.iter().map(|case| name(case)).collect();
        wanted.sort();
        let edited = pipelines.edited(source_of(changed));
        assert_eq!(edited.stale(), wanted, "users of {module}");
        assert_eq!(edited.changed, [module]);
        counts.insert(wanted.len());
    }
    assert_eq!(counts.len(), 3, "few and many users: {counts:?}");

    // All other pipelines are the same objects as before, and those in use have not changed.
    let find = "return subgroupShuffle(value, lane);";
    let replace = "return subgroupShuffle(value, lane); // as it was";
    let edited = pipelines.edited(source_of(edited("wave/read_lane", find, replace)));
    let native = |name: &&str| name.contains("+native");
    let has_native = edited.stale().iter().any(native);
    assert_eq!(has_native, harness.gpu.caps.native_spirv);
    assert!(faults(&edited).is_empty());
    for (case, before) in kernels.iter().zip(&before) {
        let is_stale = edited.stale().contains(&&*name(case));
        let after = made(&edited.pipelines, case);
        assert_eq!(!Arc::ptr_eq(before, &after), is_stale, "{}", name(case));
        assert!(Arc::ptr_eq(before, &made(&pipelines, case)));
    }
}

#[test]
fn of_an_edit_that_breaks_one_pipeline_the_place_is_known_and_the_others_compile() {
    let harness = Harness::new();
    let pipelines = Pipelines::new(source_of(folder::read(&shaders::folder())));
    let first = picture(&harness, &pipelines);
    // `bright` of bloom.wesl and resolve.wesl call it with one argument.
    let (find, replace) = ("is_nan(value: f32)", "is_nan(value: f32, more: f32)");
    let mut changed = edited("common/bits", find, replace);
    let good = changed
        .get_mut("frame/simulate")
        .expect("the module exists");
    good.push_str("// A word more.\n");
    let edited = pipelines.edited(source_of(changed.clone()));
    let faults = faults(&edited);
    assert!(edited.stale().contains(&"frame/simulate simulate"));
    assert!(!faults.is_empty() && faults.len() < edited.stale().len());
    let lines: Vec<String> = faults.iter().map(|fault| fault.line()).collect();
    let call = line_of(&changed, "frame/resolve", "if is_nan(");
    let place = format!("shaders/frame/resolve.wesl:{call}: ");
    let is_there = lines.iter().any(|line| line.starts_with(&place));
    assert!(is_there, "{lines:?}");
    assert!(picture(&harness, &pipelines) == first);
}

#[test]
fn files_that_do_not_work_from_the_start_are_set_aside_one_by_one_until_they_change() {
    let harness = Harness::new();
    let reference = picture(&harness, &harness.pipelines);
    let mut texts = edited("frame/fog", "@compute", "@compute @nonsense(");
    texts.remove("common/noise");
    texts.insert("frame/resolve".to_owned(), bent()["frame/resolve"].clone());
    let pipelines = Pipelines::new(source_of(texts.clone()));
    let mixed = picture(&harness, &pipelines);
    let said = pipelines.said();
    let [said] = &said[..] else {
        panic!("{said:?}");
    };
    assert!(said.starts_with("shaders/frame/fog.wesl"), "{said}");
    assert!(mixed != reference, "resolve.wesl works and is used");
    let with = |texts| ShaderSource {
        texts,
        ..ShaderSource::clone(&pipelines.source())
    };
    let same = pipelines.edited(with(texts.clone()));
    assert!(same.stale().is_empty(), "fog.wesl is unchanged");

    let fog = folder::read(&shaders::folder())["frame/fog"].clone() + "// Mended.\n";
    texts.insert("frame/fog".to_owned(), fog);
    let mended = pipelines.edited(with(texts));
    assert_eq!(mended.stale(), ["frame/fog froxels"]);
    assert!(faults(&mended).is_empty());
    assert!(picture(&harness, &mended.pipelines) == mixed);

    // All pipelines are compiled at once if a frame fails.
    let embedded = mended.pipelines.source().embedded().expect("edited files");
    assert!(embedded.embedded().is_none(), "no edited file remains");
    let embedded = pipelines.edited(embedded);
    assert!(picture(&harness, &embedded.pipelines) == reference);
}

/// Table of errors: file, original and replacement, file and text of the reported error, and a word of its message.
/// There are errors of the resolver (syntax, a missing item, a missing module), an error of the parser (unknown name),
/// and type errors of validator and parser, in the edited file and in one that imports it.
const ERRORS: &str = "
frame/resolve | let grey = max( | let grey max( | frame/resolve | let grey max | unexpected
common/bits | fn is_nan( | fn is_nan_( | frame/resolve | is_nan | is_nan
frame/resolve | bits::is_nan | bytes::is_nan | frame/resolve | bytes:: | bytes
frame/resolve | bits::is_nan | bits::is_none | frame/resolve | if is_nan( | is_nan
frame/resolve | let curve = 1.055 | let curve = 1u | frame/resolve | let curve | frame/resolve
common/bits | > INFINITY | >> 1u | common/bits | >> 1u | common/bits
";

#[test]
fn errors_of_every_kind_are_found_in_the_file_they_are_in() {
    let harness = Harness::new();
    let pipelines = Pipelines::new(source_of(folder::read(&shaders::folder())));
    let made = pipelines.compute(&harness.gpu, &Variant::new("frame/resolve"), "resolve");
    made.expect("the shader compiles");
    for [module, find, replace, file, part, word] in rows(ERRORS) {
        let changed = edited(module, find, replace);
        let faults = faults(&pipelines.edited(source_of(changed.clone())));
        assert!(!faults.is_empty(), "{replace}: compiles");
        let line = line_of(&changed, file, part);
        for said in faults.iter().map(|fault| fault.line()) {
            let place = format!("shaders/{file}.wesl:{line}: ");
            assert!(said.starts_with(&place), "{replace}: not at {place}{said}");
            assert!(said.contains(word), "{said}");
            assert!(!said.contains('\u{1b}'), "no terminal colours: {said}");
        }
    }
}
