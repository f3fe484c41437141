//! Runs other programs, and defines the one error type of xtask. No other file starts processes.

use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Why a command stopped: one message for the user and the exit code that goes with it.
#[derive(Debug, PartialEq, Eq)]
pub struct Failure {
    /// What happened, to what, and what to do next.
    pub message: String,
    /// 1: something failed; 2: wrong usage.
    pub code: u8,
}

impl Failure {
    /// Something that was tried did not work.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            code: 1,
        }
    }

    /// The command line was wrong.
    pub fn usage(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            code: 2,
        }
    }
}

/// The folder of the workspace, in which xtask runs all programs.
pub fn workspace_root() -> &'static Path {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest)
}

/// The folder that cargo builds into.
pub fn target_folder() -> PathBuf {
    let named = std::env::var_os("CARGO_TARGET_DIR").filter(|folder| !folder.is_empty());
    workspace_root().join(named.map_or_else(|| PathBuf::from("target"), PathBuf::from))
}

/// The cargo that started xtask, or the one in `PATH`.
pub fn cargo() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// A command for `program` in the workspace's folder.
pub fn command(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(workspace_root());
    command
}

/// Whether there is a program of this name in `PATH`.
pub fn exists(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(name).is_file())
}

/// Standard output of a program whose failure only means that it has nothing to say.
pub fn output_of(program: &str, arguments: &[&str]) -> String {
    let mut command = command(program);
    command.args(arguments).stderr(Stdio::null());
    let output = command.stdin(Stdio::null()).output();
    output
        .map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
        .unwrap_or_default()
}

/// True if the program starts and ends well; prints nothing.
pub fn succeeds(command: &mut Command) -> bool {
    let status = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.is_ok_and(|status| status.success())
}

/// Runs a program with xtask's own input and output. Returns its exit code, 1 if a signal ended it.
pub fn exit_code_of(command: &mut Command) -> Result<u8, Failure> {
    let status = command
        .status()
        .map_err(|error| cannot_start(command, &error))?;
    Ok(status
        .code()
        .map_or(1, |code| u8::try_from(code).unwrap_or(1)))
}

/// Runs a program, hands every line of its standard output to `see` and prints it. Returns true if
/// the program ended well.
pub fn run_watching(command: &mut Command, mut see: impl FnMut(&str)) -> Result<bool, Failure> {
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| cannot_start(command, &error))?;
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout).split(b'\n') {
            let line =
                line.map_err(|error| Failure::new(format!("cannot read the output: {error}")))?;
            let line = String::from_utf8_lossy(&line);
            println!("{line}");
            see(&line);
        }
    }
    let status = child
        .wait()
        .map_err(|error| cannot_start(command, &error))?;
    Ok(status.success())
}

/// How a program ended, and every line that it wrote.
#[derive(Debug)]
pub struct Run {
    /// True if the program ended well.
    pub is_good: bool,
    /// Lines of standard output and standard error, in the order in which they came.
    pub lines: Vec<String>,
}

/// Runs a program, passes what it writes on to standard error line by line, and keeps it.
pub fn run_keeping(command: &mut Command) -> Result<Run, Failure> {
    let cannot_read = |error| Failure::new(format!("cannot read the output: {error}"));
    let (reader, writer) = std::io::pipe().map_err(cannot_read)?;
    command.stdout(writer.try_clone().map_err(cannot_read)?);
    let child = command.stderr(writer).spawn();
    let mut child = child.map_err(|error| cannot_start(command, &error))?;
    // The pipe ends when nobody can write into it any more: this process holds two ends in `command`.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut lines = Vec::new();
    for line in BufReader::new(reader).split(b'\n') {
        let line = String::from_utf8_lossy(&line.map_err(cannot_read)?).into_owned();
        eprintln!("{line}");
        lines.push(line);
    }
    let status = child
        .wait()
        .map_err(|error| cannot_start(command, &error))?;
    let is_good = status.success();
    Ok(Run { is_good, lines })
}

fn cannot_start(command: &Command, error: &std::io::Error) -> Failure {
    Failure::new(format!(
        "cannot run `{}`: {error}",
        command.get_program().display()
    ))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn the_workspace_root_holds_the_workspace_manifest() {
        let manifest = std::fs::read_to_string(workspace_root().join("Cargo.toml")).unwrap();
        assert!(manifest.contains("[workspace]"));
        assert!(!workspace_root().ends_with("xtask"));
    }

    #[test]
    fn a_program_that_does_not_exist_is_named_in_the_failure() {
        let failure = exit_code_of(&mut command("no-such-program-here")).unwrap_err();
        assert!(
            failure.message.contains("no-such-program-here"),
            "{failure:?}"
        );
        assert!(!exists("no-such-program-here"));
    }

    #[test]
    fn exit_codes_are_passed_on_and_every_line_is_seen() {
        let mut version = command(cargo());
        assert_eq!(
            exit_code_of(version.arg("--version").stdout(Stdio::null())),
            Ok(0)
        );
        assert_eq!(
            exit_code_of(command(cargo()).arg("--no-such-flag").stderr(Stdio::null())),
            Ok(1)
        );
        let mut lines = Vec::new();
        let good = run_watching(command(cargo()).arg("--version"), |line| {
            lines.push(line.to_string())
        });
        assert_eq!(good, Ok(true));
        assert!(
            lines.len() == 1 && lines[0].starts_with("cargo "),
            "{lines:?}"
        );
        let kept = run_keeping(command(cargo()).arg("--no-such-flag")).unwrap();
        let names_the_flag = |line: &String| line.contains("--no-such-flag");
        assert!(
            !kept.is_good && kept.lines.iter().any(names_the_flag),
            "{kept:?}"
        );
    }
}
