//! File names that every file system takes, and where the user's files belong on this system. Touches no
//! file.

use std::path::PathBuf;

use directories::BaseDirs;

/// The program's folder below those of the system.
const PROGRAM: &str = "wavelerp";

/// `text` with a hyphen for everything but ASCII letters, digits, hyphens, underscores and dots: the name of
/// a file in whatever folder it is put.
pub fn file_name(text: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    text.chars()
        .map(|c| if fits(c) { c } else { '-' })
        .collect()
}

/// The folder of the user's settings: `wavelerp` below XDG_CONFIG_HOME or ~/.config, Application Support or
/// APPDATA. None without a home.
pub fn config_folder() -> Option<PathBuf> {
    Some(BaseDirs::new()?.config_dir().join(PROGRAM))
}

/// The folder of files that can be made again: `wavelerp` below XDG_CACHE_HOME or ~/.cache, Caches or
/// LOCALAPPDATA. None without a home.
pub fn cache_folder() -> Option<PathBuf> {
    Some(BaseDirs::new()?.cache_dir().join(PROGRAM))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_leads_into_no_other_folder() {
        assert_eq!(file_name("../my scene: ü.ron"), "..-my-scene---.ron");
        assert_eq!(file_name("nave_2.50s-a"), "nave_2.50s-a");
    }
}
