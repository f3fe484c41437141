//! One driver: verify, the capture of every scene and of a file of splats, a short bench. Starts the program once for each, so that a driver
//! that crashes ends one of them only. Writes what they print, and the captures, into the driver's folder.

use std::fs::File;
use std::path::Path;
use std::process::Command;

use wavelerp::error::{Error, Result};
use wavelerp::model::scene;

/// What is drawn: as little as shows every kind of layer, because software drivers draw it too.
const CAPTURE: &str =
    "--size 160x88 --particles 1500 --fog-slices 16 --methods all --format exr --force";
/// A cell of the sweep: the times of one driver say nothing about another's, so it need only run.
const BENCH: &str = "--quick --parts sweep --outputs 32x32 --layers 64 --kind mixed --cost cheap";
/// The program's exit code for "this adapter cannot".
const UNAVAILABLE: i32 = 3;

/// Names of all that is captured, and the words of the command for each: the scenes, and splats without anything else, for
/// which methods have shaders of their own. The program is started in the workspace's folder.
pub fn pictures() -> Vec<(&'static str, String)> {
    let names = scene::names().into_iter();
    let mut all: Vec<_> = names
        .map(|name| (name, format!("--scene {name}")))
        .collect();
    all.push(("splats", "assets/scenes/statue.spz".to_owned()));
    all
}

/// Runs everything. What the adapter cannot draw is left out and said; it is a failure where `needs_all`.
///
/// # Errors
/// There is no adapter, a folder cannot be written, or a run fails: its name and where its messages are.
pub fn all(program: &Path, folder: &Path, needs_all: bool) -> Result<()> {
    let cannot = |error| Error::failed(format!("{}: cannot write it: {error}", folder.display()));
    if folder.exists() {
        std::fs::remove_dir_all(folder).map_err(cannot)?;
    }
    std::fs::create_dir_all(folder).map_err(cannot)?;
    let start = |name: &str, line: &str| start(program, folder, name, line);
    if start("list", "list")? == Some(UNAVAILABLE) {
        return Err(Error::unavailable("the driver has no adapter"));
    }
    let mut failures = Vec::new();
    let mut runs = vec![("verify".to_owned(), "verify".to_owned())];
    for (name, what) in pictures() {
        let out = folder.join(name);
        let line = format!("capture {what} {CAPTURE} --out\n{}", out.display());
        runs.push((name.to_owned(), line));
    }
    let out = folder.join("bench");
    let line = format!("bench {BENCH} --out\n{}", out.display());
    runs.push(("bench".to_owned(), line));
    for (name, line) in runs {
        let word = match start(&name, &line)? {
            Some(0) => "passed",
            Some(UNAVAILABLE) if !needs_all => "left out: the adapter cannot",
            _ => {
                failures.push(name.clone());
                "FAILED"
            }
        };
        eprintln!("  {name:<8} {word}");
    }
    if failures.is_empty() {
        return Ok(());
    }
    Err(Error::failed(format!(
        "{} failed: see the files of these names, ending in .txt, in {}",
        failures.join(", "),
        folder.display()
    )))
}

/// Runs the program with the words of a line; what follows a line break is one word. Gives its exit code, none if a
/// signal ended it.
fn start(program: &Path, folder: &Path, name: &str, line: &str) -> Result<Option<i32>> {
    let failed = |error| Error::failed(format!("{}: cannot run it: {error}", program.display()));
    let mut parts = line.split('\n');
    let words = parts.next().unwrap_or_default();
    let text = File::create(folder.join(format!("{name}.txt"))).map_err(failed)?;
    let errors = text.try_clone().map_err(failed)?;
    let mut command = Command::new(program);
    command.args(words.split(' ')).args(parts);
    let status = command.stdout(text).stderr(errors).status();
    Ok(status.map_err(failed)?.code())
}
