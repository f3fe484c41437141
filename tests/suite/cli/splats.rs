//! Splat files on the command line: opened directly, and used by a scene file in the same folder.

use super::{Desk, items, png_pixels, two_with};
use crate::harness::{rows, says};
use crate::splats::write::antimatter;
use crate::splats::{bytes_of, read_fixture};

/// A desk with a splat file, and a scene that places the file twice.
fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("some.ply", bytes_of("inria-3.ply"));
    let place = "(file: \"some.ply\", position: (0.0, 0.0, -4.0), scale: 0.5)";
    let splats = format!("splats: [{place}, {place}]");
    desk.write("mine.ron", two_with(&splats));
    desk
}

#[test]
fn a_file_of_splats_is_probed_like_a_scene() {
    let desk = desk();
    let size = "--size 48x27 --quiet";
    let line = format!("probe some.ply {size} --pixel 20,12 --methods pixel-loop");
    let run = desk.run(&format!("{line} --json probe.json")).good();
    run.prints(" of some.ply: at ");
    let json = desk.json("probe.json");
    let layers = items(&json["layers"]);
    assert!(!layers.is_empty());
    for layer in layers {
        assert_eq!(layer["kind"], "splat");
        let splat = &layer["splat"];
        assert_eq!(splat["file"], "some.ply");
        for field in ["index", "position", "scales", "opacity", "own_rgb"] {
            assert!(!splat[field].is_null(), "{field} of {layer}");
        }
    }
    // The same file under another name.
    let run = desk.run(&format!(
        "{} --json -",
        line.replace("some.ply", "--scene some.ply")
    ));
    assert_eq!(run.good().json(), json);
}

#[test]
fn what_was_guessed_or_left_out_is_said_on_standard_error_in_pictures_and_in_the_report() {
    let desk = Desk::new();
    desk.write("some.spz", bytes_of("v4-0.spz"));
    let picture = |name: &str| String::from_utf8_lossy(&desk.read(name)).into_owned();
    let line = "capture some.spz --size 48x27 --methods pixel-loop --keep-every 2";
    let ran = desk.run(&format!("{line} --out a")).good();
    let guess = "some.spz: it does not declare its axes: taken as rdf; if it is upside down, use --axes rub";
    let lines = format!("some.spz: 1 of every 2 splats is shown: 20 | {guess}");
    ran.warns(&lines);
    says(picture("a/pixel-loop.png"), &lines);
    says(desk.text("a/report.md"), &lines);
    // The user's choice is not reported as a guess, and the command that reproduces the picture contains it.
    let ran = desk.run(&format!("{line} --axes rdf --out b")).good();
    assert!(!ran.stderr.contains("it does not say"), "{ran}");
    assert!(!picture("b/pixel-loop.png").contains(guess));
    says(picture("b/pixel-loop.png"), "keep_every:2");
    let ran = "bench --parts scenes --scenes some.spz --size 16x16 --methods pixel-loop --rounds 1 --out c";
    desk.run(ran).good().warns(guess);
    for file in ["c/bench.json", "c/bench.md", "c/index.html"] {
        says(desk.text(file), guess);
    }
    let large = desk.run("capture some.spz --keep-every 0");
    assert_eq!(large.code, 2, "{large}");
}

#[test]
fn a_cloud_looks_the_same_in_whatever_unit_it_is() {
    let desk = Desk::new();
    let splats = read_fixture("inria-3.ply");
    let pictures = [1.0, 1e5].map(|unit| {
        let mut splats = splats.clone();
        splats.positions.iter_mut().for_each(|place| *place *= unit);
        splats.scales.iter_mut().for_each(|scale| *scale *= unit);
        desk.write("some.splat", antimatter(&splats));
        let flags = "--size 96x54 --quiet --methods pixel-loop --force --out a";
        desk.run(&format!("capture some.splat {flags}")).good();
        png_pixels(&desk.read("a/pixel-loop.png"))
    });
    let differs =
        |(one, other): (&[u8; 3], &[u8; 3])| (0..3).any(|of| one[of].abs_diff(other[of]) > 1);
    let [(_, one), (_, other)] = &pictures;
    assert!(!one.iter().zip(other).any(differs));
    // Negative control: the picture is not empty.
    assert!(differs((&one[0], &one[27 * 96 + 48])), "{:?}", one[0]);
}

#[test]
fn a_scene_places_files_beside_it_among_its_other_layers() {
    let desk = desk();
    let probe = |rest: &str| {
        let line = format!("probe mine.ron --size 48x27 --quiet --pixel 20,12 --json - {rest}");
        desk.run(&line).good().json()
    };
    let json = probe("--methods pixel-loop,wave-tree");
    let layers = items(&json["layers"]);
    for kind in ["fog", "splat"] {
        assert!(layers.iter().any(|layer| layer["kind"] == kind), "{kind}");
    }
    let depth = |layer: &serde_json::Value| layer["depth"].as_f64().expect("a depth");
    assert!(layers.is_sorted_by_key(|layer| (1e4 * depth(layer)) as i64));
}

#[test]
fn what_is_wrong_about_a_file_of_splats_is_said_with_its_place() {
    let desk = desk();
    desk.refuses("capture none.ply", 2, "none.ply: ");
    desk.refuses("capture some.ply --scene two", 2, "--scene");
    desk.write("half.ply", &desk.read("some.ply")[..5000]);
    desk.refuses("probe half.ply --pixel 1,1", 2, "half.ply: ");
    let scene = desk.text("mine.ron");
    let line = scene.lines().count();
    desk.write("bad.ron", scene.replace("some.ply", "none.ply"));
    let place = format!("bad.ron:{line}: splats[0].file: none.ply: ");
    desk.refuses("capture bad.ron", 2, &place);
    for [old, new, wrong] in rows(
        "
scale: 0.5 | scale: 0.0 | splats[0].scale is 0; it must be above 0
scale: 0.5 | opacity: 1.5 | splats[0].opacity is 1.5; it must be from 0 to 1
scale: 0.5 | rotation: (0, 400, 0) | splats[0].rotation[1] is 400; it must be from -360
scale: 0.5 | radiance: -1 | splats[0].radiance is -1
scale: 0.5 | colours: Srgb | `colours` is not a field of `SplatSpec`; nearest: colors
some.ply |  | splats[0].file is empty; it must be a text
splats: [ | splat_dilation: 101, splats: [ | splat_dilation is 101; it must be from 0 to 100 px²
",
    ) {
        desk.write("bad.ron", scene.replace(old, new));
        desk.refuses("capture bad.ron", 2, &format!("bad.ron: | {wrong}"));
    }
}
