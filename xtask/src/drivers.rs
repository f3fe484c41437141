//! `cargo xtask verify-drivers`: every Vulkan driver of this machine, one after the other, by the program `drivers` (a
//! package of its own: it needs the library). Writes `drivers/` under the target folder, and Mesa's shader cache.

use crate::process::{Result, absolute};
use crate::setup::{Consent, Purpose};
use crate::test::mesa_cache;
use crate::vulkan::OTHER_DRIVERS;
use crate::{demo, process, setup, steps, vulkan};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Run the program on every Vulkan driver of this machine and compare the pictures
///
/// Runs `wavelerp verify`, the capture of every scene and of a file of splats by every method and a short bench on every
/// Vulkan driver of this machine: llvmpipe with waves of 8, 4 and 16 lanes, SwiftShader if it is there, and each other
/// driver that finds an adapter, such as a GPU's. SwiftShader has little more than WebGPU promises and must draw all of it.
/// Then it compares their pictures. docs/methods.md states how far they may be apart, and why. Everything is written below
/// target/drivers/, a folder for each driver. On a machine of two cores it takes about ten minutes for each software
/// driver. Linux only.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask verify-drivers
  cargo xtask verify-drivers --swiftshader
  cargo xtask verify-drivers --program target/debug/wavelerp")]
pub struct VerifyDrivers {
    /// This wavelerp, instead of a release build of this checkout
    #[arg(long, value_name = "FILE", value_parser = absolute)]
    program: Option<PathBuf>,
    /// Download SwiftShader from Debian's package chromium-common into target/swiftshader/ if it is not there; nothing is
    /// installed
    #[arg(long)]
    swiftshader: bool,
    #[command(flatten)]
    consent: Consent,
}

/// How `drivers` is started: debug builds read pictures slowly, but compile quickly.
const RUN: &str = "run --quiet --package drivers --";
/// Wave sizes of llvmpipe; what the first draws is what all others are compared with.
const WAVES: [u32; 3] = [8, 4, 16];
/// Its exit code for "this driver has no adapter".
const UNAVAILABLE: u8 = 3;

/// The manifest of SwiftShader, and where browsers and `--swiftshader` put it.
const SWIFTSHADER: &str = "vk_swiftshader_icd.json";
const CHROMIUM: &str = "usr/lib/chromium";
const SWIFTSHADER_PACKAGE: &str = "chromium-common";

#[derive(Debug, PartialEq)]
struct Driver {
    /// The name of its folder.
    name: String,
    /// What makes it the only one.
    environment: Vec<(&'static str, OsString)>,
    is_needed: bool,
    draws_all: bool,
}

impl VerifyDrivers {
    pub fn run(self) -> Result<u8> {
        if !cfg!(target_os = "linux") {
            return Err(
                "`verify-drivers` chooses drivers by variables of the Vulkan loader and runs llvmpipe: run it on Linux"
                    .to_owned(),
            );
        }
        setup::install(&[Purpose::Vulkan], self.consent)?;
        let fetched = process::target_folder().join("swiftshader");
        if self.swiftshader && swiftshader(&fetched).is_none() {
            fetch_swiftshader(&fetched)?;
        }
        let program = self.program.map_or_else(demo::build, Ok)?;
        let all = drivers(swiftshader(&fetched).as_deref())?;
        if !all.iter().any(|driver| driver.name == "swiftshader") {
            eprintln!("SwiftShader is not here; --swiftshader downloads it.");
        }
        let mut ran = Vec::new();
        let mut failed = Vec::new();
        for driver in &all {
            eprintln!("=== {} ===", driver.name);
            let name = driver.name.as_str();
            match process::exit_code_of(&mut start_on(driver, &program))? {
                UNAVAILABLE if !driver.is_needed => {
                    eprintln!("  no adapter: left out");
                    continue;
                }
                0 => (),
                _ => failed.push(name),
            }
            ran.push(name);
        }
        let code = process::exit_code_of(start(&["compare"]).args(&ran))?;
        if failed.is_empty() {
            return Ok(code);
        }
        Err(format!(
            "something failed on {}: see the messages above",
            failed.join(", ")
        ))
    }
}

/// A command that runs `program` on this driver alone.
fn start_on(driver: &Driver, program: &Path) -> Command {
    let mut command = start(&["run", &driver.name, "--program"]);
    command.arg(program);
    if driver.draws_all {
        command.arg("--all");
    }
    let others = ["WAVELERP_ADAPTER", "LP_NATIVE_VECTOR_WIDTH"];
    for name in OTHER_DRIVERS.iter().chain(&others) {
        command.env_remove(name);
    }
    command.envs(driver.environment.iter().cloned());
    command
}

/// A command that starts `drivers` with these words and its folder.
fn start(words: &[&str]) -> Command {
    let mut command = process::cargo(RUN);
    let folder = process::target_folder().join("drivers");
    command.arg("--out").arg(folder).args(words);
    command
}

/// Every driver in the order of the comparison: llvmpipe, SwiftShader, and what else there is a manifest for.
fn drivers(swiftshader: Option<&Path>) -> Result<Vec<Driver>> {
    let llvmpipe = vulkan::llvmpipe()?;
    let mut all = Vec::new();
    for wave in WAVES {
        all.push(Driver {
            name: format!("llvmpipe-wave-{wave}"),
            environment: steps::software_vulkan(&llvmpipe, &mesa_cache(wave)?, wave).into(),
            is_needed: true,
            draws_all: false,
        });
    }
    all.extend(swiftshader.map(|manifest| Driver {
        is_needed: true,
        draws_all: true,
        ..other("swiftshader".to_owned(), manifest)
    }));
    for manifest in vulkan::manifests() {
        let name = name_of(&manifest);
        let is_own = name.starts_with("lvp") || name.contains("swiftshader");
        let is_known = manifest == llvmpipe || is_own;
        if !is_known && all.iter().all(|driver| driver.name != name) {
            all.push(other(name, &manifest));
        }
    }
    Ok(all)
}

fn other(name: String, manifest: &Path) -> Driver {
    let only = vulkan::only(manifest).map(|(variable, manifest)| (variable, manifest.into()));
    Driver {
        name,
        environment: only.into(),
        is_needed: false,
        draws_all: false,
    }
}

/// What a driver is called after its manifest: `radeon` for `radeon_icd.x86_64.json`.
fn name_of(manifest: &Path) -> String {
    let name = manifest.file_name().unwrap_or_default().to_string_lossy();
    let name = name.split('.').next().unwrap_or_default();
    name.trim_end_matches("_icd").to_owned()
}

/// SwiftShader's manifest: among the system's drivers, beside a browser, or fetched.
fn swiftshader(fetched: &Path) -> Option<PathBuf> {
    let is_it = |path: &PathBuf| path.ends_with(SWIFTSHADER);
    let beside = [Path::new("/"), fetched].map(|root| root.join(CHROMIUM).join(SWIFTSHADER));
    let mut all = vulkan::manifests().into_iter().filter(is_it).chain(beside);
    all.find(|path| path.is_file())
}

/// Downloads the package that has SwiftShader and unpacks it into `folder`; installs nothing.
fn fetch_swiftshader(folder: &Path) -> Result<()> {
    process::make_folder(folder)?;
    let package = SWIFTSHADER_PACKAGE;
    eprintln!("Downloading {package} into {}.", folder.display());
    let script =
        format!("apt-get download {package} && dpkg -x {package}_*.deb . && rm {package}_*.deb");
    let mut shell = process::command("sh");
    shell.args(["-c", &script]).current_dir(folder);
    let code = process::exit_code_of(shell.stdout(Stdio::null()))?;
    if code == 0 && swiftshader(folder).is_some() {
        return Ok(());
    }
    Err(format!(
        "SwiftShader could not be downloaded: `apt-get update`, then `apt-get download {SWIFTSHADER_PACKAGE}`; other \
         systems have {SWIFTSHADER} beside Chromium, and VK_DRIVER_FILES may name it"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drivers_are_called_after_their_manifests() {
        for (manifest, name) in [
            ("/usr/share/vulkan/icd.d/radeon_icd.x86_64.json", "radeon"),
            ("/etc/vulkan/icd.d/nvidia_icd.json", "nvidia"),
            ("/x/vk_swiftshader_icd.json", "vk_swiftshader"),
        ] {
            assert_eq!(name_of(Path::new(manifest)), name);
        }
    }
}
