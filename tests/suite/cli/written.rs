//! `page` and `compare`: what was written before, read again.

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
fn a_page_made_later_is_the_one_that_capture_made() {
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
}

#[test]
fn a_capture_without_its_float_values_has_a_page_of_tables_alone() {
    let desk = Desk::new();
    captured(&desk, "a", SMALL);
    std::fs::remove_file(desk.path("a/pixel-loop.exr")).expect("removed");
    desk.refuses("page a", 2, "pixel-loop.exr | --format exr | --page none");
    desk.run("page a --page none --out tables.html").good();
    // One method without values is left out and named.
    captured(&desk, "b", SMALL);
    std::fs::remove_file(desk.path("b/wave-tree.exr")).expect("removed");
    desk.run("page b --out some.html").good();
    says(desk.text("some.html"), "no picture of wave-tree");
}

#[test]
fn captures_are_compared_in_pictures_and_times_as_far_as_they_can_be() {
    let desk = Desk::new();
    captured(&desk, "a", SMALL);
    captured(&desk, "b", "--scene two --size 48x27 --hazard division");
    captured(&desk, "large", "--scene two --size 64x36");
    captured(&desk, "other", "--scene panes --size 48x27");
    let same = desk.run("compare a b --out both.html").good();
    same.prints("differ in");
    let row = |run: &super::Run| -> Vec<String> {
        let line = run.stdout.lines().find(|line| line.contains("pixel-loop "));
        let words = line.expect("a row of the reference").split_whitespace();
        words.map(str::to_owned).collect()
    };
    assert_eq!(row(&same)[4..7], ["0", "0", "0"], "{same}");
    let large = desk.run("compare a large").good();
    large.prints("differ in size: 48x27, and 64x36");
    large.prints("Pictures not compared: pixel-loop, wave-tree");
    assert_eq!(row(&large)[4], "–", "{large}");
    let other = desk.run("compare a other --out other.html").good();
    other.prints("differ in scene: two, and panes | the scenes differ");
}

#[test]
fn what_is_no_run_is_refused_in_one_line() {
    let desk = Desk::new();
    captured(&desk, "a", SMALL);
    desk.folder("empty");
    desk.folder("broken");
    desk.write("broken/report.json", "{\"settings\": ");
    desk.write("foreign.json", "{\"name\": \"something else\"}");
    desk.write("bench.json", desk.read("a/report.json"));
    desk.refuses_all(
        "
page nothing | nothing | not there
page empty | empty | neither bench.json nor report.json
page broken | report.json | not the report of a capture
page foreign.json | foreign.json | not a benchmark record
compare a empty | empty | neither
page a --page wave-tre | wave-tre | wave-tree
page a --out missing/page.html | missing/page.html | cannot write
compare a bench.json | bench.json
",
    );
}
