//! `cargo xtask pictures` regenerates the pictures of README and docs with the program. It writes `docs/*.png`,
//! `screenshots/*.png`, `screenshots/*.svg` and `pictures/` in the target folder.

use crate::process::{Result, absolute};
use crate::{demo, process, setup};
use std::path::{Path, PathBuf};

/// Regenerate the pictures of README and docs
///
/// Regenerates every picture of README.md and docs/ with `wavelerp capture`, `still` and `bench`, on their default adapter
/// (WAVELERP_ADAPTER selects another). Run it on a GPU before a release, and check each picture at full size. The metadata of
/// a picture name the command that made it, and the commit.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask pictures
  cargo xtask pictures --only window")]
pub struct Pictures {
    /// Use this wavelerp instead of a release build of this checkout
    #[arg(long, value_name = "FILE", value_parser = absolute)]
    program: Option<PathBuf>,
    /// Make only pictures with NAME in their path
    #[arg(long, value_name = "NAME", value_parser = part_of_a_path, default_value = "", hide_default_value = true)]
    only: String,
}

/// Arguments of a run of the program, and the pictures that it makes, each with its name in the output and its path in
/// the repository. `OUT` is replaced by the output folder or file.
type Making = (&'static str, &'static [(&'static str, &'static str)]);

#[rustfmt::skip]
const MAKINGS: &[Making] = &[
    ("capture --scene temple --size 1280x720 --particles 100000 --fog-slices 64 --methods pixel-loop --force --out OUT", &[("pixel-loop.png", "screenshots/temple.png")]),
    ("capture --scene stack --size 1280x720 --methods pixel-loop --force --out OUT", &[("pixel-loop.png", "screenshots/stack.png")]),
    ("capture --scene harbour --size 1280x720 --methods pixel-loop --force --out OUT", &[("pixel-loop.png", "screenshots/harbour.png")]),
    ("capture --scene panes --size 1280x720 --methods pixel-loop --force --out OUT", &[("pixel-loop.png", "screenshots/panes.png")]),
    ("capture --scene stress --size 1280x720 --methods pixel-loop --force --out OUT", &[("pixel-loop.png", "screenshots/stress.png")]),
    ("capture --scene statue --size 1280x720 --methods pixel-loop --force --out OUT", &[("pixel-loop.png", "screenshots/statue.png")]),
    ("capture --scene stress --size 960x540 --methods pixel-loop,wave-lerp-product --hazard division --force --out OUT", &[("wave-lerp-product.png", "screenshots/hazard.png")]),
    ("bench --parts sweep --cost cheap --kind particles --force --out OUT", &[("map-cheap-particles.svg", "screenshots/map.svg")]),
    ("capture --scene temple --size 480x270 --methods pixel-loop,wave-lerp-deferred,split-batches,auto --page all --force --out OUT", &[("index.html", "results/temple.html")]),
    ("capture --scene panes --size 400x225 --particles 14000 --fog-slices 64 --fog integrated --methods pixel-loop,approximate --difference-range 1e-2..10 --page none --force --out OUT", &[("pixel-loop.png", "screenshots/oit-pixel-loop.png"), ("coarse.png", "screenshots/oit-coarse.png"), ("list-order.png", "screenshots/oit-list-order.png"), ("average.png", "screenshots/oit-average.png"), ("weighted.png", "screenshots/oit-weighted.png"), ("weighted-drawn.png", "screenshots/oit-weighted-drawn.png"), ("weighted-sum.png", "screenshots/oit-weighted-sum.png"), ("histogram.png", "screenshots/oit-histogram.png"), ("moment.png", "screenshots/oit-moment.png"), ("stochastic.png", "screenshots/oit-stochastic.png"), ("k-buffer.png", "screenshots/oit-k-buffer.png"), ("hybrid.png", "screenshots/oit-hybrid.png"), ("mlab.png", "screenshots/oit-mlab.png"), ("adaptive.png", "screenshots/oit-adaptive.png"), ("peeling.png", "screenshots/oit-peeling.png"), ("a-buffer.png", "screenshots/oit-a-buffer.png"), ("linked-list.png", "screenshots/oit-linked-list.png")]),
    ("still --arrangement compare --measure --out OUT", &[("", "docs/window-compare.png")]),
    ("still --arrangement profile --measure --out OUT", &[("", "docs/window-profile.png")]),
    ("still --arrangement picture --measure --out OUT", &[("", "docs/window-picture.png")]),
];

/// Start of the paths of pictures that show only a part, in which smoke and panes overlap. The part has twice the
/// size and is next to its difference.
const CROPPED: &str = "screenshots/oit-";
const CROP: &str = "140,44,108,120";

/// Pages with the state in their address, and the screenshots that Chromium takes of the pages.
const OF_PAGES: &[(&str, &str)] = &[(
    "results/temple.html#a=pixel-loop&b=wave-lerp-deferred&split=0.5&x=314&y=158",
    "screenshots/page-capture.png",
)];

/// Parses `--only`, which must match a picture.
fn part_of_a_path(part: &str) -> Result<String> {
    let made = MAKINGS.iter().flat_map(|(_, pictures)| *pictures);
    let is_one = made.chain(OF_PAGES).any(|(_, to)| to.contains(part));
    is_one
        .then(|| part.to_owned())
        .ok_or("no picture has such a path".to_owned())
}

impl Pictures {
    pub fn run(self) -> Result<u8> {
        let program = self.program.map_or_else(demo::build, Ok)?;
        let folder = process::target_folder().join("pictures");
        process::make_folder(&folder)?;
        for (arguments, pictures) in MAKINGS {
            let is_wanted = |(_, to): &&(&str, &str)| to.contains(&self.only);
            if !pictures.iter().any(|picture| is_wanted(&picture)) {
                continue;
            }
            let out = folder.join(pictures[0].1.replace('/', "-"));
            make(&program, arguments, &out)?;
            for (file, to) in pictures.iter().filter(is_wanted) {
                let from = match *file {
                    "" => out.clone(),
                    file if to.starts_with(CROPPED) => crop(&out, file)?,
                    file => out.join(file),
                };
                let to = process::workspace_root().join(to);
                let bytes = std::fs::copy(&from, &to)
                    .map_err(|error| format!("cannot write {}: {error}", to.display()))?;
                eprintln!("  {} ({} kB)", to.display(), bytes / 1000);
            }
        }
        for (page, to) in OF_PAGES {
            if to.contains(&self.only) {
                take(page, &process::workspace_root().join(to))?;
            }
        }
        Ok(0)
    }
}

/// Takes a picture of a page.
fn take(page: &str, to: &Path) -> Result<()> {
    let url = format!("file://{}/{page}", process::workspace_root().display());
    eprintln!("taking a picture of {url}");
    let mut command = process::command(setup::browser()?);
    command
        .args(["--headless=new", "--no-sandbox", "--hide-scrollbars"])
        // These milliseconds are enough to unpack the page.
        .args(["--window-size=1200,1010", "--virtual-time-budget=12000"])
        .arg(format!("--screenshot={}", to.display()))
        .arg(&url);
    process::run(&mut command, &format!("no picture of {page}"))
}

/// Runs the separate package `crops`, which puts a part of a picture and of its difference side by side.
fn crop(folder: &Path, file: &str) -> Result<PathBuf> {
    let out = folder.join(format!("crop_{file}"));
    let mut command = process::command_of("cargo run --quiet --locked --package crops --");
    command.args([folder.join(file), folder.join(format!("diff_{file}"))]);
    command.arg(CROP).arg(&out);
    process::run(&mut command, &format!("no crop of {file}")).map(|()| out)
}

fn make(program: &Path, arguments: &str, out: &Path) -> Result<()> {
    eprintln!("wavelerp {arguments}");
    let mut command = process::command(program);
    for word in arguments.split(' ') {
        match word {
            "OUT" => command.arg(out),
            word => command.arg(word),
        };
    }
    command.arg("--quiet").stdout(std::process::Stdio::null());
    process::run(&mut command, &format!("wavelerp {arguments} failed"))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_picture_of_the_documents_is_made_by_the_command_and_no_other() {
        let made = MAKINGS.iter().flat_map(|(_, pictures)| *pictures);
        let made = made.chain(OF_PAGES).map(|(_, to)| (*to).to_owned());
        let made: BTreeSet<String> = made.collect();
        let mut there = BTreeSet::new();
        for folder in ["docs", "screenshots", "results"] {
            for entry in std::fs::read_dir(process::workspace_root().join(folder)).unwrap() {
                let name = entry.unwrap().file_name().into_string().unwrap();
                // `cargo xtask docs` makes the page of all records.
                let is_of_docs = folder == "results" && name == "index.html";
                let endings = [".png", ".svg", ".html"];
                if !is_of_docs && endings.iter().any(|end| name.ends_with(end)) {
                    there.insert(format!("{folder}/{name}"));
                }
            }
        }
        assert_eq!(made, there);
    }

    /// Largest total size in bytes of the pictures in `docs/`.
    const MOST_IN_DOCS: usize = 2_000_000;

    #[test]
    fn pictures_say_their_commit_and_those_of_docs_are_small() {
        let says = |bytes: &[u8], what: &[u8]| bytes.windows(what.len()).any(|part| part == what);
        let says_commit = |bytes: &[u8]| {
            let places: [&[u8]; 3] = [b"tEXtcommit\0", b"\ncommit: ", b"\"program\":\"wavelerp "];
            places.iter().any(|place| says(bytes, place))
        };
        let mut in_docs = 0;
        for (_, to) in MAKINGS.iter().flat_map(|(_, pictures)| *pictures) {
            let bytes = std::fs::read(process::workspace_root().join(to)).unwrap();
            assert!(says_commit(&bytes), "{to}");
            if to.starts_with("docs/") {
                in_docs += bytes.len();
            }
        }
        assert!(in_docs <= MOST_IN_DOCS, "{in_docs} bytes");
        // Negative control: the command did not make this picture.
        let sprites = std::fs::read(process::workspace_root().join("assets/sprites.png")).unwrap();
        assert!(!says_commit(&sprites));
    }
}
