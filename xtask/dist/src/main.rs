//! Packs a built program with everything that belongs to it into one archive, for `cargo xtask dist`. The same
//! program and the same checkout give the same bytes. Writes the archive and its SHA-256, nothing else.

mod archive;
mod contents;
mod licences;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use archive::Entry;
use sha2::{Digest, Sha256};

/// What goes wrong, as a sentence.
type Result<T> = std::result::Result<T, String>;

/// What to pack and where to; `cargo xtask dist` fills it in.
struct Arguments {
    program: PathBuf,
    target: String,
    output: PathBuf,
}

fn main() -> ExitCode {
    match Arguments::parse(std::env::args().skip(1)).and_then(|arguments| run(&arguments)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

impl Arguments {
    fn parse(mut words: impl Iterator<Item = String>) -> Result<Self> {
        let (mut program, mut target, mut output) = (None, None, None);
        while let Some(flag) = words.next() {
            let place = match flag.as_str() {
                "--program" => &mut program,
                "--target" => &mut target,
                "--output" => &mut output,
                _ => {
                    return Err(format!(
                        "unknown argument `{flag}`: see cargo xtask dist --help"
                    ));
                }
            };
            *place = words.next();
        }
        let wanted =
            |value: Option<String>, flag| value.ok_or(format!("{flag} and its value are missing"));
        Ok(Self {
            program: wanted(program, "--program")?.into(),
            target: wanted(target, "--target")?,
            output: wanted(output, "--output")?.into(),
        })
    }
}

fn run(arguments: &Arguments) -> Result<()> {
    let time = time()?;
    let name = format!("wavelerp-{}-{}", contents::version()?, arguments.target);
    let mut entries = contents::entries(&arguments.program, &arguments.target)?;
    let licences = licences::text(&arguments.target)?.into_bytes();
    entries.push(Entry::file("THIRD-PARTY-LICENSES.txt", licences));
    let packed = archive::pack(&name, entries, time)
        .map_err(|error| format!("the archive cannot be packed: {error}"))?;
    let digest: String = Sha256::digest(&packed)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let file = format!("{name}.tar.gz");
    let digest = format!("{digest}  {file}\n");
    std::fs::create_dir_all(&arguments.output).map_err(|error| {
        format!(
            "cannot make the folder {}: {error}",
            arguments.output.display()
        )
    })?;
    for (file, bytes) in [
        (&format!("{file}.sha256"), digest.as_bytes()),
        (&file, &packed),
    ] {
        let path = arguments.output.join(file);
        std::fs::write(&path, bytes)
            .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        println!("{}", path.display());
    }
    print!("{digest}");
    Ok(())
}

/// The checkout that this program was compiled in.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The time that all files of the archive carry: SOURCE_DATE_EPOCH, or else when the commit was made.
fn time() -> Result<u64> {
    let given = std::env::var("SOURCE_DATE_EPOCH").ok();
    let text = match given {
        Some(given) => given,
        None => output_of(
            Command::new("git")
                .args(["log", "-1", "--format=%ct"])
                .current_dir(root()),
        )
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .map_err(|why| format!("{why}; outside a repository set SOURCE_DATE_EPOCH"))?,
    };
    let text = text.trim();
    text.parse()
        .map_err(|_| format!("`{text}` is no time in seconds since 1970"))
}

/// Standard output of a command that has to end well.
fn output_of(command: &mut Command) -> Result<Vec<u8>> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command
        .output()
        .map_err(|error| format!("cannot run {name}: {error}"))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let arguments: Vec<_> = command
        .get_args()
        .map(|word| word.to_string_lossy())
        .collect();
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!(
        "`{name} {}` failed: {}",
        arguments.join(" "),
        said.trim()
    ))
}
