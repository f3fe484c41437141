//! System packages: a table of the required packages, and installation of missing ones with the user's consent.

use crate::process::{Consent, Result};
use crate::{process, tint};
use std::ffi::OsString;
use std::io::{IsTerminal, Write};

/// Install the system packages only
///
/// Debian and Ubuntu: installs the packages that are missing, with apt-get (through sudo unless you are root). On a terminal
/// it asks first. Other Linux systems: prints what is needed. macOS and Windows need nothing.
#[derive(Debug, clap::Args)]
pub struct Setup {
    /// Also install what the tests need: the validation layers, RenderDoc, a virtual X server with a window manager and tools
    /// that drive it (for tests of the window), and Tint, which npm installs into target/tint
    #[arg(long)]
    test: bool,
    #[command(flatten)]
    consent: Consent,
}

/// Purpose of a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Using a GPU, and compiling with Mesa's drivers.
    Vulkan,
    Window,
    /// Recording frames, and reading recordings.
    RenderDoc,
    /// Tests without a window.
    Test,
    /// Tests that open the window.
    WindowTest,
    /// Tests that compile shaders as browsers do: Tint, which npm installs in addition to the packages.
    Tint,
    /// Tests that open pages.
    Browser,
    /// Compiling for browsers without rustup.
    Web,
}
use Purpose::{Browser, RenderDoc, Test, Tint, Vulkan, Web, Window, WindowTest};

/// Purposes for running the program.
pub const DEMO: &[Purpose] = &[Vulkan, Window];
const EVERYTHING: &[Purpose] = &[Vulkan, Window, RenderDoc, Test, WindowTest, Tint, Browser];

/// All packages, each with its name in Debian and Ubuntu, a description and a purpose. The X11 and Wayland libraries
/// are those that winit 0.30 opens at run time (it links to none of them).
#[rustfmt::skip]
const PACKAGES: [(&str, &str, Purpose); 26] = [
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
    ("x11-utils",               "properties and positions of windows (xprop, xwininfo)", WindowTest),
    ("imagemagick",             "pictures of X11 windows (import)",                   WindowTest),
    ("nodejs",                  "runs Tint, the WGSL compiler of browsers",           Tint),
    ("npm",                     "installs Tint, under the target folder",             Tint),
    ("chromium",                "shows the pages",                                    Browser),
    ("rustc-web",               "compiler for browsers",                              Web),
    ("cargo-web",               "cargo of that compiler",                             Web),
    ("rust-web-src",            "standard library as source code",                    Web),
    ("lld-22",                  "linker for browsers",                                Web),
];

const UPDATE: &str = "apt-get update";
const INSTALL: &str = "apt-get install --yes --no-install-recommends";

impl Setup {
    pub fn run(self) -> Result<u8> {
        let purposes = if self.test { EVERYTHING } else { DEMO };
        install(purposes, self.consent)?;
        Ok(0)
    }
}

/// Installs missing packages for the given purposes, and Tint if requested. Fails if packages are missing and the user
/// declines to install them.
pub fn install(purposes: &[Purpose], consent: Consent) -> Result<()> {
    let mut of_packages = purposes.to_vec();
    // Node.js often comes from a package that conflicts with the system's npm.
    of_packages.retain(|purpose| *purpose != Tint || !tint::has_node());
    of_packages.retain(|purpose| *purpose != Browser || browser().is_err());
    install_packages(&of_packages, consent)?;
    if purposes.contains(&Tint) {
        tint::install(consent)?;
    }
    Ok(())
}

/// An installed Chromium, found through the variable and the names that `tests/suite/page/browser.rs` tries.
pub fn browser() -> Result<OsString> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let found = names.into_iter().find(|name| process::exists(name));
    std::env::var_os("WAVELERP_BROWSER")
        .or_else(|| found.map(OsString::from))
        .ok_or_else(|| "no Chromium: `cargo xtask setup --test` installs it".to_owned())
}

fn install_packages(purposes: &[Purpose], consent: Consent) -> Result<()> {
    if !cfg!(target_os = "linux") {
        return Ok(());
    }
    let needed = needed(purposes);
    if !process::exists("apt-get") {
        eprintln!("This system has no apt-get. These packages are needed (Debian names):");
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
        return Err(format!(
            "system packages are missing and nothing was installed: run `{install}` as root, or this command \
             with `--yes`"
        ));
    }
    // The broken package source may not be the one with these packages, so only a failed installation is an error.
    if as_root(UPDATE)? != 0 {
        eprintln!("`{UPDATE}` had errors: trying to install anyway.");
    }
    match as_root(&install)? {
        0 => Ok(()),
        _ => Err(format!(
            "the system packages could not be installed: see the messages above, fix the cause, or run `{install}` \
             as root yourself"
        )),
    }
}

/// True if missing packages may be installed; asks if the user has not decided yet and there is a terminal.
fn agrees(consent: Consent) -> bool {
    if consent.yes || consent.no_install || !std::io::stdin().is_terminal() {
        return !consent.no_install;
    }
    eprint!("Install them with apt-get? [Y/n] ");
    // The answer counts even if the question was not displayed.
    let _ = std::io::stderr().flush();
    let mut answer = String::new();
    let read = std::io::stdin().read_line(&mut answer);
    read.is_ok_and(|bytes| bytes > 0)
        && ["", "y", "yes"].contains(&answer.trim().to_lowercase().as_str())
}

fn needed(purposes: &[Purpose]) -> Vec<&'static str> {
    let packages = PACKAGES.iter().filter(|(_, _, of)| purposes.contains(of));
    packages.map(|(name, ..)| *name).collect()
}

/// Packages in the table that dpkg reports as installed for this architecture.
fn installed() -> Vec<String> {
    let architecture = process::output_of(&mut process::command_of("dpkg --print-architecture"));
    let format = "${Package} ${Architecture} ${db:Status-Status}\\n";
    let names = PACKAGES.map(|(name, ..)| name);
    let mut query = process::command_of("dpkg-query --show --showformat");
    let listing = process::output_of(query.arg(format).args(names));
    installed_in(&listing, architecture.trim())
}

/// Packages installed for `architecture`, from lines of the form `name architecture status`.
fn installed_in(listing: &str, architecture: &str) -> Vec<String> {
    let name_if_installed = |line: &str| match line.split(' ').collect::<Vec<_>>()[..] {
        [name, of, "installed"] if of == architecture || of == "all" => Some(name.to_string()),
        _ => None,
    };
    listing.lines().filter_map(name_if_installed).collect()
}

/// Runs an apt-get command that asks no questions, through sudo unless this is root. Returns its exit code.
fn as_root(command: &str) -> Result<u8> {
    let is_root = process::output_of(&mut process::command_of("id -u")).trim() == "0";
    if !is_root && !process::exists("sudo") {
        let message = "installing packages needs sudo, which is missing: run";
        return Err(format!("{message} `{command}` as root"));
    }
    let mut words = vec!["sudo", "env", "DEBIAN_FRONTEND=noninteractive"];
    words.drain(..usize::from(is_root));
    words.extend(command.split(' '));
    process::exit_code_of(process::command(words[0]).args(&words[1..]))
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
        let all = needed(&[EVERYTHING, &[Web]].concat());
        assert_eq!(all.len(), PACKAGES.len());
        assert!(!needed(EVERYTHING).contains(&"rustc-web"));
    }

    #[test]
    fn a_package_counts_as_installed_only_if_it_is_for_this_architecture() {
        let listing = "libxi6 i386 installed\nlibxcb1 amd64 config-files\nlibx11-6 amd64 installed\ndata all installed\n";
        assert_eq!(installed_in(listing, "amd64"), ["libx11-6", "data"]);
        assert_eq!(installed_in(listing, "i386"), ["libxi6", "data"]);
    }
}
