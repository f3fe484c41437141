//! The command line: one file per subcommand. Parses, hands over, prints; knows no wgpu.

mod capture;
mod list;
mod output;
mod probe;
mod verify;

use std::path::{Path, PathBuf};

use clap::{Parser, Subcommand};
use serde::Serialize;

use crate::error::{Error, Result};
use crate::gpu::shader::ShaderSource;
use crate::gpu::{AdapterRequest, Gpu, Pipelines};

/// Composites many ordered translucent layers per screen tile with wave intrinsics, by every method
/// of the article "Interpolation Using Wave Intrinsics", and proves that they agree.
#[derive(Debug, Parser)]
#[command(
    name = "wavelerp",
    version,
    after_help = "Examples:\n  wavelerp list\n  wavelerp verify\n  wavelerp capture --scene temple --size 1920x1080\n  wavelerp probe --pixel 640,360\n\nExit codes: 0 good, 1 a check or the device failed, 2 usage or bad input, 3 no suitable adapter \
                  or a method asked for by name that this adapter cannot run"
)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    common: Common,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Render a scene by every method and write pictures, differences and a report
    Capture(capture::CaptureArgs),
    /// Prove the methods right on this adapter, or composite your own numbers
    Verify(verify::VerifyArgs),
    /// Show one pixel's layers and what every method makes of them
    Probe(probe::ProbeArgs),
    /// Show adapters, methods and scenes
    List(list::ListArgs),
}

/// Flags that every subcommand takes.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Adapter and output")]
pub struct Common {
    /// Adapter to use: part of its name, or its index in `wavelerp list` [default: the fastest kind]
    #[arg(long, global = true, env = "WAVELERP_ADAPTER")]
    adapter: Option<String>,
    /// Back end to use: vulkan, metal or dx12 [default: any]
    #[arg(long, global = true, value_parser = ["vulkan", "metal", "dx12"])]
    backend: Option<String>,
    /// Folder whose shaders win over the embedded ones
    #[arg(long, global = true, value_name = "DIR")]
    shaders: Option<PathBuf>,
    /// Print nothing but results and errors
    #[arg(long, global = true)]
    quiet: bool,
}

impl Common {
    fn open(&self) -> Result<Gpu> {
        Gpu::open(&AdapterRequest {
            adapter: self.adapter.clone(),
            backend: self.backend.clone(),
        })
    }

    /// Where shaders come from; a folder that is not there is an error.
    fn shader_source(&self) -> Result<ShaderSource> {
        match &self.shaders {
            Some(folder) if !folder.is_dir() => Err(Error::usage(format!(
                "--shaders {}: there is no such folder",
                folder.display()
            ))),
            folder => Ok(ShaderSource {
                folder: folder.clone(),
                edits: Vec::new(),
            }),
        }
    }

    fn pipelines(&self) -> Result<Pipelines> {
        Ok(Pipelines::new(self.shader_source()?))
    }

    /// Tells the user on standard error what is going on.
    fn progress(&self, message: impl std::fmt::Display) {
        if !self.quiet {
            eprintln!("{message}");
        }
    }
}

/// Runs the command line; returns the process's exit code.
pub fn main() -> u8 {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are printed too, and are no failure.
            let _ = error.print();
            return if error.use_stderr() { 2 } else { 0 };
        }
    };
    let common = &cli.common;
    let result = match &cli.command {
        Command::Capture(args) => capture::run(args, common),
        Command::Verify(args) => verify::run(args, common),
        Command::Probe(args) => probe::run(args, common),
        Command::List(args) => list::run(args, common),
    };
    match result {
        Ok(()) => 0,
        Err(error) => {
            eprintln!("error: {error}");
            error.exit_code()
        }
    }
}

/// Writes `value` as JSON to a file, or to standard output when `path` is `-`.
fn write_json(path: &Path, value: &impl Serialize) -> Result<()> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|error| Error::failed(format!("JSON: {error}")))?
        + "\n";
    if path == Path::new("-") {
        print!("{text}");
        return Ok(());
    }
    crate::compare::atomic_file::write_atomically(path, text.as_bytes())
        .map_err(|error| Error::usage(error.to_string()))
}

/// Whether standard output is taken by JSON, so that tables must not go there.
fn is_stdout(json: Option<&PathBuf>) -> bool {
    json.is_some_and(|path| path == Path::new("-"))
}
