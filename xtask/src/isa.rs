//! `cargo xtask isa`: Mesa's drivers, and the program `isa` (a package of its own: it needs the library and
//! Vulkan) with RADV as its only driver. Writes nothing itself.

use crate::process::Result;
use crate::setup::{Consent, Purpose};
use crate::vulkan::OTHER_DRIVERS;
use crate::{process, setup, vulkan};

/// Compile every method for AMD GPUs and write machine code and statistics
///
/// Compiles every method, and the cores of the last-lane variants, of the read-lane loop and of the prefix product, with
/// Mesa's RADV on a device without hardware: no AMD GPU is needed, nothing runs. Writes for each family to
/// target/isa/FAMILY/: machine code (*.s), statistics.csv, tables.md, and cores.md with the cores side by side. docs/isa.md
/// says what is found. Linux only; relative paths start at the workspace's folder.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask isa
  cargo xtask isa --family navi21 --only core
  cargo xtask isa --compiler aco,llvm --markdown docs/isa.md")]
pub struct Isa {
    /// Families, separated by commas [default: vega10,navi21,navi31]; a wrong name lists all
    #[arg(long, value_name = "NAMES")]
    family: Option<String>,
    /// RADV's compilers: aco, llvm or both [default: aco]
    #[arg(long, value_name = "NAMES")]
    compiler: Option<String>,
    /// Only kernels whose name contains this, as in `core` or `wave-lerp`
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Where to write [default: target/isa]
    #[arg(long, value_name = "DIR")]
    output: Option<String>,
    /// Put the tables into the generated part of this document
    #[arg(long, value_name = "FILE")]
    markdown: Option<String>,
    #[command(flatten)]
    consent: Consent,
}

impl Isa {
    pub fn run(self) -> Result<u8> {
        if !cfg!(target_os = "linux") {
            return Err(
                "`isa` compiles with Mesa's Vulkan driver RADV, which exists on Linux only: run it there, in a \
                 container or a virtual machine (docs/isa.md has its findings)"
                    .to_owned(),
            );
        }
        setup::install(&[Purpose::Vulkan], self.consent)?;
        let manifest = vulkan::radv()?;
        eprintln!("Building isa: the first time takes minutes.");
        let mut program = process::cargo("run --quiet --package isa --");
        for (flag, value) in [
            ("--family", self.family),
            ("--compiler", self.compiler),
            ("--only", self.only),
            ("--output", self.output),
            ("--markdown", self.markdown),
        ] {
            if let Some(value) = value {
                program.args([flag, &value]);
            }
        }
        for name in OTHER_DRIVERS {
            program.env_remove(name);
        }
        program.envs(vulkan::only(&manifest));
        process::exit_code_of(&mut program)
    }
}
