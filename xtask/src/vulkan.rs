//! Finds the manifests of Vulkan drivers on disk. Loads no driver.

use crate::process::Result;
use std::path::{Path, PathBuf};

/// Where Vulkan's loader looks for manifests of drivers.
const FOLDERS: [&str; 3] = [
    "/etc/vulkan/icd.d",
    "/usr/local/share/vulkan/icd.d",
    "/usr/share/vulkan/icd.d",
];

/// Variables that would let the Vulkan loader see or choose another driver.
pub const OTHER_DRIVERS: [&str; 3] = [
    "VK_ADD_DRIVER_FILES",
    "VK_LOADER_DRIVERS_SELECT",
    "VK_LOADER_DRIVERS_DISABLE",
];

/// The environment in which the driver of this manifest is the only one, for loaders of every age.
pub fn only(manifest: &Path) -> [(&'static str, &Path); 2] {
    ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"].map(|variable| (variable, manifest))
}

/// Every manifest of a driver that the loader would read: those that `VK_DRIVER_FILES` names, and those in the
/// standard folders by name, `lvp_icd.x86_64.json` before `lvp_icd.json`, which need not be for this machine.
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

/// The manifest of llvmpipe, Mesa's driver that runs on the CPU.
pub fn llvmpipe() -> Result<PathBuf> {
    find("llvmpipe", "lvp_icd", manifests())
}

/// The manifest of RADV, Mesa's driver for AMD GPUs.
pub fn radv() -> Result<PathBuf> {
    find("RADV", "radeon_icd", manifests())
}

/// The first of these manifests whose name is `file`, with or without this machine's architecture.
fn find(driver: &str, file: &str, manifests: Vec<PathBuf>) -> Result<PathBuf> {
    let architecture = std::env::consts::ARCH;
    let names = [format!(".{architecture}"), String::new()].map(|of| format!("{file}{of}.json"));
    let is_it = |path: &PathBuf| names.iter().any(|name| path.ends_with(name));
    manifests.into_iter().find(is_it).ok_or_else(|| {
        format!(
            "Mesa's Vulkan driver {driver} is missing (Debian: mesa-vulkan-drivers): there is no {} in {}; \
             some systems do not build it for {architecture}",
            names.join(" or "),
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
        let found =
            |names: &[&str]| find("it", "lvp_icd", names.iter().map(PathBuf::from).collect());
        let first = found(&["/a/lvp_icd.other.json", &own, "/a/lvp_icd.json"]);
        assert_eq!(first, Ok(PathBuf::from(&own)));
        let plain = found(&["/a/nvidia_icd.json", "/a/lvp_icd.json"]);
        assert_eq!(plain, Ok(PathBuf::from("/a/lvp_icd.json")));
        let missing = found(&["/a/lvp_icd.other.json", "/a/nvidia_icd.json"]);
        assert!(missing.is_err_and(|why| why.contains("mesa-vulkan-drivers")));
    }
}
