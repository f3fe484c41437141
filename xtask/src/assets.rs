//! `cargo xtask assets`: runs the program `assets`, a package of its own because it needs encoders.

use crate::process::{self, Failure};
use std::process::ExitCode;

/// Help below the summary.
pub const HELP: &str = "
Usage: cargo xtask assets

Writes assets/sprites.png, the atlas of smoke puffs, and assets/icon.png, the program's icon. They are the same every
time; the files are checked in, so only a change of the generator calls for this.";

/// `cargo xtask assets`.
pub fn run(arguments: &[String]) -> Result<ExitCode, Failure> {
    if let Some(unknown) = arguments.first() {
        return Err(Failure::usage(format!("unknown argument `{unknown}`")));
    }
    let mut program = process::command(process::cargo());
    program.args(["run", "--quiet", "--package", "assets"]);
    Ok(ExitCode::from(process::exit_code_of(&mut program)?))
}
