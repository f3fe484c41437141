//! System packages: what is needed, what is missing, and installing it. Facts about the system are
//! gathered first, a pure function makes the plan, and only `execute` changes anything.

use crate::packages::{self, Package, Purpose, names};
use crate::process::{self, Failure};
use crate::vulkan;
use std::process::ExitCode;

/// Help below the summary.
pub const HELP: &str = "
Usage: cargo xtask setup [--test]

Debian and Ubuntu: installs the packages that are missing, with apt-get (through sudo unless you are
root). Other Linux systems: prints what is needed. macOS and Windows need nothing.

Options:
  --test  Also what the tests need: Mesa's software Vulkan driver, the validation layers, a virtual X
          server with a window manager, the tools that drive it, and RenderDoc";

/// What a plan is made from.
#[derive(Clone, Debug)]
struct Facts {
    linux: bool,
    /// apt-get and dpkg-query exist.
    apt: bool,
    /// Names from the package table that dpkg reports as installed.
    installed: Vec<String>,
    /// A Vulkan driver manifest was found.
    driver: bool,
    /// The Vulkan loader was found; only asked where there is no apt.
    loader: bool,
    root: bool,
    sudo: bool,
}

/// What to do about the packages.
#[derive(Debug)]
enum Plan {
    /// Nothing is missing.
    Nothing,
    /// Install these with apt-get, through sudo or not.
    Install {
        missing: Vec<&'static Package>,
        sudo: bool,
    },
    /// No apt: say what is needed and go on, because the loader is there.
    Tell(Vec<&'static Package>),
    /// Something is missing and cannot be installed.
    Stop {
        needed: Vec<&'static Package>,
        why: String,
    },
}

/// `cargo xtask setup`.
pub fn run(arguments: &[String]) -> Result<ExitCode, Failure> {
    install(purpose_from(arguments)?)?;
    Ok(ExitCode::SUCCESS)
}

fn purpose_from(arguments: &[String]) -> Result<Purpose, Failure> {
    match arguments {
        [] => Ok(Purpose::Demo),
        [flag] if flag == "--test" => Ok(Purpose::Test),
        _ => Err(Failure::usage(format!(
            "`setup` takes `--test` or nothing, not `{}`",
            arguments.join(" ")
        ))),
    }
}

/// Makes sure that the packages for `purpose` are there; says what it does.
pub fn install(purpose: Purpose) -> Result<(), Failure> {
    execute(&plan(&gather(), purpose))
}

fn gather() -> Facts {
    let environment = |name: &str| std::env::var_os(name);
    let linux = cfg!(target_os = "linux");
    let has = |program: &str| linux && process::find_program(program).is_some();
    let apt = has("apt-get") && has("dpkg-query");
    Facts {
        linux,
        apt,
        installed: if apt {
            packages::installed_packages()
        } else {
            Vec::new()
        },
        driver: !vulkan::manifests_in(&vulkan::manifest_places(&environment)).is_empty(),
        loader: linux && !apt && vulkan::loader_is_present(&environment),
        root: linux && process::output_of(process::command("id").arg("-u")).trim() == "0",
        sudo: has("sudo"),
    }
}

fn plan(facts: &Facts, purpose: Purpose) -> Plan {
    if !facts.linux {
        return Plan::Nothing;
    }
    let needed = packages::needed(purpose, facts.driver);
    if !facts.apt {
        if facts.loader {
            return Plan::Tell(needed);
        }
        let why = "no Vulkan loader (libvulkan.so.1) was found, and this system has no apt-get to install one: \
                   install your system's packages for the list above, then run this again";
        return Plan::Stop {
            needed,
            why: why.to_string(),
        };
    }
    let is_missing = |package: &&Package| !facts.installed.iter().any(|name| name == package.name);
    let missing: Vec<_> = needed.into_iter().filter(is_missing).collect();
    if missing.is_empty() {
        Plan::Nothing
    } else if facts.root || facts.sudo {
        Plan::Install {
            missing,
            sudo: !facts.root,
        }
    } else {
        let why = format!(
            "no sudo to install these with: run `{}` as root",
            install_line(&missing)
        );
        Plan::Stop {
            needed: missing,
            why,
        }
    }
}

fn execute(plan: &Plan) -> Result<(), Failure> {
    match plan {
        Plan::Nothing => {
            eprintln!("System packages: nothing is missing.");
            Ok(())
        }
        Plan::Tell(needed) => {
            print_list(
                "This system has no apt-get. What is needed, by the Debian names:",
                needed,
            );
            eprintln!("The Vulkan loader is there: going on.");
            Ok(())
        }
        Plan::Stop { needed, why } => {
            print_list(
                "Missing or unknown system packages, by the Debian names:",
                needed,
            );
            Err(Failure::new(why))
        }
        Plan::Install { missing, sudo } => {
            print_list("Missing system packages, installed now:", missing);
            apt_install(missing, *sudo)
        }
    }
}

fn apt_install(missing: &[&Package], sudo: bool) -> Result<(), Failure> {
    // A package source that is out of order need not be the one that has these packages: what
    // counts is whether the installation works.
    if process::exit_code_of(&mut process::command_line(&apt_get(sudo, &["update"])))? != 0 {
        eprintln!("`apt-get update` had errors: trying to install all the same.");
    }
    let install = [&INSTALL[..], &names(missing)].concat();
    if process::exit_code_of(&mut process::command_line(&apt_get(sudo, &install)))? != 0 {
        let line = install_line(missing);
        return Err(Failure::new(format!(
            "the system packages could not be installed: try `{line}` as root yourself"
        )));
    }
    Ok(())
}

const INSTALL: [&str; 3] = ["install", "--yes", "--no-install-recommends"];

/// The words of an apt-get call that asks no questions.
fn apt_get<'a>(sudo: bool, arguments: &[&'a str]) -> Vec<&'a str> {
    let start: &[&str] = if sudo { &["sudo"] } else { &[] };
    [
        start,
        &["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"],
        arguments,
    ]
    .concat()
}

fn install_line(missing: &[&Package]) -> String {
    format!("apt-get {} {}", INSTALL.join(" "), names(missing).join(" "))
}

fn print_list(title: &str, packages: &[&Package]) {
    eprintln!("{title}");
    for package in packages {
        eprintln!("  {:<25}{}", package.name, package.what);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn debian() -> Facts {
        Facts {
            linux: true,
            apt: true,
            installed: Vec::new(),
            driver: false,
            loader: false,
            root: true,
            sudo: false,
        }
    }

    fn all_names(purpose: Purpose, driver: bool) -> Vec<String> {
        names(&packages::needed(purpose, driver))
            .into_iter()
            .map(str::to_string)
            .collect()
    }

    fn planned(facts: &Facts, purpose: Purpose) -> Vec<&'static str> {
        match plan(facts, purpose) {
            Plan::Install { missing, .. } => names(&missing),
            other => panic!("expected an installation, not {other:?}"),
        }
    }

    #[test]
    fn the_demo_gets_mesas_driver_only_where_there_is_no_other() {
        assert!(planned(&debian(), Purpose::Demo).contains(&"mesa-vulkan-drivers"));
        let with_driver = Facts {
            driver: true,
            ..debian()
        };
        assert!(!planned(&with_driver, Purpose::Demo).contains(&"mesa-vulkan-drivers"));
        assert!(planned(&with_driver, Purpose::Demo).contains(&"libvulkan1"));
    }

    #[test]
    fn the_tests_always_get_mesas_driver_and_the_validation_layers() {
        let packages = planned(
            &Facts {
                driver: true,
                ..debian()
            },
            Purpose::Test,
        );
        assert!(
            packages.contains(&"mesa-vulkan-drivers")
                && packages.contains(&"vulkan-validationlayers")
        );
        assert!(!planned(&debian(), Purpose::Demo).contains(&"vulkan-validationlayers"));
    }

    #[test]
    fn isa_gets_mesas_driver_whatever_other_there_is_and_nothing_of_the_tests() {
        let with_driver = Facts {
            driver: true,
            ..debian()
        };
        let packages = planned(&with_driver, Purpose::Isa);
        assert!(packages.contains(&"mesa-vulkan-drivers"));
        assert!(!packages.contains(&"vulkan-validationlayers"));
    }

    #[test]
    fn nothing_is_installed_when_nothing_is_missing() {
        let complete = Facts {
            installed: all_names(Purpose::Demo, false),
            ..debian()
        };
        assert!(matches!(plan(&complete, Purpose::Demo), Plan::Nothing));
        assert_eq!(
            planned(&complete, Purpose::Test),
            [
                "vulkan-validationlayers",
                "spirv-tools",
                "xvfb",
                "openbox",
                "xdotool",
                "x11-utils",
                "renderdoc",
                "python3-renderdoc",
                "imagemagick"
            ]
        );
    }

    #[test]
    fn renderdoc_is_installed_where_it_is_asked_for() {
        let only = |purpose| {
            let packages = planned(&debian(), purpose);
            ["renderdoc", "python3-renderdoc"].map(|name| packages.contains(&name))
        };
        assert_eq!(only(Purpose::Demo), [false, false]);
        assert_eq!(only(Purpose::RenderDoc), [true, false]);
        assert_eq!(only(Purpose::Test), [true, true]);
    }

    #[test]
    fn sudo_is_used_unless_root_and_its_absence_stops_with_the_command_to_run() {
        let user = Facts {
            root: false,
            sudo: true,
            ..debian()
        };
        assert!(matches!(
            plan(&user, Purpose::Demo),
            Plan::Install { sudo: true, .. }
        ));
        assert!(matches!(
            plan(&debian(), Purpose::Demo),
            Plan::Install { sudo: false, .. }
        ));
        match plan(
            &Facts {
                sudo: false,
                ..user
            },
            Purpose::Demo,
        ) {
            Plan::Stop { why, .. } => assert!(
                why.contains("apt-get install") && why.contains("libvulkan1"),
                "{why}"
            ),
            other => panic!("expected a stop, not {other:?}"),
        }
    }

    #[test]
    fn without_apt_the_list_is_told_and_only_a_missing_loader_stops() {
        let other = Facts {
            apt: false,
            loader: true,
            ..debian()
        };
        assert!(matches!(plan(&other, Purpose::Demo), Plan::Tell(packages) if packages.len() > 1));
        let bare = Facts {
            loader: false,
            ..other
        };
        assert!(
            matches!(plan(&bare, Purpose::Demo), Plan::Stop { why, .. } if why.contains("libvulkan.so.1"))
        );
    }

    #[test]
    fn systems_other_than_linux_need_nothing() {
        let mac = Facts {
            linux: false,
            apt: false,
            ..debian()
        };
        assert!(matches!(plan(&mac, Purpose::Test), Plan::Nothing));
    }

    #[test]
    fn apt_get_asks_no_questions() {
        let words = apt_get(true, &INSTALL);
        assert_eq!(
            words[..4],
            ["sudo", "env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]
        );
        assert!(words.contains(&"--yes") && words.contains(&"--no-install-recommends"));
        assert_eq!(apt_get(false, &["update"])[0], "env");
    }

    #[test]
    fn setup_takes_only_its_one_flag() {
        assert_eq!(purpose_from(&[]), Ok(Purpose::Demo));
        assert_eq!(purpose_from(&["--test".into()]), Ok(Purpose::Test));
        assert_eq!(
            purpose_from(&["--tset".into()]).map_err(|failure| failure.code),
            Err(2)
        );
    }
}
