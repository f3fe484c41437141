//! `cargo xtask verify-drivers` runs the program on every Vulkan driver of this machine. It writes `drivers/` in the
//! target folder, and Mesa's shader cache.

use crate::process::{Consent, Result, absolute};
use crate::setup::Purpose;
use crate::vulkan::Environment;
use crate::{demo, process, setup, vulkan};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Run the program on every Vulkan driver of this machine and compare the pictures
///
/// Runs `wavelerp verify`, captures of every scene and of a splat file with every method, and a short bench: on llvmpipe with
/// waves of 8, 4 and 16 lanes, on SwiftShader if it is present, and on every other driver that finds an adapter, such as a
/// GPU's. SwiftShader has little more than WebGPU requires, and must draw everything. Then `wavelerp compare` compares each
/// driver's pictures with the first driver's; docs/methods.md states the allowed differences, and why. Output goes to
/// target/drivers/, one folder per driver. A software driver takes about ten minutes on two cores. Linux only.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask verify-drivers
  cargo xtask verify-drivers --swiftshader
  cargo xtask verify-drivers --program target/debug/wavelerp")]
pub struct VerifyDrivers {
    /// Use this wavelerp instead of a release build of this checkout
    #[arg(long, value_name = "FILE", value_parser = absolute)]
    program: Option<PathBuf>,
    /// Download SwiftShader from Debian's package chromium-common into target/swiftshader/ if it is missing there; installs
    /// nothing
    #[arg(long)]
    swiftshader: bool,
    #[command(flatten)]
    consent: Consent,
}

/// Wave sizes of llvmpipe. All other drivers and sizes are compared with the first.
const WAVES: [u32; 3] = [8, 4, 16];
/// Arguments of a capture with little content but every kind of layer, because software drivers draw it too.
const CAPTURE: &str =
    "--size 160x88 --particles 1500 --fog-slices 16 --methods all --format exr --force";
/// Arguments of a benchmark of one cell, which need only run: times of different drivers are not compared.
const BENCH: &str = "--quick --parts sweep --outputs 32x32 --layers 64 --kind mixed --cost cheap";
/// The program's exit code if the adapter lacks a required feature.
const UNAVAILABLE: u8 = 3;
/// Method that is not compared, because the driver decides how blends are rounded to half floats.
const ROUNDED: &str = "fixed-function-f16";

/// File name of SwiftShader's manifest, and the folder that contains it in a browser's package and after
/// `--swiftshader`.
const SWIFTSHADER: &str = "vk_swiftshader_icd.json";
const CHROMIUM: &str = "usr/lib/chromium";

struct Driver {
    /// Name of the driver's folder.
    name: String,
    environment: Environment,
    /// True if the driver must have an adapter.
    is_needed: bool,
    /// True if the driver must draw everything.
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
            eprintln!("SwiftShader is missing; --swiftshader downloads it.");
        }
        let pictures = pictures()?;
        let mut failed = Vec::new();
        let mut drew = Vec::new();
        for driver in &all {
            eprintln!("=== {} ===", driver.name);
            let at = process::target_folder().join("drivers").join(&driver.name);
            if at.exists() {
                std::fs::remove_dir_all(&at)
                    .map_err(|error| format!("cannot empty {}: {error}", at.display()))?;
            }
            process::make_folder(&at)?;
            let runner = Runner {
                program: &program,
                driver,
                at,
            };
            if runner.start("list", "list")? == UNAVAILABLE && !driver.is_needed {
                eprintln!("  no adapter: left out");
                continue;
            }
            failed.extend(runner.all(&pictures)?);
            drew.push(runner);
        }
        failed.extend(compare(&drew, &pictures)?);
        match failed.is_empty() {
            true => Ok(0),
            false => Err(format!(
                "{}; the program's output is in the files *.txt below {}",
                failed.join("; "),
                process::target_folder().join("drivers").display()
            )),
        }
    }
}

/// Name and arguments of each capture: the scenes, and splats without a scene. Methods have special shaders for splats.
fn pictures() -> Result<Vec<(String, String)>> {
    let folder = process::workspace_root().join("assets/scenes");
    let cannot = |error| format!("cannot list {}: {error}", folder.display());
    let mut all = vec![("splats".to_owned(), "assets/scenes/statue.spz".to_owned())];
    for entry in std::fs::read_dir(&folder).map_err(cannot)? {
        let name = entry.map_err(cannot)?.file_name();
        if let Some(name) = name.to_string_lossy().strip_suffix(".ron") {
            all.push((name.to_owned(), format!("--scene {name}")));
        }
    }
    all.sort();
    Ok(all)
}

/// The program on a driver.
struct Runner<'a> {
    program: &'a Path,
    driver: &'a Driver,
    /// Output folder of the driver.
    at: PathBuf,
}

impl Runner<'_> {
    /// Runs everything, each part in its own process, so that a crash ends only one part. Returns the failures.
    /// Pictures that the adapter cannot draw are ignored, unless the driver must draw all.
    fn all(&self, pictures: &[(String, String)]) -> Result<Vec<String>> {
        let mut runs = vec![("verify", "verify".to_owned())];
        for (name, what) in pictures {
            runs.push((name, format!("capture {what} {CAPTURE} --out {name}")));
        }
        runs.push(("bench", format!("bench {BENCH} --out bench")));
        let mut failed = Vec::new();
        for (name, line) in runs {
            let word = match self.start(name, &line)? {
                0 => "passed",
                UNAVAILABLE if !self.driver.draws_all => "left out: the adapter cannot",
                _ => {
                    failed.push(format!("{name} failed on {}", self.driver.name));
                    "FAILED"
                }
            };
            eprintln!("  {name:<8} {word}");
        }
        Ok(failed)
    }

    /// Runs the program with the given arguments, and writes its output to `NAME.txt`. The argument of `--out` is a
    /// folder below the driver's folder. Returns the exit code.
    fn start(&self, name: &str, line: &str) -> Result<u8> {
        let file = self.at.join(format!("{name}.txt"));
        let cannot = |error| format!("cannot write {}: {error}", file.display());
        let text = File::create(&file).map_err(cannot)?;
        let (words, out) = line.split_once(" --out ").unwrap_or((line, ""));
        let mut command = process::command(self.program);
        command.args(words.split(' '));
        if !out.is_empty() {
            command.arg("--out").arg(self.at.join(out));
        }
        vulkan::choose(&mut command, self.driver.environment.clone());
        command.stderr(text.try_clone().map_err(cannot)?);
        process::exit_code_of(command.stdout(text))
    }

    /// True unless `wavelerp list` says that the adapter is a CPU.
    fn is_gpu(&self) -> bool {
        let list = std::fs::read_to_string(self.at.join("list.txt")).unwrap_or_default();
        let mut lines = list.lines().map(str::trim);
        let adapter = lines.find_map(|line| line.strip_prefix("vulkan "));
        adapter.is_some_and(|adapter| !adapter.starts_with("cpu"))
    }
}

/// Compares the pictures of each scene with the pictures of the first driver that drew the scene. Returns violations
/// of the bound.
fn compare(drew: &[Runner], pictures: &[(String, String)]) -> Result<Vec<String>> {
    let mut broken = Vec::new();
    for (name, _) in pictures {
        let has_it = |of: &&Runner| of.at.join(name).join("report.json").exists();
        let mut all = drew.iter().filter(has_it);
        let Some(first) = all.next() else {
            broken.push(format!("no driver drew {name}"));
            continue;
        };
        for other in all {
            let mut compare = process::command(first.program);
            compare.arg("compare");
            compare.args([first, other].map(|of| of.at.join(name)));
            let text = process::output_of(&mut compare);
            let is_software = !first.is_gpu() && !other.is_gpu();
            let outcome = worst(&text).and_then(|[share, rest]| {
                println!(
                    "{:<18}{name:<9}{share:>6.2} % are outliers, rms of the rest {rest:.1e}",
                    other.driver.name
                );
                holds(share, rest, is_software)
            });
            if let Err(why) = outcome {
                broken.push(format!("{name} on {}: {why}", other.driver.name));
            }
        }
    }
    Ok(broken)
}

/// Worst percentage of differing pixels, and worst rms difference of the other pixels, in the output of
/// `wavelerp compare`.
fn worst(text: &str) -> Result<[f64; 2]> {
    let mut worst: Option<[f64; 2]> = None;
    for line in text.lines().filter(|line| !line.starts_with(ROUNDED)) {
        // A row of the table ends with the two numbers, such as `0.10 %  1.5e-2`.
        let words: Vec<&str> = line.split_whitespace().collect();
        let [.., share, "%", rest] = words[..] else {
            continue;
        };
        let number = |word: &str| word.parse().ok().filter(|number: &f64| number.is_finite());
        let both = number(share).zip(number(rest));
        let is_finite = !words.iter().any(|word| ["NaN", "inf"].contains(word));
        let Some((share, rest)) = both.filter(|_| is_finite) else {
            return Err(format!("a difference is not a number: {line}"));
        };
        let [most, most_rest] = worst.unwrap_or_default();
        worst = Some([share.max(most), rest.max(most_rest)]);
    }
    worst.ok_or("no picture was compared".to_owned())
}

/// Checks that a driver's pictures are close enough. GPUs snap vertices to another grid than llvmpipe, and in such
/// small pictures a column of shadow or a thin bar covers many of the pixels.
fn holds(share: f64, rest: f64, is_software: bool) -> Result<()> {
    let most = if is_software { 0.5 } else { 3.0 };
    match share <= most && rest <= 0.02 {
        true => Ok(()),
        false => Err(format!(
            "{share:.2} % of the pixels are outliers (at most {most} %), and the rms of the rest is {rest:.1e} (at most 2e-2)"
        )),
    }
}

/// All drivers in the order in which they are compared: llvmpipe, SwiftShader, and all others with a manifest.
fn drivers(swiftshader: Option<&Path>) -> Result<Vec<Driver>> {
    let llvmpipe = vulkan::llvmpipe()?;
    let mut all = Vec::new();
    for wave in WAVES {
        all.push(Driver {
            name: format!("llvmpipe-wave-{wave}"),
            environment: vulkan::software(wave)?,
            is_needed: true,
            draws_all: false,
        });
    }
    let other = |name: String, manifest: &Path, draws_all| Driver {
        name,
        environment: vulkan::only(manifest),
        is_needed: draws_all,
        draws_all,
    };
    all.extend(swiftshader.map(|manifest| other("swiftshader".to_owned(), manifest, true)));
    for manifest in vulkan::manifests() {
        let name = name_of(&manifest);
        let is_own = name.starts_with("lvp") || name.contains("swiftshader");
        let is_known = manifest == llvmpipe || is_own;
        if !is_known && all.iter().all(|driver| driver.name != name) {
            all.push(other(name, &manifest, false));
        }
    }
    Ok(all)
}

/// Name of a driver, taken from its manifest: `radeon` for `radeon_icd.x86_64.json`.
fn name_of(manifest: &Path) -> String {
    let name = manifest.file_name().unwrap_or_default().to_string_lossy();
    let name = name.split('.').next().unwrap_or_default();
    name.trim_end_matches("_icd").to_owned()
}

/// Path of SwiftShader's manifest: among the system's drivers, in a browser's folder, or downloaded.
fn swiftshader(fetched: &Path) -> Option<PathBuf> {
    let is_it = |path: &PathBuf| path.ends_with(SWIFTSHADER);
    let beside = [Path::new("/"), fetched].map(|root| root.join(CHROMIUM).join(SWIFTSHADER));
    let mut all = vulkan::manifests().into_iter().filter(is_it).chain(beside);
    all.find(|path| path.is_file())
}

/// Downloads the package that contains SwiftShader and unpacks it into `folder`; nothing is installed.
fn fetch_swiftshader(folder: &Path) -> Result<()> {
    process::make_folder(folder)?;
    eprintln!("Downloading chromium-common into {}.", folder.display());
    let script = "apt-get download chromium-common && dpkg -x chromium-common_*.deb . && rm chromium-common_*.deb";
    let mut shell: Command = process::command("sh");
    shell.args(["-c", script]).current_dir(folder);
    let code = process::exit_code_of(shell.stdout(Stdio::null()))?;
    if code == 0 && swiftshader(folder).is_some() {
        return Ok(());
    }
    Err(format!(
        "SwiftShader could not be downloaded: `apt-get update`, then `apt-get download chromium-common`; other \
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

    #[test]
    fn the_worst_rows_of_a_comparison_are_found_and_what_is_no_number_too() {
        let table = "one and other\n\
            method       first, ms  max abs  pixels  other pixels  rms of the rest\n\
            pixel-loop      0.1000  1.52e-2       7        0.10 %          1.50e-2\n\
            wave-tree            –  1.52e-3       7        0.30 %          1.00e-9\n\
            fixed-function-f16   –  1.52e-3       7        9.00 %          1.00e-9\n\
            auto            0.1000        –       –             –                –\n";
        assert_eq!(worst(table), Ok([0.3, 0.015]));
        assert!(worst(&table.replace("1.52e-3", "NaN")).is_err());
        assert!(worst("one and other\n").is_err());
    }

    #[test]
    fn few_pixels_may_be_outliers_and_all_may_differ_a_little() {
        assert!(holds(0.5, 0.02, true).is_ok());
        assert!(holds(0.6, 0.0, true).is_err() && holds(0.0, 0.03, true).is_err());
        assert!(holds(3.0, 0.0, false).is_ok() && holds(3.1, 0.0, false).is_err());
    }
}
