//! Finds manifests of Vulkan drivers on disk, and makes environments that select a driver. No driver is loaded.

use crate::process;
use crate::process::Result;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Folders in which Vulkan's loader looks for driver manifests.
const FOLDERS: [&str; 3] = [
    "/etc/vulkan/icd.d",
    "/usr/local/share/vulkan/icd.d",
    "/usr/share/vulkan/icd.d",
];

/// Environment variables that would make the Vulkan loader select another driver, or the program another adapter.
const OTHERS: [&str; 5] = [
    "VK_ADD_DRIVER_FILES",
    "VK_LOADER_DRIVERS_SELECT",
    "VK_LOADER_DRIVERS_DISABLE",
    "WAVELERP_ADAPTER",
    "LP_NATIVE_VECTOR_WIDTH",
];

/// Environment variables that select a driver.
pub type Environment = Vec<(&'static str, OsString)>;

/// Makes a command run with only the driver that the environment selects.
pub fn choose(command: &mut Command, environment: Environment) {
    for name in OTHERS {
        command.env_remove(name);
    }
    command.envs(environment);
}

/// Environment in which the driver of `manifest` is the only one, for old and new loaders.
pub fn only(manifest: &Path) -> Environment {
    let variables = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"];
    variables.map(|name| (name, manifest.into())).into()
}

/// Environment in which llvmpipe is the only driver, with `wave` lanes of 32 bits. Mesa's shader cache does not
/// distinguish vector widths, so each width has its own folder.
pub fn software(wave: u32) -> Result<Environment> {
    let cache = process::target_folder().join(format!("mesa-shader-cache/wave-{wave}"));
    process::make_folder(&cache)?;
    let mut environment = only(&llvmpipe()?);
    environment.extend([
        ("LP_NATIVE_VECTOR_WIDTH", (wave * 32).to_string().into()),
        ("MESA_SHADER_CACHE_DIR", cache.into()),
        ("WAVELERP_EXPECT_WAVE", wave.to_string().into()),
        ("WAVELERP_ADAPTER", "llvmpipe".into()),
        // Without this, Mesa's device-select layer complains about a missing display server.
        ("NODEVICE_SELECT", "1".into()),
    ]);
    Ok(environment)
}

/// All driver manifests that the loader would read: those in `VK_DRIVER_FILES`, and those in the standard folders,
/// sorted by name. `lvp_icd.x86_64.json` precedes `lvp_icd.json`, which may be for another machine.
pub fn manifests() -> Vec<PathBuf> {
    let named = std::env::var_os("VK_DRIVER_FILES").unwrap_or_default();
    let mut all: Vec<PathBuf> = std::env::split_paths(&named).collect();
    for folder in FOLDERS {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        files.sort_by(|a, b| b.cmp(a));
        all.extend(files);
    }
    all.retain(|path| path.extension().is_some_and(|it| it == "json") && path.is_file());
    all
}

/// Manifest of llvmpipe, Mesa's CPU driver.
pub fn llvmpipe() -> Result<PathBuf> {
    llvmpipe_of(manifests())
}

/// First of the manifests that is llvmpipe's, with or without this machine's architecture in the name.
fn llvmpipe_of(manifests: Vec<PathBuf>) -> Result<PathBuf> {
    let architecture = std::env::consts::ARCH;
    let own = format!("lvp_icd.{architecture}.json");
    let is_it = |path: &PathBuf| path.ends_with(&own) || path.ends_with("lvp_icd.json");
    manifests.into_iter().find(is_it).ok_or_else(|| {
        format!(
            "Mesa's Vulkan driver llvmpipe is missing (Debian: mesa-vulkan-drivers): there is no {own} or lvp_icd.json in {}; \
             some systems do not build it for {architecture}",
            FOLDERS.join(", ")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_manifest_for_this_machine_is_taken_and_no_driver_for_another() {
        let own = format!("/a/lvp_icd.{}.json", std::env::consts::ARCH);
        let found = |names: &[&str]| llvmpipe_of(names.iter().map(PathBuf::from).collect());
        let first = found(&["/a/lvp_icd.other.json", &own, "/a/lvp_icd.json"]);
        assert_eq!(first, Ok(PathBuf::from(&own)));
        let plain = found(&["/a/nvidia_icd.json", "/a/lvp_icd.json"]);
        assert_eq!(plain, Ok(PathBuf::from("/a/lvp_icd.json")));
        let missing = found(&["/a/lvp_icd.other.json", "/a/nvidia_icd.json"]);
        assert!(missing.is_err_and(|why| why.contains("mesa-vulkan-drivers")));
    }
}
