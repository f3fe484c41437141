//! Factors on fog and particles, and a moved camera: the effect of each on a capture, and invariants.

use wavelerp::gpu::shader::provenance::Provenance;
use wavelerp::live::inspect::{LayerId, ProbedLayer, probe};
use wavelerp::model::items::{ItemCounts, ItemKind};
use wavelerp::model::methods::Method;
use wavelerp::report::png_file::encode_png;

use super::{Desk, TWO, of_flags, png_pixels, png_text};
use crate::harness::{Harness, says};

const LINE: &str = "capture --size 48x27 --methods pixel-loop --quiet";

/// The flags `more`, completed with the flags of a small scene that `more` does not set.
fn with_defaults(more: &str) -> String {
    let defaults = [("--particles", "2000"), ("--fog-slices", "6")];
    let missing = defaults.iter().filter(|(flag, _)| !more.contains(flag));
    let missing = missing.map(|(flag, value)| format!("{flag} {value} "));
    missing.collect::<String>() + more
}

/// Captures with the flags `more` and returns the picture's file.
fn picture(desk: &Desk, more: &str) -> Vec<u8> {
    let line = format!("{LINE} {} --out out --force", with_defaults(more));
    desk.run(&line).good();
    desk.read("out/pixel-loop.png")
}

/// Number of differing pixels, and the largest difference.
fn difference(a: &[u8], b: &[u8]) -> (usize, u8) {
    let [(size, a), (other, b)] = [png_pixels(a), png_pixels(b)];
    assert_eq!(size, other);
    let apart = |(a, b): (&[u8; 3], &[u8; 3])| {
        let channels = a.iter().zip(b);
        channels.map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0)
    };
    let apart: Vec<u8> = a.iter().zip(&b).map(apart).collect();
    let differing = apart.iter().filter(|&&apart| apart > 0).count();
    (differing, apart.into_iter().max().unwrap_or(0))
}

/// Bits of a float composite, channel by channel.
fn composite(desk: &Desk, name: &str) -> Vec<u32> {
    let image = exr::prelude::read_first_flat_layer_from_file(desk.path(name)).expect("an EXR");
    let channels = image.layer_data.channel_data.list.into_iter();
    let values =
        channels.flat_map(|channel| channel.sample_data.values_as_f32().collect::<Vec<_>>());
    values.map(f32::to_bits).collect()
}

/// Bytes of the picture that the program would save with the same flags, made without starting the program.
fn drawn(harness: &Harness, more: &str) -> Vec<u8> {
    let flags = format!("--size 48x27 {}", with_defaults(more));
    let (scene, settings) = of_flags(harness, &flags);
    let mut capture = harness.capture(&scene, &settings);
    let method = Method::PixelLoop;
    let picture = capture.picture(method).expect("a picture");
    let texts = settings.metadata(&[method], Some(method), None, &Provenance::default());
    encode_png(&picture.resolved, &texts).expect("a PNG")
}

#[test]
fn a_factor_of_one_changes_no_byte_and_each_other_factor_the_picture() {
    let harness = Harness::new();
    let plain = drawn(&harness, "");
    let ones = "--fog-density 1 --particle-opacity 1.0 --particle-size 1";
    assert!(drawn(&harness, ones) == plain);
    for (name, flag) in [
        ("fog density", "--fog-density 2"),
        ("particle opacity", "--particle-opacity 2"),
        ("particle size", "--particle-size 2"),
    ] {
        let changed = drawn(&harness, flag);
        let (differing, _) = difference(&plain, &changed);
        assert!(differing > 20, "{flag}: {differing}");
        assert_eq!(png_text(&changed, name).as_deref(), Some("2"));
        assert_eq!(png_text(&plain, name), None);
        says(png_text(&changed, "command").expect("a command"), flag);
    }
}

#[test]
fn without_density_there_is_no_fog_and_without_size_or_opacity_no_particle() {
    let harness = Harness::new();
    let clear = drawn(&harness, "--fog-slices 0");
    let thin = drawn(&harness, "--fog-density 0");
    assert_eq!(difference(&clear, &thin), (0, 0));
    let foggy = drawn(&harness, "");
    assert!(difference(&clear, &foggy).0 > 20, "negative control");
    let empty = drawn(&harness, "--particles 0");
    for [name, value] in [["size", "0"], ["opacity", "0"], ["size", "-0"]] {
        let none = drawn(&harness, &format!("--particle-{name} {value}"));
        assert_eq!(difference(&empty, &none), (0, 0), "{name} {value}");
    }
    assert!(difference(&empty, &foggy).0 > 20, "negative control");
}

#[test]
fn a_camera_of_flags_is_that_of_a_scene_file_bit_by_bit() {
    let desk = Desk::new();
    let temple = include_str!("../../../assets/scenes/temple.ron");
    let cameras = temple.find("cameras: [").expect("cameras") + "cameras: [".len();
    let (before, after) = temple.split_at(cameras);
    let eye = "0.30000001, 2.5, -7.1234567";
    let target = "-1, 1.0000001, 0.5";
    let mine = format!("(name: \"mine\", eye: ({eye}), target: ({target}), fov_y: 47.3),");
    desk.write("mine.ron", format!("{before}{mine}{after}"));
    let [eye, target] = [eye, target].map(|place| place.replace(' ', ""));
    let flags = format!("--eye {eye} --target {target} --fov 47.3");
    let [file, moved] = ["--scene mine.ron", &flags].map(|more| {
        let picture = picture(&desk, &format!("{more} --format exr"));
        (composite(&desk, "out/pixel-loop.exr"), picture)
    });
    assert_eq!(file.0.len(), 4 * 48 * 27);
    assert!(file.0 == moved.0, "the float composites are the same");
    assert_eq!(difference(&file.1, &moved.1), (0, 0));
    let eye = png_text(&moved.1, "eye");
    assert_eq!(eye.as_deref(), Some("0.3,2.5,-7.1234565"));
    assert_eq!(png_text(&file.1, "eye"), None);
    let turned = picture(&desk, &flags.replace("47.3", "47.4"));
    assert!(difference(&moved.1, &turned).0 > 0, "negative control");
}

#[test]
fn a_probe_sees_through_the_same_camera_and_the_same_layers() {
    let harness = Harness::new();
    let layers = |more: &str| {
        let (scene, settings) = of_flags(&harness, &format!("--scene two --size 160x90 {more}"));
        let capture = harness.capture(&scene, &settings);
        let probed = probe(&harness.gpu, &harness.pipelines, &capture.frame, [80, 45]);
        (
            probed.expect("a pixel").layers,
            capture.frame.shape().counts,
        )
    };
    let particle = |(layers, counts): (Vec<ProbedLayer>, ItemCounts)| {
        let is_particle = |layer: &&ProbedLayer| {
            matches!(layer.id(&counts), LayerId::Item(ItemKind::Particle, _))
        };
        layers.iter().find(is_particle).copied()
    };
    let opacity = |more: &str| particle(layers(more)).map(|layer| layer.opacity);
    let depth = |more: &str| particle(layers(more)).map(|layer| layer.depth);
    assert_eq!(opacity(""), Some(0.5));
    assert_eq!(opacity("--particle-opacity 0.5"), Some(0.25));
    assert_eq!(opacity("--particle-opacity 16"), Some(1.0));
    assert!(particle(layers("--particle-size 0")).is_none());
    assert_eq!(depth(""), Some(3.0));
    assert_eq!(depth("--eye 0,0,1"), Some(4.0));
    let fog = |more: &str| f64::from(layers(more).0[0].opacity);
    let [once, twice] = ["", "--fog-density 2"].map(fog);
    // 1 - exp(-2 tau) from 1 - exp(-tau).
    assert!((twice - once * (2.0 - once)).abs() < 1e-6, "{once} {twice}");
}

#[test]
fn no_file_names_the_folder_of_a_scene_file() {
    let desk = Desk::new();
    desk.folder("private");
    desk.write("private/mine.ron", TWO);
    let line = format!("{LINE} --scene private/mine.ron --format exr --out out");
    desk.run(&line).good();
    let holds = |bytes: &[u8], text: &str| {
        let mut places = bytes.windows(text.len());
        places.any(|place| place == text.as_bytes())
    };
    for name in desk.names("out") {
        let bytes = desk.read(&format!("out/{name}"));
        assert!(!holds(&bytes, "private"), "{name}");
        assert!(holds(&bytes, "mine.ron"), "negative control: {name}");
    }
    let probe = "probe --scene private/mine.ron --size 16x9 --pixel 8,4 --json - --quiet";
    let json = desk.run(probe).good().json();
    assert_eq!(json["settings"]["scene"], "mine.ron");
}
