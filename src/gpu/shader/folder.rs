//! Shader folders that replace embedded shaders: their contents, and the folder that a window uses and watches. Release
//! builds run shaders unchecked, so anyone who can write these files can make the program read any part of its memory.

use std::path::{Path, PathBuf};

use super::source::{ShaderSource, UNREADABLE, plain_lines};
use super::variant::Texts;
use crate::error::{Error, Result, repeated};
use crate::input;

const NAME: &str = "shaders";
/// Maximum depth below the folder. Links may form cycles.
const DEEPEST: usize = 4;
const MOST_ENTRIES: usize = 4_096;
/// Maximum number of unknown files listed by name.
const SHOWN_FOREIGN: usize = 8;

/// A folder of shaders that the user named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    pub folder: PathBuf,
    /// Describes the folder: "shaders come from DIR (3 of 68 files, the others embedded)", and unknown files in DIR.
    pub line: String,
}

/// Examines a folder that the user named.
///
/// # Errors
/// Usage: the folder does not exist, or it contains none of the program's files.
pub fn named(folder: &Path) -> Result<Taken> {
    let name = repeated(&folder.display().to_string());
    let refused = |why: String| Err(Error::usage(format!("--shaders {name}: {why}")));
    if !folder.is_dir() {
        return refused("there is no such folder; name one with files of shaders/".to_owned());
    }
    let [there, all] = own_files(folder);
    let foreign = foreign(files(folder).map(|(module, _)| module));
    if there == 0 {
        return refused(format!(
            "it has none of the {all} shader files; name a folder with some of them, such as \
             methods/pixel_loop.wesl{foreign}"
        ));
    }
    let files = counted(there, all);
    Ok(Taken {
        folder: folder.to_owned(),
        line: format!("shaders come from {name} ({files}{foreign})"),
    })
}

/// Number of the program's files that a folder contains, and of all files of the program.
fn own_files(folder: &Path) -> [usize; 2] {
    let all = ShaderSource::modules();
    let is_there = |module: &&String| folder.join(format!("{module}.wesl")).is_file();
    [all.iter().filter(is_there).count(), all.len()]
}

/// Folder `shaders/` next to the program at the given path, or in the checkout around it. The folder must contain at
/// least half of the embedded files.
pub fn own(program: &Path) -> Option<PathBuf> {
    let beside = program.parent()?;
    let checkout = beside.ancestors().find(|at| is_checkout(at));
    let places = [Some(beside), checkout].into_iter().flatten();
    let mut found = places.map(|at| at.join(NAME));
    found.find(|folder| is_ours(folder))
}

pub fn own_here() -> Option<PathBuf> {
    // Resolve links, because a link to the program lies outside the checkout.
    let program = std::env::current_exe().and_then(std::fs::canonicalize);
    own(&program.ok()?)
}

fn is_checkout(at: &Path) -> bool {
    let manifest = input::text(&at.join("Cargo.toml"), input::SHADER);
    manifest.is_ok_and(|text| {
        text.lines()
            .any(|line| line.trim() == r#"name = "wavelerp""#)
    })
}

fn is_ours(folder: &Path) -> bool {
    let [there, all] = own_files(folder);
    2 * there >= all
}

/// Texts of all shader files in and below a folder. An unreadable text is replaced by the reason, which no compiler
/// accepts.
pub fn read(folder: &Path) -> Texts {
    let text = |path: &Path| {
        input::text(path, input::SHADER)
            .map(plain_lines)
            .unwrap_or_else(|why| format!("{UNREADABLE}{why}"))
    };
    let files = files(folder);
    files.map(|(module, path)| (module, text(&path))).collect()
}

/// Module path and file path of all shader files in and below a folder.
pub(in crate::gpu) fn files(folder: &Path) -> impl Iterator<Item = (String, PathBuf)> {
    let module = |path: PathBuf| Some((module_of(folder, &path)?, path));
    entries(folder).into_iter().filter_map(module)
}

fn module_of(folder: &Path, path: &Path) -> Option<String> {
    if path.extension()? != "wesl" || path.is_dir() {
        return None;
    }
    let below = path.strip_prefix(folder).ok()?.with_extension("");
    let parts: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
    Some(parts.join("/"))
}

/// All paths in and below a folder, without hidden files, which belong to editors.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    let mut folders = vec![(folder.to_owned(), 0)];
    while let Some((at, depth)) = folders.pop() {
        for entry in std::fs::read_dir(at).into_iter().flatten().flatten() {
            let path = entry.path();
            if all.len() == MOST_ENTRIES {
                return all;
            }
            if entry.file_name().to_string_lossy().starts_with('.') {
                continue;
            }
            if depth < DEEPEST && path.is_dir() {
                folders.push((path.clone(), depth + 1));
            }
            all.push(path);
        }
    }
    all
}

/// Describes a folder's texts: "3 of 68 files, the others embedded", followed by unknown files.
pub fn summary(texts: &Texts) -> String {
    let modules = ShaderSource::modules();
    let there = modules.iter().filter(|m| texts.contains_key(*m)).count();
    counted(there, modules.len()) + &foreign(texts.keys().cloned())
}

/// Lists modules that are not files of the program: "; not files of this program: fog.wesl (move it to
/// frame/fog.wesl)". Such a module has no effect unless another file imports it. It may come from a version of the
/// program with other folders. Empty if all modules are known.
fn foreign(modules: impl Iterator<Item = String>) -> String {
    let all = ShaderSource::modules();
    let mut names: Vec<String> = modules
        .filter(|module| !all.contains(module))
        .map(|module| {
            let name = |module: &str| module.rsplit('/').next().map(str::to_owned);
            let places = all.iter().filter(|own| name(own) == name(&module));
            let places: Vec<String> = places.map(|own| format!("{own}.wesl")).collect();
            let file = repeated(&format!("{module}.wesl"));
            match places.len() {
                0 => file,
                _ => format!("{file} (move it to {})", places.join(" or ")),
            }
        })
        .collect();
    if names.is_empty() {
        return String::new();
    }
    names.sort();
    let more = names.len().saturating_sub(SHOWN_FOREIGN);
    names.truncate(SHOWN_FOREIGN);
    if more > 0 {
        names.push(format!("and {more} more"));
    }
    format!("; not files of this program: {}", names.join(", "))
}

fn counted(there: usize, all: usize) -> String {
    if there == all {
        format!("all {all} files")
    } else {
        format!("{there} of {all} files, the others embedded")
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::gpu::shader::embedded;

    fn put(folder: &Path, name: &str, text: impl AsRef<[u8]>) {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Creates a checkout with the first `count` embedded files.
    fn project(at: &Path, count: usize) -> PathBuf {
        let folder = at.join(NAME);
        for module in ShaderSource::modules().into_iter().take(count) {
            let text = embedded(&module).unwrap();
            put(&folder, &format!("{module}.wesl"), text);
        }
        folder
    }

    #[test]
    fn the_folder_is_found_beside_the_program_and_in_its_checkout_and_nowhere_else() {
        let all = ShaderSource::modules().len();
        let home = tempfile::tempdir().unwrap();
        let home = home.path().canonicalize().unwrap();
        let checkout = home.join("checkout");
        let program = checkout.join("target/release/wavelerp");
        put(&checkout, "target/release/wavelerp", "the program");
        // Anyone may have created a folder above the program or the working folder.
        project(&home, all);
        let around = project(&checkout, all);
        assert_eq!(own(&program), None, "no checkout");
        put(&checkout, "Cargo.toml", "[package]\nname = \"another\"\n");
        assert_eq!(own(&program), None, "another's checkout");
        put(&checkout, "Cargo.toml", "[package]\nname = \"wavelerp\"\n");
        assert_eq!(own(&program), Some(around));
        let beside = project(&checkout.join("target/release"), all);
        assert_eq!(own(&program), Some(beside), "the nearest first");
    }

    #[test]
    fn a_folder_of_that_name_counts_if_it_has_most_of_the_files() {
        let all = ShaderSource::modules().len();
        let home = tempfile::tempdir().unwrap();
        let program = home.path().join("wavelerp");
        std::fs::write(&program, "the program").unwrap();
        project(home.path(), all / 4);
        assert_eq!(own(&program), None);
        let folder = project(home.path(), all - 1);
        assert_eq!(own(&program), Some(folder.clone()));
        assert_eq!(read(&folder).len(), all - 1);
    }

    #[test]
    fn a_folder_whose_lines_end_as_on_windows_holds_the_embedded_shaders() {
        let home = tempfile::tempdir().unwrap();
        let own = embedded("frame/bins").unwrap();
        let holds = |text: &str| {
            put(home.path(), "frame/bins.wesl", text);
            let from_folder = ShaderSource {
                folder: Some(home.path().to_owned()),
                ..ShaderSource::default()
            };
            let watched = ShaderSource {
                texts: read(home.path()),
                ..ShaderSource::default()
            };
            assert_eq!(from_folder.file("frame/bins"), watched.file("frame/bins"));
            !watched.differs("frame/bins")
        };
        assert!(holds(&own.replace('\n', "\r\n")));
        // Control: a changed text still makes a difference.
        assert!(!holds("fn a() {}\r\n"));
    }

    #[test]
    fn a_named_folder_says_how_many_files_are_taken_from_it_and_none_is_an_error() {
        let all = ShaderSource::modules().len();
        let home = tempfile::tempdir().unwrap();
        std::fs::write(home.path().join("other.wesl"), "fn a() {}").unwrap();
        let refused = named(home.path()).unwrap_err().message;
        let none = format!("none of the {all} shader files");
        assert!(refused.contains(&none), "{refused}");
        assert!(named(&home.path().join("none")).is_err());
        let folder = project(home.path(), 3);
        let some = format!("(3 of {all} files, the others embedded)");
        assert!(named(&folder).unwrap().line.ends_with(&some));
        project(home.path(), all);
        let whole = format!("(all {all} files)");
        assert!(named(&folder).unwrap().line.ends_with(&whole));
    }

    #[test]
    fn files_of_another_version_are_named_with_the_place_that_they_have_now() {
        let home = tempfile::tempdir().unwrap();
        let at = |name: &str| put(home.path(), name, "fn a() {}");
        at("resolve.wesl");
        at("composite/wave_tree.wesl");
        let refused = named(home.path()).unwrap_err().message;
        let moved = "; not files of this program: composite/wave_tree.wesl (move it to methods/wave_tree.wesl), \
                     resolve.wesl (move it to frame/resolve.wesl)";
        assert!(refused.ends_with(moved), "{refused}");
        at("frame/fog.wesl");
        at("mine.wesl");
        let line = named(home.path()).unwrap().line;
        assert!(line.contains("embedded; not files of this program: composite"));
        assert!(line.contains(", mine.wesl, resolve.wesl (move it to frame/"));
        assert!(line.ends_with(&format!("({})", summary(&read(home.path())))));
        for number in 0..9 {
            at(&format!("mine/{number}.wesl"));
        }
        let line = named(home.path()).unwrap().line;
        assert!(line.ends_with(", and 4 more)"), "{line}");
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_whose_links_lead_in_circles_is_read_to_an_end() {
        use std::os::unix::fs::symlink;
        let home = tempfile::tempdir().unwrap();
        std::fs::write(home.path().join("a.wesl"), "fn a() {}").unwrap();
        for name in ["b", "c", "d", "e"] {
            symlink(home.path(), home.path().join(name)).unwrap();
        }
        let began = std::time::Instant::now();
        let texts = read(home.path());
        assert_eq!(texts.get("a").map(String::as_str), Some("fn a() {}"));
        assert!(texts.contains_key("b/c/d/e/a") && began.elapsed().as_secs() < 5);
    }

    #[test]
    fn files_are_read_by_their_module_paths_and_unreadable_ones_say_why() {
        let home = tempfile::tempdir().unwrap();
        let home = home.path();
        put(home, "methods/a.wesl", "\u{feff}fn a() {}");
        put(home, "b.wesl", b"fn \xff() {}");
        put(home, "c.wesl", " ".repeat(200_000));
        put(home, ".b.wesl", "an editor's");
        put(home, "b.wesl~", "an editor's");
        let texts = read(home);
        let names: Vec<&str> = texts.keys().map(String::as_str).collect();
        assert_eq!(names, ["b", "c", "methods/a"]);
        assert_eq!(texts["methods/a"], "fn a() {}");
        let source = ShaderSource {
            texts,
            ..ShaderSource::default()
        };
        for (module, why) in [("b", "not UTF-8"), ("c", "too long")] {
            let refused = source.file(module).unwrap_err();
            assert!(refused.message.contains(why), "{refused}");
        }
        assert_ne!(source.hash("b"), source.hash("methods/a"));
    }
}
