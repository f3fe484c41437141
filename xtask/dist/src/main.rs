//! Packs a built program and everything that belongs to it into one archive, for `cargo xtask dist`. Equal programs
//! and checkouts give equal bytes. Only the archive and its SHA-256 are written.

mod archive;
mod contents;
mod licences;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use archive::Entry;
use clap::Parser;
use sha2::{Digest, Sha256};

/// Result of a step; errors are sentences for the user.
type Result<T> = std::result::Result<T, String>;

/// Packs a built program with everything that belongs to it; `cargo xtask dist` builds one and runs this.
#[derive(Debug, Parser)]
struct Arguments {
    /// Program to pack
    #[arg(long)]
    program: PathBuf,
    /// Target for which the program was built
    #[arg(long)]
    target: String,
    /// Output folder
    #[arg(long)]
    output: PathBuf,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<()> {
    let time = time()?;
    let program = std::path::absolute(&arguments.program).map_err(|error| error.to_string())?;
    let version = contents::version(&program)?;
    let name = format!("wavelerp-{version}-{}", arguments.target);
    let mut entries = contents::entries(&program, &arguments.target)?;
    let licences = licences::text(&arguments.target)?.into_bytes();
    entries.push(Entry::file("THIRD-PARTY-LICENSES.txt", licences));
    let packed = archive::pack(&name, entries, time)
        .map_err(|error| format!("the archive cannot be packed: {error}"))?;
    let digest = Sha256::digest(&packed);
    let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    let file = format!("{name}.tar.gz");
    let digest = format!("{digest}  {file}\n");
    let folder = arguments.output.display();
    std::fs::create_dir_all(&arguments.output)
        .map_err(|error| format!("cannot make the folder {folder}: {error}"))?;
    let sum = format!("{file}.sha256");
    for (file, bytes) in [(&sum, digest.as_bytes()), (&file, &packed)] {
        let path = arguments.output.join(file);
        std::fs::write(&path, bytes)
            .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        println!("{}", path.display());
    }
    print!("{digest}");
    Ok(())
}

/// The checkout in which this program was compiled.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Time of all files in the archive: SOURCE_DATE_EPOCH, or else the commit's time.
fn time() -> Result<u64> {
    let text = match std::env::var("SOURCE_DATE_EPOCH") {
        Ok(given) => given,
        Err(_) => {
            let mut git = Command::new("git");
            git.args(["log", "-1", "--format=%ct"]);
            let printed = output_of(git.current_dir(root()))
                .map_err(|why| format!("{why}; outside a repository set SOURCE_DATE_EPOCH"))?;
            String::from_utf8_lossy(&printed).into_owned()
        }
    };
    let text = text.trim();
    text.parse()
        .map_err(|_| format!("`{text}` is no time in seconds since 1970"))
}

/// Standard output of a command, which must succeed.
fn output_of(command: &mut Command) -> Result<Vec<u8>> {
    let output = command
        .output()
        .map_err(|error| format!("cannot run {command:?}: {error}"))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("{command:?} failed: {}", said.trim()))
}
