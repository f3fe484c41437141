//! Writes results to standard output or to a JSON file.

use std::fs;
use std::path::Path;

use serde::Serialize;

use crate::console::print;
use crate::error::{Error, Result};
use crate::output::{check_writable, write_atomically};
use crate::paths::quoted;

/// An f32 with enough digits to distinguish it from its neighbours, in at most 13 characters.
pub(super) fn number(value: f32) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        1e-3..1e6 => format!("{value}"),
        _ => format!("{value:e}"),
    }
}

/// Destination of results: JSON goes to the file named with `--json`, text to standard output.
pub(super) struct Results<'a>(Option<&'a Path>);

impl<'a> Results<'a> {
    /// Checks that the file can be written before the work starts.
    pub(super) fn choose(json: Option<&'a Path>) -> Result<Self> {
        if let Some(path) = json.filter(|path| *path != Path::new("-")) {
            check_file("--json", path)
                .map_err(|error| Error::usage(format!("{error}, or - for standard output")))?;
        }
        Ok(Self(json))
    }

    /// Writes `value` as JSON if requested, and also the text, unless the JSON goes to standard output.
    pub(super) fn write(
        &self,
        value: &impl Serialize,
        text: impl FnOnce() -> String,
    ) -> Result<()> {
        let Some(path) = self.0 else {
            return print(text());
        };
        let json = serde_json::to_string_pretty(value).map_err(Error::json)? + "\n";
        if path == Path::new("-") {
            return print(&json);
        }
        let written = write_file("--json", path, json.as_bytes());
        // The text is printed even if the file was not written: a full disk must not lose the results.
        print(text())?;
        written
    }
}

/// Passes on the outcome of writing `text` to a file. If writing failed, prints the text, so that no work is lost.
pub(super) fn else_printed<T>(written: Result<T>, text: &str) -> Result<T> {
    let Err(error) = written else {
        return written;
    };
    print(text)?;
    Err(Error {
        message: format!(
            "{}; the results went to standard output instead",
            error.message
        ),
        ..error
    })
}

pub(super) fn check_file(flag: &str, path: &Path) -> Result<()> {
    let cannot = |reason: &dyn std::fmt::Display| {
        Err(Error::usage(format!(
            "{flag} {}: {reason}; name another file",
            path.display()
        )))
    };
    if path.is_dir() {
        return cannot(&"this is a folder");
    }
    if path.file_name().is_none() {
        return cannot(&"this is not a file name");
    }
    // A pipe or a device reports errors only when something is written to it.
    let is_other = fs::metadata(path).is_ok_and(|found| !found.is_file());
    if is_other {
        return Ok(());
    }
    check_writable(path).or_else(|error| cannot(&format_args!("cannot write it: {error}")))
}

/// Atomically replaces the file that `flag` names, following links. Pipes and devices are written to directly.
pub(super) fn write_file(flag: &str, path: &Path, bytes: &[u8]) -> Result<()> {
    let written = match fs::metadata(path) {
        Ok(found) if !found.is_file() => fs::write(path, bytes)
            .map_err(|error| Error::usage(format!("cannot write {}: {error}", path.display()))),
        found => {
            let target = found.and_then(|_| fs::canonicalize(path));
            write_atomically(target.as_deref().unwrap_or(path), bytes)
        }
    };
    written.map_err(|error| error.context(flag))
}

/// Prefixes an error about a folder with the flag that names the folder.
pub(super) fn about_out(error: Error) -> Error {
    Error {
        message: format!("--out {}", error.message),
        ..error
    }
}

/// The command line as given, quoted for a shell, but without the names of folders, because results are shared.
pub(super) fn command_line() -> String {
    let arguments = std::env::args_os().skip(1);
    let arguments = arguments.map(|word| quoted(&without_folders(&word.to_string_lossy())));
    format!("wavelerp {}", arguments.collect::<Vec<_>>().join(" "))
}

/// An argument with absolute paths shortened: `--scenes=temple,/home/me/mine.ron` to `--scenes=temple,mine.ron`.
fn without_folders(argument: &str) -> String {
    let (flag, value) = match argument.split_once('=') {
        Some((flag, value)) if flag.starts_with("--") => (format!("{flag}="), value),
        _ => (String::new(), argument),
    };
    let name = |part: &str| {
        let path = Path::new(part);
        match path.file_name() {
            _ if !path.is_absolute() => part.to_owned(),
            Some(name) => name.to_string_lossy().into_owned(),
            None => "/".to_owned(),
        }
    };
    let values: Vec<String> = value.split(',').map(name).collect();
    let kept = flag + &values.join(",");
    // Without its folder, a file called `-a` would look like a flag.
    let is_flag = kept.starts_with('-') && !argument.starts_with('-');
    if is_flag { format!("./{kept}") } else { kept }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_command_line_says_nothing_of_the_users_folders() {
        for (given, kept) in [
            ("/home/me/mine.ron", "mine.ron"),
            ("temple,/home/me/mine.ron,two", "temple,mine.ron,two"),
            ("--out=/home/me/before", "--out=before"),
            ("--compare=before/bench.json", "--compare=before/bench.json"),
            ("1920x1080,32x32", "1920x1080,32x32"),
            ("/home/me/-dash.ply", "./-dash.ply"),
            ("--scene=/home/me/-dash.ply", "--scene=-dash.ply"),
            ("/", "/"),
        ] {
            assert_eq!(without_folders(given), kept);
        }
    }
}
