//! `page` and `compare` on existing captures and benchmarks.

use super::Desk;
use crate::harness::says;

const SMALL: &str = "--scene two --size 48x27";

/// A capture of two methods with EXR files.
fn captured(desk: &Desk, out: &str, what: &str) {
    let line =
        format!("capture {what} --methods pixel-loop,wave-tree --format exr --quiet --out {out}");
    desk.run(&line).good();
}

#[test]
fn a_page_made_later_is_the_one_that_capture_made_and_has_what_the_folder_has() {
    let desk = Desk::new();
    captured(&desk, "a", SMALL);
    let made = desk.read("a/index.html");
    desk.run("page a --out later.html").good();
    assert_eq!(desk.read("later.html"), made);
    desk.run("page a/report.json --page none --out tables.html")
        .good();
    assert_ne!(desk.read("tables.html"), made, "negative control");
    desk.run("page a --page wave-tree").good();
    assert!(desk.read("a/index.html").starts_with(b"<!doctype html>"));
    // A method without values is omitted with a message; without the reference's values there is no page of pictures.
    let remove = |name| std::fs::remove_file(desk.path(name)).expect("removed");
    remove("a/wave-tree.exr");
    desk.run("page a --out some.html").good();
    says(desk.text("some.html"), "no picture of wave-tree");
    remove("a/pixel-loop.exr");
    desk.refuses("page a", 2, "pixel-loop.exr | --format exr | --page none");
    desk.run("page a --page none --out tables.html").good();

    desk.folder("empty");
    desk.folder("broken");
    desk.write("broken/report.json", "{\"settings\": ");
    desk.write("foreign.json", "{\"name\": \"something else\"}");
    desk.write("bench.json", desk.read("a/report.json"));
    desk.refuses_all(
        "
page nothing | nothing | does not exist
page empty | empty | neither bench.json nor report.json
page broken | report.json | not the report of a capture
page foreign.json | foreign.json | not a benchmark record
compare a empty | empty | neither
page a --page wave-tre | wave-tre | wave-tree
page a --page none --out missing/page.html | missing/page.html | cannot write
compare a bench.json | bench.json
",
    );
}

#[test]
fn captures_are_compared_in_pictures_and_times_as_far_as_they_can_be() {
    let desk = Desk::new();
    captured(&desk, "a", SMALL);
    captured(&desk, "b", "--scene two --size 48x27 --hazard division");
    captured(&desk, "other", "--scene panes --size 64x36");
    let same = desk.run("compare a b --out both.html").good();
    same.prints("differ in");
    let row = |run: &super::Run| -> Vec<String> {
        let line = run.stdout.lines().find(|line| line.contains("pixel-loop "));
        let words = line.expect("a row of the reference").split_whitespace();
        words.map(str::to_owned).collect()
    };
    // Columns with the errors of each set and the differences between the two sets.
    assert_eq!(row(&same)[4..9], ["0"; 5], "{same}");
    same.prints("errors: RMSE of each set's picture");
    let other = desk.run("compare a other --out other.html").good();
    other.prints("differ in size: 48x27, and 64x36 | differ in scene: two, and panes");
    other.prints("Pictures not compared: pixel-loop, wave-tree: the scenes differ");
    assert_eq!(row(&other)[4..7], ["0", "0", "–"], "{other}");
}
