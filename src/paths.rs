//! File names that work on every system, shell quoting, and the user's configuration folder. Opens no file.

use std::path::PathBuf;

#[cfg(not(target_arch = "wasm32"))]
use directories::BaseDirs;

const PROGRAM: &str = "wavelerp";

/// Maximum length of a name from [`file_name`]. File systems allow 255 bytes, and extensions and numbers are appended
/// later.
const LONGEST: usize = 160;

/// Converts `text` to a file name that is valid on every system. Everything except ASCII letters, digits, hyphens,
/// underscores and dots becomes a hyphen. Windows device names such as `CON`, and trailing dots, are changed too.
pub fn file_name(text: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let chars = text.chars().map(|c| if fits(c) { c } else { '-' });
    let mut name: String = chars.take(LONGEST).collect();
    if name.is_empty() || name.ends_with('.') {
        name.push('-');
    }
    if is_device(&name) {
        name.insert(0, '-');
    }
    name
}

/// Describes what some system would change in a user's name. `None` if every system accepts the name.
pub fn unfit(name: &str) -> Option<&'static str> {
    let forbidden = |c: char| c.is_control() || "<>:\"|?*/\\".contains(c);
    if name.chars().any(forbidden) {
        Some(
            "has a character that some systems do not allow in file names (control characters and <>:\"|?*/\\)",
        )
    } else if name.ends_with(['.', ' ']) {
        Some("ends in a dot or a space, which Windows drops")
    } else if is_device(name) {
        Some("is a device name on Windows")
    } else {
        None
    }
}

fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    let stem = stem.trim_end().to_ascii_uppercase();
    let is_port = |start| {
        let number = stem.strip_prefix(start);
        number.is_some_and(|n| {
            matches!(n, "\u{b9}" | "\u{b2}" | "\u{b3}") || matches!(n.as_bytes(), [b'0'..=b'9'])
        })
    };
    ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].contains(&stem.as_str())
        || is_port("COM")
        || is_port("LPT")
}

/// Last part of a path in any system's notation. Records and presets may come from another system.
pub fn last_part(path: &str) -> &str {
    let part = path.rsplit(['/', '\\']).next().unwrap_or(path);
    match part.as_bytes() {
        [letter, b':', _, ..] if letter.is_ascii_alphabetic() => &part[2..],
        _ => part,
    }
}

pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.,/+:=@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// `None` if the user has no home folder.
pub fn config_folder() -> Option<PathBuf> {
    #[cfg(target_arch = "wasm32")]
    return Some(PathBuf::from(crate::browser::STORAGE).join(PROGRAM));
    #[cfg(not(target_arch = "wasm32"))]
    Some(BaseDirs::new()?.config_dir().join(PROGRAM))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A name, the result of [`file_name`], and true if a user may choose the name.
    const NAMES: [(&str, &str, bool); 11] = [
        ("nave_2.50s-a", "nave_2.50s-a", true),
        ("my scene", "my-scene", true),
        ("COM12", "COM12", true),
        ("con", "-con", false),
        ("Aux.tar.gz", "-Aux.tar.gz", false),
        ("lpt9.csv", "-lpt9.csv", false),
        ("CONOUT$", "CONOUT-", false),
        ("..", "..-", false),
        ("end ", "end-", false),
        ("a:b/c", "a-b-c", false),
        ("two\nlines", "two-lines", false),
    ];

    #[test]
    fn no_name_is_one_that_another_system_takes_for_something_else() {
        for (name, expected, is_fit) in NAMES {
            let made = file_name(name);
            assert_eq!(made, expected, "{name:?}");
            assert_eq!(unfit(name).is_none(), is_fit, "{name:?}: {:?}", unfit(name));
            assert_eq!(unfit(&made), None, "{name:?} becomes {made:?}");
        }
        assert_eq!(file_name(""), "-");
        assert_eq!(file_name(&"x".repeat(1000)).len(), LONGEST);
    }

    #[test]
    fn the_last_part_of_a_path_is_found_whichever_system_wrote_it() {
        for (path, last) in [
            ("temple", "temple"),
            ("/home/me/a.ron", "a.ron"),
            ("C:a.ron", "a.ron"),
            ("scenes/sub\\a.ron", "a.ron"),
            ("é:", "é:"),
        ] {
            assert_eq!(last_part(path), last, "{path}");
        }
    }

    #[test]
    fn words_are_quoted_for_a_shell_only_where_they_must() {
        assert_eq!(quoted("temple"), "temple");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }
}
