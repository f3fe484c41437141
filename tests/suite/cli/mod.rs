//! Runs the binary as a user does, in its own empty folder, and examines its output, files and exit code.
//! The variable WAVELERP_ADAPTER names the adapter.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::{Command, Output};

use clap::{Args, FromArgMatches};
use serde_json::Value;
use wavelerp::input::Disk;
use wavelerp::model::scene::Scene;
use wavelerp::model::settings::{Purpose, SceneArgs, Settings};
use wavelerp::report::png_file::decode_png;

use crate::harness::{Harness, below, entries, name_of, says};

mod bad_input;
pub mod bench;
mod capture;
mod comparison_set;
mod dials;
mod help;
#[cfg(unix)]
mod killed;
mod list;
mod meshes;
mod probe;
mod readme;
mod shader;
mod splats;
mod still;
mod trace;
mod verify;
mod written;

/// An empty folder for the binary. Usually, a second folder has shaders in which fog is lit at few points, because the
/// program's own fog would take most of the time.
pub struct Desk {
    folder: tempfile::TempDir,
    shaders: Option<tempfile::TempDir>,
}

/// Result of a run of the binary.
pub struct Run {
    pub line: String,
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

/// Environment variables with which no Vulkan driver is found.
const NO_VULKAN: [(&str, &str); 2] = [
    ("VK_DRIVER_FILES", "/nonexistent"),
    ("VK_ICD_FILENAMES", "/nonexistent"),
];

/// A scene for which every number was calculated by hand.
const TWO: &str = include_str!("../../../assets/scenes/two.ron");

/// [`TWO`] with additional fields.
fn two_with(fields: &str) -> String {
    let (start, _) = TWO.rsplit_once(')').expect("a scene ends");
    let start = start.trim_end().trim_end_matches(',');
    format!("{start}, {fields})")
}

/// The binary under test.
pub const BINARY: &str = env!("CARGO_BIN_EXE_wavelerp");

impl Desk {
    pub fn new() -> Self {
        let shaders = tempfile::tempdir().expect("a folder for the test");
        crate::harness::write_shaders(shaders.path());
        Self {
            shaders: Some(shaders),
            ..Self::with_own_shaders()
        }
    }

    /// A desk where the binary uses its own shaders, without a flag or variable that names others.
    pub fn with_own_shaders() -> Self {
        Self {
            folder: tempfile::tempdir().expect("a folder for the test"),
            shaders: None,
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Creates a folder and its parents.
    pub fn folder(&self, name: &str) {
        std::fs::create_dir_all(self.path(name)).expect("a folder");
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), text).expect("the test's file is written");
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).expect("text")
    }

    pub fn json(&self, name: &str) -> Value {
        serde_json::from_slice(&self.read(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn command(&self) -> Command {
        self.command_of(BINARY)
    }

    /// Command of another program, such as a shell that runs the binary.
    pub fn command_of(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.folder).env_remove("RUST_LOG");
        match &self.shaders {
            Some(shaders) => command.env("WAVELERP_SHADERS", shaders.path()),
            None => command.env_remove("WAVELERP_SHADERS"),
        };
        command
    }

    /// Runs the binary; arguments are separated by spaces, and quoted with `'` if they contain spaces or are empty.
    pub fn run(&self, line: &str) -> Run {
        self.run_with(line, &[])
    }

    /// Runs the binary with additional environment variables.
    pub fn run_with(&self, line: &str, variables: &[(&str, &str)]) -> Run {
        let mut command = self.command();
        for (number, part) in line.split('\'').enumerate() {
            match number % 2 {
                0 => command.args(part.split_whitespace()),
                _ => command.arg(part),
            };
        }
        command.envs(variables.iter().copied());
        Run::of(line, &mut command)
    }

    /// Runs a shell script in which `"$0" "$@"` means the binary and a line's arguments.
    pub fn run_in_shell(&self, script: &str, line: &str) -> Run {
        let mut shell = self.command_of("sh");
        shell.args(["-c", script, BINARY]).args(line.split(' '));
        Run::of(line, &mut shell)
    }

    /// Every file and folder below the desk.
    pub fn everything(&self) -> BTreeSet<PathBuf> {
        below(self.folder.path()).into_iter().collect()
    }

    /// Every name in a folder below the desk.
    pub fn names(&self, folder: &str) -> BTreeSet<String> {
        let entries = entries(&self.path(folder));
        entries.iter().map(|path| name_of(path)).collect()
    }

    /// Runs a line that must fail with the given exit code, print one line on standard error that contains the
    /// fragments (separated by bars) and nothing on standard output, and write no file.
    #[track_caller]
    pub fn refuses(&self, line: &str, code: i32, fragments: &str) {
        self.refuses_with(line, &[], code, fragments);
    }

    /// Runs the lines of a table, all of which must fail as wrong usage. Each is followed by the fragments of its
    /// message.
    #[track_caller]
    pub fn refuses_all(&self, table: &str) {
        for line in table.trim_matches('\n').lines() {
            let (line, fragments) = line.split_once(" | ").expect("a line and its fragments");
            self.refuses(line, 2, fragments);
        }
    }

    /// Like [`Self::refuses`], with additional environment variables.
    #[track_caller]
    pub fn refuses_with(&self, line: &str, variables: &[(&str, &str)], code: i32, fragments: &str) {
        let before = self.everything();
        let run = self.run_with(&format!("{line} --quiet"), variables);
        assert_eq!(run.code, code, "{run}");
        assert_eq!(run.stdout, "", "{run}");
        assert!(run.stderr.starts_with("error: "), "{run}");
        // clap reports errors in the command line in its own form.
        let is_own = !run.stderr.ends_with("try '--help'.\n");
        assert!(
            !is_own || run.stderr.lines().count() == 1,
            "one line: {run}"
        );
        run.warns(fragments);
        assert_eq!(self.everything(), before, "files were written: {run}");
    }
}

impl Run {
    pub fn of(line: &str, command: &mut Command) -> Self {
        Self::ended(line, &command.output().expect("the program starts"))
    }

    pub fn ended(line: &str, output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Self {
            line: line.to_owned(),
            code: output.status.code().unwrap_or(-1),
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
        }
    }

    /// Panics unless the run was good.
    pub fn good(self) -> Self {
        assert_eq!(self.code, 0, "{self}");
        self
    }

    /// Fails unless standard output contains all of the parts, which are separated by bars.
    #[track_caller]
    pub fn prints(&self, parts: impl AsRef<str>) -> &Self {
        says(&self.stdout, parts);
        self
    }

    /// Fails unless standard error contains all of the parts, which are separated by bars.
    #[track_caller]
    pub fn warns(&self, parts: impl AsRef<str>) -> &Self {
        says(&self.stderr, parts);
        self
    }

    /// Standard output, which must be pure JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self}"))
    }
}

impl std::fmt::Display for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "wavelerp {}\nexit code {}\nstandard output:\n{}\nstandard error:\n{}",
            self.line, self.code, self.stdout, self.stderr
        )
    }
}

/// Scene and settings from flags, read as `capture` and `probe` read them. Tests of pictures use this instead of starting
/// the program.
pub fn of_flags(harness: &Harness, flags: &str) -> (Scene, Settings) {
    let command = clap::Command::new("capture").no_binary_name(true);
    let matches = SceneArgs::augment_args(command).try_get_matches_from(flags.split_whitespace());
    let matches = matches.unwrap_or_else(|error| panic!("{flags}: {error}"));
    let args = SceneArgs::from_arg_matches(&matches).expect("the flags are those of a scene");
    let request = args.check(&Disk).expect("the flags are valid");
    let settled = request.settle(&harness.gpu.caps, Purpose::Capture);
    let (settings, _) = settled.expect("the adapter supports the settings");
    (request.scene, settings)
}

/// The keys of a JSON object.
pub fn keys(value: &Value) -> BTreeSet<&str> {
    let object = value.as_object().unwrap_or_else(|| panic!("{value}"));
    object.keys().map(String::as_str).collect()
}

/// Words of a text as a set, to compare with [`keys`].
pub fn words(text: &str) -> BTreeSet<&str> {
    text.split_whitespace().collect()
}

/// The items of a JSON array.
pub fn items(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("{value}"))
}

/// Keyword and text of each text chunk of a PNG.
pub fn png_texts(bytes: &[u8]) -> Vec<(String, String)> {
    let decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    let reader = decoder.read_info().expect("a PNG");
    let info = reader.info();
    let plain = info.uncompressed_latin1_text.iter();
    plain
        .map(|chunk| (chunk.keyword.clone(), chunk.text.clone()))
        .collect()
}

/// Text of the PNG chunk with the given keyword.
pub fn png_text(bytes: &[u8], keyword: &str) -> Option<String> {
    let texts = png_texts(bytes).into_iter();
    let mut found = texts.filter(|(key, _)| key == keyword);
    found.next().map(|(_, text)| text)
}

/// Size and RGB bytes of a PNG.
pub fn png_pixels(bytes: &[u8]) -> ([u32; 2], Vec<[u8; 3]>) {
    let canvas = decode_png(bytes).expect("a PNG");
    (canvas.size(), canvas.pixels().to_vec())
}
