//! Finds Vulkan drivers and the Vulkan loader on disk, without loading either. Reads folders and
//! environment variables only.

use crate::process;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Reads one environment variable; `None` when unset. A parameter so that tests need no process-wide state.
pub type Environment<'a> = &'a dyn Fn(&str) -> Option<OsString>;

/// The loader's file, as every Vulkan program asks for it on Linux.
const LOADER: &str = "libvulkan.so.1";

/// Variables that name driver manifests (files or folders) to the loader.
const MANIFEST_VARIABLES: [&str; 3] =
    ["VK_DRIVER_FILES", "VK_ICD_FILENAMES", "VK_ADD_DRIVER_FILES"];

/// Where a driver manifest may stand: files and folders named by the environment first, then the
/// standard folders. Not all of them need to exist.
pub fn manifest_places(environment: Environment) -> Vec<PathBuf> {
    let named = MANIFEST_VARIABLES
        .iter()
        .filter_map(|name| environment(name));
    let mut places: Vec<PathBuf> = named.flat_map(|list| split(&list)).collect();
    places.extend(
        [
            "/etc/vulkan/icd.d",
            "/usr/local/share/vulkan/icd.d",
            "/usr/share/vulkan/icd.d",
        ]
        .map(PathBuf::from),
    );
    let data_home = environment("XDG_DATA_HOME")
        .map(PathBuf::from)
        .or_else(|| environment("HOME").map(|home| Path::new(&home).join(".local/share")));
    places.extend(data_home.map(|folder| folder.join("vulkan/icd.d")));
    places
}

/// The driver manifests (`*.json`) in these places, sorted within each folder.
pub fn manifests_in(places: &[PathBuf]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for place in places {
        if place.is_file() {
            found.push(place.clone());
        } else if let Ok(entries) = std::fs::read_dir(place) {
            let mut files: Vec<_> = entries
                .filter_map(|entry| Some(entry.ok()?.path()))
                .collect();
            files.retain(|file| {
                file.extension()
                    .is_some_and(|extension| extension == "json")
            });
            files.sort();
            found.extend(files);
        }
    }
    found
}

/// What the manifests of llvmpipe, Mesa's Vulkan driver on the CPU, are called before the architecture.
pub const LLVMPIPE: &str = "lvp_icd";
/// The same of RADV, Mesa's Vulkan driver for AMD GPUs.
pub const RADV: &str = "radeon_icd";

/// The manifest of one of Mesa's drivers (`lvp_icd.json`, `lvp_icd.x86_64.json`): the one for this
/// architecture (`x86_64`, `aarch64`) before one that names none, that before any other.
pub fn manifest_of<'a>(
    driver: &str,
    manifests: &'a [PathBuf],
    architecture: &str,
) -> Option<&'a Path> {
    let rank = |path: &Path| {
        let name = path.file_name()?.to_str()?;
        let rest = name
            .strip_prefix(driver)?
            .strip_suffix("json")?
            .trim_matches('.');
        Some(if rest == architecture {
            0
        } else {
            1 + usize::from(!rest.is_empty())
        })
    };
    let ranked = manifests
        .iter()
        .filter_map(|path| Some((rank(path)?, path.as_path())));
    ranked.min_by_key(|(rank, _)| *rank).map(|(_, path)| path)
}

/// True if the Vulkan loader is where the dynamic linker looks: its cache, `LD_LIBRARY_PATH`, or a
/// usual library folder.
pub fn loader_is_present(environment: Environment) -> bool {
    let cached = ["ldconfig", "/sbin/ldconfig", "/usr/sbin/ldconfig"]
        .iter()
        .any(|program| process::output_of(process::command(program).arg("-p")).contains(LOADER));
    cached
        || library_folders(environment)
            .iter()
            .any(|folder| folder.join(LOADER).exists())
}

fn library_folders(environment: Environment) -> Vec<PathBuf> {
    let named = environment("LD_LIBRARY_PATH")
        .map(|list| split(&list))
        .unwrap_or_default();
    let usual = [
        "/usr/lib",
        "/usr/lib64",
        "/usr/local/lib",
        "/lib",
        "/lib64",
        "/run/opengl-driver/lib",
    ];
    named.into_iter().chain(usual.map(PathBuf::from)).collect()
}

fn split(list: &OsString) -> Vec<PathBuf> {
    std::env::split_paths(list)
        .filter(|path| !path.as_os_str().is_empty())
        .collect()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn paths(names: &[&str]) -> Vec<PathBuf> {
        names.iter().map(PathBuf::from).collect()
    }

    #[test]
    fn drivers_named_by_the_environment_are_found_before_the_standard_folders() {
        let environment = |name: &str| match name {
            "VK_DRIVER_FILES" => std::env::join_paths(["/a/one.json", "/b"]).ok(),
            "HOME" => Some(OsString::from("/home/user")),
            _ => None,
        };
        let places = manifest_places(&environment);
        assert_eq!(places[..2], paths(&["/a/one.json", "/b"]));
        assert!(places.contains(&PathBuf::from("/usr/share/vulkan/icd.d")));
        assert!(places.contains(&PathBuf::from("/home/user/.local/share/vulkan/icd.d")));
    }

    #[test]
    fn an_empty_variable_names_nothing() {
        let empty = |name: &str| (name != "HOME").then(OsString::new);
        let standard = manifest_places(&|_| None);
        assert!(manifest_places(&empty).starts_with(&standard));
        assert!(standard.iter().all(|place| place.is_absolute()));
    }

    #[test]
    fn only_json_files_that_exist_are_manifests() {
        let folder = std::env::temp_dir().join(format!("xtask-manifests-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        for name in ["b.json", "a.json", "readme.txt"] {
            std::fs::write(folder.join(name), "{}").unwrap();
        }
        let places = [
            folder.join("b.json"),
            folder.join("missing.json"),
            folder.clone(),
            folder.join("none"),
        ];
        let found = manifests_in(&places);
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(
            found,
            [
                folder.join("b.json"),
                folder.join("a.json"),
                folder.join("b.json")
            ]
        );
    }

    #[test]
    fn the_manifest_for_this_architecture_is_chosen_first() {
        let manifests = paths(&[
            "/i/intel_icd.x86_64.json",
            "/i/lvp_icd.i686.json",
            "/i/lvp_icd.x86_64.json",
        ]);
        assert_eq!(
            manifest_of(LLVMPIPE, &manifests, "x86_64"),
            Some(manifests[2].as_path())
        );
        let plain = paths(&["/i/lvp_icd.i686.json", "/i/lvp_icd.json"]);
        assert_eq!(
            manifest_of(LLVMPIPE, &plain, "aarch64"),
            Some(plain[1].as_path())
        );
    }

    #[test]
    fn no_driver_is_taken_for_another() {
        let manifests = paths(&[
            "/i/intel_icd.x86_64.json",
            "/i/nvidia_icd.json",
            "/i/lvp_icd.json.bak",
        ]);
        assert_eq!(manifest_of(LLVMPIPE, &manifests, "x86_64"), None);
        assert_eq!(manifest_of(RADV, &manifests, "x86_64"), None);
    }
}
