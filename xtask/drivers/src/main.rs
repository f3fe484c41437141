//! Runs wavelerp on one Vulkan driver, or compares what it drew on several. `cargo xtask verify-drivers` starts it
//! once for each driver, in the environment that makes this driver the only one, and once more at the end.

mod compare;
mod run;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use wavelerp::error::Result;

/// Runs wavelerp on one Vulkan driver, or compares what it drew on several.
#[derive(Debug, Parser)]
#[command(name = "drivers")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// The folder with a folder for each driver
    #[arg(
        long,
        value_name = "DIR",
        global = true,
        default_value = "target/drivers"
    )]
    out: PathBuf,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run verify, the capture of every scene and of a file of splats, and a short bench on the driver that the
    /// environment chooses
    Run {
        /// What the driver is called: the name of its folder
        name: String,
        /// The wavelerp to run
        #[arg(long, value_name = "FILE")]
        program: PathBuf,
        /// Fail where the adapter cannot draw something, too
        #[arg(long)]
        all: bool,
    },
    /// Compare the pictures of these drivers with those of the first
    Compare {
        /// Names of drivers
        #[arg(required = true)]
        names: Vec<String>,
    },
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match carry_out(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}

fn carry_out(arguments: &Arguments) -> Result<()> {
    match &arguments.command {
        Command::Run { name, program, all } => run::all(program, &arguments.out.join(name), *all),
        Command::Compare { names } => {
            let (text, result) = compare::all(&arguments.out, names)?;
            print!("{text}");
            result
        }
    }
}
