//! `cargo xtask dist` builds the program without traces of this machine, and runs the program `dist` (a separate
//! package, because it needs tar and gzip) to pack the archive.

use crate::process;
use crate::process::{Result, absolute};
use std::path::{Path, PathBuf};

/// Build the program and pack the archive of a release
///
/// Packs wavelerp-VERSION-TRIPLE.tar.gz and its SHA-256: the stripped program, README and docs, scenes, the wave library in
/// three languages, shell completions, manual pages, desktop entry and icon, and the licences of all crates in the program.
/// The same commit gives the same bytes: all files have the commit's time, or SOURCE_DATE_EPOCH. docs/installing.md shows
/// the layout.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask dist
  cargo xtask dist --target x86_64-apple-darwin
  cargo xtask dist --program target/release/wavelerp --output /tmp/archives")]
pub struct Dist {
    /// Build for this target; this machine must be able to run its programs [default: the host]
    #[arg(long, value_name = "TRIPLE")]
    target: Option<String>,
    /// Pack this program instead of building one
    #[arg(long, value_name = "FILE", value_parser = absolute)]
    program: Option<PathBuf>,
    /// Output folder [default: target/dist-archives]
    #[arg(long, value_name = "DIR", value_parser = absolute)]
    output: Option<PathBuf>,
}

impl Dist {
    pub fn run(self) -> Result<u8> {
        let host = || {
            host(&process::output_of(&mut process::command_of(
                "rustc --version --verbose",
            )))
        };
        let target = self.target.map_or_else(host, Ok)?;
        let program = self.program.map_or_else(|| build(&target), Ok)?;
        let usual = || process::target_folder().join("dist-archives");
        let mut pack = process::command_of("cargo run --quiet --locked --package dist --");
        pack.args(["--target", &target]);
        pack.arg("--program").arg(program);
        pack.arg("--output").arg(self.output.unwrap_or_else(usual));
        process::exit_code_of(&mut pack)
    }
}

/// Builds the program for a target. Returns the program's path.
fn build(target: &str) -> Result<PathBuf> {
    eprintln!("Building wavelerp for {target}: this takes minutes.");
    let mut cargo =
        process::command_of("cargo build --locked --profile dist --package wavelerp --target");
    let home = std::env::home_dir().unwrap_or_default().join(".cargo");
    let cargo_home = std::env::var_os("CARGO_HOME").map_or(home, PathBuf::from);
    let given = std::env::var("RUSTFLAGS").unwrap_or_default();
    let folder = process::target_folder();
    let flags = flags(&given, process::workspace_root(), &cargo_home, &folder);
    cargo.arg(target).env("CARGO_ENCODED_RUSTFLAGS", flags);
    process::run(&mut cargo, "the build failed")?;
    let ending = if target.contains("windows") {
        ".exe"
    } else {
        ""
    };
    let name = format!("wavelerp{ending}");
    Ok(folder.join(target).join("dist").join(name))
}

/// Compiler flags for CARGO_ENCODED_RUSTFLAGS: `given`, and flags that rename this machine's folders, which panic
/// messages would show. If several names match a path, rustc uses the last one, so paths of generated code do not
/// depend on where the target folder is.
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

/// rustc's default target, from the output of `rustc --version --verbose`.
fn host(version: &str) -> Result<String> {
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned)
        .ok_or("rustc does not name this machine's target: name it with --target".to_owned())
}

#[cfg(test)]
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
        let expected = "-C|debuginfo=0|--remap-path-prefix=/my work=wavelerp|\
                        --remap-path-prefix=/home/me/.cargo=cargo|--remap-path-prefix=/my work/target=target";
        assert_eq!(flags.replace('\u{1f}', "|"), expected);
    }

    #[test]
    fn the_target_is_the_one_that_rustc_names() {
        let named = host("rustc 1.95\nhost: a-b-c\nrelease: 1.95\n");
        assert_eq!(named.as_deref(), Ok("a-b-c"));
        assert!(host("").is_err_and(|why| why.contains("--target")));
    }
}
