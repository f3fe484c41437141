//! System packages: the table of what is needed, and installing what is missing, once the user agrees.

use crate::consent::Consent;
use crate::process::{self, Failure};
use crate::tint;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;

/// Help below the summary.
pub const HELP: &str = "
Usage: cargo xtask setup [--test] [--yes | --no-install]

Debian and Ubuntu: installs the packages that are missing, with apt-get (through sudo unless you are
root). On a terminal it asks first. Other Linux systems: prints what is needed. macOS and Windows need
nothing.

Options:
  --test        Also what the tests need: the validation layers, RenderDoc, for the tests of the window a
                virtual X server with a window manager and the tools that drive it, and Tint, which npm
                installs into target/tint
  --yes         Install without asking
  --no-install  List what is missing and stop: nothing is installed";

/// What packages are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Whatever uses a GPU, and compiling with Mesa's drivers.
    Vulkan,
    /// Opening the window.
    Window,
    /// Recording frames, and reading the recordings.
    RenderDoc,
    /// The tests that need no window.
    Test,
    /// The tests that open the window.
    WindowTest,
    /// The tests that compile shaders as browsers do: Tint, which npm installs beside the packages.
    Tint,
}
use Purpose::{RenderDoc, Test, Tint, Vulkan, Window, WindowTest};

/// The purposes of whoever runs the program.
pub const DEMO: &[Purpose] = &[Vulkan, Window];
const EVERYTHING: &[Purpose] = &[Vulkan, Window, RenderDoc, Test, WindowTest, Tint];

/// Every package: its name in Debian and Ubuntu, what it is, and what it is for. The X11 and Wayland
/// libraries are those that winit 0.30 opens at run time (it links none of them).
#[rustfmt::skip]
const PACKAGES: [(&str, &str, Purpose); 21] = [
    ("libvulkan1",              "Vulkan loader",                                      Vulkan),
    ("mesa-vulkan-drivers",     "Mesa's Vulkan drivers, llvmpipe and RADV among them", Vulkan),
    ("libx11-6",                "X11 client library",                                 Window),
    ("libx11-xcb1",             "X11 client library, bridge to XCB",                  Window),
    ("libxcb1",                 "X11 protocol library",                               Window),
    ("libxcursor1",             "X11 mouse cursors",                                  Window),
    ("libxi6",                  "X11 input devices",                                  Window),
    ("libxkbcommon0",           "keyboard layouts",                                   Window),
    ("libxkbcommon-x11-0",      "keyboard layouts on X11",                            Window),
    ("libwayland-client0",      "Wayland client library",                             Window),
    ("renderdoc",               "RenderDoc",                                          RenderDoc),
    ("python3-renderdoc",       "RenderDoc's replay for Python",                      RenderDoc),
    ("vulkan-validationlayers", "Vulkan validation layers",                           Test),
    ("spirv-tools",             "SPIR-V validator and disassembler",                  Test),
    ("xvfb",                    "X server without a display",                         WindowTest),
    ("openbox",                 "window manager",                                     WindowTest),
    ("xdotool",                 "keys, mouse and windows of an X server",             WindowTest),
    ("x11-utils",               "properties and places of windows (xprop, xwininfo)", WindowTest),
    ("imagemagick",             "pictures of X11 windows (import)",                   WindowTest),
    ("nodejs",                  "runs Tint, the WGSL compiler of browsers",           Tint),
    ("npm",                     "installs Tint, under the target folder",             Tint),
];

const UPDATE: &str = "apt-get update";
const INSTALL: &str = "apt-get install --yes --no-install-recommends";
/// How many lines of the package manager's output a failure repeats at most.
const REPEATED: usize = 10;

/// `cargo xtask setup`.
pub fn run(arguments: &[String]) -> Result<ExitCode, Failure> {
    let (consent, rest) = Consent::take(arguments)?;
    install(purposes_from(&rest)?, consent)?;
    Ok(ExitCode::SUCCESS)
}

fn purposes_from(arguments: &[String]) -> Result<&'static [Purpose], Failure> {
    match arguments {
        [] => Ok(DEMO),
        [flag] if flag == "--test" => Ok(EVERYTHING),
        _ => Err(Failure::usage(format!(
            "`setup` takes `--test`, `--yes` and `--no-install`, not `{}`",
            arguments.join(" ")
        ))),
    }
}

/// Makes sure that the packages for these purposes are there, and Tint if it is among them, and says what it does.
/// Fails if packages are missing and the user does not want them installed.
pub fn install(purposes: &[Purpose], consent: Consent) -> Result<(), Failure> {
    let mut of_packages = purposes.to_vec();
    // Node.js often comes from elsewhere, as a package that refuses to stand beside the system's npm.
    of_packages.retain(|purpose| *purpose != Tint || !tint::has_node());
    install_packages(&of_packages, consent)?;
    if purposes.contains(&Tint) {
        tint::install(consent)?;
    }
    Ok(())
}

fn install_packages(purposes: &[Purpose], consent: Consent) -> Result<(), Failure> {
    if !cfg!(target_os = "linux") {
        return Ok(());
    }
    let needed = needed(purposes);
    if !process::exists("apt-get") {
        eprintln!("This system has no apt-get. What is needed, by the Debian names:");
        print_list(&needed);
        return Ok(());
    }
    let installed = installed();
    let is_missing = |name: &&str| !installed.iter().any(|other| other == name);
    let missing: Vec<&str> = needed.into_iter().filter(is_missing).collect();
    if missing.is_empty() {
        eprintln!("System packages: nothing is missing.");
        return Ok(());
    }
    eprintln!("Missing system packages:");
    print_list(&missing);
    let install = format!("{INSTALL} {}", missing.join(" "));
    if !agrees(consent) {
        return Err(Failure::new(format!(
            "system packages are missing and nothing was installed: run `{install}` as root, or this command \
             with `--yes`"
        )));
    }
    // A package source that is out of order need not be the one that has these packages: what counts
    // is whether the installation works.
    let update = as_root(UPDATE)?;
    if !update.is_good {
        eprintln!("`{UPDATE}` had errors: trying to install all the same.");
    }
    let installation = as_root(&install)?;
    if installation.is_good {
        return Ok(());
    }
    let mut said = String::new();
    for (command, run) in [(UPDATE, update), (&install, installation)] {
        if !run.is_good {
            said += &format!("\n`{command}` said:\n{}", complaints(&run.lines));
        }
    }
    Err(Failure::new(format!(
        "the system packages could not be installed{said}\nPut this right, or run `{install}` as root yourself"
    )))
}

/// Whether missing packages are to be installed: asks if the user has not said so and there is a terminal.
fn agrees(consent: Consent) -> bool {
    match consent {
        Consent::Yes => true,
        Consent::No => false,
        Consent::Ask if !std::io::stdin().is_terminal() => true,
        Consent::Ask => {
            eprint!("Install them with apt-get? [Y/n] ");
            // Where the question cannot be shown, the answer still counts.
            let _ = std::io::stderr().flush();
            let mut answer = String::new();
            let read = std::io::stdin().read_line(&mut answer);
            read.is_ok_and(|bytes| bytes > 0) && is_yes(&answer)
        }
    }
}

/// Whether an answer to a question with `[Y/n]` is yes.
fn is_yes(answer: &str) -> bool {
    ["", "y", "yes"].contains(&answer.trim().to_lowercase().as_str())
}

/// The lines that say why apt-get failed: its errors and warnings, or else the last ones.
fn complaints(lines: &[String]) -> String {
    let is_complaint = |line: &&String| {
        let starts = ["E: ", "W: ", "Err:", "dpkg: ", "sudo: "];
        starts.iter().any(|start| line.starts_with(start))
    };
    let mut chosen: Vec<&String> = lines.iter().filter(is_complaint).collect();
    if chosen.is_empty() {
        chosen = lines.iter().collect();
    }
    let from = chosen.len().saturating_sub(REPEATED);
    let indented: Vec<String> = chosen[from..]
        .iter()
        .map(|line| format!("  {line}"))
        .collect();
    indented.join("\n")
}

fn needed(purposes: &[Purpose]) -> Vec<&'static str> {
    let packages = PACKAGES.iter().filter(|(_, _, of)| purposes.contains(of));
    packages.map(|(name, ..)| *name).collect()
}

/// Names of the packages in the table that dpkg reports as installed for this architecture.
fn installed() -> Vec<String> {
    let architecture = process::output_of("dpkg", &["--print-architecture"]);
    let format = "${Package} ${Architecture} ${db:Status-Status}\\n";
    let names = PACKAGES.map(|(name, ..)| name);
    let query = [&["--show", "--showformat", format][..], &names].concat();
    let listing = process::output_of("dpkg-query", &query);
    installed_in(&listing, architecture.trim())
}

/// The packages that are installed for `architecture`, from lines `name architecture status`.
fn installed_in(listing: &str, architecture: &str) -> Vec<String> {
    let name_if_installed = |line: &str| match line.split(' ').collect::<Vec<_>>()[..] {
        [name, of, "installed"] if of == architecture || of == "all" => Some(name.to_string()),
        _ => None,
    };
    listing.lines().filter_map(name_if_installed).collect()
}

/// Runs an apt-get command that asks no questions, through sudo unless this is root.
fn as_root(command: &str) -> Result<process::Run, Failure> {
    let is_root = process::output_of("id", &["-u"]).trim() == "0";
    if !is_root && !process::exists("sudo") {
        return Err(Failure::new(format!(
            "no sudo to install these with: run `{command}` as root"
        )));
    }
    let sudo = if is_root { "" } else { "sudo " };
    let line = format!("{sudo}env DEBIAN_FRONTEND=noninteractive {command}");
    let mut words = line.split(' ');
    let program = words.next().unwrap_or_default();
    process::run_keeping(process::command(program).args(words))
}

fn print_list(names: &[&str]) {
    for (name, what, _) in PACKAGES.iter().filter(|(name, ..)| names.contains(name)) {
        eprintln!("  {name:<25}{what}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_the_tests_of_the_window_need_is_for_them_alone() {
        let demo = needed(DEMO);
        assert!(demo.contains(&"libvulkan1") && demo.contains(&"libxcb1"));
        assert!(!demo.contains(&"xvfb") && !demo.contains(&"renderdoc"));
        for name in ["xvfb", "openbox", "xdotool", "x11-utils", "imagemagick"] {
            assert!(!needed(&[Vulkan, Window, RenderDoc, Test]).contains(&name));
            assert!(needed(&[WindowTest]).contains(&name));
        }
        assert_eq!(needed(EVERYTHING).len(), PACKAGES.len());
    }

    #[test]
    fn enter_is_yes_and_anything_unclear_is_no() {
        for answer in ["\n", "y\n", "Yes\r\n"] {
            assert!(is_yes(answer), "{answer:?}");
        }
        for answer in ["n\n", "no", "what?", "yn"] {
            assert!(!is_yes(answer), "{answer:?}");
        }
    }

    #[test]
    fn a_failure_repeats_what_apt_complained_about_or_else_its_last_lines() {
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        let noise = "Get:1 x\n".repeat(50);
        let said = complaints(&lines(&format!(
            "{noise}E: Unable to locate package xvfb\n{noise}"
        )));
        assert_eq!(said, "  E: Unable to locate package xvfb");
        assert_eq!(complaints(&lines(&noise)).lines().count(), REPEATED);
    }

    #[test]
    fn a_package_counts_as_installed_only_if_it_is_for_this_architecture() {
        let listing = "libxi6 i386 installed\nlibxcb1 amd64 config-files\nlibx11-6 amd64 installed\ndata all installed\n";
        assert_eq!(installed_in(listing, "amd64"), ["libx11-6", "data"]);
        assert_eq!(installed_in(listing, "i386"), ["libxi6", "data"]);
    }

    #[test]
    fn setup_refuses_what_it_does_not_know() {
        assert_eq!(purposes_from(&[]), Ok(DEMO));
        assert_eq!(purposes_from(&["--test".into()]), Ok(EVERYTHING));
        let wrong = purposes_from(&["--tset".into()]);
        assert_eq!(wrong.map_err(|failure| failure.code), Err(2));
    }
}
