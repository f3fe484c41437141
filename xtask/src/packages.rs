//! The table of system packages, which of them a purpose needs, and which dpkg reports as installed.
//! Asks dpkg, changes nothing.

use crate::process;

/// What the packages are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Running the program.
    Demo,
    /// Compiling for AMD GPUs with Mesa's driver, whatever other driver there is.
    Isa,
    /// Running it with RenderDoc attached.
    RenderDoc,
    /// Running the program and its tests.
    Test,
}

/// When a package is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Need {
    Always,
    /// By the tests and `isa` always (they run on Mesa's drivers), otherwise only if there is no driver.
    MesaOrNoDriver,
    /// By the tests and for recordings.
    RenderDoc,
    Tests,
}

/// A system package by its Debian name.
#[derive(Debug)]
pub struct Package {
    /// Name in Debian and Ubuntu.
    pub name: &'static str,
    /// What it is, for systems that name it otherwise.
    pub what: &'static str,
    need: Need,
}

const fn package(name: &'static str, what: &'static str, need: Need) -> Package {
    Package { name, what, need }
}

/// Every package. The X11 and Wayland rows are the libraries that winit 0.30 opens at run time
/// (it links none of them).
const PACKAGES: &[Package] = &[
    package("libvulkan1", "Vulkan loader", Need::Always),
    package(
        "mesa-vulkan-drivers",
        "Mesa's Vulkan drivers, llvmpipe and RADV among them",
        Need::MesaOrNoDriver,
    ),
    package("libx11-6", "X11 client library", Need::Always),
    package(
        "libx11-xcb1",
        "X11 client library, bridge to XCB",
        Need::Always,
    ),
    package("libxcb1", "X11 protocol library", Need::Always),
    package("libxcursor1", "X11 mouse cursors", Need::Always),
    package("libxi6", "X11 input devices", Need::Always),
    package("libxkbcommon0", "keyboard layouts", Need::Always),
    package(
        "libxkbcommon-x11-0",
        "keyboard layouts on X11",
        Need::Always,
    ),
    package("libwayland-client0", "Wayland client library", Need::Always),
    package(
        "vulkan-validationlayers",
        "Vulkan validation layers",
        Need::Tests,
    ),
    package(
        "spirv-tools",
        "SPIR-V validator and disassembler",
        Need::Tests,
    ),
    package("xvfb", "X server without a display", Need::Tests),
    package("openbox", "window manager", Need::Tests),
    package(
        "xdotool",
        "keys, mouse and windows of an X server",
        Need::Tests,
    ),
    package(
        "x11-utils",
        "properties of X11 windows (xprop)",
        Need::Tests,
    ),
    package("renderdoc", "RenderDoc", Need::RenderDoc),
    package(
        "python3-renderdoc",
        "RenderDoc's replay for Python",
        Need::Tests,
    ),
    package(
        "imagemagick",
        "pictures of X11 windows (import)",
        Need::Tests,
    ),
];

/// The packages that this purpose needs on a system with or without a Vulkan driver.
pub fn needed(purpose: Purpose, driver: bool) -> Vec<&'static Package> {
    let tests = purpose == Purpose::Test;
    let is_needed = |package: &&Package| match package.need {
        Need::Always => true,
        Need::MesaOrNoDriver => tests || purpose == Purpose::Isa || !driver,
        Need::RenderDoc => tests || purpose == Purpose::RenderDoc,
        Need::Tests => tests,
    };
    PACKAGES.iter().filter(is_needed).collect()
}

/// Names of the packages in the table that dpkg reports as installed for this architecture.
pub fn installed_packages() -> Vec<String> {
    let architecture = process::output_of(process::command("dpkg").arg("--print-architecture"));
    let mut query = process::command("dpkg-query");
    query.args([
        "--show",
        "--showformat",
        "${Package} ${Architecture} ${db:Status-Status}\\n",
    ]);
    query.args(PACKAGES.iter().map(|package| package.name));
    installed_in(&process::output_of(&mut query), architecture.trim())
}

/// The packages that are installed for `architecture`, from lines `name architecture status`.
fn installed_in(listing: &str, architecture: &str) -> Vec<String> {
    let name_if_installed = |line: &str| match line.split(' ').collect::<Vec<_>>()[..] {
        [name, of, "installed"] if of == architecture || of == "all" => Some(name.to_string()),
        _ => None,
    };
    listing.lines().filter_map(name_if_installed).collect()
}

/// Their Debian names.
pub fn names(packages: &[&Package]) -> Vec<&'static str> {
    packages.iter().map(|package| package.name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_counts_as_installed_only_if_it_is_for_this_architecture() {
        let listing = "libxi6 i386 installed\nlibxcb1 amd64 config-files\nlibx11-6 amd64 installed\ndata all installed\n";
        assert_eq!(installed_in(listing, "amd64"), ["libx11-6", "data"]);
        assert_eq!(installed_in(listing, "i386"), ["libxi6", "data"]);
    }

    #[test]
    fn a_missing_driver_adds_mesas_and_nothing_else() {
        let with = names(&needed(Purpose::Demo, true));
        let without = names(&needed(Purpose::Demo, false));
        let added: Vec<_> = without
            .into_iter()
            .filter(|name| !with.contains(name))
            .collect();
        assert_eq!(added, ["mesa-vulkan-drivers"]);
    }
}
