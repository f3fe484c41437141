//! `cargo xtask verify-drivers`: every Vulkan driver of this machine, one after the other, by the program `drivers` (a
//! package of its own: it needs the library). Writes `drivers/` under the target folder, and Mesa's shader cache.

use crate::consent::Consent;
use crate::demo;
use crate::process::{self, Failure};
use crate::setup::{self, Purpose};
use crate::steps;
use crate::test::mesa_cache;
use crate::vulkan::{self, LLVMPIPE, OTHER_DRIVERS};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// Help below the summary.
pub const HELP: &str = "
Usage: cargo xtask verify-drivers [--program FILE] [--swiftshader] [--yes | --no-install]

Runs `wavelerp verify`, the capture of every scene and of a file of splats by every method and a short
bench on every Vulkan driver of this machine: llvmpipe with waves of 8, 4 and 16 lanes, SwiftShader if
it is there, and each other driver that finds an adapter, such as a GPU's. SwiftShader has little more
than WebGPU promises and must draw all of it. Then it compares their pictures. docs/methods.md
states how far they may be apart, and why. Everything is written below target/drivers/, a folder for
each driver. On a machine of two cores it takes about ten minutes for each software driver. Linux only.

Options:
  --program FILE  This wavelerp, in place of a release build of this checkout
  --swiftshader   Download SwiftShader from Debian's package chromium-common into target/swiftshader/ if
                  it is not there; nothing is installed
  --yes           Install missing system packages without asking
  --no-install    List missing system packages and stop

Examples:
  cargo xtask verify-drivers
  cargo xtask verify-drivers --swiftshader
  cargo xtask verify-drivers --program target/debug/wavelerp";

/// How `drivers` is started: debug builds read pictures slowly, but compile quickly.
const RUN: [&str; 5] = ["run", "--quiet", "--package", "drivers", "--"];
/// Wave sizes of llvmpipe; what the first draws is what all others are compared with.
const WAVES: [u32; 3] = [8, 4, 16];
/// Its exit code for "this driver has no adapter".
const UNAVAILABLE: u8 = 3;

/// The manifest of SwiftShader, and where browsers and `--swiftshader` put it.
const SWIFTSHADER: &str = "vk_swiftshader_icd.json";
const CHROMIUM: &str = "usr/lib/chromium";
const SWIFTSHADER_PACKAGE: &str = "chromium-common";

/// A driver to run on.
#[derive(Debug, PartialEq)]
struct Driver {
    /// The name of its folder.
    name: String,
    /// What makes it the only one.
    environment: Vec<(&'static str, OsString)>,
    /// Whether it must have an adapter.
    is_needed: bool,
    /// Whether it must draw everything.
    draws_all: bool,
}

#[derive(Debug, Default, PartialEq)]
struct Options {
    program: Option<PathBuf>,
    fetches_swiftshader: bool,
}

/// `cargo xtask verify-drivers`.
pub fn run(arguments: &[String]) -> Result<ExitCode, Failure> {
    let (consent, rest) = Consent::take(arguments)?;
    let options = options_from(&rest)?;
    if !cfg!(target_os = "linux") {
        return Err(Failure::new(
            "`verify-drivers` chooses drivers by variables of the Vulkan loader and runs llvmpipe: run it on Linux",
        ));
    }
    setup::install(&[Purpose::Vulkan], consent)?;
    let fetched = process::target_folder().join("swiftshader");
    if options.fetches_swiftshader && swiftshader(&fetched).is_none() {
        fetch_swiftshader(&fetched)?;
    }
    let program = match options.program {
        Some(program) => program,
        None => {
            demo::build()?;
            process::target_folder().join("release/wavelerp")
        }
    };
    let all = drivers(swiftshader(&fetched).as_deref())?;
    if !all.iter().any(|driver| driver.name == "swiftshader") {
        eprintln!("SwiftShader is not here; --swiftshader downloads it.");
    }
    let mut ran = Vec::new();
    let mut failed = Vec::new();
    for driver in &all {
        eprintln!("=== {} ===", driver.name);
        let mut command = start(&["run", &driver.name, "--program"]);
        command.arg(&program);
        if driver.draws_all {
            command.arg("--all");
        }
        for name in OTHER_DRIVERS
            .iter()
            .chain(&["WAVELERP_ADAPTER", "LP_NATIVE_VECTOR_WIDTH"])
        {
            command.env_remove(name);
        }
        command.envs(driver.environment.iter().cloned());
        match process::exit_code_of(&mut command)? {
            0 => ran.push(driver.name.as_str()),
            UNAVAILABLE if !driver.is_needed => eprintln!("  no adapter: left out"),
            _ => {
                ran.push(driver.name.as_str());
                failed.push(driver.name.as_str());
            }
        }
    }
    let code = process::exit_code_of(start(&["compare"]).args(&ran))?;
    if failed.is_empty() {
        return Ok(ExitCode::from(code));
    }
    Err(Failure::new(format!(
        "something failed on {}: see the messages above",
        failed.join(", ")
    )))
}

fn options_from(arguments: &[String]) -> Result<Options, Failure> {
    let mut options = Options::default();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match (argument.as_str(), rest.as_slice().first()) {
            ("--swiftshader", _) => options.fetches_swiftshader = true,
            ("--program", Some(file)) => {
                // The program runs in the workspace's folder, and the user's may be another.
                let file = std::path::absolute(file);
                options.program = file.ok();
                rest.next();
            }
            _ => {
                return Err(Failure::usage(format!(
                    "`verify-drivers` takes `--program FILE`, `--swiftshader`, `--yes` and `--no-install`, not \
                     `{argument}`"
                )));
            }
        }
    }
    Ok(options)
}

/// A command that starts `drivers` with these words and its folder.
fn start(words: &[&str]) -> Command {
    let mut command = process::command(process::cargo());
    let folder = process::target_folder().join("drivers");
    command.args(RUN).arg("--out").arg(folder).args(words);
    command
}

/// Every driver in the order of the comparison: llvmpipe, SwiftShader, and what else there is a manifest for.
fn drivers(swiftshader: Option<&Path>) -> Result<Vec<Driver>, Failure> {
    let llvmpipe = LLVMPIPE.manifest()?;
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
        let is_known =
            manifest == llvmpipe || name.starts_with("lvp") || name.contains("swiftshader");
        if !is_known && all.iter().all(|driver| driver.name != name) {
            all.push(other(name, &manifest));
        }
    }
    Ok(all)
}

fn other(name: String, manifest: &Path) -> Driver {
    let only = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"].map(|variable| (variable, manifest.into()));
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
fn fetch_swiftshader(folder: &Path) -> Result<(), Failure> {
    let cannot = |error| Failure::new(format!("cannot write {}: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(cannot)?;
    eprintln!(
        "Downloading {SWIFTSHADER_PACKAGE} into {}.",
        folder.display()
    );
    let mut download = process::command("apt-get");
    download
        .args(["download", SWIFTSHADER_PACKAGE])
        .current_dir(folder);
    let is_fetched = process::exit_code_of(download.stdout(Stdio::null()))? == 0;
    let entries = std::fs::read_dir(folder).map_err(cannot)?;
    let files = entries.flatten().map(|entry| entry.path());
    let package = files
        .into_iter()
        .find(|path| path.extension().is_some_and(|it| it == "deb"));
    if let Some(package) = package.filter(|_| is_fetched) {
        let mut unpack = process::command("dpkg");
        unpack.arg("-x").arg(&package).arg(folder);
        if process::exit_code_of(&mut unpack)? == 0 && swiftshader(folder).is_some() {
            return std::fs::remove_file(package).map_err(cannot);
        }
    }
    Err(Failure::new(format!(
        "SwiftShader could not be downloaded: `apt-get update`, then `apt-get download {SWIFTSHADER_PACKAGE}`; other \
         systems have {SWIFTSHADER} beside Chromium, and VK_DRIVER_FILES may name it"
    )))
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

    #[test]
    fn a_program_is_named_by_a_path_and_nothing_unknown_is_taken() {
        let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let options = options_from(&words("--swiftshader --program /a/wavelerp"));
        let expected = Options {
            program: Some("/a/wavelerp".into()),
            fetches_swiftshader: true,
        };
        assert_eq!(options, Ok(expected));
        for line in ["--program", "--drivers", "llvmpipe"] {
            let failure = options_from(&words(line)).map_err(|failure| failure.code);
            assert_eq!(failure, Err(2), "{line}");
        }
    }
}
