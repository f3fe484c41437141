//! Shaders that change while in use: exactly those that depend on a changed file are remade, and broken ones leave
//! everything unchanged.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use wavelerp::gpu::Pipelines;
use wavelerp::gpu::pipeline::reload::Rebuilt;
use wavelerp::gpu::pipeline::watch::Watch;
use wavelerp::gpu::shader::{ShaderSource, Texts, Variant, folder};
use wavelerp::model::Feature;

use crate::harness::{Harness, rows, scene, source};
use crate::on_screen::Screen;
use crate::shaders;
use crate::shaders::{Case, cases};

/// Longest wait for a change to take effect.
const PATIENCE: Duration = Duration::from_secs(120);

fn pipelines_of(texts: Texts) -> Pipelines {
    Pipelines::new(ShaderSource {
        texts,
        ..source([])
    })
}

/// The files of the checkout, one of them edited.
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

/// A small frame of the temple on screen.
fn temple<'a>(harness: &'a Harness, pipelines: &'a Pipelines) -> Screen<'a> {
    Screen::new(harness, pipelines, &scene("temple"))
}

/// Draws a frame as the window does: keeps good pipelines and reverts bad ones.
fn draw(screen: &mut Screen) -> Result<(), String> {
    let gpu = &screen.harness.gpu;
    let drawn = screen.live.draw(gpu, screen.pipelines, &screen.wanted);
    let drawn = drawn.and_then(|()| gpu.check()).map_err(|e| e.to_string());
    match &drawn {
        Ok(()) => screen.pipelines.keep(),
        Err(_) => assert!(!screen.pipelines.put_back().is_empty()),
    }
    gpu.wait().expect("the device goes on");
    drawn
}

/// The picture after a few frames, when counters have arrived.
fn picture(screen: &mut Screen) -> Vec<u8> {
    for _ in 0..4 {
        draw(screen).expect("a frame");
    }
    screen.shown()
}

/// Pipelines remade from these texts.
fn rebuilt(pipelines: &Pipelines, texts: Texts) -> Rebuilt {
    let rebuilt = pipelines.rebuild(texts, || true);
    rebuilt.expect("nobody stops it")
}

/// The checkout's files with the picture's red and blue swapped.
fn bent() -> Texts {
    let (find, replace) = ("vec4f(color, 1.0)", "vec4f(color.bgr, 1.0)");
    edited("frame/resolve", find, replace)
}

/// The next change handled by the watch.
fn next(watch: &Watch) -> Rebuilt {
    let start = Instant::now();
    loop {
        if let Some(rebuilt) = watch.change() {
            return rebuilt;
        }
        assert!(start.elapsed() < PATIENCE, "no change is seen");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Writes a file as many editors do: beside it first, then renamed over it.
fn save(folder: &Path, module: &str, text: &str) {
    let path = folder.join(format!("{module}.wesl"));
    let beside = folder.join(format!("{module}.wesl.tmp"));
    std::fs::write(&beside, text).expect("the file is written");
    std::fs::rename(beside, path).expect("the file is replaced");
}

#[test]
fn an_edit_is_seen_a_broken_one_changes_nothing_and_a_mended_one_is_seen() {
    let harness = Harness::new();
    let home = tempfile::tempdir().expect("a folder");
    let original = folder::read(&shaders::folder());
    shaders::write(&shaders::source(), home.path());
    let pipelines = Arc::new(pipelines_of(folder::read(home.path())));
    let mut screen = temple(&harness, &pipelines);
    let first = picture(&mut screen);
    let watch = Watch::start(home.path(), &pipelines).expect("a watch");

    let bent = bent();
    save(home.path(), "frame/resolve", &bent["frame/resolve"]);
    let rebuilt = next(&watch);
    assert_eq!(rebuilt.stale, ["frame/resolve resolve"]);
    assert_eq!(rebuilt.changed, ["frame/resolve"]);
    assert!(picture(&mut screen) == first, "not before it is taken up");
    assert!(pipelines.take_up(rebuilt));
    let second = picture(&mut screen);
    assert!(second != first, "an edit is seen");

    let broken = edited("frame/resolve", "vec4f(color, 1.0)", "vec4f(colour, 1.0)");
    save(home.path(), "frame/resolve", &broken["frame/resolve"]);
    let rebuilt = next(&watch);
    let line = line_of(&broken, "frame/resolve", "vec4f(colour");
    let said = rebuilt.faults[0].line();
    let place = format!("shaders/frame/resolve.wesl:{line}: ");
    assert!(said.starts_with(&place), "{said}");
    assert!(said.contains("colour"), "{said}");
    assert!(!pipelines.take_up(rebuilt));
    assert!(picture(&mut screen) == second, "the last good one");

    // In place this time.
    let path = home.path().join("frame/resolve.wesl");
    std::fs::write(path, &original["frame/resolve"]).expect("written");
    let rebuilt = next(&watch);
    assert!(rebuilt.faults.is_empty());
    assert!(pipelines.take_up(rebuilt));
    assert!(picture(&mut screen) == first, "the mended picture");
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

/// Cases that do not resolve when this file is unreadable.
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
    let pipelines = pipelines_of(texts.clone());
    for (variant, entries) in &kernels {
        let made = pipelines.compute(&harness.gpu, variant, entries[0]);
        made.unwrap_or_else(|error| panic!("{}: {error}", variant.key()));
    }
    assert!(pipelines.stale(&texts).is_empty(), "nothing has changed");
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
        assert_eq!(pipelines.stale(&changed), wanted, "users of {module}");
        counts.insert(wanted.len());
    }
    assert_eq!(counts.len(), 3, "few and many users: {counts:?}");

    // Indeed: exactly those have other sources afterwards, including patched modules.
    let find = "return subgroupShuffle(value, lane);";
    let replace = "return subgroupShuffle(value, lane); // as it was";
    let changed = edited("wave/read_lane", find, replace);
    let before = pipelines.made_of();
    let rebuilt = rebuilt(&pipelines, changed);
    let stale = rebuilt.stale.clone();
    let native = |name: &String| name.contains("+native");
    assert_eq!(stale.iter().any(native), harness.gpu.caps.native_spirv);
    assert!(pipelines.take_up(rebuilt));
    let pairs = before.iter().zip(pipelines.made_of());
    let differing = pairs.filter(|(old, new)| *old != new);
    let differing: Vec<String> = differing.map(|(old, _)| old.0.clone()).collect();
    assert_eq!(differing, stale);
}

#[test]
fn of_an_edit_that_breaks_one_pipeline_none_is_taken_up() {
    let harness = Harness::new();
    let pipelines = pipelines_of(folder::read(&shaders::folder()));
    let mut screen = temple(&harness, &pipelines);
    let first = picture(&mut screen);
    let old = pipelines.made_of();
    // `bright` of bloom.wesl and resolve.wesl call it with one argument.
    let (find, replace) = ("is_nan(value: f32)", "is_nan(value: f32, more: f32)");
    let mut changed = edited("common/bits", find, replace);
    // Another file has changed, and the pipelines made from it compile.
    let good = changed.get_mut("frame/simulate").expect("it is there");
    good.push_str("// A word more.\n");
    let rebuilt = rebuilt(&pipelines, changed.clone());
    assert!(!rebuilt.faults.is_empty());
    let good = "frame/simulate simulate".to_owned();
    assert!(rebuilt.stale.contains(&good));
    let lines: Vec<String> = rebuilt.faults.iter().map(|fault| fault.line()).collect();
    let call = line_of(&changed, "frame/resolve", "if is_nan(");
    let place = format!("shaders/frame/resolve.wesl:{call}: ");
    let is_there = lines.iter().any(|line| line.starts_with(&place));
    assert!(is_there, "{lines:?}");
    assert!(!pipelines.take_up(rebuilt));
    assert_eq!(pipelines.made_of(), old);
    assert!(picture(&mut screen) == first);
}

#[test]
fn a_pipeline_that_compiles_but_cannot_be_drawn_with_goes_back_to_what_it_was() {
    let harness = Harness::alone();
    let pipelines = pipelines_of(folder::read(&shaders::folder()));
    let mut screen = temple(&harness, &pipelines);
    let first = picture(&mut screen);
    let old = pipelines.made_of();
    let changed = [
        // A resource that nobody binds.
        ("composites: array<vec4f>", "composed: array<vec4f>"),
        // One of another format.
        (
            "texture_storage_2d<rgba8unorm, write>",
            "texture_storage_2d<rgba16float, write>",
        ),
    ];
    for (find, replace) in changed {
        let mut texts = edited("frame/resolve", find, replace);
        if replace.contains("composed") {
            let text = texts["frame/resolve"].replace("composites[", "composed[");
            texts.insert("frame/resolve".to_owned(), text);
        }
        let rebuilt = rebuilt(&pipelines, texts);
        let faults: Vec<String> = rebuilt.faults.iter().map(|f| f.line()).collect();
        assert!(pipelines.take_up(rebuilt), "it compiles: {faults:?}");
        let error = draw(&mut screen).expect_err("it cannot be drawn with");
        let says_where = error.contains("resolve") || error.contains("composites");
        assert!(says_where, "{error}");
        assert_eq!(pipelines.made_of(), old, "{error}");
        assert!(picture(&mut screen) == first);
    }
}

#[test]
fn files_that_do_not_work_from_the_start_are_set_aside_one_by_one_until_they_change() {
    let harness = Harness::new();
    let reference = picture(&mut temple(&harness, &harness.pipelines));
    let mut texts = edited("frame/fog", "@compute", "@compute @nonsense(");
    texts.remove("common/noise");
    texts.insert("frame/resolve".to_owned(), bent()["frame/resolve"].clone());
    let pipelines = pipelines_of(texts.clone());
    let mut screen = temple(&harness, &pipelines);
    let said = pipelines.said();
    let [said] = &said[..] else {
        panic!("{said:?}");
    };
    assert!(said.starts_with("shaders/frame/fog.wesl"), "{said}");
    let mixed = picture(&mut screen);
    assert!(mixed != reference, "resolve.wesl works and is used");
    assert!(pipelines.stale(&texts).is_empty(), "fog.wesl is as it was");

    let fog = folder::read(&shaders::folder())["frame/fog"].clone() + "// Mended.\n";
    texts.insert("frame/fog".to_owned(), fog);
    let rebuilt = rebuilt(&pipelines, texts);
    assert_eq!(rebuilt.stale, ["frame/fog froxels"]);
    assert!(pipelines.take_up(rebuilt));
    assert!(picture(&mut screen) == mixed);

    // All of them at once, should a frame fail.
    let used = || pipelines.use_embedded().expect("they work");
    assert!(used());
    assert!(picture(&mut screen) == reference);
    assert!(!used(), "nothing is left");
}

/// File, original and replacement, file and text of the reported error, and a word of its message: resolver errors
/// (syntax, a missing item, a missing module); a parser error (unknown name); type errors of validator and parser, in
/// the file itself and in an import.
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
    let pipelines = pipelines_of(folder::read(&shaders::folder()));
    let made = pipelines.compute(&harness.gpu, &Variant::new("frame/resolve"), "resolve");
    made.expect("it compiles");
    for [module, find, replace, file, part, word] in rows(ERRORS) {
        let changed = edited(module, find, replace);
        let rebuilt = rebuilt(&pipelines, changed.clone());
        assert!(!rebuilt.faults.is_empty(), "{replace}: compiles");
        let line = line_of(&changed, file, part);
        for said in rebuilt.faults.iter().map(|fault| fault.line()) {
            let place = format!("shaders/{file}.wesl:{line}: ");
            assert!(said.starts_with(&place), "{replace}: not at {place}{said}");
            assert!(said.contains(word), "{said}");
            assert!(!said.contains('\u{1b}'), "no terminal colours: {said}");
        }
    }
}
