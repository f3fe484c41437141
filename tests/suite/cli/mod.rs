//! Runs the binary as a user does, in an empty folder of its own, and looks at what it prints, writes
//! and returns. WAVELERP_ADAPTER names the adapter.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::{Args, FromArgMatches};
use serde_json::Value;
use wavelerp::input::Disk;
use wavelerp::model::scene::Scene;
use wavelerp::model::settings::{Purpose, SceneArgs, Settings};
use wavelerp::report::png_file::decode_png;

use crate::harness::Harness;

mod bad_files;
mod bad_input;
mod bench;
mod capture;
mod comparison_set;
mod dials;
mod help;
#[cfg(unix)]
mod killed;
mod list;
mod lost_device;
mod meshes;
mod probe;
mod readme;
mod shader;
mod splats;
mod still;
mod trace;
mod verify;
mod written;

/// An empty folder that the binary runs in, and one with the shaders that it uses: their fog is lit at few
/// points, because the program's own fog would be most of all work.
pub struct Desk {
    folder: tempfile::TempDir,
    shaders: tempfile::TempDir,
}

/// What a run of the binary came to.
pub struct Run {
    pub line: String,
    pub code: i32,
    pub stdout: String,
    /// Without how far the self-test has come, which is said only where that takes long.
    pub stderr: String,
}

/// The binary under test.
pub const BINARY: &str = env!("CARGO_BIN_EXE_wavelerp");

impl Desk {
    pub fn new() -> Self {
        let folder = || tempfile::tempdir().expect("a folder for the test");
        let desk = Self {
            folder: folder(),
            shaders: folder(),
        };
        crate::harness::write_shaders(desk.shaders.path());
        desk
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("the test's file is written");
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn command(&self) -> assert_cmd::Command {
        self.command_of(BINARY)
    }

    /// Another program, such as a shell that runs the binary.
    pub fn command_of(&self, program: &str) -> assert_cmd::Command {
        let mut command = assert_cmd::Command::new(program);
        command
            .current_dir(self.folder.path())
            .env("WAVELERP_SHADERS", self.shaders.path())
            .env_remove("RUST_LOG");
        command
    }

    /// Runs the binary; arguments are parted by spaces, `''` is an empty one.
    pub fn run(&self, line: &str) -> Run {
        self.run_with(line, &[])
    }

    /// Runs the binary with further environment variables.
    pub fn run_with(&self, line: &str, variables: &[(&str, &str)]) -> Run {
        let words = line.split_whitespace();
        let mut command = self.command();
        command.args(words.map(|word| if word == "''" { "" } else { word }));
        command.envs(variables.iter().copied());
        Run::of(line, &command.output().expect("the binary starts"))
    }

    /// Every file and folder below the desk, relative to it.
    pub fn everything(&self) -> BTreeSet<PathBuf> {
        let mut found = BTreeSet::new();
        let mut folders = vec![self.folder.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).expect("the folder is read") {
                let path = entry.expect("the entry is read").path();
                let name = path.strip_prefix(self.folder.path()).expect("below");
                found.insert(name.to_owned());
                if path.is_dir() {
                    folders.push(path);
                }
            }
        }
        found
    }

    /// Every name in a folder below the desk.
    pub fn names(&self, folder: &str) -> BTreeSet<String> {
        let entries = std::fs::read_dir(self.path(folder)).expect("the folder is read");
        let name = |entry: std::io::Result<std::fs::DirEntry>| {
            let entry = entry.expect("the entry is read");
            entry.file_name().to_string_lossy().into_owned()
        };
        entries.map(name).collect()
    }

    /// Runs a line that must fail: with this code, one line on standard error that holds the fragments,
    /// nothing on standard output, and nothing written.
    pub fn refuses(&self, line: &str, code: i32, fragments: &[&str]) {
        self.refuses_with(line, &[], code, fragments);
    }

    /// Runs a line that must fail, as in [`Self::refuses`], with further environment variables.
    pub fn refuses_with(
        &self,
        line: &str,
        variables: &[(&str, &str)],
        code: i32,
        fragments: &[&str],
    ) {
        let before = self.everything();
        let run = self.run_with(&format!("{line} --quiet"), variables);
        assert_eq!(run.code, code, "{run}");
        assert_eq!(run.stdout, "", "{run}");
        assert!(run.stderr.starts_with("error: "), "{run}");
        assert_eq!(run.stderr.lines().count(), 1, "one line: {run}");
        for fragment in fragments {
            assert!(run.stderr.contains(fragment), "`{fragment}`: {run}");
        }
        assert_eq!(self.everything(), before, "nothing is written: {run}");
    }
}

/// " 75 % testing mlab, 1 s left".
fn tells_slow_tests(line: &str) -> bool {
    let part = line
        .split_once(" % testing ")
        .map(|(part, _)| part.trim_start());
    part.is_some_and(|part| part.parse::<u8>().is_ok())
}

impl Run {
    pub fn of(line: &str, output: &std::process::Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Self {
            line: line.to_owned(),
            code: output.status.code().unwrap_or(-1),
            stdout: text(&output.stdout),
            stderr: text(&output.stderr)
                .split_inclusive('\n')
                .filter(|line| !tells_slow_tests(line))
                .collect(),
        }
    }

    /// Panics unless the run was good.
    pub fn good(self) -> Self {
        assert_eq!(self.code, 0, "{self}");
        self
    }

    /// Standard output, which must be JSON and nothing else.
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

/// The scene and the settings that flags ask for, as `capture` and `probe` read them: for what a picture shows, which
/// takes no start of the program.
pub fn of_flags(harness: &Harness, flags: &str) -> (Scene, Settings) {
    let command = clap::Command::new("capture").no_binary_name(true);
    let matches = SceneArgs::augment_args(command).try_get_matches_from(flags.split_whitespace());
    let matches = matches.unwrap_or_else(|error| panic!("{flags}: {error}"));
    let args = SceneArgs::from_arg_matches(&matches).expect("the flags are those of a scene");
    let request = args.check(&Disk).expect("the flags are good");
    let settled = request.settle(&harness.gpu.caps, Purpose::Capture);
    let (settings, _) = settled.expect("the adapter can do it");
    (request.scene, settings)
}

/// The keys of a JSON object.
pub fn keys(value: &Value) -> BTreeSet<&str> {
    let object = value.as_object().unwrap_or_else(|| panic!("{value}"));
    object.keys().map(String::as_str).collect()
}

/// Words as a set, to compare with [`keys`].
pub fn words(text: &str) -> BTreeSet<&str> {
    text.split_whitespace().collect()
}

/// The items of a JSON array.
pub fn items(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("{value}"))
}

/// The text chunks of a PNG, keyword and text.
pub fn png_texts(bytes: &[u8]) -> Vec<(String, String)> {
    let decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    let reader = decoder.read_info().expect("a PNG");
    let info = reader.info();
    let plain = info.uncompressed_latin1_text.iter();
    plain
        .map(|chunk| (chunk.keyword.clone(), chunk.text.clone()))
        .collect()
}

/// Size and RGB bytes of a PNG.
pub fn png_pixels(bytes: &[u8]) -> ([u32; 2], Vec<[u8; 3]>) {
    let canvas = decode_png(bytes).expect("a PNG");
    (canvas.size(), canvas.pixels().to_vec())
}

/// Whether a file is there.
pub fn there(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok()
}
