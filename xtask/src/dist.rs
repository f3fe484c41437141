//! `cargo xtask dist`: builds the program so that it tells nothing of this machine, and has the program `dist` (a
//! package of its own: it needs tar and gzip) pack the archive. Writes nothing itself.

use crate::process::{self, Failure};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Help below the summary.
pub const HELP: &str = "
Usage: cargo xtask dist [--target TRIPLE] [--program FILE] [--output DIR]

Packs wavelerp-VERSION-TRIPLE.tar.gz and its SHA-256: the stripped program, README and docs, scenes, the wave
library in three languages, completions for shells, manual pages, desktop entry and icon, and the
licences of all crates in it. The same commit gives the same bytes: all files carry the commit's time, or
that of SOURCE_DATE_EPOCH. docs/installing.md shows what is where.

Options:
  --target TRIPLE  Build for this target, whose programs this machine can run [default: this machine's own]
  --program FILE   Pack this program in place of building one
  --output DIR     Where to write [default: target/dist-archives]

Examples:
  cargo xtask dist
  cargo xtask dist --target x86_64-apple-darwin
  cargo xtask dist --program target/release/wavelerp --output /tmp/archives";

const BUILD: [&str; 6] = [
    "build",
    "--locked",
    "--profile",
    "dist",
    "--package",
    "wavelerp",
];
const PACK: [&str; 6] = ["run", "--quiet", "--locked", "--package", "dist", "--"];

/// What the command line asks for.
#[derive(Debug, Default, PartialEq, Eq)]
struct Options {
    target: Option<String>,
    program: Option<PathBuf>,
    output: Option<PathBuf>,
}

/// `cargo xtask dist`.
pub fn run(arguments: &[String]) -> Result<ExitCode, Failure> {
    let options = options(arguments)?;
    let target = match &options.target {
        Some(target) => target.clone(),
        None => host(&process::output_of("rustc", &["--version", "--verbose"]))?,
    };
    let program = match options.program {
        Some(program) => program,
        None => build(&target)?,
    };
    let target_folder = process::target_folder();
    let output = options
        .output
        .unwrap_or_else(|| target_folder.join("dist-archives"));
    let mut pack = process::command(process::cargo());
    pack.args(PACK).arg("--program").arg(program);
    pack.args(["--target", &target]).arg("--output").arg(output);
    Ok(ExitCode::from(process::exit_code_of(&mut pack)?))
}

/// Builds the program for this target; returns where it is.
fn build(target: &str) -> Result<PathBuf, Failure> {
    eprintln!("Building wavelerp for {target}: this takes minutes.");
    let mut cargo = process::command(process::cargo());
    cargo.args(BUILD).args(["--target", target]);
    let home = std::env::home_dir().unwrap_or_default().join(".cargo");
    let cargo_home = std::env::var_os("CARGO_HOME").map_or(home, PathBuf::from);
    let given = std::env::var("RUSTFLAGS").unwrap_or_default();
    cargo.env(
        "CARGO_ENCODED_RUSTFLAGS",
        flags(
            &given,
            process::workspace_root(),
            &cargo_home,
            &process::target_folder(),
        ),
    );
    if process::exit_code_of(&mut cargo)? != 0 {
        return Err(Failure::new("the build failed: see the messages above"));
    }
    let name = if target.contains("windows") {
        "wavelerp.exe"
    } else {
        "wavelerp"
    };
    Ok(process::target_folder()
        .join(target)
        .join("dist")
        .join(name))
}

/// The compiler's flags as cargo takes them in CARGO_ENCODED_RUSTFLAGS: those that were given, and new names
/// for the folders of this machine, which messages of panics would show. Of several names for a path rustc takes the
/// last: generated code has the same name wherever the target folder is.
fn flags(given: &str, workspace: &Path, cargo_home: &Path, target_folder: &Path) -> String {
    let renamed = [
        (workspace, "wavelerp"),
        (cargo_home, "cargo"),
        (target_folder, "target"),
    ];
    let renamed =
        renamed.map(|(folder, name)| format!("--remap-path-prefix={}={name}", folder.display()));
    let given = given.split_whitespace().map(str::to_owned);
    given.chain(renamed).collect::<Vec<_>>().join("\u{1f}")
}

/// The target that rustc compiles for by itself, from what `rustc --version --verbose` prints.
fn host(version: &str) -> Result<String, Failure> {
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| {
        Failure::new("rustc does not name this machine's target: name it with --target")
    })
}

/// Reads the arguments; paths become absolute, because programs run in the workspace's folder.
fn options(arguments: &[String]) -> Result<Options, Failure> {
    let mut options = Options::default();
    let mut words = arguments.iter();
    while let Some(flag) = words.next() {
        let mut value = || {
            words
                .next()
                .ok_or_else(|| Failure::usage(format!("{flag} needs a value")))
        };
        let absolute = |path: &String| {
            std::path::absolute(path)
                .map_err(|error| Failure::usage(format!("{flag} {path}: {error}")))
        };
        match flag.as_str() {
            "--target" => options.target = Some(value()?.clone()),
            "--program" => options.program = Some(absolute(value()?)?),
            "--output" => options.output = Some(absolute(value()?)?),
            _ => {
                return Err(Failure::usage(format!(
                    "`dist` does not know `{flag}`: --help lists its options"
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

    #[test]
    fn folders_of_this_machine_get_other_names_and_given_flags_stay() {
        let flags = flags(
            "-C debuginfo=0",
            Path::new("/my work"),
            Path::new("/home/me/.cargo"),
            Path::new("/my work/target"),
        );
        let flags: Vec<&str> = flags.split('\u{1f}').collect();
        let expected = [
            "-C",
            "debuginfo=0",
            "--remap-path-prefix=/my work=wavelerp",
            "--remap-path-prefix=/home/me/.cargo=cargo",
            "--remap-path-prefix=/my work/target=target",
        ];
        assert_eq!(flags, expected);
    }

    #[test]
    fn the_target_is_the_one_that_rustc_names() {
        assert_eq!(
            host("rustc 1.95\nhost: a-b-c\nrelease: 1.95\n").unwrap(),
            "a-b-c"
        );
        assert!(host("").unwrap_err().message.contains("--target"));
    }

    #[test]
    fn unknown_options_and_missing_values_are_usage_errors() {
        for words in [&["--program"][..], &["--progam", "x"]] {
            let words: Vec<String> = words.iter().map(ToString::to_string).collect();
            assert_eq!(options(&words).unwrap_err().code, 2);
        }
        let words = ["--output".to_owned(), "x".to_owned()];
        assert!(options(&words).unwrap().output.unwrap().is_absolute());
    }
}
