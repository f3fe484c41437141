//! Finds the manifests of Mesa's Vulkan drivers on disk. Loads no driver.

use crate::process::Failure;
use std::path::PathBuf;

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

/// Every manifest of a driver that the loader would read: those that `VK_DRIVER_FILES` names, and those in the
/// standard folders by name.
pub fn manifests() -> Vec<PathBuf> {
    let named = std::env::var_os("VK_DRIVER_FILES").unwrap_or_default();
    let mut all: Vec<PathBuf> = std::env::split_paths(&named).collect();
    for folder in FOLDERS {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        files.sort();
        all.extend(files);
    }
    all.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == "json")
            && path.is_file()
    });
    all
}

/// One of Mesa's drivers.
#[derive(Clone, Copy, Debug)]
pub struct Driver {
    /// What the driver is called, for messages.
    pub name: &'static str,
    /// What its manifest is called before the architecture: `lvp_icd.json` or `lvp_icd.x86_64.json`.
    manifest: &'static str,
}

/// llvmpipe, the driver that runs on the CPU.
pub const LLVMPIPE: Driver = Driver {
    name: "llvmpipe",
    manifest: "lvp_icd",
};
/// RADV, the driver for AMD GPUs.
pub const RADV: Driver = Driver {
    name: "RADV",
    manifest: "radeon_icd",
};

impl Driver {
    /// The manifest of this driver: one that `VK_DRIVER_FILES` names, or one in the standard folders.
    pub fn manifest(self) -> Result<PathBuf, Failure> {
        let named = std::env::var_os("VK_DRIVER_FILES").unwrap_or_default();
        let named: Vec<PathBuf> = std::env::split_paths(&named).collect();
        self.find(&named, &FOLDERS.map(PathBuf::from))
    }

    fn find(self, named: &[PathBuf], folders: &[PathBuf]) -> Result<PathBuf, Failure> {
        let (driver, architecture) = (self.manifest, std::env::consts::ARCH);
        // Systems with libraries of several architectures tell their manifests apart by name.
        let names = [
            format!("{driver}.{architecture}.json"),
            format!("{driver}.json"),
        ];
        let in_folders = folders
            .iter()
            .flat_map(|folder| names.iter().map(|name| folder.join(name)));
        let is_named = |path: &&PathBuf| names.iter().any(|name| path.ends_with(name));
        let mut candidates = named.iter().filter(is_named).cloned().chain(in_folders);
        candidates.find(|path| path.is_file()).ok_or_else(|| {
            let folders: Vec<_> = folders.iter().map(|it| it.display().to_string()).collect();
            Failure::new(format!(
                "Mesa's Vulkan driver {} is missing (Debian: mesa-vulkan-drivers): there is no {} in {}; \
                 some systems do not build it for {architecture}",
                self.name,
                names.join(" or "),
                folders.join(", ")
            ))
        })
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn the_manifest_for_this_architecture_comes_first_and_no_driver_is_taken_for_another() {
        let folder = std::env::temp_dir().join(format!("xtask-manifests-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let own = format!("lvp_icd.{}.json", std::env::consts::ARCH);
        let put = |name: &str| std::fs::write(folder.join(name), "{}").unwrap();
        let find = |driver: Driver| driver.find(&[], std::slice::from_ref(&folder));
        for other in ["lvp_icd.other.json", "lvp_icd.json.bak", "nvidia_icd.json"] {
            put(other);
        }
        let missing = find(LLVMPIPE).unwrap_err().message;
        put("lvp_icd.json");
        let plain = find(LLVMPIPE);
        put(&own);
        let exact = find(LLVMPIPE);
        let radv = find(RADV);
        let named = [folder.join("lvp_icd.other.json"), folder.join(&own)];
        let by_variable = LLVMPIPE.find(&named, &[]);
        std::fs::remove_dir_all(&folder).unwrap();

        for part in ["llvmpipe", "mesa-vulkan-drivers", &own, "xtask-manifests"] {
            assert!(missing.contains(part), "{missing}");
        }
        assert_eq!(plain, Ok(folder.join("lvp_icd.json")));
        assert_eq!(exact, Ok(folder.join(&own)));
        assert!(radv.is_err());
        assert_eq!(by_variable, Ok(folder.join(&own)));
    }
}
