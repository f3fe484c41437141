//! Runs other programs. No other file starts processes. Errors are sentences for the user.

use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

/// The result of a command, or a sentence for the user.
pub type Result<T> = std::result::Result<T, String>;

/// Consent to install missing packages. Without a flag, xtask asks on a terminal, and installs without asking elsewhere.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct Consent {
    /// Install missing system packages without asking
    #[arg(long)]
    pub yes: bool,
    /// List missing system packages and stop
    #[arg(long, conflicts_with = "yes")]
    pub no_install: bool,
}

/// Environment that makes cargo compile the packages with clippy's compiler, as `cargo clippy -- -D warnings` does.
/// This also produces runnable programs, so lints need no separate build. Without these variables cargo would compile
/// everything again.
pub const LINTING: [(&str, &str); 2] = [
    ("RUSTC_WORKSPACE_WRAPPER", "clippy-driver"),
    // clippy splits its arguments at the second word.
    ("CLIPPY_ARGS", "-Dwarnings__CLIPPY_HACKERY__"),
];

/// Root of the workspace, where xtask runs all programs.
pub fn workspace_root() -> &'static Path {
    static ROOT: LazyLock<PathBuf> = LazyLock::new(|| {
        // Cargo sets the variable at run time. The compiled path may belong to another checkout.
        let compiled = Path::new(env!("CARGO_MANIFEST_DIR"));
        let run = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
        let run = run.filter(|run| run.file_name() == compiled.file_name());
        let manifest = run.unwrap_or_else(|| compiled.to_owned());
        manifest.parent().unwrap_or(&manifest).to_owned()
    });
    &ROOT
}

/// Makes a path from the command line absolute, because programs run in the workspace's root instead of the user's
/// folder.
pub fn absolute(path: &str) -> std::io::Result<PathBuf> {
    std::path::absolute(path)
}

/// Cargo's target folder.
pub fn target_folder() -> PathBuf {
    let named = std::env::var_os("CARGO_TARGET_DIR").filter(|folder| !folder.is_empty());
    workspace_root().join(named.map_or_else(|| PathBuf::from("target"), PathBuf::from))
}

/// Creates a folder and its parents if they are missing.
pub fn make_folder(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder)
        .map_err(|error| format!("cannot make {}: {error}", folder.display()))
}

/// A command for `program` in the workspace's root.
pub fn command(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(workspace_root());
    command
}

/// A command from a line of words separated by blanks. `cargo` means the cargo that started xtask.
pub fn command_of(line: &str) -> Command {
    let mut words = line.split_whitespace();
    let program = match words.next().unwrap_or_default() {
        "cargo" => std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")),
        other => OsString::from(other),
    };
    let mut command = command(program);
    command.args(words);
    command
}

/// True if `PATH` contains a program of this name.
pub fn exists(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(name).is_file())
}

/// Standard output of a program; a failure counts as empty output.
pub fn output_of(command: &mut Command) -> String {
    let output = command.stderr(Stdio::null()).stdin(Stdio::null()).output();
    output
        .map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
        .unwrap_or_default()
}

/// True if the program starts and succeeds; prints nothing.
pub fn succeeds(command: &mut Command) -> bool {
    let output = command.stdin(Stdio::null()).output();
    output.is_ok_and(|output| output.status.success())
}

/// Runs a program with xtask's own input and output. Returns its exit code, or 1 if a signal ended it.
pub fn exit_code_of(command: &mut Command) -> Result<u8> {
    let status = command.status();
    let status = status.map_err(|error| cannot_run(command, &error))?;
    let code = status.code().map(u8::try_from);
    Ok(code.and_then(std::result::Result::ok).unwrap_or(1))
}

/// Runs a program with xtask's own input and output. `failure` is the error if the program does not succeed.
pub fn run(command: &mut Command, failure: &str) -> Result<()> {
    match exit_code_of(command)? {
        0 => Ok(()),
        _ => Err(format!("{failure}: see the messages above")),
    }
}

/// Runs a program, and prints every line of its standard output after passing the line to `see`. Returns true if the
/// program succeeded.
pub fn run_watching(command: &mut Command, mut see: impl FnMut(&str)) -> Result<bool> {
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| cannot_run(command, &error))?;
    let stdout = child.stdout.take().into_iter();
    for line in stdout.flat_map(|stdout| BufReader::new(stdout).split(b'\n')) {
        let line = line.map_err(|error| cannot_run(command, &error))?;
        let line = String::from_utf8_lossy(&line);
        println!("{line}");
        see(&line);
    }
    let status = child.wait().map_err(|error| cannot_run(command, &error))?;
    Ok(status.success())
}

fn cannot_run(command: &Command, error: &std::io::Error) -> String {
    format!("cannot run `{}`: {error}", command.get_program().display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_does_not_exist_is_named_in_the_failure() {
        let failure = exit_code_of(&mut command("no-such-program-here"));
        assert!(failure.is_err_and(|failure| failure.contains("no-such-program-here")));
        assert!(!exists("no-such-program-here"));
    }

    #[test]
    fn exit_codes_are_passed_on_and_every_line_is_seen() {
        let mut wrong = command_of("cargo --no-such-flag");
        assert_eq!(exit_code_of(wrong.stderr(Stdio::null())), Ok(1));
        assert!(run(&mut wrong, "cargo failed").is_err_and(|why| why.starts_with("cargo failed")));
        let mut lines = Vec::new();
        let good = run_watching(&mut command_of("cargo --version"), |line| {
            lines.push(line.to_owned())
        });
        assert_eq!((good, lines.len()), (Ok(true), 1));
        assert!(lines[0].starts_with("cargo "), "{lines:?}");
    }
}
