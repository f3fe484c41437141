//! Compiles the methods for AMD GPUs with Mesa's RADV, on its device without hardware, and writes machine
//! code and statistics. `cargo xtask isa` installs what is missing and runs this.
//!
//! The driver reads from the environment which GPU it poses as and which compiler it uses, so each
//! family and compiler is a process of its own, started by the first.

mod code;
mod compile;
mod device;
mod drawn;
mod executable;
mod family;
mod kernels;
mod listing;
mod pipeline;
mod processes;
mod report;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use processes::Role;
use wavelerp::error::Result;

/// Compiles every method, and the cores of the last-lane variants, of the read-lane loop and of the
/// prefix product, for AMD GPUs; no such GPU is needed. Writes per family and compiler: machine code
/// (*.s), statistics.csv, tables.md, and cores.md with the cores side by side.
#[derive(Debug, Parser)]
#[command(
    name = "cargo xtask isa",
    after_help = format!("Families:\n{}\n\nExit codes: 1 something failed, 2 usage, 3 no such driver", family::overview())
)]
struct Arguments {
    /// Families to compile for, separated by commas
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        default_value = "vega10,navi21,navi31"
    )]
    family: Vec<String>,
    /// RADV's compilers to use, separated by commas
    #[arg(long, value_delimiter = ',', default_value = "aco")]
    compiler: Vec<Compiler>,
    /// Only kernels whose name contains this, as in statistics.csv
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// Where to write: a folder per family, those of LLVM ending in -llvm
    #[arg(long, value_name = "DIR", default_value = "target/isa")]
    output: PathBuf,
    /// A document whose generated part gets the tables
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// For processes that this program starts
    #[arg(long, hide = true)]
    role: Option<Role>,
}

/// A compiler that RADV can use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Compiler {
    /// Mesa's own, RADV's default
    Aco,
    /// LLVM's AMDGPU back end, RADV_DEBUG=llvm
    Llvm,
}

impl Compiler {
    /// Its name in titles.
    fn title(self) -> &'static str {
        match self {
            Compiler::Aco => "ACO",
            Compiler::Llvm => "LLVM",
        }
    }
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}

fn run(arguments: &Arguments) -> Result<()> {
    match arguments.role {
        Some(role) => role.carry_out(arguments),
        None => processes::run_all(arguments),
    }
}
