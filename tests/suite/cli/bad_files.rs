//! Bad scene and CSV files: the message says which file and where in it.

use super::{Desk, TWO};

#[test]
fn a_broken_scene_is_named_with_line_field_value_and_range() {
    let desk = Desk::new();
    let before = TWO.split("near: 1.0").next().unwrap_or_default();
    let place = format!("my.ron:{}:", before.lines().count());
    for (new, fragments) in [
        ("neer: 1.0", "neer | near"),
        ("near: NaN", "near is NaN | 0.001"),
    ] {
        desk.write("my.ron", TWO.replacen("near: 1.0", new, 1));
        let fragments = format!("{place} | {fragments}");
        desk.refuses("capture --scene my.ron --out a/b", 2, &fragments);
    }
    desk.write("my.ron", TWO);
    desk.refuses("capture --scene my.ron --camera none", 2, "none | ahead");
}

#[test]
fn a_scene_that_is_no_text_is_refused() {
    let desk = Desk::new();
    desk.write("my.ron", [0xff, 0xfe, 0x00]);
    desk.refuses("capture --scene my.ron", 2, "my.ron | UTF-8");
    desk.folder("folder.ron");
    desk.refuses("capture --scene folder.ron", 2, "folder.ron");
}

/// What else is wrong with such files is tested in `values`.
#[test]
fn broken_csv_is_placed_by_line() {
    let desk = Desk::new();
    desk.write("my.csv", "value,t\n1,0.5\n2\n");
    let line = "verify --values my.csv --json out.json";
    desk.refuses(line, 2, "my.csv:3 | 1 of 2 fields | value,t");
    desk.refuses("verify --values no.csv", 2, "no.csv");
    desk.refuses("verify --values .", 2, "cannot read .");
}
