//! Imports go one way: the rooms of `src/` use only those that `docs/architecture.md` names beside them.

use std::collections::BTreeSet;
use std::path::Path;

use crate::docs::{ARCHITECTURE, root};

/// Files that stand in no room and that every room may use.
const LOOSE: [&str; 6] = ["error", "input", "output", "paths", "progress", "workers"];

/// The rooms in order, each with what the map lets it use.
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
        let may = may.expect("a row has three columns");
        let above = || rooms.iter().map(|(name, _)| name.clone()).collect();
        let used = match may {
            "all" | "all above" => above(),
            names => names.split(", ").map(str::to_owned).collect(),
        };
        rooms.push((room.to_owned(), used));
    }
    rooms
}

/// The rooms and loose files that a source uses, but for its tests.
fn used_by(text: &str) -> BTreeSet<String> {
    let program = text.split("\n#[cfg(test)]\n").next().unwrap_or(text);
    let code = program
        .lines()
        .map(|line| line.split("//").next().unwrap_or(line));
    let mut used = BTreeSet::new();
    for line in code {
        for path in line.split("crate::").skip(1) {
            let name = path
                .split(|c: char| !(c.is_alphanumeric() || c == '_'))
                .next();
            used.extend(name.map(str::to_owned));
        }
    }
    used
}

/// What the sources of a room use against the map.
fn wrong_in(folder: &Path, room: &str, may: &BTreeSet<String>, wrong: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder can be listed") {
        let path = entry.expect("a folder can be listed").path();
        let name = path.to_string_lossy().into_owned();
        if path.is_dir() {
            wrong_in(&path, room, may, wrong);
        } else if name.ends_with(".rs") && !name.ends_with("tests.rs") {
            let text = std::fs::read_to_string(&path).expect("a source can be read");
            let others = used_by(&text).into_iter().filter(|other| {
                other != room && !may.contains(other) && !LOOSE.contains(&other.as_str())
            });
            wrong.extend(others.map(|other| format!("{name} uses {other}")));
        }
    }
}

#[test]
fn every_room_uses_only_what_the_map_lets_it() {
    let rooms = rooms();
    let names: Vec<&str> = rooms.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names.len(), 10, "{names:?}");
    let mut wrong = Vec::new();
    for (room, may) in &rooms {
        wrong_in(&root().join("src").join(room), room, may, &mut wrong);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn an_import_that_goes_the_other_way_is_found() {
    let used = used_by("use crate::viewer::State; // crate::cli\n\n#[cfg(test)]\nuse crate::runs;");
    assert_eq!(used, BTreeSet::from(["viewer".to_owned()]));
}
