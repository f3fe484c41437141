//! The licences of the crates that are compiled into the program, as one text: which crate is under which,
//! then every licence text once. Runs `cargo metadata`; reads the sources that cargo has unpacked.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::{Result, output_of, root};

/// Beginnings of the names of files that hold a licence, in capitals.
const NAMES: [&str; 9] = [
    "LICENSE",
    "LICENCE",
    "COPYING",
    "COPYRIGHT",
    "NOTICE",
    "UNLICENSE",
    "OFL",
    "UFL",
    "THIRD",
];
/// What MIT's text says after the line of the copyright holder.
const MIT: &str = include_str!("../../../LICENSE-MIT");
const APACHE: &str = include_str!("../../../LICENSE-APACHE");

/// A crate, with the texts of its licence.
struct Crate {
    name: String,
    version: String,
    expression: String,
    place: String,
    texts: Vec<String>,
}

/// The whole text, for a program that is built for `target`.
pub fn text(target: &str) -> Result<String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(root());
    command.args([
        "metadata",
        "--locked",
        "--format-version",
        "1",
        "--filter-platform",
        target,
    ]);
    let metadata = serde_json::from_slice(&output_of(&mut command)?)
        .map_err(|error| format!("cargo metadata: {error}"))?;
    let crates = crates(&metadata)?;
    Ok(joined(&crates))
}

/// Every crate that the program's own package needs to run, itself left out, by name.
fn crates(metadata: &Value) -> Result<Vec<Crate>> {
    let packages = by_id(&metadata["packages"]);
    let nodes = by_id(&metadata["resolve"]["nodes"]);
    let own = packages
        .iter()
        .find(|(_, package)| package["name"] == "wavelerp");
    let (&own, _) = own.ok_or("cargo metadata does not know wavelerp")?;
    let mut seen = BTreeSet::from([own]);
    let mut open = vec![own];
    while let Some(id) = open.pop() {
        let needed = nodes.get(id).and_then(|node| node["deps"].as_array());
        for dependency in needed.into_iter().flatten() {
            // The kinds are null for what the program needs, `dev` for tests and `build` for build scripts.
            let kinds = dependency["dep_kinds"].as_array();
            let runs = kinds
                .into_iter()
                .flatten()
                .any(|kind| kind["kind"].is_null());
            if let Some(id) = dependency["pkg"]
                .as_str()
                .filter(|id| runs && seen.insert(id))
            {
                open.push(id);
            }
        }
    }
    seen.remove(own);
    let found = seen
        .iter()
        .filter_map(|id| packages.get(id))
        .map(|package| one(package));
    let mut crates: Vec<Crate> = found.collect::<Result<_>>()?;
    crates.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    Ok(crates)
}

/// The objects of an array by their `id`.
fn by_id(array: &Value) -> BTreeMap<&str, &Value> {
    let items = array.as_array().into_iter().flatten();
    items
        .filter_map(|item| Some((item["id"].as_str()?, item)))
        .collect()
}

fn one(package: &Value) -> Result<Crate> {
    let string = |key: &str| package[key].as_str().unwrap_or_default().to_owned();
    let manifest = string("manifest_path");
    let folder = Path::new(&manifest)
        .parent()
        .ok_or("a crate without a folder")?;
    let mut texts = texts_in(folder)?;
    let (name, expression) = (string("name"), string("license"));
    if texts.is_empty() {
        texts.push(usual(&name, &expression)?);
    }
    let place = format!("https://crates.io/crates/{name}");
    let version = string("version");
    Ok(Crate {
        name,
        version,
        expression,
        place,
        texts,
    })
}

/// The licence texts in a crate's folder and in the folders directly below it.
fn texts_in(folder: &Path) -> Result<Vec<String>> {
    let cannot = |error| format!("cannot read {}: {error}", folder.display());
    let list = |folder: &Path| -> std::io::Result<Vec<_>> {
        std::fs::read_dir(folder)?
            .map(|entry| Ok(entry?.path()))
            .collect()
    };
    let mut paths = list(folder).map_err(cannot)?;
    for below in paths.clone().iter().filter(|path| path.is_dir()) {
        paths.extend(list(below).map_err(cannot)?);
    }
    paths.sort();
    let is_licence = |path: &&std::path::PathBuf| {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .to_uppercase();
        let source = name.ends_with(".RS") || name.ends_with(".HTML");
        path.is_file() && !source && NAMES.iter().any(|start| name.starts_with(start))
    };
    let texts = paths.iter().filter(is_licence).map(|path| {
        let bytes = std::fs::read(path).map_err(cannot)?;
        Ok(String::from_utf8_lossy(&bytes)
            .replace("\r\n", "\n")
            .trim()
            .to_owned())
    });
    texts.collect()
}

/// The text of a licence whose crate comes without one.
fn usual(name: &str, expression: &str) -> Result<String> {
    if expression.contains("Apache-2.0") {
        return Ok(APACHE.trim().to_owned());
    }
    let permission = MIT
        .split_once("Permission is hereby")
        .map(|(_, rest)| rest.trim());
    match permission {
        Some(rest) if expression.contains("MIT") => Ok(format!(
            "MIT License\n\nCopyright (c) the authors of {name}\n\nPermission is hereby {rest}"
        )),
        _ => Err(format!(
            "{name} comes without its licence ({expression}): add the text of this licence to xtask/dist/src/licences.rs"
        )),
    }
}

/// The list of crates, then each text once with the crates that it belongs to.
fn joined(crates: &[Crate]) -> String {
    let mut all = String::from(
        "wavelerp contains these crates, each under its own licence. Their sources are at the addresses.\n\n",
    );
    let mut texts: BTreeMap<Vec<&str>, (&str, Vec<&str>)> = BTreeMap::new();
    for each in crates {
        all += &format!(
            "{} {}: {} ({})\n",
            each.name, each.version, each.expression, each.place
        );
        for text in &each.texts {
            // Two texts are the same if only their line breaks differ.
            let words = text.split_whitespace().collect();
            texts
                .entry(words)
                .or_insert((text, Vec::new()))
                .1
                .push(&each.name);
        }
    }
    let mut texts: Vec<_> = texts.into_values().collect();
    texts.sort_by_key(|(_, names)| (std::cmp::Reverse(names.len()), names[0]));
    for (text, mut names) in texts {
        names.dedup();
        all += &format!("\n{}\n{}\n\n{text}\n", "=".repeat(80), names.join(", "));
    }
    all
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn every_crate_of_the_program_is_listed_with_its_licence_and_tests_are_not() {
        let all = text("x86_64-unknown-linux-gnu").unwrap();
        for part in [
            "\nwgpu 30",
            "\nnaga 30",
            "\nserde ",
            "SIL OPEN FONT LICENSE",
            "UBUNTU FONT LICENCE",
            "Mozilla Public License",
        ] {
            assert!(all.contains(part), "{part}");
        }
        for part in ["\nwavelerp ", "\nproptest ", "\nmetal ", "\nwindows "] {
            assert!(!all.contains(part), "{part}");
        }
        let listed = all.split("=====").next().unwrap().lines().count();
        assert!((200..400).contains(&listed), "{listed} lines");
        assert!(
            !all.contains(env!("CARGO_MANIFEST_DIR")),
            "a path of this machine"
        );
    }

    #[test]
    fn a_crate_without_its_licence_gets_the_usual_text_or_is_an_error() {
        assert!(
            usual("x", "MIT OR Apache-2.0")
                .unwrap()
                .contains("Apache License")
        );
        let mit = usual("x", "MIT").unwrap();
        assert!(
            mit.contains("the authors of x") && mit.contains("WITHOUT WARRANTY"),
            "{mit}"
        );
        assert!(usual("x", "Zlib").unwrap_err().contains("x comes without"));
    }

    #[test]
    fn texts_that_differ_in_line_breaks_alone_appear_once() {
        let one = |name: &str, text: &str| Crate {
            name: name.to_owned(),
            version: "1".to_owned(),
            expression: "MIT".to_owned(),
            place: String::new(),
            texts: vec![text.to_owned()],
        };
        let all = joined(&[
            one("a", "do as\nyou like"),
            one("b", "do as you\nlike"),
            one("c", "do not"),
        ]);
        assert_eq!(all.matches("you").count(), 1, "{all}");
        assert!(all.contains("\na, b\n") && all.contains("\nc\n"), "{all}");
    }
}
