//! Pane "Scene": scene, time, camera, and number of layers.

use egui::{RichText, Ui};

use super::options::Set;
use super::shown_methods::ShownMethods;
use super::style::{PaneFault, ask, failed, note, warn};
use crate::model::options::{Fields, FogMode, SplatOrder};
use crate::model::scene;
use crate::model::scene::{Scene, SplatSpec, Viewpoint};
use crate::model::settings::help_of;
use crate::model::splats::{Axes, SplatFilter};
use crate::paths::last_part;
use crate::viewer::action::{Action, Pick};
use crate::viewer::controls::{Text, choice, choices, path, slider, unless_idle};
use crate::viewer::dock::Pane;
use crate::viewer::readings::Readings;
use crate::viewer::scene_files::SceneFiles;
use crate::viewer::subject::Subject;

const SIZES: [[u32; 2]; 6] = [
    [320, 180],
    [640, 360],
    [1280, 720],
    [1920, 1080],
    [2560, 1440],
    [3840, 2160],
];

/// The controls that are used least come last.
pub fn scene(
    ui: &mut Ui,
    subject: &mut Subject,
    files: &mut SceneFiles,
    (shown, most_across): (&ShownMethods, u32),
    fault: PaneFault,
    asked: &mut Vec<Action>,
    readings: &Readings,
) {
    choose(ui, subject, asked);
    file(ui, &mut files.typed, fault, asked);
    failed(ui, Pane::Scene, fault.said, asked);
    splats(ui, &subject.scene, files, asked);
    cameras(ui, subject, asked);
    clock(ui, subject, asked);
    ui.separator();
    layers(ui, subject, (shown, most_across), readings);
    ui.separator();
    let seed = (&mut subject.settings.seed, &subject.defaults.seed);
    slider(ui, ("seed", "Random seed"), seed, 0..=1000, |slider| {
        slider.clamping(egui::SliderClamping::Never)
    });
}

fn choose(ui: &mut Ui, subject: &Subject, asked: &mut Vec<Action>) {
    let mut chosen = subject.settings.scene.clone();
    let mut names: Vec<_> = scene::listed()
        .iter()
        .map(|(name, shows)| ((*name).to_owned(), (*name).to_owned(), shows.clone()))
        .collect();
    if !names.iter().any(|name| name.0 == chosen) {
        let shows = subject.scene.shows.clone();
        names.push((chosen.clone(), subject.settings.scene_name(), shows));
    }
    let value = (&mut chosen, &"temple".to_owned());
    choice(ui, ("scene", "The scene to show"), value, &names);
    note(ui, &subject.scene.shows);
    if chosen != subject.settings.scene {
        asked.push(Action::GoToScene(chosen));
    }
}

fn file(ui: &mut Ui, typed: &mut String, fault: PaneFault, asked: &mut Vec<Action>) {
    ui.horizontal_wrapped(|ui| {
        let hover = "Path of a scene, splats, a model or a preset. Or drop a file on the window; \
            with Shift its splats are added to the scene.";
        let (open, browse) = (use_of(Pick::Open), Action::Browse(Pick::Open));
        let text = ("file", hover);
        asked.extend(path(ui, text, typed, fault.is_new, open, browse));
    });
    ui.horizontal(|ui| {
        let named = typed.trim();
        ui.add_enabled_ui(!named.is_empty(), |ui| {
            let open = use_of(Pick::Open)(named);
            ask(ui, asked, ("open file", "Open this file"), open);
        });
        let hover = "Add this file's splats to the scene; without a path, choose one in a dialog";
        let add = match named.is_empty() {
            true => Action::Browse(Pick::Add),
            false => use_of(Pick::Add)(named),
        };
        ask(ui, asked, ("add splats", hover), add);
    });
}

fn use_of(pick: Pick) -> impl Fn(&str) -> Action {
    move |path| Action::Use(pick, path.into())
}

fn splats(ui: &mut Ui, shown: &Scene, files: &mut SceneFiles, asked: &mut Vec<Action>) {
    let own = &files.own;
    for (index, now) in files.splats.iter_mut().enumerate() {
        let placed = shown.splats.get(index);
        let placed = placed.filter(|placed| placed.file == now.file);
        let read = placed.and_then(|_| shown.placed_splats.of_set(index));
        let number = format!("{}", index + 1);
        let title = format!("{number}: {}", last_part(&now.file));
        let mine = own.iter().find(|own| own.file == now.file).cloned();
        let default = mine.unwrap_or_else(|| SplatSpec::new(&now.file, now.colors));
        let header = egui::CollapsingHeader::new(title).id_salt(("splats", index));
        header.default_open(true).show(ui, |ui| {
            ui.horizontal(|ui| {
                ui.label(match read {
                    Some((count, bytes)) => {
                        let megabytes = bytes as f64 / 1e6;
                        format!("{count} Gaussians, {megabytes:.1} MB on the GPU")
                    }
                    None => "not read yet".to_owned(),
                });
                let label = format!("remove {number}");
                let text = (&*label, "Remove this file from the scene");
                ask(ui, asked, text, Action::RemoveSplats(index));
            });
            place(ui, &number, now, &default);
            // The values in the file are known only if they have not been overridden.
            let read = &shown.placed_splats;
            let axes = placed.filter(|placed| placed.axes.is_none());
            let axes = axes.and_then(|_| read.axes.get(index).copied());
            let filter = placed.filter(|placed| placed.filter.is_none());
            let filter = filter.and_then(|_| read.filter_of(index));
            reading(ui, &number, now, &default, (axes, filter));
        });
    }
}

fn place(ui: &mut Ui, number: &str, now: &mut SplatSpec, default: &SplatSpec) {
    let turn = "in degrees, after the rotations above. Files without rotation stand upright";
    for (values, defaults, most, what, unit) in [
        (&mut now.position, &default.position, 10.0, "", " m"),
        (&mut now.rotation, &default.rotation, 180.0, "turn ", "°"),
    ] {
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
            let label = format!("{what}{name} {number}");
            let hover = match what {
                "" => format!("World {name} of the file's origin, metres"),
                _ => format!("Rotation about {name} {turn}"),
            };
            let value = (&mut values[axis], &defaults[axis]);
            slider(ui, (&label, &hover), value, -most..=most, |slider| {
                slider.clamping(egui::SliderClamping::Never).suffix(unit)
            });
        }
    }
    let label = format!("scale {number}");
    let scale = (&mut now.scale, &default.scale);
    let hover = "Metres per unit of the file";
    slider(ui, (&label, hover), scale, 0.01..=100.0, |slider| {
        slider.logarithmic(true)
    });
    let label = format!("opacity {number}");
    let opacity = (&mut now.opacity, &default.opacity);
    let hover = "Factor on the opacity of the file's Gaussians";
    slider(ui, (&label, hover), opacity, 0.0..=1.0, |slider| slider);
}

/// Controls for reading a file: axes, treatment of small Gaussians, and subsampling.
fn reading(
    ui: &mut Ui,
    number: &str,
    now: &mut SplatSpec,
    default: &SplatSpec,
    said: (Option<Axes>, Option<SplatFilter>),
) {
    let (axes, filter) = said;
    let auto = axes.map_or("auto".to_owned(), |axes| format!("auto, {axes}"));
    let hover = "As the file declares, or as its format defines".to_owned();
    let mut options = vec![(None, auto, hover)];
    let common = Axes::COMMON.map(|(axes, what)| (Some(axes), axes.to_string(), what.to_owned()));
    options.extend(common);
    for axes in [default.axes, now.axes] {
        if !options.iter().any(|known| known.0 == axes) {
            let name = axes.map_or_else(String::new, |axes| axes.to_string());
            options.push((axes, name, String::new()));
        }
    }
    let label = format!("axes {number}");
    let hover = "Directions of the file's x, y and z axes. Key U changes the axes of all files";
    let axes = (&mut now.axes, &default.axes);
    choice(ui, (&label, hover), axes, &options);
    let auto = filter.map_or("auto".to_owned(), |said| format!("auto, {said}"));
    let mut options = vec![(None, auto, "as the file was trained".to_owned())];
    let named =
        |(filter, what): (SplatFilter, &str)| (Some(filter), filter.to_string(), what.to_owned());
    options.extend(SplatFilter::IN_WORDS.map(named));
    let label = format!("filter {number}");
    let hover = "Opacity of Gaussians smaller than a pixel";
    let filter = (&mut now.filter, &default.filter);
    choice(ui, (&label, hover), filter, &options);
    let label = format!("keep every {number}");
    let hover = "Show every Nth Gaussian, for files that are too large or too slow";
    let every = (&mut now.keep_every, &default.keep_every);
    slider(ui, (&label, hover), every, 1..=1_000_000, |slider| {
        slider.logarithmic(true)
    });
}

fn cameras(ui: &mut Ui, subject: &Subject, asked: &mut Vec<Action>) {
    ui.horizontal_wrapped(|ui| {
        ui.label("camera");
        let now = subject.camera().ok();
        let mut camera = |ui: &mut Ui, (label, hover): Text, at: &Viewpoint, go: Action| {
            let is_now = now.as_ref() == Some(at);
            let button = egui::Button::new(label).selected(is_now);
            if ui.add(button).on_hover_text(hover).clicked() {
                asked.push(go);
            }
            is_now
        };
        let mut is_moved = true;
        let hover = "Go to this camera of the scene. Key: C for the next one";
        for (index, preset) in subject.scene.cameras.iter().enumerate() {
            let go = Action::GoToCamera(index);
            is_moved &= !camera(ui, (&preset.name, hover), &preset.viewpoint(), go);
        }
        for (index, stored) in subject.cameras.iter().enumerate() {
            let label = format!("stored {}", index + 1);
            let place = (&*label, "Go to this stored camera");
            is_moved &= !camera(ui, place, stored, Action::GoToStored(index));
        }
        let store = ("store", "Store the current camera");
        ask(ui, asked, store, Action::StoreCamera);
        if !subject.cameras.is_empty() {
            let forget = ("forget", "Forget the stored cameras");
            ask(ui, asked, forget, Action::ForgetCameras);
        }
        // This label comes last, so that no button moves when the label appears.
        if is_moved {
            let hover = "The camera is at none of these places";
            ui.label(RichText::new("moved").weak()).on_hover_text(hover);
        }
    });
}

fn clock(ui: &mut Ui, subject: &mut Subject, asked: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        let label = if subject.clock.running {
            "pause"
        } else {
            "play"
        };
        let hover = "Stop or start the scene's clock";
        ask(ui, asked, (label, hover), Action::TogglePause);
        let hover = "One frame (1/60 s) forward";
        ask(ui, asked, ("step", hover), Action::Step);
    });
    let hover = "The scene's clock, seconds. Particles are a function of time, so any moment can be shown. Reset goes to \
        the scene's best moment.";
    let time = (&mut subject.settings.time, &subject.scene.best_time);
    slider(ui, ("time", hover), time, 0.0..=60.0, |slider| {
        slider.clamping(egui::SliderClamping::Never).suffix(" s")
    });
    let (text, speed) = (
        ("speed", "Scene seconds per second"),
        &mut subject.clock.speed,
    );
    slider(ui, text, (speed, &1.0), 0.0..=4.0, |slider| {
        slider.suffix(" x")
    });
}

fn layers(
    ui: &mut Ui,
    subject: &mut Subject,
    (shown, most_across): (&ShownMethods, u32),
    readings: &Readings,
) {
    let splats = &subject.scene.placed_splats;
    let usual = subject.usual_options().frame;
    let (settings, defaults) = (&mut subject.settings, &subject.defaults);
    let name = |[width, height]: [u32; 2]| format!("{width}x{height}");
    let mut sizes: Vec<_> = SIZES.map(|size| (size, name(size), String::new())).to_vec();
    for size in [defaults.size, settings.size] {
        if !sizes.iter().any(|known| known.0 == size) {
            sizes.push((size, name(size), String::new()));
        }
    }
    sizes.retain(|size| size.0[0] <= most_across);
    let text = ("frame size", "Composited pixels; the window scales them");
    choice(ui, text, (&mut settings.size, &defaults.size), &sizes);
    let text = ("particles", "Number of simulated particles");
    let particles = (&mut settings.particles, &defaults.particles);
    slider(ui, text, particles, 0..=2_000_000, |slider| {
        slider.logarithmic(true)
    });
    let text = ("fog slices", "Fog slices along the view depth");
    let fog_slices = (&mut settings.fog_slices, &defaults.fog_slices);
    slider(ui, text, fog_slices, 0..=512, |slider| {
        slider.logarithmic(true)
    });
    let fog = (&mut settings.options.frame.fog, &usual.fog);
    choice(ui, ("fog", help_of("fog")), fog, &choices::<FogMode>());
    let (now, default) = (&mut settings.factors, &defaults.factors);
    for (label, hover, value) in [
        (
            "fog density",
            "Factor on the fog's extinction",
            (&mut now.fog_density, &default.fog_density),
        ),
        (
            "opacity",
            "Factor on the particles' opacity, clamped to 1",
            (&mut now.particle_opacity, &default.particle_opacity),
        ),
        (
            "particle size",
            "Factor on the particles' radii",
            (&mut now.particle_size, &default.particle_size),
        ),
    ] {
        slider(ui, (label, hover), value, 0.0..=16.0, |slider| {
            slider
                .logarithmic(true)
                .smallest_positive(0.01)
                .suffix(" x")
        });
    }
    let mut orders = choices::<SplatOrder>();
    orders[0].1 = format!("auto, {}", SplatOrder::Auto.of(splats));
    let hover = help_of("splat_order");
    let now = &mut settings.options.frame;
    let order = (&mut now.splat_order, &usual.splat_order);
    choice(ui, ("splat order", hover), order, &orders);
    for option in Set::all(now.rows(&usual).into_iter()) {
        if option.row.field == "tile" {
            unless_idle(ui, shown.idle_lists().as_deref(), |ui| option.show(ui));
        }
    }
    let counters = readings.counters;
    let mean = f64::from(counters.listed_layers) / f64::from(readings.tiles.max(1));
    let of_lists = |text: String| match counters.has_lists() {
        true => text,
        false => "–".to_owned(),
    };
    ui.label(format!(
        "{} visible particles, {} tile entries",
        counters.visible,
        of_lists(counters.entries.to_string())
    ));
    ui.label(format!(
        "{} layers per list on average, {} in the longest",
        of_lists(format!("{mean:.1}")),
        of_lists(counters.longest_list.to_string())
    ));
    if readings.missing_layers > 0 {
        let missing = readings.missing_layers;
        warn(ui, format!("{missing} layers are missing from this frame"));
    }
}
