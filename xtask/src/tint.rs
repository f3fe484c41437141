//! Installs Tint, the WGSL compiler of browsers, for the tests: the npm package `webgpu` (Dawn for Node.js), with
//! versions pinned by a lock file. Only `tint/` in the target folder is written.

use crate::process;
use crate::process::{Consent, Result};
use std::path::Path;

/// Environment variable that tells tests to skip Tint.
pub const LEFT_OUT: (&str, &str) = ("WAVELERP_TINT", "off");

/// Input files of npm, in `tests/tint/`.
const FILES: [&str; 2] = ["package.json", "package-lock.json"];
/// The last file that npm writes, which shows that it has completed.
const WITNESS: &str = "node_modules/.package-lock.json";
const INSTALL: [&str; 4] = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];

/// True if Node.js and npm can be run.
pub fn has_node() -> bool {
    let runs = |name| process::succeeds(process::command(name).arg("--version"));
    runs("node") && runs("npm")
}

/// Installs Tint in the target folder. Node.js and npm must be installed.
pub fn install(consent: Consent) -> Result<()> {
    let source = process::workspace_root().join("tests/tint");
    let folder = process::target_folder().join("tint");
    if is_installed(&source, &folder) {
        return Ok(());
    }
    let advice = "`cargo xtask test --no-tint` leaves out the tests that need it";
    if consent.no_install {
        return Err(format!(
            "Tint (npm package webgpu) is missing and was not installed: {advice}"
        ));
    }
    if !has_node() {
        return Err(format!(
            "Tint needs `node` (18 or newer) and `npm`, and one of them cannot be run: install Node.js; {advice}"
        ));
    }
    let place = folder.display();
    eprintln!("Installing Tint (npm package webgpu, about 130 MB) into {place}.");
    put(&source, &folder).map_err(|error| format!("cannot write {place}: {error}"))?;
    let mut npm = process::command("npm");
    let failure = format!("npm could not install Tint into {place} ({advice})");
    process::run(npm.args(INSTALL).current_dir(&folder), &failure)
}

/// Copies npm's input files.
fn put(source: &Path, folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    for name in FILES {
        std::fs::copy(source.join(name), folder.join(name))?;
    }
    Ok(())
}

/// True if npm has completed in `folder` with the current files of `source`.
fn is_installed(source: &Path, folder: &Path) -> bool {
    let is_same = |name: &str| {
        let texts = [source, folder].map(|folder| std::fs::read(folder.join(name)).ok());
        texts[0].is_some() && texts[0] == texts[1]
    };
    FILES.iter().all(|name| is_same(name)) && folder.join(WITNESS).is_file()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use std::path::PathBuf;

    /// An empty folder for one test.
    fn scratch(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("xtask-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn tint_is_installed_once_npm_has_finished_with_todays_versions() {
        let folder = scratch("tint");
        let source = process::workspace_root().join("tests/tint");
        assert!(!is_installed(&source, &folder));
        put(&source, &folder).unwrap();
        assert!(!is_installed(&source, &folder), "npm was interrupted");
        std::fs::create_dir_all(folder.join("node_modules")).unwrap();
        std::fs::write(folder.join(WITNESS), "{}").unwrap();
        assert!(is_installed(&source, &folder));
        std::fs::write(folder.join("package-lock.json"), "{}").unwrap();
        assert!(!is_installed(&source, &folder), "of another version");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn the_lock_file_pins_content_and_names_no_host() {
        let lock = process::workspace_root().join("tests/tint/package-lock.json");
        let lock = std::fs::read_to_string(lock).unwrap();
        let packages = lock.matches("\"node_modules/").count();
        assert!(packages > 0 && lock.matches("\"integrity\": \"sha512-").count() == packages);
        assert!(!lock.contains("://"));
    }
}
