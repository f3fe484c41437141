//! Files of splats on the command line: alone, and in a scene file beside them.

use super::{Desk, items, png_pixels};
use crate::splats::of_bytes;
use crate::splats::write::antimatter;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/splats/inria-3.ply");

/// A desk with a file of splats, and a scene that places it twice.
fn desk() -> Desk {
    let desk = Desk::new();
    std::fs::copy(FILE, desk.path("some.ply")).expect("the file is copied");
    let two = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/scenes/two.ron");
    let two = std::fs::read_to_string(two).expect("the scene is read");
    let place = "(file: \"some.ply\", position: (0.0, 0.0, -4.0), scale: 0.5)";
    let end = two.rfind(')').expect("a scene ends");
    desk.write(
        "mine.ron",
        &format!(
            "{}, splats: [{place}, {place}])",
            two[..end].trim_end().trim_end_matches(',')
        ),
    );
    desk
}

#[test]
fn a_file_of_splats_is_captured_and_probed_like_a_scene() {
    let desk = desk();
    let size = "--size 48x27 --quiet";
    desk.run(&format!(
        "capture some.ply {size} --methods pixel-loop --out a"
    ))
    .good();
    desk.run(&format!(
        "capture --scene some.ply {size} --methods pixel-loop --out b"
    ))
    .good();
    let pictures = ["a", "b"].map(|folder| desk.read(&format!("{folder}/pixel-loop.png")));
    assert!(
        pictures[0] == pictures[1],
        "the same file, named in two ways"
    );
    let json = desk
        .run(&format!("probe some.ply {size} --pixel 20,12 --json -"))
        .good()
        .json();
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
    let text = desk
        .run(&format!(
            "probe some.ply {size} --pixel 20,12 --methods pixel-loop"
        ))
        .good();
    assert!(text.stdout.contains(" of some.ply: at "), "{text}");
}

#[test]
fn what_was_guessed_or_left_out_is_said_on_standard_error_in_pictures_and_in_the_report() {
    let desk = Desk::new();
    let spz = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/splats/v4-0.spz");
    std::fs::copy(spz, desk.path("some.spz")).expect("the file is copied");
    let size = "--size 48x27 --methods pixel-loop --keep-every 2";
    let ran = desk.run(&format!("capture some.spz {size} --out a")).good();
    let lines = [
        "some.spz: one of 2 splats is shown: 20",
        "some.spz: it does not say where its axes point: taken as rdf; --axes rub turns it",
    ];
    let picture = desk.read("a/pixel-loop.png");
    let picture = String::from_utf8_lossy(&picture);
    let report = desk.read("a/report.md");
    let report = String::from_utf8_lossy(&report);
    for line in lines {
        assert!(ran.stderr.contains(line), "{ran}");
        assert!(
            picture.contains(line) && report.contains(line),
            "{line}: {report}"
        );
    }
    // What the user says is no guess, and is in the command that makes the picture again.
    let ran = desk
        .run(&format!("capture some.spz {size} --axes rdf --out b"))
        .good();
    assert!(!ran.stderr.contains("it does not say"), "{ran}");
    assert!(
        desk.read("a/pixel-loop.png") != desk.read("b/pixel-loop.png"),
        "the texts differ"
    );
    let flag = b"keep_every:2";
    let picture = desk.read("b/pixel-loop.png");
    assert!(picture.windows(flag.len()).any(|part| part == flag));
    let size = "--size 16x16 --methods pixel-loop --rounds 1";
    let guess = lines[1];
    let ran = desk.run(&format!(
        "bench --parts scenes --scenes some.spz {size} --out c"
    ));
    assert!(ran.good().stderr.contains(guess), "it is said");
    for file in ["c/bench.json", "c/bench.md", "c/index.html"] {
        let text = String::from_utf8(desk.read(file)).expect("text");
        assert!(text.contains(guess), "{file}: {text}");
    }
    desk.run("still some.spz --size 16x9 --window 64x36 --bare --out d.png")
        .good();
    let picture = desk.read("d.png");
    assert!(String::from_utf8_lossy(&picture).contains(guess));
    let large = desk.run("capture some.spz --keep-every 0");
    assert_eq!(large.code, 2, "{large}");
}

#[test]
fn a_cloud_looks_the_same_in_whatever_unit_it_is() {
    let desk = Desk::new();
    let file = std::fs::read(FILE).expect("the fixture");
    let splats = of_bytes(&file, "some.ply").expect("it is read");
    let pictures = [1.0, 1e5].map(|unit| {
        let mut splats = splats.clone();
        splats.positions.iter_mut().for_each(|place| *place *= unit);
        splats.scales.iter_mut().for_each(|scale| *scale *= unit);
        std::fs::write(desk.path("some.splat"), antimatter(&splats)).expect("a file");
        let flags = "--size 96x54 --quiet --methods pixel-loop --force --out a";
        desk.run(&format!("capture some.splat {flags}")).good();
        png_pixels(&desk.read("a/pixel-loop.png"))
    });
    let differs =
        |(one, other): (&[u8; 3], &[u8; 3])| (0..3).any(|of| one[of].abs_diff(other[of]) > 1);
    let [one, other] = &pictures;
    assert_eq!(
        one.1
            .iter()
            .zip(&other.1)
            .filter(|pair| differs(*pair))
            .count(),
        0
    );
    // Negative control: there is something to see.
    assert!(differs((&one.1[0], &one.1[27 * 96 + 48])), "{:?}", one.1[0]);
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
    desk.refuses("capture none.ply", 2, &["none.ply: "]);
    desk.refuses("capture some.ply --scene two", 2, &["--scene"]);
    std::fs::write(desk.path("half.ply"), &desk.read("some.ply")[..5000]).expect("written");
    desk.refuses("probe half.ply --pixel 1,1", 2, &["half.ply: "]);
    let scene = String::from_utf8(desk.read("mine.ron")).expect("text");
    let line = scene.lines().count();
    desk.write("bad.ron", &scene.replace("some.ply", "none.ply"));
    let place = format!("bad.ron:{line}: splats[0].file: none.ply: ");
    desk.refuses("capture bad.ron", 2, &[&place]);
    for (old, new, wrong) in [
        (
            "scale: 0.5",
            "scale: 0.0",
            "splats[0].scale is 0; it must be above 0",
        ),
        (
            "scale: 0.5",
            "opacity: 1.5",
            "splats[0].opacity is 1.5; it must be from 0 to 1",
        ),
        (
            "scale: 0.5",
            "rotation: (0, 400, 0)",
            "splats[0].rotation[1] is 400; it must be from -360",
        ),
        ("scale: 0.5", "radiance: -1", "splats[0].radiance is -1"),
        (
            "scale: 0.5",
            "colours: Srgb",
            "`colours` is not a field of `SplatSpec`; nearest: colors",
        ),
        ("some.ply", "", "splats[0].file is empty; it must be a text"),
        (
            "splats: [",
            "splat_dilation: 101, splats: [",
            "splat_dilation is 101; it must be from 0 to 100 px²",
        ),
    ] {
        desk.write("bad.ron", &scene.replace(old, new));
        desk.refuses("capture bad.ron", 2, &["bad.ron:", wrong]);
    }
}
