//! Build script: tells the program which commit it is built from, for benchmark records.

use std::process::Command;

fn main() {
    for path in [".git/HEAD", ".git/index", "src", "shaders", "Cargo.toml"] {
        println!("cargo:rerun-if-changed={path}");
    }
    println!("cargo:rustc-env=WAVELERP_GIT={}", commit());
}

/// The commit, with "-dirty" where files differ from it; "unknown" outside a repository.
fn commit() -> String {
    let described = Command::new("git")
        .args([
            "describe",
            "--always",
            "--dirty",
            "--abbrev=12",
            "--exclude=*",
        ])
        .output();
    let text = described.ok().filter(|output| output.status.success());
    let text = text.and_then(|output| String::from_utf8(output.stdout).ok());
    text.map_or_else(|| "unknown".to_owned(), |text| text.trim().to_owned())
}
