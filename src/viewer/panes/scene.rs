//! Pane "Scene": what is drawn, when, from where, and how much of it.

use std::path::PathBuf;

use egui::{RichText, Ui};

use super::Readings;
use super::style::{Fault, failed, warn};
use super::wave::Shown;
use crate::model::options::SplatOrder;
use crate::model::scene;
use crate::model::scene::{Scene, SplatSpec, Viewpoint};
use crate::model::settings::Settings;
use crate::model::splats::{Axes, SplatFilter};
use crate::paths::last_part;
use crate::viewer::action::Action;
use crate::viewer::controls::{
    PathUse, Text, action, choice, path, slider, text, unless_idle, value,
};
use crate::viewer::dock::Pane;
use crate::viewer::picking::Pick;
use crate::viewer::scene_files::SceneFiles;
use crate::viewer::subject::Subject;

/// Frame sizes that can be chosen.
const SIZES: [[u32; 2]; 6] = [
    [320, 180],
    [640, 360],
    [1280, 720],
    [1920, 1080],
    [2560, 1440],
    [3840, 2160],
];

/// What is drawn, from where and when, and how many layers; what is used least stands last.
pub fn scene(
    ui: &mut Ui,
    subject: &mut Subject,
    files: &mut SceneFiles,
    (shown, most_across): (&Shown, u32),
    fault: Fault,
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
    let seed = text("seed", "Random seed");
    slider(
        ui,
        seed,
        value(&mut subject.settings.seed, &subject.defaults.seed),
        0..=1000,
        |slider| slider.clamping(egui::SliderClamping::Never),
    );
}

/// The scene by its name.
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
    choice(
        ui,
        text("scene", "What is drawn"),
        value(&mut chosen, &"temple".to_owned()),
        &names,
    );
    ui.label(RichText::new(&subject.scene.shows).weak().small());
    if chosen != subject.settings.scene {
        asked.push(Action::GoToScene(chosen));
    }
}

/// A file that is opened, or added to the scene.
fn file(ui: &mut Ui, typed: &mut String, fault: Fault, asked: &mut Vec<Action>) {
    ui.horizontal_wrapped(|ui| {
        let hover = "Path of a scene, splats, a model or a preset. Or drop a file on the window; \
            with Shift its splats are added to the scene.";
        match path(ui, text("file", hover), typed, fault.is_new) {
            Some(PathUse::Browse) => asked.push(Action::Browse(Pick::Open)),
            Some(PathUse::Open) => asked.push(Action::Use(Pick::Open, typed.trim().into())),
            None => {}
        }
    });
    ui.horizontal(|ui| {
        let named = PathBuf::from(typed.trim());
        let is_named = !typed.trim().is_empty();
        ui.add_enabled_ui(is_named, |ui| {
            if action(ui, text("open file", "Open this file")) {
                asked.push(Action::Use(Pick::Open, named.clone()));
            }
        });
        let hover = "Add this file's splats to the scene; without a path, choose one in a dialog";
        if action(ui, text("add splats", hover)) {
            asked.push(match is_named {
                true => Action::Use(Pick::Add, named),
                false => Action::Browse(Pick::Add),
            });
        }
    });
}

/// The splat files: where each is, and how it is taken away.
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
                if action(ui, text(&label, "Remove this file from the scene")) {
                    asked.push(Action::RemoveSplats(index));
                }
            });
            place(ui, &number, now, &default);
            // What the file says is known where nothing else was asked for.
            let read = &shown.placed_splats;
            let axes = placed.filter(|placed| placed.axes.is_none());
            let axes = axes.and_then(|_| read.axes.get(index).copied());
            let filter = placed.filter(|placed| placed.filter.is_none());
            let filter = filter.and_then(|_| read.filter_of(index));
            reading(ui, &number, now, &default, (axes, filter));
        });
    }
}

/// Where a splat file stands in the scene, how large and how opaque it is.
fn place(ui: &mut Ui, number: &str, now: &mut SplatSpec, default: &SplatSpec) {
    let own_axes = "an unturned file stands upright";
    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        let label = format!("{name} {number}");
        let hover = format!("World {name} of the file's origin, metres");
        let value = value(&mut now.position[axis], &default.position[axis]);
        slider(ui, text(&label, &hover), value, -10.0..=10.0, |slider| {
            slider.clamping(egui::SliderClamping::Never).suffix(" m")
        });
    }
    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        let label = format!("turn {name} {number}");
        let hover = format!("Turn about {name}, after the turns above, degrees; {own_axes}");
        let value = value(&mut now.rotation[axis], &default.rotation[axis]);
        slider(ui, text(&label, &hover), value, -180.0..=180.0, |slider| {
            slider.clamping(egui::SliderClamping::Never).suffix("°")
        });
    }
    let label = format!("scale {number}");
    let scale = value(&mut now.scale, &default.scale);
    let hover = "Metres per unit of the file";
    slider(ui, text(&label, hover), scale, 0.01..=100.0, |slider| {
        slider.logarithmic(true)
    });
    let label = format!("opacity {number}");
    let opacity = value(&mut now.opacity, &default.opacity);
    let hover = "Factor on the opacity of the file's Gaussians";
    slider(ui, text(&label, hover), opacity, 0.0..=1.0, |slider| slider);
}

/// Where a file's axes point, how small Gaussians are shown, both of which it may have `said`, and how many are shown.
fn reading(
    ui: &mut Ui,
    number: &str,
    now: &mut SplatSpec,
    default: &SplatSpec,
    said: (Option<Axes>, Option<SplatFilter>),
) {
    let auto = said
        .0
        .map_or("auto".to_owned(), |said| format!("auto, {said}"));
    let hover = "What it says, or what files of its kind have".to_owned();
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
    let hover = "Where the file's x, y and z point. Key: U for the next ones, of all files";
    let axes = value(&mut now.axes, &default.axes);
    choice(ui, text(&label, hover), axes, &options);
    let auto = (said.1).map_or("auto".to_owned(), |said| format!("auto, {said}"));
    let mut options = vec![(None, auto, "as the file says it was trained".to_owned())];
    let named =
        |(filter, what): (SplatFilter, &str)| (Some(filter), filter.to_string(), what.to_owned());
    options.extend(SplatFilter::IN_WORDS.map(named));
    let label = format!("filter {number}");
    let hover = "How Gaussians smaller than a pixel are shown";
    let filter = value(&mut now.filter, &default.filter);
    choice(ui, text(&label, hover), filter, &options);
    let label = format!("keep every {number}");
    let hover = "One of so many Gaussians is shown, for files that are too large or too slow";
    let every = value(&mut now.keep_every, &default.keep_every);
    slider(ui, text(&label, hover), every, 1..=1_000_000, |slider| {
        slider.logarithmic(true)
    });
}

fn cameras(ui: &mut Ui, subject: &Subject, asked: &mut Vec<Action>) {
    ui.horizontal_wrapped(|ui| {
        ui.label("camera");
        let now = subject.camera().ok();
        let mut camera = |ui: &mut Ui, place: Text, at: &Viewpoint, go: Action| {
            let is_now = now.as_ref() == Some(at);
            let button = egui::Button::new(place.label).selected(is_now);
            if ui.add(button).on_hover_text(place.hover).clicked() {
                asked.push(go);
            }
            is_now
        };
        let mut is_moved = true;
        let hover = "Go to this camera of the scene. Key: C for the next one";
        for (index, preset) in subject.scene.cameras.iter().enumerate() {
            let place = text(&preset.name, hover);
            is_moved &= !camera(ui, place, &preset.viewpoint(), Action::GoToCamera(index));
        }
        for (index, stored) in subject.cameras.iter().enumerate() {
            let label = format!("stored {}", index + 1);
            let place = text(&label, "Go to this stored camera");
            is_moved &= !camera(ui, place, stored, Action::GoToStored(index));
        }
        if action(ui, text("store", "Store the current camera. Key: Shift+C")) {
            asked.push(Action::StoreCamera);
        }
        if !subject.cameras.is_empty() && action(ui, text("forget", "Forget the stored cameras")) {
            asked.push(Action::ForgetCameras);
        }
        // Last, so that no button moves when it comes and goes.
        if is_moved {
            let hover = "The camera was moved, and is none of these";
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
        if action(
            ui,
            text(label, "Stop or start the scene's clock. Key: Space"),
        ) {
            asked.push(Action::TogglePause);
        }
        if action(ui, text("step", "One frame (1/60 s) forward. Key: .")) {
            asked.push(Action::Step);
        }
    });
    slider(
        ui,
        text(
            "time",
            "The scene's clock, seconds. Particles are a function of time, so any moment can be \
            shown. Reset goes to the scene's best moment.",
        ),
        value(&mut subject.settings.time, &subject.scene.best_time),
        0.0..=60.0,
        |slider| slider.clamping(egui::SliderClamping::Never).suffix(" s"),
    );
    slider(
        ui,
        text("speed", "Scene seconds per second"),
        value(&mut subject.clock.speed, &1.0),
        0.0..=4.0,
        |slider| slider.suffix(" x"),
    );
}

/// How many layers there are and what they are like.
fn layers(
    ui: &mut Ui,
    subject: &mut Subject,
    (shown, most_across): (&Shown, u32),
    readings: &Readings,
) {
    let splats = &subject.scene.placed_splats;
    let (settings, defaults) = (&mut subject.settings, &subject.defaults);
    let name = |[width, height]: [u32; 2]| format!("{width}x{height}");
    let mut sizes: Vec<_> = SIZES.map(|size| (size, name(size), String::new())).to_vec();
    for size in [defaults.size, settings.size] {
        if !sizes.iter().any(|known| known.0 == size) {
            sizes.push((size, name(size), String::new()));
        }
    }
    sizes.retain(|size| size.0[0] <= most_across);
    choice(
        ui,
        text("frame size", "Composited pixels; the window scales them"),
        value(&mut settings.size, &defaults.size),
        &sizes,
    );
    slider(
        ui,
        text("particles", "Number of simulated particles"),
        value(&mut settings.particles, &defaults.particles),
        0..=2_000_000,
        |slider| slider.logarithmic(true),
    );
    slider(
        ui,
        text("fog slices", "Fog layers in every pixel"),
        value(&mut settings.fog_slices, &defaults.fog_slices),
        0..=512,
        |slider| slider.logarithmic(true),
    );
    let (now, default) = (&mut settings.factors, &defaults.factors);
    for (label, hover, value) in [
        (
            "fog density",
            "Factor on the fog's extinction",
            value(&mut now.fog_density, &default.fog_density),
        ),
        (
            "opacity",
            "Factor on the particles' opacity, clamped to 1",
            value(&mut now.particle_opacity, &default.particle_opacity),
        ),
        (
            "particle size",
            "Factor on the particles' radii",
            value(&mut now.particle_size, &default.particle_size),
        ),
    ] {
        slider(ui, text(label, hover), value, 0.0..=16.0, |slider| {
            slider
                .logarithmic(true)
                .smallest_positive(0.01)
                .suffix(" x")
        });
    }
    choice(
        ui,
        text(
            "splat order",
            "How to sort particles, sheet cells and Gaussians between two fog slices",
        ),
        value(
            &mut settings.options.frame.splat_order,
            &defaults.options.frame.splat_order,
        ),
        &[
            (
                SplatOrder::Auto,
                format!("auto, {}", SplatOrder::Auto.of(splats)),
                "as the scene's splat files say",
            ),
            (
                SplatOrder::Depth,
                SplatOrder::Depth.to_string(),
                "by depth along the camera's axis",
            ),
            (
                SplatOrder::Distance,
                SplatOrder::Distance.to_string(),
                "by distance from the eye, for files trained that way",
            ),
        ]
        .map(|(order, name, what)| (order, name, what.to_owned())),
    );
    unless_idle(ui, shown.idle_lists().as_deref(), |ui| {
        tile_size(ui, settings, defaults);
    });
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
        warn(
            ui,
            format!(
                "{} layers are missing from this frame",
                readings.missing_layers
            ),
        );
    }
}

/// The edge of tiles: left to the frame, or fixed.
fn tile_size(ui: &mut Ui, settings: &mut Settings, defaults: &Settings) {
    let fixed = |of: &Settings| (!of.options.frame.auto_tile).then_some(of.options.frame.tile);
    let mut tile = fixed(settings);
    let auto = (
        None,
        format!("auto, {} px", settings.options.frame.tile),
        "Chosen from frame size and particle count".to_owned(),
    );
    let [small, large] = [8, 16].map(|tile| (Some(tile), format!("{tile} px"), String::new()));
    choice(
        ui,
        text("tile size", "Edge in pixels of the tiles that share a list"),
        value(&mut tile, &fixed(defaults)),
        &[auto, small, large],
    );
    settings.options.frame.auto_tile = tile.is_none();
    settings.options.frame.tile = tile.unwrap_or(settings.options.frame.tile);
    settings.settle_tile();
}
