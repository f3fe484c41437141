//! Build script: records the commit of the build for benchmark records.

#![allow(clippy::print_stdout, reason = "Cargo reads it")]

use std::path::Path;
use std::process::Command;

/// Cargo adds this file to a package, with the commit that the package was made from.
const PACKED: &str = ".cargo_vcs_info.json";

fn main() {
    // A package is not a checkout. A repository around it may belong to another project.
    let is_checkout = Path::new(".git").exists();
    let repository: &[&str] = if is_checkout {
        &[".git/HEAD", ".git/index"]
    } else {
        &[]
    };
    for path in ["src", "shaders", "Cargo.toml"].iter().chain(repository) {
        println!("cargo:rerun-if-changed={path}");
    }
    let commit = if is_checkout { described() } else { packed() };
    let commit = commit.unwrap_or_else(|| "unknown".to_owned());
    println!("cargo:rustc-env=WAVELERP_GIT={commit}");
}

/// Commit of the checkout, with "-dirty" if files differ from it.
fn described() -> Option<String> {
    let commit = git(&["rev-parse", "--short=12", "HEAD"])?;
    // Without this flag git may update its index, and the next build would run this script again.
    let changes = git(&[
        "--no-optional-locks",
        "status",
        "--porcelain",
        "--untracked-files=no",
    ])?;
    let dirty = if changes.is_empty() { "" } else { "-dirty" };
    Some(format!("{commit}{dirty}"))
}

/// Output of git, if git succeeds.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output();
    let output = output.ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}

/// Commit that a package was made from, with "-dirty" if files differed from it.
fn packed() -> Option<String> {
    let info = std::fs::read_to_string(PACKED).ok()?;
    let (_, rest) = info.split_once("\"sha1\": \"")?;
    let dirty = if info.contains("\"dirty\": true") {
        "-dirty"
    } else {
        ""
    };
    Some(format!("{}{dirty}", rest.get(..12)?))
}
