//! Packs the debug program that the other tests have built, unpacks the archive far from the checkout and uses its
//! contents. An adapter is needed.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "tests")]

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const NAME: &str = "wavelerp-0.1.0-x86_64-unknown-linux-gnu";
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// The program under test, which is built into the same folder as this test.
fn program() -> PathBuf {
    let program = Path::new(env!("CARGO_BIN_EXE_dist")).with_file_name("wavelerp");
    assert!(program.is_file(), "run `cargo build --package wavelerp`");
    program
}

fn good(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {said}");
    output
}

/// Packs a program into a folder; returns the archive's bytes.
fn packed(program: &Path, output: &Path, set: impl FnOnce(&mut Command)) -> Vec<u8> {
    let mut dist = Command::new(env!("CARGO_BIN_EXE_dist"));
    dist.arg("--program").arg(program);
    dist.args(["--target", TARGET, "--output"]).arg(output);
    set(&mut dist);
    good(&mut dist);
    std::fs::read(output.join(format!("{NAME}.tar.gz"))).unwrap()
}

#[test]
fn the_archive_is_whole_and_its_program_runs_where_no_checkout_is() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    // Half of the debug program is debug information, which is stripped.
    let tool = |line: &str| {
        let mut command = Command::new("sh");
        good(command.args(["-c", line]).current_dir(folder.path()));
    };
    tool(&format!("strip -o stripped '{}'", program().display()));
    packed(&at("stripped"), folder.path(), |_| ());
    tool(&format!("sha256sum --check --strict {NAME}.tar.gz.sha256"));
    tool(&format!("tar -xzf {NAME}.tar.gz"));
    let below = at(NAME);
    let files = "README.md LICENSE-MIT THIRD-PARTY-LICENSES.txt docs/methods.md docs/window-compare.png \
                 screenshots/temple.png assets/scenes/temple.ron assets/scenes/statue.spz \
                 share/man/man1/wavelerp-capture.1 share/bash-completion/completions/wavelerp \
                 share/zsh/site-functions/_wavelerp share/applications/wavelerp.desktop \
                 share/icons/hicolor/256x256/apps/wavelerp.png \
                 wave-library/wave.wgsl wave-library/wave.hlsl wave-library/wave.metal";
    for file in files.split(' ') {
        let length = std::fs::metadata(below.join(file)).map(|found| found.len());
        assert!(length.is_ok_and(|length| length > 100), "{file}");
    }
    let empty = at("empty");
    std::fs::create_dir(&empty).unwrap();
    let starts = ["VK_", "LP_", "MESA_", "NODEVICE_"];
    let vulkan = std::env::vars().filter(|(name, _)| starts.iter().any(|of| name.starts_with(of)));
    let vulkan: Vec<_> = vulkan.collect();
    let run = |line: &str| {
        let mut command = Command::new(below.join("bin/wavelerp"));
        command.args(line.split(' ')).env_clear();
        command.envs(vulkan.iter().cloned());
        let output = good(command.env("HOME", &empty).current_dir(&empty));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert!(run("list").contains("temple"));
    assert!(run("verify --methods pixel-loop --quiet").contains("checks passed"));
    run("capture --scene two --size 64x36 --methods pixel-loop --out pictures --quiet");
    let picture = std::fs::read(empty.join("pictures/pixel-loop.png")).unwrap();
    assert!(picture.starts_with(b"\x89PNG"));
}

#[test]
fn the_same_program_gives_the_same_bytes_whatever_the_surroundings() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    // A small program keeps packing quick.
    let small = at("small");
    let script = format!("#!/bin/sh\nexec '{}' \"$@\"\n", program().display());
    std::fs::write(&small, script).unwrap();
    std::fs::set_permissions(&small, PermissionsExt::from_mode(0o755)).unwrap();
    let first = packed(&small, &at("first"), |_| ());
    let other = packed(&small, &at("other"), |dist| {
        dist.current_dir("/").envs([
            ("TZ", "Asia/Tokyo"),
            ("LC_ALL", "C"),
            ("WAVELERP_ADAPTER", "none of this name"),
            ("COLUMNS", "40"),
        ]);
    });
    assert!(first == other, "two archives of one program differ");
    // Negative control: a different time gives a different archive.
    let later = packed(&small, &at("later"), |dist| {
        dist.env("SOURCE_DATE_EPOCH", "7");
    });
    assert!(first != later);
}
