//! Bad scene and CSV files: the message says which file and where in it.

use super::Desk;

const SCENE: &str = include_str!("../../../assets/scenes/two.ron");

#[test]
fn a_broken_scene_is_named_with_line_field_value_and_range() {
    let desk = Desk::new();
    let before = SCENE.split("near: 1.0").next().unwrap_or_default();
    let place = format!("my.ron:{}:", before.lines().count());
    for (new, fragments) in [
        ("neer: 1.0", ["neer", "near"]),
        ("near: NaN", ["near is NaN", "0.001"]),
    ] {
        desk.write("my.ron", &SCENE.replacen("near: 1.0", new, 1));
        desk.refuses(
            "capture --scene my.ron --out a/b",
            2,
            &[&place, fragments[0], fragments[1]],
        );
    }
    desk.write("my.ron", SCENE);
    let line = "capture --scene my.ron --camera none";
    desk.refuses(line, 2, &["none", "ahead"]);
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
