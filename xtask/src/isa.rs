//! `cargo xtask isa`: Mesa's drivers, and the program `isa` (a package of its own: it needs the library and
//! Vulkan) with RADV as its only driver. Writes nothing itself.

use crate::consent::Consent;
use crate::process::{self, Failure};
use crate::setup::{self, Purpose};
use crate::vulkan::{OTHER_DRIVERS, RADV};
use std::process::ExitCode;

/// Help below the summary.
pub const HELP: &str = "
Usage: cargo xtask isa [OPTIONS]

Compiles every method, and the cores of the last-lane variants, of the read-lane loop and of the prefix
product, with Mesa's RADV on a device without hardware: no AMD GPU is needed, nothing runs. Writes for
each family to target/isa/FAMILY/: machine code (*.s), statistics.csv, tables.md, and cores.md with the
cores side by side. docs/isa.md says what is found. Linux only; relative paths start at the
workspace's folder.

Options:
  --family NAMES    Families, separated by commas [default: vega10,navi21,navi31]; a wrong name lists all
  --compiler NAMES  RADV's compilers: aco, llvm or both [default: aco]
  --only TEXT       Only kernels whose name contains this, as in `core` or `wave-lerp`
  --output DIR      Where to write [default: target/isa]
  --yes             Install missing system packages without asking
  --no-install      List missing system packages and stop
  --markdown FILE   Put the tables into the generated part of this document

Examples:
  cargo xtask isa
  cargo xtask isa --family navi21 --only core
  cargo xtask isa --compiler aco,llvm --markdown docs/isa.md";

const RUN: [&str; 5] = ["run", "--quiet", "--package", "isa", "--"];

/// `cargo xtask isa`.
pub fn run(arguments: &[String]) -> Result<ExitCode, Failure> {
    if !cfg!(target_os = "linux") {
        return Err(Failure::new(
            "`isa` compiles with Mesa's Vulkan driver RADV, which exists on Linux only: run it there, in a \
             container or a virtual machine (docs/isa.md has its findings)",
        ));
    }
    let (consent, rest) = Consent::take(arguments)?;
    setup::install(&[Purpose::Vulkan], consent)?;
    let manifest = RADV.manifest()?;
    eprintln!("Building isa: the first time takes minutes.");
    let mut program = process::command(process::cargo());
    program.args(RUN).args(rest);
    for name in OTHER_DRIVERS {
        program.env_remove(name);
    }
    for name in ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"] {
        program.env(name, &manifest);
    }
    Ok(ExitCode::from(process::exit_code_of(&mut program)?))
}
