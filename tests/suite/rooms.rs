//! Imports go one way: each room of `src/` uses only the rooms that its row in `docs/architecture.md` names, and no two
//! files use each other, directly or through others.

use std::collections::{BTreeMap, BTreeSet};

use crate::docs::{ARCHITECTURE, root};
use crate::harness::below;

/// Files outside all rooms, which every room may use.
const LOOSE: [&str; 9] = [
    "browser", "console", "error", "input", "output", "paths", "progress", "tasks", "workers",
];

/// The rooms in order, each with the rooms that it may use according to the map.
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

/// Words and `::` of a source's code, and every other character by itself.
fn tokens(text: &str) -> Vec<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut tokens: Vec<String> = Vec::new();
    for c in code_of(text).flat_map(|line| line.chars().chain([' '])) {
        match tokens.last_mut() {
            Some(last) if last == ":" && c == ':' => last.push(c),
            Some(last) if is_word(c) && last.ends_with(is_word) => last.push(c),
            _ => tokens.push(c.to_string()),
        }
    }
    tokens.retain(|token| token != " ");
    tokens
}

/// A path, and the name under which it is imported.
type Named = (Vec<String>, String);

/// Adds the path, or the paths of the tree of imports, at the start of `rest` to `found`; returns the remaining tokens.
fn read_paths<'a>(
    mut rest: &'a [String],
    before: &[String],
    found: &mut Vec<Named>,
) -> &'a [String] {
    let mut path = before.to_vec();
    while let [word, after @ ..] = rest {
        rest = after;
        if word == "{" {
            while rest.first().is_some_and(|token| token != "}") {
                rest = read_paths(rest, &path, found);
                rest = rest.strip_prefix(&[",".to_owned()]).unwrap_or(rest);
            }
            return rest.get(1..).unwrap_or_default();
        }
        if word != "self" || path.is_empty() {
            path.push(word.clone());
        }
        match rest {
            [colons, after @ ..] if colons == "::" => rest = after,
            _ => break,
        }
    }
    let mut name = path.last().cloned().unwrap_or_default();
    if let [word, other, after @ ..] = rest
        && word == "as"
    {
        (name, rest) = (other.clone(), after);
    }
    found.push((path, name));
    rest
}

/// The modules of a crate: the file of each, the paths that it uses, and its imports with their names.
#[derive(Default)]
struct Modules {
    files: BTreeMap<Vec<String>, String>,
    uses: Vec<[Vec<String>; 2]>,
    imports: BTreeMap<Vec<String>, Vec<String>>,
}

impl Modules {
    /// The modules of sources in `folder`.
    fn of(folder: &str, sources: &[(String, String)]) -> Self {
        let mut modules = Self::default();
        let mut all = Vec::new();
        for (name, text) in sources {
            let file = name.rsplit(folder).next().unwrap_or(name);
            let parts = file.trim_end_matches(".rs").split('/');
            let parts = parts.filter(|part| !["mod", "lib", "main"].contains(part));
            let module: Vec<String> = parts.map(str::to_owned).collect();
            modules.files.insert(module.clone(), file.to_owned());
            all.push((module, tokens(text)));
        }
        for (module, tokens) in &all {
            let mut rest = tokens.as_slice();
            while let [word, after @ ..] = rest {
                let before = &tokens[..tokens.len() - rest.len()];
                let is_public = before
                    .last()
                    .is_some_and(|last| last == "pub" || last == ")");
                let is_visibility = before.ends_with(&["(".to_owned(), "in".to_owned()]);
                let is_use = word == "use";
                let mut found = Vec::new();
                rest = match after.first().is_some_and(|next| next == "::") {
                    _ if is_use => read_paths(after, &[], &mut found),
                    true if !is_visibility => read_paths(rest, &[], &mut found),
                    _ => after,
                };
                for (path, name) in found {
                    let Some(path) = modules.absolute(module, &path) else {
                        continue;
                    };
                    // A name that is only re-exported is not used.
                    let times = tokens.iter().filter(|token| **token == name).count();
                    if !(is_use && is_public) || times > 1 {
                        modules.uses.push([module.clone(), path.clone()]);
                    }
                    if is_use {
                        let name = [module.as_slice(), &[name]].concat();
                        modules.imports.insert(name, path);
                    }
                }
            }
        }
        modules
    }

    /// A path that a module uses, from the root of the crate; `None` if the path leads out of the crate.
    fn absolute(&self, module: &[String], path: &[String]) -> Option<Vec<String>> {
        let up = path.iter().take_while(|part| *part == "super").count();
        let child = [module, &path[..1]].concat();
        Some(match path[0].as_str() {
            "crate" => path[1..].to_vec(),
            "self" => [module, &path[1..]].concat(),
            "super" => [module.get(..module.len().checked_sub(up)?)?, &path[up..]].concat(),
            _ if self.files.contains_key(&child) => [module, path].concat(),
            _ => return None,
        })
    }

    /// File of the item that a path names, followed through at most `through` re-exports.
    fn file_of(&self, path: &[String], through: usize) -> Option<&str> {
        let lens = (0..=path.len()).rev();
        let len = lens
            .into_iter()
            .find(|len| self.files.contains_key(&path[..*len]))?;
        let import = path.get(..=len).and_then(|name| self.imports.get(name));
        match import.filter(|_| through > 0) {
            Some(import) => self.file_of(&[import, &path[len + 1..]].concat(), through - 1),
            None => self.files.get(&path[..len]).map(String::as_str),
        }
    }

    /// Files in circular imports, or between such circles. Each file is paired with another of these files that it uses.
    fn circles(&self) -> Vec<[&str; 2]> {
        let files = |[user, used]: &[Vec<String>; 2]| {
            Some([self.file_of(user, 0)?, self.file_of(used, 8)?])
        };
        let mut uses: BTreeSet<[&str; 2]> = self.uses.iter().filter_map(files).collect();
        uses.retain(|[user, used]| user != used);
        loop {
            let [users, used] =
                [0, 1].map(|end| uses.iter().map(|both| both[end]).collect::<BTreeSet<_>>());
            let before = uses.len();
            uses.retain(|both| used.contains(both[0]) && users.contains(both[1]));
            if uses.len() == before {
                return uses.into_iter().collect();
            }
        }
    }
}

/// Rooms and loose files that a source uses outside its tests.
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

#[test]
fn no_files_use_each_other_in_a_circle() {
    for folder in ["src", "xtask/src"] {
        let circles = &Modules::of(&format!("/{folder}/"), &sources(folder));
        assert_eq!(circles.circles(), [[""; 2]; 0], "{folder}");
    }
}

#[test]
fn a_circle_is_found_through_braces_other_names_and_what_hands_it_on() {
    let circles = |mut texts: Vec<[&str; 2]>| {
        texts.push(["/src/a/mod.rs", "mod b; mod c; pub use self::b::B;"]);
        let sources = texts.iter().map(|text| text.map(str::to_owned).into());
        Modules::of("/src/", &sources.collect::<Vec<_>>())
            .circles()
            .len()
    };
    let c = ["/src/a/c.rs", "use super::{super::d, B as Other};"];
    assert_eq!(
        circles(vec![["/src/a/b.rs", "use std::fmt; // crate::a::c"], c]),
        0
    );
    for b in [
        "use super::{c};",
        "struct B(crate::a::c::C);",
        "use crate::{\n a::{c::C},\n};",
    ] {
        assert_eq!(circles(vec![["/src/a/b.rs", b], c]), 2, "{b}");
    }
}

/// Names that give access to files, folders and the environment.
const OUTSIDE: &str =
    "std::fs std::env std::net std::process File::open crate::input crate::output path::absolute";
/// Methods of paths that access files. Other types may have functions with the same names.
const OF_PATHS: &str = ".canonicalize( .exists( .is_dir( .is_file( .is_symlink( .metadata( .read_dir( .read_link( \
                        .symlink_metadata( .try_exists(";

/// Lines of a source, outside its tests, that access files, folders or the environment.
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
