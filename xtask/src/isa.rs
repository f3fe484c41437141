//! `cargo xtask isa`: Mesa's drivers, and the program `isa` (a package of its own: it needs the library and
//! Vulkan) with RADV as its only driver. Writes nothing itself.

use crate::packages::Purpose;
use crate::process::{self, Failure};
use crate::{setup, vulkan};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Help below the summary.
pub const HELP: &str = "
Usage: cargo xtask isa [OPTIONS]

Compiles every method, and the cores of the last-lane variants, of the read-lane loop and of the prefix
product, with Mesa's RADV on a device without hardware: no AMD GPU is needed, nothing runs. Writes for
each family to target/isa/FAMILY/: machine code (*.s), statistics.csv, tables.md, and cores.md with the
cores side by side. benches/ISA.md says what is found. Linux only; relative paths start at the
workspace's folder.

Options:
  --family NAMES    Families, separated by commas [default: vega10,navi21,navi31]; a wrong name lists all
  --compiler NAMES  RADV's compilers: aco, llvm or both [default: aco]
  --only TEXT       Only kernels whose name contains this, as in `core` or `wave-lerp`
  --output DIR      Where to write [default: target/isa]
  --markdown FILE   Put the tables into the generated part of this document

Examples:
  cargo xtask isa
  cargo xtask isa --family navi21 --only core
  cargo xtask isa --compiler aco,llvm --markdown benches/ISA.md";

const RUN: [&str; 5] = ["run", "--quiet", "--package", "isa", "--"];

/// `cargo xtask isa`.
pub fn run(arguments: &[String]) -> Result<ExitCode, Failure> {
    on_linux(cfg!(target_os = "linux"))?;
    setup::install(Purpose::Isa)?;
    let places = vulkan::manifest_places(&|name| std::env::var_os(name));
    let manifests = vulkan::manifests_in(&places);
    let manifest = radv_manifest(&manifests, &places, std::env::consts::ARCH)?;
    eprintln!("Building isa: the first time takes minutes.");
    let mut program = process::command(process::cargo());
    program.args(RUN).args(arguments);
    for name in crate::steps::REMOVED_VARIABLES {
        program.env_remove(name);
    }
    program
        .env("VK_DRIVER_FILES", manifest)
        .env("VK_ICD_FILENAMES", manifest);
    Ok(ExitCode::from(process::exit_code_of(&mut program)?))
}

fn on_linux(linux: bool) -> Result<(), Failure> {
    match linux {
        true => Ok(()),
        false => Err(Failure::new(
            "`isa` compiles with Mesa's Vulkan driver RADV, which exists on Linux only: run it there, in a \
             container or a virtual machine (benches/ISA.md has its findings)",
        )),
    }
}

fn radv_manifest<'a>(
    manifests: &'a [PathBuf],
    places: &[PathBuf],
    architecture: &str,
) -> Result<&'a Path, Failure> {
    vulkan::manifest_of(vulkan::RADV, manifests, architecture).ok_or_else(|| {
        let searched: Vec<_> = places
            .iter()
            .map(|place| place.display().to_string())
            .collect();
        Failure::new(format!(
            "`isa` needs Mesa's Vulkan driver RADV (Debian: mesa-vulkan-drivers), but there is no \
             radeon_icd*.json in {}; some systems do not build it for {architecture}",
            searched.join(", ")
        ))
    })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn without_radv_the_failure_says_what_to_install_and_where_was_looked() {
        let llvmpipe = [PathBuf::from("/i/lvp_icd.aarch64.json")];
        let failure = radv_manifest(&llvmpipe, &[PathBuf::from("/i")], "aarch64").unwrap_err();
        for part in ["mesa-vulkan-drivers", "in /i;", "for aarch64"] {
            assert!(failure.message.contains(part), "{}", failure.message);
        }
        let radv = [PathBuf::from("/i/radeon_icd.aarch64.json")];
        assert_eq!(radv_manifest(&radv, &[], "aarch64"), Ok(radv[0].as_path()));
    }

    #[test]
    fn other_systems_are_told_that_it_needs_linux() {
        assert_eq!(on_linux(true), Ok(()));
        assert!(on_linux(false).unwrap_err().message.contains("Linux only"));
    }
}
