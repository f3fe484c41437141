//! Defaults, flags that reproduce settings, and the notice on CPU adapters.

#![expect(clippy::unwrap_used, reason = "tests")]

use clap::Parser;

use super::*;
use crate::input::Disk;
use crate::model::Capabilities;
use crate::model::methods::Method;
use crate::model::options::{Acts, Control, Fields, Options};
use crate::model::scene::SplatColors;
use crate::model::splats::SplatFilter;

#[derive(clap::Parser)]
struct Line {
    #[command(flatten)]
    scene: SceneArgs,
}

fn caps(is_cpu: bool) -> Capabilities {
    Capabilities {
        name: "An adapter".to_owned(),
        is_cpu,
        ..Capabilities::default()
    }
}

fn settle(line: &str, is_cpu: bool) -> (Settings, Option<String>) {
    let words = std::iter::once("test").chain(line.split_whitespace());
    let line = Line::try_parse_from(words).unwrap();
    let request = line.scene.check(&Disk).unwrap();
    request.settle(&caps(is_cpu), Purpose::Capture).unwrap()
}

/// The settings that the flags give on a GPU, and the request.
fn settled(args: &SceneArgs) -> (Settings, Request) {
    let request = args.check(&Disk).unwrap();
    let settled = request.settle(&Capabilities::default(), Purpose::Capture);
    (settled.unwrap().0, request)
}

fn through_file(settings: &Settings) -> Settings {
    ron::from_str(&ron::to_string(settings).unwrap()).unwrap()
}

#[test]
fn the_defaults_are_the_promised_ones_and_smaller_on_a_cpu_adapter() {
    let (gpu, notice) = settle("", false);
    assert_eq!(notice, None);
    let start = "--scene temple --size 1280x720 --time 12 --seed 1 --camera court --particles 100000 --fog-slices 64 ";
    assert!(gpu.flags().starts_with(start));
    let (cpu, notice) = settle("", true);
    let sizes = (cpu.size, cpu.particles, cpu.fog_slices);
    assert_eq!(sizes, ([640, 360], 10_000, 32));
    assert!(
        notice
            .unwrap()
            .contains("--size 640x360 (elsewhere 1280x720)")
    );
    // The notice names only values that no flag sets.
    let (_, notice) = settle("--size 64x64 --particles 7", true);
    let notice = notice.unwrap();
    assert!(notice.contains("--fog-slices 32 (elsewhere 64)") && !notice.contains("--size"));
    let (_, notice) = settle("--size 64x64 --particles 7 --fog-slices 9", true);
    assert_eq!(notice, None);
}

#[test]
fn options_at_auto_follow_the_frame_also_through_a_file_and_numbers_stay() {
    let numbers = |settings: &Settings| {
        let larger = Settings {
            size: [640, 360],
            ..settings.clone()
        };
        [settings, &larger].map(|of| {
            let method = of.settled(of.options).method;
            [method.pixels_per_wave, method.threads_per_pixel]
        })
    };
    let (auto, _) = settle("--size 160x90", false);
    let kept = through_file(&auto);
    assert_eq!((numbers(&kept), &kept), ([[1, 4], [16, 1]], &auto));
    assert!(auto.flags().contains("--pixels-per-wave 1 "));
    let (given, _) = settle(
        "--size 160x90 --pixels-per-wave 1 --threads-per-pixel 4",
        false,
    );
    assert_eq!(numbers(&through_file(&given)), [[1, 4]; 2]);
    // Files from versions without `auto` contain numbers.
    let text = ron::to_string(&auto).unwrap();
    let old = text.replace("auto_pixels_per_wave:true,", "");
    let old: Settings = ron::from_str(&old.replace("auto_threads_per_pixel:true,", "")).unwrap();
    assert_eq!(numbers(&old), [[1, 4]; 2]);
}

#[test]
fn flags_that_are_not_given_are_those_of_a_default() {
    let given = Line::try_parse_from(["test"]).unwrap().scene;
    assert_eq!(format!("{given:?}"), format!("{:?}", SceneArgs::default()));
    let settings = default_settings("temple", &Disk, &caps(false), Purpose::Capture).unwrap();
    assert_eq!(settings, settle("", false).0);
}

#[test]
fn flags_bring_the_settings_back() {
    let line = "--scene stress --size 161x91 --time=-2.5 --seed 4294967295 --camera above --particles 0 --fog-slices 512 \
                --tile 16 --pixels-per-wave 128 --threads-per-pixel 4";
    let (mut settings, _) = settle(line, false);
    let usual = Options::default();
    let values: Vec<(&str, String)> = (settings.options.rows(&usual))
        .filter_map(|row| {
            let other = match row.control {
                Control::Auto(..) => return None,
                Control::Choice(of) => of.names[usize::from(of.usual == 0)][0].clone(),
                Control::Count(_, usual, counts) => {
                    counts.iter().find(|of| **of != usual)?.to_string()
                }
                Control::Number(_, usual, [least, most]) => {
                    if usual == most { least } else { most }.to_string()
                }
                Control::Decimal(_, usual, [least, most])
                | Control::Factor(_, usual, [least, most]) => {
                    if usual == most { least } else { most }.to_string()
                }
            };
            Some((row.field, other))
        })
        .collect();
    let Options { frame, method } = &mut settings.options;
    for (field, value) in &values {
        assert!(
            frame.set(field, value) || method.set(field, value),
            "{field} {value}"
        );
    }
    let line = settings.flags();
    assert_eq!(settle(&line, false).0, settings);
    assert_eq!(settle(&line, true).0.flags(), line);
    for option in settings.options.in_words() {
        let flag = format!("--{} ", option.name.replace(' ', "-"));
        assert!(line.contains(&flag), "the line lacks {flag}");
    }
}

#[test]
fn axes_filter_and_keep_every_are_in_the_list_that_brings_settings_back() {
    let args = SceneArgs {
        file: Some(
            concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/splats/inria-1.ply").to_owned(),
        ),
        axes: Some("rub".parse().unwrap()),
        splat_filter: Some(SplatFilter::Mip),
        keep_every: Some(4),
        ..SceneArgs::default()
    };
    let (settings, request) = settled(&args);
    assert_eq!(request.scene.placed_splats.count(), 10);
    let flags = settings.flags();
    let said = flags.contains("axes:Some(\"rub\"),filter:Some(mip),keep_every:4");
    assert!(said && flags.contains("--splats"), "{flags}");
    let (scene, _) = through_file(&settings).load(&Disk).unwrap();
    assert_eq!(scene.placed_splats, request.scene.placed_splats);
    assert_eq!(scene.cameras, request.scene.cameras);
}

#[test]
fn files_of_splats_are_a_flag_that_brings_them_back_and_the_published_one_names_no_folder() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/splats");
    let file = |name: &str| format!("{folder}/{name}");
    let mut second = SplatSpec::new(&file("inria-0.ply"), SplatColors::Linear);
    second.position = [0.1, -2.0, 3e-7];
    second.opacity = 0.25;
    let args = SceneArgs {
        file: Some(file("inria-1.ply")),
        splats: Some(args::SplatList(vec![
            SplatSpec::new(&file("inria-1.ply"), SplatColors::Linear),
            second.clone(),
        ])),
        ..SceneArgs::default()
    };
    let (settings, request) = settled(&args);
    let list = settings.splats.clone().unwrap();
    assert_eq!(list[1], second);
    let text = crate::model::scene::splats_text(&list);
    assert!(settings.flags().ends_with(&format!(" --splats '{text}'")));
    assert_eq!(crate::model::scene::parse_splats(&text).unwrap(), list);
    let (scene, _) = settings.load(&Disk).unwrap();
    assert_eq!(scene.placed_splats, request.scene.placed_splats);
    let published = settings.published().flags();
    assert!(published.contains("file:\"inria-0.ply\"") && !published.contains(folder));
    assert_eq!(through_file(&settings), settings);
}

#[test]
fn one_flag_moves_one_part_of_the_camera_and_none_leaves_the_preset() {
    let scene = scene::load("temple", &Disk).unwrap();
    let preset = scene.camera(None).unwrap();
    let (settings, _) = settle("--eye 0,9,0", false);
    let camera = settings.camera_in(&scene).unwrap();
    let expected = CameraPreset {
        eye: [0.0, 9.0, 0.0],
        ..preset.clone()
    };
    assert_eq!(camera, expected);
    let (mut settings, _) = settle(&format!("--fov {}", preset.fov_y), false);
    assert_eq!(settings.moved_camera, None);
    settings.look_from(&scene, &expected);
    assert_eq!(settings.camera_in(&scene).unwrap(), expected);
    settings.look_from(&scene, preset);
    assert_eq!(settings.moved_camera, None);
}

#[test]
fn a_file_with_a_value_out_of_range_is_refused_in_the_words_of_the_flags() {
    type Change<'a> = &'a dyn Fn(&mut Settings);
    let (good, _) = settle("--eye 0,9,0", false);
    good.check().unwrap();
    let said = |change: Change| {
        let mut settings = good.clone();
        change(&mut settings);
        settings.load(&Disk).unwrap_err().message
    };
    let cases: [(Change, &str); 2] = [
        (
            &|s| s.options.method.pixels_per_wave = 3,
            "pixels_per_wave 3: must be a power of two from 1 to 256 (the pixels of a tile)",
        ),
        (
            &|s| s.camera = "curt".to_owned(),
            "the scene `temple` has no camera `curt`",
        ),
    ];
    for (change, message) in cases {
        let said = said(change);
        assert!(said.starts_with(message), "{message}: {said}");
    }
}

#[test]
fn every_method_that_an_option_names_exists() {
    let mut options = Options::default();
    for row in options.rows(&Options::default()) {
        if let Acts::Named(names) = row.acts {
            let is_known = |name: &&str| Method::by_name(name).is_ok();
            assert!(names.iter().all(is_known), "{}: {names:?}", row.field);
        }
    }
    assert!(Method::by_name("thin").is_err(), "negative control");
}
