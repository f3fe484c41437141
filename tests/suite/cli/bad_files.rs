//! Bad scene and CSV files: the message says which file and where in it.

use super::Desk;

const SCENE: &str = include_str!("../../../assets/scenes/two.ron");

/// The scene `two` with one place exchanged.
fn broken(old: &str, new: &str) -> String {
    assert!(SCENE.contains(old), "`{old}` is in the scene");
    SCENE.replacen(old, new, 1)
}

/// The line that a text first stands on, from 1.
fn line_of(text: &str, what: &str) -> usize {
    let lines = text.lines();
    lines.take_while(|line| !line.contains(what)).count() + 1
}

#[test]
fn broken_ron_is_placed_by_file_line_column_and_field() {
    let desk = Desk::new();
    let line = line_of(SCENE, "near: 1.0");
    for (old, new, fragments) in [
        (
            "near: 1.0,",
            "near: \"close\",",
            vec![format!("my.ron:{line}:"), "near".into()],
        ),
        (
            "near: 1.0,",
            "neer: 1.0,",
            vec![format!("my.ron:{line}:"), "neer".into(), "near".into()],
        ),
        (
            "near: 1.0,",
            "near: 1.0, near: 1.0,",
            vec![format!("my.ron:{line}:"), "twice".into()],
        ),
        ("near: 1.0,", "", vec!["near".into(), "missing".into()]),
        ("near: 1.0,", "near: 1.0", vec!["my.ron:".into()]),
        (
            "cameras: [",
            "cameras: ",
            vec!["my.ron:".into(), "cameras".into()],
        ),
    ] {
        desk.write("my.ron", &broken(old, new));
        let fragments: Vec<&str> = fragments.iter().map(String::as_str).collect();
        desk.refuses("capture --scene my.ron --out a/b", 2, &fragments);
    }
    desk.write("my.ron", "");
    desk.refuses("capture --scene my.ron", 2, &["my.ron:1:1"]);
    desk.write("my.ron", SCENE);
    desk.refuses(
        "capture --scene my.ron --camera none",
        2,
        &["none", "ahead"],
    );
}

#[test]
fn values_that_make_no_picture_are_named_with_field_value_and_range() {
    let desk = Desk::new();
    for (old, new, fragments) in [
        ("near: 1.0,", "near: NaN,", &["my.ron", "near", "NaN"][..]),
        ("far: 16.0,", "far: 0.5,", &["far", "0.5"]),
        ("far: 16.0,", "far: inf,", &["far", "inf"]),
        (
            "radius_start: 0.55",
            "radius_start: -0.55",
            &["emitters[0].radius_start", "-0.55"],
        ),
        (
            "origin: (-0.3, 0.3, -3.0)",
            "origin: (NaN, 0.3, -3.0)",
            &["emitters[0].origin", "NaN"],
        ),
        (
            "opacity: 0.5",
            "opacity: 1.5",
            &["emitters[0].opacity", "1.5"],
        ),
        ("fov_y: 90.0", "fov_y: 0.0", &["cameras[0].fov_y", "0"]),
        (
            "fog_slices: 4",
            "fog_slices: 513",
            &["fog_slices", "513", "512"],
        ),
    ] {
        desk.write("my.ron", &broken(old, new));
        desk.refuses("probe --scene my.ron --pixel 0,0", 2, fragments);
    }
}

#[test]
fn a_scene_that_is_no_text_is_refused() {
    let desk = Desk::new();
    std::fs::write(desk.path("my.ron"), [0xff, 0xfe, 0x00]).expect("a file");
    desk.refuses("capture --scene my.ron", 2, &["my.ron", "UTF-8"]);
    std::fs::create_dir(desk.path("folder.ron")).expect("a folder");
    desk.refuses("capture --scene folder.ron", 2, &["folder.ron"]);
}

#[test]
fn broken_csv_is_placed_by_line() {
    let desk = Desk::new();
    for (text, fragments) in [
        ("", &["my.csv:1", "value,t", "r,g,b,t"][..]),
        ("v,t\n1,0.5\n", &["my.csv:1", "v,t"]),
        ("1,0.5\n2,0.5\n", &["my.csv:1", "header"]),
        (
            "value,t\n1,0.5\n2\n",
            &["my.csv:3", "1 of 2 fields", "value,t"],
        ),
        ("value,t\n1,0.5,7\n", &["my.csv:2", "3 of 2 fields"]),
        ("r,g,b,t\n1,2,3,0.5\n1,2,0.5\n", &["my.csv:3", "r,g,b,t"]),
        ("value,t\n1,0.5\n\none,0.5\n", &["my.csv:4", "value", "one"]),
        (
            "\r\nvalue,t\r\n1,0.5\r\n\r\n\r\n1,2\r\n",
            &["my.csv:6", "t is 2"],
        ),
        ("value,t\n1,\n", &["my.csv:2", "t is \"\""]),
        ("value,t\n1,NaN\n", &["my.csv:2", "t is \"NaN\""]),
        ("value,t\ninf,0.5\n", &["my.csv:2", "value is \"inf\""]),
        ("value,t\n1e39,0.5\n", &["my.csv:2", "1e39"]),
        ("value,t\n1,1.5\n", &["my.csv:2", "1.5", "0 to 1"]),
        ("value,t\n1,-0.1\n", &["my.csv:2", "-0.1"]),
    ] {
        desk.write("my.csv", text);
        desk.refuses("verify --values my.csv --json out.json", 2, fragments);
    }
    desk.refuses("verify --values no.csv", 2, &["no.csv"]);
    desk.refuses("verify --values .", 2, &["cannot read ."]);
}

#[test]
fn a_row_more_than_a_million_is_refused() {
    let desk = Desk::new();
    desk.write("my.csv", &format!("value,t\n{}", "1,0\n".repeat(1_000_001)));
    desk.refuses("verify --values my.csv", 2, &["my.csv:1000002", "1000000"]);
}
