//! Licences of the crates compiled into the program, as one text: a list of crates and licences, then every licence
//! text once. The module runs `cargo tree` and `cargo metadata` and reads the sources that cargo has unpacked, so it
//! needs no network and no other tool.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::{Result, output_of, root};

/// Prefixes of licence file names, in capitals.
const NAMES: &str = "LICENSE LICENCE COPYING COPYRIGHT NOTICE UNLICENSE OFL UFL THIRD";
const MIT: &str = include_str!("../../../LICENSE-MIT");
const APACHE: &str = include_str!("../../../LICENSE-APACHE");

/// The complete text, for a program built for `target`.
pub fn text(target: &str) -> Result<String> {
    let used = "tree --locked --package wavelerp --edges normal,no-proc-macro --prefix none --format {p} --target";
    let used = cargo(used, target)?;
    let used = String::from_utf8_lossy(&used);
    // Each line is `name v1.2.3`, followed by `(*)` if the crate was listed before.
    let used = used.lines().map(|line| line.trim_end_matches(" (*)"));
    let mut used: BTreeSet<&str> = used.filter(|line| !line.starts_with("wavelerp ")).collect();
    let metadata = "metadata --locked --format-version 1 --filter-platform";
    let metadata: Value = serde_json::from_slice(&cargo(metadata, target)?)
        .map_err(|error| format!("cargo metadata: {error}"))?;
    let mut list = BTreeSet::new();
    let mut texts: BTreeMap<String, (String, BTreeSet<String>)> = BTreeMap::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let string = |key: &str| package[key].as_str().unwrap_or_default();
        let (name, version, licence) = (string("name"), string("version"), string("license"));
        if !used.remove(format!("{name} v{version}").as_str()) {
            continue;
        }
        list.insert(format!(
            "{name} {version}: {licence} (https://crates.io/crates/{name})\n"
        ));
        let folder = Path::new(string("manifest_path")).parent();
        let mut own = texts_in(folder.unwrap_or(Path::new("")))?;
        if own.is_empty() {
            own.push(usual(name, licence)?);
        }
        for text in own {
            // Texts that differ only in line breaks are equal.
            let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let (_, names) = texts.entry(words).or_insert((text, BTreeSet::new()));
            names.insert(name.to_owned());
        }
    }
    if !used.is_empty() {
        return Err(format!("cargo metadata does not know {used:?}"));
    }
    let mut texts: Vec<_> = texts.into_values().collect();
    texts.sort_by_key(|(_, names)| (std::cmp::Reverse(names.len()), names.first().cloned()));
    let mut all = String::from(
        "wavelerp contains these crates, each under its own licence. Their sources are at the addresses.\n\n",
    );
    all.extend(list);
    for (text, names) in texts {
        let names = Vec::from_iter(names).join(", ");
        all += &format!("\n{}\n{names}\n\n{text}\n", "=".repeat(80));
    }
    Ok(all)
}

/// Output of a cargo command in the checkout, for the target.
fn cargo(words: &str, target: &str) -> Result<Vec<u8>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(words.split(' ')).arg(target);
    output_of(command.current_dir(root()))
}

/// Licence texts in a crate's folder and its immediate subfolders.
fn texts_in(folder: &Path) -> Result<Vec<String>> {
    let cannot = |error| format!("cannot read {}: {error}", folder.display());
    let list = |folder: &Path| -> std::io::Result<Vec<PathBuf>> {
        let entries = std::fs::read_dir(folder)?;
        entries.map(|entry| Ok(entry?.path())).collect()
    };
    let mut paths = list(folder).map_err(cannot)?;
    for below in paths.clone().iter().filter(|path| path.is_dir()) {
        paths.extend(list(below).map_err(cannot)?);
    }
    paths.sort();
    let is_licence = |path: &&PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = name.to_uppercase();
        let is_source = name.ends_with(".RS") || name.ends_with(".HTML");
        let mut starts = NAMES.split(' ');
        path.is_file() && !is_source && starts.any(|start| name.starts_with(start))
    };
    let texts = paths.iter().filter(is_licence).map(|path| {
        let text = std::fs::read(path).map_err(cannot)?;
        let text = String::from_utf8_lossy(&text).replace("\r\n", "\n");
        Ok(text.trim().to_owned())
    });
    texts.collect()
}

/// Text of a licence for a crate that does not include it.
fn usual(name: &str, licence: &str) -> Result<String> {
    if licence.contains("Apache-2.0") {
        return Ok(APACHE.trim().to_owned());
    }
    // MIT's text without the copyright line.
    match MIT.split_once("Permission is hereby") {
        Some((_, rest)) if licence.contains("MIT") => Ok(format!(
            "MIT License\n\nCopyright (c) the authors of {name}\n\nPermission is hereby {}",
            rest.trim()
        )),
        _ => Err(format!(
            "{name} comes without its licence ({licence}): add the text of this licence to xtask/dist/src/licences.rs"
        )),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn every_crate_of_the_program_is_listed_with_its_licence_and_tests_are_not() {
        let all = text("x86_64-unknown-linux-gnu").unwrap();
        let fonts = "SIL OPEN FONT LICENSE|UBUNTU FONT LICENCE|Mozilla Public License";
        for part in ["\nwgpu 30", "\nnaga 30", "\nserde "]
            .into_iter()
            .chain(fonts.split('|'))
        {
            assert!(all.contains(part), "{part}");
        }
        for name in ["wavelerp", "proptest", "serde_derive", "metal", "windows"] {
            assert!(!all.contains(&format!("\n{name} ")), "{name}");
        }
        assert!(!all.contains(env!("CARGO_MANIFEST_DIR")));
        let listed = all.split("=====").next().unwrap().lines().count();
        assert!((200..400).contains(&listed), "{listed} lines");
        let texts = all.matches(&"=".repeat(80)).count();
        assert!(texts < listed, "{texts} texts of {listed} crates");
    }

    #[test]
    fn a_crate_without_its_licence_gets_the_usual_text_or_is_an_error() {
        let text = usual("x", "MIT OR Apache-2.0").unwrap();
        assert!(text.contains("Apache License"));
        let mit = usual("x", "MIT").unwrap();
        assert!(mit.contains("the authors of x") && mit.contains("WITHOUT WARRANTY"));
        assert!(usual("x", "Zlib").unwrap_err().contains("x comes without"));
    }
}
