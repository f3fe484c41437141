//! Contents of the archive: files of the checkout, and output of the program. The folders `bin` and `share` have the
//! layout that they have below a prefix such as ~/.local.

use std::path::Path;
use std::process::Command;

use crate::archive::Entry;
use crate::{Result, output_of, root};

/// Files of the checkout that go into the archive.
const FILES: &str = "README.md CHANGELOG.md CONTRIBUTING.md LICENSE-APACHE LICENSE-MIT";
/// Folders of the checkout to which README and documents link, each with a file extension.
const FOLDERS: [(&str, &str); 6] = [
    ("docs", ".md"),
    ("docs", ".png"),
    ("screenshots", ".png"),
    ("screenshots", ".svg"),
    ("assets/scenes", ".ron"),
    ("assets/scenes", ".spz"),
];
/// Shells, and the place where each looks for completion scripts.
const COMPLETIONS: [(&str, &str); 4] = [
    ("bash", "share/bash-completion/completions/wavelerp"),
    ("zsh", "share/zsh/site-functions/_wavelerp"),
    ("fish", "share/fish/vendor_completions.d/wavelerp.fish"),
    ("powershell", "share/powershell/wavelerp.ps1"),
];
/// Languages of the wave library, as `wavelerp shader` names them, and the file of each.
const LIBRARY: [(&str, &str); 3] = [
    ("wgsl", "wave-library/wave.wgsl"),
    ("hlsl", "wave-library/wave.hlsl"),
    ("msl", "wave-library/wave.metal"),
];
/// Files of assets/ for a Linux desktop, and the paths at which desktops look for them.
const DESKTOP: [(&str, &str); 2] = [
    ("wavelerp.desktop", "share/applications/wavelerp.desktop"),
    ("icon.png", "share/icons/hicolor/256x256/apps/wavelerp.png"),
];

/// All entries of the archive except the licences of other crates.
pub fn entries(program: &Path, target: &str) -> Result<Vec<Entry>> {
    let is_windows = target.contains("windows");
    let name = format!("bin/wavelerp{}", if is_windows { ".exe" } else { "" });
    let mut entries = vec![Entry::program(name, read(program)?)];
    let mut files: Vec<String> = FILES.split(' ').map(str::to_owned).collect();
    for (folder, ending) in FOLDERS {
        let names = names(&root().join(folder))?.into_iter();
        let names = names.filter(|name| name.ends_with(ending));
        files.extend(names.map(|name| format!("{folder}/{name}")));
    }
    for path in files {
        entries.push(Entry::file(&path, read(&root().join(&path))?));
    }
    if target.contains("linux") {
        for (name, path) in DESKTOP {
            entries.push(Entry::file(path, read(&root().join("assets").join(name))?));
        }
    }
    for (shell, path) in COMPLETIONS {
        let script = printed(program, &["completions", shell])?;
        entries.push(Entry::file(path, script));
    }
    for (language, path) in LIBRARY {
        let text = printed(program, &["shader", "--library", "--emit", language])?;
        entries.push(Entry::file(path, text));
    }
    let pages = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let folder = pages.path().to_string_lossy();
    printed(program, &["manual", "--quiet", &folder])?;
    for name in names(pages.path())? {
        let page = read(&pages.path().join(&name))?;
        entries.push(Entry::file(format!("share/man/man1/{name}"), page));
    }
    Ok(entries)
}

pub fn version(program: &Path) -> Result<String> {
    let line = printed(program, &["--version"])?;
    let line = String::from_utf8_lossy(&line);
    let version = line.trim().strip_prefix("wavelerp ").map(str::to_owned);
    version.ok_or(format!("{} states no version: {line}", program.display()))
}

/// Output of the program, which must not depend on shaders or adapter named in the environment.
fn printed(program: &Path, arguments: &[&str]) -> Result<Vec<u8>> {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .env_remove("WAVELERP_SHADERS")
        .env_remove("WAVELERP_ADAPTER");
    // The program runs outside the checkout, where it would find the folder of shaders.
    command.current_dir(std::env::temp_dir());
    output_of(&mut command)
}

fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

fn names(folder: &Path) -> Result<Vec<String>> {
    let cannot = |error| format!("cannot list {}: {error}", folder.display());
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(cannot)? {
        let name = entry.map_err(cannot)?.file_name();
        names.push(name.to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}
