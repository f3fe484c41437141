//! `cargo xtask pictures`: makes the pictures of README and docs again, by the program itself. Writes `docs/*.png`,
//! `screenshots/*.png` and `pictures/` under the target folder.

use crate::demo;
use crate::process::{self, Failure};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Help below the summary.
pub const HELP: &str = "
Usage: cargo xtask pictures [--program FILE] [--only NAME]

Makes every picture of README.md and docs/ again, with `wavelerp capture`, `still` and `bench`, on the adapter that these
choose (WAVELERP_ADAPTER names another). Run it on a GPU before a release, and look at each picture at full size. Every
picture says in its metadata which command made it, and at which commit.

Options:
  --program FILE  This wavelerp, in place of a release build of this checkout
  --only NAME     The pictures whose path contains NAME

Examples:
  cargo xtask pictures
  cargo xtask pictures --only window";

/// A run of the program, and the pictures that come of it: the file that it writes, and where that goes.
struct Making {
    arguments: &'static str,
    pictures: &'static [(&'static str, &'static str)],
}

/// `OUT` stands for a folder, or for the file of a command that writes one.
#[rustfmt::skip]
const MAKINGS: &[Making] = &[
    making("capture --scene temple --size 1280x720 --force --out OUT", &[("pixel-loop.png", "screenshots/temple.png"), ("sheet.png", "screenshots/temple-sheet.png")]),
    making("capture --scene stack --size 1280x720 --methods pixel-loop --force --out OUT", &[("pixel-loop.png", "screenshots/stack.png")]),
    making("capture --scene harbour --size 1280x720 --methods pixel-loop --force --out OUT", &[("pixel-loop.png", "screenshots/harbour.png")]),
    making("capture --scene panes --size 1280x720 --methods pixel-loop --force --out OUT", &[("pixel-loop.png", "screenshots/panes.png")]),
    making("capture --scene stress --size 1280x720 --methods pixel-loop --force --out OUT", &[("pixel-loop.png", "screenshots/stress.png")]),
    making("capture --scene statue --size 1280x720 --methods pixel-loop --force --out OUT", &[("pixel-loop.png", "screenshots/statue.png")]),
    making("capture --scene stress --size 960x540 --methods pixel-loop,wave-lerp-product --hazard division --force --out OUT", &[("wave-lerp-product.png", "screenshots/hazard.png")]),
    making("bench --parts sweep --cost cheap --kind particles --force --out OUT", &[("map-cheap-particles.png", "screenshots/map.png")]),
    making("still --arrangement compare --measure --out OUT", &[("", "docs/window-compare.png")]),
    making("still --arrangement profile --measure --out OUT", &[("", "docs/window-profile.png")]),
    making("still --arrangement picture --measure --out OUT", &[("", "docs/window-picture.png")]),
];

const fn making(
    arguments: &'static str,
    pictures: &'static [(&'static str, &'static str)],
) -> Making {
    Making {
        arguments,
        pictures,
    }
}

/// `cargo xtask pictures`.
pub fn run(arguments: &[String]) -> Result<ExitCode, Failure> {
    let options = options_from(arguments)?;
    let is_wanted = |path: &str| options.only.as_ref().is_none_or(|part| path.contains(part));
    let wanted: Vec<&Making> = MAKINGS
        .iter()
        .filter(|making| making.pictures.iter().any(|(_, to)| is_wanted(to)))
        .collect();
    if wanted.is_empty() {
        return Err(Failure::usage("no picture has such a path"));
    }
    let program = match options.program {
        Some(program) => program,
        None => {
            demo::build()?;
            process::target_folder().join("release/wavelerp")
        }
    };
    let folder = process::target_folder().join("pictures");
    std::fs::create_dir_all(&folder)
        .map_err(|error| Failure::new(format!("cannot make {}: {error}", folder.display())))?;
    for making in wanted {
        let out = folder.join(making.pictures[0].1.replace('/', "-"));
        make(&program, making, &out)?;
        for (file, to) in making.pictures.iter().filter(|(_, to)| is_wanted(to)) {
            let from = match *file {
                "" => out.clone(),
                file => out.join(file),
            };
            let to = process::workspace_root().join(to);
            let bytes = std::fs::copy(&from, &to)
                .map_err(|error| Failure::new(format!("cannot write {}: {error}", to.display())))?;
            eprintln!("  {} ({} kB)", to.display(), bytes / 1000);
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn make(program: &Path, making: &Making, out: &Path) -> Result<(), Failure> {
    eprintln!("wavelerp {}", making.arguments);
    let mut command = process::command(program);
    for word in making.arguments.split(' ') {
        match word {
            "OUT" => command.arg(out),
            word => command.arg(word),
        };
    }
    command.arg("--quiet").stdout(std::process::Stdio::null());
    match process::exit_code_of(&mut command)? {
        0 => Ok(()),
        code => Err(Failure::new(format!(
            "wavelerp {} ended with {code}: see the message above",
            making.arguments
        ))),
    }
}

#[derive(Debug, Default, PartialEq)]
struct Options {
    program: Option<PathBuf>,
    only: Option<String>,
}

fn options_from(arguments: &[String]) -> Result<Options, Failure> {
    let mut options = Options::default();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match (argument.as_str(), rest.next()) {
            // The program runs in the workspace's folder, and the user's may be another.
            ("--program", Some(file)) => options.program = std::path::absolute(file).ok(),
            ("--only", Some(part)) => options.only = Some(part.clone()),
            _ => {
                return Err(Failure::usage(format!(
                    "`pictures` takes `--program FILE` and `--only NAME`, not `{argument}`"
                )));
            }
        }
    }
    Ok(options)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_picture_of_the_documents_is_made_by_the_command_and_no_other() {
        let made = MAKINGS.iter().flat_map(|making| making.pictures);
        let made: BTreeSet<String> = made.map(|(_, to)| (*to).to_owned()).collect();
        let mut there = BTreeSet::new();
        for folder in ["docs", "screenshots"] {
            for entry in std::fs::read_dir(process::workspace_root().join(folder)).unwrap() {
                let name = entry.unwrap().file_name().into_string().unwrap();
                if name.ends_with(".png") {
                    there.insert(format!("{folder}/{name}"));
                }
            }
        }
        assert_eq!(made, there);
    }

    /// Bytes that all pictures of `docs/` may have together.
    const MOST_IN_DOCS: usize = 1_700_000;

    #[test]
    fn pictures_say_their_commit_and_those_of_docs_are_small() {
        let says_commit = |bytes: &[u8]| bytes.windows(11).any(|part| part == b"tEXtcommit\0");
        let mut in_docs = 0;
        for (_, to) in MAKINGS.iter().flat_map(|making| making.pictures) {
            let bytes = std::fs::read(process::workspace_root().join(to)).unwrap();
            assert!(says_commit(&bytes), "{to}");
            if to.starts_with("docs/") {
                in_docs += bytes.len();
            }
        }
        assert!(in_docs <= MOST_IN_DOCS, "{in_docs} bytes");
        // Negative control: a picture that is not made by the command.
        let sprites = std::fs::read(process::workspace_root().join("assets/sprites.png")).unwrap();
        assert!(!says_commit(&sprites));
    }

    #[test]
    fn a_program_and_a_part_of_a_name_are_taken_and_nothing_else() {
        let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let options = options_from(&words("--only window --program /a/wavelerp")).unwrap();
        assert_eq!(options.only.as_deref(), Some("window"));
        assert_eq!(options.program, Some("/a/wavelerp".into()));
        for line in ["--program", "--all", "window"] {
            assert_eq!(options_from(&words(line)).unwrap_err().code, 2, "{line}");
        }
    }
}
