//! System packages: the table of what is needed, and installing what is missing.

use crate::process::{self, Failure};
use std::process::ExitCode;

/// Help below the summary.
pub const HELP: &str = "
Usage: cargo xtask setup [--test]

Debian and Ubuntu: installs the packages that are missing, with apt-get (through sudo unless you are
root). Other Linux systems: prints what is needed. macOS and Windows need nothing.

Options:
  --test  Also what the tests need: the validation layers, a virtual X server with a window manager,
          the tools that drive it, and RenderDoc";

/// What the packages are for. Each purpose needs those of [`Purpose::Demo`] too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Running the program, and compiling with Mesa's drivers.
    Demo,
    /// Running the program with RenderDoc attached.
    RenderDoc,
    /// Running the tests.
    Test,
}
use Purpose::{Demo, RenderDoc, Test};

/// Every package: its name in Debian and Ubuntu, what it is, and who needs it. The X11 and Wayland
/// libraries are those that winit 0.30 opens at run time (it links none of them).
#[rustfmt::skip]
const PACKAGES: [(&str, &str, &[Purpose]); 19] = [
    ("libvulkan1",              "Vulkan loader",                                      &[Demo]),
    ("mesa-vulkan-drivers",     "Mesa's Vulkan drivers, llvmpipe and RADV among them", &[Demo]),
    ("libx11-6",                "X11 client library",                                 &[Demo]),
    ("libx11-xcb1",             "X11 client library, bridge to XCB",                  &[Demo]),
    ("libxcb1",                 "X11 protocol library",                               &[Demo]),
    ("libxcursor1",             "X11 mouse cursors",                                  &[Demo]),
    ("libxi6",                  "X11 input devices",                                  &[Demo]),
    ("libxkbcommon0",           "keyboard layouts",                                   &[Demo]),
    ("libxkbcommon-x11-0",      "keyboard layouts on X11",                            &[Demo]),
    ("libwayland-client0",      "Wayland client library",                             &[Demo]),
    ("renderdoc",               "RenderDoc",                                          &[RenderDoc, Test]),
    ("python3-renderdoc",       "RenderDoc's replay for Python",                      &[Test]),
    ("vulkan-validationlayers", "Vulkan validation layers",                           &[Test]),
    ("spirv-tools",             "SPIR-V validator and disassembler",                  &[Test]),
    ("xvfb",                    "X server without a display",                         &[Test]),
    ("openbox",                 "window manager",                                     &[Test]),
    ("xdotool",                 "keys, mouse and windows of an X server",             &[Test]),
    ("x11-utils",               "properties of X11 windows (xprop)",                  &[Test]),
    ("imagemagick",             "pictures of X11 windows (import)",                   &[Test]),
];

const UPDATE: &str = "apt-get update";
const INSTALL: &str = "apt-get install --yes --no-install-recommends";

/// `cargo xtask setup`.
pub fn run(arguments: &[String]) -> Result<ExitCode, Failure> {
    install(purpose_from(arguments)?)?;
    Ok(ExitCode::SUCCESS)
}

fn purpose_from(arguments: &[String]) -> Result<Purpose, Failure> {
    match arguments {
        [] => Ok(Demo),
        [flag] if flag == "--test" => Ok(Test),
        _ => Err(Failure::usage(format!(
            "`setup` takes `--test` or nothing, not `{}`",
            arguments.join(" ")
        ))),
    }
}

/// Makes sure that the packages for `purpose` are there, and says what it does.
pub fn install(purpose: Purpose) -> Result<(), Failure> {
    if !cfg!(target_os = "linux") {
        return Ok(());
    }
    let needed = needed(purpose);
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
    eprintln!("Missing system packages, installed now:");
    print_list(&missing);
    let install = format!("{INSTALL} {}", missing.join(" "));
    // A package source that is out of order need not be the one that has these packages: what counts
    // is whether the installation works.
    if !as_root(UPDATE)? {
        eprintln!("`{UPDATE}` had errors: trying to install all the same.");
    }
    if as_root(&install)? {
        return Ok(());
    }
    Err(Failure::new(format!(
        "the system packages could not be installed: run `{install}` as root yourself"
    )))
}

fn needed(purpose: Purpose) -> Vec<&'static str> {
    let is_needed = |of: &[Purpose]| of.contains(&Demo) || of.contains(&purpose);
    let packages = PACKAGES.iter().filter(|(_, _, of)| is_needed(of));
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

/// Runs an apt-get command that asks no questions, through sudo unless this is root. Returns whether it
/// worked.
fn as_root(command: &str) -> Result<bool, Failure> {
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
    Ok(process::exit_code_of(process::command(program).args(words))? == 0)
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
    fn each_purpose_needs_its_own_packages_and_those_of_the_demo() {
        let demo = needed(Demo);
        assert!(demo.contains(&"libvulkan1") && demo.contains(&"mesa-vulkan-drivers"));
        for purpose in [RenderDoc, Test] {
            assert!(demo.iter().all(|name| needed(purpose).contains(name)));
        }
        let has = |name| [Demo, RenderDoc, Test].map(|purpose| needed(purpose).contains(&name));
        assert_eq!(has("renderdoc"), [false, true, true]);
        assert_eq!(has("vulkan-validationlayers"), [false, false, true]);
        assert_eq!(needed(Test).len(), PACKAGES.len());
    }

    #[test]
    fn a_package_counts_as_installed_only_if_it_is_for_this_architecture() {
        let listing = "libxi6 i386 installed\nlibxcb1 amd64 config-files\nlibx11-6 amd64 installed\ndata all installed\n";
        assert_eq!(installed_in(listing, "amd64"), ["libx11-6", "data"]);
        assert_eq!(installed_in(listing, "i386"), ["libxi6", "data"]);
    }

    #[test]
    fn setup_takes_only_its_one_flag() {
        assert_eq!(purpose_from(&[]), Ok(Demo));
        assert_eq!(purpose_from(&["--test".into()]), Ok(Test));
        let wrong = purpose_from(&["--tset".into()]);
        assert_eq!(wrong.map_err(|failure| failure.code), Err(2));
    }
}
