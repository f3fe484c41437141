//! How xtask installs system packages: questions, commands and error messages. The tests run xtask with a fake apt-get
//! that only records its arguments.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "tests")]

use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// A system on which either no package or every package is installed.
struct System {
    folder: PathBuf,
}

impl System {
    /// A system whose apt-get is the shell script `apt_get`.
    fn new(name: &str, apt_get: &str) -> Self {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        // An earlier run may have left the folder.
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let system = Self { folder };
        system.program("id", "echo 0");
        system.program("dpkg", "echo amd64");
        system.program("dpkg-query", "exit 1");
        let noted = system.folder.join("noted");
        let notes = format!("echo \"$*\" >> '{}'", noted.display());
        system.program("apt-get", &format!("{notes}\n{apt_get}"));
        system
    }

    fn program(&self, name: &str, script: &str) {
        let path = self.folder.join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    }

    /// Runs a shell command in which `xtask` is the program, with `input` as standard input.
    fn run(&self, line: &str, input: &str) -> Output {
        let line = line.replace("xtask", env!("CARGO_BIN_EXE_xtask"));
        let usual = std::env::var_os("PATH").unwrap_or_default();
        let own = std::iter::once(self.folder.clone());
        let path = own.chain(std::env::split_paths(&usual));
        let mut child = Command::new("/bin/sh")
            .args(["-c", &line])
            .env("PATH", std::env::join_paths(path).unwrap())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(input.as_bytes()).unwrap();
        drop(stdin);
        child.wait_with_output().unwrap()
    }

    /// Arguments of each call of apt-get.
    fn calls(&self) -> Vec<String> {
        let noted = std::fs::read_to_string(self.folder.join("noted")).unwrap_or_default();
        noted.lines().map(str::to_owned).collect()
    }
}

fn text(output: &Output) -> String {
    let both = [&output.stdout[..], &output.stderr].concat();
    String::from_utf8_lossy(&both).into_owned()
}

/// Command that runs xtask on a terminal, which `script` provides.
const ON_A_TERMINAL: &str = "script --quiet --return --command 'xtask setup' /dev/null";

#[test]
fn without_a_terminal_and_with_yes_packages_are_installed_without_a_question() {
    for (name, line) in [("silent", "xtask setup"), ("yes", "xtask setup --yes")] {
        let system = System::new(name, "exit 0");
        let output = system.run(line, "");
        assert!(output.status.success(), "{}", text(&output));
        let calls = system.calls();
        assert!(calls.len() == 2 && calls[0] == "update", "{calls:?}");
        assert!(calls[1].starts_with("install --yes"), "{calls:?}");
        assert!(calls[1].contains("libvulkan1") && !calls[1].contains("xvfb"));
        assert!(!text(&output).contains("[Y/n]"), "{}", text(&output));
    }
}

#[test]
fn on_a_terminal_the_user_is_asked_and_no_means_no() {
    let system = System::new("refused", "exit 0");
    let output = system.run(ON_A_TERMINAL, "n\n");
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    for part in ["[Y/n]", "nothing was installed"] {
        assert!(text(&output).contains(part), "{}", text(&output));
    }
    assert!(system.calls().is_empty());

    let system = System::new("agreed", "exit 0");
    let output = system.run(ON_A_TERMINAL, "y\n");
    assert!(output.status.success(), "{}", text(&output));
    assert_eq!(system.calls().len(), 2);
}

#[test]
fn no_install_lists_what_is_missing_and_stops() {
    let system = System::new("listed", "exit 0");
    for line in ["setup", "test --only gpu8", "demo", "renderdoc"] {
        let output = system.run(&format!("xtask {line} --no-install"), "");
        let text = text(&output);
        assert_eq!(output.status.code(), Some(1), "{line}: {text}");
        assert!(text.contains("libvulkan1"), "{line}: {text}");
        assert!(!text.contains("xvfb"), "{line}: {text}");
        assert!(system.calls().is_empty(), "{line}");
    }
}

#[test]
fn nothing_is_asked_or_run_where_nothing_is_missing() {
    let system = System::new("complete", "exit 0");
    let all = "for name in \"$@\"; do echo \"$name amd64 installed\"; done";
    system.program("dpkg-query", all);
    let folder = system.folder.display();
    let line = format!("CARGO_TARGET_DIR='{folder}' xtask setup --test --no-install");
    let output = system.run(&line, "");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).contains("Tint"), "{}", text(&output));
    // This is what npm leaves behind.
    let tint = system.folder.join("tint");
    std::fs::create_dir_all(tint.join("node_modules")).unwrap();
    let versions = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/tint");
    for name in ["package.json", "package-lock.json"] {
        std::fs::copy(versions.join(name), tint.join(name)).unwrap();
    }
    std::fs::write(tint.join("node_modules/.package-lock.json"), "{}").unwrap();
    let output = system.run(&line, "");
    assert!(output.status.success(), "{}", text(&output));
    assert!(system.calls().is_empty());
}

#[test]
fn an_installation_that_fails_is_a_failure_and_an_update_that_fails_is_not() {
    let system = System::new("broken", "exit 100");
    let output = system.run("xtask setup --yes", "");
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert!(text(&output).contains("as root yourself"));
    let system = System::new("half", "[ \"$1\" = install ]");
    let output = system.run("xtask setup", "");
    assert!(output.status.success(), "{}", text(&output));
}
