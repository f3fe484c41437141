//! Targets of the fuzzer: the function by which the program itself reads each kind of file, and the code that uses
//! accepted files.

use std::path::Path;
use std::sync::OnceLock;

use fastrand::Rng;
use wavelerp::error::Error;
use wavelerp::frame::{at_moment, frame_input};
use wavelerp::gpu::shader::{ShaderSource, embedded, folder, spirv};
use wavelerp::input::Disk;
use wavelerp::model::methods::Method;
use wavelerp::model::reference::composite::composite;
use wavelerp::model::scene;
use wavelerp::model::settings::{Purpose, default_settings};
use wavelerp::report::bench::{charts, file, markdown, regression, spreadsheet};
use wavelerp::runs::verify::values;
use wavelerp::viewer::dock::Dock;
use wavelerp::viewer::preset::{Compare, Preset};
use wavelerp::viewer::window_state::WindowState;

use super::{Outcome, model_files, mutate, splat_files};
use crate::shaders::{Case, capabilities};

const SCENES: [&str; 3] = [
    include_str!("../../assets/scenes/two.ron"),
    include_str!("../../assets/scenes/temple.ron"),
    include_str!("../../assets/scenes/panes.ron"),
];
const VALUES: [&str; 3] = [
    "value,t\n1,0.5\n2,0.25\n-3e5,1\n",
    "r,g,b,t\r\n1,2,3,0.5\r\n\r\n0.1,0,0,0\r\n",
    "\u{feff}r, g, b, t\n\"1\",2,3,0.5\n",
];
const RECORD: &str = include_str!("record.json");
const WINDOW: &str = "(size: Some((size: (1600.0, 900.0), monitor: (1920.0, 1080.0), is_maximized: false)), \
                      recent: [\"/scenes/garden.ply\", \"/scenes/hall.ron\"])";
/// Shaders small enough for thousands of cases, with all kinds of imports.
const SHADERS: &str =
    "inspect/facts frame/bloom methods/wave_lerp_ballot frame/resolve check/reduce";

/// Reads a changed file of the given kind, or of any kind.
pub fn read(random: &mut Rng, folder: &Path, kind: Option<&str>) -> Outcome {
    // Shaders take as long as a hundred other cases.
    let often = "scene scene preset preset values values record record splats splats models models";
    let kinds: Vec<&str> = often
        .split(' ')
        .cycle()
        .take(60)
        .chain(["window", "shaders"])
        .collect();
    let kind = kind.unwrap_or(kinds[random.usize(..kinds.len())]);
    let mut file = |name, texts: &[&str], read| in_folder(random, folder, name, texts, read);
    let outcome = match kind {
        "scene" => file("my.ron", &SCENES, scene),
        "window" => file("window.ron", &[WINDOW], what_is_kept),
        "preset" => file("preset.ron", &[preset()], a_preset),
        "values" => file("my.csv", &VALUES, some_values),
        "record" => file("bench.json", &[RECORD], a_record),
        "shaders" => shaders(random, folder),
        "splats" => splat_files::read(random),
        "models" => model_files::read(random, folder, scene),
        other => panic!("no kind of file is called {other}"),
    };
    outcome.map_err(|error| error.message)
}

/// Writes a changed file to the folder, reads it, and removes it.
fn in_folder(
    random: &mut Rng,
    folder: &Path,
    name: &str,
    texts: &[&str],
    read: fn(&Path) -> Result<(), Error>,
) -> Result<(), Error> {
    let path = folder.join(name);
    let mut texts: Vec<&[u8]> = texts.iter().map(|text| text.as_bytes()).collect();
    random.shuffle(&mut texts);
    std::fs::write(&path, mutate::changed(random, &texts)).expect("the case's file is written");
    let outcome = read(&path);
    std::fs::remove_file(&path).expect("the case's file is removed");
    outcome
}

/// Reads a scene, and makes its GPU data.
fn scene(path: &Path) -> Result<(), Error> {
    let name = path.to_str().expect("the path is text");
    let scene = scene::load(name, &Disk)?;
    let caps = capabilities(32, true);
    let settings = default_settings(name, &Disk, &caps, Purpose::Window)?;
    for camera in scene.cameras.iter().take(3) {
        let input = frame_input(&scene, camera, &settings, &caps);
        let _ = at_moment(&input, &scene, camera, &settings);
    }
    let _ = (
        settings.flags(),
        settings.metadata(&[Method::PixelLoop], None, None, &Default::default()),
    );
    Ok(())
}

/// A preset as written by the window.
fn preset() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| {
        let settings = default_settings("two", &Disk, &capabilities(32, true), Purpose::Window);
        let settings = settings.expect("a built-in scene");
        let (scene, camera) = settings.load(&Disk).expect("the scene exists");
        let cameras = scene.cameras.iter().chain([&camera]);
        let preset = Preset {
            settings,
            compare: Compare::default(),
            running: true,
            speed: 1.0,
            vsync: true,
            eases: true,
            cameras: cameras.map(|camera| camera.viewpoint()).collect(),
            panes: Dock::default().text(),
            is_light: true,
            keeps_measuring: Some(true),
            remarks: Vec::new(),
        };
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("preset.ron");
        preset.save(&path).expect("the preset is written");
        std::fs::read_to_string(path).expect("the preset is read")
    })
}

/// Reads a preset, and the scene that it names. An accepted preset can be written and read again.
fn a_preset(path: &Path) -> Result<(), Error> {
    let preset = Preset::load(path)?;
    preset.save(path)?;
    let again = Preset::load(path).expect("a written preset is read");
    // Remarks concern the file that was read.
    let preset = Preset {
        remarks: Vec::new(),
        ..preset
    };
    assert_eq!(
        again, preset,
        "the preset read again equals the written one"
    );
    preset.settings.load(&Disk).map(drop)
}

/// Reads the state of a window. An accepted state can be written and read again.
fn what_is_kept(path: &Path) -> Result<(), Error> {
    let kept = WindowState::load(path)?;
    kept.save(path)?;
    assert_eq!(
        WindowState::load(path)?,
        kept,
        "the state read again equals the written one"
    );
    Ok(())
}

fn some_values(path: &Path) -> Result<(), Error> {
    let values = values::read(path)?;
    let _ = composite(&values.layers);
    Ok(())
}

/// Reads a benchmark record, makes its tables and charts, and compares it with a valid record.
fn a_record(path: &Path) -> Result<(), Error> {
    let record = file::read(path)?;
    let _ = (markdown::report(&record), spreadsheet::csv(&record)?);
    let _ = charts::charts(&record);
    let good = serde_json::from_str(RECORD).expect("a record");
    if let Ok(comparison) = regression::compare(&good, &record) {
        let _ = (comparison.text(), comparison.csv()?, comparison.suspects());
        comparison.verdict()?;
    }
    Ok(())
}

/// Compiled cases of a module, collected once.
fn cases_of(module: &str) -> Vec<&'static Case> {
    static CASES: OnceLock<Vec<Case>> = OnceLock::new();
    let all = CASES.get_or_init(|| {
        let mut all = crate::shaders::cases();
        all.retain(|case| SHADERS.split(' ').any(|module| module == case.0.module));
        all
    });
    all.iter().filter(|case| case.0.module == module).collect()
}

/// Compiles a module to SPIR-V from a folder in which the module or an import is changed.
fn shaders(random: &mut Rng, folder: &Path) -> Result<(), Error> {
    let module = random.choice(SHADERS.split(' ').collect::<Vec<_>>());
    let cases = cases_of(module.unwrap_or_default());
    let (variant, entries) = cases[random.usize(..cases.len())];
    let at = folder.join("shaders");
    let (files, _) = ShaderSource::default().resolve_traced(variant, entries);
    let modules: Vec<&String> = files.keys().collect();
    for _ in 0..random.u32(1..=2) {
        let module = modules[random.usize(..modules.len())];
        // Usually the module's own text, sometimes the text of another module.
        let named = match random.u32(..8) {
            0 => modules.clone(),
            _ => vec![module],
        };
        let texts = named.into_iter().filter_map(|module| embedded(module));
        let texts: Vec<&[u8]> = texts.map(str::as_bytes).collect();
        let path = at.join(format!("{module}.wesl"));
        let made = std::fs::create_dir_all(path.parent().expect("a folder"));
        made.expect("the case's folder is made");
        std::fs::write(path, mutate::changed(random, &texts)).expect("the case's file is written");
    }
    let outcome = compiled(&at, &(variant.clone(), entries.clone()), random.bool());
    std::fs::remove_dir_all(&at).expect("the case's folder is removed");
    outcome
}

/// Compiles a case as the window does, from texts read earlier, or as commands do.
fn compiled(at: &Path, (variant, entries): &Case, at_once: bool) -> Result<(), Error> {
    let folder = folder::named(at)?.folder;
    let mut source = ShaderSource::default();
    match at_once {
        true => source.texts = folder::read(&folder),
        false => source.folder = Some(folder),
    }
    let (files, wgsl) = source.resolve_traced(variant, entries);
    let wgsl = wgsl.map_err(|fault| fault.error())?;
    let key = variant.key();
    let fault = |invalid| {
        wavelerp::gpu::shader::error_location::of_wgsl(&key, invalid, &wgsl, &files).error()
    };
    let checked = spirv::checked(&wgsl, &variant.label()).map_err(fault)?;
    for entry in entries {
        let mut points = checked.module.entry_points.iter();
        if points.any(|point| point.name == *entry) {
            let _ = spirv::translate(&checked, entry, false, None);
        }
    }
    Ok(())
}
