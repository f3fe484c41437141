//! The folder whose shaders a window shows and watches: where it is, and what is in it.

use std::path::{Path, PathBuf};

use super::shader::{ShaderSource, Texts, plain_lines};

/// What the folder is called.
const NAME: &str = "shaders";

/// The folder `shaders/` of this project: beside the executable or above it, else in the working folder or
/// above it. A folder of that name counts if at least half of the embedded files are in it.
pub fn find(executable: Option<&Path>, working: Option<&Path>) -> Option<PathBuf> {
    let beside = executable.and_then(Path::parent);
    let places = [beside, working].into_iter().flatten();
    let mut candidates = places.flat_map(Path::ancestors).map(|at| at.join(NAME));
    candidates.find(|folder| is_ours(folder))
}

/// The project's folder of shaders as this process finds it: from its executable, else from its working folder.
pub fn find_here() -> Option<PathBuf> {
    let executable = std::env::current_exe().ok();
    let working = std::env::current_dir().ok();
    find(executable.as_deref(), working.as_deref())
}

fn is_ours(folder: &Path) -> bool {
    let modules = ShaderSource::modules();
    let is_there = |module: &&String| folder.join(format!("{module}.wesl")).is_file();
    folder.is_dir() && 2 * modules.iter().filter(is_there).count() >= modules.len()
}

/// Texts of all shader files in a folder and below it. What cannot be read is left out; bytes that
/// are no UTF-8 are replaced by U+FFFD, which no shader may contain, so that the compiler names the place.
pub fn read(folder: &Path) -> Texts {
    let mut texts = Texts::new();
    read_into(folder, "", &mut texts);
    texts
}

fn read_into(folder: &Path, prefix: &str, texts: &mut Texts) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        if name.starts_with('.') {
            // An editor's own.
        } else if path.is_dir() {
            read_into(&path, &format!("{prefix}{name}/"), texts);
        } else if let Some(module) = name.strip_suffix(".wesl")
            && let Ok(bytes) = std::fs::read(&path)
        {
            let text = plain_lines(String::from_utf8_lossy(&bytes).into_owned());
            texts.insert(format!("{prefix}{module}"), text);
        }
    }
}

/// What a folder's texts mean for the program, in a few words: "68 of 68 files".
pub fn summary(texts: &Texts) -> String {
    let modules = ShaderSource::modules();
    let there = modules.iter().filter(|m| texts.contains_key(*m)).count();
    let all = modules.len();
    if there == all {
        format!("all {all} files")
    } else {
        format!("{there} of {all} files, the others embedded")
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::super::shader::embedded;
    use super::*;

    /// Writes the first `count` embedded files.
    fn project(at: &Path, count: usize) -> PathBuf {
        let folder = at.join(NAME);
        for module in ShaderSource::modules().into_iter().take(count) {
            let path = folder.join(format!("{module}.wesl"));
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, embedded(&module).unwrap()).unwrap();
        }
        folder
    }

    #[test]
    fn the_folder_is_found_from_the_executable_first_then_from_the_working_folder() {
        let all = ShaderSource::modules().len();
        let home = tempfile::tempdir().unwrap();
        let [checkout, elsewhere] = ["checkout", "elsewhere"].map(|name| home.path().join(name));
        let executable = checkout.join("target/release/wavelerp");
        let working = elsewhere.join("a/b");
        let found = |executable, working| find(executable, working);
        let (e, w) = (Some(executable.as_path()), Some(working.as_path()));
        assert_eq!(found(e, w), None, "there is none");
        let far = project(&elsewhere, all);
        assert_eq!(found(e, w), Some(far.clone()));
        assert_eq!(found(e, None), None);
        let near = project(&checkout, all);
        assert_eq!(found(e, w), Some(near.clone()));
        assert_eq!(found(None, w), Some(far));
        let beside = project(&checkout.join("target/release"), all);
        assert_eq!(found(e, w), Some(beside), "the nearest first");
    }

    #[test]
    fn a_folder_of_that_name_counts_if_it_has_most_of_the_files() {
        let all = ShaderSource::modules().len();
        let home = tempfile::tempdir().unwrap();
        project(home.path(), all / 4);
        assert_eq!(find(None, Some(home.path())), None);
        let folder = project(home.path(), all - 1);
        assert_eq!(find(None, Some(home.path())), Some(folder.clone()));
        let texts = read(&folder);
        assert_eq!(texts.len(), all - 1);
        assert!(summary(&texts).starts_with(&format!("{} of {all}", all - 1)));
        project(home.path(), all);
        assert!(summary(&read(&folder)).starts_with("all"));
    }

    #[test]
    fn a_folder_whose_lines_end_as_on_windows_holds_the_embedded_shaders() {
        let home = tempfile::tempdir().unwrap();
        let folder = project(home.path(), usize::MAX);
        for module in ShaderSource::modules() {
            let text = embedded(&module).unwrap().replace('\n', "\r\n");
            std::fs::write(folder.join(format!("{module}.wesl")), text).unwrap();
        }
        let mut from_folder = ShaderSource {
            folder: Some(folder.clone()),
            ..ShaderSource::default()
        };
        let mut watched = ShaderSource {
            texts: read(&folder),
            ..ShaderSource::default()
        };
        for module in ShaderSource::modules() {
            assert_eq!(
                from_folder.file(&module).unwrap(),
                embedded(&module).unwrap()
            );
            assert!(!watched.differs(&module), "{module}");
        }
        // The control: a changed text is still another one.
        std::fs::write(folder.join("scan.wesl"), "fn a() {}\r\n").unwrap();
        watched.texts = read(&folder);
        from_folder.texts.clear();
        assert!(watched.differs("scan"));
        assert_eq!(from_folder.file("scan").unwrap(), "fn a() {}\n");
    }

    #[test]
    fn files_are_read_by_their_module_paths_whatever_their_bytes() {
        let home = tempfile::tempdir().unwrap();
        std::fs::create_dir(home.path().join("composite")).unwrap();
        std::fs::write(home.path().join("composite/a.wesl"), "fn a() {}").unwrap();
        std::fs::write(home.path().join("b.wesl"), b"fn \xff() {}").unwrap();
        std::fs::write(home.path().join(".b.wesl"), "an editor's").unwrap();
        std::fs::write(home.path().join("b.wesl~"), "an editor's").unwrap();
        let texts = read(home.path());
        let names: Vec<&str> = texts.keys().map(String::as_str).collect();
        assert_eq!(names, ["b", "composite/a"]);
        assert_eq!(texts["b"], "fn \u{fffd}() {}");
        assert_ne!(texts.get("b").map(String::as_str), embedded("b"));
    }
}
