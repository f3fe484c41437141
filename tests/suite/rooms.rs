//! Imports go one way: the rooms of `src/` use only those that `docs/architecture.md` names beside them.

use std::collections::BTreeSet;

use crate::docs::{ARCHITECTURE, root};
use crate::harness::below;

/// Files outside all rooms, which every room may use.
const LOOSE: [&str; 8] = [
    "console", "error", "input", "output", "paths", "progress", "tasks", "workers",
];

/// The rooms in order, each with the rooms that the map lets it use.
fn rooms() -> Vec<(String, BTreeSet<String>)> {
    let mut rooms: Vec<(String, BTreeSet<String>)> = Vec::new();
    for line in ARCHITECTURE.lines() {
        let Some(row) = line.strip_prefix("| `src/") else {
            continue;
        };
        let Some((room, rest)) = row.split_once("/` | ") else {
            continue;
        };
        let may = rest.trim_end_matches(" |").rsplit(" | ").next();
        let used = match may.expect("a row has three columns") {
            "all" | "all above" => rooms.iter().map(|(name, _)| name.clone()).collect(),
            names => names.split(", ").map(str::to_owned).collect(),
        };
        rooms.push((room.to_owned(), used));
    }
    rooms
}

/// Lines of a source without comments and tests.
fn code_of(text: &str) -> impl Iterator<Item = &str> {
    let program = text.split("\n#[cfg(test)]\n").next().unwrap_or(text);
    let lines = program.lines();
    lines.map(|line| line.split("//").next().unwrap_or(line))
}

/// Rooms and loose files used by a source, except in its tests.
fn used_by(text: &str) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    for line in code_of(text) {
        for path in line.split("crate::").skip(1) {
            let is_end = |c: char| !(c.is_alphanumeric() || c == '_');
            used.extend(path.split(is_end).next().map(str::to_owned));
        }
    }
    used
}

/// Name and text of every source in a folder, except tests.
fn sources(folder: &str) -> Vec<(String, String)> {
    let names = below(&root().join(folder)).into_iter();
    let names = names.map(|path| path.to_string_lossy().into_owned());
    let sources = names.filter(|name| name.ends_with(".rs") && !name.ends_with("tests.rs"));
    let sources: Vec<_> = sources
        .map(|name| {
            let text = std::fs::read_to_string(&name).expect("a source can be read");
            (name, text)
        })
        .collect();
    assert!(!sources.is_empty(), "{folder} is empty");
    sources
}

#[test]
fn every_room_uses_only_what_the_map_lets_it() {
    let rooms = rooms();
    let names: Vec<&str> = rooms.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names.len(), 10, "{names:?}");
    let mut wrong = Vec::new();
    for (room, may) in &rooms {
        for (name, text) in sources(&format!("src/{room}")) {
            let others = used_by(&text).into_iter().filter(|other| {
                other != room && !may.contains(other) && !LOOSE.contains(&other.as_str())
            });
            wrong.extend(others.map(|other| format!("{name} uses {other}")));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Access to the outside: files, folders, environment.
const OUTSIDE: &str =
    "std::fs std::env std::net std::process File::open crate::input crate::output path::absolute";
/// Such access by methods of paths. Other types may have functions with these names.
const OF_PATHS: &str = ".canonicalize( .exists( .is_dir( .is_file( .is_symlink( .metadata( .read_dir( .read_link( \
                        .symlink_metadata( .try_exists(";

/// Lines of a source, except its tests, that access the outside.
fn reaches_outside(text: &str) -> Vec<&str> {
    let has_paths = code_of(text).any(|line| line.contains("std::path"));
    let has_one = |line: &str, ways: &str| ways.split(' ').any(|way| line.contains(way));
    let is_outside = |line: &&str| has_one(line, OUTSIDE) || has_paths && has_one(line, OF_PATHS);
    code_of(text).filter(is_outside).collect()
}

#[test]
fn the_model_opens_no_file() {
    for (name, text) in sources("src/model") {
        assert_eq!(reaches_outside(&text), [""; 0], "{name}");
    }
}

#[test]
fn a_file_that_the_model_opens_is_found() {
    let text = "use std::fs::File;\nlet there = path.exists();\n// std::fs\nuse std::path::Path;\n";
    let found = ["use std::fs::File;", "let there = path.exists();"];
    assert_eq!(reaches_outside(text), found);
}

#[test]
fn an_import_that_goes_the_other_way_is_found() {
    let used = used_by("use crate::viewer::State; // crate::cli\n\n#[cfg(test)]\nuse crate::runs;");
    assert_eq!(used, BTreeSet::from(["viewer".to_owned()]));
}
